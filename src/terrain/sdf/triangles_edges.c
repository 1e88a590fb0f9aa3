// SPDX-License-Identifier: MIT
// triangles_edges.c - finds which triangles share an edge, and whether they face the same way.
//
// Two triangles that share an edge face the same way when they pass it in opposite directions. The
// winding number needs that: a triangle that faces against its neighbours counts as a hole of twice
// its size. Files with a few such triangles are common, so they are turned.
//
// Edges are gathered at the smaller of their two vertices and sorted there, which puts the
// triangles of an edge side by side. Triangles joined by an edge of exactly two are one part; a
// union-find forest holds the parts, and for each triangle whether it faces as its parent does.
#include "terrain/sdf/triangles.h"

#include <stdlib.h>

typedef struct side {
    uint32_t other;  // the larger vertex of the edge
    uint32_t corner; // index of the corner that the side starts from
} side;

typedef struct forest {
    uint32_t *parent;
    unsigned char *against; // 1: faces against its parent
} forest;

// ---- Parts -----------------------------------------------------------------------------

// Returns the root of a triangle; `against` tells whether the triangle faces against it. Paths are
// halved on the way, so that they stay short.
static uint32_t find_root(const forest *f, uint32_t triangle, unsigned *against)
{
    *against = 0;
    while (f->parent[triangle] != triangle) {
        const uint32_t parent = f->parent[triangle], grandparent = f->parent[parent];
        if (grandparent != parent) {
            f->against[triangle] ^= f->against[parent];
            f->parent[triangle] = grandparent;
        }
        *against ^= f->against[triangle];
        triangle = f->parent[triangle];
    }
    return triangle;
}

// The smaller number becomes the root, so that the parts do not depend on the order of edges.
static void join(const forest *f, uint32_t a, uint32_t b, unsigned opposed)
{
    unsigned a_against, b_against;
    const uint32_t a_root = find_root(f, a, &a_against), b_root = find_root(f, b, &b_against);
    if (a_root == b_root)
        return;
    const uint32_t low = a_root < b_root ? a_root : b_root;
    const uint32_t high = a_root < b_root ? b_root : a_root;
    f->parent[high] = low;
    f->against[high] = (unsigned char)(a_against ^ b_against ^ opposed);
}

// ---- Edges -----------------------------------------------------------------------------

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

// Returns whether a side leads from the smaller vertex to the larger one.
static bool leads_up(const uint32_t *indices, uint32_t corner)
{
    return indices[corner] < indices[next_corner(corner)];
}

static int compare_sides(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return x->corner < y->corner ? -1 : x->corner > y->corner;
}

// Sides of edges from vertex v lie in [starts[v], starts[v + 1]).
static void gather(const uint32_t *indices, size_t corner_count, size_t vertex_count,
                   uint32_t *starts, side *sides)
{
    for (uint32_t c = 0; c < corner_count; c++) {
        const uint32_t a = indices[c], b = indices[next_corner(c)];
        starts[(a < b ? a : b) + 1]++;
    }
    for (size_t v = 0; v < vertex_count; v++)
        starts[v + 1] += starts[v];
    for (uint32_t c = (uint32_t)corner_count; c-- > 0;) {
        const uint32_t a = indices[c], b = indices[next_corner(c)];
        sides[--starts[(a < b ? a : b) + 1]] = (side){a < b ? b : a, c};
    }
    // Filling from the back has left in starts[v + 1] where v begins.
    for (size_t v = 0; v < vertex_count; v++)
        starts[v] = starts[v + 1];
    starts[vertex_count] = (uint32_t)corner_count;
    for (size_t v = 0; v < vertex_count; v++)
        if (starts[v + 1] - starts[v] > 1)
            qsort(sides + starts[v], starts[v + 1] - starts[v], sizeof *sides, compare_sides);
}

// Returns the end of the stretch of sides of one edge that begins at `s`.
static uint32_t end_of_edge(const side *sides, uint32_t s, uint32_t end)
{
    RL_ASSERT(s < end);
    uint32_t e = s + 1;
    while (e < end && sides[e].other == sides[s].other)
        e++;
    return e;
}

static void join_neighbours(const forest *f, const uint32_t *indices, size_t vertex_count,
                            const uint32_t *starts, const side *sides, rl_triangle_edges *count)
{
    for (size_t v = 0; v < vertex_count; v++)
        for (uint32_t s = starts[v], e; s < starts[v + 1]; s = e) {
            e = end_of_edge(sides, s, starts[v + 1]);
            count->edges++;
            count->open += e - s == 1;
            if (e - s == 2) {
                const uint32_t a = sides[s].corner, b = sides[s + 1].corner;
                join(f, a / 3, b / 3, leads_up(indices, a) == leads_up(indices, b));
            }
        }
}

static void count_unbalanced(const uint32_t *indices, size_t vertex_count, const uint32_t *starts,
                             const side *sides, rl_triangle_edges *count)
{
    for (size_t v = 0; v < vertex_count; v++)
        for (uint32_t s = starts[v], e; s < starts[v + 1]; s = e) {
            e = end_of_edge(sides, s, starts[v + 1]);
            int64_t balance = 0;
            for (uint32_t k = s; k < e; k++) {
                const uint32_t first = sides[k].corner / 3 * 3;
                // A turned triangle has its sides in another order, so its vertices are compared.
                for (uint32_t c = first; c < first + 3; c++) {
                    balance += indices[c] == v && indices[next_corner(c)] == sides[k].other;
                    balance -= indices[c] == sides[k].other && indices[next_corner(c)] == v;
                }
            }
            count->unbalanced += balance != 0;
        }
}

// ---- Turning ---------------------------------------------------------------------------

// In each part the ways of facing are two; the one with less area gives in.
static void turn(const forest *f, const float *vertices, uint32_t *indices, size_t triangle_count,
                 uint32_t *parts, double *favour)
{
    for (uint32_t t = 0; t < triangle_count; t++) {
        unsigned against;
        double n[3];
        parts[t] = find_root(f, t, &against);
        rl_triangle_normal(vertices + 3 * (size_t)indices[3 * (size_t)t],
                           vertices + 3 * (size_t)indices[3 * (size_t)t + 1],
                           vertices + 3 * (size_t)indices[3 * (size_t)t + 2], n);
        favour[parts[t]] += against ? -sqrt(rl_dot(n, n)) : sqrt(rl_dot(n, n));
    }
    for (uint32_t t = 0; t < triangle_count; t++) {
        unsigned against;
        const uint32_t root = find_root(f, t, &against);
        if ((favour[root] < 0.0) != (against == 1))
            rl_triangle_turn(indices + 3 * (size_t)t);
    }
}

rill_status rl_triangles_orient(rl_owned *scratch, const float *vertices, size_t vertex_count,
                                uint32_t *indices, size_t triangle_count, uint32_t *parts,
                                rl_triangle_edges *out)
{
    uint32_t *starts = rl_owned_take(scratch, vertex_count + 1, sizeof *starts);
    side *sides = rl_owned_take(scratch, 3 * triangle_count, sizeof *sides);
    double *favour = rl_owned_take(scratch, triangle_count, sizeof *favour);
    const forest f = {rl_owned_take(scratch, triangle_count, sizeof *f.parent),
                      rl_owned_take(scratch, triangle_count, sizeof *f.against)};
    *out = (rl_triangle_edges){0};
    if (scratch->failed)
        return rill_fail(RILL_NO_MEMORY, "no memory for the edges of %zu triangles",
                         triangle_count);
    for (uint32_t t = 0; t < triangle_count; t++)
        f.parent[t] = t;
    gather(indices, 3 * triangle_count, vertex_count, starts, sides);
    join_neighbours(&f, indices, vertex_count, starts, sides, out);
    turn(&f, vertices, indices, triangle_count, parts, favour);
    count_unbalanced(indices, vertex_count, starts, sides, out);
    return RILL_OK;
}
