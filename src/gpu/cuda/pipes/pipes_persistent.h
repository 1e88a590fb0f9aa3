// SPDX-License-Identifier: MIT
// pipes_persistent.h - configurations of the persistent kernel: which grids stay in the processors
// of a device from step to step, and how.
#pragma once

#include "gpu/cuda/pipes/pipes_configs.h"
#include "gpu/cuda/pipes/pipes_tile.cuh"

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
