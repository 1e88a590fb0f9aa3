// SPDX-License-Identifier: MIT
#include "tests/kit/scene_runs.h"

#define CHECK_EVERY 10 // frames

static rill_world *world_of(const rill_scene *scene, int threads)
{
    rill_world *world = NULL;
    assert_ok(rill_scene_create_world(scene, threads, &world));
    return world;
}

// No column holds less than nothing or more than its range.
static void check_columns(const rill_columns *c, const char *name, double time)
{
    for (int k = 0; k < c->layers; k++)
        for (int j = 0; j < c->ny; j++)
            for (int i = 0; i < c->nx; i++) {
                const size_t n = (size_t)k * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
                const bool exists = c->range_max == NULL || c->range_max[n] >= c->range_min[n];
                const bool fits =
                    !exists || c->range_max == NULL || c->base[n] + c->depth[n] <= c->range_max[n];
                if (!(c->depth[n] >= 0.0f) || !isfinite(c->depth[n]) ||
                    (!exists && c->depth[n] != 0.0f) || !fits || !isfinite(c->velocity_x[n]) ||
                    !isfinite(c->velocity_y[n]))
                    fail_msg("%s at %g s: layer %d, cell (%d, %d): floor %g, depth %g, ceiling %g, "
                             "velocity (%g, %g)",
                             name, time, k, i, j, (double)c->base[n], (double)c->depth[n],
                             c->range_max != NULL ? (double)c->range_max[n] : 1e30,
                             (double)c->velocity_x[n], (double)c->velocity_y[n]);
            }
}

static void check_particles(const rill_particles *p, const char *name, double time)
{
    for (size_t n = 0; n < p->count; n++)
        if (!isfinite(p->x[n]) || !isfinite(p->y[n]) || !isfinite(p->z[n]) ||
            !(p->volume[n] >= 0.0f))
            fail_msg("%s at %g s: particle %zu is at (%g, %g, %g) and holds %g m3", name, time, n,
                     (double)p->x[n], (double)p->y[n], (double)p->z[n], (double)p->volume[n]);
}

static void check_world(rill_world *world, const char *name)
{
    const double time = rill_world_time(world), error = rill_world_ledger(world).error;
    if (!(error < 1e-6))
        fail_msg("%s at %g s: the ledger is off by %g", name, time, error);
    const rill_columns columns = rill_world_columns(world);
    const rill_particles particles = rill_world_particles(world);
    check_columns(&columns, name, time);
    check_particles(&particles, name, time);
}

// All of it runs on one thread and its first quarter on two as well: a thread that waits costs as
// much as one that works. ThreadSanitizer sees the two alone.
void run_scene(const char *name, double part, const scene_checks *checks, void *context)
{
    SCOPED(rill_scene) *scene = NULL;
    assert_ok(rill_scene_open(name, NULL, 0, NULL, &scene));
    const rill_scene_info info = rill_scene_describe(scene);
    rill_world *world = world_of(scene, TEST_ONE_THREAD_TOO ? 1 : 2);
    const int frames = TEST_PART((int)(part * info.duration / info.frame)), early = frames / 4;
    uint64_t hash = 0;
    if (checks->begin != NULL)
        checks->begin(world, &info, context);
    for (int f = 0; f < frames; f++) {
        run_world(world, 1, info.frame);
        if (f == early)
            hash = rill_world_hash(world);
        if (checks->step != NULL)
            checks->step(world, name, context);
        if (f % CHECK_EVERY != 0 && f != frames - 1)
            continue;
        check_world(world, name);
        if (checks->tenth != NULL)
            checks->tenth(world, name, context);
    }
    rill_world_destroy(&world);
    if (TEST_ONE_THREAD_TOO) {
        world = world_of(scene, 2);
        run_world(world, early + 1, info.frame);
        assert_true(rill_world_hash(world) == hash);
        rill_world_destroy(&world);
    }
}

pair pair_of_scene(const char *name, rill_scene_info *info)
{
    pair p = {0};
    SCOPED(rill_scene) *scene = NULL;
    assert_ok(rill_scene_open(name, NULL, 0, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 2, &p.cpu));
    assert_ok(rill_scene_create_world_on(scene, other_backend(), 2, &p.gpu));
    assert_backends(&p);
    *info = rill_scene_describe(scene);
    return p;
}
