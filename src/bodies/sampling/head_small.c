// SPDX-License-Identifier: MIT
// head_small.c - what head.c does, for groups that are small and simple, as most are: one body
// where it is and where it was, and the cells without a level of their own in one run in every row
// and column, none at a side of the grid. Then all lies at hand in a small place, and the loops
// over its rows need no branches (box_rows.c). The numbers are those of head.c.
#include "bodies/blocking/body_raster.h"

#include "core/flags.h"

#include <string.h>

// A group and the box around it.
typedef struct small_group {
    const rl_head_fill *fill;
    const int *members; // boxes of the raster
    int count;
    rl_box all;
    rl_box_row rows[RL_BOX_SIDE]; // cells of its boxes, counted from the first of `all`
} small_group;

// ---- Reading ---------------------------------------------------------------------------

// Whether the group is small, and the cells of its boxes lie in one piece in every row: they do
// where some column goes through all boxes.
static bool measure(small_group *g)
{
    RL_ASSERT(g->count > 0);
    rl_box all = g->fill->raster->boxes[g->members[0]], common = all;
    for (int n = 1; n < g->count; n++) {
        const rl_box box = g->fill->raster->boxes[g->members[n]];
        all.i0 = box.i0 < all.i0 ? box.i0 : all.i0;
        all.j0 = box.j0 < all.j0 ? box.j0 : all.j0;
        all.i1 = box.i1 > all.i1 ? box.i1 : all.i1;
        all.j1 = box.j1 > all.j1 ? box.j1 : all.j1;
        common.i0 = box.i0 > common.i0 ? box.i0 : common.i0;
        common.i1 = box.i1 < common.i1 ? box.i1 : common.i1;
    }
    g->all = all;
    return all.i1 - all.i0 <= RL_BOX_SIDE && all.j1 - all.j0 <= RL_BOX_SIDE &&
           common.i0 < common.i1;
}

// Finds the cells of the rows, and what they are read from.
static void find_cells(small_group *g)
{
    const rl_box all = g->all;
    for (int j = 0; j < all.j1 - all.j0; j++) {
        g->rows[j].from = all.i1 - all.i0;
        g->rows[j].end = 0;
    }
    for (int n = 0; n < g->count; n++) {
        const rl_box box = g->fill->raster->boxes[g->members[n]];
        const int from = box.i0 - all.i0, end = box.i1 - all.i0;
        for (int j = box.j0; j < box.j1; j++) {
            rl_box_row *row = &g->rows[j - all.j0];
            row->from = from < row->from ? from : row->from;
            row->end = end > row->end ? end : row->end;
        }
    }
    for (int j = all.j0; j < all.j1; j++) {
        rl_box_row *row = &g->rows[j - all.j0];
        *row = rl_head_row(g->fill, j, all.i0, row->from, row->end);
    }
}

// ---- Runs ------------------------------------------------------------------------------

// Rows with unknown cells; returns whether there are any.
static bool find_rows(rl_box_levels *levels)
{
    levels->first_row = levels->rows;
    levels->end_row = 0;
    for (int j = 0; j < levels->rows; j++)
        if (levels->unknown[j] != 0) {
            levels->first_row = j < levels->first_row ? j : levels->first_row;
            levels->end_row = j + 1;
        }
    return levels->first_row < levels->end_row;
}

// The cells of a row that are the group's, as bits.
static uint32_t own_bits(const rl_box_row *row)
{
    const uint64_t one = 1;
    return row->from < row->end ? (uint32_t)((one << row->end) - (one << row->from)) : 0;
}

// Finds the run of a row. False where there are several, or where an end of it is none of the
// group's cells.
static bool find_run(const rl_box_row *row, rl_box_levels *levels, int j)
{
    const float *level = levels->level[j];
    const uint64_t unknown = levels->unknown[j], after = unknown + (unknown & (~unknown + 1));
    levels->run[j] = (rl_box_run){0};
    if (unknown == 0)
        return true;
    const int from = rl_bits_lowest(unknown), end = rl_bits_lowest(after);
    RL_ASSERT(from < end && end <= RL_BOX_SIDE);
    if ((unknown & after) != 0 || from <= row->from || end >= row->end)
        return false;
    levels->run[j] = (rl_box_run){(float)from, (float)end, level[from - 1],
                                  (level[end] - level[from - 1]) / (float)(end - from + 1)};
    return true;
}

// Columns have one run as well if none begins twice; and before and after it must be a cell of the
// group.
static bool find_runs(const small_group *g, rl_box_levels *levels)
{
    uint32_t before = 0, begun = 0;
    if (levels->first_row == 0 || levels->end_row == levels->rows)
        return false;
    for (int j = levels->first_row; j <= levels->end_row; j++) {
        const uint32_t here = levels->unknown[j], begin = here & ~before, end = before & ~here;
        if ((begin & begun) != 0 || (begin & ~own_bits(&g->rows[j - 1])) != 0 ||
            (end & ~own_bits(&g->rows[j])) != 0 || !find_run(&g->rows[j], levels, j))
            return false;
        begun |= begin;
        before = here;
    }
    return true;
}

// ---- A group ---------------------------------------------------------------------------

static void write_levels(const small_group *g, const rl_box_levels *levels)
{
    for (int j = 0; j < levels->rows; j++) {
        const rl_box_row *row = &g->rows[j];
        if (row->from < row->end)
            memcpy(rill_field_row(&g->fill->bodies->level, g->all.j0 + j) + g->all.i0 + row->from,
                   levels->level[j] + row->from, (size_t)(row->end - row->from) * sizeof(float));
    }
}

bool rl_head_small(const rl_head_fill *fill, const int *members, int count)
{
    const rl_box_rows *rows = fill->bodies->rows;
    small_group g;
    rl_box_levels levels;
    g.fill = fill;
    g.members = members;
    g.count = count;
    if (!measure(&g))
        return false;
    find_cells(&g);
    RL_ASSERT(g.all.i0 < g.all.i1 && g.all.j0 < g.all.j1);
    levels.width = g.all.i1 - g.all.i0;
    levels.rows = g.all.j1 - g.all.j0;
    levels.wet = fill->columns->wet_depth;
    levels.touching = RL_HEAD_TOUCHING * fill->columns->cell_size;
    const rl_box_seen seen = rows->read(g.rows, &levels);
    const bool some_unknown = find_rows(&levels);
    if (some_unknown && seen.some_dry)
        rows->lower_dry(&levels, seen.highest);
    if (seen.highest < seen.lowest || (some_unknown && !find_runs(&g, &levels)))
        return false;
    if (some_unknown) {
        const bool flat = !seen.some_dry && seen.highest - seen.lowest < RL_HEAD_FLAT;
        rows->fill(&levels);
        for (int n = 0; n < RL_HEAD_SWEEPS / 2 && !flat; n++)
            rows->sweep(&levels);
    }
    write_levels(&g, &levels);
    return true;
}
