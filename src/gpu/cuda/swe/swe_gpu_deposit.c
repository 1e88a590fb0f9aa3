// SPDX-License-Identifier: MIT
// swe_gpu_deposit.c - deposits of the swe solver on a GPU. The result of a deposit without momentum
// is known without reading the water, so it waits on the host and the device adds it before the
// next step. Water that is taken depends on the present water, and momentum on the water around:
// those rows are synchronised, changed by the host's own code and sent back.
#include "core/assert.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/swe/swe_gpu.h"
#include "solvers/shared/deposit_run.h"

#include <string.h>

// ---- Deposits --------------------------------------------------------------------------

void rl_gpu_swe_give(rl_gpu_swe *g)
{
    rl_deposit_queue *w = &g->deposits;
    if (w->run_count == 0)
        return;
    const rl_queued_deposit deposit = rl_deposit_queue_take(w, g->host->ny);
    rl_gpu_swe_note(g, rl_device_swe_give(g->device, &deposit));
    g->running_max_stale = true;
}

// Waits until the memory of waiting deposits may be changed.
static void settle(rl_gpu_swe *g)
{
    if (g->deposits.under_way)
        rl_gpu_swe_note(g, rl_device_swe_settle(g->device));
    g->deposits.under_way = false;
}

// Makes space for one more run; returns false when it is larger than the queue.
static bool reserve_run(rl_gpu_swe *g, int count)
{
    rl_deposit_queue *w = &g->deposits;
    if (count > w->amount_capacity)
        return false;
    if (!rl_deposit_queue_fit(w, count))
        rl_gpu_swe_give(g);
    settle(g);
    return true;
}

static bool queue(rl_gpu_swe *g, const rl_deposit *d)
{
    RL_ASSERT(d->row >= 0 && d->row < g->host->ny && d->count >= 0);
    rl_deposit_queue *w = &g->deposits;
    if (!reserve_run(g, d->count))
        return false;
    rl_deposit_queue_add(w, d);
    // The host's copy of this row is invalid now.
    g->row_fresh[d->row] = 0;
    g->fresh &= ~RL_GPU_SWE_COLUMNS;
    return true;
}

// ---- Weather ---------------------------------------------------------------------------

static void fall(rl_gpu_swe *g, float depth, double *row_volumes)
{
    // The device takes waiting deposits and this one in this order.
    if (g->deposits.run_count + g->host->ny > g->deposits.run_capacity)
        rl_gpu_swe_give(g);
    settle(g);
    rl_deposit_queue_rain(&g->deposits, g->host->nx, g->host->ny, depth, g->host->cell_size,
                          row_volumes);
}

static void dry(rl_gpu_swe *g, float depth, double *row_volumes)
{
    rl_gpu_swe_give(g);
    rl_evaporation_cells cells;
    rl_device_swe_cells(g->device, &cells);
    rl_gpu_swe_note(
        g, rl_evaporation_step(&g->evaporation, &cells, depth, g->host->cell_size, row_volumes));
    g->deposits.under_way = false; // it has waited for all before it
    g->running_max_stale = true;
}

bool rl_gpu_swe_rain(void *self, float depth, double *row_volumes)
{
    rl_gpu_swe *g = self;
    const int ny = g->host->ny;
    pthread_mutex_lock(&g->mutex);
    const bool at_once = !g->host_leads && !g->some_ahead && ny <= g->deposits.run_capacity;
    if (at_once) {
        (depth < 0.0f ? dry : fall)(g, depth, row_volumes);
        memset(g->row_fresh, 0, (size_t)ny);
        g->fresh &= ~RL_GPU_SWE_COLUMNS;
    }
    pthread_mutex_unlock(&g->mutex);
    return at_once;
}

// ---- Rows of the host ------------------------------------------------------------------

static bool is_fresh(const rl_gpu_swe *g, int y)
{
    const unsigned all = RL_GPU_SWE_COLUMNS | RL_GPU_SWE_FACES;
    return g->row_fresh[y] || g->row_ahead[y] || (g->fresh & all) == all;
}

// Synchronises row y, and the more rows after it the more single rows were asked for: bodies and
// evaporation need many.
static void synchronise_from(rl_gpu_swe *g, int y)
{
    const int ny = g->host->ny;
    const int wanted = g->rows_asked < 16 ? ++g->rows_asked : 1 << 14;
    int count = 1;
    while (count < 4 * wanted * wanted && y + count < ny && !is_fresh(g, y + count))
        count++;
    rl_gpu_swe_synchronise_rows(g, y, count);
}

// Synchronises rows [first, end) for reading.
static void see_rows(rl_gpu_swe *g, int first, int end)
{
    const int ny = g->host->ny;
    if (g->deposits.run_count > 0)
        rl_gpu_swe_give(g);
    for (int y = first < 0 ? 0 : first; y < end && y < ny; y++)
        if (!is_fresh(g, y))
            synchronise_from(g, y);
}

const float *rl_gpu_swe_depth_row(void *self, int row)
{
    rl_gpu_swe *g = self;
    pthread_mutex_lock(&g->mutex);
    if (!g->host_leads)
        see_rows(g, row, row + 1);
    pthread_mutex_unlock(&g->mutex);
    return rill_field_row(&rl_swe_now(g->host)->depth, row);
}

// Makes rows [first, end) valid on the host; those from `changed` on are changed as well.
static void take_rows(rl_gpu_swe *g, int first, int end, int changed, int changed_end)
{
    RL_ASSERT(changed >= first && changed_end <= end);
    see_rows(g, first, end);
    for (int y = changed < 0 ? 0 : changed; y < changed_end; y++) {
        g->row_fresh[y] = 1;
        g->row_ahead[y] = 1;
    }
    g->some_ahead = true;
}

double rl_gpu_swe_deposit(void *self, const rl_deposit *d)
{
    rl_gpu_swe *g = self;
    const bool pushes = d->momentum_x != NULL || d->momentum_y != NULL;
    const bool gives = !pushes && !rl_run_some_negative(d->depth, d->count);
    pthread_mutex_lock(&g->mutex);
    bool queued = false;
    if (!g->host_leads) {
        queued = gives && !g->row_ahead[d->row] && queue(g, d);
        // Momentum goes to the faces north of the row before, too, by the depths on both sides.
        if (!queued && pushes)
            take_rows(g, d->row - 1, d->row + 2, d->row - 1, d->row + 1);
        else if (!queued)
            take_rows(g, d->row, d->row + 1, d->row, d->row + 1);
    }
    pthread_mutex_unlock(&g->mutex);
    if (queued)
        return rl_run_sum(d->depth, d->count) * g->host->cell_size * g->host->cell_size;
    return rl_swe_deposit(g->host, d);
}
