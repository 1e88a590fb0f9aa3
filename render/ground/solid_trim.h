// SPDX-License-Identifier: MIT
// solid_trim.h - cuts a solid ground off at the sides of the world and closes it there, so that it
// is not seen as a hollow shell: its triangles are clipped, and where the solid meets a side a flat
// face is put, down to the foot of the block.
#pragma once

#include "render/frame/frame_data.h"

// Triangles that grow; all-zero is an empty one. Freed by solid_mesh_free().
typedef struct solid_mesh {
    frame_ground *vertices;
    uint32_t *indices; // three a triangle
    size_t vertex_count, index_count;
    size_t vertex_capacity, index_capacity;
} solid_mesh;

void solid_mesh_free(solid_mesh *mesh);

// The box that stays: everything between west and east, south and north; the foot is below
// everything.
typedef struct solid_box {
    float west, south, east, north, foot; // metres
} solid_box;

// Fills `out`, whose memory is used again, with the ground of `s` inside the box and the faces that
// close it.
rill_status solid_trim(const frame_data *s, const solid_box *box, solid_mesh *out);
