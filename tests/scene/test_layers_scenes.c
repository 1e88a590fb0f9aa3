// SPDX-License-Identifier: MIT
// test_layers_scenes.c - the built-in scenes of the layers solver, from their first frame to their
// last: numbers, columns, ledgers, surface.
#include "tests/kit/scene_runs.h"
#include "tests/surface/mesh_checker.h"

typedef struct drawn_scene {
    rill_surface *surface;
    mesh_ground ground;
    const rill_scene_info *info;
} drawn_scene;

static void find_ground(rill_world *world, drawn_scene *drawn)
{
    const rill_scene_info *info = drawn->info;
    mesh_ground_free(&drawn->ground);
    drawn->ground =
        mesh_ground_of_mesh(rill_world_ground_mesh(world), info->nx, info->ny, info->cell_size);
}

static void begin(rill_world *world, const rill_scene_info *info, void *context)
{
    drawn_scene *drawn = context;
    const rill_surface_def def = rill_default_surface_def();
    assert_ok(rill_surface_create(world, &def, &drawn->surface));
    drawn->info = info;
    find_ground(world, drawn);
}

static void surface_is_sound(rill_world *world, const char *name, void *context)
{
    drawn_scene *drawn = context;
    const rill_columns columns = rill_world_columns(world);
    assert_ok(rill_surface_build(drawn->surface, world));
    if (drawn->info->movers > 0)
        find_ground(world, drawn);
    const rill_mesh mesh = rill_surface_mesh(drawn->surface);
    const mesh_report report = mesh_check(&mesh, &columns, &drawn->ground);
    if (mesh_report_bad(&report))
        fail_msg("%s at %g s: %s", name, rill_world_time(world), report.text);
}

static void run_drawn_scene(const char *name)
{
    drawn_scene drawn = {0};
    run_scene(name, 1.0, &(scene_checks){.begin = begin, .tenth = surface_is_sound}, &drawn);
    mesh_ground_free(&drawn.ground);
    rill_surface_destroy(&drawn.surface);
}

#define SCENE(test, name)      \
    TEST(test)                 \
    {                          \
        run_drawn_scene(name); \
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
SCENE(tissue_runs_to_its_end_without_a_crack, "tissue")
SCENE(coffee_runs_to_its_end_without_a_crack, "coffee")
