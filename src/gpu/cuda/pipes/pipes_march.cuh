// SPDX-License-Identifier: MIT
// pipes_march.cuh - one step of the pipes solver on a device (Kellomäki section 3): one kernel that
// reads bed, depth, remainder and both discharges once, and writes all but the bed once.
//
// A warp marches north over a strip of the grid. A thread has V neighbouring columns; values of the
// columns beside it come by shuffles, values of the rows behind it stay in registers. The outer
// lanes of a warp only serve the inner ones: a cell's new depth needs the outflow limiters of its
// neighbours, and those the faces two cells away.
//
//     row y     flow:   levels of y and y+1, old discharges  ->  new discharges of y, its limiters
//     row y-1   fill:   limiters of y-1 and y                ->  limited discharges, depths
//
// The formulas are those of solvers/pipe_cell.h, the order of operations that of the host's row
// loops (pipes_rows.c, pipes_step.c), so the bits are the same.
#pragma once

// Zeros have no sign in the state of the pipes solver: zero discharges are +0 by rule, depths are
// sums. No number is a NaN.
#ifndef RL_CELL_PLAIN_EXTREMES
#ifdef RL_CELL_EXTREMES_ARE_CHOSEN
#error "include this before anything that includes core/cell.h"
#endif
#define RL_CELL_PLAIN_EXTREMES
#endif

#include "gpu/cuda/mirror/device_grid.cuh"
#include "gpu/cuda/pipes/pipes_control.cuh"
#include "solvers/pipes/pipes_critical_cell.h"

#define RL_EVERYONE 0xffffffffu

// Returns the same number for all threads of a warp, in a way that the compiler knows it too.
template <typename T> __device__ __forceinline__ T rl_uniform(T number)
{
    return __shfl_sync(RL_EVERYONE, number, 0);
}

// V columns of a row.
template <int V> struct alignas(4 * V) rl_pack {
    float v[V];
};

// The rows of one step. All fields have the same layout; pointers are to cell (0, 0).
struct rl_march_fields {
    const float *bed, *depth, *remainder, *qx, *qy;
    float *depth_out, *remainder_out, *qx_out, *qy_out;
};

struct rl_march_args {
    rl_march_fields f;
    rl_pipes_control *now; // of this step; the next one follows it
    const rl_pipes_setup *setup;
    float *crossed; // discharges through open borders: rl_crossed_floats
    float *spread;  // of the step, s/m: for the ledger
    int nx, ny, pitch;
    int strips;       // across the grid
    int rows;         // that a warp fills
    int open, drains; // bit of a side: something passes; only outwards

    // Passes of two steps: the controls of a row of passes, of which this is one. `crossed` and
    // `spread` are those of the first step of the row, `f` goes from the first copy of the state to
    // the second, and `back` from there to the first.
    rl_march_fields back;
    rl_pass_control *passes;
    int pass;
};

__device__ __forceinline__ bool rl_has_side(int bits, rill_side side)
{
    return (bits >> side & 1) != 0;
}

// The values loaded for one row of the march: bed and depth of row y + 1, qx of row y, qy of row y
// + 1, the remainder of row y - 1.
template <int V> struct rl_arrival {
    rl_pack<V> bed, depth, qx, qy, remainder;
    float qx_west; // of lane 0: qx of the column before its first, where the strip has no spare one
};

template <int V> __device__ __forceinline__ rl_pack<V> rl_load_pack(const float *from)
{
    return *reinterpret_cast<const rl_pack<V> *>(from);
}

// Loads a row whose arrays lie `array` floats apart.
template <int V>
__device__ __forceinline__ rl_arrival<V> rl_load_arrival(const float *from, int array)
{
    rl_arrival<V> in;
    in.bed = rl_load_pack<V>(from);
    in.depth = rl_load_pack<V>(from + array);
    in.qx = rl_load_pack<V>(from + 2 * array);
    in.qy = rl_load_pack<V>(from + 3 * array);
    in.remainder = rl_load_pack<V>(from + 4 * array);
    return in;
}

template <int V> __device__ __forceinline__ void rl_store_pack(float *to, const rl_pack<V> &pack)
{
    *reinterpret_cast<rl_pack<V> *>(to) = pack;
}

// A row after a step: discharges, depths and remainders.
template <int V> struct rl_filled {
    rl_pack<V> x, north, depth, remainder;
};

// The strip of a warp, and the columns of a thread.
template <int V> struct rl_strip {
    static constexpr int halo = V == 1 ? 2 : 1;       // lanes on each side
    static constexpr int width = (32 - 2 * halo) * V; // columns that are filled
    int lane;
    int column;    // first of this thread; may lie outside of the grid
    int from;      // the same, but never outside of the memory of a row
    int y0, y1;    // rows that are filled
    int count;     // of its columns that are cells and not ghosts, 0 to V
    bool writes;   // all of its columns are cells of this warp
    bool at_side;  // of the warp: some thread has cells and ghosts, or the border between them
    bool has_west; // its last column is the ghost west of the grid
    bool has_east; // the last cell of a row is one of its columns, and this warp fills it
    bool has_last; // the same, whichever warp fills it
};

template <int V>
__device__ __forceinline__ rl_strip<V> rl_strip_of(const rl_march_args &a, int warp, int lane)
{
    rl_strip<V> s;
    const int strip = warp % a.strips, chunk = warp / a.strips;
    s.lane = lane;
    s.column = strip * rl_strip<V>::width + (lane - rl_strip<V>::halo) * V;
    const int last = a.pitch - RL_DEVICE_MARGIN - V;
    s.from = s.column < last ? s.column : last;
    s.y0 = chunk * a.rows;
    s.y1 = s.y0 + a.rows < a.ny ? s.y0 + a.rows : a.ny;
    const int cells = a.nx - s.column;
    s.count = s.column < 0 || cells < 0 ? 0 : cells < V ? cells : V;
    const bool inner = lane >= rl_strip<V>::halo && lane < 32 - rl_strip<V>::halo;
    s.has_west = s.column == -V && strip == 0;
    s.has_last = s.count > 0 && cells <= V;
    s.has_east = inner && s.has_last;
    s.at_side = strip == 0 || strip == a.strips - 1;
    s.writes = inner && s.count == V;
    return s;
}

__device__ __forceinline__ ptrdiff_t rl_place(const rl_march_args &a, int y, int x)
{
    return (ptrdiff_t)y * a.pitch + x;
}

// ---- The march -------------------------------------------------------------------------

// Returns the part of a discharge that friction leaves, smoothed with those beside it or not.
template <int SMOOTH>
__device__ __forceinline__ float rl_decayed(float q, float before, float after,
                                            const rl_pipe_coef &k)
{
    return SMOOTH ? rl_pipe_kept_smoothed(q, before, after, k) : rl_pipe_kept(q, k);
}

// KIND and SLOWED are those of rl_pipe_flow. WEST: lane 0 needs the discharge before its first one.
template <int V, int KIND, int SLOWED, int SMOOTH, bool WEST = V<4> struct rl_march {
    typedef rl_pack<V> pack;
    const rl_march_args &a;
    const rl_strip<V> &s;
    const rl_pipe_coef k;

    pack bed, depth;              // of row y
    pack qy_south_old, qy_old;    // of rows y - 1 and y
    pack qx_raw, qy_raw, limiter; // of row y - 1: not yet limited
    pack depth_south;             // of row y - 1
    pack qy_limited;              // of row y - 2
    ptrdiff_t out;                // place of the next row that is filled
    float deepest;

    __device__ rl_march(const rl_march_args &args, const rl_strip<V> &strip, rl_pipe_coef coef)
        : a(args), s(strip), k(coef), out(rl_place(args, strip.y0, strip.column)), deepest(0.0f)
    {
    }

    __device__ __forceinline__ pack flow_east(const rl_arrival<V> &in)
    {
        const float bed_east = __shfl_down_sync(RL_EVERYONE, bed.v[0], 1);
        const float depth_east = __shfl_down_sync(RL_EVERYONE, depth.v[0], 1);
        float q_west = 0.0f, q_east = 0.0f;
        if (SMOOTH) {
            q_west = __shfl_up_sync(RL_EVERYONE, in.qx.v[V - 1], 1);
            q_east = __shfl_down_sync(RL_EVERYONE, in.qx.v[0], 1);
            if (WEST && s.lane == 0)
                q_west = in.qx_west;
        }
        pack out;
#pragma unroll
        for (int e = 0; e < V; e++) {
            const int w = e > 0 ? e - 1 : 0, n = e + 1 < V ? e + 1 : V - 1;
            const rl_pipe_end here = rl_pipe_open_end(bed.v[e], depth.v[e]);
            const rl_pipe_end east = rl_pipe_open_end(e + 1 < V ? bed.v[n] : bed_east,
                                                      e + 1 < V ? depth.v[n] : depth_east);
            const float q = rl_decayed<SMOOTH>(in.qx.v[e], e > 0 ? in.qx.v[w] : q_west,
                                               e + 1 < V ? in.qx.v[n] : q_east, k);
            out.v[e] = rl_pipe_flow(q, here, east, 1.0f, k, KIND, SLOWED);
        }
        return out;
    }

    __device__ __forceinline__ pack flow_north(const rl_arrival<V> &in)
    {
        pack out;
#pragma unroll
        for (int e = 0; e < V; e++) {
            const rl_pipe_end here = rl_pipe_open_end(bed.v[e], depth.v[e]);
            const rl_pipe_end north = rl_pipe_open_end(in.bed.v[e], in.depth.v[e]);
            const float q = rl_decayed<SMOOTH>(qy_old.v[e], qy_south_old.v[e], in.qy.v[e], k);
            out.v[e] = rl_pipe_flow(q, here, north, 1.0f, k, KIND, SLOWED);
        }
        return out;
    }

    // Computes outflow limiters. Divisions are expensive and few cells are limited; ghosts are not.
    __device__ __forceinline__ pack limiters(int y, const pack &x, const pack &north)
    {
        const float west = __shfl_up_sync(RL_EVERYONE, x.v[V - 1], 1);
        float leaving[V];
        bool some = false;
        pack out;
#pragma unroll
        for (int e = 0; e < V; e++) {
            leaving[e] = rl_pipe_leaving(e > 0 ? x.v[e > 0 ? e - 1 : 0] : west, x.v[e], qy_raw.v[e],
                                         north.v[e], k);
            some = some || is_suspect(e, leaving[e]);
            out.v[e] = 1.0f;
        }
        if (some && y >= 0 && y < a.ny) {
#pragma unroll
            for (int e = 0; e < V; e++) {
                if (e >= s.count)
                    continue;
                if (!(KIND & RL_PIPE_CRITICAL))
                    out.v[e] = rl_pipe_outflow_limiter(depth.v[e], leaving[e]);
                else if (is_suspect(e, leaving[e]))
                    out.v[e] = limiter_of(
                        y, e,
                        {e > 0 ? x.v[e > 0 ? e - 1 : 0] : west, x.v[e], qy_raw.v[e], north.v[e]});
            }
        }
        return out;
    }

    // May the outflow of a cell have to be limited?
    __device__ __forceinline__ bool is_suspect(int e, float leaving) const
    {
        return KIND & RL_PIPE_CRITICAL ? rl_pipe_may_be_limited(depth.v[e], leaving, k)
                                       : rl_pipe_overdrawn(depth.v[e], leaving);
    }

    // Computes the outflow limiter of a cell in column e. The beds around it come from memory: few
    // cells need them.
    __device__ __forceinline__ float limiter_of(int y, int e, const rl_pipe_sides &q) const
    {
        const float *at = a.f.bed + rl_place(a, y, s.column + e);
        const rl_pipe_sides beds = {at[-1], at[1], at[-a.pitch], at[a.pitch]};
        return rl_pipe_limiter(bed.v[e], depth.v[e], q, beds, k);
    }

    // A drain lets nothing in, also after the smoothing of neighbouring faces.
    __device__ __forceinline__ void clip_ends(pack &x)
    {
        if (s.has_west && rl_has_side(a.drains, RILL_SIDE_WEST) && x.v[V - 1] > 0.0f)
            x.v[V - 1] = 0.0f;
#pragma unroll
        for (int e = 0; e < V; e++)
            if (s.has_last && e == s.count - 1 && rl_has_side(a.drains, RILL_SIDE_EAST) &&
                x.v[e] < 0.0f)
                x.v[e] = 0.0f;
    }

    static __device__ __forceinline__ void let_out(pack &q, float out)
    {
#pragma unroll
        for (int e = 0; e < V; e++)
            q.v[e] = out * q.v[e] > 0.0f ? q.v[e] : 0.0f;
    }

    // Stores the cells of a thread that come before the end of the row.
    __device__ __forceinline__ void store_some(float *to, const pack &p)
    {
#pragma unroll
        for (int e = 0; e < V; e++)
            if (e < s.count)
                to[e] = p.v[e];
    }

    // Stores the two ends of row y: the columns that do not fill a thread, and the discharges
    // there: for the ledger, and once more beyond the border, where smoothing reads them.
    __device__ __forceinline__ void store_ends(int y, ptrdiff_t at, const rl_filled<V> &r)
    {
        if (s.has_east && !s.writes) {
            store_some(a.f.qx_out + at, r.x);
            store_some(a.f.qy_out + at, r.north);
            store_some(a.f.depth_out + at, r.depth);
            store_some(a.f.remainder_out + at, r.remainder);
#pragma unroll
            for (int e = 0; e < V; e++)
                if (e < s.count)
                    deepest = rl_max(deepest, r.depth.v[e]);
        }
        float *row = a.f.qx_out + at - s.column;
        if (s.has_west && rl_has_side(a.open, RILL_SIDE_WEST)) {
            row[-1] = row[-2] = r.x.v[V - 1];
            a.crossed[y] = r.x.v[V - 1];
        }
#pragma unroll
        for (int e = 0; e < V; e++)
            if (s.has_east && e == s.count - 1 && rl_has_side(a.open, RILL_SIDE_EAST)) {
                row[a.nx] = r.x.v[e];
                a.crossed[a.ny + y] = r.x.v[e];
            }
    }

    // Stores the discharges through the southern or northern border: `at` is the place of that row
    // of faces, `beyond` that of the next one outwards.
    __device__ __forceinline__ void store_border(rill_side side, ptrdiff_t at, ptrdiff_t beyond,
                                                 const pack &q)
    {
        if (!(s.writes || s.has_east) || !rl_has_side(a.open, side))
            return;
        store_some(a.f.qy_out + at, q);
        store_some(a.f.qy_out + beyond, q);
        store_some(a.crossed + 2 * a.ny + (side == RILL_SIDE_NORTH ? a.nx : 0) + s.column, q);
    }

    // Returns row y - 1 after the step.
    __device__ __forceinline__ rl_filled<V> become(const pack &limiter_now, const pack &remainder)
    {
        const float limiter_east = __shfl_down_sync(RL_EVERYONE, limiter.v[0], 1);
        rl_filled<V> r;
#pragma unroll
        for (int e = 0; e < V; e++) {
            const int n = e + 1 < V ? e + 1 : V - 1;
            r.x.v[e] =
                rl_pipe_limit(qx_raw.v[e], limiter.v[e], e + 1 < V ? limiter.v[n] : limiter_east);
            r.north.v[e] = rl_pipe_limit(qy_raw.v[e], limiter.v[e], limiter_now.v[e]);
        }
        const float west = __shfl_up_sync(RL_EVERYONE, r.x.v[V - 1], 1);
        r.remainder = remainder;
#pragma unroll
        for (int e = 0; e < V; e++)
            r.depth.v[e] = rl_pipe_fill(depth_south.v[e], &r.remainder.v[e],
                                        e > 0 ? r.x.v[e > 0 ? e - 1 : 0] : west, r.x.v[e],
                                        qy_limited.v[e], r.north.v[e], k);
        return r;
    }

    __device__ __forceinline__ void fill(int y, const pack &limiter_now, const rl_arrival<V> &in)
    {
        const rl_filled<V> r = become(limiter_now, in.remainder);
        const ptrdiff_t at = out;
        out += a.pitch;
        if (s.writes) {
            rl_store_pack<V>(a.f.qx_out + at, r.x);
            rl_store_pack<V>(a.f.qy_out + at, r.north);
            rl_store_pack<V>(a.f.depth_out + at, r.depth);
            rl_store_pack<V>(a.f.remainder_out + at, r.remainder);
#pragma unroll
            for (int e = 0; e < V; e++)
                deepest = rl_max(deepest, r.depth.v[e]);
        }
        if (s.at_side)
            store_ends(y, at, r);
        if (y == a.ny - 1)
            store_border(RILL_SIDE_NORTH, at, at + a.pitch, r.north);
        qy_limited = r.north;
    }

    // Computes the discharges south of the first row that is filled.
    __device__ __forceinline__ void begin_filling(int y, const pack &limiter_now)
    {
#pragma unroll
        for (int e = 0; e < V; e++)
            qy_limited.v[e] = rl_pipe_limit(qy_raw.v[e], limiter.v[e], limiter_now.v[e]);
        if (y == 0)
            store_border(RILL_SIDE_SOUTH, out - a.pitch, out - 2 * a.pitch, qy_limited);
    }

    // Handles row y. The march has four phases: the first row has only north faces, the second has
    // no rows to limit, the third none to fill.
    template <int PHASE> __device__ __forceinline__ void row(int y, const rl_arrival<V> &in)
    {
        pack north = flow_north(in);
        if (PHASE > 0) {
            pack x = flow_east(in);
            if (PHASE == 1 && y == -1 && rl_has_side(a.drains, RILL_SIDE_SOUTH))
                let_out(north, -1.0f);
            if (s.at_side && a.drains != 0)
                clip_ends(x);
            if (y == a.ny - 1 && rl_has_side(a.drains, RILL_SIDE_NORTH))
                let_out(north, 1.0f);
            const pack limiter_now = limiters(y, x, north);
            if (PHASE == 3)
                fill(y - 1, limiter_now, in);
            else if (PHASE == 2)
                begin_filling(y, limiter_now);
            limiter = limiter_now;
            qx_raw = x;
        }
        qy_raw = north;
        depth_south = depth;
        bed = in.bed;
        depth = in.depth;
        qy_south_old = qy_old;
        qy_old = in.qy;
    }
};
