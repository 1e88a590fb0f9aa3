// SPDX-License-Identifier: MIT
// deposit_row.cuh - deposits (queued_deposit.h) that travel with a kernel launch, and how a block
// takes a row of them.
#pragma once

#include "gpu/cuda/mirror/queued_deposit.h"
#include "solvers/shared/column_cell.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

// The memory for the deposits of a solver, and the solver's fields: cell (0, 0), in rows of `pitch`
// floats. `running_max` is the running maximum of the depth of each row since the last step.
struct rl_deposit_place {
    rl_device_run *runs;
    int *rows;
    float *amounts;
    int run_capacity, amount_capacity;
    float *depth, *remainder, *running_max;
    int pitch;
};

// A small deposit travels with the kernel launch, so that nothing must be copied first.
template <int Runs, int Amounts> struct rl_launch_deposit {
    int row_count;
    rl_device_run runs[Runs];
    int rows[Runs + 1];
    float amounts[Amounts];
};

// Gives a row its deposits, by a block. Its runs follow one after another: they may overlap. Depths
// are not negative and in the order of their bits; the running maximum of a row without deposits is
// -1.
static __device__ __forceinline__ void rl_give_row(const rl_deposit_place &to,
                                                   const rl_device_run *runs, const int *rows,
                                                   const float *amounts, int row)
{
    __shared__ int deepest;
    const int begin = rows[row], end = rows[row + 1], y = runs[begin].row;
    int most = 0, before = -1;
    if (threadIdx.x == 0) {
        deepest = -1;
        before = __float_as_int(to.running_max[y]);
    }
    __syncthreads();
    for (int n = begin; n < end; n++) {
        const rl_device_run run = runs[n];
        for (int i = (int)threadIdx.x; i < run.count; i += (int)blockDim.x) {
            const ptrdiff_t at = (ptrdiff_t)y * to.pitch + run.first + i;
            const float amount = run.place < 0 ? run.even : amounts[run.place + i];
            float left = to.remainder[at];
            const float filled = rl_deposit_add(to.depth[at], &left, amount);
            to.depth[at] = filled;
            to.remainder[at] = left;
            const int bits = __float_as_int(filled);
            most = bits > most ? bits : most;
        }
        __syncthreads();
    }
    atomicMax(&deepest, most);
    __syncthreads();
    if (threadIdx.x == 0)
        to.running_max[y] = __int_as_float(before > deepest ? before : deepest);
}

// Copies a deposit into the arguments of a launch; returns false where it does not fit.
template <int Runs, int Amounts>
static inline bool rl_fit_launch(const rl_queued_deposit *deposit,
                                 rl_launch_deposit<Runs, Amounts> *out)
{
    // There are no more rows than runs.
    if (deposit->run_count > Runs || deposit->amount_count > Amounts)
        return false;
    out->row_count = deposit->row_count;
    std::memcpy(out->runs, deposit->runs, (size_t)deposit->run_count * sizeof *deposit->runs);
    std::memcpy(out->rows, deposit->rows, ((size_t)deposit->row_count + 1) * sizeof *deposit->rows);
    std::memcpy(out->amounts, deposit->amounts,
                (size_t)deposit->amount_count * sizeof *deposit->amounts);
    return true;
}
