// SPDX-License-Identifier: MIT
// deposit_queue.h - where deposits wait on the host until a device-resident solver takes its next
// step.
#pragma once

#include "gpu/cuda/mirror/queued_deposit.h"
#include "solvers/solver.h"

#include <stdint.h>

// The memory is pinned; none of it may be changed while the device reads it.
typedef struct rl_deposit_queue {
    rl_device_run *runs, *sorted;
    int *rows;       // of rl_queued_deposit
    int *row_counts; // runs of each row
    float *amounts;
    int run_count, amount_count, run_capacity, amount_capacity;
    bool under_way; // the device may be reading it
} rl_deposit_queue;

// Allocates memory for deposits to a grid of so many cells; returns 0 or an error of the device.
// The caller must call rl_deposit_queue_unpin() in either case.
int rl_deposit_queue_pin(rl_deposit_queue *w, int64_t cells);
void rl_deposit_queue_unpin(rl_deposit_queue *w);

// Returns whether one more run of so many cells fits beside those that wait already.
static inline bool rl_deposit_queue_fit(const rl_deposit_queue *w, int count)
{
    return w->run_count < w->run_capacity && w->amount_count + count <= w->amount_capacity;
}

// Adds a deposit that fits.
void rl_deposit_queue_add(rl_deposit_queue *w, const rl_deposit *deposit);

// Adds `depth` metres for every cell of ny rows of nx; the queue must have capacity for ny runs.
// Writes row_volumes, m^3, as deposits to runs of RL_DEPOSIT_RUN cells would give them.
void rl_deposit_queue_rain(rl_deposit_queue *w, int nx, int ny, float depth, double cell_size,
                           double *row_volumes);

// Returns all waiting deposits, by rows, for the device to read; the queue is empty then. `ny` is
// the number of rows.
rl_queued_deposit rl_deposit_queue_take(rl_deposit_queue *w, int ny);
