// SPDX-License-Identifier: MIT
// swe_gpu_deposit.c - giving water to the swe water on a GPU, and taking it. What is given without
// momentum is known without looking at the water, so it waits on the host and the device adds it
// before the next step. What is taken depends on what is there, and momentum on the water around:
// those rows are fetched, changed by the host's own code and sent back.
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/swe/swe_gpu.h"
#include "solvers/shared/deposit_run.h"

#include <string.h>

// ---- Gifts -----------------------------------------------------------------------------

void rl_gpu_swe_give(rl_gpu_swe *g)
{
    rl_deposit_queue *w = &g->gifts;
    if (w->run_count == 0)
        return;
    const rl_queued_deposit gift = rl_deposit_queue_hand_over(w, g->host->ny);
    rl_gpu_swe_note(g, rl_device_swe_give(g->device, &gift));
    g->raised_stale = true;
}

// Waits until the memory in which gifts wait may be changed.
static void settle(rl_gpu_swe *g)
{
    if (g->gifts.under_way)
        rl_gpu_swe_note(g, rl_device_swe_settle(g->device));
    g->gifts.under_way = false;
}

// Room for one more run, or false when it is larger than all there is.
static bool make_room(rl_gpu_swe *g, int count)
{
    rl_deposit_queue *w = &g->gifts;
    if (count > w->amount_room)
        return false;
    if (!rl_deposit_queue_fit(w, count))
        rl_gpu_swe_give(g);
    settle(g);
    return true;
}

static bool queue(rl_gpu_swe *g, const rl_deposit *d)
{
    rl_deposit_queue *w = &g->gifts;
    if (!make_room(g, d->count))
        return false;
    rl_deposit_queue_add(w, d);
    // What the host has seen of this row is no longer so.
    g->row_fresh[d->row] = 0;
    g->fresh &= ~RL_GPU_SWE_COLUMNS;
    return true;
}

// ---- Weather ---------------------------------------------------------------------------

static void fall(rl_gpu_swe *g, float depth, double *row_volumes)
{
    // After a gift that waits the device takes both in this order.
    if (g->gifts.run_count + g->host->ny > g->gifts.run_room)
        rl_gpu_swe_give(g);
    settle(g);
    rl_deposit_queue_rain(&g->gifts, g->host->nx, g->host->ny, depth, g->host->cell_size,
                          row_volumes);
}

static void dry(rl_gpu_swe *g, float depth, double *row_volumes)
{
    rl_gpu_swe_give(g);
    rl_evaporation_cells cells;
    rl_device_swe_cells(g->device, &cells);
    rl_gpu_swe_note(
        g, rl_evaporation_step(&g->drying, &cells, depth, g->host->cell_size, row_volumes));
    g->gifts.under_way = false; // it has waited for all before it
    g->raised_stale = true;
}

bool rl_gpu_swe_rain(void *self, float depth, double *row_volumes)
{
    rl_gpu_swe *g = self;
    const int ny = g->host->ny;
    pthread_mutex_lock(&g->mutex);
    const bool at_once = !g->host_leads && !g->some_ahead && ny <= g->gifts.run_room;
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

// Fetches row y, and the more rows after it the more single rows were asked for: bodies and
// evaporation want many.
static void fetch_from(rl_gpu_swe *g, int y)
{
    const int ny = g->host->ny;
    const int wanted = g->rows_asked < 16 ? ++g->rows_asked : 1 << 14;
    int count = 1;
    while (count < 4 * wanted * wanted && y + count < ny && !is_fresh(g, y + count))
        count++;
    rl_gpu_swe_fetch_rows(g, y, count);
}

// Brings rows [first, end) to the host, to look at.
static void see_rows(rl_gpu_swe *g, int first, int end)
{
    const int ny = g->host->ny;
    if (g->gifts.run_count > 0)
        rl_gpu_swe_give(g);
    for (int y = first < 0 ? 0 : first; y < end && y < ny; y++)
        if (!is_fresh(g, y))
            fetch_from(g, y);
}

void rl_gpu_swe_read_rows(rl_gpu_swe *g, int first, int end)
{
    pthread_mutex_lock(&g->mutex);
    if (!g->host_leads && first < end)
        see_rows(g, first, end);
    pthread_mutex_unlock(&g->mutex);
}

// Makes rows [first, end) the host's to look at; those from `changed` on to be changed as well.
static void take_rows(rl_gpu_swe *g, int first, int end, int changed, int changed_end)
{
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
