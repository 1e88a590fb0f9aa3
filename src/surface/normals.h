// SPDX-License-Identifier: MIT
// normals.h - unit normals of the sheet.
#pragma once

#include "surface/lattice.h"

// Columns are shaded this many at a time, so that the arithmetic runs in vectors.
#define RL_SHADE_CHUNK 64

typedef struct rl_shade {
    float x[RL_SHADE_CHUNK], y[RL_SHADE_CHUNK], z[RL_SHADE_CHUNK];
} rl_shade;

// Normals of the cells i to i + n - 1 of row j, n at most RL_SHADE_CHUNK. Those of dry columns are
// of no meaning, nor are those of columns that are RL_CROSSED_WET.
void rl_surface_shade(const rl_surface *s, int i, int j, int layer, int n, rl_shade *out);
