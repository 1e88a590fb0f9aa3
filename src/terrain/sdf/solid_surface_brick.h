// SPDX-License-Identifier: MIT
// solid_surface_brick.h - marching cubes over one brick: 16 x 16 cubes from the bottom of a solid
// to its top. Cube (i, j) lies between nodes i - 1, j - 1 and i, j, so that cubes 0 and nx hold the
// borders of the world.
#pragma once

#include "terrain/sdf/solid_internal.h"
#include "terrain/sdf/solid_surface_cases.h"

#define RL_BRICK 16

// A vertex depends on nodes up to so far from its cube: openness looks four cells far, slopes half
// a cell, both between nodes.
#define RL_BRICK_SIGHT 6

// Triangles of a brick that is being made; memory grows and is used again for the next one.
typedef struct rl_brick_maker {
    rill_allocator allocator;
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
    size_t border_bytes, solid_bytes, quads_bytes, edges_bytes;

    rill_ground_vertex *vertices;
    uint32_t *indices;
    size_t vertex_count, index_count, vertex_capacity, index_capacity;
} rl_brick_maker;

// Memory for solids with nz nodes in z. On failure nothing is kept.
rill_status rl_brick_maker_create(rl_brick_maker *maker, const rill_allocator *allocator, int nz);
void rl_brick_maker_destroy(rl_brick_maker *maker);
size_t rl_brick_maker_memory(const rl_brick_maker *maker);

// Makes the triangles of the brick whose first cube is (i0, j0).
rill_status rl_brick_make(rl_brick_maker *maker, const rl_solid *solid, int i0, int j0);
