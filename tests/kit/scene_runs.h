// SPDX-License-Identifier: MIT
// scene_runs.h - plays a built-in scene from its first frame to its last: numbers, books with all
// that flies, and the same bits on one thread and on two. A build with sanitizers, ten times
// slower, runs the first part only.
#pragma once

#include "tests/kit/kit.h"

#include "rill/scene.h"
#include "rill/world.h"

#define LOOK_EVERY 10 // frames

static inline rill_world *open_world(const char *name, int threads, rill_scene_info *info)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    if (rill_scene_open(name, NULL, 0, NULL, &scene) != RILL_OK ||
        rill_scene_create_world(scene, threads, &world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    *info = rill_scene_describe(scene);
    rill_scene_destroy(&scene);
    return world;
}

static inline void check_columns(const rill_columns *c, const char *name, double time)
{
    for (int j = 0; j < c->ny; j++)
        for (int i = 0; i < c->nx; i++) {
            const size_t n = (size_t)j * c->pitch + (size_t)i;
            if (!(c->depth[n] >= 0.0f) || !isfinite(c->depth[n]) || !isfinite(c->velocity_x[n]) ||
                !isfinite(c->velocity_y[n]))
                fail_msg("%s at %g s: cell (%d, %d): depth %g, velocity (%g, %g)", name, time, i, j,
                         (double)c->depth[n], (double)c->velocity_x[n], (double)c->velocity_y[n]);
        }
}

static inline void check_particles(const rill_particles *p, const char *name, double time)
{
    for (size_t n = 0; n < p->count; n++)
        if (!isfinite(p->x[n]) || !isfinite(p->y[n]) || !isfinite(p->z[n]) ||
            !(p->volume[n] >= 0.0f))
            fail_msg("%s at %g s: particle %zu is at (%g, %g, %g) and holds %g m3", name, time, n,
                     (double)p->x[n], (double)p->y[n], (double)p->z[n], (double)p->volume[n]);
}

// Plays `part` of a scene. `look` is called after every step.
static inline void run_scene(const char *name, double part,
                             void (*look)(rill_world *world, const char *name))
{
    rill_scene_info info;
    rill_world *world = open_world(name, 2, &info);
    const int frames = TEST_PART((int)(part * info.duration / info.frame)), early = frames / 4;
    uint64_t hash = 0;
    for (int f = 0; f < frames; f++) {
        if (rill_world_step(world, info.frame) != RILL_OK)
            fail_msg("%s: %s", name, rill_last_error());
        if (f == early)
            hash = rill_world_hash(world);
        look(world, name);
        if (f % LOOK_EVERY != 0 && f != frames - 1)
            continue;
        const double time = rill_world_time(world), error = rill_world_ledger(world).error;
        if (!(error < 1e-6))
            fail_msg("%s at %g s: the ledger is off by %g", name, time, error);
        const rill_columns columns = rill_world_columns(world);
        const rill_particles particles = rill_world_particles(world);
        check_columns(&columns, name, time);
        check_particles(&particles, name, time);
    }
    rill_world_destroy(&world);
    if (!TEST_ONE_THREAD_TOO)
        return;

    world = open_world(name, 1, &info);
    for (int f = 0; f <= early; f++)
        assert_int_equal(rill_world_step(world, info.frame), RILL_OK);
    assert_true(rill_world_hash(world) == hash);
    rill_world_destroy(&world);
}
