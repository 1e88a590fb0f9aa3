// SPDX-License-Identifier: MIT
// queued_deposit.cuh - how a device takes the queued deposits of the host (queued_deposit.h)
// between steps, for any solver.
#pragma once

#include "gpu/cuda/mirror/deposit_row.cuh"
#include "gpu/cuda/mirror/device_memory.cuh"

#include <cuda_runtime.h>

#define RL_DEPOSIT_BLOCK 256

typedef rl_launch_deposit<48, 640> rl_small_deposit;

static __global__ void rl_give(const rl_deposit_place to)
{
    rl_give_row(to, to.runs, to.rows, to.amounts, (int)blockIdx.x);
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

// Allocates memory of `owner` for deposits of at most so many runs and amounts.
template <class OWNER>
static inline int rl_reserve_deposits(OWNER *owner, int runs, int amounts, rl_deposit_place *to)
{
    RL_TRY(rl_device_take(owner, (size_t)runs, &to->runs));
    RL_TRY(rl_device_take(owner, (size_t)runs + 1, &to->rows));
    RL_TRY(rl_device_take(owner, (size_t)amounts, &to->amounts));
    to->run_capacity = runs;
    to->amount_capacity = amounts;
    return 0;
}

static inline int rl_take_deposit(const rl_deposit_place &to, const rl_queued_deposit *deposit,
                                  cudaStream_t stream)
{
    if (deposit->run_count > to.run_capacity || deposit->amount_count > to.amount_capacity)
        return (int)cudaErrorInvalidValue;
    rl_small_deposit small;
    if (rl_fit_launch(deposit, &small))
        return rl_take_launch_deposit(to, small, stream);
    cudaError_t error =
        cudaMemcpyAsync(to.runs, deposit->runs, (size_t)deposit->run_count * sizeof *to.runs,
                        cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(to.rows, deposit->rows,
                                ((size_t)deposit->row_count + 1) * sizeof *to.rows,
                                cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(to.amounts, deposit->amounts,
                                (size_t)deposit->amount_count * sizeof *to.amounts,
                                cudaMemcpyHostToDevice, stream);
    if (error != cudaSuccess)
        return (int)error;
    rl_give<<<deposit->row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to);
    return (int)cudaGetLastError();
}
