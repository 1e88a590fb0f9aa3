// SPDX-License-Identifier: MIT
// columns_view.h - the columns of a solver with one layer, from its fields.
#pragma once

#include "core/assert.h"

#include "rill/columns.h"
#include "rill/support.h"

static inline rill_columns rl_columns_view(const rill_field *base, const rill_field *depth,
                                           const rill_field *velocity_x,
                                           const rill_field *velocity_y, double cell_size,
                                           float wet_depth)
{
    RL_ASSERT(depth->pitch == base->pitch && velocity_x->pitch == base->pitch &&
              velocity_y->pitch == base->pitch);
    return (rill_columns){
        .nx = base->nx,
        .ny = base->ny,
        .layers = 1,
        .pitch = base->pitch,
        .cell_size = (float)cell_size,
        .wet_depth = wet_depth,
        .base = base->origin,
        .depth = depth->origin,
        .velocity_x = velocity_x->origin,
        .velocity_y = velocity_y->origin,
    };
}
