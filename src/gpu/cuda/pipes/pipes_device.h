// SPDX-License-Identifier: MIT
// pipes_device.h - the pipes solver in a device's memory: the interface for C. Fields have rows of
// their own pitch, ghosts included; there are two copies of all that a step changes, so that a step
// reads one and writes the other. Functions return 0 or an error whose message rl_device_text()
// returns.
#pragma once

#include "gpu/cuda/mirror/device.h"
#include "solvers/shared/pipe_rules_inline.h"
#include "solvers/shared/substeps.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rl_device_pipes rl_device_pipes;

enum {
    RL_DEVICE_BED,
    RL_DEVICE_DEPTH,
    RL_DEVICE_REMAINDER,
    RL_DEVICE_QX,
    RL_DEVICE_QY,
    RL_DEVICE_FIELDS
};

int rl_device_pipes_create(int nx, int ny, int bands, const rl_pipe_rules *rules, void **out);
void rl_device_pipes_destroy(void **pipes);

// Copies rows [first, first + count) with their ghosts; ghost rows are -2, -1, ny and ny + 1.
// `origin` is cell (0, 0) of the host's field, which has RILL_MARGIN_X ghosts on both sides of a
// row.
int rl_device_pipes_upload(rl_device_pipes *pipes, int field, const float *origin, size_t pitch,
                           int first, int count);
int rl_device_pipes_download(rl_device_pipes *pipes, int field, float *origin, size_t pitch,
                             int first, int count);

// The cells beyond the borders: values of the ghosts of the bed west and east (ny each), south and
// north (nx each), then the same of the depths. Faces of sides that are not open have no discharge.
typedef struct rl_device_borders {
    const float *ghosts;  // 4 (nx + ny) floats in memory of rl_device_pin
    int open, drains;     // bit of a side: something passes; only outwards
    float border_deepest; // of the depths of sides with a given level, metres
} rl_device_borders;
int rl_device_pipes_set_borders(rl_device_pipes *pipes, const rl_device_borders *borders);

// Takes as many substeps as are needed to bring controller.left to 0. `deepest` is that of the
// whole grid before, without deposits since the last step; and after.
typedef struct rl_device_advance {
    rl_substeps controller;
    float deepest;
    double in, out; // across the borders, m^3
} rl_device_advance;
int rl_device_pipes_advance(rl_device_pipes *pipes, rl_device_advance *advance);

// Velocities and single cells for other modules on the device (gpu/device_ops.h, mirror.h).
struct rl_device_columns;
struct rl_device_deposits;
int rl_device_pipes_columns(void *pipes, float wet_depth, struct rl_device_columns *columns);
int rl_device_pipes_give_to_cells(rl_device_pipes *pipes, double cell_size,
                                  const struct rl_device_deposits *deposits);

#ifdef __cplusplus
}
#endif
