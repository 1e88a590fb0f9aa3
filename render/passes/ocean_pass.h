// SPDX-License-Identifier: MIT
// ocean_pass.h - the open sea around a world, up to the horizon (view.open_sea): a disc of points
// around the camera, displaced by two squares of sea of different sizes, and the map of how much of
// the water inside the world's border is drawn as that sea already (Chentanez and Müller figure 2).
#pragma once

#include "render/camera.h"
#include "render/gl.h"
#include "render/passes/wave_block.h"

#include "rill/view.h"

#include <stdbool.h>

typedef struct ocean ocean;

// Creates the sea; NULL in `out` when the view has none.
rill_status ocean_create(const rill_view *view, int nx, int ny, float cell_size, ocean **out);
void ocean_destroy(ocean **o);

// Returns whether the view asks for just this sea; true for NULL and a view without.
bool ocean_fits(const ocean *o, const rill_view *view);

// Sets another ground: where it is under the sea at the border, the sea comes in.
void ocean_set_ground(ocean *o, const float *bed);

// Returns the part of the sea in the water of a cell, 0 to 1: 1 in the outermost cells of a border
// under water, 0 from the tenth cell on.
float ocean_share(const ocean *o, int i, int j);

// Computes the waves at simulated `time`. If that fails, they stay as they are.
void ocean_move(ocean *o, double time);

void ocean_bind(const ocean *o);
void ocean_fill(const ocean *o, wave_block *block);

// Makes the picture reach from the nearest wave to the horizon.
void ocean_stretch(const ocean *o, const camera *eye, float projection[16]);

// Draws the disc as seen by a camera, without what is well inside the world.
void ocean_draw(const ocean *o, GLuint program, const float view_projection[16],
                const double eye[3]);
