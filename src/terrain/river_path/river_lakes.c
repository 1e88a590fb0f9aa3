// SPDX-License-Identifier: MIT
// river_lakes.c - lakes on a river. DEMs show a lake as cells of one elevation. So they show ground
// between contours, in whole metres; but beside a step of a slope about half of the ground is
// lower, beside a lake only where it leaves.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"

#define LOWER_PART 0.1 // of the rim, at most
#define SEEN       1

static bool put(const rill_allocator *allocator, uint8_t *mark, uint32_t cell, rl_lake *lake)
{
    uint32_t *cells =
        rl_grow(allocator, lake->cell, sizeof *cells, &lake->capacity, lake->count + 1);
    if (cells == NULL)
        return false;
    lake->cell = cells;
    cells[lake->count++] = cell;
    mark[cell] |= SEEN;
    return true;
}

bool rl_lake_find(const rill_field *ground, uint32_t cell, uint8_t *mark,
                  const rill_allocator *allocator, rl_lake *out)
{
    const rl_wet grid = {.ground = ground, .nx = ground->nx, .ny = ground->ny};
    const float level = rl_wet_ground(&grid, cell);
    int64_t lower = 0, higher = 0;
    out->count = 0;
    bool good = put(allocator, mark, cell, out);
    for (size_t n = 0; n < out->count && good; n++) {
        uint32_t other[4];
        const int others = rl_wet_neighbours(&grid, out->cell[n], other);
        for (int k = 0; k < others && good; k++) {
            const float z = rl_wet_ground(&grid, other[k]);
            lower += z < level;
            higher += z > level;
            if (z == level && !(mark[other[k]] & SEEN))
                good = put(allocator, mark, other[k], out);
        }
    }
    for (size_t n = 0; n < out->count; n++)
        mark[out->cell[n]] = (uint8_t)(mark[out->cell[n]] & ~SEEN);
    if (out->count < RL_LAKE_LEAST || (double)lower > LOWER_PART * (double)(lower + higher))
        out->count = 0;
    return good;
}
