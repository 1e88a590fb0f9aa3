// SPDX-License-Identifier: MIT
// solver.h - what a solver is to the rest of Rill: a table of functions that every solver has, and
// small tables of what only some can. The world owns one solver; bodies, particles, surface and
// pictures read its water as columns (rill/columns.h) and give or take water through `deposit`, so
// they work with every solver. What only some solvers can is asked of the capability, never of the
// solver's name.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "core/quadtree.h"
#include "solvers/shared/blocks.h"
#include "solvers/shared/substeps.h"
#include "terrain/sdf/solid_internal.h"

#include "rill/columns.h"
#include "rill/river.h"
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
    double corrected; // made (or, negative, removed) by corrections of the solver's own
} rl_exchange;

// A face over a cliff (Chentanez and Müller section 2.4.3). What goes over it leaves the columns
// and waits here until particles take it.
typedef struct rl_fall {
    int upper_i, upper_j, lower_i, lower_j; // cells on its two sides
    float velocity;                         // towards the lower cell, m/s
    float across;                           // along the face, in the upper cell, m/s
    double volume;                          // m^3; particles that take some lower it
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
    float rise;      // upward velocity of the water there, m/s: columns have none of their own,
    float through;   // and of the body through it
    float gained[3]; // written by the particles: momentum that it has got besides the water's own,
                     // per unit density, m^4/s
} rl_splash;

// Cells [i0, i1) x [j0, j1).
typedef struct rl_box {
    int i0, j0, i1, j1;
} rl_box;

// What a reader is going to read of the columns. Less is made, and less travels from a device, than
// for the whole grid. The grid, the ground and the places of the arrays are always right; the base
// is the bed then, whatever bodies block.
typedef struct rl_columns_request {
    int row_first, row_end; // rows [row_first, row_end) whose depths are read
    const rl_box *boxes;    // cells whose velocities are read,
    int box_count;          // and how many such boxes there are
    // Where the velocities of the one box go, row by row without gaps; both arrays have capacity
    // for RILL_MARGIN_X more. NULL: into the columns. Needs rl_solver_ops.copies_velocities;
    // several threads may ask at once, and the columns that are returned say nothing.
    float *velocity_x, *velocity_y;
    bool prefetch; // with copies_velocities: the one box is only brought into the cache
} rl_columns_request;

#define RL_MAX_STATE_ARRAYS 16

// ---- Capabilities ----------------------------------------------------------------------

// A grid that moves over a larger terrain.
typedef struct rl_moving_domain_ops {
    // Moves the grid by (di, dj) cells: cell (i, j) takes what cell (i + di, j + dj) had. `bed` is
    // the ground of the whole grid in its new place; cells that come in hold water up to `level`
    // (-1e30: none), at rest. Adds what left and came in to `exchange`.
    void (*shift)(void *self, int di, int dj, const rill_field *bed, float level,
                  rl_exchange *exchange);
    // After a shift by (di, dj), and after the water of the cells that came in: faces that came in
    // take the mean velocity of their two cells, m/s. Both fields have a margin of one cell, and
    // are read beside these faces alone.
    void (*enter)(void *self, int di, int dj, const rill_field *x, const rill_field *y);
} rl_moving_domain_ops;

// Ground with overhangs, which has several columns in a cell.
typedef struct rl_solids_ops {
    // Cuts the columns of cells [i0, i1) x [j0, j1) anew out of a solid that has changed there. On
    // failure (too many columns above each other) nothing has changed. `lost` is the volume that
    // fits in no column, m^3.
    rill_status (*recut)(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                         double *lost);
    // The layer of the column of cell (i, j) whose range [b, max] holds the elevation z, or else of
    // the next one below it, or else the lowest one; -1 where the cell has no column at all.
    int (*layer_at)(const void *self, int i, int j, float z);
} rl_solids_ops;

// Bodies that keep the water out.
typedef struct rl_blocking_ops {
    // Bodies block `now`, and water stays where it is. `now` is kept, not copied, and read by
    // steps; NULL: nothing is blocked any more.
    void (*block)(void *self, rl_jobs *jobs, const rl_blocks *now);
    // A part of the set that the solver has is going to be `now` (Kellomäki section 4.2): water
    // gives way, and what is taken from a cell is added to displaced[j * nx + i], metres, what is
    // given subtracted. Returns whether anything is different there; then the caller changes the
    // set: cells, and at the end of a row what is known of it. Rows may be changed by many threads
    // at once.
    bool (*give_way)(void *self, const rl_blocks_part *now, double *displaced);
} rl_blocking_ops;

// Water that breaks into particles by itself.
typedef struct rl_motion_ops {
    rl_motion (*get)(void *self);
    // Slope from which on water falls as particles instead of flowing on; 0: none does.
    float (*fall_slope)(const void *self);
    // Returns how many falls of the ground as it is now are not listed, because there are more of
    // them than the list can hold: water goes over those as down a slope.
    int (*falls_left_out)(const void *self);
} rl_motion_ops;

// Walls between cells.
typedef struct rl_walls_ops {
    // Closes or opens the face east (axis 0) or north (axis 1) of cell (i, j).
    void (*mark_face)(void *self, int axis, int i, int j, bool closed);
} rl_walls_ops;

// What comes in by a RILL_BORDER_INCIDENT side besides its level (rill_border_frame).
typedef struct rl_incident {
    float wave;      // above the level, metres
    float velocity;  // of the current, m/s inwards,
    float discharge; // or per metre of the side, m^2/s; both add
} rl_incident;

// Borders by which waves and currents come in. Kept until it is set again or the kind changes.
typedef struct rl_incident_ops {
    void (*set)(void *self, rill_side side, rl_incident incident);
    // From now on the water beyond stands `depth` metres deep, without the wave, and runs inwards
    // at `velocity`, m/s, cell by cell along the side; where it is dry nothing passes. The side's
    // level, velocity and discharge have no effect then. Copied. For worlds whose moving domain has
    // water alone.
    void (*set_profile)(void *self, rill_side side, const float *depth, const float *velocity);
} rl_incident_ops;

// What a river can do besides what every solver can (rill/river.h).
typedef struct rl_river_ops {
    // Finds hints and columns and lets the flow come through once (Burrell section 3.5); to be
    // called once after `create`, unless the state was brought back from a cache.
    rill_status (*bootstrap)(void *self, rl_jobs *jobs);
    // The state was brought back from a cache file that was written after `seconds` of
    // bootstrapping.
    void (*came_from_cache)(void *self, double seconds);
    // A number that stands for ground, surface and definition: of the cache.
    uint64_t (*key)(const void *self);

    rill_river_state (*read)(void *self, rl_jobs *jobs);
    const rill_river_path *(*path)(const void *self);
    void (*set_viewer)(void *self, const double viewer[3]); // metres
    // Closes or opens cells (rill_world_close_river); true when one has changed.
    bool (*close)(void *self, double x, double y, double radius, bool closed);
    const rl_quadtree *(*detail)(const void *self); // NULL: everything is fine
    double (*add_dye)(void *self, double x, double y, double radius, double amount); // really added
    rill_field_view (*dye)(const void *self);
    double (*dye_amount)(void *self);
} rl_river_ops;

// ---- The table -------------------------------------------------------------------------

#define RL_BORDER_BIT(border) (1u << (border))

typedef struct rl_solver_ops {
    const char *name;
    unsigned borders;        // RL_BORDER_BIT of every kind of border that a side can have
    const char *border_note; // added to the error about any other kind; NULL: nothing is
    bool starts_moving;      // `create` takes the velocities of the definition
    bool copies_velocities;  // `columns` can copy the velocities of one box (rl_columns_request)

    // Bytes that the grid of such a world takes, before any is taken.
    uint64_t (*memory_needed)(const rill_world_def *def);
    // The bed of the definition is copied. The definition has been checked by the world.
    rill_status (*create)(const rill_world_def *def, rl_isa isa, void **self);
    void (*destroy)(const rill_allocator *allocator, void **self);
    size_t (*memory)(const void *self);

    // The longest step that is stable for the water as it is, seconds; +inf when nothing moves.
    double (*stable_step)(const void *self);
    // Takes one step of `dt` seconds. Adds what crossed the borders to `exchange`.
    void (*step)(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange);

    // Gives or takes water; returns the volume really given (negative: taken), m^3. Deposits
    // without momentum into different rows may be made at once from several threads.
    double (*deposit)(void *self, const rl_deposit *deposit);
    // The water as columns. Without a request (NULL) all of it is right, with velocities of now and
    // with a base that shows what bodies block; with one what is asked for.
    rill_columns (*columns)(void *self, rl_jobs *jobs, const rl_columns_request *request);
    // Volume of all water, m^3, summed in a fixed order; rounding remainders included.
    double (*volume)(const void *self, rl_jobs *jobs);

    // The bed, to be edited in place between steps; the caller must call `bed_changed` after. NULL
    // is returned by a solver that stands on a solid, which only `solids->recut` changes.
    rill_field *(*bed)(void *self);
    void (*bed_changed)(void *self);
    void (*set_border)(void *self, rill_side side, rill_border border, float level);

    // The arrays that make up the state; returns their number. After writing to them the caller
    // must call `state_changed`.
    int (*state)(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
    void (*state_changed)(void *self);
    // NULL when all that must hold between steps does, else a sentence about what does not.
    // For tests: it reads everything.
    const char *(*validate)(void *self);

    // Capabilities. NULL: this solver has none of the kind, and the caller must do without.
    const rl_moving_domain_ops *moving_domain;
    const rl_solids_ops *solids;
    const rl_blocking_ops *blocking;
    const rl_motion_ops *motion;
    const rl_walls_ops *walls;
    const rl_incident_ops *incident;
    const rl_river_ops *river;
    const struct rl_device_ops *device; // gpu/device_ops.h; NULL: the state is host-resident
} rl_solver_ops;

// The table of a solver; NULL when there is no such one (solvers.c).
const rl_solver_ops *rl_solver_of(rill_solver solver);
