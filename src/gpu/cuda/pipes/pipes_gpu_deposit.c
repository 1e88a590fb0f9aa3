// SPDX-License-Identifier: MIT
// pipes_gpu_deposit.c - deposits of the pipes solver on a GPU. The result of a positive deposit is
// known without reading the water, so it waits on the host and the device adds it before the next
// step. Water that is taken depends on the present water: rows from which it is taken are
// synchronised, changed by the host's own code and sent back.
#include "core/assert.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/pipes/pipes_gpu.h"
#include "solvers/shared/deposit_run.h"

#include <string.h>

// ---- Deposits --------------------------------------------------------------------------

void rl_gpu_pipes_give(rl_gpu_pipes *g)
{
    rl_deposit_queue *w = &g->deposits;
    if (w->run_count == 0)
        return;
    const rl_queued_deposit deposit = rl_deposit_queue_take(w, g->host->ny);
    rl_gpu_pipes_note(g, rl_device_pipes_give(g->device, &deposit));
    g->fresh = 0;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
}

// Waits until the memory of waiting deposits may be changed.
static void settle(rl_gpu_pipes *g)
{
    if (g->deposits.under_way)
        rl_gpu_pipes_note(g, rl_device_pipes_settle(g->device));
    g->deposits.under_way = false;
}

// Makes space for one more run; returns false when it is larger than the queue.
static bool reserve_run(rl_gpu_pipes *g, int count)
{
    rl_deposit_queue *w = &g->deposits;
    if (count > w->amount_capacity)
        return false;
    if (!rl_deposit_queue_fit(w, count))
        rl_gpu_pipes_give(g);
    settle(g);
    return true;
}

static bool queue(rl_gpu_pipes *g, const rl_deposit *d)
{
    RL_ASSERT(d->row >= 0 && d->row < g->host->ny && d->count >= 0);
    rl_deposit_queue *w = &g->deposits;
    if (!reserve_run(g, d->count))
        return false;
    rl_deposit_queue_add(w, d);
    // The host's copy of this row is invalid now.
    g->row_fresh[d->row] = 0;
    g->fresh &= ~(1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER);
    return true;
}

// ---- Weather ---------------------------------------------------------------------------

static void fall(rl_gpu_pipes *g, float depth, double *row_volumes)
{
    // The device takes waiting deposits and this one in this order.
    if (g->deposits.run_count + g->host->ny > g->deposits.run_capacity)
        rl_gpu_pipes_give(g);
    settle(g);
    rl_deposit_queue_rain(&g->deposits, g->host->nx, g->host->ny, depth, g->host->cell_size,
                          row_volumes);
}

static void dry(rl_gpu_pipes *g, float depth, double *row_volumes)
{
    rl_gpu_pipes_give(g);
    rl_device_pipes_view view;
    rl_device_pipes_view_of(g->device, &view);
    const rl_evaporation_cells cells = {.depth = view.fields[RL_DEVICE_DEPTH],
                                        .remainder = view.fields[RL_DEVICE_REMAINDER],
                                        .running_max = view.running_max,
                                        .nx = view.nx,
                                        .ny = view.ny,
                                        .pitch = view.pitch,
                                        .stream = view.stream};
    rl_gpu_pipes_note(
        g, rl_evaporation_step(&g->evaporation, &cells, depth, g->host->cell_size, row_volumes));
    g->deposits.under_way = false; // it has waited for all before it
}

bool rl_gpu_pipes_rain(void *self, float depth, double *row_volumes)
{
    rl_gpu_pipes *g = self;
    const int ny = g->host->ny;
    pthread_mutex_lock(&g->mutex);
    const bool at_once = !g->host_leads && !g->some_ahead && ny <= g->deposits.run_capacity;
    if (at_once) {
        (depth < 0.0f ? dry : fall)(g, depth, row_volumes);
        memset(g->row_fresh, 0, (size_t)ny);
        g->fresh &= ~(1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER);
    }
    pthread_mutex_unlock(&g->mutex);
    return at_once;
}

// ---- Rows of the host ------------------------------------------------------------------

// Synchronises row y, and the more rows after it the more single rows were asked for: evaporation
// needs them all.
static void synchronise_rows(rl_gpu_pipes *g, int y)
{
    RL_ASSERT(y >= 0 && y < g->host->ny);
    rl_pipes *s = g->host;
    if (g->deposits.run_count > 0)
        rl_gpu_pipes_give(g);
    int count = 1;
    const int wanted = g->rows_asked < 16 ? g->rows_asked++ : 1 << 14;
    while (count < wanted * wanted && y + count < s->ny && !g->row_fresh[y + count] &&
           !g->row_ahead[y + count])
        count++;
    rl_gpu_pipes_note(g, rl_device_pipes_download(g->device, RL_DEVICE_DEPTH, s->depth.origin,
                                                  s->depth.pitch, y, count));
    rl_gpu_pipes_note(g,
                      rl_device_pipes_download(g->device, RL_DEVICE_REMAINDER, s->remainder.origin,
                                               s->remainder.pitch, y, count));
    memset(g->row_fresh + y, 1, (size_t)count);
}

// Synchronises row y for reading.
static void see_row(rl_gpu_pipes *g, int y)
{
    const unsigned both = 1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER;
    if (!g->row_ahead[y] && !g->row_fresh[y] && (g->fresh & both) != both)
        synchronise_rows(g, y);
    g->row_fresh[y] = 1;
}

// Makes row y host-resident, so that the host's own code may change it.
static void take_row(rl_gpu_pipes *g, int y)
{
    see_row(g, y);
    g->row_ahead[y] = 1;
    g->some_ahead = true;
}

const float *rl_gpu_pipes_depth_row(void *self, int row)
{
    rl_gpu_pipes *g = self;
    pthread_mutex_lock(&g->mutex);
    if (!g->host_leads)
        see_row(g, row);
    pthread_mutex_unlock(&g->mutex);
    return rill_field_row(&g->host->depth, row);
}

double rl_gpu_pipes_deposit(void *self, const rl_deposit *d)
{
    rl_gpu_pipes *g = self;
    const bool pushes = d->momentum_x != NULL || d->momentum_y != NULL;
    const bool gives = !pushes && !rl_run_some_negative(d->depth, d->count);
    pthread_mutex_lock(&g->mutex);
    bool queued = false;
    if (pushes && !g->host_leads) {
        rl_gpu_pipes_to_host(g, RL_GPU_PIPES_STATE);
        g->host_leads = true;
    }
    if (!g->host_leads) {
        queued = gives && !g->row_ahead[d->row] && queue(g, d);
        if (!queued)
            take_row(g, d->row);
    }
    pthread_mutex_unlock(&g->mutex);
    const double area = g->host->cell_size;
    if (queued)
        return rl_run_sum(d->depth, d->count) * area * area;
    return rl_pipes_deposit(g->host, d);
}
