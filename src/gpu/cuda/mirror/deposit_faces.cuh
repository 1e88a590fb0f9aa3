// SPDX-License-Identifier: MIT
// deposit_faces.cuh - momentum of deposits to single columns: a face between two columns gets the
// momentum of both, in their order, and one thread of the two writes it.
#pragma once

#include "gpu/device_ops.h"

#include <cuda_runtime.h>

// Returns the number of the deposit to the column `way` after that of deposit `own`, or -1.
// Deposits are in the order of their columns, and no column has two.
static __device__ __forceinline__ int rl_deposit_beside(const rl_device_deposits &deposits, int own,
                                                        int way, int count)
{
    const int cell = deposits.cells[own] + way;
    int low = way < 0 ? own + way : own + 1, high = way < 0 ? own : own + way + 1;
    low = low > 0 ? low : 0;
    high = high < count ? high : count;
    const int end = high;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (deposits.cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && deposits.cells[low] == cell ? low : -1;
}

// One of a column's four faces belongs to the column west or south of it: the thread of the first
// of the two deposits writes it for both. `own` is that column's deposit, `other` the one of the
// column beyond; -1 stands for none.
static __device__ __forceinline__ void rl_deposit_push(float *q, const float *momentum,
                                                       float per_face, int own, int other)
{
    float now = *q;
    if (own >= 0)
        now += momentum[own] * per_face;
    if (other >= 0)
        now += momentum[other] * per_face;
    *q = now;
}
