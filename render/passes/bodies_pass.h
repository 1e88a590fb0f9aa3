// SPDX-License-Identifier: MIT
// bodies_pass.h - bodies on the graphics card: all their triangles in one array that is drawn by
// one call for each material, and over a land that casts its shadows by height alone (relief.h) a
// shadow map of their own. Over a solid ground they go into that ground's map (solid_pass.h).
// Nothing is made, and nothing done, until frame data have bodies.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"
#include "render/frame_block.h"
#include "render/gl.h"

typedef struct bodies bodies;

rill_status bodies_create(bodies **out);
void bodies_destroy(bodies **b);

// Uploads the bodies of the frame data. Their constant attributes are only sent when they have
// changed.
void bodies_upload(bodies *b, const frame_data *s);

// Returns true when the last frame data had any.
bool bodies_shown(const bodies *b);

// Return their triangles: places at location 0; 32-bit indices.
GLuint bodies_array(const bodies *b);
GLsizei bodies_index_count(const bodies *b);

// Draws them with light. `variant` has the defines before the shaders (gl_program); the uniform
// block and the maps are bound. A material that the driver refuses is left out.
void bodies_draw(bodies *b, const char *variant);

// Makes the box larger until all bodies are in it.
void bodies_stretch(const bodies *b, camera_bounds *bounds);

// Returns the elevation of the highest, metres; far below everything without any.
float bodies_highest(const bodies *b);

// Returns their mean size, metres: half the diagonal of their boxes.
float bodies_size(const bodies *b);

// Draws what the sun sees of them into their shadow map, by `program` (shadow_vertex.glsl), and
// sets in `block` the matrix that leads there and the size of a texel. The map covers everything
// within `bounds`.
void bodies_cast(bodies *b, GLuint program, const camera_bounds *bounds, frame_block *block);

// Returns the map that bodies_cast has filled; 0 before.
GLuint bodies_shadow_map(const bodies *b);

// Draws what they take of the sky from the ground into a map (overhead_pass.h).
void bodies_cover(bodies *b, GLuint no_points, frame_block *block);
GLuint bodies_overhead_map(const bodies *b);
