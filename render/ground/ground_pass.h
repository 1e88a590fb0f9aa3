// SPDX-License-Identifier: MIT
// ground_pass.h - the ground's triangles: square chunks of the lattice, each drawn only when it is
// in the picture and as finely as a pixel can show.
#pragma once

#include "render/camera.h"
#include "render/gl.h"
#include "render/ground/relief.h"

typedef struct ground ground;

rill_status ground_create(int nx, int ny, float cell_size, ground **out);
void ground_destroy(ground **g);

// Marks the chunks that `changed` touches: their triangles are made anew when they are next drawn.
// `bed` is nx * ny elevations, row 0 first; it is not copied and must not change until the next
// call.
void ground_shape(ground *g, const float *bed, relief_region changed);

// Sets where water stands that does not move: nx * ny, not 0 for wet cells. Around its shore the
// ground is drawn in full detail at any distance, so that the shore stays where it is. The chunks
// that this changes are made anew when they are next drawn.
void ground_set_shore(ground *g, const uint8_t *wet);

// Returns the lowest and the highest elevation.
void ground_range(const ground *g, float *low, float *high);

// Draws with the program in use. `pixels` is the number of pixels of a metre at a distance of a
// metre. With `coarsen` false all chunks are drawn in the finest detail.
void ground_draw(ground *g, GLuint program, const float view_projection[16], const double eye[3],
                 double pixels, bool coarsen);

// Draws the wall around the rim with the program in use: side_vertex.glsl.
void ground_draw_sides(const ground *g);
