// SPDX-License-Identifier: MIT
// pipes_pass.cuh - the march of pipes_march.cuh for passes of two steps: it returns each new row,
// so that another march can continue with it, and its caller decides which rows are written.
#pragma once

#include "gpu/cuda/pipes/pipes_kernels.cuh"

// 32 bits: then an address is one instruction. rl_device_pipes_create makes sure that they suffice.
__device__ __forceinline__ int rl_limited_place(const rl_march_args &a, int y, int x)
{
    return y * a.pitch + x;
}

__device__ __forceinline__ rl_pipe_coef rl_uniform_coef(const rl_pipe_coef &k)
{
    return {rl_uniform(k.keep),      rl_uniform(k.push),
            rl_uniform(k.spread),    rl_uniform(k.outflow),
            rl_uniform(k.area_cap),  rl_uniform(k.area_paper),
            rl_uniform(k.cliff),     rl_uniform(k.head_floor),
            rl_uniform(k.viscous),   rl_uniform(k.viscous_flooded),
            rl_uniform(k.drag),      rl_uniform(k.keep_here),
            rl_uniform(k.keep_side), rl_uniform(k.fill_rate),
            rl_uniform(k.critical),  rl_uniform(k.film),
            rl_uniform(k.roof)};
}

// `books` and `place` belong to the step: where in `crossed` the discharges through open borders
// go, and the place of the next row that is written.
template <int V, int KIND, int SLOWED, int SMOOTH>
struct rl_pass_march : rl_march<V, KIND, SLOWED, SMOOTH, true> {
    typedef rl_march<V, KIND, SLOWED, SMOOTH, true> base;
    typedef rl_pack<V> pack;
    using base::a;
    using base::deepest;
    using base::s;
    const rl_march_fields &f;
    int books, place;
    int deepest_row; // where the deepest water is

    __device__ rl_pass_march(const rl_march_args &args, const rl_march_fields &fields,
                             const rl_strip<V> &strip, const rl_pipe_coef &coef, int books_at)
        : base(args, strip, coef), f(fields), books(books_at),
          place(rl_limited_place(args, strip.y0, strip.column)), deepest_row(0)
    {
        this->bed = this->depth = this->qy_south_old = this->qy_old = this->qx_raw = pack{};
        this->qy_raw = this->limiter = this->depth_south = this->qy_limited = pack{};
    }

    // Loads the row north of the ones that `first_row` of the march needs.
    __device__ __forceinline__ void begin(int first_row)
    {
        const int at = rl_limited_place(a, first_row, s.from);
        this->bed = rl_load_pack<V>(f.bed + at);
        this->depth = rl_load_pack<V>(f.depth + at);
        this->qy_south_old = rl_load_pack<V>(f.qy + (at - a.pitch));
        this->qy_old = rl_load_pack<V>(f.qy + at);
    }

    // Handles row y, the one after `phase` others; returns row y - 1. See rl_march::row for the
    // phases. After it comes move_on().
    __device__ __forceinline__ rl_filled<V> row(int phase, int y, const rl_arrival<V> &in)
    {
        rl_filled<V> r = {};
        pack north = this->flow_north(in);
        if (phase > 0) {
            pack x = this->flow_east(in);
            if (y == -1 && rl_has_side(a.drains, RILL_SIDE_SOUTH))
                this->let_out(north, -1.0f);
            if (s.at_side && a.drains != 0)
                this->clip_ends(x);
            if (y == a.ny - 1 && rl_has_side(a.drains, RILL_SIDE_NORTH))
                this->let_out(north, 1.0f);
            const pack limiter_now = this->limiters(y, x, north);
            if (phase > 1)
                r = this->become(limiter_now, in.remainder);
            this->limiter = limiter_now;
            this->qx_raw = x;
        }
        this->qy_raw = north;
        return r;
    }

    __device__ __forceinline__ void read(const rl_arrival<V> &in)
    {
        this->depth_south = this->depth;
        this->bed = in.bed;
        this->depth = in.depth;
        this->qy_south_old = this->qy_old;
        this->qy_old = in.qy;
    }

    __device__ __forceinline__ void move_on(const rl_arrival<V> &in, const rl_filled<V> &r)
    {
        this->qy_limited = r.north;
        read(in);
    }

    // ---- Writing ----

    __device__ __forceinline__ void store_ends(const rl_filled<V> &r)
    {
        if (s.has_east && !s.writes) {
            this->store_some(f.qx_out + place, r.x);
            this->store_some(f.qy_out + place, r.north);
            this->store_some(f.depth_out + place, r.depth);
            this->store_some(f.remainder_out + place, r.remainder);
        }
        float *line = f.qx_out + (place - s.column);
        if (s.has_west && rl_has_side(a.open, RILL_SIDE_WEST))
            line[-1] = line[-2] = r.x.v[V - 1];
#pragma unroll
        for (int e = 0; e < V; e++)
            if (s.has_east && e == s.count - 1 && rl_has_side(a.open, RILL_SIDE_EAST))
                line[a.nx] = r.x.v[e];
    }

    // Stores the discharges through the southern or northern border, and once more beyond it.
    __device__ __forceinline__ void store_faces(rill_side side, int at, int beyond, const pack &q)
    {
        if (!(s.writes || s.has_east) || !rl_has_side(a.open, side))
            return;
        this->store_some(f.qy_out + at, q);
        this->store_some(f.qy_out + beyond, q);
    }

    // Stores row y.
    __device__ __forceinline__ void store(int y, const rl_filled<V> &r)
    {
        if (s.writes) {
            rl_store_pack<V>(f.qx_out + place, r.x);
            rl_store_pack<V>(f.qy_out + place, r.north);
            rl_store_pack<V>(f.depth_out + place, r.depth);
            rl_store_pack<V>(f.remainder_out + place, r.remainder);
        }
        if (s.at_side)
            store_ends(r);
        if (y == a.ny - 1)
            store_faces(RILL_SIDE_NORTH, place, place + a.pitch, r.north);
        place += a.pitch;
    }

    // Stores the discharges south of row 0, before that is stored.
    __device__ __forceinline__ void store_south(const pack &q)
    {
        store_faces(RILL_SIDE_SOUTH, place - a.pitch, place - 2 * a.pitch, q);
    }

    __device__ __forceinline__ void measure(int y, const rl_filled<V> &r)
    {
        float most = r.depth.v[0];
#pragma unroll
        for (int e = 1; e < V; e++)
            most = rl_max(most, r.depth.v[e]);
        if (s.at_side && s.has_east && !s.writes) {
            most = r.depth.v[0];
#pragma unroll
            for (int e = 1; e < V; e++)
                most = e < s.count ? rl_max(most, r.depth.v[e]) : most;
        }
        if ((s.writes || s.has_east) && most > deepest) {
            deepest = most;
            deepest_row = y;
        }
    }

    __device__ __forceinline__ void note_faces(rill_side side, const pack &q)
    {
        float *to = a.crossed + books + 2 * a.ny + (side == RILL_SIDE_NORTH ? a.nx : 0);
        if ((s.writes || s.has_east) && rl_has_side(a.open, side))
            this->store_some(to + s.column, q);
    }

    // Gathers the deepest water of row y, and stores what crossed the borders for the ledger.
    __device__ __forceinline__ void note(int y, const rl_filled<V> &r)
    {
        measure(y, r);
        if (s.at_side && s.has_west && rl_has_side(a.open, RILL_SIDE_WEST))
            a.crossed[books + y] = r.x.v[V - 1];
#pragma unroll
        for (int e = 0; e < V; e++)
            if (s.at_side && s.has_east && e == s.count - 1 && rl_has_side(a.open, RILL_SIDE_EAST))
                a.crossed[books + a.ny + y] = r.x.v[e];
        if (y == a.ny - 1)
            note_faces(RILL_SIDE_NORTH, r.north);
    }
};

// rl_ring with places of 32 bits, and the discharge west of the strip, which is lane 0's.
template <int V, int STAGES> struct rl_pass_ring {
    static constexpr int array = 32 * V;        // floats of one array of a row,
    static constexpr int west = 5 * array;      // place of the discharge west of the strip,
    static constexpr int stage = 5 * array + 4; // and floats of all
    static constexpr size_t bytes = STAGES * stage * sizeof(float);
    const rl_march_args &a;
    const rl_march_fields &f;
    float *memory;  // of this warp
    int lane, rows; // rows of the march
    int next;       // place of the row north of the next requested one

    // Requests row `t` of the march, if there is one.
    __device__ __forceinline__ void ask(int t)
    {
        if (t < rows) {
            float *row = memory + t % STAGES * stage, *to = row + lane * V;
            __pipeline_memcpy_async(to, f.bed + next, 4 * V);
            __pipeline_memcpy_async(to + array, f.depth + next, 4 * V);
            __pipeline_memcpy_async(to + 2 * array, f.qx + (next - a.pitch), 4 * V);
            __pipeline_memcpy_async(to + 3 * array, f.qy + next, 4 * V);
            if (t > 2)
                __pipeline_memcpy_async(to + 4 * array, f.remainder + (next - 2 * a.pitch), 4 * V);
            if (lane == 0)
                __pipeline_memcpy_async(row + west, f.qx + (next - a.pitch - 1), 4);
            next += a.pitch;
        }
        __pipeline_commit();
    }

    // Waits for row `t`; STAGES - 1 more have been requested.
    __device__ __forceinline__ rl_arrival<V> take(int t)
    {
        ask(t + STAGES - 1);
        __pipeline_wait_prior(STAGES - 1);
        const float *row = memory + t % STAGES * stage;
        rl_arrival<V> in = rl_load_arrival<V>(row + lane * V, array);
        in.qx_west = lane == 0 ? row[west] : 0.0f;
        return in;
    }
};
