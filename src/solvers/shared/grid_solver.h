// SPDX-License-Identifier: MIT
// grid_solver.h - what the solvers that work on a grid of columns have in common: their first
// water, bands of rows, borders and their bookkeeping, deposits, sums, checks.
#pragma once

#include "core/assert.h"
#include "core/jobs.h"
#include "core/owned.h"
#include "solvers/shared/column_cell.h"
#include "solvers/solver.h"

#include "rill/columns.h"
#include "rill/support.h"
#include "rill/world.h"

// ---- The start -------------------------------------------------------------------------

static inline float rl_first_value(const rill_field_view *view, int i, int j)
{
    return view->data != NULL ? view->data[(size_t)j * view->pitch + (size_t)i] : 0.0f;
}

// Metres of water over ground at `bed`: the field's, or what the level asks for where that is more.
static inline float rl_first_depth(const rill_world_def *def, int i, int j, float bed)
{
    const float depth = rl_first_value(&def->depth, i, j), to_level = def->level - bed;
    return def->use_level && to_level > depth ? to_level : depth;
}

// Fills the bed, which is a wall beyond the grid, and the depths of a solver with one column a
// cell. Returns the largest depth, metres.
static inline float rl_first_columns(const rill_world_def *def, rill_field *bed, rill_field *depth)
{
    float deepest = 0.0f;
    rill_field_fill(bed, RL_WALL);
    for (int j = 0; j < bed->ny; j++) {
        float *b = rill_field_row(bed, j), *d = rill_field_row(depth, j);
        for (int i = 0; i < bed->nx; i++) {
            b[i] = rl_first_value(&def->bed, i, j);
            d[i] = rl_first_depth(def, i, j, b[i]);
            deepest = d[i] > deepest ? d[i] : deepest;
        }
    }
    return deepest;
}

// ---- Bands -----------------------------------------------------------------------------
// A sweep over a grid is divided among threads into bands of rows, whose number depends on the grid
// alone; each band has rows of floats for itself.

// Thin bands balance well, thick ones repeat less of their neighbours' work (two to five rows a
// band). A band has at least 64 rows, so that what it repeats never reaches past the next band.
static inline int rl_band_count(int ny)
{
    const int rows = ny < 1024 ? 64 : ny < 2048 ? 128 : 256;
    return ny < 2 * rows ? 1 : ny / rows;
}

// The first row of band n of `count`; that of band `count` is ny.
static inline int rl_band_first(int ny, int count, int n)
{
    RL_ASSERT(n >= 0 && n <= count);
    return (int)((int64_t)ny * n / count);
}

// Rows of floats in one block, with margins as those of a field.
typedef struct rl_band_rows {
    float *memory;
    size_t floats; // of a row
    size_t count;
    size_t taken; // rows that have an owner
} rl_band_rows;

// Takes memory for `count` rows; `pitch` is that of the fields that are swept. An odd number of
// cache lines a row, so that neighbouring rows do not compete in the cache.
static inline rl_band_rows rl_band_rows_take_all(rl_owned *owned, size_t pitch, size_t count)
{
    RL_ASSERT(pitch % 16 == 0);
    const size_t floats = pitch % 32 == 0 ? pitch + 16 : pitch;
    return (rl_band_rows){rl_owned_take(owned, count * floats, sizeof(float)), floats, count, 0};
}

// Hands out the next row, from its first cell on.
static inline float *rl_band_rows_take(rl_band_rows *rows)
{
    RL_ASSERT(rows->taken < rows->count);
    return rows->memory + rows->taken++ * rows->floats + RILL_MARGIN_X;
}

// The same with every value set, margins included.
static inline float *rl_band_rows_take_filled(rl_band_rows *rows, float value)
{
    float *row = rl_band_rows_take(rows) - RILL_MARGIN_X;
    for (size_t i = 0; i < rows->floats; i++)
        row[i] = value;
    return row + RILL_MARGIN_X;
}

// ---- Borders ---------------------------------------------------------------------------

static inline bool rl_side_is_column(rill_side side)
{
    return side == RILL_SIDE_WEST || side == RILL_SIDE_EAST;
}

// Cells along a side.
static inline int rl_side_length(rill_side side, int nx, int ny)
{
    return rl_side_is_column(side) ? ny : nx;
}

// The cell that is `inwards` cells inwards from place n of a side, counted from the west or south;
// -1 is the ghost cell beyond it.
static inline void rl_side_cell(rill_side side, int nx, int ny, int n, int inwards, int *i, int *j)
{
    RL_ASSERT((unsigned)side < RILL_SIDE_COUNT && inwards >= -1);
    *i = side == RILL_SIDE_WEST ? inwards : side == RILL_SIDE_EAST ? nx - 1 - inwards : n;
    *j = side == RILL_SIDE_SOUTH ? inwards : side == RILL_SIDE_NORTH ? ny - 1 - inwards : n;
}

// The column of a ghost cell.
typedef struct rl_ghost {
    float bed, depth; // metres
} rl_ghost;

// Beyond a border lies one ghost cell: a wall that no water climbs, dry ground (a drain), or ground
// under water up to the border's level. `edge` is the bed of the cell at the border, `inner` that
// of the cell behind it.
static inline rl_ghost rl_ghost_beyond(rill_border border, float level, float edge, float inner)
{
    const float over = level - edge;
    switch (border) {
    case RILL_BORDER_DRAIN:
        // Ground that falls towards the border falls on: water leaves as fast as it came.
        return (rl_ghost){edge < inner ? edge - (inner - edge) : edge, 0.0f};
    case RILL_BORDER_LEVEL:
        return (rl_ghost){edge, over > 0.0f ? over : 0.0f};
    default: // the world refuses what is not in rl_solver_ops.borders
        return (rl_ghost){RL_WALL, 0.0f};
    }
}

// ---- Through a border ------------------------------------------------------------------

// A drain lets nothing in, whatever the smoothing of neighbouring faces made of the discharges at
// the two ends of a row.
static inline void rl_clip_drains(const rill_border border[RILL_SIDE_COUNT], float *qx, int nx)
{
    if (border[RILL_SIDE_WEST] == RILL_BORDER_DRAIN && qx[-1] > 0.0f)
        qx[-1] = 0.0f;
    if (border[RILL_SIDE_EAST] == RILL_BORDER_DRAIN && qx[nx - 1] < 0.0f)
        qx[nx - 1] = 0.0f;
}

// ---- Booking ---------------------------------------------------------------------------

static inline void rl_exchange_book(rl_exchange *moved, double inward)
{
    if (inward > 0.0)
        moved->in += inward;
    else
        moved->out -= inward;
}

// The faces of a row at a border; `inward` is 1 where they are counted into the grid, else -1.
static inline void rl_exchange_book_row(rl_exchange *moved, const float *q, int count,
                                        double inward)
{
    for (int i = 0; i < count; i++)
        rl_exchange_book(moved, inward * (double)q[i]);
}

// Adds what a band has booked, times the volume that a unit of it stands for, m^3.
static inline void rl_exchange_add(rl_exchange *sum, const rl_exchange *moved, double volume)
{
    sum->in += moved->in * volume;
    sum->out += moved->out * volume;
}

// ---- The running maximum ---------------------------------------------------------------
// Per row it is the largest depth that deposits left there since the last step, metres, or
// RL_NO_DEPOSIT. Together with the maximum of the last step it is at least the deepest water, which
// is what the length of a step follows from. It is part of the state.

static inline void rl_running_max_clear(float *running_max, int ny)
{
    for (int y = 0; y < ny; y++)
        running_max[y] = RL_NO_DEPOSIT;
}

// The largest of all rows and of `deepest`.
static inline float rl_running_max_over(const float *running_max, int ny, float deepest)
{
    for (int y = 0; y < ny; y++)
        deepest = running_max[y] > deepest ? running_max[y] : deepest;
    return deepest;
}

// ---- Deposits --------------------------------------------------------------------------
// They go to a run of columns. What a float cannot hold of a depth goes into the column's
// remainder.

bool rl_run_some_negative(const float *values, int count);

// The largest of depths that are not negative.
float rl_run_largest(const float *depths, int count);

// Adds amounts that are not negative, such as rain on a whole row. The sum is exact, filled +
// remainder = depth + change (Dekker). Returns the largest depth.
float rl_run_add(float *restrict depth, float *restrict remainder, const float *restrict amounts,
                 int count);

// Adds any amounts; a column gives no more than it holds. Returns the sum of what was really given,
// metres.
double rl_run_change(float *restrict depth, float *restrict remainder,
                     const float *restrict amounts, int count);

// Adds any amounts by the quicker of the two ways. Returns the sum of what was really given,
// metres; `deepest` is the largest depth after, if that is larger.
double rl_run_deposit(float *restrict depth, float *restrict remainder,
                      const float *restrict amounts, int count, float *deepest);

// The sum has the same order as that of rl_run_change().
double rl_run_sum(const float *values, int count);

// ---- Reading ---------------------------------------------------------------------------

// The columns of a solver with one layer, from its fields.
static inline rill_columns rl_columns_view(const rill_field *base, const rill_field *depth,
                                           const rill_field *velocity_x,
                                           const rill_field *velocity_y, double cell_size,
                                           float wet_depth)
{
    RL_ASSERT(depth->pitch == base->pitch && velocity_x->pitch == base->pitch &&
              velocity_y->pitch == base->pitch);
    return (rill_columns){
        .nx = base->nx,
        .ny = base->ny,
        .layers = 1,
        .pitch = base->pitch,
        .cell_size = (float)cell_size,
        .wet_depth = wet_depth,
        .base = base->origin,
        .depth = depth->origin,
        .velocity_x = velocity_x->origin,
        .velocity_y = velocity_y->origin,
    };
}

// Volume of rows whose metres of water, summed over their cells, are known, m^3.
double rl_row_sums_volume(const double *row_sums, int ny, double cell_size);

// Volume of depths and remainders of a solver with one column a cell, m^3: summed in double, row by
// row and then over rows. `row_sums` has a value a row.
double rl_column_sum(rl_jobs *jobs, const rill_field *depth, const rill_field *remainder,
                     double cell_size, double *row_sums);

// ---- Checks ----------------------------------------------------------------------------
// Several solvers make them in their `validate` (solver.h). Each returns NULL or a sentence, which
// holds until the next error of the thread.

// The sentence of what does not hold.
#define RL_INVALID(...) (rill_fail(RILL_BAD_ARGUMENT, __VA_ARGS__), rill_last_error())

// Water of a row of columns.
typedef struct rl_validate_row {
    const char *solver;
    int layer, row, first, end;       // cells [first, end)
    const float *depth;               // finite, not negative, at most `deepest`
    const float *remainder;           // within `largest_remainder`
    float deepest, largest_remainder; // metres
} rl_validate_row;
const char *rl_validate_row_of(const rl_validate_row *row);

// Checks a row of one column a cell, and its ground.
const char *rl_validate_columns(const char *solver, int y, const rill_field *bed,
                                const rill_field *depth, const rill_field *remainder, float deepest,
                                double cell_size);

// Nothing flows through the faces of sides that are not open. `x` and `y` are what the faces east
// and north of cell (0, 0) have, `names` what that is called.
const char *rl_validate_walls(const char *solver, const char *const names[2], const float *x,
                              const float *y, size_t pitch, int nx, int ny,
                              const bool open[RILL_SIDE_COUNT]);

// How much of a length roundings may leave in a remainder.
#define RL_VALIDATE_ROUNDINGS 1e-5f

// Every value of `width` from `row[0]` on is finite and within `most`.
const char *rl_validate_values(const char *solver, const char *what, int y, const float *row,
                               int width, float most);
