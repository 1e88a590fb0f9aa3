// SPDX-License-Identifier: MIT
// body_model.h - bodies for tests of the renderer: the library's shapes, put where a test wants
// them, without a world that moves them.
#pragma once

#include "render/frame/frame_data.h"

#define BODY_MODEL_MOST 128

typedef struct body_model {
    rill_body_mesh meshes[BODY_MODEL_MOST];
    size_t count;
} body_model;

// Adds a body of shape, size, look, position and rotation of `def`; its number.
size_t body_model_add(body_model *model, const rill_body_def *def);

// Bends a sheet: its vertices are raised by `height` along the body's own z.
void body_model_bend(body_model *model, size_t body, double (*height)(double x, double y));

// Moves a body.
void body_model_move(body_model *model, size_t body, double x, double y, double z);

void body_model_destroy(body_model *model);

// For golden images (picture_models.h): every look, on a beach and in the water before it.
rill_view body_model_afloat(frame_data *s);
