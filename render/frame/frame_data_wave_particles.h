// SPDX-License-Identifier: MIT
// frame_data_wave_particles.h - the part of the frame data that belongs to the wave particles of a
// river (rill/river.h, Burrell chapter 4): their tiles as layers of halves with coarser levels, and
// where the particles were born.
//
// A tile of the world has a rim of one texel. A layer has one of a whole cell, taken from the tiles
// around it, so that its coarser levels, down to a texel a cell, can be interpolated up to the edge
// as well, and no seam shows between two tiles.
#pragma once

#include "rill/river.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct frame_data frame_data;

#define FRAME_WAVE_LEVELS 5 // 16 texels a cell are the most

// A particle in 12 bytes.
typedef struct frame_birth {
    float place[2];    // metres
    uint8_t colour[4]; // linear: the hue of its birth place, as bright as it counts; the weight
} frame_birth;

typedef struct frame_wave_particles {
    bool shown;
    int tiles_x, tiles_y, tile_cells, tile_count;
    int texels;       // along a cell
    int side, levels; // texels along a layer, its rim included; levels of detail
    float texel;      // metres
    float variance;   // mean square of the slopes, of all waves
    float *index;     // tiles_x * tiles_y: layer, or -1
    // tile_count layers behind each other, each with its levels, finest first. A texel is height
    // (metres), slope along x and y, and the square of the slope, which means of slopes lose.
    uint16_t *layers;
    uint32_t *version; // of every layer: another number, another content
    float *scratch;    // one layer in floats
    size_t index_capacity, layer_capacity, version_capacity, scratch_capacity;

    frame_birth *births; // only after frame_capture_show_births()
    size_t birth_count, birth_capacity;
} frame_wave_particles;

// What a capture remembers of the tiles, so that only those that have changed are packed.
typedef struct wave_particles_memory {
    float *tiles;
    int *index;
    uint32_t *version;
    uint8_t *changed;
    size_t tile_capacity, index_capacity, version_capacity, changed_capacity;
    int tiles_x, tiles_y, tile_side, tile_count;
    uint32_t newest; // version
} wave_particles_memory;

// Copies the tiles into `s`, and with `births` the particles. Wave particles without tiles leave it
// without.
rill_status frame_fill_wave_particles(wave_particles_memory *memory,
                                      const rill_wave_particles *particles, bool births,
                                      frame_data *s);

// Returns the texels of all levels of a layer.
size_t frame_wave_layer_texels(const frame_wave_particles *d);

void frame_free_wave_particles(frame_wave_particles *particles);
void wave_particles_memory_free(wave_particles_memory *memory);
