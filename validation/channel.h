// SPDX-License-Identifier: MIT
// channel.h - common parts of the cases of the `swe` solver: worlds to start from and profiles
// along a channel.
#pragma once

#include "validation/measure.h"

#include "rill/world.h"

#define CHANNEL_ROWS 4 // cells across a channel, the fewest a world may have

// Returns the definition of a swe world with walls around it, to be filled further.
rill_world_def validation_swe_def(int nx, int ny, double cell_size, rill_advection advection);

// The profile of a channel along x and how to show it. Arrays have a value for each cell.
typedef struct validation_channel {
    int n;
    double cell_size;    // metres
    double origin;       // x of the western side on the plot, metres
    const float *bed;    // NULL: level at 0, and depths are drawn instead of levels
    const double *exact; // depths, metres
    double scale;        // of L1 and Linf, metres
    const char *x_name;
} validation_channel;

double validation_channel_x(const validation_channel *channel, int i);

// Computes norms, the error of the ledger and the plot.
rill_status validation_compare_channel(const validation_channel *channel, rill_world *world,
                                       validation_result *out);

// Returns the mean difference of a profile to itself displaced by one cell: the error that a method
// of first order may have.
double validation_displaced(const double *exact, int n);

// Makes a world of a channel whose depths, and whose velocities if there are any, are the same in
// all rows; both have def->nx values.
rill_status validation_create_channel(rill_world_def *def, const float *depth,
                                      const float *velocity, rill_world **out);

// A result that is one figure, without a profile.
rill_status validation_finish_figure(rill_world *world, double error, validation_result *out);
