// SPDX-License-Identifier: MIT
// frame_data_river.h - the surface of a river as a carpet of square patches (Burrell sections 5.1
// and 5.2). The level of a river does not move, so its triangles are put into order once: those of
// a patch behind each other, so that patches outside the view are left out, and for distant patches
// in fewer, larger triangles.
//
// A coarse patch has all points of its edge and all triangles at the shore, and merges what is open
// water between them (ground_mesh.h). So patches of different detail fit together without cracks,
// and the shore lies where it lies in full detail.
#pragma once

#include "rill/columns.h"
#include "rill/surface.h"

#include <stddef.h>
#include <stdint.h>

typedef struct frame_data frame_data;

#define CARPET_LEVELS 2 // coarser than the lattice

// Largest error of a coarse level, parts of a cell.
extern const float carpet_bounds[CARPET_LEVELS];

typedef struct frame_patch {
    uint32_t first_rest, rest_count; // indices: triangles that are in no block (frame_data_waves.h)
    uint32_t next;                   // of them, while they are put into order
    uint32_t first_coarse[CARPET_LEVELS], coarse_count[CARPET_LEVELS]; // among `coarse`
    float low[3], high[3];                                             // metres
} frame_patch;

typedef struct frame_carpet {
    uint64_t
        version; // another number when it has changed; 0: the water moves, there are no patches
    int patches_x;
    frame_patch *patches;
    size_t patch_count, patch_capacity;
    uint32_t *coarse;
    size_t coarse_count, coarse_capacity;
    uint32_t *vertex_of; // of every cell: the vertex on its centre
    size_t vertex_of_capacity;
} frame_carpet;

// What a capture remembers of a river's mesh.
typedef struct carpet_memory {
    uint32_t *indices;
    float *places; // three a vertex
    size_t index_count, index_capacity, vertex_count, place_capacity;
    uint64_t version; // grows when the mesh is another one
} carpet_memory;

rill_status carpet_notice(carpet_memory *memory, const rill_mesh *mesh);
void carpet_memory_free(carpet_memory *memory);

// The quads of patch (i, j) begin at cell (i, j) * CARPET_PATCH.
#define CARPET_PATCH 64

// Makes patches and their coarse triangles. The triangles of every quad must have been counted.
rill_status frame_carpet_coarsen(frame_data *s);

// Returns the patch that a triangle belongs to; NULL when there are none.
frame_patch *frame_patch_of(frame_data *s, const uint32_t *triangle);

void frame_free_carpet(frame_carpet *carpet);
