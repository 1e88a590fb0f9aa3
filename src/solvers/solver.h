// SPDX-License-Identifier: MIT
// solver.h - what a water is to the rest of Rill: a table of functions and the columns view. The
// world owns one water; bodies, particles, surface and pictures see columns (rill/columns.h) and
// give or take water through `deposit`, so they work with each of the waters.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "solvers/river_ops.h"
#include "solvers/shared/blocks.h"
#include "solvers/shared/substeps.h"
#include "terrain/sdf/solid_internal.h"

#include "rill/columns.h"
#include "rill/support.h"
#include "rill/world.h"

// Water given to (or, negative, taken from) a run of cells of one row. A run and not a cell,
// because rain falls on whole rows.
typedef struct rl_deposit {
    int layer, row, first, count;
    const float *depth; // metres per cell, `count` values; a cell gives no more than it holds
    // Momentum per unit density that the water brings, m^4/s per cell, or NULL for none.
    const float *momentum_x, *momentum_y;
} rl_deposit;

#define RL_DEPOSIT_RUN 256 // cells that are given to at once, where there are many

// Volume that crossed the borders of the domain during a step, m^3, both positive.
typedef struct rl_exchange {
    double in, out;
    double corrected; // made (or, negative, removed) by corrections of the water's own
} rl_exchange;

// A face over a cliff (002 section 2.4.3). What goes over it leaves the columns and waits here for
// somebody who lets it fall.
typedef struct rl_fall {
    int upper_i, upper_j, lower_i, lower_j; // cells on its two sides
    float velocity;                         // towards the lower cell, m/s
    float across;                           // along the face, in the upper cell, m/s
    double volume;                          // m^3; whoever takes some lowers it
} rl_fall;

// How the water moved in the last substep: what particles need besides the columns.
typedef struct rl_motion {
    const float *depth_before; // depths of layer 0 before it, in rows of the columns' pitch
    double step;               // its length, seconds; 0 before the first
    float depth_limit;         // deepest water that carries waves, metres
    rl_fall *falls;
    int fall_count;
} rl_motion;

// A lump of water thrown up by a body, to become a particle.
typedef struct rl_splash {
    float position[3], velocity[3]; // m, m/s
    int i, j;                       // cell that it is taken from
    int body;                       // that throws it
    float gained[2]; // by whoever makes it: momentum that it has got besides the water's own, per
                     // unit density, m^4/s
} rl_splash;

// Cells [i0, i1) x [j0, j1).
typedef struct rl_box {
    int i0, j0, i1, j1;
} rl_box;

#define RL_MAX_STATE_ARRAYS 16

typedef struct rl_solver_ops {
    const char *name;

    // Bytes that the grid of such a world takes, before any is taken.
    uint64_t (*memory_needed)(const rill_world_def *def);
    // `bed` is copied. The definition has been checked by the world.
    rill_status (*create)(const rill_world_def *def, rl_isa isa, void **self);
    void (*destroy)(const rill_allocator *allocator, void **self);
    size_t (*memory)(const void *self);

    // The longest step that is stable for the water as it is, seconds; +inf when nothing moves.
    double (*stable_step)(const void *self);
    // Takes one step of `dt` seconds. Adds what crossed the borders to `exchange`.
    void (*step)(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange);
    // Takes as many substeps as `pace` wants, by the same rules as a loop over `stable_step` and
    // `step`: for a water whose device need not ask the host in between. NULL: there is no such.
    rill_status (*advance)(void *self, rl_jobs *jobs, rl_substeps *pace, rl_exchange *exchange);

    // Gives or takes water; returns the volume really given (negative: taken), m^3. Deposits
    // without momentum into different rows may be made at once from several threads.
    double (*deposit)(void *self, const rl_deposit *deposit);
    // Gives every column `depth` metres (or takes them: a column gives no more than it holds), as
    // deposits to runs of RL_DEPOSIT_RUN cells would, but at once; rows get what row_volumes says,
    // m^3. Returns whether it did: this water may be unable to as it is now. NULL: it always is.
    bool (*rain)(void *self, float depth, double *row_volumes);

    // Depths of a row of a water with one layer, to look at, for those who look at few: on a device
    // the others stay where they are. NULL: they are in the state.
    const float *(*depth_row)(void *self, int row);
    // Water as columns, with velocities of now.
    rill_columns (*columns)(void *self, rl_jobs *jobs);
    // The same with velocities that are right in `count` boxes of cells alone: for those who look
    // at little of a large grid. Its base is the bed, whatever bodies block. NULL: use `columns`.
    rill_columns (*columns_in)(void *self, rl_jobs *jobs, const rl_box *boxes, int count);
    // Velocities of the cells of a box, row by row without gaps; the arrays have room for
    // RILL_MARGIN_X more. Several threads may ask at once. With no place for them (NULL) they are
    // only brought near. NULL: use `columns_in`.
    void (*velocities_in)(const void *self, rl_box box, float *velocity_x, float *velocity_y);
    // Volume of all water, m^3, summed in a fixed order; rounding remainders included.
    double (*volume)(const void *self, rl_jobs *jobs);

    // The bed, to be edited in place between steps; `bed_changed` must be called after. NULL for a
    // water that stands on a solid.
    rill_field *(*bed)(void *self);
    // The floors of the columns, to look at, of a water on a device that has no bed; else NULL.
    const rill_field *(*floors)(const void *self);
    void (*bed_changed)(void *self);
    void (*set_border)(void *self, rill_side side, rill_border border, float level);

    // Closes or opens the face east (axis 0) or north (axis 1) of cell (i, j). NULL: every face of
    // this water is open.
    void (*mark_face)(void *self, int axis, int i, int j, bool closed);
    // What particles are born from. NULL: this water gives none by itself.
    rl_motion (*motion)(void *self);
    // Moves the grid by (di, dj) cells over its country: cell (i, j) takes what cell (i + di, j +
    // dj) had. `bed` is the ground of the whole grid in its new place; cells that come in hold
    // water up to `level` (-1e30: none), at rest. Adds what left and came in to `exchange`. NULL:
    // this water cannot be moved.
    void (*shift)(void *self, int di, int dj, const rill_field *bed, float level,
                  rl_exchange *exchange);

    // Bodies block `now`, and water stays where it is. `now` is kept, not copied, and read by
    // steps. now NULL: nothing is blocked any more. NULL: this water cannot be blocked.
    void (*block)(void *self, rl_jobs *jobs, const rl_blocks *now);
    // A part of the set that this water has is going to be `now` (003 section 4.2): water gives
    // way, and what is taken from a cell is added to owed[j * nx + i], metres, what is given
    // subtracted. Returns whether anything is different there; then the caller changes the set:
    // cells, and at the end of a row what is known of it. Rows may be changed by many threads at
    // once. NULL with `block`.
    bool (*give_way)(void *self, const rl_blocks_part *now, double *owed);

    // Cuts the columns of cells [i0, i1) x [j0, j1) anew out of a solid that has changed there. On
    // failure (too many columns above each other) nothing has changed. `lost` is the volume that
    // found no room anywhere, m^3. NULL: this water knows no solids.
    rill_status (*recut)(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                         double *lost);
    // The layer of the column of cell (i, j) whose range [b, max] holds the elevation z, or else of
    // the next one below it, or else the lowest one; -1 where the cell has no column at all. NULL:
    // there is one layer.
    int (*layer_at)(const void *self, int i, int j, float z);

    // The arrays that make up the state; returns their number. After writing to them
    // `state_changed` must be called.
    int (*state)(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
    void (*state_changed)(void *self);

    const rl_river_ops *river; // NULL: this water is no river
    // What others on a device see of a water there (gpu/device_columns.h). NULL: the host has it.
    const struct rl_device_columns_ops *device;
} rl_solver_ops;

extern const rl_solver_ops rl_pipes_ops, rl_layers_ops, rl_swe_ops, rl_river_ops_table;
