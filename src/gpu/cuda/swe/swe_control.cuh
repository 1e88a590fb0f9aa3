// SPDX-License-Identifier: MIT
// swe_control.cuh - the substep controller of the swe solver on the device: a step follows another
// without the host. Every block of a step computes its length for itself from the results of the
// step before.
#pragma once

#include "gpu/cuda/pipes/pipes_control.cuh"
#include "gpu/cuda/swe/swe_device.h"

// No border cell at all: deeper than any water.
#define RL_SWE_NO_DEPTH 0x7f7fffff

typedef struct rl_swe_plan {
    rl_swe_coef k;
    rl_substeps controller; // after the substep
    float fastest;          // no velocity of before may exceed this, m/s
    int moves;              // 0 when nothing is left to do
    float gravity;
    double cell_size;
    rl_swe_side side[RILL_SIDE_COUNT];
} rl_swe_plan;

// The progress of the world's step before a substep. Largest numbers are stored as the bits of
// floats, whose order is that of integers as long as none is negative.
typedef struct rl_swe_control {
    rl_substeps controller;
    int depth, u, v;                 // the largest
    int shallowest[RILL_SIDE_COUNT]; // water in the border cells of sides with an inflow
} rl_swe_control;

__device__ inline rl_swe_largest rl_swe_largest_before(const rl_swe_control &now,
                                                       const rl_swe_setup &setup)
{
    rl_swe_largest most = {__int_as_float(now.depth), __int_as_float(now.u), __int_as_float(now.v)};
    most.depth = setup.deepest_beyond > most.depth ? setup.deepest_beyond : most.depth;
    for (int n = 0; n < RILL_SIDE_COUNT; n++) {
        const rl_swe_side *side = &setup.side[n];
        if (!rl_swe_side_flows_in(side))
            continue;
        // The slowest water is the deepest, so the fastest comes in where it is most shallow.
        const float d = rl_swe_depth_beyond(side, 0.0f, __int_as_float(now.shallowest[n]));
        const float comes = rl_swe_inflow_speed(side, d);
        float &speed = n == RILL_SIDE_WEST || n == RILL_SIDE_EAST ? most.u : most.v;
        speed = comes > speed ? comes : speed;
    }
    return most;
}

__device__ inline rl_swe_plan rl_swe_plan_step(const rl_swe_control &now, const rl_swe_setup &setup)
{
    rl_swe_plan plan;
    plan.controller = now.controller;
    plan.moves = now.controller.left > 0.0;
    if (!plan.moves)
        return plan;
    const rl_swe_largest most = rl_swe_largest_before(now, setup);
    const double stable = rl_swe_stable_step_of(&setup.rules, most);
    rl_substeps_choose(&plan.controller, stable);
    plan.k = rl_swe_coefficients_of(&setup.rules, plan.controller.substep,
                                    rl_swe_is_too_long(plan.controller.substep, stable));
    rl_substeps_taken(&plan.controller);
    // Velocities may exceed the clamp of this step after a shorter one or a deposit of momentum.
    const bool clamps = most.u > plan.k.fastest || most.v > plan.k.fastest;
    plan.fastest = clamps ? plan.k.fastest : INFINITY;
    plan.gravity = (float)setup.rules.gravity;
    plan.cell_size = setup.rules.cell_size;
    for (int n = 0; n < RILL_SIDE_COUNT; n++)
        plan.side[n] = setup.side[n];
    return plan;
}

// Writes the control of the next step; all blocks gather its largest numbers.
__device__ inline void rl_swe_pass_on(rl_swe_control *now, const rl_swe_plan &plan)
{
    now[1].controller = plan.controller;
    if (plan.moves)
        return;
    now[1].depth = now->depth;
    now[1].u = now->u;
    now[1].v = now->v;
    for (int n = 0; n < RILL_SIDE_COUNT; n++)
        now[1].shallowest[n] = now->shallowest[n];
}
