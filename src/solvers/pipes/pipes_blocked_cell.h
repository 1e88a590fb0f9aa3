// SPDX-License-Identifier: MIT
// pipes_blocked_cell.h - the arithmetic of a face beside a cell over which a body hangs (Kellomäki
// section 4.3). Such a face has two openings, below the bodies and above them. Each is a pipe of
// its own; the one discharge that is stored is their sum.
//
// What 003 leaves open or gets wrong, and what is done instead:
//
// - Under water that stands above a body the pressure is that of its surface. A body which presses
//   the water down hides it: one depth cannot tell. Such a cell lets out what would leave it with a
//   surface at the body's lower side, and lets nothing in. So levels jump where the first film of
//   water covers a body, but what leaves below it in a step must not: it is at most what stands
//   above (`pressure`).
// - What enters the air below a body is at most as much as there is air: not a quarter of it for
//   each of four faces, but of all that wants to come in the same part (`limit_inflow`), rounded
//   down, so that no rounding ever lifts water above the body.
// - Water never goes from above a body to the air below one (erratum 10 to Kellomäki): what comes
// to
//   its upper side is let in where there is none, or where what comes below fills it.
#pragma once

#include "solvers/pipe_cell.h"
#include "solvers/shared/column_cell.h"

// Air below a body that is less than this part of its capacity, or less than RL_PIPE_CLOSED, is
// none. Sixteen micrometres in a metre.
#define RL_PIPE_FULL_CAPACITY 0x1p-16f

// A cell as it is stored.
typedef struct rl_pipe_cell {
    rl_real floor, depth, lower, upper;
} rl_pipe_cell;

// The same, divided by what hangs in it. A cell over which nothing hangs takes part in both
// openings with all it has.
typedef struct rl_pipe_divided {
    rl_mask flooded;     // water stands above the body
    rl_real level;       // Kellomäki Eq. 5
    rl_real depth;       // of the water whose pressure is felt below: level - floor
    rl_real deck, above; // ground of the upper opening and the water on it
    rl_real outflow;     // largest discharge out of that, m^2/s
} rl_pipe_divided;

RL_CELL rl_mask rl_pipe_is_hung(rl_real lower)
{
    return rl_less(lower, rl_set(RL_BLOCK_NO_LOWER));
}

RL_CELL rl_pipe_divided rl_pipe_divide(rl_pipe_cell c, rl_pipe_coef k)
{
    const rl_mask hangs = rl_pipe_is_hung(c.lower);
    const rl_real capacity = c.lower - c.floor;
    const rl_real covered = rl_max(c.depth - capacity, rl_set(0.0f));
    rl_pipe_divided d;
    d.flooded = rl_less(capacity, c.depth);
    d.level = rl_select(d.flooded, c.upper + covered, c.floor + c.depth);
    d.depth = rl_select(d.flooded, d.level - c.floor, c.depth);
    d.deck = rl_select(hangs, c.upper, c.floor);
    d.above = rl_select(hangs, covered, c.depth);
    d.outflow = rl_select(hangs, rl_set(k.fill_rate) * covered, rl_set(RL_FAR));
    return d;
}

// Level that pushes below a body. A face takes at most 0.4 of the drop in a step (von Neumann's
// condition, solvers/shared/pipe_rules_inline.h), four of them 1.6; half of what stands above the
// body is therefore the most by which the level may exceed that of the other side.
RL_CELL rl_real rl_pipe_pressure(rl_pipe_divided here, rl_real lower, rl_pipe_divided there)
{
    const rl_real most = rl_max(lower, there.level) + rl_set(0.5f) * here.above;
    return rl_select(here.flooded, rl_min(here.level, most), here.level);
}

// Clears what is not positive.
RL_CELL rl_real rl_pipe_positive(rl_real a)
{
    return rl_max(a, rl_set(0.0f));
}

// Heights of the water in the two openings between i and j, metres.
typedef struct rl_pipe_heights {
    rl_real below, above;
} rl_pipe_heights;

RL_CELL rl_pipe_heights rl_pipe_heights_between(rl_pipe_cell i, rl_pipe_divided a, rl_real level_i,
                                                rl_pipe_cell j, rl_pipe_divided b, rl_real level_j)
{
    const rl_real sill = rl_max(i.floor, j.floor), lowest = rl_min(i.lower, j.lower);
    const rl_real top = rl_max(a.deck + a.above, b.deck + b.above);
    return (rl_pipe_heights){
        rl_pipe_positive(rl_min(rl_max(level_i, level_j), lowest) - sill),
        rl_pipe_positive(top - rl_max(a.deck, b.deck)),
    };
}

// All the water that stands in the face between two cells, metres; also where nothing hangs.
RL_CELL rl_real rl_pipe_in_face(rl_pipe_cell i, rl_pipe_divided a, rl_pipe_cell j,
                                rl_pipe_divided b)
{
    const rl_pipe_heights h = rl_pipe_heights_between(i, a, a.level, j, b, b.level);
    const rl_mask hangs = rl_pipe_is_hung(rl_min(i.lower, j.lower));
    return rl_select(hangs, h.below + h.above, h.below);
}

// A face at least one of whose cells has something hanging in it, and its openings.
typedef struct rl_pipe_blocked_face {
    rl_pipe_cell i, j;
    rl_pipe_divided a, b;     // those cells, divided
    rl_real level_a, level_b; // that push below
    rl_pipe_heights heights;
    rl_real upper_part; // of the upper opening in both, 0 to 1
    rl_real whole;      // height of the face if nothing hung there
} rl_pipe_blocked_face;

RL_CELL rl_pipe_blocked_face rl_pipe_face_between(rl_pipe_cell i, rl_pipe_cell j, rl_pipe_coef k)
{
    rl_pipe_blocked_face f;
    f.i = i;
    f.j = j;
    f.a = rl_pipe_divide(i, k);
    f.b = rl_pipe_divide(j, k);
    f.level_a = rl_pipe_pressure(f.a, i.lower, f.b);
    f.level_b = rl_pipe_pressure(f.b, j.lower, f.a);
    f.heights = rl_pipe_heights_between(i, f.a, f.level_a, j, f.b, f.level_b);
    const rl_real both = f.heights.below + f.heights.above, least = rl_set(RL_PIPE_CLOSED);
    f.upper_part = f.heights.above / rl_max(both, least);
    f.whole = rl_max(rl_max(f.a.level, f.b.level) - rl_max(i.floor, j.floor), least);
    return f;
}

// Part of the largest area that is an opening's: by its height in the whole face for the constant
// area of the papers, and by its part of what is open else, which needs no other division.
RL_CELL rl_real rl_pipe_part(rl_real height, rl_real part, rl_pipe_blocked_face f, int kind)
{
    if (kind & RL_PIPE_PAPER)
        return height / f.whole;
    return part;
}

// New discharge of the lower opening. `kept`, of the face, is divided by the wetted heights.
RL_CELL rl_real rl_pipe_flow_below(rl_real kept, rl_pipe_blocked_face f, rl_pipe_coef k, int kind,
                                   int slowed)
{
    const rl_real part = rl_set(1.0f) - f.upper_part;
    const rl_pipe_end i = {f.i.floor, f.a.depth, f.i.lower}, j = {f.j.floor, f.b.depth, f.j.lower};
    const rl_pipe_face face = {f.level_a, f.level_b, rl_set(1.0f),
                               rl_pipe_part(f.heights.below, part, f, kind)};
    return rl_pipe_flow_between(kept * part, i, j, face, k,
                                kind | RL_PIPE_CEILINGS | RL_PIPE_APERTURE, slowed);
}

// And of the upper one: no more than a cell has above its body.
RL_CELL rl_real rl_pipe_flow_above(rl_real kept, rl_pipe_blocked_face f, rl_pipe_coef k, int kind,
                                   int slowed)
{
    const rl_real part = f.upper_part;
    const rl_real top_a = f.a.deck + f.a.above, top_b = f.b.deck + f.b.above;
    const rl_pipe_end i = {f.a.deck, f.a.above, top_a}, j = {f.b.deck, f.b.above, top_b};
    const rl_pipe_face face = {top_a, top_b, rl_set(1.0f),
                               rl_pipe_part(f.heights.above, part, f, kind)};
    const rl_real q =
        rl_pipe_flow_between(kept * part, i, j, face, k, kind | RL_PIPE_APERTURE, slowed);
    return rl_max(rl_min(q, f.a.outflow), rl_set(0.0f) - f.b.outflow);
}

// How far water stands above what hangs in one of two cells, or could come over it from the other
// one, metres. Only where that is positive must cells be divided.
RL_CELL rl_real rl_pipe_over(rl_pipe_cell i, rl_pipe_cell j)
{
    const rl_mask hangs_i = rl_pipe_is_hung(i.lower), hangs_j = rl_pipe_is_hung(j.lower);
    const rl_real above_i = i.depth - (i.lower - i.floor), above_j = j.depth - (j.lower - j.floor);
    const rl_real top_i = rl_select(hangs_i, i.upper, i.floor + i.depth);
    const rl_real top_j = rl_select(hangs_j, j.upper, j.floor + j.depth);
    const rl_real deck_i = rl_select(hangs_i, i.upper, i.floor);
    const rl_real deck_j = rl_select(hangs_j, j.upper, j.floor);
    const rl_real over = rl_max(top_i, top_j) - rl_max(deck_i, deck_j);
    return rl_max(over, rl_max(above_i, above_j));
}

// New discharge of such a face where nothing is above: what rl_pipe_flow_below makes of it then.
RL_CELL rl_real rl_pipe_flow_beneath(rl_real kept, rl_pipe_cell i, rl_pipe_cell j, rl_pipe_coef k,
                                     int kind, int slowed)
{
    const rl_real one = rl_set(1.0f), level_i = i.floor + i.depth, level_j = j.floor + j.depth;
    const rl_pipe_end end_i = {i.floor, i.depth, i.lower}, end_j = {j.floor, j.depth, j.lower};
    rl_pipe_face face = {level_i, level_j, one, one};
    if (kind & RL_PIPE_PAPER) {
        const rl_real high = rl_max(level_i, level_j), sill = rl_max(i.floor, j.floor);
        const rl_real height = rl_pipe_positive(rl_min(high, rl_min(i.lower, j.lower)) - sill);
        face.part = height / rl_max(high - sill, rl_set(RL_PIPE_CLOSED));
    }
    return rl_pipe_flow_between(kept, end_i, end_j, face, k,
                                kind | RL_PIPE_CEILINGS | RL_PIPE_APERTURE, slowed);
}

// What a cell lets in: the part of what comes below its body, and 1 or 0 for what comes above it.
typedef struct rl_pipe_inflow_limits {
    rl_real below, above;
} rl_pipe_inflow_limits;

// `arriving` is the depth that wants to come in below (rl_pipe_arriving).
RL_CELL rl_pipe_inflow_limits rl_pipe_inflow_limiters(rl_pipe_cell c, rl_real arriving)
{
    const rl_real one = rl_set(1.0f), capacity = c.lower - c.floor, air = capacity - c.depth;
    const rl_mask hangs = rl_pipe_is_hung(c.lower), flooded = rl_less(capacity, c.depth);
    const rl_real limiter = rl_pipe_inflow_limiter(air, arriving);
    const rl_mask full =
        rl_less(air, rl_max(rl_set(RL_PIPE_FULL_CAPACITY) * capacity, rl_set(RL_PIPE_CLOSED)));
    const rl_real above = rl_select(rl_less(limiter, one), one, rl_keep(full, one));
    return (rl_pipe_inflow_limits){rl_select(hangs, rl_select(flooded, one, limiter), one),
                                   rl_select(hangs, above, one)};
}

typedef struct rl_pipe_openings {
    rl_real below, both; // discharge of the lower opening, and of the two together, m^2/s
} rl_pipe_openings;

// The part of a discharge that its target lets in: j when positive, else i.
RL_CELL rl_real rl_pipe_inflow_limited(rl_pipe_openings q, rl_pipe_inflow_limits i,
                                       rl_pipe_inflow_limits j)
{
    const rl_real zero = rl_set(0.0f), over = q.both - q.below;
    return q.below * rl_select(rl_less(q.below, zero), i.below, j.below) +
           over * rl_select(rl_less(over, zero), i.above, j.above);
}
