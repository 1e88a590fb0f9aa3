// SPDX-License-Identifier: MIT
// fake_device.h - for tests of device-resident solvers without a device: what a device would do is
// done in the host's memory (fake_device.c, fake_device_pipes.c), and all that travels is counted.
#pragma once

#include <stddef.h>

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
