// SPDX-License-Identifier: MIT
// advected_rows.h - the row loops of the advected texture coordinates, compiled once per
// instruction set. Rows that are read have a ghost cell at each end, except those of the columns,
// which need no alignment.
#pragma once

#include <stddef.h>

// Three rows: south of this one, this one, north of it.
enum { RL_SOUTH_ROW, RL_THIS_ROW, RL_NORTH_ROW };

// The coordinates of the three sets: s and t of the first, then of the second, then of the third.
#define RL_ADVECTED_FIELDS 6

// Arguments that turn the columns of a row into its flow.
typedef struct rl_advected_take_row {
    int nx;
    const float *velocity_x, *velocity_y, *depth;
    float wet_depth;
    float scale;              // cells per m/s: dt/dx
    float *shift_x, *shift_y; // -scale * velocity, at most one cell, 0 where dry
    float *wet;               // 1 or 0
} rl_advected_take_row;

// Arguments that move all coordinates of a row in place and save their previous values, which the
// next row needs. The pointers lead to the first field; each further field lies `stride` floats
// after the one before. All three rows, and `previous` at its west end, have their ghost cells.
typedef struct rl_advected_move_row {
    int nx;
    float cell_size;
    const float *shift_x[3], *shift_y[3], *wet[3];
    const float *south, *north; // before the move
    float *here, *previous;
    size_t stride;
} rl_advected_move_row;

// Arguments that compute the weights of a row, with the same `stride`.
typedef struct rl_advected_weigh_row {
    int nx;
    float cell_size;
    float stretch; // Omega
    const float *offset[3];
    size_t stride;
    const float *wet;
    float *weight;
} rl_advected_weigh_row;

typedef struct rl_advected_rows {
    // Returns the largest component of a row's velocities.
    float (*fastest)(const float *velocity_x, const float *velocity_y, int nx);
    // Returns 1 when some cell is dry.
    int (*take)(const rl_advected_take_row *row);
    // `move` is for rows that are wet and have wet neighbours all along, `move_shore` for any row.
    void (*move)(const rl_advected_move_row *row);
    void (*move_shore)(const rl_advected_move_row *row);
    void (*weigh)(const rl_advected_weigh_row *row);
} rl_advected_rows;

extern const rl_advected_rows rl_advected_rows_c, rl_advected_rows_avx2, rl_advected_rows_avx512;
