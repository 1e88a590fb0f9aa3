// SPDX-License-Identifier: MIT
// materials.h - converts a scene's view (rill/view.h) to the numbers that the shaders take: light,
// liquid, ground, small waves.
#pragma once

#include "render/frame_block.h"
#include "render/passes/sky_pass.h"

#include "rill/view.h"

#include <stdbool.h>

// Size of the shown world.
typedef struct view_scale {
    int nx, ny;
    float cell_size;
    float low, high; // elevations of the ground
    bool solid;      // the ground is a solid
    bool landscape;  // terrain of kilometres (landscape.h)
    float shortest;  // metres: only waves shorter than this are small waves; 0: all are
} view_scale;

// Fills all of the block that depends on the view and not on the picture.
void materials_fill(const rill_view *view, const sky *light, const view_scale *size,
                    frame_block *block);

// Sets the shift of small waves at a simulated time.
void materials_set_ripples(double time, frame_block *block);

// Sets where the grid lies in the full terrain, metres, so that patterns on ground and water stay
// where they are when the domain moves. The numbers are taken modulo the repetition of the tiles,
// 360 of the ground's, 170 and 50 of small waves, so that floats are exact enough anywhere.
void materials_set_origin(const double origin[2], frame_block *block);

// Returns the amount of aerosol of a sky with the visibility of `view`.
double materials_haze(const rill_view *view, const view_scale *size);
