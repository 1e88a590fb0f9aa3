// SPDX-License-Identifier: MIT
// multilayer_write.cuh - writes the mesh of several layers to its places, and the meniscus of its
// vertices. Kernels write nothing where the mesh does not fit.
#pragma once

#include "gpu/cuda/surface/multilayer_count.cuh"

#include "surface/meniscus_inline.h"
#include "surface/vertices_inline.h"

// ---- Vertices and triangles --------------------------------------------------------------

// Writes the columns' own vertices.
static __global__ void rl_multilayer_vertices(const __grid_constant__ rl_surface s,
                                              const rl_multilayer_sums sums)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (!(s.corner[at.slot] & RL_CORNER_USED))
            return;
        const size_t entry = (size_t)(at.j + 1) * (size_t)s.layers + (size_t)at.layer;
        const uint32_t number = s.number[at.slot] + sums.row_vertices[entry];
        s.number[at.slot] = number;
        rl_vertex_put_column(&s, &s.vertices[number], at.i, at.j, rl_surface_clamp(at.i, s.nx),
                             rl_surface_clamp(at.j, s.ny), at.layer);
    });
}

// Writes the vertices that are counted with them.
static __global__ void __launch_bounds__(RL_MULTILAYER_BLOCK, RL_MULTILAYER_LONG_BLOCKS)
    rl_multilayer_other_vertices(const __grid_constant__ rl_surface s,
                                 const rl_multilayer_sums sums, const rl_multilayer_lists lists)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_list(s, lists, RL_LIST_VERTICES, [&](const rl_multilayer_at &at) {
        rl_vertex_put_extra(&s, at.i, at.j, at.layer, (size_t)s.number[at.slot] + 1);
    });
}

// Returns the first row of the tile of a row, and of the next one: in a tile come all whole quads,
// then the cell groups (quads.c).
static __device__ __forceinline__ size_t rl_multilayer_tile_row(size_t row)
{
    return row - row % RL_SURFACE_TILE_ROWS;
}

static __device__ __forceinline__ size_t rl_multilayer_next_tile(const rl_surface &s, size_t row)
{
    const size_t next = rl_multilayer_tile_row(row) + RL_SURFACE_TILE_ROWS, rows = (size_t)s.ny + 2;
    return next < rows ? next : rows;
}

static __global__ void rl_multilayer_whole(const __grid_constant__ rl_surface s,
                                           const rl_multilayer_sums sums)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (!(s.quad[at.slot] & RL_QUAD_WHOLE))
            return;
        const size_t line = (size_t)(at.j + 1);
        const size_t entry = line * (size_t)s.layers + (size_t)at.layer;
        const size_t triangle = (size_t)sums.row_whole[entry] + 2 * (size_t)sums.whole_at[at.slot] +
                                sums.row_special[rl_multilayer_tile_row(line)];
        uint32_t *to = s.indices + 3 * triangle;
        const uint32_t *low = s.number + at.slot, *high = low + s.pitch;
        const bool ac = s.quad[at.slot] & RL_QUAD_DIAGONAL_AC;
        to[0] = low[0];
        to[1] = low[1];
        to[2] = ac ? high[1] : high[0];
        to[3] = ac ? low[0] : low[1];
        to[4] = high[1];
        to[5] = high[0];
    });
}

static __global__ void rl_multilayer_cell_groups(const __grid_constant__ rl_surface s,
                                                 const rl_multilayer_sums sums,
                                                 const rl_multilayer_lists lists)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_list(s, lists, RL_LIST_CELL_GROUPS, [&](const rl_multilayer_at &at) {
        const size_t row = (size_t)(at.j + 1), next = rl_multilayer_next_tile(s, row);
        const size_t triangle = (size_t)sums.row_special[row] + sums.special_at[at.slot] +
                                sums.row_whole[next * (size_t)s.layers];
        const rl_cell_group_target to = {nullptr, s.indices + 3 * triangle, RL_CELL_GROUP_MOST};
        bool too_long;
        rl_cell_group_triangles(&s, at.i, at.j, to, &too_long);
    });
}

// ---- The meniscus ------------------------------------------------------------------------

static __global__ void rl_multilayer_ring(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.moved[0][at.slot] = 0;
        if (s.wet[at.slot])
            rl_meniscus_first_ring(&s, at.i, at.j, at.layer);
    });
}

// Returns whether a column or one around it changed in the last step.
static __device__ __forceinline__ bool rl_multilayer_moved(const rl_surface &s, size_t slot)
{
    uint8_t any = 0;
    for (int step = -1; step <= 1; step++) {
        const uint8_t *moved = s.moved[0] + slot + (ptrdiff_t)step * (ptrdiff_t)s.pitch;
        any |= moved[-1] | moved[0] | moved[1];
    }
    return any != 0;
}

static __global__ void rl_multilayer_step(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.moved[1][at.slot] = 0;
        if (s.wet[at.slot] &&
            (rl_multilayer_moved(s, at.slot) || s.crossed[at.slot] == RL_CROSSED_WET))
            rl_meniscus_reckon(&s, at.i, at.j, at.layer);
    });
}

static __global__ void rl_multilayer_settle(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.moved[0][at.slot] = s.moved[1][at.slot];
        if (!s.moved[1][at.slot])
            return;
        s.shore_at[0][at.slot] = s.shore_at[1][at.slot];
        s.shore_distance[0][at.slot] = s.shore_distance[1][at.slot];
    });
}

static __global__ void rl_multilayer_meniscus(const __grid_constant__ rl_surface s,
                                              const rl_multilayer_sums sums)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (s.corner[at.slot] & RL_CORNER_USED)
            rl_meniscus_put_point(&s, at.i, at.j, at.layer);
    });
}
