// SPDX-License-Identifier: MIT
// frame_data_solid.h - the part of a still that belongs to worlds with a solid ground: its
// triangles, the panes where the liquid is cut off at the border, and rays against all of them.
#pragma once

#include "render/frame/frame_data.h"

// Around a run of the ground's triangles, which lie together because the mesh is made brick by
// brick.
#define STILL_BOX_TRIANGLES 128

typedef struct still_box {
    float low[3], high[3]; // metres
} still_box;

// Room for `count` things, half as many again as asked for so that a growing lake seldom asks.
rill_status still_grow(void **memory, size_t *capacity, size_t count, size_t size);

// A number from -1 to 1 in 16 bits.
static inline int16_t still_pack_unit(float value)
{
    const float within = value < -1.0f ? -1.0f : value > 1.0f ? 1.0f : value;
    return (int16_t)(within * 32767.0f + (within < 0.0f ? -0.5f : 0.5f));
}

// Copies the triangles of a solid ground. `version` of the mesh is taken over.
rill_status still_set_solid(still *s, const rill_ground_mesh *mesh);

// Makes the panes from the columns of all layers along the border. None without a solid.
rill_status still_take_panes(const rill_columns *columns, still *s);

// still_hit() for a solid ground: the nearest triangle of ground or liquid.
bool still_hit_solid(const still *s, const double origin[3], const double direction[3],
                     double hit[3]);
