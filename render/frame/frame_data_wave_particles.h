// SPDX-License-Identifier: MIT
// frame_data_wave_particles.h - the part of a still that belongs to waves that drift on a river
// (rill/river.h, 004 chapter 4): their pages as layers of halves with coarser levels, and where
// their particles were born.
//
// A page of the world has a rim of one texel. A layer has one of a whole cell, taken from the pages
// around it, so that its coarser levels, down to a texel a cell, can be interpolated up to the edge
// as well, and no seam shows between two pages.
#pragma once

#include "rill/river.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct still still;

#define STILL_DRIFT_LEVELS 5 // 16 texels a cell are the most

// A particle in 12 bytes.
typedef struct still_birth {
    float place[2];    // metres
    uint8_t colour[4]; // linear: the hue of its birth place, as bright as it counts; the weight
} still_birth;

typedef struct still_drift {
    bool shown;
    int pages_x, pages_y, page_cells, page_count;
    int texels;       // along a cell
    int side, levels; // texels along a layer, its rim included; levels of detail
    float texel;      // metres
    float variance;   // mean square of the slopes, of all waves
    float *index;     // pages_x * pages_y: layer, or -1
    // page_count layers behind each other, each with its levels, finest first. A texel is height
    // (metres), slope along x and y, and the square of the slope, which means of slopes lose.
    uint16_t *layers;
    uint32_t *version; // of every layer: another number, another content
    float *scratch;    // one layer in floats
    size_t index_capacity, layer_capacity, version_capacity, scratch_capacity;

    still_birth *births; // only when the taker was told to show them
    size_t birth_count, birth_capacity;
} still_drift;

// What a taker remembers of the pages, so that only those that have changed are packed.
typedef struct drift_memory {
    float *pages;
    int *index;
    uint32_t *version;
    uint8_t *changed;
    size_t page_capacity, index_capacity, version_capacity, changed_capacity;
    int pages_x, pages_y, page_side, page_count;
    uint32_t newest; // version
} drift_memory;

// Takes the pages over into `s`, and with `births` the particles. A drift without pages leaves it
// without.
rill_status still_take_drift(drift_memory *memory, const rill_wave_particles *drift, bool births,
                             still *s);

// Texels of all levels of a layer.
size_t still_drift_layer_texels(const still_drift *d);

void still_free_drift(still_drift *drift);
void drift_memory_free(drift_memory *memory);
