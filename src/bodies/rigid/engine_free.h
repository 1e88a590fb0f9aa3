// SPDX-License-Identifier: MIT
// engine_free.h - rigid bodies that touch nothing. Nothing here depends on a physics engine.
#pragma once

#include "bodies/bodies_internal.h"

// How a body lies and moves, as in its record.
typedef struct rl_body_motion {
    double position[3], rotation[4], velocity[3], spin[3];
} rl_body_motion;

// How a body lies and moves after `dt` seconds under gravity, a force and a torque about its centre
// of mass, which do not change meanwhile.
rl_body_motion rl_body_fly(const rl_body *body, const double force[3], const double torque[3],
                           double gravity, double dt);
