// SPDX-License-Identifier: MIT
// river_columns.h - the state of the hydrostatic columns, shared by river_columns.c and
// river_columns_pipes.c. Everything lies in grids of level 0, so that a state has the same shape
// whatever is wet.
#pragma once

#include "solvers/river/river_drive.h"

#define RL_COLUMN_CELLS 16 // most cells of a column

enum { RL_COLUMN_NONE, RL_COLUMN_WET, RL_COLUMN_BEYOND }; // BEYOND: past an open border

struct rl_river_columns {
    int cells;           // K, of each column
    rill_field block;    // of the four fields that follow, side by side: one array of the state
    rill_field height;   // of cell k of column i: [i K + k], metres
    rill_field pressure; // of the bottom over rho g: sum of the heights, metres
    rill_field u, v;     // velocity of the pipes through the west and the south face, m/s
    rill_field height_next, pressure_next;
    unsigned char *kind;  // per column, with a ring of one around the grid
    unsigned char *scant; // per column: 1 when some cell would give more than it holds
    size_t kind_bytes, scant_bytes;
};

static inline unsigned char *rl_column_kinds(const rl_river *r, int j)
{
    return r->columns->kind + (size_t)(j + 1) * (size_t)(r->nx + 2) + 1;
}

static inline unsigned char *rl_column_scant(const rl_river *r, int j)
{
    return r->columns->scant + (size_t)j * (size_t)r->nx;
}

// The next wet column of a row from `i` on, or nx.
int rl_column_next(const unsigned char *kinds, int i, int nx);

// One step of the pipes, `dt` within the stable one; returns the largest change of a bottom
// pressure in parts of itself. Needs velocities at the centres (rl_river_bring_centres).
double rl_river_pipes_step(rl_river *r, rl_jobs *jobs, double dt);
// clamp(ratio, 1 / limit, limit)^z for the definition of the river.
float rl_column_conveyance(const rl_river *r, double ratio);
// Mean of the bottom pressure over wet columns, metres.
double rl_column_mean_pressure(const rl_river *r);
// Longest step that is stable for the columns as they are, seconds.
double rl_river_pipes_stable(const rl_river *r);
