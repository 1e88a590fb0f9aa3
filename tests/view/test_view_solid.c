// SPDX-License-Identifier: MIT
// test_view_solid.c - the hand in a world with a solid ground: balls are cut out and added where
// the mouse points, and water is poured below an overhang.
#include "apps/view/view_brush.h"
#include "tests/kit/kit.h"
#include "tests/view/sims.h"

#include "rill/world.h"

// A floor at 1 cm and a shelf over its western half, from 2.2 to 2.8 cm; cells of 1 mm.
static const char text[] = "title = \"Shelf\"\n"
                           "duration = 1.0\n"
                           "frame = 0.01\n"
                           "[world]\n"
                           "solver = \"layers\"\n"
                           "nx = 32\n"
                           "ny = 32\n"
                           "cell_size = 0.001\n"
                           "[terrain]\n"
                           "kind = \"solid\"\n"
                           "bottom = 0.0\n"
                           "top = 0.034\n"
                           "[[terrain.part]]\n"
                           "kind = \"plane\"\n"
                           "position = [0.0, 0.0, 0.0101]\n"
                           "[[terrain.part]]\n"
                           "kind = \"box\"\n"
                           "position = [0.004, 0.016, 0.025]\n"
                           "size = [0.0242, 0.05, 0.0062]\n";

static sim *start(void)
{
    static const char path[] = RL_TEST_TMP "/shelf.toml";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    const sim_def def = {.scene = path, .threads = 1, .paused = true};
    return started_sim(def);
}

// Height of what a ray straight down from `z` meets in the newest still, once there is one that
// differs from `not_this`.
static double height_below(sim *s, double x, double y, double z, double not_this)
{
    const double origin[3] = {x, y, z}, down[3] = {0.0, 0.0, -1.0};
    double hit[3] = {0.0, 0.0, not_this};
    for (int n = 0; n < LIMIT && fabs(hit[2] - not_this) < 1e-5; n++) {
        const sim_picture p = sim_newest(s);
        if (!frame_data_hit(p.frame_data, origin, down, hit))
            hit[2] = not_this;
        sleep_briefly();
    }
    return hit[2];
}

// A brush that has pointed straight down at a place for a second.
static brush brush_at(brush_tool tool, double x, double y, double z)
{
    return (brush){.tool = tool,
                   .radius = 0.004,
                   .strength = 1.0,
                   .pending = 0.5,
                   .on_ground = true,
                   .at = {x, y, z},
                   .along = {0.0, 0.0, -1.0},
                   .solid = true};
}

TEST(a_ray_meets_the_shelf_and_below_it_the_floor)
{
    SCOPED(sim) *s = start();
    assert_true(fabs(height_below(s, 0.008, 0.016, 1.0, 0.0) - 0.0281) < 2e-4);
    assert_true(fabs(height_below(s, 0.008, 0.016, 0.02, 0.0) - 0.0101) < 2e-4);
    assert_true(fabs(height_below(s, 0.024, 0.016, 1.0, 0.0) - 0.0101) < 2e-4);
}

TEST(lowering_cuts_a_ball_out_and_a_restart_brings_it_back)
{
    SCOPED(sim) *s = start();
    const double floor = height_below(s, 0.024, 0.016, 1.0, 0.0);
    brush b = brush_at(BRUSH_LOWER, 0.024, 0.016, floor);
    brush_work(&b, s, 9.81, 0.001, 0.0);
    assert_true(b.pending == 0.0);
    // Half a second at a radius a second.
    const double dug = height_below(s, 0.024, 0.016, 1.0, floor);
    assert_true(fabs(dug - (floor - 0.002)) < 3e-4);
    sim_restart(s);
    assert_true(fabs(height_below(s, 0.024, 0.016, 1.0, dug) - floor) < 1e-5);
}

TEST(raising_adds_a_ball)
{
    SCOPED(sim) *s = start();
    const double floor = height_below(s, 0.024, 0.016, 1.0, 0.0);
    brush b = brush_at(BRUSH_RAISE, 0.024, 0.016, floor);
    brush_work(&b, s, 9.81, 0.001, 0.0);
    const double raised = height_below(s, 0.024, 0.016, 1.0, floor);
    assert_true(raised > floor + 0.0015 && raised < floor + 0.0035);
}

TEST(smoothing_leaves_a_solid_as_it_is)
{
    SCOPED(sim) *s = start();
    const uint64_t before = ask(s, 0.024, 0.016).hash;
    brush b = brush_at(BRUSH_SMOOTH, 0.024, 0.016, 0.01);
    brush_work(&b, s, 9.81, 0.001, 0.0);
    assert_true(b.pending == 0.0);
    assert_true(ask(s, 0.024, 0.016).hash == before);
    assert_int_equal(sim_get_state(s).notes, 0);
}

TEST(water_poured_below_the_shelf_does_not_fall_on_top_of_it)
{
    SCOPED(sim) *s = start();
    brush b = brush_at(BRUSH_POUR, 0.008, 0.016, 0.0101);
    brush_work(&b, s, 9.81, 0.001, 0.0);
    sim_step(s);
    const sim_answer below = ask(s, 0.008, 0.016);
    assert_true(below.ledger.sourced > 0.0 && below.ledger.error < 1e-6);
    assert_true(below.probe.base > 0.027 && below.probe.depth < 1e-6f);
    // And on top of it at once.
    b = brush_at(BRUSH_POUR, 0.008, 0.016, 0.0281);
    brush_work(&b, s, 9.81, 0.001, 0.0);
    const sim_answer above = ask(s, 0.008, 0.016);
    assert_true(above.probe.depth > 1e-4f);
    assert_true(above.ledger.sourced > below.ledger.sourced && above.ledger.error < 1e-6);
}
