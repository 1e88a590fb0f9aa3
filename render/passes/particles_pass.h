// SPDX-License-Identifier: MIT
// particles_pass.h - spray, splash and foam on the graphics card (Chentanez and Müller section
// 2.5.3). They are drawn onto the picture with its water, before tone mapping:
//
//   foam    discs on the water's surface, summed up; then bubbles where the sum is high
//   splash  balls leave their distance and their thickness together; both are smoothed over a
//           width in metres, so that balls run together; then the light of water on that
//   spray   ellipses drawn out along their velocity
//
// Foam and splash are gathered at half the picture's width and height. Nothing is made, and nothing
// done, until frame data have particles.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"
#include "render/frame_block.h"
#include "render/gl.h"
#include "render/targets.h"

typedef struct particles particles;

rill_status particles_create(particles **out);
void particles_destroy(particles **p);

void particles_upload(particles *p, const frame_data *s);

// What particles are drawn onto: `between.wet` has ground and water, `between.scene` may be drawn
// over.
typedef struct particle_targets {
    const targets *between;
    const frame_block *block;
    const char *variant; // defines before the shaders (gl_program)
    GLuint no_points;    // an empty vertex array
} particle_targets;

// Draws the particles. The uniform block and the maps are bound. Leaves the units of the scene
// unbound.
void particles_draw(particles *p, const particle_targets *to);
