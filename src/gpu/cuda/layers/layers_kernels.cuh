// SPDX-License-Identifier: MIT
// layers_kernels.cuh - a step of the layers solver, column by column (Dagenais section 3): the
// passes of solvers/layers/layers_step.c with a warp for a word of columns. Rows that need no work
// are skipped: they would come out the same.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"
#include "gpu/cuda/layers/layers_block.cuh"

#include "rill/world.h"

// ---- 1. Flow ---------------------------------------------------------------------------

// Computes the face between the columns in slots i and j, from its decayed discharge.
RL_DEVICE float rl_flow_at(const rl_layers_args &a, int i, int j, float decayed,
                           const float *cosines, bool covered, rl_pipe_coef k)
{
    const float *base = a.field[RL_COLUMN_BASE], *depth = a.field[RL_COLUMN_DEPTH];
    const float *top = a.field[RL_COLUMN_TOP];
    rl_pipe_end here = rl_pipe_open_end(base[i], depth[i]);
    rl_pipe_end there = rl_pipe_open_end(base[j], depth[j]);
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
    return rl_pipe_flow(decayed, here, there, cosine2, k, kind, a.slowed);
}

// Computes the face after a column along x or y, whose neighbours are `before` and `after`; there
// are none beyond the borders.
RL_DEVICE float rl_flow_along(const rl_layers_args &a, int axis, int slot, int before, int after,
                              bool covered, rl_pipe_coef k)
{
    const float *q = a.field[RL_COLUMN_QX + axis];
    const float decayed = a.smooth ? rl_pipe_kept_smoothed(q[slot], q[before], q[after], k)
                                   : rl_pipe_kept(q[slot], k);
    return rl_flow_at(a, slot, slot + (axis == 0 ? 1 : a.pitch), decayed,
                      a.sloped ? a.field[RL_COLUMN_COSINE_X + axis] : nullptr, covered, k);
}

// Returns the discharge of a face on a side of the grid: through drains nothing comes in.
RL_DEVICE float rl_drained(const rl_layers_args &a, int side, float q, bool inward)
{
    return a.drains >> side & 1 && inward ? 0.0f : q;
}

// Computes the faces east and north of a column, and those of the borders west and south of it.
RL_DEVICE void rl_flow_column(const rl_layers_args &a, const rl_layers_at &at, rl_pipe_coef k)
{
    float *raw_x = a.field[RL_COLUMN_RAW_X], *raw_y = a.field[RL_COLUMN_RAW_Y];
    const int slot = at.slot, pitch = a.pitch, last = a.ny - 1;
    const float east = rl_flow_along(a, 0, slot, slot - 1, slot + 1, at.covered, k);
    const float north =
        rl_flow_along(a, 1, slot, slot - pitch, at.y < last ? slot + pitch : slot, at.covered, k);
    raw_x[slot] = at.x == a.nx - 1 ? rl_drained(a, RILL_SIDE_EAST, east, east < 0.0f) : east;
    raw_y[slot] = at.y == last ? rl_drained(a, RILL_SIDE_NORTH, north, north < 0.0f) : north;
    if (at.x == 0 && rl_is_open(a, RILL_SIDE_WEST)) {
        const float west = rl_flow_along(a, 0, slot - 1, slot - 2, slot, at.covered, k);
        raw_x[slot - 1] = rl_drained(a, RILL_SIDE_WEST, west, west > 0.0f);
    }
    if (at.y == 0 && rl_is_open(a, RILL_SIDE_SOUTH)) {
        const int beyond = slot - pitch;
        const float south =
            rl_flow_along(a, 1, beyond, beyond, last > -1 ? slot : beyond, at.covered, k);
        raw_y[beyond] = rl_drained(a, RILL_SIDE_SOUTH, south, south > 0.0f);
    }
}

RL_DEVICE void rl_flow_cross(const rl_layers_args &a, int n, rl_pipe_coef k)
{
    const rl_layers_pipe pipe = a.pipes[n];
    a.cross_raw[n] = rl_flow_at(a, (int)pipe.from, (int)pipe.to, rl_pipe_kept(a.cross_q[n], k),
                                nullptr, true, k);
}

// ---- 2. Outflow limiters ---------------------------------------------------------------

// Discharges of the faces of a column.
struct rl_layers_faces {
    float west, east, south, north;
};

RL_DEVICE rl_layers_faces rl_raw_faces(const rl_layers_args &a, int slot)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X] + slot, *raw_y = a.field[RL_COLUMN_RAW_Y] + slot;
    return {raw_x[-1], raw_x[0], raw_y[-a.pitch], raw_y[0]};
}

// A limiter of a column and its neighbours.
struct rl_layers_around {
    float here, west, east, south, north;
};

RL_DEVICE rl_layers_around rl_limiters_of(const rl_layers_limiter *limiters, int slot, int pitch)
{
    return {limiters[slot].limiter, limiters[slot - 1].limiter, limiters[slot + 1].limiter,
            limiters[slot - pitch].limiter, limiters[slot + pitch].limiter};
}

RL_DEVICE rl_layers_faces rl_limit_outflow(rl_layers_faces q, rl_layers_around out)
{
    return {rl_pipe_limit(q.west, out.west, out.here), rl_pipe_limit(q.east, out.here, out.east),
            rl_pipe_limit(q.south, out.south, out.here),
            rl_pipe_limit(q.north, out.here, out.north)};
}

// Valid after a grid barrier.
RL_DEVICE float rl_limiter_at(const rl_layers_args &a, int slot)
{
    return a.limiters[slot].limiter;
}

RL_DEVICE float rl_cross_leaving(const rl_layers_args &a, const rl_layers_ends &ends)
{
    float sum = 0.0f;
    const auto leaving = [&](const rl_layers_end &end) {
        const float q = a.cross_raw[end.end >> 1];
        return rl_layers_leaving_part(end.end & 1 ? q : -q);
    };
    rl_take_ends(a, ends, leaving, [&](float part) { sum += part; });
    return sum;
}

RL_DEVICE void rl_limit_column(const rl_layers_args &a, const rl_layers_at &at,
                               const rl_layers_ends &ends, const rl_pipe_coef &k, int step)
{
    const unsigned flooded = at.covered ? a.search.flooded[at.word] : 0;
    const float depth = a.field[RL_COLUMN_DEPTH][at.slot];
    const rl_layers_faces raw = rl_raw_faces(a, at.slot);
    const float cross = rl_cross_leaving(a, ends);
    float leaving = rl_pipe_leaving(raw.west, raw.east, raw.south, raw.north, k);
    leaving = leaving + k.outflow * cross;
    if (flooded >> at.lane & 1)
        leaving = 0.0f;
    if (at.swept)
        rl_publish_limiter(a.limiters + at.slot, rl_pipe_outflow_limiter(depth, leaving), step);
}

// Returns whether a cross pipe lies inside a passage.
RL_DEVICE bool rl_is_inside(const rl_layers_args &a, const rl_layers_pipe &pipe)
{
    return rl_marked(a.search.flooded, pipe.from_bit) && rl_marked(a.search.flooded, pipe.to_bit);
}

// Which faces of a flooded column lie inside its passage.
struct rl_inside_faces {
    bool flooded, east, north;
};

RL_DEVICE rl_inside_faces rl_inside_of(const rl_layers_args &a, const rl_layers_word &word,
                                       const rl_layers_at &at)
{
    const unsigned *floods = a.search.flooded;
    const unsigned here = floods[at.word];
    const unsigned east = rl_bits_from_east(floods, word, at.word);
    const unsigned north = rl_from_beside(floods, word.north);
    return {(bool)(here >> at.lane & 1), (bool)((here & word.join_east & east) >> at.lane & 1),
            (bool)((here & word.join_north & north) >> at.lane & 1)};
}

// Clears the faces inside, except for what straight pipes leave there.
RL_DEVICE void rl_clear_inside(const rl_layers_args &a, const rl_layers_word &word,
                               const rl_layers_at &at)
{
    const rl_inside_faces inside = rl_inside_of(a, word, at);
    if (at.swept && inside.east)
        a.field[RL_COLUMN_RAW_X][at.slot] = 0.0f;
    if (at.swept && inside.north)
        a.field[RL_COLUMN_RAW_Y][at.slot] = 0.0f;
}

// ---- 3. Inflow limiters ----------------------------------------------------------------

// Outflow limiters, and those at both ends of the lane's cross pipe.
struct rl_limiters_around : rl_layers_around {
    float from, to;
};

// Polls until they are valid.
RL_DEVICE rl_limiters_around rl_await_limiters(const rl_layers_args &a, int slot,
                                               const rl_layers_end &end, int step)
{
    const int places[] = {slot,           slot - 1, slot + 1, slot - a.pitch,
                          slot + a.pitch, end.from, end.to};
    rl_layers_limiter seen[7];
    bool all;
    do {
        all = true;
#pragma unroll
        for (int n = 0; n < 7; n++)
            seen[n] = rl_read_limiter(a.limiters + places[n]);
#pragma unroll
        for (int n = 0; n < 7; n++)
            all &= seen[n].step == step || seen[n].step == RL_STEP_ALWAYS;
        if (!all)
            rl_poll_again();
    } while (!all);
    return {{seen[0].limiter, seen[1].limiter, seen[2].limiter, seen[3].limiter, seen[4].limiter},
            seen[5].limiter,
            seen[6].limiter};
}

// Returns what cross pipes bring; `seen` is for the ends that the lanes have.
RL_DEVICE float rl_cross_arriving(const rl_layers_args &a, const rl_layers_ends &ends,
                                  const rl_limiters_around &seen, int step)
{
    float sum = 0.0f;
    const auto value = [&](const rl_layers_end &end, float from, float to) {
        const float q = rl_pipe_limit(a.cross_raw[end.end >> 1], from, to);
        return rl_layers_arriving_part(end.end & 1 ? q : -q);
    };
    const auto take = [&](float part) { sum += part; };
    if (ends.count > 0)
        rl_take_group(ends, 0, value(ends.mine, seen.from, seen.to), take);
#pragma unroll 1
    for (int group = 32; group < ends.count; group += 32) {
        const rl_layers_end end =
            rl_end_at(a, ends.first, ends.count, group + ((int)threadIdx.x & 31));
        const rl_limiters_around more = rl_await_limiters(a, end.from, end, step);
        rl_take_group(ends, group, value(end, more.from, more.to), take);
    }
    return sum;
}

RL_DEVICE float rl_capacity_of(const rl_layers_args &a, const rl_layers_at &at,
                               const rl_layers_ends &ends, const rl_pipe_coef &k, int step)
{
    const int slot = at.slot;
    const unsigned flooded = a.search.flooded[at.word];
    const rl_layers_faces raw = rl_raw_faces(a, slot);
    const float capacity =
        rl_layers_capacity(a.field[RL_COLUMN_BASE][slot], a.field[RL_COLUMN_DEPTH][slot],
                           a.field[RL_COLUMN_REMAINDER][slot], a.field[RL_COLUMN_TOP][slot]);
    const rl_limiters_around seen = rl_await_limiters(a, slot, ends.mine, step);
    const float cross = rl_cross_arriving(a, ends, seen, step);
    const rl_layers_faces q = rl_limit_outflow(raw, seen);
    float arriving = rl_pipe_arriving(q.west, q.east, q.south, q.north, k);
    arriving = arriving + k.outflow * cross;
    if (flooded >> at.lane & 1)
        arriving = 0.0f;
    return rl_pipe_outflow_limiter(capacity, arriving);
}

// ---- 4. Filling ------------------------------------------------------------------------

// Returns the discharge of a face or cross pipe after the outflow and inflow limiters.
RL_DEVICE float rl_limited(const rl_layers_args &a, float q, int from, int to)
{
    const float *capacity = a.field[RL_COLUMN_INFLOW_LIMITER];
    const float after_outflow = rl_pipe_limit(q, rl_limiter_at(a, from), rl_limiter_at(a, to));
    return rl_pipe_limit_inflow(after_outflow, capacity[from], capacity[to]);
}

RL_DEVICE float rl_cross_net(const rl_layers_args &a, const rl_layers_ends &ends)
{
    float sum = 0.0f;
    const auto arriving = [&](const rl_layers_end &end) {
        const float q = rl_limited(a, a.cross_raw[end.end >> 1], end.from, end.to);
        return end.end & 1 ? q : -q;
    };
    rl_take_ends(a, ends, arriving, [&](float q) { sum += q; });
    return sum;
}

// Returns the values of its passage for a flooded column.
RL_DEVICE rl_layers_shown rl_shown_of(const rl_layers_search &s, int word, int lane)
{
    const unsigned upto = 0xffffffffu >> (31 - lane);
    return s.shown[s.before[word] + __popc(s.begins[word] & upto) - 1];
}

// Fills a flooded column, which holds its volume, with its part of the filling of its passage.
// Returns its depth.
RL_DEVICE float rl_fill_flooded(float base, float depth, float top, double part, double cell,
                                float *remainder)
{
    const double lacking =
        rl_passages_metres(rl_passages_count_lacking(base, depth, top, cell), cell);
    if (!(part > 0.0 && lacking > 0.0))
        return depth;
    const double amount = (double)depth + (double)*remainder + part * lacking;
    return rl_layers_hold(amount, 1, base, top, remainder);
}

RL_DEVICE rl_layers_around rl_around(const float *field, int slot, int pitch)
{
    return {field[slot], field[slot - 1], field[slot + 1], field[slot - pitch],
            field[slot + pitch]};
}

RL_DEVICE rl_layers_faces rl_limit_inflow(rl_layers_faces q, rl_layers_around in)
{
    return {rl_pipe_limit_inflow(q.west, in.west, in.here),
            rl_pipe_limit_inflow(q.east, in.here, in.east),
            rl_pipe_limit_inflow(q.south, in.south, in.here),
            rl_pipe_limit_inflow(q.north, in.here, in.north)};
}

// Writes faces of borders, which no other column writes; smoothing reads the same discharge beyond
// them.
RL_DEVICE void rl_write_borders(const rl_layers_args &a, const rl_layers_at &at,
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

// The values of a column that do not change while the passages are balanced.
struct rl_fill_ahead {
    float base, depth, top;
    int run;          // whose passage the column belongs to, or -1
    bool east, north; // faces inside the passage
};

RL_DEVICE rl_fill_ahead rl_read_ahead(const rl_layers_args &a, const rl_layers_word &word,
                                      const rl_layers_at &at)
{
    rl_fill_ahead ahead = {0.0f, a.field[RL_COLUMN_DEPTH][at.slot], 0.0f, -1, false, false};
    if (!at.covered)
        return ahead;
    const unsigned begins = a.search.begins[at.word];
    const int before = a.search.before[at.word];
    const rl_inside_faces inside = rl_inside_of(a, word, at);
    ahead.base = a.field[RL_COLUMN_BASE][at.slot];
    ahead.top = a.field[RL_COLUMN_TOP][at.slot];
    if (inside.flooded)
        ahead.run = before + __popc(begins & 0xffffffffu >> (31 - at.lane)) - 1;
    ahead.east = inside.east;
    ahead.north = inside.north;
    return ahead;
}

// Returns the new depth, 0 for lanes without a column. All values are loaded as early as possible.
RL_DEVICE float rl_fill_column(const rl_layers_args &a, const rl_layers_word &word,
                               const rl_layers_at &at, const rl_layers_ends &ends,
                               const rl_fill_ahead &ahead, const rl_pipe_coef &k)
{
    const int slot = at.slot;
    const bool flooded = ahead.run >= 0;
    const rl_layers_faces raw = rl_raw_faces(a, slot);
    const rl_layers_around out = rl_limiters_of(a.limiters, slot, a.pitch);
    rl_layers_around in = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    rl_layers_shown shown = {0.0, 0.0f, 0.0f, 0.0f};
    float left = a.field[RL_COLUMN_REMAINDER][slot];
    if (at.covered)
        in = rl_around(a.field[RL_COLUMN_INFLOW_LIMITER], slot, a.pitch);
    if (flooded)
        shown = a.search.shown[ahead.run];
    const float net = rl_cross_net(a, ends);
    rl_layers_faces q = rl_limit_inflow(rl_limit_outflow(raw, out), in);
    const rl_layers_faces moved = q;
    float filled;
    if (flooded) {
        filled = rl_fill_flooded(ahead.base, ahead.depth, ahead.top, shown.filling,
                                 a.rules.cell_size, &left);
        // Inside passages the faces have its mean flow, or the discharge that straight pipes have
        // left there.
        q.east = ahead.east && !RL_STRAIGHT(a) ? shown.mean_x : q.east;
        q.north = ahead.north && !RL_STRAIGHT(a) ? shown.mean_y : q.north;
    } else {
        const float south = word.flags & RL_WORD_CROSSED ? q.south + net : q.south;
        filled = rl_pipe_fill(ahead.depth, &left, q.west, q.east, south, q.north, k);
        if (at.covered)
            filled = rl_layers_lowered(ahead.base, filled, &left, ahead.top);
    }
    if (!at.swept)
        return 0.0f;
    if (flooded)
        a.field[RL_COLUMN_HEAD][slot] = shown.head;
    a.field[RL_COLUMN_DEPTH][slot] = filled;
    a.field[RL_COLUMN_REMAINDER][slot] = left;
    a.field[RL_COLUMN_QX][slot] = q.east;
    a.field[RL_COLUMN_QY][slot] = q.north;
    rl_write_borders(a, at, moved);
    return filled;
}

RL_DEVICE void rl_fill_cross(const rl_layers_args &a, int n)
{
    const rl_layers_pipe pipe = a.pipes[n];
    float q = rl_limited(a, a.cross_raw[n], (int)pipe.from, (int)pipe.to);
    if (!RL_STRAIGHT(a) && rl_is_inside(a, pipe)) {
        const rl_layers_shown shown = rl_shown_of(a.search, pipe.from_bit >> 5, pipe.from_bit & 31);
        q = pipe.north ? shown.mean_y : shown.mean_x;
    }
    a.cross_q[n] = q;
}

// ---- After a step ----------------------------------------------------------------------

#define RL_BOOKED_AT_ONCE 16 // values that are loaded together

// Books inward(0), inward(1), ... one after the other. Zeros change nothing.
template <typename Inward>
RL_DEVICE void rl_book_many(int count, double *in, double *out, Inward inward)
{
#pragma unroll 1
    for (int first = 0; first < count; first += RL_BOOKED_AT_ONCE) {
        float next[RL_BOOKED_AT_ONCE];
#pragma unroll
        for (int n = 0; n < RL_BOOKED_AT_ONCE; n++)
            next[n] = first + n < count ? inward(first + n) : 0.0f;
#pragma unroll
        for (int n = 0; n < RL_BOOKED_AT_ONCE; n++)
            rl_book((double)next[n], in, out);
    }
}

// Books what crossed the borders of one tile of rows, in the order of the host's ledger.
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
            rl_book_many(2 * (y1 - y0), &in, &out, [=](int n) {
                const float *row = first + (ptrdiff_t)(n >> 1) * pitch;
                return n & 1 ? (west ? row[-1] : 0.0f) : (east ? -row[nx - 1] : 0.0f);
            });
        if (south)
            rl_book_many(nx, &in, &out, [=](int n) { return below[n]; });
        if (north)
            rl_book_many(nx, &in, &out, [=](int n) { return -last[n]; });
    }
    a.moved[2 * tile] = in;
    a.moved[2 * tile + 1] = out;
}
