// SPDX-License-Identifier: MIT
// sky_pass.h - the light of a clear sky: where the sun stands, its colour, and the radiance of the
// sky in every direction. Single scattering in air (Rayleigh), haze (Mie) and ozone with an
// estimate of the light that scatters again. All colours are linear Rec. 709; 1 is roughly the
// radiance of white paper in the noon sun.
#pragma once

#include "rill/base.h"

#define SKY_WIDTH  128 // azimuth from the sun, 0 to 180 degrees
#define SKY_HEIGHT 64  // elevation, 0 to 90 degrees

typedef struct sky {
    float sun[3];      // unit vector to the sun: x, y of the world, z up
    float sunlight[3]; // irradiance on a plane that faces the sun, at the ground, over pi
    float skylight[3]; // irradiance of the sky on level ground, over pi
    float horizon[3];  // mean radiance around the horizon: the colour of far haze
    // Radiance; texel (i, j) is azimuth 180 (i + 0.5) / SKY_WIDTH degrees from the sun and
    // elevation 90 ((j + 0.5) / SKY_HEIGHT)^2 degrees. The sun's disc is not in it.
    float radiance[SKY_HEIGHT][SKY_WIDTH][3];
} sky;

// Computes a sky. `time_of_day` is in hours of solar time, `latitude` in degrees north, `heading`
// the compass direction of +y in degrees. The day is an equinox. `haze` is the amount of aerosol, 1
// on a usual clear day. At night there is moonlight enough to see something.
void sky_compute(double time_of_day, double latitude, double heading, double haze, sky *out);
