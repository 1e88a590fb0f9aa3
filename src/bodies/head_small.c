// SPDX-License-Identifier: MIT
// head_small.c - what head.c does, for groups that are small and simple, as most are: one body
// where it is and where it was, and the cells without a level of their own in one run in every row
// and column, none at a side of the grid. Then all lies at hand in a small place, and the loops
// over its rows need no branches (near_rows.c). The numbers are those of head.c.
#include "bodies/head_small.h"

#include <string.h>

// Cells [from, end) of a row.
typedef struct row_span {
    int from, end;
} row_span;

// A group and the box around it.
typedef struct small_group {
    const rl_head_fill *fill;
    const rl_box *boxes;
    const int *members;
    int count;
    rl_box all;
    row_span span[RL_NEAR_SIDE]; // of its rows: cells in a box of it
} small_group;

// ---- Looking ---------------------------------------------------------------------------

// Whether the group is small, and the cells of its boxes lie in one piece in every row: they do
// where some column goes through all boxes.
static bool measure(small_group *g)
{
    rl_box all = g->boxes[g->members[0]], common = all;
    for (int n = 1; n < g->count; n++) {
        const rl_box box = g->boxes[g->members[n]];
        all.i0 = box.i0 < all.i0 ? box.i0 : all.i0;
        all.j0 = box.j0 < all.j0 ? box.j0 : all.j0;
        all.i1 = box.i1 > all.i1 ? box.i1 : all.i1;
        all.j1 = box.j1 > all.j1 ? box.j1 : all.j1;
        common.i0 = box.i0 > common.i0 ? box.i0 : common.i0;
        common.i1 = box.i1 < common.i1 ? box.i1 : common.i1;
    }
    g->all = all;
    return all.i1 - all.i0 <= RL_NEAR_SIDE && all.j1 - all.j0 <= RL_NEAR_SIDE &&
           common.i0 < common.i1;
}

static void find_spans(small_group *g)
{
    for (int j = g->all.j0; j < g->all.j1; j++)
        g->span[j - g->all.j0] = (row_span){g->all.i1, g->all.i0};
    for (int n = 0; n < g->count; n++) {
        const rl_box box = g->boxes[g->members[n]];
        for (int j = box.j0; j < box.j1; j++) {
            row_span *span = &g->span[j - g->all.j0];
            span->from = box.i0 < span->from ? box.i0 : span->from;
            span->end = box.i1 > span->end ? box.i1 : span->end;
        }
    }
}

static void look_rows(const small_group *g, rl_near_levels *levels)
{
    const rl_head_fill *fill = g->fill;
    const rill_columns *columns = fill->columns;
    const rl_blocks *set = fill->set;
    const int i0 = g->all.i0, j0 = g->all.j0;
    for (int j = j0; j < g->all.j1; j++) {
        const size_t slot = (size_t)j * columns->pitch + (size_t)i0;
        const row_span span = g->span[j - j0];
        rl_near_row row = {.from = (float)(span.from - i0),
                           .end = (float)(span.end - i0),
                           .bed = columns->base + slot,
                           .depth = columns->depth + slot,
                           .wet = columns->wet_depth,
                           .touching = RL_HEAD_TOUCHING * columns->cell_size};
        if (set != NULL && set->first[j] < span.end && set->end[j] > span.from) {
            row.bed = rl_field_row(fill->raster->bed, j) + i0;
            row.floor = rl_field_row(&set->floor, j) + i0;
            row.lower = rl_field_row(&set->lower, j) + i0;
            row.upper = rl_field_row(&set->upper, j) + i0;
        }
        if (fill->bodies->rows->look(&row, j - j0, levels)) {
            levels->first_row = j - j0 < levels->first_row ? j - j0 : levels->first_row;
            levels->end_row = j - j0 + 1;
        }
    }
}

// ---- Runs ------------------------------------------------------------------------------

// Finds the run of a row; empty where there is none. False where there are several, or where an end
// of it is none of the group's cells.
static bool find_row(rl_near_levels *levels, int j, row_span *run)
{
    const float *kind = levels->kind[j], *level = levels->level[j];
    const int width = levels->width;
    int from = 0, end, next;
    while (from < width && !(kind[from] > 0.0f))
        from++;
    for (end = from; end < width && kind[end] > 0.0f;)
        end++;
    for (next = end; next < width && !(kind[next] > 0.0f);)
        next++;
    *run = (row_span){0, 0};
    levels->run[j] = (rl_near_run){0};
    if (from == width)
        return true;
    if (next < width || from == 0 || end == width || kind[from - 1] == RL_NEAR_OUTSIDE ||
        kind[end] == RL_NEAR_OUTSIDE)
        return false;
    *run = (row_span){from, end};
    levels->run[j] = (rl_near_run){(float)from, (float)end, level[from - 1],
                                   (level[end] - level[from - 1]) / (float)(end - from + 1)};
    return true;
}

// In columns [first, end) a run begins with row j.
static bool begin_columns(rl_near_levels *levels, int j, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (levels->from[i] > 0.0f || levels->kind[j - 1][i] == RL_NEAR_OUTSIDE)
            return false; // it is the second one, or it begins at cells of nobody
        levels->from[i] = (float)j;
        levels->before[i] = levels->level[j - 1][i];
    }
    return true;
}

// Or it ends before row j.
static bool end_columns(rl_near_levels *levels, int j, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (levels->kind[j][i] == RL_NEAR_OUTSIDE)
            return false;
        levels->end[i] = (float)j;
        levels->slope[i] =
            (levels->level[j][i] - levels->before[i]) / (levels->end[i] - levels->from[i] + 1.0f);
    }
    return true;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

// Runs of columns begin and end where the run of a row reaches farther than that of the row before,
// or less far.
static bool find_runs(rl_near_levels *levels)
{
    row_span before = {0, 0};
    if (levels->first_row == 0 || levels->end_row == levels->rows)
        return false;
    for (int j = levels->first_row; j <= levels->end_row; j++) {
        row_span here = {0, 0};
        if (j < levels->end_row && !find_row(levels, j, &here))
            return false;
        if (!begin_columns(levels, j, here.from, smaller(here.end, before.from)) ||
            !begin_columns(levels, j, larger(here.from, before.end), here.end) ||
            !end_columns(levels, j, before.from, smaller(before.end, here.from)) ||
            !end_columns(levels, j, larger(before.from, here.end), before.end))
            return false;
        before = here;
    }
    return true;
}

// ---- A group ---------------------------------------------------------------------------

static void begin(const small_group *g, rl_near_levels *levels)
{
    levels->width = g->all.i1 - g->all.i0;
    levels->rows = g->all.j1 - g->all.j0;
    levels->first_row = levels->rows;
    levels->end_row = 0;
    for (int n = 0; n < RL_NEAR_PITCH; n++) {
        levels->place[n] = (float)n;
        levels->highest[n] = -RL_BLOCK_NO_LOWER;
        levels->lowest[n] = RL_BLOCK_NO_LOWER;
        levels->least[n] = 0.0f;
        levels->from[n] = levels->end[n] = levels->before[n] = levels->slope[n] = 0.0f;
    }
}

bool rl_head_small(const rl_head_fill *fill, const rl_box *boxes, const int *members, int count)
{
    small_group g = {.fill = fill, .boxes = boxes, .members = members, .count = count};
    const rl_near_rows *rows = fill->bodies->rows;
    rl_near_levels levels;
    if (!measure(&g))
        return false;
    find_spans(&g);
    begin(&g, &levels);
    look_rows(&g, &levels);
    float highest = -RL_BLOCK_NO_LOWER, lowest = RL_BLOCK_NO_LOWER, least = 0.0f;
    for (int i = 0; i < levels.width; i++) {
        highest = levels.highest[i] > highest ? levels.highest[i] : highest;
        lowest = levels.lowest[i] < lowest ? levels.lowest[i] : lowest;
        least = levels.least[i] < least ? levels.least[i] : least;
    }
    const bool some_unknown = levels.first_row < levels.end_row;
    const bool some_dry = least <= RL_NEAR_DRY;
    if (some_unknown && some_dry)
        rows->lower_dry(&levels, highest);
    if (highest < lowest || (some_unknown && !find_runs(&levels)))
        return false;
    rows->fill(&levels);
    for (int n = 0; n < RL_HEAD_SWEEPS / 2 && (some_dry || highest - lowest >= RL_HEAD_FLAT); n++)
        rows->sweep(&levels);
    for (int j = g.all.j0; j < g.all.j1; j++) {
        const row_span span = g.span[j - g.all.j0];
        if (span.from < span.end)
            memcpy(rl_field_row(&fill->bodies->level, j) + span.from,
                   levels.level[j - g.all.j0] + (span.from - g.all.i0),
                   (size_t)(span.end - span.from) * sizeof(float));
    }
    return true;
}
