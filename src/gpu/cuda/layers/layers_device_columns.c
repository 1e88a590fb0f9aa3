// SPDX-License-Identifier: MIT
// layers_device_columns.c - the layers water on a GPU for others that are there.
#include "gpu/cuda/layers/layers_gpu.h"
#include "gpu/device_ops.h"

#include <string.h>

static int water_columns(void *self, rl_device_columns *columns)
{
    rl_gpu_layers *g = self;
    const rl_layers *s = g->host;
    rl_device_layers_view view = {0};
    pthread_mutex_lock(&g->mutex);
    rl_gpu_layers_to_device(g);
    rl_gpu_layers_note(g, rl_device_layers_view_of(g->device, &view));
    rl_gpu_layers_note(g, rl_layers_velocities_make(&view, s->wet_depth, &g->velocities));
    pthread_mutex_unlock(&g->mutex);
    *columns = (rl_device_columns){
        .base = view.fields[RL_COLUMN_BASE],
        .depth = view.fields[RL_COLUMN_DEPTH],
        .velocity_x = g->velocities.along[0],
        .velocity_y = g->velocities.along[1],
        .range_min = view.fields[RL_COLUMN_BOTTOM],
        .range_max = view.fields[RL_COLUMN_TOP],
        .layers = s->planes,
        .layer_stride = (size_t)view.plane_rows * (size_t)view.pitch,
        .cell_size = (float)s->cell_size,
        .wet_depth = s->wet_depth,
        .nx = s->nx,
        .ny = s->ny,
        .pitch = view.pitch,
        .stream = view.stream,
    };
    return g->error;
}

// Fields stay where they are, whatever happens to the ground.
static int water_deposit(void *self, const rl_device_deposits *deposits)
{
    rl_gpu_layers *g = self;
    rl_device_layers_view view = {0};
    rl_gpu_layers_note(g, rl_device_layers_view_of(g->device, &view));
    rl_gpu_layers_note(g, rl_layers_device_deposit(&view, g->host->cell_size, deposits));
    return g->error;
}

// What the host has seen is no longer so.
static int water_changed(void *self)
{
    rl_gpu_layers *g = self;
    g->fresh = 0;
    g->raised_stale = true;
    memset(g->row_fresh, 0, rl_gpu_layers_rows(g));
    return g->error;
}

const struct rl_device_ops rl_gpu_layers_device = {
    .advance = rl_gpu_layers_advance,
    .columns = water_columns,
    .deposit = water_deposit,
    .changed = water_changed,
};
