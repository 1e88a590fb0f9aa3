// SPDX-License-Identifier: MIT
// lattice.h - what the passes of a surface share. A vertex can stand on every point of a lattice:
// the nx * ny cell centres and a rim of points on the border of the domain around them, so that the
// sheet reaches the border and not only the outermost centres. A rim point takes everything but its
// place from the nearest cell.
//
//     columns --level--> level, wet --shore--> near, height, corner --quads--> quad --count--> tile
//     sums --prefix--> offsets --vertices--> vertices, number --triangles--> indices
//
// Each pass reads only what earlier passes wrote, and writes only rows of its own tile (the rim
// belongs to the outermost rows), so tiles may run in any order.
#pragma once

#include "surface/surface.h"

#include <stdbool.h>

#define RL_SURFACE_TILE_ROWS 16

// Part of a cell size by which a level may miss the range of a neighbour and still be linked: a
// flooded column has its level at the ceiling, a dry one its level at the lower end, and both are
// rounded (docs/papers.md, 000.16).
#define RL_SURFACE_LINK_TOLERANCE 1e-3f

// The eight neighbours of a cell, counter-clockwise from the east; bit k of `near` is neighbour k.
enum { RL_EAST = 0, RL_NORTH = 2, RL_WEST = 4, RL_SOUTH = 6 };
extern const signed char rl_surface_step_x[8], rl_surface_step_y[8];

// Bits of `corner`.
enum { RL_CORNER_WET = 1, RL_CORNER_USED = 2 };

// Bits of `quad`. Corners a, b, c, d run counter-clockwise from the lower left one. The first
// triangle is a b c or a b d, the second a c d or b c d.
enum {
    RL_QUAD_A = 1,
    RL_QUAD_B = 2,
    RL_QUAD_C = 4,
    RL_QUAD_D = 8,
    RL_QUAD_FIRST = 16,
    RL_QUAD_SECOND = 32,
    RL_QUAD_DIAGONAL_AC = 64, // else b d
    RL_QUAD_WHOLE = RL_QUAD_A | RL_QUAD_B | RL_QUAD_C | RL_QUAD_D | RL_QUAD_FIRST | RL_QUAD_SECOND,
};

// What one tile adds, and where it starts in the mesh.
typedef struct rl_surface_tile {
    size_t vertices, triangles;
    size_t first_vertex, first_triangle;
} rl_surface_tile;

struct rl_surface {
    rill_allocator allocator;
    int nx, ny;
    float opaque_depth, minimum_thickness;

    // Over the lattice, `pitch` values a row; point (i, j) is value rl_surface_at(s, i, j).
    size_t pitch;
    float *level;     // base + depth of a cell, metres; the rim is not used
    float *height;    // z of the vertex, metres
    uint8_t *wet;     // 1 or 0; the rim stays 0: there is no column
    uint8_t *near;    // which neighbours are wet and linked; the rim is not used
    uint8_t *corner;  // RL_CORNER_
    uint8_t *quad;    // RL_QUAD_ of the quad whose corner a is this point; 0 all around
    uint32_t *number; // place among the vertices, where used

    rill_vertex *vertices;
    uint32_t *indices;
    size_t vertex_count, index_count;

    rl_surface_tile *tiles;
    int tile_count;

    void *pool; // all arrays above
    size_t pool_bytes;

    const rill_columns *columns; // during a build
};

// -1 <= i <= nx, -1 <= j <= ny; the cells are 0 <= i < nx, 0 <= j < ny.
static inline size_t rl_surface_at(const rl_surface *s, int i, int j)
{
    return (size_t)(j + 1) * s->pitch + (size_t)(i + 1);
}

// Lattice rows of a tile: [first, end), out of -1 to ny.
static inline int rl_surface_tile_first(int tile)
{
    return tile * RL_SURFACE_TILE_ROWS - 1;
}

static inline int rl_surface_tile_end(const rl_surface *s, int tile)
{
    const int end = rl_surface_tile_first(tile + 1);
    return end < s->ny + 1 ? end : s->ny + 1;
}

// Whether the surfaces of two neighbouring columns are one sheet: each level lies in the other's
// range (000 section 4.1), ends included. `tolerance` in metres. The level of a dry column is its
// floor.
static inline bool rl_surface_linked(float level_i, float min_i, float max_i, float level_j,
                                     float min_j, float max_j, float tolerance)
{
    return level_i >= min_j - tolerance && level_i <= max_j + tolerance &&
           level_j >= min_i - tolerance && level_j <= max_i + tolerance;
}

// The passes, each for one tile; `context` is the rl_surface.
void rl_surface_level_tile(void *context, int tile);
void rl_surface_shore_tile(void *context, int tile);
void rl_surface_quads_tile(void *context, int tile);
void rl_surface_count_tile(void *context, int tile);
void rl_surface_vertices_tile(void *context, int tile);
void rl_surface_triangles_tile(void *context, int tile);
