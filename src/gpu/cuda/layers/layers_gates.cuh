// SPDX-License-Identifier: MIT
// layers_gates.cuh - runs and gateways of passages: measured, grouped by passages, and the air at
// them: solvers/layers/layers_passages_find.c by one block. Sums over the gateways of a passage go
// by chunks of 32, as on the host.
#pragma once

#include "gpu/cuda/layers/layers_join.cuh"

// ---- Measures of runs ------------------------------------------------------------------

#define RL_RUN_AHEAD 4 // words

// The measures of a run in memory: sums up to columns. Of missing volumes each word has its own
// sums; as many words as there are are loaded at once. Values that do not count are loaded all the
// same and left out later, so that nothing waits for memory here.
struct rl_run_sums {
    rl_layers_heights before, upto;
    uint64_t lacking_before, lacking[RL_RUN_AHEAD];
};

// Returns the last column of a run in the word of column `number`; if that comes after it, its end.
RL_DEVICE int rl_last_in_word(int number, int end)
{
    return min(number | 31, end - 1);
}

RL_DEVICE rl_run_sums rl_run_sums_of(const rl_layers_args &a, const rl_find &f, int r)
{
    const int first = rl_run(f, RL_RUN_FIRST)[r], end = rl_run(f, RL_RUN_END)[r];
    const int before = max(first - 1, 0);
    rl_run_sums sums;
    sums.before = a.search.heights[before];
    sums.upto = a.search.heights[end - 1];
    sums.lacking_before = a.search.lacking[before];
#pragma unroll
    for (int n = 0; n < RL_RUN_AHEAD; n++)
        sums.lacking[n] = a.search.lacking[rl_last_in_word(first + 32 * n, end)];
    return sums;
}

RL_DEVICE void rl_measure_run(const rl_layers_args &a, const rl_find &f, int r,
                              const rl_run_sums &sums)
{
    const int first = rl_run(f, RL_RUN_FIRST)[r], end = rl_run(f, RL_RUN_END)[r];
    const bool begins = !(first & 31) && !(f.words[first >> 5].flags & RL_WORD_WEST);
    uint64_t lacking = first & 31 ? 0 - sums.lacking_before : 0;
#pragma unroll
    for (int n = 0; n < RL_RUN_AHEAD; n++)
        lacking += (first & ~31) + 32 * n < end ? sums.lacking[n] : 0;
#pragma unroll 1
    for (int number = (first & ~31) + 32 * RL_RUN_AHEAD; number < end; number += 32)
        lacking += a.search.lacking[rl_last_in_word(number, end)];
    rl_run_measure(f, 0)[r] =
        rl_passages_run_along(end - first, sums.upto.inverse - (begins ? 0 : sums.before.inverse));
    rl_run_measure(f, 1)[r] =
        rl_passages_run_across(end - first, sums.upto.height - (begins ? 0 : sums.before.height));
    rl_run_measure(f, 2)[r] = lacking;
}

// A thread has a run, from the last one on: other threads find roots meanwhile. The values of a
// thread's first run were loaded early.
RL_DEVICE void rl_measure_runs(const rl_layers_args &a, const rl_find &f, const rl_run_sums &cached)
{
    const int mine = RL_LAYERS_BLOCK - 1 - (int)threadIdx.x;
#pragma unroll 1
    for (int r = mine; r < f.count->runs; r += RL_LAYERS_BLOCK) {
        rl_run_sums sums = cached;
        if (r != mine)
            sums = rl_run_sums_of(a, f, r);
        rl_measure_run(a, f, r, sums);
    }
}

// ---- Grouping by passages --------------------------------------------------------------

// Finds the roots, in any order, and those of gateways, whose runs are known. Returns false where
// the capacity of chunks is exceeded.
RL_DEVICE bool rl_find_roots(const rl_find &f)
{
    const int *roots = rl_run(f, RL_RUN_ROOT);
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK) {
        const int root = roots[rl_gate(f, RL_GATE_ROOT)[n]];
        rl_gate(f, RL_GATE_ROOT)[n] = root;
        atomicAdd(&rl_run(f, RL_RUN_GATES)[root], 1);
    }
#pragma unroll 1
    for (int r = (int)threadIdx.x; r < f.count->runs; r += RL_LAYERS_BLOCK)
        if (roots[r] == r)
            rl_run(f, RL_RUN_ROOTS)[atomicAdd(&f.count->roots, 1)] = r;
    __syncthreads();
    return RL_LAYERS_LARGE || f.count->roots + f.count->gates / 32 < f.chunk_capacity;
}

#define RL_GATES_AHEAD 4 // words of gateways that are read together

// Runs on a warp: puts the gateways of a passage into their places, in the order of their numbers,
// and assigns chunks.
RL_DEVICE void rl_place_gates(const rl_find &f, int root)
{
    const int lane = (int)threadIdx.x & 31, all = f.count->gates;
    const unsigned below = (1u << lane) - 1;
    const int *roots = rl_gate(f, RL_GATE_ROOT);
    const int gates = rl_run(f, RL_RUN_GATES)[root];
    int first = 0, head = 0;
    const int chunks = (gates + 31) / 32;
    if (lane == 0) {
        first = atomicAdd(&f.count->places, gates);
        head = atomicAdd(&f.count->chunks, chunks);
        rl_run(f, RL_RUN_GATE_HEAD)[root] = gates > 0 ? head : -1;
        rl_run(f, RL_RUN_AIR)[root] = 0;
    }
    first = __shfl_sync(RL_ALL_LANES, first, 0);
    head = __shfl_sync(RL_ALL_LANES, head, 0);
#pragma unroll 1
    for (int n = lane; n < chunks; n += 32) {
        rl_chunk(f, RL_CHUNK_FIRST)[head + n] = first + 32 * n;
        rl_chunk(f, RL_CHUNK_COUNT)[head + n] = min(gates - 32 * n, 32);
        rl_chunk(f, RL_CHUNK_HEAD)[head + n] = head;
        rl_chunk(f, RL_CHUNK_GROUP)[head + n] = root;
    }
    int *order = rl_gate(f, RL_GATE_ORDER) + first;
#pragma unroll 1
    for (int start = lane; start - lane < all; start += 32 * RL_GATES_AHEAD) {
#pragma unroll
        for (int k = 0; k < RL_GATES_AHEAD; k++) {
            const int n = start + 32 * k;
            const bool mine = n < all && roots[n] == root;
            const unsigned bits = __ballot_sync(RL_ALL_LANES, mine);
            if (mine)
                order[__popc(bits & below)] = n;
            order += __popc(bits);
        }
    }
}

// Runs on a warp: adds up the measures of the runs of a passage.
RL_DEVICE void rl_sum_runs(const rl_find &f, int root)
{
    const int lane = (int)threadIdx.x & 31, runs = f.count->runs;
    const int *roots = rl_run(f, RL_RUN_ROOT);
    uint64_t sums[RL_RUN_SUMS + 1] = {0, 0, 0, 0}; // the last: joints, and columns
    bool crowded = false;
#pragma unroll 2
    for (int r = lane; r < runs; r += 32) {
        if (roots[r] != root)
            continue;
        const int columns = rl_run(f, RL_RUN_END)[r] - rl_run(f, RL_RUN_FIRST)[r];
        const int joints = rl_run(f, RL_RUN_JOINTS)[r] + columns - 1;
        sums[RL_RUN_SUMS] += (uint64_t)(unsigned)joints | (uint64_t)(unsigned)columns << 32;
        crowded |= rl_run(f, RL_RUN_CROWDED)[r] != 0;
#pragma unroll
        for (int n = 0; n < RL_RUN_SUMS; n++)
            sums[n] += rl_run_measure(f, n)[r];
    }
    const uint64_t sum = rl_sum_side_by_side(sums);
    crowded = __any_sync(RL_ALL_LANES, crowded);
    if (lane % 8 != 0)
        return;
    if (lane / 8 < RL_RUN_SUMS) {
        rl_run_measure(f, lane / 8)[root] = sum;
        return;
    }
    rl_run(f, RL_RUN_ALL_JOINTS)[root] = (int)sum;
    rl_run(f, RL_RUN_COLUMNS)[root] = (int)(sum >> 32);
    rl_run(f, RL_RUN_OPENED)[root] = crowded;
}

// Groups the gateways of each passage, and its runs.
RL_DEVICE void rl_bring_together(const rl_find &f)
{
    const int roots = f.count->roots;
#pragma unroll 1
    for (int n = (int)threadIdx.x >> 5; n < 2 * roots; n += RL_LAYERS_WARPS) {
        if (n < roots)
            rl_place_gates(f, rl_run(f, RL_RUN_ROOTS)[n]);
        else
            rl_sum_runs(f, rl_run(f, RL_RUN_ROOTS)[n - roots]);
    }
    __syncthreads();
}

// Returns the sum over all chunks of a passage.
template <typename T> RL_DEVICE T rl_total(const T *sums, int head, int things)
{
    T total = 0;
#pragma unroll 4
    for (int n = 0; 32 * n < things; n++)
        total += sums[head + n];
    return total;
}

// Returns two of them.
RL_DEVICE double2 rl_totals(const double *first, const double *second, int head, int things)
{
    double2 total = {0.0, 0.0};
#pragma unroll 4
    for (int n = 0; 32 * n < things; n++) {
        total.x += first[head + n];
        total.y += second[head + n];
    }
    return total;
}

// A lane's gateway in a chunk; `number` is -1 where there is none.
struct rl_lane_gate {
    int number, head, root, gates;
};

RL_DEVICE rl_lane_gate rl_lane_gate_of(const rl_find &f, int chunk)
{
    const int lane = (int)threadIdx.x & 31;
    const int first = rl_chunk(f, RL_CHUNK_FIRST)[chunk];
    const int count = rl_chunk(f, RL_CHUNK_COUNT)[chunk];
    const int root = rl_chunk(f, RL_CHUNK_GROUP)[chunk];
    return {lane < count ? rl_gate(f, RL_GATE_ORDER)[first + lane] : -1,
            rl_chunk(f, RL_CHUNK_HEAD)[chunk], root, rl_run(f, RL_RUN_GATES)[root]};
}

// Calls see(chunk, gate) for the chunks of a warp. The first is cached, and as a rule there is no
// other.
template <typename See>
RL_DEVICE void rl_for_chunks(const rl_find &f, const rl_lane_gate &cached, See see)
{
    const int chunks = f.count->chunks, first = (int)threadIdx.x >> 5;
#pragma unroll 1
    for (int n = first; n < chunks; n += RL_LAYERS_WARPS) {
        rl_lane_gate g = cached;
        if (n != first)
            g = rl_lane_gate_of(f, n);
        see(n, g);
    }
}

// Stores the sums of a chunk, side by side, in their places.
template <int N>
RL_DEVICE void rl_put_sums(const rl_find &f, int chunk, double (&terms)[N],
                           int first = RL_SUM_FIRST)
{
    const double sum = rl_sum_side_by_side(terms);
    const int lanes = 32 / N, lane = (int)threadIdx.x & 31;
    if (lane % lanes == 0)
        rl_sums(f, first + lane / lanes)[chunk] = sum;
}

// ---- Air -------------------------------------------------------------------------------

// Adds up the values of the gateways of a chunk.
RL_DEVICE void rl_sum_chunk(const rl_find &f, int chunk, const rl_lane_gate &g)
{
    double height = 0.0, level = 0.0;
    unsigned flags = 0;
    bool blown = false;
    if (g.number >= 0) {
        flags = (unsigned)rl_gate(f, RL_GATE_FLAGS)[g.number];
        height = (double)rl_gate_real(f, RL_GATE_HEIGHT)[g.number];
        level = rl_gate_levels(f)[g.number];
        const float old = rl_gate_real(f, RL_GATE_FLOW)[g.number];
        blown = old * (flags & RL_GATE_FLAG_INWARD ? 1.0f : -1.0f) > 0.0f;
    }
    const bool airy = flags & RL_GATE_FLAG_AIRY;
    const bool some = __any_sync(RL_ALL_LANES, airy), any = __any_sync(RL_ALL_LANES, blown);
    if (((int)threadIdx.x & 31) == 0 && (some || any))
        atomicOr(&rl_run(f, RL_RUN_AIR)[g.root],
                 (some ? RL_AIR_STANDS : 0) | (any ? RL_AIR_BLOWN : 0));
    double terms[4] = {height, flags & RL_GATE_FLAG_NORTH ? height : 0.0, airy ? 0.0 : height,
                       airy ? 0.0 : height * level};
    rl_put_sums(f, chunk, terms);
}

RL_DEVICE void rl_sum_gates(const rl_find &f, const rl_lane_gate &cached)
{
    rl_for_chunks(f, cached, [&](int n, const rl_lane_gate &g) { rl_sum_chunk(f, n, g); });
    __syncthreads();
}
