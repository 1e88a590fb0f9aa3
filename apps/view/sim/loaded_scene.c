// SPDX-License-Identifier: MIT
// loaded_scene.c - opens, restarts and destroys loaded scenes.
#include "apps/view/sim/loaded_scene.h"

#include "render/render_error.h"

#include "rill/parameters.h"
#include "rill/river.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS 16 // beyond these a step waits for memory
#define BODIES_KEY   "bodies.max_bodies"
#define MAX_BODIES   BODIES_KEY "=256" // bodies of the scene and thrown ones together

static int all_cores(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > MOST_THREADS ? MOST_THREADS : (int)online;
}

static bool sets_max_bodies(const char *override)
{
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(override, " \t="), override);
    const rill_parameter *const said = rill_parameter_find(key);
    return said != NULL && strcmp(said->name, BODIES_KEY) == 0;
}

// Opens a scene with capacity for thrown bodies: a world has that of its scene alone, unless it is
// asked for more. A scene that has more than MAX_BODIES by itself refuses that, and is opened as it
// is; so is one with another mistake, which is then reported without it.
static rill_status open_scene(const char *scene, const char *const *overrides, int count,
                              rill_scene **out)
{
    bool is_set = false;
    for (int n = 0; n < count; n++)
        is_set = is_set || sets_max_bodies(overrides[n]);
    const char **more = is_set ? NULL : malloc(((size_t)count + 1) * sizeof *more);
    rill_status status = RILL_BAD_SCENE;
    if (more != NULL) {
        for (int n = 0; n < count; n++)
            more[n] = overrides[n];
        more[count] = MAX_BODIES;
        status = rill_scene_open(scene, more, count + 1, NULL, out);
    }
    free((void *)more);
    return status == RILL_BAD_SCENE ? rill_scene_open(scene, overrides, count, NULL, out) : status;
}

static rill_status open_world(loaded_scene *s, const char *scene, const char *const *overrides,
                              int count)
{
    rill_status status = open_scene(scene, overrides, count, &s->scene);
    if (status == RILL_OK)
        status = rill_scene_create_world_on(s->scene, s->backend, s->threads, &s->world);
    if (status != RILL_OK)
        return render_fail_from_rill(status);
    const char *doubt = rill_river_path_get(rill_world_river_path(s->world)).doubt;
    if (doubt != NULL)
        fprintf(stderr, "rill: warning: %s\n", doubt);
    s->info = rill_scene_describe(s->scene);
    s->view = rill_scene_view(s->scene);
    return RILL_OK;
}

static rill_status make_frames(loaded_scene *s)
{
    rill_status status = frame_capture_create(s->world, &s->view, &s->capture);
    for (int n = 0; n < LOADED_FRAMES && status == RILL_OK; n++)
        status = frame_data_create(s->capture, &s->frames[n]);
    return status == RILL_OK ? frame_data_fill(s->capture, s->world, s->frames[s->ready]) : status;
}

rill_status loaded_scene_open(const char *scene, const char *const *overrides, int count,
                              rill_backend backend, int threads, loaded_scene **out)
{
    *out = NULL;
    loaded_scene *s = malloc(sizeof *s);
    if (s == NULL)
        return render_fail(RILL_NO_MEMORY, "no memory for a scene");
    *s = (loaded_scene){.threads = threads > 0 ? threads : all_cores(),
                        .backend = backend,
                        .holders = 1,
                        .fresh = true};
    s->filling = 0;
    s->ready = 1;
    s->drawn = 2;
    s->asked_for = strdup(scene);
    rill_status status = s->asked_for != NULL
                             ? open_world(s, scene, overrides, count)
                             : render_fail(RILL_NO_MEMORY, "no memory for a scene");
    if (status == RILL_OK)
        status = make_frames(s);
    if (status != RILL_OK)
        loaded_scene_destroy(&s);
    *out = s;
    return status;
}

rill_status loaded_scene_restart(loaded_scene *s)
{
    rill_world *fresh = NULL;
    const rill_status status = rill_scene_create_world_on(s->scene, s->backend, s->threads, &fresh);
    if (status != RILL_OK)
        return render_fail_from_rill(status);
    rill_world_destroy(&s->world);
    s->world = fresh;
    s->pour_source = (rill_source_id){0};
    s->grip = (body_grip){0};
    s->thrown = (rill_body_id){0};
    frame_capture_ground_changed(s->capture);
    return RILL_OK;
}

void loaded_scene_destroy(loaded_scene **s)
{
    if (s == NULL || *s == NULL)
        return;
    for (int n = 0; n < LOADED_FRAMES; n++)
        frame_data_destroy(&(*s)->frames[n]);
    frame_capture_destroy(&(*s)->capture);
    rill_world_destroy(&(*s)->world);
    rill_scene_destroy(&(*s)->scene);
    free((*s)->asked_for);
    free(*s);
    *s = NULL;
}
