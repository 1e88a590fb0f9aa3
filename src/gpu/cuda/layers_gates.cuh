// SPDX-License-Identifier: MIT
// layers_gates.cuh - runs and gateways of passages: looked at, brought together, and the air at
// them. solvers/layers/layers_passages_find.c by one block. Sums over the gateways of a passage go
// by chunks of 32, as on the host.
#pragma once

#include "gpu/cuda/layers_join.cuh"

// ---- Measures of runs ------------------------------------------------------------------

#define RL_RUN_AHEAD 4 // words that are on their way while some are added

// What the columns of a run lack. Each word has its own sums up to each column.
__device__ __forceinline__ uint64_t rl_lacking_of(const rl_layers_args &a, int first, int end)
{
    const uint64_t *sums = a.search.lacking;
    uint64_t lacking = first & 31 ? 0 - sums[first - 1] : 0;
#pragma unroll 1
    for (int number = first; number < end; number = (number | 31) + 1 + 32 * (RL_RUN_AHEAD - 1)) {
        uint64_t next[RL_RUN_AHEAD];
#pragma unroll
        for (int n = 0; n < RL_RUN_AHEAD; n++) {
            const int last = (number | 31) + 32 * n, begin = n == 0 ? number : last - 31;
            next[n] = begin < end ? sums[last < end ? last : end - 1] : 0;
        }
#pragma unroll
        for (int n = 0; n < RL_RUN_AHEAD; n++)
            lacking += next[n];
    }
    return lacking;
}

// A thread a run, from the last one on: others look at gateways meanwhile.
__device__ __forceinline__ void rl_measure_runs(const rl_layers_args &a, const rl_find &f)
{
    const int *firsts = rl_run(f, RL_RUN_FIRST), *ends = rl_run(f, RL_RUN_END);
    const int runs = f.count->runs;
#pragma unroll 1
    for (int r = RL_LAYERS_BLOCK - 1 - (int)threadIdx.x; r < runs; r += RL_LAYERS_BLOCK) {
        const int first = firsts[r], end = ends[r];
        const bool begins = !(first & 31) && !(f.words[first >> 5].flags & RL_WORD_WEST);
        const rl_layers_heights upto = a.search.heights[end - 1];
        rl_layers_heights before = {0, 0};
        if (!begins)
            before = a.search.heights[first - 1];
        const uint64_t lacking = rl_lacking_of(a, first, end);
        rl_run_measure(f, 0)[r] = rl_passages_run_along(end - first, upto.inverse - before.inverse);
        rl_run_measure(f, 1)[r] = rl_passages_run_across(end - first, upto.height - before.height);
        rl_run_measure(f, 2)[r] = lacking;
    }
}

// ---- Gateways --------------------------------------------------------------------------

// 1 + the side of the grid that a face lies on, or 0.
__device__ __forceinline__ unsigned rl_side_of(const rl_layers_args &a, int kind, int x, int y)
{
    if (kind == RL_FOUND_WEST && x == 0)
        return 1 + RILL_SIDE_WEST;
    if (kind == RL_FOUND_EAST && x == a.nx - 1)
        return 1 + RILL_SIDE_EAST;
    if (kind == RL_FOUND_SOUTH && y == 0)
        return 1 + RILL_SIDE_SOUTH;
    return kind == RL_FOUND_NORTH && y == a.ny - 1 ? 1 + RILL_SIDE_NORTH : 0;
}

struct rl_gate_place {
    int number, beside, inside, outside, face; // numbers of columns, slots
    unsigned flags;
    const float *old;
};

__device__ __forceinline__ rl_gate_place rl_gate_across(const rl_layers_args &a, const rl_find &f,
                                                        int n, bool inward)
{
    const rl_layers_pipe &pipe = f.pipes[n];
    rl_gate_place g;
    g.number = inward ? pipe.to_bit : pipe.from_bit;
    g.beside = inward ? pipe.from_bit : pipe.to_bit;
    g.inside = (int)(inward ? pipe.to : pipe.from);
    g.outside = (int)(inward ? pipe.from : pipe.to);
    g.face = n;
    g.flags = RL_GATE_FLAG_CROSS | (inward ? RL_GATE_FLAG_INWARD : 0) |
              (pipe.north ? RL_GATE_FLAG_NORTH : 0);
    g.old = a.cross_q + n;
    return g;
}

__device__ __forceinline__ rl_gate_place rl_gate_place_of(const rl_layers_args &a, const rl_find &f,
                                                          int found)
{
    const int kind = found & 7, thing = found >> 3;
    if (kind >= RL_FOUND_CROSS)
        return rl_gate_across(a, f, thing, kind > RL_FOUND_CROSS);
    const rl_layers_word &word = f.words[thing >> 5];
    const bool along_y = kind >= RL_FOUND_SOUTH;
    const bool inward = kind == RL_FOUND_WEST || kind == RL_FOUND_SOUTH;
    const int step = along_y ? a.pitch : 1;
    rl_gate_place g;
    g.number = thing;
    g.beside = rl_number_beside(word, thing, kind);
    g.inside = word.slot + (thing & 31);
    g.outside = inward ? g.inside - step : g.inside + step;
    g.face = inward ? g.outside : g.inside;
    g.flags = (along_y ? RL_GATE_FLAG_Y | RL_GATE_FLAG_NORTH : 0) |
              (inward ? RL_GATE_FLAG_INWARD : 0) |
              rl_side_of(a, kind, word.x + (thing & 31), word.y) << RL_GATE_BEYOND;
    g.old = a.field[along_y ? RL_COLUMN_QY : RL_COLUMN_QX] + g.face;
    return g;
}

// Looks at gateway n.
__device__ __forceinline__ void rl_take_gate(const rl_layers_args &a, const rl_find &f, int n)
{
    const float *bases = a.field[RL_COLUMN_BASE], *tops = a.field[RL_COLUMN_TOP];
    const rl_gate_place g = rl_gate_place_of(a, f, rl_gate(f, RL_GATE_FOUND)[n]);
    const float base = bases[g.inside], top = tops[g.inside], base_outside = bases[g.outside];
    const float top_outside = tops[g.outside], depth = a.field[RL_COLUMN_DEPTH][g.outside];
    const float old = *g.old;
    const bool was = rl_marked(f.was, g.number);
    const float sill = base > base_outside ? base : base_outside;
    const float ceiling = top < top_outside ? top : top_outside;
    const float air = rl_passages_air_level_of(a.cell_size, base, top, ceiling, was);
    const float level = base_outside + depth;
    const bool airy = !rl_marked(f.full, g.beside) && level < air;
    const unsigned beyond = g.flags >> RL_GATE_BEYOND;
    const unsigned flags =
        g.flags | (airy ? RL_GATE_FLAG_AIRY : 0) | (was ? 0 : RL_GATE_FLAG_FRESH);
    rl_gate(f, RL_GATE_FACE)[n] = g.face;
    rl_gate(f, RL_GATE_FLAGS)[n] = (int)flags;
    rl_gate(f, RL_GATE_INSIDE)[n] = g.inside;
    rl_gate(f, RL_GATE_OUTSIDE)[n] = g.outside;
    rl_gate(f, RL_GATE_BESIDE)[n] = g.beside;
    rl_gate_real(f, RL_GATE_HEIGHT)[n] = ceiling - sill;
    rl_gate_real(f, RL_GATE_DEPTH)[n] = depth;
    rl_gate_real(f, RL_GATE_FLOW)[n] = old;
    // The end of a passage that runs full into the air is at the pressure of the air. A ghost ends
    // at its ceiling; the sea beyond may stand higher.
    rl_gate_levels(f)[n] = (double)(airy ? air : beyond != 0 ? a.border_level[beyond - 1] : level);
    const int root = rl_run(f, RL_RUN_ROOT)[rl_run_of(f, g.number)];
    rl_gate(f, RL_GATE_ROOT)[n] = root;
    atomicAdd(&rl_run(f, RL_RUN_GATES)[root], 1);
}

// ---- Together --------------------------------------------------------------------------

// Finds the roots, in any order, and looks at all gateways. False where there is no room for
// chunks.
__device__ __forceinline__ bool rl_take_gates(const rl_layers_args &a, const rl_find &f)
{
    const int *roots = rl_run(f, RL_RUN_ROOT);
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK)
        rl_take_gate(a, f, n);
#pragma unroll 1
    for (int r = (int)threadIdx.x; r < f.count->runs; r += RL_LAYERS_BLOCK)
        if (roots[r] == r)
            rl_run(f, RL_RUN_ROOTS)[atomicAdd(&f.count->roots, 1)] = r;
    __syncthreads();
    return RL_LAYERS_LARGE || f.count->roots + f.count->gates / 32 < RL_CHUNK_ROOM(f);
}

#define RL_GATES_AHEAD 4 // words of gateways that are looked at together

// By a warp: puts the gateways of a passage into their places, in the order of their numbers, and
// deals out chunks.
__device__ __forceinline__ void rl_place_gates(const rl_find &f, int root)
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

// By a warp: adds up what is known of the runs of a passage.
__device__ __forceinline__ void rl_sum_runs(const rl_find &f, int root)
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

// Brings the gateways of each passage together, and its runs.
__device__ __forceinline__ void rl_bring_together(const rl_find &f)
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

// The sum over all chunks of a passage.
template <typename T> __device__ __forceinline__ T rl_total(const T *sums, int head, int things)
{
    T total = 0;
#pragma unroll 4
    for (int n = 0; 32 * n < things; n++)
        total += sums[head + n];
    return total;
}

// A lane's gateway in a chunk; `number` is -1 where there is none.
struct rl_lane_gate {
    int number, head, root, gates;
};

__device__ __forceinline__ rl_lane_gate rl_lane_gate_of(const rl_find &f, int chunk)
{
    const int lane = (int)threadIdx.x & 31;
    const int first = rl_chunk(f, RL_CHUNK_FIRST)[chunk];
    const int count = rl_chunk(f, RL_CHUNK_COUNT)[chunk];
    const int root = rl_chunk(f, RL_CHUNK_GROUP)[chunk];
    return {lane < count ? rl_gate(f, RL_GATE_ORDER)[first + lane] : -1,
            rl_chunk(f, RL_CHUNK_HEAD)[chunk], root, rl_run(f, RL_RUN_GATES)[root]};
}

// Sums of a chunk, side by side, go to where they belong.
template <int N>
__device__ __forceinline__ void rl_put_sums(const rl_find &f, int chunk, double (&terms)[N],
                                            int first = RL_SUM_FIRST)
{
    const double sum = rl_sum_side_by_side(terms);
    const int lanes = 32 / N, lane = (int)threadIdx.x & 31;
    if (lane % lanes == 0)
        rl_sums(f, first + lane / lanes)[chunk] = sum;
}

// ---- Air -------------------------------------------------------------------------------

// Adds up what is known of the gateways of a chunk.
__device__ __forceinline__ void rl_sum_chunk(const rl_find &f, int chunk)
{
    const rl_lane_gate g = rl_lane_gate_of(f, chunk);
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

__device__ __forceinline__ void rl_sum_gates(const rl_find &f)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x >> 5; n < f.count->chunks; n += RL_LAYERS_WARPS)
        rl_sum_chunk(f, n);
    __syncthreads();
}
