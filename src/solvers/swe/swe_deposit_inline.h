// SPDX-License-Identifier: MIT
// swe_deposit_inline.h - giving water and momentum to single cells of the swe solver, and taking
// it, for every back end; swe_deposit.c has the formula.
#pragma once

#include "solvers/shared/column_cell.h"
#include "solvers/swe/swe_cell.h"

#include <math.h>

// Momentum per area along an axis, m^2/s, that comes with `given` metres where `asked` were to
// come. A cell that cannot give all that was asked gives as much less momentum.
RL_CELL double rl_swe_deposit_momentum(float asked, double given, float momentum, double area)
{
    const double part = asked < 0.0f ? given / (double)asked : 1.0;
    return part * (double)momentum / area;
}

// The part of it that goes to the western (southern) face.
RL_CELL double rl_swe_deposit_to_low(int low_is_open, int high_is_open)
{
    return low_is_open ? (high_is_open ? 0.5 : 1.0) : 0.0;
}

// Gives the momentum `m` (m^2/s) to an open face whose depths, `depths` in sum, have grown by
// `given` to it. Taking almost all water could leave any speed; no face gets twice as fast as
// itself and as what it takes part in.
RL_CELL float rl_swe_push_face(float velocity, double depths, double m, double given)
{
    if (!(depths + given > 0.0))
        return velocity;
    const double u = (double)velocity;
    double now = (depths * u + 2.0 * m) / (depths + given);
    if (given != 0.0) {
        const double own = fabs(u), other = fabs(m / given);
        const double most = 2.0 * (own > other ? own : other);
        now = now > most ? most : now < -most ? -most : now;
    }
    return fabs(now) > (double)RL_SWE_AT_REST ? (float)now : 0.0f;
}
