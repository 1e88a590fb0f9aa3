// SPDX-License-Identifier: MIT
// generate_noise.h - the raw terrain before water has run over it: gradient noise on a hashed
// lattice, summed over octaves as rolling hills and as a ridged multifractal (Musgrave 1994), its
// coordinates bent by a slower noise so that no range runs straight.
//
// Nothing but + - * /, sqrt and floor touches a number, so the bits are the same everywhere.
#pragma once

#include <stdint.h>

#define RL_NOISE_MAX_OCTAVES 16

typedef struct rl_noise {
    uint32_t octave_seeds[RL_NOISE_MAX_OCTAVES];
    uint32_t warp_seeds[2];
    int octaves;
    double ridges; // 0 hills, 1 ridges
} rl_noise;

// Prepares the noise. `cell` is the edge of a cell in features: octaves that such cells cannot show
// are left out.
rl_noise rl_noise_make(uint64_t seed, int octaves, double ridges, double cell);

// Returns gradient noise in about -1 to 1, zero at whole coordinates, one bump a unit.
double rl_noise_gradient(uint32_t seed, double x, double y);

// Returns three octaves of gradient noise, in about -1.5 to 1.5.
double rl_noise_slow(uint32_t seed, double x, double y);

// Returns the height of the raw terrain, in about 0 to 1. One unit of x and y is one mountain to
// the next.
double rl_noise_terrain(const rl_noise *noise, double x, double y);
