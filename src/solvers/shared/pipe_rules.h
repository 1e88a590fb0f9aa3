// SPDX-License-Identifier: MIT
// pipe_rules.h - how long a step of virtual pipes may be, and the constants of a step; shared by
// the `pipes` and the `layers` water.
//
// With the wetted pipe area waves travel at sqrt(g H), and von Neumann's condition in two
// dimensions is 4 g H dt^2 / dx^2 <= 1 + zeta (2 theta - 1). The step stays below it by a safety
// margin; and where a caller insists on a longer step, the height that drives the flow is capped to
// meet it.
#pragma once

#include "solvers/shared/pipe_rules_inline.h"

rl_pipe_rules rl_pipe_rules_of(const rill_world_def *def);

// The wetted height that sets the pace, metres, when the deepest water is `deepest`.
double rl_pipe_driving_height(const rl_pipe_rules *rules, double deepest);

// The longest stable step, seconds, for such a height; +inf for none.
double rl_pipe_stable_step(const rl_pipe_rules *rules, double height);

// Constants of a step of `dt` seconds; `stable` is rl_pipe_stable_step.
rl_pipe_coef rl_pipe_coefficients(const rl_pipe_rules *rules, double dt, double stable);
