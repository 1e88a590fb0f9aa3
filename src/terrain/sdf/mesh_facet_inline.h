// SPDX-License-Identifier: MIT
// mesh_facet_inline.h - a triangle whose corners are whole numbers, and what nodes ask it: how far
// it is, and whether it lies above or below (mesh_band.c).
#pragma once

#include "core/numbers.h"

#include <math.h>
#include <stdint.h>

#define RL_FACET_BITS 16
#define RL_FACET_CELL 65536 // whole numbers to a cell

typedef struct rl_facet {
    double a[3], ab[3], ac[3], opposite[3]; // cells; from b to c
    double bb, cc, bc, all; // of ab, of ac, between them; bb cc - bc^2, 0 of slivers
    double per_ab, per_ac, per_bc, per_all; // reciprocals of squares; 0 of nothing
    double normal[3], per_rise;             // of unit length; 1 / its part upwards, 0: it is level
    int32_t low[3], high[3];                // box around it, whole numbers
    // 1 for ab, 2 for bc, 4 for ca: sides that this triangle passes from the lesser to the greater
    // number of a vertex. In a closed mesh it is the only one of the two at a side that does.
    int own;
} rl_facet;

static inline double rl_facet_part(double of)
{
    return of > 0.0 ? 1.0 / of : 0.0;
}

// `places` are those of all vertices, `indices` the three of the triangle.
static inline rl_facet rl_facet_of(const int32_t *places, const uint32_t *indices)
{
    const int32_t *a = places + 3 * (size_t)indices[0], *b = places + 3 * (size_t)indices[1];
    const int32_t *c = places + 3 * (size_t)indices[2];
    rl_facet f;
    double across[3];
    for (int k = 0; k < 3; k++) {
        f.low[k] = rl_lesser_int(a[k], rl_lesser_int(b[k], c[k]));
        f.high[k] = rl_greater_int(a[k], rl_greater_int(b[k], c[k]));
        f.a[k] = (double)a[k] / RL_FACET_CELL;
        f.ab[k] = (double)b[k] / RL_FACET_CELL - f.a[k];
        f.ac[k] = (double)c[k] / RL_FACET_CELL - f.a[k];
        f.opposite[k] = f.ac[k] - f.ab[k];
    }
    f.own = (indices[0] < indices[1] ? 1 : 0) | (indices[1] < indices[2] ? 2 : 0) |
            (indices[2] < indices[0] ? 4 : 0);
    f.bb = rl_dot(f.ab, f.ab);
    f.cc = rl_dot(f.ac, f.ac);
    f.bc = rl_dot(f.ab, f.ac);
    f.all = f.bb * f.cc - f.bc * f.bc;
    if (!(f.all > 1e-10 * f.bb * f.cc)) // it is all sides
        f.all = 0.0;
    f.per_ab = rl_facet_part(f.bb);
    f.per_ac = rl_facet_part(f.cc);
    f.per_bc = rl_facet_part(rl_dot(f.opposite, f.opposite));
    f.per_all = rl_facet_part(f.all);
    rl_cross(f.ab, f.ac, across);
    const double part = rl_facet_part(sqrt(rl_dot(across, across)));
    for (int k = 0; k < 3; k++)
        f.normal[k] = part * across[k];
    f.per_rise = fabs(f.normal[2]) > 1e-3 ? 1.0 / f.normal[2] : 0.0;
    return f;
}

// Squared distance to a side that begins where `from` comes from.
static inline double rl_facet_side2(const double from[3], const double along[3], double per_square)
{
    const double t = rl_clamp(rl_dot(from, along) * per_square, 0.0, 1.0);
    const double rest[3] = {from[0] - t * along[0], from[1] - t * along[1], from[2] - t * along[2]};
    return rl_dot(rest, rest);
}

// Squared distance to those of the `sides` that a point is beyond which lies `from` corner a;
// HUGE_VAL where that is none of them. `v` and `w` are parts of ab and of ac, of `all`, that lead
// to its foot.
static inline double rl_facet_sides2(const rl_facet *f, const double from[3], double v, double w,
                                     int sides)
{
    double best = HUGE_VAL;
    if (w < 0.0 && (sides & 1) != 0)
        best = rl_facet_side2(from, f->ab, f->per_ab);
    if (v < 0.0 && (sides & 4) != 0)
        best = rl_lesser(rl_facet_side2(from, f->ac, f->per_ac), best);
    if ((v + w > f->all || !(f->all > 0.0)) && (sides & 2) != 0) {
        const double from_b[3] = {from[0] - f->ab[0], from[1] - f->ab[1], from[2] - f->ab[2]};
        best = rl_lesser(rl_facet_side2(from_b, f->opposite, f->per_bc), best);
    }
    return best;
}

// Squared distance of a point that lies `from` corner a and `off` the plane, cells: the latter
// where its foot is in the triangle, else that to the `sides` which it is beyond: 7 for all. `pb`
// and `pc` are the products of `from` with ab and ac.
static inline double rl_facet_square(const rl_facet *f, const double from[3], double off, double pb,
                                     double pc, int sides)
{
    const double v = f->cc * pb - f->bc * pc, w = f->bb * pc - f->bc * pb;
    if (!(f->all > 0.0))
        return rl_facet_sides2(f, from, -1.0, -1.0, sides);
    if (v >= 0.0 && w >= 0.0 && v + w <= f->all)
        return off * off;
    return rl_facet_sides2(f, from, v, w, sides);
}

static inline double rl_facet_distance2(const rl_facet *f, const double from[3])
{
    return rl_facet_square(f, from, rl_dot(from, f->normal), rl_dot(from, f->ab),
                           rl_dot(from, f->ac), 7);
}

// On which side of the line from `a` to `b`, seen from above, the point (x, y) is: 1 left, -1
// right, never 0. A point on the line is moved aside by less than anything, first along x and then
// along y, the same for all triangles: so every line belongs to one of the two at a side. Two
// triangles at a side pass it in opposite directions and get opposite answers.
static inline int rl_facet_left(const int32_t *a, const int32_t *b, int64_t x, int64_t y)
{
    const int64_t dx = (int64_t)b[0] - a[0], dy = (int64_t)b[1] - a[1];
    const int64_t side = dx * (y - a[1]) - dy * (x - a[0]);
    if (side != 0)
        return side > 0 ? 1 : -1;
    if (dy != 0)
        return dy < 0 ? 1 : -1;
    return dx >= 0 ? 1 : -1;
}

// Whether the vertical line through (x, y) meets the triangle: 1 where it goes up out of the solid,
// -1 where it goes up into it, else 0.
static inline int rl_facet_meets(const int32_t *places, const uint32_t *indices, int64_t x,
                                 int64_t y)
{
    const int32_t *a = places + 3 * (size_t)indices[0], *b = places + 3 * (size_t)indices[1];
    const int32_t *c = places + 3 * (size_t)indices[2];
    const int first = rl_facet_left(a, b, x, y);
    return first == rl_facet_left(b, c, x, y) && first == rl_facet_left(c, a, x, y) ? first : 0;
}

// Where such a line meets it, cells. The normal of a triangle that a line meets is not level.
static inline double rl_facet_height(const rl_facet *f, double x, double y)
{
    const double *n = f->normal;
    return f->a[2] - (n[0] * (x - f->a[0]) + n[1] * (y - f->a[1])) / n[2];
}
