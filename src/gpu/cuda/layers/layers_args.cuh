// SPDX-License-Identifier: MIT
// layers_args.cuh - the arguments of the kernels of the layers solver: the arrays on the device.
#pragma once

#include "gpu/cuda/layers/layers_device.h"
#include "gpu/cuda/mirror/device_grid.cuh"
#include "solvers/layers/layers_passages_cell.h"

#define RL_LAYERS_BLOCK 512
#define RL_LAYERS_WARPS (RL_LAYERS_BLOCK / 32)

// The end of a step: blocks that have arrived, and the bits of the deepest water that they found. A
// block that waits for the one reads the other at the same time.
struct __align__(8) rl_layers_ended
{
    int passed, deepest;
};

// The counters of the grid barriers. They only rise while a kernel runs; the next kernel uses the
// other of two such sets, and this one is cleared meanwhile.
struct rl_layers_grid_barrier {
    int marked;               // blocks that know which of their columns are full
    int passed;               // blocks that have arrived at the next barrier, all barriers added up
    rl_layers_ended ended[3]; // one of three steps in turn
};

// The arguments at the beginning of a frame.
struct rl_layers_start : rl_layers_advance {
    int most_steps; // that are taken before the host reads the result
    int barrier;    // which of two
    int number;     // of the first step, for limiters
};

// Deposits to open columns before the first step.
typedef rl_launch_deposit<24, 256> rl_layers_launch_deposit;

// The progress of the world's step, for the host.
struct rl_layers_control : rl_layers_advance {
    int given_up; // there is more left to do, which needs the large form
    int number;   // of the frame's first step: written last, when all other values are valid
};

// Sums of rl_passages_count_height and rl_passages_count_inverse.
struct rl_layers_heights {
    uint64_t height, inverse;
};

// A column's outflow limiter, and the step it belongs to: a reader polls until that is the right
// one. Columns that are not swept are never limited.
struct __align__(8) rl_layers_limiter
{
    float limiter;
    int step;
};

enum { RL_STEP_ALWAYS = -1, RL_STEP_NONE = 0, RL_STEP_MOST = 0x7fffffff };

// The values of its passage that a flooded column reads.
struct __align__(16) rl_layers_shown
{
    double filling; // part of its missing volume that it gets
    float mean_x, mean_y;
    float head;
};

// The data exchanged between the columns' blocks and that of the passages, and memory for the
// latter beyond shared memory. All in device memory.
struct rl_layers_search {
    // Per column of covered words: of the columns of its row up to it.
    rl_layers_heights *heights;
    // Per covered word: full columns; those that air enters from west, east, south and north unless
    // there is a full column; those with a limited inflow; flooded ones; the first columns of runs,
    // and the number of runs before the word.
    unsigned *full, *limited, *flooded, *begins;
    uint4 *air;
    uint64_t *lacking; // per column of covered words: missing volume of it and of those before it
                       // in its word
    int *before;
    unsigned char *end_air; // per end of a cross pipe: 1 where air would enter the column there
    rl_layers_shown *shown; // per run
    unsigned *now, *old;    // per covered word
    int *gate_before;       // the same
    uint4 *rims;            // the same
    unsigned *pipe_words;   // three numbers for 32 pipes
    int *runs, *gates, *chunks, *limited_columns;
    int run_capacity, gate_places, limited_places;
};

// The layout of the data of the passages in shared memory, bytes.
struct rl_layers_layout {
    int rims, full, was, now, begins, old, before, gate_before;
    int pipe_gates, pipe_joints, pipe_before, words, pipes, ends_first, ends, end;
};

struct rl_layers_args : rl_device_layers_def, rl_layers_tables {
    float *field[RL_COLUMN_FIELDS]; // slot 0
    float *cross_q, *cross_raw;
    rl_layers_limiter *limiters;      // per slot
    rl_layers_grid_barrier *barriers; // two of them
    rl_layers_control *control;       // the host's
    rl_deposit_place deposits; // of them `running_max`: running maximum of the depth of each row
                               // after deposits, or -1
    rl_layers_search search;
    rl_layers_layout layout;
    double *moved; // in and out of each tile of the host's ledger
    int tile_count;
    int paper, slowed, smooth;
    float cell_size;
};

// A lane's column, and whether there is one. Lanes without one read the first of the word, so that
// all of a warp can load together.
struct rl_layers_at {
    int word, lane, slot, x, y;
    bool swept, covered;
};

RL_DEVICE rl_layers_at rl_at(const rl_layers_word &word, int number)
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

RL_DEVICE bool rl_is_open(const rl_layers_args &a, int side)
{
    return a.open >> side & 1;
}

// Returns whether a column with a number is marked in words of bits.
RL_DEVICE bool rl_marked(const unsigned *bits, int number)
{
    return number >= 0 && (bits[number >> 5] >> (number & 31) & 1);
}

// Return the bits of the columns beside those of a word: west, east, and in another word or none.
RL_DEVICE unsigned rl_bits_from_west(const unsigned *bits, const rl_layers_word &word, int w)
{
    return bits[w] << 1 | (word.flags & RL_WORD_WEST ? bits[w - 1] >> 31 : 0);
}

RL_DEVICE unsigned rl_bits_from_east(const unsigned *bits, const rl_layers_word &word, int w)
{
    return bits[w] >> 1 | (word.flags & RL_WORD_EAST ? bits[w + 1] << 31 : 0);
}

RL_DEVICE unsigned rl_from_beside(const unsigned *bits, int other)
{
    return other >= 0 ? bits[other] : 0;
}

// Found gateways: of faces the number of the column inside times 8 plus the side it lies on, of
// cross pipes the number of the pipe times 8 plus 4, plus 1 where it leads inwards.
enum { RL_FOUND_WEST, RL_FOUND_EAST, RL_FOUND_SOUTH, RL_FOUND_NORTH, RL_FOUND_CROSS };

// Returns the number of the column on a side of another, or -1.
RL_DEVICE int rl_column_beside(const rl_layers_word &word, int number, int side)
{
    const int lane = number & 31;
    if (side == RL_FOUND_WEST)
        return lane > 0 || word.flags & RL_WORD_WEST ? number - 1 : -1;
    if (side == RL_FOUND_EAST)
        return lane < 31 || word.flags & RL_WORD_EAST ? number + 1 : -1;
    const int other = side == RL_FOUND_SOUTH ? word.south : word.north;
    return other >= 0 ? 32 * other + lane : -1;
}

// ---- Cross pipes -----------------------------------------------------------------------

// Of a word of columns a lane loads the data of one end of a pipe, so that all of a word is loaded
// at once; then each column takes those of its own ends from these lanes, in their order.
struct rl_layers_ends {
    int first, count; // ends of the word, in the list
    int begin, end;   // those of the lane's column, counted from `first`
    int most;         // that a column of the word has
    rl_layers_end mine;
};

// Returns end `n` of a word; lanes for which there is none get the last.
RL_DEVICE rl_layers_end rl_end_at(const rl_layers_args &a, int first, int count, int n)
{
    return a.ends[first + (n < count ? n : count - 1)];
}

RL_DEVICE rl_layers_ends rl_ends_of(const rl_layers_args &a, const rl_layers_word &word, int lane)
{
    rl_layers_ends ends = {0, 0, 0, 0, 0, {0, word.slot + lane, word.slot + lane, -1}};
    if (word.crossed == 0)
        return ends;
    const int *firsts = a.ends_first + word.crossed_first;
    const int before = __popc(word.crossed & ((1u << lane) - 1));
    ends.first = firsts[0];
    ends.count = firsts[__popc(word.crossed)] - ends.first;
    ends.begin = firsts[before] - ends.first;
    ends.end = word.crossed >> lane & 1 ? firsts[before + 1] - ends.first : ends.begin;
    ends.most = rl_largest_of_warp(ends.end - ends.begin);
    ends.mine = rl_end_at(a, ends.first, ends.count, lane);
    return ends;
}

// Returns the slot of the column that an end belongs to, and of that at the other end.
RL_DEVICE int rl_own_slot(const rl_layers_end &end)
{
    return end.end & 1 ? end.to : end.from;
}

RL_DEVICE int rl_far_slot(const rl_layers_end &end)
{
    return end.end & 1 ? end.from : end.to;
}

// Calls take(value) for each end of the lane's column, in order; `mine` is the value of the lane's
// end among those from `group` on. All lanes of a warp must call it.
template <typename Take>
RL_DEVICE void rl_take_group(const rl_layers_ends &ends, int group, float mine, Take take)
{
#pragma unroll 1
    for (int n = 0; n < ends.most; n++) {
        const int at = ends.begin + n - group;
        const float value = __shfl_sync(RL_ALL_LANES, mine, at & 31);
        if (ends.begin + n < ends.end && at >= 0 && at < 32)
            take(value);
    }
}

// Does the same for all ends of a word, from value(end).
template <typename Value, typename Take>
RL_DEVICE void rl_take_ends(const rl_layers_args &a, const rl_layers_ends &ends, Value value,
                            Take take)
{
#pragma unroll 1
    for (int group = 0; group < ends.count; group += 32) {
        rl_layers_end end = ends.mine;
        if (group > 0)
            end = rl_end_at(a, ends.first, ends.count, group + ((int)threadIdx.x & 31));
        rl_take_group(ends, group, value(end), take);
    }
}

// Returns the ends of the lane's column among those of a group, as bits.
RL_DEVICE unsigned rl_own_ends(const rl_layers_ends &ends, int group)
{
    const int begin = max(ends.begin - group, 0), end = min(ends.end - group, 32);
    return begin < end ? (0xffffffffu >> (32 - (end - begin))) << begin : 0;
}

// ---- Frames ----------------------------------------------------------------------------

// A form of the kernel that takes all steps of a frame: the small one (layers_device.cu), or the
// large one, which has no limits (layers_large.cu).
struct rl_frame_form {
    // Finds the blocks that run at once, each with so much shared memory.
    int (*count_blocks)(int shared, int *blocks);
    int (*launch)(const rl_layers_args &a, const rl_layers_start &start,
                  const rl_layers_launch_deposit &deposit, int blocks, int shared,
                  cudaStream_t stream);
};

extern const rl_frame_form rl_large_form;

// ---- Columns for other modules on the device (gpu/device_ops.h, layers_columns.cu) ------

// Makes velocities, slot 0 of each axis in `along`.
int rl_layers_make_velocities(const rl_layers_args &view, float wet_depth, float *const along[2],
                              cudaStream_t stream);
// Takes deposits to single columns.
int rl_layers_give_to_columns(const rl_layers_args &view, double cell_size,
                              const rl_device_deposits *deposits, cudaStream_t stream);
