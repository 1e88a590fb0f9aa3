// SPDX-License-Identifier: MIT
// swe_types.cuh - the arguments of a step of the swe solver on a device, the part of the grid of a
// warp, and the substep controller: a step follows another without the host. Every block of a step
// computes its length for itself from the results of the step before.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/pipes/pipes_control.cuh"
#include "gpu/cuda/swe/swe_device.h"

// solver.h is C: it has rl_fall.
#define restrict __restrict__
extern "C" {
#include "solvers/solver.h"
}
#undef restrict

// ---- The substep controller ------------------------------------------------------------

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
        const float d = rl_swe_depth_beyond(side, 0.0f, __int_as_float(now.shallowest[n]), 0);
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
    const double waves = rl_swe_wave_step_of(&setup.rules, most);
    rl_substeps_choose(&plan.controller, fmin(waves, rl_swe_eddy_step_of(&setup.rules)));
    plan.k = rl_swe_coefficients_of(&setup.rules, plan.controller.substep,
                                    rl_swe_is_too_long(plan.controller.substep, waves), most.depth);
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

// ---- A step ----------------------------------------------------------------------------

__device__ __forceinline__ int rl_int_max(int a, int b)
{
    return a > b ? a : b;
}

// The rows of one step. All fields have the same layout; pointers are to cell (0, 0).
struct rl_swe_fields {
    const float *bed, *depth, *remainder, *u, *v, *phi;
    float *depth_out, *remainder_out, *u_out, *v_out, *phi_out;
};

// Features that most worlds do not have.
struct rl_swe_extras {
    int layers, marked, fall_count; // whether there are any
    int mark_words;
    const uint32_t *marks[2];
    const float *profile_x, *level_x, *profile_y, *level_y;
    float *unabsorbed; // depths before the absorbing layers act, for the ledger,
    float *absorbed;   // and after, where falls change them again; else NULL
    const int *fall_map;
    rl_fall *list;
};

struct rl_swe_march_args {
    rl_swe_fields f;
    rl_swe_extras x;
    rl_swe_control *now; // of this step; the next one follows it
    const rl_swe_setup *setup;
    float *crossed; // discharges through the borders: rl_crossed_floats
    int nx, ny, pitch;
    int strips;             // across the grid
    int rows;               // that a warp fills
    int gathers_shallowest; // depths of border cells are final
};

__device__ __forceinline__ int rl_swe_place(const rl_swe_march_args &a, int y, int x)
{
    return y * a.pitch + x;
}

// Gathers the most shallow water of border cells beside an inflow, for the step after `now`.
__device__ __forceinline__ void rl_swe_note_shallowest(rl_swe_control *now, const rl_swe_side *side,
                                                       int nx, int ny, int x, int y, float depth)
{
    const bool at[RILL_SIDE_COUNT] = {x == 0, x == nx - 1, y == 0, y == ny - 1}; // as rill_side
    for (int n = 0; n < RILL_SIDE_COUNT; n++)
        if (at[n] && rl_swe_side_flows_in(&side[n]))
            atomicMin(&now[1].shallowest[n], __float_as_int(depth));
}

// The values loaded for row y of the march: velocities of the row that is advected next, the depth
// of row y + 1, bed and falls of row y, remainder and phi of row y - 1.
struct rl_swe_arrival {
    float u, v, depth, bed, remainder, phi;
    int falls;
};

// The strip of a warp, and the column of a lane.
struct rl_swe_strip {
    int lane;
    int column; // may lie outside of the grid
    int from;   // the same, but never outside of the memory of a row
    int y0, y1; // rows that are filled
    bool inside, writes;
    bool at_west, at_east; // of the warp: that border is in its strip
};

// ---- Kernel configurations (swe_configs.cu) --------------------------------------------

typedef void (*rl_swe_march_kernel)(const rl_swe_march_args);

struct rl_swe_kernel_config {
    rl_swe_march_kernel kernel;
    int width; // columns that a warp fills
    int warps; // of a block
};

// Returns the configuration for the advection, what slows the water (rl_swe_slowed_by), and whether
// there are absorbing layers, marks or falls.
rl_swe_kernel_config rl_swe_kernel_config_for(int conservative, int slowed, int extras);
