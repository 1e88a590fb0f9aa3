// SPDX-License-Identifier: MIT
// sun_map.h - common parts of shadow maps: the axes of the sun's view, and how depth is drawn.
#pragma once

#include "render/gl.h"

// Axes of a map: across, up, and towards the sun.
void sun_map_axes(const float sun[3], double axes[3][3]);

// Sets row `row` of the matrix from places to the map's cube from -1 to 1, in which depth grows
// from the sun onwards: what the map covers along `axis`.
void sun_map_row(const double axis[3], int row, double middle, double half, float matrix[16]);

// Sets up for triangles into a square map. Depths are shifted a little from the sun, against
// surfaces that shade themselves; sun_map_end() ends that.
void sun_map_begin(GLuint target, int side);
void sun_map_end(void);
