// SPDX-License-Identifier: MIT
// layers_args.cuh - what the kernels of the layers water get: where things lie on the device.
#pragma once

#include "gpu/cuda/layers_device.h"
#include "solvers/layers/layers_passages_cell.h"

#define RL_LAYERS_BLOCK 1024

// Where the step of the world stands. One of these serves all steps, one after another.
struct rl_layers_control {
    rl_pace pace, after; // before the substep, and after it
    rl_pipe_coef k;      // of the substep
    int moves;           // 0: nothing is left to do
    int deepest;         // bits of the deepest water before the substep, metres,
    int gathered;        // and after it, gathered by all blocks
    double in, out;      // across the borders, m^3
    // Blocks that are done: with the full columns, with the flow, with rooms, with filling.
    int marked, flowed, roomed, filled;
};

// The search for passages and what it leaves for the rest of the step. All in device memory.
struct rl_layers_search {
    // Per covered word: full columns, those short of room, flooded ones; the first columns of runs,
    // and the number of runs before the word.
    unsigned *full, *shorts, *flooded, *begins;
    int *before;
    // Per run. `label` is the earliest run known to be joined to it.
    int *run_label, *run_next, *run_first, *run_end, *run_joints, *run_passage, *run_place;
    // Per passage, in the order of their first runs. Opened ones are none.
    int *opened, *blown, *airy, *columns, *joints;
    int *gate_first, *gate_count, *run_group, *run_count;
    float *along, *across, *mean_x, *mean_y;
    double *lacking, *filling;
    // Per gateway, in the order they are found, then by passages.
    int *found, *found_passage, *place;
    int *face, *passage, *number, *inside, *outside; // number and slot of the column inside
    unsigned *flags;
    float *height, *ceiling, *conductance, *old;
    double *level;
    // Per column that is short of room.
    int *short_slot, *short_near;
    float *short_value; // rl_short_
    int *short_done;
    double *terms;      // room for five numbers a gateway, or two a run
    double *sums;       // for six a passage
    unsigned *words[3]; // per covered word, for the search
    int *list;          // room for the numbers of all covered columns, and for pairs of runs
    int *counts;        // RL_COUNT_
    int run_room, gate_room, short_room, gate_capacity, short_capacity;
};

enum { RL_COUNT_RUNS, RL_COUNT_PASSAGES, RL_COUNT_GATES, RL_COUNT_SHORTS, RL_COUNTS };

enum {
    RL_GATE_FLAG_Y = 1,
    RL_GATE_FLAG_CROSS = 2,
    RL_GATE_FLAG_NORTH = 4,  // the pipe runs from south to north
    RL_GATE_FLAG_INWARD = 8, // a positive discharge enters the passage
    RL_GATE_FLAG_AIRY = 16,
    RL_GATE_FLAG_FRESH = 32,
    RL_GATE_BEYOND = 8, // from this bit on: 1 + the side of the grid that it leads across, or 0
};

struct rl_layers_args {
    float *field[RL_COLUMN_FIELDS]; // slot 0
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    const int *ends_first, *ends;
    float *cross_q, *cross_raw;
    rl_layers_control *control;
    rl_layers_search search;
    rl_pipe_rules rules;
    double *moved; // in and out of each tile of the host's books
    int word_count, covered_count, pipe_count;
    int nx, ny, planes, pitch, plane_rows, tile_rows, tile_count;
    int open, drains;
    float border_level[4], deepest_beyond;
    int paper, sloped, slowed, smooth, passages;
    float cell_size;
};

// A lane's column, and whether there is one.
struct rl_layers_at {
    int word, lane, slot, x, y;
    bool swept, covered;
};

__device__ __forceinline__ rl_layers_at rl_at(const rl_layers_word &word, int number)
{
    rl_layers_at at;
    at.word = number;
    at.lane = (int)threadIdx.x & 31;
    at.slot = word.slot + at.lane;
    at.x = word.x + at.lane;
    at.y = word.y;
    at.swept = word.cells >> at.lane & 1;
    at.covered = word.flags & RL_WORD_COVERED;
    return at;
}

__device__ __forceinline__ bool rl_is_open(const rl_layers_args &a, int side)
{
    return a.open >> side & 1;
}

// Cross pipes of a column: ends [begin, end).
struct rl_layers_ends {
    int begin, end;
};

__device__ __forceinline__ rl_layers_ends rl_ends_of(const rl_layers_args &a,
                                                     const rl_layers_word &word, int lane)
{
    rl_layers_ends ends = {0, 0};
    if (word.crossed >> lane & 1) {
        const int n = word.crossed_first + __popc(word.crossed & ((1u << lane) - 1));
        ends.begin = a.ends_first[n];
        ends.end = a.ends_first[n + 1];
    }
    return ends;
}

// Whether a column with a number is marked in words of bits.
__device__ __forceinline__ bool rl_marked(const unsigned *bits, int number)
{
    return number >= 0 && (bits[number >> 5] >> (number & 31) & 1);
}

// Blocks count up; true for the last of `count` of them, and it may read what all of them wrote.
__device__ __forceinline__ bool rl_is_last_block(int *counter, int count)
{
    __shared__ int last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(counter, 1) == count - 1;
    __syncthreads();
    __threadfence();
    return last;
}
