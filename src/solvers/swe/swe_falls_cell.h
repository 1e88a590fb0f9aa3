// SPDX-License-Identifier: MIT
// swe_falls_cell.h - one face over a cliff, for every back end (swe_falls.c).
#pragma once

#include "core/cell.h"

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
