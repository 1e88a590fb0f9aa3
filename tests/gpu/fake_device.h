// SPDX-License-Identifier: MIT
// fake_device.h - for tests of device-resident solvers without a device: what a device would do is
// done in the host's memory (fake_device.c, fake_device_pipes.c and so on), and all that travels is
// counted.
#pragma once

#include "gpu/cuda/mirror/queued_deposit.h"
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
