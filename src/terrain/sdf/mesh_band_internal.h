// SPDX-License-Identifier: MIT
// mesh_band_internal.h - what the two files have in common that fill the band of a mesh.
//
//     mesh_band.c         memory, places, facets, the order of the work, joining
//     mesh_band_spread.c  spreading, rings, closing
#pragma once

#include "terrain/sdf/mesh_band.h"

#include "terrain/sdf/mesh_facet_inline.h"

#define RL_BAND_SPREAD     1.01  // cells to which triangles tell their distance,
#define RL_BAND_SPREAD_INT 66192 // which is a little less than this many whole numbers
#define RL_BAND_RINGS      4     // RL_MESH_REACH less that
#define RL_BAND_ROWS       8     // of nodes, of a task

// What is known of a node while a band is filled.
typedef struct rl_mesh_node {
    uint32_t nearest; // triangle, where ring is not NONE
    int16_t turns;    // how often the surface goes around it; at first, how that changes here
    uint8_t ring;     // in which it got its triangle: 0 from the triangle itself
} rl_mesh_node;

typedef struct rl_mesh_filling {
    rl_mesh_band *band;
    rl_mesh_scratch *scratch;
    const rl_solid *solid;
    const rill_sdf_primitive *primitive;
    rl_placed_primitive placed;
    int size[3]; // nodes of the band
    int ring, odd;
} rl_mesh_filling;

// The nodes [from, end) between two whole numbers, no others than [first, last) of the axis.
static inline void rl_band_limit(int32_t low, int32_t high, int first, int last, int *from,
                                 int *end)
{
    *from = rl_clamp_int((low + (RL_FACET_CELL - 1)) >> RL_FACET_BITS, first, last);
    *end = rl_clamp_int((high >> RL_FACET_BITS) + 1, first, last);
}

// Tasks of a filling, in this order (mesh_band_spread.c): rows of nodes from task * RL_BAND_ROWS
// on; for rings those of 2 * task + odd.
void rl_mesh_band_spread(void *filling, int task);
void rl_mesh_band_grow(void *filling, int task);
void rl_mesh_band_close(void *filling, int task);
