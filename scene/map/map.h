// SPDX-License-Identifier: MIT
// map.h - the picture of a world seen from above, drawn on the CPU and fit for a report:
// hill-shaded ground, water coloured by depth, flow on request, with frame, scale bar, legend, time
// and title. North (the last row of the grid) is up. The same input gives the same picture.
#pragma once

#include "rill/base.h"
#include "rill/scene.h"
#include "rill/terrain.h"

// Input of a map. Everything is a view that is read during the call alone.
typedef struct rl_map_input {
    rill_field_view ground;                 // elevation, m
    rill_field_view depth;                  // m, of the same size
    rill_field_view velocity_x, velocity_y; // m/s; data may be NULL when no flow is asked for
    float cell_size;                        // m
    float wet_depth;                        // m; films up to this are not drawn
    double time;                            // s, shown below the title
    const char *title;                      // UTF-8, may be NULL
    // Coordinates at the frame and a north arrow, when known. May be NULL.
    const rill_georeference *georeference;
} rl_map_input;

// How to draw it. Start from rl_default_map_style().
typedef struct rl_map_style {
    int max_side;       // pixels along the longer side of the map part, 64 to 16384. Default 1024.
    int supersample;    // samples along a pixel's side, 1 to 8; 0: as the scale needs. Default 0.
    rill_map_flow flow; // needs the velocities. Default none.
    // The ends of the two scales, m and m/s. 0: from the data, rounded up to a plain number. A
    // sequence of frames fixes both, so that colours do not jump from one to the next. Default 0.
    float depth_max, speed_max;
    float contour_interval; // m; 0: from the relief, negative: no contours. Default 0.
    float text_scale;       // 1: capitals of 10 pixels; 0: 1, more from 1600 pixels on. Default 0.
} rl_map_style;

rl_map_style rl_default_map_style(void);

// An image: three bytes a pixel, row 0 on top, without gaps. Both sides are even, as video needs
// them.
typedef struct rl_image {
    int width, height;
    uint8_t *rgb;
    size_t bytes;
    int map_x, map_y, map_width, map_height; // where the map part lies inside the picture
} rl_image;

// Draws a map. Fails with BAD_ARGUMENT or NO_MEMORY; then `out` is all zero.
rill_status rl_map_draw(const rill_allocator *allocator, const rl_map_input *input,
                        const rl_map_style *style, rl_image *out);

// Releases the pixels and clears the image. NULL and an empty image are fine.
void rl_image_free(const rill_allocator *allocator, rl_image *image);
