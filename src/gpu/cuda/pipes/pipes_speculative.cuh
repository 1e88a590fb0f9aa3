// SPDX-License-Identifier: MIT
// pipes_speculative.cuh - the beginning of a pass of two steps: it checks the speculation of the
// pass before, and plans the two steps of this one. The length of the second follows from the
// deepest water after the first, which is predicted.
#pragma once

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
