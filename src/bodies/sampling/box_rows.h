// SPDX-License-Identifier: MIT
// box_rows.h - the loops over the cells around a body, compiled once per instruction set. Rows are
// worked on in whole vectors: fields have margins beside their rows (rill/support.h), and so have
// the arrays here. What is found for cells past the last one is not used.
#pragma once

#include "core/cpu.h"

#include "rill/support.h"

#include <stdint.h>

// ---- Levels of a small group of boxes (head_small.c) -----------------------------------

#define RL_BOX_SIDE  32 // cells
#define RL_BOX_PITCH 48

// What is known of a cell: it has no level of its own; it has; it is none of the group's; its level
// is that of dry ground.
#define RL_BOX_UNKNOWN 1.0f
#define RL_BOX_WET     0.0f
#define RL_BOX_OUTSIDE (-1.0f)
#define RL_BOX_DRY     (-2.0f)

// What a row of cells is made from; [from, end) are the group's. A cell over which nothing hangs
// has a free height for all water.
typedef struct rl_box_row {
    int from, end;
    const float *bed, *depth;
    const float *floor, *lower, *upper; // NULL where nothing is blocked
} rl_box_row;

// What is seen in all of them.
typedef struct rl_box_seen {
    float highest, lowest; // of wet cells
    int some_dry;
} rl_box_seen;

// Cells [from, end) of a row are unknown.
typedef struct rl_box_run {
    float from, end;
    float before, slope; // the level before it, and the change from cell to cell across it
} rl_box_run;

typedef struct rl_box_levels {
    _Alignas(RILL_ALIGNMENT) float level[RL_BOX_SIDE][RL_BOX_PITCH];
    float other[RL_BOX_SIDE][RL_BOX_PITCH]; // sweeps go from one to the other
    float kind[RL_BOX_SIDE][RL_BOX_PITCH];
    uint32_t unknown[RL_BOX_SIDE]; // bits of the unknown cells of a row
    // Rows [first_row, end_row) have some, each in one run; and each column has them in one.
    rl_box_run run[RL_BOX_SIDE];
    int width, rows, first_row, end_row;
    float wet, touching; // metres: what is deeper has a level; a body that is closer presses it
} rl_box_levels;

// ---- Grids (pressure_sampling.c)-----------------------------------------------------------------

// What is known of a cell. Weighted sums of these are what a point between four cells finds.
enum {
    RL_PRESSURE_LEVEL,  // of a free cell with water, from the grid's reference, metres; else 0
    RL_PRESSURE_WET,    // 1 there
    RL_PRESSURE_MOVING, // 1 where water is that no body presses down
    RL_PRESSURE_FLOW_X, // of it, m/s
    RL_PRESSURE_FLOW_Y,
    RL_PRESSURE_FREE,   // 1 where no body is
    RL_PRESSURE_HEAD,   // the level found for a cell with a body, if that is above the ground
    RL_PRESSURE_HEADED, // 1 there
    RL_PRESSURE_VALUES,
};

// A box of `width` x `rows` cells. All arrays begin with its first cell; rows lie a pitch apart,
// those of heads and cells follow each other without gaps.
typedef struct rl_box_grid {
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
    float (*cells)[RL_PRESSURE_VALUES];
} rl_box_grid;

typedef struct rl_box_rows {
    const char *isa;
    // Reads all rows.
    rl_box_seen (*read)(const rl_box_row *rows, rl_box_levels *levels);
    // Dry ground counts as no higher than the highest water.
    void (*lower_dry)(rl_box_levels *levels, float highest);
    // Gives unknown cells a level between the ends of their runs.
    void (*fill)(rl_box_levels *levels);
    // Sweeps over them, there and back.
    void (*sweep)(rl_box_levels *levels);
    // Lays out a grid; returns the highest level in it, -1e30 if there is none.
    float (*grid)(const rl_box_grid *grid);
} rl_box_rows;

extern const rl_box_rows rl_box_rows_c, rl_box_rows_avx2, rl_box_rows_avx512;
