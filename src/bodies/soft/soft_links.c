// SPDX-License-Identifier: MIT
// soft_links.c - which vertices of a soft body hold each other. Every edge of a triangle is a link
// that resists stretching, and with the diagonals of its squares a cloth resists shearing too. The
// far corners of two triangles at one edge make a link that resists bending: by their distance in a
// curved surface; a sheet wants to be flat, of which their distance would tell nothing, as it does
// not change at first when it bends.
//
// Each corner of a triangle faces one edge. Sorted by edge, k corners at the same edge make one
// link along it and k - 1 across: three links a triangle in all, whatever the mesh, in the places
// where the corners were.
#include "bodies/soft/soft_internal.h"

#include "bodies/shape/body_shape.h"

#include <stdlib.h>

static int compare_links(const void *one, const void *two)
{
    const rl_soft_link *p = one, *q = two;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->kind > q->kind) - (p->kind < q->kind);
}

static double distance(const float *rest, uint32_t a, uint32_t b)
{
    double square = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double d = (double)rest[3 * (size_t)a + k] - (double)rest[3 * (size_t)b + k];
        square += d * d;
    }
    return sqrt(square);
}

// The link between the far corners c and d of two triangles of a sheet at the edge ab.
static rl_soft_link across_cloth(const float *rest, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    double along = 0.0, square = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double from = (double)rest[3 * (size_t)a + k];
        const double edge = (double)rest[3 * (size_t)b + k] - from;
        const double middle =
            0.5 * ((double)rest[3 * (size_t)c + k] + (double)rest[3 * (size_t)d + k]);
        along += edge * (middle - from);
        square += edge * edge;
    }
    return (rl_soft_link){c, d, RL_SOFT_FLAT, (float)(along / square)};
}

void rl_soft_find_links(const rl_body *body, const float *rest, const uint32_t *corners,
                        rl_soft_link *links)
{
    const size_t count = 3 * (size_t)body->triangle_count;
    for (size_t n = 0; n < count; n++) {
        const uint32_t *triangle = corners + n / 3 * 3;
        const uint32_t a = triangle[(n + 1) % 3], b = triangle[(n + 2) % 3];
        links[n] = (rl_soft_link){a < b ? a : b, a < b ? b : a, triangle[n % 3], 0.0f};
    }
    qsort(links, count, sizeof *links, compare_links);
    RL_ASSERT(count > 0);
    const bool sheet = rl_shape_is_open(body);
    for (size_t n = 0; n < count;) {
        const uint32_t a = links[n].a, b = links[n].b;
        uint32_t corner = links[n].kind;
        links[n] = (rl_soft_link){a, b, RL_SOFT_STRETCH, (float)distance(rest, a, b)};
        for (n++; n < count && links[n].a == a && links[n].b == b; n++) {
            const uint32_t other = links[n].kind;
            if (sheet)
                links[n] = across_cloth(rest, a, b, corner, other);
            else
                links[n] = (rl_soft_link){corner, other, RL_SOFT_BEND,
                                          (float)distance(rest, corner, other)};
            corner = other;
        }
    }
}
