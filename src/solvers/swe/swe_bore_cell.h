// SPDX-License-Identifier: MIT
// swe_bore_cell.h - the pressure that lets bores end without a train of waves, for one cell.
//
// A bore turns energy into heat. Upwinding alone takes out what moves with the water, |u|, and not
// what runs through it, c: bores overshoot then and drag a train of waves behind them, on every
// grid. Water that is compressed along an axis faster than its neighbours are therefore gets a
// pressure more (von Neumann and Richtmyer 1950), which keeps momentum and is nothing where the
// flow is smooth (Christensen 1990):
//
//     Q = d (C2 a + C1 sqrt(g d)) (a - smooth),   a = max(0, u_in - u_out),
//     smooth = a limited by 4 a_before, 4 a_after and 5/8 (a_before + a_after),
//
// where the first d is the least depth of the cell and of those beside it: a film that runs into a
// pool does not compress the pool, what falls into it does not either, and fronts on dry ground run
// free.
// Compressions below a part of the speed of waves are left alone. The constants were found with
// bores of 2 to 100 % of the depth (docs/swe.md).
#pragma once

#include "solvers/swe/swe_cell.h"

#define RL_SWE_BORE_SQUARE 0.5f // C2

// Compressions of a cell and of those beside it, m/s.
typedef struct rl_swe_compression {
    rl_real before, here, after;
} rl_swe_compression;

// From the velocities at the four faces along an axis.
RL_CELL rl_swe_compression rl_swe_compress(rl_real u_before, rl_real u_in, rl_real u_out,
                                           rl_real u_after)
{
    const rl_swe_compression a = {u_before - u_in, u_in - u_out, u_out - u_after};
    return a;
}

// Water is mirrored at faces that reflect.
RL_CELL rl_swe_compression rl_swe_mirror(rl_swe_compression a, rl_real u_in, rl_real u_out)
{
    const rl_swe_compression mirrored = {rl_select(rl_swe_reflects(u_in), a.here, a.before), a.here,
                                         rl_select(rl_swe_reflects(u_out), a.here, a.after)};
    return mirrored;
}

// The least depth of a cell and of those beside it, mirrored likewise, m; 0 where water falls into
// the cell from a ground above its level.
RL_CELL rl_real rl_swe_compressed_depth(rl_swe_end before, rl_swe_end here, rl_swe_end after,
                                        rl_real u_in, rl_real u_out)
{
    const rl_real none = rl_set(0.0f);
    const rl_real in = rl_select(rl_less(here.level, before.base), none, before.depth);
    const rl_real out = rl_select(rl_less(here.level, after.base), none, after.depth);
    return rl_min(here.depth, rl_min(rl_select(rl_swe_reflects(u_in), here.depth, in),
                                     rl_select(rl_swe_reflects(u_out), here.depth, out)));
}

// The part of a compression that is smooth, m/s; at least as much as makes no bore.
RL_CELL rl_real rl_swe_smooth(rl_swe_compression a, rl_swe_coef k)
{
    const rl_real steady = rl_set(4.0f) * rl_min(a.before, a.after);
    const rl_real even = rl_set(0.625f) * (a.before + a.after);
    return rl_max(rl_min(steady, even), rl_set(k.calm));
}

// Is there a bore? `smooth` is of the compression as it is: mirrors only make less of it.
RL_CELL rl_mask rl_swe_is_bore(rl_swe_compression a, rl_real smooth)
{
    return rl_less(smooth, a.here);
}

// C1 sqrt(g d) within 3.1 %, without a root.
RL_CELL rl_real rl_swe_bore_speed(rl_real depth, rl_swe_coef k)
{
    return rl_half_bits(depth, k.bore_speed);
}

// 2 dt / dx Q, m: what it takes from the face behind a cell it gives to the face before it, as
// what flows does (rl_swe_keep_momentum). `speed` is C1 sqrt(g d), `depth` the least of the three.
RL_CELL rl_real rl_swe_bore_pressure(rl_real a, rl_real smooth, rl_real speed, rl_real depth,
                                     rl_swe_coef k)
{
    const rl_real jump = rl_max(a - smooth, rl_set(0.0f));
    return (rl_set(2.0f * k.spread) * depth) * ((rl_set(RL_SWE_BORE_SQUARE) * a + speed) * jump);
}

// How the pressures of the cells beside a face push it: not at all where water falls free.
RL_CELL rl_real rl_swe_bore_push(rl_real push, rl_swe_fall fall)
{
    const rl_real none = rl_set(0.0f);
    return rl_select(fall.from_i, none, rl_select(fall.from_j, none, push));
}

// The velocity of a face after such a push, where momentum is not kept anyway.
RL_CELL rl_real rl_swe_push_by(rl_real u, rl_real push, rl_real depths)
{
    return u + rl_swe_ratio(push, rl_max(depths, rl_set(RL_PIPE_AT_REST)));
}
