// SPDX-License-Identifier: MIT
// river_wet.h - the wet cells of a river while it is being found: a list that serves as the queue
// of every flood, so that nothing recurses. Cell (i, j) is number j * nx + i.
//
// Memory: one byte a cell of the grid, and 4 to 8 bytes a wet cell.
#pragma once

#include "terrain/river_path/river_path.h"

#include "rill/support.h"

enum { RL_WET_PINNED = 1, RL_WET_REACHED = 2 }; // bits of a mark
#define RL_WET_STEPS     4                      // the other bits count steps left, times this
#define RL_WET_MAX_STEPS 63

typedef struct rl_wet {
    const rill_allocator *allocator;
    const rill_field *ground;
    rill_field *level; // RL_RIVER_DRY where it is dry
    int nx, ny;
    uint8_t *mark;
    uint32_t *cell; // those that are wet, in the order they were reached
    size_t count, capacity;
} rl_wet;

// Creates a wet set. `level` must be dry everywhere. Returns false when there is no memory.
bool rl_wet_create(const rill_allocator *allocator, const rill_field *ground, rill_field *level,
                   rl_wet *out);
void rl_wet_destroy(rl_wet *wet);

static inline float *rl_wet_level(const rl_wet *wet, uint32_t cell)
{
    return rill_field_row(wet->level, (int)(cell / (uint32_t)wet->nx)) + cell % (uint32_t)wet->nx;
}

static inline float rl_wet_ground(const rl_wet *wet, uint32_t cell)
{
    return rill_field_row(wet->ground, (int)(cell / (uint32_t)wet->nx))[cell % (uint32_t)wet->nx];
}

static inline bool rl_wet_is(const rl_wet *wet, uint32_t cell)
{
    return *rl_wet_level(wet, cell) > RL_RIVER_DRY;
}

// Finds the neighbours of a cell to the east, west, north and south, as far as there are any.
static inline int rl_wet_neighbours(const rl_wet *wet, uint32_t cell, uint32_t out[4])
{
    const uint32_t nx = (uint32_t)wet->nx, i = cell % nx, j = cell / nx;
    int count = 0;
    if (i + 1 < nx)
        out[count++] = cell + 1;
    if (i > 0)
        out[count++] = cell - 1;
    if (j + 1 < (uint32_t)wet->ny)
        out[count++] = cell + nx;
    if (j > 0)
        out[count++] = cell - nx;
    return count;
}

// Return the cells along a side of the grid, and the n-th of them, counted west to east or south to
// north.
static inline int rl_side_cells(int side, int nx, int ny)
{
    return side < 2 ? ny : nx;
}
static inline uint32_t rl_side_cell(int side, int n, int nx, int ny)
{
    if (side < 2)
        return (uint32_t)n * (uint32_t)nx + (side == 0 ? 0u : (uint32_t)nx - 1u);
    return (side == 2 ? 0u : (uint32_t)(ny - 1) * (uint32_t)nx) + (uint32_t)n;
}

// Floods anew from channel cells: the water may stand in each cell as high as in the channel cell
// nearest to it, and reaches all cells below that which have a way to the channel. So a gap in a
// bank lets no water of the upper reaches run down over the plain at their level. Takes 2 bytes a
// cell. Returns false when there is no memory.
bool rl_wet_flood(rl_wet *wet, const uint32_t *channel, const float *levels, size_t count);

// Makes a dry cell wet. Returns false when there is no memory.
bool rl_wet_add(rl_wet *wet, uint32_t cell, float level);

// Spreads the water of the cells from number `first` of the list on over dry neighbours whose
// ground is not above it, at its level: without end, or when `limited`, by as many steps as each of
// those cells has in its mark. Returns false when there is no memory.
bool rl_wet_spread(rl_wet *wet, size_t first, bool limited);

// Relaxes the level of every cell that is not pinned towards the mean of its wet neighbours, so
// that it has no seams between what came from different sources. Takes 5 bytes a wet cell. Returns
// false when there is no memory.
bool rl_wet_relax(const rl_wet *wet, int sweeps);

// Drops cells whose ground is above their level, and then all that have no way over wet cells to
// one of `sources` that is wet. Returns false when there is no memory.
bool rl_wet_trim(rl_wet *wet, const uint32_t *sources, size_t source_count);
