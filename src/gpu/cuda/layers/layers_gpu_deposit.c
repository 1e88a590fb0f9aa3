// SPDX-License-Identifier: MIT
// layers_gpu_deposit.c - deposits of the layers solver on a GPU. The result of a positive deposit
// to open columns is known without reading them, so it waits on the host and the device adds it
// before the next step. Deposits to covered columns depend on their capacity, and water that is
// taken on the present water: such rows are synchronised, changed by the host's own code and sent
// back.
#include "core/assert.h"
#include "gpu/cuda/layers/layers_gpu.h"
#include "gpu/cuda/mirror/device.h"
#include "solvers/shared/deposit_run.h"

#include <string.h>

// ---- Deposits --------------------------------------------------------------------------

void rl_gpu_layers_give(rl_gpu_layers *g)
{
    rl_deposit_queue *w = &g->deposits;
    if (w->run_count == 0)
        return;
    const rl_queued_deposit deposit = rl_deposit_queue_take(w, g->host->ny);
    rl_gpu_layers_note(g, rl_device_layers_give(g->device, &deposit));
    g->running_max_stale = true;
    g->fresh &= ~(unsigned)(RL_LAYERS_SEEN_DEPTH | RL_LAYERS_SEEN_REMAINDER);
    memset(g->row_fresh, 0, rl_gpu_layers_rows(g));
}

// Makes space for one more run; returns false when it is larger than the queue.
static bool reserve_run(rl_gpu_layers *g, int count)
{
    rl_deposit_queue *w = &g->deposits;
    if (count > w->amount_capacity)
        return false;
    if (!rl_deposit_queue_fit(w, count))
        rl_gpu_layers_give(g);
    if (w->under_way)
        rl_gpu_layers_note(g, rl_device_layers_wait(g->device));
    w->under_way = false;
    return true;
}

static bool queue(rl_gpu_layers *g, const rl_deposit *d)
{
    RL_ASSERT(d->row >= 0 && d->row < g->host->ny && d->count >= 0);
    rl_deposit_queue *w = &g->deposits;
    if (!reserve_run(g, d->count))
        return false;
    rl_deposit_queue_add(w, d);
    // The host's copy of this row is invalid now.
    g->row_fresh[d->row] = 0;
    g->fresh &= ~(unsigned)(RL_LAYERS_SEEN_DEPTH | RL_LAYERS_SEEN_REMAINDER);
    return true;
}

// ---- Rows of the host ------------------------------------------------------------------

// Synchronises a row, and the more rows after it the more single rows were asked for: evaporation
// needs them all.
static void synchronise_rows(rl_gpu_layers *g, size_t row)
{
    RL_ASSERT(row < rl_gpu_layers_rows(g));
    rl_layers *s = g->host;
    if (g->deposits.run_count > 0)
        rl_gpu_layers_give(g);
    const size_t ny = (size_t)s->ny, end = (row / ny + 1) * ny; // of the plane
    size_t count = 1;
    const size_t wanted = g->rows_asked < 16 ? (size_t)g->rows_asked++ : (size_t)1 << 14;
    while (count < wanted * wanted && row + count < end && !g->row_fresh[row + count] &&
           !g->row_ahead[row + count])
        count++;
    const int first = rl_gpu_layers_tall_row(g, row);
    rl_gpu_layers_note(g, rl_device_layers_download(g->device, RL_COLUMN_DEPTH, s->depth.origin,
                                                    first, (int)count));
    rl_gpu_layers_note(g, rl_device_layers_download(g->device, RL_COLUMN_REMAINDER,
                                                    s->remainder.origin, first, (int)count));
    memset(g->row_fresh + row, 1, count);
}

// Makes a row host-resident, so that the host's own code may change it.
static void take_row(rl_gpu_layers *g, size_t row)
{
    if (g->row_ahead[row])
        return;
    const unsigned both = RL_LAYERS_SEEN_DEPTH | RL_LAYERS_SEEN_REMAINDER;
    if (!g->row_fresh[row] && (g->fresh & both) != both)
        synchronise_rows(g, row);
    g->row_fresh[row] = 1;
    g->row_ahead[row] = 1;
    g->some_ahead = true;
}

double rl_gpu_layers_deposit(void *self, const rl_deposit *d)
{
    rl_gpu_layers *g = self;
    const rl_layers *s = g->host;
    if (d->layer < 0 || d->layer >= s->planes)
        return 0.0;
    const bool pushes = d->momentum_x != NULL || d->momentum_y != NULL;
    const bool gives = !pushes && d->layer == 0 && !rl_run_some_negative(d->depth, d->count);
    const size_t row = (size_t)d->layer * (size_t)s->ny + (size_t)d->row;
    pthread_mutex_lock(&g->mutex);
    bool queued = false;
    if (pushes)
        rl_gpu_layers_lead(g);
    if (!g->host_leads) {
        queued = gives && !g->row_ahead[row] && queue(g, d);
        if (!queued)
            take_row(g, row);
    }
    pthread_mutex_unlock(&g->mutex);
    if (queued)
        return rl_run_sum(d->depth, d->count) * s->cell_size * s->cell_size;
    return rl_layers_deposit(g->host, d);
}
