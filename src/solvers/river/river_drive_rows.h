// SPDX-License-Identifier: MIT
// river_drive_rows.h - the row loops of the impulses (river_impulse.c), compiled once per
// instruction set. They are plain loops over a run of cells that compilers turn into vectors; each
// operation is exactly rounded or a selection, so every instruction set gives the same bits.
#pragma once

#include <stdint.h>

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

// Cells [first, end) of a row: velocities of the faces west of the cells and south and north of
// them in, changes at the centres out.
typedef struct rl_river_drive_cells {
    int first, end;
    uint32_t noise; // of this row and moment
    const float *u, *v, *v_north, *hint_x, *hint_y, *target;
    float *change_x, *change_y;
} rl_river_drive_cells;

// Faces west and south of cells; the one at the western border is left out.
typedef struct rl_river_drive_faces {
    int first, end;
    const float *open_x, *open_y, *change_x, *change_y, *change_y_south;
    float *u, *v;
} rl_river_drive_faces;

typedef struct rl_river_drive_rows {
    const char *isa;
    void (*cells)(const rl_river_drive_cells *c, const rl_river_drive *d);
    void (*faces)(const rl_river_drive_faces *f);
} rl_river_drive_rows;

extern const rl_river_drive_rows rl_river_drive_rows_c, rl_river_drive_rows_avx2,
    rl_river_drive_rows_avx512;
