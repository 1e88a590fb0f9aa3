// SPDX-License-Identifier: MIT
// initial_water.h - what a definition says about the ground and the water of a cell at the start.
#pragma once

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
