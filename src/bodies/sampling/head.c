// SPDX-License-Identifier: MIT
// head.c - the level that bodies feel (erratum 11 to Kellomäki). A cell whose water a body presses
// down, or which is full of a body that stands in it, has no level of its own that would say how
// large the pressure is: the water around presses into it. Its level is filled in from the cells
// around that have one, first straight across in rows and columns, then by some sweeps towards a
// harmonic function, which is how water seeps under a dam.
//
// Boxes around bodies that overlap form a group, and each group is the work of one thread, so that
// no cell is the work of two.
#include "bodies/blocking/body_raster.h"

#include <string.h>

// What is known of a cell.
enum { UNSEEN, DRY, WET, UNKNOWN, FILLED, WHAT = 15, BESIDE_WATER = 16, SEEN = 32 };

typedef struct head_group {
    const rl_head_fill *fill;
    const int *members; // boxes of the raster
    int count;
    float highest, lowest; // of wet cells
    bool some_dry, some_unknown;
    bool forth; // a sweep goes from the level to the other array, else back
} head_group;

static unsigned char *kind_at(const head_group *g, int i, int j)
{
    return g->fill->raster->kind + (size_t)j * (size_t)g->fill->bodies->nx + (size_t)i;
}

// A second array for levels.
static float *other_at(const head_group *g, int i, int j)
{
    return g->fill->raster->other + (size_t)j * g->fill->raster->pitch + (size_t)i;
}

static float *level_at(const head_group *g, int i, int j)
{
    return rill_field_row(&g->fill->bodies->level, j) + i;
}

// ---- Boxes and groups ------------------------------------------------------------------

// Where bodies were when the solver was told, and where they are, if that is somewhere else.
static void collect_boxes(const rl_bodies *b, rl_raster *r)
{
    r->box_count = 0;
    memset(r->felt, 0, (size_t)b->def.max_bodies * sizeof *r->felt);
    for (int n = 0; n < r->body_count; n++) {
        r->felt_at[r->box_count] = -1;
        r->boxes[r->box_count++] = rl_box_grown(r->unsorted[n].box, 1, b->nx, b->ny);
    }
    for (int n = 0, known = 0; n < b->def.max_bodies; n++) {
        if (!rl_body_blocks(&b->items[n]))
            continue;
        const rl_box box = rl_raster_box(b, &b->items[n]);
        if (box.i0 >= box.i1 || box.j0 >= box.j1)
            continue;
        while (known < r->body_count && r->unsorted[known].place < n)
            known++;
        r->felt[n] = true;
        if (known == r->body_count || r->unsorted[known].place != n ||
            memcmp(&r->unsorted[known].box, &box, sizeof box) != 0) {
            r->felt_at[r->box_count] = n;
            r->boxes[r->box_count++] = rl_box_grown(box, 1, b->nx, b->ny);
        } else {
            r->felt_at[known] = n;
        }
    }
}

static int root_of(int *parent, int n)
{
    while (parent[n] != n) {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    return n;
}

// Joins boxes that overlap or are less than a cell apart: bodies read so far. Each finds those that
// begin in the rows before it.
static void join_boxes(const rl_bodies *b, rl_raster *r)
{
    int tallest = 0;
    memset(r->row_start, 0, ((size_t)b->ny + 1) * sizeof *r->row_start);
    for (int n = 0; n < r->box_count; n++) {
        const int rows = r->boxes[n].j1 - r->boxes[n].j0;
        tallest = rows > tallest ? rows : tallest;
        r->row_start[r->boxes[n].j0 + 1]++;
        r->parent[n] = n;
    }
    for (int j = 0; j < b->ny; j++)
        r->row_start[j + 1] += r->row_start[j];
    for (int n = 0; n < r->box_count; n++)
        r->order[r->row_start[r->boxes[n].j0]++] = n;
    for (int n = 0; n < r->box_count; n++) {
        const rl_box one = r->boxes[r->order[n]];
        for (int k = n - 1; k >= 0 && r->boxes[r->order[k]].j0 >= one.j0 - tallest; k--) {
            const rl_box two = r->boxes[r->order[k]];
            if (two.j1 < one.j0 || two.i1 < one.i0 || one.i1 < two.i0)
                continue;
            const int a = root_of(r->parent, r->order[n]), c = root_of(r->parent, r->order[k]);
            r->parent[a > c ? a : c] = a > c ? c : a;
        }
    }
}

// Lists the boxes of each group. A group's root is its first box.
static void list_groups(rl_raster *r)
{
    r->group_count = 0;
    int *group = r->order; // of a box
    for (int n = 0; n < r->box_count; n++) {
        const int root = root_of(r->parent, n);
        RL_ASSERT(root >= 0 && root <= n);
        group[n] = root == n ? r->group_count++ : group[root];
    }
    memset(r->group_start, 0, ((size_t)r->group_count + 1) * sizeof *r->group_start);
    for (int n = 0; n < r->box_count; n++)
        r->group_start[group[n]]++;
    for (int g = 1; g <= r->group_count; g++)
        r->group_start[g] += r->group_start[g - 1];
    for (int n = r->box_count - 1; n >= 0; n--)
        r->members[--r->group_start[group[n]]] = n;
}

// ---- What cells know -------------------------------------------------------------------

// Reads the cells [i, i + count) of row j, at most RL_BOX_SIDE, by the loops that small groups are
// read with (box_rows.c): a row of one box is a group of one row.
static void read_cells(head_group *group, rl_box box, int j, int i, int count)
{
    const rl_head_fill *fill = group->fill;
    const rill_columns *columns = fill->columns;
    rl_box_row row = rl_head_row(fill, j, i, box.i0 - i, box.i1 - i);
    row.from = 0;
    row.end = count;
    RL_ASSERT(count > 0 && count <= RL_BOX_SIDE);
    rl_box_levels read;
    read.width = count;
    read.rows = 1;
    read.wet = columns->wet_depth;
    read.touching = RL_HEAD_TOUCHING * columns->cell_size;
    const rl_box_seen seen = fill->bodies->rows->read(&row, &read);
    memcpy(level_at(group, i, j), read.level[0], (size_t)count * sizeof(float));
    memcpy(other_at(group, i, j), read.level[0], (size_t)count * sizeof(float));
    unsigned char *kind = kind_at(group, i, j);
    for (int n = 0; n < count; n++)
        kind[n] = read.kind[0][n] == RL_BOX_UNKNOWN ? UNKNOWN
                  : read.kind[0][n] == RL_BOX_WET   ? WET
                                                    : DRY;
    group->highest = seen.highest > group->highest ? seen.highest : group->highest;
    group->lowest = seen.lowest < group->lowest ? seen.lowest : group->lowest;
    group->some_dry |= seen.some_dry != 0;
    group->some_unknown |= read.unknown[0] != 0;
}

// Boxes of a group overlap, so some cells are read twice; they give the same.
static void read_row(head_group *group, rl_box box, int j)
{
    for (int i = box.i0; i < box.i1; i += RL_BOX_SIDE)
        read_cells(group, box, j, i, box.i1 - i < RL_BOX_SIDE ? box.i1 - i : RL_BOX_SIDE);
}

// Dry ground presses on nothing: beside water it counts as its surface where that would be lower
// than the water, and not where it rises above it.
static void lower_dry_row(head_group *group, rl_box box, int j)
{
    const unsigned char *kind = kind_at(group, box.i0, j);
    float *level = level_at(group, box.i0, j), *other = other_at(group, box.i0, j);
    for (int i = 0; i < box.i1 - box.i0; i++)
        if (kind[i] == DRY && level[i] > group->highest)
            level[i] = other[i] = group->highest;
}

// ---- Filling in ------------------------------------------------------------------------

// Between the two ends of a run of unknown cells.
typedef struct across {
    float before, slope; // the level before its first cell, and its change from cell to cell
    int length;
    bool has_before, has_after, water;
} across;

// Levels and kinds of its cells lie so far apart. At a side of the grid it has no cell at that end.
static across cross_over(const float *level, const unsigned char *kind, size_t levels, size_t kinds,
                         int length, bool has_before, bool has_after)
{
    const float before = has_before ? *(level - levels) : 0.0f;
    const float after = has_after ? level[(size_t)length * levels] : 0.0f;
    return (across){.before = has_before ? before : after,
                    .slope =
                        has_before && has_after ? (after - before) / (float)(length + 1) : 0.0f,
                    .length = length,
                    .has_before = has_before,
                    .has_after = has_after,
                    .water = (has_before && *(kind - kinds) == WET) ||
                             (has_after && kind[(size_t)length * kinds] == WET)};
}

// How far away the ends are at cell n, both together: the product of the ways, or the square of the
// one; 0 when there are no ends.
static float distance_of(const across *a, int n)
{
    const float to_before = (float)(n + 1), to_after = (float)(a->length - n);
    if (!a->has_before)
        return a->has_after ? to_after * to_after : 0.0f;
    return to_before * (a->has_after ? to_after : to_before);
}

// Rows: the value goes to `other`, its distance to the level.
static void fill_run(head_group *group, int i, int end, int j)
{
    const int nx = group->fill->bodies->nx;
    unsigned char *kind = kind_at(group, i, j);
    float *level = level_at(group, i, j), *other = other_at(group, i, j);
    const int length = end - i;
    const across a = cross_over(level, kind, 1, 1, length, i > 0, end < nx);
    // Marked even without water, so that no other box does this run again.
    const unsigned char mark = (unsigned char)(UNKNOWN | (a.water ? BESIDE_WATER : SEEN));
    for (int n = 0; n < length; n++) {
        level[n] = distance_of(&a, n);
        if (level[n] > 0.0f)
            other[n] = a.before + a.slope * (float)(n + 1);
        kind[n] = mark;
    }
}

static void fill_row(head_group *group, rl_box box, int j)
{
    const int nx = group->fill->bodies->nx;
    const unsigned char *kind = kind_at(group, box.i0, j);
    for (int i = box.i0; i < box.i1; i++) {
        if (kind[i - box.i0] != UNKNOWN)
            continue;
        int end = i; // runs may go on into the next box
        while (end < nx && *kind_at(group, end, j) == UNKNOWN)
            end++;
        // A run that began in the box before this one is marked, or will be from there.
        if (i > box.i0 || i == 0 || (*kind_at(group, i - 1, j) & WHAT) != UNKNOWN)
            fill_run(group, i, end, j);
        i = end;
    }
}

// Columns: both values together, the one with the shorter distance counting more.
static void fill_column_run(const head_group *group, int i, int j, int end)
{
    const int ny = group->fill->bodies->ny;
    const size_t pitch = group->fill->bodies->level.pitch;
    const size_t kinds = (size_t)group->fill->bodies->nx;
    float *level = level_at(group, i, j), *other = other_at(group, i, j);
    unsigned char *kind = kind_at(group, i, j);
    const int length = end - j;
    const across a = cross_over(level, kind, pitch, kinds, length, j > 0, end < ny);
    for (int n = 0; n < length; n++) {
        const float row = *level, column = distance_of(&a, n);
        const float value = a.before + a.slope * (float)(n + 1);
        if (row > 0.0f && column > 0.0f)
            *other = (column * *other + row * value) / (row + column);
        else if (column > 0.0f)
            *other = value;
        *level = *other;
        *kind = (unsigned char)(FILLED | (*kind & BESIDE_WATER) | (a.water ? BESIDE_WATER : 0));
        level += pitch;
        other += group->fill->raster->pitch;
        kind += kinds;
    }
}

static void fill_columns(const head_group *group, rl_box box)
{
    const int ny = group->fill->bodies->ny;
    for (int j = box.j0; j < box.j1; j++) {
        const unsigned char *kind = kind_at(group, box.i0, j);
        for (int i = box.i0; i < box.i1; i++) {
            if ((kind[i - box.i0] & WHAT) != UNKNOWN)
                continue;
            if (j > 0 && (*kind_at(group, i, j - 1) & WHAT) == UNKNOWN)
                continue; // another box comes to where it begins
            int end = j;
            while (end < ny && (*kind_at(group, i, end) & WHAT) == UNKNOWN)
                end++;
            fill_column_run(group, i, j, end);
        }
    }
}

// One sweep of Jacobi over the cells [from, end) of row j, between the level and the other array;
// beyond the borders of the grid it is as inside.
static void sweep_run(const head_group *group, int j, int from, int end_cell, bool forth)
{
    const int nx = group->fill->bodies->nx, ny = group->fill->bodies->ny;
    float *const level = level_at(group, from, j), *const other = other_at(group, from, j);
    const size_t pitch = forth ? group->fill->bodies->level.pitch : group->fill->raster->pitch;
    const float *mid = forth ? level : other;
    const float *south = j > 0 ? mid - pitch : mid;
    const float *north = j + 1 < ny ? mid + pitch : mid;
    float *restrict to = forth ? other : level;
    int i = 0, end = end_cell - from;
    if (from == 0) {
        to[0] = 0.25f * ((mid[0] + mid[nx > 1]) + (south[0] + north[0]));
        i++;
    }
    if (end_cell == nx && end > i) {
        end--;
        to[end] = 0.25f * ((mid[end - 1] + mid[end]) + (south[end] + north[end]));
    }
    for (; i < end; i++)
        to[i] = 0.25f * ((mid[i - 1] + mid[i + 1]) + (south[i] + north[i]));
}

static void sweep_row(head_group *group, rl_box box, int j)
{
    const unsigned char *kind = kind_at(group, box.i0, j);
    for (int i = 0; i < box.i1 - box.i0; i++) {
        const int from = i;
        while (i < box.i1 - box.i0 && (kind[i] & WHAT) == FILLED)
            i++;
        if (i > from)
            sweep_run(group, j, box.i0 + from, box.i0 + i, group->forth);
    }
}

// ---- Drawing ---------------------------------------------------------------------------

static void show_row(head_group *group, rl_box box, int j)
{
    const rl_head_fill *fill = group->fill;
    const rl_blocks *set = fill->set;
    const unsigned char *kind = kind_at(group, box.i0, j);
    const float *bed = rill_field_row(fill->raster->bed, j);
    const float *level = rill_field_row(&fill->bodies->level, j);
    const float *depth = fill->columns->depth + (size_t)j * fill->columns->pitch;
    float *base_out = rill_field_row(&fill->bodies->show_base, j);
    float *depth_out = rill_field_row(&fill->bodies->show_depth, j);
    const int from = box.i0 > set->first[j] ? box.i0 : set->first[j];
    const int end = box.i1 < set->end[j] ? box.i1 : set->end[j];
    for (int i = from; i < end; i++) {
        const rl_block block = rl_blocks_at(set, i, j, bed[i]);
        const rl_block_water own = rl_block_divide(block, depth[i]);
        if ((kind[i - box.i0] & WHAT) < UNKNOWN) {
            base_out[i] = own.above > 0.0f ? own.level - depth[i] : block.floor;
            continue;
        }
        const bool water = (kind[i - box.i0] & BESIDE_WATER) != 0;
        float top = water ? level[i] : bed[i];
        top = depth[i] > 0.0f && own.level > top ? own.level : top;
        base_out[i] = bed[i];
        depth_out[i] = top > bed[i] ? top - bed[i] : 0.0f;
    }
}

// ---- A group ---------------------------------------------------------------------------

typedef void (*row_work)(head_group *group, rl_box box, int j);

static void for_rows(head_group *group, row_work work)
{
    for (int n = 0; n < group->count; n++) {
        const rl_box box = group->fill->raster->boxes[group->members[n]];
        for (int j = box.j0; j < box.j1; j++)
            work(group, box, j);
    }
}

static void no_water_row(head_group *group, rl_box box, int j)
{
    float *level = level_at(group, box.i0, j);
    for (int i = 0; i < box.i1 - box.i0; i++)
        level[i] = -RL_BLOCK_NO_LOWER;
}

static void forget_row(head_group *group, rl_box box, int j)
{
    memset(kind_at(group, box.i0, j), UNSEEN, (size_t)(box.i1 - box.i0));
}

static void fill_group(head_group *group)
{
    if (group->some_dry)
        for_rows(group, lower_dry_row);
    for_rows(group, fill_row);
    for (int n = 0; n < group->count; n++)
        fill_columns(group, group->fill->raster->boxes[group->members[n]]);
    if (!group->some_dry && group->highest - group->lowest < RL_HEAD_FLAT)
        return;
    for (int n = 0; n < RL_HEAD_SWEEPS; n++) {
        group->forth = n % 2 == 0;
        for_rows(group, sweep_row);
    }
}

static void work_group(head_group *group)
{
    for_rows(group, read_row);
    const bool water = group->highest >= group->lowest;
    if (water && group->some_unknown)
        fill_group(group);
    if (group->fill->show)
        for_rows(group, show_row);
    if (!water)
        for_rows(group, no_water_row);
}

void rl_head_group(const rl_head_fill *fill, int g)
{
    const rl_raster *r = fill->raster;
    RL_ASSERT(g >= 0 && g < r->group_count);
    head_group group = {.fill = fill,
                        .members = r->members + r->group_start[g],
                        .count = r->group_start[g + 1] - r->group_start[g],
                        .highest = -RL_BLOCK_NO_LOWER,
                        .lowest = RL_BLOCK_NO_LOWER};
    if (!fill->show && rl_head_small(fill, group.members, group.count))
        return;
    work_group(&group);
    for_rows(&group, forget_row);
}

rl_head_fill rl_head_fill_of(rl_bodies *bodies, const rl_body_water *water)
{
    const rl_blocks *set = bodies->has_blocks ? &bodies->blocks : NULL;
    return (rl_head_fill){bodies, rl_raster_of(bodies), set, &water->columns, false};
}

void rl_head_plan(const rl_head_fill *fill)
{
    collect_boxes(fill->bodies, fill->raster);
    join_boxes(fill->bodies, fill->raster);
    list_groups(fill->raster);
}

static void level_group(void *context, int g)
{
    rl_head_group(context, g);
}

void rl_head_levels(const rl_head_fill *fill, rl_jobs *jobs)
{
    rl_head_plan(fill);
    rl_jobs_run(jobs, fill->raster->group_count, level_group, (void *)fill);
}

// ---- Columns as they are drawn ---------------------------------------------------------
//
// Where a body presses the water down or stands in it, columns end far below the water around, and
// a picture of them would bend down to the body from half a cell outside of it (Kellomäki section
// 4.4 and Fig. 7). So the water goes on through the body at the level that is filled in, hidden by
// the body itself. A body that just goes under does not flicker: the level that was filled in is
// that of the water which then runs over it.

#define ROWS_PER_TASK 32

typedef struct show_task {
    rl_bodies *bodies;
    const rill_columns *truth;
} show_task;

static void copy_rows(void *context, int index)
{
    const show_task *task = context;
    const rill_columns *truth = task->truth;
    const size_t bytes = (size_t)truth->nx * sizeof(float);
    const int end = (index + 1) * ROWS_PER_TASK;
    for (int j = index * ROWS_PER_TASK; j < end && j < truth->ny; j++) {
        const size_t from = (size_t)j * truth->pitch;
        memcpy(rill_field_row(&task->bodies->show_base, j), truth->base + from, bytes);
        memcpy(rill_field_row(&task->bodies->show_depth, j), truth->depth + from, bytes);
    }
}

rill_columns rl_bodies_show(rl_bodies *bodies, rl_jobs *jobs, const rill_columns *truth)
{
    if (!bodies->can_block || !bodies->has_blocks)
        return *truth;
    RL_ASSERT(truth->nx == bodies->nx && truth->ny == bodies->ny && truth->layers <= 1);
    const show_task task = {bodies, truth};
    rl_jobs_run(jobs, (truth->ny + ROWS_PER_TASK - 1) / ROWS_PER_TASK, copy_rows, (void *)&task);
    const rl_head_fill fill = {bodies, rl_raster_of(bodies), &bodies->blocks, truth, true};
    rl_head_levels(&fill, jobs);
    rill_columns shown = *truth;
    shown.base = bodies->show_base.origin;
    shown.depth = bodies->show_depth.origin;
    shown.pitch = bodies->show_base.pitch;
    return shown;
}
