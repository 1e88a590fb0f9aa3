// SPDX-License-Identifier: MIT
// river_path.h - finds where a river runs in a terrain (Burrell section 3.1): the wet set, its
// level, and its channels (rill/river.h).
#pragma once

#include "core/assert.h"
#include "core/owned.h"

#include "rill/river.h"
#include "rill/support.h"

#define RL_RIVER_DRY (-1e30f)

struct rill_river_path {
    rl_owned own;
    rill_field level; // metres, RL_RIVER_DRY where it is dry; margin 0
    rill_river_path_view found;
};

// Finds a path. The caller has checked `def` and `ground` (world_river.c).
rill_status rl_river_path_find(const rill_field *ground, double cell_size,
                               const rill_river_path_def *def, const rill_allocator *allocator,
                               rill_river_path **out);

// Finds a level that falls along channels (river_profile.c): fills path->level, which must be dry
// everywhere, the number of wet cells and of branches, and the line of the main channel.
rill_status rl_river_find_profile(const rill_field *ground, double cell_size,
                                  const rill_river_path_def *def, rill_river_path *path);
