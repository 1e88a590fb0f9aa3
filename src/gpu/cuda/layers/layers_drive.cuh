// SPDX-License-Identifier: MIT
// layers_drive.cuh - flooded passages from full columns to the discharges of their gateways
// (Dagenais section 3.3): solvers/layers/layers_passages.c by one block, with a warp for a chunk of
// gateways.
#pragma once

#include "gpu/cuda/layers/layers_gates.cuh"

__device__ __forceinline__ float *rl_raw_of(const rl_layers_args &a, unsigned flags, int face)
{
    float *raw = flags & RL_GATE_FLAG_CROSS ? a.cross_raw
                 : flags & RL_GATE_FLAG_Y   ? a.field[RL_COLUMN_RAW_Y]
                                            : a.field[RL_COLUMN_RAW_X];
    return raw + face;
}

// ---- Driving ---------------------------------------------------------------------------

// Runs with a warp a passage: sums up its gateways. Where liquid leaves into air and none comes in,
// the passage is being emptied: it is none.
__device__ __forceinline__ void rl_measure_passages(const rl_find &f, double cell, float spread)
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
__device__ __forceinline__ void rl_mark_passages(const rl_layers_args &a, const rl_find &f)
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
__device__ __forceinline__ void rl_find_none(const rl_layers_args &a, const rl_find &f)
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
__device__ __forceinline__ void rl_measure_ends(const rl_layers_args &a, const rl_find &f,
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
__device__ __forceinline__ void rl_drive(const rl_find &f, const rl_lane_gate &cached,
                                         const rl_pipe_coef &k)
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
__device__ __forceinline__ bool rl_search_passages(const rl_layers_args &a, const rl_find &f,
                                                   const rl_pipe_coef &k, rl_lane_gate *cached)
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
__device__ __forceinline__ void rl_write_raw(const rl_layers_args &a, const rl_find &f,
                                             const rl_lane_gate &cached)
{
    rl_for_chunks(f, cached, [&](int, const rl_lane_gate &g) {
        if (g.number >= 0 && !rl_run(f, RL_RUN_OPENED)[g.root])
            *rl_raw_of(a, (unsigned)rl_gate(f, RL_GATE_FLAGS)[g.number],
                       rl_gate(f, RL_GATE_FACE)[g.number]) =
                rl_gate_real(f, RL_GATE_FLOW)[g.number];
    });
}
