// SPDX-License-Identifier: MIT
// deposit_queue.c - the queue of deposits of a mirror (mirror.h), in pinned memory.
#include "gpu/cuda/mirror/mirror.h"

#include "core/assert.h"
#include "solvers/shared/grid_solver.h"

#include <string.h>

// Deposits are handed over at the latest when so many amounts or runs wait.
#define MOST_AMOUNTS (1 << 22)
#define MOST_RUNS    (1 << 16)

int rl_deposit_queue_pin(rl_deposit_queue *w, int64_t cells)
{
    RL_ASSERT(cells > 0 && w->runs == NULL);
    w->run_capacity = MOST_RUNS;
    w->amount_capacity = cells < MOST_AMOUNTS ? (int)cells : MOST_AMOUNTS;
    const size_t runs = (size_t)w->run_capacity, amounts = (size_t)w->amount_capacity;
    const size_t bytes =
        2 * runs * sizeof *w->runs + (runs + 1) * sizeof *w->rows + amounts * sizeof *w->amounts;
    const int error = rl_device_pin(bytes, (void **)&w->runs);
    if (error != 0)
        return error;
    w->sorted = w->runs + runs;
    w->rows = (int *)(w->sorted + runs);
    w->amounts = (float *)(w->rows + runs + 1);
    return 0;
}

void rl_deposit_queue_unpin(rl_deposit_queue *w)
{
    rl_device_unpin(w->runs); // and all behind them
}

void rl_deposit_queue_add(rl_deposit_queue *w, const rl_deposit *d)
{
    RL_ASSERT(rl_deposit_queue_fit(w, d->count) && d->row >= 0);
    memcpy(w->amounts + w->amount_count, d->depth, (size_t)d->count * sizeof *d->depth);
    w->runs[w->run_count++] = (rl_device_run){
        .row = d->row, .first = d->first, .count = d->count, .place = w->amount_count};
    w->amount_count += d->count;
    w->row_counts[d->row]++;
}

void rl_deposit_queue_rain(rl_deposit_queue *w, int nx, int ny, float depth, double cell_size,
                           double *row_volumes)
{
    RL_ASSERT(w->run_count + ny <= w->run_capacity);
    for (int y = 0; y < ny; y++) {
        w->runs[w->run_count++] =
            (rl_device_run){.row = y, .count = nx, .place = -1, .even = depth};
        w->row_counts[y]++;
    }
    float amounts[RL_DEPOSIT_RUN];
    for (int n = 0; n < RL_DEPOSIT_RUN; n++)
        amounts[n] = depth;
    double given = 0.0;
    for (int left = nx; left > 0; left -= RL_DEPOSIT_RUN)
        given += rl_run_sum(amounts, left < RL_DEPOSIT_RUN ? left : RL_DEPOSIT_RUN) * cell_size *
                 cell_size;
    for (int y = 0; y < ny; y++)
        row_volumes[y] = given;
}

// Sorts by rows, and within a row in the order in which the runs came.
static int sort_runs(rl_deposit_queue *w, int ny)
{
    RL_ASSERT(w->run_count <= w->run_capacity);
    int rows = 0, next = 0;
    for (int y = 0; y < ny; y++) {
        const int count = w->row_counts[y];
        if (count == 0)
            continue;
        w->rows[rows++] = next;
        w->row_counts[y] = next; // place of the next run of this row
        next += count;
    }
    w->rows[rows] = next;
    for (int n = 0; n < w->run_count; n++)
        w->sorted[w->row_counts[w->runs[n].row]++] = w->runs[n];
    memset(w->row_counts, 0, (size_t)ny * sizeof *w->row_counts);
    return rows;
}

rl_queued_deposit rl_deposit_queue_take(rl_deposit_queue *w, int ny)
{
    RL_ASSERT(w->run_count > 0 && !w->under_way);
    const rl_queued_deposit deposit = {
        .row_count = sort_runs(w, ny),
        .runs = w->sorted,
        .rows = w->rows,
        .amounts = w->amounts,
        .run_count = w->run_count,
        .amount_count = w->amount_count,
    };
    w->run_count = w->amount_count = 0;
    w->under_way = true;
    return deposit;
}
