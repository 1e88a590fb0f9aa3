// SPDX-License-Identifier: MIT
// pipes_blocks.c - bodies that block the pipes water (003 sections 4.2 and 4.3): water gives way to
// them when they move, and flows below and above those that hang. What rests on the ground needs no
// more than another ground in the sweep.
#include "solvers/pipes/pipes.h"

#include "core/prefetch.h"

#include <string.h>

#define LINE       RL_PIPES_LINE
#define TASK_ROWS  16 // of a task
#define ROWS_AHEAD 3  // that are brought near: bodies go on there as a rule

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

// Whether something is blocked in the line of a set that begins with cell `i`.
static bool line_blocked(const change *c, int y, const set_row *now, int i)
{
    if (c->now != NULL && c->now->lines != NULL)
        return c->now->lines[(size_t)y * c->now->lines_pitch + (size_t)(i / LINE)] != 0;
    return !is_same(now->floor, rl_field_row(&c->s->bed, y), i) ||
           !is_same(now->lower, c->s->no_lower, i);
}

// Marks the lines of a row in which something is blocked now, and lets the water give way in those
// where something is or was.
static void change_row(const change *c, int y)
{
    rl_pipes *s = c->s;
    if (!rl_pipes_is_blocked(s, y) && (c->now == NULL || c->now->first[y] >= c->now->end[y]))
        return;
    const set_row old = row_of(s, s->blocks, y), now = row_of(s, c->now, y);
    const int first = old.first < now.first ? old.first : now.first;
    const int end = old.end > now.end ? old.end : now.end;
    unsigned char *lines = rl_pipes_lines(s, y);
    // Whole lines: the ghosts of both sets are alike.
    for (int line = first / LINE * LINE; line < end; line += LINE) {
        const bool was = lines[line / LINE] != 0, is = line_blocked(c, y, &now, line);
        lines[line / LINE] = is;
        if (c->owed == NULL || !(was || is))
            continue;
        if (is_same(old.floor, now.floor, line) && is_same(old.lower, now.lower, line) &&
            is_same(old.upper, now.upper, line))
            continue;
        change_cells(c, y, &old, &now, line > first ? line : first,
                     line + LINE < end ? line + LINE : end);
    }
}

// Rows are changed some rows after what they need was brought near.
static void change_rows(void *context, int task)
{
    const change *c = context;
    const rl_pipes *s = c->s;
    const int first = task * TASK_ROWS, ny = s->ny;
    const int end = first + TASK_ROWS < ny ? first + TASK_ROWS : ny;
    for (int y = first; y < end + ROWS_AHEAD; y++) {
        rl_pipes_run run = {0, 0};
        const unsigned char *lines = rl_pipes_lines(s, y < end ? y : -1);
        while (c->owed != NULL && y < end && rl_pipes_is_blocked(s, y) &&
               rl_pipes_next_run(s, lines, lines, &run))
            for (int i = run.first; i < run.end; i += LINE) {
                const double *owed = c->owed + (size_t)y * (size_t)s->nx + i;
                RL_PREFETCH(rl_field_row(&s->blocks->floor, y) + i);
                RL_PREFETCH(rl_field_row(&s->blocks->lower, y) + i);
                RL_PREFETCH(rl_field_row(&s->blocks->upper, y) + i);
                RL_PREFETCH(rl_field_row(&s->depth, y) + i);
                RL_PREFETCH(rl_field_row(&s->remainder, y) + i);
                RL_PREFETCH(owed);
                RL_PREFETCH(owed + LINE / 2);
            }
        if (y - ROWS_AHEAD >= first)
            change_row(c, y - ROWS_AHEAD);
    }
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

#define EIGHT_FLAGS 0x0101010101010101u

static inline uint64_t turn_bytes(uint64_t a)
{
    a = (a >> 8 & 0x00ff00ff00ff00ffu) | (a & 0x00ff00ff00ff00ffu) << 8;
    a = (a >> 16 & 0x0000ffff0000ffffu) | (a & 0x0000ffff0000ffffu) << 16;
    return a >> 32 | a << 32;
}

// Flags of eight lines, each 0 or 1: the first is the lowest byte.
static inline uint64_t eight_of(const unsigned char *flags)
{
    const uint16_t one = 1;
    unsigned char low_first;
    uint64_t eight;
    memcpy(&low_first, &one, 1);
    memcpy(&eight, flags, sizeof eight);
    return low_first != 0 ? eight : turn_bytes(eight);
}

// Which of eight flags is the first that is set; one is. The lowest of them, 256^n, moves the byte
// that says n to the top.
static inline int first_of(uint64_t eight)
{
    const uint64_t lowest = eight & (~eight + 1);
    return (int)(lowest * 0x0001020304050607u >> 56);
}

// The first line from `line` on whose flag is `set`; the number of lines where there is none.
static inline int find_line(const unsigned char *a, const unsigned char *b, int line, int count,
                            bool set)
{
    const uint64_t turn = set ? 0 : EIGHT_FLAGS;
    uint64_t skip = ~(uint64_t)0 << 8 * (line % 8);
    for (int word = line / 8 * 8; word < count; word += 8) {
        const uint64_t eight = ((eight_of(a + word) | eight_of(b + word)) ^ turn) & skip;
        if (eight != 0)
            return word + first_of(eight);
        skip = ~(uint64_t)0;
    }
    return count;
}

bool rl_pipes_next_run(const rl_pipes *s, const unsigned char *a, const unsigned char *b,
                       rl_pipes_run *run)
{
    const int count = (int)s->line_pitch;
    const int first = find_line(a, b, (run->end + LINE - 1) / LINE, count, true);
    if (first >= count)
        return false;
    const int end = find_line(a, b, first, count, false) * LINE;
    run->first = first * LINE;
    run->end = end < s->nx ? end : s->nx;
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

// Those of row y and of the row north of it together. What is done in lines where something hangs
// in the other row alone is in vain, and harmless.
void rl_pipes_find_runs(const rl_pipes *s, int y, rl_pipes_scratch *scratch)
{
    const unsigned char *lines = hanging_lines(s, y), *lines_north = hanging_lines(s, y + 1);
    rl_pipes_run run = {0, 0};
    int count = 0;
    while (rl_pipes_next_run(s, lines, lines_north, &run))
        scratch->runs[y & 1][count++] = run;
    scratch->run_count[y & 1] = count;
}

void rl_pipes_keep_aside(const rl_pipes *s, int y, const float *qx, const rl_pipes_scratch *scratch)
{
    const int last = (int)s->bed.pitch - RL_MARGIN_X;
    for (int n = 0; n < scratch->run_count[y & 1]; n++) {
        const rl_pipes_run run = scratch->runs[y & 1][n];
        // A vector more on each side, for smoothing.
        int first = run.first - 2 * LINE, end = (run.end + LINE - 1) / LINE * LINE + LINE;
        first = first < -RL_MARGIN_X ? -RL_MARGIN_X : first;
        end = end > last ? last : end;
        memcpy(scratch->qx + first, qx + first, (size_t)(end - first) * sizeof(float));
    }
}

void rl_pipes_flow_blocked(const rl_pipes *s, int y, const rl_pipes_flow_row *row, const float *qx,
                           const rl_pipes_scratch *scratch)
{
    const int paper = s->rules.def.area == RILL_AREA_PAPER, slowed = rl_pipes_slowed(s);
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, row->depth);
    const rl_pipes_block_row north = rl_pipes_block_row_of(s, y + 1, row->depth_north);
    const rl_pipes_blocked_row east = {.smooth = s->rules.theta < 1.0f,
                                       .here = &here,
                                       .q = qx,
                                       .q_out = row->qx_out,
                                       .below = scratch->under_x[y & 1]};
    const rl_pipes_blocked_row up = {.smooth = s->rules.theta < 1.0f,
                                     .here = &here,
                                     .north = &north,
                                     .q = row->qy,
                                     .q_south = row->qy_south_old,
                                     .q_north = row->qy_north_old,
                                     .q_out = row->qy_out,
                                     .below = scratch->under_y[y & 1]};
    for (int n = 0; n < scratch->run_count[y & 1]; n++) {
        const rl_pipes_run run = scratch->runs[y & 1][n];
        rl_pipes_blocked_row faces = east;
        faces.first = run.first - 1; // the face west of the first cell
        faces.end = run.end;
        if (row->qx_out != NULL)
            s->rows->blocked[paper][slowed](&faces, s->k);
        faces = up;
        faces.first = run.first;
        faces.end = run.end;
        s->rows->blocked[paper][slowed](&faces, s->k);
    }
}

void rl_pipes_welcome(const rl_pipes *s, int y, const float *depth, const rl_pipes_scratch *scratch)
{
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, depth);
    for (int n = 0; n < scratch->run_count[y & 1]; n++) {
        const rl_pipes_run run = scratch->runs[y & 1][n];
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
    const rl_pipes_admit_row east = {
        .lower = here.lower,
        .here = scratch->welcome[y & 1],
        .below = scratch->under_x[y & 1],
        .q = qx,
    };
    const rl_pipes_admit_row up = {
        .lower = here.lower,
        .lower_north = north.lower,
        .here = scratch->welcome[y & 1],
        .north = scratch->welcome[(y + 1) & 1],
        .below = scratch->under_y[y & 1],
        .q = qy,
    };
    for (int n = 0; n < scratch->run_count[y & 1]; n++) {
        const rl_pipes_run run = scratch->runs[y & 1][n];
        rl_pipes_admit_row row = east;
        row.first = run.first - 1; // the face west of the first cell
        row.end = run.end;
        if (qx != NULL)
            s->rows->admit(&row);
        row = up;
        row.first = run.first;
        row.end = run.end;
        s->rows->admit(&row);
    }
}
