// SPDX-License-Identifier: MIT
// The arithmetic of faces and cells beside hanging bodies, one number at a time.
#include "solvers/pipes/pipes_blocked_cell.h"
#include "solvers/shared/blocks.h"
#include "tests/kit/kit.h"
#include "tests/solvers/pipe_values.h"

// However much wants in, and however the roundings fall: water never gets into a body from below.
TEST(below_a_body_a_cell_never_gets_more_than_there_is_room)
{
    int filled = 0;
    for (int n = 0; n < 400000; n++) {
        const rl_pipe_coef k = coefficients();
        const float floor = 20.0f * unit() - 10.0f;
        const rl_pipe_cell c = {floor, 0.0f, floor + (unit() < 0.3f ? 0.01f : 3.0f) * unit(),
                                20.0f};
        const float room = c.lower - c.floor;
        rl_pipe_cell now = c;
        now.depth = unit() < 0.5f ? room * unit() : room - room * 1e-6f * unit();
        if (!(c.lower > c.floor) || now.depth > room)
            continue;
        // A remainder is what a sum of floats could not hold.
        float left = 0.4999f * (nextafterf(now.depth, 0.0f) - now.depth) * (2.0f * unit() - 1.0f);
        float q[4];
        for (int face = 0; face < 4; face++)
            q[face] = (unit() < 0.8f ? 1.0f : -1.0f) * (unit() < 0.5f ? unit() : nasty());
        const float arriving = rl_pipe_arriving(q[0], -q[1], q[2], -q[3], k);
        const float share = rl_pipe_inflow_limiters(now, arriving).below;
        for (int face = 0; face < 4; face++)
            q[face] = q[face] > 0.0f ? q[face] * share : 0.0f;
        const float depth = rl_pipe_fill(now.depth, &left, q[0], -q[1], q[2], -q[3], k);
        assert_true(depth <= room);
        filled += share < 1.0f && depth > room * 0.9999f;
    }
    assert_true(filled > 10000); // and where more wants in, the room is filled
}

TEST(above_a_body_no_face_takes_more_than_stands_there)
{
    int limited = 0;
    for (int n = 0; n < 200000; n++) {
        const rl_pipe_coef k = coefficients();
        const rl_pipe_cell i = {0.0f, 1.0f + (unit() < 0.5f ? nasty() : unit()), 1.0f, 2.0f};
        const rl_pipe_cell j = {unit(), nasty(), RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
        const rl_pipe_blocked_face face = rl_pipe_face_between(i, j, k);
        const float out = rl_pipe_flow_above(nasty(), face, k, 0, RL_PIPE_FREE);
        assert_true(out * k.spread <= i.depth - 1.0f);
        limited += out > 0.0f && out == face.a.outflow;
    }
    assert_true(limited > 1000);
}

// The short way to a face without anything above bodies is the same as the long one.
TEST(a_face_with_nothing_above_need_not_be_divided)
{
    int beneath = 0, divided = 0;
    for (int n = 0; n < 400000; n++) {
        const rl_pipe_coef k = coefficients();
        const int kind = n % 2 == 0 ? RL_PIPE_PAPER : 0, slowed = n / 2 % RL_PIPE_SLOWED_COUNT;
        rl_pipe_cell c[2];
        for (int side = 0; side < 2; side++) {
            c[side] = (rl_pipe_cell){4.0f * unit(), nasty(), RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
            if (side == 1 && unit() < 0.5f)
                continue;
            c[side].lower =
                c[side].floor + (unit() < 0.5f ? c[side].depth : 2.0f * nasty()) + 1e-6f * unit();
            c[side].upper = c[side].lower + 3.0f * unit();
        }
        const float kept = (unit() < 0.5f ? -1.0f : 1.0f) * nasty();
        const rl_pipe_blocked_face face = rl_pipe_face_between(c[0], c[1], k);
        const bool over = face.heights.above > 0.0f || face.a.flooded || face.b.flooded;
        assert_int_equal(rl_pipe_over(c[0], c[1]) > 0.0f, over);
        divided += over;
        beneath += !over;
        if (over)
            continue;
        const float want = rl_pipe_flow_below(kept, face, k, kind, slowed);
        const float got = rl_pipe_flow_beneath(kept, c[0], c[1], k, kind, slowed);
        assert_memory_equal(&want, &got, sizeof want);
        assert_true(rl_pipe_flow_above(kept, face, k, kind, slowed) == 0.0f);
    }
    assert_true(beneath > 10000 && divided > 10000);
}
