// SPDX-License-Identifier: MIT
// layers_block.cuh - what a block does together: numbers counted up in order, groups, sums in a
// fixed order.
#pragma once

#include "gpu/cuda/layers_args.cuh"

// Memory that is dealt out: shared as long as there is some, else what the caller has instead.
struct rl_pool {
    char *at;
    size_t left;
};

template <typename T> __device__ __forceinline__ T *rl_deal(rl_pool *pool, int count, T *instead)
{
    const size_t bytes = ((size_t)count * sizeof(T) + 15) / 16 * 16;
    if (bytes > pool->left)
        return instead;
    T *part = reinterpret_cast<T *>(pool->at);
    pool->at += bytes;
    pool->left -= bytes;
    return part;
}

// The same with a copy of what lies there; to be followed by a barrier.
template <typename T>
__device__ __forceinline__ const T *rl_deal_copy(rl_pool *pool, int count, const T *from)
{
    static_assert(sizeof(T) % sizeof(int) == 0, "whole words are copied");
    T *part = rl_deal(pool, count, const_cast<T *>(from));
    if (part == from)
        return from;
    const int *source = reinterpret_cast<const int *>(from);
    int *to = reinterpret_cast<int *>(part);
    const int words = count * (int)(sizeof(T) / sizeof(int));
    for (int n = (int)threadIdx.x; n < words; n += RL_LAYERS_BLOCK)
        to[n] = source[n];
    return part;
}

// The sum of the values of all threads before this one; `total` is that of all.
__device__ __forceinline__ int rl_sum_before(int value, int *total)
{
    __shared__ int sums[33];
    const int lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5;
    int upto = value;
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, upto, step);
        upto += lane >= step ? other : 0;
    }
    __syncthreads(); // `sums` may still be read
    if (lane == 31)
        sums[warp] = upto;
    __syncthreads();
    if (warp == 0) {
        const int mine = lane < RL_LAYERS_BLOCK / 32 ? sums[lane] : 0;
        int all = mine;
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, all, step);
            all += lane >= step ? other : 0;
        }
        sums[lane] = all - mine;
        if (lane == 31)
            sums[32] = all;
    }
    __syncthreads();
    *total = sums[32];
    return sums[warp] + upto - value;
}

// The sum in the order of the terms. The next ones are on their way while some are added.
template <typename T> __device__ __forceinline__ T rl_sum_in_order(const T *terms, int count, T sum)
{
    T t[8], next[8];
    for (int i = 0; i < 8; i++)
        t[i] = i < count ? terms[i] : (T)0;
    for (int n = 0; n + 8 <= count; n += 8) {
        for (int i = 0; i < 8; i++)
            next[i] = n + 8 + i < count ? terms[n + 8 + i] : (T)0;
        for (int i = 0; i < 8; i++)
            sum += t[i];
        for (int i = 0; i < 8; i++)
            t[i] = next[i];
    }
    for (int i = 0; i < count % 8; i++)
        sum += t[i];
    return sum;
}

// The exponent of the lowest bit of a number that is set; large for 0.
__device__ __forceinline__ int rl_lowest_bit(double value)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (value == 0.0)
        return 2000;
    const unsigned long long digits = (bits & 0xfffffffffffffull) | (exponent > 0 ? 1ull << 52 : 0);
    return (exponent > 0 ? exponent : 1) - 1075 + __ffsll((long long)digits) - 1;
}

// 2 to a power.
__device__ __forceinline__ double rl_two_to(int power)
{
    return power < -1022  ? 0.0
           : power > 1023 ? __longlong_as_double(0x7ff0000000000000ll)
                          : __longlong_as_double((long long)(power + 1023) << 52);
}

// The sum in the order of the terms, by a warp. Where all digits of all sums on the way find room,
// nothing is ever rounded and any order will do; else one lane takes them one after the other.
__device__ __forceinline__ double rl_sum_by_warp(const double *terms, int count, double start)
{
    const int lane = (int)threadIdx.x & 31;
    double sum = lane == 0 ? start : 0.0, size = fabs(sum);
    int lowest = rl_lowest_bit(sum);
    for (int n = lane; n < count; n += 32) {
        const double term = terms[n];
        const int bit = rl_lowest_bit(term);
        sum += term;
        size += fabs(term);
        lowest = bit < lowest ? bit : lowest;
    }
    for (int step = 16; step > 0; step /= 2) {
        const int bit = __shfl_xor_sync(0xffffffffu, lowest, step);
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
        size += __shfl_xor_sync(0xffffffffu, size, step);
        lowest = bit < lowest ? bit : lowest;
    }
    if (size < rl_two_to(lowest + 52))
        return sum;
    if (lane == 0)
        sum = rl_sum_in_order(terms, count, start);
    return __shfl_sync(0xffffffffu, sum, 0);
}

// Puts things together that belong to the same of `groups` groups, each group in the order of the
// things: `first` and `count` of the groups, and the place of each thing. A warp a group.
__device__ inline void rl_group(const int *group_of, int things, int groups, int *first, int *count,
                                int *place)
{
    const int thread = (int)threadIdx.x, lane = thread & 31;
    for (int g = thread; g < groups; g += RL_LAYERS_BLOCK)
        count[g] = 0;
    __syncthreads();
    for (int n = thread; n < (things + 31) / 32 * 32; n += RL_LAYERS_BLOCK) {
        // Mostly all things of a warp are of one group.
        const int group = n < things ? group_of[n] : -1;
        const int one = __shfl_sync(0xffffffffu, group, 0);
        const unsigned alike = __ballot_sync(0xffffffffu, group == one);
        if (lane == 0)
            atomicAdd(&count[one], __popc(alike));
        else if (group >= 0 && group != one)
            atomicAdd(&count[group], 1);
    }
    __syncthreads();
    int before = 0;
    for (int start = 0; start < groups; start += RL_LAYERS_BLOCK) {
        const int g = start + thread;
        int total;
        const int sum = rl_sum_before(g < groups ? count[g] : 0, &total);
        if (g < groups)
            first[g] = before + sum;
        before += total;
    }
    __syncthreads();
    for (int g = thread >> 5; g < groups; g += RL_LAYERS_BLOCK / 32) {
        int next = first[g];
        const int end = next + count[g];
        for (int start = 0; start < things && next < end; start += 32) {
            const bool mine = start + lane < things && group_of[start + lane] == g;
            const unsigned all = __ballot_sync(0xffffffffu, mine);
            if (mine)
                place[start + lane] = next + __popc(all & ((1u << lane) - 1));
            next += __popc(all);
        }
    }
    __syncthreads();
}
