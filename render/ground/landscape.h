// SPDX-License-Identifier: MIT
// landscape.h - what grows where in a country of kilometres (004 section 5.3.2): how high above the
// nearest water a place is and how far from it, how steep the land around it is, and whether it
// lies in a hollow or on a ridge. Computed once, and again when ground or shore have changed.
#pragma once

#include "rill/base.h"

#include <stddef.h>
#include <stdint.h>

// One cell in a texture of halves (IEEE 754 binary16).
typedef struct landscape_texel {
    uint16_t above; // metres above the level of the nearest water; large where there is none
    uint16_t away;  // metres from it
    uint16_t steep; // slope of the land around, metres per metre
    uint16_t ridge; // metres above the mean of the land around
} landscape_texel;

// Fills nx * ny texels, row 0 first, from elevations and depths of water; `wet` is the depth from
// which water counts. Depths are halves `stride` uint16_t apart.
rill_status landscape_bake(int nx, int ny, float cell_size, const float *bed,
                           const uint16_t *depths, size_t stride, float wet, landscape_texel *out);
