// SPDX-License-Identifier: MIT
// bodies.h - bodies on the graphics card: all their triangles in one array that is drawn by one
// call for each look, and over a land that casts its shadows by height alone (relief.h) a shadow
// map of their own. Over a solid ground they go into that ground's map (solid.h). Nothing is made,
// and nothing done, until a still has bodies.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"
#include "render/frame_block.h"
#include "render/gl.h"

typedef struct bodies bodies;

rill_status bodies_create(bodies **out);
void bodies_destroy(bodies **b);

// Hands the bodies of a still over. What they are is only sent when it has changed.
void bodies_upload(bodies *b, const still *s);

// True when the last still had any.
bool bodies_shown(const bodies *b);

// Their triangles: places at location 0; 32-bit indices.
GLuint bodies_array(const bodies *b);
GLsizei bodies_index_count(const bodies *b);

// Draws them with light. `variant` are the words before the shaders (gl_program); the uniform block
// and the maps are bound. A look that the driver refuses is left out.
void bodies_draw(bodies *b, const char *variant);

// Makes the box larger until all bodies are in it.
void bodies_stretch(const bodies *b, camera_bounds *bounds);

// The elevation of the highest, metres; far below everything without any.
float bodies_highest(const bodies *b);

// How large they are on average, metres: half the diagonal of their boxes.
float bodies_size(const bodies *b);

// What the sun sees of them, into their shadow map, by `program` (shadow_vertex.glsl); and in
// `block` the matrix that leads there and the size of a texel. Everything within `bounds` can be
// looked up.
void bodies_cast(bodies *b, GLuint program, const camera_bounds *bounds, frame_block *block);

// The map that bodies_cast has filled; 0 before.
GLuint bodies_shadow_map(const bodies *b);

// What they take of the sky from the ground, into a map (overhead_pass.h).
void bodies_cover(bodies *b, GLuint no_points, frame_block *block);
GLuint bodies_overhead_map(const bodies *b);
