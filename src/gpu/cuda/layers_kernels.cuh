// SPDX-License-Identifier: MIT
// layers_kernels.cuh - a step of the layers water, column by column: the passes of
// solvers/layers/layers_step.c with a warp for a word of columns. Rows that need no work are not
// passed over: they come out the same.
#pragma once

#include "gpu/cuda/layers_args.cuh"

#include "rill/world.h"

// ---- 1. Flow ---------------------------------------------------------------------------

// The face between the columns in slots i and j, from what is kept of its discharge.
__device__ __forceinline__ float rl_flow_at(const rl_layers_args &a, int i, int j, float kept,
                                            const float *cosines, bool covered, rl_pipe_coef k)
{
    const float *base = a.field[RL_COLUMN_BASE], *depth = a.field[RL_COLUMN_DEPTH];
    const float *top = a.field[RL_COLUMN_TOP];
    rl_pipe_end here = {base[i], depth[i], 0.0f}, there = {base[j], depth[j], 0.0f};
    int kind = a.paper ? RL_PIPE_PAPER : 0;
    if (covered) {
        here.top = top[i];
        there.top = top[j];
        kind |= RL_PIPE_CEILINGS;
    }
    float cosine2 = 1.0f;
    if (cosines != nullptr) {
        cosine2 = cosines[i];
        kind |= RL_PIPE_SLOPED;
    }
    return rl_pipe_flow(kept, here, there, cosine2, k, kind, a.slowed);
}

__device__ __forceinline__ float rl_kept_at(const rl_layers_args &a, const float *q, int here,
                                            int before, int after, rl_pipe_coef k)
{
    return a.smooth ? rl_pipe_kept_smoothed(q[here], q[before], q[after], k)
                    : rl_pipe_kept(q[here], k);
}

__device__ __forceinline__ float rl_flow_east(const rl_layers_args &a, int slot, bool covered,
                                              rl_pipe_coef k)
{
    const float kept = rl_kept_at(a, a.field[RL_COLUMN_QX], slot, slot - 1, slot + 1, k);
    return rl_flow_at(a, slot, slot + 1, kept, a.sloped ? a.field[RL_COLUMN_COSINE_X] : nullptr,
                      covered, k);
}

// `south` and `north` are the faces beside; none lies beyond the borders.
__device__ __forceinline__ float rl_flow_north(const rl_layers_args &a, int slot, int south,
                                               int north, bool covered, rl_pipe_coef k)
{
    const float kept = rl_kept_at(a, a.field[RL_COLUMN_QY], slot, south, north, k);
    return rl_flow_at(a, slot, slot + a.pitch, kept,
                      a.sloped ? a.field[RL_COLUMN_COSINE_Y] : nullptr, covered, k);
}

__device__ __forceinline__ float rl_only_if(float q, bool drains, bool wrong)
{
    return drains && wrong ? 0.0f : q;
}

// The faces east and north of a column, and those of the borders west and south of it.
__device__ __forceinline__ void rl_flow_column(const rl_layers_args &a, const rl_layers_at &at,
                                               rl_pipe_coef k)
{
    float *raw_x = a.field[RL_COLUMN_RAW_X], *raw_y = a.field[RL_COLUMN_RAW_Y];
    const int slot = at.slot, pitch = a.pitch, last = a.ny - 1;
    const float east = rl_flow_east(a, slot, at.covered, k);
    const float north =
        rl_flow_north(a, slot, slot - pitch, at.y < last ? slot + pitch : slot, at.covered, k);
    raw_x[slot] =
        rl_only_if(east, at.x == a.nx - 1 && (a.drains >> RILL_SIDE_EAST & 1), east < 0.0f);
    raw_y[slot] =
        rl_only_if(north, at.y == last && (a.drains >> RILL_SIDE_NORTH & 1), north < 0.0f);
    if (at.x == 0 && rl_is_open(a, RILL_SIDE_WEST)) {
        const float west = rl_flow_east(a, slot - 1, at.covered, k);
        raw_x[slot - 1] = rl_only_if(west, a.drains >> RILL_SIDE_WEST & 1, west > 0.0f);
    }
    if (at.y == 0 && rl_is_open(a, RILL_SIDE_SOUTH)) {
        const int beyond = slot - pitch;
        const float south =
            rl_flow_north(a, beyond, beyond, last > -1 ? slot : beyond, at.covered, k);
        raw_y[beyond] = rl_only_if(south, a.drains >> RILL_SIDE_SOUTH & 1, south > 0.0f);
    }
}

__device__ __forceinline__ void rl_flow_cross(const rl_layers_args &a, int n, rl_pipe_coef k)
{
    const rl_layers_pipe pipe = a.pipes[n];
    a.cross_raw[n] = rl_flow_at(a, (int)pipe.from, (int)pipe.to, rl_pipe_kept(a.cross_q[n], k),
                                nullptr, true, k);
}

// ---- Full columns ----------------------------------------------------------------------

// Whether what cross pipes bring fills a column.
__device__ __forceinline__ bool rl_full_by_cross(const rl_layers_args &a,
                                                 const rl_layers_ends &ends, float first,
                                                 float base, float depth, float top, float spread)
{
    bool full = false;
    for (int e = ends.begin; e < ends.end; e++) {
        const int end = rl_end_at(a, ends, e).end;
        const float q = e == ends.begin ? first : a.cross_q[end >> 1];
        full |= (end & 1 ? q > 0.0f : q < 0.0f) &&
                rl_passages_full_by_cross(base, depth, top, q, spread, a.cell_size);
    }
    return full;
}

// A covered column that may be full.
struct rl_covered_column {
    float base, top;
    float head; // what drives liquid out of it
    bool was;   // flooded
};

// What the column in a slot tells; as told_by of the host.
__device__ __forceinline__ float rl_told_by(const rl_layers_args &a, int slot, bool was)
{
    return rl_passages_told(a.field[RL_COLUMN_BASE][slot], a.field[RL_COLUMN_DEPTH][slot],
                            a.field[RL_COLUMN_TOP][slot], was, a.field[RL_COLUMN_HEAD][slot]);
}

// A column of a word, with the head that head_behind of the host finds. Memory is asked for all of
// it at once.
__device__ __forceinline__ rl_covered_column rl_covered_column_of(const rl_layers_args &a,
                                                                  const rl_layers_word &word,
                                                                  const rl_layers_at &at,
                                                                  const rl_layers_ends &ends)
{
    const unsigned *floods = a.search.flooded;
    const int n = at.word, lane = at.lane, slot = at.slot;
    const unsigned here = floods[n], before = word.flags & RL_WORD_WEST ? floods[n - 1] : 0;
    const unsigned after = word.flags & RL_WORD_EAST ? floods[n + 1] : 0;
    const unsigned south = word.south >= 0 ? floods[word.south] : 0;
    const unsigned north = word.north >= 0 ? floods[word.north] : 0;
    const float own = a.field[RL_COLUMN_HEAD][slot];
    const float base = a.field[RL_COLUMN_BASE][slot], depth = a.field[RL_COLUMN_DEPTH][slot];
    const float told_west = rl_told_by(a, slot - 1, (here << 1 | before >> 31) >> lane & 1);
    const float told_east = rl_told_by(a, slot + 1, (here >> 1 | after << 31) >> lane & 1);
    const float told_south = rl_told_by(a, slot - a.pitch, south >> lane & 1);
    const float told_north = rl_told_by(a, slot + a.pitch, north >> lane & 1);
    float head = base + depth;
    head = word.join_west >> lane & 1 ? rl_passages_higher(head, told_west) : head;
    head = word.join_east >> lane & 1 ? rl_passages_higher(head, told_east) : head;
    head = word.join_south >> lane & 1 ? rl_passages_higher(head, told_south) : head;
    head = word.join_north >> lane & 1 ? rl_passages_higher(head, told_north) : head;
    for (int e = ends.begin; e < ends.end; e++) {
        const rl_layers_end end = rl_end_at(a, ends, e);
        head = rl_passages_higher(
            head, rl_told_by(a, end.end & 1 ? end.from : end.to, rl_marked(floods, end.beside)));
    }
    const bool was = here >> lane & 1;
    return {base, a.field[RL_COLUMN_TOP][slot], was ? own : head, was};
}

// Whether air stands at the ceiling between it and a column in slot `outside`, and what leaves
// there does not keep it out.
__device__ __forceinline__ bool rl_air_enters(const rl_layers_args &a, const rl_covered_column &c,
                                              int outside, float outflow)
{
    const float beside = a.field[RL_COLUMN_TOP][outside], base = a.field[RL_COLUMN_BASE][outside];
    const float ceiling = c.top < beside ? c.top : beside;
    const float level = base + a.field[RL_COLUMN_DEPTH][outside];
    const float sill = c.base > base ? c.base : base;
    return level < rl_passages_air_level_of(a.cell_size, c.base, c.top, ceiling, c.was) &&
           (!(outflow > 0.0f) || !rl_passages_keep_air_out(c.head, ceiling, outflow, ceiling - sill,
                                                           a.rules.gravity, !c.was));
}

// Which columns of a word are full, so that they may belong to a passage, and from which sides air
// would enter them.
__device__ __forceinline__ void rl_mark_word(const rl_layers_args &a, const rl_layers_word &word,
                                             const rl_layers_at &at, const rl_layers_ends &ends,
                                             const rl_pipe_coef &k)
{
    const int slot = at.slot, pitch = a.pitch;
    bool full = false, west = false, east = false, south = false, north = false;
    uint64_t lacking = 0;
    if (at.swept) {
        const float base = a.field[RL_COLUMN_BASE][slot], depth = a.field[RL_COLUMN_DEPTH][slot];
        const float top = a.field[RL_COLUMN_TOP][slot];
        const float *qx = a.field[RL_COLUMN_QX] + slot, *qy = a.field[RL_COLUMN_QY] + slot;
        const float q_west = qx[-1], q_east = qx[0], q_south = qy[-pitch], q_north = qy[0];
        const rl_covered_column column = rl_covered_column_of(a, word, at, ends);
        const float first = ends.end > ends.begin ? a.cross_q[ends.first.end >> 1] : 0.0f;
        west = rl_air_enters(a, column, slot - 1, -q_west);
        east = rl_air_enters(a, column, slot + 1, q_east);
        south = rl_air_enters(a, column, slot - pitch, -q_south);
        north = rl_air_enters(a, column, slot + pitch, q_north);
        for (int e = ends.begin; e < ends.end; e++) {
            const rl_layers_end end = rl_end_at(a, ends, e);
            const float q = e == ends.begin ? first : a.cross_q[end.end >> 1];
            a.search.end_air[end.end] =
                rl_air_enters(a, column, end.end & 1 ? end.from : end.to, end.end & 1 ? -q : q);
        }
        lacking = rl_passages_count_lacking(base, depth, top, a.rules.cell_size);
        const float inflow = rl_passages_inflow(q_west, q_east, q_south, q_north);
        full = rl_passages_full(base, depth, top, inflow, column.was, k.spread, a.cell_size) ||
               rl_full_by_cross(a, ends, first, base, depth, top, k.spread);
    }
    const unsigned bits = __ballot_sync(RL_ALL_LANES, full);
    const uint4 air = {word.join_west & __ballot_sync(RL_ALL_LANES, west),
                       word.join_east & __ballot_sync(RL_ALL_LANES, east),
                       word.join_south & __ballot_sync(RL_ALL_LANES, south),
                       word.join_north & __ballot_sync(RL_ALL_LANES, north)};
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const uint64_t other = __shfl_up_sync(RL_ALL_LANES, lacking, step);
        lacking += at.lane >= step ? other : 0;
    }
    a.search.lacking[32 * at.word + at.lane] = lacking;
    if (at.lane == 0) {
        a.search.full[at.word] = bits;
        a.search.air[at.word] = air;
    }
}

// ---- 2. Shares -------------------------------------------------------------------------

__device__ __forceinline__ float rl_cross_leaving(const rl_layers_args &a,
                                                  const rl_layers_ends &ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const int end = rl_end_at(a, ends, e).end;
        const float q = a.cross_raw[end >> 1];
        sum += rl_layers_leaving_part(end & 1 ? q : -q);
    }
    return sum;
}

__device__ __forceinline__ void rl_share_column(const rl_layers_args &a, const rl_layers_at &at,
                                                const rl_layers_ends &ends, const rl_pipe_coef &k)
{
    const unsigned flooded = at.covered ? a.search.flooded[at.word] : 0;
    const float depth = a.field[RL_COLUMN_DEPTH][at.slot];
    const float *raw_x = a.field[RL_COLUMN_RAW_X] + at.slot;
    const float *raw_y = a.field[RL_COLUMN_RAW_Y] + at.slot;
    const float west = raw_x[-1], east = raw_x[0], south = raw_y[-a.pitch], north = raw_y[0];
    const float cross = rl_cross_leaving(a, ends);
    float leaving = rl_pipe_leaving(west, east, south, north, k);
    leaving = leaving + k.claim * cross;
    if (flooded >> at.lane & 1)
        leaving = 0.0f;
    a.field[RL_COLUMN_SHARE_OUT][at.slot] = rl_pipe_share(depth, leaving);
}

// ---- 3. Rooms --------------------------------------------------------------------------

// The discharge of a face or cross pipe limited by what columns can pay for.
__device__ __forceinline__ float rl_paid(const rl_layers_args &a, float q, int from, int to)
{
    const float *share = a.field[RL_COLUMN_SHARE_OUT];
    return rl_pipe_limit(q, share[from], share[to]);
}

__device__ __forceinline__ float rl_cross_arriving(const rl_layers_args &a,
                                                   const rl_layers_ends &ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const rl_layers_end end = rl_end_at(a, ends, e);
        const float q = rl_paid(a, a.cross_raw[end.end >> 1], end.from, end.to);
        sum += rl_layers_arriving_part(end.end & 1 ? q : -q);
    }
    return sum;
}

__device__ __forceinline__ float rl_room_of(const rl_layers_args &a, const rl_layers_at &at,
                                            const rl_layers_ends &ends, const rl_pipe_coef &k)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X], *raw_y = a.field[RL_COLUMN_RAW_Y];
    const int slot = at.slot, pitch = a.pitch;
    const unsigned flooded = a.search.flooded[at.word];
    const float room =
        rl_layers_room(a.field[RL_COLUMN_BASE][slot], a.field[RL_COLUMN_DEPTH][slot],
                       a.field[RL_COLUMN_REMAINDER][slot], a.field[RL_COLUMN_TOP][slot]);
    const float west = rl_paid(a, raw_x[slot - 1], slot - 1, slot);
    const float east = rl_paid(a, raw_x[slot], slot, slot + 1);
    const float south = rl_paid(a, raw_y[slot - pitch], slot - pitch, slot);
    const float north = rl_paid(a, raw_y[slot], slot, slot + pitch);
    float arriving = rl_pipe_arriving(west, east, south, north, k);
    arriving = arriving + k.claim * rl_cross_arriving(a, ends);
    if (flooded >> at.lane & 1)
        arriving = 0.0f;
    return rl_pipe_share(room, arriving);
}

// ---- 4. Filling ------------------------------------------------------------------------

// The discharge of a face or cross pipe limited by what columns can pay for and have room for.
__device__ __forceinline__ float rl_limited(const rl_layers_args &a, float q, int from, int to)
{
    const float *room = a.field[RL_COLUMN_SHARE_IN];
    return rl_pipe_limit_inflow(rl_paid(a, q, from, to), room[from], room[to]);
}

__device__ __forceinline__ float rl_cross_net(const rl_layers_args &a, const rl_layers_ends &ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const rl_layers_end end = rl_end_at(a, ends, e);
        const float q = rl_limited(a, a.cross_raw[end.end >> 1], end.from, end.to);
        sum += end.end & 1 ? q : -q;
    }
    return sum;
}

// What a flooded column shows of its passage.
__device__ __forceinline__ rl_layers_shown rl_shown_of(const rl_layers_search &s, int word,
                                                       int lane)
{
    const unsigned upto = 0xffffffffu >> (31 - lane);
    return s.shown[s.before[word] + __popc(s.begins[word] & upto) - 1];
}

// A flooded column keeps what it holds, and gets its part of what its passage is filled with.
// Returns its depth.
__device__ __forceinline__ float rl_keep_flooded(float base, float depth, float top, double part,
                                                 double cell, float *remainder)
{
    const double lacking =
        rl_passages_metres(rl_passages_count_lacking(base, depth, top, cell), cell);
    if (!(part > 0.0 && lacking > 0.0))
        return depth;
    const double amount = (double)depth + (double)*remainder + part * lacking;
    return rl_layers_hold(amount, 1, base, top, remainder);
}

struct rl_layers_faces {
    float west, east, south, north;
};

// Raw discharges of the faces of a column, and a share of it and its neighbours.
struct rl_layers_around {
    float here, west, east, south, north;
};

__device__ __forceinline__ rl_layers_faces rl_raw_faces(const rl_layers_args &a, int slot)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X] + slot, *raw_y = a.field[RL_COLUMN_RAW_Y] + slot;
    return {raw_x[-1], raw_x[0], raw_y[-a.pitch], raw_y[0]};
}

__device__ __forceinline__ rl_layers_around rl_around(const float *field, int slot, int pitch)
{
    return {field[slot], field[slot - 1], field[slot + 1], field[slot - pitch],
            field[slot + pitch]};
}

__device__ __forceinline__ rl_layers_faces rl_limit_faces(rl_layers_faces q, rl_layers_around out,
                                                          rl_layers_around in)
{
    return {rl_pipe_limit_inflow(rl_pipe_limit(q.west, out.west, out.here), in.west, in.here),
            rl_pipe_limit_inflow(rl_pipe_limit(q.east, out.here, out.east), in.here, in.east),
            rl_pipe_limit_inflow(rl_pipe_limit(q.south, out.south, out.here), in.south, in.here),
            rl_pipe_limit_inflow(rl_pipe_limit(q.north, out.here, out.north), in.here, in.north)};
}

// Faces of borders, which no other column writes; smoothing sees the same discharge beyond them.
__device__ __forceinline__ void rl_write_borders(const rl_layers_args &a, const rl_layers_at &at,
                                                 const rl_layers_faces &q)
{
    float *qx = a.field[RL_COLUMN_QX] + at.slot, *qy = a.field[RL_COLUMN_QY] + at.slot;
    if (at.x == 0 && rl_is_open(a, RILL_SIDE_WEST))
        qx[-1] = qx[-2] = q.west;
    if (at.x == a.nx - 1 && rl_is_open(a, RILL_SIDE_EAST))
        qx[1] = q.east;
    if (at.y == 0 && rl_is_open(a, RILL_SIDE_SOUTH))
        qy[-a.pitch] = q.south;
}

// Inside passages the faces show its mean flow. `next` and `beside` are flooded columns of the
// words east and north.
__device__ __forceinline__ void rl_show_mean(const rl_layers_word &word, int lane, unsigned here,
                                             unsigned next, unsigned beside,
                                             const rl_layers_shown &shown, rl_layers_faces *q)
{
    const unsigned east = word.join_east & (here >> 1 | next << 31);
    if (east >> lane & 1)
        q->east = shown.mean_x;
    if ((word.join_north & beside) >> lane & 1)
        q->north = shown.mean_y;
}

// Returns the new depth. Memory is asked for all of it as early as can be.
__device__ __forceinline__ float rl_fill_column(const rl_layers_args &a, const rl_layers_word &word,
                                                const rl_layers_at &at, const rl_layers_ends &ends,
                                                const rl_pipe_coef &k)
{
    const int slot = at.slot;
    const unsigned *floods = a.search.flooded;
    unsigned here = 0, next = 0, beside = 0, begins = 0;
    int before = 0;
    const rl_layers_faces raw = rl_raw_faces(a, slot);
    const rl_layers_around out = rl_around(a.field[RL_COLUMN_SHARE_OUT], slot, a.pitch);
    rl_layers_around in = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    float base = 0.0f, top = 0.0f, left = a.field[RL_COLUMN_REMAINDER][slot];
    if (at.covered) {
        here = floods[at.word];
        next = word.flags & RL_WORD_EAST ? floods[at.word + 1] : 0;
        beside = word.north >= 0 ? floods[word.north] : 0;
        base = a.field[RL_COLUMN_BASE][slot];
        top = a.field[RL_COLUMN_TOP][slot];
        in = rl_around(a.field[RL_COLUMN_SHARE_IN], slot, a.pitch);
        begins = a.search.begins[at.word];
        before = a.search.before[at.word];
    }
    const float depth = a.field[RL_COLUMN_DEPTH][slot];
    const bool flooded = here >> at.lane & 1;
    rl_layers_shown shown = {0.0, 0.0f, 0.0f, 0.0f};
    if (flooded)
        shown = a.search.shown[before + __popc(begins & 0xffffffffu >> (31 - at.lane)) - 1];
    const float net = !flooded && word.flags & RL_WORD_CROSSED ? rl_cross_net(a, ends) : 0.0f;
    rl_layers_faces q = rl_limit_faces(raw, out, in);
    const rl_layers_faces moved = q;
    float filled;
    if (flooded) {
        filled = rl_keep_flooded(base, depth, top, shown.filling, a.rules.cell_size, &left);
        rl_show_mean(word, at.lane, here, next, beside, shown, &q);
        a.field[RL_COLUMN_HEAD][slot] = shown.head;
    } else {
        const float south = word.flags & RL_WORD_CROSSED ? q.south + net : q.south;
        filled = rl_pipe_fill(depth, &left, q.west, q.east, south, q.north, k);
        if (at.covered)
            filled = rl_layers_lowered(base, filled, &left, top);
    }
    a.field[RL_COLUMN_DEPTH][slot] = filled;
    a.field[RL_COLUMN_REMAINDER][slot] = left;
    a.field[RL_COLUMN_QX][slot] = q.east;
    a.field[RL_COLUMN_QY][slot] = q.north;
    rl_write_borders(a, at, moved);
    return filled;
}

__device__ __forceinline__ void rl_fill_cross(const rl_layers_args &a, int n)
{
    const rl_layers_pipe pipe = a.pipes[n];
    float q = rl_limited(a, a.cross_raw[n], (int)pipe.from, (int)pipe.to);
    if (rl_marked(a.search.flooded, pipe.from_bit) && rl_marked(a.search.flooded, pipe.to_bit)) {
        const rl_layers_shown shown = rl_shown_of(a.search, pipe.from_bit >> 5, pipe.from_bit & 31);
        q = pipe.north ? shown.mean_y : shown.mean_x;
    }
    a.cross_q[n] = q;
}

// ---- After a step ----------------------------------------------------------------------

__device__ __forceinline__ void rl_book_one(double inward, double *in, double *out)
{
    if (inward > 0.0)
        *in += inward;
    else
        *out -= inward;
}

#define RL_BOOKED_AT_ONCE 16 // memory is asked for this many together

// Books inward(0), inward(1), ... one after the other. What is nothing changes nothing.
template <typename Inward>
__device__ __forceinline__ void rl_book_many(int count, Inward inward, double *in, double *out)
{
#pragma unroll 1
    for (int first = 0; first < count; first += RL_BOOKED_AT_ONCE) {
        float next[RL_BOOKED_AT_ONCE];
#pragma unroll
        for (int n = 0; n < RL_BOOKED_AT_ONCE; n++)
            next[n] = first + n < count ? inward(first + n) : 0.0f;
#pragma unroll
        for (int n = 0; n < RL_BOOKED_AT_ONCE; n++)
            rl_book_one((double)next[n], in, out);
    }
}

// What crossed the borders of one tile of rows, in the order of the host's books.
__device__ inline void rl_book_tile(const rl_layers_args &a, int tile)
{
    const float *qx = a.field[RL_COLUMN_QX], *qy = a.field[RL_COLUMN_QY];
    const int y0 = tile * a.tile_rows, y1 = min(y0 + a.tile_rows, a.ny);
    const int nx = a.nx, pitch = a.pitch;
    const bool east = rl_is_open(a, RILL_SIDE_EAST), west = rl_is_open(a, RILL_SIDE_WEST);
    const bool south = y0 == 0 && rl_is_open(a, RILL_SIDE_SOUTH);
    const bool north = y1 == a.ny && rl_is_open(a, RILL_SIDE_NORTH);
    double in = 0.0, out = 0.0;
#pragma unroll 1
    for (int plane = 0; plane < a.planes; plane++) {
        const ptrdiff_t origin = (ptrdiff_t)plane * a.plane_rows * a.pitch;
        const float *first = qx + origin + (ptrdiff_t)y0 * a.pitch;
        const float *below = qy + origin - a.pitch;
        const float *last = qy + origin + (ptrdiff_t)(a.ny - 1) * a.pitch;
        if (east || west)
            rl_book_many(
                2 * (y1 - y0),
                [=](int n) {
                    const float *row = first + (ptrdiff_t)(n >> 1) * pitch;
                    return n & 1 ? (west ? row[-1] : 0.0f) : (east ? -row[nx - 1] : 0.0f);
                },
                &in, &out);
        if (south)
            rl_book_many(
                nx, [=](int n) { return below[n]; }, &in, &out);
        if (north)
            rl_book_many(
                nx, [=](int n) { return -last[n]; }, &in, &out);
    }
    a.moved[2 * tile] = in;
    a.moved[2 * tile + 1] = out;
}
