// SPDX-License-Identifier: MIT
// layers_drive.cuh - flooded passages from full columns to the discharges of their gateways:
// solvers/layers/layers_passages_find.c and layers_passages.c by one block. Sums over the gateways
// of a passage are taken by one thread in the host's order; the terms are made by all.
#pragma once

#include "gpu/cuda/layers_find.cuh"

// Sums of each of `kinds` kinds of terms by passages: terms of the next kind lie `term_room`
// further on, its sums `passages`. A warp a sum.
__device__ inline void rl_sum_passages(const rl_find &f, int kinds)
{
    __syncthreads();
    for (int n = (int)threadIdx.x >> 5; n < kinds * f.passages; n += RL_LAYERS_BLOCK / 32) {
        const int kind = n / f.passages, p = n % f.passages;
        const double sum = rl_sum_by_warp(f.terms + kind * f.term_room + f.s.gate_first[p],
                                          f.s.gate_count[p], 0.0);
        if (((int)threadIdx.x & 31) == 0)
            f.sums[n] = sum;
    }
    __syncthreads();
}

// ---- Air -------------------------------------------------------------------------------

// Opens the columns that air enters though liquid leaves there. Returns whether there are any.
__device__ inline bool rl_let_air_in(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s;
    int some = 0;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const bool airy = s.flags[n] & RL_GATE_FLAG_AIRY;
        f.terms[n] = airy ? 0.0 : (double)s.height[n];
        f.terms[f.term_room + n] = airy ? 0.0 : (double)s.height[n] * s.level[n];
        some |= airy;
    }
    if (!__syncthreads_or(some))
        return false;
    rl_sum_passages(f, 2);
    some = 0;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const int p = s.passage[n];
        const double openings = f.sums[p], level = f.sums[f.passages + p];
        if (!(s.flags[n] & RL_GATE_FLAG_AIRY))
            continue;
        if (openings > 0.0 &&
            rl_passages_keep_air_out(level / openings, s.ceiling[n], s.old[n], s.height[n],
                                     a.rules.gravity, (s.flags[n] & RL_GATE_FLAG_FRESH) != 0))
            continue;
        atomicAnd(&f.now[s.number[n] >> 5], ~(1u << (s.number[n] & 31)));
        some = 1;
    }
    return __syncthreads_or(some);
}

// Where liquid leaves into air and none comes in, the passage is being emptied: it is none.
__device__ inline void rl_open_emptied(const rl_find &f)
{
    const rl_layers_search &s = f.s;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const float inward = s.flags[n] & RL_GATE_FLAG_INWARD ? 1.0f : -1.0f;
        if (s.old[n] * inward > 0.0f)
            atomicOr(&s.blown[s.passage[n]], 1);
        if (s.flags[n] & RL_GATE_FLAG_AIRY)
            atomicOr(&s.airy[s.passage[n]], 1);
    }
    __syncthreads();
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK)
        if (s.airy[p] && !s.blown[p])
            s.opened[p] = 1;
    __syncthreads();
}

// ---- Measures --------------------------------------------------------------------------

#define RL_RUN_LANES 8 // a fixed number of sums side by side, as on the host

struct rl_run_sums {
    float height, inverse;
    double lacking;
};

__device__ __forceinline__ rl_run_sums rl_measure_column(const rl_layers_args &a, int slot)
{
    const float base = a.field[RL_COLUMN_BASE][slot], top = a.field[RL_COLUMN_TOP][slot];
    const float depth = a.field[RL_COLUMN_DEPTH][slot], height = top - base;
    return {height, 1.0f / height, rl_passages_lacking(base, depth, top)};
}

__device__ __forceinline__ void rl_add_column(rl_run_sums *sum, const rl_run_sums &more)
{
    sum->height += more.height;
    sum->inverse += more.inverse;
    sum->lacking += more.lacking;
}

__device__ __forceinline__ rl_run_sums rl_from_lane(const rl_run_sums &sum, int lane)
{
    return {__shfl_sync(0xffffffffu, sum.height, lane, RL_RUN_LANES),
            __shfl_sync(0xffffffffu, sum.inverse, lane, RL_RUN_LANES),
            __shfl_sync(0xffffffffu, sum.lacking, lane, RL_RUN_LANES)};
}

// The sums of one lane over a run that begins in slot `first`. What is left over after whole rounds
// of lanes goes to the first one.
__device__ __forceinline__ rl_run_sums rl_measure_run(const rl_layers_args &a, int first,
                                                      int columns, int lane)
{
    rl_run_sums sum = {0.0f, 0.0f, 0.0};
    const int whole = columns / RL_RUN_LANES * RL_RUN_LANES;
    int x = lane;
    for (; x + RL_RUN_LANES < whole; x += 2 * RL_RUN_LANES) {
        const rl_run_sums one = rl_measure_column(a, first + x);
        const rl_run_sums two = rl_measure_column(a, first + x + RL_RUN_LANES);
        rl_add_column(&sum, one);
        rl_add_column(&sum, two);
    }
    rl_run_sums rest = {0.0f, 0.0f, 0.0};
    if (whole + lane < columns)
        rest = rl_measure_column(a, first + whole + lane);
    if (x < whole)
        rl_add_column(&sum, rl_measure_column(a, first + x));
    for (int k = 0; k < RL_RUN_LANES - 1; k++) {
        const rl_run_sums other = rl_from_lane(rest, k);
        if (lane == 0 && whole + k < columns)
            rl_add_column(&sum, other);
    }
    return sum;
}

// Eight threads a run. What is known of it goes to its place among the runs of its passage: the
// heights to terms of the first kind, as pairs of floats, what it lacks to those of the second.
__device__ inline void rl_measure_runs(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s;
    const int lane = (int)threadIdx.x % RL_RUN_LANES, at_once = RL_LAYERS_BLOCK / RL_RUN_LANES;
    float *heights = reinterpret_cast<float *>(f.terms);
    for (int start = 0; start < f.runs; start += at_once) {
        const int r = start + (int)threadIdx.x / RL_RUN_LANES;
        const bool is_one = r < f.runs;
        const int number = is_one ? s.run_first[r] : 0;
        const int columns = is_one ? s.run_end[r] - number : 0;
        const int first = is_one ? f.words[number >> 5].slot + (number & 31) : 0;
        const rl_run_sums sum = rl_measure_run(a, first, columns, lane);
        double height = 0.0, inverse = 0.0, lacking = 0.0;
        for (int k = 0; k < RL_RUN_LANES; k++) {
            const rl_run_sums other = rl_from_lane(sum, k);
            height += (double)other.height;
            inverse += (double)other.inverse;
            lacking += other.lacking;
        }
        if (!is_one || lane != 0)
            continue;
        const double square = (double)columns * (double)columns;
        heights[s.run_place[r]] = (float)(square / inverse);
        heights[f.term_room + s.run_place[r]] = (float)(square / height);
        f.terms[f.term_room + s.run_place[r]] = lacking;
        atomicAdd(&s.columns[s.run_passage[r]], columns);
        atomicAdd(&s.joints[s.run_passage[r]], s.run_joints[r] + columns - 1);
    }
    __syncthreads();
}

__device__ inline void rl_measure_passages(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s;
    rl_group(s.run_passage, f.runs, f.passages, s.run_group, s.run_count, s.run_place);
    rl_measure_runs(a, f);
    const float *heights = reinterpret_cast<const float *>(f.terms);
    for (int n = (int)threadIdx.x >> 5; n < 3 * f.passages; n += RL_LAYERS_BLOCK / 32) {
        const int p = n % f.passages, kind = n / f.passages;
        const int first = s.run_group[p], rest = s.run_count[p] - 1;
        const double *lacking = f.terms + f.term_room + first;
        const float *height = heights + (kind == 1 ? f.term_room : 0) + first;
        if (kind == 2) {
            const double sum = rl_sum_by_warp(lacking + 1, rest, lacking[0]);
            if (((int)threadIdx.x & 31) == 0)
                s.lacking[p] = sum;
        } else if (((int)threadIdx.x & 31) == 0) {
            (kind == 0 ? s.along : s.across)[p] = rl_sum_in_order(height + 1, rest, height[0]);
        }
    }
    __syncthreads();
}

// ---- Driving ---------------------------------------------------------------------------

// Conductances of the gateways, their sums, and the sums of these times levels.
__device__ inline void rl_measure_ends(const rl_layers_args &a, const rl_find &f, rl_pipe_coef k)
{
    const rl_layers_search &s = f.s;
    double *height = f.sums + 2 * f.passages, *length = f.sums + 3 * f.passages;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        f.terms[n] = (double)s.height[n];
        f.terms[f.term_room + n] = s.flags[n] & RL_GATE_FLAG_NORTH ? (double)s.height[n] : 0.0;
    }
    rl_sum_passages(f, 2);
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK) {
        const double openings = f.sums[p], north = f.sums[f.passages + p];
        height[p] = rl_passages_height(s.columns[p], s.along[p], s.across[p], north, openings);
        length[p] = rl_passages_length(s.columns[p], s.joints[p], (unsigned)s.gate_count[p],
                                       openings, height[p]);
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const float conductance =
            rl_passages_conductance(s.height[n], length[s.passage[n]], a.paper, k);
        s.conductance[n] = conductance;
        f.terms[n] = (double)conductance;
        f.terms[f.term_room + n] = (double)conductance * s.level[n];
    }
    rl_sum_passages(f, 2);
}

// Eqs. 8 and 9. The discharges are left in `old`, in the place of those before.
__device__ inline void rl_drive(const rl_layers_args &a, const rl_find &f, rl_pipe_coef k)
{
    const rl_layers_search &s = f.s;
    const double *height = f.sums + 2 * f.passages;
    double *sum = f.sums + 3 * f.passages;
    rl_measure_ends(a, f, k);
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const int p = s.passage[n];
        const double inward = s.flags[n] & RL_GATE_FLAG_INWARD ? 1.0 : -1.0;
        const double old = (double)k.keep * (double)s.old[n] * inward;
        const double flux = rl_passages_drive(old, s.level[n], f.sums[f.passages + p] / f.sums[p],
                                              s.conductance[n], height[p] * height[p], k);
        f.terms[n] = flux;
        s.old[n] = (float)flux;
    }
    __syncthreads();
    for (int p = (int)threadIdx.x >> 5; p < f.passages; p += RL_LAYERS_BLOCK / 32) {
        const int count = s.gate_count[p];
        const double filling = rl_passages_filling((unsigned)count, s.lacking[p], k.spread);
        const double all = rl_sum_by_warp(f.terms + s.gate_first[p], count, -filling);
        if (((int)threadIdx.x & 31) == 0)
            sum[p] = all;
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const int p = s.passage[n];
        s.old[n] = rl_passages_even(s.old[n], s.conductance[n], sum[p], f.sums[p],
                                    (s.flags[n] & RL_GATE_FLAG_AIRY) != 0,
                                    s.flags[n] & RL_GATE_FLAG_INWARD ? 1 : -1);
    }
    __syncthreads();
}

// ---- The whole search ------------------------------------------------------------------

// Leaves in `now` the columns of those passages that are not opened, and in device memory what the
// rest of the step needs to know.
__device__ inline void rl_mark_passages(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s, &g = a.search;
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK) {
        g.mean_x[p] = g.mean_y[p] = 0.0f;
        g.filling[p] = 0.0;
        g.opened[p] = s.opened[p];
        g.columns[p] = s.columns[p];
        g.lacking[p] = s.lacking[p];
        g.gate_first[p] = s.gate_first[p];
        g.gate_count[p] = s.gate_count[p];
    }
    for (int r = (int)threadIdx.x; r < f.runs; r += RL_LAYERS_BLOCK)
        g.run_passage[r] = s.run_passage[r];
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        unsigned flooded = f.now[n];
        for (unsigned left = flooded; left != 0;) {
            const int lane = __ffs((int)left) - 1;
            const unsigned after = lane == 31 ? 0 : 0xffffffffu << (lane + 1);
            const unsigned next = s.begins[n] & after;
            const unsigned part = left & (next != 0 ? (next & (~next + 1)) - 1 : 0xffffffffu);
            if (s.opened[s.run_passage[rl_run_of(f, 32 * n + lane)]])
                flooded &= ~part;
            left &= ~part;
        }
        f.now[n] = flooded;
        g.flooded[n] = flooded;
        g.begins[n] = s.begins[n];
        g.before[n] = s.before[n];
    }
    if (threadIdx.x == 0) {
        g.counts[RL_COUNT_RUNS] = f.runs;
        g.counts[RL_COUNT_PASSAGES] = f.passages;
        g.counts[RL_COUNT_GATES] = f.gates;
    }
    __syncthreads();
}

// Takes words and cross pipes to where they are quick; they do not change from step to step.
__device__ inline void rl_begin_find(const rl_layers_args &a, rl_find *f, rl_pool *pool)
{
    const rl_layers_search &g = a.search;
    const int count = a.covered_count;
    f->s = g;
    f->full = rl_deal(pool, count, g.full);
    f->was = rl_deal(pool, count, g.words[0]);
    f->now = rl_deal(pool, count, g.words[1]);
    f->opened = rl_deal(pool, count, g.words[2]);
    f->s.begins = rl_deal(pool, count, g.begins);
    f->s.before = rl_deal(pool, count, g.before);
    f->words = rl_deal_copy(pool, count, a.words);
    f->pipes = rl_deal_copy(pool, a.pipe_count, a.pipes);
}

// Whether there are full columns.
__device__ inline bool rl_take_full(const rl_layers_args &a, const rl_find &f)
{
    int some = 0;
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        const unsigned full = __ldcg(&a.search.full[n]), was = a.search.flooded[n];
        f.full[n] = full;
        f.was[n] = was;
        f.opened[n] = 0;
        some |= full != 0;
    }
    return __syncthreads_or(some);
}

// No column is flooded.
__device__ inline void rl_find_none(const rl_layers_args &a, rl_find *f)
{
    f->runs = f->passages = f->gates = 0;
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK)
        a.search.flooded[n] = 0;
    if (threadIdx.x < RL_COUNT_SHORTS)
        a.search.counts[threadIdx.x] = 0;
    __syncthreads();
}

// From full columns to the discharges of gateways.
__device__ inline void rl_search_passages(const rl_layers_args &a, rl_find *f, rl_pool pool,
                                          rl_pipe_coef k)
{
    if (!rl_take_full(a, *f)) {
        rl_find_none(a, f);
        return;
    }
    rl_open_to_air(a, *f, a.search.list);
    rl_find_passages(a, f, pool);
    // Columns that have just been opened are full, so they let no air further in.
    if (f->runs > 0 && rl_let_air_in(a, *f))
        rl_find_passages(a, f, pool);
    if (f->runs == 0) {
        rl_find_none(a, f);
        return;
    }
    rl_measure_passages(a, *f);
    rl_open_emptied(*f);
    rl_mark_passages(a, *f);
    rl_drive(a, *f, k);
}

__device__ __forceinline__ float *rl_raw_of(const rl_layers_args &a, unsigned flags, int face)
{
    float *raw = flags & RL_GATE_FLAG_CROSS ? a.cross_raw
                 : flags & RL_GATE_FLAG_Y   ? a.field[RL_COLUMN_RAW_Y]
                                            : a.field[RL_COLUMN_RAW_X];
    return raw + face;
}

// The raw discharges of all faces are known: replaces those of gateways, which go to device memory
// too. Those of faces inside passages nobody looks at: flooded columns keep what they hold.
__device__ inline void rl_write_raw(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s, &g = a.search;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        if (!s.opened[s.passage[n]])
            *rl_raw_of(a, s.flags[n], s.face[n]) = s.old[n];
        g.passage[n] = s.passage[n];
        g.face[n] = s.face[n];
        g.inside[n] = s.inside[n];
        g.outside[n] = s.outside[n];
        g.flags[n] = s.flags[n];
    }
}
