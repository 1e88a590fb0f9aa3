// SPDX-License-Identifier: MIT
// stage.c - opening scenes.
#include "apps/view/stage.h"

#include "render/trouble.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS 16 // beyond these a step waits for memory

static int all_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_THREADS ? MOST_THREADS : (int)online;
}

static rill_status open_world(stage *s, const char *scene, const char *const *overrides, int count)
{
    rill_status status = rill_scene_open(scene, overrides, count, NULL, &s->scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(s->scene, s->threads, &s->world);
    if (status != RILL_OK)
        return trouble_from_rill(status);
    s->info = rill_scene_describe(s->scene);
    s->look = rill_scene_view(s->scene);
    return RILL_OK;
}

static rill_status make_stills(stage *s)
{
    rill_status status = still_taker_create(s->world, &s->look, &s->taker);
    for (int n = 0; n < STAGE_STILLS && status == RILL_OK; n++)
        status = still_create(s->taker, &s->stills[n]);
    return status == RILL_OK ? still_take(s->taker, s->world, s->stills[s->ready]) : status;
}

rill_status stage_open(const char *scene, const char *const *overrides, int count, int threads,
                       stage **out)
{
    *out = NULL;
    stage *s = malloc(sizeof *s);
    if (s == NULL)
        return trouble(RILL_NO_MEMORY, "no memory for a scene");
    *s = (stage){.threads = threads > 0 ? threads : all_cores(), .holders = 1, .fresh = true};
    s->filling = 0;
    s->ready = 1;
    s->drawn = 2;
    s->asked_for = strdup(scene);
    rill_status status = s->asked_for != NULL ? open_world(s, scene, overrides, count)
                                              : trouble(RILL_NO_MEMORY, "no memory for a scene");
    if (status == RILL_OK)
        status = make_stills(s);
    if (status != RILL_OK)
        stage_destroy(&s);
    *out = s;
    return status;
}

rill_status stage_restart(stage *s)
{
    rill_world *fresh = NULL;
    const rill_status status = rill_scene_create_world(s->scene, s->threads, &fresh);
    if (status != RILL_OK)
        return trouble_from_rill(status);
    rill_world_destroy(&s->world);
    s->world = fresh;
    s->hand = (rill_source_id){0};
    still_taker_ground_changed(s->taker);
    return RILL_OK;
}

void stage_destroy(stage **s)
{
    if (s == NULL || *s == NULL)
        return;
    for (int n = 0; n < STAGE_STILLS; n++)
        still_destroy(&(*s)->stills[n]);
    still_taker_destroy(&(*s)->taker);
    rill_world_destroy(&(*s)->world);
    rill_scene_destroy(&(*s)->scene);
    free((*s)->asked_for);
    free(*s);
    *s = NULL;
}
