// SPDX-License-Identifier: MIT
// river_drive.h - what the files that drive the river share, and what its table needs of them:
// columns, hints, impulses, bootstrapping, dye.
#pragma once

#include "solvers/river/river_internal.h"

// Rows of a grid that are one index of a job.
#define RL_RIVER_ROWS 16

// ---- For the table of the water --------------------------------------------------------

// Bytes that the columns of such a grid take, before any is taken; `cells` of a column.
uint64_t rl_river_columns_needed(int nx, int ny, int cells);
// Stands for ground, surface and what of the definition bootstrapping depends on (rl_river_ops).
uint64_t rl_river_key(const rl_river *r);
// Adds dye to the wet cells within `radius` of (x, y), metres; returns what was really added
// (rl_river_ops.add_dye): 0 where there is no wet cell.
double rl_river_dye_add(rl_river *r, double x, double y, double radius, double amount);

// Tiles of all levels are one row of pieces of work; tiles[k] is the number of those of levels up
// to k. The level of one of them, and its rows [first, end).
static inline int rl_river_rows_of(const rl_river *r, const int *tiles, int tile, int *first,
                                   int *end)
{
    int level = 0;
    while (tile >= tiles[level])
        level++;
    const int ny = r->levels[level].ny;
    *first = (tile - (level > 0 ? tiles[level - 1] : 0)) * RL_RIVER_ROWS;
    *end = *first + RL_RIVER_ROWS < ny ? *first + RL_RIVER_ROWS : ny;
    return level;
}

// ---- Small things ----------------------------------------------------------------------

// Wet and not closed by an obstacle.
static inline bool rl_river_is_wet(const rl_river *r, int i, int j)
{
    return rill_field_row(&r->depth, j)[i] > 0.0f && rill_field_row(&r->obstacle, j)[i] == 0.0f;
}

// Cosine and sine of an angle in degrees by + - * / alone, so that no math library's last bit can
// show in the state. `degrees` must be finite.
void rl_river_turn(double degrees, double *cosine, double *sine);

// The direction that the river has where it comes in, unit length.
void rl_river_first_direction(const rl_river *r, double *x, double *y);

// How many cells the river is wide, in the mean.
double rl_river_cells_across(const rl_river *r);

// Does the river come in through this face of the border of level 0? By the side that it was looked
// for from, unless its main channel ends there or its level is below the middle of its fall; with a
// level that falls along the river by other sides, too, where it falls towards the inside.
bool rl_river_comes_in(const rl_river *r, rill_side side, int k);
// Cell of level 0 that is `away` cells inwards from place k of a border; it may lie beyond the
// grid.
void rl_river_border_cell(const rl_river *r, rill_side side, int k, int away, int *i, int *j);
// Places along a border.
static inline int rl_river_border_length(const rl_river *r, rill_side side)
{
    return side == RILL_SIDE_WEST || side == RILL_SIDE_EAST ? r->ny : r->nx;
}

// Hints of wet cells that have none, from those beside them: where ground has been lowered.
void rl_river_hints_mend(rl_river *r);

// A field of a level becomes 0, faces at the far borders included. Levels lie in common blocks, so
// rill_field_fill is not for them.
void rl_river_clear(const rl_river_level *l, rill_field *field);

// All flow and pressure of all levels become 0.
void rl_river_still(rl_river *r);
// Sets the flow of level 0 to the hints times `speed`, or times the targets when it is 0.
void rl_river_follow_hints(rl_river *r, float speed);

// Velocities at the centres of level 0 as they are now, in r->velocity_x and velocity_y.
void rl_river_bring_centres(rl_river *r, rl_jobs *jobs);
