// SPDX-License-Identifier: MIT
// landscape.h - inputs of the vegetation of a terrain of kilometres (Burrell section 5.3.2): the
// height of a place above the nearest water and its distance from it, the slope of the land around
// it, and whether it lies in a hollow or on a ridge. Computed once, and again when ground or shore
// have changed.
#pragma once

#include "rill/base.h"

#include <stddef.h>
#include <stdint.h>

// One cell in a texture of halves (IEEE 754 binary16).
typedef struct landscape_texel {
    uint16_t above; // metres above the level of the nearest water; large where there is none
    uint16_t away;  // metres from the nearest water
    uint16_t steep; // slope of the land around, metres per metre
    uint16_t ridge; // metres above the mean of the land around
} landscape_texel;

// Fills nx * ny texels, row 0 first, from elevations and depths of water; `wet` is the depth from
// which a cell is wet. Depths are halves `stride` uint16_t apart.
rill_status landscape_bake(int nx, int ny, float cell_size, const float *bed,
                           const uint16_t *depths, size_t stride, float wet, landscape_texel *out);
