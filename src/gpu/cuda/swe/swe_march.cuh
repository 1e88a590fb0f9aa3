// SPDX-License-Identifier: MIT
// swe_march.cuh - one step of the swe solver on a device (Chentanez and Müller section 2.1): one
// kernel that reads bed, depth, remainder and both velocities once, and writes all but the bed
// once.
//
// A warp marches north over a strip of the grid, a lane a column. Values of the columns beside it
// come by shuffles, values of the rows behind it stay in registers; the outer lanes only serve the
// inner ones. The stages are those of the host's sweep (solvers/swe/swe_step.c), in the same order
// and with the same formulas:
//
//     row y+1   advect:   semi-Lagrangian advection         (MacCormack only)
//     row y     correct:  MacCormack's correction           (MacCormack only)
//               flow:     discharges through the faces, and the outflow limiters of the cells
//     row y-1   fill:     limited discharges, new depths
//               bores:    their pressures
//     row y-2   push:     new velocities; advection, if it conserves momentum
#pragma once

#include "gpu/cuda/swe/swe_lanes.cuh"
#include "solvers/swe/swe_deposit_inline.h"

// CONSERVATIVE: advection that conserves momentum. SLOWED: that of rl_swe_slow. EXTRAS: there may
// be absorbing layers, marked faces and falls. INNER: no border is near.
template <int CONSERVATIVE, int SLOWED, int EXTRAS, int INNER> struct rl_swe_march {
    static constexpr int lead = CONSERVATIVE ? 0 : 2; // rows that velocities come ahead of row y
    static constexpr int halo_west = CONSERVATIVE ? 2 : 4, halo_east = CONSERVATIVE ? 3 : 4;
    static constexpr int width = 32 - halo_west - halo_east; // columns that a warp fills

    const rl_swe_march_args &a;
    const rl_swe_strip &s;
    const rl_swe_plan &plan; // in shared memory
    const rl_swe_coef k;

    // Index 0 is the newest row. Rows of velocities end at y - 3, those of depths at y - 2.
    float u[4 + lead], v[4 + lead];
    rl_swe_beside around_u[3], around_v[3];     // old velocities of rows y + 2 to y
    rl_swe_beside advected_u[3], advected_v[3]; // of rows y + 1 to y - 1
    rl_swe_trace trace_u, trace_v;              // of row y,
    float low_u, high_u, low_v, high_v;         // and the bounds of the interpolation there
    float moved_u[3], moved_v[3];               // corrected, of rows y to y - 2
    float depth[4], bed[3];        // old depths of rows y + 1 to y - 2, beds of y to y - 2
    float qx_raw, qy_raw, limiter; // of row y - 1: not yet limited
    float qx[2], qy[3];            // limited, of rows y - 1 and on
    float qx_west[2];              // of the column west of here, kept if momentum is
    float qy_east[2];              // of the column east of here, of rows y - 2 and on, likewise
    float filled[2];               // new depths of rows y - 1 and y - 2
    float pressure_y[2];           // of bores, along y, of the same rows
    float over;                    // discharge to the south over the falls of row y - 2
    float v_south;                 // new one of row y - 3
    int falls[3];                  // of rl_device_swe_set_falls, of rows y to y - 2
    float profile_x, level_x;
    int most_depth, most_u, most_v;

    __device__ rl_swe_march(const rl_swe_march_args &args, const rl_swe_strip &strip,
                            const rl_swe_plan &step)
        : a(args), s(strip), plan(step), k(step.k), over(0.0f), v_south(0.0f), profile_x(0.0f),
          level_x(0.0f), most_depth(0), most_u(0), most_v(0)
    {
        qx_raw = qy_raw = 0.0f;
        limiter = 1.0f;
        filled[0] = qx[0] = qx_west[0] = qy[0] = qy[1] = qy_east[0] = pressure_y[0] = 0.0f;
        falls[0] = falls[1] = 0;
        bed[0] = bed[1] = 0.0f;
        for (int n = 0; n < 2; n++) {
            moved_u[n] = moved_v[n] = 0.0f;
            around_u[n] = around_v[n] = advected_u[n] = advected_v[n] = {0.0f, 0.0f, 0.0f};
        }
        for (int n = 0; n < 3 + lead; n++)
            u[n] = v[n] = 0.0f;
        for (int n = 0; n < 3; n++)
            depth[n] = 0.0f;
        if (EXTRAS && a.x.layers && s.inside) {
            profile_x = a.x.profile_x[s.column];
            level_x = a.x.level_x[s.column];
        }
    }

    __device__ __forceinline__ bool is_open(rill_side side) const
    {
        return rl_swe_side_is_open(&plan.side[side]);
    }

    __device__ __forceinline__ void note_u(float value)
    {
        most_u = rl_int_max(most_u, __float_as_int(fabsf(value)));
    }

    __device__ __forceinline__ void note_v(float value)
    {
        most_v = rl_int_max(most_v, __float_as_int(fabsf(value)));
    }

    template <typename T, int N> static __device__ __forceinline__ void put(T (&rows)[N], T value)
    {
#pragma unroll
        for (int n = N - 1; n > 0; n--)
            rows[n] = rows[n - 1];
        rows[0] = value;
    }

    static __device__ __forceinline__ rl_swe_beside beside(float value)
    {
        return {rl_from_west(value), value, rl_from_east(value)};
    }

    // ---- Advection ---------------------------------------------------------------------

    __device__ __forceinline__ float clamped(float value) const
    {
        return fmaxf(fminf(value, plan.fastest), -plan.fastest);
    }

    __device__ __forceinline__ void arrive(const rl_swe_arrival &in)
    {
        put(u, clamped(in.u));
        put(v, clamped(in.v));
        put(depth, in.depth);
        put(bed, in.bed);
        if (EXTRAS)
            put(falls, in.falls);
        if (!CONSERVATIVE) {
            put(around_u, beside(u[0]));
            put(around_v, beside(v[0]));
        }
    }

    // Computes the semi-Lagrangian advection of row y + 1. Faces at the borders are not advected.
    __device__ __forceinline__ void advect(int y, rl_swe_trace *next_u, rl_swe_trace *next_v,
                                           rl_swe_four *from_u, rl_swe_four *from_v)
    {
        const rl_swe_three u_south = rl_swe_three_of(around_u[2]),
                           u_here = rl_swe_three_of(around_u[1]);
        const rl_swe_three u_north = rl_swe_three_of(around_u[0]);
        const rl_swe_three v_south_row = rl_swe_three_of(around_v[2]);
        const rl_swe_three v_here = rl_swe_three_of(around_v[1]),
                           v_north = rl_swe_three_of(around_v[0]);
        *next_u = rl_swe_trace_x(u_here.here, v_south_row.here, v_here.here, v_south_row.east,
                                 v_here.east, k);
        *from_u = rl_swe_pick(u_south, u_here, u_north, next_u->east, next_u->north);
        float to_u = rl_swe_between(*from_u, *next_u);
        *next_v =
            rl_swe_trace_y(v_here.here, u_here.west, u_here.here, u_north.west, u_north.here, k);
        *from_v = rl_swe_pick(v_south_row, v_here, v_north, next_v->east, next_v->north);
        float to_v = rl_swe_between_turned(*from_v, *next_v);
        if (!INNER && (s.column == -1 || s.column == a.nx - 1))
            to_u = u_here.here;
        if (!INNER && (y + 1 < 0 || y + 1 >= a.ny - 1))
            to_v = v_here.here;
        put(advected_u, beside(to_u));
        rl_swe_beside across = beside(to_v);
        if (!INNER && s.column == 0) // walls let water slip
            across.west = to_v;
        if (!INNER && s.column == a.nx - 1)
            across.east = to_v;
        put(advected_v, across);
    }

    // Corrects row y. Beyond the grid are copies of its edge.
    __device__ __forceinline__ void correct(int y)
    {
        const rl_swe_three middle = rl_swe_three_of(advected_u[1]);
        rl_swe_three south = rl_swe_three_of(advected_u[2]), north = rl_swe_three_of(advected_u[0]);
        if (!INNER && y == 0)
            south = middle;
        if (!INNER && y == a.ny - 1)
            north = middle;
        rl_swe_four f = rl_swe_pick_forth(south, middle, north, trace_u);
        const float to_u =
            rl_swe_correct(f.here, rl_swe_between(f, trace_u), u[lead], low_u, high_u);
        f = rl_swe_pick_forth(rl_swe_three_of(advected_v[2]), rl_swe_three_of(advected_v[1]),
                              rl_swe_three_of(advected_v[0]), trace_v);
        const float to_v =
            rl_swe_correct(f.here, rl_swe_between_turned(f, trace_v), v[lead], low_v, high_v);
        put(moved_u, to_u);
        put(moved_v, to_v);
    }

    template <int FULL> __device__ __forceinline__ void advect(int y)
    {
        rl_swe_trace next_u, next_v;
        rl_swe_four from_u, from_v;
        advect(y, &next_u, &next_v, &from_u, &from_v);
        if (FULL || y >= s.y0 - 2)
            correct(y);
        trace_u = next_u;
        trace_v = next_v;
        low_u = rl_swe_lowest(from_u);
        high_u = rl_swe_highest(from_u);
        low_v = rl_swe_lowest(from_v);
        high_v = rl_swe_highest(from_v);
    }

    // ---- Flow --------------------------------------------------------------------------

    __device__ __forceinline__ bool is_marked(int axis, int y) const
    {
        return s.inside && y >= 0 && y < a.ny &&
               (a.x.marks[axis][(size_t)y * a.x.mark_words + s.column / 32] >> (s.column % 32) & 1);
    }

    // Returns the place of this column along the southern and the northern side; lanes beside the
    // grid stay within it.
    __device__ __forceinline__ int along() const
    {
        return s.column < 0 ? 0 : s.column < a.nx ? s.column : a.nx - 1;
    }

    // Returns the discharge through the southern border, at the march's row -1.
    __device__ __forceinline__ float flow_south() const
    {
        if (!is_open(RILL_SIDE_SOUTH) || !s.inside)
            return 0.0f;
        const float inner = clamped(a.f.v[s.column]);
        const rl_swe_border_face f = {-v[lead], -inner, a.f.bed[s.column], depth[0], along()};
        return -rl_swe_border_flow_of(&plan.side[RILL_SIDE_SOUTH], f, k).discharge;
    }

    __device__ __forceinline__ void flow_ends(int y, float depth_east, float *x)
    {
        if (s.at_west) {
            const float inner = rl_from_east(u[lead]), ground = rl_from_east(bed[0]);
            const rl_swe_border_face f = {-u[lead], -inner, ground, depth_east, y};
            if (s.column == -1)
                *x = -rl_swe_border_flow_of(&plan.side[RILL_SIDE_WEST], f, k).discharge;
        }
        if (s.at_east && is_open(RILL_SIDE_EAST)) {
            const rl_swe_border_face f = {u[lead], rl_from_west(u[lead]), bed[0], depth[1], y};
            if (s.column == a.nx - 1)
                *x = rl_swe_border_flow_of(&plan.side[RILL_SIDE_EAST], f, k).discharge;
        }
    }

    // Computes the discharges through the faces east and north of row y. Returns its outflow
    // limiters.
    __device__ __forceinline__ float flow(int y, float *x, float *north)
    {
        const float depth_east = rl_from_east(depth[1]);
        const float here = rl_swe_moving_depth(depth[1], k);
        *x = rl_swe_discharge(CONSERVATIVE ? u[0] : moved_u[0], here,
                              rl_swe_moving_depth(depth_east, k), k);
        *north = rl_swe_discharge(CONSERVATIVE ? v[0] : moved_v[0], here,
                                  rl_swe_moving_depth(depth[0], k), k);
        if (!INNER && (y < 0 || y >= a.ny)) {
            if (y == -1)
                *north = flow_south();
            return 1.0f;
        }
        if (!INNER && (s.at_west || s.at_east))
            flow_ends(y, depth_east, x);
        if (!INNER && y == a.ny - 1 && is_open(RILL_SIDE_NORTH)) {
            const rl_swe_border_face f = {v[lead], v[lead + 1], bed[0], depth[1], along()};
            *north = rl_swe_border_flow_of(&plan.side[RILL_SIDE_NORTH], f, k).discharge;
        }
        if (EXTRAS && a.x.marked) {
            *x = is_marked(0, y) ? 0.0f : *x;
            *north = is_marked(1, y) ? 0.0f : *north;
        }
        const float leaving = rl_pipe_leaving(rl_from_west(*x), *x, qy_raw, *north, k.pipe);
        float own_limiter = 1.0f; // divisions are expensive and few cells are limited; ghosts are
                                  // not
        if ((INNER || s.inside) && rl_pipe_overdrawn(depth[1], leaving))
            own_limiter = rl_pipe_outflow_limiter(depth[1], leaving);
        return own_limiter;
    }

    // ---- Depths ------------------------------------------------------------------------

    // Applies the absorbing layers in row y - 1.
    __device__ __forceinline__ void absorb(int y, float phi, float *now)
    {
        const float profile_y = a.x.profile_y[y - 1], level_y = a.x.level_y[y - 1];
        const float u_west = rl_from_west(u[lead + 1]);
        const bool mine = s.writes && y - 1 < s.y1;
        const int at = rl_swe_place(a, y - 1, s.column);
        if (mine)
            a.x.unabsorbed[at] = *now;
        if (s.inside && (profile_x > 0.0f || profile_y > 0.0f)) {
            const rl_swe_layer layer =
                rl_swe_layer_of(bed[1], profile_x, level_x, profile_y, level_y, plan.gravity);
            float left =
                rl_swe_remember(phi, layer, u[lead + 1] - u_west, v[lead + 1] - v[lead + 2], k);
            *now = rl_swe_absorb(*now, &left, layer, k);
            if (mine)
                a.f.phi_out[at] = left;
        }
        if (mine && a.x.absorbed != nullptr)
            a.x.absorbed[at] = *now;
    }

    // Returns whether water falls into a cell over its northern face.
    __device__ __forceinline__ bool falls_from_north(int map, float north, float bed_upper,
                                                     float bed_lower, float depth_lower) const
    {
        return (map & RL_FALL_SOUTH) && -north > 0.0f &&
               rl_swe_falls_free(bed_upper, bed_lower, depth_lower);
    }

    __device__ __forceinline__ void take(bool taken, int fall, bool books, float through,
                                         float *now, float *left)
    {
        if (!taken)
            return;
        const double change = rl_swe_change_by(now, left, -(double)through);
        const double size = plan.cell_size;
        if (books)
            a.x.list[fall].volume -= change * size * size;
    }

    // Books the falls into the cells of row y - 1, in the order of the host's list, and those into
    // the row before that start in its cells. x, south and north are the discharges of the row.
    __device__ __forceinline__ void drop(int y, float *x, float *south, float *north, float *now,
                                         float *left)
    {
        const int map = falls[1], map_west = __shfl_up_sync(RL_ALL_LANES, map, 1);
        const float x_west = rl_from_west(*x), bed_west = rl_from_west(bed[1]);
        const float bed_east = rl_from_east(bed[1]), old = depth[2];
        const float old_east = rl_from_east(old);
        if (falls[2] & RL_FALL_SOUTH)
            rl_swe_change_by(now, left, (double)over);
        over = 0.0f;
        const bool books = s.writes && y - 1 < s.y1;
        int fall = map >> RL_FALL_SHIFT;
        if (map_west & RL_FALL_EAST)
            take(x_west > 0.0f && rl_swe_falls_free(bed_west, bed[1], old), fall++, books, x_west,
                 now, left);
        if (map & RL_FALL_WEST) {
            const bool taken = -*x > 0.0f && rl_swe_falls_free(bed_east, bed[1], old);
            take(taken, fall++, books, -*x, now, left);
            *x = taken ? 0.0f : *x;
        }
        if (falls[2] & RL_FALL_NORTH) {
            const bool taken = *south > 0.0f && rl_swe_falls_free(bed[2], bed[1], old);
            take(taken, fall++, books, *south, now, left);
            *south = taken ? 0.0f : *south;
        }
        if (map & RL_FALL_SOUTH && falls_from_north(map, *north, bed[0], bed[1], old)) {
            take(true, fall, books, -*north, now, left);
            over = *north;
            *north = 0.0f;
        }
        if (map & RL_FALL_EAST && *x > 0.0f && rl_swe_falls_free(bed[1], bed_east, old_east))
            *x = 0.0f; // the cell east of here takes it
    }

    // Computes the discharges south of the first row that is filled, at y = y0.
    __device__ __forceinline__ void begin_filling(int y, float limiter_now)
    {
        float south = rl_pipe_limit(qy_raw, limiter, limiter_now);
        if (!INNER && y == 0 && s.writes)
            a.crossed[2 * a.ny + s.column] = south;
        if (EXTRAS && a.x.fall_count > 0 && y > 0 &&
            falls_from_north(falls[1], south, bed[0], bed[1], depth[2])) {
            over = south;
            south = 0.0f;
        }
        put(qy, south);
    }

    // Stores the discharges over the borders beside row y, for the ledger.
    __device__ __forceinline__ void note_crossed(int y, float x, float north)
    {
        if (s.column == -1 && s.at_west)
            a.crossed[y] = x;
        if (s.writes && s.column == a.nx - 1)
            a.crossed[a.ny + y] = x;
        if (s.writes && y == a.ny - 1)
            a.crossed[2 * a.ny + a.nx + s.column] = north;
    }

    // Fills row y - 1.
    __device__ __forceinline__ void fill(int y, float limiter_now, const rl_swe_arrival &in)
    {
        if (!INNER && y - 1 >= a.ny) {
            put(filled, 0.0f);
            put(qx, 0.0f);
            put(qx_west, 0.0f);
            put(qy, 0.0f);
            return;
        }
        float x = rl_pipe_limit(qx_raw, limiter, rl_from_east(limiter));
        float north = rl_pipe_limit(qy_raw, limiter, limiter_now);
        float left = in.remainder, x_west = rl_from_west(x);
        float now = rl_pipe_fill(depth[2], &left, x_west, x, qy[0], north, k.pipe);
        const bool mine = y - 1 < s.y1;
        if (!INNER && mine)
            note_crossed(y - 1, x, north);
        if (EXTRAS && a.x.layers)
            absorb(y, in.phi, &now);
        if (EXTRAS && a.x.fall_count > 0) {
            drop(y, &x, &qy[0], &north, &now, &left);
            x_west = rl_from_west(x);
        }
        now = INNER || s.inside ? now : 0.0f;
        if (mine && s.writes) {
            const int at = rl_swe_place(a, y - 1, s.column);
            a.f.depth_out[at] = now;
            a.f.remainder_out[at] = left;
            most_depth = rl_int_max(most_depth, __float_as_int(now));
            if (!INNER && a.gathers_shallowest)
                rl_swe_note_shallowest(a.now, plan.side, a.nx, a.ny, s.column, y - 1, now);
        }
        put(filled, now);
        put(qx, x);
        put(qx_west, x_west);
        put(qy, north);
    }

    // ---- Velocities --------------------------------------------------------------------

    // Returns whether this holds for a lane within the grid: then all lanes take the same branch.
    __device__ __forceinline__ bool somewhere(bool holds) const
    {
        return __any_sync(RL_ALL_LANES, holds && (INNER || s.inside));
    }

    // Returns whether there is a bore in this row of the warp. As a rule there is none, and what
    // its pressure is made from need not be fetched.
    __device__ __forceinline__ bool has_bore(const rl_swe_compression &c) const
    {
        return somewhere(rl_swe_is_bore(c, rl_swe_smooth(c, k)));
    }

    __device__ __forceinline__ float bore(const rl_swe_squeezed &c) const
    {
        return rl_swe_bore(c, somewhere(rl_swe_has_edges(c)), k);
    }

    // Returns the pressure of bores along x in the cell of row y - 2; `old` is its old velocity.
    __device__ __forceinline__ float bore_x(const rl_swe_beside &old, float bed_east) const
    {
        const rl_swe_compression c =
            rl_swe_compress(rl_from_west(old.west), old.west, old.here, old.east);
        if (!has_bore(c))
            return 0.0f;
        return bore({c, rl_swe_end_of(rl_from_west(bed[2]), rl_from_west(depth[3])),
                     rl_swe_end_of(bed[2], depth[3]),
                     rl_swe_end_of(bed_east, rl_from_east(depth[3])), old.west, old.here,
                     !INNER && s.column == 0 && is_open(RILL_SIDE_WEST),
                     !INNER && s.column == a.nx - 1 && is_open(RILL_SIDE_EAST)});
    }

    // Returns the pressure along y in the cell of row y - 1.
    __device__ __forceinline__ float bore_y(int y) const
    {
        const bool first = !INNER && y - 1 == 0, last = !INNER && y - 1 == a.ny - 1;
        const float south = v[lead + 2], north = v[lead + 1];
        const rl_swe_compression c =
            rl_swe_compress(first ? 0.0f : v[lead + 3], south, north, last ? 0.0f : v[lead]);
        if (!has_bore(c))
            return 0.0f;
        return bore({c, rl_swe_end_of(bed[2], depth[3]), rl_swe_end_of(bed[1], depth[2]),
                     rl_swe_end_of(bed[0], depth[1]), south, north, first, last});
    }

    // `push` is that of bores.
    template <int EDGES>
    __device__ __forceinline__ float conserve_u(const rl_swe_end &here,
                                                const rl_swe_march_face &east,
                                                const rl_swe_beside &old, float push) const
    {
        const float x_west = CONSERVATIVE ? qx_west[1] : rl_from_west(qx[1]);
        const float south_east = CONSERVATIVE ? qy_east[1] : rl_from_east(qy[2]);
        const float north_east = CONSERVATIVE ? qy_east[0] : rl_from_east(qy[1]);
        const rl_swe_three x = {x_west, qx[1], rl_from_east(qx[1])};
        const rl_swe_inflow in =
            EDGES ? rl_swe_inflow_falling_x(x, qy[2], south_east, qy[1], north_east, east.fall)
                  : rl_swe_inflow_x(x, qy[2], south_east, qy[1], north_east);
        const rl_swe_inflow side = {old.west, old.east, u[lead + 3], u[lead + 1]};
        return rl_swe_keep_momentum(old.here, side, in, rl_swe_depths_of<EDGES>(here, east, k),
                                    push);
    }

    template <int EDGES>
    __device__ __forceinline__ float conserve_v(const rl_swe_end &here,
                                                const rl_swe_march_face &north, float push) const
    {
        const float west = CONSERVATIVE ? qx_west[1] : rl_from_west(qx[1]);
        const float north_west = CONSERVATIVE ? qx_west[0] : rl_from_west(qx[0]);
        const rl_swe_three y = {qy[2], qy[1], qy[0]};
        const rl_swe_inflow in =
            EDGES ? rl_swe_inflow_falling_y(west, north_west, qx[1], qx[0], y, north.fall)
                  : rl_swe_inflow_y(west, north_west, qx[1], qx[0], y);
        const float old = v[lead + 2];
        const rl_swe_inflow side = {rl_from_west(old), rl_from_east(old), v[lead + 3], v[lead + 1]};
        return rl_swe_keep_momentum(old, side, in, rl_swe_depths_of<EDGES>(here, north, k), push);
    }

    // Computes the velocities of row y - 2 after advection.
    template <int EDGES>
    __device__ __forceinline__ void
    brought(const rl_swe_end &here, const rl_swe_march_face &east, const rl_swe_march_face &north,
            const rl_swe_beside &old, float *to_u, float *to_v) const
    {
        const float push_u = rl_swe_push_of<EDGES>(east), push_v = rl_swe_push_of<EDGES>(north);
        if (CONSERVATIVE) {
            *to_u = conserve_u<EDGES>(here, east, old, push_u);
            *to_v = conserve_v<EDGES>(here, north, push_v);
            return;
        }
        *to_u = moved_u[2];
        *to_v = moved_v[2];
        const bool reads_u = rl_swe_can_read(depth[3], rl_from_east(depth[3]), k);
        const bool reads_v = rl_swe_can_read(depth[3], depth[2], k);
        if (__any_sync(RL_ALL_LANES, s.writes && !(reads_u && reads_v))) { // few are fronts
            const float conserved_u = conserve_u<EDGES>(here, east, old, 0.0f);
            const float conserved_v = conserve_v<EDGES>(here, north, 0.0f);
            *to_u = reads_u ? *to_u : conserved_u;
            *to_v = reads_v ? *to_v : conserved_v;
        }
        if (push_u != 0.0f)
            *to_u = rl_swe_push_by(*to_u, push_u, rl_swe_depths_of<EDGES>(here, east, k));
        if (push_v != 0.0f)
            *to_v = rl_swe_push_by(*to_v, push_v, rl_swe_depths_of<EDGES>(here, north, k));
    }

    template <int EDGES>
    __device__ __forceinline__ void
    accelerate(const rl_swe_end &here, const rl_swe_march_face &east,
               const rl_swe_march_face &north, const rl_swe_beside &old, float *to_u,
               float *to_v) const
    {
        brought<EDGES>(here, east, north, old, to_u, to_v);
        *to_u =
            rl_swe_accelerate(*to_u, here, east.j, east.fall, k.acceleration_x, k, SLOWED, EDGES);
        *to_v =
            rl_swe_accelerate(*to_v, here, north.j, north.fall, k.acceleration_y, k, SLOWED, EDGES);
    }

    // Applies the absorbing layers at the faces of row y - 2.
    __device__ __forceinline__ void damp(int y, float ground_east, float *to_u, float *to_v) const
    {
        const int row = y - 2, next = row + 1 < a.ny ? row + 1 : row;
        const float g = plan.gravity;
        const float profile_y = a.x.profile_y[row], profile_north = a.x.profile_y[next];
        const float profile_east = rl_from_east(profile_x), level_east = rl_from_east(level_x);
        if (profile_x > 0.0f || profile_east > 0.0f)
            *to_u = rl_swe_damp(*to_u, rl_swe_sigma_at(bed[2], profile_x, level_x, g),
                                rl_swe_sigma_at(ground_east, profile_east, level_east, g), k);
        if (profile_y > 0.0f || profile_north > 0.0f)
            *to_v = rl_swe_damp(*to_v, rl_swe_sigma_at(bed[2], profile_y, a.x.level_y[row], g),
                                rl_swe_sigma_at(bed[1], profile_north, a.x.level_y[next], g), k);
    }

    // Returns the new velocity of a border face, outwards: the advected velocity there, then the
    // push.
    __device__ __forceinline__ float push_face(rill_side side, rl_swe_border_face f, float inner,
                                               float depth_now, float acceleration) const
    {
        const float advected = rl_swe_border_flow_of(&plan.side[side], f, k).velocity;
        const rl_swe_border_face now = {advected, inner, f.bed, depth_now, f.along};
        return rl_swe_border_push_of(&plan.side[side], f, now, acceleration, plan.gravity, k,
                                     SLOWED);
    }

    __device__ __forceinline__ void push_ends(int y, float *to_u)
    {
        if (s.at_west) {
            float west = -0.0f;
            if (is_open(RILL_SIDE_WEST)) {
                const rl_swe_border_face f = {-u[lead + 2], -rl_from_east(u[lead + 2]),
                                              rl_from_east(bed[2]), rl_from_east(depth[3]), y - 2};
                const float inner = -rl_from_east(*to_u), now = rl_from_east(filled[1]);
                if (s.column == -1) {
                    const float out = push_face(RILL_SIDE_WEST, f, inner, now, -k.acceleration_x);
                    note_u(out);
                    west = 0.0f - out; // never -0, which is for faces that reflect
                }
            }
            if (s.column == -1)
                a.f.u_out[rl_swe_place(a, y - 2, -1)] = west;
        }
        if (s.at_east && is_open(RILL_SIDE_EAST)) {
            const float inner_old = rl_from_west(u[lead + 2]), inner = rl_from_west(*to_u);
            if (s.column == a.nx - 1) {
                const rl_swe_border_face f = {u[lead + 2], inner_old, bed[2], depth[3], y - 2};
                *to_u = push_face(RILL_SIDE_EAST, f, inner, filled[1], k.acceleration_x);
                if (s.writes)
                    note_u(*to_u);
            }
        }
    }

    __device__ __forceinline__ void store_v(int y, float value)
    {
        float *row = a.f.v_out + rl_swe_place(a, y, 0);
        row[s.column] = value;
        if (!INNER && s.column == 0)
            row[-1] = value;
        if (!INNER && s.column == a.nx - 1)
            row[a.nx] = value;
    }

    // Computes the faces of the southern border, when those of row 0 are pushed (before marks close
    // them).
    __device__ __forceinline__ void push_south(float inner)
    {
        float south = -0.0f;
        if (is_open(RILL_SIDE_SOUTH)) {
            const rl_swe_border_face f = {-v[lead + 3], -v[lead + 2], bed[2], depth[3], along()};
            const float out = push_face(RILL_SIDE_SOUTH, f, -inner, filled[1], -k.acceleration_y);
            note_v(out);
            south = 0.0f - out;
        }
        store_v(-1, south);
    }

    __device__ __forceinline__ float push_north() const
    {
        const rl_swe_border_face f = {v[lead + 2], v[lead + 3], bed[2], depth[3], along()};
        return push_face(RILL_SIDE_NORTH, f, v_south, filled[1], k.acceleration_y);
    }

    // Computes the new velocities of row y - 2.
    __device__ __forceinline__ void push(int y)
    {
        const int row = y - 2;
        const rl_swe_beside old = beside(u[lead + 2]);
        const float ground_east = rl_from_east(bed[2]), pressure_x = bore_x(old, ground_east);
        const rl_swe_end here = rl_swe_end_of(bed[2], filled[1]);
        rl_swe_march_face east, north;
        east.j = rl_swe_end_of(ground_east, rl_from_east(filled[1]));
        north.j = rl_swe_end_of(bed[1], filled[0]);
        east.fall = rl_swe_fall_between(here, east.j);
        north.fall = rl_swe_fall_between(here, north.j);
        east.push = pressure_x - rl_from_east(pressure_x);
        north.push = pressure_y[1] - pressure_y[0];
        float to_u, to_v;
        if (somewhere(rl_swe_any_edge(here, east.j, north.j, east.fall, north.fall, k)))
            accelerate<1>(here, east, north, old, &to_u, &to_v);
        else
            accelerate<0>(here, east, north, old, &to_u, &to_v);
        if (s.writes) {
            note_u(to_u);
            note_v(to_v);
        }
        if (EXTRAS && a.x.layers)
            damp(y, ground_east, &to_u, &to_v);
        if (!INNER && (s.at_west || s.at_east))
            push_ends(y, &to_u);
        if (!INNER && row == 0 && s.writes)
            push_south(to_v);
        if (!INNER && row == a.ny - 1 && is_open(RILL_SIDE_NORTH) && s.writes) {
            to_v = push_north();
            note_v(to_v);
        }
        if (EXTRAS && a.x.marked) {
            to_u = is_marked(0, row) ? 0.0f : to_u;
            to_v = is_marked(1, row) ? 0.0f : to_v;
        }
        if (s.writes) {
            a.f.u_out[rl_swe_place(a, row, s.column)] = to_u;
            store_v(row, to_v);
        }
        v_south = to_v;
    }

    // ---- One row after another ---------------------------------------------------------

    // Takes the values before the first row: velocities of the two rows before the one that comes
    // with it, and the depth of its row.
    __device__ __forceinline__ void begin(const float *first_u, const float *first_v,
                                          float first_depth)
    {
        for (int n = 0; n < 2 && !CONSERVATIVE; n++) {
            put(u, clamped(first_u[n]));
            put(v, clamped(first_v[n]));
            put(around_u, beside(u[0]));
            put(around_v, beside(v[0]));
        }
        depth[0] = first_depth;
    }

    // FULL: all stages have their rows, as they do from the third row on.
    template <int FULL> __device__ __forceinline__ void row(int y, const rl_swe_arrival &in)
    {
        arrive(in);
        if (!CONSERVATIVE)
            advect<FULL>(y);
        if (!FULL && y < s.y0 - 2)
            return;
        float x, north;
        const float limiter_now = flow(y, &x, &north);
        if (!FULL && y == s.y0)
            begin_filling(y, limiter_now);
        else if (FULL || y > s.y0)
            fill(y, limiter_now, in);
        if (FULL || y > s.y0) {
            put(pressure_y, bore_y(y));
            if (CONSERVATIVE)
                put(qy_east, rl_from_east(qy[1]));
        }
        if (FULL)
            push(y);
        qx_raw = x;
        qy_raw = north;
        limiter = limiter_now;
    }
};
