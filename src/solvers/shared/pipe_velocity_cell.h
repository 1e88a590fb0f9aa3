// SPDX-License-Identifier: MIT
// pipe_velocity_cell.h - velocities at the centres of the cells of the pipes solver.
#pragma once

#include "core/cell.h"

// Water in the face between two cells where nothing hangs, metres.
RL_CELL rl_real rl_pipe_above_sill(rl_real floor_i, rl_real depth_i, rl_real floor_j,
                                   rl_real depth_j)
{
    const rl_real high = rl_max(floor_i + depth_i, floor_j + depth_j);
    return rl_max(high - rl_max(floor_i, floor_j), rl_set(0.0f));
}

// Velocity along an axis, 003 Eq. 4: what flows through the two faces over twice the depth, or over
// the water that stands in the faces where that is more: a deep stream that cuts across the edge of
// its bank does not race there. Cells that are not wet are at rest.
RL_CELL rl_real rl_pipe_velocity(rl_real depth, rl_real wet, rl_real through_both,
                                 rl_real in_both_faces)
{
    const rl_real keep = rl_keep(rl_less(wet, depth), rl_set(1.0f));
    const rl_real twice = rl_set(2.0f) * rl_max(depth, wet);
    return keep * through_both / rl_max(in_both_faces, twice);
}
