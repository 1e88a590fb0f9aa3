// SPDX-License-Identifier: MIT
// pipes_tile.cuh - one step of the pipes solver in a tile of the grid that stays in the shared
// memory of a block from step to step, with a frame of cells of the tiles around it.
//
// A warp has R rows of the tile, a thread V neighbouring columns of them. No cell is computed twice
// but for the ring of cells around the tile, whose outflow limiters the border cells need. A step
// has three stages, between which the block waits:
//
//     flow    levels and old discharges of the tile and its frame  ->  new discharges
//     limit   new discharges                                       ->  outflow limiters
//     fill    limiters                                             ->  limited discharges, depths
//
// Discharges are replaced in place. A face along a row belongs to one warp; of the faces between
// warps, all threads read the old ones before any writes.
//
// The formulas are those of solvers/pipe_cell.h in the order of pipes_march.cuh: the bits are the
// same. Stages are loops over rows, not unrolled: the code must fit into the instruction cache.
#pragma once

#include "gpu/cuda/pipes/pipes_march.cuh"

#define RL_TILE_WARPS   16
#define RL_TILE_THREADS (32 * RL_TILE_WARPS)

// Rows and columns of other tiles in the frame: a cell needs the discharges three faces to the west
// and south of it, and two to the east and north.
#define RL_TILE_BELOW 3
#define RL_TILE_ABOVE 2

template <int V, int R> struct alignas(16) rl_tile_memory {
    static constexpr int width = 32 * V, height = RL_TILE_WARPS * R;
    static constexpr int west = 4; // places before column 0, so that it is aligned
    // Twelve more: then a column of places lies in eight banks and not in one.
    static constexpr int pitch = width + 12;
    static constexpr int places = pitch * (height + RL_TILE_BELOW + RL_TILE_ABOVE);

    float bed[places], depth[places], qx[places], qy[places];
    float remainder[width * height];                  // of the tile alone
    float limiter[width * (height + 2)];              // with the rows before and after it
    float limiter_west[height], limiter_east[height]; // of the cells before and after a row
    float raw_west[height], raw_south[width];         // discharges of the ring, not yet limited
    rl_pipes_setup setup;
    rl_step_plan plan;      // of this step,
    rl_substeps controller; // and what it was made from
    int deepest;

    static __device__ __forceinline__ int place(int x, int y)
    {
        return (y + RL_TILE_BELOW) * pitch + west + x;
    }
};

struct rl_tile_args {
    rl_march_fields f[2];  // of the even and of the odd steps
    rl_pipes_control *now; // before the first step; after the last one: the next
    const rl_pipes_setup *setup;
    float *crossed, *spread;              // of the first step: see rl_march_args
    unsigned long long *arrivals, *words; // pipes_persistent.cuh
    unsigned *barriers;
    int nx, ny, pitch;
    int tiles, stacked;      // across the grid, and above each other
    int columns, rows;       // of a tile, but for the last ones
    int most;                // steps to take, if there are so many
    int open, drains;        // bit of a side: something passes; only outwards
    int half, words_of_rows; // of all words, and of those those of rows
};

template <int V, int R, int KIND, int SLOWED, int SMOOTH> struct rl_tile {
    typedef rl_pack<V> pack;
    typedef rl_tile_memory<V, R> memory;
    static constexpr int columns_of_thread = V;
    const rl_tile_args &a;
    memory &m;
    int lane, warp;
    int tx, ty;        // number of the tile
    int x0, y0;        // its place in the grid
    int columns, rows; // of it
    int column;        // first of this thread, in the tile,
    int row, end;      // its first row, and that after its last one
    int count;         // of its columns that are cells of the tile, 0 to V
    rl_pipe_coef k;
    pack south; // of its first row, not yet limited
    float deepest;

    __device__ rl_tile(const rl_tile_args &args, memory &shared) : a(args), m(shared)
    {
        lane = (int)threadIdx.x & 31;
        warp = rl_uniform((int)threadIdx.x / 32);
        tx = (int)blockIdx.x % a.tiles;
        ty = (int)blockIdx.x / a.tiles;
        x0 = tx * a.columns;
        y0 = ty * a.rows;
        columns = a.nx - x0 < a.columns ? a.nx - x0 : a.columns;
        rows = a.ny - y0 < a.rows ? a.ny - y0 : a.rows;
        column = lane * V;
        row = warp * R;
        end = row + R < rows ? row + R : rows;
        const int cells = columns - column;
        count = cells < 0 ? 0 : cells < V ? cells : V;
    }

    __device__ __forceinline__ ptrdiff_t place_in_grid(int x, int y) const
    {
        return (ptrdiff_t)(y0 + y) * a.pitch + x0 + x;
    }

    __device__ __forceinline__ bool at_side(rill_side side) const
    {
        return side == RILL_SIDE_WEST    ? x0 == 0
               : side == RILL_SIDE_EAST  ? x0 + columns == a.nx
               : side == RILL_SIDE_SOUTH ? y0 == 0
                                         : y0 + rows == a.ny;
    }

    // Returns whether something passes through a border of the grid.
    __device__ __forceinline__ bool opens(rill_side side) const
    {
        return rl_has_side(a.open, side) && at_side(side);
    }

    __device__ __forceinline__ bool drains(rill_side side) const
    {
        return rl_has_side(a.drains, side) && at_side(side);
    }

    // Stores those of a thread's columns that are cells of the tile.
    __device__ __forceinline__ void store(float *to, const pack &p) const
    {
        if (count == V) {
            rl_store_pack<V>(to, p);
            return;
        }
#pragma unroll
        for (int e = 0; e < V; e++)
            if (e < count)
                to[e] = p.v[e];
    }

    // Does the same without alignment.
    __device__ __forceinline__ void store_each(float *to, const pack &p) const
    {
#pragma unroll
        for (int e = 0; e < V; e++)
            if (e < count)
                to[e] = p.v[e];
    }

    // ---- The ring around the tile ------------------------------------------------------

    // One cell of the ring for each thread that has one.
    struct ring_cell {
        rill_side side;
        int x, y; // in the tile; `there` is false where there is no cell
        bool there;
        float q[4]; // old discharges across the border, from two faces before the cell on,
        float p[4]; // and along it
    };

    // A warp has 32 cells of the ring. The discharges that the tile will overwrite are read here.
    __device__ __forceinline__ ring_cell begin_ring() const
    {
        constexpr int across = 2 * V, all = across + 2 * ((memory::height + 31) / 32);
        const bool along = warp < across;
        const int n = along ? warp : warp - across, c = n / 2 * 32 + lane;
        const bool other = (n & 1) != 0;
        ring_cell r;
        r.there = warp < all && c < (along ? columns : rows);
        r.side = along ? (other ? RILL_SIDE_NORTH : RILL_SIDE_SOUTH)
                       : (other ? RILL_SIDE_EAST : RILL_SIDE_WEST);
        r.x = along ? c : other ? columns : -1;
        r.y = !along ? c : other ? rows : -1;
        if (!r.there)
            return r;
        const int at = memory::place(r.x, r.y);
        const float *q = (along ? m.qy : m.qx) + at, *p = (along ? m.qx : m.qy) + at;
        const int step = along ? memory::pitch : 1, turn = along ? 1 : memory::pitch;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            r.q[i] = q[(i - 2) * step];
            r.p[i] = p[(i - 2) * turn];
        }
        return r;
    }

    // Computes the face between two neighbouring places.
    __device__ __forceinline__ float face(float before, float q, float after, int at, int step)
    {
        const rl_pipe_end i = rl_pipe_open_end(m.bed[at], m.depth[at]);
        const rl_pipe_end j = rl_pipe_open_end(m.bed[at + step], m.depth[at + step]);
        return rl_pipe_flow(rl_decayed<SMOOTH>(q, before, after, k), i, j, 1.0f, k, KIND, SLOWED);
    }

    // May the outflow of a cell have to be limited?
    __device__ __forceinline__ bool is_suspect(float depth, float leaving) const
    {
        return KIND & RL_PIPE_CRITICAL ? rl_pipe_may_be_limited(depth, leaving, k)
                                       : rl_pipe_overdrawn(depth, leaving);
    }

    // Computes the outflow limiter of the cell at a place, which gives `leaving` in all.
    __device__ __forceinline__ float limiter_at(int at, const rl_pipe_sides &q, float leaving) const
    {
        if (!(KIND & RL_PIPE_CRITICAL))
            return rl_pipe_outflow_limiter(m.depth[at], leaving);
        const rl_pipe_sides beds = {m.bed[at - 1], m.bed[at + 1], m.bed[at - memory::pitch],
                                    m.bed[at + memory::pitch]};
        return rl_pipe_limiter(m.bed[at], m.depth[at], q, beds, k);
    }

    // A drain lets nothing into a cell of the grid.
    __device__ __forceinline__ void clip_cell(int gx, int gy, rl_pipe_sides &q) const
    {
        if (gx == 0 && rl_has_side(a.drains, RILL_SIDE_WEST))
            q.west = q.west < 0.0f ? q.west : 0.0f;
        if (gx == a.nx - 1 && rl_has_side(a.drains, RILL_SIDE_EAST))
            q.east = q.east > 0.0f ? q.east : 0.0f;
        if (gy == 0 && rl_has_side(a.drains, RILL_SIDE_SOUTH))
            q.south = q.south < 0.0f ? q.south : 0.0f;
        if (gy == a.ny - 1 && rl_has_side(a.drains, RILL_SIDE_NORTH))
            q.north = q.north > 0.0f ? q.north : 0.0f;
    }

    // Computes all four faces of the cell, so that it depends on no other thread.
    __device__ __forceinline__ void end_ring(const ring_cell &r)
    {
        const bool along = r.side == RILL_SIDE_SOUTH || r.side == RILL_SIDE_NORTH;
        const int at = memory::place(r.x, r.y);
        const int step = along ? memory::pitch : 1, turn = along ? 1 : memory::pitch;
        const float before = face(r.q[0], r.q[1], r.q[2], at - step, step);
        float after = face(r.q[1], r.q[2], r.q[3], at, step);
        float limiter = 1.0f;
        const int gx = x0 + r.x, gy = y0 + r.y;
        if (gx >= 0 && gx < a.nx && gy >= 0 && gy < a.ny) {
            const float left = face(r.p[0], r.p[1], r.p[2], at - turn, turn);
            const float right = face(r.p[1], r.p[2], r.p[3], at, turn);
            rl_pipe_sides q = along ? rl_pipe_sides{left, right, before, after}
                                    : rl_pipe_sides{before, after, left, right};
            if (a.drains != 0)
                clip_cell(gx, gy, q);
            const float leaving = rl_pipe_leaving(q.west, q.east, q.south, q.north, k);
            if (is_suspect(m.depth[at], leaving))
                limiter = limiter_at(at, q, leaving);
        }
        if (drains(r.side) && after > 0.0f)
            after = 0.0f;
        if (along)
            m.limiter[(r.y + 1) * memory::width + r.x] = limiter;
        else
            (r.x < 0 ? m.limiter_west : m.limiter_east)[r.y] = limiter;
        if (r.side == RILL_SIDE_SOUTH)
            m.raw_south[r.x] = after;
        if (r.side == RILL_SIDE_WEST)
            m.raw_west[r.y] = after;
    }

    // ---- Flow --------------------------------------------------------------------------

    // `q_south` and `q_last` are the old discharges before the first row and after the last one.
    __device__ __forceinline__ void flow(pack q_south, const pack &q_last)
    {
        int at = memory::place(column, row);
        pack bed = rl_load_pack<V>(m.bed + at), depth = rl_load_pack<V>(m.depth + at);
        pack q = rl_load_pack<V>(m.qy + at);
#pragma unroll 2
        for (int y = row; y < end; y++, at += memory::pitch) {
            const int north = at + memory::pitch;
            const pack bed_north = rl_load_pack<V>(m.bed + north);
            const pack depth_north = rl_load_pack<V>(m.depth + north);
            const pack q_north = y + 1 < end ? rl_load_pack<V>(m.qy + north) : q_last;
            const pack x = rl_load_pack<V>(m.qx + at);
            const float bed_east = m.bed[at + V], depth_east = m.depth[at + V];
            const float x_west = m.qx[at - 1], x_east = m.qx[at + V];
            pack raw_x, raw_y;
#pragma unroll
            for (int e = 0; e < V; e++) {
                const int w = e > 0 ? e - 1 : 0, n = e + 1 < V ? e + 1 : V - 1;
                const rl_pipe_end here = rl_pipe_open_end(bed.v[e], depth.v[e]);
                const rl_pipe_end next = rl_pipe_open_end(e + 1 < V ? bed.v[n] : bed_east,
                                                          e + 1 < V ? depth.v[n] : depth_east);
                const rl_pipe_end above = rl_pipe_open_end(bed_north.v[e], depth_north.v[e]);
                const float decayed_x = rl_decayed<SMOOTH>(x.v[e], e > 0 ? x.v[w] : x_west,
                                                           e + 1 < V ? x.v[n] : x_east, k);
                const float decayed_y = rl_decayed<SMOOTH>(q.v[e], q_south.v[e], q_north.v[e], k);
                raw_x.v[e] = rl_pipe_flow(decayed_x, here, next, 1.0f, k, KIND, SLOWED);
                raw_y.v[e] = rl_pipe_flow(decayed_y, here, above, 1.0f, k, KIND, SLOWED);
            }
            if (a.drains != 0)
                let_nothing_in(y, raw_x, raw_y);
            __syncwarp(); // all lanes have read the neighbours' old discharges
            store(m.qx + at, raw_x);
            store(m.qy + at, raw_y);
            bed = bed_north;
            depth = depth_north;
            q_south = q;
            q = q_north;
        }
    }

    // Handles drains in the east and north; the other two are faces of the ring.
    __device__ __forceinline__ void let_nothing_in(int y, pack &raw_x, pack &raw_y) const
    {
        const bool east = drains(RILL_SIDE_EAST);
        const bool north = drains(RILL_SIDE_NORTH) && y == rows - 1;
#pragma unroll
        for (int e = 0; e < V; e++) {
            if (east && column + e == columns - 1)
                raw_x.v[e] = raw_x.v[e] > 0.0f ? raw_x.v[e] : 0.0f;
            if (north)
                raw_y.v[e] = raw_y.v[e] > 0.0f ? raw_y.v[e] : 0.0f;
        }
    }

    // ---- Outflow limiters --------------------------------------------------------------

    // Divisions are expensive and few cells are limited; ghosts are not.
    __device__ __forceinline__ void limit()
    {
        int at = memory::place(column, row);
        south = row > 0 ? rl_load_pack<V>(m.qy + at - memory::pitch)
                        : rl_load_pack<V>(m.raw_south + column);
        pack below = south;
#pragma unroll 1
        for (int y = row; y < end; y++, at += memory::pitch) {
            const pack x = rl_load_pack<V>(m.qx + at), north = rl_load_pack<V>(m.qy + at);
            const pack depth = rl_load_pack<V>(m.depth + at);
            float west = __shfl_up_sync(RL_EVERYONE, x.v[V - 1], 1);
            if (lane == 0)
                west = m.raw_west[y];
            float leaving[V];
            bool some = false;
            pack limiter;
#pragma unroll
            for (int e = 0; e < V; e++) {
                leaving[e] = rl_pipe_leaving(e > 0 ? x.v[e > 0 ? e - 1 : 0] : west, x.v[e],
                                             below.v[e], north.v[e], k);
                some = some || is_suspect(depth.v[e], leaving[e]);
                limiter.v[e] = 1.0f;
            }
            if (some) {
#pragma unroll
                for (int e = 0; e < V; e++)
                    if (e < count && is_suspect(depth.v[e], leaving[e]))
                        limiter.v[e] = limiter_at(
                            at + e,
                            {e > 0 ? x.v[e > 0 ? e - 1 : 0] : west, x.v[e], below.v[e], north.v[e]},
                            leaving[e]);
            }
            rl_store_pack<V>(m.limiter + (y + 1) * memory::width + column, limiter);
            below = north;
        }
    }

    // ---- Fill --------------------------------------------------------------------------

    __device__ __forceinline__ void fill(float *crossed)
    {
        const float *limiters = m.limiter + row * memory::width + column;
        const pack limiter_south = rl_load_pack<V>(limiters);
        pack limiter = rl_load_pack<V>(limiters + memory::width);
#pragma unroll
        for (int e = 0; e < V; e++)
            south.v[e] = rl_pipe_limit(south.v[e], limiter_south.v[e], limiter.v[e]);
        if (row == 0 && opens(RILL_SIDE_SOUTH)) {
            store(m.qy + memory::place(column, -1), south);
            store(m.qy + memory::place(column, -2), south);
            store_each(crossed + 2 * a.ny + x0 + column, south);
        }
#pragma unroll 1
        for (int y = row; y < end; y++) {
            const pack limiter_north =
                rl_load_pack<V>(m.limiter + (y + 2) * memory::width + column);
            south = fill_row(y, south, limiter, limiter_north, crossed);
            limiter = limiter_north;
        }
    }

    // Returns the discharges to the north.
    __device__ __forceinline__ pack fill_row(int y, const pack &q_south, const pack &limiter,
                                             const pack &limiter_north, float *crossed)
    {
        const int at = memory::place(column, y);
        float *const behind = m.remainder + y * memory::width + column;
        float limiter_east = __shfl_down_sync(RL_EVERYONE, limiter.v[0], 1);
        if (column + V >= columns)
            limiter_east = m.limiter_east[y];
        pack x = rl_load_pack<V>(m.qx + at), north = rl_load_pack<V>(m.qy + at);
        pack filled = rl_load_pack<V>(m.depth + at), left = rl_load_pack<V>(behind);
#pragma unroll
        for (int e = 0; e < V; e++) {
            const int n = e + 1 < V ? e + 1 : V - 1;
            x.v[e] = rl_pipe_limit(x.v[e], limiter.v[e], e + 1 < V ? limiter.v[n] : limiter_east);
            north.v[e] = rl_pipe_limit(north.v[e], limiter.v[e], limiter_north.v[e]);
        }
        float west = __shfl_up_sync(RL_EVERYONE, x.v[V - 1], 1);
        if (lane == 0)
            west = rl_pipe_limit(m.raw_west[y], m.limiter_west[y], limiter.v[0]);
#pragma unroll
        for (int e = 0; e < V; e++) {
            filled.v[e] =
                rl_pipe_fill(filled.v[e], &left.v[e], e > 0 ? x.v[e > 0 ? e - 1 : 0] : west, x.v[e],
                             q_south.v[e], north.v[e], k);
            if (e < count)
                deepest = rl_max(deepest, filled.v[e]);
        }
        store(m.depth + at, filled);
        store(m.qx + at, x);
        store(m.qy + at, north);
        rl_store_pack<V>(behind, left);
        if (a.open != 0)
            cross(y, crossed, west, x, north);
        return north;
    }

    // Stores discharges through open borders: for the ledger, and once more beyond the border,
    // where smoothing reads them.
    __device__ __forceinline__ void cross(int y, float *crossed, float west, const pack &x,
                                          const pack &north)
    {
        const int gy = y0 + y;
        if (lane == 0 && opens(RILL_SIDE_WEST)) {
            float *ends = m.qx + memory::place(0, y);
            ends[-1] = ends[-2] = crossed[gy] = west;
        }
        if (opens(RILL_SIDE_EAST)) {
#pragma unroll
            for (int e = 0; e < V; e++)
                if (column + e == columns - 1)
                    m.qx[memory::place(columns, y)] = crossed[a.ny + gy] = x.v[e];
        }
        if (gy == a.ny - 1 && rl_has_side(a.open, RILL_SIDE_NORTH)) {
            store(m.qy + memory::place(column, y + 1), north);
            store_each(crossed + 2 * a.ny + a.nx + x0 + column, north);
        }
    }

    // ---- A step ------------------------------------------------------------------------

    // Runs on all threads of a block. Its results are the state in shared memory, and the deepest
    // water in m.deepest, which was 0.
    __device__ __forceinline__ void step(float *crossed)
    {
        k = m.plan.k;
        deepest = 0.0f;
        const ring_cell ring = begin_ring();
        const bool works = row < end;
        pack q_south, q_last;
        if (works) {
            q_south = rl_load_pack<V>(m.qy + memory::place(column, row - 1));
            q_last = rl_load_pack<V>(m.qy + memory::place(column, end));
        }
        __syncthreads();
        if (ring.there)
            end_ring(ring);
        __syncwarp();
        if (works)
            flow(q_south, q_last);
        __syncthreads();
        if (works)
            limit();
        __syncthreads();
        if (works)
            fill(crossed);
        const int bits = rl_largest_of_warp(__float_as_int(deepest));
        if (lane == 0)
            atomicMax(&m.deepest, bits);
        __syncthreads();
    }
};
