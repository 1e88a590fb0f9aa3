// SPDX-License-Identifier: MIT
// crossings.cuh - discharges through the borders of a grid, for the ledger.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

// Returns the size of the discharges through the borders of one step: west and east by rows, then
// south and north by columns.
__host__ __device__ __forceinline__ size_t rl_crossed_floats(int nx, int ny)
{
    return 2 * ((size_t)nx + (size_t)ny);
}

__device__ __forceinline__ void rl_book(double inward, double *in, double *out)
{
    if (inward > 0.0)
        *in += inward;
    else
        *out -= inward;
}
