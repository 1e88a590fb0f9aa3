// SPDX-License-Identifier: MIT
// layers_join.cuh - lists runs and gateways of flooded passages, and joins runs that touch:
// solvers/layers/layers_passages_find.c by one block.
#pragma once

#include "gpu/cuda/layers/layers_find.cuh"

// ---- Lists -----------------------------------------------------------------------------

// Lists where runs begin and end in a word.
RL_DEVICE void rl_list_runs(const rl_find &f, int n)
{
    const unsigned begins = f.begins[n], here = f.now[n];
    const rl_layers_word &word = f.words[n];
    unsigned ends = here & ~(rl_bits_from_east(f.now, word, n) & word.join_east);
    int run = f.before[n];
    // A run that came from the word before is one less.
    int ended = (here & (0 - here)) == (begins & (0 - begins)) ? run : run - 1;
#pragma unroll 1
    for (unsigned left = begins; left != 0; left &= left - 1)
        rl_run(f, RL_RUN_FIRST)[run++] = 32 * n + __ffs((int)left) - 1;
#pragma unroll 1
    for (; ends != 0; ends &= ends - 1)
        rl_run(f, RL_RUN_END)[ended++] = 32 * n + __ffs((int)ends);
}

// Returns the last place of `count` whose number is not above a value; numbers rise, and the first
// one is not above it.
RL_DEVICE int rl_last_upto(const int *numbers, int count, int value)
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

// Returns the lane that holds gateway `rank` of a word, which becomes the rank among those of the
// lane.
RL_DEVICE int rl_lane_of(uint4 rims, int *rank)
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

// Returns which gateway a number is: those of faces come first, by words, columns and sides.
RL_DEVICE int rl_found_face(const rl_layers_args &a, const rl_find &f, int gate)
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

RL_DEVICE int rl_found_pipe(const rl_find &f, int gate)
{
    const int w = rl_last_upto(f.pipe_before, f.pipe_words, gate);
    const uint4 bits = {f.pipe_gates[w], 0, 0, 0};
    int rank = gate - f.pipe_before[w];
    const int pipe = 32 * w + rl_lane_of(bits, &rank);
    return 8 * pipe + RL_FOUND_CROSS + (rl_marked(f.now, f.pipes[pipe].to_bit) ? 1 : 0);
}

// ---- Gateways --------------------------------------------------------------------------

// Returns 1 + the border of the grid that a face lies on, or 0.
RL_DEVICE unsigned rl_side_of(const rl_layers_args &a, int kind, int x, int y)
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

RL_DEVICE rl_gate_place rl_gate_across(const rl_layers_args &a, const rl_find &f, int n,
                                       bool inward)
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

RL_DEVICE rl_gate_place rl_gate_place_of(const rl_layers_args &a, const rl_find &f, int found)
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
    g.beside = rl_column_beside(word, thing, kind);
    g.inside = word.slot + (thing & 31);
    g.outside = inward ? g.inside - step : g.inside + step;
    g.face = inward ? g.outside : g.inside;
    g.flags = (along_y ? RL_GATE_FLAG_Y | RL_GATE_FLAG_NORTH : 0) |
              (inward ? RL_GATE_FLAG_INWARD : 0) |
              rl_side_of(a, kind, word.x + (thing & 31), word.y) << RL_GATE_BEYOND;
    g.old = a.field[along_y ? RL_COLUMN_QY : RL_COLUMN_QX] + g.face;
    return g;
}

// A gateway as loaded from memory.
struct rl_asked_gate {
    rl_gate_place place;
    float base, top, base_outside, top_outside, depth, old;
};

RL_DEVICE rl_asked_gate rl_ask_for_gate(const rl_layers_args &a, const rl_find &f, int n)
{
    const int gates = f.count->gates, faces = f.pipe_words > 0 ? f.pipe_before[0] : gates;
    const float *bases = a.field[RL_COLUMN_BASE], *tops = a.field[RL_COLUMN_TOP];
    rl_asked_gate asked;
    const rl_gate_place &g = asked.place =
        rl_gate_place_of(a, f, n < faces ? rl_found_face(a, f, n) : rl_found_pipe(f, n));
    asked.base = bases[g.inside];
    asked.top = tops[g.inside];
    asked.base_outside = bases[g.outside];
    asked.top_outside = tops[g.outside];
    asked.depth = a.field[RL_COLUMN_DEPTH][g.outside];
    asked.old = *g.old;
    return asked;
}

// Computes the values of gateway n.
RL_DEVICE void rl_read_gate(const rl_layers_args &a, const rl_find &f, int n,
                            const rl_asked_gate &asked)
{
    const rl_gate_place &g = asked.place;
    const float base = asked.base, top = asked.top, base_outside = asked.base_outside;
    const bool was = rl_marked(f.was, g.number);
    const float sill = base > base_outside ? base : base_outside;
    const float ceiling = top < asked.top_outside ? top : asked.top_outside;
    const float air = rl_passages_air_level_of(a.cell_size, base, top, ceiling, was);
    const float level = base_outside + asked.depth;
    const bool airy = !rl_marked(f.full, g.beside) && level < air;
    const unsigned beyond = g.flags >> RL_GATE_BEYOND;
    const unsigned flags = g.flags | (airy ? RL_GATE_FLAG_AIRY : 0);
    rl_gate(f, RL_GATE_FACE)[n] = g.face;
    rl_gate(f, RL_GATE_FLAGS)[n] = (int)flags;
    rl_gate(f, RL_GATE_INSIDE)[n] = g.inside;
    rl_gate(f, RL_GATE_OUTSIDE)[n] = g.outside;
    rl_gate(f, RL_GATE_BESIDE)[n] = g.beside;
    rl_gate(f, RL_GATE_NUMBER)[n] = g.number;
    rl_gate_real(f, RL_GATE_HEIGHT)[n] = ceiling - sill;
    rl_gate_real(f, RL_GATE_DEPTH)[n] = asked.depth;
    rl_gate_real(f, RL_GATE_FLOW)[n] = asked.old;
    // The end of a passage that runs full into the air is at the pressure of the air. A ghost ends
    // at its ceiling; the sea beyond may be higher.
    rl_gate_levels(f)[n] = (double)(airy ? air : beyond != 0 ? a.border_level[beyond - 1] : level);
    rl_gate(f, RL_GATE_ROOT)[n] = rl_run_of(f, g.number);
}

// ---- Touching runs ---------------------------------------------------------------------

// Returns the columns of a word with which runs begin to touch those of the word north of it.
RL_DEVICE unsigned rl_touch_begins(const rl_find &f, int n, unsigned *both)
{
    const int north = f.words[n].north;
    *both = f.now[n] & rl_from_beside(f.now, north) & f.words[n].join_north;
    return *both != 0 ? *both & (~(*both << 1) | f.begins[n] | f.begins[north]) : 0;
}

// Calls see(run, run, joints) for them.
template <typename See>
RL_DEVICE void rl_see_touches(const rl_find &f, int n, unsigned begins, unsigned both, See see)
{
    const int north = f.words[n].north;
#pragma unroll 1
    while (begins != 0) {
        const int lane = __ffs((int)begins) - 1;
        begins &= begins - 1;
        const unsigned part = both & (begins != 0 ? (begins & (~begins + 1)) - 1 : 0xffffffffu);
        both &= ~part;
        see(rl_run_of(f, 32 * n + lane), rl_run_of(f, 32 * north + lane), __popc(part));
    }
}

// Of two runs that touch the later one hangs below the earlier one.
RL_DEVICE void rl_hang(const rl_find &f, int one, int other)
{
    atomicMin(&rl_run(f, RL_RUN_PARENT)[max(one, other)], min(one, other));
}

// Pairs of runs that touch are stored in the memory of limited columns, which are needed later.
#define RL_TOUCH_CAPACITY(f) (RL_LIMITED_NUMBERS / 2 * (f).limited_capacity)

RL_DEVICE int *rl_touches(const rl_find &f, int which)
{
    return f.limited_column + which * RL_TOUCH_CAPACITY(f);
}

RL_DEVICE void rl_store_touch(const rl_find &f, int place, int one, int other, int joints)
{
    if (place < RL_TOUCH_CAPACITY(f)) {
        rl_touches(f, 0)[place] = one;
        rl_touches(f, 1)[place] = other;
    }
    atomicAdd(&rl_run(f, RL_RUN_JOINTS)[one], joints);
    rl_hang(f, one, other);
}

// Assigns places for the pairs of each lane, in any order.
RL_DEVICE int rl_deal_touches(const rl_find &f, int count)
{
    const int lane = (int)threadIdx.x & 31;
    const int upto = rl_sum_up_to(count);
    int first = 0;
    if (lane == 31)
        first = atomicAdd(&f.count->touches, upto);
    return __shfl_sync(RL_ALL_LANES, first, 31) + upto - count;
}

// A thread has the runs of a word with flooded columns: lists them, and what they touch.
RL_DEVICE void rl_list_words(const rl_find &f)
{
    const int busy = f.count->busy;
#pragma unroll 1
    for (int i = (int)threadIdx.x; (i & ~31) < busy; i += RL_LAYERS_BLOCK) {
        unsigned both = 0, begins = 0;
        int n = 0;
        if (i < busy) {
            n = rl_busy_words(f)[i];
            begins = rl_touch_begins(f, n, &both);
        }
        int place = rl_deal_touches(f, __popc(begins));
        if (i >= busy)
            continue;
        rl_list_runs(f, n);
        rl_see_touches(f, n, begins, both, [&](int one, int other, int joints) {
            rl_store_touch(f, place++, one, other, joints);
        });
    }
}

// Lists cross pipes between runs, a warp for 32; warps with little other work take more of them.
// Neighbours mostly join the same two runs: the first of them stands for all.
RL_DEVICE void rl_list_pipes(const rl_find &f)
{
    const int lane = (int)threadIdx.x & 31;
#pragma unroll 1
    for (;;) {
        int w = 0;
        if (lane == 0)
            w = atomicAdd(&f.count->pipes, 1);
        w = __shfl_sync(RL_ALL_LANES, w, 0);
        if (w >= f.pipe_words)
            break;
        const unsigned joints = f.pipe_joints[w];
        if (joints == 0)
            continue;
        int one = -1, other = -1, place = 0;
        if (joints >> lane & 1) {
            one = rl_run_of(f, f.pipes[32 * w + lane].from_bit);
            other = rl_run_of(f, f.pipes[32 * w + lane].to_bit);
        }
        const int one_before = __shfl_up_sync(RL_ALL_LANES, one, 1);
        const int other_before = __shfl_up_sync(RL_ALL_LANES, other, 1);
        const bool first = lane == 0 || one != one_before || other != other_before;
        const unsigned firsts = __ballot_sync(RL_ALL_LANES, first), bit = 1u << lane;
        const unsigned stored = firsts & joints, next = firsts & ~(bit | (bit - 1));
        if (lane == 0)
            place = atomicAdd(&f.count->touches, __popc(stored));
        place = __shfl_sync(RL_ALL_LANES, place, 0) + __popc(stored & (bit - 1));
        if (stored & bit)
            rl_store_touch(f, place, one, other, (next != 0 ? __ffs((int)next) - 1 : 32) - lane);
    }
}

// Of runs that touch but have different roots, the later root hangs below the earlier one. Returns
// whether there are any.
RL_DEVICE int rl_hang_stored(const rl_find &f)
{
    const int *roots = rl_run(f, RL_RUN_ROOT), count = f.count->touches;
    int some = 0;
#pragma unroll 1
    for (int n = (int)threadIdx.x; (n & ~31) < count; n += RL_LAYERS_BLOCK) {
        int one = 0, other = 0;
        if (n < count) {
            one = roots[rl_touches(f, 0)[n]];
            other = roots[rl_touches(f, 1)[n]];
        }
        // Neighbours in the list often have the same two roots: one of them is enough.
        const int one_before = __shfl_up_sync(RL_ALL_LANES, one, 1);
        const int other_before = __shfl_up_sync(RL_ALL_LANES, other, 1);
        const bool again = n & 31 && one == one_before && other == other_before;
        if (one != other && !again)
            rl_hang(f, one, other);
        some |= one != other;
    }
    return some;
}

// Does the same where the list was too short: the pairs are searched again.
RL_DEVICE int rl_hang_found(const rl_layers_args &a, const rl_find &f)
{
    const int *roots = rl_run(f, RL_RUN_ROOT);
    int some = 0;
    const auto hang = [&](int one, int other, int) {
        if (roots[one] != roots[other])
            rl_hang(f, roots[one], roots[other]);
        some |= roots[one] != roots[other];
    };
#pragma unroll 1
    for (int i = (int)threadIdx.x; i < f.count->busy; i += RL_LAYERS_BLOCK) {
        const int n = rl_busy_words(f)[i];
        unsigned both;
        const unsigned begins = rl_touch_begins(f, n, &both);
        rl_see_touches(f, n, begins, both, hang);
    }
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK)
        if (f.pipe_joints[n >> 5] >> (n & 31) & 1)
            hang(rl_run_of(f, f.pipes[n].from_bit), rl_run_of(f, f.pipes[n].to_bit), 1);
    return some;
}

// ---- Passages --------------------------------------------------------------------------

// A passage with more gateways than there is memory for is treated as none.
RL_DEVICE void rl_open_crowded(const rl_layers_args &a, const rl_find &f)
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

#define RL_HOPS 6

// Lists runs, gateways and what touches. Threads take gateways from the last one on, those of words
// from the first one on, and while gateways are loaded the rest is listed.
RL_DEVICE void rl_list_all(const rl_layers_args &a, const rl_find &f)
{
    const int gates = f.count->gates, mine = RL_LAYERS_BLOCK - 1 - (int)threadIdx.x;
    rl_asked_gate asked = {};
    if (mine < gates)
        asked = rl_ask_for_gate(a, f, mine);
    rl_list_words(f);
    rl_list_pipes(f);
#pragma unroll 1
    for (int n = mine; n < gates; n += RL_LAYERS_BLOCK) {
        if (n != mine)
            asked = rl_ask_for_gate(a, f, n);
        rl_read_gate(a, f, n, asked);
    }
    if (f.count->gates == a.gateway_capacity)
        rl_open_crowded(a, f);
    __syncthreads();
}

// Finds the first run of the passage of each run. Again and again every run goes up to the run that
// it hangs below, some steps at a time, and where runs that touch have reached different ones, the
// later of these hangs below the earlier one, until all that touch have reached the same. That is
// the first run of the passage, in any order of work: a run hangs below an earlier one or below
// itself.
RL_DEVICE void rl_join_runs(const rl_layers_args &a, const rl_find &f)
{
    int *parent = rl_run(f, RL_RUN_PARENT), *roots = rl_run(f, RL_RUN_ROOT);
    const int runs = f.count->runs;
    const bool stored = f.count->touches <= RL_TOUCH_CAPACITY(f);
    int apart;
    do {
#pragma unroll 1
        for (int r = (int)threadIdx.x; r < runs; r += RL_LAYERS_BLOCK) {
            int root = roots[r];
#pragma unroll
            for (int hop = 0; hop < RL_HOPS; hop++)
                root = parent[root];
            roots[r] = root;
        }
        __syncthreads();
#pragma unroll 1
        for (int r = (int)threadIdx.x; r < runs; r += RL_LAYERS_BLOCK)
            atomicMin(&parent[r], roots[r]);
        apart = stored ? rl_hang_stored(f) : rl_hang_found(a, f);
    } while (__syncthreads_or(apart));
}
