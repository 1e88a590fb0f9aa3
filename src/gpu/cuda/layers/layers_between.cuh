// SPDX-License-Identifier: MIT
// layers_between.cuh - kernels of the layers solver between frames.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

#define RL_SMALL 256 // threads of a block

// A warp has a row of a covered plane, by its first word: adds up the heights of its columns.
static __global__ void rl_layers_measure(const __grid_constant__ rl_layers_args a)
{
    const int lane = (int)threadIdx.x & 31;
    int n = ((int)blockIdx.x * RL_SMALL + (int)threadIdx.x) >> 5;
    if (n >= a.covered_count || a.words[n].flags & RL_WORD_WEST)
        return;
    rl_layers_heights sum = {0, 0};
    for (unsigned flags = RL_WORD_EAST; flags & RL_WORD_EAST; n++) {
        const int slot = a.words[n].slot + lane;
        const float base = a.field[RL_COLUMN_BASE][slot], top = a.field[RL_COLUMN_TOP][slot];
        rl_layers_heights mine = {0, 0};
        if (a.words[n].cells >> lane & 1 && top > base) {
            mine.height = rl_passages_count_height(base, top, a.rules.cell_size);
            mine.inverse = rl_passages_count_inverse(base, top, a.rules.cell_size);
        }
        mine.height = sum.height + rl_sum_up_to(mine.height);
        mine.inverse = sum.inverse + rl_sum_up_to(mine.inverse);
        a.search.heights[32 * n + lane] = mine;
        sum.height = __shfl_sync(RL_ALL_LANES, mine.height, 31);
        sum.inverse = __shfl_sync(RL_ALL_LANES, mine.inverse, 31);
        flags = a.words[n].flags;
    }
}

template <typename T> static __global__ void rl_layers_set(T *values, size_t count, T value)
{
    for (size_t n = blockIdx.x * (size_t)RL_SMALL + threadIdx.x; n < count;
         n += (size_t)gridDim.x * RL_SMALL)
        values[n] = value;
}

// A warp has a word: the limiters of swept columns are not known yet.
static __global__ void rl_layers_await_limiters(const __grid_constant__ rl_layers_args a)
{
    const int lane = (int)threadIdx.x & 31,
              n = ((int)blockIdx.x * RL_SMALL + (int)threadIdx.x) >> 5;
    if (n < a.word_count && a.words[n].cells >> lane & 1)
        a.limiters[a.words[n].slot + lane].step = RL_STEP_NONE;
}
