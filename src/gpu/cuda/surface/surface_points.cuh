// SPDX-License-Identifier: MIT
// surface_points.cuh - the points of the lattice of src/surface/lattice.h, for one layer over a
// heightfield. There every column is linked to all its neighbours, so that everything about a point
// follows from the columns around it and nothing need be stored.
//
// The functions take a *view* of the columns, which gives the kind of a cell, its level and its
// drawn height: from the device's memory, or from a block's shared memory.
#pragma once

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/surface/surface_device.h"
#include "surface/surface_cell.h"

// Kinds of cells. Outside the grid there is none.
enum { RL_CELL_DRY, RL_CELL_WET, RL_CELL_OUTSIDE };

static __device__ __forceinline__ size_t rl_surface_cell_at(const rl_surface_columns &w, int i,
                                                            int j)
{
    return (size_t)j * (size_t)w.pitch + (size_t)i;
}

static __device__ __forceinline__ float rl_wet_height(const rl_surface_columns &w, float base,
                                                      float depth)
{
    return base + rl_surface_thickness(depth, w.least, w.wet_depth, w.growth);
}

// A view of the device's memory.
struct rl_view_memory {
    const rl_surface_columns &water;

    __device__ __forceinline__ int kind(int i, int j) const
    {
        if (i < 0 || j < 0 || i >= water.nx || j >= water.ny)
            return RL_CELL_OUTSIDE;
        return water.depth[rl_surface_cell_at(water, i, j)] > water.wet_depth ? RL_CELL_WET
                                                                              : RL_CELL_DRY;
    }

    __device__ __forceinline__ float level(int i, int j) const
    {
        const size_t at = rl_surface_cell_at(water, i, j);
        return water.base[at] + water.depth[at];
    }

    __device__ __forceinline__ float wet_height(int i, int j) const
    {
        const size_t at = rl_surface_cell_at(water, i, j);
        return rl_wet_height(water, water.base[at], water.depth[at]);
    }
};

// ---- Cells -------------------------------------------------------------------------------

// Returns the wet neighbours of a cell.
template <class View>
static __device__ __forceinline__ unsigned rl_neighbour_bits(const View &v, int i, int j)
{
    unsigned mask = 0;
#pragma unroll
    for (int way = 0; way < 8; way++)
        mask |= (v.kind(i + rl_surface_step_x(way), j + rl_surface_step_y(way)) == RL_CELL_WET ? 1u
                                                                                               : 0u)
                << way;
    return mask;
}

// Returns the dry neighbours of a wet cell towards which the surface ends: those whose ground is
// below its level.
template <class View> static __device__ __forceinline__ unsigned rl_cut(const View &v, int i, int j)
{
    const float level = v.level(i, j);
    unsigned mask = 0;
#pragma unroll
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        if (v.kind(ni, nj) == RL_CELL_DRY && v.level(ni, nj) < level)
            mask |= 1u << way;
    }
    return mask;
}

// Returns the height of a dry cell, and its anchors: RL_CORNER_ bits.
template <class View>
static __device__ float rl_dry_height(const View &v, int i, int j, unsigned *anchors)
{
    const float own = v.level(i, j);
    double sum = 0.0;
    int count = 0;
    *anchors = 0;
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        if (v.kind(ni, nj) != RL_CELL_WET)
            continue;
        const float level = v.level(ni, nj);
        if (v.water.fine && level > own)
            continue;
        sum += (double)level;
        count++;
        if (!(way & 1))
            *anchors |= way & 2 ? RL_CORNER_ANCHOR_Y : RL_CORNER_ANCHOR_X;
    }
    return rl_surface_shore(sum, count, own);
}

// ---- Points ------------------------------------------------------------------------------

static __device__ __forceinline__ bool rl_on_rim(int i, int n)
{
    return i < 0 || i >= n;
}

// Returns the height of a wet point of the lattice.
template <class View>
static __device__ __forceinline__ float rl_wet_point_height(const View &v, int i, int j)
{
    const rl_surface_columns &w = v.water;
    const int ci = rl_surface_clamp(i, w.nx), cj = rl_surface_clamp(j, w.ny);
    const float height = v.wet_height(ci, cj);
    if (ci == i && cj == j)
        return height;
    // The cell behind it; a corner of the lattice is a point of its row.
    const int in_i = rl_on_rim(i, w.nx) ? ci + (i < 0 ? 1 : -1) : ci;
    const int in_j = in_i == ci ? cj + (j < 0 ? 1 : -1) : cj;
    if (v.kind(in_i, in_j) != RL_CELL_WET)
        return height;
    return rl_surface_rim(height, w.base[rl_surface_cell_at(w, ci, cj)],
                          w.base[rl_surface_cell_at(w, in_i, in_j)], w.least, w.cell_size,
                          INFINITY);
}

// Returns the bits of neighbours of a point of the lattice, from those of its cell.
static __device__ __forceinline__ unsigned rl_point_mask(const rl_surface_columns &w, int i, int j,
                                                         unsigned mask)
{
    const bool rim_x = rl_on_rim(i, w.nx), rim_y = rl_on_rim(j, w.ny);
    if (!rim_x && !rim_y)
        return mask;
    if (rim_x && rim_y)
        return 0;
    if (rim_x)
        return rl_surface_along((uint8_t)mask, 0, RL_NORTH, i < 0 ? 1 : 3, RL_SOUTH, i < 0 ? 7 : 5);
    return rl_surface_along((uint8_t)mask, 0, RL_EAST, j < 0 ? 1 : 7, RL_WEST, j < 0 ? 3 : 5);
}

// Returns the anchors of a point of the lattice, from those of its cell: links across the border do
// not belong to the rim.
static __device__ __forceinline__ unsigned rl_point_anchors(const rl_surface_columns &w, int i,
                                                            int j, unsigned anchors)
{
    if (rl_on_rim(i, w.nx))
        anchors &= ~(unsigned)RL_CORNER_ANCHOR_X;
    if (rl_on_rim(j, w.ny))
        anchors &= ~(unsigned)RL_CORNER_ANCHOR_Y;
    return anchors;
}

// ---- Normals -----------------------------------------------------------------------------

// The level of a cell and of the neighbours on its sides, those of RL_EAST / 2 and so on, where
// they are wet: bits of `wet`.
typedef struct rl_levels {
    float here, beside[4];
    unsigned wet;
} rl_levels;

static __device__ __forceinline__ void rl_normal_of(const rl_levels &l, float scale,
                                                    float normal[3])
{
    float difference[4];
#pragma unroll
    for (int side = 0; side < 4; side++)
        difference[side] = l.wet >> side & 1 ? l.beside[side] - l.here : 0.0f;
    rl_surface_upright(
        rl_surface_slope(0.0f - difference[2], difference[0], l.wet >> 2 & 1, l.wet & 1, scale),
        rl_surface_slope(0.0f - difference[3], difference[1], l.wet >> 3 & 1, l.wet >> 1 & 1,
                         scale),
        &normal[0], &normal[1], &normal[2]);
}

// Computes the normal of a dry cell beside wet ones.
template <class View>
static __device__ void rl_dry_normal(const View &v, int i, int j, float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (int way = 0; way < 8; way++) {
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        if (v.kind(ni, nj) != RL_CELL_WET)
            continue;
        rl_levels l = {v.level(ni, nj), {}, 0};
#pragma unroll
        for (int side = 0; side < 4; side++) {
            const int x = ni + rl_surface_step_x(2 * side), y = nj + rl_surface_step_y(2 * side);
            if (v.kind(x, y) != RL_CELL_WET)
                continue;
            l.wet |= 1u << side;
            l.beside[side] = v.level(x, y);
        }
        float one[3];
        rl_normal_of(l, v.water.scale, one);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k];
    }
    rl_surface_unit(sum, normal);
}
