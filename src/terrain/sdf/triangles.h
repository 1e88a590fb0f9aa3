// SPDX-License-Identifier: MIT
// triangles.h - a triangle mesh that bounds a solid: distance to it, and inside or outside by its
// winding number, which small holes hardly change. The public functions of rill/solid.h stand on
// this; files are read in scene/formats (mesh_read.h).
#pragma once

#include "rill/solid.h"
#include "rill/support.h"

#include <stdatomic.h>
#include <stdbool.h>

struct rill_triangles {
    rill_allocator allocator;
    atomic_int holders; // its maker, and worlds and snapshots that need it
    float *vertices;    // three a vertex, metres
    size_t vertex_count, vertex_bytes;
    uint32_t *indices; // three a triangle, counter-clockwise seen from outside
    size_t index_count, index_bytes;
    rill_triangles_info info;
    bool closed; // every edge is passed as often one way as the other: whole winding numbers
    struct rl_triangle_tree *tree; // for fast queries (triangles_tree.h)
};

// Creates a mesh from copies. Checks indices and numbers; welds equal vertices (STL has three for
// every triangle), drops triangles without area, turns triangles that face against their
// neighbours, turns parts that are inside out, builds the tree. An empty mesh, one without volume
// and one that is more open than closed are RILL_BAD_DEF with a message.
rill_status rl_triangles_create(const rill_allocator *allocator, const float *vertices,
                                size_t vertex_count, const uint32_t *indices, size_t index_count,
                                rill_triangles **out);

// Returns the signed distance in the mesh's own coordinates, metres, negative inside; its magnitude
// is cut off at `band` metres. Inside of parts that overlap, surfaces that are buried count too.
double rl_triangles_distance(const rill_triangles *triangles, const double point[3], double band);

// Computes the same at `count` points start, start + step, start + 2 step, ...; more than twice as
// fast, because the result at a point bounds that at the next one.
void rl_triangles_distances(const rill_triangles *triangles, const double start[3],
                            const double step[3], int count, double band, double *out);

// Adds a holder; returns its argument. Worlds on several threads may share a mesh.
const rill_triangles *rl_triangles_retain(const rill_triangles *triangles);

// Releases the mesh and nulls; the last holder destroys it. NULL and a null pointer are fine.
void rl_triangles_destroy(rill_triangles **triangles);
