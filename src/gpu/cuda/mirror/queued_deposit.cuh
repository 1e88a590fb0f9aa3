// SPDX-License-Identifier: MIT
// queued_deposit.cuh - how a device takes what waits on the host (queued_deposit.h), whatever its
// water, between steps.
#pragma once

#include "gpu/cuda/mirror/deposit_row.cuh"

#include <cuda_runtime.h>

#define RL_DEPOSIT_BLOCK 256

typedef rl_launch_deposit<48, 640> rl_small_deposit;

static __global__ void rl_give(const rl_deposit_place to)
{
    rl_give_row(to, to.runs, to.rows, to.amounts, (int)blockIdx.x);
}

template <typename Gift>
static __global__ void rl_give_launch_deposit(const rl_deposit_place to,
                                              const __grid_constant__ Gift gift)
{
    rl_give_row(to, gift.runs, gift.rows, gift.amounts, (int)blockIdx.x);
}

template <typename Gift>
static inline int rl_take_launch_deposit(const rl_deposit_place &to, const Gift &gift,
                                         cudaStream_t stream)
{
    rl_give_launch_deposit<<<gift.row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to, gift);
    return (int)cudaGetLastError();
}

static inline int rl_take_deposit(const rl_deposit_place &to, const rl_queued_deposit *gift,
                                  cudaStream_t stream)
{
    if (gift->run_count > to.run_room || gift->amount_count > to.amount_room)
        return (int)cudaErrorInvalidValue;
    rl_small_deposit small;
    if (rl_carry(gift, &small))
        return rl_take_launch_deposit(to, small, stream);
    cudaError_t error =
        cudaMemcpyAsync(to.runs, gift->runs, (size_t)gift->run_count * sizeof *to.runs,
                        cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(to.rows, gift->rows, ((size_t)gift->row_count + 1) * sizeof *to.rows,
                            cudaMemcpyHostToDevice, stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(to.amounts, gift->amounts,
                                (size_t)gift->amount_count * sizeof *to.amounts,
                                cudaMemcpyHostToDevice, stream);
    if (error != cudaSuccess)
        return (int)error;
    rl_give<<<gift->row_count, RL_DEPOSIT_BLOCK, 0, stream>>>(to);
    return (int)cudaGetLastError();
}
