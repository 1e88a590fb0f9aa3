// SPDX-License-Identifier: MIT
// wave_particles_pass.h - wave particles of a river on the graphics card (Burrell chapter 4): the
// layers of the frame data (frame_data_wave_particles.h) as an array of textures, and a map of
// which layer lies where. Also the particles themselves, for the picture that shows where each was
// born (Burrell figure 4.3).
#pragma once

#include "render/frame/frame_data.h"
#include "render/gl.h"
#include "render/passes/wave_block.h"

typedef struct wave_particles_pass {
    bool shown;
    int tiles_x, tiles_y, layers, side, levels;
    int tile_cells, texels;
    float texel, variance, cell_size;
    GLuint tiles, index; // an array of textures with levels; a map
    uint32_t *version;   // of the layers on the card
    size_t version_capacity;

    GLuint births, birth_array, birth_program;
    GLsizei birth_count;
} wave_particles_pass;

void wave_particles_create(wave_particles_pass *d);
void wave_particles_destroy(wave_particles_pass *d);

// Uploads the tiles of the frame data: only layers that have changed go to the card. `first`:
// nothing that is on the card already counts.
void wave_particles_upload(wave_particles_pass *d, const frame_data *s, bool first);

void wave_particles_bind(const wave_particles_pass *d);
void wave_particles_fill(const wave_particles_pass *d, wave_block *block);

// Draws the particles onto the picture. Returns false when the driver cannot.
bool wave_particles_draw_births(wave_particles_pass *d, const char *variant);
