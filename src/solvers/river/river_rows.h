// SPDX-License-Identifier: MIT
// river_rows.h - the loops of the river solver, compiled once per instruction set. They run over
// squares of RL_SQUARE x RL_SQUARE cells that hold water: a vector is a row of a square or a part
// of one, so loads are aligned, and banks need no branches (openings of 0 close faces).
//
// There are two kinds of storage. Velocities and openings lie in dense grids (core/field.h) whose
// rows are read in place. What the pressure works on lies square after square, RL_RIVER_AREA
// floats each, so that the few squares of a river in a wide terrain stay together in the cache.
#pragma once

#include "core/quadtree.h"

#include <stddef.h>
#include <stdint.h>

#define RL_RIVER_AREA (RL_SQUARE * RL_SQUARE)

static inline float rl_larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float rl_smaller(float a, float b)
{
    return a < b ? a : b;
}

// One square of a packed array and the four beside it.
typedef struct rl_river_patch {
    const float *here, *west, *east, *south, *north;
} rl_river_patch;

// The equations of the pressure in a square: weights of the faces west and south of its cells, the
// sums of the weights around them, and the inverse of those, 0 where there is no equation.
typedef struct rl_river_stencil {
    const float *x, *x_east, *y, *y_north, *diagonal, *inverse;
} rl_river_stencil;

// Faces and cells of a square in the dense grids; all pointers at its first cell, all grids of one
// pitch.
typedef struct rl_river_dense {
    int rows; // at most RL_SQUARE: fewer at the northern border
    size_t pitch;
    float *u, *v, *u_next, *v_next, *pressure;
    const float *open_x, *open_y;   // of faces that the solver works on
    const float *known_x, *known_y; // openings that reads may use, whatever the detail
    const float *wet;
    float *u_before, *v_before; // packed: right-hand sides of diffusion
} rl_river_dense;

typedef struct rl_river_measure {
    _Alignas(RILL_ALIGNMENT) float speed[RL_SQUARE]; // sums of wet times speed per column
    float worst;                                     // largest |inflow|
    float fastest;                                   // largest component of velocity
} rl_river_measure;

// What drives the flow (river_impulse.c).
typedef struct rl_river_drive {
    float gain;             // of the targets
    float rate;             // part of what is missing that an impulse gives
    float least;            // smallest part of an impulse, where the water hardly moves
    float vary;             // random part of a target
    float vary_columns;     // z times the random part of the pressure of the columns
    float scale;            // change of all velocities, in parts of themselves
    float slowest, fastest; // m/s
    float speed_up;         // growth of cells that are slower, in parts of themselves
    float slow_down;        // part of what others are too fast that they lose
    float cosine;           // of half the angle around straight back
    float turn;             // part of the way that a reversed cell is turned
} rl_river_drive;

// Cells [first, end) of a row, and the faces west and south of them.
typedef struct rl_river_drive_row {
    int first, end;
    uint32_t noise; // of this row and draw
    float *u, *v;
    const float *v_north, *hint_x, *hint_y, *target, *open_x, *open_y;
    float *change_x, *change_y;  // at the centres
    const float *change_y_south; // of the row before; its own in the first one
} rl_river_drive_row;

typedef struct rl_river_rows {
    const char *isa;

    // ---- Pressure, packed. Sums are per column of the square, rows in rising order.
    void (*apply)(const rl_river_stencil *a, const rl_river_patch *d, float *q, float *sums);
    // x += alpha d, r -= alpha q, z = omega r / diagonal. Returns the largest |r|.
    float (*advance)(float *x, const float *d, float *r, const float *q, const float *inverse,
                     float *z, float alpha, float omega);
    void (*dot)(const float *a, const float *b, float *sums);
    void (*relax)(const float *b, const float *inverse, float *z, float omega);
    // out = z + omega (b - A z) / diagonal; sums of b out.
    void (*smooth)(const rl_river_stencil *a, const rl_river_patch *z, const float *b, float *out,
                   float omega, float *sums);
    void (*residual)(const rl_river_stencil *a, const rl_river_patch *z, const float *b,
                     float *out);
    // d = z + beta d, where there is an equation.
    void (*follow)(const float *z, const float *inverse, float *d, float beta);
    // Sums of four into a quarter of a square of the next level (`add`: to what stands there), and
    // the values of a quarter added to four each.
    void (*restrict_to)(const float *fine, float *coarse, int add);
    void (*prolong)(const float *coarse, float *fine);

    // ---- Velocities, dense.
    void (*advect)(const rl_river_dense *f, float step_x, float slip);
    void (*diffuse)(const rl_river_dense *f, float k, float held, int first);
    // b = what flows in through the faces of each cell, times `size`.
    void (*inflow)(const rl_river_dense *c, float *b, float size, rl_river_measure *measure);
    // u -= step times the difference of p over faces that have a weight.
    void (*push)(const rl_river_stencil *a, const rl_river_patch *p, const rl_river_dense *f,
                 float step);
    void (*scale)(const rl_river_dense *f, float factor);

    // ---- Impulses, dense.
    // From velocities to changes at the centres, and from those to velocities of all faces but the
    // one at the western border.
    void (*drive_cells)(const rl_river_drive_row *row, const rl_river_drive *d);
    void (*drive_faces)(const rl_river_drive_row *row);
} rl_river_rows;

extern const rl_river_rows rl_river_rows_c, rl_river_rows_avx2, rl_river_rows_avx512;
