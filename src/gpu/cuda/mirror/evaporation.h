// SPDX-License-Identifier: MIT
// evaporation.h - evaporation from a device-resident solver: every cell loses the same, as far as
// it has it. The loss depends on the water, so the device sums it up and the host waits for the
// sums.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Cell (0, 0) of a solver's fields, in rows of `pitch` floats, and the running maximum of the depth
// of each row that was changed since the last step.
typedef struct rl_evaporation_cells {
    float *depth, *remainder, *running_max;
    int nx, ny, pitch;
    void *stream;
} rl_evaporation_cells;

// Sums of runs of RL_DEPOSIT_RUN cells, on the device and copied to the host. All are 0 at first.
typedef struct rl_evaporation {
    double *sums, *brought;
} rl_evaporation;

// Changes all cells by `amount` metres, which is negative; writes the real changes of rows to
// row_volumes, m^3. Returns 0 or an error of the device.
int rl_evaporation_step(rl_evaporation *evaporation, const rl_evaporation_cells *cells,
                        float amount, double cell_size, double *row_volumes);
void rl_evaporation_destroy(rl_evaporation *evaporation);

#ifdef __cplusplus
}
#endif
