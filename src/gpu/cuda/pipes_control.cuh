// SPDX-License-Identifier: MIT
// pipes_control.cuh - how long the next step is, found out on the device: a step follows another
// without the host. Every block of a step works this out for itself from what the step before left.
#pragma once

#include "solvers/pace.h"
#include "solvers/pipe_rules_inline.h"

// Ghost columns before and after a row, and ghost rows below and above the grid.
#define RL_DEVICE_MARGIN     32
#define RL_DEVICE_GHOST_ROWS 2

typedef struct rl_step_plan {
    rl_pipe_coef k;
    rl_pace pace; // after the substep
    int moves;    // 0: nothing is left to do
} rl_step_plan;

// Where the step of the world stands before a substep.
typedef struct rl_pipes_control {
    rl_pace pace;
    int deepest;  // bits of the deepest water in the grid, metres
    float spread; // of the substep that was taken from here, s/m: for the books
} rl_pipes_control;

// What does not change from step to step.
typedef struct rl_pipes_setup {
    rl_pipe_rules rules;
    float border_deepest; // water beyond borders of a given level, metres
} rl_pipes_setup;

__device__ inline rl_step_plan rl_plan_step(const rl_pipes_control &now,
                                            const rl_pipes_setup &setup)
{
    rl_step_plan plan;
    plan.pace = now.pace;
    plan.moves = now.pace.left > 0.0;
    if (!plan.moves)
        return plan;
    const float water = __int_as_float(now.deepest);
    const float deepest = water > setup.border_deepest ? water : setup.border_deepest;
    const double height = rl_pipe_driving_height_of(&setup.rules, (double)deepest);
    const double stable = rl_pipe_stable_step_of(&setup.rules, height);
    rl_pace_choose(&plan.pace, stable);
    plan.k = rl_pipe_coefficients_of(&setup.rules, plan.pace.substep, stable);
    rl_pace_taken(&plan.pace);
    return plan;
}

// What the next step finds; its deepest water is gathered by all blocks.
__device__ inline void rl_hand_on(rl_pipes_control *now, const rl_step_plan &plan)
{
    now[1].pace = plan.pace;
    if (plan.moves)
        now->spread = plan.k.spread;
    else
        now[1].deepest = now->deepest;
}

// A step may be launched before the one before it has ended, and waits here for what that wrote.
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
