// SPDX-License-Identifier: MIT
// layers_store.cuh - the data of runs, gateways and passages that the block of the passages has,
// and where it has them.
#pragma once

#include "gpu/cuda/layers/layers_block.cuh"

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
    RL_GATE_OTHER,       // where pipes are straight: layers_straight.cuh
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
    int run_capacity, gate_places, chunk_places, limited_places;
#endif
};

#define RL_SMALL_RUNS    384
#define RL_SMALL_GATES   512
#define RL_SMALL_CHUNKS  128
#define RL_SMALL_LIMITED 256

#if RL_LAYERS_LARGE
#define RL_RUN_CAPACITY(f)     (f).run_capacity
#define RL_GATE_CAPACITY(f)    (f).gate_places
#define RL_CHUNK_CAPACITY(f)   (f).chunk_places
#define RL_LIMITED_CAPACITY(f) (f).limited_places
#else
#define RL_RUN_CAPACITY(f)     RL_SMALL_RUNS
#define RL_GATE_CAPACITY(f)    RL_SMALL_GATES
#define RL_CHUNK_CAPACITY(f)   RL_SMALL_CHUNKS
#define RL_LIMITED_CAPACITY(f) RL_SMALL_LIMITED
#endif

__device__ __forceinline__ int *rl_run(const rl_find &f, int what)
{
    return f.run + what * RL_RUN_CAPACITY(f);
}

__device__ __forceinline__ uint64_t *rl_run_measure(const rl_find &f, int what)
{
    return reinterpret_cast<uint64_t *>(f.run + (RL_RUN_MEASURES + 2 * what) * RL_RUN_CAPACITY(f));
}

__device__ __forceinline__ int *rl_gate(const rl_find &f, int what)
{
    return f.gate + what * RL_GATE_CAPACITY(f);
}

__device__ __forceinline__ float *rl_gate_real(const rl_find &f, int what)
{
    return reinterpret_cast<float *>(f.gate + what * RL_GATE_CAPACITY(f));
}

__device__ __forceinline__ double *rl_gate_levels(const rl_find &f)
{
    return reinterpret_cast<double *>(f.gate + RL_GATE_LEVEL * RL_GATE_CAPACITY(f));
}

__device__ __forceinline__ int *rl_chunk(const rl_find &f, int what)
{
    return f.chunk + what * RL_CHUNK_CAPACITY(f);
}

__device__ __forceinline__ double *rl_sums(const rl_find &f, int what)
{
    return f.sums + what * RL_CHUNK_CAPACITY(f);
}

// Returns the words with flooded columns, in the place of those flooded before the step.
__device__ __forceinline__ int *rl_busy_words(const rl_find &f)
{
    return reinterpret_cast<int *>(f.old);
}
