// SPDX-License-Identifier: MIT
// viscosity_cell.h - shear against the walls, shared by all waters (000 section 3.2).
#pragma once

#include "core/cell.h"

// No-slip walls that a parabolic profile feels: the floor of an open column, floor and ceiling of a
// flooded one (ERRATA 000, items 4 and 8). The decay rate of the mean velocity is walls * nu / H^2.
#define RL_VISCOUS_OPEN    3.0f
#define RL_VISCOUS_FLOODED 12.0f

// Share of the flux that survives viscosity over one step, 000 Eq. 5:
//
//     gamma = H^2 / (H^2 + walls dt nu)
//
// The depth is given as a ratio, H = x / y, because the solvers have H in that form and one
// division less is the largest saving there is. viscous = walls * dt * nu, m^2; y must not be zero
// unless viscous is.
RL_CELL rl_real rl_viscous_share(rl_real x, rl_real y, float viscous)
{
    const rl_real x2 = x * x;
    return x2 / (x2 + rl_set(viscous) * (y * y));
}
