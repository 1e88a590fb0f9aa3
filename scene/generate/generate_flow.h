// SPDX-License-Identifier: MIT
// generate_flow.h - routes water over a raw terrain: depressions filled to their lowest pass
// (priority flood; Barnes, Lehman and Mulla 2014), and for every cell the parts in which its water
// goes on to lower neighbours. Grids here are dense, row after row, all rim cells are outlets.
#pragma once

#include "rill/support.h"

typedef struct rl_flow {
    int nx, ny;      // grid of the last flood; rl_flow_create gives the largest
    float *level;    // filled surface: ground, or water of a lake
    uint32_t *order; // cells from low to high: a cell stands after all it drains to
    uint64_t *queue; // level and index of cells at the front of the flood, a binary heap
    uint8_t *reached;
    size_t capacity; // cells
} rl_flow;

// The eight neighbours of a cell: east, west, north, south, then the diagonals.
typedef struct rl_neighbours {
    ptrdiff_t step[8];
    float distance[8]; // cells
} rl_neighbours;

bool rl_flow_create(const rill_allocator *allocator, size_t capacity, rl_flow *out);
void rl_flow_destroy(const rill_allocator *allocator, rl_flow *flow);

rl_neighbours rl_neighbours_of(int nx);

// Fills `level` and `order` for the ground `z`, which must not be negative. Lake surfaces fall
// towards their outlet by about `gradient` a cell, so that every inner cell has a lower neighbour;
// the fall varies from cell to cell, or water would cross plains along straight lines of the grid.
void rl_flow_flood(rl_flow *flow, const float *z, int nx, int ny, float gradient);

// Computes the parts of the water of inner cell `c` that go to its neighbours, in their order; sums
// to 1. Steeper ways get more, by the square of their slope: not one of eight directions but any.
void rl_flow_shares(const rl_flow *flow, const rl_neighbours *neighbours, size_t c, float parts[8]);

// Returns a number in [0, 1) that belongs to a cell.
static inline float rl_flow_random(size_t cell)
{
    uint32_t h = (uint32_t)cell * 0x9e3779b1u;
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return (float)((h ^ (h >> 16)) >> 8) * (1.0f / 16777216.0f);
}
