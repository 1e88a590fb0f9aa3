// SPDX-License-Identifier: MIT
// wave_levels.h - a square of sea (rill/waves.h) packed for the graphics card: two textures of
// halves with all their coarser levels. The means are made here and not by the driver, because each
// driver rounds in its own way.
#pragma once

#include "rill/waves.h"

#include <stddef.h>
#include <stdint.h>

// Meaning of the last number of a texel of slopes.
typedef enum wave_extra {
    WAVE_CURVATURE, // minus the Laplacian of the height, 1/m: how much light it gathers
    WAVE_FOLD,      // area of a surface element after its shift, in its area at rest: 0 breaks
} wave_extra;

// Returns the texels of a square of `size` and of all its coarser levels together.
size_t wave_levels_texels(int size);

// Returns the numbers that wave_levels_pack() needs as scratch.
size_t wave_levels_scratch(int size);

// Computes means of four texels of four numbers each, in place: 2 side x 2 side of them become side
// x side.
void wave_levels_halve(float *texels, size_t side);

// Packs `sea`, finest level first. A texel of `moves` is shift along x and y and height, metres,
// and 0; one of `slopes` is the slope along x and y of the shifted surface, the mean of their
// squares' sum (which the means of slopes lose), and the extra.
void wave_levels_pack(const rill_sea_view *sea, wave_extra extra, float *scratch, uint16_t *moves,
                      uint16_t *slopes);
