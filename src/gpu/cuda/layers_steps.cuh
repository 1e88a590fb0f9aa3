// SPDX-License-Identifier: MIT
// layers_steps.cuh - the four kernels of a step of the layers water, and those between steps.
//
//     rl_layers_flow    raw discharges; which columns are full. The last block meanwhile looks for
//                       passages and drives them.
//     rl_layers_shares  of their outflow that columns can pay for
//     rl_layers_rooms   shares of their inflow that covered columns have room for. The last block
//                       that is done balances passages.
//     rl_layers_fill    discharges and depths; the last block plans the next step
#pragma once

#include "gpu/cuda/layers_balance.cuh"
#include "solvers/deposit_cell.h"

#define RL_SMALL 256 // threads of a block that needs nothing of the others

// A kernel may be launched before the one before it has ended, and waits here for what that wrote.
__device__ __forceinline__ void rl_wait_for_kernel_before()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

__device__ __forceinline__ void rl_let_next_kernel_begin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// ---- 1. --------------------------------------------------------------------------------

struct rl_flow_shape {
    int word_blocks, pipe_blocks, covered_blocks;
};

__host__ __device__ inline rl_flow_shape rl_shape_of(const rl_layers_args &a)
{
    const int words = RL_LAYERS_BLOCK / 32;
    return {(a.word_count + words - 1) / words,
            (a.pipe_count + RL_LAYERS_BLOCK - 1) / RL_LAYERS_BLOCK,
            (a.covered_count + words - 1) / words};
}

// No block waits for this one, so those that it waits for come to their end.
__device__ __forceinline__ void rl_wait_for(int *counter, int count)
{
    if (threadIdx.x == 0)
        while (atomicAdd(counter, 0) < count)
            __nanosleep(64);
    __syncthreads();
    __threadfence();
}

__device__ inline void rl_passages_block(const rl_layers_args &a, rl_flow_shape shape, char *memory,
                                         size_t bytes)
{
    rl_layers_control *c = a.control;
    rl_pool pool = {memory, bytes};
    rl_find f = {};
    rl_begin_find(a, &f, &pool);
    rl_wait_for_kernel_before();
    if (!c->moves)
        return;
    rl_wait_for(&c->marked, shape.covered_blocks);
    rl_search_passages(a, &f, pool, c->k);
    rl_wait_for(&c->flowed, shape.word_blocks + shape.pipe_blocks);
    rl_write_raw(a, f);
    __syncthreads();
    if (threadIdx.x == 0)
        c->marked = c->flowed = 0;
}

__device__ __forceinline__ void rl_count_block(int *counter)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(counter, 1);
}

__device__ __forceinline__ void rl_mark_full(const rl_layers_args &a, int w, rl_pipe_coef k)
{
    if (w >= a.covered_count)
        return;
    const rl_layers_word word = a.words[w];
    const rl_layers_at at = rl_at(word, w);
    const unsigned bits = __ballot_sync(0xffffffffu, at.swept && rl_is_full(a, word, at, k));
    if (at.lane == 0)
        a.search.full[w] = bits;
}

static __global__ void __launch_bounds__(RL_LAYERS_BLOCK)
    rl_layers_flow(const __grid_constant__ rl_layers_args a, int bytes)
{
    extern __shared__ __align__(16) char memory[];
    rl_layers_control *c = a.control;
    const int block = (int)blockIdx.x;
    const rl_flow_shape shape = rl_shape_of(a);
    rl_let_next_kernel_begin();
    if (block == shape.word_blocks + shape.pipe_blocks) {
        rl_passages_block(a, shape, memory, (size_t)bytes);
        return;
    }
    rl_wait_for_kernel_before();
    if (!c->moves)
        return;
    const rl_pipe_coef k = c->k;
    const int w = block * (RL_LAYERS_BLOCK / 32) + ((int)threadIdx.x >> 5);
    if (a.passages && block < shape.covered_blocks) {
        rl_mark_full(a, w, k);
        rl_count_block(&c->marked);
    }
    if (block >= shape.word_blocks) {
        const int n = (block - shape.word_blocks) * RL_LAYERS_BLOCK + (int)threadIdx.x;
        if (n < a.pipe_count)
            rl_flow_cross(a, n, k);
    } else if (w < a.word_count) {
        const rl_layers_word word = a.words[w];
        const rl_layers_at at = rl_at(word, w);
        if (at.swept)
            rl_flow_column(a, at, k);
    }
    if (a.passages)
        rl_count_block(&c->flowed);
}

// ---- 2. --------------------------------------------------------------------------------

static __global__ void __launch_bounds__(RL_SMALL)
    rl_layers_shares(const __grid_constant__ rl_layers_args a)
{
    const int w = (int)((blockIdx.x * RL_SMALL + threadIdx.x) >> 5);
    rl_let_next_kernel_begin();
    if (w >= a.word_count)
        return;
    const rl_layers_word word = a.words[w];
    const rl_layers_at at = rl_at(word, w);
    rl_wait_for_kernel_before();
    if (a.control->moves && at.swept)
        rl_share_column(a, word, at, a.control->k);
}

// ---- 3. --------------------------------------------------------------------------------

static __global__ void __launch_bounds__(RL_LAYERS_BLOCK)
    rl_layers_rooms(const __grid_constant__ rl_layers_args a, int bytes)
{
    extern __shared__ __align__(16) char memory[];
    rl_layers_control *c = a.control;
    rl_let_next_kernel_begin();
    rl_wait_for_kernel_before();
    if (!c->moves)
        return;
    const rl_pipe_coef k = c->k;
    const int w = (int)((blockIdx.x * RL_LAYERS_BLOCK + threadIdx.x) >> 5);
    if (w < a.covered_count) {
        const rl_layers_word word = a.words[w];
        const rl_layers_at at = rl_at(word, w);
        float share = 1.0f;
        if (at.swept) {
            share = rl_room_of(a, word, at, k);
            a.field[RL_COLUMN_SHARE_IN][at.slot] = share;
        }
        const unsigned bits = __ballot_sync(0xffffffffu, share < 1.0f);
        if (at.lane == 0)
            a.search.shorts[w] = bits;
    }
    if (!a.passages || !rl_is_last_block(&c->roomed, (int)gridDim.x))
        return;
    rl_balance_passages(a, {memory, (size_t)bytes}, k);
    if (threadIdx.x == 0)
        c->roomed = 0;
}

// ---- 4. --------------------------------------------------------------------------------

// The largest bits of a block's depths, which are not negative, to where all blocks gather them.
__device__ __forceinline__ void rl_gather_deepest(float depth, int *gathered)
{
    __shared__ int warps[RL_SMALL / 32];
    int bits = __float_as_int(depth);
    for (int step = 16; step > 0; step /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, bits, step);
        bits = other > bits ? other : bits;
    }
    if ((threadIdx.x & 31) == 0)
        warps[threadIdx.x >> 5] = bits;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int n = 1; n < RL_SMALL / 32; n++)
        bits = warps[n] > bits ? warps[n] : bits;
    if (bits > 0)
        atomicMax(gathered, bits);
}

static __global__ void __launch_bounds__(RL_SMALL)
    rl_layers_fill(const __grid_constant__ rl_layers_args a, int word_blocks)
{
    rl_layers_control *c = a.control;
    rl_let_next_kernel_begin();
    rl_wait_for_kernel_before();
    if (!c->moves)
        return;
    float depth = 0.0f;
    if ((int)blockIdx.x < word_blocks) {
        const int w = (int)((blockIdx.x * RL_SMALL + threadIdx.x) >> 5);
        if (w < a.word_count) {
            const rl_layers_word word = a.words[w];
            const rl_layers_at at = rl_at(word, w);
            if (at.swept)
                depth = rl_fill_column(a, word, at, c->k);
        }
        rl_gather_deepest(depth, &c->gathered);
    } else {
        const int n = ((int)blockIdx.x - word_blocks) * RL_SMALL + (int)threadIdx.x;
        if (n < a.pipe_count)
            rl_fill_cross(a, n);
    }
    if (rl_is_last_block(&c->filled, (int)gridDim.x))
        rl_end_step(a);
}

// ---- Between steps ---------------------------------------------------------------------

// One block. The step of the world begins: takes what gifts have raised into its deepest water.
static __global__ void rl_layers_begin(const __grid_constant__ rl_layers_args a, rl_pace pace,
                                       float deepest, double in, double out, float *raised)
{
    __shared__ int most;
    if (threadIdx.x == 0)
        most = __float_as_int(deepest);
    __syncthreads();
    int bits = 0;
    for (int y = (int)threadIdx.x; y < a.ny; y += RL_SMALL) {
        const int other = __float_as_int(raised[y]);
        bits = other > bits ? other : bits; // -1 is a negative integer too
        raised[y] = -1.0f;
    }
    if (bits > 0)
        atomicMax(&most, bits);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    rl_layers_control *c = a.control;
    c->pace = pace;
    c->deepest = most;
    c->gathered = 0;
    c->in = in;
    c->out = out;
    c->marked = c->flowed = c->roomed = c->filled = 0;
    rl_plan_layers(a, c);
}

// A block per row that gets water. Its runs follow one after another: they may overlap.
static __global__ void rl_layers_give(const rl_device_run *runs, const int *rows,
                                      const float *amounts, float *depth, float *remainder,
                                      float *raised, int pitch)
{
    __shared__ int most;
    const int begin = rows[blockIdx.x], end = rows[blockIdx.x + 1], y = runs[begin].row;
    if (threadIdx.x == 0)
        most = __float_as_int(raised[y]);
    __syncthreads();
    for (int n = begin; n < end; n++) {
        const rl_device_run run = runs[n];
        for (int i = (int)threadIdx.x; i < run.count; i += RL_SMALL) {
            const ptrdiff_t at = (ptrdiff_t)y * pitch + run.first + i;
            float left = remainder[at];
            const float filled = rl_deposit_add(depth[at], &left, rl_gift_of(run, amounts, i));
            depth[at] = filled;
            remainder[at] = left;
            atomicMax(&most, __float_as_int(filled));
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        raised[y] = __int_as_float(most);
}

static __global__ void rl_layers_set(float *values, size_t count, float value)
{
    for (size_t n = blockIdx.x * (size_t)RL_SMALL + threadIdx.x; n < count;
         n += (size_t)gridDim.x * RL_SMALL)
        values[n] = value;
}
