// SPDX-License-Identifier: MIT
// tiles.h - square textures that repeat without a seam, made from a seed: small waves, noise, foam.
// Texel (i, j) is at ((i + 0.5) / n, (j + 0.5) / n) of the tile; row 0 first.
#pragma once

#include <stdint.h>

// Small waves: four floats a texel, the slopes along x and y, their squared length, and the
// curvature (the Laplacian of the height, per tile edge). The slopes have mean 0 and root mean
// square 1 each way together; wavelengths run from a quarter to a fiftieth of the tile, more energy
// in long ones, most of them within 60 degrees of the +x direction so that wind has a direction.
void tile_waves(int n, uint64_t seed, float *rgba);

// Noise: four values a texel from 0 to 255, mean near 128: red smooth hills (about 4 to an edge),
// green the sum of six octaves from 4 to an edge on, blue six octaves of ridges, alpha white-ish
// grain of a texel or two.
void tile_noise(int n, uint64_t seed, uint8_t *rgba);

// Foam: one value a texel from 0 to 255, how late a place loses its foam: thin walls of bubbles of
// several sizes are high, their insides low, so that a threshold that rises opens holes.
void tile_foam(int n, uint64_t seed, uint8_t *grey);
