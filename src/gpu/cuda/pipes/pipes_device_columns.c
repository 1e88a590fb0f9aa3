// SPDX-License-Identifier: MIT
// pipes_device_columns.c - the interface of the pipes solver for other modules on the device.
#include "gpu/cuda/pipes/pipes_gpu.h"
#include "gpu/device_columns.h"

#include <string.h>

static int get_columns(void *self, rl_device_columns *columns)
{
    rl_gpu_pipes *g = self;
    const rl_pipes *s = g->host;
    *columns = (rl_device_columns){0};
    if (s->blocks != NULL)
        return 0; // the state is host-resident
    pthread_mutex_lock(&g->mutex);
    rl_gpu_pipes_to_device(g);
    rl_device_pipes_view view;
    rl_device_pipes_view_of(g->device, &view);
    rl_gpu_pipes_note(g, rl_pipes_velocities_make(&view, s->wet_depth, &g->velocities));
    pthread_mutex_unlock(&g->mutex);
    *columns = (rl_device_columns){
        .base = view.fields[RL_DEVICE_BED],
        .depth = view.fields[RL_DEVICE_DEPTH],
        .velocity_x = g->velocities.along[0],
        .velocity_y = g->velocities.along[1],
        .cell_size = (float)s->cell_size,
        .wet_depth = s->wet_depth,
        .layers = 1,
        .nx = s->nx,
        .ny = s->ny,
        .pitch = view.pitch,
        .stream = view.stream,
    };
    return g->error;
}

static int give_deposits(void *self, const rl_device_deposits *deposits)
{
    rl_gpu_pipes *g = self;
    rl_device_pipes_view view;
    rl_device_pipes_view_of(g->device, &view);
    rl_gpu_pipes_note(g, rl_pipes_device_deposit(&view, g->host->cell_size, deposits));
    return g->error;
}

// The host's copies are invalid now.
static int mark_changed(void *self)
{
    rl_gpu_pipes *g = self;
    g->fresh = 0;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
    return g->error;
}

const struct rl_device_columns_ops rl_gpu_pipes_columns = {
    .columns = get_columns, .deposit = give_deposits, .changed = mark_changed};
