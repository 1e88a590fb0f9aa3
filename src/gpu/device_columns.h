// SPDX-License-Identifier: MIT
// device_columns.h - what others on a device (particles, surface) see of a water that lies there,
// so that nothing need travel to the host between them. All pointers to numbers are the device's.
// What is called returns 0 or an error of the device.
#pragma once

#include <stddef.h>

typedef struct rl_fall rl_fall; // solvers/solver.h, which device code cannot read

// Columns of a water, with velocities of now: rill_columns on the device. Rows are `pitch` floats
// apart, layers `layer_stride`; cell (0, 0) comes first, and one cell more may be read on every
// side.
typedef struct rl_device_columns {
    const float *base, *depth, *velocity_x, *velocity_y;
    const float *range_min, *range_max; // NULL: open to the sky, and down for ever
    int layers;
    size_t layer_stride;
    const float *depth_before; // before the last substep; NULL: this water does not keep it
    double step;               // length of that substep, seconds; 0 before the first
    float depth_limit;         // of rl_motion
    float cell_size, wet_depth;
    int nx, ny, pitch;
    void *stream; // the cudaStream_t in which the water works; others queue up in it
    int version;  // deposits that were captured hold for the same one alone
} rl_device_columns;

// Water given to (negative: taken from) single columns with its momentum. Their numbers rise, none
// stands twice. What comes of it is what would if one column after another came to the `deposit` of
// the host's water.
typedef struct rl_device_deposits {
    const int *cells;                             // (layer * ny + j) * nx + i
    const float *depth, *momentum_x, *momentum_y; // of rl_deposit
    double *given;                                // what was given really, metres; written
    const int *count;                             // how many there are,
    int most;                                     // and no more than this
} rl_device_deposits;

typedef struct rl_device_columns_ops {
    // Brings the device up to date and makes the velocities of now.
    int (*columns)(void *self, rl_device_columns *columns);
    // May be captured in a graph, which holds as long as the columns' place, their version and
    // `most` are the same. After each launch of it comes `changed`.
    int (*deposit)(void *self, const rl_device_deposits *deposits);
    int (*changed)(void *self);
    // Faces over cliffs: those of rl_motion, in device memory. The volumes may be lowered there.
    // NULL: this water has none.
    int (*falls)(void *self, rl_fall **falls, int *count);
} rl_device_columns_ops;
