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
    bool under_way; // the device may still read
} rl_deposit_queue;

// Takes memory for deposits to a grid of so many cells; returns 0 or an error of the device. What
// was taken is given back by rl_deposit_queue_unpin(), whether all of it could be had or not.
int rl_deposit_queue_pin(rl_deposit_queue *w, int64_t cells);
void rl_deposit_queue_unpin(rl_deposit_queue *w);

// Whether one more run of so many cells fits beside what waits already.
static inline bool rl_deposit_queue_fit(const rl_deposit_queue *w, int count)
{
    return w->run_count < w->run_capacity && w->amount_count + count <= w->amount_capacity;
}

// Adds a deposit that fits.
void rl_deposit_queue_add(rl_deposit_queue *w, const rl_deposit *deposit);

// Adds `depth` metres for every cell of ny rows of nx, for which there must be capacity for ny
// runs. Rows get row_volumes, m^3, as deposits to runs of RL_DEPOSIT_RUN cells would have it.
void rl_deposit_queue_rain(rl_deposit_queue *w, int nx, int ny, float depth, double cell_size,
                           double *row_volumes);

// All that waits, by rows, for the device to read; nothing waits any more. `ny` rows.
rl_queued_deposit rl_deposit_queue_hand_over(rl_deposit_queue *w, int ny);
