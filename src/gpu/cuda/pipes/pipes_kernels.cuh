// SPDX-License-Identifier: MIT
// pipes_kernels.cuh - the march of pipes_march.cuh as kernels: one for large grids, whose warps
// pass over many rows, and one for small ones.
#pragma once

#include "gpu/cuda/pipes/pipes_march.cuh"

#include <cuda_pipeline.h>

// Gathers the deepest water of a block in the control of the next step: as an integer, whose order
// is that of floats which are not negative.
__device__ __forceinline__ void rl_gather_deepest(float deepest, int *place, int *shared)
{
    const int bits = rl_largest_of_warp(__float_as_int(deepest));
    if (threadIdx.x == 0)
        *shared = 0;
    __syncthreads();
    if ((threadIdx.x & 31) == 0)
        atomicMax(shared, bits);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(place, *shared);
}

// Computes the constants of the step for all threads of a block; returns false when the world's
// step is done.
__device__ __forceinline__ bool rl_begin_step(const rl_march_args &a, rl_step_plan *plan)
{
    if (threadIdx.x == 0)
        *plan = rl_plan_step(a.now->controller, a.now->deepest, *a.setup);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        rl_pass_on(a.now, *plan, a.spread);
    return plan->moves != 0;
}

// The rows before the first one of a march.
template <int V> struct rl_first_rows {
    rl_pack<V> bed, depth, qy_south_old, qy_old;
};

template <int V>
__device__ __forceinline__ rl_first_rows<V> rl_load_first(const rl_march_args &a, int y, int x)
{
    const ptrdiff_t at = rl_place(a, y, x), south = rl_place(a, y > -2 ? y - 1 : y, x);
    return {rl_load_pack<V>(a.f.bed + at), rl_load_pack<V>(a.f.depth + at),
            rl_load_pack<V>(a.f.qy + south), rl_load_pack<V>(a.f.qy + at)};
}

template <typename M, int V>
__device__ __forceinline__ void rl_begin_march(M &m, const rl_first_rows<V> &first)
{
    m.bed = first.bed;
    m.depth = first.depth;
    m.qy_south_old = first.qy_south_old;
    m.qy_old = first.qy_old;
}

// Rows on their way through shared memory: a thread copies what it will read itself, so that no
// thread waits for another.
template <int V, int STAGES> struct rl_ring {
    static constexpr int array = 32 * V;    // floats of one array of a row,
    static constexpr int stage = 5 * array; // and of all
    const rl_march_args &a;
    float *mine;    // of this thread
    int rows;       // of the march
    ptrdiff_t next; // place of the row north of the next requested one

    // Requests row `t` of the march, if there is one.
    __device__ __forceinline__ void ask(int t)
    {
        if (t < rows) {
            float *to = mine + t % STAGES * stage;
            __pipeline_memcpy_async(to, a.f.bed + next, 4 * V);
            __pipeline_memcpy_async(to + array, a.f.depth + next, 4 * V);
            __pipeline_memcpy_async(to + 2 * array, a.f.qx + next - a.pitch, 4 * V);
            __pipeline_memcpy_async(to + 3 * array, a.f.qy + next, 4 * V);
            if (t > 2)
                __pipeline_memcpy_async(to + 4 * array, a.f.remainder + next - 2 * a.pitch, 4 * V);
            next += a.pitch;
        }
        __pipeline_commit();
    }

    // Waits for row `t`; STAGES - 1 more have been requested.
    __device__ __forceinline__ rl_arrival<V> take(int t)
    {
        __pipeline_wait_prior(STAGES - 1);
        return rl_load_arrival<V>(mine + t % STAGES * stage, array);
    }
};

// Rows come through a ring in shared memory, STAGES - 1 of them ahead: for large grids with many
// rows.
template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS) rl_march_far(const rl_march_args a)
{
    extern __shared__ __align__(16) float memory[];
    __shared__ rl_step_plan plan;
    __shared__ int gathered;
    const int in_block = (int)threadIdx.x / 32, lane = (int)threadIdx.x & 31;
    const rl_strip<V> s = rl_strip_of<V>(a, blockIdx.x * WARPS + in_block, lane);
    const bool works = s.y0 < a.ny;
    const int first = s.y0 - 2;
    rl_ring<V, STAGES> ring = {a, memory + in_block * STAGES * rl_ring<V, STAGES>::stage + lane * V,
                               works ? s.y1 - s.y0 + 3 : 0, rl_place(a, first + 1, s.from)};
    const auto take = [&](int t) {
        ring.ask(t + STAGES - 1);
        rl_arrival<V> in = ring.take(t);
        if (SMOOTH && V < 4 && lane == 0)
            in.qx_west = a.f.qx[rl_place(a, first + t, s.from - 1)];
        return in;
    };
    rl_let_next_step_begin();
    rl_wait_for_step_before();
#pragma unroll
    for (int t = 0; t < STAGES - 1; t++)
        ring.ask(t);
    if (rl_begin_step(a, &plan)) {
        rl_march<V, KIND, SLOWED, SMOOTH> m(a, s, plan.k);
        if (works) {
            rl_begin_march(m, rl_load_first<V>(a, first, s.from));
            m.template row<0>(first, take(0));
            m.template row<1>(first + 1, take(1));
            m.template row<2>(first + 2, take(2));
        }
#pragma unroll 1
        for (int t = 3; t < ring.rows; t++)
            m.template row<3>(first + t, take(t));
        rl_gather_deepest(m.deepest, &a.now[1].deepest, &gathered);
    }
    __pipeline_wait_prior(0);
}

// All rows of a warp are requested at once and the march is unrolled: for small grids with few
// rows.
template <int V, int KIND, int SLOWED, int SMOOTH, int ROWS, int WARPS>
__global__ void __launch_bounds__(32 * WARPS) rl_march_beside(const rl_march_args a)
{
    __shared__ rl_step_plan plan;
    __shared__ int gathered;
    const int warp = blockIdx.x * WARPS + (int)threadIdx.x / 32, lane = (int)threadIdx.x & 31;
    const rl_strip<V> s = rl_strip_of<V>(a, warp, lane);
    const bool works = s.y0 < a.ny;
    const int first = s.y0 - 2;
    rl_arrival<V> in[ROWS + 3];
    rl_first_rows<V> before;
    rl_let_next_step_begin();
    rl_wait_for_step_before();
    if (works) {
        before = rl_load_first<V>(a, first, s.from);
#pragma unroll
        for (int t = 0; t < ROWS + 3; t++) {
            // Beyond the last row there are no rows: the last one is read again.
            const int y = first + t < a.ny + 1 ? first + t : a.ny;
            const ptrdiff_t here = rl_place(a, y, s.from);
            in[t].bed = rl_load_pack<V>(a.f.bed + here + a.pitch);
            in[t].depth = rl_load_pack<V>(a.f.depth + here + a.pitch);
            in[t].qy = rl_load_pack<V>(a.f.qy + here + a.pitch);
            if (t > 0)
                in[t].qx = rl_load_pack<V>(a.f.qx + here);
            if (t > 2)
                in[t].remainder = rl_load_pack<V>(a.f.remainder + here - a.pitch);
            if (SMOOTH && V < 4 && lane == 0 && t > 0)
                in[t].qx_west = a.f.qx[here - 1];
        }
    }
    const bool moves = rl_begin_step(a, &plan);
    if (moves) {
        rl_march<V, KIND, SLOWED, SMOOTH> m(a, s, plan.k);
        if (works) {
            rl_begin_march(m, before);
            m.template row<0>(first, in[0]);
            m.template row<1>(first + 1, in[1]);
            m.template row<2>(first + 2, in[2]);
#pragma unroll
            for (int t = 3; t < ROWS + 3; t++)
                if (first + t <= s.y1)
                    m.template row<3>(first + t, in[t]);
        }
        rl_gather_deepest(m.deepest, &a.now[1].deepest, &gathered);
    }
}
