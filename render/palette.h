// SPDX-License-Identifier: MIT
// palette.h - reflectances of the ground materials of rill/view.h: as land, which is a heightfield
// under the sky, and as the surface of a solid. They are linear.
#pragma once

#include "rill/view.h"

// Land, in the order of `ground` in common.glsl, and where one reflectance gives way to the next.
typedef struct palette_land {
    float bed[3], shore[3], gentle[3], gentle_too[3], steep[3], high[3];
    float steep_from, steep_to; // 1 - z of the normal
    float high_from, high_to;   // parts of the range of elevations
    float contrast;             // of the grain
} palette_land;

// A solid: two reflectances mixed by its grain, a third one on steep faces and in hollows.
typedef struct palette_solid {
    float base[3], other[3], third[3], cut[3];
    float contrast;             // of the grain
    float bump;                 // how much the grain bends the normal
    float tile;                 // edge of the coarsest grain, parts of the world's longer side
    float stretch;              // how many times longer the grain is along x
    float steep_from, steep_to; // 1 - z of the normal
    float hollow;               // how much of the third is in hollows, 0 to 1
    float gloss, roughness;     // part that is mirrored; standard deviation of the mirror's slopes
} palette_solid;

const palette_land *palette_of_land(rill_ground_material material);
const palette_solid *palette_of_solid(rill_ground_material material);
