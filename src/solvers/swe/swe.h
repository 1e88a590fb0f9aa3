// SPDX-License-Identifier: MIT
// swe.h - the state of the swe solver, shared by the files of this module.
#pragma once

#include "solvers/shared/grid_solver.h"
#include "solvers/solver.h"
#include "solvers/swe/swe_border_inline.h"
#include "solvers/swe/swe_rows.h"
#include "solvers/swe/swe_rules_inline.h"

// Ghost rows below and above every field.
#define RL_SWE_GHOST_ROWS 2

// Everything that moves. There are two of these: a step reads the one of before and writes the one
// of after, so bands of rows need nothing from each other.
//
// Cells: depth, remainder (rl_pipe_fill), phi (what the absorbing layer remembers, m/s). Faces: u
// east of a cell, so that column -1 holds the western border; v north of it, row -1 holds the
// southern border. Beside each row of v stand copies of its ends: walls let water slip.
typedef struct rl_swe_moving {
    rill_field depth, remainder, u, v, phi;
} rl_swe_moving;

#define RL_SWE_MOVING_FIELDS 5

// Rows that a band keeps while it is swept, by row number modulo RL_SWE_RING.
#define RL_SWE_RING 4

typedef struct rl_swe_scratch {
    float *advected_u[RL_SWE_RING], *advected_v[RL_SWE_RING]; // semi-Lagrangian,
    float *low_u[2], *high_u[2], *low_v[2], *high_v[2];       // its ranges,
    float *u[RL_SWE_RING], *v[RL_SWE_RING];                   // and corrected
    float *qx[RL_SWE_RING], *qy[RL_SWE_RING];                 // discharges
    float *limiter[RL_SWE_RING];                              // of the cells' outflow
    float *depth_beyond, *remainder_beyond; // new ones of the row north of the band
    float *phi_beyond;
    float *pressure_x[2], *pressure_y[2]; // of bores, by odd and even rows
    float *over_falls; // what went south over cliffs, and is not yet taken from its cells
} rl_swe_scratch;

#define RL_SWE_SCRATCH_ROWS (7 * RL_SWE_RING + 12 + 4)

typedef struct rl_swe_band {
    int y0, y1; // rows [y0, y1)
    rl_swe_scratch scratch;
    rl_swe_largest largest; // after the last step
    rl_exchange moved;      // across the borders in the last step, m (times the area of a cell)
} rl_swe_band;

// The absorbing layer (PML): sigma over the speed of waves, 1/m, and the level at rest, metres, per
// column and per row of the grid; 0 beside the layer.
typedef struct rl_swe_absorbing {
    bool on;
    double steepest; // sigma over the speed of waves at the border
    float *profile_x, *level_x, *profile_y, *level_y;
} rl_swe_absorbing;

// Eddy viscosity (swe_eddy.c).
typedef struct rl_swe_eddy_band rl_swe_eddy_band;
struct rl_swe_eddy_rows;

typedef struct rl_swe_eddies {
    const struct rl_swe_eddy_rows *rows; // NULL: there is none
    rill_field u, v;                     // what stresses leave of the velocities before a step
    rl_swe_eddy_band *bands;
    rl_band_rows rows_of_bands; // scratch of all bands
} rl_swe_eddies;

typedef struct rl_swe {
    rl_owned own;
    int nx, ny;
    double cell_size, gravity;
    float wet_depth;
    rill_swe_def def;
    rl_swe_side side[RILL_SIDE_COUNT];
    rl_swe_absorbing absorbing;
    rl_swe_eddies eddies;
    const rl_swe_rows *rows;

    rill_field bed;
    rl_swe_moving moving[2];
    int now;                           // which of them is the water of now
    rill_field velocity_x, velocity_y; // made when columns are asked for

    rl_swe_band *bands;
    int band_count;
    rl_band_rows rows_of_bands; // scratch of all bands
    float *ones;                // a row of limiters of 1,
    float *zeros;               // and of pressures without a bore

    // Faces that the user has closed: a bit a face, east (0) or north (1) of its cell.
    uint32_t *marks[2];
    size_t mark_words; // a row
    bool some_marked;

    // Faces over cliffs; row y is the lower cell of falls fall_rows[y] up to fall_rows[y + 1].
    rl_fall *falls, *falls_next;
    int fall_count, fall_capacity;
    int falls_left_out; // faces over cliffs that the list had no place for
    int *fall_rows;

    // What lies beyond incident sides, cell by cell: for each side depths, then velocities.
    float *along;
    bool has_along; // of worlds that can have it

    float *running_max;     // per row (grid_solver.h)
    double *row_sums;       // per row: for sums in a fixed order
    rl_swe_coef k;          // of the step being taken
    rl_swe_largest largest; // after the last step; part of the state: the next step depends on it
    double last_step;       // seconds
} rl_swe;

extern const rl_solver_ops rl_swe_ops;

static inline rl_swe_moving *rl_swe_now(const rl_swe *s)
{
    return (rl_swe_moving *)&s->moving[s->now];
}

// Ground, depth and level of a cell now.
static inline rl_swe_end rl_swe_end_at(const rl_swe *s, int i, int y)
{
    const float bed = rill_field_row(&s->bed, y)[i];
    const float depth = rill_field_row(&rl_swe_now(s)->depth, y)[i];
    return (rl_swe_end){bed, depth, bed + depth};
}

// Sweeps (swe_step.c).
void rl_swe_lay_bands(rl_swe *s);
void rl_swe_sweep(rl_swe *s, rl_jobs *jobs);

// Borders (swe_border.c). Velocities and discharges are positive outwards.
// Its velocity after the step, from the face before it and the face with the advected velocity.
float rl_swe_border_push(const rl_swe *s, rill_side side, rl_swe_border_face old,
                         rl_swe_border_face face);
// The set_border of rl_solver_ops, and the functions of rl_incident_ops.
void rl_swe_set_border(void *self, rill_side side, rill_border border, float level);
void rl_swe_set_incident(void *self, rill_side side, rl_incident incident);
void rl_swe_set_profile(void *self, rill_side side, const float *depth, const float *velocity);
size_t rl_swe_along_floats(const rl_swe *s); // of rl_swe.along

static inline bool rl_swe_lets_through(const rl_swe *s, rill_side side)
{
    return rl_swe_side_is_open(&s->side[side]);
}

// What the length and the constants of a step follow from (swe.c).
rl_swe_rules rl_swe_rules_of(const rl_swe *s);
// The largest depth and speeds that come in over the borders, and those of `most`.
rl_swe_largest rl_swe_largest_beyond(const rl_swe *s, rl_swe_largest most);

// Deposits (swe_deposit.c): the deposit of rl_solver_ops.
double rl_swe_deposit(void *self, const rl_deposit *deposit);

// After velocities or borders were changed from outside: closes the faces that are walls and copies
// what stands beside rows (swe.c).
void rl_swe_settle_faces(rl_swe *s);

// What slows the water of this world: RL_SWE_FREE and so on.
static inline int rl_swe_slowed(const rl_swe *s)
{
    return rl_swe_slowed_by(&s->def);
}

// The copies beside row y of v.
static inline void rl_swe_slip_row(const rl_swe *s, int y)
{
    float *v = rill_field_row(&rl_swe_now(s)->v, y);
    v[-1] = v[0];
    v[s->nx] = v[s->nx - 1];
}

// The absorbing layer (swe_absorb.c). What it adds to row y of the new depths is returned, metres;
// `phi` is its row after the step.
void rl_swe_set_absorbing(rl_swe *s);
void rl_swe_forget_outside_absorbing(rl_swe *s);
double rl_swe_absorb_in_row(const rl_swe *s, int y, const rl_swe_moving *old, float *depth,
                            float *phi);
void rl_swe_damp_in_row(const rl_swe *s, int y, float *u, float *v);

// Eddy viscosity (swe_eddy.c). Fields of their own hold what it makes of the velocities of now,
// which the next sweep reads.
uint64_t rl_swe_eddy_memory_needed(const rill_world_def *def);
void rl_swe_allocate_eddies(rl_swe *s, int shift, rl_isa isa); // in whole cache lines
void rl_swe_strain(rl_swe *s, rl_jobs *jobs);

// Faces that the user has closed (swe_border.c): a bit a face, in rows of 32-bit words.
size_t rl_swe_mark_words(int nx);
bool rl_swe_is_marked(const rl_swe *s, int axis, int i, int y);
void rl_swe_set_mark(rl_swe *s, int axis, int i, int y, bool closed);
void rl_swe_count_marks(rl_swe *s);
void rl_swe_mark_face(void *self, int axis, int i, int j, bool closed);
// Zeroes what stands at the marked faces of row y, east and north of its cells.
void rl_swe_close_marked(const rl_swe *s, int y, float *x, float *z);
// Zeroes the shears at both ends of marked faces: of `shear`, at the corners north-east of row y.
void rl_swe_slip_at_marked(const rl_swe *s, int y, float *shear);

// Falls (swe_falls.c).
typedef struct rl_swe_discharges {
    float *x, *south, *north; // east, south and north of the cells of a row
} rl_swe_discharges;

int rl_swe_fall_capacity(const rill_world_def *def);
void rl_swe_find_falls(rl_swe *s);
void rl_swe_falls_restored(rl_swe *s);
int rl_swe_falls_left_out(const void *self);
// Takes what came over falls out of the new depths of row y, into the falls if `book` is set, and
// closes their faces. The row north of it is filled later: what its cells have to give is stored in
// `over`, by column, and taken when that row is filled. A sweep that begins at row y > 0 first
// finds what goes over the falls of the row before.
void rl_swe_take_falls(rl_swe *s, int y, const float *depth_old, rl_swe_discharges q, float *over,
                       float *depth, float *remainder, bool book);
void rl_swe_begin_falls(const rl_swe *s, int y, const float *depth_old, float *north, float *over);
void rl_swe_subtract_falls(const rl_swe *s, int y, const float *over, float *depth,
                           float *remainder);
rl_motion rl_swe_motion(void *self);

// Moving the grid (swe_shift.c).
void rl_swe_shift(void *self, int di, int dj, const rill_field *bed, float level,
                  rl_exchange *exchange);
void rl_swe_enter(void *self, int di, int dj, const rill_field *x, const rill_field *y);
