// SPDX-License-Identifier: MIT
// swe_device_columns.c - the interface of the swe solver for other modules on the device.
#include "gpu/cuda/swe/swe_gpu.h"
#include "gpu/device_columns.h"

#include <string.h>

// An earlier failure is returned first.
static int finish(rl_gpu_swe *g, int error)
{
    rl_gpu_swe_note(g, error);
    return g->error;
}

static int get_columns(void *self, rl_device_columns *columns)
{
    rl_gpu_swe *g = self;
    const rl_swe *s = g->host;
    rl_device_swe_view view = {0};
    pthread_mutex_lock(&g->mutex);
    rl_gpu_swe_to_device(g);
    const int error = finish(g, rl_device_swe_read(g->device, &view));
    pthread_mutex_unlock(&g->mutex);
    *columns = (rl_device_columns){
        .base = view.base,
        .depth = view.depth,
        .velocity_x = view.velocity_x,
        .velocity_y = view.velocity_y,
        .depth_before = view.depth_before,
        .step = s->last_step,
        .depth_limit = s->last_step > 0.0 ? s->k.deepest : 0.0f,
        .cell_size = (float)s->cell_size,
        .wet_depth = s->wet_depth,
        .layers = 1,
        .nx = s->nx,
        .ny = s->ny,
        .pitch = view.pitch,
        .stream = view.stream,
        .version = s->some_marked,
    };
    return error;
}

static int get_falls(void *self, rl_fall **falls, int *count)
{
    rl_gpu_swe *g = self;
    pthread_mutex_lock(&g->mutex);
    rl_gpu_swe_take_list_back(g);
    rl_gpu_swe_to_device(g);
    const int error = finish(g, rl_device_swe_move_falls(g->device, falls, count));
    g->list_fresh = false;
    pthread_mutex_unlock(&g->mutex);
    return error;
}

static int give_deposits(void *self, const rl_device_deposits *deposits)
{
    rl_gpu_swe *g = self;
    return finish(g, rl_device_swe_give_to_cells(g->device, &g->host->k, deposits));
}

// The host's copies are invalid now.
static int mark_changed(void *self)
{
    rl_gpu_swe *g = self;
    g->fresh = 0;
    g->running_max_stale = true;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
    return g->error;
}

const struct rl_device_columns_ops rl_gpu_swe_columns = {
    .columns = get_columns,
    .deposit = give_deposits,
    .changed = mark_changed,
    .falls = get_falls,
};
