// SPDX-License-Identifier: MIT
// river_grid.h - the squares of a grid of the pyramid that hold water, and what the pressure keeps
// in them. Arrays are packed, square after square; the square after the last one is empty (all
// zero) and stands beside those that have no neighbour.
#pragma once

#include "solvers/river/river_rows.h"

#include "rill/world.h"

// Squares that one index of a job works on: fixed, so that threads cannot show.
#define RL_RIVER_TILE 16

#define RL_RIVER_PACKED 15 // packed arrays of a level

// What a square is to be laid for. Most keep what they have when the detail changes.
enum {
    RL_RIVER_TOUCHED = 1, // the detail in or beside it has changed
    RL_RIVER_MIXED = 2,   // it is not the same everywhere in and beside it
    RL_RIVER_HAS_UNITS = 4,
    RL_RIVER_HAS_WORK = 8,
};

typedef struct rl_river_equations {
    float *x, *y, *diagonal, *inverse;
} rl_river_equations;

// Some of the squares, in rising order.
typedef struct rl_river_list {
    int *squares;
    int count;
} rl_river_list;

typedef struct rl_river_squares {
    int across, up; // squares of the grid, those of faces at its far borders included
    int *index;     // across * up: number of the square, or -1
    int count, capacity;
    int *place;                     // column + across * row
    int (*beside)[RILL_SIDE_COUNT]; // `capacity` is the empty square
    rl_river_list work;             // with cells or faces that the solver works on
    rl_river_list units; // with cells that have an equation in the multigrid of this level
    int *marks;          // RL_RIVER_ bits per square

    // Packed arrays. Level 0 has one set of equations and one of right-hand sides: there the last
    // five are others of them.
    union {
        struct {
            rl_river_equations multigrid; // of the cells that the solver works on, and of those
                                          // that stand for smaller ones
            float *x, *d, *q, *r;         // conjugate gradients, cells that the solver works on
            float *z, *z_next;            // multigrid
            rl_river_equations equations; // of the cells that the solver works on
            float *b;                     // multigrid; at level 0 it is `r`
        };
        float *packed[RL_RIVER_PACKED];
    };
    float *memory;
    size_t bytes;
} rl_river_squares;
_Static_assert(offsetof(rl_river_squares, b) ==
                   offsetof(rl_river_squares, packed[RL_RIVER_PACKED - 1]),
               "the arrays by name and by number are the same");

// A face where the river crosses the border of the grid.
typedef struct rl_river_gate {
    int level, axis;
    int face_i, face_j, inner_i, inner_j; // it, and the next one inside
    int at;                               // its cell, in packed arrays
    float sign;                           // +1 when positive velocity leaves
} rl_river_gate;

// A face of the ring around the cells that the solver works on, filled from another level.
typedef struct rl_river_ring_face {
    unsigned char level, axis, from_finer;
    int i, j;
} rl_river_ring_face;

// What the tiles of a pass find, in double and in their order, so that threads cannot show.
typedef struct rl_river_found {
    double sum;
    float worst, fastest;
} rl_river_found;

static inline float *rl_river_packed(float *array, int square)
{
    return array + (size_t)square * RL_RIVER_AREA;
}

static inline rl_river_patch rl_river_patch_of(const rl_river_squares *s, const float *array,
                                               int square)
{
    const int *beside = s->beside[square];
    return (rl_river_patch){
        .here = array + (size_t)square * RL_RIVER_AREA,
        .west = array + (size_t)beside[RILL_SIDE_WEST] * RL_RIVER_AREA,
        .east = array + (size_t)beside[RILL_SIDE_EAST] * RL_RIVER_AREA,
        .south = array + (size_t)beside[RILL_SIDE_SOUTH] * RL_RIVER_AREA,
        .north = array + (size_t)beside[RILL_SIDE_NORTH] * RL_RIVER_AREA,
    };
}

static inline rl_river_stencil rl_river_stencil_of(const rl_river_squares *s,
                                                   const rl_river_equations *e, int square)
{
    const int *beside = s->beside[square];
    return (rl_river_stencil){
        .x = rl_river_packed(e->x, square),
        .x_east = rl_river_packed(e->x, beside[RILL_SIDE_EAST]),
        .y = rl_river_packed(e->y, square),
        .y_north = rl_river_packed(e->y, beside[RILL_SIDE_NORTH]),
        .diagonal = rl_river_packed(e->diagonal, square),
        .inverse = rl_river_packed(e->inverse, square),
    };
}

// Place of cell (i, j) in packed arrays, or -1 when its square holds no water.
static inline int rl_river_packed_at(const rl_river_squares *s, int i, int j)
{
    const int square = s->index[j / RL_SQUARE * s->across + i / RL_SQUARE];
    return square < 0 ? -1 : square * RL_RIVER_AREA + j % RL_SQUARE * RL_SQUARE + i % RL_SQUARE;
}

// The first cell of a square.
static inline void rl_river_corner(const rl_river_squares *s, int square, int *i0, int *j0)
{
    *i0 = s->place[square] % s->across * RL_SQUARE;
    *j0 = s->place[square] / s->across * RL_SQUARE;
}
