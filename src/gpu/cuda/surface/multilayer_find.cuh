// SPDX-License-Identifier: MIT
// multilayer_find.cuh - finds the links of columns of several layers, the heights of points and the
// ends of the surface: the passes of src/surface up to quads, a thread a slot. Nothing is reused
// from earlier builds: a device tests all columns faster than it could find out which ones to leave
// out.
#pragma once

#include "gpu/cuda/surface/surface_mesh.cuh"
#include "surface/cell_group_inline.h"
#include "surface/shore_inline.h"

#define RL_MULTILAYER_BLOCK 128

// Slots and points that take long, in any order. Each of them is handled by one thread in a warp of
// its own: they diverge at once, and in one warp they would wait for each other.
struct rl_multilayer_lists {
    uint32_t *slots, *points;
    unsigned *counts; // RL_LIST_; all but one are of `slots`, which is used for each in turn
};

enum { RL_LIST_ODD, RL_LIST_EDGE_OWNERS, RL_LIST_VERTICES, RL_LIST_CELL_GROUPS, RL_LIST_COUNT };

RL_DEVICE void rl_multilayer_list(const rl_multilayer_lists &lists, int which, size_t item)
{
    uint32_t *const items = which == RL_LIST_CELL_GROUPS ? lists.points : lists.slots;
    items[atomicAdd(&lists.counts[which], 1u)] = (uint32_t)item;
}

// Blocks of the longest kernels on a processor: they wait more than they work.
#define RL_MULTILAYER_LONG_BLOCKS 2
#define RL_MULTILAYER_APART       32 // threads from one that works to the next

// The point of a thread, in a grid of blocks along rows and of rows times layers.
struct rl_multilayer_at {
    int i, j, layer;
    size_t slot;
};

RL_DEVICE rl_multilayer_at rl_multilayer_place(const rl_surface &s, size_t slot)
{
    rl_multilayer_at at;
    at.slot = slot;
    at.layer = (int)(slot / s.plane);
    at.j = (int)(slot % s.plane / s.pitch) - 1;
    at.i = (int)(slot % s.plane % s.pitch) - 1;
    return at;
}

RL_DEVICE bool rl_multilayer_is_cell(const rl_surface &s, const rl_multilayer_at &at)
{
    return at.i >= 0 && at.j >= 0 && at.i < s.nx && at.j < s.ny;
}

// Calls see(at) for the points of a thread in so many layers. Rows are taken in turn: there may be
// more than a grid has.
template <class SEE>
RL_DEVICE void rl_multilayer_for_points(const rl_surface &s, int layers, SEE see)
{
    const unsigned rows = (unsigned)s.ny + 2,
                   column = blockIdx.x * RL_MULTILAYER_BLOCK + threadIdx.x;
    for (unsigned row = blockIdx.y; row < rows * (unsigned)layers; row += gridDim.y) {
        rl_multilayer_at at = {(int)column - 1, (int)(row % rows) - 1, (int)(row / rows), 0};
        at.slot = rl_surface_at(&s, at.i, at.j, at.layer);
        if (column < s.pitch)
            see(at);
    }
}

// Does the same for the cells of all layers.
template <class SEE> RL_DEVICE void rl_multilayer_for_cells(const rl_surface &s, SEE see)
{
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (rl_multilayer_is_cell(s, at))
            see(at);
    });
}

// Does the same for the items of a list.
template <class SEE>
RL_DEVICE void rl_multilayer_for_list(const rl_surface &s, const rl_multilayer_lists &lists,
                                      int which, SEE see)
{
    const uint32_t *const items = which == RL_LIST_CELL_GROUPS ? lists.points : lists.slots;
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread % RL_MULTILAYER_APART != 0)
        return;
    for (unsigned n = thread / RL_MULTILAYER_APART; n < lists.counts[which];
         n += gridDim.x * blockDim.x / RL_MULTILAYER_APART)
        see(rl_multilayer_place(s, items[n]));
}

// ---- Wet ---------------------------------------------------------------------------------

RL_DEVICE float rl_multilayer_height(const rl_surface &s, float base, float depth, size_t column,
                                     size_t least_at)
{
    const float wet = s.columns.wet_depth, cell = s.columns.cell_size;
    const float global = s.def.minimum_thickness * cell;
    const float local = s.least != nullptr ? s.least[least_at] : 0.0f;
    const float height = base + rl_surface_thickness(depth, local, global, wet,
                                                     rl_surface_growth(s.fine, wet, cell));
    if (!s.ranged)
        return height;
    const float high = s.columns.range_max[column];
    return height < high ? height : high;
}

static __global__ void rl_multilayer_wet(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        const size_t column = rl_surface_column(&s, at.i, at.j, at.layer);
        const float base = s.columns.base[column], depth = s.columns.depth[column];
        const size_t least_at = (size_t)at.layer * s.least_stride + (size_t)at.j * s.least_pitch;
        s.wet[at.slot] = depth > s.columns.wet_depth;
        s.level[at.slot] = base + depth;
        s.height[at.slot] = rl_multilayer_height(s, base, depth, column, least_at + (size_t)at.i);
        s.crossed[at.slot] = 0;
        s.cut[at.slot] = 0;
        if (at.layer == 0)
            s.outward[at.slot] = 0;
    });
}

// ---- Links -------------------------------------------------------------------------------

// Finds the neighbours within the layer that a column fits, and those that are wet.
RL_DEVICE unsigned rl_multilayer_fit(const rl_surface &s, const rl_multilayer_at &at, unsigned *wet)
{
    const rill_columns &c = s.columns;
    const size_t here = rl_surface_column(&s, at.i, at.j, at.layer);
    const float tolerance = RL_SURFACE_LINK_TOLERANCE * c.cell_size;
    const float level = c.base[here] + c.depth[here];
    const float low = s.ranged ? *rl_surface_join(&s, at.i, at.j, at.layer) : 0.0f;
    unsigned fit = rl_surface_beyond_border(&s, at.i, at.j), inside = 0xff & ~fit;
    *wet = 0;
    for (; inside != 0; inside &= inside - 1) {
        const int way = rl_surface_lowest(inside);
        const int ni = at.i + rl_surface_step_x(way), nj = at.j + rl_surface_step_y(way);
        const size_t there = rl_surface_column(&s, ni, nj, at.layer);
        *wet |= (unsigned)s.wet[rl_surface_at(&s, ni, nj, at.layer)] << way;
        const bool linked = !s.ranged || rl_surface_linked(level, low, c.range_max[here],
                                                           c.base[there] + c.depth[there],
                                                           *rl_surface_join(&s, ni, nj, at.layer),
                                                           c.range_max[there], tolerance);
        fit |= (linked ? 1u : 0u) << way;
    }
    return fit;
}

// All columns of a cell write to the same `outward`.
RL_DEVICE void rl_multilayer_note_outward(const rl_surface &s, size_t point, unsigned sides)
{
    const size_t address = (size_t)(s.outward + point), word = address & ~(size_t)3;
    atomicOr((unsigned *)word, sides << 8 * (unsigned)(address - word));
}

static __device__ void rl_multilayer_find_cross_links(const rl_surface &s,
                                                      const rl_multilayer_at &at)
{
    const rl_link_end here = rl_link_end_of(&s, at.i, at.j, at.layer);
    unsigned outward = 0;
    for (int way = 0; way < 8; way += 2) {
        bool wet = false;
        int there = -1;
        if (s.link[at.slot] >> way & 1)
            there = at.layer;
        else if (s.layers > 1)
            there = rl_link_find(&s, at.i, at.j, here, at.layer, way, &wet);
        if (rl_link_note(&s, at.i, at.j, at.layer, way, there, wet))
            outward |= 1u << way;
    }
    if (outward != 0)
        rl_multilayer_note_outward(s, rl_surface_at(&s, at.i, at.j, 0), outward);
}

static __global__ void rl_multilayer_links(const __grid_constant__ rl_surface s,
                                           const rl_multilayer_lists lists)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        unsigned wet;
        const unsigned link = rl_multilayer_fit(s, at, &wet),
                       beyond = rl_surface_beyond_border(&s, at.i, at.j);
        const bool here = s.wet[at.slot];
        const unsigned lacks = ~link & RL_SIDES, dry = link & ~(wet | beyond);
        s.link[at.slot] = (uint8_t)link;
        s.wet_link[at.slot] = (uint8_t)(wet & link);
        s.plain[at.slot] = here ? (uint8_t)link : 0xff;
        if (here && (lacks | dry) != 0)
            rl_multilayer_list(lists, RL_LIST_ODD, at.slot);
    });
}

// Handles wet columns at an edge.
static __global__ void rl_multilayer_odd(const __grid_constant__ rl_surface s,
                                         const rl_multilayer_lists lists)
{
    rl_multilayer_for_list(s, lists, RL_LIST_ODD, [&](const rl_multilayer_at &at) {
        if ((s.link[at.slot] & RL_SIDES) != RL_SIDES)
            rl_multilayer_find_cross_links(s, at);
        rl_surface_cut_shore(&s, at.i, at.j, at.layer);
    });
}

// A thread has a cell.
static __global__ void rl_multilayer_answers(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_points(s, 1, [&](const rl_multilayer_at &at) {
        if (!rl_multilayer_is_cell(s, at))
            return;
        for (int way = 0; way < 8; way += 2) {
            const int ni = at.i + rl_surface_step_x(way), nj = at.j + rl_surface_step_y(way);
            if (ni < 0 || nj < 0 || ni >= s.nx || nj >= s.ny)
                continue;
            if (s.outward[rl_surface_at(&s, ni, nj, 0)] >> (way + 4) % 8 & 1)
                rl_link_answer_cell(&s, at.i, at.j, way);
        }
    });
}

// ---- Shores and the rim ------------------------------------------------------------------

static __global__ void rl_multilayer_shore(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.corner[at.slot] = s.wet[at.slot];
        if (!s.wet[at.slot] && (s.wet_link[at.slot] | s.crossed[at.slot]) != 0)
            rl_surface_shore_height(&s, at.i, at.j, at.layer);
    });
}

// Also lists the slots that may own edge vertices.
static __global__ void rl_multilayer_rim(const __grid_constant__ rl_surface s,
                                         const rl_multilayer_lists lists)
{
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (!rl_multilayer_is_cell(s, at))
            rl_surface_rim_point(&s, at.i, at.j, at.layer);
        const size_t cell =
            rl_surface_at(&s, rl_surface_clamp(at.i, s.nx), rl_surface_clamp(at.j, s.ny), at.layer);
        s.extra[at.slot] = 0;
        if (s.ranged && s.crossed[cell] && s.wet[cell])
            rl_multilayer_list(lists, RL_LIST_EDGE_OWNERS, at.slot);
    });
}

static __global__ void __launch_bounds__(RL_MULTILAYER_BLOCK, RL_MULTILAYER_LONG_BLOCKS)
    rl_multilayer_own_edges(const __grid_constant__ rl_surface s, const rl_multilayer_lists lists)
{
    rl_multilayer_for_list(s, lists, RL_LIST_EDGE_OWNERS, [&](const rl_multilayer_at &at) {
        rl_edge_owner(&s, at.i, at.j, at.layer);
    });
}
