// SPDX-License-Identifier: MIT
// pipes_cell.h - the arithmetic of the pipes water for one face and for one cell. Row loops
// (pipes_rows.c) and device kernels call exactly these functions, so they cannot disagree.
//
// A face between cells i and j carries the discharge per unit width q [m^2/s], positive from i to
// j. The papers' flux is f = q dx. See docs/pipes.md for the derivation.
#pragma once

#include "core/cell.h"
#include "solvers/viscosity_cell.h"

// A face with less water than this above its sill is closed, metres. A thousandth of a micrometre
// holds no water anyone can see, and stops the endless halving of what is left at a drained shore,
// which would end in denormal numbers (a factor of fifteen in speed).
#define RL_PIPES_CLOSED 1e-9f

// A discharge below this is none, m^2/s, and a depth below it stays where it is, m: kills denormals
// in decaying waves and in cells that are emptied again and again.
#define RL_PIPES_STILL 1e-20f

// What leaves a cell is counted this much too high when it is limited. A few roundings: it keeps
// d - outflow >= 0 in floats, whatever the remainder (rl_pipes_fill) holds.
#define RL_PIPES_CLAIM (1.0f + 0x1p-20f)

// What slows the water besides friction.
enum { RL_PIPES_FREE, RL_PIPES_VISCOUS, RL_PIPES_DRAG, RL_PIPES_SLOWED_COUNT };

// Constants of one step, computed once on the host so that every back end rounds them alike.
typedef struct rl_pipes_coef {
    float keep;       // zeta = omega^dt: part of the flux that survives friction
    float push;       // dt g / dx, 1/s
    float spread;     // dt / dx, s/m
    float claim;      // spread times RL_PIPES_CLAIM
    float area_cap;   // largest wetted height that drives flow, m (from dt: docs/pipes.md)
    float area_paper; // constant height of the paper's pipe, m: A = dx^2
    float cliff;      // how far the head may exceed the upwind depth, m: 1.5 dx (002's cap)
    float head_floor; // smallest head in the viscous ratio, m
    float viscous;    // walls dt nu, m^2
    float drag;       // dt c, s
    float keep_here;  // theta zeta: with smoothing, what is kept of a face's own flux,
    float keep_side;  // (1 - theta) / 2 zeta: and of each of its two neighbours'
} rl_pipes_coef;

// What friction leaves of a face's discharge.
RL_CELL rl_real rl_pipes_kept(rl_real q, rl_pipes_coef k)
{
    return rl_set(k.keep) * q;
}

// The same with flux smoothing along the flow (de Almeida et al. 2012), which damps the two-cell
// ripples that the wetted pipe makes.
RL_CELL rl_real rl_pipes_kept_smoothed(rl_real q, rl_real q_before, rl_real q_after,
                                       rl_pipes_coef k)
{
    return rl_set(k.keep_here) * q + rl_set(k.keep_side) * (q_before + q_after);
}

// New discharge of a face from what is kept of the old one: push of the head, then viscosity (000
// Eqs. 1 and 5).
//
// The wetted height at the face is a blend (docs/papers.md, 000.3):
//     Hm = max(h_i, h_j) - max(b_i, b_j),   Ha = (d_i + d_j) / 2,
//     H  = w Hm + (1 - w) Ha with w = min(1, |b_i - b_j| / |h_i - h_j|) where Ha < Hm, else Hm.
// Only H * head and H itself in the viscous ratio are needed, and
//     H * head = min(Ha, Hm) head + max(Hm - Ha, 0) min(head, |b_i - b_j|)
// needs no division.
//
// `paper` takes the constant area of the papers, `slowed` says which of viscosity and drag count;
// both are compile-time constants where this is called.
RL_CELL rl_real rl_pipes_flow(rl_real kept, rl_real b_i, rl_real d_i, rl_real b_j, rl_real d_j,
                              rl_pipes_coef k, int paper, int slowed)
{
    // One level a cell and not (b_i - b_j) + (d_i - d_j): that has a finer grain far above the sea,
    // but its rounding differs from face to face, so it would drive currents round in circles.
    const rl_real h_i = b_i + d_i, h_j = b_j + d_j;
    const rl_real drop = h_i - h_j, step = rl_abs(b_i - b_j);
    // Negative where the higher water does not reach the sill; the face is closed then.
    const rl_real over = rl_max(h_i, h_j) - rl_max(b_i, b_j);
    const rl_real low = rl_min(rl_set(0.5f) * (d_i + d_j), over);
    const rl_real rest = over - low;

    // The head over a cliff is limited by what stands above it (docs/papers.md, 000.12).
    const rl_real upwind = rl_select(rl_less(rl_set(0.0f), drop), d_i, d_j);
    const rl_real head = rl_min(rl_abs(drop), upwind + rl_set(k.cliff));

    // H times a head that is kept away from zero where it becomes a divisor.
    rl_real y = head;
    if (slowed != RL_PIPES_FREE)
        y = rl_max(head, rl_set(k.head_floor));
    const rl_real height_head = low * y + rest * rl_min(y, step);
    // H is never more than `over`; taking that bound keeps a head of nothing from pushing.
    rl_real area_head = rl_set(k.area_paper) * head;
    if (!paper)
        area_head = rl_min(height_head, rl_min(over, rl_set(k.area_cap)) * head);
    rl_real flow = kept + rl_with_sign(rl_set(k.push) * area_head, drop);
    if (slowed != RL_PIPES_FREE) {
        rl_real slowing = rl_set(k.viscous);
        if (slowed == RL_PIPES_DRAG)
            slowing = slowing + rl_set(k.drag) * rl_abs(kept);
        flow = flow * rl_viscous_share(height_head, y, slowing);
    }
    const rl_mask open = rl_less(rl_set(RL_PIPES_CLOSED), over);
    return rl_keep(rl_both(open, rl_less(rl_set(RL_PIPES_STILL), rl_abs(flow))), flow);
}

// Depth that a cell's four faces claim in one step, before limiting, metres.
RL_CELL rl_real rl_pipes_leaving(rl_real q_west, rl_real q_east, rl_real q_south, rl_real q_north,
                                 rl_pipes_coef k)
{
    const rl_real zero = rl_set(0.0f);
    const rl_real x = rl_max(q_east, zero) - rl_min(q_west, zero);
    const rl_real y = rl_max(q_north, zero) - rl_min(q_south, zero);
    return rl_set(k.claim) * (x + y);
}

// Does the cell hold less than what is to leave it?
RL_CELL rl_mask rl_pipes_short(rl_real depth, rl_real leaving)
{
    return rl_less(depth, leaving);
}

// Share of its outflow that a cell can pay for: 003 Eq. 2 with its units mended (003.3).
RL_CELL rl_real rl_pipes_share(rl_real depth, rl_real leaving)
{
    const rl_real part = depth / rl_max(leaving, rl_set(RL_PIPES_STILL));
    const rl_real paid = rl_keep(rl_less(rl_set(RL_PIPES_STILL), depth), part);
    return rl_select(rl_pipes_short(depth, leaving), paid, rl_set(1.0f));
}

// A discharge scaled by the share of the cell it leaves: i when positive, else j.
RL_CELL rl_real rl_pipes_limit(rl_real q, rl_real share_i, rl_real share_j)
{
    return q * rl_select(rl_less(q, rl_set(0.0f)), share_j, share_i);
}

// New depth of a cell, 000 Eq. 2 / 003 Eq. 3. What a float cannot hold stays in `remainder` and
// comes back with the next step: a trickle of a nanometre into a metre of water is not lost.
RL_CELL rl_real rl_pipes_fill(rl_real depth, rl_real *remainder, rl_real q_west, rl_real q_east,
                              rl_real q_south, rl_real q_north, rl_pipes_coef k)
{
    const rl_real net = (q_west - q_east) + (q_south - q_north);
    const rl_real change = rl_set(k.spread) * net + *remainder;
    const rl_real filled = depth + change;
    *remainder = change - (filled - depth);
    return filled;
}
