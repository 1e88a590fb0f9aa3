// SPDX-License-Identifier: MIT
// layers_rooms.cuh - room that liquid makes by passing on: solvers/layers/layers_passages_room.c by
// one block. The host looks at one column after the other, and each sees what those before it got.
// Here a thread takes a column as soon as those before it that matter to it are done: the
// neighbours that it flows to. Chains of such columns are short.
#pragma once

#include "gpu/cuda/layers_block.cuh"
#include "gpu/cuda/layers_kernels.cuh"

// Numbers that are known of a column that is short of room, each `room` floats after the one
// before.
enum {
    RL_SHORT_LEAST, // share if nothing leaves
    RL_SHORT_OLD,   // share before a sweep,
    RL_SHORT_NEW,   // and after it
    RL_SHORT_WEST,  // discharges of its faces that are paid for
    RL_SHORT_EAST,
    RL_SHORT_SOUTH,
    RL_SHORT_NORTH,
    RL_SHORT_ENTERING, // what wants to enter
    RL_SHORT_CROSS,    // what leaves through cross pipes
    RL_SHORT_BASE,
    RL_SHORT_DEPTH,
    RL_SHORT_TOP,
    RL_SHORT_REMAINDER,
    RL_SHORT_VALUES
};

struct rl_rooms {
    int count;
    float *value;       // RL_SHORT_VALUES for each
    int *number, *slot; // of the column
    int *ends;          // of its cross pipes: where they begin, then where they end
    int *near[4];       // west, east, south, north: its neighbours in the list, or -1
    int *done, *taken;  // its turn has come, in this sweep
};

__device__ __forceinline__ float *rl_short(const rl_rooms &r, int what)
{
    return r.value + (size_t)what * (size_t)r.count;
}

// Place in the list of a column, or -1.
__device__ __forceinline__ int rl_find_short(const rl_layers_search &s, const int *before,
                                             int count, int word, int lane)
{
    if (word < 0 || !(s.shorts[word] >> lane & 1))
        return -1;
    const int place = before[word] + __popc(s.shorts[word] & ((1u << lane) - 1));
    return place < count ? place : -1;
}

__device__ inline int rl_list_shorts(const rl_layers_args &a, int *list, int *before)
{
    int sum = 0;
    for (int start = 0; start < a.covered_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        unsigned bits = n < a.covered_count ? a.search.shorts[n] : 0;
        int total, next = sum + rl_sum_before(__popc(bits), &total);
        if (n < a.covered_count)
            before[n] = next;
        for (; bits != 0; bits &= bits - 1)
            list[next++] = 32 * n + __ffs((int)bits) - 1;
        sum += total;
    }
    __syncthreads();
    return sum < a.search.short_capacity ? sum : a.search.short_capacity;
}

__device__ inline void rl_know_neighbours(const rl_layers_args &a, const rl_rooms &r,
                                          const int *before, int i)
{
    const rl_layers_search &s = a.search;
    const int n = r.number[i] >> 5, lane = r.number[i] & 31;
    const rl_layers_word word = a.words[n];
    const int slot = word.slot + lane;
    const float share = a.field[RL_COLUMN_SHARE_IN][slot], base = a.field[RL_COLUMN_BASE][slot];
    const float depth = a.field[RL_COLUMN_DEPTH][slot], top = a.field[RL_COLUMN_TOP][slot];
    const float remainder = a.field[RL_COLUMN_REMAINDER][slot];
    const int west = lane > 0 ? n : word.flags & RL_WORD_WEST ? n - 1 : -1;
    const int east = lane < 31 ? n : word.flags & RL_WORD_EAST ? n + 1 : -1;
    const int near[4] = {rl_find_short(s, before, r.count, west, (lane + 31) & 31),
                         rl_find_short(s, before, r.count, east, (lane + 1) & 31),
                         rl_find_short(s, before, r.count, word.south, lane),
                         rl_find_short(s, before, r.count, word.north, lane)};
    for (int side = 0; side < 4; side++)
        r.near[side][i] = near[side];
    r.slot[i] = slot;
    const rl_layers_ends ends = rl_ends_of(a, word, lane);
    r.ends[i] = ends.begin;
    r.ends[r.count + i] = ends.end;
    rl_short(r, RL_SHORT_LEAST)[i] = share;
    rl_short(r, RL_SHORT_BASE)[i] = base;
    rl_short(r, RL_SHORT_DEPTH)[i] = depth;
    rl_short(r, RL_SHORT_TOP)[i] = top;
    rl_short(r, RL_SHORT_REMAINDER)[i] = remainder;
}

// What flows through the cross pipes of a column: what wants to enter, and what leaves.
__device__ __forceinline__ float2 rl_cross_flows(const rl_layers_args &a, int begin, int end)
{
    float entering = 0.0f, leaving = 0.0f;
    for (int e = begin; e < end; e++) {
        const int n = a.ends[e] >> 1;
        const float q = a.cross_raw[n];
        if (q == 0.0f)
            continue;
        const int from = (int)a.pipes[n].from, to = (int)a.pipes[n].to;
        if ((a.ends[e] & 1) == (q > 0.0f))
            entering += fabsf(rl_paid(a, q, from, to));
        else
            leaving += fabsf(rl_limited(a, q, from, to));
    }
    return make_float2(entering, leaving);
}

// What its discharges of now say about a column.
__device__ inline void rl_know_flows(const rl_layers_args &a, const rl_rooms &r, int i)
{
    const int slot = r.slot[i], west = slot - 1, south = slot - a.pitch, north = slot + a.pitch;
    const float *x = a.field[RL_COLUMN_RAW_X], *y = a.field[RL_COLUMN_RAW_Y];
    const float *share = a.field[RL_COLUMN_SHARE_OUT];
    // Memory is asked for all of it at once.
    const float x_west = x[west], x_east = x[slot], y_south = y[south], y_north = y[slot];
    const float here = share[slot], from_west = share[west], from_east = share[slot + 1];
    const float from_south = share[south], from_north = share[north];
    const float old = a.field[RL_COLUMN_SHARE_IN][slot];
    const float2 cross = rl_cross_flows(a, r.ends[i], r.ends[r.count + i]);
    rl_short(r, RL_SHORT_OLD)[i] = old;
    rl_short(r, RL_SHORT_WEST)[i] = rl_pipe_limit(x_west, from_west, here);
    rl_short(r, RL_SHORT_EAST)[i] = rl_pipe_limit(x_east, here, from_east);
    rl_short(r, RL_SHORT_SOUTH)[i] = rl_pipe_limit(y_south, from_south, here);
    rl_short(r, RL_SHORT_NORTH)[i] = rl_pipe_limit(y_north, here, from_north);
    rl_short(r, RL_SHORT_CROSS)[i] = cross.y;
    rl_short(r, RL_SHORT_ENTERING)[i] =
        (rl_passages_positive(x_west) * from_west + rl_passages_positive(-x_east) * from_east) +
        (rl_passages_positive(y_south) * from_south + rl_passages_positive(-y_north) * from_north) +
        cross.x;
}

// The share that a neighbour has when this column's turn comes; 1 for one that is not short.
__device__ __forceinline__ float rl_near_share(const rl_rooms &r, int side, int i, bool new_one)
{
    const int other = r.near[side][i];
    return other < 0 ? 1.0f : rl_short(r, new_one ? RL_SHORT_NEW : RL_SHORT_OLD)[other];
}

__device__ inline float rl_fitting_share(const rl_rooms &r, int i, bool forth, rl_pipe_coef k)
{
    const float west = rl_near_share(r, 0, i, forth), east = rl_near_share(r, 1, i, !forth);
    const float south = rl_near_share(r, 2, i, forth), north = rl_near_share(r, 3, i, !forth);
    const float leaving =
        (rl_passages_positive(-rl_pipe_limit_inflow(rl_short(r, RL_SHORT_WEST)[i], west, 1.0f)) +
         rl_passages_positive(rl_pipe_limit_inflow(rl_short(r, RL_SHORT_EAST)[i], 1.0f, east))) +
        (rl_passages_positive(-rl_pipe_limit_inflow(rl_short(r, RL_SHORT_SOUTH)[i], south, 1.0f)) +
         rl_passages_positive(rl_pipe_limit_inflow(rl_short(r, RL_SHORT_NORTH)[i], 1.0f, north))) +
        rl_short(r, RL_SHORT_CROSS)[i];
    return rl_passages_room_share(rl_short(r, RL_SHORT_BASE)[i], rl_short(r, RL_SHORT_DEPTH)[i],
                                  rl_short(r, RL_SHORT_TOP)[i], rl_short(r, RL_SHORT_REMAINDER)[i],
                                  rl_short(r, RL_SHORT_ENTERING)[i], leaving, k);
}

// Whether the neighbours that come before a column and that it flows to are done.
__device__ __forceinline__ bool rl_is_ready(const rl_rooms &r, int i, bool forth)
{
    const int a = r.near[forth ? 0 : 1][i], b = r.near[forth ? 2 : 3][i];
    const bool to_a =
        forth ? rl_short(r, RL_SHORT_WEST)[i] < 0.0f : rl_short(r, RL_SHORT_EAST)[i] > 0.0f;
    const bool to_b =
        forth ? rl_short(r, RL_SHORT_SOUTH)[i] < 0.0f : rl_short(r, RL_SHORT_NORTH)[i] > 0.0f;
    return !(to_a && a >= 0 && !r.done[a]) && !(to_b && b >= 0 && !r.done[b]);
}

enum { RL_SWEEP_WIDEN, RL_SWEEP_NARROW, RL_SWEEP_NARROW_SAFELY };

__device__ __forceinline__ float rl_swept_share(const rl_rooms &r, int how, int i, bool forth,
                                                rl_pipe_coef k, int *some)
{
    const float share = rl_short(r, RL_SHORT_OLD)[i], least = rl_short(r, RL_SHORT_LEAST)[i];
    const float fits = rl_fitting_share(r, i, forth, k);
    if (how == RL_SWEEP_WIDEN)
        return rl_passages_wider(share, fits);
    if (!rl_passages_too_wide(share, least, fits))
        return share;
    *some = 1;
    return rl_passages_narrower(least, fits, how == RL_SWEEP_NARROW_SAFELY);
}

// One column after the other, in the order of the list or against it; returns whether shares were
// taken back. In a round all columns are taken that need not wait any more.
__device__ inline bool rl_sweep_rooms(const rl_rooms &r, int how, bool forth, rl_pipe_coef k)
{
    const int thread = (int)threadIdx.x;
    int some = 0, left = r.count > thread;
    for (int i = thread; i < r.count; i += RL_LAYERS_BLOCK)
        r.done[i] = r.taken[i] = 0;
    while (__syncthreads_or(left)) {
        for (int i = thread; left && i < r.count; i += RL_LAYERS_BLOCK)
            if (!r.taken[i] && rl_is_ready(r, i, forth)) {
                rl_short(r, RL_SHORT_NEW)[i] = rl_swept_share(r, how, i, forth, k, &some);
                r.taken[i] = 1;
            }
        __syncthreads();
        int waiting = 0;
        for (int i = thread; left && i < r.count; i += RL_LAYERS_BLOCK) {
            r.done[i] = r.taken[i];
            waiting |= !r.taken[i];
        }
        left = waiting;
    }
    return __syncthreads_or(some);
}

// Makes the shares of after a sweep those before the next.
__device__ inline void rl_keep_sweep(const rl_rooms &r)
{
    for (int i = (int)threadIdx.x; i < r.count; i += RL_LAYERS_BLOCK)
        rl_short(r, RL_SHORT_OLD)[i] = rl_short(r, RL_SHORT_NEW)[i];
    __syncthreads();
}

__device__ inline void rl_write_shares(const rl_layers_args &a, const rl_rooms &r)
{
    for (int i = (int)threadIdx.x; i < r.count; i += RL_LAYERS_BLOCK)
        a.field[RL_COLUMN_SHARE_IN][r.slot[i]] = rl_short(r, RL_SHORT_NEW)[i];
    __syncthreads();
}

__device__ inline rl_rooms rl_deal_rooms(const rl_layers_args &a, rl_pool *pool, int count)
{
    const rl_layers_search &s = a.search;
    rl_rooms r;
    r.count = count;
    r.value = rl_deal(pool, RL_SHORT_VALUES * count, s.short_value);
    for (int side = 0; side < 4; side++)
        r.near[side] = rl_deal(pool, count, s.short_near + (size_t)side * (size_t)count);
    r.number = s.list;
    r.slot = rl_deal(pool, count, s.short_done);
    r.done = rl_deal(pool, count, s.short_done + count);
    r.taken = rl_deal(pool, count, s.short_done + 2 * (size_t)count);
    r.ends = rl_deal(pool, 2 * count, s.short_done + 3 * (size_t)count);
    return r;
}

// Counts what leaves a column as room for what arrives. Forth and back, so that the column
// downstream comes first in one of the two, whichever way the liquid goes.
__device__ inline rl_rooms rl_widen_rooms(const rl_layers_args &a, rl_pool *pool, rl_pipe_coef k)
{
    int *before = rl_deal(pool, a.covered_count, reinterpret_cast<int *>(a.search.words[0]));
    const int count = rl_list_shorts(a, a.search.list, before);
    const rl_rooms r = rl_deal_rooms(a, pool, count);
    if (count == 0)
        return r;
    for (int i = (int)threadIdx.x; i < count; i += RL_LAYERS_BLOCK) {
        rl_know_neighbours(a, r, before, i);
        rl_know_flows(a, r, i);
    }
    rl_sweep_rooms(r, RL_SWEEP_WIDEN, true, k);
    rl_keep_sweep(r);
    rl_sweep_rooms(r, RL_SWEEP_WIDEN, false, k);
    rl_write_shares(a, r);
    return r;
}

// Takes back what counted on more than leaves; returns whether there was any.
__device__ inline bool rl_narrow_rooms(const rl_layers_args &a, const rl_rooms &r, bool safely,
                                       rl_pipe_coef k)
{
    if (r.count == 0)
        return false;
    for (int i = (int)threadIdx.x; i < r.count; i += RL_LAYERS_BLOCK)
        rl_know_flows(a, r, i);
    const bool some = rl_sweep_rooms(r, safely ? RL_SWEEP_NARROW_SAFELY : RL_SWEEP_NARROW, true, k);
    if (some)
        rl_write_shares(a, r);
    return some;
}
