// SPDX-License-Identifier: MIT
// drift.h - waves that drift on a river, on the graphics card: the layers of a still
// (frame_data_wave_particles.h) as an array of textures, and a map of which layer lies where. Also
// the particles that carry them, for the picture that shows where each was born (004 figure 4.3).
#pragma once

#include "render/frame/frame_data.h"
#include "render/gl.h"
#include "render/passes/wave_block.h"

typedef struct drift {
    bool shown;
    int pages_x, pages_y, layers, side, levels;
    int page_cells, texels;
    float texel, variance, cell_size;
    GLuint pages, index; // an array of textures with levels; a map
    uint32_t *version;   // of the layers on the card
    size_t version_capacity;

    GLuint births, birth_array, birth_program;
    GLsizei birth_count;
} drift;

void drift_create(drift *d);
void drift_destroy(drift *d);

// Takes over what a still has: only layers that have changed go to the card. `first`: nothing that
// is there already counts.
void drift_upload(drift *d, const still *s, bool first);

void drift_bind(const drift *d);
void drift_fill(const drift *d, wave_block *block);

// Draws the particles onto the picture. False when the driver cannot.
bool drift_draw_births(drift *d, const char *variant);
