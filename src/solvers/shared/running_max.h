// SPDX-License-Identifier: MIT
// running_max.h - the running maximum of depth: per row the largest depth that deposits left there
// since the last step, metres, or RL_NO_DEPOSIT. Together with the maximum of the last step it is
// at least the deepest water, which is what the length of a step follows from. Part of the state.
#pragma once

#include "solvers/shared/sentinels_cell.h"

static inline void rl_running_max_clear(float *running_max, int ny)
{
    for (int y = 0; y < ny; y++)
        running_max[y] = RL_NO_DEPOSIT;
}

// The largest of all rows and of `deepest`.
static inline float rl_running_max_over(const float *running_max, int ny, float deepest)
{
    for (int y = 0; y < ny; y++)
        deepest = running_max[y] > deepest ? running_max[y] : deepest;
    return deepest;
}
