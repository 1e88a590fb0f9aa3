// SPDX-License-Identifier: MIT
// pipes_blocks.c - bodies that block the pipes water (003 sections 4.2 and 4.3): water gives way to
// them when they move, and flows below and above those that hang. What rests on the ground needs no
// more than another ground in the sweep.
#include "solvers/pipes/pipes.h"

#include <string.h>

#define LINE      RL_PIPES_LINE
#define TASK_ROWS 16 // of a task

// ---- Water gives way -------------------------------------------------------------------

// One row of a set, whole: where nothing is blocked it is the bed with nothing above.
typedef struct set_row {
    const float *floor, *lower, *upper;
    int first, end;
} set_row;

static set_row row_of(const rl_pipes *s, const rl_blocks *blocks, int y)
{
    if (blocks == NULL || blocks->first[y] >= blocks->end[y])
        return (set_row){rl_field_row(&s->bed, y), s->no_lower, s->no_upper, s->nx, 0};
    const bool hangs = blocks->hangs[y];
    return (set_row){.floor = rl_field_row(&blocks->floor, y),
                     .lower = hangs ? rl_field_row(&blocks->lower, y) : s->no_lower,
                     .upper = hangs ? rl_field_row(&blocks->upper, y) : s->no_upper,
                     .first = blocks->first[y],
                     .end = blocks->end[y]};
}

static rl_block cell_of(const set_row *row, int i)
{
    return (rl_block){row->floor[i], row->lower[i], row->upper[i]};
}

// Are LINE cells from `i` on alike, bit for bit?
static bool is_same(const float *a, const float *b, int i)
{
    return memcmp(a + i, b + i, LINE * sizeof(float)) == 0;
}

static double above_zero(double a)
{
    return a > 0.0 ? a : 0.0;
}

// Takes `old` out of a column, the surface of the water above it staying where it is, and puts
// `now` in. Returns what the column lost by that, metres. A film on a body is no surface: it would
// draw up as much water as the body is high, where the water around it is low.
static double give_way(rl_block old, rl_block now, float bed, float film, float *depth,
                       float *remainder)
{
    const double before = (double)*depth + (double)*remainder;
    double water = before;
    if (*depth > film)
        water += above_zero((double)old.floor - (double)bed);
    if (rl_block_divide(old, *depth).above > film)
        water += (double)old.upper - (double)old.lower;

    water = above_zero(water - above_zero((double)now.floor - (double)bed));
    const float room = now.lower - now.floor;
    if (now.lower < RL_BLOCK_NO_LOWER && water > (double)room) {
        const double height = (double)now.upper - (double)now.lower;
        water = water > (double)room + height ? water - height : (double)room;
    }
    *depth = (float)water;
    // Nothing that a later rounding could lift above a body which presses the water down.
    *remainder = *depth == room ? 0.0f : (float)(water - (double)*depth);
    return before - ((double)*depth + (double)*remainder);
}

typedef struct change {
    rl_pipes *s;
    const rl_blocks *now;
    double *owed; // NULL: the water stays as it is
} change;

// Cells [from, to) of a row.
static void change_cells(const change *c, int y, const set_row *old, const set_row *now, int from,
                         int to)
{
    rl_pipes *s = c->s;
    const float *bed = rl_field_row(&s->bed, y);
    float *depth = rl_field_row(&s->depth, y), *remainder = rl_field_row(&s->remainder, y);
    double *owed = c->owed + (size_t)y * (size_t)s->nx;
    for (int i = from; i < to; i++) {
        const rl_block was = cell_of(old, i), is = cell_of(now, i);
        if (rl_block_same(was, is))
            continue;
        owed[i] += give_way(was, is, bed[i], s->wet_depth, &depth[i], &remainder[i]);
        s->raised[y] = depth[i] > s->raised[y] ? depth[i] : s->raised[y];
    }
}

// Marks the lines of a row in which something is blocked now, and lets the water give way in those
// where something is or was.
static void change_row(const change *c, int y)
{
    rl_pipes *s = c->s;
    const set_row old = row_of(s, s->blocks, y), now = row_of(s, c->now, y);
    const int first = old.first < now.first ? old.first : now.first;
    const int end = old.end > now.end ? old.end : now.end;
    const float *bed = rl_field_row(&s->bed, y);
    unsigned char *lines = rl_pipes_lines(s, y);
    // Whole lines: the ghosts of both sets are alike.
    for (int line = first / LINE * LINE; line < end; line += LINE) {
        const bool was = lines[line / LINE] != 0;
        const bool is = !is_same(now.floor, bed, line) || !is_same(now.lower, s->no_lower, line);
        lines[line / LINE] = is;
        if (c->owed == NULL || !(was || is) ||
            (is_same(old.floor, now.floor, line) && is_same(old.lower, now.lower, line) &&
             is_same(old.upper, now.upper, line)))
            continue;
        change_cells(c, y, &old, &now, line > first ? line : first,
                     line + LINE < end ? line + LINE : end);
    }
}

static void change_rows(void *context, int task)
{
    const change *c = context;
    const int first = task * TASK_ROWS, ny = c->s->ny;
    for (int y = first; y < first + TASK_ROWS && y < ny; y++)
        change_row(c, y);
}

void rl_pipes_block(void *self, rl_jobs *jobs, const rl_blocks *now, double *owed)
{
    rl_pipes *s = self;
    change c = {s, now, owed};
    if (owed != NULL && now == s->blocks)
        return; // a set in use does not change but for a restored state, which owes nothing here
    // What the old set was is known only while it is as it was handed over.
    if (owed == NULL)
        memset(s->lines, 0, s->lines_bytes);
    if (now != NULL || s->blocks != NULL)
        rl_jobs_run(jobs, (s->ny + TASK_ROWS - 1) / TASK_ROWS, change_rows, &c);
    s->blocks = now;
}

static uint64_t eight_of(const unsigned char *a, const unsigned char *b, int line)
{
    uint64_t of_a, of_b;
    memcpy(&of_a, a + line, sizeof of_a);
    memcpy(&of_b, b + line, sizeof of_b);
    return of_a | of_b;
}

bool rl_pipes_next_run(const rl_pipes *s, const unsigned char *a, const unsigned char *b,
                       rl_pipes_run *run)
{
    const int count = (int)s->line_pitch;
    int line = (run->end + LINE - 1) / LINE;
    while (line < count && (a[line] | b[line]) == 0)
        line += line % 8 == 0 && eight_of(a, b, line) == 0 ? 8 : 1;
    if (line >= count)
        return false;
    run->first = line * LINE;
    while (line < count && (a[line] | b[line]) != 0)
        line++;
    run->end = line * LINE < s->nx ? line * LINE : s->nx;
    return true;
}

// ---- Water flows below and above -------------------------------------------------------

// Lines of row y in which something can hang: those of a ghost row where nothing does.
static const unsigned char *hanging_lines(const rl_pipes *s, int y)
{
    return rl_pipes_lines(s, rl_pipes_hangs(s, y) ? y : -1);
}

rl_pipes_block_row rl_pipes_block_row_of(const rl_pipes *s, int y, const float *depth)
{
    const bool hangs = rl_pipes_hangs(s, y);
    return (rl_pipes_block_row){.floor = rl_pipes_floor(s, y),
                                .depth = depth,
                                .lower = hangs ? rl_field_row(&s->blocks->lower, y) : s->no_lower,
                                .upper = hangs ? rl_field_row(&s->blocks->upper, y) : s->no_upper};
}

void rl_pipes_keep_aside(const rl_pipes *s, int y, const float *qx, float *aside)
{
    const unsigned char *lines = hanging_lines(s, y);
    const int last = (int)s->bed.pitch - RL_MARGIN_X;
    rl_pipes_run run = {0, 0};
    while (rl_pipes_next_run(s, lines, lines, &run)) {
        // A vector more on each side, for smoothing.
        int first = run.first - 2 * LINE, end = (run.end + LINE - 1) / LINE * LINE + LINE;
        first = first < -RL_MARGIN_X ? -RL_MARGIN_X : first;
        end = end > last ? last : end;
        memcpy(aside + first, qx + first, (size_t)(end - first) * sizeof(float));
    }
}

void rl_pipes_flow_blocked(const rl_pipes *s, int y, const rl_pipes_flow_row *row, const float *qx,
                           const rl_pipes_scratch *scratch)
{
    const int paper = s->rules.def.area == RILL_AREA_PAPER, slowed = rl_pipes_slowed(s);
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, row->depth);
    const rl_pipes_block_row north = rl_pipes_block_row_of(s, y + 1, row->depth_north);
    const unsigned char *lines = hanging_lines(s, y), *lines_north = hanging_lines(s, y + 1);
    rl_pipes_blocked_row faces = {.smooth = s->rules.theta < 1.0f,
                                  .here = &here,
                                  .q = qx,
                                  .q_out = row->qx_out,
                                  .below = scratch->under_x[y & 1]};
    rl_pipes_run run = {0, 0};
    while (row->qx_out != NULL && rl_pipes_next_run(s, lines, lines, &run)) {
        faces.first = run.first - 1; // the face west of the first cell
        faces.end = run.end;
        s->rows->blocked[paper][slowed](&faces, s->k);
    }
    faces.north = &north;
    faces.q = row->qy;
    faces.q_south = row->qy_south_old;
    faces.q_north = row->qy_north_old;
    faces.q_out = row->qy_out;
    faces.below = scratch->under_y[y & 1];
    run = (rl_pipes_run){0, 0};
    while (rl_pipes_next_run(s, lines, lines_north, &run)) {
        faces.first = run.first;
        faces.end = run.end;
        s->rows->blocked[paper][slowed](&faces, s->k);
    }
}

void rl_pipes_welcome(const rl_pipes *s, int y, const float *depth, const rl_pipes_scratch *scratch)
{
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, depth);
    const unsigned char *lines = hanging_lines(s, y);
    rl_pipes_run run = {0, 0};
    while (rl_pipes_next_run(s, lines, lines, &run)) {
        const rl_pipes_room_row row = {.first = run.first,
                                       .end = run.end,
                                       .here = &here,
                                       .qx = scratch->under_x[y & 1],
                                       .qy = scratch->under_y[y & 1],
                                       .qy_south = scratch->under_y[(y - 1) & 1],
                                       .out = scratch->welcome[y & 1]};
        s->rows->welcome(&row, s->k);
    }
}

void rl_pipes_admit(const rl_pipes *s, int y, float *qx, float *qy, const rl_pipes_scratch *scratch)
{
    if (!rl_pipes_hangs_beside(s, y))
        return;
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, NULL);
    const rl_pipes_block_row north = rl_pipes_block_row_of(s, y + 1, NULL);
    const unsigned char *lines = hanging_lines(s, y), *lines_north = hanging_lines(s, y + 1);
    rl_pipes_admit_row row = {
        .lower = here.lower,
        .here = scratch->welcome[y & 1],
        .north = scratch->welcome[(y + 1) & 1],
        .below = scratch->under_x[y & 1],
        .q = qx,
    };
    rl_pipes_run run = {0, 0};
    while (qx != NULL && rl_pipes_next_run(s, lines, lines, &run)) {
        row.first = run.first - 1; // the face west of the first cell
        row.end = run.end;
        s->rows->admit(&row);
    }
    row.lower_north = north.lower;
    row.below = scratch->under_y[y & 1];
    row.q = qy;
    run = (rl_pipes_run){0, 0};
    while (rl_pipes_next_run(s, lines, lines_north, &run)) {
        row.first = run.first;
        row.end = run.end;
        s->rows->admit(&row);
    }
}
