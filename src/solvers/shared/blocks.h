// SPDX-License-Identifier: MIT
// blocks.h - what bodies leave open of the cells of a grid (Kellomäki section 4.1). Bodies that
// rest on the ground count as ground: they raise the floor. Above it at most one interval [lower,
// upper] is blocked; water stands on the floor up to `lower`, and on `upper`.
#pragma once

#include "solvers/shared/column_cell.h"

#include "rill/support.h"

#define RL_BLOCKS_LINE       16 // cells
#define RL_BLOCKS_PART_LINES 4
#define RL_BLOCKS_PART       (RL_BLOCKS_PART_LINES * RL_BLOCKS_LINE)

// Rows are read in whole vectors: the ghost cells left and right of a row (RILL_MARGIN_X of them)
// hold the ghosts of the bed in `floor`, and RL_BLOCK_NO_LOWER and RL_BLOCK_NO_UPPER.
typedef struct rl_blocks {
    rill_field floor;        // the bed, or the top of what rests on it, metres
    rill_field lower, upper; // of what hangs above the floor, metres; lower > floor
    int *first, *end;        // per row: only cells [first, end) can differ from bed, NO_LOWER,
                             // NO_UPPER; first >= end: none does
    bool *hangs;             // per row: some cell has lower < NO_LOWER
} rl_blocks;

// Some lines of a row of a set as they are going to be; `first` is the first cell of a line. Past
// the end of a row they have what its ghosts have.
typedef struct rl_blocks_part {
    int row, first, lines;
    unsigned char blocked[RL_BLOCKS_PART_LINES]; // of lines: something differs in one
    float floor[RL_BLOCKS_PART], lower[RL_BLOCKS_PART], upper[RL_BLOCKS_PART];
} rl_blocks_part;

// One cell of it.
typedef struct rl_block {
    float floor, lower, upper;
} rl_block;

// Water of a column, divided by what hangs in it (Kellomäki Eq. 5 and Fig. 1): below it as much as
// there is capacity, the rest above.
typedef struct rl_block_water {
    float below, above; // metres
    float level;        // of the surface, metres
} rl_block_water;

static inline rl_block_water rl_block_divide(rl_block b, float depth)
{
    const float capacity = b.lower - b.floor;
    if (!(depth > capacity))
        return (rl_block_water){depth, 0.0f, b.floor + depth};
    const float above = depth - capacity;
    return (rl_block_water){capacity, above, b.upper + above};
}

// Is nothing different between two cells?
static inline bool rl_block_same(rl_block a, rl_block b)
{
    return a.floor == b.floor && a.lower == b.lower && a.upper == b.upper;
}

// Cell i of row y where cells [first, end) of the row are blocked; `bed` is its ground.
static inline rl_block rl_blocks_at(const rl_blocks *blocks, int i, int y, float bed)
{
    if (blocks == NULL || i < blocks->first[y] || i >= blocks->end[y])
        return (rl_block){bed, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_UPPER};
    return (rl_block){rill_field_row(&blocks->floor, y)[i], rill_field_row(&blocks->lower, y)[i],
                      rill_field_row(&blocks->upper, y)[i]};
}
