// SPDX-License-Identifier: MIT
// gift.cuh - how a device takes what waits on the host (gift.h), whatever its water.
#pragma once

#include "gpu/cuda/gift.h"
#include "solvers/deposit_cell.h"

#include <cuda_runtime.h>

#include <cstring>

#define RL_GIFT_BLOCK 256

// Where the gifts of a water go, and the water's fields: cell (0, 0), in rows of `pitch` floats.
struct rl_gift_place {
    rl_device_run *runs;
    int *rows;
    float *amounts;
    int run_room, amount_room;
    float *depth, *remainder, *raised;
    int pitch;
};

// A gift that fits goes along with the kernel, so that nothing must be copied first.
#define RL_SMALL_RUNS_GIVEN    48
#define RL_SMALL_AMOUNTS_GIVEN 640

struct rl_small_gift {
    rl_device_run runs[RL_SMALL_RUNS_GIVEN];
    int rows[RL_SMALL_RUNS_GIVEN + 1];
    float amounts[RL_SMALL_AMOUNTS_GIVEN];
};

// A block per row that gets water. Its runs follow one after another: they may overlap. Depths are
// not negative and in the order of their bits; of a row where nothing was raised yet stands -1.
static __device__ __forceinline__ void rl_give_row(const rl_gift_place &to,
                                                   const rl_device_run *runs, const int *rows,
                                                   const float *amounts)
{
    __shared__ int deepest;
    const int begin = rows[blockIdx.x], end = rows[blockIdx.x + 1], y = runs[begin].row;
    int most = 0;
    if (threadIdx.x == 0)
        deepest = __float_as_int(to.raised[y]);
    __syncthreads();
    for (int n = begin; n < end; n++) {
        const rl_device_run run = runs[n];
        for (int i = (int)threadIdx.x; i < run.count; i += RL_GIFT_BLOCK) {
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
        to.raised[y] = __int_as_float(deepest);
}

static __global__ void rl_give(const rl_gift_place to)
{
    rl_give_row(to, to.runs, to.rows, to.amounts);
}

static __global__ void rl_give_small(const rl_gift_place to,
                                     const __grid_constant__ rl_small_gift gift)
{
    rl_give_row(to, gift.runs, gift.rows, gift.amounts);
}

static inline bool rl_is_small(const rl_device_gift *gift)
{
    // There are no more rows than runs.
    return gift->run_count <= RL_SMALL_RUNS_GIVEN && gift->amount_count <= RL_SMALL_AMOUNTS_GIVEN;
}

static inline int rl_take_small_gift(const rl_gift_place &to, const rl_device_gift *gift,
                                     cudaStream_t stream)
{
    rl_small_gift small;
    std::memcpy(small.runs, gift->runs, (size_t)gift->run_count * sizeof *gift->runs);
    std::memcpy(small.rows, gift->rows, ((size_t)gift->row_count + 1) * sizeof *gift->rows);
    std::memcpy(small.amounts, gift->amounts, (size_t)gift->amount_count * sizeof *gift->amounts);
    rl_give_small<<<gift->row_count, RL_GIFT_BLOCK, 0, stream>>>(to, small);
    return (int)cudaGetLastError();
}

static inline int rl_take_gift(const rl_gift_place &to, const rl_device_gift *gift,
                               cudaStream_t stream)
{
    if (gift->run_count > to.run_room || gift->amount_count > to.amount_room)
        return (int)cudaErrorInvalidValue;
    if (rl_is_small(gift))
        return rl_take_small_gift(to, gift, stream);
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
    rl_give<<<gift->row_count, RL_GIFT_BLOCK, 0, stream>>>(to);
    return (int)cudaGetLastError();
}
