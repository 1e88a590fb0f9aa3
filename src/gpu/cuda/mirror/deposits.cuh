// SPDX-License-Identifier: MIT
// deposits.cuh - deposits on a device: those of a queue (rl_queued_deposit), a row a block, which
// may travel with a kernel launch; and those to single columns with their momentum
// (rl_device_deposits), a column a thread.
#pragma once

#include "gpu/cuda/mirror/device.h"
#include "gpu/device_ops.h"
#include "solvers/shared/deposit_cell.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

#define RL_DEPOSIT_BLOCK 256

// ---- Queued deposits -------------------------------------------------------------------

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

template <typename Deposit>
static __global__ void rl_give_launch_deposit(const rl_deposit_place to,
                                              const __grid_constant__ Deposit deposit)
{
    rl_give_row(to, deposit.runs, deposit.rows, deposit.amounts, (int)blockIdx.x);
}

template <typename Deposit>
static inline int rl_take_launch_deposit(const rl_deposit_place &to, const Deposit &deposit,
                                         cudaStream_t stream)
{
    rl_give_launch_deposit<<<deposit.row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to, deposit);
    return (int)cudaGetLastError();
}

// ---- Deposits to single columns --------------------------------------------------------

// Returns the blocks of RL_DEPOSIT_BLOCK threads that take up to `most` deposits.
static inline unsigned rl_deposit_blocks(int most)
{
    int processors = 1;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    const int wanted = (most + RL_DEPOSIT_BLOCK - 1) / RL_DEPOSIT_BLOCK;
    return (unsigned)(wanted < 4 * processors ? wanted : 4 * processors);
}

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

// A face between two columns gets the momentum of both, in their order, and one thread of the two
// writes it. One of a column's four faces belongs to the column west or south of it: the thread of
// the first of the two deposits writes it for both. `own` is that column's deposit, `other` the one
// of the column beyond; -1 stands for none.
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
