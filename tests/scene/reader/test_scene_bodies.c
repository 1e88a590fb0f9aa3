// SPDX-License-Identifier: MIT
// test_scene_bodies.c - bodies and windows in scenes: what is written is what is made, and what is
// wrong is said with its place.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define HEAD                                                                                    \
    "duration = 1\n[world]\nnx = 40\nny = 30\ncell_size = 0.5\n[water]\nlevel = 1\n[terrain]\n" \
    "kind = 'flat'\nelevation = 0\n"

static rill_status parse(const char *text, const char *override, rill_scene **scene)
{
    return rill_scene_parse("t.toml", text, strlen(text), NULL, &override, override != NULL, NULL,
                            scene);
}

static rill_world *world_of(const char *text, const char *override)
{
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    if (parse(text, override, &scene) != RILL_OK ||
        rill_scene_create_world(scene, 1, &world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    rill_scene_destroy(&scene);
    return world;
}

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

TEST(bodies_are_where_the_scene_has_them)
{
    rill_world *world = world_of(HEAD "[[body]]\nshape = 'box'\nsize = [1, 2, 3]\n"
                                      "position = [4, 5, 6]\nrotate = [0, 0, 90]\n"
                                      "copies = [2, 1, 2]\nstep = [3, 0, 4]\ndensity = 250\n",
                                 NULL);
    assert_int_equal(rill_world_body_count(world), 4);
    rill_body_state last;
    assert_int_equal(rill_world_get_body(world, rill_world_body_at(world, 3), &last), RILL_OK);
    assert_float_equal(last.position[0], 7.0, 1e-12);
    assert_float_equal(last.position[2], 10.0, 1e-12);
    assert_float_equal(last.mass, 1500.0, 1e-6);
    assert_float_equal(last.rotation[2], sqrt(0.5), 1e-9);
    rill_world_destroy(&world);
}

TEST(scattered_copies_stay_within_their_bounds_and_differ)
{
    const char *text = HEAD "[[body]]\nshape = 'sphere'\nradius = 0.2\nposition = [4, 5, 6]\n"
                            "copies = [6, 1, 1]\njitter = [1, 2, 0]\n";
    rill_world *world = world_of(text, NULL), *again = world_of(text, NULL);
    double before = 0.0;
    for (int n = 0; n < 6; n++) {
        rill_body_state one, two;
        assert_int_equal(rill_world_get_body(world, rill_world_body_at(world, n), &one), RILL_OK);
        assert_int_equal(rill_world_get_body(again, rill_world_body_at(again, n), &two), RILL_OK);
        assert_true(fabs(one.position[0] - 4.0) <= 1.0 && fabs(one.position[1] - 5.0) <= 2.0);
        assert_true(one.position[2] == 6.0 && one.position[0] == two.position[0]);
        assert_true(one.position[0] != before);
        before = one.position[0];
    }
    rill_world_destroy(&world);
    rill_world_destroy(&again);
}

TEST(room_can_be_kept_for_more)
{
    rill_world *world =
        world_of(HEAD "[[body]]\nsize = [1, 1, 1]\nposition = [4, 5, 6]\n", "bodies.max=3");
    rill_body_def def = rill_default_body_def();
    def.shape = RILL_BODY_SPHERE;
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_OK);
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_OK);
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_BAD_DEF);
    rill_world_destroy(&world);
}

TEST(a_flag_hangs_on_the_body_before_it)
{
    rill_world *world =
        world_of(HEAD "[[body]]\nmotion = 'fixed'\nsize = [1, 1, 1]\n"
                      "path = [[0, 4, 5, 6], [1, 8, 5, 6]]\n"
                      "[[body]]\nshape = 'sheet'\nmotion = 'soft'\nsize = [1, 1]\ncells = [4, 4]\n"
                      "position = [4, 5, 7]\ndensity = 0.3\npins = [0, 4]\npinned_to = 1\n",
                 NULL);
    const float before = rill_world_body_mesh(world, rill_world_body_at(world, 1)).positions[0];
    run_frames(world, 60);
    const float after = rill_world_body_mesh(world, rill_world_body_at(world, 1)).positions[0];
    assert_float_equal(after - before, 4.0f, 0.15f);
    rill_world_destroy(&world);
}

TEST(a_window_follows_its_body_through_the_country)
{
    const char *text = "duration = 1\n[world]\nnx = 200\nny = 20\ncell_size = 0.5\nsolver = 'swe'\n"
                       "[window]\nnx = 40\nny = 20\ni = 10\nbody = 1\n"
                       "[terrain]\nkind = 'flat'\nelevation = 0\n[water]\nlevel = 1\n"
                       "[[body]]\nmotion = 'fixed'\nsize = [1, 1, 1]\n"
                       "path = [[0, 15, 5, 1], [2, 35, 5, 1]]\n";
    rill_world *world = world_of(text, NULL);
    rill_body_state body;
    assert_int_equal(rill_world_get_body(world, rill_world_body_at(world, 0), &body), RILL_OK);
    assert_float_equal(body.position[0], 10.0, 1e-12); // 15 m of the country, 5 m are before it
    run_frames(world, 121);
    int i = 0, j = 0;
    rill_world_origin(world, &i, &j);
    assert_int_equal(rill_world_get_body(world, rill_world_body_at(world, 0), &body), RILL_OK);
    assert_true(fabs(body.position[0] + 0.5 * i - 35.0) < 1e-4);
    if (!(fabs(body.position[0] - 10.0) < 1.5))
        fail_msg("the body is at %g m of the window, whose corner is cell %d", body.position[0], i);
    assert_true(rill_world_ledger(world).error < 1e-6);
    rill_world_destroy(&world);
}

TEST(mistakes_are_said_with_their_place)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"[[body]]\nsize = [1, 1, 1]\n", "position"},
        {"[[body]]\nposition = [1, 1, 1]\n", "size"},
        {"[[body]]\nshape = 'ball'\n", "'sphere'"},
        {"[[body]]\nshape = 'sphere'\nradius = 1\nsize = [1, 1, 1]\nposition = [1, 1, 1]\n",
         "not for a body of this shape"},
        {"[[body]]\nsize = [1, 1, -1]\nposition = [1, 1, 1]\n", "size"},
        {"[[body]]\nsize = [1, 1, 1]\nposition = [1, 1, 1]\npath = [[0, 1, 1, 1]]\n", "path"},
        {"[[body]]\nsize = [1, 1, 1]\nposition = [1, 1, 1]\npins = [0]\n", "soft"},
        {"[[body]]\nsize = [1, 1, 1]\nposition = [1, 1, 1]\npinned_to = 4\n", "before this one"},
        {"[[body]]\nsize = [1, 1, 1]\nposition = [1, 1, 1]\ndensty = 4\n",
         "did you mean 'density'"},
        {"[bodies]\nmax = 0\n[[body]]\nsize = [1, 1, 1]\nposition = [1, 1, 1]\n", "max"},
        {"[bodies]\nspread = 0.3\n", "spread"},
        {"[window]\nnx = 8\nny = 8\n", "swe"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", HEAD, wrong[n].text);
        rill_scene *scene = NULL;
        assert_int_equal(parse(text, NULL, &scene), RILL_BAD_SCENE);
        assert_null(scene);
        assert_sentence_has("t.toml:");
        assert_sentence_has(wrong[n].words);
    }
}
