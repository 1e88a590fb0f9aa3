// SPDX-License-Identifier: MIT
// pipes_columns.c - the water of the pipes solver as columns. Velocities are made when columns are
// asked for, in the whole grid or in a few boxes of it.
#include "solvers/pipes/pipes.h"

#include "core/assert.h"
#include "core/prefetch.h"

#include <string.h>

#define TASK_ROWS 16
#define NEARBY    64 // boxes that are worked on together
#define LINE      RL_PIPES_LINE

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// ---- Velocities ------------------------------------------------------------------------

static rl_pipes_block_row row_of(const rl_pipes *s, int y)
{
    return rl_pipes_block_row_of(s, y, rill_field_row(&s->depth, y));
}

// Row y; the cells of it are chosen by velocity_run().
static rl_pipes_velocity_row velocity_row(rl_pipes *s, int y)
{
    return (rl_pipes_velocity_row){
        .hangs = rl_pipes_hangs_beside(s, y - 1) || rl_pipes_hangs(s, y + 1),
        .wet = s->wet_depth,
        .here = row_of(s, y),
        .south = row_of(s, y - 1),
        .north = row_of(s, y + 1),
        .qx = rill_field_row(&s->qx, y),
        .qy = rill_field_row(&s->qy, y),
        .qy_south = rill_field_row(&s->qy, y - 1),
        .velocity_x = rill_field_row(&s->velocity_x, y),
        .velocity_y = rill_field_row(&s->velocity_y, y),
    };
}

// Velocities of cells [first, end) of a row.
static void velocity_run(const rl_pipes *s, rl_pipes_velocity_row *row, int first, int end)
{
    RL_ASSERT(first >= 0 && first < end && end <= s->nx);
    row->first = first;
    row->end = end;
    s->rows->velocity(row);
    // A vector may reach past the last cell; there is no velocity there.
    if (end + RILL_MARGIN_X > s->nx) {
        memset(row->velocity_x + s->nx, 0, RILL_MARGIN_X * sizeof(float));
        memset(row->velocity_y + s->nx, 0, RILL_MARGIN_X * sizeof(float));
    }
}

// ---- Velocities of small boxes ---------------------------------------------------------

// Row y of a box.
static rl_pipes_block_row box_row(const rl_pipes *s, int y)
{
    const bool hangs = rl_pipes_hangs(s, y);
    return (rl_pipes_block_row){.floor = rl_pipes_floor(s, y),
                                .depth = rill_field_row(&s->depth, y),
                                .lower = hangs ? rill_field_row(&s->blocks->lower, y) : NULL,
                                .upper = hangs ? rill_field_row(&s->blocks->upper, y) : NULL};
}

// Rows [j, j + rows) of a box; RL_PIPES_BOX rows at most. Parts that are worked on at once have the
// width of whole vectors, but for the easternmost one. That comes first: what is written behind its
// rows is written over by the others.
static void velocities_of_rows(const rl_pipes *s, rl_box box, int j, int rows, float *velocity_x,
                               float *velocity_y)
{
    RL_ASSERT(rows > 0 && rows <= RL_PIPES_BOX);
    rl_pipes_block_row cells[RL_PIPES_BOX + 2];
    const int width = box.i1 - box.i0;
    for (int y = 0; y < rows + 2; y++)
        cells[y] = box_row(s, j - 1 + y);
    for (int i = (width - 1) / RL_PIPES_BOX * RL_PIPES_BOX; i >= 0; i -= RL_PIPES_BOX) {
        const size_t to = (size_t)(j - box.j0) * (size_t)width + (size_t)i;
        const rl_pipes_velocity_box part = {.first = box.i0 + i,
                                            .width = smaller(width - i, RL_PIPES_BOX),
                                            .rows = rows,
                                            .wet = s->wet_depth,
                                            .cells = cells,
                                            .qx = rill_field_row(&s->qx, j),
                                            .qy = rill_field_row(&s->qy, j),
                                            .pitch = s->qx.pitch,
                                            .velocity_x = velocity_x + to,
                                            .velocity_y = velocity_y + to,
                                            .out_pitch = (size_t)width};
        s->rows->velocities(&part);
    }
}

// Copies the velocities of a box, or, with no place for them, brings it into the cache. Several
// threads may be here at once.
static void velocities_in(const rl_pipes *s, rl_box box, float *velocity_x, float *velocity_y)
{
    RL_ASSERT(box.i0 >= 0 && box.i1 <= s->nx && box.j0 >= 0 && box.j1 <= s->ny);
    const int first = (box.i0 - 1) & ~(LINE - 1);
    for (int j = box.j0; j < box.j1 && velocity_x != NULL; j += RL_PIPES_BOX)
        velocities_of_rows(s, box, j, smaller(box.j1 - j, RL_PIPES_BOX), velocity_x, velocity_y);
    // Here and not in a function of its own: see core/prefetch.h.
    for (int y = box.j0 - 1; y <= box.j1 && velocity_x == NULL; y++) {
        const rl_pipes_block_row row = box_row(s, y);
        for (int i = first; i <= box.i1; i += LINE) {
            RL_PREFETCH(row.depth + i);
            RL_PREFETCH(row.floor + i);
            RL_PREFETCH(rill_field_row(&s->qx, y) + i);
            RL_PREFETCH(rill_field_row(&s->qy, y) + i);
            if (row.lower != NULL) {
                RL_PREFETCH(row.lower + i);
                RL_PREFETCH(row.upper + i);
            }
        }
    }
}

// ---- The ground that columns show ------------------------------------------------------

// Cells [first, end) of a row of what columns stand on: base + depth is the level of Kellomäki
// Eq. 5.
static void base_run(const rl_pipes *s, int y, int first, int end)
{
    const rl_pipes_block_row row = row_of(s, y);
    const float *restrict floor = row.floor, *restrict depth = row.depth;
    const float *restrict lower = row.lower, *restrict upper = row.upper;
    float *restrict base = rill_field_row(&s->base, y);
    if (!rl_pipes_hangs(s, y)) {
        memcpy(base + first, floor + first, (size_t)(end - first) * sizeof *base);
        return;
    }
    for (int i = first; i < end; i++) {
        const float lifted = floor[i] + (upper[i] - lower[i]);
        base[i] = depth[i] > lower[i] - floor[i] ? lifted : floor[i];
    }
}

// Whether some of the flags of a row is set.
static bool some_set(const rl_pipes *s, const unsigned char *flags)
{
    uint64_t all = 0;
    for (size_t line = 0; line < s->line_pitch; line += sizeof all) {
        uint64_t eight;
        memcpy(&eight, flags + line, sizeof eight);
        all |= eight;
    }
    return all != 0;
}

static void base_row(rl_pipes *s, int y)
{
    const unsigned char *lines = rl_pipes_lines(s, y);
    unsigned char *based = s->based + (size_t)y * s->line_pitch;
    const bool blocked = rl_pipes_is_blocked(s, y);
    if (s->base_stale)
        memcpy(rill_field_row(&s->base, y) - RILL_MARGIN_X,
               rill_field_row(&s->bed, y) - RILL_MARGIN_X, s->bed.pitch * sizeof(float));
    else if (!blocked && !some_set(s, based))
        return;
    // Where nothing is blocked any more the floor is the bed again.
    rl_pipes_run run = {0, 0};
    while (rl_pipes_next_run(s, based, lines, &run))
        base_run(s, y, run.first, run.end);
    memcpy(based, lines, s->line_pitch);
}

static bool shows_base(const rl_pipes *s)
{
    return s->blocks != NULL && s->base.memory != NULL;
}

// ---- Columns ---------------------------------------------------------------------------

typedef struct reading {
    rl_pipes *s;
    const rl_box *boxes;
    int count;
} reading;

static void read_row(void *context, int y)
{
    rl_pipes *s = context;
    if (shows_base(s))
        base_row(s, y);
    rl_pipes_velocity_row row = velocity_row(s, y);
    velocity_run(s, &row, 0, s->nx);
}

// Some boxes in rows [first, end).
static void read_boxes_of_rows(rl_pipes *s, const rl_box *boxes, int count, int first, int end)
{
    for (int y = first; y < end; y++) {
        rl_pipes_velocity_row row;
        bool begun = false;
        for (int n = 0; n < count; n++) {
            const int i0 = larger(boxes[n].i0, 0), i1 = smaller(boxes[n].i1, s->nx);
            if (y < boxes[n].j0 || y >= boxes[n].j1 || i0 >= i1)
                continue;
            if (!begun)
                row = velocity_row(s, y);
            begun = true;
            velocity_run(s, &row, i0, i1);
        }
    }
}

// Boxes may overlap, so they are cut by rows: each cell is written by one task.
static void read_boxes(void *context, int task)
{
    const reading *r = context;
    rl_pipes *s = r->s;
    const int first = task * TASK_ROWS, end = smaller(first + TASK_ROWS, s->ny);
    rl_box boxes[NEARBY];
    int count = 0;
    for (int n = 0; n < r->count; n++) {
        if (r->boxes[n].j0 < end && r->boxes[n].j1 > first)
            boxes[count++] = r->boxes[n];
        if (count == NEARBY || n + 1 == r->count) {
            read_boxes_of_rows(s, boxes, count, first, end);
            count = 0;
        }
    }
}

static rill_columns columns_of(const rl_pipes *s, const rill_field *base)
{
    return rl_columns_view(base, &s->depth, &s->velocity_x, &s->velocity_y, s->cell_size,
                           s->wet_depth);
}

rill_columns rl_pipes_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_pipes *s = self;
    if (request == NULL) {
        const bool with_base = shows_base(s);
        rl_jobs_run(jobs, s->ny, read_row, s);
        s->base_stale = s->base_stale && !with_base;
        return columns_of(s, with_base ? &s->base : &s->bed);
    }
    if (request->velocity_x != NULL || request->prefetch) {
        RL_ASSERT(request->box_count == 1 && request->prefetch == (request->velocity_x == NULL));
        velocities_in(s, request->boxes[0], request->velocity_x, request->velocity_y);
        return (rill_columns){0};
    }
    reading r = {s, request->boxes, request->box_count};
    if (r.count > 0)
        rl_jobs_run(jobs, (s->ny + TASK_ROWS - 1) / TASK_ROWS, read_boxes, &r);
    return columns_of(s, &s->bed);
}
