// SPDX-License-Identifier: MIT
// layers_capacity.cuh - capacity that columns gain by passing liquid on:
// solvers/layers/layers_passages_capacity.c by one block. The host handles one column after the
// other, and each sees the results of those before it; here all are handled in rounds.
//
// The end has the layout of the data of the passages: in shared memory in the small form of
// the kernel, in device memory in the large one.
#pragma once

#include "gpu/cuda/layers/layers_find.cuh"
#include "gpu/cuda/layers/layers_kernels.cuh"

RL_DEVICE int *rl_limited_int(const rl_find &f, int what)
{
    return f.limited_column + what * f.limited_capacity;
}

RL_DEVICE float *rl_limited_values(const rl_find &f, int what)
{
    return reinterpret_cast<float *>(f.limited_column + what * f.limited_capacity);
}

#define RL_LIMITED_NONE    -1
#define RL_LIMITED_OMITTED -2 // the list was full

// Returns the place of a column in the list.
RL_DEVICE int rl_find_limited(const rl_find &f, int number)
{
    if (!rl_marked(f.full, number))
        return RL_LIMITED_NONE;
    const unsigned below = (1u << (number & 31)) - 1;
    const int place = f.gate_before[number >> 5] + __popc(f.full[number >> 5] & below);
    return place < f.count->limited ? place : RL_LIMITED_OMITTED;
}

// Lists the columns of a word with a limited inflow, from a place on.
RL_DEVICE void rl_list_limited_word(const rl_find &f, int n, int place)
{
    f.gate_before[n] = place;
#pragma unroll 1
    for (unsigned bits = f.full[n]; bits != 0; bits &= bits - 1, place++)
        if (place < f.limited_capacity)
            rl_limited_int(f, RL_LIMITED_NUMBER)[place] = 32 * n + __ffs((int)bits) - 1;
}

#if RL_LAYERS_LARGE
// Of words: the columns with a limited inflow in the place of full ones, and how many come before
// them in that of gateways. They are in order, which decides which are left out where they are too
// many.
RL_DEVICE bool rl_list_limited(const rl_layers_args &a, const rl_find &f)
{
    const int each = (a.covered_count + RL_LAYERS_BLOCK - 1) / RL_LAYERS_BLOCK;
    const int first = (int)threadIdx.x * each;
    const int end = first + each < a.covered_count ? first + each : a.covered_count;
    rl_two mine = 0, total;
    for (int n = first; n < end; n++) {
        f.full[n] = a.search.limited[n];
        mine += (unsigned)__popc(f.full[n]);
    }
    int next = (int)rl_sum_before(mine, RL_LAYERS_WARPS, &total);
    if (threadIdx.x == 0)
        f.count->limited = min((int)total, a.limited_capacity);
    for (int n = first; n < end; n++) {
        rl_list_limited_word(f, n, next);
        next += __popc(f.full[n]);
    }
    __syncthreads();
    return true;
}
#else
// Does the same in any order: there is memory for more than this form can handle, so that none is
// left out. Returns false where the capacity is exceeded.
RL_DEVICE bool rl_list_limited(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 2
    for (int n = (int)threadIdx.x; n < a.covered_count; n += RL_LAYERS_BLOCK) {
        const unsigned bits = a.search.limited[n];
        f.full[n] = bits;
        if (bits != 0)
            rl_list_limited_word(f, n, atomicAdd(&f.count->limited, __popc(bits)));
    }
    __syncthreads();
    return f.count->limited <= f.limited_capacity;
}
#endif

#define RL_ENDS_AHEAD 4 // cross pipes that are loaded at once

// Returns the flow through the cross pipes of a column: what would enter, and what leaves.
RL_DEVICE float2 rl_cross_flows(const rl_layers_args &a, const rl_find &f, int begin, int last)
{
    float entering = 0.0f, leaving = 0.0f;
    const float *in = a.field[RL_COLUMN_INFLOW_LIMITER];
#pragma unroll 1
    for (int first = begin; first < last; first += RL_ENDS_AHEAD) {
        float after_outflow[RL_ENDS_AHEAD], limited[RL_ENDS_AHEAD];
        bool enters[RL_ENDS_AHEAD];
#pragma unroll
        for (int k = 0; k < RL_ENDS_AHEAD; k++) {
            const int e = first + k < last ? first + k : last - 1;
            const int one = RL_LAYERS_LARGE ? a.ends[e].end : f.ends[e];
            const rl_layers_pipe &pipe = f.pipes[one >> 1];
            const int from = (int)pipe.from, to = (int)pipe.to;
            const float q = a.cross_raw[one >> 1];
            after_outflow[k] = rl_pipe_limit(q, rl_limiter_at(a, from), rl_limiter_at(a, to));
            limited[k] = rl_pipe_limit_inflow(after_outflow[k], in[from], in[to]);
            enters[k] = (one & 1) == (q > 0.0f);
        }
        // Zero discharges add nothing.
#pragma unroll
        for (int k = 0; k < RL_ENDS_AHEAD; k++) {
            entering += first + k < last && enters[k] ? fabsf(after_outflow[k]) : 0.0f;
            leaving += first + k < last && !enters[k] ? fabsf(limited[k]) : 0.0f;
        }
    }
    return make_float2(entering, leaving);
}

// Reads the discharges of the faces of a column.
RL_DEVICE void rl_know_faces(const rl_layers_args &a, const rl_find &f, int i, int slot)
{
    // All values are loaded at once.
    const rl_layers_faces raw = rl_raw_faces(a, slot);
    const rl_layers_around from = rl_limiters_of(a.limiters, slot, a.pitch);
    const rl_layers_faces q = rl_limit_outflow(raw, from);
    rl_limited_values(f, RL_LIMITED_WEST)[i] = q.west;
    rl_limited_values(f, RL_LIMITED_EAST)[i] = q.east;
    rl_limited_values(f, RL_LIMITED_SOUTH)[i] = q.south;
    rl_limited_values(f, RL_LIMITED_NORTH)[i] = q.north;
    rl_limited_values(f, RL_LIMITED_ENTERING)[i] =
        (rl_passages_positive(raw.west) * from.west + rl_passages_positive(-raw.east) * from.east) +
        (rl_passages_positive(raw.south) * from.south +
         rl_passages_positive(-raw.north) * from.north);
}

RL_DEVICE int rl_limited_slot(const rl_find &f, int i)
{
    const int number = rl_limited_int(f, RL_LIMITED_NUMBER)[i];
    return f.words[number >> 5].slot + (number & 31);
}

RL_DEVICE void rl_know_column(const rl_layers_args &a, const rl_find &f, int i)
{
    const int slot = rl_limited_slot(f, i);
    const float limiter = a.field[RL_COLUMN_INFLOW_LIMITER][slot],
                base = a.field[RL_COLUMN_BASE][slot];
    const float depth = a.field[RL_COLUMN_DEPTH][slot], top = a.field[RL_COLUMN_TOP][slot];
    const float remainder = a.field[RL_COLUMN_REMAINDER][slot];
    rl_know_faces(a, f, i, slot);
    rl_limited_values(f, RL_LIMITED_OLD)[i] = rl_limited_values(f, RL_LIMITED_NEW)[i] = limiter;
    rl_limited_values(f, RL_LIMITED_LEAST)[i] = limiter;
    rl_limited_values(f, RL_LIMITED_BASE)[i] = base;
    rl_limited_values(f, RL_LIMITED_DEPTH)[i] = depth;
    rl_limited_values(f, RL_LIMITED_TOP)[i] = top;
    rl_limited_values(f, RL_LIMITED_REMAINDER)[i] = remainder;
}

RL_DEVICE void rl_know_neighbours(const rl_find &f, int i)
{
    const int number = rl_limited_int(f, RL_LIMITED_NUMBER)[i];
    const rl_layers_word &word = f.words[number >> 5];
    rl_limited_int(f, RL_LIMITED_SLOT)[i] = rl_limited_slot(f, i);
#pragma unroll
    for (int side = 0; side < 4; side++)
        rl_limited_int(f, RL_LIMITED_NEXT_WEST + side)[i] =
            rl_find_limited(f, rl_column_beside(word, number, side));
}

RL_DEVICE void rl_know_cross(const rl_layers_args &a, const rl_find &f, int i, int begin, int end)
{
    const float2 cross = rl_cross_flows(a, f, begin, end);
    rl_limited_values(f, RL_LIMITED_CROSS_IN)[i] = cross.x;
    rl_limited_values(f, RL_LIMITED_CROSS)[i] = cross.y;
}

RL_DEVICE void rl_know_ends(const rl_layers_args &a, const rl_find &f, int i)
{
    const int number = rl_limited_int(f, RL_LIMITED_NUMBER)[i], lane = number & 31;
    const rl_layers_word &word = f.words[number >> 5];
    int begin = 0, end = 0;
    if (word.crossed >> lane & 1) {
        const int n = word.crossed_first + __popc(word.crossed & ((1u << lane) - 1));
        begin = f.ends_first[n];
        end = f.ends_first[n + 1];
    }
    rl_limited_int(f, RL_LIMITED_ENDS_BEGIN)[i] = begin;
    rl_limited_int(f, RL_LIMITED_ENDS_END)[i] = end;
    rl_know_cross(a, f, i, begin, end);
}

// Calls see(i) for all columns with a limited inflow, from a group of threads on: different groups
// can do different work at once, as long as the columns are few.
enum { RL_GROUP = 64 };

template <typename See> RL_DEVICE void rl_for_limited(const rl_find &f, int group, See see)
{
    const int count = f.count->limited;
#pragma unroll 1
    for (int i = ((int)threadIdx.x - RL_GROUP * group) & (RL_LAYERS_BLOCK - 1); i < count;
         i += RL_LAYERS_BLOCK)
        see(i);
}

// Reads the changed discharges. The limiters that the last sweep left are those before the next.
RL_DEVICE void rl_know_again(const rl_layers_args &a, const rl_find &f)
{
    rl_for_limited(f, 0, [&](int i) {
        rl_limited_values(f, RL_LIMITED_OLD)[i] = rl_limited_values(f, RL_LIMITED_NEW)[i];
        rl_know_faces(a, f, i, rl_limited_int(f, RL_LIMITED_SLOT)[i]);
    });
    rl_for_limited(f, 1, [&](int i) {
        rl_know_cross(a, f, i, rl_limited_int(f, RL_LIMITED_ENDS_BEGIN)[i],
                      rl_limited_int(f, RL_LIMITED_ENDS_END)[i]);
    });
    __syncthreads();
}

// ---- Sweeps ----------------------------------------------------------------------------

// A column in a sweep. Of its neighbours that come before it in the sweep those matter that it
// flows to, or -1; of the two that come after it the limiter is known.
struct rl_swept_column {
    int wait[2];
    float west, east, south, north, cross, entering; // discharges
    float after[2];
    float base, depth, top, remainder, limiter, least;
};

RL_DEVICE rl_swept_column rl_swept_column_of(const rl_find &f, int i, bool forth)
{
    rl_swept_column c;
    c.west = rl_limited_values(f, RL_LIMITED_WEST)[i];
    c.east = rl_limited_values(f, RL_LIMITED_EAST)[i];
    c.south = rl_limited_values(f, RL_LIMITED_SOUTH)[i];
    c.north = rl_limited_values(f, RL_LIMITED_NORTH)[i];
    const int west = rl_limited_int(f, RL_LIMITED_NEXT_WEST)[i];
    const int east = rl_limited_int(f, RL_LIMITED_NEXT_EAST)[i];
    const int south = rl_limited_int(f, RL_LIMITED_NEXT_SOUTH)[i];
    const int north = rl_limited_int(f, RL_LIMITED_NEXT_NORTH)[i];
    const float *old = rl_limited_values(f, RL_LIMITED_OLD);
    const int after[2] = {forth ? east : west, forth ? north : south};
    c.wait[0] = forth ? (c.west < 0.0f ? west : -1) : (c.east > 0.0f ? east : -1);
    c.wait[1] = forth ? (c.south < 0.0f ? south : -1) : (c.north > 0.0f ? north : -1);
    c.after[0] = after[0] < 0 ? 1.0f : old[after[0]];
    c.after[1] = after[1] < 0 ? 1.0f : old[after[1]];
    c.cross = rl_limited_values(f, RL_LIMITED_CROSS)[i];
    c.entering =
        rl_limited_values(f, RL_LIMITED_ENTERING)[i] + rl_limited_values(f, RL_LIMITED_CROSS_IN)[i];
    c.base = rl_limited_values(f, RL_LIMITED_BASE)[i];
    c.depth = rl_limited_values(f, RL_LIMITED_DEPTH)[i];
    c.top = rl_limited_values(f, RL_LIMITED_TOP)[i];
    c.remainder = rl_limited_values(f, RL_LIMITED_REMAINDER)[i];
    c.limiter = old[i];
    c.least = rl_limited_values(f, RL_LIMITED_LEAST)[i];
    return c;
}

RL_DEVICE float rl_fitting_limiter(const rl_swept_column &c, bool forth, float x, float y,
                                   const rl_pipe_coef &k)
{
    const float west = forth ? x : c.after[0], east = forth ? c.after[0] : x;
    const float south = forth ? y : c.after[1], north = forth ? c.after[1] : y;
    const float leaving = (rl_passages_positive(-rl_pipe_limit_inflow(c.west, west, 1.0f)) +
                           rl_passages_positive(rl_pipe_limit_inflow(c.east, 1.0f, east))) +
                          (rl_passages_positive(-rl_pipe_limit_inflow(c.south, south, 1.0f)) +
                           rl_passages_positive(rl_pipe_limit_inflow(c.north, 1.0f, north))) +
                          c.cross;
    return rl_passages_inflow_limiter(c.base, c.depth, c.top, c.remainder, c.entering, leaving, k);
}

enum { RL_SWEEP_WIDEN, RL_SWEEP_NARROW, RL_SWEEP_NARROW_SAFELY };

RL_DEVICE float rl_swept_limiter(const rl_swept_column &c, int how, float fits, int *some)
{
    if (how == RL_SWEEP_WIDEN)
        return rl_passages_wider(c.limiter, fits);
    if (!rl_passages_too_wide(c.limiter, c.least, fits))
        return c.limiter;
    *some = 1;
    return rl_passages_narrower(c.least, fits, how == RL_SWEEP_NARROW_SAFELY);
}

// Does what the host does to one column after the other, in the order of the list or against it;
// returns whether limiters were taken back. All columns are computed again and again with the
// limiters of the last round, until a round changes none, so that both lists of limiters are the
// same: as none comes before itself, that is the host's result.
RL_DEVICE bool rl_sweep_capacities(const rl_find &f, int how, bool forth, const rl_pipe_coef &k)
{
    float *limiters = rl_limited_values(f, RL_LIMITED_NEW),
          *next = rl_limited_values(f, RL_LIMITED_NEXT);
    const int count = f.count->limited;
    rl_swept_column c;
    int some, changed, held = -1;
    do {
        some = changed = 0;
#pragma unroll 1
        for (int i = (int)threadIdx.x; i < count; i += RL_LAYERS_BLOCK) {
            if (held != i)
                c = rl_swept_column_of(f, i, forth);
            held = i;
            const float x = c.wait[0] < 0 ? 1.0f : limiters[c.wait[0]];
            const float y = c.wait[1] < 0 ? 1.0f : limiters[c.wait[1]];
            const float limiter =
                rl_swept_limiter(c, how, rl_fitting_limiter(c, forth, x, y, k), &some);
            changed |= __float_as_int(limiter) != __float_as_int(limiters[i]);
            next[i] = limiter;
        }
        float *const last = limiters;
        limiters = next;
        next = last;
    } while (__syncthreads_or(changed));
    return __syncthreads_or(some);
}

RL_DEVICE void rl_write_limiters(const rl_layers_args &a, const rl_find &f)
{
#pragma unroll 1
    for (int i = (int)threadIdx.x; i < f.count->limited; i += RL_LAYERS_BLOCK)
        a.field[RL_COLUMN_INFLOW_LIMITER][rl_limited_int(f, RL_LIMITED_SLOT)[i]] =
            rl_limited_values(f, RL_LIMITED_NEW)[i];
}

// ---- Gateways --------------------------------------------------------------------------

// Returns the discharge of a gateway after limiting. A flooded column has no outflow or inflow
// limiter.
RL_DEVICE float rl_gate_limited(const rl_layers_args &a, const rl_find &f, int n)
{
    const int beside = rl_gate(f, RL_GATE_BESIDE)[n];
    const float capacity = beside >= 0 ? rl_limited_values(f, RL_LIMITED_NEW)[beside]
                           : beside == RL_LIMITED_NONE
                               ? 1.0f
                               : a.field[RL_COLUMN_INFLOW_LIMITER][rl_gate(f, RL_GATE_OUTSIDE)[n]];
    const float limiter = rl_gate_real(f, RL_GATE_LIMITER)[n];
    const bool inward = rl_gate(f, RL_GATE_FLAGS)[n] & RL_GATE_FLAG_INWARD;
    const float after_outflow = rl_pipe_limit(rl_gate_real(f, RL_GATE_FLOW)[n],
                                              inward ? limiter : 1.0f, inward ? 1.0f : limiter);
    return rl_pipe_limit_inflow(after_outflow, inward ? capacity : 1.0f, inward ? 1.0f : capacity);
}

// Returns the same into its passage.
RL_DEVICE double rl_gate_inflow(const rl_layers_args &a, const rl_find &f, int n)
{
    const float q = rl_gate_limited(a, f, n);
    return (double)(rl_gate(f, RL_GATE_FLAGS)[n] & RL_GATE_FLAG_INWARD ? q : -q);
}

// ---- The layout of the data ------------------------------------------------------------

// The data with a fixed place at the beginning of shared memory.
struct rl_small_store {
    double sums[RL_SUM_DOUBLES * RL_SMALL_CHUNKS];
    int run[RL_RUN_NUMBERS * RL_SMALL_RUNS];
    int gate[RL_GATE_NUMBERS * RL_SMALL_GATES];
    int chunk[RL_CHUNK_NUMBERS * RL_SMALL_CHUNKS];
    int limited_column[RL_LIMITED_NUMBERS * RL_SMALL_LIMITED];
};

// Computes the layout of the rest.
static inline rl_layers_layout rl_lay_out_shared(int words, int pipes, int crossed)
{
    rl_layers_layout n;
    const int pipe_words = (pipes + 31) / 32;
    int64_t at = (int64_t)sizeof(rl_small_store);
    const auto put = [&](int *place, int ints) {
        *place = (int)at;
        at += ((int64_t)ints * 4 + 15) / 16 * 16;
        at = at < (1 << 30) ? at : 1 << 30;
    };
    put(&n.rims, 4 * words);
    for (int *place : {&n.full, &n.was, &n.now, &n.begins, &n.old, &n.before, &n.gate_before})
        put(place, words);
    for (int *place : {&n.pipe_gates, &n.pipe_joints, &n.pipe_before})
        put(place, pipe_words);
    put(&n.ends_first, crossed + 1);
    put(&n.ends, 2 * pipes);
    put(&n.words, words * (int)(sizeof(rl_layers_word) / 4));
    put(&n.pipes, pipes * (int)(sizeof(rl_layers_pipe) / 4));
    n.end = (int)at;
    return n;
}

// Returns the place of data in shared memory, or in device memory.
#if RL_LAYERS_LARGE
#define RL_PLACE_OF(type, shared, device) (device)
#else
template <typename T> RL_DEVICE T *rl_shared_at(int place)
{
    extern __shared__ __align__(16) char memory[];
    return reinterpret_cast<T *>(memory + place);
}
#define RL_PLACE_OF(type, shared, device) rl_shared_at<type>(a.layout.shared)
#endif

RL_DEVICE rl_find rl_find_in(const rl_layers_args &a, rl_counts *count)
{
    rl_find f;
    f.words = RL_PLACE_OF(rl_layers_word, words, a.words);
    f.pipes = RL_PLACE_OF(rl_layers_pipe, pipes, a.pipes);
    f.ends_first = RL_PLACE_OF(int, ends_first, a.ends_first);
    f.ends = RL_PLACE_OF(int, ends, nullptr);
    f.full = RL_PLACE_OF(unsigned, full, a.search.full);
    f.was = RL_PLACE_OF(unsigned, was, a.search.flooded);
    f.now = RL_PLACE_OF(unsigned, now, a.search.now);
    f.begins = RL_PLACE_OF(unsigned, begins, a.search.begins);
    f.old = RL_PLACE_OF(unsigned, old, a.search.old);
    f.before = RL_PLACE_OF(int, before, a.search.before);
    f.rims = RL_PLACE_OF(uint4, rims, a.search.rims);
    f.gate_before = RL_PLACE_OF(int, gate_before, a.search.gate_before);
    f.pipe_words = (a.pipe_count + 31) / 32;
    f.pipe_gates = RL_PLACE_OF(unsigned, pipe_gates, a.search.pipe_words);
    f.pipe_joints = RL_PLACE_OF(unsigned, pipe_joints, a.search.pipe_words + f.pipe_words);
    f.pipe_before = RL_PLACE_OF(int, pipe_before,
                                reinterpret_cast<int *>(a.search.pipe_words) + 2 * f.pipe_words);
#if RL_LAYERS_LARGE
    const rl_layers_search &s = a.search;
    f.run = s.runs;
    f.gate = s.gates;
    f.run_capacity = s.run_capacity;
    f.gate_capacity = f.chunk_capacity = s.gate_places;
    f.limited_capacity = s.limited_places;
    f.sums = reinterpret_cast<double *>(s.chunks);
    f.chunk = s.chunks + 2 * RL_SUM_DOUBLES * f.chunk_capacity;
    f.limited_column = s.limited_columns;
#else
    rl_small_store *store = rl_shared_at<rl_small_store>(0);
    f.run = store->run;
    f.gate = store->gate;
    f.sums = store->sums;
    f.chunk = store->chunk;
    f.limited_column = store->limited_column;
#endif
    f.count = count;
    return f;
}
