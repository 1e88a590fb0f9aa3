// SPDX-License-Identifier: MIT
// initial_water.h - what a definition says about the ground and the water of a cell at the start.
#pragma once

#include "solvers/shared/sentinels_cell.h"

#include "rill/support.h"
#include "rill/world.h"

static inline float rl_first_value(const rill_field_view *view, int i, int j)
{
    return view->data != NULL ? view->data[(size_t)j * view->pitch + (size_t)i] : 0.0f;
}

// Metres of water over ground at `bed`: the field's, or what the level asks for where that is more.
static inline float rl_first_depth(const rill_world_def *def, int i, int j, float bed)
{
    const float depth = rl_first_value(&def->depth, i, j), to_level = def->level - bed;
    return def->use_level && to_level > depth ? to_level : depth;
}

// Fills the bed, which is a wall beyond the grid, and the depths of a solver with one column a
// cell. Returns the largest depth, metres.
static inline float rl_first_columns(const rill_world_def *def, rill_field *bed, rill_field *depth)
{
    float deepest = 0.0f;
    rill_field_fill(bed, RL_WALL);
    for (int j = 0; j < bed->ny; j++) {
        float *b = rill_field_row(bed, j), *d = rill_field_row(depth, j);
        for (int i = 0; i < bed->nx; i++) {
            b[i] = rl_first_value(&def->bed, i, j);
            d[i] = rl_first_depth(def, i, j, b[i]);
            deepest = d[i] > deepest ? d[i] : deepest;
        }
    }
    return deepest;
}
