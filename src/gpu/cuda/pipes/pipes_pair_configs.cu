// SPDX-License-Identifier: MIT
// pipes_pair_configs.cu - two steps of the pipes solver in one pass over the grid. A block is two
// warps that form a pipeline: the first marches over a strip and takes the first step, the second
// follows it one row behind, takes its rows from shared memory and takes the second step. So memory
// is read and written once for both. The length of the second step is speculative
// (rl_pass_control): it follows from the deepest water after the first, which is predicted. The
// beginning of a pass checks the speculation of the pass before, and plans the two steps.
//
// Kernel configurations were measured on an H200 (docs/gpu.md). A march passes twice over ten rows
// more than it fills, so it needs many.
#include "gpu/cuda/pipes/pipes_configs.h"
#include "gpu/cuda/pipes/pipes_pass.cuh"

// ---- The plan of a pass ----------------------------------------------------------------

// The plan that the blocks of a pass agree on; each computes it for itself.
struct rl_pass_plan {
    rl_pass_end now; // before the pass
    int right;       // the speculation of the pass before held
    int steps;       // to take: 0, 1 or 2
    int slot;        // number of the first step in the row of passes
    rl_step_plan first, second;
};

// Runs on all threads of a block, two warps at least.
__device__ __forceinline__ void rl_begin_pass(const rl_march_args &a, rl_pass_plan &plan)
{
    const rl_pass_control &before = a.passes[a.pass];
    if (threadIdx.x == 0)
        plan.right = rl_speculation_holds(before, *a.setup);
    if (threadIdx.x == 32) {
        const rl_pass_end end = rl_end_of_pass(before, true);
        plan.first = rl_plan_step(end.controller, rl_deepest_bits(end.deepest), *a.setup);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const bool right = plan.right != 0;
        plan.now = rl_end_of_pass(before, right);
        if (!right)
            plan.first = before.first;
        plan.slot = plan.now.controller.substeps - a.passes[0].controller.substeps;
        const bool pair = right && plan.first.controller.left > 0.0 &&
                          rl_deepest_place(plan.now.deepest) != RL_NOWHERE;
        plan.steps = !plan.first.moves ? 0 : pair ? 2 : 1;
    }
    __syncthreads();
}

// Runs on one thread of the grid, when the second step is planned.
__device__ inline void rl_publish_pass(const rl_march_args &a, const rl_pass_plan &plan)
{
    rl_pass_control &mine = a.passes[a.pass + 1];
    mine.controller = plan.now.controller;
    mine.deepest = plan.now.deepest;
    mine.copy = plan.now.copy;
    mine.steps = plan.steps;
    mine.first = plan.first;
    if (plan.steps > 0)
        a.spread[plan.slot] = plan.first.k.spread;
    if (plan.steps > 1) {
        mine.second = plan.second;
        a.spread[plan.slot + 1] = plan.second.k.spread;
    }
}

// ---- Speculation -----------------------------------------------------------------------

// Predicts the deepest water after a step, on the assumption that it is where it was before or
// beside that: a warp takes the step in three rows of 28 columns there. It is almost always right,
// because crests move by less than a cell a step; that another place far away becomes the deepest
// is rare.
template <int KIND, int SLOWED, int SMOOTH>
__device__ __forceinline__ float rl_speculate(const rl_march_args &a, const rl_pass_plan &plan,
                                              int lane)
{
    const unsigned place = rl_deepest_place(plan.now.deepest);
    const int px = (int)(place % (unsigned)a.nx), py = (int)(place / (unsigned)a.nx);
    rl_strip<1> s;
    s.lane = lane;
    s.column = px - 14 + lane;
    const int last = a.pitch - RL_DEVICE_MARGIN - 1;
    s.from = s.column < last ? s.column : last;
    s.y0 = py > 0 ? py - 1 : 0;
    s.y1 = py + 2 < a.ny ? py + 2 : a.ny;
    s.count = s.column >= 0 && s.column < a.nx;
    s.has_west = s.column == -1;
    s.has_last = s.column == a.nx - 1;
    s.at_side = true;
    s.writes = s.count > 0 && lane >= 2 && lane < 30;
    s.has_east = s.writes && s.has_last;
    const int first = s.y0 - 2;
    const rl_march_fields &f = plan.now.copy ? a.back : a.f;
    const auto at = [&](const float *from, int y, int x) {
        return rl_pack<1>{{from[rl_limited_place(a, y, x)]}};
    };
    rl_arrival<1> in[6];
#pragma unroll
    for (int t = 0; t < 6; t++) {
        const int y = first + t < a.ny ? first + t : a.ny;
        in[t].bed = at(f.bed, y + 1, s.from);
        in[t].depth = at(f.depth, y + 1, s.from);
        in[t].qy = at(f.qy, y + 1, s.from);
        in[t].qx = at(f.qx, y, s.from);
        in[t].remainder = at(f.remainder, y - 1, s.from);
        in[t].qx_west = at(f.qx, y, s.from - 1).v[0];
    }
    rl_pass_march<1, KIND, SLOWED, SMOOTH> m(a, f, s, plan.first.k, 0);
    m.begin(first);
#pragma unroll
    for (int t = 0; t < 6; t++) {
        const rl_filled<1> r = m.row(t, first + t, in[t]);
        if (t > 2 && first + t <= s.y1)
            m.measure(first + t - 1, r);
        m.move_on(in[t], r);
    }
    return __int_as_float(rl_largest_of_warp(__float_as_int(m.deepest)));
}

// ---- The pipeline ----------------------------------------------------------------------

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

// ---- Kernel configurations -------------------------------------------------------------

// Cells from which on a pass is faster than two steps.
#define LEAST_CELLS RL_CONFIG_CELLS(1500)

#define MOST_ROWS 200

template <int V, int KIND, int SLOWED, int SMOOTH, int STAGES, int BLOCKS>
static rl_kernel_config pipeline_config()
{
    return {rl_march_warp_pipeline<V, KIND, SLOWED, SMOOTH, STAGES, BLOCKS>,
            rl_strip<V>::width,
            2,
            1,
            0,
            MOST_ROWS,
            rl_pass_ring<V, STAGES>::bytes + rl_warp_pipeline<V>::bytes};
}

struct pairs_of_steps {
    template <int KIND, int SLOWED, int SMOOTH> static rl_kernel_config of(long long cells)
    {
        // Wetted pipes are smoothed and the papers' are not by default; other combinations use
        // single steps, which makes the build shorter.
        constexpr bool usual = SMOOTH == !(KIND & RL_PIPE_PAPER);
        if constexpr (usual)
            if (cells > LEAST_CELLS)
                return pipeline_config<4, KIND, SLOWED, SMOOTH, 4, 8>();
        return {};
    }
};

rl_kernel_config rl_pair_config_for(int nx, int ny, const rl_kernel_config_rules &rules)
{
    return rl_kernel_config_by_rules<pairs_of_steps>(nx, ny, rules);
}
