// SPDX-License-Identifier: MIT
// layers_drive.cuh - flooded passages from full columns to the discharges of their gateways
// (Dagenais section 3.3): solvers/layers/layers_passages.c by one block, with a warp for a chunk of
// gateways.
//
// Straight pipes: straight pipes through flooded passages along x and y (Dagenais section
// 3.3): solvers/layers/layers_passages_axis.c by one block, with a thread for a gateway in which a
// pipe begins, in the west or south of a passage.
//
// RL_GATE_OTHER of such a gateway is the one in which its pipe ends, or -1; of all others the one
// in which the pipe begins that ends there, or RL_NO_GATE.
#pragma once

#include "gpu/cuda/layers/layers_capacity.cuh"
#include "gpu/cuda/layers/layers_gates.cuh"

RL_DEVICE float *rl_raw_of(const rl_layers_args &a, unsigned flags, int face)
{
    float *raw = flags & RL_GATE_FLAG_CROSS ? a.cross_raw
                 : flags & RL_GATE_FLAG_Y   ? a.field[RL_COLUMN_RAW_Y]
                                            : a.field[RL_COLUMN_RAW_X];
    return raw + face;
}

// ---- Driving ---------------------------------------------------------------------------

// Runs with a warp a passage: sums up its gateways. Where liquid leaves into air and none comes in,
// the passage is being emptied: it is none.
RL_DEVICE void rl_measure_passages(const rl_find &f, double cell, float spread)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x >> 5; n < f.count->chunks; n += RL_LAYERS_WARPS) {
        if (rl_chunk(f, RL_CHUNK_HEAD)[n] != n)
            continue;
        const int lane = (int)threadIdx.x & 31;
        const int root = rl_chunk(f, RL_CHUNK_GROUP)[n];
        const int gates = rl_run(f, RL_RUN_GATES)[root];
        const double sum = rl_total(rl_sums(f, RL_SUM_FIRST + (lane & 3)), n, gates);
        const double openings = __shfl_sync(RL_ALL_LANES, sum, 0);
        const double north = __shfl_sync(RL_ALL_LANES, sum, 1);
        const double heights = __shfl_sync(RL_ALL_LANES, sum, 2);
        const double levels = __shfl_sync(RL_ALL_LANES, sum, 3);
        const uint64_t along = rl_run_measure(f, 0)[root], across = rl_run_measure(f, 1)[root];
        const uint64_t lacking = rl_run_measure(f, 2)[root];
        const int columns = rl_run(f, RL_RUN_COLUMNS)[root];
        const double height = rl_passages_height(columns, along, across, north, openings, cell);
        if (lane != 0)
            continue;
        rl_sums(f, RL_SUM_HEAD)[n] = (double)rl_passages_head(heights, levels);
        rl_sums(f, RL_SUM_HEIGHT)[n] = height;
        rl_sums(f, RL_SUM_LENGTH)[n] = rl_passages_length(
            columns, rl_run(f, RL_RUN_ALL_JOINTS)[root], (unsigned)gates, openings, height);
        const double metres = rl_passages_metres(lacking, cell);
        rl_sums(f, RL_SUM_LACKING)[n] = metres;
        rl_sums(f, RL_SUM_FILLING)[n] = rl_passages_filling((unsigned)gates, metres, spread);
        if (rl_run(f, RL_RUN_AIR)[root] == RL_AIR_STANDS)
            rl_run(f, RL_RUN_OPENED)[root] = 1;
    }
    __syncthreads();
}

// Leaves in `now`, and in device memory, the columns of those passages that are not opened.
RL_DEVICE void rl_mark_passages(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        unsigned flooded = f.now[n];
        const unsigned begins = f.begins[n];
#pragma unroll 1
        for (unsigned left = flooded; left != 0;) {
            const int lane = __ffs((int)left) - 1;
            const unsigned after = lane == 31 ? 0 : 0xffffffffu << (lane + 1);
            const unsigned next = begins & after;
            const unsigned part = left & (next != 0 ? (next & (~next + 1)) - 1 : 0xffffffffu);
            const int root = rl_run(f, RL_RUN_ROOT)[rl_run_of(f, 32 * n + lane)];
            if (rl_run(f, RL_RUN_OPENED)[root])
                flooded &= ~part;
            left &= ~part;
        }
        f.old[n] = f.was[n];
        f.was[n] = flooded;
        a.search.flooded[n] = flooded;
        a.search.begins[n] = begins;
        a.search.before[n] = f.before[n];
    }
}

// Marks no column as flooded.
RL_DEVICE void rl_find_none(const rl_layers_args &a, const rl_find &f)
{
    __syncthreads();
    if (threadIdx.x == 0)
        *f.count = {};
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        f.old[n] = f.was[n];
        f.was[n] = a.search.flooded[n] = 0;
    }
    __syncthreads();
}

// Computes the conductances of the gateways.
RL_DEVICE void rl_measure_ends(const rl_layers_args &a, const rl_find &f,
                               const rl_lane_gate &cached, const rl_pipe_coef &k)
{
    rl_for_chunks(f, cached, [&](int n, const rl_lane_gate &g) {
        double conductance = 0.0, level = 0.0;
        if (g.number >= 0) {
            const float one =
                rl_passages_conductance(rl_gate_real(f, RL_GATE_HEIGHT)[g.number],
                                        rl_sums(f, RL_SUM_LENGTH)[g.head], a.paper, k);
            rl_gate_real(f, RL_GATE_CONDUCTANCE)[g.number] = one;
            conductance = (double)one;
            level = rl_gate_levels(f)[g.number];
        }
        double terms[2] = {conductance, conductance * level};
        rl_put_sums(f, n, terms);
    });
    __syncthreads();
}

// Drives the gateways (Dagenais Eqs. 8 and 9). The new discharges replace those before.
RL_DEVICE void rl_drive(const rl_find &f, const rl_lane_gate &cached, const rl_pipe_coef &k)
{
    rl_for_chunks(f, cached, [&](int n, const rl_lane_gate &g) {
        double flux = 0.0;
        if (g.number >= 0) {
            const double2 both =
                rl_totals(rl_sums(f, RL_SUM_FIRST), rl_sums(f, RL_SUM_FIRST + 1), g.head, g.gates);
            const double all = both.x, levels = both.y;
            const double height = rl_sums(f, RL_SUM_HEIGHT)[g.head];
            const int inward = rl_gate(f, RL_GATE_FLAGS)[g.number] & RL_GATE_FLAG_INWARD ? 1 : -1;
            const double old =
                (double)k.keep * (double)rl_gate_real(f, RL_GATE_FLOW)[g.number] * (double)inward;
            flux = rl_passages_drive(old, rl_gate_levels(f)[g.number], levels / all,
                                     rl_gate_real(f, RL_GATE_CONDUCTANCE)[g.number],
                                     height * height, k);
            rl_gate_real(f, RL_GATE_FLOW)[g.number] = (float)flux;
        }
        double terms[1] = {flux};
        rl_put_sums(f, n, terms, RL_SUM_FIRST + 2);
    });
    __syncthreads();
    rl_for_chunks(f, cached, [&](int, const rl_lane_gate &g) {
        if (g.number < 0)
            return;
        const unsigned flags = (unsigned)rl_gate(f, RL_GATE_FLAGS)[g.number];
        const double filling = rl_sums(f, RL_SUM_FILLING)[g.head];
        const double2 both =
            rl_totals(rl_sums(f, RL_SUM_FIRST + 2), rl_sums(f, RL_SUM_FIRST), g.head, g.gates);
        const double sum = both.x - filling;
        rl_gate_real(f, RL_GATE_FLOW)[g.number] = rl_passages_even(
            rl_gate_real(f, RL_GATE_FLOW)[g.number], rl_gate_real(f, RL_GATE_CONDUCTANCE)[g.number],
            sum, both.y, (flags & RL_GATE_FLAG_AIRY) != 0, flags & RL_GATE_FLAG_INWARD ? 1 : -1);
    });
}

// Searches from full columns to the gateways; returns each lane's gateway of the warp's first
// chunk, or false where the capacity is exceeded.
RL_DEVICE bool rl_search_passages(const rl_layers_args &a, const rl_find &f, const rl_pipe_coef &k,
                                  rl_lane_gate *cached)
{
    if (!rl_take_full(a, f)) {
        rl_find_none(a, f);
        return true;
    }
    rl_see_pipes(a, f);
    if (!rl_number_all(a, f))
        return false;
    if (f.count->runs == 0) {
        rl_find_none(a, f);
        return true;
    }
    rl_list_all(a, f);
    rl_run_sums sums = {};
    if (RL_LAYERS_BLOCK - 1 - (int)threadIdx.x < f.count->runs)
        sums = rl_run_sums_of(a, f, RL_LAYERS_BLOCK - 1 - (int)threadIdx.x);
    rl_join_runs(a, f);
    rl_measure_runs(a, f, sums);
    if (!rl_find_roots(f))
        return false;
    rl_bring_together(f);
    if ((int)threadIdx.x >> 5 < f.count->chunks)
        *cached = rl_lane_gate_of(f, (int)threadIdx.x >> 5);
    rl_sum_gates(f, *cached);
    rl_measure_passages(f, a.rules.cell_size, k.spread);
    rl_mark_passages(a, f);
    rl_measure_ends(a, f, *cached, k);
    return true;
}

// The raw discharges of all faces are known: replaces those of gateways. No pass reads those of
// faces inside passages, because flooded columns hold their volume. The chunks are the same ones of
// the warp as before.
RL_DEVICE void rl_write_raw(const rl_layers_args &a, const rl_find &f, const rl_lane_gate &cached)
{
    rl_for_chunks(f, cached, [&](int, const rl_lane_gate &g) {
        if (g.number >= 0 && !rl_run(f, RL_RUN_OPENED)[g.root])
            *rl_raw_of(a, (unsigned)rl_gate(f, RL_GATE_FLAGS)[g.number],
                       rl_gate(f, RL_GATE_FACE)[g.number]) =
                rl_gate_real(f, RL_GATE_FLOW)[g.number];
    });
}

// ---- Straight pipes --------------------------------------------------------------------

#define RL_NO_GATE 0x7fffffff

RL_DEVICE bool rl_gate_begins(const rl_find &f, int n)
{
    return rl_gate(f, RL_GATE_FLAGS)[n] & RL_GATE_FLAG_INWARD &&
           !rl_run(f, RL_RUN_OPENED)[rl_gate(f, RL_GATE_ROOT)[n]];
}

// Calls see(gateway, the one at its end) for all pipes that were found.
template <typename See> RL_DEVICE void rl_for_straight(const rl_find &f, See see)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK)
        if (rl_gate_begins(f, n) && rl_gate(f, RL_GATE_OTHER)[n] >= 0)
            see(n, rl_gate(f, RL_GATE_OTHER)[n]);
}

// ---- Ways ------------------------------------------------------------------------------

// A pipe onwards from a column, as way_from of the host has it.
struct rl_way {
    bool found, flooded, cross;
    int face, to; // slot or number of the cross pipe; the number of the column it leads to, or -1
};

// Returns the way on to the east or north: a flooded column before one that is not, and the same
// plane before another.
__device__ inline rl_way rl_way_from(const rl_layers_args &a, const rl_find &f, int number,
                                     bool north)
{
    const rl_layers_word &word = f.words[number >> 5];
    const int lane = number & 31;
    rl_way best = {false, false, false, word.slot + lane,
                   rl_column_beside(word, number, north ? RL_FOUND_NORTH : RL_FOUND_EAST)};
    best.found = (north ? word.join_north : word.join_east) >> lane & 1;
    best.flooded = best.found && rl_marked(f.was, best.to);
    if (!(word.crossed >> lane & 1))
        return best;
    const int n = word.crossed_first + __popc(word.crossed & ((1u << lane) - 1));
#pragma unroll 1
    for (int e = f.ends_first[n]; e < f.ends_first[n + 1] && !best.flooded; e++) {
        const int end = RL_LAYERS_LARGE ? a.ends[e].end : f.ends[e];
        const rl_layers_pipe &pipe = f.pipes[end >> 1];
        const bool flooded = rl_marked(f.was, pipe.to_bit);
        if (!(end & 1) && (pipe.north != 0) == north && (!best.found || flooded))
            best = {true, flooded, true, end >> 1, pipe.to_bit};
    }
    return best;
}

// Returns the number of the gateway through which a way leaves a column: those of faces are counted
// by words, columns and sides.
RL_DEVICE int rl_gate_of_way(const rl_find &f, const rl_way &way, int number, bool north)
{
    if (way.cross) {
        const unsigned below = (1u << (way.face & 31)) - 1;
        return f.pipe_before[way.face >> 5] + __popc(f.pipe_gates[way.face >> 5] & below);
    }
    const uint4 rims = f.rims[number >> 5];
    const unsigned bit = 1u << (number & 31), below = bit - 1, upto = north ? below | bit : below;
    return f.gate_before[number >> 5] + __popc(rims.x & (below | bit)) + __popc(rims.y & upto) +
           __popc(rims.z & upto) + __popc(rims.w & below);
}

// ---- Finding and driving ---------------------------------------------------------------

// Follows a pipe from the gateway it begins in. Returns the one that it ends in, or -1, and its
// discharge.
__device__ inline int rl_follow_straight(const rl_layers_args &a, const rl_find &f, int n,
                                         const rl_pipe_coef &k, float *discharge)
{
    const float *bases = a.field[RL_COLUMN_BASE], *tops = a.field[RL_COLUMN_TOP];
    const unsigned flags = (unsigned)rl_gate(f, RL_GATE_FLAGS)[n];
    const bool north = flags & RL_GATE_FLAG_NORTH;
    int number = rl_gate(f, RL_GATE_NUMBER)[n], columns = 0;
    double inverse = 0.0;
    rl_way on;
#pragma unroll 1
    for (;;) {
        const int slot = f.words[number >> 5].slot + (number & 31);
        columns++;
        inverse += 1.0 / ((double)tops[slot] - (double)bases[slot]);
        on = rl_way_from(a, f, number, north);
        if (!on.found)
            return -1;
        if (!on.flooded)
            break;
        number = on.to;
    }
    const int out = rl_gate_of_way(f, on, number, north);
    const float *old = rl_gate_real(f, RL_GATE_FLOW), *height = rl_gate_real(f, RL_GATE_HEIGHT);
    const double *levels = rl_gate_levels(f);
    const double mean = 0.5 * ((double)old[n] + (double)old[out]);
    *discharge = rl_passages_straight(
        (double)k.keep * mean, levels[n] - levels[out], columns, (float)inverse, height[n],
        height[out], (flags & RL_GATE_FLAG_AIRY) != 0,
        (rl_gate(f, RL_GATE_FLAGS)[out] & RL_GATE_FLAG_AIRY) != 0, a.paper, k);
    return out;
}

// Replaces the discharges of all gateways; those that face none are closed. Where several pipes
// would end in a column it has the first of them.
RL_DEVICE void rl_drive_straight(const rl_layers_args &a, const rl_find &f, const rl_pipe_coef &k)
{
    int *other = rl_gate(f, RL_GATE_OTHER), *gate_flags = rl_gate(f, RL_GATE_FLAGS);
    float *driven = rl_gate_real(f, RL_GATE_CONDUCTANCE), *flow = rl_gate_real(f, RL_GATE_FLOW);
    const int gates = f.count->gates;
    __syncthreads(); // flooded columns are marked
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < gates; n += RL_LAYERS_BLOCK)
        other[n] = gate_flags[n] & RL_GATE_FLAG_INWARD ? -1 : RL_NO_GATE;
    __syncthreads();
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < gates; n += RL_LAYERS_BLOCK)
        if (rl_gate_begins(f, n)) {
            other[n] = rl_follow_straight(a, f, n, k, &driven[n]);
            if (other[n] >= 0)
                atomicMin(&other[other[n]], n);
        }
    __syncthreads();
    rl_for_straight(f, [&](int n, int out) { other[n] = other[out] == n ? out : -1; });
    __syncthreads();
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < gates; n += RL_LAYERS_BLOCK) {
        const bool begins = gate_flags[n] & RL_GATE_FLAG_INWARD;
        const bool has_pipe = begins ? other[n] >= 0 : other[n] != RL_NO_GATE;
        flow[n] = has_pipe ? driven[begins ? n : other[n]] : 0.0f;
    }
    __syncthreads();
}

// ---- Balancing -------------------------------------------------------------------------

// Both ends get the smaller of the discharges after limiting.
RL_DEVICE void rl_balance_straight(const rl_layers_args &a, const rl_find &f)
{
    rl_for_straight(f, [&](int n, int end) {
        const double in = (double)rl_gate_limited(a, f, n);
        const double out = (double)rl_gate_limited(a, f, end);
        if (in == out)
            return;
        const bool larger = fabs(out) > fabs(in);
        const int gate = larger ? end : n;
        float *flow = &rl_gate_real(f, RL_GATE_FLOW)[gate];
        *flow = rl_passages_as_small(*flow, larger ? out : in, larger ? in : out);
        *rl_raw_of(a, (unsigned)rl_gate(f, RL_GATE_FLAGS)[gate], rl_gate(f, RL_GATE_FACE)[gate]) =
            *flow;
    });
    __syncthreads();
}

// Returns the column that takes rounding errors: the deeper of the columns outside.
RL_DEVICE int rl_straight_taker(const rl_find &f, int n, int end)
{
    int taker = rl_gate(f, RL_GATE_INSIDE)[n];
    float deepest = -1.0f;
    const int ends[] = {n, end};
    for (int k = 0; k < 2; k++) {
        const float depth = rl_gate_real(f, RL_GATE_DEPTH)[ends[k]];
        if (depth > deepest &&
            (unsigned)rl_gate(f, RL_GATE_FLAGS)[ends[k]] >> RL_GATE_BEYOND == 0) {
            taker = rl_gate(f, RL_GATE_OUTSIDE)[ends[k]];
            deepest = depth;
        }
    }
    return taker;
}

// Returns the order: passages one after the other, and in each of them gateways by their numbers.
RL_DEVICE bool rl_comes_before(const int *roots, int one, int other)
{
    return roots[one] != roots[other] ? roots[one] < roots[other] : one < other;
}

// Books what pipe n and others leave to a taker that they have in common, if it is the first of
// them. `takers` has -1 where nothing is left.
__device__ inline void rl_book_straight(const rl_layers_args &a, const rl_find &f, int n,
                                        const int *takers, const float *amounts)
{
    const int *roots = rl_gate(f, RL_GATE_ROOT), gates = f.count->gates;
    float *remainder = a.field[RL_COLUMN_REMAINDER] + takers[n];
    float sum = *remainder;
#pragma unroll 1
    for (int last = -1, next = n; next >= 0; last = next) {
        next = -1;
#pragma unroll 1
        for (int m = 0; m < gates; m++)
            if (takers[m] == takers[n] && (last < 0 || rl_comes_before(roots, last, m)) &&
                (next < 0 || rl_comes_before(roots, m, next)))
                next = m;
        if (last < 0 && next != n)
            return;
        if (next >= 0)
            sum += amounts[next];
    }
    *remainder = sum;
}

// Discharges are final: books roundings, and writes the discharges of the faces that pipes pass
// inside.
RL_DEVICE void rl_close_straight(const rl_layers_args &a, const rl_find &f, const rl_pipe_coef &k)
{
    int *takers = rl_gate(f, RL_GATE_ORDER);          // chunks are not needed any more,
    float *amounts = rl_gate_real(f, RL_GATE_HEIGHT); // nor heights
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK)
        takers[n] = -1;
    __syncthreads();
    rl_for_straight(f, [&](int n, int end) {
        const float flow = rl_gate_limited(a, f, n);
        const double left = (double)flow - (double)rl_gate_limited(a, f, end);
        amounts[n] = (float)(left * (double)k.spread);
        takers[n] = left != 0.0 ? rl_straight_taker(f, n, end) : -1;
        const bool north = rl_gate(f, RL_GATE_FLAGS)[n] & RL_GATE_FLAG_NORTH;
        const unsigned along = north ? RL_GATE_FLAG_Y : 0;
        rl_way on = rl_way_from(a, f, rl_gate(f, RL_GATE_NUMBER)[n], north);
#pragma unroll 1
        for (; on.flooded; on = rl_way_from(a, f, on.to, north))
            *rl_raw_of(a, on.cross ? RL_GATE_FLAG_CROSS : along, on.face) = flow;
    });
    __syncthreads();
    rl_for_straight(f, [&](int n, int) {
        if (takers[n] >= 0)
            rl_book_straight(a, f, n, takers, amounts);
    });
}
