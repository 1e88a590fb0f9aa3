// SPDX-License-Identifier: MIT
// targets.h - the pictures between the passes, of the size of the last one. They share one depth
// and stencil; the stencil is 1 where water is seen.
//   shape: how far the ground is;  scene: light of ground and sky;  sides: both at once;
//   body: how a solid ground lies, and how far it is;
//   surface: how the water lies;  wet: the scene with water on it;  toned: the sum of samples.
#pragma once

#include "render/gl.h"

typedef struct targets {
    int width, height;
    bool waves; // beside the surface's distance there is how waves have moved it
    GLuint depth;
    GLuint distance, shape;
    GLuint scene_colour, scene, sides;
    GLuint surface_map, surface_distance, surface, body;
    GLuint wet_colour, wet;
    GLuint toned_colour, toned;
} targets;

// Makes them anew when something has changed.
void targets_fit(targets *t, int width, int height, bool waves);
void targets_destroy(targets *t);
