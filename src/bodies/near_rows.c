// SPDX-License-Identifier: MIT
#include "bodies/near_rows.h"

#include "core/cell_any.h"
#include "solvers/blocks.h"

#include <string.h>

#define ROWS_NAME_(isa) rl_near_rows_##isa
#define ROWS_NAME(isa)  ROWS_NAME_(isa)
#define TEXT_(x)        #x
#define TEXT(x)         TEXT_(x)

#define NO_LEVEL (-1e30f) // RL_NO_WATER

// ---- Levels ----------------------------------------------------------------------------

// The numbers are those of head.c, which says why.
typedef struct looked {
    rl_real level, kind;
} looked;

RL_CELL looked look_blocked(const rl_near_row *row, int n, rl_real depth)
{
    const rl_real known = rl_set(RL_NEAR_WET), none = rl_set(RL_NEAR_UNKNOWN);
    const rl_real floor = rl_load_any(row->floor + n), lower = rl_load_any(row->lower + n);
    const rl_real room = lower - floor, above = depth - room, wet = rl_set(row->wet);
    const rl_real flooded = rl_load_any(row->upper + n) + above;
    const rl_mask raised = rl_less(rl_load_any(row->bed + n), floor);
    const rl_real own =
        rl_select(rl_less(wet, depth), known, rl_select(raised, none, rl_set(RL_NEAR_DRY)));
    const rl_real air = rl_select(rl_less(rl_set(row->touching), room - depth), own, none);
    const rl_real pressed = rl_select(rl_less(wet, above), own, air);
    return (looked){rl_select(rl_less(room, depth), flooded, floor + depth),
                    rl_select(rl_less(lower, rl_set(RL_BLOCK_NO_LOWER)), pressed, own)};
}

RL_CELL looked look_free(const rl_near_row *row, int n, rl_real depth)
{
    const rl_mask deep = rl_less(rl_set(row->wet), depth);
    return (looked){rl_load_any(row->bed + n) + depth,
                    rl_select(deep, rl_set(RL_NEAR_WET), rl_set(RL_NEAR_DRY))};
}

RL_CELL int look_body(const rl_near_row *row, int j, rl_near_levels *levels, int blocked)
{
    const rl_real zero = rl_set(0.0f), outside = rl_set(RL_NEAR_OUTSIDE);
    const rl_real from = rl_set(row->from), end = rl_set(row->end);
    const int width = levels->width;
    int some = 0;
    for (int n = 0; n < width; n += RL_LANES) {
        const rl_real depth = rl_load_any(row->depth + n), place = rl_load(levels->place + n);
        looked cell = look_free(row, n, depth);
        if (blocked)
            cell = look_blocked(row, n, depth);
        const rl_real before_end = rl_select(rl_less(place, end), cell.kind, outside);
        const rl_real kind = rl_select(rl_less(place, from), outside, before_end);
        const rl_mask wet = rl_same_bits(kind, rl_set(RL_NEAR_WET));
        const rl_real high = rl_load(levels->highest + n), low = rl_load(levels->lowest + n);
        rl_store(levels->highest + n, rl_select(wet, rl_max(cell.level, high), high));
        rl_store(levels->lowest + n, rl_select(wet, rl_min(cell.level, low), low));
        rl_store(levels->least + n, rl_min(kind, rl_load(levels->least + n)));
        rl_store(levels->level[j] + n, cell.level);
        rl_store(levels->other[j] + n, cell.level);
        rl_store(levels->kind[j] + n, kind);
        some |= rl_any(rl_less(zero, kind));
    }
    return some;
}

static int look(const rl_near_row *row, int j, rl_near_levels *levels)
{
    return row->floor != NULL ? look_body(row, j, levels, 1) : look_body(row, j, levels, 0);
}

static void lower_dry(rl_near_levels *levels, float highest)
{
    const rl_real most = rl_set(highest), dry = rl_set(RL_NEAR_DRY);
    for (int j = 0; j < levels->rows; j++) {
        for (int n = 0; n < levels->width; n += RL_LANES) {
            const rl_mask is_dry = rl_same_bits(rl_load(levels->kind[j] + n), dry);
            const rl_real level = rl_load(levels->level[j] + n);
            const rl_real lowered = rl_select(is_dry, rl_min(level, most), level);
            rl_store(levels->level[j] + n, lowered);
            rl_store(levels->other[j] + n, lowered);
        }
    }
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

static void fill(rl_near_levels *levels)
{
    for (int j = levels->first_row; j < levels->end_row; j++) {
        const rl_near_run run = levels->run[j];
        const rl_real from = rl_set(run.from), end = rl_set(run.end);
        const rl_real before = rl_set(run.before), slope = rl_set(run.slope);
        const rl_real here = rl_set((float)j);
        for (int n = 0; n < levels->width; n += RL_LANES) {
            const rl_mask unknown = rl_less(rl_set(0.0f), rl_load(levels->kind[j] + n));
            const crossed row = cross(rl_load(levels->place + n), from, end, before, slope);
            const crossed column = cross(here, rl_load(levels->from + n), rl_load(levels->end + n),
                                         rl_load(levels->before + n), rl_load(levels->slope + n));
            const rl_real level = (column.distance * row.level + row.distance * column.level) /
                                  (row.distance + column.distance);
            const rl_real filled = rl_select(unknown, level, rl_load(levels->level[j] + n));
            rl_store(levels->level[j] + n, filled);
            rl_store(levels->other[j] + n, filled);
        }
    }
}

// One sweep of Jacobi, over whole rows; known cells keep what they have.
RL_CELL void sweep_once(const rl_near_levels *levels, const float *from, float *to)
{
    const int width = levels->width, rows = levels->end_row - levels->first_row;
    const size_t first = (size_t)levels->first_row * RL_NEAR_PITCH;
    const float *mid = from + first, *kind = levels->kind[0] + first;
    float *out = to + first;
    for (int j = 0; j < rows; j++) {
        for (int n = 0; n < width; n += RL_LANES) {
            const rl_mask unknown = rl_less(rl_set(0.0f), rl_load(kind + n));
            const rl_real along = rl_load_any(mid + n - 1) + rl_load_any(mid + n + 1);
            const rl_real across =
                rl_load(mid + n - RL_NEAR_PITCH) + rl_load(mid + n + RL_NEAR_PITCH);
            const rl_real mean = rl_set(0.25f) * (along + across);
            rl_store(out + n, rl_select(unknown, mean, rl_load(out + n)));
        }
        mid += RL_NEAR_PITCH;
        kind += RL_NEAR_PITCH;
        out += RL_NEAR_PITCH;
    }
}

static void sweep(rl_near_levels *levels)
{
    sweep_once(levels, levels->level[0], levels->other[0]);
    sweep_once(levels, levels->other[0], levels->level[0]);
}

// ---- Tiles -----------------------------------------------------------------------------

// Values of cells in pairs, as they lie in a cell: four pairs make one.
typedef struct tile_pairs {
    float level_wet[2 * RL_NEAR_CELLS], moving_x[2 * RL_NEAR_CELLS];
    float y_free[2 * RL_NEAR_CELLS], head_headed[2 * RL_NEAR_CELLS];
} tile_pairs;

// With nothing in the way.
static void tile_free(const rl_near_tile_row *row, size_t vectors, float *restrict highest,
                      tile_pairs *restrict out)
{
    const float *restrict depth = row->depth, *restrict ground = row->ground;
    const float *restrict velocity_x = row->velocity_x, *restrict velocity_y = row->velocity_y;
    const float wet_depth = row->wet_depth, reference = row->reference;
    for (size_t i = 0; i < vectors * RL_LANES; i++) {
        const float level = (ground[i] - reference) + depth[i];
        const float x = velocity_x[i], y = velocity_y[i], before = highest[i];
        const int is_wet = depth[i] > wet_depth;
        const float found = is_wet ? level : NO_LEVEL;
        out->level_wet[2 * i] = is_wet ? level : 0.0f;
        out->level_wet[2 * i + 1] = is_wet ? 1.0f : 0.0f;
        out->moving_x[2 * i] = is_wet ? 1.0f : 0.0f;
        out->moving_x[2 * i + 1] = is_wet ? x : 0.0f;
        out->y_free[2 * i] = is_wet ? y : 0.0f;
        out->y_free[2 * i + 1] = 1.0f;
        out->head_headed[2 * i] = 0.0f;
        out->head_headed[2 * i + 1] = 0.0f;
        highest[i] = found > before ? found : before;
    }
}

static void tile_blocked(const rl_near_tile_row *row, size_t vectors, float *restrict highest,
                         tile_pairs *restrict out)
{
    const float *restrict depth = row->depth, *restrict floor = row->floor;
    const float *restrict ground = row->ground, *restrict lower = row->lower;
    const float *restrict velocity_x = row->velocity_x, *restrict velocity_y = row->velocity_y;
    const float *restrict head = row->head;
    const float wet_depth = row->wet_depth, reference = row->reference;
    for (size_t i = 0; i < vectors * RL_LANES; i++) {
        const float open = lower[i] < RL_BLOCK_NO_LOWER ? 0.0f : 1.0f;
        const float free = floor[i] > ground[i] ? 0.0f : open;
        const float moving = depth[i] > wet_depth ? open : 0.0f;
        const float wet = moving * free, headed = head[i] > ground[i] ? 1.0f - free : 0.0f;
        const float level = (floor[i] - reference) + depth[i], filled = head[i] - reference;
        const float blocked = headed > 0.0f ? filled : NO_LEVEL;
        const float found = wet > 0.0f ? level : blocked;
        out->level_wet[2 * i] = wet * level;
        out->level_wet[2 * i + 1] = wet;
        out->moving_x[2 * i] = moving;
        out->moving_x[2 * i + 1] = moving * velocity_x[i];
        out->y_free[2 * i] = moving * velocity_y[i];
        out->y_free[2 * i + 1] = free;
        out->head_headed[2 * i] = headed > 0.0f ? filled : 0.0f;
        out->head_headed[2 * i + 1] = headed;
        highest[i] = found > highest[i] ? found : highest[i];
    }
}

// Four cells at once, so that they are put together in vectors.
static void lay(const tile_pairs *pairs, size_t fours, float (*restrict cells)[RL_NEAR_VALUES])
{
    const size_t pair = 2 * sizeof(float);
    for (size_t i = 0; i < fours * 4; i++) {
        memcpy(cells[i], pairs->level_wet + 2 * i, pair);
        memcpy(cells[i] + 2, pairs->moving_x + 2 * i, pair);
        memcpy(cells[i] + 4, pairs->y_free + 2 * i, pair);
        memcpy(cells[i] + 6, pairs->head_headed + 2 * i, pair);
    }
}

static void tile(const rl_near_tile_row *row)
{
    tile_pairs pairs;
    const size_t vectors = ((size_t)row->count + RL_LANES - 1) / RL_LANES;
    if (row->floor != NULL)
        tile_blocked(row, vectors, row->highest, &pairs);
    else
        tile_free(row, vectors, row->highest, &pairs);
    lay(&pairs, ((size_t)row->count + 3) / 4, row->cells);
}

const rl_near_rows ROWS_NAME(RL_ISA) = {
    .isa = TEXT(RL_ISA),
    .look = look,
    .lower_dry = lower_dry,
    .fill = fill,
    .sweep = sweep,
    .tile = tile,
};
