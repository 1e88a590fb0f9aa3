// SPDX-License-Identifier: MIT
// swe_lanes.cuh - what the march of the swe solver (swe_march.cuh) asks of lanes: columns beside
// their own, the pressure of bores in a cell, and the two cells of a face.
#pragma once

// The sign of a zero from minima and maxima reaches no number of the state: small velocities become
// +0 by rule, -0 is only ever set, depths are sums. No number is a NaN.
#ifndef RL_CELL_PLAIN_EXTREMES
#ifdef RL_CELL_EXTREMES_ARE_CHOSEN
#error "include this before anything that includes core/cell.h"
#endif
#define RL_CELL_PLAIN_EXTREMES
#endif

#include "gpu/cuda/swe/swe_types.cuh"
#include "solvers/swe/swe_bore_cell.h"

__device__ __forceinline__ float rl_from_west(float value)
{
    return __shfl_up_sync(RL_ALL_LANES, value, 1);
}

__device__ __forceinline__ float rl_from_east(float value)
{
    return __shfl_down_sync(RL_ALL_LANES, value, 1);
}

// A row of velocities around the columns of a warp.
struct rl_swe_beside {
    float west, here, east;
};

__device__ __forceinline__ rl_swe_three rl_swe_three_of(const rl_swe_beside &b)
{
    return {b.west, b.here, b.east};
}

// ---- Bores -----------------------------------------------------------------------------

// A cell and those beside it along an axis, with the velocities of its faces.
struct rl_swe_squeezed {
    rl_swe_compression compression;
    rl_swe_end before, own, after;
    float in, out;
    bool at_first, at_last; // an open border, where the cell is mirrored
};

// Returns whether a face of the cell reflects, or water falls into it. Elsewhere formulas are
// shorter.
__device__ __forceinline__ bool rl_swe_has_edges(const rl_swe_squeezed &c)
{
    return rl_swe_reflects(c.in) || rl_swe_reflects(c.out) || c.at_first || c.at_last ||
           c.own.level < rl_max(c.before.base, c.after.base);
}

// Returns the pressure of the cell. `edges` is the same for all lanes.
__device__ __forceinline__ float rl_swe_bore(const rl_swe_squeezed &c, bool edges,
                                             const rl_swe_coef &k)
{
    float smooth = rl_swe_smooth(c.compression, k);
    const rl_mask bore = rl_swe_is_bore(c.compression, smooth);
    float least = rl_min(c.before.depth, c.after.depth);
    if (edges) {
        rl_swe_compression mirrored = rl_swe_mirror(c.compression, c.in, c.out);
        mirrored.before = c.at_first ? mirrored.here : mirrored.before;
        mirrored.after = c.at_last ? mirrored.here : mirrored.after;
        smooth = rl_swe_smooth(mirrored, k);
        least = rl_swe_compressed_depth(c.at_first ? c.own : c.before, c.own,
                                        c.at_last ? c.own : c.after, c.in, c.out);
    }
    const float moving = rl_swe_moving_depth(c.own.depth, k);
    return rl_keep(bore,
                   rl_swe_bore_pressure(c.compression.here, smooth, rl_swe_bore_speed(moving, k),
                                        rl_min(moving, least), k));
}

// ---- Faces -----------------------------------------------------------------------------

// A face, seen from the cell west or south of it.
struct rl_swe_march_face {
    rl_swe_end j;
    rl_swe_fall fall;
    float push; // by the pressures of bores, where water does not fall free
};

// EDGES: there may be walls, and water that falls free; elsewhere formulas are shorter.
template <int EDGES>
__device__ __forceinline__ float rl_swe_depths_of(const rl_swe_end &here,
                                                  const rl_swe_march_face &f, const rl_swe_coef &k)
{
    return EDGES ? rl_swe_face_depths(here, f.j, f.fall, k) : here.depth + f.j.depth;
}

template <int EDGES> __device__ __forceinline__ float rl_swe_push_of(const rl_swe_march_face &f)
{
    return EDGES ? rl_swe_bore_push(f.push, f.fall) : f.push;
}
