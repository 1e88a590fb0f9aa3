// SPDX-License-Identifier: MIT
// layers_device_columns.h - the layers water on a device as others there see it
// (gpu/device_ops.h).
#pragma once

#include "gpu/cuda/layers/layers_device.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where a layers water lies: slot 0 of its fields, in rows of `pitch` floats, and its tables.
typedef struct rl_device_layers_view {
    float *fields[RL_COLUMN_FIELDS];
    const rl_layers_word *words;
    const rl_layers_pipe *pipes;
    const int32_t *ends_first;
    const rl_layers_end *ends;
    const float *cross_q;
    float *raised; // per row, as rl_device_layers_running_max() gives them
    int word_count, nx, ny, planes, pitch, plane_rows;
    size_t field_floats, origin; // of a field with its ghosts, and from its first float to slot 0
    void *stream;
} rl_device_layers_view;

// Gives what waits for the next frame before: the columns are those of now.
int rl_device_layers_view_of(rl_device_layers *layers, rl_device_layers_view *view);

// Velocities of one water, in its layout.
typedef struct rl_layers_velocities {
    float *memory;   // of both
    float *along[2]; // slot 0
} rl_layers_velocities;
int rl_layers_velocities_make(const rl_device_layers_view *view, float wet_depth,
                              rl_layers_velocities *velocities);
void rl_layers_velocities_destroy(rl_layers_velocities *velocities);

// Gifts to single columns, with their momentum (layers_deposit.cu).
struct rl_device_deposits;
int rl_layers_device_deposit(const rl_device_layers_view *view, double cell_size,
                             const struct rl_device_deposits *deposits);

#ifdef __cplusplus
}
#endif
