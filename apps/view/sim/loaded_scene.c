// SPDX-License-Identifier: MIT
// loaded_scene.c - opening scenes.
#include "apps/view/sim/loaded_scene.h"

#include "render/render_error.h"

#include "rill/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS 16 // beyond these a step waits for memory
#define ROOM_KEY     "bodies.max_bodies"
#define ROOM         ROOM_KEY "=256" // bodies of the scene and thrown ones together

static int all_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_THREADS ? MOST_THREADS : (int)online;
}

static bool says_room(const char *override)
{
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(override, " \t="), override);
    const rill_parameter *const said = rill_parameter_find(key);
    return said != NULL && strcmp(said->name, ROOM_KEY) == 0;
}

// A world has room for the bodies of its scene alone, unless it is asked for more. A scene that has
// more than ROOM by itself refuses that, and is opened as it is; so is one with another mistake,
// which is then told without it.
static rill_status open_scene(const char *scene, const char *const *overrides, int count,
                              rill_scene **out)
{
    bool room_said = false;
    for (int n = 0; n < count; n++)
        room_said = room_said || says_room(overrides[n]);
    const char **more = room_said ? NULL : malloc(((size_t)count + 1) * sizeof *more);
    rill_status status = RILL_BAD_SCENE;
    if (more != NULL) {
        for (int n = 0; n < count; n++)
            more[n] = overrides[n];
        more[count] = ROOM;
        status = rill_scene_open(scene, more, count + 1, NULL, out);
    }
    free((void *)more);
    return status == RILL_BAD_SCENE ? rill_scene_open(scene, overrides, count, NULL, out) : status;
}

static rill_status open_world(stage *s, const char *scene, const char *const *overrides, int count)
{
    rill_status status = open_scene(scene, overrides, count, &s->scene);
    if (status == RILL_OK)
        status = rill_scene_create_world_on(s->scene, s->backend, s->threads, &s->world);
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

rill_status stage_open(const char *scene, const char *const *overrides, int count,
                       rill_backend backend, int threads, stage **out)
{
    *out = NULL;
    stage *s = malloc(sizeof *s);
    if (s == NULL)
        return trouble(RILL_NO_MEMORY, "no memory for a scene");
    *s = (stage){.threads = threads > 0 ? threads : all_cores(),
                 .backend = backend,
                 .holders = 1,
                 .fresh = true};
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
    const rill_status status = rill_scene_create_world_on(s->scene, s->backend, s->threads, &fresh);
    if (status != RILL_OK)
        return trouble_from_rill(status);
    rill_world_destroy(&s->world);
    s->world = fresh;
    s->hand = (rill_source_id){0};
    s->grip = (stage_grip){0};
    s->thrown = (rill_body_id){0};
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
