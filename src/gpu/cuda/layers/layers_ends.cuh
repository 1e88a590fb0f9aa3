// SPDX-License-Identifier: MIT
// layers_ends.cuh - the cross pipes of a word of columns. A lane loads the data of one end of a
// pipe, so that all of a word is loaded at once; then each column takes those of its own ends from
// these lanes, in their order.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

struct rl_layers_ends {
    int first, count; // ends of the word, in the list
    int begin, end;   // those of the lane's column, counted from `first`
    int most;         // that a column of the word has
    rl_layers_end mine;
};

// Returns end `n` of a word; lanes for which there is none get the last.
__device__ __forceinline__ rl_layers_end rl_end_at(const rl_layers_args &a, int first, int count,
                                                   int n)
{
    return a.ends[first + (n < count ? n : count - 1)];
}

__device__ __forceinline__ rl_layers_ends rl_ends_of(const rl_layers_args &a,
                                                     const rl_layers_word &word, int lane)
{
    rl_layers_ends ends = {0, 0, 0, 0, 0, {0, word.slot + lane, word.slot + lane, -1}};
    if (word.crossed == 0)
        return ends;
    const int *firsts = a.ends_first + word.crossed_first;
    const int before = __popc(word.crossed & ((1u << lane) - 1));
    ends.first = firsts[0];
    ends.count = firsts[__popc(word.crossed)] - ends.first;
    ends.begin = firsts[before] - ends.first;
    ends.end = word.crossed >> lane & 1 ? firsts[before + 1] - ends.first : ends.begin;
    ends.most = rl_largest_of_warp(ends.end - ends.begin);
    ends.mine = rl_end_at(a, ends.first, ends.count, lane);
    return ends;
}

// Returns the slot of the column that an end belongs to, and of that at the other end.
__device__ __forceinline__ int rl_own_slot(const rl_layers_end &end)
{
    return end.end & 1 ? end.to : end.from;
}

__device__ __forceinline__ int rl_far_slot(const rl_layers_end &end)
{
    return end.end & 1 ? end.from : end.to;
}

// Calls take(value) for each end of the lane's column, in order; `mine` is the value of the lane's
// end among those from `group` on. All lanes of a warp must call it.
template <typename Take>
__device__ __forceinline__ void rl_take_group(const rl_layers_ends &ends, int group, float mine,
                                              Take take)
{
#pragma unroll 1
    for (int n = 0; n < ends.most; n++) {
        const int at = ends.begin + n - group;
        const float value = __shfl_sync(RL_ALL_LANES, mine, at & 31);
        if (ends.begin + n < ends.end && at >= 0 && at < 32)
            take(value);
    }
}

// Does the same for all ends of a word, from value(end).
template <typename Value, typename Take>
__device__ __forceinline__ void rl_take_ends(const rl_layers_args &a, const rl_layers_ends &ends,
                                             Value value, Take take)
{
#pragma unroll 1
    for (int group = 0; group < ends.count; group += 32) {
        rl_layers_end end = ends.mine;
        if (group > 0)
            end = rl_end_at(a, ends.first, ends.count, group + ((int)threadIdx.x & 31));
        rl_take_group(ends, group, value(end), take);
    }
}

// Returns the ends of the lane's column among those of a group, as bits.
__device__ __forceinline__ unsigned rl_own_ends(const rl_layers_ends &ends, int group)
{
    const int begin = max(ends.begin - group, 0), end = min(ends.end - group, 32);
    return begin < end ? (0xffffffffu >> (32 - (end - begin))) << begin : 0;
}
