// SPDX-License-Identifier: MIT
// layers_find.cuh - where the flooded passages are: solvers/layers/layers_passages_full.c and
// layers_passages_find.c by one block, with a thread for a word of columns, a cross pipe, a run or
// a gateway. Everything has the numbers and the order that it has on the host.
#pragma once

#include "gpu/cuda/layers_store.cuh"

#include "rill/world.h"

// ---- Bits ------------------------------------------------------------------------------

__device__ __forceinline__ unsigned rl_from_west(const unsigned *bits, const rl_layers_word &word,
                                                 int w)
{
    return bits[w] << 1 | (word.flags & RL_WORD_WEST ? bits[w - 1] >> 31 : 0);
}

__device__ __forceinline__ unsigned rl_from_east(const unsigned *bits, const rl_layers_word &word,
                                                 int w)
{
    return bits[w] >> 1 | (word.flags & RL_WORD_EAST ? bits[w + 1] << 31 : 0);
}

__device__ __forceinline__ unsigned rl_from_beside(const unsigned *bits, int other)
{
    return other >= 0 ? bits[other] : 0;
}

// The run that holds a flooded column.
__device__ __forceinline__ int rl_run_of(const rl_find &f, int number)
{
    const unsigned upto = 0xffffffffu >> (31 - (number & 31));
    return f.before[number >> 5] + __popc(f.begins[number >> 5] & upto) - 1;
}

// ---- Air -------------------------------------------------------------------------------

// Takes over which columns are full; returns whether there are any.
__device__ __forceinline__ bool rl_take_full(const rl_layers_args &a, const rl_find &f)
{
    int some = 0;
#pragma unroll 2
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        const unsigned full = a.search.full[n];
        f.full[n] = f.now[n] = full;
        some |= full != 0;
    }
    return __syncthreads_or(some);
}

// Leaves in `now` the full columns that air does not enter at once.
__device__ __forceinline__ void rl_open_to_air(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 2
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        const uint4 air = a.search.air[n];
        const rl_layers_word &word = f.words[n];
        const unsigned opened = f.full[n] & ((air.x & ~rl_from_west(f.full, word, n)) |
                                             (air.y & ~rl_from_east(f.full, word, n)) |
                                             (air.z & ~rl_from_beside(f.full, word.south)) |
                                             (air.w & ~rl_from_beside(f.full, word.north)));
        if (opened != 0)
            atomicAnd(&f.now[n], ~opened);
    }
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK) {
        const int from_bit = f.pipes[n].from_bit, to_bit = f.pipes[n].to_bit;
        const bool from = rl_marked(f.full, from_bit), to = rl_marked(f.full, to_bit);
        if (from == to)
            continue;
        const uint2 air = a.search.pipe_air[n >> 5];
        const int inside = from ? from_bit : to_bit;
        if ((from ? air.x : air.y) >> (n & 31) & 1)
            atomicAnd(&f.now[inside >> 5], ~(1u << (inside & 31)));
    }
    __syncthreads();
}

// ---- Runs and gateways -----------------------------------------------------------------

// Found gateways: of faces the number of the column inside times 8 plus the side it lies on, of
// cross pipes the number of the pipe times 8 plus 4, plus 1 where it leads inwards.
enum { RL_FOUND_WEST, RL_FOUND_EAST, RL_FOUND_SOUTH, RL_FOUND_NORTH, RL_FOUND_CROSS };

// Which cross pipes are gateways, and which lie inside passages.
__device__ __forceinline__ void rl_see_pipes(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_pipe *pipes = f.pipes;
    const unsigned *now = f.now;
    unsigned *pipe_gates = f.pipe_gates, *pipe_joints = f.pipe_joints;
    const int words = f.pipe_words;
#pragma unroll 2
    for (int start = 0; start < 32 * words; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x, pipe = n < a.pipe_count ? n : a.pipe_count - 1;
        const int from_bit = pipes[pipe].from_bit, to_bit = pipes[pipe].to_bit;
        const unsigned from_word = now[from_bit < 0 ? 0 : from_bit >> 5];
        const unsigned to_word = now[to_bit < 0 ? 0 : to_bit >> 5];
        const bool is_one = n == pipe;
        const bool from = is_one & (from_bit >= 0) & (from_word >> (from_bit & 31) & 1);
        const bool to = is_one & (to_bit >= 0) & (to_word >> (to_bit & 31) & 1);
        const unsigned gates = __ballot_sync(RL_ALL_LANES, from != to);
        const unsigned joints = __ballot_sync(RL_ALL_LANES, from && to);
        if ((n & 31) == 0 && n >> 5 < words) {
            pipe_gates[n >> 5] = gates;
            pipe_joints[n >> 5] = joints;
        }
    }
    __syncthreads();
}

// Runs, and gateways in the upper half, of a word or of 32 cross pipes.
__device__ __forceinline__ rl_two rl_count_item(const rl_layers_args &a, const rl_find &f, int n)
{
    if (n >= a.covered_count)
        return (rl_two)(unsigned)__popc(f.pipe_gates[n - a.covered_count]) << 32;
    unsigned begins = 0;
    uint4 rims = {0, 0, 0, 0};
    const unsigned here = f.now[n];
    if (here != 0) {
        const rl_layers_word &word = f.words[n];
        const unsigned west = rl_from_west(f.now, word, n), east = rl_from_east(f.now, word, n);
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

// Lists where runs begin in a word, the first of which has number `run`, and where runs end.
__device__ __forceinline__ void rl_list_runs(const rl_find &f, int n, int run)
{
    const unsigned begins = f.begins[n], here = f.now[n];
    int *first = rl_run(f, RL_RUN_FIRST), *end = rl_run(f, RL_RUN_END);
    f.before[n] = run;
    if (here == 0)
        return;
    const rl_layers_word &word = f.words[n];
    unsigned ends = here & ~(rl_from_east(f.now, word, n) & word.join_east);
    // A run that came from the word before is one less.
    int ended = (here & (0 - here)) == (begins & (0 - begins)) ? run : run - 1;
#pragma unroll 1
    for (unsigned left = begins; left != 0; left &= left - 1)
        first[run++] = 32 * n + __ffs((int)left) - 1;
#pragma unroll 1
    for (; ends != 0; ends &= ends - 1)
        end[ended++] = 32 * n + __ffs((int)ends);
}

__device__ __forceinline__ void rl_begin_runs(const rl_find &f)
{
#pragma unroll 1
    for (int r = (int)threadIdx.x; r < f.count->runs; r += RL_LAYERS_BLOCK) {
        rl_run(f, RL_RUN_PARENT)[r] = r;
        rl_run(f, RL_RUN_JOINTS)[r] = rl_run(f, RL_RUN_CROWDED)[r] = 0;
#pragma unroll
        for (int what = RL_RUN_COLUMNS; what <= RL_RUN_GATES; what++)
            rl_run(f, what)[r] = 0;
    }
}

// The last place of `count` whose number is not above a value; numbers rise, and the first one is
// not above it.
__device__ __forceinline__ int rl_last_upto(const int *numbers, int count, int value)
{
    int low = 0;
#pragma unroll 1
    for (int high = count; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (numbers[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The lane that holds gateway `rank` of a word, which becomes the rank among those of the lane.
__device__ __forceinline__ int rl_lane_of(uint4 rims, int *rank)
{
    int lane = 0, before = 0;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        const unsigned below = (1u << (lane + step)) - 1;
        const int count = __popc(rims.x & below) + __popc(rims.y & below) + __popc(rims.z & below) +
                          __popc(rims.w & below);
        if (count <= *rank) {
            lane += step;
            before = count;
        }
    }
    *rank -= before;
    return lane;
}

// Which gateway a number is: those of faces come first, by words, columns and sides.
__device__ __forceinline__ int rl_found_face(const rl_layers_args &a, const rl_find &f, int gate)
{
    const int n = rl_last_upto(f.gate_before, a.covered_count, gate);
    const uint4 rims = f.rims[n];
    int rank = gate - f.gate_before[n];
    const int lane = rl_lane_of(rims, &rank);
    unsigned sides = (rims.x >> lane & 1) | (rims.y >> lane & 1) << 1 | (rims.z >> lane & 1) << 2 |
                     (rims.w >> lane & 1) << 3;
#pragma unroll
    for (int k = 0; k < 3; k++)
        sides &= k < rank ? sides - 1 : sides;
    return 8 * (32 * n + lane) + __ffs((int)sides) - 1;
}

__device__ __forceinline__ int rl_found_pipe(const rl_find &f, int gate)
{
    const int w = rl_last_upto(f.pipe_before, f.pipe_words, gate);
    const uint4 bits = {f.pipe_gates[w], 0, 0, 0};
    int rank = gate - f.pipe_before[w];
    const int pipe = 32 * w + rl_lane_of(bits, &rank);
    return 8 * pipe + RL_FOUND_CROSS + (rl_marked(f.now, f.pipes[pipe].to_bit) ? 1 : 0);
}

// A thread a gateway.
__device__ __forceinline__ void rl_list_gates(const rl_layers_args &a, const rl_find &f)
{
    const int gates = f.count->gates, faces = f.pipe_words > 0 ? f.pipe_before[0] : gates;
    int *found = rl_gate(f, RL_GATE_FOUND);
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < gates; n += RL_LAYERS_BLOCK)
        found[n] = n < faces ? rl_found_face(a, f, n) : rl_found_pipe(f, n);
}

// Finds runs and gateways, in order. False where there is no room for them.
__device__ __forceinline__ bool rl_list_all(const rl_layers_args &a, const rl_find &f)
{
    const int items = a.covered_count + f.pipe_words;
    const int each = (items + RL_LAYERS_BLOCK - 1) / RL_LAYERS_BLOCK;
    const int first = (int)threadIdx.x * each;
    const int end = first + each < items ? first + each : items;
    rl_two mine = 0, total;
#pragma unroll 1
    for (int n = first; n < end; n++)
        mine += rl_count_item(a, f, n);
    rl_two next = rl_sum_before(mine, &total);
    if (threadIdx.x == 0) {
        const int gates = (int)(total >> 32), most = a.search.gate_capacity;
        f.count->runs = (int)total;
        f.count->gates = gates < most ? gates : most;
        f.count->roots = f.count->pairs = 0;
    }
    __syncthreads();
    if (f.count->runs > RL_RUN_ROOM(f) || f.count->gates > RL_GATE_ROOM(f))
        return false;
    rl_begin_runs(f);
#pragma unroll 1
    for (int n = first; n < end; n++) {
        if (n >= a.covered_count) {
            f.pipe_before[n - a.covered_count] = (int)(next >> 32);
            next += (rl_two)(unsigned)__popc(f.pipe_gates[n - a.covered_count]) << 32;
        } else {
            const uint4 rims = f.rims[n];
            const int gates = __popc(rims.x) + __popc(rims.y) + __popc(rims.z) + __popc(rims.w);
            rl_list_runs(f, n, (int)next);
            f.gate_before[n] = (int)(next >> 32);
            next += (rl_two)(unsigned)__popc(f.begins[n]) | (rl_two)(unsigned)gates << 32;
        }
    }
    __syncthreads();
    rl_list_gates(a, f);
    return true;
}

// The number of the column on a side of another, or -1.
__device__ __forceinline__ int rl_number_beside(const rl_layers_word &word, int number, int side)
{
    const int lane = number & 31;
    if (side == RL_FOUND_WEST)
        return lane > 0 || word.flags & RL_WORD_WEST ? number - 1 : -1;
    if (side == RL_FOUND_EAST)
        return lane < 31 || word.flags & RL_WORD_EAST ? number + 1 : -1;
    const int other = side == RL_FOUND_SOUTH ? word.south : word.north;
    return other >= 0 ? 32 * other + lane : -1;
}

// ---- Passages --------------------------------------------------------------------------

// The first run known to be joined to a run. Chains are short where this is asked.
__device__ __forceinline__ int rl_root_of(const volatile int *parent, int run)
{
    int above = parent[run];
    while (above != run) {
        run = above;
        above = parent[run];
    }
    return run;
}

// The earlier of two roots stays one, so that the order of joining does not show.
__device__ __forceinline__ void rl_unite(int *parent, int a, int b)
{
    for (;;) {
        a = rl_root_of(parent, a);
        b = rl_root_of(parent, b);
        if (a == b)
            return;
        const int low = a < b ? a : b, high = a < b ? b : a;
        if (atomicCAS(&parent[high], high, low) == high)
            return;
    }
}

// Calls join(run, run, joints) for the runs of a word and those of the word north of it.
template <typename Join>
__device__ __forceinline__ void rl_see_word(const rl_find &f, int n, Join join)
{
    const int north = f.words[n].north;
    unsigned both = f.now[n] & rl_from_beside(f.now, north) & f.words[n].join_north;
#pragma unroll 1
    while (both != 0) {
        // Columns up to where the next run begins, here or there.
        const int lane = __ffs((int)both) - 1;
        const unsigned after = lane == 31 ? 0 : 0xffffffffu << (lane + 1);
        const unsigned next = (f.begins[n] | f.begins[north]) & after;
        const unsigned part = both & (next != 0 ? (next & (~next + 1)) - 1 : 0xffffffffu);
        join(rl_run_of(f, 32 * n + lane), rl_run_of(f, 32 * north + lane), __popc(part));
        both &= ~part;
    }
}

// The same for all words and cross pipes.
template <typename Join>
__device__ __forceinline__ void rl_see_joints(const rl_layers_args &a, const rl_find &f, Join join)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK)
        if (f.now[n] != 0)
            rl_see_word(f, n, join);
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK)
        if (f.pipe_joints[n >> 5] >> (n & 31) & 1)
            join(rl_run_of(f, f.pipes[n].from_bit), rl_run_of(f, f.pipes[n].to_bit), 1);
}

// A passage with more gateways than there is memory for stays what it was without.
__device__ __forceinline__ void rl_open_crowded(const rl_layers_args &a, const rl_find &f)
{
    int *crowded = rl_run(f, RL_RUN_CROWDED);
    const int gates = f.count->gates;
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < 32 * a.covered_count; n += RL_LAYERS_BLOCK) {
        const int first = f.gate_before[n >> 5], lane = n & 31;
        const uint4 rims = f.rims[n >> 5];
        const unsigned upto = 0xffffffffu >> (31 - lane);
        const int after = first + __popc(rims.x & upto) + __popc(rims.y & upto) +
                          __popc(rims.z & upto) + __popc(rims.w & upto);
        if ((rims.x | rims.y | rims.z | rims.w) >> lane & 1 && after > gates)
            crowded[rl_run_of(f, n)] = 1;
    }
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK) {
        const unsigned bits = f.pipe_gates[n >> 5], below = (1u << (n & 31)) - 1;
        const int from = f.pipes[n].from_bit;
        if (bits >> (n & 31) & 1 && f.pipe_before[n >> 5] + __popc(bits & below) >= gates)
            crowded[rl_run_of(f, rl_marked(f.now, from) ? from : f.pipes[n].to_bit)] = 1;
    }
}

#define RL_HOPS 4

// Every run hangs below the earliest one that it touches, and then below the end of the chain that
// this makes. Where a run touches several earlier ones, these are joined too: such pairs are kept,
// and united one by one at last. If there is no room for them, all are looked at again.
__device__ __forceinline__ void rl_join_runs(const rl_layers_args &a, const rl_find &f)
{
    int *parent = rl_run(f, RL_RUN_PARENT), *all = rl_run(f, RL_RUN_JOINTS);
    int *ones = rl_gate(f, RL_GATE_FACE), *others = rl_gate(f, RL_GATE_FLAGS);
    int *above = rl_run(f, RL_RUN_ROOT); // for a while
    const int runs = f.count->runs, room = RL_GATE_ROOM(f);
    int *pairs = &f.count->pairs;
    rl_see_joints(a, f, [=](int one, int other, int joints) {
        const int low = one < other ? one : other, high = one < other ? other : one;
        atomicAdd(&all[one], joints);
        const int before = atomicMin(&parent[high], low);
        if (before == high || before == low)
            return;
        const int place = atomicAdd(pairs, 1);
        if (place < room) {
            ones[place] = before;
            others[place] = low;
        }
    });
    if (f.count->gates == a.search.gate_capacity)
        rl_open_crowded(a, f);
    int changed = 1;
    while (__syncthreads_or(changed)) {
        changed = 0;
#pragma unroll 1
        for (int r = (int)threadIdx.x; r < runs; r += RL_LAYERS_BLOCK) {
            int end = parent[r];
#pragma unroll
            for (int hop = 0; hop < RL_HOPS; hop++)
                end = parent[end];
            above[r] = end;
        }
        __syncthreads();
#pragma unroll 1
        for (int r = (int)threadIdx.x; r < runs; r += RL_LAYERS_BLOCK) {
            changed |= parent[r] != above[r];
            parent[r] = above[r];
        }
    }
    const int count = *pairs;
    if (count > room)
        rl_see_joints(a, f, [=](int one, int other, int) { rl_unite(parent, one, other); });
    else
#pragma unroll 1
        for (int n = (int)threadIdx.x; n < count; n += RL_LAYERS_BLOCK)
            rl_unite(parent, ones[n], others[n]);
    __syncthreads();
}

// The number of the column inside of a gateway.
__device__ __forceinline__ int rl_number_inside(const rl_find &f, int found)
{
    const int kind = found & 7, thing = found >> 3;
    return kind < RL_FOUND_CROSS   ? thing
           : kind > RL_FOUND_CROSS ? f.pipes[thing].to_bit
                                   : f.pipes[thing].from_bit;
}

// Tells runs and gateways their passages, and counts those of each.
__device__ __forceinline__ void rl_name_passages(const rl_find &f)
{
    int *parent = rl_run(f, RL_RUN_PARENT);
#pragma unroll 1
    for (int r = (int)threadIdx.x; r < f.count->runs; r += RL_LAYERS_BLOCK) {
        const int root = rl_root_of(parent, r);
        const int columns = rl_run(f, RL_RUN_END)[r] - rl_run(f, RL_RUN_FIRST)[r];
        rl_run(f, RL_RUN_ROOT)[r] = root;
        atomicAdd(&rl_run(f, RL_RUN_COLUMNS)[root], columns);
        atomicAdd(&rl_run(f, RL_RUN_ALL_JOINTS)[root], rl_run(f, RL_RUN_JOINTS)[r] + columns - 1);
        if (root == r) {
            const int place = atomicAdd(&f.count->roots, 1);
            rl_run(f, RL_RUN_ROOTS)[place] = r;
        }
        if (rl_run(f, RL_RUN_CROWDED)[r])
            atomicOr(&rl_run(f, RL_RUN_OPENED)[root], 1);
    }
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK) {
        const int number = rl_number_inside(f, rl_gate(f, RL_GATE_FOUND)[n]);
        const int root = rl_root_of(parent, rl_run_of(f, number));
        rl_gate(f, RL_GATE_ROOT)[n] = root;
        atomicAdd(&rl_run(f, RL_RUN_GATES)[root], 1);
    }
    __syncthreads();
}
