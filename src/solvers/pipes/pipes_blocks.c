// SPDX-License-Identifier: MIT
// pipes_blocks.c - bodies that block the pipes solver (Kellomäki sections 4.2 and 4.3): water gives
// way to them when they move, and flows below and above those that hang. What rests on the ground
// needs no more than another ground in the sweep.
#include "solvers/pipes/pipes.h"

#include "core/assert.h"
#include "core/flags.h"
#include "core/prefetch.h"

#include <string.h>

#define LINE       RL_PIPES_LINE
#define ROWS_AHEAD 2 // that are brought into the cache

// ---- Lines ------------------------------------------------------------------------------

// The first line from `line` on whose flag is `set`; the number of lines where there is none.
static inline int find_line(const unsigned char *a, const unsigned char *b, int line, int count,
                            bool set)
{
    const uint64_t turn = set ? 0 : RL_EIGHT_FLAGS;
    uint64_t skip = ~(uint64_t)0 << 8 * (line % 8);
    for (int word = line / 8 * 8; word < count; word += 8) {
        const uint64_t eight =
            ((rl_eight_flags(a + word) | rl_eight_flags(b + word)) ^ turn) & skip;
        if (eight != 0)
            return word + rl_first_flag(eight);
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

// ---- Water gives way -------------------------------------------------------------------

// Are LINE cells alike, bit for bit?
static bool is_same(const float *a, const float *b)
{
    return memcmp(a, b, LINE * sizeof(float)) == 0;
}

// Lets the water give way in line `n` of a part; returns whether anything is different there.
static bool change_line(rl_pipes *s, rl_pipes_block_row old, const rl_blocks_part *now, int n,
                        double *displaced)
{
    const int y = now->row, at = n * LINE, i = now->first + at;
    // A whole line: the ghosts of both are alike.
    if (is_same(old.lower + i, now->lower + at) && is_same(old.upper + i, now->upper + at) &&
        is_same(old.floor + i, now->floor + at))
        return false;
    const rl_pipes_change_row row = {
        .count = i + LINE < s->nx ? LINE : s->nx - i,
        .film = s->wet_depth,
        .bed = rill_field_row(&s->bed, y) + i,
        .old = {.floor = old.floor + i, .lower = old.lower + i, .upper = old.upper + i},
        .now = {.floor = now->floor + at, .lower = now->lower + at, .upper = now->upper + at},
        .depth = rill_field_row(&s->depth, y) + i,
        .remainder = rill_field_row(&s->remainder, y) + i,
        .displaced = displaced + (size_t)y * (size_t)s->nx + i};
    const float deepest = s->rows->give_way(&row);
    s->running_max[y] = deepest > s->running_max[y] ? deepest : s->running_max[y];
    rl_pipes_depth_changed(s, y, i, row.count);
    return true;
}

// Bodies go on in the next rows as a rule.
bool rl_pipes_give_way(void *self, const rl_blocks_part *now, double *displaced)
{
    rl_pipes *s = self;
    RL_ASSERT(now->first % LINE == 0 && now->lines <= RL_BLOCKS_PART_LINES);
    RL_ASSERT(s->blocks != NULL && now->row >= 0 && now->row < s->ny);
    const rl_pipes_block_row old = rl_pipes_block_row_of(s, now->row, NULL);
    unsigned char *lines = rl_pipes_lines(s, now->row) + now->first / LINE;
    const int ahead = now->row + ROWS_AHEAD < s->ny ? now->row + ROWS_AHEAD : now->row;
    const float *remainder = rill_field_row(&s->remainder, ahead) + now->first;
    bool differs = false;
    for (int n = 0; n < now->lines; n++) {
        if (!lines[n] && !now->blocked[n])
            continue;
        RL_PREFETCH_WRITE(remainder + n * LINE);
        differs |= change_line(s, old, now, n, displaced);
        lines[n] = now->blocked[n];
    }
    return differs;
}

// Marks the lines of a row in which something is blocked.
static void find_lines(void *context, int y)
{
    const rl_pipes *s = context;
    const rl_pipes_block_row row = rl_pipes_block_row_of(s, y, NULL);
    unsigned char *lines = rl_pipes_lines(s, y);
    for (int i = 0; rl_pipes_is_blocked(s, y) && i < s->nx; i += LINE)
        lines[i / LINE] = !is_same(row.floor + i, rill_field_row(&s->bed, y) + i) ||
                          !is_same(row.lower + i, s->no_lower + i);
}

void rl_pipes_block(void *self, rl_jobs *jobs, const rl_blocks *now)
{
    rl_pipes *s = self;
    memset(s->lines, 0, s->lines_bytes);
    s->blocks = now;
    if (now != NULL)
        rl_jobs_run(jobs, s->ny, find_lines, s);
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
                                .lower = hangs ? rill_field_row(&s->blocks->lower, y) : s->no_lower,
                                .upper =
                                    hangs ? rill_field_row(&s->blocks->upper, y) : s->no_upper};
}

void rl_pipes_prefetch_rows(const rl_pipes *s, int y)
{
    if (!rl_pipes_hangs(s, y))
        return;
    const unsigned char *flags = rl_pipes_lines(s, y);
    const float *lower = rill_field_row(&s->blocks->lower, y);
    const float *upper = rill_field_row(&s->blocks->upper, y), *qx = rill_field_row(&s->qx, y);
    for (int line = 0; line < (int)s->line_pitch; line += 8)
        for (uint64_t left = rl_eight_flags(flags + line); left != 0; left &= left - 1) {
            const int i = (line + rl_first_flag(left)) * LINE;
            RL_PREFETCH(lower + i);
            RL_PREFETCH(upper + i);
            RL_PREFETCH(qx + i);
            RL_PREFETCH(qx + i + LINE);
        }
}

static rl_pipes_hung *hung_of(rl_pipes_scratch *scratch, int y)
{
    return &scratch->hung[(y + 3) % 3]; // y may be -1
}

// What hangs in row y, which may be a ghost row.
static const rl_pipes_hung *find_hung(const rl_pipes *s, int y, rl_pipes_scratch *scratch)
{
    rl_pipes_hung *hung = hung_of(scratch, y);
    if (hung->y == y)
        return hung;
    const unsigned char *flags = hanging_lines(s, y);
    int count = 0;
    for (int line = 0; line < (int)s->line_pitch; line += 8)
        for (uint64_t left = rl_eight_flags(flags + line); left != 0; left &= left - 1)
            scratch->lines[count++] = line + rl_first_flag(left);
    const rl_pipes_block_row set = rl_pipes_block_row_of(s, y, NULL);
    const rl_pipes_set_row row = {set.lower, set.upper, scratch->lines, count};
    s->rows->find_hung(&row, hung);
    hung->y = y;
    return hung;
}

void rl_pipes_find_beside(const rl_pipes *s, int y, const float *qx, rl_pipes_scratch *scratch)
{
    RL_ASSERT(y >= -1 && y < s->ny);
    const rl_pipes_beside_row row = {.hung = find_hung(s, y, scratch)->cells,
                                     .hung_north = find_hung(s, y + 1, scratch)->cells,
                                     .words = (int)rl_pipes_words(s),
                                     .smooth = s->rules.theta < 1.0f,
                                     .qx = rl_pipes_hangs(s, y) ? qx : NULL,
                                     .kept = scratch->kept,
                                     .places = &scratch->places[y & 1]};
    s->rows->find_beside(&row, s->k);
}

void rl_pipes_flow_blocked(const rl_pipes *s, int y, const rl_pipes_flow_row *row,
                           rl_pipes_scratch *scratch)
{
    const int paper = s->rules.def.area == RILL_AREA_PAPER;
    const rl_pipes_hung *here = hung_of(scratch, y), *north = hung_of(scratch, y + 1);
    const rl_pipes_blocked_row faces = {
        .places = scratch->places[y & 1],
        .smooth = s->rules.theta < 1.0f,
        .here = {row->bed, row->depth, here->lower, here->upper},
        .north = {row->bed_north, row->depth_north, north->lower, north->upper},
        .kept = scratch->kept,
        .qy = row->qy,
        .qy_south_old = row->qy_south_old,
        .qy_north_old = row->qy_north_old,
        .under_south = scratch->under_y[(y - 1) & 1],
        .qx_out = rl_pipes_hangs(s, y) ? row->qx_out : NULL,
        .qy_out = row->qy_out,
        .under_x = scratch->under_x[y & 1],
        .under_y = scratch->under_y[y & 1],
        .inflow = scratch->inflow[y & 1]};
    scratch->limited[y & 1] =
        s->rows->blocked[paper][rl_pipe_slowed_by(&s->rules)](&faces, s->k) != 0;
}

void rl_pipes_limit_inflow(const rl_pipes *s, int y, float *qx, float *qy,
                           rl_pipes_scratch *scratch)
{
    if (!rl_pipes_hangs_beside(s, y) || !(scratch->limited[0] || scratch->limited[1]))
        return;
    const rl_pipes_inflow_row faces = {.places = scratch->places[y & 1],
                                       .lower = hung_of(scratch, y)->lower,
                                       .lower_north = hung_of(scratch, y + 1)->lower,
                                       .here = scratch->inflow[y & 1],
                                       .north = scratch->inflow[(y + 1) & 1],
                                       .under_x = scratch->under_x[y & 1],
                                       .under_y = scratch->under_y[y & 1],
                                       .qx = rl_pipes_hangs(s, y) ? qx : NULL,
                                       .qy = qy};
    s->rows->limit_inflow(&faces);
}
