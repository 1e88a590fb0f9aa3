// SPDX-License-Identifier: MIT
// layers_device_columns.h - the fields of the layers solver on a device for other modules there
// (gpu/device_ops.h).
#pragma once

#include "gpu/cuda/layers/layers_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// The fields of a layers solver: slot 0, in rows of `pitch` floats, and its tables.
typedef struct rl_device_layers_view {
    float *fields[RL_COLUMN_FIELDS];
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    const int32_t *ends_first;
    const rl_layers_end *ends;
    const float *cross_q;
    float *running_max; // per row: running maximum, as rl_device_layers_running_max() returns it
    int word_count, nx, ny, planes, pitch, plane_rows;
    size_t field_floats, origin; // of a field with its ghosts, and from its first float to slot 0
    void *stream;
} rl_device_layers_view;

// Gives waiting deposits first, so that the columns are the present ones.
int rl_device_layers_view_of(rl_device_layers *layers, rl_device_layers_view *view);

// Velocities of one solver, in its layout.
typedef struct rl_layers_velocities {
    float *memory;   // of both
    float *along[2]; // slot 0
} rl_layers_velocities;
int rl_layers_velocities_make(const rl_device_layers_view *view, float wet_depth,
                              rl_layers_velocities *velocities);
void rl_layers_velocities_destroy(rl_layers_velocities *velocities);

// Takes deposits to single columns, with their momentum (layers_deposit.cu).
struct rl_device_deposits;
int rl_layers_device_deposit(const rl_device_layers_view *view, double cell_size,
                             const struct rl_device_deposits *deposits);

#ifdef __cplusplus
}
#endif
