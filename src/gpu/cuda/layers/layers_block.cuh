// SPDX-License-Identifier: MIT
// layers_block.cuh - grid barriers, and the cooperation of a block: counting in order, groups, sums
// in a fixed order; and the data of runs, gateways and passages that the block of the passages has,
// and where it has them.
#pragma once

#include "gpu/cuda/layers/layers_args.cuh"

#if !defined(RL_LAYERS_LARGE)
#define RL_LAYERS_LARGE 0 // see rl_find
#endif

// Only the large form has straight pipes.
#define RL_STRAIGHT(a) (RL_LAYERS_LARGE && (a).straight)

// ---- Grid barriers ---------------------------------------------------------------------

// Counts up after all that its block wrote before.
RL_DEVICE void rl_release(int *counter, int count)
{
#if defined(__CUDA_ARCH__)
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(counter), "r"(count) : "memory");
#else
    __threadfence();
    atomicAdd(counter, count);
#endif
}

// Reads a counter; all later reads are no older.
RL_DEVICE int rl_acquire(const int *counter)
{
    int count;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
#else
    count = *(const volatile int *)counter;
    __threadfence();
    __nanosleep(20);
#endif
    return count;
}

// Does the same for both numbers of the end of a step.
RL_DEVICE rl_layers_ended rl_acquire_end(const rl_layers_ended *ended)
{
    rl_layers_ended seen;
#if defined(__CUDA_ARCH__)
    unsigned long long both;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(ended) : "memory");
    seen.passed = (int)both;
    seen.deepest = (int)(both >> 32);
#else
    seen = *ended;
    __threadfence();
    __nanosleep(20);
#endif
    return seen;
}

// The kernel is launched as a cooperative one: all its blocks run at once, so none waits for ever.
// Other blocks that waited for it see what a block wrote before it arrived.
RL_DEVICE void rl_arrive(int *counter, int count = 1)
{
    __syncthreads();
    if (threadIdx.x == 0)
        rl_release(counter, count);
}

// A block that counts this much up signals that the step cannot be taken.
#define RL_GIVE_UP (1 << 28)

// Runs on one thread, after which its block must synchronise.
RL_DEVICE int rl_await_alone(const int *counter, int count)
{
    int seen;
    do
        seen = rl_acquire(counter);
    while (seen < count);
    return seen;
}

// Returns whether the step was given up.
RL_DEVICE bool rl_await(const int *counter, int count)
{
    const int seen = threadIdx.x == 0 ? rl_await_alone(counter, count) : 0;
    return __syncthreads_or(seen >= RL_GIVE_UP);
}

// Returns whether the step was given up.
RL_DEVICE bool rl_grid_barrier(int *counter, int *due)
{
    *due += (int)gridDim.x;
    rl_arrive(counter);
    return rl_await(counter, *due);
}

// Comes after a poll that has no acquire; a device needs no rest there.
RL_DEVICE void rl_poll_again()
{
#if !defined(__CUDA_ARCH__)
    __nanosleep(20);
#endif
}

// ---- Outflow limiters ------------------------------------------------------------------

// Both numbers of a limiter are written together, past the first-level cache.
RL_DEVICE void rl_publish_limiter(rl_layers_limiter *place, float limiter, int step)
{
    *reinterpret_cast<volatile unsigned long long *>(place) =
        (unsigned long long)(unsigned)step << 32 | (unsigned)__float_as_int(limiter);
}

RL_DEVICE rl_layers_limiter rl_read_limiter(const rl_layers_limiter *place)
{
    const unsigned long long both = *reinterpret_cast<const volatile unsigned long long *>(place);
    return {__int_as_float((int)(unsigned)both), (int)(both >> 32)};
}

// ---- Memory ----------------------------------------------------------------------------

#define RL_COPIED_AT_ONCE 16

// Copies whole words by all threads of a block; `from` is device memory and `step` words apart.
RL_DEVICE void rl_copy_words(const void *from, void *to, int words, int step = 1)
{
#pragma unroll 1
    for (int n = (int)threadIdx.x; n < words; n += RL_COPIED_AT_ONCE * RL_LAYERS_BLOCK) {
        int next[RL_COPIED_AT_ONCE];
#pragma unroll
        for (int k = 0; k < RL_COPIED_AT_ONCE; k++)
            if (n + k * RL_LAYERS_BLOCK < words)
                next[k] = reinterpret_cast<const int *>(from)[step * (n + k * RL_LAYERS_BLOCK)];
#pragma unroll
        for (int k = 0; k < RL_COPIED_AT_ONCE; k++)
            if (n + k * RL_LAYERS_BLOCK < words)
                reinterpret_cast<int *>(to)[n + k * RL_LAYERS_BLOCK] = next[k];
    }
}

// ---- Sums ------------------------------------------------------------------------------

// Sums over a warp's lanes, several at once: half of them in each half of the lanes, and so on. The
// terms of each are added up in pairs as by rl_chunk_sum of the host, with few exchanges, of which
// a processor makes only one at a time. Lanes from 32 / N n on have sum n.
template <typename T, int N> RL_DEVICE T rl_sum_side_by_side(T (&terms)[N])
{
    static_assert(N == 1 || N == 2 || N == 4 || N == 8, "lanes are halved");
    int many = N / 2;
#pragma unroll
    for (int step = 16; step > 0; step /= 2, many /= 2) {
        const bool upper = (int)threadIdx.x & step;
        if (many == 0)
            terms[0] += __shfl_xor_sync(RL_ALL_LANES, terms[0], step);
#pragma unroll
        for (int n = 0; n < many; n++) {
            const T own = upper ? terms[n + many] : terms[n];
            const T give = upper ? terms[n] : terms[n + many];
            terms[n] = own + __shfl_xor_sync(RL_ALL_LANES, give, step);
        }
    }
    return terms[0];
}

// ---- Groups ----------------------------------------------------------------------------

// The gateways of a passage lie one behind the other, in their order, and are handled in chunks of
// up to 32 by a warp each. The chunks of a passage follow one another. The data of a passage are
// stored with its first chunk, the head.
enum { RL_CHUNK_FIRST, RL_CHUNK_COUNT, RL_CHUNK_HEAD, RL_CHUNK_GROUP, RL_CHUNK_NUMBERS };

// ---- The data of the passages ----------------------------------------------------------

// The values of runs and gateways, one array after the other; four bytes each.
enum {
    RL_RUN_FIRST, // numbers of its columns: [first, end)
    RL_RUN_END,
    RL_RUN_PARENT,  // an earlier run of its passage, or itself
    RL_RUN_ROOT,    // the first run of its passage
    RL_RUN_JOINTS,  // faces between it and runs north of it, and cross pipes from it
    RL_RUN_CROWDED, // there was no memory for a gateway of it
    RL_RUN_ROOTS,   // first runs of passages, in any order
    // Of passages, in their first runs:
    RL_RUN_COLUMNS,
    RL_RUN_ALL_JOINTS,
    RL_RUN_OPENED,
    RL_RUN_AIR,       // RL_AIR_
    RL_RUN_GATES,     // how many,
    RL_RUN_GATE_HEAD, // and the first chunk of them, or -1
    // Three whole numbers of eight bytes: along, across, lacking; then those of passages.
    RL_RUN_MEASURES,
    RL_RUN_NUMBERS = RL_RUN_MEASURES + 6
};

// At some gateway of a passage liquid comes in; there is air.
enum { RL_AIR_BLOWN = 1, RL_AIR_STANDS = 2 };

enum {
    RL_GATE_ORDER, // by passages: their numbers
    RL_GATE_ROOT,  // by their numbers: its run, then the root of its passage, and the following
    RL_GATE_FACE,
    RL_GATE_FLAGS,
    RL_GATE_INSIDE, // slots,
    RL_GATE_OUTSIDE,
    RL_GATE_BESIDE, // and the number of the column outside, or -1; then its place among limited
                    // ones
    RL_GATE_HEIGHT,
    RL_GATE_DEPTH,       // of the column outside
    RL_GATE_CONDUCTANCE, // later the outflow limiter of the column inside,
    RL_GATE_LIMITER,     // and of that outside
    RL_GATE_FLOW,        // discharge of before, then that of the step
    RL_GATE_NUMBER,      // of the column inside
    RL_GATE_OTHER,       // where pipes are straight: layers_drive.cuh
    RL_GATE_LEVEL,       // a double
    RL_GATE_NUMBERS = RL_GATE_LEVEL + 2
};

enum {
    RL_GATE_FLAG_Y = 1,
    RL_GATE_FLAG_CROSS = 2,
    RL_GATE_FLAG_NORTH = 4,  // the pipe runs from south to north
    RL_GATE_FLAG_INWARD = 8, // a positive discharge enters the passage
    RL_GATE_FLAG_AIRY = 16,
    RL_GATE_BEYOND = 8, // from this bit on: 1 + the side of the grid that it leads across, or 0
};

// The values of a column with a limited inflow, one array after the other; four bytes each.
enum {
    RL_LIMITED_NUMBER, // of the column
    RL_LIMITED_SLOT,
    RL_LIMITED_NEXT_WEST, // its neighbours in the list, or -1
    RL_LIMITED_NEXT_EAST,
    RL_LIMITED_NEXT_SOUTH,
    RL_LIMITED_NEXT_NORTH,
    RL_LIMITED_ENDS_BEGIN, // of its cross pipes
    RL_LIMITED_ENDS_END,
    RL_LIMITED_LEAST, // limiter if nothing leaves
    RL_LIMITED_OLD,   // limiter before a sweep,
    RL_LIMITED_NEW,   // and after it
    RL_LIMITED_NEXT,  // in a round
    RL_LIMITED_WEST,  // discharges of its faces after the outflow limiters
    RL_LIMITED_EAST,
    RL_LIMITED_SOUTH,
    RL_LIMITED_NORTH,
    RL_LIMITED_ENTERING, // what would enter through them,
    RL_LIMITED_CROSS_IN, // and through cross pipes
    RL_LIMITED_CROSS,    // what leaves through those
    RL_LIMITED_BASE,
    RL_LIMITED_DEPTH,
    RL_LIMITED_TOP,
    RL_LIMITED_REMAINDER,
    RL_LIMITED_NUMBERS
};

// Sums of chunks, and the values of a passage, with the head of its gateways.
enum {
    RL_SUM_FIRST,
    RL_SUM_COUNT = 8, // side by side
    RL_SUM_HEIGHT = RL_SUM_COUNT,
    RL_SUM_LENGTH,
    RL_SUM_LACKING,
    RL_SUM_FILLING,
    RL_SUM_LEVEL,
    RL_SUM_HEAD,
    RL_SUM_TAKER, // slot and amount,
    RL_SUM_LEFT,  // and the remainder that it finds there
    RL_SUM_DOUBLES
};

#define RL_CHUNK_BYTES (RL_SUM_DOUBLES * sizeof(double) + RL_CHUNK_NUMBERS * sizeof(int))
#define RL_RUN_SUMS    3

// The counts of a step.
struct rl_counts {
    int runs, gates, roots, chunks, limited;
    int busy;    // words with flooded columns
    int places;  // of gateways that are assigned
    int touches; // pairs of runs that touch
    int pipes;   // words of cross pipes that a warp has taken
};

// Places in the small form of the kernel.
#define RL_SMALL_RUNS    384
#define RL_SMALL_GATES   512
#define RL_SMALL_CHUNKS  128
#define RL_SMALL_LIMITED 256

// The data of the block of the passages. In the small form of the kernel all of it lies in shared
// memory, at places that are known when it is compiled or launched, so that an access costs one
// instruction; steps that exceed its capacity are taken by the large form, in device memory.
struct rl_find {
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    const int *ends_first, *ends; // the latter as rl_layers_end has them
    // Columns: full, flooded before, flooded now, flooded before the step.
    unsigned *full, *was, *now, *begins, *old;
    int *before;
    uint4 *rims;                        // columns with gateways to the west, east, south and north
    int *gate_before;                   // gateways before a word
    unsigned *pipe_gates, *pipe_joints; // per 32 cross pipes: those that are gateways, or inside
    int *pipe_before;                   // gateways before them
    int *run, *gate, *chunk, *limited_column;
    double *sums;
    rl_counts *count;
    int pipe_words;
#if RL_LAYERS_LARGE
    int run_capacity, gate_capacity, chunk_capacity, limited_capacity;
#else
    static constexpr int run_capacity = RL_SMALL_RUNS, gate_capacity = RL_SMALL_GATES;
    static constexpr int chunk_capacity = RL_SMALL_CHUNKS, limited_capacity = RL_SMALL_LIMITED;
#endif
};

RL_DEVICE int *rl_run(const rl_find &f, int what)
{
    return f.run + what * f.run_capacity;
}

RL_DEVICE uint64_t *rl_run_measure(const rl_find &f, int what)
{
    return reinterpret_cast<uint64_t *>(f.run + (RL_RUN_MEASURES + 2 * what) * f.run_capacity);
}

RL_DEVICE int *rl_gate(const rl_find &f, int what)
{
    return f.gate + what * f.gate_capacity;
}

RL_DEVICE float *rl_gate_real(const rl_find &f, int what)
{
    return reinterpret_cast<float *>(f.gate + what * f.gate_capacity);
}

RL_DEVICE double *rl_gate_levels(const rl_find &f)
{
    return reinterpret_cast<double *>(f.gate + RL_GATE_LEVEL * f.gate_capacity);
}

RL_DEVICE int *rl_chunk(const rl_find &f, int what)
{
    return f.chunk + what * f.chunk_capacity;
}

RL_DEVICE double *rl_sums(const rl_find &f, int what)
{
    return f.sums + what * f.chunk_capacity;
}

// Returns the words with flooded columns, in the place of those flooded before the step.
RL_DEVICE int *rl_busy_words(const rl_find &f)
{
    return reinterpret_cast<int *>(f.old);
}
