// SPDX-License-Identifier: MIT
#include "solvers/pipe_rules.h"

#include "core/numbers.h"

#include <math.h>

// Part of the stability bound that is used (docs/pipes.md, step length).
#define SAFETY 0.9

// How far the head over a cliff may exceed the upwind depth, in cells (002's cap).
#define CLIFF_CELLS 1.5

// Weight of a face in flux smoothing unless the user says otherwise. Wetted pipes ripple with the
// length of two cells without it (docs/pipes.md), viscous ones too where the liquid is
// deep; films do not feel it.
#define WETTED_THETA 0.9f

rl_pipe_rules rl_pipe_rules_of(const rill_world_def *def)
{
    rl_pipe_rules rules = {
        .cell_size = (double)def->cell_size,
        .gravity = (double)def->gravity,
        .def = def->pipes,
        .theta = def->pipes.smoothing,
    };
    if (rules.theta == RILL_SMOOTHING_AUTO)
        rules.theta = def->pipes.area == RILL_AREA_WETTED ? WETTED_THETA : 1.0f;
    return rules;
}

// Largest g H dt^2 / dx^2 that is stable, with the safety margin; zeta is the part of the flux that
// friction leaves.
static double largest_courant_squared(const rl_pipe_rules *r, double zeta)
{
    return SAFETY * (1.0 + zeta * (2.0 * (double)r->theta - 1.0)) / 4.0;
}

double rl_pipe_driving_height(const rl_pipe_rules *r, double deepest)
{
    return r->def.area == RILL_AREA_PAPER && deepest > 0.0 ? r->cell_size : deepest;
}

double rl_pipe_stable_step(const rl_pipe_rules *r, double height)
{
    if (!(height > 0.0))
        return INFINITY;
    // Friction tightens the bound a little. Its zeta falls with the length of the step, so that of
    // the longest possible one is on the safe side.
    const double longest =
        r->cell_size * sqrt(largest_courant_squared(r, 1.0) / (r->gravity * height));
    const double zeta = rl_power(1.0 - (double)r->def.friction, longest);
    return r->cell_size * sqrt(largest_courant_squared(r, zeta) / (r->gravity * height));
}

rl_pipe_coef rl_pipe_coefficients(const rl_pipe_rules *r, double dt, double stable)
{
    const double dx = r->cell_size;
    const double zeta = rl_power(1.0 - (double)r->def.friction, dt);
    const double cap = largest_courant_squared(r, zeta) * dx * dx / (r->gravity * dt * dt);
    // Smoothing is a matter of time, not of steps: a step shorter than it could be does its part.
    const double side = 0.5 * (1.0 - (double)r->theta) * fmin(dt / stable, 1.0);
    return (rl_pipe_coef){
        .keep = (float)zeta,
        .push = (float)(dt * r->gravity / dx),
        .spread = (float)(dt / dx),
        .claim = (float)(dt / dx) * RL_PIPE_CLAIM,
        .area_cap = (float)fmin(cap, 1e30),
        .area_paper = (float)fmin(dx, cap),
        .cliff = (float)(CLIFF_CELLS * dx),
        .head_floor = (float)(1e-6 * dx),
        .viscous = (float)((double)RL_VISCOUS_OPEN * dt * (double)r->def.viscosity),
        .viscous_flooded = (float)((double)RL_VISCOUS_FLOODED * dt * (double)r->def.viscosity),
        .drag = (float)(dt * (double)r->def.drag),
        .keep_here = (float)(zeta * (1.0 - 2.0 * side)),
        .keep_side = (float)(zeta * side),
    };
}
