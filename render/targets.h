// SPDX-License-Identifier: MIT
// targets.h - the textures between the passes, of the size of the last picture. They have one depth
// and stencil; the stencil is 1 where water is seen.
//   shape: distance of the ground;  scene: light of ground and sky;  sides: both at once;
//   body: position and distance of a solid ground;
//   surface: position of the water;  wet: the scene with water on it;  toned: the sum of samples.
#pragma once

#include "render/gl.h"

typedef struct targets {
    int width, height;
    bool waves; // the texture of the surface's distance also has the displacement by waves
    GLuint depth;
    GLuint distance, shape;
    GLuint scene_colour, scene, sides;
    GLuint surface_map, surface_distance, surface, body;
    GLuint wet_colour, wet;
    GLuint toned_colour, toned;
} targets;

// Makes the textures anew when the size or `waves` has changed.
void targets_fit(targets *t, int width, int height, bool waves);
void targets_destroy(targets *t);
