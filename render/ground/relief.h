// SPDX-License-Identifier: MIT
// relief.h - light on the ground, computed once and again where the ground is edited: the normal,
// the part of the sky that a place sees (ambient occlusion), and the height of the shadow of the
// land towards the sun.
#pragma once

#include "rill/base.h"

#include <stdint.h>

// One cell in a texture of halves (IEEE 754 binary16).
typedef struct relief_texel {
    uint16_t normal[2]; // x and y of the unit normal at the centre of the cell
    uint16_t openness;  // part of the sky's light that arrives, 0 to 1
    uint16_t shadow;    // a point this many metres above the ground is on the edge of the shadow;
                        // negative where the ground itself is in the sun; within +-1000
} relief_texel;

typedef struct relief relief;

rill_status relief_create(int nx, int ny, float cell_size, relief **out);
void relief_destroy(relief **r);

// Cells [i0, i1) x [j0, j1).
typedef struct relief_region {
    int i0, j0, i1, j1;
} relief_region;

// Bakes normals and openness of `changed` (which grows by the reach of each) from `bed`: nx * ny
// elevations, row 0 first.
void relief_bake(relief *r, const float *bed, relief_region changed);

// Follows a move of the domain by (di, dj) cells over the full terrain: baked values move with the
// ground, and the cells that came in, with those that see them, are baked from `bed`. Cells that
// have lost sight of what left have their old values.
void relief_shift(relief *r, const float *bed, int di, int dj);

// Bakes the shadows of the whole ground for a sun in direction `sun` (unit vector to the sun).
void relief_cast(relief *r, const float *bed, const float sun[3]);

// Returns nx * ny texels, row 0 first.
const relief_texel *relief_texels(const relief *r);
