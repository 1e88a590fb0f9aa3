// SPDX-License-Identifier: MIT
// viscosity_cell.h - shear against the walls and drag of a rough bed (Dagenais section 3.2), for
// `pipes`, `layers` and `swe`; `river` has a viscosity of its own, in the plane.
#pragma once

#include "core/cell.h"

// No-slip walls that a parabolic profile feels: the floor of an open column, floor and ceiling of a
// flooded one (docs/papers.md, 000.8). The decay rate of the mean velocity is walls * nu / H^2.
#define RL_VISCOUS_OPEN    3.0f
#define RL_VISCOUS_FLOODED 12.0f

// Share of the flux that survives a step, 000 Eq. 5 with the drag of turbulent flow added:
//
//     gamma = H^2 / (H^2 + dt (walls nu + c |q|))
//
// where c is the friction coefficient of a rough bed (stress over density = c u^2) and q the
// discharge per width before the step, so that steady flow down a slope S has c q^2 = g S H^3.
// `slowing` is dt (walls nu + c |q|), m^2. The depth is given as a ratio, H = x / y, because the
// solvers have it in that form and one division less is the largest saving there is; y must not be
// zero unless `slowing` is.
RL_CELL rl_real rl_viscous_factor(rl_real x, rl_real y, rl_real slowing)
{
    const rl_real x2 = x * x;
    return rl_part(x2, x2 + slowing * (y * y));
}
