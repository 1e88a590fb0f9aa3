// SPDX-License-Identifier: MIT
// test_protrusions.c - in no scene of Dagenais does the ground stand out of the liquid that lies on
// it: not one vertex of the ground's own triangles is above the surface. Where a coarse shore goes
// down from wet columns to dry ones below a cliff it may be.
#include "tests/kit/kit.h"
#include "tests/surface/protrusion_checker.h"

#include "rill/rill.h"
#include "rill/scene.h"

#define TIMES 5

typedef struct shown_scene {
    rill_scene *scene;
    rill_scene_info info;
    rill_world *world;
    mesh_ground ground;
    rill_surface *surface;
} shown_scene;

static shown_scene open_scene(const char *name)
{
    shown_scene s = {0};
    assert_ok(rill_scene_open(name, NULL, 0, NULL, &s.scene));
    s.info = rill_scene_describe(s.scene);
    assert_ok(rill_scene_create_world(s.scene, 2, &s.world));
    s.ground = mesh_ground_of_mesh(rill_world_ground_mesh(s.world), s.info.nx, s.info.ny,
                                   s.info.cell_size);
    return s;
}

static void close_scene(shown_scene *s)
{
    rill_surface_destroy(&s->surface);
    mesh_ground_free(&s->ground);
    rill_world_destroy(&s->world);
    rill_scene_destroy(&s->scene);
}

static protrusions drawn_with(shown_scene *s, int fine_shore, int local_minimum)
{
    rill_surface_def def = rill_default_surface_def();
    def.fine_shore = fine_shore;
    def.local_minimum = local_minimum;
    rill_surface_destroy(&s->surface);
    assert_ok(rill_surface_create(s->world, &def, &s->surface));
    assert_ok(rill_surface_build(s->surface, s->world));
    const rill_mesh mesh = rill_surface_mesh(s->surface);
    const rill_columns columns = rill_world_columns(s->world);
    return protrusions_of(&mesh, &columns, &s->ground, &s->ground.mesh);
}

static void no_ground_stands_out(const char *name)
{
    shown_scene s = open_scene(name);
    const int frames = (int)(s.info.duration / s.info.frame), spans = TEST_PART(TIMES);
    for (int n = 1, f = 0; n <= spans; n++) {
        for (; f < frames * n / TIMES; f++)
            assert_ok(rill_world_step(s.world, s.info.frame));
        for (int fine = 0; fine < 2; fine++) {
            const protrusions p = drawn_with(&s, fine, 1);
            if (p.inside > 0 || (fine && p.at_rim + p.of_curtains > 0))
                fail_msg("%s at %g s, %s shore: %d of films, %d at ends, %d of curtains; %s", name,
                         rill_world_time(s.world), fine ? "fine" : "coarse", p.inside, p.at_rim,
                         p.of_curtains, p.text);
        }
    }
    close_scene(&s);
}

#define SCENE(test, name)           \
    TEST(test)                      \
    {                               \
        no_ground_stands_out(name); \
    }

SCENE(no_ground_stands_out_in_surgery, "surgery")
SCENE(no_ground_stands_out_in_viscosity_0, "viscosity-0")
SCENE(no_ground_stands_out_in_viscosity_4e_6, "viscosity-4e-6")
SCENE(no_ground_stands_out_in_viscosity_4e_5, "viscosity-4e-5")
SCENE(no_ground_stands_out_in_viscosity_4e_1, "viscosity-4e-1")
SCENE(no_ground_stands_out_in_three_layers, "three-layers")
SCENE(no_ground_stands_out_in_passages, "passages")
SCENE(no_ground_stands_out_in_passages_cross, "passages-cross")
SCENE(no_ground_stands_out_in_film, "film")
SCENE(no_ground_stands_out_in_culvert, "culvert")
SCENE(no_ground_stands_out_in_vessels, "vessels")
SCENE(no_ground_stands_out_in_coffee, "coffee")
SCENE(no_ground_stands_out_in_paper_surgery, "paper-surgery")
SCENE(no_ground_stands_out_in_paper_viscosity_0, "paper-viscosity-0")
SCENE(no_ground_stands_out_in_paper_viscosity_4e_6, "paper-viscosity-4e-6")
SCENE(no_ground_stands_out_in_paper_viscosity_4e_5, "paper-viscosity-4e-5")
SCENE(no_ground_stands_out_in_paper_viscosity_4e_1, "paper-viscosity-4e-1")
SCENE(no_ground_stands_out_in_paper_three_layers, "paper-three-layers")
SCENE(no_ground_stands_out_in_paper_passages, "paper-passages")
SCENE(no_ground_stands_out_in_paper_passages_cross, "paper-passages-cross")
SCENE(no_ground_stands_out_in_paper_culvert, "paper-culvert")

// The checker sees what it is for.
TEST(without_local_least_thicknesses_ground_stands_out_of_films_and_curtains)
{
    shown_scene s = open_scene("surgery");
    while (rill_world_time(s.world) < 1.5)
        assert_ok(rill_world_step(s.world, s.info.frame));
    const protrusions p = drawn_with(&s, 1, 0);
    assert_true(p.inside > 100 && p.of_curtains > 0);
    close_scene(&s);
}
