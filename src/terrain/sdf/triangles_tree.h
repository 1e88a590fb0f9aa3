// SPDX-License-Identifier: MIT
// triangles_tree.h - the inside of triangles.h: a tree of boxes around triangles
// (triangles_tree.c), its queries (triangles_find.c), and which triangles are neighbours
// (triangles_edges.c).
#pragma once

#include "rill/support.h"

#include <stdbool.h>
#include <stdint.h>

// ---- Vectors ---------------------------------------------------------------------------

static inline double rl_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void rl_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Computes to - from for a corner given as floats.
static inline void rl_from(const double from[3], const float to[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)to[k] - from[k];
}

// Normal of a triangle; its length is twice the area. Products of floats are exact in double, so
// the normal of a sliver is sound and that of a triangle without area is zero.
static inline void rl_triangle_normal(const float a[3], const float b[3], const float c[3],
                                      double out[3])
{
    const double corner[3] = {(double)a[0], (double)a[1], (double)a[2]};
    double ab[3], ac[3];
    rl_from(corner, b, ab);
    rl_from(corner, c, ac);
    rl_cross(ab, ac, out);
}

// ---- The tree --------------------------------------------------------------------------

#define RL_TREE_LEAF   4  // triangles in a leaf, at most
#define RL_TREE_DEPTH  96 // of the deepest leaf, at most
#define RL_NO_TRIANGLE UINT32_MAX

typedef struct rl_tree_node {
    float low[3], high[3];
    uint32_t count; // triangles of a leaf, 0 for an inner node
    uint32_t first; // leaf: first triangle; inner: the second child (the first one follows)
} rl_tree_node;

// Seen from afar all triangles of a node are one: the sum of their areas times normals, at the mean
// of their centres weighted by area. `reach` is the distance to the farthest corner from there.
typedef struct rl_tree_far {
    float centre[3], normal[3], reach, spare;
} rl_tree_far;

typedef struct rl_triangle_tree {
    rl_tree_node *nodes; // a parent before its children
    rl_tree_far *far;    // of each node
    size_t node_count, node_bytes, far_bytes;
    float *corners; // nine a triangle, in the order of the leaves
    size_t triangle_count, corner_bytes;
} rl_triangle_tree;

// Builds the tree of at least one triangle, all with an area.
rill_status rl_triangle_tree_create(const rill_allocator *allocator, const float *vertices,
                                    const uint32_t *indices, size_t triangle_count,
                                    rl_triangle_tree **out);
void rl_triangle_tree_destroy(const rill_allocator *allocator, rl_triangle_tree **tree);

// Returns the distance to the nearest triangle, or `cut` when that is smaller. `hint` is a triangle
// to try first, or RL_NO_TRIANGLE; the nearest one replaces it. The hint changes the time and not
// the result.
double rl_triangle_tree_nearest(const rl_triangle_tree *tree, const double point[3], double cut,
                                uint32_t *hint);

// Returns how often the surface goes around a point: 1 inside and 0 outside of a closed one,
// something between near holes.
double rl_triangle_tree_winding(const rl_triangle_tree *tree, const double point[3]);

// ---- Neighbours ------------------------------------------------------------------------

typedef struct rl_triangle_edges {
    int64_t edges;
    int64_t open;       // edges of one triangle alone
    int64_t unbalanced; // edges that are not passed as often one way as the other
} rl_triangle_edges;

// Turns triangles so that neighbours face the same way, as few as will do by area in each part of
// the surface, and counts edges. `parts` gets for each triangle the number of one that stands for
// all that are connected with it.
rill_status rl_triangles_orient(const rill_allocator *allocator, const float *vertices,
                                size_t vertex_count, uint32_t *indices, size_t triangle_count,
                                uint32_t *parts, rl_triangle_edges *out);
