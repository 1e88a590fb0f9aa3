// SPDX-License-Identifier: MIT
// pipes_shapes.cu - measured on an H200 (docs/gpu.md). Small grids want many warps with little to
// do each, large ones few rows that are passed over twice.
#include "gpu/cuda/pipes_shapes.h"

// Cells up to which a shape is the fastest.
#define SMALL_CELLS  (320LL * 320)
#define MIDDLE_CELLS (700LL * 700)
#define LARGE_CELLS  (1500LL * 1500)

template <int V, int KIND, int SLOWED, int SMOOTH, int ROWS, int WARPS> static rl_shape near_shape()
{
    return {rl_march_near<V, KIND, SLOWED, SMOOTH, ROWS, WARPS>, rl_strip<V>::width, WARPS, ROWS,
            0};
}

template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int WARPS, int BLOCKS>
static rl_shape far_shape()
{
    return {rl_march_far<V, KIND, SLOWED, SMOOTH, STAGES, WARPS, BLOCKS>, rl_strip<V>::width, WARPS,
            0, (size_t)WARPS * STAGES * 5 * 32 * V * sizeof(float)};
}

template <int KIND, int SLOWED, int SMOOTH> static rl_shape of_size(long long cells)
{
    if (cells <= SMALL_CELLS)
        return near_shape<1, KIND, SLOWED, SMOOTH, 2, 8>();
    if (cells <= MIDDLE_CELLS)
        return near_shape<2, KIND, SLOWED, SMOOTH, 3, 8>();
    if (cells <= LARGE_CELLS)
        return far_shape<2, KIND, SLOWED, SMOOTH, 4, 8, 3>();
    return far_shape<4, KIND, SLOWED, SMOOTH, 4, 8, 2>();
}

template <int KIND> static rl_shape of_kind(long long cells, int slowed, int smooth)
{
    switch (2 * slowed + (smooth != 0)) {
    case 2 * RL_PIPE_FREE:
        return of_size<KIND, RL_PIPE_FREE, 0>(cells);
    case 2 * RL_PIPE_FREE + 1:
        return of_size<KIND, RL_PIPE_FREE, 1>(cells);
    case 2 * RL_PIPE_VISCOUS:
        return of_size<KIND, RL_PIPE_VISCOUS, 0>(cells);
    case 2 * RL_PIPE_VISCOUS + 1:
        return of_size<KIND, RL_PIPE_VISCOUS, 1>(cells);
    case 2 * RL_PIPE_DRAG:
        return of_size<KIND, RL_PIPE_DRAG, 0>(cells);
    default:
        return of_size<KIND, RL_PIPE_DRAG, 1>(cells);
    }
}

rl_shape rl_shape_for(int nx, int ny, int paper, int slowed, int smooth)
{
    const long long cells = (long long)nx * ny;
    return paper ? of_kind<RL_PIPE_PAPER>(cells, slowed, smooth)
                 : of_kind<0>(cells, slowed, smooth);
}
