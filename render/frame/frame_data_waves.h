// SPDX-License-Identifier: MIT
// frame_data_waves.h - the part of a still that belongs to waves finer than the grid (002 section
// 2.5.2): their texture, how far the flow has carried it, and which quads of the water's lattice
// can be drawn in four times the detail.
//
// A quad lies between the centres of four cells. It can be refined when all four are deep. Waves
// displace its corners by a weight that is zero up to two quads from one that cannot be refined.
// Quads whose corners all have weight zero are the same in both meshes; where they separate refined
// quads from coarse ones they are drawn in both, so that no seam is left uncovered.
#pragma once

#include "rill/columns.h"
#include "rill/waves.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STILL_BLOCK   8 // quads along the side of a block
#define STILL_NO_CELL UINT16_MAX

typedef struct still still;

// The cell at the lower corner of a quad.
typedef struct still_quad {
    uint16_t i, j;
} still_quad;

// A square of STILL_BLOCK x STILL_BLOCK quads, of which those count that are drawn refined.
typedef struct still_block {
    uint32_t first_index, index_count; // triangles of those that are drawn in no other way
    uint32_t first_quad, quad_count;
    float low[3], high[3]; // metres, as the water lies without fine waves
} still_block;

// The water at the centre of a cell, as its vertex has it. A texel of floats.
typedef struct still_point {
    float level;     // metres
    float normal[2]; // x and y of the unit normal
    float weight;    // of the fine waves' displacement, 0 to 1
} still_point;

typedef struct still_waves {
    bool shown;
    int size;   // of the texture
    float tile; // its edge, metres
    float blend[3];
    uint16_t *moves, *slopes; // wave_levels.h
    float *scratch;
    size_t texture_capacity; // texels of all levels that there is room for

    // Halves, 4 a cell: how far the three sets were carried (x, y each), and the weight; the last
    // is free.
    uint16_t *carried[2];
    still_point *points;
    still_quad *quads;
    still_block *blocks;
    uint32_t *sorted;   // room for indices while they are put into order
    still_quad *corner; // of every vertex: the cell whose centre it stands on, if there is one
    uint8_t *state;     // of every quad: its triangles; then how it is drawn
    uint32_t *starts;   // of every block: where its next triangle goes
    size_t cells;       // that there is room for
    size_t sorted_capacity, corner_capacity;
    size_t quad_count, block_count;
    size_t rest_count; // indices of triangles that are in no block; they come first
} still_waves;

// Takes the fine waves over into `s`, whose mesh, columns and bed are already there, and puts its
// triangles into the order of the blocks. Waves without a texture leave the mesh as it is.
rill_status still_take_waves(const rill_waves *waves, const rill_columns *columns, still *s);

// Finds the quads of water that stands, in patches, of which some may be displaced: by waves of
// this variance of their heights, by none if it is negative.
rill_status still_find_quads(const rill_columns *columns, double variance, still *s);

// The quad whose corners a triangle has, by the cell at its lower corner; no cell if there is none.
still_quad still_quad_of(const still_waves *w, const uint32_t *triangle);

void still_free_waves(still_waves *waves);
