// SPDX-License-Identifier: MIT
// frame_data_waves.h - the part of the frame data that belongs to waves finer than the grid
// (Chentanez and Müller section 2.5.2): their texture, its advected coordinates, and which quads of
// the water's lattice can be drawn in four times the detail.
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

#define FRAME_QUAD_BLOCK 8 // quads along the side of a block
#define FRAME_NO_CELL    UINT16_MAX

typedef struct frame_data frame_data;

// The cell at the lower corner of a quad.
typedef struct frame_quad {
    uint16_t i, j;
} frame_quad;

// A square of FRAME_QUAD_BLOCK x FRAME_QUAD_BLOCK quads, of which only the refined ones count.
typedef struct frame_quad_block {
    uint32_t first_index, index_count; // triangles of those that are drawn in no other way
    uint32_t first_quad, quad_count;
    float low[3], high[3]; // metres, as the water lies without fine waves
} frame_quad_block;

// The water at the centre of a cell, as its vertex has it. A texel of floats.
typedef struct frame_point {
    float level;     // metres
    float normal[2]; // x and y of the unit normal
    float weight;    // of the fine waves' displacement, 0 to 1
} frame_point;

typedef struct frame_waves {
    bool shown;
    int size;   // of the texture
    float tile; // its edge, metres
    float blend[3];
    uint16_t *moves, *slopes; // wave_levels.h
    float *scratch;
    size_t texture_capacity; // texels of all levels

    // Halves, 4 a cell: displacement of the three sets (x, y each), and the weight; the last is
    // free.
    uint16_t *advected[2];
    frame_point *points;
    frame_quad *quads;
    frame_quad_block *blocks;
    uint32_t *sorted;   // indices while they are put into order
    frame_quad *corner; // of every vertex: the cell whose centre it stands on, if there is one
    uint8_t *state;     // of every quad: its triangles; then how it is drawn
    uint32_t *starts;   // of every block: where its next triangle goes
    size_t cells;       // capacity
    size_t sorted_capacity, corner_capacity;
    size_t quad_count, block_count;
    size_t rest_count; // indices of triangles that are in no block; they come first
} frame_waves;

// Copies the fine waves into `s`, whose mesh, columns and bed are already there, and puts its
// triangles into the order of the blocks. Waves without a texture leave the mesh as it is.
rill_status frame_fill_waves(const rill_waves *waves, const rill_columns *columns, frame_data *s);

// Finds the quads of water whose level does not move, in patches, of which some may be displaced:
// by waves of this variance of their heights, by none if it is negative.
rill_status frame_find_quads(const rill_columns *columns, double variance, frame_data *s);

// Returns the quad whose corners a triangle has, by the cell at its lower corner; no cell if there
// is none.
frame_quad frame_quad_of(const frame_waves *w, const uint32_t *triangle);

void frame_free_waves(frame_waves *waves);
