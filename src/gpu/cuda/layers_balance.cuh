// SPDX-License-Identifier: MIT
// layers_balance.cuh - after the discharges of a step have been limited: as much must leave a
// passage as enters it. solvers/layers/layers_passages_balance.c by one block.
#pragma once

#include "gpu/cuda/layers_drive.cuh"
#include "gpu/cuda/layers_rooms.cuh"

// Rounds in which rooms and passages come to terms, as on the host.
#define RL_CAREFUL_ROUNDS 3
#define RL_MOST_ROUNDS    16

// The discharge of a gateway into its passage after limiting.
__device__ __forceinline__ float rl_gate_inflow(const rl_layers_args &a, const rl_find &f, int n)
{
    const rl_layers_search &s = f.s;
    const float *room = a.field[RL_COLUMN_SHARE_IN];
    const float inside = room[s.inside[n]], outside = room[s.outside[n]];
    const bool inward = s.flags[n] & RL_GATE_FLAG_INWARD;
    // Of the gateway are kept: its raw discharge, and what columns can pay for of it.
    const float paid = rl_pipe_limit(s.old[n], inward ? s.height[n] : s.ceiling[n],
                                     inward ? s.ceiling[n] : s.height[n]);
    const float q =
        rl_pipe_limit_inflow(paid, inward ? outside : inside, inward ? inside : outside);
    return inward ? q : -q;
}

// Takes the gateways of the step to where they are quick. `old` is their raw discharge of now,
// `height` and `ceiling` the shares of outflow of the columns outside and inside.
__device__ inline void rl_take_gates(const rl_layers_args &a, rl_find *f, rl_pool *pool)
{
    const rl_layers_search &g = a.search;
    rl_layers_search *s = &f->s;
    f->runs = g.counts[RL_COUNT_RUNS];
    f->passages = g.counts[RL_COUNT_PASSAGES];
    f->gates = f->term_room = g.counts[RL_COUNT_GATES];
    *s = g;
    f->terms = rl_deal(pool, 5 * f->gates, g.terms);
    f->sums = rl_deal(pool, 6 * f->passages, g.sums);
    s->passage = const_cast<int *>(rl_deal_copy(pool, f->gates, g.passage));
    s->inside = const_cast<int *>(rl_deal_copy(pool, f->gates, g.inside));
    s->outside = const_cast<int *>(rl_deal_copy(pool, f->gates, g.outside));
    s->face = const_cast<int *>(rl_deal_copy(pool, f->gates, g.face));
    s->flags = const_cast<unsigned *>(rl_deal_copy(pool, f->gates, g.flags));
    s->opened = const_cast<int *>(rl_deal_copy(pool, f->passages, g.opened));
    s->columns = const_cast<int *>(rl_deal_copy(pool, f->passages, g.columns));
    s->gate_first = const_cast<int *>(rl_deal_copy(pool, f->passages, g.gate_first));
    s->gate_count = const_cast<int *>(rl_deal_copy(pool, f->passages, g.gate_count));
    s->lacking = const_cast<double *>(rl_deal_copy(pool, f->passages, g.lacking));
    s->old = rl_deal(pool, f->gates, g.old);
    s->height = rl_deal(pool, f->gates, g.height);
    s->ceiling = rl_deal(pool, f->gates, g.ceiling);
    __syncthreads();
    const float *share = a.field[RL_COLUMN_SHARE_OUT];
    for (int n = (int)threadIdx.x; n < f->gates; n += RL_LAYERS_BLOCK) {
        const float raw = *rl_raw_of(a, s->flags[n], s->face[n]);
        const float outside = share[s->outside[n]], inside = share[s->inside[n]];
        s->old[n] = raw;
        s->height[n] = outside;
        s->ceiling[n] = inside;
    }
    __syncthreads();
}

// What enters and what leaves each passage: sums[p] and sums[passages + p].
__device__ inline void rl_sum_flows(const rl_layers_args &a, const rl_find &f)
{
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const double flux = (double)rl_gate_inflow(a, f, n);
        f.terms[n] = flux > 0.0 ? flux : 0.0;
        f.terms[f.term_room + n] = flux > 0.0 ? 0.0 : -flux;
    }
    rl_sum_passages(f, 2);
}

__device__ __forceinline__ double rl_surplus_of(const rl_find &f, int p, double in, double out,
                                                rl_pipe_coef k)
{
    return rl_passages_surplus(
        rl_passages_filling((unsigned)f.s.gate_count[p], f.s.lacking[p], k.spread), in, out);
}

__device__ inline void rl_balance_gates(const rl_layers_args &a, const rl_find &f, rl_pipe_coef k)
{
    const rl_layers_search &s = f.s;
    double *share_in = f.sums + 2 * f.passages, *share_out = f.sums + 3 * f.passages;
    rl_sum_flows(a, f);
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK) {
        const double in = f.sums[p], out = f.sums[f.passages + p];
        const double allowed = out + rl_surplus_of(f, p, in, out, k);
        share_in[p] = in > allowed ? allowed / in : 1.0;
        share_out[p] = out > in ? in / out : 1.0;
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const int p = s.passage[n];
        if (s.opened[p] || !(share_in[p] < 1.0 || share_out[p] < 1.0))
            continue;
        s.old[n] = rl_passages_balanced(s.old[n], s.flags[n] & RL_GATE_FLAG_INWARD ? 1 : -1,
                                        share_in[p], share_out[p]);
        *rl_raw_of(a, s.flags[n], s.face[n]) = s.old[n];
    }
    __syncthreads();
}

// ---- Books -----------------------------------------------------------------------------

// The column outside of a passage that takes roundings: the deepest, of several the first. A warp.
__device__ inline int rl_taker_of(const rl_layers_args &a, const rl_find &f, int p)
{
    const rl_layers_search &s = f.s;
    const int first = s.gate_first[p], end = first + s.gate_count[p];
    float deepest = -1.0f;
    int best = end;
    for (int n = first + ((int)threadIdx.x & 31); n < end; n += 32) {
        const float depth = a.field[RL_COLUMN_DEPTH][s.outside[n]];
        if (depth > deepest && s.flags[n] >> RL_GATE_BEYOND == 0) {
            deepest = depth;
            best = n;
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        const float depth = __shfl_xor_sync(0xffffffffu, deepest, step);
        const int other = __shfl_xor_sync(0xffffffffu, best, step);
        if (depth > deepest || (depth == deepest && other < best)) {
            deepest = depth;
            best = other;
        }
    }
    return best < end ? s.outside[best] : s.inside[first];
}

// What is left of rounding goes into remainders, passage by passage where several share a taker.
__device__ inline void rl_book_roundings(const rl_layers_args &a, const rl_find &f,
                                         const int *takers, const float *amounts)
{
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK) {
        const int taker = takers[p];
        bool first = taker >= 0;
        for (int q = 0; first && q < p; q++)
            first = takers[q] != taker;
        if (!first)
            continue;
        float *remainder = a.field[RL_COLUMN_REMAINDER] + taker;
        float sum = *remainder;
        for (int q = p; q < f.passages; q++)
            if (takers[q] == taker)
                sum += amounts[q];
        *remainder = sum;
    }
    __syncthreads();
}

// Discharges are final: what they bring fills the columns, and roundings are booked.
__device__ inline void rl_close_books(const rl_layers_args &a, const rl_find &f, rl_pipe_coef k)
{
    const rl_layers_search &s = f.s;
    int *takers = reinterpret_cast<int *>(f.sums + 2 * f.passages);
    float *amounts = reinterpret_cast<float *>(f.sums + 3 * f.passages);
    rl_sum_flows(a, f);
    for (int p = (int)threadIdx.x >> 5; p < f.passages; p += RL_LAYERS_BLOCK / 32) {
        const double in = f.sums[p], out = f.sums[f.passages + p];
        const bool closed = s.opened[p] || s.gate_count[p] == 0;
        const int taker = closed ? -1 : rl_taker_of(a, f, p);
        if (((int)threadIdx.x & 31) != 0)
            continue;
        const double surplus = closed ? 0.0 : rl_surplus_of(f, p, in, out, k);
        if (surplus > 0.0)
            a.search.filling[p] = surplus * (double)k.spread / s.lacking[p];
        takers[p] = in > 0.0 || out > 0.0 ? taker : -1;
        amounts[p] = (float)((in - out - surplus) * (double)k.spread);
    }
    __syncthreads();
    rl_book_roundings(a, f, takers, amounts);
}

// The mean discharge inside a passage. As much flows in as out, so that the integral of q over the
// passage is the sum of place times outflow over the gateways. Places count from the middle of the
// gateways, because a passage that is still filled takes in a little more.
__device__ inline void rl_find_means(const rl_layers_args &a, const rl_find &f)
{
    const rl_layers_search &s = f.s;
    for (int n = (int)threadIdx.x; n < f.gates; n += RL_LAYERS_BLOCK) {
        const double half = s.flags[n] & RL_GATE_FLAG_INWARD ? 0.5 : -0.5;
        const bool north = s.flags[n] & RL_GATE_FLAG_NORTH;
        const double outflow = -(double)rl_gate_inflow(a, f, n);
        const int row = s.inside[n] / a.pitch;
        const double x = (double)(s.inside[n] % a.pitch) - (north ? 0.0 : half);
        const double y = (double)(row % a.plane_rows) - (north ? half : 0.0);
        f.terms[n] = x * outflow;
        f.terms[f.term_room + n] = y * outflow;
        f.terms[2 * f.term_room + n] = outflow;
        f.terms[3 * f.term_room + n] = x;
        f.terms[4 * f.term_room + n] = y;
    }
    rl_sum_passages(f, 5);
    for (int p = (int)threadIdx.x; p < f.passages; p += RL_LAYERS_BLOCK) {
        if (s.opened[p] || s.gate_count[p] == 0)
            continue;
        const double *sums = f.sums + p;
        const double outflows = sums[2 * f.passages];
        const double columns = (double)s.columns[p], count = (double)s.gate_count[p];
        a.search.mean_x[p] =
            rl_passages_mean(sums[0], outflows, sums[3 * f.passages], count, columns);
        a.search.mean_y[p] =
            rl_passages_mean(sums[f.passages], outflows, sums[4 * f.passages], count, columns);
    }
    __syncthreads();
}

// One block, when the shares of a step are known: what the host's rl_layers_balance_passages does,
// and the mean flows that it finds after filling, from the same discharges.
__device__ inline void rl_balance_passages(const rl_layers_args &a, rl_pool pool, rl_pipe_coef k)
{
    const rl_rooms rooms = rl_widen_rooms(a, &pool, k);
    if (a.search.counts[RL_COUNT_RUNS] == 0)
        return;
    rl_find f = {};
    rl_take_gates(a, &f, &pool);
    rl_balance_gates(a, f, k);
    for (int round = 1; round <= RL_MOST_ROUNDS; round++) {
        if (!rl_narrow_rooms(a, rooms, round > RL_CAREFUL_ROUNDS, k))
            break;
        rl_balance_gates(a, f, k);
    }
    rl_close_books(a, f, k);
    rl_find_means(a, f);
}
