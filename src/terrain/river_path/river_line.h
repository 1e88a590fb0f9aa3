// SPDX-License-Identifier: MIT
// river_line.h - the line down the middle of a river, from one border of the grid to another.
//
// Memory: 7 bytes a cell of the grid, in time proportional to the cells.
#pragma once

#include "terrain/river_path/river_wet.h"

typedef struct rl_river_line {
    uint32_t *cell; // downstream, each beside the one before it
    size_t count, capacity;
    double half_width; // mean distance to the nearest dry cell, cells
} rl_river_line;

// Finds the line from the wet cells of side `from` to the border where cell `end` lies, by the way
// that stays furthest from the banks. `end` must be a wet cell of another side. Returns false when
// there is no memory.
bool rl_river_line_find(const rl_wet *wet, int from, uint32_t end, rl_river_line *out);
void rl_river_line_destroy(const rill_allocator *allocator, rl_river_line *line);

// Fills the line, length and fall of a path: the cells' places smoothed over about half the width,
// the surface as given per cell, which must fall downstream, and the bed of the cells.
bool rl_river_line_lay(const rl_river_line *line, const rl_wet *wet, const float *surface,
                       double cell_size, rill_river_path *path);

// Computes means over `reach` values on either side, fewer towards the ends and equally many on
// both sides: a straight line stays as it is, and what never rises still does not.
void rl_river_line_smooth(const float *values, size_t count, size_t reach, float *out);
