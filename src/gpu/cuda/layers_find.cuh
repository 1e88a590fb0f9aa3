// SPDX-License-Identifier: MIT
// layers_find.cuh - where the flooded passages are: solvers/layers/layers_passages_full.c and
// layers_passages_find.c by one block, with a thread for a word of columns, a run, a passage or a
// gateway. Everything has the numbers and the order that it has on the host.
#pragma once

#include "gpu/cuda/layers_block.cuh"

#include "rill/world.h"

// What the search works with. The search it was given lies in device memory; of what it has here
// most is in shared memory.
struct rl_find {
    rl_layers_search s;
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    unsigned *full, *was, *now, *opened; // columns: full, flooded before, flooded now, not any more
    double *terms, *sums;
    int runs, passages, gates, term_room;
};

__device__ __forceinline__ unsigned rl_from_west(const unsigned *bits, const rl_layers_word &word,
                                                 int w)
{
    return bits[w] << 1 | (word.flags & RL_WORD_WEST ? bits[w - 1] >> 31 : 0);
}

__device__ __forceinline__ unsigned rl_from_east(const unsigned *bits, const rl_layers_word &word,
                                                 int w)
{
    return bits[w] >> 1 | (word.flags & RL_WORD_EAST ? bits[w + 1] << 31 : 0);
}

__device__ __forceinline__ unsigned rl_from_beside(const unsigned *bits, int other)
{
    return other >= 0 ? bits[other] : 0;
}

// The run that holds a flooded column.
__device__ __forceinline__ int rl_run_of(const rl_find &f, int number)
{
    const unsigned upto = 0xffffffffu >> (31 - (number & 31));
    return f.s.before[number >> 5] + __popc(f.s.begins[number >> 5] & upto) - 1;
}

// ---- Air -------------------------------------------------------------------------------

// The columns of a face or cross pipe as air sees them: a full one and one that is not.
struct rl_air {
    float base, top, base_outside, depth_outside, top_outside, outflow;
};

__device__ __forceinline__ rl_air rl_air_at(const rl_layers_args &a, int inside, int outside,
                                            float outflow)
{
    const float *base = a.field[RL_COLUMN_BASE], *top = a.field[RL_COLUMN_TOP];
    return {base[inside], top[inside], base[outside], a.field[RL_COLUMN_DEPTH][outside],
            top[outside], outflow};
}

// Whether air stands at the ceiling.
__device__ __forceinline__ bool rl_airy(const rl_layers_args &a, const rl_air &air,
                                        bool was_flooded)
{
    const float ceiling = air.top < air.top_outside ? air.top : air.top_outside;
    return air.base_outside + air.depth_outside <
           rl_passages_air_level_of(a.cell_size, air.base, air.top, ceiling, was_flooded);
}

// Whether air enters a full column through one of its faces through which nothing leaves.
__device__ inline bool rl_air_enters(const rl_layers_args &a, const rl_find &f, int number)
{
    const int n = number >> 5, lane = number & 31, pitch = a.pitch;
    const rl_layers_word &word = f.words[n];
    const int slot = word.slot + lane;
    const float *qx = a.field[RL_COLUMN_QX] + slot, *qy = a.field[RL_COLUMN_QY] + slot;
    const unsigned bit = 1u << lane;
    const unsigned side[4] = {word.join_west & ~rl_from_west(f.full, word, n),
                              word.join_east & ~rl_from_east(f.full, word, n),
                              word.join_south & ~rl_from_beside(f.full, word.south),
                              word.join_north & ~rl_from_beside(f.full, word.north)};
    // All are looked at, so that memory is asked at once.
    const rl_air air[4] = {
        rl_air_at(a, slot, slot - 1, -qx[-1]), rl_air_at(a, slot, slot + 1, qx[0]),
        rl_air_at(a, slot, slot - pitch, -qy[-pitch]), rl_air_at(a, slot, slot + pitch, qy[0])};
    bool enters = false;
    for (int k = 0; k < 4; k++)
        enters |= (side[k] & bit) && !(air[k].outflow > 0.0f) &&
                  rl_airy(a, air[k], (f.was[n] & bit) != 0);
    return enters;
}

// Full columns beside ones that are not, one behind the other in the list; returns their number.
__device__ inline int rl_list_rims(const rl_layers_args &a, const rl_find &f, int *list)
{
    int before = 0;
    for (int start = 0; start < a.covered_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        unsigned rim = 0;
        if (n < a.covered_count && f.full[n] != 0) {
            const rl_layers_word &word = f.words[n];
            rim = f.full[n] &
                  ~(rl_from_west(f.full, word, n) & rl_from_east(f.full, word, n) &
                    rl_from_beside(f.full, word.south) & rl_from_beside(f.full, word.north));
        }
        int total, next = before + rl_sum_before(__popc(rim), &total);
        for (; rim != 0; rim &= rim - 1)
            list[next++] = 32 * n + __ffs((int)rim) - 1;
        before += total;
    }
    __syncthreads();
    return before;
}

__device__ inline void rl_open_by_cross(const rl_layers_args &a, const rl_find &f)
{
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK) {
        const rl_layers_pipe &pipe = f.pipes[n];
        const bool from = rl_marked(f.full, pipe.from_bit), to = rl_marked(f.full, pipe.to_bit);
        if (from == to)
            continue;
        const int inside = from ? pipe.from_bit : pipe.to_bit;
        const int here = (int)(from ? pipe.from : pipe.to);
        const int there = (int)(from ? pipe.to : pipe.from);
        const rl_air air = rl_air_at(a, here, there, from ? a.cross_q[n] : -a.cross_q[n]);
        if (!(air.outflow > 0.0f) && rl_airy(a, air, rl_marked(f.was, inside)))
            atomicOr(&f.opened[inside >> 5], 1u << (inside & 31));
    }
}

// Leaves in `now` the full columns that air does not enter at once.
__device__ inline void rl_open_to_air(const rl_layers_args &a, const rl_find &f, int *list)
{
    const int rims = rl_list_rims(a, f, list);
    for (int n = (int)threadIdx.x; n < rims; n += RL_LAYERS_BLOCK)
        if (rl_air_enters(a, f, list[n]))
            atomicOr(&f.opened[list[n] >> 5], 1u << (list[n] & 31));
    rl_open_by_cross(a, f);
    __syncthreads();
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK)
        f.now[n] = f.full[n] & ~f.opened[n];
    __syncthreads();
}

// ---- Runs ------------------------------------------------------------------------------

// Numbers the runs; returns how many there are.
__device__ inline int rl_number_runs(const rl_layers_args &a, const rl_find &f)
{
    int before = 0;
    for (int start = 0; start < a.covered_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        unsigned begins = 0;
        if (n < a.covered_count && f.now[n] != 0) {
            const rl_layers_word &word = f.words[n];
            begins = f.now[n] & ~(rl_from_west(f.now, word, n) & word.join_west);
        }
        int total;
        const int next = before + rl_sum_before(__popc(begins), &total);
        if (n < a.covered_count) {
            f.s.begins[n] = begins;
            f.s.before[n] = next;
        }
        before += total;
    }
    __syncthreads();
    return before;
}

__device__ inline void rl_begin_runs(const rl_layers_args &a, const rl_find &f)
{
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        if (f.now[n] == 0)
            continue;
        const rl_layers_word &word = f.words[n];
        int run = f.s.before[n];
        for (unsigned begins = f.s.begins[n]; begins != 0; begins &= begins - 1)
            f.s.run_first[run++] = 32 * n + __ffs((int)begins) - 1;
        unsigned ends = f.now[n] & ~(rl_from_east(f.now, word, n) & word.join_east);
        for (; ends != 0; ends &= ends - 1) {
            const int number = 32 * n + __ffs((int)ends) - 1;
            f.s.run_end[rl_run_of(f, number)] = number + 1;
        }
    }
    for (int r = (int)threadIdx.x; r < f.runs; r += RL_LAYERS_BLOCK) {
        f.s.run_label[r] = f.s.run_next[r] = r;
        f.s.run_joints[r] = 0;
    }
    __syncthreads();
}

// Calls `see(run, run, joints)` for the runs of a word and those of the word north of it.
template <typename See>
__device__ __forceinline__ void rl_see_joints(const rl_find &f, int n, See see)
{
    const rl_layers_word &word = f.words[n];
    unsigned both = f.now[n] & rl_from_beside(f.now, word.north) & word.join_north;
    while (both != 0) {
        // Columns up to where the next run begins, here or there.
        const int lane = __ffs((int)both) - 1;
        const unsigned after = lane == 31 ? 0 : 0xffffffffu << (lane + 1);
        const unsigned next = (f.s.begins[n] | f.s.begins[word.north]) & after;
        const unsigned part = both & (next != 0 ? (next & (~next + 1)) - 1 : 0xffffffffu);
        see(rl_run_of(f, 32 * n + lane), rl_run_of(f, 32 * word.north + lane), __popc(part));
        both &= ~part;
    }
}

// Lists the pairs of runs that touch, in any order; returns their number, or, if there are more
// than `room`, none of them.
__device__ inline int rl_list_pairs(const rl_layers_args &a, const rl_find &f, int2 *pairs,
                                    int room)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    auto see = [&](int low, int high, int joints) {
        const int n = atomicAdd(&count, 1);
        atomicAdd(&f.s.run_joints[low], joints);
        if (n < room)
            pairs[n] = make_int2(low, high);
    };
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK)
        if (f.now[n] != 0)
            rl_see_joints(f, n, see);
    for (int n = (int)threadIdx.x; n < a.pipe_count; n += RL_LAYERS_BLOCK) {
        const rl_layers_pipe &pipe = f.pipes[n];
        if (rl_marked(f.now, pipe.from_bit) && rl_marked(f.now, pipe.to_bit))
            see(rl_run_of(f, pipe.from_bit), rl_run_of(f, pipe.to_bit), 1);
    }
    __syncthreads();
    const int listed = count;
    __syncthreads();
    return listed;
}

// Follows labels to their ends.
__device__ inline void rl_shorten_labels(const rl_find &f)
{
    for (int again = 1; again;) {
        int changed = 0;
        // Runs of a thread are far apart: each is followed before the next is written.
        for (int start = 0; start < f.runs; start += RL_LAYERS_BLOCK) {
            const int r = start + (int)threadIdx.x;
            int end = 0;
            if (r < f.runs) {
                end = f.s.run_next[r];
                for (int hop = 0; hop < 4; hop++)
                    end = f.s.run_next[end];
                changed |= end != f.s.run_next[r];
            }
            __syncthreads();
            if (r < f.runs)
                f.s.run_next[r] = end;
            __syncthreads();
        }
        again = __syncthreads_or(changed);
    }
}

// Gives all runs of a passage the label of the first: in a round every pair hangs the later of its
// two labels below the earlier.
__device__ inline void rl_unite_runs(const rl_find &f, const int2 *pairs, int count)
{
    for (;;) {
        int apart = 0;
        for (int n = (int)threadIdx.x; n < count; n += RL_LAYERS_BLOCK) {
            const int a = f.s.run_label[pairs[n].x], b = f.s.run_label[pairs[n].y];
            if (a != b) {
                atomicMin(&f.s.run_next[a > b ? a : b], a > b ? b : a);
                apart = 1;
            }
        }
        if (!__syncthreads_or(apart))
            return;
        rl_shorten_labels(f);
        for (int r = (int)threadIdx.x; r < f.runs; r += RL_LAYERS_BLOCK)
            f.s.run_label[r] = f.s.run_next[r];
        __syncthreads();
    }
}

// Numbers the passages by their first runs; returns how many there are.
__device__ inline int rl_number_passages(const rl_find &f)
{
    const rl_layers_search &s = f.s;
    int before = 0;
    for (int start = 0; start < f.runs; start += RL_LAYERS_BLOCK) {
        const int r = start + (int)threadIdx.x;
        const bool first = r < f.runs && s.run_label[r] == r;
        int total;
        const int number = before + rl_sum_before(first, &total);
        if (first)
            s.run_next[r] = number;
        before += total;
    }
    __syncthreads();
    for (int r = (int)threadIdx.x; r < f.runs; r += RL_LAYERS_BLOCK)
        s.run_passage[r] = s.run_next[s.run_label[r]];
    for (int p = (int)threadIdx.x; p < before; p += RL_LAYERS_BLOCK)
        s.opened[p] = s.blown[p] = s.airy[p] = s.columns[p] = s.joints[p] = 0;
    __syncthreads();
    return before;
}

// ---- Gateways --------------------------------------------------------------------------

// Found gateways: of faces the number of the column inside times 8 plus the side it lies on, of
// cross pipes the number of the pipe times 8 plus 4, plus 1 where it leads inwards.
enum { RL_FOUND_WEST, RL_FOUND_EAST, RL_FOUND_SOUTH, RL_FOUND_NORTH, RL_FOUND_CROSS };

struct rl_rims {
    unsigned side[4];
};

__device__ __forceinline__ rl_rims rl_rims_of(const rl_layers_args &a, const rl_find &f, int n)
{
    rl_rims rims = {{0, 0, 0, 0}};
    if (n < a.covered_count && f.now[n] != 0) {
        const rl_layers_word &word = f.words[n];
        const unsigned here = f.now[n];
        rims.side[0] = here & word.join_west & ~rl_from_west(f.now, word, n);
        rims.side[1] = here & word.join_east & ~rl_from_east(f.now, word, n);
        rims.side[2] = here & word.join_south & ~rl_from_beside(f.now, word.south);
        rims.side[3] = here & word.join_north & ~rl_from_beside(f.now, word.north);
    }
    return rims;
}

// Lists the gateways of faces, as far as there is room; returns how many there are.
__device__ inline int rl_find_faces(const rl_layers_args &a, const rl_find &f, int *found, int room)
{
    int before = 0;
    for (int start = 0; start < a.covered_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        const rl_rims rims = rl_rims_of(a, f, n);
        int count = 0;
        for (int k = 0; k < 4; k++)
            count += __popc(rims.side[k]);
        int total, next = before + rl_sum_before(count, &total);
        unsigned any = rims.side[0] | rims.side[1] | rims.side[2] | rims.side[3];
        for (; any != 0; any &= any - 1) {
            const int lane = __ffs((int)any) - 1;
            for (int k = 0; k < 4; k++)
                if (rims.side[k] >> lane & 1 && next++ < room)
                    found[next - 1] = 8 * (32 * n + lane) + k;
        }
        before += total;
    }
    return before;
}

__device__ inline int rl_find_crossing(const rl_layers_args &a, const rl_find &f, int before,
                                       int *found, int room)
{
    for (int start = 0; start < a.pipe_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        bool from = false, to = false;
        if (n < a.pipe_count) {
            from = rl_marked(f.now, f.pipes[n].from_bit);
            to = rl_marked(f.now, f.pipes[n].to_bit);
        }
        int total;
        const int place = before + rl_sum_before(from != to, &total);
        if (from != to && place < room)
            found[place] = 8 * n + RL_FOUND_CROSS + to;
        before += total;
    }
    return before;
}

// The number of the column inside of a gateway.
__device__ __forceinline__ int rl_number_inside(const rl_find &f, int found)
{
    const int kind = found & 7, thing = found >> 3;
    return kind < RL_FOUND_CROSS   ? thing
           : kind > RL_FOUND_CROSS ? f.pipes[thing].to_bit
                                   : f.pipes[thing].from_bit;
}

// A passage with more gateways than there is memory for stays what it was without. All of them are
// counted once more, beyond the room that there is.
__device__ inline void rl_open_crowded(const rl_layers_args &a, const rl_find &f)
{
    int before = 0;
    for (int start = 0; start < a.covered_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        const rl_rims rims = rl_rims_of(a, f, n);
        int count = 0, total;
        for (int k = 0; k < 4; k++)
            count += __popc(rims.side[k]);
        int next = before + rl_sum_before(count, &total);
        unsigned any = rims.side[0] | rims.side[1] | rims.side[2] | rims.side[3];
        for (; any != 0; any &= any - 1) {
            const int lane = __ffs((int)any) - 1;
            for (int k = 0; k < 4; k++)
                if (rims.side[k] >> lane & 1 && next++ >= f.s.gate_capacity)
                    f.s.opened[f.s.run_passage[rl_run_of(f, 32 * n + lane)]] = 1;
        }
        before += total;
    }
    for (int start = 0; start < a.pipe_count; start += RL_LAYERS_BLOCK) {
        const int n = start + (int)threadIdx.x;
        const bool from = n < a.pipe_count && rl_marked(f.now, f.pipes[n].from_bit);
        const bool to = n < a.pipe_count && rl_marked(f.now, f.pipes[n].to_bit);
        int total;
        const int place = before + rl_sum_before(from != to, &total);
        if (from != to && place >= f.s.gate_capacity)
            f.s.opened[f.s.run_passage[rl_run_of(f, from ? f.pipes[n].from_bit
                                                         : f.pipes[n].to_bit)]] = 1;
        before += total;
    }
    __syncthreads();
}

// 1 + the side of the grid that a face lies on, or 0.
__device__ __forceinline__ unsigned rl_side_of(const rl_layers_args &a, int kind, int x, int y)
{
    if (kind == RL_FOUND_WEST && x == 0)
        return 1 + RILL_SIDE_WEST;
    if (kind == RL_FOUND_EAST && x == a.nx - 1)
        return 1 + RILL_SIDE_EAST;
    if (kind == RL_FOUND_SOUTH && y == 0)
        return 1 + RILL_SIDE_SOUTH;
    return kind == RL_FOUND_NORTH && y == a.ny - 1 ? 1 + RILL_SIDE_NORTH : 0;
}

struct rl_gate {
    int number, inside, outside, face; // number of the column inside, slots
    unsigned flags;
    bool beside_full; // the column outside is full too: no air stands in it
    const float *old;
};

__device__ __forceinline__ rl_gate rl_gate_across(const rl_layers_args &a, const rl_find &f, int n,
                                                  bool inward)
{
    const rl_layers_pipe &pipe = f.pipes[n];
    rl_gate g;
    g.number = inward ? pipe.to_bit : pipe.from_bit;
    g.inside = (int)(inward ? pipe.to : pipe.from);
    g.outside = (int)(inward ? pipe.from : pipe.to);
    g.face = n;
    g.flags = RL_GATE_FLAG_CROSS | (inward ? RL_GATE_FLAG_INWARD : 0) |
              (pipe.north ? RL_GATE_FLAG_NORTH : 0);
    g.beside_full = rl_marked(f.full, inward ? pipe.from_bit : pipe.to_bit);
    g.old = a.cross_q + n;
    return g;
}

__device__ __forceinline__ rl_gate rl_gate_of(const rl_layers_args &a, const rl_find &f, int found)
{
    const int kind = found & 7, thing = found >> 3, n = thing >> 5;
    if (kind >= RL_FOUND_CROSS)
        return rl_gate_across(a, f, thing, kind > RL_FOUND_CROSS);
    const rl_layers_word &word = f.words[n];
    const bool along_y = kind >= RL_FOUND_SOUTH;
    const bool inward = kind == RL_FOUND_WEST || kind == RL_FOUND_SOUTH;
    const int step = along_y ? a.pitch : 1;
    const unsigned beside = kind == RL_FOUND_WEST    ? rl_from_west(f.full, word, n)
                            : kind == RL_FOUND_EAST  ? rl_from_east(f.full, word, n)
                            : kind == RL_FOUND_SOUTH ? rl_from_beside(f.full, word.south)
                                                     : rl_from_beside(f.full, word.north);
    rl_gate g;
    g.number = thing;
    g.inside = word.slot + (thing & 31);
    g.outside = inward ? g.inside - step : g.inside + step;
    g.face = inward ? g.outside : g.inside;
    g.flags = (along_y ? RL_GATE_FLAG_Y | RL_GATE_FLAG_NORTH : 0) |
              (inward ? RL_GATE_FLAG_INWARD : 0) |
              rl_side_of(a, kind, word.x + (thing & 31), word.y) << RL_GATE_BEYOND;
    g.beside_full = beside >> (thing & 31) & 1;
    g.old = a.field[along_y ? RL_COLUMN_QY : RL_COLUMN_QX] + g.face;
    return g;
}

// The level that counts outside of a gateway, metres.
__device__ __forceinline__ double rl_gate_level(const rl_layers_args &a, const rl_air &air,
                                                unsigned flags, float ceiling)
{
    const bool airy = flags & RL_GATE_FLAG_AIRY;
    const unsigned beyond = flags >> RL_GATE_BEYOND;
    // A ghost ends at its ceiling; the sea beyond may stand higher.
    if (beyond != 0 && !airy)
        return (double)a.border_level[beyond - 1];
    // The end of a passage that runs full into the air is at the pressure of the air.
    if (airy)
        return (double)rl_passages_air_level_of(a.cell_size, air.base, air.top, ceiling,
                                                !(flags & RL_GATE_FLAG_FRESH));
    return (double)(air.base_outside + air.depth_outside);
}

__device__ inline void rl_write_gate(const rl_layers_args &a, const rl_find &f, int n)
{
    const rl_layers_search &s = f.s;
    const int to = s.place[n];
    rl_gate g = rl_gate_of(a, f, s.found[n]);
    const rl_air air = rl_air_at(a, g.inside, g.outside, *g.old);
    const bool was = rl_marked(f.was, g.number);
    const float sill = air.base > air.base_outside ? air.base : air.base_outside;
    const float ceiling = air.top < air.top_outside ? air.top : air.top_outside;
    if (!g.beside_full && rl_airy(a, air, was))
        g.flags |= RL_GATE_FLAG_AIRY;
    if (!was)
        g.flags |= RL_GATE_FLAG_FRESH;
    s.passage[to] = s.found_passage[n];
    s.face[to] = g.face;
    s.number[to] = g.number;
    s.inside[to] = g.inside;
    s.outside[to] = g.outside;
    s.flags[to] = g.flags;
    s.old[to] = air.outflow;
    s.height[to] = ceiling - sill;
    s.ceiling[to] = ceiling;
    s.level[to] = rl_gate_level(a, air, g.flags, ceiling);
}

__device__ inline void rl_deal_runs(rl_find *f, rl_pool *pool, const rl_layers_search &g)
{
    rl_layers_search *s = &f->s;
    const int runs = f->runs;
    s->run_label = rl_deal(pool, runs, g.run_label);
    s->run_next = rl_deal(pool, runs, g.run_next);
    s->run_first = rl_deal(pool, runs, g.run_first);
    s->run_end = rl_deal(pool, runs, g.run_end);
    s->run_joints = rl_deal(pool, runs, g.run_joints);
    s->run_passage = rl_deal(pool, runs, g.run_passage);
    s->run_place = rl_deal(pool, runs, g.run_place);
    s->opened = rl_deal(pool, runs, g.opened);
    s->blown = rl_deal(pool, runs, g.blown);
    s->airy = rl_deal(pool, runs, g.airy);
    s->columns = rl_deal(pool, runs, g.columns);
    s->joints = rl_deal(pool, runs, g.joints);
}

__device__ inline void rl_deal_gates(rl_find *f, rl_pool *pool, const rl_layers_search &g)
{
    rl_layers_search *s = &f->s;
    const int gates = f->gates, passages = f->passages;
    s->found_passage = rl_deal(pool, gates, g.found_passage);
    s->place = rl_deal(pool, gates, g.place);
    s->passage = rl_deal(pool, gates, g.passage);
    s->face = rl_deal(pool, gates, g.face);
    s->number = rl_deal(pool, gates, g.number);
    s->inside = rl_deal(pool, gates, g.inside);
    s->outside = rl_deal(pool, gates, g.outside);
    s->flags = rl_deal(pool, gates, g.flags);
    s->old = rl_deal(pool, gates, g.old);
    s->height = rl_deal(pool, gates, g.height);
    s->ceiling = rl_deal(pool, gates, g.ceiling);
    s->conductance = rl_deal(pool, gates, g.conductance);
    s->level = rl_deal(pool, gates, g.level);
    f->term_room = gates > f->runs ? gates : f->runs;
    f->terms = rl_deal(pool, 2 * f->term_room, g.terms);
    f->sums = rl_deal(pool, 6 * passages, g.sums);
    s->gate_first = rl_deal(pool, passages, g.gate_first);
    s->gate_count = rl_deal(pool, passages, g.gate_count);
    s->run_group = rl_deal(pool, passages, g.run_group);
    s->run_count = rl_deal(pool, passages, g.run_count);
    s->along = rl_deal(pool, passages, g.along);
    s->across = rl_deal(pool, passages, g.across);
    s->lacking = rl_deal(pool, passages, g.lacking);
}

// Lists the gateways; returns how many there are, which may be more than there is room for.
__device__ inline int rl_list_gateways(const rl_layers_args &a, rl_find *f, rl_pool *pool)
{
    const int ample = 2048, most = a.search.gate_capacity;
    f->s.found = rl_deal(pool, ample, a.search.found);
    const int room = f->s.found == a.search.found || most < ample ? most : ample;
    int all = rl_find_faces(a, *f, f->s.found, room);
    all = rl_find_crossing(a, *f, all, f->s.found, room);
    if (all > room && room < most) {
        f->s.found = a.search.found;
        all = rl_find_faces(a, *f, f->s.found, most);
        all = rl_find_crossing(a, *f, all, f->s.found, most);
    }
    __syncthreads();
    return all;
}

// Gateways of the passages, in order.
__device__ inline void rl_find_gateways(const rl_layers_args &a, rl_find *f, rl_pool *pool)
{
    const int all = rl_list_gateways(a, f, pool), most = a.search.gate_capacity;
    f->gates = all < most ? all : most;
    rl_deal_gates(f, pool, a.search);
    for (int n = (int)threadIdx.x; n < f->gates; n += RL_LAYERS_BLOCK)
        f->s.found_passage[n] =
            f->s.run_passage[rl_run_of(*f, rl_number_inside(*f, f->s.found[n]))];
    __syncthreads();
    if (all > most)
        rl_open_crowded(a, *f);
    rl_group(f->s.found_passage, f->gates, f->passages, f->s.gate_first, f->s.gate_count,
             f->s.place);
    for (int n = (int)threadIdx.x; n < f->gates; n += RL_LAYERS_BLOCK)
        rl_write_gate(a, *f, n);
    __syncthreads();
}

// Runs, passages and gateways of the columns in `now`. The pool is used up from where it is.
__device__ inline void rl_find_passages(const rl_layers_args &a, rl_find *f, rl_pool pool)
{
    f->runs = rl_number_runs(a, *f);
    rl_deal_runs(f, &pool, a.search);
    rl_begin_runs(a, *f);
    // Pairs are at most one a column and one a cross pipe.
    rl_pool rest = pool;
    int2 *const all = reinterpret_cast<int2 *>(a.search.list);
    const int ample = 4 * f->runs;
    int2 *pairs = rl_deal(&rest, ample, all);
    const int room = pairs == all ? 32 * a.covered_count + a.pipe_count : ample;
    int count = rl_list_pairs(a, *f, pairs, room);
    if (count > room) {
        for (int r = (int)threadIdx.x; r < f->runs; r += RL_LAYERS_BLOCK)
            f->s.run_joints[r] = 0;
        pairs = all;
        count = rl_list_pairs(a, *f, pairs, 32 * a.covered_count + a.pipe_count);
    }
    rl_unite_runs(*f, pairs, count);
    f->passages = rl_number_passages(*f);
    rl_find_gateways(a, f, &pool);
}
