// SPDX-License-Identifier: MIT
// materials.h - from a scene's view (rill/view.h) to the numbers that the shaders take: light,
// liquid, ground, small waves.
#pragma once

#include "render/frame_block.h"
#include "render/passes/sky_pass.h"

#include "rill/view.h"

#include <stdbool.h>

// The extent of what is shown.
typedef struct look_size {
    int nx, ny;
    float cell_size;
    float low, high; // elevations of the ground
    bool solid;      // the ground is a solid
    bool landscape;  // country of kilometres: landscape.h
    float shortest;  // metres: waves that long are drawn otherwise, only shorter ones are small
                     // waves. 0: none are
} look_size;

// Fills all of the block that depends on the view and not on the picture.
void look_fill(const rill_view *view, const sky *light, const look_size *size, frame_block *block);

// Sets what moves on the water with simulated time.
void look_drift(double time, frame_block *block);

// Sets where the grid lies in its country, metres, so that what is painted on ground and water
// stays where it is when the grid moves. Numbers are kept within what the tiles repeat after, 360
// of the ground's, 170 and 50 of small waves: then floats are exact enough anywhere.
void look_country(const double origin[2], frame_block *block);

// How much aerosol a sky has when one sees `visibility` metres.
double look_haze(const rill_view *view, const look_size *size);
