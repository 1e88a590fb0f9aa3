// SPDX-License-Identifier: MIT
// frame_data_river.h - the surface of a river as a carpet of square patches (004 sections 5.1
// and 5.2). The level of a river stands, so its triangles are put into order once: those of a patch
// behind each other, so that patches outside the view are left out, and for patches that are far
// away in fewer, larger triangles.
//
// A coarse patch keeps all points of its edge and all triangles at the shore, and merges what is
// open water between them (ground_mesh.h). So patches fit together without cracks whatever detail
// each is drawn in, and the shore lies where it lies in full detail.
#pragma once

#include "rill/columns.h"
#include "rill/surface.h"

#include <stddef.h>
#include <stdint.h>

typedef struct still still;

#define CARPET_LEVELS 2 // coarser than the lattice

// How far a coarse level may be off, parts of a cell.
extern const float carpet_bounds[CARPET_LEVELS];

typedef struct still_patch {
    uint32_t first_rest, rest_count; // indices: triangles that are in no block (frame_data_waves.h)
    uint32_t next;                   // of them, while they are put into order
    uint32_t first_coarse[CARPET_LEVELS], coarse_count[CARPET_LEVELS]; // among `coarse`
    float low[3], high[3];                                             // metres
} still_patch;

typedef struct still_carpet {
    uint64_t
        version; // another number when it has changed; 0: the water moves, there are no patches
    int patches_x;
    still_patch *patches;
    size_t patch_count, patch_capacity;
    uint32_t *coarse;
    size_t coarse_count, coarse_capacity;
    uint32_t *vertex_of; // of every cell: the vertex on its centre
    size_t vertex_of_capacity;
} still_carpet;

// What a taker remembers of a river's mesh.
typedef struct carpet_memory {
    uint32_t *indices;
    float *places; // three a vertex
    size_t index_count, index_capacity, vertex_count, place_capacity;
    uint64_t version; // grows when the mesh is another one
} carpet_memory;

rill_status carpet_notice(carpet_memory *memory, const rill_mesh *mesh);
void carpet_memory_free(carpet_memory *memory);

// The part of the world whose quads belong to patch (i, j) begins at cell (i, j) * CARPET_PATCH.
#define CARPET_PATCH 64

// Makes patches and their coarse triangles. The triangles of every quad were counted.
rill_status still_carpet_coarsen(still *s);

// The patch that a triangle belongs to; NULL when there are none.
still_patch *still_patch_of(still *s, const uint32_t *triangle);

void still_free_carpet(still_carpet *carpet);
