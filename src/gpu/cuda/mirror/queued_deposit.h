// SPDX-License-Identifier: MIT
// queued_deposit.h - water that is given to a device-resident solver before its next step.
#pragma once

// Water given to a run of cells: amounts that are not negative. Runs are sorted by row, and within
// a row in the order in which they are given.
typedef struct rl_device_run {
    int row, first, count;
    int place;  // of the amount of its first cell; -1: all get the same
    float even; // which is this, metres
} rl_device_run;

// `rows` holds, per row that gets water, the number of its first run; one more ends the last. All
// three in memory that rl_device_pin gave, which may be changed when nothing is under way.
typedef struct rl_queued_deposit {
    const rl_device_run *runs;
    const int *rows;
    const float *amounts;
    int run_count, row_count, amount_count;
} rl_queued_deposit;
