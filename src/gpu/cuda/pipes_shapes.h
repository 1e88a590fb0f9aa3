// SPDX-License-Identifier: MIT
// pipes_shapes.h - which kernel marches over a grid of some size, and how many rows a warp takes.
#pragma once

#include "gpu/cuda/pipes_kernels.cuh"

typedef void (*rl_march_kernel)(const rl_march_args);

struct rl_shape {
    rl_march_kernel kernel;
    int width;         // columns that a warp fills
    int warps;         // of a block
    int rows;          // that a warp fills; 0: as many as make whole waves of warps
    size_t ring_bytes; // of shared memory
};

// The shape for a grid and what happens in it, by the order of the tables of pipes_rows.h.
rl_shape rl_shape_for(int nx, int ny, int paper, int slowed, int smooth);
