// SPDX-License-Identifier: MIT
// river_path.h - finds where a river runs in a terrain (Burrell section 3.1): the wet set, its
// level, and its channels (rill/river.h).
#pragma once

#include "core/assert.h"
#include "core/owned.h"

#include "rill/river.h"
#include "rill/support.h"

#define RL_RIVER_DRY (-1e30f)

// Water that comes out of the ground into a cell: a flow over the asked speed, cells across.
// Negative where it leaves without a border.
typedef struct rl_river_spring {
    uint32_t cell; // j * nx + i
    float amount;
} rl_river_spring;

struct rill_river_path {
    rl_owned own;
    rill_field level;  // metres, RL_RIVER_DRY where it is dry; margin 0
    rill_field ground; // with the bed carved; origin NULL when none is
    rl_river_spring *springs;
    size_t spring_count;
    double
        cut; // metres: the deepest that the surface of a river found by areas lies in the ground,
    int cut_at; // and the point of its line there
    rill_river_path_view found;
    char doubt[320];
};

// Finds a path. The caller has checked `def` and `ground` (world_river.c).
rill_status rl_river_path_find(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, const rill_allocator *allocator,
                               rill_river_path **out);

// Copies a path.
rill_status rl_river_path_copy(const rill_river_path *path, const rill_allocator *allocator,
                               rill_river_path **out);

// Finds a level that falls along channels (river_profile.c), from a side: fills path->level, which
// must be dry everywhere, the number of wet cells and of branches, and the line of the main
// channel.
rill_status rl_river_find_profile(const rill_field *ground, double cell_size,
                                  const rill_river_path_def *def, rill_river_path *path);

// Finds a river that rises in the terrain or comes in wherever it does (river_auto.c): fills all of
// `path`. path->level must be dry everywhere.
rill_status rl_river_find_auto(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, rill_river_path *path);

// Writes down what is not plausible about a river that was found, if anything, and what to set
// (river_doubt.c).
void rl_river_doubt(const rill_field *ground, double cell_size, const rill_river_path_def *def,
                    rill_river_path *path);

// Finds the drainage of the ground, smoothed over `length` cells (river_auto.c).
rill_status rl_drainage_find(const rill_field *ground, double length,
                             const rill_allocator *allocator, rill_drainage **out);
