// SPDX-License-Identifier: MIT
// frame_data_solid.h - the part of the frame data that belongs to worlds with a solid ground: its
// triangles, the panes where the liquid is cut off at the border, and rays against all of them.
#pragma once

#include "render/frame/frame_data.h"

// Triangles of the ground in one box; they lie together because the mesh is made brick by brick.
#define FRAME_BOX_TRIANGLES 128

typedef struct frame_box {
    float low[3], high[3]; // metres
} frame_box;

// Grows an array to `count` elements, and half as many again so that a growing lake seldom asks.
rill_status frame_grow(void **memory, size_t *capacity, size_t count, size_t size);

// Packs a number from -1 to 1 in 16 bits.
static inline int16_t frame_pack_unit(float value)
{
    const float within = value < -1.0f ? -1.0f : value > 1.0f ? 1.0f : value;
    return (int16_t)(within * 32767.0f + (within < 0.0f ? -0.5f : 0.5f));
}

// Copies the triangles of a solid ground and the version of its mesh.
rill_status frame_set_solid(frame_data *s, const rill_ground_mesh *mesh);

// Makes the panes from the columns of all layers along the border; there are none without a solid.
rill_status frame_fill_panes(const rill_columns *columns, frame_data *s);

// Is frame_data_hit() for a solid ground: finds the nearest triangle of ground or liquid.
bool frame_data_hit_solid(const frame_data *s, const double origin[3], const double direction[3],
                          double hit[3]);
