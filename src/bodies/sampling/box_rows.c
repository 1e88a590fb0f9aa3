// SPDX-License-Identifier: MIT
// box_rows.c - the loops over the cells around a body (box_rows.h), compiled once per instruction
// set.
#include "bodies/sampling/box_rows.h"

#include "core/cell_eight.h"
#include "solvers/shared/blocks.h"

#define NO_LEVEL (-1e30f) // RL_NO_WATER

// ---- Levels ----------------------------------------------------------------------------

// Numbers of the cells of a row.
static const float places[RL_BOX_SIDE] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                          11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                          22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

// The numbers below are those of head.c, which says why.
typedef struct cell_level {
    rl_real level, kind;
} cell_level;

RL_CELL cell_level read_blocked(const rl_box_row *row, const rl_box_levels *levels, int n)
{
    const rl_real known = rl_set(RL_BOX_WET), none = rl_set(RL_BOX_UNKNOWN);
    const rl_real floor = rl_load_any(row->floor + n), lower = rl_load_any(row->lower + n);
    const rl_real depth = rl_load_any(row->depth + n), wet = rl_set(levels->wet);
    const rl_real free_height = lower - floor, above = depth - free_height;
    const rl_real flooded = rl_load_any(row->upper + n) + above;
    const rl_mask has_floor = rl_less(rl_load_any(row->bed + n), floor);
    const rl_real own =
        rl_select(rl_less(wet, depth), known, rl_select(has_floor, none, rl_set(RL_BOX_DRY)));
    const rl_real air =
        rl_select(rl_less(rl_set(levels->touching), free_height - depth), own, none);
    const rl_real pressed = rl_select(rl_less(wet, above), own, air);
    return (cell_level){rl_select(rl_less(free_height, depth), flooded, floor + depth),
                        rl_select(rl_less(lower, rl_set(RL_BLOCK_NO_LOWER)), pressed, own)};
}

RL_CELL cell_level read_free(const rl_box_row *row, const rl_box_levels *levels, int n)
{
    const rl_real depth = rl_load_any(row->depth + n);
    const rl_mask deep = rl_less(rl_set(levels->wet), depth);
    return (cell_level){rl_load_any(row->bed + n) + depth,
                        rl_select(deep, rl_set(RL_BOX_WET), rl_set(RL_BOX_DRY))};
}

// Of columns: levels of wet cells, and the least kind.
typedef struct columns_seen {
    rl_real highest, lowest, least;
} columns_seen;

RL_CELL columns_seen read_columns(const rl_box_row *rows, int n, rl_box_levels *levels)
{
    const rl_real zero = rl_set(0.0f), outside = rl_set(RL_BOX_OUTSIDE);
    const rl_real place = rl_load_any(places + n);
    columns_seen seen = {rl_set(-RL_BLOCK_NO_LOWER), rl_set(RL_BLOCK_NO_LOWER), zero};
    for (int j = 0; j < levels->rows; j++) {
        const rl_box_row *row = &rows[j];
        cell_level cell;
        if (row->floor != NULL)
            cell = read_blocked(row, levels, n);
        else
            cell = read_free(row, levels, n);
        const rl_real before_end =
            rl_select(rl_less(place, rl_set((float)row->end)), cell.kind, outside);
        const rl_real kind =
            rl_select(rl_less(place, rl_set((float)row->from)), outside, before_end);
        const rl_mask wet = rl_same_bits(kind, rl_set(RL_BOX_WET));
        seen.highest = rl_select(wet, rl_max(cell.level, seen.highest), seen.highest);
        seen.lowest = rl_select(wet, rl_min(cell.level, seen.lowest), seen.lowest);
        seen.least = rl_min(kind, seen.least);
        rl_store(levels->level[j] + n, cell.level);
        rl_store(levels->kind[j] + n, kind);
        levels->unknown[j] |= rl_lane_bits(rl_less(zero, kind)) << n;
    }
    return seen;
}

static rl_box_seen read(const rl_box_row *rows, rl_box_levels *levels)
{
    rl_real highest = rl_set(-RL_BLOCK_NO_LOWER), lowest = rl_set(RL_BLOCK_NO_LOWER);
    rl_real least = rl_set(0.0f);
    for (int j = 0; j < levels->rows; j++)
        levels->unknown[j] = 0;
    for (int n = 0; n < levels->width; n += RL_LANES) {
        const columns_seen seen = read_columns(rows, n, levels);
        highest = rl_max(seen.highest, highest);
        lowest = rl_min(seen.lowest, lowest);
        least = rl_min(seen.least, least);
    }
    return (rl_box_seen){rl_largest(highest), -rl_largest(rl_set(0.0f) - lowest),
                         rl_any(rl_same_bits(least, rl_set(RL_BOX_DRY)))};
}

static void lower_dry(rl_box_levels *levels, float highest)
{
    const rl_real most = rl_set(highest), dry = rl_set(RL_BOX_DRY);
    for (int j = 0; j < levels->rows; j++) {
        for (int n = 0; n < levels->width; n += RL_LANES) {
            const rl_mask is_dry = rl_same_bits(rl_load(levels->kind[j] + n), dry);
            const rl_real level = rl_load(levels->level[j] + n);
            rl_store(levels->level[j] + n, rl_select(is_dry, rl_min(level, most), level));
        }
    }
}

// Runs of columns.
typedef struct column_runs {
    rl_real from, end, before, slope; // as rl_box_run
} column_runs;

RL_CELL column_runs find_columns(const rl_box_levels *levels, int n)
{
    const rl_real zero = rl_set(0.0f), one = rl_set(1.0f);
    rl_real was_unknown = zero, after = zero;
    column_runs runs = {zero, zero, zero, zero};
    for (int j = levels->first_row; j <= levels->end_row; j++) {
        const rl_real here = rl_set((float)j), level = rl_load(levels->level[j] + n);
        const rl_real unknown = rl_keep(rl_less(zero, rl_load(levels->kind[j] + n)), one);
        const rl_mask begins = rl_less(was_unknown, unknown), ends = rl_less(unknown, was_unknown);
        runs.from = rl_select(begins, here, runs.from);
        runs.before = rl_select(begins, rl_load(levels->level[j - 1] + n), runs.before);
        runs.end = rl_select(ends, here, runs.end);
        after = rl_select(ends, level, after);
        was_unknown = unknown;
    }
    runs.slope = (after - runs.before) / (runs.end - runs.from + one);
    return runs;
}

// The level across a run, and how far away its ends are: the product of the ways.
typedef struct crossed {
    rl_real level, distance;
} crossed;

RL_CELL crossed cross(rl_real place, rl_real from, rl_real end, rl_real before, rl_real slope)
{
    const rl_real way = place - from + rl_set(1.0f);
    return (crossed){before + slope * way, way * (end - place)};
}

static void fill(rl_box_levels *levels)
{
    for (int n = 0; n < levels->width; n += RL_LANES) {
        const column_runs runs = find_columns(levels, n);
        const rl_real place = rl_load_any(places + n);
        for (int j = levels->first_row; j < levels->end_row; j++) {
            const rl_box_run run = levels->run[j];
            const rl_mask unknown = rl_less(rl_set(0.0f), rl_load(levels->kind[j] + n));
            const crossed row = cross(place, rl_set(run.from), rl_set(run.end), rl_set(run.before),
                                      rl_set(run.slope));
            const crossed column =
                cross(rl_set((float)j), runs.from, runs.end, runs.before, runs.slope);
            const rl_real level = (column.distance * row.level + row.distance * column.level) /
                                  (row.distance + column.distance);
            rl_store(levels->level[j] + n,
                     rl_select(unknown, level, rl_load(levels->level[j] + n)));
        }
    }
}

// One sweep of Jacobi, over whole rows; known cells keep what they have. No cell at a side is
// unknown. Neighbours come by lane shifts: vectors that begin between those which were just written
// would have to wait until these have come to the cache.
RL_CELL void sweep_once(const rl_box_levels *levels, const float (*from)[RL_BOX_PITCH],
                        float (*to)[RL_BOX_PITCH])
{
    for (int n = 0; n < levels->width; n += RL_LANES) {
        rl_real south = rl_load(from[levels->first_row - 1] + n);
        rl_real here = rl_load(from[levels->first_row] + n);
        for (int j = levels->first_row; j < levels->end_row; j++) {
            const rl_real north = rl_load(from[j + 1] + n);
            const rl_real west = rl_load(from[j] + n - RL_LANES);
            const rl_real east = rl_load(from[j] + n + RL_LANES);
            const rl_mask unknown = rl_less(rl_set(0.0f), rl_load(levels->kind[j] + n));
            const rl_real along = rl_west(west, here) + rl_east(here, east);
            const rl_real mean = rl_set(0.25f) * (along + (south + north));
            rl_store(to[j] + n, rl_select(unknown, mean, here));
            south = here;
            here = north;
        }
    }
}

static void sweep(rl_box_levels *levels)
{
    const int south = levels->first_row - 1, north = levels->end_row;
    for (int n = 0; n < levels->width; n += RL_LANES) {
        rl_store(levels->other[south] + n, rl_load(levels->level[south] + n));
        rl_store(levels->other[north] + n, rl_load(levels->level[north] + n));
    }
    sweep_once(levels, (const float(*)[RL_BOX_PITCH])levels->level, levels->other);
    sweep_once(levels, (const float(*)[RL_BOX_PITCH])levels->other, levels->level);
}

// ---- Grids -----------------------------------------------------------------------------

_Static_assert(RL_PRESSURE_VALUES == RL_EIGHT, "cells of grids have eight values");

// Where the cells of a vector are.
typedef struct grid_place {
    const float *depth, *ground, *velocity_x, *velocity_y, *floor, *lower, *head;
} grid_place;

// The values of cells, and the highest level that is found there.
RL_CELL rl_real grid_free(const rl_box_grid *t, grid_place at, rl_real values[RL_PRESSURE_VALUES])
{
    const rl_real depth = rl_load_any(at.depth), zero = rl_set(0.0f);
    const rl_mask is_wet = rl_less(rl_set(t->wet_depth), depth);
    const rl_real wet = rl_keep(is_wet, rl_set(1.0f));
    const rl_real level = (rl_load_any(at.ground) - rl_set(t->reference)) + depth;
    values[RL_PRESSURE_LEVEL] = rl_keep(is_wet, level);
    values[RL_PRESSURE_WET] = wet;
    values[RL_PRESSURE_MOVING] = wet;
    values[RL_PRESSURE_FLOW_X] = rl_keep(is_wet, rl_load_any(at.velocity_x));
    values[RL_PRESSURE_FLOW_Y] = rl_keep(is_wet, rl_load_any(at.velocity_y));
    values[RL_PRESSURE_FREE] = rl_set(1.0f);
    values[RL_PRESSURE_HEAD] = zero;
    values[RL_PRESSURE_HEADED] = zero;
    return rl_select(is_wet, level, rl_set(NO_LEVEL));
}

RL_CELL rl_real grid_blocked(const rl_box_grid *t, grid_place at,
                             rl_real values[RL_PRESSURE_VALUES])
{
    const rl_real depth = rl_load_any(at.depth), floor = rl_load_any(at.floor);
    const rl_real ground = rl_load_any(at.ground), head = rl_load_any(at.head);
    const rl_real zero = rl_set(0.0f), one = rl_set(1.0f), reference = rl_set(t->reference);
    const rl_mask hangs = rl_less(rl_load_any(at.lower), rl_set(RL_BLOCK_NO_LOWER));
    const rl_real open = rl_select(hangs, zero, one);
    const rl_real free = rl_select(rl_less(ground, floor), zero, open);
    const rl_real moving = rl_keep(rl_less(rl_set(t->wet_depth), depth), open);
    const rl_real wet = moving * free, headed = rl_keep(rl_less(ground, head), one - free);
    const rl_real level = (floor - reference) + depth, filled = head - reference;
    const rl_mask is_headed = rl_less(zero, headed);
    values[RL_PRESSURE_LEVEL] = wet * level;
    values[RL_PRESSURE_WET] = wet;
    values[RL_PRESSURE_MOVING] = moving;
    values[RL_PRESSURE_FLOW_X] = moving * rl_load_any(at.velocity_x);
    values[RL_PRESSURE_FLOW_Y] = moving * rl_load_any(at.velocity_y);
    values[RL_PRESSURE_FREE] = free;
    values[RL_PRESSURE_HEAD] = rl_keep(is_headed, filled);
    values[RL_PRESSURE_HEADED] = headed;
    const rl_real blocked = rl_select(is_headed, filled, rl_set(NO_LEVEL));
    return rl_select(rl_less(zero, wet), level, blocked);
}

// A vector of columns, and the highest level in each.
RL_CELL rl_real grid_columns(const rl_box_grid *t, int n)
{
    grid_place at = {t->depth + n, t->ground + n, t->velocity_x + n, t->velocity_y + n,
                     t->floor + n, t->lower + n,  t->head + n};
    float *cells = t->cells[n];
    rl_real highest = rl_set(NO_LEVEL);
    for (int j = 0; j < t->rows; j++) {
        rl_real values[RL_PRESSURE_VALUES], found;
        if (t->blocked[j])
            found = grid_blocked(t, at, values);
        else
            found = grid_free(t, at, values);
        highest = rl_max(found, highest);
        rl_eight_store(cells, values);
        at.depth += t->depth_pitch;
        at.ground += t->ground_pitch;
        at.velocity_x += t->velocity_pitch;
        at.velocity_y += t->velocity_pitch;
        at.floor += t->block_pitch;
        at.lower += t->block_pitch;
        at.head += t->width;
        cells += (size_t)t->width * RL_PRESSURE_VALUES;
    }
    return highest;
}

// What vectors find beyond the box counts for nothing.
static float grid(const rl_box_grid *t)
{
    float highest[RL_LANES], most = NO_LEVEL;
    for (int n = (t->width - 1) / RL_LANES * RL_LANES; n >= 0; n -= RL_LANES) {
        rl_store_any(highest, grid_columns(t, n));
        for (int l = 0; l < RL_LANES && n + l < t->width; l++)
            most = highest[l] > most ? highest[l] : most;
    }
    return most;
}

const rl_box_rows RL_ROWS(rl_box_rows) = {
    .isa = RL_ISA_TEXT,
    .read = read,
    .lower_dry = lower_dry,
    .fill = fill,
    .sweep = sweep,
    .grid = grid,
};
