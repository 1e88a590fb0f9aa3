// SPDX-License-Identifier: MIT
// pipes_persistent_sizes.cuh - sizes of tiles of the persistent kernel; measured on an H200
// (docs/gpu.md). The smallest tiles for which there are processors enough are the fastest.
#pragma once

#include "gpu/cuda/pipes/pipes_persistent.cuh"

// A tile of fewer rows is mostly border.
#define LEAST_ROWS 8

// Returns the cells of a line that is cut into `parts`, a multiple of `grain`; 0 when the last part
// would be smaller than what its neighbours read.
static int cut_line(int cells, int parts, int grain)
{
    const int part = (((cells + parts - 1) / parts) + grain - 1) / grain * grain;
    const int last = cells - (cells - 1) / part * part;
    return cells > part && last < RL_TILE_BELOW ? 0 : part;
}

static bool fits(rl_persistent_kernel kernel, size_t bytes)
{
    int together = 0, most_bytes = 0, blocks = 0;
    cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, 0);
    cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    if (together == 0 || bytes > (size_t)most_bytes)
        return false;
    const bool there =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
            cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, RL_TILE_THREADS, bytes) ==
            cudaSuccess;
    cudaGetLastError(); // the march is used instead
    return there && blocks > 0;
}

// Cuts the grid into tiles of at most 32 V columns and 16 R rows, if they fit.
template <int V, int R, int KIND, int SLOWED, int SMOOTH>
static rl_persistent_config cut(int nx, int ny)
{
    typedef rl_tile_memory<V, R> memory;
    const rl_persistent_kernel kernel = rl_persistent<V, R, KIND, SLOWED, SMOOTH>;
    int processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int most = processors < RL_MOST_TILES ? processors : RL_MOST_TILES;
    const int tiles = (nx + memory::width - 1) / memory::width;
    if (tiles > most)
        return {};
    int stacked = most / tiles;
    if (stacked > ny / LEAST_ROWS)
        stacked = ny / LEAST_ROWS > 0 ? ny / LEAST_ROWS : 1;
    const int columns = cut_line(nx, tiles, V), rows = cut_line(ny, stacked, R);
    if (columns == 0 || rows == 0 || rows > memory::height || !fits(kernel, sizeof(memory)))
        return {};
    stacked = (ny + rows - 1) / rows;
    const int words = rl_words_of_lines(stacked + 1, nx);
    return {kernel,  sizeof(memory), tiles, stacked,
            columns, rows,           words, words + rl_words_of_lines(tiles + 1, ny)};
}

template <int KIND, int SLOWED, int SMOOTH> static rl_persistent_config smallest(int nx, int ny)
{
    rl_persistent_config r = cut<1, 1, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<2, 1, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<2, 2, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<4, 2, KIND, SLOWED, SMOOTH>(nx, ny);
    if (r.kernel == nullptr)
        r = cut<4, 4, KIND, SLOWED, SMOOTH>(nx, ny);
    return r;
}

// KIND and SMOOTH are those of rl_tile.
template <int KIND, int SMOOTH>
static rl_persistent_config rl_persistent_config_of_kind(int nx, int ny,
                                                         const rl_kernel_config_rules &rules)
{
    switch (rules.slowed) {
    case RL_PIPE_FREE:
        return smallest<KIND, RL_PIPE_FREE, SMOOTH>(nx, ny);
    case RL_PIPE_VISCOUS:
        return smallest<KIND, RL_PIPE_VISCOUS, SMOOTH>(nx, ny);
    default:
        return smallest<KIND, RL_PIPE_DRAG, SMOOTH>(nx, ny);
    }
}
