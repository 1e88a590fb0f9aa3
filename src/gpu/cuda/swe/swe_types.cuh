// SPDX-License-Identifier: MIT
// swe_types.cuh - the arguments of a step of the swe solver on a device, and the part of the grid
// of a warp.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/swe/swe_control.cuh"

// solver.h is C: it has rl_fall.
#define restrict __restrict__
extern "C" {
#include "solvers/solver.h"
}
#undef restrict

#define RL_ALL_LANES 0xffffffffu

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
