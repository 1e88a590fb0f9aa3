// SPDX-License-Identifier: MIT
// pipes_configs.h - kernel configurations of the pipes solver: which kernel marches over a grid of
// some size, and how many rows a warp takes.
#pragma once

#include "gpu/cuda/pipes/pipes_march.cuh"

typedef void (*rl_march_kernel)(const rl_march_args);

struct rl_kernel_config {
    rl_march_kernel kernel;
    int width;         // columns that a march fills
    int warps;         // of a block,
    int marches;       // and strips that they march over
    int rows;          // that a march fills; 0 stands for as many as make whole waves of blocks,
    int most_rows;     // but not more than these
    size_t ring_bytes; // of shared memory
};

// The rules of a grid, by the order of the tables of pipes_rows.h.
struct rl_kernel_config_rules {
    int paper, slowed, smooth;
};

// Returns the configuration for a grid.
rl_kernel_config rl_kernel_config_for(int nx, int ny, const rl_kernel_config_rules &rules);
// Does the same for passes of two steps; without a kernel where they are slower.
rl_kernel_config rl_pair_config_for(int nx, int ny, const rl_kernel_config_rules &rules);

// Returns T::of<KIND, SLOWED, SMOOTH>(cells).
template <typename T, int KIND>
static rl_kernel_config rl_kernel_config_of_kind(long long cells,
                                                 const rl_kernel_config_rules &rules)
{
    switch (2 * rules.slowed + (rules.smooth != 0)) {
    case 2 * RL_PIPE_FREE:
        return T::template of<KIND, RL_PIPE_FREE, 0>(cells);
    case 2 * RL_PIPE_FREE + 1:
        return T::template of<KIND, RL_PIPE_FREE, 1>(cells);
    case 2 * RL_PIPE_VISCOUS:
        return T::template of<KIND, RL_PIPE_VISCOUS, 0>(cells);
    case 2 * RL_PIPE_VISCOUS + 1:
        return T::template of<KIND, RL_PIPE_VISCOUS, 1>(cells);
    case 2 * RL_PIPE_DRAG:
        return T::template of<KIND, RL_PIPE_DRAG, 0>(cells);
    default:
        return T::template of<KIND, RL_PIPE_DRAG, 1>(cells);
    }
}

template <typename T>
static rl_kernel_config rl_kernel_config_by_rules(int nx, int ny,
                                                  const rl_kernel_config_rules &rules)
{
    const long long cells = (long long)nx * ny;
    return rules.paper ? rl_kernel_config_of_kind<T, RL_PIPE_PAPER>(cells, rules)
                       : rl_kernel_config_of_kind<T, 0>(cells, rules);
}
