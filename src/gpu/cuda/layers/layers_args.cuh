// SPDX-License-Identifier: MIT
// layers_args.cuh - what the kernels of the layers water get: where things lie on the device.
#pragma once

#include "gpu/cuda/layers/layers_device.h"
#include "gpu/cuda/mirror/deposit_row.cuh"
#include "solvers/layers/layers_passages_cell.h"

#define RL_LAYERS_BLOCK 512
#define RL_LAYERS_WARPS (RL_LAYERS_BLOCK / 32)
#define RL_ALL_LANES    0xffffffffu

// The end of a step: blocks that have come to it, and the bits of the deepest water that they
// found. Who waits for the one sees the other at the same time.
struct __align__(8) rl_layers_ended
{
    int passed, deepest;
};

// Where blocks meet. Counters only rise while a kernel runs; the next one uses the other of two
// such sets, and this one is cleared meanwhile.
struct rl_layers_grid_barrier {
    int marked;               // blocks that know which of their columns are full
    int passed;               // blocks that have come to the next meeting, all meetings added up
    rl_layers_ended ended[3]; // one of three steps in turn
};

// How a frame begins.
struct rl_layers_start {
    rl_substeps pace;
    float deepest;
    double in, out;
    int most_steps; // that are taken before the host looks
    int meeting;    // which of two
    int number;     // of the first step, for shares
};

// What open columns are given before the first step.
typedef rl_launch_deposit<24, 256> rl_layers_launch_deposit;

// Where the step of the world stands, for the host.
struct rl_layers_control {
    rl_substeps pace;
    int deepest;    // bits, metres
    double in, out; // across the borders, m^3
    int given_up;   // there is more left to do, but in the large form
    int number;     // of the frame's first step: written last, when the rest is there
};

// Sums of rl_passages_count_height and rl_passages_count_inverse.
struct rl_layers_heights {
    uint64_t height, inverse;
};

// A column's share of its outflow that it can pay for, and the step it belongs to: who needs it
// looks until that is the right one. Columns that are not swept always pay for everything.
struct __align__(8) rl_layers_limiter
{
    float share;
    int step;
};

enum { RL_STEP_ALWAYS = -1, RL_STEP_NONE = 0, RL_STEP_MOST = 0x7fffffff };

// What a flooded column shows of its passage.
struct __align__(16) rl_layers_shown
{
    double filling; // part of what it lacks that it gets
    float mean_x, mean_y;
    float head;
};

// What the columns' blocks and that of the passages tell each other, and room for the latter where
// shared memory ends. All in device memory.
struct rl_layers_search {
    // Per column of covered words: of the columns of its row up to it.
    rl_layers_heights *heights;
    // Per covered word: full columns; those that air enters from west, east, south and north
    // unless it finds a full column there; those short of room; flooded ones; the first columns of
    // runs, and the number of runs before the word.
    unsigned *full, *shorts, *flooded, *begins;
    uint4 *air;
    uint64_t *lacking; // per column of covered words: what it and those before it in its word lack
    int *before;
    unsigned char *end_air; // per end of a cross pipe: 1 where air would enter the column there
    rl_layers_shown *shown; // per run
    unsigned *now, *old;    // per covered word
    int *gate_before;       // the same
    uint4 *rims;            // the same
    unsigned *pipe_words;   // three numbers for 32 pipes
    int *runs, *gates, *chunks, *short_columns;
    int run_room, gate_room, short_room, gate_capacity, short_capacity;
};

// Where things of the passages lie in shared memory, bytes.
struct rl_layers_neighbour {
    int rims, full, was, now, begins, old, before, gate_before;
    int pipe_gates, pipe_joints, pipe_before, words, pipes, ends_first, ends, end;
};

struct rl_layers_args {
    float *field[RL_COLUMN_FIELDS]; // slot 0
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    const int *ends_first;
    const rl_layers_end *ends;
    float *cross_q, *cross_raw;
    rl_layers_limiter *shares;        // per slot
    rl_layers_grid_barrier *meetings; // two of them
    rl_layers_control *control;       // the host's
    rl_deposit_place gifts; // of them `raised`: largest depth that was given to each row, or -1
    rl_layers_search search;
    rl_layers_neighbour near;
    rl_pipe_rules rules;
    double *moved; // in and out of each tile of the host's books
    int word_count, covered_count, pipe_count, crossed_count;
    int nx, ny, planes, pitch, plane_rows, tile_rows, tile_count;
    int open, drains;
    float border_level[4], deepest_beyond;
    int paper, sloped, slowed, smooth, passages, straight;
    float cell_size;
};

// A lane's column, and whether there is one. Lanes without one look at the first of the word, so
// that all of a warp can ask memory together.
struct rl_layers_at {
    int word, lane, slot, x, y;
    bool swept, covered;
};

__device__ __forceinline__ rl_layers_at rl_at(const rl_layers_word &word, int number)
{
    rl_layers_at at;
    at.word = number;
    at.lane = (int)threadIdx.x & 31;
    at.swept = word.cells >> at.lane & 1;
    at.slot = word.slot + (at.swept ? at.lane : __ffs((int)word.cells) - 1);
    at.x = word.x + at.lane;
    at.y = word.y;
    at.covered = word.flags & RL_WORD_COVERED;
    return at;
}

__device__ __forceinline__ bool rl_is_open(const rl_layers_args &a, int side)
{
    return a.open >> side & 1;
}

// Whether a column with a number is marked in words of bits.
__device__ __forceinline__ bool rl_marked(const unsigned *bits, int number)
{
    return number >= 0 && (bits[number >> 5] >> (number & 31) & 1);
}

// Found gateways: of faces the number of the column inside times 8 plus the side it lies on, of
// cross pipes the number of the pipe times 8 plus 4, plus 1 where it leads inwards.
enum { RL_FOUND_WEST, RL_FOUND_EAST, RL_FOUND_SOUTH, RL_FOUND_NORTH, RL_FOUND_CROSS };

// The number of the column on a side of another, or -1.
__device__ __forceinline__ int rl_number_beside(const rl_layers_word &word, int number, int side)
{
    const int lane = number & 31;
    if (side == RL_FOUND_WEST)
        return lane > 0 || word.flags & RL_WORD_WEST ? number - 1 : -1;
    if (side == RL_FOUND_EAST)
        return lane < 31 || word.flags & RL_WORD_EAST ? number + 1 : -1;
    const int other = side == RL_FOUND_SOUTH ? word.south : word.north;
    return other >= 0 ? 32 * other + lane : -1;
}
