// SPDX-License-Identifier: MIT
// surface_points.cuh - the points of the lattice of src/surface/lattice.h, for one layer over a
// heightfield. There every column is linked to all its neighbours, so that everything about a point
// follows from the columns around it and nothing need be stored.
//
// The functions take a *view* of the columns, which gives the kind of a cell, its level and its
// drawn height: from the device's memory, or from a block's shared memory.
//
// The triangles over four points of which some are wet and the surface ends between them are those
// that polygons_inline.h draws for one layer over a heightfield. There only two dry cells beside
// each other are not linked, so that the wet points of a quad are all in one ring or chain, and the
// polygon that it makes follows from a few bits. All polygons are made once, on the host, as a
// table.
#pragma once

#include "gpu/cuda/surface/surface_mesh.cuh"
#include "surface/surface_cell.h"

// Kinds of cells. Outside the grid there is none.
enum { RL_CELL_DRY, RL_CELL_WET, RL_CELL_OUTSIDE };

RL_DEVICE size_t rl_surface_cell_at(const rl_surface_columns &w, int i, int j)
{
    return (size_t)j * (size_t)w.pitch + (size_t)i;
}

RL_DEVICE float rl_wet_height(const rl_surface_columns &w, float base, float depth)
{
    return base + rl_surface_thickness(depth, 0.0f, w.least, w.wet_depth, w.growth);
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

// A view of a block's shared memory: the cells from Margin before its first point on, in rows.
template <int Row, int Margin> struct rl_view_shared {
    const rl_surface_columns &water;
    const float *levels;
    const unsigned char *kinds;
    int i0, j0; // the first point

    __device__ __forceinline__ int at(int i, int j) const
    {
        return (j - j0 + Margin) * Row + (i - i0 + Margin);
    }

    __device__ __forceinline__ int kind(int i, int j) const
    {
        return kinds[at(i, j)];
    }

    __device__ __forceinline__ float level(int i, int j) const
    {
        return levels[at(i, j)];
    }
};

// ---- Cells -------------------------------------------------------------------------------

RL_DEVICE int rl_kind_of(const rl_surface_columns &w, bool inside, float depth)
{
    return !inside ? RL_CELL_OUTSIDE : depth > w.wet_depth ? RL_CELL_WET : RL_CELL_DRY;
}

// Returns the wet neighbours of a cell.
template <class View> RL_DEVICE unsigned rl_neighbour_bits(const View &v, int i, int j)
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
template <class View> RL_DEVICE unsigned rl_cut(const View &v, int i, int j)
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
    return rl_surface_shore(sum, count, own, own, 0.0f);
}

// ---- Points ------------------------------------------------------------------------------

RL_DEVICE bool rl_on_rim(int i, int n)
{
    return i < 0 || i >= n;
}

// Returns the height of a wet point of the lattice.
template <class View> RL_DEVICE float rl_wet_point_height(const View &v, int i, int j)
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
RL_DEVICE unsigned rl_point_mask(const rl_surface_columns &w, int i, int j, unsigned mask)
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
RL_DEVICE unsigned rl_point_anchors(const rl_surface_columns &w, int i, int j, unsigned anchors)
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

RL_DEVICE void rl_normal_of(const rl_levels &l, float scale, float normal[3])
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

// ---- Quads -----------------------------------------------------------------------------

// Corners a, b, c, d run counter-clockwise from the lower left one; side k of a quad is that from
// corner k to the next. The bits of a pattern: which corners are wet; at which sides between a wet
// and a dry corner the surface ends before it gets to the dry one; and where, on the rim, points
// beside each other along x or y belong to one cell.
enum { RL_QUAD_CUT = 4, RL_QUAD_SAME_X = 1 << 8, RL_QUAD_SAME_Y = 1 << 9, RL_QUAD_KINDS = 1 << 10 };

// A polygon of at most six vertices. A vertex is a number: that of its corner, for the point
// itself, plus 4 (1 + side) for the end of its surface on that side (RL_EAST / 2 and so on).
typedef struct rl_polygon {
    unsigned char count;
    unsigned char apex;          // of a fan without three vertices in line, from five on
    unsigned char inside;        // bits: wet points
    unsigned char apart;         // 1: two wet points with an end of their own on all four sides
    unsigned long long vertices; // a byte each: arrays would not stay in registers
} rl_polygon;

RL_CELL int rl_polygon_vertex(const rl_polygon &p, int n)
{
    return (int)(p.vertices >> (8 * n) & 255);
}

// ---- The table ---------------------------------------------------------------------------

static inline bool rl_quad_wet(int pattern, int corner)
{
    return pattern >> (corner & 3) & 1;
}

static inline bool rl_quad_linked(int pattern, int side)
{
    const bool same = pattern & (side & 1 ? RL_QUAD_SAME_Y : RL_QUAD_SAME_X);
    return same || rl_quad_wet(pattern, side) || rl_quad_wet(pattern, side + 1);
}

static inline void rl_polygon_push(rl_polygon *p, int vertex, bool inside)
{
    if (p->count > 0 && rl_polygon_vertex(*p, p->count - 1) == vertex)
        return;
    p->inside |= (unsigned char)((inside ? 1 : 0) << p->count);
    p->vertices |= (unsigned long long)vertex << (8 * p->count++);
}

// Adds the end of the surface of a wet corner towards a dry one: on the way, which is side `side`
// of the quad and side `way` of the point, or on the dry one.
static inline void rl_polygon_push_end(rl_polygon *p, int pattern, int side, int from, int dry,
                                       int way)
{
    const bool cut = pattern >> (RL_QUAD_CUT + side) & 1;
    rl_polygon_push(p, cut ? from + 4 * (1 + way) : dry, false);
}

// Returns the corner that the surface of an end goes towards.
RL_CELL int rl_beyond(int vertex)
{
    const int corner = vertex & 3, side = (vertex >> 2) - 1;
    return side == corner ? (corner + 1) & 3 : (corner + 3) & 3;
}

// Returns the approximate place of a vertex: 0 to 2 from corner to corner.
static inline int rl_vertex_x(int vertex)
{
    return rl_corner_x(vertex & 3) + rl_corner_x(vertex < 4 ? vertex & 3 : rl_beyond(vertex));
}

static inline int rl_vertex_y(int vertex)
{
    return rl_corner_y(vertex & 3) + rl_corner_y(vertex < 4 ? vertex & 3 : rl_beyond(vertex));
}

// Returns the first vertex from which a polygon can be drawn as a fan without three points in line.
static inline int rl_polygon_apex(const rl_polygon *p)
{
    for (int apex = 0; apex < p->count; apex++) {
        const int a = rl_polygon_vertex(*p, apex), x = rl_vertex_x(a), y = rl_vertex_y(a);
        bool good = true;
        for (int k = 1; k + 1 < p->count && good; k++) {
            const int b = rl_polygon_vertex(*p, (apex + k) % p->count);
            const int c = rl_polygon_vertex(*p, (apex + k + 1) % p->count);
            good = (rl_vertex_x(b) - x) * (rl_vertex_y(c) - y) >
                   (rl_vertex_x(c) - x) * (rl_vertex_y(b) - y);
        }
        if (good)
            return apex;
    }
    return 0;
}

// Starts from the first wet corner, or from where its chain begins.
static inline rl_polygon rl_make_polygon(int pattern)
{
    rl_polygon p = {};
    int first = 0, n = 1;
    if (!(pattern & 15))
        return p;
    while (!rl_quad_wet(pattern, first))
        first++;
    while (n < 4 && rl_quad_linked(pattern, (first + n - 1) & 3))
        n++;
    const bool ring = n == 4 && rl_quad_linked(pattern, (first + 3) & 3);
    for (; !ring && rl_quad_linked(pattern, (first + 3) & 3); n++)
        first = (first + 3) & 3;
    for (int k = 0; k < n; k++) {
        const int here = (first + k) & 3, before = (here + 3) & 3, after = (here + 1) & 3;
        if (rl_quad_wet(pattern, here)) {
            rl_polygon_push(&p, here, true);
            continue;
        }
        if ((k > 0 || ring) && rl_quad_wet(pattern, before))
            rl_polygon_push_end(&p, pattern, before, before, here, before);
        if ((k + 1 < n || ring) && rl_quad_wet(pattern, after))
            rl_polygon_push_end(&p, pattern, here, after, here, (after + 1) & 3);
    }
    p.apart = ring && p.count == 6;
    p.apex = (unsigned char)(p.count > 4 ? rl_polygon_apex(&p) : 0);
    return p;
}

// ---- Reading the table -------------------------------------------------------------------

// `sides` has four bits a corner: those of RL_POINT_SIDES.
RL_DEVICE int rl_quad_of(unsigned wet, const unsigned sides[4], bool same_x, bool same_y)
{
    unsigned pattern = wet;
#pragma unroll
    for (int side = 0; side < 4; side++) {
        const int next = (side + 1) & 3;
        const unsigned from = wet >> side & 1, to = wet >> next & 1;
        const unsigned cut = (from ? sides[side] >> side : sides[next] >> ((side + 2) & 3)) & 1;
        pattern |= (from != to ? cut : 0u) << (RL_QUAD_CUT + side);
    }
    return (int)(pattern | (same_x ? RL_QUAD_SAME_X : 0) | (same_y ? RL_QUAD_SAME_Y : 0));
}

// How a quad is cut, which its heights decide.
enum { RL_CUT_FIRST_TO_THIRD = 1, RL_CUT_APART = 2 };

RL_DEVICE int rl_triangles_of(const rl_polygon &p, int cut)
{
    return cut & RL_CUT_APART ? 2 : p.count < 3 ? 0 : p.count - 2;
}

// Returns vertex k of triangle n.
RL_DEVICE int rl_triangle_vertex(const rl_polygon &p, int cut, int n, int k)
{
    int at = p.apex + (k == 0 ? 0 : n + k); // a fan
    if (cut & RL_CUT_APART)
        at = 3 * n + k + 5; // the wet points are the first and the fourth
    else if (p.count == 4 && cut & RL_CUT_FIRST_TO_THIRD)
        at = k == 0 ? 0 : n + k;
    else if (p.count == 4)
        at = n == 0 ? (k == 2 ? 3 : k) : k + 1;
    return rl_polygon_vertex(p, at % p.count);
}
