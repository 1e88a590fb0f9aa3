// SPDX-License-Identifier: MIT
// displaced_rows.h - the loops over chunks of cells with displaced volume (displaced.c), compiled
// once per instruction set.
#pragma once

#include "solvers/shared/blocks.h"

#include <stddef.h>
#include <stdint.h>

#define RL_DISPLACED_CHUNK RL_BLOCKS_LINE // cells

// How much of the displaced volume is released.
typedef struct rl_displaced_rates {
    double tau;     // part of a difference that goes to a neighbour in a step
    double alpha;   // part that is released in a step,
    double crumb;   // but no less than this, metres
    double nothing; // what is less than this is forgotten, metres
} rl_displaced_rates;

// The cells of a chunk that has spread; `count` may be less than a chunk at the end of a row.
typedef struct rl_displaced_chunk {
    int count;
    const double *next; // their displaced volume, metres
    const float *depth;
    const float *bed, *floor, *lower; // bed NULL: no body is in their way
} rl_displaced_chunk;

typedef struct rl_displaced_rows {
    const char *isa;
    // Spreads the displaced volume of a whole chunk, if all cells in it and around it have water;
    // the rows south and north of `volume` are `row` numbers away. Else returns 0 and does nothing.
    int (*spread)(const double *volume, ptrdiff_t row, const float *const depth[3],
                  const rl_displaced_rates *rates, double *next);
    // Finds what the cells of a chunk release and what they hold; returns whether that is anything.
    int (*release)(const rl_displaced_chunk *chunk, const rl_displaced_rates *rates, float *gives,
                   double *held_volume);
} rl_displaced_rows;

extern const rl_displaced_rows rl_displaced_rows_c, rl_displaced_rows_avx2,
    rl_displaced_rows_avx512;
