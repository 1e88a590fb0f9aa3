// SPDX-License-Identifier: MIT
// pipes_device_columns.h - the fields of the pipes solver on a device for other modules there
// (gpu/device_ops.h).
#pragma once

#include "gpu/cuda/pipes/pipes_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// The fields of a pipes solver: cell (0, 0), in rows of `pitch` floats.
typedef struct rl_device_pipes_view {
    float *fields[RL_DEVICE_FIELDS];
    float *running_max; // per row: running maximum, as rl_device_pipes_running_max() returns it
    int nx, ny, pitch;
    void *stream;
} rl_device_pipes_view;
void rl_device_pipes_view_of(rl_device_pipes *pipes, rl_device_pipes_view *view);

// Velocities of one solver, in its layout.
typedef struct rl_pipes_velocities {
    float *memory;   // of both
    float *along[2]; // cell (0, 0)
} rl_pipes_velocities;
int rl_pipes_velocities_make(const rl_device_pipes_view *view, float wet_depth,
                             rl_pipes_velocities *velocities);
void rl_pipes_velocities_destroy(rl_pipes_velocities *velocities);

struct rl_device_deposits;
int rl_pipes_device_deposit(const rl_device_pipes_view *view, double cell_size,
                            const struct rl_device_deposits *deposits);

#ifdef __cplusplus
}
#endif
