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

// Whether a column is full, so that it may belong to a passage.
__device__ __forceinline__ bool rl_is_full(const rl_layers_args &a, const rl_layers_word &word,
                                           const rl_layers_at &at, rl_pipe_coef k)
{
    const float base = a.field[RL_COLUMN_BASE][at.slot], depth = a.field[RL_COLUMN_DEPTH][at.slot];
    const float top = a.field[RL_COLUMN_TOP][at.slot];
    const float *qx = a.field[RL_COLUMN_QX] + at.slot, *qy = a.field[RL_COLUMN_QY] + at.slot;
    const int was = a.search.flooded[at.word] >> at.lane & 1;
    const float inflow = rl_passages_inflow(qx[-1], qx[0], qy[-a.pitch], qy[0]);
    if (rl_passages_full(base, depth, top, inflow, was, k.spread, a.cell_size))
        return true;
    const rl_layers_ends ends = rl_ends_of(a, word, at.lane);
    for (int e = ends.begin; e < ends.end; e++) {
        const float q = a.cross_q[a.ends[e] >> 1];
        if ((a.ends[e] & 1 ? q > 0.0f : q < 0.0f) &&
            rl_passages_full_by_cross(base, depth, top, q, k.spread, a.cell_size))
            return true;
    }
    return false;
}

// ---- 2. Shares -------------------------------------------------------------------------

__device__ __forceinline__ float rl_cross_leaving(const rl_layers_args &a, rl_layers_ends ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const int end = a.ends[e];
        const float q = a.cross_raw[end >> 1];
        sum += rl_layers_leaving_part(end & 1 ? q : -q);
    }
    return sum;
}

__device__ __forceinline__ void rl_share_column(const rl_layers_args &a, const rl_layers_word &word,
                                                const rl_layers_at &at, rl_pipe_coef k)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X] + at.slot;
    const float *raw_y = a.field[RL_COLUMN_RAW_Y] + at.slot;
    float leaving = rl_pipe_leaving(raw_x[-1], raw_x[0], raw_y[-a.pitch], raw_y[0], k);
    leaving = leaving + k.claim * rl_cross_leaving(a, rl_ends_of(a, word, at.lane));
    if (at.covered && (a.search.flooded[at.word] >> at.lane & 1))
        leaving = 0.0f;
    a.field[RL_COLUMN_SHARE_OUT][at.slot] =
        rl_pipe_share(a.field[RL_COLUMN_DEPTH][at.slot], leaving);
}

// ---- 3. Rooms --------------------------------------------------------------------------

// The discharge of a face or cross pipe limited by what columns can pay for.
__device__ __forceinline__ float rl_paid(const rl_layers_args &a, float q, int from, int to)
{
    const float *share = a.field[RL_COLUMN_SHARE_OUT];
    return rl_pipe_limit(q, share[from], share[to]);
}

__device__ __forceinline__ float rl_cross_arriving(const rl_layers_args &a, rl_layers_ends ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const int n = a.ends[e] >> 1;
        const float q = rl_paid(a, a.cross_raw[n], (int)a.pipes[n].from, (int)a.pipes[n].to);
        sum += rl_layers_arriving_part(a.ends[e] & 1 ? q : -q);
    }
    return sum;
}

__device__ __forceinline__ float rl_room_of(const rl_layers_args &a, const rl_layers_word &word,
                                            const rl_layers_at &at, rl_pipe_coef k)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X], *raw_y = a.field[RL_COLUMN_RAW_Y];
    const int slot = at.slot, pitch = a.pitch;
    const float west = rl_paid(a, raw_x[slot - 1], slot - 1, slot);
    const float east = rl_paid(a, raw_x[slot], slot, slot + 1);
    const float south = rl_paid(a, raw_y[slot - pitch], slot - pitch, slot);
    const float north = rl_paid(a, raw_y[slot], slot, slot + pitch);
    float arriving = rl_pipe_arriving(west, east, south, north, k);
    arriving = arriving + k.claim * rl_cross_arriving(a, rl_ends_of(a, word, at.lane));
    if (a.search.flooded[at.word] >> at.lane & 1)
        arriving = 0.0f;
    const float room =
        rl_layers_room(a.field[RL_COLUMN_BASE][slot], a.field[RL_COLUMN_DEPTH][slot],
                       a.field[RL_COLUMN_REMAINDER][slot], a.field[RL_COLUMN_TOP][slot]);
    return rl_pipe_share(room, arriving);
}

// ---- 4. Filling ------------------------------------------------------------------------

// The discharge of a face or cross pipe limited by what columns can pay for and have room for.
__device__ __forceinline__ float rl_limited(const rl_layers_args &a, float q, int from, int to)
{
    const float *room = a.field[RL_COLUMN_SHARE_IN];
    return rl_pipe_limit_inflow(rl_paid(a, q, from, to), room[from], room[to]);
}

__device__ __forceinline__ float rl_limited_face(const rl_layers_args &a, float q, int from, int to,
                                                 bool covered)
{
    return covered ? rl_limited(a, q, from, to) : rl_paid(a, q, from, to);
}

__device__ __forceinline__ float rl_cross_net(const rl_layers_args &a, rl_layers_ends ends)
{
    float sum = 0.0f;
    for (int e = ends.begin; e < ends.end; e++) {
        const int n = a.ends[e] >> 1;
        const float q = rl_limited(a, a.cross_raw[n], (int)a.pipes[n].from, (int)a.pipes[n].to);
        sum += a.ends[e] & 1 ? q : -q;
    }
    return sum;
}

// The passage of a flooded column.
__device__ __forceinline__ int rl_passage_of(const rl_layers_search &s, int word, int lane)
{
    const unsigned upto = 0xffffffffu >> (31 - lane);
    return s.run_passage[s.before[word] + __popc(s.begins[word] & upto) - 1];
}

// A flooded column keeps what it holds, and gets its part of what its passage is filled with.
__device__ __forceinline__ float rl_keep_flooded(const rl_layers_args &a, int slot, int passage)
{
    const float base = a.field[RL_COLUMN_BASE][slot], top = a.field[RL_COLUMN_TOP][slot];
    const float depth = a.field[RL_COLUMN_DEPTH][slot];
    float *remainder = a.field[RL_COLUMN_REMAINDER] + slot;
    const double part = a.search.filling[passage];
    const double lacking = rl_passages_lacking(base, depth, top);
    if (!(part > 0.0 && lacking > 0.0))
        return depth;
    const double amount = (double)depth + (double)*remainder + part * lacking;
    const float filled = rl_layers_hold(amount, 1, base, top, remainder);
    a.field[RL_COLUMN_DEPTH][slot] = filled;
    return filled;
}

struct rl_layers_faces {
    float west, east, south, north;
};

__device__ __forceinline__ rl_layers_faces rl_limit_faces(const rl_layers_args &a,
                                                          const rl_layers_at &at)
{
    const float *raw_x = a.field[RL_COLUMN_RAW_X], *raw_y = a.field[RL_COLUMN_RAW_Y];
    const int slot = at.slot, pitch = a.pitch;
    return {rl_limited_face(a, raw_x[slot - 1], slot - 1, slot, at.covered),
            rl_limited_face(a, raw_x[slot], slot, slot + 1, at.covered),
            rl_limited_face(a, raw_y[slot - pitch], slot - pitch, slot, at.covered),
            rl_limited_face(a, raw_y[slot], slot, slot + pitch, at.covered)};
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

// Whether a flooded column's neighbour in the bits of another word, moved, is flooded with it.
__device__ __forceinline__ bool rl_flooded_beside(const unsigned *flooded, unsigned joined,
                                                  int word, int lane)
{
    return word >= 0 && (joined & flooded[word]) >> lane & 1;
}

// Inside passages the faces show its mean flow.
__device__ __forceinline__ void rl_show_mean(const rl_layers_args &a, const rl_layers_word &word,
                                             const rl_layers_at &at, int passage,
                                             rl_layers_faces *q)
{
    const unsigned *flooded = a.search.flooded;
    const unsigned here = flooded[at.word];
    const unsigned next = word.flags & RL_WORD_EAST ? flooded[at.word + 1] : 0;
    const unsigned east = word.join_east & (here >> 1 | next << 31);
    if (east >> at.lane & 1)
        q->east = a.search.mean_x[passage];
    if (rl_flooded_beside(flooded, word.join_north, word.north, at.lane))
        q->north = a.search.mean_y[passage];
}

// Returns the new depth.
__device__ __forceinline__ float rl_fill_column(const rl_layers_args &a, const rl_layers_word &word,
                                                const rl_layers_at &at, rl_pipe_coef k)
{
    rl_layers_faces q = rl_limit_faces(a, at);
    const bool flooded = at.covered && (a.search.flooded[at.word] >> at.lane & 1);
    const rl_layers_faces moved = q;
    float filled;
    if (flooded) {
        const int passage = rl_passage_of(a.search, at.word, at.lane);
        filled = rl_keep_flooded(a, at.slot, passage);
        rl_show_mean(a, word, at, passage, &q);
    } else {
        float *depth = a.field[RL_COLUMN_DEPTH] + at.slot;
        float *remainder = a.field[RL_COLUMN_REMAINDER] + at.slot;
        float left = *remainder, south = q.south;
        if (word.flags & RL_WORD_CROSSED)
            south = south + rl_cross_net(a, rl_ends_of(a, word, at.lane));
        filled = rl_pipe_fill(*depth, &left, q.west, q.east, south, q.north, k);
        if (at.covered)
            filled = rl_layers_lowered(a.field[RL_COLUMN_BASE][at.slot], filled, &left,
                                       a.field[RL_COLUMN_TOP][at.slot]);
        *depth = filled;
        *remainder = left;
    }
    a.field[RL_COLUMN_QX][at.slot] = q.east;
    a.field[RL_COLUMN_QY][at.slot] = q.north;
    rl_write_borders(a, at, moved);
    return filled;
}

__device__ __forceinline__ void rl_fill_cross(const rl_layers_args &a, int n)
{
    const rl_layers_pipe pipe = a.pipes[n];
    float q = rl_limited(a, a.cross_raw[n], (int)pipe.from, (int)pipe.to);
    if (rl_marked(a.search.flooded, pipe.from_bit) && rl_marked(a.search.flooded, pipe.to_bit)) {
        const int passage = rl_passage_of(a.search, pipe.from_bit >> 5, pipe.from_bit & 31);
        q = pipe.north ? a.search.mean_y[passage] : a.search.mean_x[passage];
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

// What crossed the borders of one tile of rows, in the order of the host's books.
__device__ inline void rl_book_tile(const rl_layers_args &a, int tile)
{
    const float *qx = a.field[RL_COLUMN_QX], *qy = a.field[RL_COLUMN_QY];
    const int y0 = tile * a.tile_rows, y1 = min(y0 + a.tile_rows, a.ny);
    double in = 0.0, out = 0.0;
    for (int plane = 0; plane < a.planes; plane++) {
        const ptrdiff_t origin = (ptrdiff_t)plane * a.plane_rows * a.pitch;
        for (int y = y0; y < y1; y++) {
            const float *row = qx + origin + (ptrdiff_t)y * a.pitch;
            if (rl_is_open(a, RILL_SIDE_EAST))
                rl_book_one(-(double)row[a.nx - 1], &in, &out);
            if (rl_is_open(a, RILL_SIDE_WEST))
                rl_book_one((double)row[-1], &in, &out);
        }
        for (int i = 0; y0 == 0 && rl_is_open(a, RILL_SIDE_SOUTH) && i < a.nx; i++)
            rl_book_one((double)qy[origin - a.pitch + i], &in, &out);
        const float *north = qy + origin + (ptrdiff_t)(a.ny - 1) * a.pitch;
        for (int i = 0; y1 == a.ny && rl_is_open(a, RILL_SIDE_NORTH) && i < a.nx; i++)
            rl_book_one(-(double)north[i], &in, &out);
    }
    a.moved[2 * tile] = in;
    a.moved[2 * tile + 1] = out;
}

// How long the next step is, and its constants. One thread.
__device__ inline void rl_plan_layers(const rl_layers_args &a, rl_layers_control *c)
{
    c->moves = c->pace.left > 0.0;
    if (!c->moves)
        return;
    const float water = __int_as_float(c->deepest);
    const float deepest = water > a.deepest_beyond ? water : a.deepest_beyond;
    const double stable =
        rl_pipe_stable_step_of(&a.rules, rl_pipe_driving_height_of(&a.rules, (double)deepest));
    c->after = c->pace;
    rl_pace_choose(&c->after, stable);
    c->k = rl_pipe_coefficients_of(&a.rules, c->after.substep, stable);
    rl_pace_taken(&c->after);
}

// One block, after all columns are filled.
__device__ inline void rl_end_step(const rl_layers_args &a)
{
    rl_layers_control *c = a.control;
    for (int tile = (int)threadIdx.x; a.open != 0 && tile < a.tile_count; tile += (int)blockDim.x)
        rl_book_tile(a, tile);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    // Columns fill by the rounded dt / dx, so the books must use the same number.
    const double volume = (double)c->k.spread * a.rules.cell_size * a.rules.cell_size;
    double in = c->in, out = c->out;
    for (int tile = 0; a.open != 0 && tile < a.tile_count; tile++) {
        in += a.moved[2 * tile] * volume;
        out += a.moved[2 * tile + 1] * volume;
    }
    c->in = in;
    c->out = out;
    c->pace = c->after;
    c->deepest = c->gathered;
    c->gathered = 0;
    c->filled = 0;
    rl_plan_layers(a, c);
}
