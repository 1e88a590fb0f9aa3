// SPDX-License-Identifier: MIT
// river_flood.h - fills the hollows of a terrain to their lowest pass, so that water has a way out
// from everywhere. All sides but the one that the river comes in by are outlets; that one is a
// wall. Cells have a rim of one cell without data around them, so that every cell has four
// neighbours: cell (i, j) is number (j + 1) * pitch + i + 1.
//
// Memory: 9 bytes a cell, and 8 a cell of the passes and shores that wait to be flooded.
#pragma once

#include "rill/support.h"

// Where the water of a cell goes, besides 0 to 3 for east, west, north and south: the low bits.
enum { RL_WAY_OUT = 4, RL_WAY_UNREACHED = 5, RL_WAY_NO_DATA = 6, RL_WAY_BITS = 7 };

typedef struct rl_drainage {
    const rill_allocator *allocator;
    int nx, ny, from;
    size_t pitch, cells;   // with the rim
    float *level;          // of the ground, smoothed; then of the flood
    float *border;         // of the ground along side `from`
    uint32_t *work;        // a number a cell, lists while it is flooded; then free for use
    uint8_t *way;          // the flood's own: back to where it came from
    float lowest, highest; // of the ground
    uint64_t *heap;
    size_t waiting, heap_capacity;
} rl_drainage;

// Copies and smooths the ground by `length` cells, and floods it. Returns false when there is no
// memory. The caller must destroy it either way.
bool rl_drainage_flood(rl_drainage *d, const rill_field *ground, int from, double length,
                       const rill_allocator *allocator);
void rl_drainage_destroy(rl_drainage *d);

static inline uint32_t rl_drainage_neighbour(const rl_drainage *d, uint32_t cell, int way)
{
    const uint32_t step = way < 2 ? 1u : (uint32_t)d->pitch;
    return way % 2 == 0 ? cell + step : cell - step;
}

// Convert j * nx + i to the number of a cell with the rim, and back.
static inline uint32_t rl_drainage_with_rim(const rl_drainage *d, uint32_t cell)
{
    const uint32_t nx = (uint32_t)d->nx;
    return (cell / nx + 1) * (uint32_t)d->pitch + cell % nx + 1;
}
static inline uint32_t rl_drainage_without_rim(const rl_drainage *d, uint32_t cell)
{
    const uint32_t pitch = (uint32_t)d->pitch;
    return (cell / pitch - 1) * (uint32_t)d->nx + cell % pitch - 1;
}
