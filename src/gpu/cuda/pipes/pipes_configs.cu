// SPDX-License-Identifier: MIT
// pipes_configs.cu - kernel configurations of single steps; measured on an H200 (docs/gpu.md).
// Small grids need many warps with little work each, large ones few rows that are passed over
// twice.
#include "gpu/cuda/pipes/pipes_configs.h"

#include "gpu/cuda/pipes/pipes_kernels.cuh"

// Cells up to which a configuration is the fastest.
#define SMALL_CELLS  RL_CONFIG_CELLS(320)
#define MIDDLE_CELLS RL_CONFIG_CELLS(700)
#define LARGE_CELLS  RL_CONFIG_CELLS(1500)

#define MOST_ROWS 48

template <int V, int KIND, int SLOWED, int SMOOTH, int ROWS, int WARPS>
static rl_kernel_config beside_config()
{
    return {rl_march_beside<V, KIND, SLOWED, SMOOTH, ROWS, WARPS>,
            rl_strip<V>::width,
            WARPS,
            WARPS,
            ROWS,
            ROWS,
            0};
}

template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int WARPS, int BLOCKS>
static rl_kernel_config far_config()
{
    return {rl_march_far<V, KIND, SLOWED, SMOOTH, STAGES, WARPS, BLOCKS>,
            rl_strip<V>::width,
            WARPS,
            WARPS,
            0,
            MOST_ROWS,
            (size_t)WARPS * STAGES * 5 * 32 * V * sizeof(float)};
}

struct single_steps {
    template <int KIND, int SLOWED, int SMOOTH> static rl_kernel_config of(long long cells)
    {
        if (cells <= SMALL_CELLS)
            return beside_config<1, KIND, SLOWED, SMOOTH, 2, 8>();
        if (cells <= MIDDLE_CELLS)
            return beside_config<2, KIND, SLOWED, SMOOTH, 3, 8>();
        if (cells <= LARGE_CELLS)
            return far_config<2, KIND, SLOWED, SMOOTH, 4, 8, 3>();
        return far_config<4, KIND, SLOWED, SMOOTH, 4, 8, 2>();
    }
};

rl_kernel_config rl_kernel_config_for(int nx, int ny, const rl_kernel_config_rules &rules)
{
    return rl_kernel_config_by_rules<single_steps>(nx, ny, rules);
}
