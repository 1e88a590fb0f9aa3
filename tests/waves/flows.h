// SPDX-License-Identifier: MIT
// flows.h - for tests of waves on a flow: a flow on a grid of NX x NY cells of DX metres in rows of
// PITCH values, which whoever includes this has defined, and the columns that show it.
#pragma once

#include "rill/world.h"

typedef struct flow {
    float depth[NY * PITCH], u[NY * PITCH], v[NY * PITCH];
} flow;

static flow water;

static inline rill_columns columns_of(const flow *f)
{
    return (rill_columns){.nx = NX,
                          .ny = NY,
                          .layers = 1,
                          .pitch = PITCH,
                          .layer_stride = NY * PITCH,
                          .cell_size = DX,
                          .wet_depth = 1e-5f,
                          .depth = f->depth,
                          .velocity_x = f->u,
                          .velocity_y = f->v};
}
