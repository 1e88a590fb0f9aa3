// SPDX-License-Identifier: MIT
#include "solvers/pipes/pipes_rows.h"

#include "core/cell.h"
#include "core/cpu.h"
#include "core/flags.h"
#include "core/prefetch.h"
#include "solvers/pipes/pipes_blocked_cell.h"
#include "solvers/pipes/pipes_critical_cell.h"
#include "solvers/shared/column_cell.h"

#include <string.h>

#define SUSPECTS 64 // vectors that are searched before those found are worked on

// Loads are aligned; the neighbours east and west come from the vectors beside by a lane shift,
// which is cheaper than a load that straddles two cache lines. So each loop carries the vector of
// the next iteration along.

RL_CELL void flow_east_body(const rl_pipes_flow_row *row, rl_pipe_coef k, int paper, int slowed,
                            int smooth)
{
    const float *restrict bed = row->bed, *restrict depth = row->depth;
    const float *qx = row->qx;
    const int first = row->open_west ? -RL_LANES : 0;
    rl_real b = rl_load(bed + first), d = rl_load(depth + first), q = rl_load(qx + first);
    rl_real q_before = rl_set(0.0f);
    const rl_real level = rl_set(1.0f); // ground, as far as films go
    for (int i = first; i < row->nx; i += RL_LANES) {
        const rl_real b_next = rl_load(bed + i + RL_LANES);
        const rl_real d_next = rl_load(depth + i + RL_LANES);
        const rl_real q_next = rl_load(qx + i + RL_LANES);
        rl_real kept;
        if (smooth)
            kept = rl_pipe_kept_smoothed(q, rl_west(q_before, q), rl_east(q, q_next), k);
        else
            kept = rl_pipe_kept(q, k);
        const rl_pipe_end here = rl_pipe_open_end(b, d);
        const rl_pipe_end east = rl_pipe_open_end(rl_east(b, b_next), rl_east(d, d_next));
        rl_store(row->qx_out + i, rl_pipe_flow(kept, here, east, level, k, paper, slowed));
        RL_PREFETCH_ROW(row->ahead.bed + i);
        RL_PREFETCH_ROW(row->ahead.depth + i);
        RL_PREFETCH_ROW(row->ahead.qx + i);
        RL_PREFETCH_ROW(row->ahead.qy + i);
        RL_PREFETCH_ROW(row->ahead.remainder + i);
        b = b_next;
        d = d_next;
        q_before = q;
        q = q_next;
    }
}

RL_CELL void flow_north_body(const rl_pipes_flow_row *row, rl_pipe_coef k, int paper, int slowed,
                             int smooth)
{
    const rl_real level = rl_set(1.0f);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real q = rl_load(row->qy + i);
        rl_real kept;
        if (smooth)
            kept = rl_pipe_kept_smoothed(q, rl_load(row->qy_south_old + i),
                                         rl_load(row->qy_north_old + i), k);
        else
            kept = rl_pipe_kept(q, k);
        const rl_real b = rl_load(row->bed + i), b_north = rl_load(row->bed_north + i);
        const rl_pipe_end here = rl_pipe_open_end(b, rl_load(row->depth + i));
        const rl_pipe_end north = rl_pipe_open_end(b_north, rl_load(row->depth_north + i));
        rl_store(row->qy_out + i, rl_pipe_flow(kept, here, north, level, k, paper, slowed));
    }
}

// Outflow limiters of a vector of cells of which some may be limited.
RL_CELL rl_real limiter_at(const rl_pipes_flow_row *row, int i, rl_pipe_coef k)
{
    const rl_pipe_sides q = {rl_load_any(row->qx_out + i - 1), rl_load(row->qx_out + i),
                             rl_load(row->qy_south + i), rl_load(row->qy_out + i)};
    const float *bed = row->bed + i;
    const rl_pipe_sides beds = {rl_load_any(bed - 1), rl_load_any(bed + 1),
                                rl_load(row->bed_south + i), rl_load(row->bed_north + i)};
    return rl_pipe_limiter(rl_load(bed), rl_load(row->depth + i), q, beds, k);
}

// Notes those of `count` cells from `first` on whose outflow may have to be limited: where vectors
// with such cells begin. A processor could not predict which, so there is no branch.
RL_CELL int find_suspects(const rl_pipes_flow_row *row, int first, int count, int *at,
                          rl_pipe_coef k)
{
    int suspects = 0;
    rl_real q_west = rl_load(row->qx_out + first - RL_LANES);
    for (int i = first; i < first + count; i += RL_LANES) {
        const rl_real d = rl_load(row->depth + i), east = rl_load(row->qx_out + i);
        const rl_real leaving = rl_pipe_leaving(
            rl_west(q_west, east), east, rl_load(row->qy_south + i), rl_load(row->qy_out + i), k);
        at[suspects] = i;
        suspects += rl_any(rl_pipe_may_be_limited(d, leaving, k)) != 0;
        q_west = east;
    }
    return suspects;
}

// Limiters of 1 are not written until one is below: that is rare, and divisions are dear.
RL_CELL int find_overdrawn(const rl_pipes_flow_row *row, rl_pipe_coef k)
{
    int some_limited = 0;
    rl_real q_west = rl_load(row->qx_out - RL_LANES);
    for (int i = 0; i < row->nx; i += RL_LANES) {
        const rl_real d = rl_load(row->depth + i), east = rl_load(row->qx_out + i);
        const rl_real leaving = rl_pipe_leaving(
            rl_west(q_west, east), east, rl_load(row->qy_south + i), rl_load(row->qy_out + i), k);
        if (rl_any(rl_pipe_overdrawn(d, leaving))) {
            for (int e = 0; !some_limited && e < i; e++)
                row->limiter[e] = 1.0f;
            some_limited = 1;
            rl_store(row->limiter + i, rl_pipe_outflow_limiter(d, leaving));
        } else if (some_limited) {
            rl_store(row->limiter + i, rl_set(1.0f));
        }
        q_west = east;
    }
    return some_limited;
}

RL_CELL int find_critical(const rl_pipes_flow_row *row, rl_pipe_coef k)
{
    int some_limited = 0, at[SUSPECTS + 1];
    for (int first = 0; first < row->nx; first += SUSPECTS * RL_LANES) {
        const int left = row->nx - first;
        const int count = left < SUSPECTS * RL_LANES ? left : SUSPECTS * RL_LANES;
        const int suspects = find_suspects(row, first, count, at, k);
        for (int n = 0; n < suspects; n++) {
            const rl_real limiter = limiter_at(row, at[n], k);
            if (!some_limited && rl_any(rl_less(limiter, rl_set(1.0f)))) {
                for (int e = 0; e < row->nx; e += RL_LANES)
                    rl_store(row->limiter + e, rl_set(1.0f));
                some_limited = 1;
            }
            if (some_limited)
                rl_store(row->limiter + at[n], limiter);
        }
    }
    return some_limited;
}

static int find_limiter(const rl_pipes_flow_row *row, rl_pipe_coef k)
{
    const int some_limited =
        rl_pipe_is_critical(k) ? find_critical(row, k) : find_overdrawn(row, k);
    if (some_limited)
        row->limiter[row->nx] = 1.0f; // a ghost cell's outflow is never limited
    return some_limited;
}

// One function per combination, so that the choices are made outside the loops.
#define FLOW(paper, slowed, smooth)                                                              \
    static void faces_##paper##slowed##smooth(const rl_pipes_flow_row *row, rl_pipe_coef k)      \
    {                                                                                            \
        flow_east_body(row, k, paper, slowed, smooth);                                           \
        flow_north_body(row, k, paper, slowed, smooth);                                          \
    }                                                                                            \
    static int flow_##paper##slowed##smooth(const rl_pipes_flow_row *row, rl_pipe_coef k)        \
    {                                                                                            \
        faces_##paper##slowed##smooth(row, k);                                                   \
        return find_limiter(row, k);                                                             \
    }                                                                                            \
    static void flow_north_##paper##slowed##smooth(const rl_pipes_flow_row *row, rl_pipe_coef k) \
    {                                                                                            \
        flow_north_body(row, k, paper, slowed, smooth);                                          \
    }
FLOW(0, 0, 0)
FLOW(0, 0, 1)
FLOW(0, 1, 0)
FLOW(0, 1, 1)
FLOW(0, 2, 0)
FLOW(0, 2, 1)
FLOW(1, 0, 0)
FLOW(1, 0, 1)
FLOW(1, 1, 0)
FLOW(1, 1, 1)
FLOW(1, 2, 0)
FLOW(1, 2, 1)

// ---- Giving way ------------------------------------------------------------------------

// One cell of a set.
typedef struct block {
    float floor, lower, upper;
} block;

RL_CELL block block_at(const rl_pipes_block_row *row, int i)
{
    return (block){row->floor[i], row->lower[i], row->upper[i]};
}

RL_CELL double above_zero(double a)
{
    return a > 0.0 ? a : 0.0;
}

// The depth of a column after `old` was taken out of it, the surface of the water above it staying
// where it is, and `now` was put in. A film on a body is no surface: it would draw up as much water
// as the body is high, where the water around it is low.
RL_CELL double give_way_cell(block old, block now, float bed, float film, float depth,
                             double before)
{
    const float old_capacity = old.lower - old.floor, capacity = now.lower - now.floor;
    const float above = depth > old_capacity ? depth - old_capacity : 0.0f;
    const double on_floor = before + above_zero((double)old.floor - (double)bed);
    double water = depth > film ? on_floor : before;
    const double lifted = water + ((double)old.upper - (double)old.lower);
    water = above > film ? lifted : water;

    water = above_zero(water - above_zero((double)now.floor - (double)bed));
    const double height = (double)now.upper - (double)now.lower;
    const double over = water > (double)capacity + height ? water - height : (double)capacity;
    const double divided = water > (double)capacity ? over : water;
    return now.lower < RL_BLOCK_NO_LOWER ? divided : water;
}

// The largest of some depths, or -1. They are not negative, and so compare as their bits do.
RL_CELL float largest_of(const float *depths, int count)
{
    float largest = -1.0f;
    int32_t most;
    memcpy(&most, &largest, sizeof most);
    for (int i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &depths[i], sizeof bits);
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

// What becomes of the cells of a line: as they were where nothing has changed.
typedef struct changed_line {
    float depth[RL_PIPES_LINE], remainder[RL_PIPES_LINE];
    double lost[RL_PIPES_LINE];
    float deepest[RL_PIPES_LINE]; // -1 where nothing has changed
} changed_line;

// Plain numbers of both precisions, of which compilers make vectors; no sum depends on their width.
RL_CELL void change_cells(const rl_pipes_change_row *row, int count, changed_line *out)
{
    const float *depth = row->depth, *remainder = row->remainder, *bed = row->bed;
    const float film = row->film;
    const rl_pipes_block_row was = row->old, is = row->now;
    for (int i = 0; i < count; i++) {
        const block old = block_at(&was, i), now = block_at(&is, i);
        const int same =
            (old.floor == now.floor) & (old.lower == now.lower) & (old.upper == now.upper);
        const float d = depth[i], r = remainder[i], ground = bed[i];
        const double before = (double)d + (double)r;
        const double water = give_way_cell(old, now, ground, film, d, before);
        const float after = (float)water, left = (float)(water - (double)after);
        // Nothing that a later rounding could lift above a body which presses the water down.
        const float rest = after == now.lower - now.floor ? 0.0f : left;
        out->depth[i] = same ? d : after;
        out->remainder[i] = same ? r : rest;
        out->lost[i] = before - ((double)after + (double)rest);
        out->deepest[i] = same ? -1.0f : after;
    }
}

RL_CELL float give_way_body(const rl_pipes_change_row *row, int count)
{
    changed_line line;
    change_cells(row, count, &line);
    for (int i = 0; i < count; i++)
        if (line.deepest[i] >= 0.0f)
            row->displaced[i] += line.lost[i];
    memcpy(row->depth, line.depth, (size_t)count * sizeof(float));
    memcpy(row->remainder, line.remainder, (size_t)count * sizeof(float));
    return largest_of(line.deepest, count);
}

static float give_way(const rl_pipes_change_row *row)
{
    if (row->count == RL_PIPES_LINE)
        return give_way_body(row, RL_PIPES_LINE);
    return give_way_body(row, row->count);
}

// ---- Faces beside hanging bodies ---------------------------------------------------------

RL_CELL rl_pipe_cell load_cell(const rl_pipes_block_row *row, int i)
{
    return (rl_pipe_cell){rl_load(row->floor + i), rl_load(row->depth + i), rl_load(row->lower + i),
                          rl_load(row->upper + i)};
}

RL_CELL rl_pipe_cell east_cell(rl_pipe_cell here, rl_pipe_cell next)
{
    return (rl_pipe_cell){rl_east(here.floor, next.floor), rl_east(here.depth, next.depth),
                          rl_east(here.lower, next.lower), rl_east(here.upper, next.upper)};
}

// Bodies are small: vectors begin where something hangs, or a box, which is hardly ever aligned.
RL_CELL rl_pipe_cell load_any_cell(const rl_pipes_block_row *row, int i)
{
    return (rl_pipe_cell){rl_load_any(row->floor + i), rl_load_any(row->depth + i),
                          rl_load_any(row->lower + i), rl_load_any(row->upper + i)};
}

// Lines that were copied before go.
static void find_hung(const rl_pipes_set_row *row, rl_pipes_hung *hung)
{
    for (int n = 0; n < hung->line_count; n++) {
        const int first = hung->lines[n] * RL_PIPES_LINE;
        for (int i = first; i < first + RL_PIPES_LINE; i += RL_LANES) {
            rl_store(hung->lower + i, rl_set(RL_BLOCK_NO_LOWER));
            rl_store(hung->upper + i, rl_set(RL_BLOCK_NO_UPPER));
        }
        hung->cells[first / 64] = 0;
    }
    for (int n = 0; n < row->line_count; n++) {
        const int first = row->lines[n] * RL_PIPES_LINE;
        uint64_t cells = 0;
        for (int i = 0; i < RL_PIPES_LINE; i += RL_LANES) {
            const rl_real lower = rl_load(row->lower + first + i);
            rl_store(hung->lower + first + i, lower);
            rl_store(hung->upper + first + i, rl_load(row->upper + first + i));
            cells |= (uint64_t)rl_lane_bits(rl_pipe_is_hung(lower)) << i;
        }
        hung->cells[first / 64] |= cells << first % 64;
        hung->lines[n] = row->lines[n];
    }
    hung->line_count = row->line_count;
}

RL_CELL rl_real keep_at(const float *q, const float *before, const float *after, int i, int smooth,
                        rl_pipe_coef k)
{
    const rl_real here = rl_load_any(q + i);
    if (smooth)
        return rl_pipe_kept_smoothed(here, rl_load_any(before + i), rl_load_any(after + i), k);
    return rl_pipe_kept(here, k);
}

// Bits from `first` on; `first` may be past the last one.
RL_CELL uint64_t bits_from(uint64_t bits, int first)
{
    return first < 64 ? bits >> first << first : 0;
}

static void find_beside(const rl_pipes_beside_row *row, rl_pipe_coef k)
{
    int *at = row->places->at, count = 0, end = -1;
    uint64_t before = 0; // the last cell of the word before
    for (int w = 0; w < row->words; w++) {
        const uint64_t hung = row->hung[w], either = hung | row->hung_north[w];
        const int first = 64 * w - 1; // bit n is cell first + n: a face lies west of what hangs
        uint64_t faces = bits_from(hung | either << 1 | before, end > first ? end - first : 0);
        before = either >> 63;
        for (; faces != 0; faces = bits_from(faces, end - first)) {
            at[count] = first + rl_bits_lowest(faces);
            end = at[count] + RL_LANES;
            count++;
        }
    }
    row->places->count = count;
    const float *qx = row->qx;
    for (int n = 0; qx != NULL && n < count; n++)
        rl_store_any(row->kept + at[n], keep_at(qx, qx - 1, qx + 1, at[n], row->smooth, k));
}

// New discharge of a face. Few bodies are under water, and few are flooded from beside.
RL_CELL rl_pipe_openings blocked_face(rl_real kept, rl_pipe_cell i, rl_pipe_cell j, rl_pipe_coef k,
                                      int paper, int slowed, int *divided)
{
    const rl_mask hangs = rl_pipe_is_hung(rl_min(i.lower, j.lower));
    if (!rl_any(rl_both(hangs, rl_less(rl_set(0.0f), rl_pipe_over(i, j))))) {
        const rl_real q = rl_pipe_flow_beneath(kept, i, j, k, paper, slowed);
        return (rl_pipe_openings){q, q};
    }
    *divided = 1;
    const rl_pipe_blocked_face face = rl_pipe_face_between(i, j, k);
    const rl_real below = rl_pipe_flow_below(kept, face, k, paper, slowed);
    return (rl_pipe_openings){below, below + rl_pipe_flow_above(kept, face, k, paper, slowed)};
}

RL_CELL void put_face(float *q_out, float *under, int i, rl_mask hangs, rl_pipe_openings q)
{
    rl_store_any(under + i, q.below);
    rl_store_any(q_out + i, rl_select(hangs, q.both, rl_load_any(q_out + i)));
}

// Returns whether a cell lets in less than all that comes, or something flows above a body.
RL_CELL int blocked_body(const rl_pipes_blocked_row *row, rl_pipe_coef k, int paper, int slowed)
{
    int limited = 0;
    rl_real west = rl_set(0.0f);
    for (int n = 0; n < row->places.count; n++) {
        const int i = row->places.at[n];
        const rl_pipe_cell here = load_any_cell(&row->here, i);
        const rl_pipe_cell north = load_any_cell(&row->north, i);
        const rl_real kept_y =
            keep_at(row->qy, row->qy_south_old, row->qy_north_old, i, row->smooth, k);
        const rl_pipe_openings qy = blocked_face(kept_y, here, north, k, paper, slowed, &limited);
        put_face(row->qy_out, row->under_y, i, rl_pipe_is_hung(rl_min(here.lower, north.lower)),
                 qy);
        if (row->qx_out == NULL)
            continue;
        const rl_pipe_cell east = load_any_cell(&row->here, i + 1);
        const rl_pipe_openings qx =
            blocked_face(rl_load_any(row->kept + i), here, east, k, paper, slowed, &limited);
        put_face(row->qx_out, row->under_x, i, rl_pipe_is_hung(rl_min(here.lower, east.lower)), qx);
        // Nothing hangs in the first cell of a vector unless it follows on the one before.
        const rl_real arriving = rl_pipe_arriving(rl_west(west, qx.below), qx.below,
                                                  rl_load_any(row->under_south + i), qy.below, k);
        const rl_pipe_inflow_limits in = rl_pipe_inflow_limiters(here, arriving);
        rl_store_any(row->inflow.below + i, in.below);
        rl_store_any(row->inflow.above + i, in.above);
        limited |= rl_any(rl_less(in.below, rl_set(1.0f)));
        west = qx.below;
    }
    return limited;
}

#define BLOCKED(paper, slowed)                                                          \
    static int blocked_##paper##slowed(const rl_pipes_blocked_row *row, rl_pipe_coef k) \
    {                                                                                   \
        return blocked_body(row, k, paper, slowed);                                     \
    }
BLOCKED(0, 0)
BLOCKED(0, 1)
BLOCKED(0, 2)
BLOCKED(1, 0)
BLOCKED(1, 1)
BLOCKED(1, 2)

// Only cells with something hanging in them have been asked; others let in all.
RL_CELL rl_pipe_inflow_limits load_limits(const rl_pipes_inflow_limiter_row *row, rl_mask hangs,
                                          int i)
{
    const rl_real one = rl_set(1.0f);
    return (rl_pipe_inflow_limits){rl_select(hangs, rl_load_any(row->below + i), one),
                                   rl_select(hangs, rl_load_any(row->above + i), one)};
}

RL_CELL void limit_inflow_at(float *q, const float *under, int i, rl_mask beside,
                             rl_pipe_inflow_limits here, rl_pipe_inflow_limits there)
{
    const rl_real both = rl_load_any(q + i);
    const rl_pipe_openings openings = {rl_load_any(under + i), both};
    rl_store_any(q + i, rl_select(beside, rl_pipe_inflow_limited(openings, here, there), both));
}

static void limit_inflow(const rl_pipes_inflow_row *row)
{
    for (int n = 0; n < row->places.count; n++) {
        const int i = row->places.at[n];
        const rl_real lower = rl_load_any(row->lower + i),
                      north = rl_load_any(row->lower_north + i);
        const rl_pipe_inflow_limits here = load_limits(&row->here, rl_pipe_is_hung(lower), i);
        limit_inflow_at(row->qy, row->under_y, i, rl_pipe_is_hung(rl_min(lower, north)), here,
                        load_limits(&row->north, rl_pipe_is_hung(north), i));
        if (row->qx == NULL)
            continue;
        const rl_real east = rl_load_any(row->lower + i + 1);
        limit_inflow_at(row->qx, row->under_x, i, rl_pipe_is_hung(rl_min(lower, east)), here,
                        load_limits(&row->here, rl_pipe_is_hung(east), i + 1));
    }
}

RL_CELL rl_pipe_cell west_cell(rl_pipe_cell before, rl_pipe_cell here)
{
    return (rl_pipe_cell){rl_west(before.floor, here.floor), rl_west(before.depth, here.depth),
                          rl_west(before.lower, here.lower), rl_west(before.upper, here.upper)};
}

// Water in the faces on both sides of a cell.
RL_CELL rl_real in_faces(rl_pipe_cell before, rl_pipe_cell here, rl_pipe_cell after, int hangs)
{
    if (!hangs)
        return rl_pipe_above_sill(before.floor, before.depth, here.floor, here.depth) +
               rl_pipe_above_sill(here.floor, here.depth, after.floor, after.depth);
    const rl_pipe_coef none = {0};
    const rl_pipe_divided a = rl_pipe_divide(before, none), b = rl_pipe_divide(here, none);
    const rl_pipe_divided c = rl_pipe_divide(after, none);
    return rl_pipe_in_face(before, a, here, b) + rl_pipe_in_face(here, b, after, c);
}

// Velocity at a centre.
RL_CELL void velocity_at(const rl_pipes_velocity_row *row, int i, int hangs)
{
    const rl_pipe_cell here = load_cell(&row->here, i);
    const rl_pipe_cell east = east_cell(here, load_cell(&row->here, i + RL_LANES));
    const rl_pipe_cell west = west_cell(load_cell(&row->here, i - RL_LANES), here);
    const rl_pipe_cell south = load_cell(&row->south, i), north = load_cell(&row->north, i);
    const rl_real wet = rl_set(row->wet);
    const rl_real qx = rl_load(row->qx + i), qx_west = rl_west(rl_load(row->qx + i - RL_LANES), qx);
    const rl_real qy = rl_load(row->qy + i), qy_south = rl_load(row->qy_south + i);
    const rl_real in_x = in_faces(west, here, east, hangs);
    const rl_real in_y = in_faces(south, here, north, hangs);
    rl_store(row->velocity_x + i, rl_pipe_velocity(here.depth, wet, qx_west + qx, in_x));
    rl_store(row->velocity_y + i, rl_pipe_velocity(here.depth, wet, qy_south + qy, in_y));
}

static void velocity(const rl_pipes_velocity_row *row)
{
    for (int i = row->first & ~(RL_LANES - 1); i < row->end; i += RL_LANES) {
        if (row->hangs)
            velocity_at(row, i, 1);
        else
            velocity_at(row, i, 0);
    }
}

// ---- Velocities of small boxes -----------------------------------------------------------

// A cell, and its water divided by what hangs there.
typedef struct seen_cell {
    rl_pipe_cell cell;
    rl_pipe_divided divided;
} seen_cell;

// A cell of a row in which something hangs, and of any.
RL_CELL seen_cell cell_of_hung(const rl_pipes_block_row *row, int i)
{
    const rl_pipe_coef none = {0};
    const rl_pipe_cell cell = load_any_cell(row, i);
    return (seen_cell){cell, rl_pipe_divide(cell, none)};
}

RL_CELL seen_cell cell_at(const rl_pipes_block_row *row, int i)
{
    if (row->lower != NULL)
        return cell_of_hung(row, i);
    const rl_real floor = rl_load_any(row->floor + i), depth = rl_load_any(row->depth + i);
    const rl_real lower = rl_set(RL_BLOCK_NO_LOWER);
    return (seen_cell){{floor, depth, lower, floor},
                       {.level = floor + depth, .depth = depth, .deck = floor, .above = depth}};
}

RL_CELL rl_real in_hung_face(seen_cell i, seen_cell j)
{
    return rl_pipe_in_face(i.cell, i.divided, j.cell, j.divided);
}

RL_CELL rl_real in_free_face(rl_pipe_cell i, rl_pipe_cell j)
{
    return rl_pipe_above_sill(i.floor, i.depth, j.floor, j.depth);
}

// Water in the faces west and east of the cells from i on.
RL_CELL rl_real in_faces_along(const rl_pipes_block_row *row, int i, seen_cell here)
{
    if (row->lower != NULL)
        return in_hung_face(cell_of_hung(row, i - 1), here) +
               in_hung_face(here, cell_of_hung(row, i + 1));
    return in_free_face(cell_at(row, i - 1).cell, here.cell) +
           in_free_face(here.cell, cell_at(row, i + 1).cell);
}

// A vector of cells from the row south of the box to the one north of it. What is found in a row is
// there for the next.
RL_CELL void velocities_at(const rl_pipes_velocity_box *box, int n)
{
    const int i = box->first + n;
    const rl_real wet = rl_set(box->wet);
    seen_cell here = cell_at(&box->cells[1], i);
    rl_real in_south = in_hung_face(cell_at(&box->cells[0], i), here);
    const float *qx = box->qx + i, *qy = box->qy + i, *qy_south = qy - box->pitch;
    float *velocity_x = box->velocity_x + n, *velocity_y = box->velocity_y + n;
    for (int y = 1; y <= box->rows; y++) {
        const rl_pipes_block_row *row = &box->cells[y];
        const rl_real through_x = rl_load_any(qx - 1) + rl_load_any(qx);
        const rl_real in_x = in_faces_along(row, i, here), depth = here.cell.depth;
        rl_store_any(velocity_x, rl_pipe_velocity(depth, wet, through_x, in_x));
        const seen_cell north = cell_at(&row[1], i);
        rl_real in_north;
        if (row[0].lower != NULL || row[1].lower != NULL)
            in_north = in_hung_face(here, north);
        else
            in_north = in_free_face(here.cell, north.cell);
        const rl_real through_y = rl_load_any(qy_south) + rl_load_any(qy);
        const rl_real in_y = in_south + in_north;
        rl_store_any(velocity_y, rl_pipe_velocity(depth, wet, through_y, in_y));
        here = north;
        in_south = in_north;
        qx += box->pitch;
        qy_south = qy;
        qy += box->pitch;
        velocity_x += box->out_pitch;
        velocity_y += box->out_pitch;
    }
}

// From east to west: see rl_pipes_velocity_box.
static void velocities(const rl_pipes_velocity_box *box)
{
    for (int n = (box->width - 1) / RL_LANES * RL_LANES; n >= 0; n -= RL_LANES)
        velocities_at(box, n);
}

// ---- Limiting and filling ----------------------------------------------------------------

static void limit(float *qy, const float *limiter, const float *limiter_north, int nx)
{
    for (int i = 0; i < nx; i += RL_LANES)
        rl_store(qy + i,
                 rl_pipe_limit(rl_load(qy + i), rl_load(limiter + i), rl_load(limiter_north + i)));
}

RL_CELL float fill_body(const rl_pipes_fill_row *row, rl_pipe_coef k, int limited)
{
    float *restrict qx = row->qx, *restrict qy = row->qy;
    const float *restrict qy_new = row->qy_new;
    float *restrict depth = row->depth, *restrict remainder = row->remainder;
    const float *restrict qy_south = row->qy_south;
    const float *restrict limiter = row->limiter, *restrict limiter_north = row->limiter_north;

    rl_real largest = rl_set(0.0f), q_west = rl_load(qx - RL_LANES);
    rl_real s = limited ? rl_load(limiter) : rl_set(1.0f);
    if (limited) {
        q_west = rl_pipe_limit(q_west, rl_set(1.0f), rl_east(rl_load(limiter - RL_LANES), s));
        rl_store(qx - RL_LANES, q_west);
    }
    for (int i = 0; i < row->nx; i += RL_LANES) {
        rl_real east = rl_load(qx + i), north = rl_load(qy_new + i);
        if (limited) {
            const rl_real s_next = rl_load(limiter + i + RL_LANES);
            east = rl_pipe_limit(east, s, rl_east(s, s_next));
            north = rl_pipe_limit(north, s, rl_load(limiter_north + i));
            rl_store(qx + i, east);
            s = s_next;
        }
        rl_store(qy + i, north);
        rl_real left = rl_load(remainder + i);
        const rl_real filled = rl_pipe_fill(rl_load(depth + i), &left, rl_west(q_west, east), east,
                                            rl_load(qy_south + i), north, k);
        rl_store(depth + i, filled);
        rl_store(remainder + i, left);
        largest = rl_max(largest, filled);
        q_west = east;
    }
    return rl_largest(largest);
}

static float fill(const rl_pipes_fill_row *row, rl_pipe_coef k)
{
    return fill_body(row, k, 0);
}

static float limit_and_fill(const rl_pipes_fill_row *row, rl_pipe_coef k)
{
    return fill_body(row, k, 1);
}

#define TABLE(name)                                                                     \
    {                                                                                   \
        {{name##_000, name##_001}, {name##_010, name##_011}, {name##_020, name##_021}}, \
        {                                                                               \
            {name##_100, name##_101}, {name##_110, name##_111},                         \
            {                                                                           \
                name##_120, name##_121                                                  \
            }                                                                           \
        }                                                                               \
    }

const rl_pipes_rows RL_ROWS(rl_pipes_rows) = {
    .isa = RL_ISA_TEXT,
    .lanes = RL_LANES,
    .flow = TABLE(flow),
    .flow_north = TABLE(flow_north),
    .faces = TABLE(faces),
    .find_limiter = find_limiter,
    .give_way = give_way,
    .find_hung = find_hung,
    .find_beside = find_beside,
    .blocked = {{blocked_00, blocked_01, blocked_02}, {blocked_10, blocked_11, blocked_12}},
    .limit_inflow = limit_inflow,
    .velocity = velocity,
    .velocities = velocities,
    .limit = limit,
    .fill = fill,
    .limit_and_fill = limit_and_fill,
};
