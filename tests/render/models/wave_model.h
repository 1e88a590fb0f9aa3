// SPDX-License-Identifier: MIT
// wave_model.h - worlds of water made by hand, with waves finer than their grid made of a few dozen
// sine waves: they depend on neither a solver nor the library's spectra.
#pragma once

#include "render/frame/frame_data.h"
#include "render/renderer.h"

#include <stdint.h>

#define WAVE_MODEL_SIZE 64 // points of the texture a side

typedef double (*wave_model_height)(double x, double y);

// A texture of sine waves.
typedef struct wave_model_sea {
    float height[WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    float shift_x[WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    float shift_y[WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    float slope_x[WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    float slope_y[WAVE_MODEL_SIZE * WAVE_MODEL_SIZE];
    rill_sea_view view;
} wave_model_sea;

// `steepness` is the root mean square slope; `chop` is how far crests are drawn together. Waves are
// at least an eighth of the tile long.
void wave_model_make_sea(double tile, double steepness, double chop, wave_model_sea *sea);

// A still of nx x nx cells whose water has a vertex on every centre and along the border.
frame_data *wave_model_still(int nx, double cell, wave_model_height bed, wave_model_height level);

// Puts fine waves of one weight everywhere on it, which the flow has carried `carried` metres along
// x everywhere.
void wave_model_add(frame_data *s, const wave_model_sea *sea, float weight, float advected);
// Does the same with each of the three sets of coordinates carried its own way and blended in with
// its own part.
void wave_model_add_sets(frame_data *s, const wave_model_sea *sea, float weight,
                         const float advected[3], const float blend[3]);

// Draws a still with a look into rgb, width * height * 3 bytes.
void wave_model_draw(const frame_data *s, const rill_view *look, const shot *asked, uint8_t *rgb);

// For golden images (picture_models.h): an island of sand in the open sea, and fine waves on a
// swell over a bed that is seen.
rill_view wave_model_ocean(frame_data *s);
rill_view wave_model_ripples(frame_data *s);
