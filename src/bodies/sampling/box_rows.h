// SPDX-License-Identifier: MIT
// box_rows.h - the loops over the cells near a body, compiled once per instruction set. Rows are
// worked on in whole vectors: fields have room beside their rows (core/field.h), and so have the
// arrays here. What is found for cells past the last one is nobody's.
#pragma once

#include "core/cpu.h"
#include "core/memory.h"

#include <stdint.h>

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
    int from, end;
    const float *bed, *depth;
    const float *floor, *lower, *upper; // NULL where nothing is blocked
} rl_near_row;

// What is seen in all of them.
typedef struct rl_near_seen {
    float highest, lowest; // of wet cells
    int some_dry;
} rl_near_seen;

// Cells [from, end) of a row are unknown.
typedef struct rl_near_run {
    float from, end;
    float before, slope; // the level before it, and the change from cell to cell across it
} rl_near_run;

typedef struct rl_near_levels {
    _Alignas(RL_ALIGNMENT) float level[RL_NEAR_SIDE][RL_NEAR_PITCH];
    float other[RL_NEAR_SIDE][RL_NEAR_PITCH]; // sweeps go from one to the other
    float kind[RL_NEAR_SIDE][RL_NEAR_PITCH];
    uint32_t unknown[RL_NEAR_SIDE]; // bits of the unknown cells of a row
    // Rows [first_row, end_row) have some, each in one run; and each column has them in one.
    rl_near_run run[RL_NEAR_SIDE];
    int width, rows, first_row, end_row;
    float wet, touching; // metres: what is deeper has a level; a body that is closer presses it
} rl_near_levels;

// ---- Tiles (pressure_grid.c) --------------------------------------------------------------------

#define RL_NEAR_VALUES 8 // of a cell: RL_FRONT_VALUES

// A box of `width` x `rows` cells. All arrays begin with its first cell; rows lie a pitch apart,
// those of heads and cells follow each other without gaps.
typedef struct rl_near_tile {
    int width, rows;
    const float *depth, *ground;
    size_t depth_pitch, ground_pitch;
    const float *velocity_x, *velocity_y;
    size_t velocity_pitch;
    const float *floor, *lower;   // not read where nothing is blocked
    size_t block_pitch;           // of both
    const unsigned char *blocked; // of rows: something is
    const float *head;
    float wet_depth, reference;
    // Whole vectors of them are written, from east to west and in each column of them from south
    // to north: what comes behind a row is written over.
    float (*cells)[RL_NEAR_VALUES];
} rl_near_tile;

typedef struct rl_near_rows {
    const char *isa;
    // Looks at all rows.
    rl_near_seen (*look)(const rl_near_row *rows, rl_near_levels *levels);
    // Dry ground counts as no higher than the highest water.
    void (*lower_dry)(rl_near_levels *levels, float highest);
    // Gives unknown cells a level between the ends of their runs.
    void (*fill)(rl_near_levels *levels);
    // Sweeps over them, there and back.
    void (*sweep)(rl_near_levels *levels);
    // Lays out a tile; returns the highest level in it, -1e30 if there is none.
    float (*tile)(const rl_near_tile *tile);
} rl_near_rows;

extern const rl_near_rows rl_near_rows_c, rl_near_rows_avx2, rl_near_rows_avx512;
