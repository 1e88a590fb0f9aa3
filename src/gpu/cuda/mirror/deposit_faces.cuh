// SPDX-License-Identifier: MIT
// deposit_faces.cuh - momentum of gifts to single columns: a face between two of them gets what
// both bring, in their order, and one of the two writes it.
#pragma once

#include "gpu/device_ops.h"

#include <cuda_runtime.h>

// The number of the gift to the column `way` after that of gift `own`, or -1. Gifts are in the
// order of their columns, and no column has two.
static __device__ __forceinline__ int rl_deposit_beside(const rl_device_deposits &gifts, int own,
                                                        int way, int count)
{
    const int cell = gifts.cells[own] + way;
    int low = way < 0 ? own + way : own + 1, high = way < 0 ? own : own + way + 1;
    low = low > 0 ? low : 0;
    high = high < count ? high : count;
    const int end = high;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (gifts.cells[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && gifts.cells[low] == cell ? low : -1;
}

// One of a column's four faces belongs to the column west or south of it: whoever of the two has a
// gift writes it, the first one for both. `own` is that column's gift, `other` the one of the
// column beyond; -1: none.
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
