// SPDX-License-Identifier: MIT
// head.h - levels that bodies feel in and around the cells which they block (head.c).
#pragma once

#include "bodies/blocking/body_raster.h"

#define RL_HEAD_SWEEPS   4     // even
#define RL_HEAD_TOUCHING 0.1f  // in cells: a body that is closer above the water presses it
#define RL_HEAD_FLAT     1e-6f // metres: levels that differ by less need no sweeps

// Levels in and around what is blocked (head.c).
typedef struct rl_head_fill {
    rl_bodies *bodies;
    rl_raster *raster;
    const rl_blocks *set; // NULL: nothing is blocked
    const rill_columns *columns;
    bool show; // write show_base and show_depth of blocked cells as well
} rl_head_fill;

// That of a step.
rl_head_fill rl_head_fill_of(rl_bodies *bodies, const rl_body_water *water);

// Finds the groups of boxes in which levels are filled in: rl_raster.group_count. No box of one is
// within a cell of a box of another. Then each may be filled by another thread.
void rl_head_plan(const rl_head_fill *fill);
void rl_head_group(const rl_head_fill *fill, int group);

// Fills rl_bodies.level in the boxes of blocking bodies, and where they were when the water was
// last told of them, and a cell around.
void rl_head_levels(const rl_head_fill *fill, rl_jobs *jobs);

// The same as rl_head_group for a group that is small and simple (head_small.c); returns false,
// with nothing written, for any other.
bool rl_head_small(const rl_head_fill *fill, const rl_box *boxes, const int *members, int count);
