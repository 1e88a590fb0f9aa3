// SPDX-License-Identifier: MIT
// pipes_configs.h - kernel configurations of the pipes solver: which kernel marches over a grid of
// some size, and how many rows a warp takes; and which grids stay in the processors of a device
// from step to step, and how.
#pragma once

#include "gpu/cuda/pipes/pipes_tile.cuh"

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
    int critical; // what leaves a cell is limited to critical flow
};

// Configurations change where grids have this many cells. Those of the emulator of CUDA are
// smaller, so that small grids are enough to try all of them.
#if !defined(RL_CONFIG_SCALE)
#define RL_CONFIG_SCALE 1
#endif
#define RL_CONFIG_CELLS(side) ((long long)((side) / RL_CONFIG_SCALE) * ((side) / RL_CONFIG_SCALE))

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
    return rules.paper      ? rl_kernel_config_of_kind<T, RL_PIPE_PAPER>(cells, rules)
           : rules.critical ? rl_kernel_config_of_kind<T, RL_PIPE_CRITICAL>(cells, rules)
                            : rl_kernel_config_of_kind<T, 0>(cells, rules);
}

// ---- The persistent kernel -------------------------------------------------------------

typedef void (*rl_persistent_kernel)(const rl_tile_args);

// A kernel, and the division of the grid into tiles.
struct rl_persistent_config {
    rl_persistent_kernel kernel; // NULL when the grid does not fit, or the march is faster
    size_t bytes;                // of shared memory
    int tiles, stacked;          // across the grid, and above each other,
    int columns, rows;           // that each has
    int words_of_rows, words;    // in each of two halves
};

// Returns the configuration for the present device: every tile must have a processor to itself.
rl_persistent_config rl_persistent_config_for(int nx, int ny, const rl_kernel_config_rules &rules);
// Does the same for the papers' pipes, not smoothed.
rl_persistent_config rl_persistent_config_of_paper(int nx, int ny,
                                                   const rl_kernel_config_rules &rules);
// Does the same for wetted pipes with critical flow, smoothed.
rl_persistent_config rl_persistent_config_of_critical(int nx, int ny,
                                                      const rl_kernel_config_rules &rules);

cudaError_t rl_launch_persistent(const rl_persistent_config &persistent, rl_tile_args &args,
                                 cudaStream_t stream);

// Words with which blocks pass a grid barrier, and words for their neighbours: zeros before the
// first step.
#define RL_MOST_TILES   160
#define RL_BORDER_LINES 11
#define RL_LINE_GHOSTS  3 // before and after a line

// Returns how many words the lines of so many borders have, in each of two halves.
inline int rl_words_of_lines(int borders, int cells)
{
    return RL_BORDER_LINES * borders * (cells + 2 * RL_LINE_GHOSTS);
}
