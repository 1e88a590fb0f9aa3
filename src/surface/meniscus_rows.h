// SPDX-License-Identifier: MIT
// meniscus_rows.h - the meniscus of many wet columns at a time, compiled once per instruction set.
#pragma once

#include "core/cpu.h"
#include "surface/meniscus_cell.h"

#include "rill/support.h"

#include <stdint.h>

// Values that each column has of the boundary column nearest to it, as in RL_SHORE_.
#define RL_MENISCUS_SHORE 4

// A row of a layer. The arrays have the cells of the row, the rim and the rows beside it, `pitch`
// values apart; place 0 is cell 0.
typedef struct rl_meniscus_row {
    int nx, j;
    size_t pitch;
    float cell_size;
    int first, end;       // cells among which all are that can change
    const uint8_t *link;  // of each column: neighbours of its layer that it is linked to
    const uint8_t *alone; // 1 where a wet one is not
    const uint8_t *moved; // 1 where the last step changed something
    const float *now[RL_MENISCUS_SHORE];
    uint8_t *moves; // 0 in these cells; 1 is written where this step changes something
    float *next[RL_MENISCUS_SHORE];
} rl_meniscus_row;

typedef struct rl_meniscus_span {
    int first, end;
} rl_meniscus_span;

// Columns are bent this many at a time, in groups of neighbours in a row.
#define RL_MENISCUS_BATCH 64
#define RL_MENISCUS_GROUP 16

// A group: the arrays are at its first cell, (i, j), and have the rows and cells beside it as well.
typedef struct rl_meniscus_group {
    int i, j;
    size_t pitch;
    float cell_size;
    const float *now[RL_MENISCUS_SHORE], *level;
} rl_meniscus_group;

// Value k of each field is that of column k.
typedef struct rl_meniscus_batch {
    _Alignas(RILL_ALIGNMENT) float around[RL_AROUND_FIELDS][RL_MENISCUS_BATCH];
    float bent[RL_BENT_FIELDS][RL_MENISCUS_BATCH];
} rl_meniscus_batch;

typedef struct rl_meniscus_rows {
    const char *isa;
    // A step of dead reckoning in a row, within the layer. Columns that are not wet have a distance
    // that is not a number. At least those beside some that moved are visited; what all that are
    // visited have next is written. Returns the cells among which all are that changed.
    rl_meniscus_span (*reckon)(const rl_meniscus_row *row);
    // Puts distances, places and tilts of a group of wet columns as columns `at` and up of a batch,
    // as if each were linked to the four columns beside it, of which those are dry whose distance
    // is not a number.
    void (*gather)(const rl_meniscus_group *group, rl_meniscus_batch *batch, int at);
    // Computes `bent` of the first n columns; what is in `around` behind them may be anything.
    void (*bend)(rl_meniscus_batch *batch, const rl_meniscus_rule *rule, int n);
} rl_meniscus_rows;

extern const rl_meniscus_rows rl_meniscus_rows_c, rl_meniscus_rows_avx2, rl_meniscus_rows_avx512;
