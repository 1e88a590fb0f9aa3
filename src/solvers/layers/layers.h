// SPDX-License-Identifier: MIT
// layers.h - the state of the layers solver, shared by the files of this module.
//
// Columns lie in planes. Plane 0 holds the columns that are open to the sky, plane 1 + n the
// covered column that is the n-th from below in its cell. With that choice nearly all pipes join
// columns of one plane, whose places they know without an index; the few that do not ("cross
// pipes", under the edges of overhangs) are in a list.
//
// A *slot* is the place of a column: its distance in floats from the origin of any of the fields. A
// slot without a column is dead: base 0, depth 0, range_min 1e30, range_max -1e30, so that every
// pipe to it finds nothing between floor and ceiling and stays closed without a mask. Ghost slots
// beyond the sides of the grid are dead behind walls, and columns beside open borders. In plane 0,
// which is swept without reading ceilings, a dead slot has base 1e30 instead: a wall.
#pragma once

#include "solvers/layers/layers_cell.h"
#include "solvers/layers/layers_rows.h"
#include "solvers/shared/grid_solver.h"
#include "solvers/shared/pipe_rules_inline.h"
#include "solvers/solver.h"

#include "terrain/sdf/solid_internal.h"

#define RL_LAYERS_GHOST_ROWS 2 // above and below every plane

// A pipe between columns of different planes. `from` is the western or southern end.
typedef struct rl_layers_cross {
    uint32_t from, to; // slots
    uint32_t north;    // 1: from south to north, 0: from west to east
} rl_layers_cross;

// Cells of a row that hold columns of a plane: [first, end); first is a multiple of 16, none when
// end is 0.
typedef struct rl_layers_span {
    int first, end;
} rl_layers_span;

typedef struct rl_layers_passages rl_layers_passages; // layers_passages.c

// A tile of rows, of all planes, is the unit of work of a pass.
#define RL_LAYERS_TILE_ROWS 8

// What filling a tile found out.
typedef struct rl_layers_tile {
    float max_depth;   // metres
    rl_exchange moved; // across the borders, as discharge times cells, m^2/s
} rl_layers_tile;

typedef struct rl_layers {
    rl_owned own;
    int nx, ny;
    int planes;        // max_layers + 1 above a solid, else 1
    size_t plane_rows; // rows from one plane to the next: ny + 2 RL_LAYERS_GHOST_ROWS
    double cell_size;
    float wet_depth;
    rl_pipe_rules rules;
    rill_layers_def def;
    rill_border border[RILL_SIDE_COUNT];
    float border_level[RILL_SIDE_COUNT];
    const rl_layers_rows *rows;

    // State. Per column: base, depth, remainder (rl_pipe_fill), range_min, range_max, flooded (1 in
    // a column that belongs to a flooded passage, else 0), head (in such a column: the level of the
    // liquid that its passage was driven by, metres; what others have there says nothing). Per
    // face: qx east of a column, qy north of it, discharge per width, m^2/s; at gateways that of
    // the passage, inside passages its mean flow, which moves no water but is handed over when the
    // passage opens.
    rill_field base, depth, remainder, range_min, range_max, flooded, head, qx, qy;
    rl_layers_cross *cross; // sorted by row of `from`, then by slot of `from`, then by `to`
    float *cross_q;         // discharge of each cross pipe
    size_t cross_count, cross_capacity;
    size_t *cross_first; // per row: its first cross pipe; ny + 1 of them

    // Of the step being taken: discharges not yet limited, and the limiters of outflow and inflow
    // of the columns (1 in flooded columns: liquid only passes them).
    rl_pipe_coef k;
    rill_field raw_x, raw_y, outflow_limiter, inflow_limiter;
    float *cross_raw;

    rill_field cosine_x, cosine_y; // squared cosine of the slope at a face (slope_correction only)
    rill_field velocity_x, velocity_y; // made when columns are asked for
    rl_layers_span *spans;             // per plane and row
    rl_layers_passages *passages;
    float max_depth; // after the last step or change, metres; part of the state
    double *row_sums;

    bool on_solid;        // columns were cut out of a solid
    float *running_max;   // per row (grid_solver.h)
    float deepest_beyond; // of the ghosts beyond borders with a level, metres
    rl_layers_tile *tiles;
    int tile_count;
    // Per column: what its cross pipes add to the sum that a pass makes. 0 in columns without any.
    rill_field extra;
    // Per plane and row, ghost rows included: 1 when some limiter of the row is below 1.
    unsigned char *outflow_limited, *inflow_limited;
    // Rows that need no work. Quiet: all columns are dry and nothing flows. At rest: the raw
    // discharges are known to be zero.
    unsigned char *quiet, *at_rest;
    unsigned char *crossed;       // per plane and row: 1 when a column has cross pipes
    unsigned char *cross_busy;    // per row: 1 when a cross pipe that begins there may carry liquid
    rl_layers_cross *cross_spare; // where a new list is put together
    float *lowest_free; // per cell, while the ground is cut anew: lowest floor that takes liquid,
                        // metres; NAN: not known (layers_hand_out.c)
} rl_layers;

extern const rl_solver_ops rl_layers_ops;

// Borders that a side can have.
#define RL_LAYERS_BORDERS                                                 \
    (RL_BORDER_BIT(RILL_BORDER_WALL) | RL_BORDER_BIT(RILL_BORDER_DRAIN) | \
     RL_BORDER_BIT(RILL_BORDER_LEVEL))

// Row y of a plane, ghosts included.
static inline float *rl_layers_row(const rl_layers *s, const rill_field *field, int plane, int y)
{
    return field->origin + (ptrdiff_t)field->pitch * ((ptrdiff_t)s->plane_rows * plane + y);
}

static inline rl_layers_span *rl_layers_span_of(const rl_layers *s, int plane, int y)
{
    return &s->spans[(size_t)plane * (size_t)s->ny + (size_t)y];
}

static inline size_t rl_layers_flag_of(const rl_layers *s, int plane, int y)
{
    return (size_t)plane * ((size_t)s->ny + 2) + (size_t)(y + 1);
}

static inline size_t rl_layers_slot(const rl_layers *s, int plane, int i, int j)
{
    return s->base.pitch * (s->plane_rows * (size_t)plane + (size_t)j) + (size_t)i;
}

// Whether there is a column in a slot. Worlds without a solid have no ranges: all slots are live.
static inline bool rl_layers_live(const rl_layers *s, size_t slot)
{
    return !s->on_solid || s->range_max.origin[slot] > s->range_min.origin[slot];
}

// The ceilings of the slots, or NULL: above a bed there is none.
static inline const float *rl_layers_tops(const rl_layers *s)
{
    return s->on_solid ? s->range_max.origin : NULL;
}

// Whether columns in neighbouring slots, ghosts included, are joined.
static inline bool rl_layers_are_joined(const rl_layers *s, ptrdiff_t i, ptrdiff_t j)
{
    return rl_layers_slots_joined(s->base.origin, rl_layers_tops(s), i, j);
}

static inline bool rl_layers_is_open(const rl_layers *s, rill_side side)
{
    return s->border[side] != RILL_BORDER_WALL;
}

// ---- Columns and pipes (layers_cut.c, layers_cross.c) ----------------------------------

// Cuts the columns of the cells of a box out of a solid. Depths are left alone.
rill_status rl_layers_cut(rl_layers *s, const rl_solid *solid, rl_box box);
void rl_layers_find_spans(rl_layers *s, int j0, int j1);
void rl_layers_find_cosines(rl_layers *s, int i0, int j0, int i1, int j1);

// Cross pipes. Counts those of the whole grid; finds those that begin in cells [i0, i1) x [j0, j1)
// anew, with the discharges of those that were there before. Returns false, and nothing has
// changed, when there are too many.
size_t rl_layers_count_cross(const rl_layers *s);
bool rl_layers_find_cross(rl_layers *s, int i0, int j0, int i1, int j1);
// Lists all of them; the discharges stay where they are.
void rl_layers_list_cross(rl_layers *s);

// Cuts columns anew (layers_recut.c): the recut of rl_solids_ops.
rill_status rl_layers_recut(void *self, const rl_solid *solid, int i0, int j0, int i1, int j1,
                            double *lost);

// Puts `amount` metres into a column, to the last digit.
void rl_layers_put(rl_layers *s, size_t slot, double amount);

// ---- Borders, steps, reading ---------------------------------------------------

void rl_layers_set_ghosts(rl_layers *s);        // layers.c
double rl_layers_stable_step(const void *self); // layers_step.c
void rl_layers_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange);
// layers_columns.c
rill_columns rl_layers_columns(void *self, rl_jobs *jobs, const rl_columns_request *request);
double rl_layers_volume(const void *self, rl_jobs *jobs);
int rl_layers_layer_at(const void *self, int i, int j, float z);
int rl_layers_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);

// The state was written by a device, which knows nothing of rows that need no work.
void rl_layers_fetched(rl_layers *s); // layers.c

// The validate of rl_solver_ops (layers_validate.c).
const char *rl_layers_validate(void *self);

// ---- Flooded passages (layers_passages.c) ----------------------------------------------
// A column is full when its liquid reaches its ceiling. Full columns that no air can enter form
// passages; a gateway is a face between a column of a passage and one outside. In the order of a
// step:

rill_status rl_layers_passages_create(rl_layers *s); // memory for the worst case, s->passages
// How many gateways, and columns of limited inflow, there is memory for: more are left out.
size_t rl_layers_passages_capacity(const rl_layers *s);
// Columns or pipes were cut anew.
void rl_layers_passages_changed(rl_layers *s);

// 1. Before the step: marks flooded columns, finds passages and their gateways. Does nothing
//    where no column is full.
void rl_layers_find_passages(rl_layers *s);
// 2. The raw discharges of all faces are known: replaces those of gateways by Dagenais Eqs. 8 and 9
// (or
//    section 3.3) and closes the faces inside passages.
void rl_layers_drive_passages(rl_layers *s);
// 3. The limiters are known: changes raw discharges of gateways so that after limiting by limiters
// what
//    enters a passage leaves it.
void rl_layers_balance_passages(rl_layers *s);
// 4. Discharges are limited and columns filled: leaves the mean flow of a passage on the faces
//    inside it.
void rl_layers_settle_passages(rl_layers *s);
