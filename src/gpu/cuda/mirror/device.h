// SPDX-License-Identifier: MIT
// device.h - the interface of the CUDA device for C: the device itself, pinned memory, deposits and
// evaporation, and what solvers with two copies of their fields have in common there. Functions
// return 0 or an error whose message rl_device_text() returns.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Finds a device that this build's kernels can run on.
int rl_device_find(void);
const char *rl_device_text(int error);

int rl_device_name(char *name, size_t size);
// Measures the bytes a second of a large copy within the device's memory, read and written both
// counted.
int rl_device_copy_speed(double *bytes_per_second);

// Allocates host memory that the device can read while the host continues.
int rl_device_pin(size_t bytes, void **memory);
void rl_device_unpin(void *memory);

// ---- Deposits that a solver gets before its next step ----------------------------------

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

// ---- Evaporation: every cell loses the same, as far as it has it -----------------------

// Cell (0, 0) of a solver's fields, in rows of `pitch` floats, and the running maximum of the depth
// of each row that was changed since the last step.
typedef struct rl_evaporation_cells {
    float *depth, *remainder, *running_max;
    int nx, ny, pitch;
    void *stream;
} rl_evaporation_cells;

// Sums of runs of RL_DEPOSIT_RUN cells, on the device and copied to the host: the loss depends on
// the water, so the device sums it up and the host waits for the sums. All are 0 at first.
typedef struct rl_evaporation {
    double *sums, *brought;
} rl_evaporation;

// Changes all cells by `amount` metres, which is negative; writes the real changes of rows to
// row_volumes, m^3.
int rl_evaporation_step(rl_evaporation *evaporation, const rl_evaporation_cells *cells,
                        float amount, double cell_size, double *row_volumes);
void rl_evaporation_destroy(rl_evaporation *evaporation);

// ---- Solvers with two copies of their fields (device_grid.cuh) -------------------------

// `device` is such a solver, of `settle` any one. Functions for the table of a mirror (mirror.h).
int rl_device_grid_reserve(void *device, int runs, int amounts);
int rl_device_grid_give(void *device, const rl_queued_deposit *deposit);
int rl_device_grid_settle(void *device);
int rl_device_grid_running_max(void *device, float *running_max);
int rl_device_grid_row_sums(void *device, double *sums);
void rl_device_grid_cells(void *device, rl_evaporation_cells *cells);
// Begins the running maxima anew.
int rl_device_grid_clear_running_max(void *device);

#ifdef __cplusplus
}
#endif
