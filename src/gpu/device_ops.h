// SPDX-License-Identifier: MIT
// device_ops.h - what a device-resident solver can besides what every solver can: take a whole step
// by itself, and show its columns to particles and the surface on the same device, so that nothing
// need travel to the host between them. All pointers to numbers in rl_device_columns and
// rl_device_deposits are the device's. What returns int returns 0 or an error of the device.
#pragma once

#include "rill/columns.h"

#include <stdbool.h>
#include <stddef.h>

// solvers/solver.h, which device code cannot read.
typedef struct rl_fall rl_fall;
struct rl_exchange;
struct rl_jobs;
struct rl_substeps;

// Columns of a solver, with velocities of now. One cell more may be read on every side. Pointers of
// `view` are the device's.
typedef struct rl_device_columns {
    rill_columns view;
    const float *depth_before; // before the last substep; NULL: this solver does not keep it
    double step;               // length of that substep, seconds; 0 before the first
    float depth_limit;         // of rl_motion
    void *stream;              // the cudaStream_t in which the solver works; readers queue up in it
    int version;               // deposits that were captured hold for the same one alone
} rl_device_columns;

// Water given to (negative: taken from) single columns with its momentum. Their numbers rise, none
// stands twice. What comes of it is what would if one column after another came to the `deposit` of
// the host's solver.
typedef struct rl_device_deposits {
    const int *cells;                             // (layer * ny + j) * nx + i
    const float *depth, *momentum_x, *momentum_y; // of rl_deposit
    double *given;                                // what was given really, metres; written
    const int *count;                             // how many there are,
    int most;                                     // and no more than this
} rl_device_deposits;

typedef struct rl_device_ops {
    // Takes as many substeps as `substeps` wants, by the same rules as a loop over `stable_step`
    // and `step` of rl_solver_ops, without asking the host in between.
    rill_status (*advance)(void *self, struct rl_jobs *jobs, struct rl_substeps *substeps,
                           struct rl_exchange *exchange);
    // Gives every column `depth` metres (or takes them: a column gives no more than it holds), as
    // deposits to runs of RL_DEPOSIT_RUN cells would, but at once; rows get what row_volumes says,
    // m^3. Returns whether it did: a solver may be unable to as it is now. NULL: it always is.
    bool (*rain)(void *self, float depth, double *row_volumes);

    // Brings the device up to date and makes the velocities of now.
    int (*columns)(void *self, rl_device_columns *columns);
    // May be captured in a graph, which holds as long as the columns' place, their version and
    // `most` are the same. After each launch of it comes `changed`.
    int (*deposit)(void *self, const rl_device_deposits *deposits);
    int (*changed)(void *self);
    // Faces over cliffs: those of rl_motion, in device memory. The volumes may be lowered there.
    // NULL: this solver has none.
    int (*falls)(void *self, rl_fall **falls, int *count);
} rl_device_ops;
