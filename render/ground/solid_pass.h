// SPDX-License-Identifier: MIT
// solid_pass.h - solid ground on the graphics card: its triangles, trimmed to the world and closed
// at the sides, the panes of liquid at the border, and the shadow map, which is what the sun sees
// first.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"
#include "render/frame_block.h"
#include "render/gl.h"

typedef struct solid solid;

rill_status solid_create(solid **out);
void solid_destroy(solid **s);

// Uploads the ground of the frame data, if it is another one than before. Returns true when it was.
bool solid_upload(solid *s, const frame_data *picture);

// Uploads what changes with every frame.
void solid_upload_panes(solid *s, const frame_data *picture);

// Returns true when there is a solid ground.
bool solid_shown(const solid *s);

// Returns the box around it: the world's sides, the foot of the block, the highest triangle; all
// zero without one.
camera_bounds solid_bounds(const solid *s);

// Draws the triangles with the program in use: location 0 is the place, 1 normal and openness.
void solid_draw(const solid *s);

// Draws the panes with the program in use: location 0 is place and level, 1 where it faces.
void solid_draw_panes(const solid *s);

// Draws what the sun sees into the shadow map, and sets in `block` the matrix that leads there.
// `liquid` is drawn too if it is not 0: an array with places at location 0, depths at 3 and 32-bit
// indices, for `program`; and so are `bodies`. Does nothing when neither light nor ground nor these
// have changed.
typedef struct solid_casters {
    GLuint program;
    GLuint liquid;
    GLsizei liquid_indices;
    float thin; // liquid less deep than this lets the light through, metres
    GLuint bodies;
    GLsizei body_indices;
    float highest; // elevation of bodies, metres
    bool changed;  // liquid or bodies
} solid_casters;

void solid_cast(solid *s, const solid_casters *casters, frame_block *block);

// Returns the map that solid_cast has filled; also without a solid it is a texture that can be
// bound.
GLuint solid_shadow_map(const solid *s);
