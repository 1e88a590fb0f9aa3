// SPDX-License-Identifier: MIT
// layers_device_columns.c - the interface of the layers solver for other modules on the device.
#include "gpu/cuda/layers/layers_gpu.h"
#include "gpu/device_columns.h"

#include <string.h>

static int get_columns(void *self, rl_device_columns *columns)
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

// The place of the fields does not change with the ground.
static int give_deposits(void *self, const rl_device_deposits *deposits)
{
    rl_gpu_layers *g = self;
    rl_device_layers_view view = {0};
    rl_gpu_layers_note(g, rl_device_layers_view_of(g->device, &view));
    rl_gpu_layers_note(g, rl_layers_device_deposit(&view, g->host->cell_size, deposits));
    return g->error;
}

// The host's copies are invalid now.
static int mark_changed(void *self)
{
    rl_gpu_layers *g = self;
    g->fresh = 0;
    g->running_max_stale = true;
    memset(g->row_fresh, 0, rl_gpu_layers_rows(g));
    return g->error;
}

const struct rl_device_columns_ops rl_gpu_layers_columns = {
    .columns = get_columns, .deposit = give_deposits, .changed = mark_changed};
