// SPDX-License-Identifier: MIT
// field_rows.cuh - kernels over the rows of a field, for any solver.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

#define RL_ROWS_TILE  32
#define RL_ROWS_BLOCK 256

// Sums up first + sign * second by rows. A warp takes 32 rows, a lane one of them, from west to
// east: the order of the host's sum. Tiles go through shared memory so that memory is read in whole
// lines.
static __global__ void rl_sum_rows(const float *first, const float *second, double sign,
                                   double *sums, int nx, int ny, int pitch)
{
    __shared__ float d[RL_ROWS_TILE][RL_ROWS_TILE + 1], r[RL_ROWS_TILE][RL_ROWS_TILE + 1];
    const int lane = (int)threadIdx.x, y0 = (int)blockIdx.x * RL_ROWS_TILE;
    double sum = 0.0;
    for (int x = 0; x < nx; x += RL_ROWS_TILE) {
        for (int n = 0; n < RL_ROWS_TILE && y0 + n < ny && x + lane < nx; n++) {
            const ptrdiff_t at = (ptrdiff_t)(y0 + n) * pitch + x + lane;
            d[n][lane] = first[at];
            r[n][lane] = second[at];
        }
        __syncwarp();
        for (int i = 0; y0 + lane < ny && i < RL_ROWS_TILE && x + i < nx; i++)
            sum += (double)d[lane][i] + sign * (double)r[lane][i];
        __syncwarp();
    }
    if (y0 + lane < ny)
        sums[y0 + lane] = sum;
}

// Runs on one block. Resets the running maximum of all rows.
static __global__ void rl_clear_running_max(float *maxima, int ny)
{
    for (int y = (int)threadIdx.x; y < ny; y += (int)blockDim.x)
        maxima[y] = -1.0f;
}
