// SPDX-License-Identifier: MIT
// pipes_critical_cell.h - critical flow: how much a cell of the `pipes` solver may send through a
// face. Row loops and device kernels call exactly these functions.
//
// Virtual pipes have no advection of momentum. Water that runs together before a gate stays level
// up to it, and nothing keeps what leaves from growing: a reservoir empties several times too fast.
// The level of real water falls as it gets faster, so that a column of depth H gives at most
// critical flow, q^2 = g (2/3 H)^3. Where a cell is to give more, the outflow limiter takes from
// the q^2 of a face
//
//     4 (q aside + 2 g d^2 (rise - fall)),
//
// but leaves it critical flow:
//
//     aside   what enters the cell from the sides, on the whole: it has no momentum along the face;
//     rise    how far the bed of the cell stands out above its neighbours' on a line: a sill, a
//             brink;
//     fall    how far the bed falls on both sides of the cell, which makes the water faster.
//
// Nothing is taken from flow that does not run together, whatever its speed, where the ground is
// even or falls more than it bends: from a film, rain on a hill, the fan and the front of a dam
// break on level ground.
#pragma once

#include "solvers/pipe_cell.h"

// The weight of what is taken. It must outweigh what pushes a face in a step, and that only in the
// cell where water runs together: 1 is enough for gaps, smooth sills of many cells want 4.
#define RL_PIPE_CRITICAL_WEIGHT 4.0f

// 2 g over g (2/3)^3.
#define RL_PIPE_CRITICAL_METRE 6.75f

// Least of what is squared, metres: keeps denormal numbers away.
#define RL_PIPE_LEAST_LEAVING 1e-15f

// A number for each side of a cell: discharges of its faces, or beds of its neighbours.
typedef struct rl_pipe_sides {
    rl_real west, east, south, north;
} rl_pipe_sides;

RL_CELL int rl_pipe_is_critical(rl_pipe_coef k)
{
    return k.critical <= RL_PIPE_MOST_CRITICAL;
}

// The square of critical flow from a cell, as depth in a step: films count as deeper than they are.
RL_CELL rl_real rl_pipe_critical_squared(rl_real depth, rl_pipe_coef k)
{
    const rl_real d = rl_max(depth, rl_set(k.film));
    return (rl_set(k.critical) * d) * (d * d);
}

// May more than critical flow leave through some face, when all that leaves is `leaving`?
RL_CELL rl_mask rl_pipe_may_exceed_critical(rl_real depth, rl_real leaving, rl_pipe_coef k)
{
    const rl_real most = rl_max(leaving, rl_set(RL_PIPE_LEAST_LEAVING));
    return rl_less(rl_pipe_critical_squared(depth, k), most * most);
}

// May the outflow of a cell have to be limited, when all that leaves is `leaving`?
RL_CELL rl_mask rl_pipe_may_be_limited(rl_real depth, rl_real leaving, rl_pipe_coef k)
{
    return rl_either(rl_pipe_overdrawn(depth, leaving),
                     rl_pipe_may_exceed_critical(depth, leaving, k));
}

// What crosses a cell from one neighbour to the opposite one.
typedef struct rl_pipe_line {
    rl_real out;   // the larger discharge that leaves at its ends, m^2/s
    rl_real net;   // discharge that enters at its ends, less what leaves, m^2/s
    rl_real stand; // rise less fall of the bed, m
} rl_pipe_line;

// The bed falls by `before` from the first neighbour to the cell and by `after` on to the second.
// It counts as a fall both ways: water that runs up an even slope does not run together.
RL_CELL rl_pipe_line rl_pipe_line_of(rl_real q_before, rl_real q_after, rl_real before,
                                     rl_real after)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real fall = rl_max(rl_min(before, after), zero - rl_max(before, after));
    const rl_real rise = rl_max(after - before, zero);
    return (rl_pipe_line){rl_max(q_after, zero - q_before), q_before - q_after,
                          rise - rl_max(fall, zero)};
}

// Outflow limiter of a cell for critical flow: that of the face through which most leaves. `beds`
// are those of its neighbours.
RL_CELL rl_real rl_pipe_critical_limiter(rl_real bed, rl_real depth, rl_pipe_sides q,
                                         rl_pipe_sides beds, rl_pipe_coef k)
{
    const rl_real zero = rl_set(0.0f), d = rl_max(depth, rl_set(k.film));
    const rl_pipe_line x = rl_pipe_line_of(q.west, q.east, beds.west - bed, bed - beds.east);
    const rl_pipe_line y = rl_pipe_line_of(q.south, q.north, beds.south - bed, bed - beds.north);
    const rl_mask along_x = rl_less(y.out, x.out);
    const rl_real out = rl_set(k.outflow) * rl_max(rl_max(x.out, y.out), zero);
    const rl_real aside = rl_set(k.outflow) * rl_max(rl_select(along_x, y.net, x.net), zero);
    const rl_real metre = (rl_set(RL_PIPE_CRITICAL_METRE * k.critical) * d) * d;
    const rl_real lost = rl_max(out * aside + metre * rl_select(along_x, x.stand, y.stand), zero);
    const rl_real squared = out * out;
    const rl_real allowed = rl_max(rl_pipe_critical_squared(depth, k),
                                   squared - rl_set(RL_PIPE_CRITICAL_WEIGHT) * lost);
    return rl_sqrt(allowed / rl_max(squared, allowed));
}

// Outflow limiter of a cell: for its water and for critical flow.
RL_CELL rl_real rl_pipe_limiter(rl_real bed, rl_real depth, rl_pipe_sides q, rl_pipe_sides beds,
                                rl_pipe_coef k)
{
    const rl_real leaving = rl_pipe_leaving(q.west, q.east, q.south, q.north, k);
    return rl_min(rl_pipe_outflow_limiter(depth, leaving),
                  rl_pipe_critical_limiter(bed, depth, q, beds, k));
}
