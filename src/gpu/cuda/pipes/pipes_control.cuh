// SPDX-License-Identifier: MIT
// pipes_control.cuh - the substep controller of the pipes solver on the device: a step follows
// another without the host. Every block of a step computes its length for itself from the results
// of the step before.
#pragma once

#include "solvers/shared/pipe_rules_inline.h"
#include "solvers/shared/substeps.h"

#define RL_PIPES_GHOST_ROWS 5 // below and above the grid: two steps at once read further

typedef struct rl_step_plan {
    rl_pipe_coef k;
    rl_substeps controller; // after the substep
    int moves;              // 0 when nothing is left to do
} rl_step_plan;

// The progress of the world's step before a substep.
typedef struct rl_pipes_control {
    rl_substeps controller;
    int deepest; // bits of the deepest water in the grid, metres
} rl_pipes_control;

// The arguments that do not change from step to step.
typedef struct rl_pipes_setup {
    rl_pipe_rules rules;
    float border_deepest; // water beyond borders of a given level, metres
} rl_pipes_setup;

__device__ inline rl_step_plan rl_plan_step(const rl_substeps &controller, int bits,
                                            const rl_pipes_setup &setup)
{
    rl_step_plan plan;
    plan.controller = controller;
    plan.moves = controller.left > 0.0;
    if (!plan.moves)
        return plan;
    const float water = __int_as_float(bits);
    const float deepest = water > setup.border_deepest ? water : setup.border_deepest;
    const double height = rl_pipe_driving_height_of(&setup.rules, (double)deepest);
    const double stable = rl_pipe_stable_step_of(&setup.rules, height);
    rl_substeps_choose(&plan.controller, stable);
    plan.k = rl_pipe_coefficients_of(&setup.rules, plan.controller.substep, stable);
    rl_substeps_taken(&plan.controller);
    return plan;
}

// Writes the control of the next step; all blocks gather its deepest water.
__device__ inline void rl_pass_on(rl_pipes_control *now, const rl_step_plan &plan, float *spread)
{
    now[1].controller = plan.controller;
    if (plan.moves)
        *spread = plan.k.spread;
    else
        now[1].deepest = now->deepest;
}

// ---- Two steps in one pass -------------------------------------------------------------

// The deepest water and its place: bits of metres above, the number of the cell (or of one a few
// columns west of it) below. The larger number is the deeper water.
typedef unsigned long long rl_deepest;
#define RL_NOWHERE 0xffffffffu

__host__ __device__ inline int rl_deepest_bits(rl_deepest d)
{
    return (int)(d >> 32);
}

__host__ __device__ inline unsigned rl_deepest_place(rl_deepest d)
{
    return (unsigned)d;
}

__host__ __device__ inline rl_deepest rl_make_deepest(int bits, unsigned place)
{
    return (rl_deepest)(unsigned)bits << 32 | place;
}

// A pass takes two steps at once, so it must know how long the second one is before the first is
// done everywhere. The second step is speculative: the pass predicts the deepest water after the
// first step (rl_speculate) and takes both; the next pass, which knows it, discards the result
// where that was wrong. Its input is unchanged in the other copy, and from there it takes one step.
typedef struct rl_pass_control {
    rl_substeps controller; // before the pass
    rl_deepest deepest;
    int copy;  // that holds the state before the pass
    int steps; // taken: 0, 1 or 2
    rl_step_plan first, second;
    rl_deepest after[2]; // deepest water after each step, gathered by all blocks
} rl_pass_control;

__device__ inline bool rl_same_plan(const rl_step_plan &a, const rl_step_plan &b)
{
    const int *k = reinterpret_cast<const int *>(&a.k), *l = reinterpret_cast<const int *>(&b.k);
    bool same = a.moves == b.moves && a.controller.left == b.controller.left &&
                a.controller.substep == b.controller.substep &&
                a.controller.wanted == b.controller.wanted &&
                a.controller.capped == b.controller.capped;
    for (size_t n = 0; n < sizeof a.k / sizeof(int); n++)
        same = same && k[n] == l[n];
    return same;
}

// Returns whether the length of the second step was right.
__device__ inline bool rl_speculation_holds(const rl_pass_control &c, const rl_pipes_setup &setup)
{
    if (c.steps < 2)
        return true;
    return rl_same_plan(rl_plan_step(c.first.controller, rl_deepest_bits(c.after[0]), setup),
                        c.second);
}

// The progress of the world's step after a pass.
typedef struct rl_pass_end {
    rl_substeps controller;
    rl_deepest deepest;
    int copy;
} rl_pass_end;

__device__ inline rl_pass_end rl_end_of_pass(const rl_pass_control &c, bool right)
{
    if (c.steps == 0 || !right)
        return {c.controller, c.deepest, c.copy};
    if (c.steps == 1)
        return {c.first.controller, c.after[0], !c.copy};
    return {c.second.controller, c.after[1], !c.copy};
}

// A step may be launched before the one before it has ended, and waits here for its results.
__device__ __forceinline__ void rl_wait_for_step_before()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

__device__ __forceinline__ void rl_let_next_step_begin()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}
