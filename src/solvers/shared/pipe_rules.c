// SPDX-License-Identifier: MIT
#include "solvers/shared/pipe_rules.h"

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

double rl_pipe_driving_height(const rl_pipe_rules *r, double deepest)
{
    return rl_pipe_driving_height_of(r, deepest);
}

double rl_pipe_stable_step(const rl_pipe_rules *r, double height)
{
    return rl_pipe_stable_step_of(r, height);
}

rl_pipe_coef rl_pipe_coefficients(const rl_pipe_rules *r, double dt, double stable)
{
    return rl_pipe_coefficients_of(r, dt, stable);
}
