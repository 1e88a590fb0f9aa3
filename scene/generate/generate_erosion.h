// SPDX-License-Identifier: MIT
// generate_erosion.h - erodes a raw terrain by running water, one step at a time:
//
//     rivers   dz/dt = -K sqrt(A) slope     stream power with m = 1/2, n = 1; A drainage area
//     lakes    some fill with sediment, the rest retain the gravel that rivers carve with
//     slopes   creep (diffusion), faster along rivers; slides above the talus slope
//
// Rivers are solved implicitly from the mouth upwards as in Braun and Willett (2013), here with
// water that parts among all lower neighbours, so steps may be long and no direction of the grid is
// preferred. Lengths are in features (one mountain to the next), heights in parts of the total
// height of the terrain; rim cells never change.
#pragma once

#include "scene/generate/generate_flow.h"

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
