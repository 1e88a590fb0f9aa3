// SPDX-License-Identifier: MIT
// multilayer_write.cuh - counts the vertices and triangles of every point of several layers and
// finds their places: rows of a layer by blocks, then all rows in their order. Sums are of
// integers, so that the order of threads does not matter. Then it writes the mesh to its places,
// and the meniscus of its vertices; kernels write nothing where the mesh does not fit.
#pragma once

#include "gpu/cuda/surface/multilayer_find.cuh"
#include "surface/meniscus_inline.h"
#include "surface/polygons_inline.h"
#include "surface/vertices_inline.h"

#define RL_MULTILAYER_WIDE   256  // threads of a block that counts a row,
#define RL_MULTILAYER_WIDEST 1024 // and of the one that adds up all rows

// The arrays of the counts. Entries are rows, and within them layers.
struct rl_multilayer_sums {
    uint32_t *whole_at;     // per slot: whole quads before it in its row and layer
    uint32_t *special_at;   // per point: triangles of cell groups, then those before it in its row
    uint32_t *row_vertices; // per entry: the number, then that of all before
    uint32_t *row_whole;    // triangles of whole quads, the same
    uint32_t *row_special;  // per row, the same; each with one more, for all
    rl_device_mesh_size *totals, *host; // the second pinned, of the host
    size_t vertex_capacity, triangle_capacity;
};

// ---- Quads -------------------------------------------------------------------------------

// A thread has a point with all layers; the last row and column have no quads.
static __global__ void rl_multilayer_quads(const __grid_constant__ rl_surface s,
                                           const rl_multilayer_sums sums,
                                           const rl_multilayer_lists lists)
{
    rl_multilayer_for_points(s, 1, [&](const rl_multilayer_at &at) {
        sums.special_at[at.slot] = 0;
        if (at.i == s.nx || at.j == s.ny)
            return;
        int lowest = 0, highest = 0;
        for (int layer = 0; layer < s.layers; layer++) {
            const size_t a = at.slot + (size_t)layer * s.plane, d = a + s.pitch;
            const uint8_t *corner = s.corner, *plain = s.plain;
            const int crest =
                rl_surface_crest(s.height[a], s.height[a + 1], s.height[d + 1], s.height[d]);
            const uint8_t quad =
                rl_surface_quad(corner[a], corner[a + 1], corner[d + 1], corner[d], plain[a],
                                plain[a + 1], plain[d + 1], plain[d], (uint8_t)crest);
            s.quad[a] = quad;
            if (!(quad & RL_QUAD_SPECIAL))
                continue;
            highest = layer;
            lowest = lowest == 0 ? layer + 1 : lowest;
        }
        s.special[at.slot] = (uint8_t)lowest;
        s.highest[at.slot] = (uint8_t)highest;
        if (lowest > 0)
            rl_multilayer_list(lists, RL_LIST_CELL_GROUPS, at.slot);
    });
}

static __global__ void rl_multilayer_special(const __grid_constant__ rl_surface s,
                                             const rl_multilayer_sums sums,
                                             const rl_multilayer_lists lists)
{
    const rl_cell_group_target nowhere = {nullptr, nullptr, 0};
    rl_multilayer_for_list(s, lists, RL_LIST_CELL_GROUPS, [&](const rl_multilayer_at &at) {
        bool too_long = false;
        sums.special_at[at.slot] =
            (uint32_t)rl_cell_group_triangles(&s, at.i, at.j, nowhere, &too_long);
        if (too_long)
            sums.totals->too_long = 1;
    });
}

// ---- Rows --------------------------------------------------------------------------------

// Turns numbers into sums of those before, by a block of so many threads; returns the sum of all.
template <int Threads>
static __device__ uint32_t rl_multilayer_add_up(uint32_t *numbers, size_t count)
{
    uint32_t sum = 0;
    for (size_t first = 0; first < count; first += Threads) {
        const size_t n = first + threadIdx.x;
        uint32_t all;
        const uint32_t before = rl_sum_before(n < count ? numbers[n] : 0, Threads / 32, &all);
        if (n < count)
            numbers[n] = sum + before;
        sum += all;
    }
    return sum;
}

// A point is used if it is wet, ends a link, or has a whole quad.
RL_DEVICE bool rl_multilayer_use(const rl_surface &s, int i, int j, size_t slot)
{
    const uint8_t kept = s.corner[slot] & (uint8_t)~RL_CORNER_USED;
    uint8_t quads = 0;
    for (int k = 0; k < 4; k++) {
        const int left = k & 1, below = k >> 1;
        if (i - left >= -1 && j - below >= -1)
            quads |= s.quad[slot - (size_t)left - (below ? s.pitch : 0)];
    }
    const bool used = kept != 0 || (quads & RL_QUAD_WHOLE);
    s.corner[slot] = (uint8_t)(kept | (used ? RL_CORNER_USED : 0));
    return used;
}

// Returns the vertices of a used slot: wet ones count the ends of their surface and the edge
// vertices that they own as well, with two more for each curtain.
RL_DEVICE uint32_t rl_multilayer_vertices_of(const rl_surface &s, size_t slot)
{
    if (!(s.corner[slot] & RL_CORNER_WET))
        return 1;
    const unsigned extra = s.extra[slot];
    return 1 + (uint32_t)__popc(s.cut[slot] & RL_SIDES) + (uint32_t)__popc(extra) +
           (uint32_t)__popc(extra & 0xf0);
}

// Computes the places within a row of a layer, by a block.
static __device__ void rl_multilayer_count_entry(const rl_surface &s,
                                                 const rl_multilayer_sums &sums,
                                                 const rl_multilayer_lists &lists, int j, int layer,
                                                 size_t entry)
{
    uint32_t vertices = 0, whole = 0;
    for (int first = -1; first <= s.nx; first += RL_MULTILAYER_WIDE) {
        const int i = first + (int)threadIdx.x;
        const bool inside = i <= s.nx;
        const size_t slot = rl_surface_at(&s, inside ? i : 0, j, layer);
        const bool used = inside && rl_multilayer_use(s, i, j, slot);
        const uint32_t count = used ? rl_multilayer_vertices_of(s, slot) : 0;
        uint32_t all;
        const uint32_t before = rl_sum_before(count, RL_MULTILAYER_WIDE / 32, &all);
        if (used)
            s.number[slot] = vertices + before;
        if (count > 1)
            rl_multilayer_list(lists, RL_LIST_VERTICES, slot);
        vertices += all;
        const uint32_t quads = inside && s.quad[slot] & RL_QUAD_WHOLE ? 1 : 0;
        const uint32_t quads_before = rl_sum_before(quads, RL_MULTILAYER_WIDE / 32, &all);
        if (quads)
            sums.whole_at[slot] = whole + quads_before;
        whole += all;
    }
    if (threadIdx.x == 0) {
        sums.row_vertices[entry] = vertices;
        sums.row_whole[entry] = 2 * whole;
    }
}

// A block has a row: all layers, and the cell groups.
static __global__ void __launch_bounds__(RL_MULTILAYER_WIDE)
    rl_multilayer_count(const __grid_constant__ rl_surface s, const rl_multilayer_sums sums,
                        const rl_multilayer_lists lists)
{
    const int row = (int)blockIdx.x, j = row - 1;
    for (int layer = (int)blockIdx.y; layer < s.layers; layer += (int)gridDim.y)
        rl_multilayer_count_entry(s, sums, lists, j, layer,
                                  (size_t)row * (size_t)s.layers + (size_t)layer);
    if (blockIdx.y != 0)
        return;
    uint32_t *const first = sums.special_at + rl_surface_at(&s, -1, j, 0);
    const uint32_t special = rl_multilayer_add_up<RL_MULTILAYER_WIDE>(first, s.pitch);
    if (threadIdx.x == 0)
        sums.row_special[row] = special;
}

// ---- All rows ----------------------------------------------------------------------------

// Runs on one block.
static __global__ void __launch_bounds__(RL_MULTILAYER_WIDEST)
    rl_multilayer_sum(const __grid_constant__ rl_surface s, const rl_multilayer_sums sums)
{
    const size_t rows = (size_t)s.ny + 2, entries = rows * (size_t)s.layers;
    const uint32_t vertices =
        rl_multilayer_add_up<RL_MULTILAYER_WIDEST>(sums.row_vertices, entries);
    const uint32_t whole = rl_multilayer_add_up<RL_MULTILAYER_WIDEST>(sums.row_whole, entries);
    const uint32_t special = rl_multilayer_add_up<RL_MULTILAYER_WIDEST>(sums.row_special, rows);
    const uint32_t triangles = whole + special;
    if (threadIdx.x != 0)
        return;
    sums.row_vertices[entries] = vertices;
    sums.row_whole[entries] = whole;
    sums.row_special[rows] = special;
    rl_device_mesh_size *t = sums.totals;
    t->vertices = vertices;
    t->indices = 3 * (size_t)triangles;
    t->fits =
        vertices <= sums.vertex_capacity && triangles <= sums.triangle_capacity && !t->too_long;
    *sums.host = *t;
}

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

// Returns the first row of the tile of a row: in a tile come all whole quads, then the cell groups
// (quads.c).
RL_DEVICE size_t rl_multilayer_tile_row(size_t row)
{
    return row - row % RL_SURFACE_TILE_ROWS;
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
        const size_t row = (size_t)(at.j + 1), rows = (size_t)s.ny + 2;
        const size_t end = rl_multilayer_tile_row(row) + RL_SURFACE_TILE_ROWS;
        const size_t triangle = (size_t)sums.row_special[row] + sums.special_at[at.slot] +
                                sums.row_whole[(end < rows ? end : rows) * (size_t)s.layers];
        const rl_cell_group_target to = {nullptr, s.indices + 3 * triangle, RL_CELL_GROUP_MOST};
        bool too_long;
        rl_cell_group_triangles(&s, at.i, at.j, to, &too_long);
    });
}

// ---- The meniscus ------------------------------------------------------------------------

static __global__ void rl_multilayer_ring(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.moved[0][at.slot] = s.wet[at.slot] && rl_meniscus_first_ring(&s, at.i, at.j, at.layer);
    });
}

// Returns whether a column or one around it changed in the last step.
RL_DEVICE bool rl_multilayer_moved(const rl_surface &s, size_t slot)
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
        s.moved[1][at.slot] =
            s.wet[at.slot] &&
            (rl_multilayer_moved(s, at.slot) || s.crossed[at.slot] == RL_CROSSED_WET) &&
            rl_meniscus_reckon(&s, at.i, at.j, at.layer);
    });
}

static __global__ void rl_multilayer_settle(const __grid_constant__ rl_surface s)
{
    rl_multilayer_for_cells(s, [&](const rl_multilayer_at &at) {
        s.moved[0][at.slot] = s.moved[1][at.slot];
        if (!s.moved[1][at.slot])
            return;
        for (int field = 0; field < RL_SHORE_FIELDS; field++)
            s.shore[0][field][at.slot] = s.shore[1][field][at.slot];
    });
}

static __global__ void rl_multilayer_meniscus(const __grid_constant__ rl_surface s,
                                              const rl_multilayer_sums sums)
{
    if (!sums.totals->fits)
        return;
    rl_multilayer_for_points(s, s.layers, [&](const rl_multilayer_at &at) {
        if (s.corner[at.slot] & RL_CORNER_USED)
            rl_meniscus_put_point(&s, at.i, at.j, at.layer, false);
    });
}
