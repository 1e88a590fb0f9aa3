// SPDX-License-Identifier: MIT
// pipe_rules_inline.h - how long a step of virtual pipes may be, and the constants of a step;
// shared by the solvers `pipes` and `layers` and their back ends: a device knows the deepest water,
// which the length of a step follows from, before the host does.
//
// With the wetted pipe area waves travel at sqrt(g H), and von Neumann's condition in two
// dimensions is 4 g H dt^2 / dx^2 <= 1 + zeta (2 theta - 1). The step stays below it by a safety
// margin; and where a caller insists on a longer step, the height that drives the flow is capped to
// meet it.
#pragma once

#include "core/power_cell.h"
#include "solvers/pipe_cell.h"

#include "rill/world.h"

#include <math.h>

// Part of the stability bound that is used (docs/pipes.md, step length).
#define RL_PIPE_SAFETY 0.9

// How far the head over a cliff may exceed the upwind depth, in cells (the cap of Chentanez
// and Müller).
#define RL_PIPE_CLIFF_CELLS 1.5

// Films thinner than this may leave a cell as fast as if they were so deep, in cells: they carry
// nothing that matters, and run down every hill.
#define RL_PIPE_FILM_CELLS 1e-3

typedef struct rl_pipe_rules {
    double cell_size, gravity; // m, m/s^2
    rill_pipes_def def;
    float theta; // weight of a face in flux smoothing
} rl_pipe_rules;

// Weight of a face in flux smoothing unless the user says otherwise. Wetted pipes ripple with the
// length of two cells without it (docs/pipes.md), viscous ones too where the liquid is deep; films
// do not feel it.
#define RL_PIPE_WETTED_THETA 0.9f

static inline rl_pipe_rules rl_pipe_rules_of(const rill_world_def *def)
{
    const float otherwise = def->pipes.area == RILL_AREA_WETTED ? RL_PIPE_WETTED_THETA : 1.0f;
    const bool chosen = def->pipes.smoothing != RILL_SMOOTHING_AUTO;
    rl_pipe_rules rules = {(double)def->cell_size, (double)def->gravity, def->pipes, 0.0f};
    if (def->solver != RILL_SOLVER_PIPES)
        rules.def.head = RILL_HEAD_LEVEL;
    rules.theta = chosen ? def->pipes.smoothing : otherwise;
    return rules;
}

// Which of viscosity and drag slow the water: an index of the tables of row loops.
RL_CELL int rl_pipe_slowed_by(const rl_pipe_rules *r)
{
    return r->def.drag > 0.0f        ? RL_PIPE_DRAG
           : r->def.viscosity > 0.0f ? RL_PIPE_VISCOUS
                                     : RL_PIPE_FREE;
}

// Largest g H dt^2 / dx^2 that is stable, with the safety margin; zeta is the part of the flux that
// friction leaves.
RL_CELL double rl_pipe_courant_squared(const rl_pipe_rules *r, double zeta)
{
    return RL_PIPE_SAFETY * (1.0 + zeta * (2.0 * (double)r->theta - 1.0)) / 4.0;
}

// The part of the flux that friction leaves in a step.
RL_CELL double rl_pipe_zeta_of(const rl_pipe_rules *r, double dt)
{
    return rl_power_of(1.0 - (double)r->def.friction, dt);
}

// The wetted height that the length of a step follows from, metres, when the deepest water is
// `deepest`.
RL_CELL double rl_pipe_driving_height_of(const rl_pipe_rules *r, double deepest)
{
    return r->def.area == RILL_AREA_PAPER && deepest > 0.0 ? r->cell_size : deepest;
}

// The longest stable step, seconds, for such a height; +inf for none.
RL_CELL double rl_pipe_stable_step_of(const rl_pipe_rules *r, double height)
{
    if (!(height > 0.0))
        return (double)INFINITY;
    // Friction tightens the bound a little. Its zeta falls with the length of the step, so that of
    // the longest possible one is on the safe side.
    const double longest =
        r->cell_size * sqrt(rl_pipe_courant_squared(r, 1.0) / (r->gravity * height));
    const double zeta = rl_pipe_zeta_of(r, longest);
    if (zeta == 1.0)
        return longest;
    return r->cell_size * sqrt(rl_pipe_courant_squared(r, zeta) / (r->gravity * height));
}

// What a step keeps of a face and its neighbours. Smoothing is a matter of time, not of steps: a
// step shorter than it could be does its part.
RL_CELL void rl_pipe_smooth(const rl_pipe_rules *r, double zeta, double dt, double stable,
                            rl_pipe_coef *k)
{
    const double side = 0.5 * (1.0 - (double)r->theta) * fmin(dt / stable, 1.0);
    k->keep_here = (float)(zeta * (1.0 - 2.0 * side));
    k->keep_side = (float)(zeta * side);
}

// Is what leaves a cell limited to critical flow? Pipes of the constant area do not know how deep
// the water is that they carry.
RL_CELL int rl_pipe_limits_to_critical(const rl_pipe_rules *r)
{
    return r->def.critical_flow != 0 && r->def.area == RILL_AREA_WETTED;
}

// Without the limit nothing exceeds it.
RL_CELL void rl_pipe_limit_to_critical(const rl_pipe_rules *r, double dt, rl_pipe_coef *k)
{
    const int limits = rl_pipe_limits_to_critical(r);
    const double spread = dt / r->cell_size;
    const double squared = 8.0 / 27.0 * r->gravity * spread * spread;
    k->critical = limits ? (float)fmin(squared, (double)RL_PIPE_MOST_CRITICAL) : 1e13f;
    k->film = limits ? (float)(RL_PIPE_FILM_CELLS * r->cell_size) : 1.0f;
}

// Constants of a step of `dt` seconds; `stable` is rl_pipe_stable_step_of.
RL_CELL rl_pipe_coef rl_pipe_coefficients_of(const rl_pipe_rules *r, double dt, double stable)
{
    const double dx = r->cell_size, zeta = rl_pipe_zeta_of(r, dt);
    const double cap = rl_pipe_courant_squared(r, zeta) * dx * dx / (r->gravity * dt * dt);
    rl_pipe_coef k;
    k.keep = (float)zeta;
    k.push = (float)(dt * r->gravity / dx);
    k.spread = (float)(dt / dx);
    k.outflow = (float)(dt / dx) * RL_PIPE_LIMITER;
    k.area_cap = (float)fmin(cap, 1e30);
    k.area_paper = (float)fmin(dx, cap);
    const int interval = r->def.head == RILL_HEAD_INTERVAL;
    k.cliff = interval ? 0.0f : (float)(RL_PIPE_CLIFF_CELLS * dx);
    k.roof = interval ? 0.0f : RL_FAR;
    k.head_floor = (float)(1e-6 * dx);
    k.viscous = (float)((double)RL_VISCOUS_OPEN * dt * (double)r->def.viscosity);
    k.viscous_flooded = (float)((double)RL_VISCOUS_FLOODED * dt * (double)r->def.viscosity);
    k.drag = (float)(dt * (double)r->def.drag);
    k.fill_rate = 0.0f;
    rl_pipe_limit_to_critical(r, dt, &k);
    rl_pipe_smooth(r, zeta, dt, stable, &k);
    return k;
}
