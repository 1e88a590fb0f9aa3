// SPDX-License-Identifier: MIT
// test_printed_scenes.c - scenes with the choices that the papers print: each runs, and each
// differs from the scene that its name ends with by what it says.
#include "tests/kit/scene_runs.h"

#include <string.h>

static rill_scene *open_scene(const char *name)
{
    rill_scene *scene = NULL;
    assert_ok(rill_scene_open(name, NULL, 0, NULL, &scene));
    return scene;
}

static bool has_bodies(const char *name)
{
    return strcmp(name, "paper-boat") == 0 || strcmp(name, "paper-ocean") == 0;
}

// Plays the first seconds, in which the ledger closes and one thread and two give the same bits.
TEST(printed_scenes_run)
{
    for (int k = 0; k < rill_printed_scene_count(); k++)
        if (rill_has_rigid_bodies() || !has_bodies(rill_printed_scene_name(k)))
            run_scene(rill_printed_scene_name(k), 0.05, &(scene_checks){0}, NULL);
}

static uint64_t hash_after(const char *name, const char *const *overrides, int count)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    assert_ok(rill_scene_open(name, overrides, count, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 1, &world));
    for (int n = 0; n < 20; n++)
        assert_ok(rill_world_step(world, rill_scene_describe(scene).frame));
    const uint64_t hash = rill_world_hash(world);
    rill_world_destroy(&world);
    rill_scene_destroy(&scene);
    return hash;
}

// Pipes of the constant area leave other water than the wetted ones; the caller's overrides come
// after those of the scene, so that they give the wetted ones back.
TEST(overrides_of_the_caller_win)
{
    static const char *const mended[] = {"pipes.area='wetted'", "pipes.friction=0",
                                         "layers.slope_correction=true"};
    const uint64_t usual = hash_after("viscosity-4e-6", &mended[2], 1);
    assert_true(hash_after("paper-viscosity-4e-6", NULL, 0) != usual);
    assert_true(hash_after("paper-viscosity-4e-6", mended, 3) == usual);
}

TEST(printed_scenes_say_what_they_change)
{
    const int count = rill_printed_scene_count();
    assert_true(count >= 14);
    for (int k = 0; k < count; k++) {
        const char *name = rill_printed_scene_name(k);
        rill_scene *scene = open_scene(name), *base = open_scene(name + strlen("paper-"));
        assert_string_equal(rill_scene_describe(scene).name, name);
        assert_string_equal(rill_scene_describe(scene).solver, rill_scene_describe(base).solver);
        assert_non_null(rill_printed_scene_override(k, 0));
        assert_true(k == 0 || strcmp(rill_printed_scene_name(k - 1), name) < 0);
        rill_scene_destroy(&base);
        rill_scene_destroy(&scene);
    }
    rill_scene *none = NULL;
    assert_int_equal(rill_scene_open("paper-surgerry", NULL, 0, NULL, &none), RILL_BAD_FILE);
    assert_non_null(strstr(rill_last_error(), "did you mean 'paper-surgery'?"));
    assert_null(rill_printed_scene_name(-1));
    assert_null(rill_printed_scene_name(count));
    assert_null(rill_printed_scene_override(0, -1));
    assert_null(rill_printed_scene_override(count, 0));
    assert_null(rill_printed_scene_override(0, 1000));
}
