// SPDX-License-Identifier: MIT
// layers_balance.cuh - after the discharges of a step have been limited, as much must leave a
// passage as enters it: solvers/layers/layers_passages_balance.c by one block.
#pragma once

#include "gpu/cuda/layers/layers_drive.cuh"

// Rounds in which capacities and passages converge, as on the host.
#define RL_CAREFUL_ROUNDS 3
#define RL_MOST_ROUNDS    16

// ---- Capacities ------------------------------------------------------------------------

// Reads the data of columns with a limited inflow, and of the columns outside of gateways.
RL_DEVICE void rl_know_capacities(const rl_layers_args &a, const rl_find &f)
{
    rl_for_limited(f, 0, [&](int i) { rl_know_column(a, f, i); });
    rl_for_limited(f, 1, [&](int i) { rl_know_ends(a, f, i); });
    rl_for_limited(f, 2, [&](int i) { rl_know_neighbours(f, i); });
    // From the last thread on, so that few threads do both.
#pragma unroll 1
    for (int n = RL_LAYERS_BLOCK - 1 - (int)threadIdx.x; n < f.count->gates; n += RL_LAYERS_BLOCK) {
        rl_gate_real(f, RL_GATE_LIMITER)[n] = rl_limiter_at(a, rl_gate(f, RL_GATE_OUTSIDE)[n]);
        rl_gate(f, RL_GATE_BESIDE)[n] = rl_find_limited(f, rl_gate(f, RL_GATE_BESIDE)[n]);
    }
    __syncthreads();
}

// Counts what leaves a column as capacity for what arrives. Forth and back, so that the column
// downstream comes first in one of the two, whichever way the liquid flows.
RL_DEVICE void rl_widen_capacities(const rl_layers_args &a, const rl_find &f, const rl_pipe_coef &k)
{
#pragma unroll 1
    for (int sweep = 1; sweep <= 2; sweep++) {
        rl_sweep_capacities(f, RL_SWEEP_WIDEN, sweep == 1, k);
        if (sweep == 2)
            break;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < f.count->limited; i += RL_LAYERS_BLOCK)
            rl_limited_values(f, RL_LIMITED_OLD)[i] = rl_limited_values(f, RL_LIMITED_NEW)[i];
        __syncthreads();
    }
    rl_write_limiters(a, f);
}

// Takes back limiters that assumed more outflow than there is; returns whether there were any.
RL_DEVICE bool rl_narrow_capacities(const rl_layers_args &a, const rl_find &f, bool safely,
                                    const rl_pipe_coef &k)
{
    rl_know_again(a, f);
    const bool some =
        rl_sweep_capacities(f, safely ? RL_SWEEP_NARROW_SAFELY : RL_SWEEP_NARROW, true, k);
    if (some)
        rl_write_limiters(a, f);
    return some;
}

// ---- Balancing -------------------------------------------------------------------------

RL_DEVICE void rl_balance_gates(const rl_layers_args &a, const rl_find &f,
                                const rl_lane_gate &cached)
{
    rl_for_chunks(f, cached, [&](int n, const rl_lane_gate &g) {
        const double flux = g.number >= 0 ? rl_gate_inflow(a, f, g.number) : 0.0;
        double terms[2] = {flux > 0.0 ? flux : 0.0, flux > 0.0 ? 0.0 : -flux};
        rl_put_sums(f, n, terms);
    });
    __syncthreads();
    rl_for_chunks(f, cached, [&](int, const rl_lane_gate &g) {
        const double2 both =
            rl_totals(rl_sums(f, RL_SUM_FIRST), rl_sums(f, RL_SUM_FIRST + 1), g.head, g.gates);
        const double in = both.x, out = both.y;
        const double filling = rl_sums(f, RL_SUM_FILLING)[g.head];
        const double allowed = out + rl_passages_surplus(filling, in, out);
        // Where more leaves than enters nothing is filled, so that at most one of these is not 1.
        const bool much_in = in > allowed, much_out = out > in;
        if (g.number < 0 || rl_run(f, RL_RUN_OPENED)[g.root] || !(much_in || much_out))
            return;
        const double limiter = much_in ? allowed / in : in / out;
        const double limiter_in = much_in ? limiter : 1.0, limiter_out = much_in ? 1.0 : limiter;
        if (!(limiter < 1.0))
            return;
        const unsigned flags = (unsigned)rl_gate(f, RL_GATE_FLAGS)[g.number];
        const float balanced =
            rl_passages_balanced(rl_gate_real(f, RL_GATE_FLOW)[g.number],
                                 flags & RL_GATE_FLAG_INWARD ? 1 : -1, limiter_in, limiter_out);
        rl_gate_real(f, RL_GATE_FLOW)[g.number] = balanced;
        *rl_raw_of(a, flags, rl_gate(f, RL_GATE_FACE)[g.number]) = balanced;
    });
    __syncthreads();
}

// ---- Ledger ----------------------------------------------------------------------------

// Of a chunk, and then of a passage: the gateway whose column outside is the deepest, of several
// the first. In the end the column that takes roundings, and its amount.
struct rl_taker {
    float depth;
    int place;
};

RL_DEVICE rl_taker *rl_takers(const rl_find &f)
{
    return reinterpret_cast<rl_taker *>(rl_sums(f, RL_SUM_TAKER));
}

// Returns whether the lane's gateway is that one.
RL_DEVICE bool rl_put_taker(const rl_find &f, int chunk, int place)
{
    rl_taker best = {-1.0f, 0x7fffffff};
    if (place >= 0 && (unsigned)rl_gate(f, RL_GATE_FLAGS)[place] >> RL_GATE_BEYOND == 0)
        best = {rl_gate_real(f, RL_GATE_DEPTH)[place] + 0.0f, place}; // no zero has a sign
    // Depths are not negative, so they compare as whole numbers; gateways of a chunk are in order.
    const int most = rl_largest_of_warp(__float_as_int(best.depth));
    const unsigned deepest = __ballot_sync(RL_ALL_LANES, __float_as_int(best.depth) == most);
    const bool mine = ((int)threadIdx.x & 31) == __ffs((int)deepest) - 1;
    if (mine)
        rl_takers(f)[chunk] = best;
    return mine && best.depth > -1.0f;
}

// Sums up the final discharges: what enters and leaves; and for the mean discharge inside, place
// times outflow, outflow, place. As much flows in as out, so that the integral of q over a passage
// is the sum of place times outflow over its gateways. Places count from the middle of the
// gateways, because a passage that is not yet full takes in a little more.
RL_DEVICE void rl_sum_final(const rl_layers_args &a, const rl_find &f, const rl_lane_gate &cached)
{
    rl_for_chunks(f, cached, [&](int n, const rl_lane_gate &g) {
        const int place = g.number;
        double flux = 0.0, x = 0.0, y = 0.0;
        if (place >= 0) {
            const unsigned flags = (unsigned)rl_gate(f, RL_GATE_FLAGS)[place];
            const double half = flags & RL_GATE_FLAG_INWARD ? 0.5 : -0.5;
            const bool north = flags & RL_GATE_FLAG_NORTH;
            const int inside = rl_gate(f, RL_GATE_INSIDE)[place], row = inside / a.pitch;
            flux = rl_gate_inflow(a, f, place);
            x = (double)(inside - row * a.pitch) - (north ? 0.0 : half);
            y = (double)(row % a.plane_rows) - (north ? half : 0.0);
        }
        const bool takes = rl_put_taker(f, n, place);
        const float left =
            a.field[RL_COLUMN_REMAINDER][takes ? rl_gate(f, RL_GATE_OUTSIDE)[place] : 0];
        const double in = flux > 0.0 ? flux : 0.0, out = flux > 0.0 ? 0.0 : -flux;
        double terms[8] = {in, out, x * -flux, y * -flux, -flux, x, y, 0.0};
        rl_put_sums(f, n, terms);
        if (takes)
            rl_sums(f, RL_SUM_LEFT)[n] = (double)left;
    });
    __syncthreads();
}

// Runs on a warp: computes the filling of a passage, the column that takes its roundings, and its
// mean discharges, which replace its height and length.
RL_DEVICE void rl_close_book(const rl_layers_args &a, const rl_find &f, int head,
                             const rl_pipe_coef &k)
{
    const int root = rl_chunk(f, RL_CHUNK_GROUP)[head],
              first = rl_gate(f, RL_GATE_ORDER)[rl_chunk(f, RL_CHUNK_FIRST)[head]];
    const rl_lane_gate g = {first, head, root, rl_run(f, RL_RUN_GATES)[root]};
    const int lane = (int)threadIdx.x & 31;
    double sum[RL_SUM_COUNT], mine = 0.0;
    if (lane < RL_SUM_COUNT)
        mine = rl_total(rl_sums(f, RL_SUM_FIRST + lane), head, g.gates);
#pragma unroll
    for (int n = 0; n < RL_SUM_COUNT; n++)
        sum[n] = __shfl_sync(RL_ALL_LANES, mine, n);
    rl_taker best = rl_takers(f)[head];
    double left = rl_sums(f, RL_SUM_LEFT)[head];
#pragma unroll 1
    for (int n = 1; 32 * n < g.gates; n++)
        if (rl_takers(f)[head + n].depth > best.depth) {
            best = rl_takers(f)[head + n];
            left = rl_sums(f, RL_SUM_LEFT)[head + n];
        }
    int slot = rl_gate(f, RL_GATE_INSIDE)[first];
    if (best.depth > -1.0f)
        slot = rl_gate(f, RL_GATE_OUTSIDE)[best.place];
    else
        left = (double)a.field[RL_COLUMN_REMAINDER][slot];
    const bool opened = rl_run(f, RL_RUN_OPENED)[root];
    const double in = sum[0], out = sum[1], filling = rl_sums(f, RL_SUM_FILLING)[head];
    const double surplus = rl_passages_surplus(filling, in, out);
    const double columns = (double)rl_run(f, RL_RUN_COLUMNS)[root], count = (double)g.gates;
    const double mean = (double)rl_passages_mean(lane == 0 ? sum[2] : sum[3], sum[4],
                                                 lane == 0 ? sum[5] : sum[6], count, columns);
    __syncwarp();
    if (lane < 2)
        rl_sums(f, lane == 0 ? RL_SUM_HEIGHT : RL_SUM_LENGTH)[head] = mean;
    if (lane != 0)
        return;
    rl_sums(f, RL_SUM_LEVEL)[head] =
        surplus > 0.0 ? surplus * (double)k.spread / rl_sums(f, RL_SUM_LACKING)[head] : 0.0;
    rl_takers(f)[head] = {(float)((in - out - surplus) * (double)k.spread),
                          !opened && (in > 0.0 || out > 0.0) ? slot : -1};
    rl_sums(f, RL_SUM_LEFT)[head] = left;
}

// Runs on a warp: books rounding errors in remainders, passage by passage where several have the
// same taker.
RL_DEVICE void rl_book_rounding(const rl_layers_args &a, const rl_find &f, int head)
{
    const int *heads = rl_chunk(f, RL_CHUNK_HEAD), slot = rl_takers(f)[head].place;
    const int *roots = rl_chunk(f, RL_CHUNK_GROUP), chunks = f.count->chunks;
    const int lane = (int)threadIdx.x & 31;
    float *remainder = a.field[RL_COLUMN_REMAINDER] + slot;
    float sum = (float)rl_sums(f, RL_SUM_LEFT)[head];
    bool shared = false;
#pragma unroll 1
    for (int n = lane; n < chunks; n += 32)
        shared |= n != head && heads[n] == n && rl_takers(f)[n].place == slot;
    shared = __any_sync(RL_ALL_LANES, shared);
    if (slot < 0 || lane != 0)
        return;
    if (!shared) {
        *remainder = sum + rl_takers(f)[head].depth;
        return;
    }
    // The earliest of them books for all, the earliest first.
    for (int last = -1, next = head; next >= 0; last = roots[next]) {
        next = -1;
#pragma unroll 1
        for (int n = 0; n < chunks; n++)
            if (heads[n] == n && rl_takers(f)[n].place == slot && roots[n] > last &&
                (next < 0 || roots[n] < roots[next]))
                next = n;
        if (last < 0 && next != head)
            return;
        if (next < 0)
            break;
        sum += rl_takers(f)[next].depth;
    }
    *remainder = sum;
}

// Writes the values that flooded columns read. Straight pipes fill nothing and have no mean.
RL_DEVICE void rl_show_runs(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 1
    for (int n = RL_LAYERS_BLOCK - 1 - (int)threadIdx.x; n < f.count->runs; n += RL_LAYERS_BLOCK) {
        const int head = rl_run(f, RL_RUN_GATE_HEAD)[rl_run(f, RL_RUN_ROOT)[n]];
        rl_layers_shown shown = {0.0, 0.0f, 0.0f, rl_passages_head(0.0, 0.0)};
        if (head >= 0)
            shown.head = (float)rl_sums(f, RL_SUM_HEAD)[head];
        if (head >= 0 && !RL_STRAIGHT(a)) {
            shown.filling = rl_sums(f, RL_SUM_LEVEL)[head];
            shown.mean_x = (float)rl_sums(f, RL_SUM_HEIGHT)[head];
            shown.mean_y = (float)rl_sums(f, RL_SUM_LENGTH)[head];
        }
        a.search.shown[n] = shown;
    }
}

// Discharges are final: fills the columns by them, and books roundings.
RL_DEVICE void rl_close_books(const rl_layers_args &a, const rl_find &f, const rl_lane_gate &cached,
                              const rl_pipe_coef &k)
{
    rl_sum_final(a, f, cached);
#pragma unroll 1
    for (int n = (int)threadIdx.x >> 5; n < f.count->chunks; n += RL_LAYERS_WARPS)
        if (rl_chunk(f, RL_CHUNK_HEAD)[n] == n)
            rl_close_book(a, f, n, k);
    __syncthreads();
#pragma unroll 1
    for (int n = (int)threadIdx.x >> 5; n < f.count->chunks; n += RL_LAYERS_WARPS)
        if (rl_chunk(f, RL_CHUNK_HEAD)[n] == n)
            rl_book_rounding(a, f, n);
}

// When the limiters of a step are known, does what the host's rl_layers_balance_passages does, and
// computes the mean flows that it finds after filling, from the same discharges. Returns false
// where the capacity is exceeded.
RL_DEVICE bool rl_balance_passages(const rl_layers_args &a, const rl_find &f,
                                   const rl_lane_gate &cached, const rl_pipe_coef &k)
{
    if (!rl_list_limited(a, f))
        return false;
    rl_know_capacities(a, f);
    if (f.count->limited > 0)
        rl_widen_capacities(a, f, k);
    if (f.count->runs == 0)
        return true;
#pragma unroll 1
    for (int round = 1;; round++) {
        if (RL_STRAIGHT(a))
            rl_balance_straight(a, f);
        else
            rl_balance_gates(a, f, cached);
        if (round > RL_MOST_ROUNDS || f.count->limited == 0 ||
            !rl_narrow_capacities(a, f, round > RL_CAREFUL_ROUNDS, k))
            break;
    }
    if (RL_STRAIGHT(a))
        rl_close_straight(a, f, k);
    else
        rl_close_books(a, f, cached, k);
    rl_show_runs(a, f);
    return true;
}
