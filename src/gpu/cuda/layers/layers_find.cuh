// SPDX-License-Identifier: MIT
// layers_find.cuh - finds the flooded passages: solvers/layers/layers_passages_full.c and
// layers_passages_find.c by one block, with a thread for a word of columns, a cross pipe, a run or
// a gateway. Everything has the numbers and the order that it has on the host.
#pragma once

#include "gpu/cuda/layers/layers_block.cuh"

#include "rill/world.h"

// Two numbers that are added up side by side: neither overflows.
typedef unsigned long long rl_two;

// Returns the run that holds a flooded column.
RL_DEVICE int rl_run_of(const rl_find &f, int number)
{
    const unsigned upto = 0xffffffffu >> (31 - (number & 31));
    return f.before[number >> 5] + __popc(f.begins[number >> 5] & upto) - 1;
}

// ---- Air -------------------------------------------------------------------------------

// Removes those columns of a word from `now` that air enters.
RL_DEVICE void rl_open_word(const rl_find &f, int n, uint4 air)
{
    const rl_layers_word &word = f.words[n];
    const unsigned opened = f.full[n] & ((air.x & ~rl_bits_from_west(f.full, word, n)) |
                                         (air.y & ~rl_bits_from_east(f.full, word, n)) |
                                         (air.z & ~rl_from_beside(f.full, word.south)) |
                                         (air.w & ~rl_from_beside(f.full, word.north)));
    if (opened != 0)
        atomicAnd(&f.now[n], ~opened);
}

// Does the same for a cross pipe; `air` is that of its two ends.
RL_DEVICE void rl_open_across(const rl_find &f, int n, uchar2 air)
{
    const int from_bit = f.pipes[n].from_bit, to_bit = f.pipes[n].to_bit;
    const bool from = rl_marked(f.full, from_bit), to = rl_marked(f.full, to_bit);
    const int inside = from ? from_bit : to_bit;
    if (from != to && (from ? air.x : air.y))
        atomicAnd(&f.now[inside >> 5], ~(1u << (inside & 31)));
}

#define RL_WORDS_AHEAD 2 // words and cross pipes of a thread that are loaded at once
#define RL_PIPES_AHEAD 4

// Leaves in `full` the full columns and in `now` those of them that air does not enter. Returns
// whether there are any full ones.
RL_DEVICE bool rl_take_full(const rl_layers_args &a, const rl_find &f)
{
    const int first = (int)threadIdx.x, words = a.covered_count;
    const uchar2 *airs = reinterpret_cast<const uchar2 *>(a.search.end_air);
    uint4 air[RL_WORDS_AHEAD];
    uchar2 pipe_air[RL_PIPES_AHEAD];
    int some = 0;
#pragma unroll
    for (int k = 0; k < RL_WORDS_AHEAD; k++)
        if (first + k * RL_LAYERS_BLOCK < words)
            air[k] = a.search.air[first + k * RL_LAYERS_BLOCK];
#pragma unroll
    for (int k = 0; k < RL_PIPES_AHEAD; k++)
        if (first + k * RL_LAYERS_BLOCK < a.pipe_count)
            pipe_air[k] = airs[first + k * RL_LAYERS_BLOCK];
#pragma unroll 2
    for (int n = first; n < words; n += RL_LAYERS_BLOCK) {
        const unsigned full = a.search.full[n];
        f.full[n] = f.now[n] = full;
        some |= full != 0;
    }
    if (!__syncthreads_or(some))
        return false;
#pragma unroll
    for (int k = 0; k < RL_WORDS_AHEAD; k++)
        if (first + k * RL_LAYERS_BLOCK < words)
            rl_open_word(f, first + k * RL_LAYERS_BLOCK, air[k]);
#pragma unroll 1
    for (int n = first + RL_WORDS_AHEAD * RL_LAYERS_BLOCK; n < words; n += RL_LAYERS_BLOCK)
        rl_open_word(f, n, a.search.air[n]);
#pragma unroll
    for (int k = 0; k < RL_PIPES_AHEAD; k++)
        if (first + k * RL_LAYERS_BLOCK < a.pipe_count)
            rl_open_across(f, first + k * RL_LAYERS_BLOCK, pipe_air[k]);
#pragma unroll 1
    for (int n = first + RL_PIPES_AHEAD * RL_LAYERS_BLOCK; n < a.pipe_count; n += RL_LAYERS_BLOCK)
        rl_open_across(f, n, airs[n]);
    __syncthreads();
    return true;
}

// ---- Runs and gateways -----------------------------------------------------------------

// Finds which cross pipes are gateways, and which lie inside passages. Counts begin anew.
RL_DEVICE void rl_see_pipes(const rl_layers_args &a, const rl_find &f)
{
    if (threadIdx.x == 0)
        *f.count = {};
#pragma unroll 4
    for (int start = 0; start < 32 * f.pipe_words; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x, pipe = n < a.pipe_count ? n : a.pipe_count - 1;
        const int from_bit = f.pipes[pipe].from_bit, to_bit = f.pipes[pipe].to_bit;
        const unsigned from_word = f.now[from_bit < 0 ? 0 : from_bit >> 5];
        const unsigned to_word = f.now[to_bit < 0 ? 0 : to_bit >> 5];
        const bool is_one = n == pipe;
        const bool from = is_one & (from_bit >= 0) & (from_word >> (from_bit & 31) & 1);
        const bool to = is_one & (to_bit >= 0) & (to_word >> (to_bit & 31) & 1);
        const unsigned gates = __ballot_sync(RL_ALL_LANES, from != to);
        const unsigned joints = __ballot_sync(RL_ALL_LANES, from && to);
        if ((n & 31) == 0 && n >> 5 < f.pipe_words) {
            f.pipe_gates[n >> 5] = gates;
            f.pipe_joints[n >> 5] = joints;
        }
    }
    __syncthreads();
}

// Returns the runs, and gateways in the upper half, of a word or of 32 cross pipes.
RL_DEVICE rl_two rl_count_item(const rl_layers_args &a, const rl_find &f, int n)
{
    if (n >= a.covered_count)
        return (rl_two)(unsigned)__popc(f.pipe_gates[n - a.covered_count]) << 32;
    unsigned begins = 0;
    uint4 rims = {0, 0, 0, 0};
    const unsigned here = f.now[n];
    if (here != 0) {
        const rl_layers_word &word = f.words[n];
        const unsigned west = rl_bits_from_west(f.now, word, n),
                       east = rl_bits_from_east(f.now, word, n);
        begins = here & ~(west & word.join_west);
        rims.x = here & word.join_west & ~west;
        rims.y = here & word.join_east & ~east;
        rims.z = here & word.join_south & ~rl_from_beside(f.now, word.south);
        rims.w = here & word.join_north & ~rl_from_beside(f.now, word.north);
    }
    f.begins[n] = begins;
    f.rims[n] = rims;
    const int gates = __popc(rims.x) + __popc(rims.y) + __popc(rims.z) + __popc(rims.w);
    return (rl_two)(unsigned)__popc(begins) | (rl_two)(unsigned)gates << 32;
}

// Lists the words that hold flooded columns, in any order, each thread one of its own.
RL_DEVICE void rl_list_busy(const rl_find &f, int n, bool busy)
{
    const unsigned all = __ballot_sync(RL_ALL_LANES, busy), below = (1u << (threadIdx.x & 31)) - 1;
    int place = 0;
    if (all != 0 && ((int)threadIdx.x & 31) == 0)
        place = atomicAdd(&f.count->busy, __popc(all));
    place = __shfl_sync(RL_ALL_LANES, place, 0) + __popc(all & below);
    if (busy)
        rl_busy_words(f)[place] = n;
}

RL_DEVICE void rl_begin_runs(const rl_find &f)
{
#pragma unroll 1
    for (int r = (int)threadIdx.x; r < f.count->runs; r += RL_LAYERS_BLOCK) {
        rl_run(f, RL_RUN_PARENT)[r] = rl_run(f, RL_RUN_ROOT)[r] = r;
        rl_run(f, RL_RUN_JOINTS)[r] = rl_run(f, RL_RUN_CROWDED)[r] = rl_run(f, RL_RUN_GATES)[r] = 0;
    }
}

// Numbers runs and gateways, in order. Returns false where the capacity is exceeded.
RL_DEVICE bool rl_number_all(const rl_layers_args &a, const rl_find &f)
{
    const int items = a.covered_count + f.pipe_words;
    const int each = (items + RL_LAYERS_BLOCK - 1) / RL_LAYERS_BLOCK;
    const int first = (int)threadIdx.x * each;
    rl_two mine = 0, total;
#pragma unroll 2
    for (int n = first; n < first + each; n++) {
        if (n < items)
            mine += rl_count_item(a, f, n);
        rl_list_busy(f, n, n < a.covered_count && f.now[n] != 0);
    }
    rl_two next = rl_sum_before(mine, RL_LAYERS_WARPS, &total);
    if (threadIdx.x == 0) {
        const int gates = (int)(total >> 32), most = a.gateway_capacity;
        f.count->runs = (int)total;
        f.count->gates = gates < most ? gates : most;
    }
    __syncthreads();
    if (f.count->runs > f.run_capacity || f.count->gates > f.gate_capacity)
        return false;
    rl_begin_runs(f);
#pragma unroll 2
    for (int n = first; n < first + each && n < items; n++) {
        if (n >= a.covered_count) {
            f.pipe_before[n - a.covered_count] = (int)(next >> 32);
            next += (rl_two)(unsigned)__popc(f.pipe_gates[n - a.covered_count]) << 32;
        } else {
            const uint4 rims = f.rims[n];
            const int gates = __popc(rims.x) + __popc(rims.y) + __popc(rims.z) + __popc(rims.w);
            f.before[n] = (int)next;
            f.gate_before[n] = (int)(next >> 32);
            next += (rl_two)(unsigned)__popc(f.begins[n]) | (rl_two)(unsigned)gates << 32;
        }
    }
    __syncthreads();
    return true;
}
