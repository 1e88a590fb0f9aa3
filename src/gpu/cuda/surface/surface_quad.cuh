// SPDX-License-Identifier: MIT
// surface_quad.cuh - the triangles over four points of which some are wet and the surface ends
// between them: what polygons_inline.h draws for one layer over a heightfield. There only two dry
// cells beside each other are not linked, so that the wet points of a quad are all in one ring or
// chain, and the polygon that it makes follows from a few bits. All polygons are made once, on the
// host, as a table.
#pragma once

#include "gpu/cuda/surface/surface_points.cuh"

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

static __host__ __device__ __forceinline__ int rl_polygon_vertex(const rl_polygon &p, int n)
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
static __host__ __device__ __forceinline__ int rl_beyond(int vertex)
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
static __device__ __forceinline__ int rl_quad_of(unsigned wet, const unsigned sides[4], bool same_x,
                                                 bool same_y)
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

static __device__ __forceinline__ int rl_triangles_of(const rl_polygon &p, int cut)
{
    return cut & RL_CUT_APART ? 2 : p.count < 3 ? 0 : p.count - 2;
}

// Returns vertex k of triangle n.
static __device__ __forceinline__ int rl_triangle_vertex(const rl_polygon &p, int cut, int n, int k)
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
