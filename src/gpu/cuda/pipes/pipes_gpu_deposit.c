// SPDX-License-Identifier: MIT
// pipes_gpu_deposit.c - giving water to the pipes water on a GPU, and taking it. What is given is
// known without looking at the water, so it waits on the host and the device adds it before the
// next step. What is taken depends on what is there: rows from which water is taken are fetched,
// changed by the host's own code and sent back.
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/pipes/pipes_gpu.h"
#include "solvers/shared/deposit_run.h"

#include <string.h>

// ---- Gifts -----------------------------------------------------------------------------

void rl_gpu_pipes_give(rl_gpu_pipes *g)
{
    rl_deposit_queue *w = &g->gifts;
    if (w->run_count == 0)
        return;
    const rl_queued_deposit gift = rl_deposit_queue_hand_over(w, g->host->ny);
    rl_gpu_pipes_note(g, rl_device_pipes_give(g->device, &gift));
    g->fresh = 0;
    memset(g->row_fresh, 0, (size_t)g->host->ny);
}

// Waits until the memory in which gifts wait may be changed.
static void settle(rl_gpu_pipes *g)
{
    if (g->gifts.under_way)
        rl_gpu_pipes_note(g, rl_device_pipes_settle(g->device));
    g->gifts.under_way = false;
}

// Room for one more run, or false when it is larger than all there is.
static bool make_room(rl_gpu_pipes *g, int count)
{
    rl_deposit_queue *w = &g->gifts;
    if (count > w->amount_room)
        return false;
    if (!rl_deposit_queue_fit(w, count))
        rl_gpu_pipes_give(g);
    settle(g);
    return true;
}

static bool queue(rl_gpu_pipes *g, const rl_deposit *d)
{
    rl_deposit_queue *w = &g->gifts;
    if (!make_room(g, d->count))
        return false;
    rl_deposit_queue_add(w, d);
    // What the host has seen of this row is no longer so.
    g->row_fresh[d->row] = 0;
    g->fresh &= ~(1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER);
    return true;
}

// ---- Weather ---------------------------------------------------------------------------

static void fall(rl_gpu_pipes *g, float depth, double *row_volumes)
{
    // After a gift that waits the device takes both in this order.
    if (g->gifts.run_count + g->host->ny > g->gifts.run_room)
        rl_gpu_pipes_give(g);
    settle(g);
    rl_deposit_queue_rain(&g->gifts, g->host->nx, g->host->ny, depth, g->host->cell_size,
                          row_volumes);
}

static void dry(rl_gpu_pipes *g, float depth, double *row_volumes)
{
    rl_gpu_pipes_give(g);
    rl_device_pipes_view view;
    rl_device_pipes_view_of(g->device, &view);
    const rl_evaporation_cells cells = {.depth = view.fields[RL_DEVICE_DEPTH],
                                        .remainder = view.fields[RL_DEVICE_REMAINDER],
                                        .raised = view.raised,
                                        .nx = view.nx,
                                        .ny = view.ny,
                                        .pitch = view.pitch,
                                        .stream = view.stream};
    rl_gpu_pipes_note(
        g, rl_evaporation_step(&g->drying, &cells, depth, g->host->cell_size, row_volumes));
    g->gifts.under_way = false; // it has waited for all before it
}

bool rl_gpu_pipes_rain(void *self, float depth, double *row_volumes)
{
    rl_gpu_pipes *g = self;
    const int ny = g->host->ny;
    pthread_mutex_lock(&g->mutex);
    const bool at_once = !g->host_leads && !g->some_ahead && ny <= g->gifts.run_room;
    if (at_once) {
        (depth < 0.0f ? dry : fall)(g, depth, row_volumes);
        memset(g->row_fresh, 0, (size_t)ny);
        g->fresh &= ~(1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER);
    }
    pthread_mutex_unlock(&g->mutex);
    return at_once;
}

// ---- Rows of the host ------------------------------------------------------------------

// Fetches row y, and the more rows after it the more single rows were asked for: evaporation wants
// them all.
static void fetch_rows(rl_gpu_pipes *g, int y)
{
    rl_pipes *s = g->host;
    if (g->bed_stale || g->borders_stale)
        rl_gpu_pipes_to_device(g);
    if (g->gifts.run_count > 0)
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

// Brings row y to the host, to look at.
static void see_row(rl_gpu_pipes *g, int y)
{
    const unsigned both = 1u << RL_DEVICE_DEPTH | 1u << RL_DEVICE_REMAINDER;
    if (!g->row_ahead[y] && !g->row_fresh[y] && (g->fresh & both) != both)
        fetch_rows(g, y);
    g->row_fresh[y] = 1;
}

// Makes row y the host's, so that its own code may change it.
static void take_row(rl_gpu_pipes *g, int y)
{
    see_row(g, y);
    g->row_ahead[y] = 1;
    g->some_ahead = true;
}

void rl_gpu_pipes_read_rows(rl_gpu_pipes *g, int first, int end)
{
    pthread_mutex_lock(&g->mutex);
    for (int y = first; y < end && !g->host_leads; y++)
        see_row(g, y);
    pthread_mutex_unlock(&g->mutex);
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
