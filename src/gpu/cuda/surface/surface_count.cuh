// SPDX-License-Identifier: MIT
// surface_count.cuh - counts the vertices and triangles of every point of the lattice:
// rl_surface_find computes each point from the columns around it. All sums are of integers, so that
// the order of threads does not matter.
#pragma once

#include "gpu/cuda/surface/surface_points.cuh"

// The bits of a point, and of the quad whose corner a it is. Sides are those towards which its
// surface ends; `kept` has a bit for each triangle of the quad that is no fall. The diagonal of a
// quad that is not whole is that of its polygon.
enum {
    RL_POINT_WET = 1,
    RL_POINT_USED = 2,
    RL_POINT_SIDES = 2, // shifts of four bits each
    RL_POINT_WHOLE = 1 << 6,
    RL_POINT_DIAGONAL_AC = 1 << 7,
    RL_POINT_SPECIAL = 1 << 8,
    RL_POINT_APART = 1 << 9,
    RL_POINT_KEPT = 10,
};

// Points of a row are counted 32 at a time: vertices in the lowest byte, then triangles of whole
// quads and of others that are drawn, then all triangles.
#define RL_STRETCH 32
// Points that a block handles.
#define RL_FIND_ROWS  16
#define RL_FIND_BLOCK 256
#define RL_SUM_BLOCK  256

// Vertices, triangles of whole quads and other triangles that come before, in the order of rows.
typedef struct rl_surface_places {
    unsigned vertices, whole, special;
} rl_surface_places;

typedef struct rl_surface_lattice {
    unsigned short *points;    // (nx + 2) (ny + 2)
    unsigned *counts;          // a stretch of a row
    rl_surface_places *places; // the same: within its row,
    rl_surface_places *starts; // and before the row; one more row, which ends the last
    uint4 *rows;               // of a row: vertices, both kinds of triangles, all triangles
    rl_device_mesh_size *totals, *host_totals; // the second in memory of the host
    unsigned *finished;                        // blocks that have summed their rows
    const rl_polygon *polygons;                // RL_QUAD_KINDS
    int stretches;                             // of a row
    unsigned vertex_capacity, triangle_capacity;
} rl_surface_lattice;

RL_DEVICE unsigned rl_counts_of(unsigned point)
{
    const unsigned ends = (unsigned)__popc(point >> RL_POINT_SIDES & 15);
    const unsigned kept = (unsigned)__popc(point >> RL_POINT_KEPT);
    return (point >> 1 & 1) + ends + (point & RL_POINT_WHOLE ? kept << 8 : 0) +
           (point & RL_POINT_SPECIAL ? kept << 16 : 0);
}

// ---- Kinds of points ---------------------------------------------------------------------

#define RL_TILE_CELLS_X  (RL_STRETCH + 4)
#define RL_TILE_CELLS_Y  (RL_FIND_ROWS + 4)
#define RL_TILE_CELLS    (RL_TILE_CELLS_X * RL_TILE_CELLS_Y)
#define RL_TILE_POINTS_X (RL_STRETCH + 2)
#define RL_TILE_POINTS   (RL_TILE_POINTS_X * (RL_FIND_ROWS + 2))
#define RL_TILE_QUADS_X  (RL_STRETCH + 1)
#define RL_TILE_QUADS    (RL_TILE_QUADS_X * (RL_FIND_ROWS + 1))

// The shared memory of a block: cells from two before its first point on, points from one before,
// and quads. Rare work that takes long is gathered in lists first, so that whole warps handle it:
// dry points beside wet ones, and quads that are not whole.
struct rl_find_tile {
    float levels[RL_TILE_CELLS];
    float wet_heights[RL_TILE_CELLS];
    unsigned char kinds[RL_TILE_CELLS];
    float heights[RL_TILE_POINTS];
    // RL_CORNER_, from bit 8 on the neighbours towards which the surface ends
    unsigned short corners[RL_TILE_POINTS];
    // RL_QUAD_, from bit 3 on the number of triangles, from bit 6 on those that are drawn, from bit
    // 10 on RL_CUT_
    unsigned short quads[RL_TILE_QUADS];
    unsigned short list[RL_TILE_POINTS];
    int dry_count, special_count;
};

struct rl_view_tile : rl_view_shared<RL_TILE_CELLS_X, 2> {
    const rl_find_tile &tile;

    __device__ __forceinline__ float wet_height(int i, int j) const
    {
        return tile.wet_heights[at(i, j)];
    }
};

// Returns bits of the kinds that occur.
RL_DEVICE int rl_load_cells(const rl_surface_columns &w, rl_find_tile *tile, int i0, int j0)
{
    int kinds = 0;
#pragma unroll
    for (int n = 0; n < (RL_TILE_CELLS + RL_FIND_BLOCK - 1) / RL_FIND_BLOCK; n++) {
        const int k = n * RL_FIND_BLOCK + (int)threadIdx.x;
        if (k >= RL_TILE_CELLS)
            break;
        const int i = i0 - 2 + k % RL_TILE_CELLS_X, j = j0 - 2 + k / RL_TILE_CELLS_X;
        const bool here = i >= 0 && j >= 0 && i < w.nx && j < w.ny;
        const float base = here ? w.base[rl_surface_cell_at(w, i, j)] : 0.0f;
        const float depth = here ? w.depth[rl_surface_cell_at(w, i, j)] : 0.0f;
        const int kind = rl_kind_of(w, here, depth);
        tile->levels[k] = base + depth;
        tile->wet_heights[k] = rl_wet_height(w, base, depth);
        tile->kinds[k] = (unsigned char)kind;
        kinds |= 1 << kind;
    }
    return kinds;
}

RL_DEVICE void rl_find_points(const rl_view_tile &v, rl_find_tile *tile)
{
    const rl_surface_columns &w = v.water;
    for (int k = (int)threadIdx.x; k < RL_TILE_POINTS; k += RL_FIND_BLOCK) {
        const int i = v.i0 - 1 + k % RL_TILE_POINTS_X, j = v.j0 - 1 + k / RL_TILE_POINTS_X;
        tile->corners[k] = 0;
        if (i < -1 || j < -1 || i > w.nx || j > w.ny)
            continue;
        const int ci = rl_surface_clamp(i, w.nx), cj = rl_surface_clamp(j, w.ny);
        if (v.kind(ci, cj) == RL_CELL_WET) {
            const unsigned cut = w.fine ? rl_point_mask(w, i, j, rl_cut(v, ci, cj)) : 0;
            tile->heights[k] = rl_wet_point_height(v, i, j);
            tile->corners[k] = (unsigned short)(RL_CORNER_WET | cut << 8);
        } else if (rl_neighbour_bits(v, ci, cj) != 0) {
            tile->list[atomicAdd(&tile->dry_count, 1)] = (unsigned short)k;
        }
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < tile->dry_count; n += RL_FIND_BLOCK) {
        const int k = tile->list[n];
        const int i = v.i0 - 1 + k % RL_TILE_POINTS_X, j = v.j0 - 1 + k / RL_TILE_POINTS_X;
        unsigned anchors;
        tile->heights[k] =
            rl_dry_height(v, rl_surface_clamp(i, w.nx), rl_surface_clamp(j, w.ny), &anchors);
        tile->corners[k] = (unsigned short)rl_point_anchors(w, i, j, anchors);
    }
    __syncthreads();
}

// A quad of a tile: corner a is lattice point (i, j), and point k of the tile.
typedef struct rl_tile_quad {
    const rl_view_tile &view;
    int i, j, k;
} rl_tile_quad;

RL_DEVICE int rl_tile_point(const rl_tile_quad &q, int corner)
{
    return q.k + rl_corner_y(corner) * RL_TILE_POINTS_X + rl_corner_x(corner);
}

RL_DEVICE size_t rl_tile_cell(const rl_tile_quad &q, int corner)
{
    const rl_surface_columns &w = q.view.water;
    return rl_surface_cell_at(w, rl_surface_clamp(q.i + rl_corner_x(corner), w.nx),
                              rl_surface_clamp(q.j + rl_corner_y(corner), w.ny));
}

// Returns how far the surface of a vertex goes, and the height of a vertex.
static __device__ float rl_tile_end(const rl_tile_quad &q, int vertex)
{
    const rl_surface_columns &w = q.view.water;
    const size_t from = rl_tile_cell(q, vertex & 3), to = rl_tile_cell(q, rl_beyond(vertex));
    return rl_surface_end(w.depth[from], w.base[to] - w.base[from], w.depth[to], w.wet_depth,
                          w.cell_size);
}

static __device__ float rl_tile_height(const rl_tile_quad &q, int vertex)
{
    if (vertex < 4)
        return q.view.tile.heights[rl_tile_point(q, vertex)];
    const float *base = q.view.water.base;
    return rl_surface_between(base[rl_tile_cell(q, vertex & 3)],
                              base[rl_tile_cell(q, rl_beyond(vertex))], rl_tile_end(q, vertex));
}

// Two surfaces across a quad touch when on average they come further than halfway. Else four
// vertices are cut along the diagonal with both ends inside or both outside, or along the higher
// one; ends of surfaces count as the points they belong to.
RL_DEVICE int rl_cut_of(const rl_tile_quad &q, const rl_polygon &p)
{
    if (p.apart) {
        float sum = 0.0f;
        for (int n = 0; n < 2; n++) {
            const int corner = rl_polygon_vertex(p, 3 * n);
            sum += rl_tile_end(q, corner + 4 * (1 + corner)) +
                   rl_tile_end(q, corner + 4 * (1 + (corner + 1) % 4));
        }
        return sum < RL_SURFACE_TOUCH ? RL_CUT_APART : 0;
    }
    if (p.count != 4)
        return 0;
    const unsigned odd = p.inside ^ p.inside >> 2;
    const float *heights = q.view.tile.heights;
    const int higher = rl_surface_crest(heights[rl_tile_point(q, rl_polygon_vertex(p, 0) & 3)],
                                        heights[rl_tile_point(q, rl_polygon_vertex(p, 1) & 3)],
                                        heights[rl_tile_point(q, rl_polygon_vertex(p, 2) & 3)],
                                        heights[rl_tile_point(q, rl_polygon_vertex(p, 3) & 3)]);
    return ((odd ^ odd >> 1) & 1 ? odd >> 1 & 1 : higher) ? RL_CUT_FIRST_TO_THIRD : 0;
}

RL_DEVICE unsigned rl_four_sides(unsigned cut)
{
    return (cut & 1) | (cut >> 1 & 2) | (cut >> 2 & 4) | (cut >> 3 & 8);
}

RL_DEVICE int rl_quad_of_tile(const rl_tile_quad &q)
{
    const rl_surface_columns &w = q.view.water;
    unsigned wet = 0, sides[4];
#pragma unroll
    for (int corner = 0; corner < 4; corner++) {
        const unsigned bits = q.view.tile.corners[rl_tile_point(q, corner)];
        wet |= (bits & RL_CORNER_WET) << corner;
        sides[corner] = rl_four_sides(bits >> 8);
    }
    return rl_quad_of(wet, sides, rl_surface_clamp(q.i, w.nx) == rl_surface_clamp(q.i + 1, w.nx),
                      rl_surface_clamp(q.j, w.ny) == rl_surface_clamp(q.j + 1, w.ny));
}

// Returns the depth of a vertex: 0 on the ground, beside the water.
static __device__ float rl_tile_depth(const rl_tile_quad &q, int vertex)
{
    const bool wet = vertex < 4 && q.view.tile.corners[rl_tile_point(q, vertex)] & RL_CORNER_WET;
    return wet ? q.view.water.depth[rl_tile_cell(q, vertex)] : 0.0f;
}

// Returns the triangles of a quad that is not whole, from bit 3 on those that are no fall, and from
// bit 7 on how it is cut.
static __device__ unsigned rl_count_special(const rl_tile_quad &q, const rl_polygon *polygons)
{
    const float most = q.view.water.most_fall;
    const rl_polygon p = polygons[rl_quad_of_tile(q)];
    const int cut = rl_cut_of(q, p), count = rl_triangles_of(p, cut);
    unsigned kept = (1u << count) - 1;
    for (int n = 0; n < count && most > 0.0f; n++) {
        float height[3], depth[3];
        for (int k = 0; k < 3; k++) {
            const int vertex = rl_triangle_vertex(p, cut, n, k);
            height[k] = rl_tile_height(q, vertex);
            depth[k] = rl_tile_depth(q, vertex);
        }
        if (rl_surface_drops(height[0], height[1], height[2], most) &&
            rl_surface_over_cliff(height, depth))
            kept &= ~(1u << n);
    }
    return (unsigned)count | kept << 3 | (unsigned)cut << 7;
}

// Returns whether a triangle of a whole quad with these corners is a fall. Depths are loaded only
// where it is steep.
RL_DEVICE bool rl_whole_falls(const rl_surface_columns &w, int i, int j, const float *heights,
                              int a, int b, int c)
{
    if (!rl_surface_drops(heights[a], heights[b], heights[c], w.most_fall))
        return false;
    const int corners[3] = {a, b, c};
    float height[3], depth[3];
    for (int k = 0; k < 3; k++) {
        const int corner = corners[k];
        const float here =
            w.depth[rl_surface_cell_at(w, rl_surface_clamp(i + rl_corner_x(corner), w.nx),
                                       rl_surface_clamp(j + rl_corner_y(corner), w.ny))];
        height[k] = heights[corner];
        depth[k] = here > w.wet_depth ? here : 0.0f;
    }
    return rl_surface_over_cliff(height, depth);
}

// Does the same as rl_count_special() for the whole quad at (i, j) with corners at these heights.
RL_DEVICE unsigned rl_count_whole(const rl_surface_columns &w, int i, int j, const float *heights,
                                  bool ac)
{
    unsigned kept = 3;
    if (w.most_fall > 0.0f && rl_whole_falls(w, i, j, heights, 0, 1, ac ? 2 : 3))
        kept &= ~1u;
    if (w.most_fall > 0.0f && rl_whole_falls(w, i, j, heights, ac ? 0 : 1, 2, 3))
        kept &= ~2u;
    return 2u | kept << 3;
}

// Returns the quad (i, j), whose corner a is point k of the tile; one that is not whole is not
// counted yet.
RL_DEVICE unsigned rl_quad_code(const rl_view_tile &v, int i, int j, int k)
{
    const rl_find_tile &tile = v.tile;
    const int up = k + RL_TILE_POINTS_X;
    const unsigned a = tile.corners[k], b = tile.corners[k + 1];
    const unsigned c = tile.corners[up + 1], d = tile.corners[up];
    if (!((a | b | c | d) & RL_CORNER_WET))
        return 0;
    const float heights[4] = {tile.heights[k], tile.heights[k + 1], tile.heights[up + 1],
                              tile.heights[up]};
    const int crest = rl_surface_crest(heights[0], heights[1], heights[2], heights[3]);
    const unsigned code = rl_surface_quad((uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d,
                                          (uint8_t) ~(a >> 8), (uint8_t) ~(b >> 8),
                                          (uint8_t) ~(c >> 8), (uint8_t) ~(d >> 8), (uint8_t)crest);
    if (code & RL_QUAD_SPECIAL)
        return code;
    return code | rl_count_whole(v.water, i, j, heights, code & RL_QUAD_DIAGONAL_AC) << 3;
}

RL_DEVICE void rl_find_quads(const rl_view_tile &v, rl_find_tile *tile, const rl_polygon *polygons)
{
    const rl_surface_columns &w = v.water;
    for (int k = (int)threadIdx.x; k < RL_TILE_QUADS; k += RL_FIND_BLOCK) {
        const int x = k % RL_TILE_QUADS_X, y = k / RL_TILE_QUADS_X;
        const int i = v.i0 - 1 + x, j = v.j0 - 1 + y;
        const bool here = i >= -1 && j >= -1 && i < w.nx && j < w.ny;
        const unsigned code = here ? rl_quad_code(v, i, j, y * RL_TILE_POINTS_X + x) : 0;
        tile->quads[k] = (unsigned short)code;
        if (code & RL_QUAD_SPECIAL)
            tile->list[atomicAdd(&tile->special_count, 1)] = (unsigned short)k;
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < tile->special_count; n += RL_FIND_BLOCK) {
        const int k = tile->list[n], x = k % RL_TILE_QUADS_X, y = k / RL_TILE_QUADS_X;
        const rl_tile_quad q = {v, v.i0 - 1 + x, v.j0 - 1 + y, y * RL_TILE_POINTS_X + x};
        tile->quads[k] |= (unsigned short)(rl_count_special(q, polygons) << 3);
    }
    __syncthreads();
}

// Returns the bits of a point with this quad; whole quads count among the four that it is a corner
// of.
RL_DEVICE unsigned rl_point_of(unsigned corner, unsigned quad, unsigned around)
{
    const bool used = (corner & 0xff) || (around & RL_QUAD_WHOLE);
    const bool diagonal = quad & (RL_QUAD_DIAGONAL_AC | RL_CUT_FIRST_TO_THIRD << 10);
    return (corner & RL_CORNER_WET) | (used ? RL_POINT_USED : 0) |
           rl_four_sides(corner >> 8) << RL_POINT_SIDES |
           (quad & RL_QUAD_WHOLE ? RL_POINT_WHOLE : 0) | (diagonal ? RL_POINT_DIAGONAL_AC : 0) |
           (quad & RL_QUAD_SPECIAL ? RL_POINT_SPECIAL : 0) |
           (quad & RL_CUT_APART << 10 ? RL_POINT_APART : 0) | (quad >> 6 & 15) << RL_POINT_KEPT;
}

RL_DEVICE unsigned rl_point_of_tile(const rl_find_tile &tile, int x, int y, unsigned *quad)
{
    const int k = (y + 1) * RL_TILE_QUADS_X + x + 1, below = k - RL_TILE_QUADS_X;
    *quad = tile.quads[k];
    return rl_point_of(tile.corners[(y + 1) * RL_TILE_POINTS_X + x + 1], *quad,
                       *quad | tile.quads[k - 1] | tile.quads[below] | tile.quads[below - 1]);
}

// Does the same where all cells are wet: then every quad is whole.
RL_DEVICE unsigned rl_point_in_water(const rl_view_tile &v, int x, int y, unsigned *quad)
{
    const float *low = &v.tile.wet_heights[(y + 2) * RL_TILE_CELLS_X + x + 2];
    const float *high = low + RL_TILE_CELLS_X;
    const float heights[4] = {low[0], low[1], high[1], high[0]};
    const bool ac = rl_surface_crest(heights[0], heights[1], heights[2], heights[3]);
    *quad = RL_QUAD_WHOLE | (ac ? RL_QUAD_DIAGONAL_AC : 0) |
            rl_count_whole(v.water, v.i0 + x, v.j0 + y, heights, ac) << 3;
    return rl_point_of(RL_CORNER_WET, *quad, *quad);
}

enum { RL_TILE_EMPTY, RL_TILE_FULL, RL_TILE_MIXED };

// Writes the points, and the sums of stretches.
RL_DEVICE void rl_store_points(const rl_view_tile &v, const rl_surface_lattice &s, int filling)
{
    const rl_surface_columns &w = v.water;
    const int x = (int)threadIdx.x % RL_STRETCH;
    for (int y = (int)threadIdx.x / RL_STRETCH; y < RL_FIND_ROWS; y += RL_FIND_BLOCK / RL_STRETCH) {
        const int row = v.j0 + 1 + y;
        if (row >= w.ny + 2)
            return;
        unsigned point = 0, quad = 0, sum = 0;
        if (v.i0 + x <= w.nx) {
            if (filling == RL_TILE_FULL)
                point = rl_point_in_water(v, x, y, &quad);
            else if (filling == RL_TILE_MIXED)
                point = rl_point_of_tile(v.tile, x, y, &quad);
            s.points[(size_t)row * (size_t)(w.nx + 2) + (size_t)(v.i0 + 1 + x)] =
                (unsigned short)point;
            sum = rl_counts_of(point) + ((quad >> 3 & 7) << 24);
        }
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(RL_ALL_LANES, sum, step);
        if (x == 0)
            s.counts[(size_t)row * (size_t)s.stretches + blockIdx.x] = sum;
    }
}

static __global__ void __launch_bounds__(RL_FIND_BLOCK)
    rl_surface_find(const __grid_constant__ rl_surface_columns w,
                    const __grid_constant__ rl_surface_lattice s)
{
    __shared__ rl_find_tile tile;
    const int i0 = (int)blockIdx.x * RL_STRETCH - 1, j0 = (int)blockIdx.y * RL_FIND_ROWS - 1;
    const rl_view_tile v = {{w, tile.levels, tile.kinds, i0, j0}, tile};
    if (threadIdx.x == 0)
        tile.dry_count = tile.special_count = 0;
    const int kinds = rl_load_cells(w, &tile, i0, j0);
    const bool no_other = __syncthreads_and((kinds & ~(1 << RL_CELL_WET)) == 0);
    const bool no_wet = __syncthreads_and(!(kinds >> RL_CELL_WET & 1));
    const int filling = no_other ? RL_TILE_FULL : no_wet ? RL_TILE_EMPTY : RL_TILE_MIXED;
    if (filling == RL_TILE_MIXED) {
        rl_find_points(v, &tile);
        rl_find_quads(v, &tile, s.polygons);
    }
    rl_store_points(v, s, filling);
}
