// SPDX-License-Identifier: MIT
// deposit_queue.h - where gifts wait on the host until a water on a device takes its next step.
#pragma once

#include "gpu/cuda/mirror/queued_deposit.h"
#include "solvers/solver.h"

#include <stdint.h>

// The memory is pinned; none of it may be changed while the
// device reads it.
typedef struct rl_gifts {
    rl_device_run *runs, *sorted;
    int *rows;       // of rl_device_gift
    int *row_counts; // runs of each row
    float *amounts;
    int run_count, amount_count, run_room, amount_room;
    bool under_way; // the device may still read
} rl_gifts;

// Takes memory for gifts to a grid of so many cells; returns 0 or an error of the device. What was
// taken is given back by rl_gifts_unpin(), whether all of it could be had or not.
int rl_gifts_pin(rl_gifts *w, int64_t cells);
void rl_gifts_unpin(rl_gifts *w);

// Whether one more run of so many cells finds room beside what waits already.
static inline bool rl_gifts_fit(const rl_gifts *w, int count)
{
    return w->run_count < w->run_room && w->amount_count + count <= w->amount_room;
}

// Adds a deposit that fits.
void rl_gifts_add(rl_gifts *w, const rl_deposit *deposit);

// Adds `depth` metres for every cell of ny rows of nx, for which there must be ny runs of room.
// Rows get row_volumes, m^3, as deposits to runs of RL_DEPOSIT_RUN cells would have it.
void rl_gifts_rain(rl_gifts *w, int nx, int ny, float depth, double cell_size, double *row_volumes);

// All that waits, by rows, for the device to read; nothing waits any more. `ny` rows.
rl_device_gift rl_gifts_hand_over(rl_gifts *w, int ny);
