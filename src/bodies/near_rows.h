// SPDX-License-Identifier: MIT
// near_rows.h - the loops over the cells near a body, compiled once per instruction set. Rows are
// worked on in whole vectors: fields have room beside their rows (core/field.h), and so have the
// arrays here. What is found for cells past the last one is nobody's.
#pragma once

#include "core/cpu.h"
#include "core/memory.h"

// ---- Levels of a small group of boxes (head_small.c) ------------------------------------------

#define RL_NEAR_SIDE  32 // cells
#define RL_NEAR_PITCH 48

// What is known of a cell: it has no level of its own; it has; it is none of the group's; its level
// is that of dry ground.
#define RL_NEAR_UNKNOWN 1.0f
#define RL_NEAR_WET     0.0f
#define RL_NEAR_OUTSIDE (-1.0f)
#define RL_NEAR_DRY     (-2.0f)

// What a row of cells is made from; [from, end) are the group's. A cell over which nothing hangs
// has room for all water.
typedef struct rl_near_row {
    float from, end;
    const float *bed, *depth;
    const float *floor, *lower, *upper; // NULL where nothing is blocked
    float wet, touching;                // metres
} rl_near_row;

// Cells [from, end) of a row or a column are unknown.
typedef struct rl_near_run {
    float from, end;
    float before, slope; // the level before it, and the change from cell to cell across it
} rl_near_run;

typedef struct rl_near_levels {
    _Alignas(RL_ALIGNMENT) float level[RL_NEAR_SIDE][RL_NEAR_PITCH];
    float other[RL_NEAR_SIDE][RL_NEAR_PITCH]; // the same; sweeps go from one to the other
    float kind[RL_NEAR_SIDE][RL_NEAR_PITCH];
    // Of columns: levels of wet cells, and the least kind.
    float highest[RL_NEAR_PITCH], lowest[RL_NEAR_PITCH], least[RL_NEAR_PITCH];
    float place[RL_NEAR_PITCH]; // 0, 1, 2 ...
    // Runs of columns, and of rows [first_row, end_row): no other has one.
    float from[RL_NEAR_PITCH], end[RL_NEAR_PITCH], before[RL_NEAR_PITCH], slope[RL_NEAR_PITCH];
    rl_near_run run[RL_NEAR_SIDE];
    int width, rows, first_row, end_row;
} rl_near_levels;

// ---- Tiles (front_tile.c) --------------------------------------------------------------------

#define RL_NEAR_VALUES 8   // of a cell: RL_FRONT_VALUES
#define RL_NEAR_CELLS  304 // of a row, and room for a vector

typedef struct rl_near_tile_row {
    int count;
    const float *depth, *ground, *velocity_x, *velocity_y;
    const float *floor, *lower, *head; // NULL where nothing is blocked
    float wet_depth, reference;
    float (*cells)[RL_NEAR_VALUES]; // with room for three more
    float *highest;                 // of columns, with room for a vector more
} rl_near_tile_row;

typedef struct rl_near_rows {
    const char *isa;
    // Looks at row j; returns 1 if some cell is unknown.
    int (*look)(const rl_near_row *row, int j, rl_near_levels *levels);
    // Dry ground counts as no higher than the highest water.
    void (*lower_dry)(rl_near_levels *levels, float highest);
    // Gives unknown cells a level between the ends of their runs.
    void (*fill)(rl_near_levels *levels);
    // Sweeps over them, there and back.
    void (*sweep)(rl_near_levels *levels);
    void (*tile)(const rl_near_tile_row *row);
} rl_near_rows;

extern const rl_near_rows rl_near_rows_c, rl_near_rows_avx2, rl_near_rows_avx512;
