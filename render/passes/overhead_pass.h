// SPDX-License-Identifier: MIT
// overhead_pass.h - computes how much of the sky bodies take from the ground below and beside them:
// a small map from above, blurred, of what they cover and how high their undersides are. It darkens
// the ground where the sun does not reach, so that bodies stand on it on a cloudy day too.
#pragma once

#include "render/frame_block.h"
#include "render/gl.h"

typedef struct overhead {
    GLuint program, blur;
    bool refused; // by the driver
    int side;
    GLuint first, second, depth; // textures
    GLuint covered, blurred;     // framebuffers: to the first, to the second
} overhead;

void overhead_destroy(overhead *o);

// Bodies to draw: triangles with places at location 0, and the box around them.
typedef struct overhead_things {
    GLuint array;
    GLsizei index_count;
    float low[3], high[3];
    float size; // of one of them, metres
} overhead_things;

// Draws the map, and sets in `block` where it lies. Without triangles, or where the driver refuses,
// nothing is covered.
void overhead_draw(overhead *o, const overhead_things *things, GLuint no_points,
                   frame_block *block);

// Returns the map; 0 before it has been drawn.
GLuint overhead_map(const overhead *o);
