// SPDX-License-Identifier: MIT
// pipe_cell.h - the arithmetic of virtual pipes for one face and for one column, shared by the
// `pipes` and the `layers` solvers. Row loops (pipes_rows.c, layers_rows.c) and device kernels call
// exactly these functions, so they cannot disagree.
//
// A face between cells i and j carries the discharge per unit width q [m^2/s], positive from i to
// j. The papers' flux is f = q dx. See docs/pipes.md for the derivation.
#pragma once

#include "core/cell.h"
#include "solvers/shared/column_cell.h"

// A face with less water than this above its sill is closed, metres. A thousandth of a micrometre
// holds no water anyone can see, and stops the endless halving of what is left at a drained shore,
// which would end in denormal numbers (a factor of fifteen in speed).
#define RL_PIPE_CLOSED 1e-9f

// A discharge below this is none, m^2/s, and a depth below it stays where it is, m: kills denormals
// in decaying waves and in cells that are emptied again and again.
#define RL_PIPE_AT_REST 1e-20f

// What leaves a cell is counted this much too high when it is limited. A few roundings: it keeps
// d - outflow >= 0 in floats, whatever the remainder (rl_pipe_fill) holds.
#define RL_PIPE_LIMITER (1.0f + 0x1p-20f)

// What slows the water besides friction.
enum { RL_PIPE_FREE, RL_PIPE_VISCOUS, RL_PIPE_DRAG, RL_PIPE_SLOWED_COUNT };

// Constants of one step, computed once on the host so that every back end rounds them alike.
typedef struct rl_pipe_coef {
    float keep;       // zeta = omega^dt: part of the flux that survives friction
    float push;       // dt g / dx, 1/s
    float spread;     // dt / dx, s/m
    float outflow;    // spread times RL_PIPE_LIMITER
    float area_cap;   // largest wetted height that drives flow, m (from dt: docs/pipes.md)
    float area_paper; // constant height of the paper's pipe, m: A = dx^2
    float cliff; // how far the head may exceed the upwind depth, m: 1.5 dx (the cap of Chentanez
                 // and Müller); 0: the interval of Kellomäki Eq. 1
    float head_floor;      // smallest head in the viscous ratio, m
    float viscous;         // walls dt nu, m^2, with one wall
    float viscous_flooded; // the same between floor and ceiling
    float drag;            // dt c, s
    float keep_here;       // theta zeta: with smoothing, what is kept of a face's own flux,
    float keep_side;       // (1 - theta) / 2 zeta: and of each of its two neighbours'
    float fill_rate;       // discharge that fills a metre of a cell in a step, 1/s; a hair less.
                           // Only where bodies block (pipes_blocked_cell.h)
    float critical; // square of critical flow from a metre of water, as depth in a step, 1/m; and
    float film;     // depth below which it grows no less, m (pipes_critical_cell.h)
    float roof;     // how far the head of an opening may exceed its interval, m: RL_FAR, or 0
} rl_pipe_coef;

// The most that `critical` may be; where it is more, flow is not limited to it.
#define RL_PIPE_MOST_CRITICAL 1e12f

// What friction leaves of a face's discharge.
RL_CELL rl_real rl_pipe_kept(rl_real q, rl_pipe_coef k)
{
    return rl_set(k.keep) * q;
}

// The same with flux smoothing along the flow (de Almeida et al. 2012), which damps the two-cell
// ripples that the wetted pipe makes.
RL_CELL rl_real rl_pipe_kept_smoothed(rl_real q, rl_real q_before, rl_real q_after, rl_pipe_coef k)
{
    return rl_set(k.keep_here) * q + rl_set(k.keep_side) * (q_before + q_after);
}

// A column as a face sees it, and what kind of face it is. The kinds are compile-time constants
// where the functions are called.
typedef struct rl_pipe_end {
    rl_real base, depth;
    rl_real top; // ceiling, metres
} rl_pipe_end;

// One that is open to the sky.
RL_CELL rl_pipe_end rl_pipe_open_end(rl_real base, rl_real depth)
{
    const rl_pipe_end end = {base, depth, rl_set(RL_FAR)};
    return end;
}

enum {
    RL_PIPE_PAPER = 1,     // the constant area of the papers, else the wetted one
    RL_PIPE_CEILINGS = 2,  // the columns may have ceilings
    RL_PIPE_SLOPED = 4,    // films are corrected for the slope of the ground
    RL_PIPE_APERTURE = 8,  // the face is one of several openings between two cells
    RL_PIPE_CRITICAL = 16, // of kernels: cells may give critical flow (pipes_critical_cell.h)
};

// What rl_pipe_flow_between needs to know besides the two columns.
typedef struct rl_pipe_face {
    rl_real level_i, level_j; // surface on both sides, metres
    rl_real cosine2;          // squared cosine of the slope; 1 on level ground
    rl_real part;             // of what is open between the cells, 0 to 1
} rl_pipe_face;

// Where the higher water touches the air of an opening that ends at `high`, Kellomäki Eq. 6. The
// head has its sign (erratum 2 to Kellomäki): the lower water touches none of the other's.
RL_CELL rl_real rl_pipe_below_ceiling(rl_pipe_end i, rl_pipe_end j, rl_pipe_face face, rl_real high)
{
    const rl_real ground = rl_select(rl_less(face.level_j, face.level_i), i.base, j.base);
    const rl_real bottom = rl_max(ground, rl_min(face.level_i, face.level_j));
    return rl_max(high - bottom, rl_set(0.0f));
}

// New discharge of a face from what is kept of the old one: push of the head, then viscosity
// (Dagenais Eqs. 1 and 5).
//
// The wetted height at the face is a blend (docs/papers.md, erratum 3 to Dagenais):
//     Hm = max(h_i, h_j) - max(b_i, b_j),   Ha = (d_i + d_j) / 2,
//     H  = w Hm + (1 - w) Ha with w = min(1, |b_i - b_j| / |h_i - h_j|) where Ha < Hm, else Hm.
// Only H * head and H itself in the viscous ratio are needed, and
//     H * head = min(Ha, Hm) head + max(Hm - Ha, 0) min(head, |b_i - b_j|)
// needs no division. Under ceilings Hm ends at the lower one, so that several pipes between two
// cells divide the section (erratum 11), and a face that is flooded up to it has two walls
// (erratum 8).
//
// `cosine2` is the squared cosine of the slope of the ground at the face: it turns the upright
// depth into the thickness of a film and the level head into that along the slope (docs/layers.md).
//
// `kind` is a sum of RL_PIPE_ constants, `slowed` says which of viscosity and drag count. An
// aperture has its part of the limits of the height that drives the flow.
RL_CELL rl_real rl_pipe_flow_between(rl_real kept, rl_pipe_end i, rl_pipe_end j, rl_pipe_face face,
                                     rl_pipe_coef k, int kind, int slowed)
{
    const rl_real h_i = face.level_i, h_j = face.level_j, cosine2 = face.cosine2;
    const rl_real drop = h_i - h_j, step = rl_abs(i.base - j.base);
    const rl_real sill = rl_max(i.base, j.base);
    rl_real high = rl_max(h_i, h_j), ceiling = high;
    if (kind & RL_PIPE_CEILINGS) {
        ceiling = rl_min(i.top, j.top);
        high = rl_min(high, ceiling);
    }
    // Negative where the higher water does not reach the sill; the face is closed then.
    const rl_real over = high - sill;
    const rl_real low = rl_min(rl_set(0.5f) * (i.depth + j.depth), over);
    const rl_real rest = over - low;

    // The head over a cliff is limited by what stands above it (erratum 12 to Dagenais).
    const rl_real upwind = rl_select(rl_less(rl_set(0.0f), drop), i.depth, j.depth);
    // With a cliff of 0 it is H - max(h, H_n), the interval of Kellomäki Eq. 1 with the sign of
    // erratum 1.
    rl_real head = rl_min(rl_abs(drop), upwind + rl_set(k.cliff));
    if ((kind & RL_PIPE_CEILINGS) && (kind & RL_PIPE_APERTURE))
        head = rl_min(head, rl_pipe_below_ceiling(i, j, face, high) + rl_set(k.roof));

    // H times a head that is kept away from zero where it becomes a divisor.
    rl_real y = head;
    if (slowed != RL_PIPE_FREE)
        y = rl_max(head, rl_set(k.head_floor));
    const rl_real height_head = low * y + rest * rl_min(y, step);
    // H is never more than `over`; taking that bound keeps a head of nothing from pushing.
    rl_real area = rl_set(kind & RL_PIPE_PAPER ? k.area_paper : k.area_cap);
    if (kind & RL_PIPE_APERTURE)
        area = area * face.part;
    rl_real area_head = area * head;
    if (!(kind & RL_PIPE_PAPER))
        area_head = rl_min(height_head, rl_min(over, area) * head);
    rl_real push = rl_set(k.push);
    if (kind & RL_PIPE_SLOPED)
        push = push * cosine2;
    rl_real flow = kept + rl_with_sign(push * area_head, drop);
    if (slowed != RL_PIPE_FREE) {
        rl_real slowing = rl_set(k.viscous);
        if (kind & RL_PIPE_CEILINGS)
            slowing = rl_select(rl_less(high, ceiling), slowing, rl_set(k.viscous_flooded));
        if (slowed == RL_PIPE_DRAG)
            slowing = slowing + rl_set(k.drag) * rl_abs(kept);
        // H cos in place of H is the same as slowing / cos^2 in place of slowing.
        if (kind & RL_PIPE_SLOPED)
            slowing = slowing / cosine2;
        flow = flow * rl_viscous_factor(height_head, y, slowing);
    }
    const rl_mask open = rl_less(rl_set(RL_PIPE_CLOSED), over);
    return rl_keep(rl_both(open, rl_less(rl_set(RL_PIPE_AT_REST), rl_abs(flow))), flow);
}

// The same between two columns with a free surface, and nothing between the cells but this face.
RL_CELL rl_real rl_pipe_flow(rl_real kept, rl_pipe_end i, rl_pipe_end j, rl_real cosine2,
                             rl_pipe_coef k, int kind, int slowed)
{
    // One level a cell and not (b_i - b_j) + (d_i - d_j): that has a finer grain far above the sea,
    // but its rounding differs from face to face, so it would drive currents round in circles.
    const rl_pipe_face face = {i.base + i.depth, j.base + j.depth, cosine2, rl_set(1.0f)};
    return rl_pipe_flow_between(kept, i, j, face, k, kind, slowed);
}

// Depth that a cell's four faces would take in one step, before limiting, metres.
RL_CELL rl_real rl_pipe_leaving(rl_real q_west, rl_real q_east, rl_real q_south, rl_real q_north,
                                rl_pipe_coef k)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real x = rl_max(q_east, zero) - rl_min(q_west, zero);
    const rl_real y = rl_max(q_north, zero) - rl_min(q_south, zero);
    return rl_set(k.outflow) * (x + y);
}

// Does the cell hold less than what is to leave it?
RL_CELL rl_mask rl_pipe_overdrawn(rl_real depth, rl_real leaving)
{
    return rl_less(depth, leaving);
}

// Outflow limiter of a cell: Kellomäki Eq. 2 with its units mended (erratum 3).
RL_CELL rl_real rl_pipe_outflow_limiter(rl_real depth, rl_real leaving)
{
    const rl_real part = depth / rl_max(leaving, rl_set(RL_PIPE_AT_REST));
    const rl_real limiter = rl_keep(rl_less(rl_set(RL_PIPE_AT_REST), depth), part);
    return rl_select(rl_pipe_overdrawn(depth, leaving), limiter, rl_set(1.0f));
}

// A discharge scaled by the outflow limiter of the cell it leaves: i when positive, else j.
RL_CELL rl_real rl_pipe_limit(rl_real q, rl_real limiter_i, rl_real limiter_j)
{
    return q * rl_select(rl_less(q, rl_set(0.0f)), limiter_j, limiter_i);
}

// Depth that flows into a column in one step, counted a hair too high, metres. What leaves is not
// set off against it (erratum 13 to Dagenais).
RL_CELL rl_real rl_pipe_arriving(rl_real q_west, rl_real q_east, rl_real q_south, rl_real q_north,
                                 rl_pipe_coef k)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real x = rl_max(q_west, zero) - rl_min(q_east, zero);
    const rl_real y = rl_max(q_south, zero) - rl_min(q_north, zero);
    return rl_set(k.outflow) * (x + y);
}

// Inflow limiter of a column, from its free volume below its ceiling, metres.
RL_CELL rl_real rl_pipe_inflow_limiter(rl_real capacity, rl_real arriving)
{
    return rl_pipe_outflow_limiter(rl_max(capacity, rl_set(0.0f)), arriving);
}

// A discharge scaled by the inflow limiter of the column it enters: j when positive, else i.
RL_CELL rl_real rl_pipe_limit_inflow(rl_real q, rl_real limiter_i, rl_real limiter_j)
{
    return q * rl_select(rl_less(q, rl_set(0.0f)), limiter_i, limiter_j);
}

// New depth of a cell, Dagenais Eq. 2, Kellomäki Eq. 3. What a float cannot hold stays in
// `remainder` and comes back with the next step: a trickle of a nanometre into a metre of water is
// not lost.
RL_CELL rl_real rl_pipe_fill(rl_real depth, rl_real *remainder, rl_real q_west, rl_real q_east,
                             rl_real q_south, rl_real q_north, rl_pipe_coef k)
{
    const rl_real net = (q_west - q_east) + (q_south - q_north);
    const rl_real change = rl_set(k.spread) * net + *remainder;
    const rl_real filled = depth + change;
    *remainder = change - (filled - depth);
    return filled;
}
