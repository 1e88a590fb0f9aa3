// SPDX-License-Identifier: MIT
// targets.h - the pictures between the passes, of the size of the last one:
//   scene: ground and sky, with depth that can be looked up;  wet: the same with water on it;
//   toned: the sum of finished samples.
#pragma once

#include "render/gl.h"

typedef struct targets {
    int width, height;
    GLuint scene_colour, scene_depth, scene;
    GLuint wet_colour, wet_depth, wet;
    GLuint toned_colour, toned;
} targets;

// Makes them anew when the size has changed.
void targets_fit(targets *t, int width, int height);
void targets_destroy(targets *t);
