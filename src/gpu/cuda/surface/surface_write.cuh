// SPDX-License-Identifier: MIT
// surface_write.cuh - finds the places of vertices and indices, by sums over rows, and over the
// rows in their order (rl_surface_sum), and writes them there. A warp has 32 points of a row, and
// computes the numbers of their vertices and of those in the row above by sums over its lanes. Its
// results are adjacent in the mesh, so they go through shared memory and are written in whole
// lines. Work that is needed at shores only is gathered by the block, so that its warps are full.
#pragma once

#include "gpu/cuda/surface/surface_count.cuh"

#include "rill/surface.h"

// ---- Places ------------------------------------------------------------------------------

RL_DEVICE uint4 rl_add(uint4 a, uint4 b)
{
    return make_uint4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Returns the counts of a stretch up to this lane, or of all, in two halves each: 32 stretches are
// below 2^16.
RL_DEVICE uint4 rl_halves(unsigned low, unsigned high)
{
    return make_uint4(low & 0xffff, low >> 16, high & 0xffff, high >> 16);
}

// Sums up the stretches of a row, by one warp.
static __device__ void rl_sum_row(const rl_surface_lattice &s, int row)
{
    const int lane = (int)threadIdx.x % 32;
    const size_t at = (size_t)row * (size_t)s.stretches;
    uint4 sum = make_uint4(0, 0, 0, 0);
    unsigned next = lane < s.stretches ? s.counts[at + (size_t)lane] : 0;
    for (int n = lane; n - lane < s.stretches; n += 32) {
        const unsigned low = (next & 255) | (next << 8 & 0xff0000);
        const unsigned high = (next >> 16 & 255) | (next >> 8 & 0xff0000);
        next = n + 32 < s.stretches ? s.counts[at + (size_t)n + 32] : 0;
        const unsigned low_up_to = rl_sum_up_to(low), high_up_to = rl_sum_up_to(high);
        const uint4 place = rl_add(sum, rl_halves(low_up_to - low, high_up_to - high));
        if (n < s.stretches)
            s.places[at + (size_t)n] = {place.x, place.y, place.z};
        sum = rl_add(sum, rl_halves(__shfl_sync(RL_ALL_LANES, low_up_to, 31),
                                    __shfl_sync(RL_ALL_LANES, high_up_to, 31)));
    }
    if (lane == 0)
        s.rows[row] = sum;
}

// Returns the sums over the threads of a block before this one; and of all.
static __device__ uint4 rl_sums_before(uint4 value, uint4 *total)
{
    __shared__ uint4 warps[RL_SUM_BLOCK / 32];
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const uint4 up_to = make_uint4(rl_sum_up_to(value.x), rl_sum_up_to(value.y),
                                   rl_sum_up_to(value.z), rl_sum_up_to(value.w));
    if (lane == 31)
        warps[warp] = up_to;
    __syncthreads();
    uint4 before = make_uint4(0, 0, 0, 0), sum = before;
    for (int n = 0; n < RL_SUM_BLOCK / 32; n++) {
        before = n == warp ? sum : before;
        sum = rl_add(sum, warps[n]);
    }
    *total = sum;
    return make_uint4(before.x + up_to.x - value.x, before.y + up_to.y - value.y,
                      before.z + up_to.z - value.z, before.w + up_to.w - value.w);
}

// Runs on one block: each thread has some rows. Other blocks have just written their sums, which
// first-level caches need not contain.
static __device__ void rl_sum_surface_rows(const rl_surface_lattice &s, int rows)
{
    const int each = (rows + RL_SUM_BLOCK - 1) / RL_SUM_BLOCK, first = (int)threadIdx.x * each;
    uint4 own = make_uint4(0, 0, 0, 0), total;
#pragma unroll 8
    for (int n = 0; n < each; n++)
        own = rl_add(own, first + n < rows ? __ldcg(&s.rows[first + n]) : make_uint4(0, 0, 0, 0));
    uint4 before = rl_sums_before(own, &total);
#pragma unroll 8
    for (int n = 0; n < each; n++) {
        const uint4 one = first + n < rows ? __ldcg(&s.rows[first + n]) : make_uint4(0, 0, 0, 0);
        if (first + n < rows)
            s.starts[first + n] = {before.x, before.y, before.z};
        before = rl_add(before, one);
    }
    if (threadIdx.x != 0)
        return;
    s.starts[rows] = {total.x, total.y, total.z};
    const int fits = total.x <= s.vertex_capacity && total.w <= s.triangle_capacity;
    *s.totals = *s.host_totals = {total.x, 3 * (size_t)(total.y + total.z), fits, 0};
}

// A warp has a row; the block that is the last to finish puts the rows behind each other.
static __global__ void __launch_bounds__(RL_SUM_BLOCK)
    rl_surface_sum(const __grid_constant__ rl_surface_lattice s, int rows)
{
    __shared__ bool last;
    const int row = (int)(blockIdx.x * (RL_SUM_BLOCK / 32) + threadIdx.x / 32);
    if (row < rows)
        rl_sum_row(s, row);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(s.finished, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    rl_sum_surface_rows(s, rows);
    if (threadIdx.x == 0)
        *s.finished = 0; // for the next build
}

// ---- Blocks that write -------------------------------------------------------------------

#define RL_WRITE_WARPS 4
#define RL_WRITE_BLOCK (32 * RL_WRITE_WARPS)
// Blocks of a processor: as many warps as registers without spilling allow.
#define RL_WRITE_BLOCKS 10
// Vertices of a stretch that has a few ends of surfaces besides its points; those with more are
// written without shared memory.
#define RL_STAGED 40

typedef struct rl_surface_target {
    rill_vertex *vertices;
    unsigned *indices;
} rl_surface_target;

// A point of the lattice, the number of its vertex, and sums over the points before it.
typedef struct rl_numbered {
    unsigned point;
    unsigned number;
    unsigned before, all; // as rl_counts_of(): of the points before, and of the whole stretch
} rl_numbered;

#define RL_VERTEX_PARTS (sizeof(rill_vertex) / sizeof(float2))

// The shared memory of a block. `lists` hold threads whose point is dry, has ends, or has a quad
// that is not whole.
enum { RL_LIST_DRY, RL_LIST_ENDS, RL_LIST_SPECIAL, RL_LISTS };
#define RL_SHORE_X     (RL_STRETCH + 5)
#define RL_SHORE_CELLS (RL_SHORE_X * (RL_WRITE_WARPS + 5))
struct rl_write_block {
    float2 vertices[RL_WRITE_WARPS][RL_STAGED * RL_VERTEX_PARTS];
    unsigned indices[RL_WRITE_WARPS][6 * RL_STRETCH];
    unsigned corners[RL_WRITE_BLOCK][4]; // numbers of those of the quad
    unsigned triangle[RL_WRITE_BLOCK];   // the first of the quad
    float2 *targets[RL_WRITE_WARPS];     // where vertices of a stretch go: shared memory, or the
                                         // mesh
    float levels[RL_SHORE_CELLS];        // of cells from three before the first point on
    unsigned char kinds[RL_SHORE_CELLS];
    unsigned char offset[RL_WRITE_BLOCK];
    unsigned char lists[RL_LISTS][RL_WRITE_BLOCK];
    int counts[RL_LISTS];
};

RL_DEVICE rl_numbered rl_number_points(const rl_surface_lattice &s, unsigned point, int row,
                                       int stretch)
{
    rl_numbered n;
    const size_t place = (size_t)row * (size_t)s.stretches + (size_t)stretch;
    const unsigned first = s.starts[row].vertices + s.places[place].vertices;
    const unsigned counts = rl_counts_of(point), up_to = rl_sum_up_to(counts);
    n.point = point;
    n.before = up_to - counts;
    n.all = __shfl_sync(RL_ALL_LANES, up_to, 31);
    n.number = first + (n.before & 255);
    return n;
}

// Returns the number of the vertex one point to the east; that of the last lane begins the next
// stretch.
RL_DEVICE unsigned rl_vertex_beside(const rl_numbered &n)
{
    const unsigned beside = __shfl_down_sync(RL_ALL_LANES, n.number, 1);
    return threadIdx.x % 32 == 31 ? n.number - (n.before & 255) + (n.all & 255) : beside;
}

RL_DEVICE size_t rl_point_at(const rl_surface_columns &w, int i, int row)
{
    return (size_t)row * (size_t)(w.nx + 2) + (size_t)(i + 1);
}

// ---- Wet points --------------------------------------------------------------------------

// The column of a point and the levels around it, all loaded at once.
typedef struct rl_column {
    float base, depth, velocity_x, velocity_y;
    rl_levels levels;
} rl_column;

RL_DEVICE rl_column rl_load_column(const rl_surface_columns &w, int i, int j)
{
    const int ci = rl_surface_clamp(i, w.nx), cj = rl_surface_clamp(j, w.ny);
    const size_t at = rl_surface_cell_at(w, ci, cj);
    const unsigned inside = (ci + 1 < w.nx ? 1u : 0u) | (cj + 1 < w.ny ? 2u : 0u) |
                            (ci > 0 ? 4u : 0u) | (cj > 0 ? 8u : 0u);
    const int steps[4] = {1, w.pitch, -1, -w.pitch};
    rl_column c;
    float base[4], depth[4];
#pragma unroll
    for (int side = 0; side < 4; side++) {
        const ptrdiff_t step = inside >> side & 1 ? steps[side] : 0;
        depth[side] = (w.depth + at)[step];
        base[side] = (w.base + at)[step];
    }
    c.base = w.base[at];
    c.depth = w.depth[at];
    c.velocity_x = w.velocity_x[at];
    c.velocity_y = w.velocity_y[at];
    c.levels.here = c.base + c.depth;
    c.levels.wet = 0;
#pragma unroll
    for (int side = 0; side < 4; side++) {
        c.levels.beside[side] = base[side] + depth[side];
        c.levels.wet |= (depth[side] > w.wet_depth ? 1u : 0u) << side;
    }
    c.levels.wet &= inside;
    return c;
}

RL_DEVICE void rl_put_wet(const rl_surface_columns &w, const rl_column &c, int i, int j, float2 *to)
{
    float normal[3];
    rl_normal_of(c.levels, w.scale, normal);
    float height = rl_wet_height(w, c.base, c.depth);
    if (rl_on_rim(i, w.nx) || rl_on_rim(j, w.ny)) {
        const rl_view_memory memory = {w};
        height = rl_wet_point_height(memory, i, j);
    }
    to[0] =
        make_float2(rl_surface_place(i, w.nx, w.cell_size), rl_surface_place(j, w.ny, w.cell_size));
    to[1] = make_float2(height, normal[0]);
    to[2] = make_float2(normal[1], normal[2]);
    to[3] = make_float2(c.velocity_x, c.velocity_y);
    to[4] = make_float2(rl_surface_opacity(c.depth, w.opaque_depth), c.depth);
}

// ---- Shores ------------------------------------------------------------------------------

RL_DEVICE void rl_put_resting(float2 *to, float x, float y, float z, const float normal[3])
{
    to[0] = make_float2(x, y);
    to[1] = make_float2(z, normal[0]);
    to[2] = make_float2(normal[1], normal[2]);
    to[3] = to[4] = make_float2(0.0f, 0.0f);
}

// The cells that a block reads for its dry points: two around the cell of a point, which on the rim
// is one before it.
typedef rl_view_shared<RL_SHORE_X, 3> rl_view_shore;

RL_DEVICE void rl_load_shore(const rl_surface_columns &w, rl_write_block *b, int i0, int j0)
{
    for (int k = (int)threadIdx.x; k < RL_SHORE_CELLS; k += RL_WRITE_BLOCK) {
        const int i = i0 - 3 + k % RL_SHORE_X, j = j0 - 3 + k / RL_SHORE_X;
        const bool here = i >= 0 && j >= 0 && i < w.nx && j < w.ny;
        const float depth = here ? w.depth[rl_surface_cell_at(w, i, j)] : 0.0f;
        b->levels[k] = here ? w.base[rl_surface_cell_at(w, i, j)] + depth : 0.0f;
        b->kinds[k] = (unsigned char)rl_kind_of(w, here, depth);
    }
}

static __device__ void rl_put_dry(const rl_view_shore &v, int i, int j, float2 *to)
{
    const rl_surface_columns &w = v.water;
    const int ci = rl_surface_clamp(i, w.nx), cj = rl_surface_clamp(j, w.ny);
    unsigned anchors;
    float normal[3];
    const float height = rl_dry_height(v, ci, cj, &anchors);
    rl_dry_normal(v, ci, cj, normal);
    rl_put_resting(to, rl_surface_place(i, w.nx, w.cell_size),
                   rl_surface_place(j, w.ny, w.cell_size), height, normal);
}

// Writes ends on the ground between the centres of a wet and a dry column, behind the vertex of the
// wet one.
static __device__ void rl_put_ends(const rl_surface_columns &w, int i, int j, unsigned sides,
                                   float2 *to)
{
    const float x = to[0].x, y = to[0].y;
    const float normal[3] = {to[1].y, to[2].x, to[2].y};
    const size_t at = rl_surface_cell_at(w, rl_surface_clamp(i, w.nx), rl_surface_clamp(j, w.ny));
    for (int side = 0; side < 4; side++) {
        if (!(sides >> side & 1))
            continue;
        const int ni = i + rl_surface_step_x(2 * side), nj = j + rl_surface_step_y(2 * side);
        const size_t dry =
            rl_surface_cell_at(w, rl_surface_clamp(ni, w.nx), rl_surface_clamp(nj, w.ny));
        const float t = rl_surface_end(w.depth[at], w.base[dry] - w.base[at], w.depth[dry],
                                       w.wet_depth, w.cell_size);
        to += RL_VERTEX_PARTS;
        rl_put_resting(to, rl_surface_between(x, rl_surface_place(ni, w.nx, w.cell_size), t),
                       rl_surface_between(y, rl_surface_place(nj, w.ny, w.cell_size), t),
                       rl_surface_between(w.base[at], w.base[dry], t), normal);
    }
}

// Writes the triangles of a quad that is not whole; `corners` are the numbers of its points.
static __device__ void rl_put_special(const rl_surface_columns &w, const rl_surface_lattice &s,
                                      int i, int j, const unsigned corners[4], unsigned *to)
{
    unsigned wet = 0, sides[4];
#pragma unroll
    for (int corner = 0; corner < 4; corner++) {
        const unsigned bits =
            s.points[rl_point_at(w, i + rl_corner_x(corner), j + 1 + rl_corner_y(corner))];
        wet |= (bits & RL_POINT_WET) << corner;
        sides[corner] = bits >> RL_POINT_SIDES & 15;
    }
    const bool same_x = rl_surface_clamp(i, w.nx) == rl_surface_clamp(i + 1, w.nx);
    const bool same_y = rl_surface_clamp(j, w.ny) == rl_surface_clamp(j + 1, w.ny);
    const rl_polygon p = s.polygons[rl_quad_of(wet, sides, same_x, same_y)];
    const unsigned point = s.points[rl_point_at(w, i, j + 1)], kept = point >> RL_POINT_KEPT;
    const int cut = (point & RL_POINT_DIAGONAL_AC ? RL_CUT_FIRST_TO_THIRD : 0) |
                    (point & RL_POINT_APART ? RL_CUT_APART : 0);
    const unsigned all =
        sides[0] | sides[1] << 4 | sides[2] << 8 | sides[3] << 12; // a nibble a corner
    for (int n = 0; n < rl_triangles_of(p, cut); n++) {
        if (!(kept >> n & 1))
            continue;
        for (int k = 0; k < 3; k++) {
            const int vertex = rl_triangle_vertex(p, cut, n, k), corner = vertex & 3;
            const unsigned before = (1u << (vertex >> 2)) / 2; // sides before that of an end
            const unsigned ends = all >> (4 * corner) & (before > 0 ? before - 1 : 0);
            *to++ = corners[corner] + (before > 0 ? 1 + (unsigned)__popc(ends) : 0);
        }
    }
}

// Threads put themselves on the lists; then each list is handled by as many as it needs.
RL_DEVICE void rl_write_shore(const rl_surface_columns &w, const rl_surface_lattice &s,
                              rl_write_block *b, unsigned point, unsigned *indices)
{
    const bool on[RL_LISTS] = {(point & (RL_POINT_USED | RL_POINT_WET)) == RL_POINT_USED,
                               (point >> RL_POINT_SIDES & 15) != 0,
                               (point & RL_POINT_SPECIAL) != 0};
#pragma unroll
    for (int list = 0; list < RL_LISTS; list++)
        if (on[list])
            b->lists[list][atomicAdd(&b->counts[list], 1)] = (unsigned char)threadIdx.x;
    const int i0 = (int)blockIdx.x * RL_STRETCH - 1, j0 = (int)blockIdx.y * RL_WRITE_WARPS - 1;
    rl_load_shore(w, b, i0, j0);
    __syncthreads();
    const rl_view_shore v = {w, b->levels, b->kinds, i0, j0};
    for (int n = (int)threadIdx.x; n < b->counts[RL_LIST_DRY]; n += RL_WRITE_BLOCK) {
        const int who = b->lists[RL_LIST_DRY][n], warp = who / 32;
        rl_put_dry(v, i0 + who % 32, j0 + warp,
                   b->targets[warp] + RL_VERTEX_PARTS * b->offset[who]);
    }
    for (int n = (int)threadIdx.x; n < b->counts[RL_LIST_ENDS]; n += RL_WRITE_BLOCK) {
        const int who = b->lists[RL_LIST_ENDS][n], i = i0 + who % 32, warp = who / 32;
        const unsigned sides = s.points[rl_point_at(w, i, j0 + warp + 1)] >> RL_POINT_SIDES & 15;
        rl_put_ends(w, i, j0 + warp, sides, b->targets[warp] + RL_VERTEX_PARTS * b->offset[who]);
    }
    for (int n = (int)threadIdx.x; n < b->counts[RL_LIST_SPECIAL]; n += RL_WRITE_BLOCK) {
        const int who = b->lists[RL_LIST_SPECIAL][n];
        rl_put_special(w, s, i0 + who % 32, j0 + who / 32, b->corners[who],
                       indices + 3 * (size_t)b->triangle[who]);
    }
    __syncthreads();
}

// ---- All ---------------------------------------------------------------------------------

RL_DEVICE void rl_stage_whole(unsigned point, const uint4 &corners, unsigned *to)
{
    const bool ac = point & RL_POINT_DIAGONAL_AC;
    if (point >> RL_POINT_KEPT & 1) {
        to[0] = corners.x;
        to[1] = corners.y;
        to[2] = ac ? corners.z : corners.w;
        to += 3;
    }
    if (point >> RL_POINT_KEPT & 2) {
        to[0] = ac ? corners.x : corners.y;
        to[1] = corners.z;
        to[2] = corners.w;
    }
}

// Returns the places of the triangles of a stretch: in a tile of rows come all whole quads, then
// all others (quads.c).
RL_DEVICE void rl_place_triangles(const rl_surface_lattice &s, int row, int rows, int stretch,
                                  unsigned *whole, unsigned *special)
{
    const int tile = row - row % RL_SURFACE_TILE_ROWS, next = tile + RL_SURFACE_TILE_ROWS;
    const rl_surface_places place = s.places[(size_t)row * (size_t)s.stretches + (size_t)stretch];
    *whole = s.starts[tile].special + s.starts[row].whole + place.whole;
    *special = s.starts[next < rows ? next : rows].whole + s.starts[row].special + place.special;
}

// Writes nothing where the mesh does not fit.
static __global__ void __launch_bounds__(RL_WRITE_BLOCK, RL_WRITE_BLOCKS)
    rl_surface_write(const __grid_constant__ rl_surface_columns w,
                     const __grid_constant__ rl_surface_lattice s, const rl_surface_target target)
{
    __shared__ rl_write_block b;
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, rows = w.ny + 2;
    const int stretch = (int)blockIdx.x, i = stretch * RL_STRETCH + lane - 1;
    const int here = (int)blockIdx.y * RL_WRITE_WARPS + warp, row = here < rows ? here : rows - 1;
    const int above = row + 1 < rows ? row + 1 : row;
    if (!s.totals->fits)
        return;
    const bool inside = i <= w.nx && here < rows;
    const rl_column column = rl_load_column(w, i, row - 1);
    const unsigned point = inside ? s.points[rl_point_at(w, i, row)] : 0;
    const unsigned point_above = inside ? s.points[rl_point_at(w, i, above)] : 0;
    unsigned whole, special;
    rl_place_triangles(s, row, rows, stretch, &whole, &special);
    const rl_numbered n = rl_number_points(s, point, row, stretch);
    const rl_numbered up = rl_number_points(s, point_above, above, stretch);
    const uint4 corners =
        make_uint4(n.number, rl_vertex_beside(n), rl_vertex_beside(up), up.number);

    const unsigned count = n.all & 255;
    float2 *out = (float2 *)(target.vertices + (n.number - (n.before & 255)));
    float2 *to = count <= RL_STAGED ? b.vertices[warp] : out;
    if (point & RL_POINT_WET)
        rl_put_wet(w, column, i, row - 1, to + RL_VERTEX_PARTS * (n.before & 255));
    if (point & RL_POINT_WHOLE)
        rl_stage_whole(point, corners, b.indices[warp] + 3 * (n.before >> 8 & 255));
    if (point & RL_POINT_SPECIAL) {
        b.corners[threadIdx.x][0] = corners.x;
        b.corners[threadIdx.x][1] = corners.y;
        b.corners[threadIdx.x][2] = corners.z;
        b.corners[threadIdx.x][3] = corners.w;
        b.triangle[threadIdx.x] = special + (n.before >> 16);
    }
    b.offset[threadIdx.x] = (unsigned char)n.before;
    if (lane == 0)
        b.targets[warp] = to;
    if (threadIdx.x < RL_LISTS)
        b.counts[threadIdx.x] = 0;
    const bool dry = (point & (RL_POINT_USED | RL_POINT_WET)) == RL_POINT_USED;
    const unsigned rare = 15u << RL_POINT_SIDES | RL_POINT_SPECIAL;
    if (__syncthreads_or(dry || (point & rare) != 0))
        rl_write_shore(w, s, &b, point, target.indices);

    if (count <= RL_STAGED)
        for (unsigned k = (unsigned)lane; k < RL_VERTEX_PARTS * count; k += 32)
            out[k] = b.vertices[warp][k];
    const unsigned index_count = 3 * (n.all >> 8 & 255);
    for (unsigned k = (unsigned)lane; k < index_count; k += 32)
        target.indices[3 * (size_t)whole + k] = b.indices[warp][k];
}
