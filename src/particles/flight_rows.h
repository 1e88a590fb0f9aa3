// SPDX-License-Identifier: MIT
// flight_rows.h - the loops over all particles, and over all cells where waves may break, compiled
// once per instruction set. The arrays of the pool are padded to whole vectors; places outside the
// given range stay as they are.
#pragma once

#include "particles/flight_inline.h"

// The arrays of floats of the pool, one value a particle.
enum {
    RL_POOL_X,
    RL_POOL_Y,
    RL_POOL_Z,
    RL_POOL_VELOCITY_X,
    RL_POOL_VELOCITY_Y,
    RL_POOL_VELOCITY_Z,
    RL_POOL_RADIUS,
    RL_POOL_AGE,
    RL_POOL_LIFE,
    RL_POOL_VOLUME,
    RL_POOL_ARRAYS
};

// The first `count` places of the host's arrays.
typedef struct rl_pool_places {
    float *arrays[RL_POOL_ARRAYS];
    uint8_t *kind;
    int count;
} rl_pool_places;

// A row of cells and the thresholds for breaking waves (Chentanez and Müller section 2.4.2).
typedef struct rl_breaking_row {
    int nx;
    const float *base, *depth, *before;
    const float *base_south, *depth_south, *base_north, *depth_north;
    rl_breaking_limits limits;
} rl_breaking_row;

typedef struct rl_flight_rows {
    const char *isa;
    // Flies particles [first, end) for one step and lists in `landed` those that are now below the
    // surface, in the ground or outside the grid; returns their number. `air` has one entry for
    // spray and one for splashes.
    int (*fly)(const rl_pool_places *pool, int first, int end, const rl_flight_ground *ground,
               const rl_flight_air air[2], float dt, uint32_t *landed);
    // Advects foam [first, end) for one step and lists in `gone` the foam that has outlived its
    // life, has lost its water or has left the grid.
    int (*advect)(const rl_pool_places *pool, int first, int end, const rl_flight_ground *ground,
                  float dt, uint32_t *gone);
    // Lists the cells of [first, end) in which a wave breaks. Without a list (`found` NULL) it
    // stops at the first and returns 1.
    int (*find_breaking)(const rl_breaking_row *row, int first, int end, uint32_t *found);
} rl_flight_rows;

extern const rl_flight_rows rl_flight_rows_c, rl_flight_rows_avx2, rl_flight_rows_avx512;
