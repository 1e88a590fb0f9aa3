// SPDX-License-Identifier: MIT
// queued_deposit.h - deposits that a device-resident solver gets before its next step.
#pragma once

// A deposit to a run of cells: amounts that are not negative. Runs are sorted by row, and within a
// row in the order of the deposits.
typedef struct rl_device_run {
    int row, first, count;
    int place;  // of the amount of its first cell; -1 when all cells get the same
    float even; // which is this, metres
} rl_device_run;

// `rows` holds, per row that gets water, the number of its first run; one more ends the last. All
// three are in memory of rl_device_pin, which may be changed when the device does not read it.
typedef struct rl_queued_deposit {
    const rl_device_run *runs;
    const int *rows;
    const float *amounts;
    int run_count, row_count, amount_count;
} rl_queued_deposit;
