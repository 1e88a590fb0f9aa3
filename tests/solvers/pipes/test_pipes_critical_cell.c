// SPDX-License-Identifier: MIT
// The limit of critical flow: the arithmetic of a cell, and which waters it leaves alone.
#include "solvers/pipes/pipes_critical_cell.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/pipe_values.h"

// ---- A cell ----------------------------------------------------------------------------

static float critical_flow(float depth)
{
    return sqrtf(9.81f) * powf(2.0f / 3.0f * depth, 1.5f);
}

// Returns what leaves through the eastern face of a cell of a metre on level ground.
static float through_gate(float aside, float q, rl_pipe_coef k)
{
    const rl_pipe_sides sides = {q - aside, q, 0.5f * aside, -0.5f * aside}, level = {0};
    return q * rl_pipe_critical_limiter(0.0f, 1.0f, sides, level, k);
}

TEST(where_water_runs_together_it_leaves_as_critical_flow)
{
    for (int n = 0; n < 1000; n++) {
        const rl_pipe_coef k = coefficients();
        const float most = critical_flow(1.0f), q = most * (1.0f + 3.0f * unit());
        assert_float_equal(through_gate(0.5f * q, q, k), most, 1e-4f * most);
        // Less than critical flow may leave, whatever it is made of.
        const float less = 0.99f * most * unit();
        assert_true(through_gate(less, less, k) == less);
        // A little that comes from the side takes a little.
        const float through = through_gate(0.01f * q, q, k);
        assert_true(through < q && through > 0.97f * q);
    }
}

TEST(water_that_does_not_run_together_may_be_as_fast_as_it_likes)
{
    for (int n = 0; n < 100000; n++) {
        const rl_pipe_coef k = coefficients();
        // On even ground of any slope; binary fractions, so that it is even to the last bit.
        const float slope = (float)(int)(64.0f * unit() - 32.0f) / 64.0f;
        const rl_pipe_sides beds = {slope, -slope, 0.0f, 0.0f};
        const float out = nasty();
        const rl_pipe_sides q = {unit() * out, out, -unit(), unit()};
        assert_true(rl_pipe_critical_limiter(0.0f, unit(), q, beds, k) == 1.0f);
    }
}

TEST(a_sill_and_a_brink_pass_critical_flow_and_a_steep_hill_passes_more)
{
    const rl_pipe_coef k = coefficients();
    const float most = critical_flow(1.0f), q = 3.0f * most;
    const rl_pipe_sides along = {q, q, 0.0f, 0.0f};
    const rl_pipe_sides sill = {-2.0f, 0.0f, 0.0f, 0.0f}, brink = {0.0f, -2.0f, 0.0f, 0.0f};
    const rl_pipe_sides hill = {1.0f, -1.5f, 0.0f, 0.0f}; // bends, but falls more
    assert_float_equal(q * rl_pipe_critical_limiter(0.0f, 1.0f, along, sill, k), most, 1e-4f * q);
    assert_float_equal(q * rl_pipe_critical_limiter(0.0f, 1.0f, along, brink, k), most, 1e-4f * q);
    assert_true(rl_pipe_critical_limiter(0.0f, 1.0f, along, hill, k) == 1.0f);
}

TEST(no_cell_that_is_limited_escapes_the_first_look)
{
    int limited = 0;
    for (int n = 0; n < 400000; n++) {
        const rl_pipe_coef k = coefficients();
        const float depth = nasty();
        float q[4], b[4];
        for (int side = 0; side < 4; side++) {
            q[side] = (unit() < 0.5f ? -1.0f : 1.0f) * nasty();
            b[side] = (unit() < 0.5f ? -1.0f : 1.0f) * nasty();
        }
        const rl_pipe_sides sides = {q[0], q[1], q[2], q[3]}, beds = {b[0], b[1], b[2], b[3]};
        const float limiter = rl_pipe_limiter(0.0f, depth, sides, beds, k);
        assert_true(limiter >= 0.0f && limiter <= 1.0f);
        const float leaving = rl_pipe_leaving(q[0], q[1], q[2], q[3], k);
        if (limiter < 1.0f) {
            assert_true(rl_pipe_may_be_limited(depth, leaving, k));
            limited++;
        }
    }
    assert_true(limited > 10000);
}

// ---- Worlds ----------------------------------------------------------------------------

enum { NX = 48, NY = 24 };

static float bed[NX * NY], depth[NX * NY];

// Two basins, west and east, with a gap of two cells in the wall between them.
static rill_world_def gate_def(float west, float east)
{
    rill_world_def def = grid_def(NX, NY, 0.5);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const bool wall = i == NX / 2 && (j < NY / 2 - 1 || j > NY / 2);
            bed[j * NX + i] = wall ? 5.0f : 0.0f;
            depth[j * NX + i] = wall ? 0.0f : i <= NX / 2 ? west : east;
        }
    set_ground(&def, bed, depth);
    return def;
}

static uint64_t hash_after(rill_world_def def, int limits, int frames)
{
    def.pipes.critical_flow = limits;
    SCOPED(rill_world) *world = make_world(&def);
    run_frames(world, frames);
    return rill_world_hash(world);
}

TEST(a_gate_onto_dry_ground_is_limited)
{
    const rill_world_def def = gate_def(1.0f, 0.0f);
    assert_true(hash_after(def, 1, 300) != hash_after(def, 0, 300));
}

TEST(a_drowned_gate_between_two_basins_is_not_limited)
{
    // A head of 2 % of the depth swings to and fro far below critical flow.
    const rill_world_def def = gate_def(1.02f, 1.0f);
    assert_true(hash_after(def, 1, 1200) == hash_after(def, 0, 1200));
}

TEST(a_dam_break_on_even_ground_is_not_limited)
{
    for (int wet = 0; wet < 2; wet++) {
        rill_world_def def = gate_def(1.0f, wet ? 0.1f : 0.0f);
        for (int j = 0; j < NY; j++) {
            bed[j * NX + NX / 2] = 0.0f;
            depth[j * NX + NX / 2] = 1.0f;
        }
        assert_true(hash_after(def, 1, 200) == hash_after(def, 0, 200));
    }
}

TEST(pipes_of_the_constant_area_are_not_limited)
{
    rill_world_def def = gate_def(1.0f, 0.0f);
    def.pipes.area = RILL_AREA_PAPER;
    assert_true(hash_after(def, 1, 300) == hash_after(def, 0, 300));
}
