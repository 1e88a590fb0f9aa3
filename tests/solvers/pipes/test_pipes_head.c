// SPDX-License-Identifier: MIT
// The head that makes new flow: the drop of the level, or the interval of Kellomäki Eq. 1, against
// numbers that were worked out by hand.
#include "solvers/pipes/pipes_blocked_cell.h"
#include "solvers/shared/pipe_rules_inline.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include <math.h>

enum { NX = 8, NY = 4 };

#define DT 0.02 // seconds, as in the paper

// ---- A slope ---------------------------------------------------------------------------

// Two centimetres of water on cells of a metre, on a slope that falls to the east; pipes of the
// constant area.
static rill_world *make_slope(double slope, rill_pipe_head head)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        bed[n] = (float)(slope * (NX - n % NX));
        depth[n] = 0.02f;
    }
    rill_world_def def = grid_def(NX, NY, 1.0);
    set_ground(&def, bed, depth);
    def.pipes.area = RILL_AREA_PAPER;
    def.pipes.head = head;
    return make_world(&def);
}

// What is left in the highest cells, which nothing enters.
static void assert_highest(rill_world *world, double expected)
{
    const rill_field_view d = rill_world_depth(world);
    for (int j = 0; j < NY; j++)
        assert_true(fabs((double)d.data[(size_t)j * d.pitch] - expected) < 1e-8);
}

// f = dt A g |I| / l = 0.02 s * 1 m^2 * 9.81 m/s^2 * 0.02 m / 1 m = 0.003924 m^3/s, which takes
// 0.00007848 m in a step; the drop of the level makes 5 times as much of a slope of 0.1 and 15
// times of 0.3. Where the level falls by 1 cm to the next cell, that is the interval.
TEST(new_flow_is_that_of_kellomaki_eq_1)
{
    const struct {
        double slope, interval, level; // depths after a step, metres
    } rows[] = {
        {0.01, 0.01996076, 0.01996076}, {0.1, 0.01992152, 0.0196076}, {0.3, 0.01992152, 0.0188228}};
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *printed = make_slope(rows[n].slope, RILL_HEAD_INTERVAL);
        SCOPED(rill_world) *ours = make_slope(rows[n].slope, RILL_HEAD_LEVEL);
        run_world(printed, 1, DT);
        run_world(ours, 1, DT);
        assert_highest(printed, rows[n].interval);
        assert_highest(ours, rows[n].level);
    }
}

// In the second step f = 0.003924 + 0.02 * 9.81 * 0.01992152 = 0.0078326022 m^3/s.
TEST(flow_grows_by_the_interval_that_is_left)
{
    SCOPED(rill_world) *world = make_slope(0.3, RILL_HEAD_INTERVAL);
    run_world(world, 2, DT);
    assert_highest(world, 0.019764868);
}

// ---- One face --------------------------------------------------------------------------

static rl_pipe_coef constants(rill_pipe_head head)
{
    rill_world_def def = grid_def(NX, NY, 1.0);
    def.pipes.area = RILL_AREA_PAPER;
    def.pipes.head = head;
    const rl_pipe_rules rules = rl_pipe_rules_of(&def);
    return rl_pipe_coefficients_of(&rules, DT, 0.1);
}

// The head is signed (erratum 1 to Kellomäki): flow against it gets slower by 0.02 * 9.81 * I.
TEST(the_interval_slows_what_flows_against_it)
{
    const rl_pipe_coef k = constants(RILL_HEAD_INTERVAL);
    const rl_pipe_end low = rl_pipe_open_end(0.0f, 0.5f), high = rl_pipe_open_end(2.0f, 0.25f);
    const float up = rl_pipe_flow(1.0f, low, high, 1.0f, k, RL_PIPE_PAPER, RL_PIPE_FREE);
    assert_true(fabs((double)up - (1.0 - 0.04905)) < 1e-6);
    const float down = rl_pipe_flow(-1.0f, high, low, 1.0f, k, RL_PIPE_PAPER, RL_PIPE_FREE);
    assert_true(down == 0.0f - up);
}

// Water 2 m deep beside a body that hangs 0.5 m above the ground. The air below it, from the water
// there up, is what the water touches (Kellomäki Eq. 6). A quarter of the face is open.
TEST(beside_a_body_the_interval_ends_below_it)
{
    const rl_pipe_cell deep = {0.0f, 2.0f, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
    const struct {
        float floor, depth; // below the body
        double interval, level, part;
    } rows[] = {{0.0f, 0.2f, 0.3, 1.8, 0.25},
                {0.0f, 0.5f, 0.0, 1.5, 0.25},
                {-2.0f, 0.0f, 0.5, 3.5, 0.25}}; // not the 2.5 m of air: water begins at 0 m
    for (int n = 0; n < 3; n++) {
        const rl_pipe_cell below = {rows[n].floor, rows[n].depth, 0.5f, 3.0f};
        for (int head = 0; head < 2; head++) {
            const rl_pipe_coef k = constants(head ? RILL_HEAD_INTERVAL : RILL_HEAD_LEVEL);
            const double push = 0.02 * 9.81 * rows[n].part;
            const double expected = push * (head ? rows[n].interval : rows[n].level);
            const float in =
                rl_pipe_flow_beneath(0.0f, deep, below, k, RL_PIPE_PAPER, RL_PIPE_FREE);
            const float out =
                rl_pipe_flow_beneath(0.0f, below, deep, k, RL_PIPE_PAPER, RL_PIPE_FREE);
            assert_true(fabs((double)in - expected) < 1e-6 && out == 0.0f - in);
        }
    }
}

// A body of which nothing below is free hides its water (Eq. 6): only what stands higher than the
// water above it makes new flow, over it.
TEST(nothing_new_flows_in_below_a_flooded_body)
{
    const rl_pipe_coef k = constants(RILL_HEAD_INTERVAL);
    const rl_pipe_cell deep = {0.0f, 2.0f, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
    const rl_pipe_cell flooded = {0.0f, 1.0f, 0.5f, 1.0f}; // level 1.5 m
    const rl_pipe_blocked_face face = rl_pipe_face_between(deep, flooded, k);
    assert_true(rl_pipe_flow_below(0.0f, face, k, RL_PIPE_PAPER, RL_PIPE_FREE) == 0.0f);
    assert_true(rl_pipe_flow_above(0.0f, face, k, RL_PIPE_PAPER, RL_PIPE_FREE) > 0.0f);
}
