// SPDX-License-Identifier: MIT
// particles.h - spray, splash and foam on the graphics card (002 section 2.5.3). They are drawn
// onto the picture with its water, before tone mapping:
//
//   foam    discs on the water's surface, summed up; then bubbles where the sum is high
//   splash  balls leave how near they are and how thick together; both are smoothed over a width in
//           metres, so that balls run together; then the light of water on what that makes
//   spray   ellipses drawn out along their velocity
//
// Foam and splash are gathered at half the picture's width and height. Nothing is made, and nothing
// done, until a still has particles.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"
#include "render/frame_block.h"
#include "render/gl.h"
#include "render/targets.h"

typedef struct particles particles;

rill_status particles_create(particles **out);
void particles_destroy(particles **p);

void particles_upload(particles *p, const still *s);

// What they are drawn onto: `between.wet` has ground and water, `between.scene` may be drawn over.
typedef struct particle_stage {
    const targets *between;
    const frame_block *block;
    const char *variant; // words before the shaders (gl_program)
    GLuint no_points;    // an empty vertex array
} particle_stage;

// The uniform block and the maps are bound. Leaves the units of the scene unbound.
void particles_draw(particles *p, const particle_stage *stage);
