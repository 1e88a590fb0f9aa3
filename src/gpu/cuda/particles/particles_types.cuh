// SPDX-License-Identifier: MIT
// particles_types.cuh - the pool in a device's memory, and the tools of all kernels of a step:
// scans over a block and lists of the bits that are set.
#pragma once

#define restrict __restrict__ // C's keyword, in headers of the host

#include "gpu/cuda/mirror/device_grid.cuh"
#include "particles/particles_gpu.h"

#define RL_POOL_BLOCK  256
#define RL_POOL_WIDE   1024 // threads of a kernel that is one block, and of a block that sorts
#define RL_POOL_SEARCH 1024 // cells that a block searches for breaking waves
#define RL_POOL_WORDS  8    // words of bits that a thread lists at once
#define RL_POOL_ASIDE  8    // blocks of records that a thread searches side by side

// The column of landings that give no water: they have left the grid.
#define RL_POOL_NOWHERE 0x7fffffffu

// Numbers of a step, as they become known. `flying` and `count` are those before it.
struct rl_pool_tally {
    rl_pool_numbers before, after;
    int born;             // by emitters and breaking waves: the first ones of the births,
    int emitted, waves;   // each for itself,
    int fallen;           // and by falls: the last ones
    int crests;           // that give water
    int gone;             // of the foam
    int landed;           // of the flying,
    int leaving;          // and those of them that do not fly on
    int extras;           // deposits besides the landings
    int cells;            // columns that get water
    int refused, offers;  // of them: refused for want of capacity; the offers to open columns,
    int seconds;          // and the sum of both
    int foamed;           // of the landed
    double rest, outside; // rest before landings; volume that flew over the border, m^3
};

// Deposits to the solver, or water that is taken from it.
struct rl_pool_deposits {
    int *cells;
    float *depth, *momentum_x, *momentum_y;
    double *given;  // metres
    double *wanted; // m^3
};

// The finds of a block in its cells: births of waves and crests that have any.
struct rl_pool_found {
    long long births;
    int crests;
};

// The part of a fall in a step.
struct rl_pool_turn {
    long long births; // that it would make
    int first;        // of its births among those of the falls,
    int extra;        // and the deposit that its surplus becomes; -1 when all of it fits
};

// All arrays that kernels work on.
struct rl_pool_memory {
    float *arrays[RL_POOL_ARRAYS];
    unsigned char *kind;
    int places, most;

    const rl_pool_order *order; // of the step
    rl_pool_tally *tally;
    rl_birth *births;            // of the step
    rl_pool_found *found;        // per block of the search
    int *crest_cells;            // where waves break, and the first of their births
    long long *crest_births;     // counted from those of all waves
    rl_pool_deposits deposits;   // one list at a time
    unsigned *bits;              // of places, landings or records
    int *list;                   // of the bits that are set
    int *landed;                 // places that have landed, rising
    int *leaving;                // those of them that do not fly on: `landed` over heightfields
    unsigned long long *records; // column << 32 | number of a landing
    unsigned long long *sorted;
    unsigned char *wet, *foams; // per landing: whether it may leave foam, whether it does
    float *foam[6];             // per landing: x, y, z, velocity and life of its foam
    double *parts;              // sums of parts
    rl_pool_extra *extras;
    rl_pool_turn *turns; // per fall, in the order of their turns

    // Over columns above each other only. Per landing: whether it flies on, and its column.
    unsigned char *stays;
    int *columns;
    int *refused; // refused deposits, rising
    int *offers;  // of these, by their numbers: the first ones of cells with open columns
    rl_pool_deposits seconds; // the deposits that follow from them, in the order of columns
    double *rest;             // of each deposit, m^3
    double *second_parts;     // sums of parts of the rests of offers
};

// ---- Blocks ----------------------------------------------------------------------------

// Runs on one block. Lists the bits of the first `count` places that are set, rising; returns their
// number in all threads.
RL_DEVICE int rl_list_bits(const unsigned *bits, int count, int *list)
{
    const int words = (count + 31) / 32;
    int listed = 0;
    for (int first = 0; first < words; first += RL_POOL_WORDS * (int)blockDim.x) {
        const int own = first + RL_POOL_WORDS * (int)threadIdx.x;
        unsigned set[RL_POOL_WORDS];
        int here = 0, total;
        for (int n = 0; n < RL_POOL_WORDS; n++) {
            set[n] = own + n < words ? bits[own + n] : 0u;
            here += __popc(set[n]);
        }
        int at = listed + rl_sum_before(here, (int)blockDim.x / 32, &total);
        for (int n = 0; n < RL_POOL_WORDS; n++)
            for (unsigned left = set[n]; left != 0; left &= left - 1)
                list[at++] = 32 * (own + n) + __ffs((int)left) - 1;
        listed += total;
    }
    return listed;
}

// Writes one bit a thread; whole warps must call it, with neighbouring numbers.
RL_DEVICE void rl_set_bit(unsigned *bits, int number, int is)
{
    const unsigned all = __ballot_sync(RL_ALL_LANES, is);
    if ((threadIdx.x & 31) == 0)
        bits[number >> 5] = all;
}

// Returns the first of `count` numbers from 0 on whose value_of is not below `value`. Values rise.
template <typename VALUE> RL_DEVICE int rl_first_not_below(int count, int value, VALUE value_of)
{
    int low = 0;
    while (count > 0) {
        const int half = count / 2;
        if (value_of(low + half) < value) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

// Sums up parts of RL_POOL_PART of `count` values, each in its order: a block of RL_POOL_BLOCK
// takes one part after another. rl_sum_parts() adds them up.
template <typename VALUE> RL_DEVICE void rl_sum_by_parts(int count, double *parts, VALUE value)
{
    __shared__ double shared[RL_POOL_PART];
    const int all = (count + RL_POOL_PART - 1) / RL_POOL_PART;
    for (int part = (int)blockIdx.x; part < all; part += (int)gridDim.x) {
        const int first = part * RL_POOL_PART, n = first + (int)threadIdx.x;
        shared[threadIdx.x] = n < count ? value(n) : 0.0;
        __syncthreads();
        double sum = 0.0;
        for (int k = 0; threadIdx.x == 0 && k < RL_POOL_PART && first + k < count; k++)
            sum += shared[k];
        if (threadIdx.x == 0)
            parts[part] = sum;
        __syncthreads();
    }
}

// Returns the sum of the parts of `count` values, in their order; by one warp, in all its lanes.
RL_DEVICE double rl_sum_parts(int count, const double *parts)
{
    const int all = (count + RL_POOL_PART - 1) / RL_POOL_PART, lane = (int)threadIdx.x & 31;
    double sum = 0.0;
    for (int first = 0; first < all; first += 32) {
        const double part = first + lane < all ? parts[first + lane] : 0.0;
        for (int k = 0; k < 32; k++) {
            const double next = __shfl_sync(RL_ALL_LANES, part, k);
            sum += first + k < all ? next : 0.0;
        }
    }
    return sum;
}

// ---- Places ----------------------------------------------------------------------------

// Writes a deposit of so much volume and momentum to a column.
RL_DEVICE void rl_put_deposit(const rl_pool_deposits &to, int n, int cell, double volume, double x,
                              double y, double area)
{
    to.cells[n] = cell;
    to.depth[n] = (float)(volume / area);
    to.momentum_x[n] = (float)x;
    to.momentum_y[n] = (float)y;
}

// Returns the number of all particles that are born in the step.
RL_DEVICE int rl_born(const rl_pool_tally *t)
{
    return t->born + t->fallen;
}

RL_DEVICE void rl_copy_place(const rl_pool_memory &p, int from, int to)
{
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        p.arrays[n][to] = p.arrays[n][from];
    p.kind[to] = p.kind[from];
}

RL_DEVICE void rl_clear_place(const rl_pool_memory &p, int place)
{
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        p.arrays[n][place] = 0.0f;
    p.kind[place] = 0;
}

// Threads of a launch of any size divide the numbers among them: the step of the pool is a graph,
// whose launches do not know how many particles there are. Bits are set by whole warps, so kernels
// that set them continue up to rl_whole_warps().
RL_DEVICE int rl_whole_warps(int count)
{
    return (count + 31) / 32 * 32;
}

RL_DEVICE int rl_first_number(void)
{
    return (int)(blockIdx.x * blockDim.x + threadIdx.x);
}

RL_DEVICE int rl_next_number(void)
{
    return (int)(gridDim.x * blockDim.x);
}
