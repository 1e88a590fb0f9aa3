// SPDX-License-Identifier: MIT
// solid_surface_brick.h - marching cubes over one brick: 16 x 16 cubes from the bottom of a solid
// to its top. Cube (i, j) lies between nodes i - 1, j - 1 and i, j, so that cubes 0 and nx hold the
// borders of the world.
#pragma once

#include "terrain/sdf/solid_internal.h"

#include <stdbool.h>

// ---- Cases -----------------------------------------------------------------------------
//
// Corner c of a cube lies at (c & 1, c >> 1 & 1, c >> 2). Edge e = 4 axis + n goes along `axis`
// from the n-th of the corners that have a 0 there.
#define RL_CUBE_EDGES 12
#define RL_CUBE_CASES 256

// The triangles of a cube for one of the 256 ways in which its eight nodes can be solid or air:
// three edges each, counter-clockwise seen from the air. A loop of n edges makes n - 2 triangles,
// so there are never more than ten.
typedef struct rl_cube_case {
    uint8_t count;
    uint8_t edges[30];
} rl_cube_case;

// Returns the corner at which an edge begins; it ends at that corner plus 1 << axis.
static inline int rl_cube_edge_corner(int edge)
{
    const int axis = edge / 4, n = edge % 4, below = (1 << axis) - 1;
    return (n & below) | (n & ~below) << 1;
}

// Fills in all cases (solid_surface.c). Bit c of the index of a case is set when corner c is solid.
void rl_cube_cases_build(rl_cube_case cases[RL_CUBE_CASES]);

// ---- Bricks ----------------------------------------------------------------------------

#define RL_BRICK 16

// Cells around a cube that its vertices depend on: openness reaches four cells, slopes half a cell,
// both between nodes.
#define RL_BRICK_SIGHT 6

// Triangles: vertices, and three indices each. Their memory grows and is used again.
typedef struct rl_brick_mesh {
    rill_ground_vertex *vertices;
    uint32_t *indices;
    size_t vertex_count, index_count, vertex_capacity, index_capacity;
} rl_brick_mesh;

// Makes place for so many of both and an eighth more, so that a surface that grows slowly seldom
// asks. Returns false when there is no memory; what the mesh holds stays.
bool rl_brick_mesh_reserve(const rill_allocator *allocator, rl_brick_mesh *mesh, size_t vertices,
                           size_t indices);
size_t rl_brick_mesh_memory(const rl_brick_mesh *mesh);
void rl_brick_mesh_free(const rill_allocator *allocator, rl_brick_mesh *mesh);

// Makes bricks, one after the other.
typedef struct rl_brick_maker {
    int nz;
    rl_cube_case cases[RL_CUBE_CASES];

    const float *columns[(RL_BRICK + 1) * (RL_BRICK + 1)]; // nodes of the brick
    float *border;  // node columns on the border of the world, between the last two real ones
    uint8_t *solid; // 1 for solid nodes; one more layer below and one above the grid
    uint8_t *quads; // four nodes that make the side of a cube, a bit each, for one pile of cubes
    // Per node and axis: the vertex on the edge that begins there, plus `stamp`. Smaller numbers
    // are those of bricks made before and mean none.
    uint32_t *edges;
    uint32_t stamp;
    size_t edge_count;

    rl_brick_mesh mesh; // of the brick that was made last
} rl_brick_maker;

// Takes memory for solids with nz nodes in z, which belongs to `own`.
rill_status rl_brick_maker_create(rl_brick_maker *maker, rl_owned *own, int nz);

// Makes the triangles of the brick whose first cube is (i0, j0).
rill_status rl_brick_make(rl_brick_maker *maker, const rill_allocator *allocator,
                          const rl_solid *solid, int i0, int j0);
