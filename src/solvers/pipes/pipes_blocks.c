// SPDX-License-Identifier: MIT
// pipes_blocks.c - bodies that block the pipes water (003 sections 4.2 and 4.3): water gives way to
// them when they move, and flows below and above those that hang. What rests on the ground needs no
// more than another ground in the sweep.
#include "solvers/pipes/pipes.h"

#include "core/prefetch.h"

#include <string.h>

#define LINE       RL_PIPES_LINE
#define TASK_ROWS  32 // of a task
#define ROWS_AHEAD 3  // that are brought near: bodies go on there as a rule

// ---- Lines ------------------------------------------------------------------------------

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

int rl_pipes_next_line(const rl_pipes *s, const unsigned char *a, const unsigned char *b, int line)
{
    return find_line(a, b, line, (int)s->line_pitch, true);
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

// ---- Water gives way -------------------------------------------------------------------

// One row of a set, whole: where nothing is blocked it is the bed with nothing above.
typedef struct set_row {
    const float *floor, *lower, *upper;
} set_row;

static set_row row_of(const rl_pipes *s, const rl_blocks *blocks, int y)
{
    if (blocks == NULL || blocks->first[y] >= blocks->end[y])
        return (set_row){rl_field_row(&s->bed, y), s->no_lower, s->no_upper};
    const bool hangs = blocks->hangs[y];
    return (set_row){.floor = rl_field_row(&blocks->floor, y),
                     .lower = hangs ? rl_field_row(&blocks->lower, y) : s->no_lower,
                     .upper = hangs ? rl_field_row(&blocks->upper, y) : s->no_upper};
}

// Are LINE cells from `i` on alike, bit for bit?
static bool is_same(const float *a, const float *b, int i)
{
    return memcmp(a + i, b + i, LINE * sizeof(float)) == 0;
}

typedef struct change {
    rl_pipes *s;
    const rl_blocks *now;
    double *owed; // NULL: the water stays as it is
} change;

// Flags of eight lines of row y from `line` on: something is blocked there.
static void blocked_lines(const change *c, int y, const set_row *now, int line,
                          unsigned char flags[8])
{
    if (c->now != NULL && c->now->lines != NULL) {
        memcpy(flags, c->now->lines + (size_t)y * c->now->lines_pitch + line, 8);
        return;
    }
    for (int n = 0; n < 8; n++) {
        const int i = (line + n) * LINE;
        flags[n] = i < c->s->nx && !(is_same(now->floor, rl_field_row(&c->s->bed, y), i) &&
                                     is_same(now->lower, c->s->no_lower, i));
    }
}

// Lets the water give way in a line that begins with cell `i`.
static void change_line(const change *c, int y, const set_row *old, const set_row *now, int i)
{
    // A whole line: the ghosts of both sets are alike.
    if (is_same(old->lower, now->lower, i) && is_same(old->upper, now->upper, i) &&
        is_same(old->floor, now->floor, i))
        return;
    rl_pipes *s = c->s;
    const rl_pipes_change_row row = {
        .count = i + LINE < s->nx ? LINE : s->nx - i,
        .film = s->wet_depth,
        .bed = rl_field_row(&s->bed, y) + i,
        .old = {.floor = old->floor + i, .lower = old->lower + i, .upper = old->upper + i},
        .now = {.floor = now->floor + i, .lower = now->lower + i, .upper = now->upper + i},
        .depth = rl_field_row(&s->depth, y) + i,
        .remainder = rl_field_row(&s->remainder, y) + i,
        .owed = c->owed + (size_t)y * (size_t)s->nx + i};
    const float deepest = s->rows->give_way(&row);
    s->raised[y] = deepest > s->raised[y] ? deepest : s->raised[y];
}

// Marks the lines of a row in which something is blocked now, and lets the water give way in those
// where something is or was.
static void change_row(const change *c, int y)
{
    rl_pipes *s = c->s;
    if (!rl_pipes_is_blocked(s, y) && (c->now == NULL || c->now->first[y] >= c->now->end[y]))
        return;
    const set_row old = row_of(s, s->blocks, y), now = row_of(s, c->now, y);
    unsigned char *lines = rl_pipes_lines(s, y), flags[8];
    for (int line = 0; line < (int)s->line_pitch; line += 8) {
        blocked_lines(c, y, &now, line, flags);
        uint64_t left = eight_of(lines + line) | eight_of(flags);
        memcpy(lines + line, flags, sizeof flags);
        for (; c->owed != NULL && left != 0; left &= left - 1)
            change_line(c, y, &old, &now, (line + first_of(left)) * LINE);
    }
}

// What the set in use has in row y, and the water there.
static void bring_near(const change *c, int y)
{
    const rl_pipes *s = c->s;
    const rl_pipes_block_row old = rl_pipes_block_row_of(s, y, rl_field_row(&s->depth, y));
    const float *remainder = rl_field_row(&s->remainder, y);
    const double *owed = c->owed + (size_t)y * (size_t)s->nx;
    const unsigned char *lines = rl_pipes_lines(s, y);
    const int end = (int)s->line_pitch;
    for (int line = 0; (line = find_line(lines, lines, line, end, true)) < end; line++) {
        const int i = line * LINE;
        RL_PREFETCH(old.floor + i);
        RL_PREFETCH(old.lower + i);
        RL_PREFETCH(old.upper + i);
        RL_PREFETCH(old.depth + i);
        RL_PREFETCH(remainder + i);
        RL_PREFETCH(owed + i);
        RL_PREFETCH(owed + i + LINE / 2);
    }
}

// Rows are changed some rows after what they need was brought near.
static void change_rows(void *context, int task)
{
    const change *c = context;
    const int first = task * TASK_ROWS, ny = c->s->ny;
    const int end = first + TASK_ROWS < ny ? first + TASK_ROWS : ny;
    for (int y = first; y < end + ROWS_AHEAD; y++) {
        if (c->owed != NULL && y < end && rl_pipes_is_blocked(c->s, y))
            bring_near(c, y);
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

// In lines of row y and of the row north of it together.
void rl_pipes_find_hung(const rl_pipes *s, int y, rl_pipes_scratch *scratch)
{
    const unsigned char *lines = hanging_lines(s, y), *lines_north = hanging_lines(s, y + 1);
    const int end = (int)s->line_pitch;
    int count = 0;
    for (int n = 0; (n = find_line(lines, lines_north, n, end, true)) < end; n++)
        scratch->lines[count++] = n;
    const rl_pipes_block_row here = rl_pipes_block_row_of(s, y, NULL);
    const rl_pipes_block_row north = rl_pipes_block_row_of(s, y + 1, NULL);
    scratch->blocks[y & 1] = here;
    scratch->blocks_north[y & 1] = north;
    const rl_pipes_hung_row row = {.nx = s->nx,
                                   .lines = scratch->lines,
                                   .line_count = count,
                                   .lower = here.lower,
                                   .lower_north = north.lower,
                                   .east = &scratch->east[y & 1],
                                   .north = &scratch->north[y & 1]};
    s->rows->find_hung(&row);
}

// With one more on each side, for smoothing.
void rl_pipes_keep_aside(const rl_pipes *s, int y, const float *qx, const rl_pipes_scratch *scratch)
{
    const rl_pipes_places faces = scratch->east[y & 1];
    for (int n = 0; n < faces.count; n++)
        memcpy(scratch->qx + faces.at[n] - 1, qx + faces.at[n] - 1,
               ((size_t)s->rows->lanes + 2) * sizeof(float));
}

// The same cells, seen from the cells west of them.
static rl_pipes_block_row one_east(rl_pipes_block_row row)
{
    return (rl_pipes_block_row){row.floor + 1, row.depth + 1, row.lower + 1, row.upper + 1};
}

void rl_pipes_flow_blocked(const rl_pipes *s, int y, const rl_pipes_flow_row *row, const float *qx,
                           const rl_pipes_scratch *scratch)
{
    const int paper = s->rules.def.area == RILL_AREA_PAPER, slowed = rl_pipes_slowed(s);
    rl_pipes_blocked_row faces = {.places = scratch->north[y & 1],
                                  .smooth = s->rules.theta < 1.0f,
                                  .here = scratch->blocks[y & 1],
                                  .there = scratch->blocks_north[y & 1],
                                  .q = row->qy,
                                  .q_before = row->qy_south_old,
                                  .q_after = row->qy_north_old,
                                  .q_out = row->qy_out,
                                  .below = scratch->under_y[y & 1]};
    faces.here.depth = row->depth;
    faces.there.depth = row->depth_north;
    s->rows->blocked[paper][slowed](&faces, s->k);
    if (row->qx_out == NULL)
        return;
    faces.places = scratch->east[y & 1];
    faces.there = one_east(faces.here);
    faces.q = qx;
    faces.q_before = qx - 1;
    faces.q_after = qx + 1;
    faces.q_out = row->qx_out;
    faces.below = scratch->under_x[y & 1];
    s->rows->blocked[paper][slowed](&faces, s->k);
}

void rl_pipes_welcome(const rl_pipes *s, int y, const float *depth, const rl_pipes_scratch *scratch)
{
    // Where something hangs in a cell there are faces east of it.
    rl_pipes_room_row row = {.places = scratch->east[y & 1],
                             .here = scratch->blocks[y & 1],
                             .qx = scratch->under_x[y & 1],
                             .qy = scratch->under_y[y & 1],
                             .qy_south = scratch->under_y[(y - 1) & 1],
                             .out = scratch->welcome[y & 1]};
    row.here.depth = depth;
    s->rows->welcome(&row, s->k);
}

void rl_pipes_admit(const rl_pipes *s, int y, float *qx, float *qy, const rl_pipes_scratch *scratch)
{
    if (!rl_pipes_hangs_beside(s, y))
        return;
    const rl_pipes_welcome_row here = scratch->welcome[y & 1];
    rl_pipes_admit_row faces = {.places = scratch->north[y & 1],
                                .lower = scratch->blocks[y & 1].lower,
                                .lower_there = scratch->blocks_north[y & 1].lower,
                                .here = here,
                                .there = scratch->welcome[(y + 1) & 1],
                                .below = scratch->under_y[y & 1],
                                .q = qy};
    s->rows->admit(&faces);
    if (qx == NULL)
        return;
    faces.places = scratch->east[y & 1];
    faces.lower_there = faces.lower + 1;
    faces.there = (rl_pipes_welcome_row){here.below + 1, here.above + 1};
    faces.below = scratch->under_x[y & 1];
    faces.q = qx;
    s->rows->admit(&faces);
}
