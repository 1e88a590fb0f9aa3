// SPDX-License-Identifier: MIT
// fake_device.h - for tests of device-resident solvers without a device: what a device would do is
// done in the host's memory (fake_device.c, fake_device_pipes.c and so on), and all that travels is
// counted.
#pragma once

#include "core/jobs.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/device_ops.h"
#include "solvers/solver.h"

typedef struct fake_device_counts {
    long uploads, uploaded_rows; // calls, and the rows of all of them
    long downloads, downloaded_rows;
    long deposits, deposited_runs; // queued deposits handed over
    long settles, running_maxima, borders, steps;
} fake_device_counts;

// Since the test last set them to 0.
extern fake_device_counts fake_device_seen;

// The next call that can fail returns this error, if it is not 0.
extern int fake_device_fails;

// What a function that can fail returns.
int fake_device_result(void);

// What devices do with queued deposits, and with deposits to single cells: `deposit` is that of the
// solver that plays the device. Ends the program when a queue holds more than was reserved.
typedef double fake_device_deposit(void *solver, const rl_deposit *deposit);
int fake_device_give(const rl_queued_deposit *queued, int run_capacity, int amount_capacity, int nx,
                     fake_device_deposit *deposit, void *solver);
void fake_device_give_to_cells(const rl_device_deposits *deposits, int nx,
                               fake_device_deposit *deposit, void *solver);

// The solver that plays the device: what src/gpu/cuda/mirror has in common for solvers with two
// copies of their fields. Fakes of such devices begin with it.
typedef struct fake_device_grid {
    const rl_solver_ops *ops;
    void *solver;
    rl_jobs *jobs;
    int run_capacity, amount_capacity, nx, ny;
    float *running_max;
    double *row_sums;
    // Where the cells of now are.
    void (*cells)(void *device, rl_evaporation_cells *cells);
} fake_device_grid;

// Makes the solver of a definition whose bed and depth are 0, and its jobs; ends the program where
// that fails.
void fake_device_grid_make(fake_device_grid *grid, const rl_solver_ops *ops, rill_world_def *def);
void fake_device_grid_unmake(fake_device_grid *grid);

// Copies rows [first, first + count), from `west` cells before the first one on.
void fake_device_copy_rows(float *to, size_t to_pitch, const float *from, size_t from_pitch,
                           int west, int width, int first, int count);
