// SPDX-License-Identifier: MIT
// pipes_columns.c - the pipes water as columns. Velocities are made when somebody looks, in the
// whole grid or in a few boxes of it.
#include "solvers/pipes/pipes.h"

#include <string.h>

#define TASK_ROWS 16

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
    return rl_pipes_block_row_of(s, y, rl_field_row(&s->depth, y));
}

// Velocities of cells [first, end) of row y.
static void velocity_run(rl_pipes *s, int y, int first, int end)
{
    float *u = rl_field_row(&s->velocity_x, y), *v = rl_field_row(&s->velocity_y, y);
    const rl_pipes_velocity_row row = {
        .first = first,
        .end = end,
        .hangs = rl_pipes_hangs_beside(s, y - 1) || rl_pipes_hangs(s, y + 1),
        .wet = s->wet_depth,
        .here = row_of(s, y),
        .south = row_of(s, y - 1),
        .north = row_of(s, y + 1),
        .qx = rl_field_row(&s->qx, y),
        .qy = rl_field_row(&s->qy, y),
        .qy_south = rl_field_row(&s->qy, y - 1),
        .velocity_x = u,
        .velocity_y = v,
    };
    s->rows->velocity(&row);
    // A vector may reach past the last cell; there is no velocity there.
    if (end + RL_MARGIN_X > s->nx) {
        memset(u + s->nx, 0, RL_MARGIN_X * sizeof *u);
        memset(v + s->nx, 0, RL_MARGIN_X * sizeof *v);
    }
}

// ---- The ground that columns show ------------------------------------------------------

// Cells [first, end) of a row of what columns stand on: base + depth is the level of 003 Eq. 5.
static void base_run(rl_pipes *s, int y, int first, int end)
{
    float *base = rl_field_row(&s->base, y);
    const float *floor = rl_field_row(&s->blocks->floor, y), *depth = rl_field_row(&s->depth, y);
    memcpy(base + first, floor + first, (size_t)(end - first) * sizeof *base);
    if (!s->blocks->hangs[y])
        return;
    const float *lower = rl_field_row(&s->blocks->lower, y);
    const float *upper = rl_field_row(&s->blocks->upper, y);
    for (int i = first; i < end; i++)
        if (depth[i] > lower[i] - floor[i])
            base[i] = floor[i] + (upper[i] - lower[i]);
}

static void base_row(rl_pipes *s, int y)
{
    float *base = rl_field_row(&s->base, y);
    const float *bed = rl_field_row(&s->bed, y);
    unsigned char *based = s->based + (size_t)y * s->line_pitch;
    rl_pipes_run run = {0, 0};
    if (s->base_stale)
        memcpy(base - RL_MARGIN_X, bed - RL_MARGIN_X, s->bed.pitch * sizeof *base);
    while (!s->base_stale && rl_pipes_next_run(s, based, based, &run))
        memcpy(base + run.first, bed + run.first, (size_t)(run.end - run.first) * sizeof *base);
    const unsigned char *lines = rl_pipes_lines(s, y);
    memcpy(based, lines, s->line_pitch);
    if (!rl_pipes_is_blocked(s, y))
        return;
    run = (rl_pipes_run){0, 0};
    while (rl_pipes_next_run(s, lines, lines, &run))
        base_run(s, y, run.first, run.end);
}

static bool shows_base(const rl_pipes *s)
{
    return s->blocks != NULL && s->base.memory != NULL;
}

// ---- Columns ---------------------------------------------------------------------------

typedef struct look {
    rl_pipes *s;
    const rl_box *boxes; // NULL: everywhere
    int count;
} look;

static void look_at_row(void *context, int y)
{
    rl_pipes *s = ((look *)context)->s;
    if (shows_base(s))
        base_row(s, y);
    velocity_run(s, y, 0, s->nx);
}

// Boxes may overlap, so they are cut by rows: each cell is written by one task.
static void look_at_boxes(void *context, int task)
{
    const look *l = context;
    rl_pipes *s = l->s;
    const int first = task * TASK_ROWS, end = smaller(first + TASK_ROWS, s->ny);
    for (int y = first; shows_base(s) && y < end; y++)
        base_row(s, y);
    for (int n = 0; n < l->count; n++) {
        const rl_box box = l->boxes[n];
        const int i0 = larger(box.i0, 0), i1 = smaller(box.i1, s->nx);
        for (int y = larger(box.j0, first); i0 < i1 && y < smaller(box.j1, end); y++)
            velocity_run(s, y, i0, i1);
    }
}

static rill_columns columns_of(rl_pipes *s)
{
    s->base_stale = s->base_stale && !shows_base(s);
    return (rill_columns){
        .nx = s->nx,
        .ny = s->ny,
        .layers = 1,
        .pitch = s->bed.pitch,
        .layer_stride = 0,
        .cell_size = (float)s->cell_size,
        .wet_depth = s->wet_depth,
        .base = shows_base(s) ? s->base.origin : s->bed.origin,
        .depth = s->depth.origin,
        .velocity_x = s->velocity_x.origin,
        .velocity_y = s->velocity_y.origin,
    };
}

rill_columns rl_pipes_columns(void *self, rl_jobs *jobs)
{
    look l = {.s = self};
    rl_jobs_run(jobs, l.s->ny, look_at_row, &l);
    return columns_of(l.s);
}

rill_columns rl_pipes_columns_in(void *self, rl_jobs *jobs, const rl_box *boxes, int count)
{
    look l = {self, boxes, count};
    rl_jobs_run(jobs, (l.s->ny + TASK_ROWS - 1) / TASK_ROWS, look_at_boxes, &l);
    return columns_of(l.s);
}
