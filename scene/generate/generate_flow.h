// SPDX-License-Identifier: MIT
// generate_flow.h - routes water over a raw terrain: depressions filled to their lowest pass
// (priority flood; Barnes, Lehman and Mulla 2014), and for every cell the parts in which its water
// goes on to lower neighbours. Grids here are dense, row after row, all rim cells are outlets. And
// the erosion that this water does (generate_erosion.c).
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

// ---- Erosion ---------------------------------------------------------------------------

// Erodes a raw terrain by running water, one step at a time:
//
//     rivers   dz/dt = -K sqrt(A) slope     stream power with m = 1/2, n = 1; A drainage area
//     lakes    some fill with sediment, the rest retain the gravel that rivers carve with
//     slopes   creep (diffusion), faster along rivers; slides above the talus slope
//
// Rivers are solved implicitly from the mouth upwards as in Braun and Willett (2013), here with
// water that parts among all lower neighbours, so steps may be long and no direction of the grid is
// preferred. Lengths are in features (one mountain to the next), heights in parts of the total
// height of the terrain; rim cells never change.
typedef struct rl_erosion {
    int nx, ny;
    float cell;       // edge of a cell, features
    float step;       // K dt
    float head;       // square root of the drainage area at which a channel begins, features
    float lake_depth; // height of water that keeps all gravel
    float gradient;   // fall of sediment towards the outlet, height a cell
    float talus;      // steepest lasting fall, height a cell
    float creep;      // diffusion number of one pass on dry slopes
    int creep_passes;
    const float *settling; // part of the depth of a lake that fills up in a step, 0 to 1, by cell
} rl_erosion;

// Advances the ground `z`. `area` is scratch of the size of the grid.
void rl_erosion_step(const rl_erosion *erosion, rl_flow *flow, float *z, float *area);

// Fills lakes that are shallower than `depth` everywhere or smaller than `cells` cells. `mark` is
// scratch of the size of the grid.
void rl_erosion_fill_ponds(rl_flow *flow, float *z, int nx, int ny, float gradient, float depth,
                           size_t cells, uint32_t *mark);
