// SPDX-License-Identifier: MIT
// swe_deposit_inline.h - giving water and momentum to single cells of the swe solver, and taking
// it, for every back end: deposits, whose formula is in swe_deposit.c, and faces over cliffs.
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

// ---- Falls (swe_falls.c) ---------------------------------------------------------------

// Does water that goes over the cliff fall, or is the pool below as high as the ground above?
RL_CELL int rl_swe_falls_free(float bed_upper, float bed_lower, float depth_lower)
{
    return bed_upper > bed_lower + depth_lower;
}

// Changes a depth by `by`, down to nothing at most; returns what it really changed by, metres.
RL_CELL double rl_swe_change_by(float *depth, float *remainder, double by)
{
    const double before = (double)*depth + (double)*remainder, after = before + by;
    *depth = (float)(after > 0.0 ? after : 0.0);
    *remainder = after > 0.0 ? (float)(after - (double)*depth) : 0.0f;
    return (double)*depth + (double)*remainder - before;
}

// How the water of a fall flies off, towards the lower cell and along the face, from the velocities
// at the four faces of its upper cell. (dx, dy) is the way from the upper cell to the lower one.
RL_CELL void rl_swe_fall_velocity(int dx, int dy, float u_west, float u, float v_south, float v,
                                  float *velocity, float *across)
{
    if (dy == 0) {
        *velocity = dx > 0 ? u : -u_west;
        *across = 0.5f * (v_south + v);
    } else {
        *velocity = dy > 0 ? v : -v_south;
        *across = 0.5f * (u_west + u);
    }
}
