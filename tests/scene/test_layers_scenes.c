// SPDX-License-Identifier: MIT
// test_layers_scenes.c - the built-in scenes of the layers water, from their first frame to their
// last: numbers, columns, books, surface. A build with sanitizers, ten times slower, runs their
// first part only.
#include "tests/kit/kit.h"
#include "tests/surface/mesh_checker.h"

#include "rill/scene.h"
#include "rill/surface.h"
#include "rill/world.h"

#define LOOK_EVERY 10 // frames

typedef struct run {
    rill_scene *scene;
    rill_world *world;
    rill_surface *surface;
    rill_scene_info info;
} run;

static void open_run(run *r, const char *name, int threads)
{
    assert_int_equal(rill_scene_open(name, NULL, 0, NULL, &r->scene), RILL_OK);
    assert_int_equal(rill_scene_create_world(r->scene, threads, &r->world), RILL_OK);
    const rill_surface_def def = rill_default_surface_def();
    assert_int_equal(rill_surface_create(r->world, &def, &r->surface), RILL_OK);
    r->info = rill_scene_describe(r->scene);
}

static void close_run(run *r)
{
    rill_surface_destroy(&r->surface);
    rill_world_destroy(&r->world);
    rill_scene_destroy(&r->scene);
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
                if (!(c->depth[n] >= 0.0f) || (!exists && c->depth[n] != 0.0f) || !fits ||
                    !isfinite(c->velocity_x[n]) || !isfinite(c->velocity_y[n]))
                    fail_msg("%s at %g s: layer %d, cell (%d, %d): floor %g, depth %g, ceiling %g",
                             name, time, k, i, j, (double)c->base[n], (double)c->depth[n],
                             c->range_max != NULL ? (double)c->range_max[n] : 1e30);
            }
}

static void check_surface(run *r, const mesh_ground *ground, const char *name)
{
    const rill_columns columns = rill_world_columns(r->world);
    check_columns(&columns, name, rill_world_time(r->world));
    assert_int_equal(rill_surface_build(r->surface, r->world), RILL_OK);
    const rill_mesh mesh = rill_surface_mesh(r->surface);
    const mesh_report report = mesh_check(&mesh, &columns, ground);
    if (mesh_report_bad(&report))
        fail_msg("%s at %g s: %s", name, rill_world_time(r->world), report.text);
}

static void run_scene(const char *name)
{
    run r;
    open_run(&r, name, 1);
    const mesh_ground ground = mesh_ground_of_mesh(rill_world_ground_mesh(r.world), r.info.nx,
                                                   r.info.ny, r.info.cell_size);
    const int frames = TEST_PART((int)(r.info.duration / r.info.frame)), early = frames / 4;
    uint64_t hash = 0;
    for (int f = 0; f < frames; f++) {
        assert_int_equal(rill_world_step(r.world, r.info.frame), RILL_OK);
        if (f == early)
            hash = rill_world_hash(r.world);
        if (f % LOOK_EVERY != 0 && f != frames - 1)
            continue;
        assert_true(rill_world_ledger(r.world).error < 1e-6);
        check_surface(&r, &ground, name);
    }
    mesh_ground owned = ground;
    mesh_ground_free(&owned);
    close_run(&r);

    open_run(&r, name, 2);
    for (int f = 0; f <= early; f++)
        assert_int_equal(rill_world_step(r.world, r.info.frame), RILL_OK);
    assert_int_equal(rill_world_hash(r.world), hash);
    close_run(&r);
}

#define SCENE(test, name) \
    TEST(test)            \
    {                     \
        run_scene(name);  \
    }

SCENE(surgery_runs_to_its_end_without_a_crack, "surgery")
SCENE(viscosity_0_runs_to_its_end_without_a_crack, "viscosity-0")
SCENE(viscosity_4e_6_runs_to_its_end_without_a_crack, "viscosity-4e-6")
SCENE(viscosity_4e_5_runs_to_its_end_without_a_crack, "viscosity-4e-5")
SCENE(viscosity_4e_1_runs_to_its_end_without_a_crack, "viscosity-4e-1")
SCENE(three_layers_runs_to_its_end_without_a_crack, "three-layers")
SCENE(passages_runs_to_its_end_without_a_crack, "passages")
SCENE(passages_cross_runs_to_its_end_without_a_crack, "passages-cross")
SCENE(film_runs_to_its_end_without_a_crack, "film")
SCENE(culvert_runs_to_its_end_without_a_crack, "culvert")
SCENE(vessels_runs_to_its_end_without_a_crack, "vessels")
SCENE(coffee_runs_to_its_end_without_a_crack, "coffee")
