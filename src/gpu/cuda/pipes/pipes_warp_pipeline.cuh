// SPDX-License-Identifier: MIT
// pipes_warp_pipeline.cuh - two steps of the pipes solver in one pass over the grid. A block is two
// warps that form a pipeline: the first marches over a strip and takes the first step, the second
// follows it one row behind, takes its rows from shared memory and takes the second step. So memory
// is read and written once for both. The length of the second step is speculative
// (rl_pass_control).
#pragma once

#include "gpu/cuda/pipes/pipes_speculative.cuh"

// Rows between the two warps. Row `t` of the first march leaves in place t: discharges, depths and
// remainders of the row it filled, and the bed of that row, which came two rows before.
template <int V> struct rl_warp_pipeline {
    static constexpr int places = 4;
    static constexpr int array = 32 * V, place = 5 * array;
    static constexpr size_t bytes = places * place * sizeof(float);
    float *mine; // of this thread

    __device__ __forceinline__ float *at(int t)
    {
        return mine + (t & (places - 1)) * place;
    }

    __device__ __forceinline__ void give(int t, const rl_filled<V> &r)
    {
        float *to = at(t);
        rl_store_pack<V>(to + array, r.depth);
        rl_store_pack<V>(to + 2 * array, r.x);
        rl_store_pack<V>(to + 3 * array, r.north);
        rl_store_pack<V>(to + 4 * array, r.remainder);
    }

    __device__ __forceinline__ void give_bed(int t, const rl_pack<V> &bed)
    {
        rl_store_pack<V>(at(t + 2), bed);
    }

    __device__ __forceinline__ rl_arrival<V> take(int t)
    {
        rl_arrival<V> in;
        in.bed = rl_load_pack<V>(at(t));
        in.depth = rl_load_pack<V>(at(t) + array);
        in.qx = rl_load_pack<V>(at(t - 1) + 2 * array);
        in.qy = rl_load_pack<V>(at(t) + 3 * array);
        in.remainder = rl_load_pack<V>(at(t - 2) + 4 * array);
        in.qx_west = 0.0f;
        return in;
    }
};

// ---- The first warp --------------------------------------------------------------------

// Computes the cells that the second step reads beyond the sides of a row.
template <int V, typename M>
__device__ __forceinline__ void rl_mend_ends(const M &m, rl_filled<V> &r)
{
    const float west = __shfl_up_sync(RL_EVERYONE, r.x.v[V - 1], 1);
    if (m.s.has_west)
        r.x.v[V - 2] = r.x.v[V - 1];
    if (m.s.column == m.a.nx)
        r.x.v[0] = west;
#pragma unroll
    for (int e = 0; e < V; e++) {
        if (e > 0 && m.s.has_last && e == m.s.count)
            r.x.v[e] = r.x.v[e > 0 ? e - 1 : 0];
        if (e >= m.s.count)
            r.depth.v[e] = m.depth_south.v[e];
    }
}

// A row beyond the grid: its depths stay, and beyond a border its discharges are repeated, where
// smoothing reads them.
template <int V, typename M>
__device__ __forceinline__ void rl_leave_grid(M &m, int y, rl_filled<V> &r, bool pair)
{
    r.depth = m.depth_south;
    if (y == m.a.ny)
        r.north = m.qy_limited;
    if (y == -1 && m.s.y0 == 0) {
        m.note_faces(RILL_SIDE_SOUTH, r.north);
        if (!pair)
            m.store_south(r.north);
    }
}

// Rows of the first march begin four south of those that are written: `rows` of them.
template <int V, int STAGES, typename M>
__device__ __forceinline__ void rl_lead(M &m, rl_pass_ring<V, STAGES> &ring,
                                        rl_warp_pipeline<V> &pipeline, int rows, bool pair)
{
    const int first = m.s.y0 - 4;
    m.begin(first);
#pragma unroll 1
    for (int t = 0; t < rows; t++) {
        const rl_arrival<V> in = ring.take(t);
        const int y = first + t, filled = y - 1;
        if (pair)
            pipeline.give_bed(t, in.bed);
        rl_filled<V> r = m.row(t, y, in);
        if (filled >= m.s.y0 && filled < m.s.y1) {
            m.note(filled, r);
            if (!pair)
                m.store(filled, r);
        }
        if (filled < 0 || filled >= m.a.ny)
            rl_leave_grid(m, filled, r, pair);
        else if (m.s.at_side)
            rl_mend_ends(m, r);
        m.move_on(in, r);
        if (pair) {
            pipeline.give(t, r);
            if (t > 1)
                __syncthreads();
        }
    }
    if (pair)
        __syncthreads();
}

// ---- The second warp -------------------------------------------------------------------

// Its row y comes when the first has left row t = y - y0 + 6; the first ones are only read.
template <int V, typename M>
__device__ __forceinline__ void rl_follow(M &m, rl_warp_pipeline<V> &pipeline, int rows)
{
    __syncthreads();
#pragma unroll 1
    for (int t = 2; t < rows; t++) {
        const rl_arrival<V> in = pipeline.take(t);
        const int y = m.s.y0 - 6 + t;
        if (t < 4) {
            m.read(in);
        } else {
            if (y == -2)
                m.qy_old = in.qy;
            const rl_filled<V> r = m.row(t - 4, y, in);
            if (y > m.s.y0) {
                m.note(y - 1, r);
                m.store(y - 1, r);
            } else if (y == 0) {
                m.note_faces(RILL_SIDE_SOUTH, r.north);
                m.store_south(r.north);
            }
            m.move_on(in, r);
        }
        __syncthreads();
    }
}

// ---- The pass --------------------------------------------------------------------------

// Gathers the deepest water of a warp in the control of the pass.
template <typename M> __device__ __forceinline__ void rl_gather_place(const M &m, rl_deepest *place)
{
    const int column = m.s.column > 0 ? m.s.column : 0;
    const rl_deepest most = rl_largest_of_warp(rl_make_deepest(
        __float_as_int(m.deepest), (unsigned)m.deepest_row * (unsigned)m.a.nx + (unsigned)column));
    if (m.s.lane == 0)
        atomicMax(place, most);
}

// Takes the pass from one copy of the state to the other.
template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES>
__device__ __forceinline__ void rl_run_pass(const rl_march_args &a, const rl_march_fields &f,
                                            rl_pass_plan &plan, float *memory, bool leads,
                                            bool pair)
{
    typedef rl_pass_ring<V, STAGES> ring_type;
    typedef rl_pass_march<V, KIND, SLOWED, SMOOTH> march;
    const int lane = (int)threadIdx.x & 31;
    rl_strip<V> s = rl_strip_of<V>(a, (int)blockIdx.x, lane);
    // Two steps read further than one: the strip before the last may contain the border too.
    const int strip = (int)blockIdx.x % a.strips;
    s.at_side = s.at_side || (strip + 1) * rl_strip<V>::width + V >= a.nx;
    const int rows = s.y1 - s.y0 + (pair ? 7 : 5);
    rl_warp_pipeline<V> pipeline = {memory + ring_type::stage * STAGES + lane * V};
    rl_deepest *after = a.passes[a.pass + 1].after;
    const int books = plan.slot * (int)rl_crossed_floats(a.nx, a.ny);
    if (leads) {
        ring_type ring = {a, f, memory, lane, rows, rl_limited_place(a, s.y0 - 3, s.from)};
#pragma unroll
        for (int t = 0; t < STAGES - 1; t++)
            ring.ask(t);
        const rl_pipe_coef k = rl_uniform_coef(plan.first.k);
        march m(a, f, s, k, books);
        rl_lead<V, STAGES>(m, ring, pipeline, rows, pair);
        rl_gather_place(m, after);
    } else {
        if (pair) {
            const float water = rl_speculate<KIND, SLOWED, SMOOTH>(a, plan, lane);
            if (lane == 0)
                plan.second = rl_plan_step(plan.first.controller, __float_as_int(water), *a.setup);
        }
        if (lane == 0 && blockIdx.x == 0)
            rl_publish_pass(a, plan);
        if (!pair)
            return;
        __syncwarp();
        const rl_pipe_coef k = rl_uniform_coef(plan.second.k);
        march m(a, f, s, k, books + (int)rl_crossed_floats(a.nx, a.ny));
        rl_follow<V>(m, pipeline, rows);
        rl_gather_place(m, after + 1);
    }
    __pipeline_wait_prior(0);
}

template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int BLOCKS>
__global__ void __launch_bounds__(64, BLOCKS) rl_march_warp_pipeline(const rl_march_args a)
{
    extern __shared__ __align__(16) float memory[];
    __shared__ rl_pass_plan plan;
    const bool leads = rl_uniform((int)threadIdx.x / 32) == 0;
    rl_let_next_step_begin();
    rl_wait_for_step_before();
    rl_begin_pass(a, plan);
    const int steps = rl_uniform(plan.steps), copy = rl_uniform(plan.now.copy);
    if (steps == 0) {
        if (threadIdx.x == 0 && blockIdx.x == 0)
            rl_publish_pass(a, plan);
        return;
    }
    // Written twice, so that the places of the fields are constants.
    if (copy == 0)
        rl_run_pass<V, KIND, SLOWED, SMOOTH, STAGES>(a, a.f, plan, memory, leads, steps == 2);
    else
        rl_run_pass<V, KIND, SLOWED, SMOOTH, STAGES>(a, a.back, plan, memory, leads, steps == 2);
}
