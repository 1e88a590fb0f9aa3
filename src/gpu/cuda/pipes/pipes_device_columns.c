// SPDX-License-Identifier: MIT
// pipes_device_columns.c - the pipes water on a GPU for others that are there.
#include "gpu/cuda/pipes/pipes_gpu.h"
#include "gpu/device_ops.h"

#include <string.h>

static int water_columns(void *self, rl_device_columns *columns)
{
    rl_gpu_pipes *g = self;
    const rl_pipes *s = g->host;
    *columns = (rl_device_columns){0};
    if (s->blocks != NULL)
        return 0; // the host has it
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

static int water_deposit(void *self, const rl_device_deposits *deposits)
{
    rl_gpu_pipes *g = self;
    rl_device_pipes_view view;
    rl_device_pipes_view_of(g->device, &view);
    rl_gpu_pipes_note(g, rl_pipes_device_deposit(&view, g->host->cell_size, deposits));
    return g->error;
}

// What the host has seen is no longer so.
static int water_changed(void *self)
{
    rl_gpu_pipes *g = self;
    g->fresh = 0;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
    return g->error;
}

const struct rl_device_ops rl_gpu_pipes_device = {
    .advance = rl_gpu_pipes_advance,
    .rain = rl_gpu_pipes_rain,
    .columns = water_columns,
    .deposit = water_deposit,
    .changed = water_changed,
};
