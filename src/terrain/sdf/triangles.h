// SPDX-License-Identifier: MIT
// triangles.h - a triangle mesh that bounds a solid: distance to it, and inside or outside by its
// winding number, which small holes hardly change. The public functions of rill/solid.h stand on
// this; files are read in scene/formats (mesh_read.h). Below is what the triangles*.c files share:
// a tree of boxes around triangles and its queries (triangles_tree.c), and which
// triangles are neighbours (triangles_edges.c).
#pragma once

#include "core/assert.h"
#include "core/numbers.h"
#include "core/owned.h"

#include "rill/solid.h"
#include "rill/support.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rill_triangles {
    rl_owned own;
    atomic_int holders; // its maker, and worlds and snapshots that need it
    float *vertices;    // three a vertex, metres
    size_t vertex_count;
    uint32_t *indices; // three a triangle, counter-clockwise seen from outside
    size_t index_count;
    uint32_t *given; // of each vertex as it was given: its number here, or RL_NO_TRIANGLE
    size_t given_count;
    int64_t edge_count;
    rill_triangles_info info;
    bool closed; // every edge is passed as often one way as the other: whole winding numbers
    struct rl_triangle_tree *tree; // for fast queries; NULL for one that is closed and was bent
};

#define RL_NO_TRIANGLE UINT32_MAX // nor a vertex

// rill_triangles_create checks indices and numbers; welds equal vertices (STL has three for every
// triangle), drops triangles without area, turns triangles that face against their neighbours,
// turns parts that are inside out, builds the tree. An empty mesh, one without volume and one that
// is more open than closed are RILL_BAD_DEF with a message.

// Returns the signed distance in the mesh's own coordinates, metres, negative inside; its magnitude
// is cut off at `band` metres. Inside of parts that overlap, surfaces that are buried count too.
double rl_triangles_distance(const rill_triangles *triangles, const double point[3], double band);

// Adds a holder; returns its argument. Worlds on several threads may share a mesh, and the last
// holder that calls rill_triangles_destroy destroys it.
const rill_triangles *rl_triangles_retain(const rill_triangles *triangles);

// ---- Other places (triangles_reshape.c) ------------------------------------------------

// Makes triangles like `like` whose vertices have moved: three floats each, in the order that they
// were given in to rill_triangles_create. The memory of `spare`, which may be NULL and is taken
// over, is used again where it has no other holder. RILL_BAD_ARGUMENT for another number of
// vertices, for places that are no numbers, and for a shape that encloses nothing.
rill_status rl_triangles_reshape(const rill_triangles *like, rill_triangles *spare,
                                 const float *vertices, size_t count, rill_triangles **out);

// Returns such a spare, of the same shape; NULL when there is no memory.
rill_triangles *rl_triangles_twin(const rill_triangles *like);

// Measures the box and the volume.
void rl_triangles_measure(rill_triangles *triangles);

// RILL_BAD_DEF for triangles that are more open than closed. They have a tree.
rill_status rl_triangles_check_open(const rill_triangles *triangles);

// ---- Vectors ---------------------------------------------------------------------------

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

#define RL_TREE_LEAF  4  // triangles in a leaf, at most
#define RL_TREE_DEPTH 96 // of the deepest leaf, at most

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

// Builds the tree of a mesh of at least one triangle, all with an area, in the place of the one
// that it has.
rill_status rl_triangle_tree_create(rill_triangles *mesh);
void rl_triangle_tree_destroy(const rill_allocator *allocator, rl_triangle_tree **tree);

// Returns the distance to the nearest triangle, or `most` when that is smaller.
double rl_triangle_tree_nearest(const rl_triangle_tree *tree, const double point[3], double most);

// Returns how often the surface goes around a point: 1 inside and 0 outside of a closed one,
// something between near holes.
double rl_triangle_tree_winding(const rl_triangle_tree *tree, const double point[3]);

// ---- Neighbours ------------------------------------------------------------------------

// Turns a triangle, given by its three indices, to face the other way.
static inline void rl_triangle_turn(uint32_t indices[3])
{
    const uint32_t aside = indices[1];
    indices[1] = indices[2];
    indices[2] = aside;
}

typedef struct rl_triangle_edges {
    int64_t edges;
    int64_t open;       // edges of one triangle alone
    int64_t unbalanced; // edges that are not passed as often one way as the other
} rl_triangle_edges;

// Turns triangles so that neighbours face the same way, as few as will do by area in each part of
// the surface, and counts edges. `parts` gets for each triangle the number of one that stands for
// all that are connected with it. Memory comes from `scratch`.
rill_status rl_triangles_orient(rl_owned *scratch, const float *vertices, size_t vertex_count,
                                uint32_t *indices, size_t triangle_count, uint32_t *parts,
                                rl_triangle_edges *out);
