// SPDX-License-Identifier: MIT
// river_internal.h - the state of the river solver, shared by the files of this module (Burrell
// chapter 3). The river's surface does not move: depth is the found level over the ground. What
// moves is the velocity, on the faces of a pyramid of grids: level 0 is the grid, each next one has
// cells twice as large. The solver works on a cell at exactly one level: level 0 everywhere, or
// coarser ones far from the viewer (Burrell section 5.2.2). The same pyramid serves the multigrid
// of the pressure.
#pragma once

#include "core/owned.h"
#include "core/quadtree.h"
#include "solvers/river/river_grid.h"
#include "solvers/shared/grid_solver.h"
#include "solvers/solver.h"
#include "terrain/river_path/river_path.h"

#include <math.h>

#define RL_RIVER_MAX_LEVELS 16
#define RL_RIVER_FIELDS     14 // of a level

// Cells [first, end) of row `row`.
typedef struct rl_river_run {
    int row, first, end;
} rl_river_run;

// Runs in rising order of rows; those of row j are [row_first[j], row_first[j + 1]).
typedef struct rl_river_runs {
    rl_river_run *runs;
    int *row_first;
    int count, capacity, rows;
    int64_t cells;
} rl_river_runs;

// One grid of the pyramid. Faces: u west of cell (i, j), so that u(nx, j) is at the eastern border;
// v south of it, v(i, ny) at the northern one.
typedef struct rl_river_level {
    int nx, ny;
    float cell_size;
    // Each of these fields of all levels lies in one block, so that it can be one array of the
    // state.
    union {
        struct {
            rill_field u, v;           // m/s
            rill_field u_next, v_next; // scratch of a step
            rill_field open_x, open_y; // conveyance of the faces: 0 at banks and between levels
                                       // that the solver works on; else the mean of the cells' (1
                                       // without columns)
            rill_field full_x, full_y; // the same whatever the solver works on: 0 at banks alone
            rill_field conveyance;     // of the cells: 0 dry; else clamp(p / p_ref)^z, 1 without
                                       // columns
            rill_field wet;            // part of a cell that is wet: what it counts for in a mean
            rill_field hint_x, hint_y; // where the flow should go, unit length or 0
            rill_field target;         // impulse magnitude: speed that it should have (Eq. 3.27)
            rill_field pressure;       // m^2/s: of the last projection, where the next one starts
        };
        rill_field fields[RL_RIVER_FIELDS];
    };
    int block_i, block_j; // where this level lies in the blocks
    rl_river_runs all;    // wet cells of this grid (a merged cell with any wet cell is wet)
    rl_river_runs work;   // those of them that the solver works on
    rl_river_squares squares;
} rl_river_level;
_Static_assert(offsetof(rl_river_level, pressure) ==
                   offsetof(rl_river_level, fields[RL_RIVER_FIELDS - 1]),
               "the fields by name and by number are the same");

// A face between a cell that the solver works on and a larger one: it is a face of the finer level.
typedef struct rl_river_joint {
    int level; // of the smaller cell; the larger one is of level + 1
    int axis;  // 0: face of u, 1: of v
    int fine_i, fine_j, coarse_i, coarse_j, face_i, face_j;
    float sign;             // +1 when positive velocity runs from the fine to the coarse cell
    float open;             // conveyance of the face
    int fine_at, coarse_at; // the cells in packed arrays (river_grid.h)
} rl_river_joint;

typedef struct rl_river_direct rl_river_direct; // river_project.h

#define RL_COLUMN_CELLS 16 // most cells of a column

enum { RL_COLUMN_NONE, RL_COLUMN_WET, RL_COLUMN_BEYOND }; // BEYOND: past an open border

// The hydrostatic columns (river_columns.c). Everything lies in grids of level 0, so that a state
// has the same extent whatever is wet.
typedef struct rl_river_columns {
    int cells;           // K, of each column
    rill_field block;    // of the four fields that follow, side by side: one array of the state
    rill_field height;   // of cell k of column i: [i K + k], metres
    rill_field pressure; // of the bottom over rho g: sum of the heights, metres
    rill_field u, v;     // velocity of the pipes through the west and the south face, m/s
    rill_field height_next, pressure_next;
    unsigned char *kind;  // per column, with a ring of one around the grid
    unsigned char *scant; // per column: 1 when some cell would give more than it holds
    size_t kind_bytes, scant_bytes;
} rl_river_columns;

#define RL_RIVER_NUMBERS 16 // in the state

typedef struct rl_river {
    rl_owned own;
    rill_river_def def;
    uint64_t seed;
    int nx, ny;
    float cell_size, gravity, wet_depth;
    const rl_river_rows *rows;

    rill_river_path *path;
    int from; // side that the river comes in by, or -1
    // Those of the path, with what they give now over spring_flow; none for a river from a side.
    rl_river_spring *springs;
    int spring_count;
    double spring_flow;                // m/s, so that the mean speed is the asked one
    uint8_t *reached;                  // per cell, with springs: it has a way out
    uint32_t *reach_list;              // and these are those cells
    rill_field bed, surface, depth;    // surface: RL_RIVER_DRY where dry; depth 0 there
    rill_field velocity_x, velocity_y; // at centres, made when columns are asked for
    bool velocities_fresh;
    rill_field dye, dye_next; // concentration, level 0
    rill_field obstacle;      // 1 where the caller has closed a wet cell, else 0

    rl_river_level levels[RL_RIVER_MAX_LEVELS];
    int level_count;
    rl_river_level blocks;  // its fields alone: those of all levels
    rl_river_joint *joints; // in rising order of levels
    int joint_count, joint_capacity;
    int joint_first[RL_RIVER_MAX_LEVELS + 1]; // those of level k are [first[k], first[k + 1])
    rl_river_gate *gates;
    int gate_count, gate_capacity;
    rl_river_ring_face *rings;
    int ring_count, ring_capacity;
    int squares_x, squares_y;
    unsigned char *square_level; // of the detail that the solver works with now
    unsigned char *square_level_before;
    size_t square_bytes;
    int coarsest_work; // highest level with cells that the solver works on
    int tile_capacity;
    rl_river_found *found; // per tile: of the pass that is running
    unsigned laid;         // counts how often the equations were laid
    rl_quadtree *detail;
    double viewer[3];

    rl_river_direct *direct;   // end of the multigrid of the pressure
    rl_river_columns *columns; // NULL: this river has none
    // Per row of the grid, m^3 given by deposits (or, negative, taken): leaves in the next step.
    double *passed_rows;
    float fastest; // largest velocity over the size of its cells, 1/s
    // One array of the state: the numbers above, passed_rows and square_level.
    double *saved;
    size_t saved_bytes;
    uint64_t steps;
    double gain; // of the impulses, so that the mean speed is the asked one
    double mean_speed, divergence, bootstrapped;
    int iterations;
    bool cached;
    double *row_sums; // per row of level 0, for sums in a fixed order
} rl_river;

// ---- The pyramid (river_levels.c) ------------------------------------------------------

rill_status rl_river_levels_create(rl_river *r);
// After surface, bed, obstacles or conveyance of level 0 have changed: wet sets, runs, conveyance
// and openings of all levels, joints; velocities through closed faces become 0.
void rl_river_levels_rebuild(rl_river *r);
// After the detail has changed: hands velocity, pressure, hints and targets over to the cells that
// the solver now works on, and lays `work`, openings and joints anew.
void rl_river_levels_regroup(rl_river *r);
// Hints and targets of coarser levels from those of level 0 (means over wet cells, hints
// normalised).
void rl_river_levels_merge_hints(rl_river *r);
// After the arrays of the state were written: lays everything that follows from them.
void rl_river_levels_restored(rl_river *r);
// Before the state is read: faces that no level works on hold their rings or 0.
void rl_river_levels_clean(rl_river *r);
// Swaps u and v with u_next and v_next, on all levels.
void rl_river_levels_swap(rl_river *r);
// The level that the solver works on in the place of cell (i, j) of level k.
static inline int rl_river_level_at(const rl_river *r, int k, int i, int j)
{
    const int x = (i << k) / RL_SQUARE, y = (j << k) / RL_SQUARE;
    return r->square_level[y * r->squares_x + x];
}
// Lays what follows from openings and detail: `work`, openings between cells that the solver works
// on, joints, gates, rings (river_regroup.c), equations.
void rl_river_levels_lay(rl_river *r);
void rl_river_levels_open(rl_river *r);
// Marks the squares that are to be laid anew: those where the detail was another before, or all.
void rl_river_levels_mark(rl_river *r, const unsigned char *before);
// Lays squares, gates and equations of the levels; `work` lists and joints follow from the detail
// (river_squares.c).
bool rl_river_squares_create(rl_river *r);
void rl_river_squares_lay(rl_river_level *level);
void rl_river_squares_equations(rl_river *r);
// Fills the ring of cells around `work` of every level from the neighbouring level, so that row
// loops may read one cell past their runs: velocities.
void rl_river_levels_fill_rings(rl_river *r);
// Updates velocity_x and velocity_y: velocities at the centres of all wet cells of level 0, from
// whichever level has them.
void rl_river_update_centres(rl_river *r, rl_jobs *jobs);

// Faces and cells of a square in the dense grids.
static inline rl_river_dense rl_river_dense_of(const rl_river_level *level, int square)
{
    const rl_river_squares *s = &level->squares;
    int i0, j0;
    rl_river_corner(s, square, &i0, &j0);
    const int left = level->ny + 1 - j0;
    const size_t at = (size_t)j0 * level->u.pitch + (size_t)i0;
    return (rl_river_dense){
        .rows = left < RL_SQUARE ? left : RL_SQUARE,
        .pitch = level->u.pitch,
        .u = level->u.origin + at,
        .v = level->v.origin + at,
        .u_next = level->u_next.origin + at,
        .v_next = level->v_next.origin + at,
        .pressure = level->pressure.origin + at,
        .open_x = level->open_x.origin + at,
        .open_y = level->open_y.origin + at,
        .known_x = level->full_x.origin + at,
        .known_y = level->full_y.origin + at,
        .wet = level->wet.origin + at,
        .u_before = rl_river_packed(s->q, square),
        .v_before = rl_river_packed(s->d, square),
    };
}

// The velocity at a face of level k, along axis 0 (u) or 1 (v).
static inline float *rl_river_face(const rl_river *r, int k, int axis, int i, int j)
{
    const rl_river_level *level = &r->levels[k];
    return &rill_field_row(axis == 0 ? &level->u : &level->v, j)[i];
}

// Value (i, j) of a field of cells, 0 beyond the borders, where a larger cell may reach.
static inline float rl_river_cell_or_zero(const rill_field *f, const rl_river_level *l, int i,
                                          int j)
{
    return i >= 0 && i < l->nx && j >= 0 && j < l->ny ? rill_field_row(f, j)[i] : 0.0f;
}

// The opening of a face whatever the solver works on.
static inline float rl_river_full(const rl_river_level *level, int axis, int i, int j)
{
    return rill_field_row(axis == 0 ? &level->full_x : &level->full_y, j)[i];
}

// ---- Passes (river_project.c) ----------------------------------------------------------

// One pass over the squares that the solver works on, of all levels, or over the units of one level
// of the multigrid. `square` is called for each, and adds what it finds to `found`.
typedef struct rl_river_pass rl_river_pass;
typedef void rl_river_on_square(rl_river_pass *pass, int k, int square);
struct rl_river_pass {
    rl_river *r;
    rl_river_on_square *square;
    bool units; // those of `level`, else all that the solver works on
    int level;
    float alpha, beta, omega; // of the pressure
    double dt;                // of the flow,
    float factor;             // and what it is scaled by
    int first;                // 1: the first sweep of diffusion
    rl_river_found found;     // by a tile, which has a copy of the pass
};

// Returns the sums and largest values over the tiles.
rl_river_found rl_river_run_squares(rl_jobs *jobs, const rl_river_pass *pass);

// ---- One step of Navier-Stokes (river_flow.c) ------------------------------------------

void rl_river_advect(rl_river *r, rl_jobs *jobs, double dt);    // Eq. 3.10
void rl_river_diffuse(rl_river *r, rl_jobs *jobs, double dt);   // Eq. 3.13
void rl_river_scale(rl_river *r, rl_jobs *jobs, double factor); // all velocities
// Advect, diffuse, impulses (rl_river_impulse), project, mean speed: everything but dye and
// columns.
void rl_river_flow_step(rl_river *r, rl_jobs *jobs, double dt);

// ---- Pressure (river_project.c, river_multigrid.c, river_direct.c) ----------------------

rill_status rl_river_direct_create(rl_river *r);
// Makes the flow free of divergence: sum of opening times velocity over the faces of each cell is
// 0. Pressure is 0 beyond open borders of the grid, its gradient 0 at banks. Sets r->divergence
// and r->iterations.
void rl_river_project_flow(rl_river *r, rl_jobs *jobs);
// Sets `r` of all squares to what flows in, and r->mean_speed and r->fastest; the worst inflow is
// in units of level 0 (Eq. 3.5).
rl_river_found rl_river_measure_flow(rl_river *r, rl_jobs *jobs);

// ---- Hydrostatic columns (river_columns.c) ---------------------------------------------

rill_status rl_river_columns_create(rl_river *r);
// Bytes that the columns of such a grid take, before any is taken; `cells` of a column.
uint64_t rl_river_columns_needed(int nx, int ny, int cells);
// Builds cells and pipes from bed and surface, starts them with the flow of now (section 3.2), runs
// them until the pressure has settled, and sets the conveyance of level 0. The caller rebuilds the
// levels.
void rl_river_columns_rebuild(rl_river *r, rl_jobs *jobs);
// One step of them beside the flow.
void rl_river_columns_step(rl_river *r, rl_jobs *jobs, double dt);
int rl_river_columns_state(rl_river *r, rill_state_array *arrays);

static inline unsigned char *rl_column_kinds(const rl_river *r, int j)
{
    return r->columns->kind + (size_t)(j + 1) * (size_t)(r->nx + 2) + 1;
}

static inline unsigned char *rl_column_scant(const rl_river *r, int j)
{
    return r->columns->scant + (size_t)j * (size_t)r->nx;
}

// The next wet column of a row from `i` on, or nx.
int rl_column_next(const unsigned char *kinds, int i, int nx);
#define RL_FOR_WET_COLUMNS(i, kinds, nx) \
    for (int i = rl_column_next(kinds, 0, nx); i < (nx); i = rl_column_next(kinds, i + 1, nx))

// One step of the pipes, `dt` within the stable one; returns the largest change of a bottom
// pressure in parts of itself. Needs velocities at the centres (rl_river_update_centres).
double rl_river_pipes_step(rl_river *r, rl_jobs *jobs, double dt);
// clamp(ratio, 1 / limit, limit)^z for the definition of the river.
float rl_column_conveyance(const rl_river *r, double ratio);
// Mean of the bottom pressure over wet columns, metres.
double rl_column_mean_pressure(const rl_river *r);
// Longest step that is stable for the columns as they are, seconds.
double rl_river_pipes_stable(const rl_river *r);

// ---- Hints and impulses (river_hints.c, river_impulse.c, river_bootstrap.c) -------------

// Algorithm 2: hints from the border that the river comes in by. Leaves the flow at rest.
void rl_river_hints_find(rl_river *r, rl_jobs *jobs);
// Targets of level 0 from the columns (Eq. 3.27), normalised so that their mean is def.speed.
void rl_river_targets(rl_river *r);
// Algorithm 3: impulses to all faces that the solver works on.
void rl_river_impulse(rl_river *r, rl_jobs *jobs, double dt);
// Hints, columns, targets and a flow that has come through once (rl_river_ops.bootstrap).
rill_status rl_river_bootstrap(void *self, rl_jobs *jobs);
// Stands for ground, surface and what of the definition bootstrapping depends on
// (rl_river_ops.key).
uint64_t rl_river_key(const void *self);
int64_t rl_river_count_reversed(rl_river *r, rl_jobs *jobs);

// Rows of a grid that are one index of a job.
#define RL_RIVER_ROWS 16

// A pass over the rows of all levels that the solver works on, RL_RIVER_ROWS to an index of a job.
typedef struct rl_river_row_pass rl_river_row_pass;
typedef void rl_river_on_row(const rl_river_row_pass *pass, int level, int j);
struct rl_river_row_pass {
    rl_river *river;
    rl_river_on_row *row;
    double dt;
    const rl_river_drive *drive; // of impulses,
    uint64_t draw;               // and of their random numbers
};
void rl_river_run_rows(rl_jobs *jobs, const rl_river_row_pass *pass);

// In the grid, wet, and not closed by an obstacle.
static inline bool rl_river_is_wet(const rl_river *r, int i, int j)
{
    return i >= 0 && i < r->nx && j >= 0 && j < r->ny && rill_field_row(&r->depth, j)[i] > 0.0f &&
           rill_field_row(&r->obstacle, j)[i] == 0.0f;
}

// Cosine and sine of an angle in degrees by + - * / alone, so that no math library's last bit can
// show in the state. `degrees` must be finite.
void rl_river_turn(double degrees, double *cosine, double *sine);

// The direction that the river has where it comes in, unit length.
void rl_river_first_direction(const rl_river *r, double *x, double *y);

// How many cells the river is wide, in the mean.
double rl_river_cells_across(const rl_river *r);

// Does the river come in through this face of the border of level 0? By the side that it was
// searched from, unless its main channel ends there or its level is below the middle of its fall;
// with a level that falls along the river by other sides, too, where it falls towards the inside.
bool rl_river_comes_in(const rl_river *r, rill_side side, int k);
// Hints of wet cells that have none, from those beside them: where ground has been lowered.
void rl_river_hints_mend(rl_river *r);

// Sum of the depths of a row of level 0, metres.
static inline double rl_river_row_depth(const rl_river *r, int j)
{
    const float *depth = rill_field_row(&r->depth, j);
    double row = 0.0;
    for (int i = 0; i < r->nx; i++)
        row += (double)depth[i];
    return row;
}

// Sum of the values of wet cells, times weights (NULL: 1), run by run.
double rl_river_sum(const rl_river_runs *runs, const rill_field *values, const rill_field *weights);
// Copies the values of wet cells.
void rl_river_copy_runs(const rl_river_runs *runs, const rill_field *from, rill_field *to);

// Does the centre of cell (i, j) of level 0 lie within `radius` of (x, y), metres? The cell that
// (x, y) lies in takes part however small the radius is.
static inline bool rl_river_within(const rl_river *r, int i, int j, double x, double y,
                                   double radius)
{
    const double size = (double)r->cell_size;
    const double dx = (i + 0.5) * size - x, dy = (j + 0.5) * size - y;
    const bool here = fabs(dx) <= 0.5 * size && fabs(dy) <= 0.5 * size;
    return here || dx * dx + dy * dy <= radius * radius;
}

// A field of a level becomes 0, faces at the far borders included. Levels lie in common blocks, so
// rill_field_fill is not for them.
void rl_river_clear(const rl_river_level *l, rill_field *field);

// All flow and pressure of all levels become 0.
void rl_river_rest(rl_river *r);
// Sets the flow of level 0 to the hints times `speed`, or times the targets when it is 0.
void rl_river_follow_hints(rl_river *r, float speed);

// ---- Springs (river_springs.c) ----------------------------------------------------------

rill_status rl_river_springs_create(rl_river *r);
// After wet cells have changed: finds out which springs have a way to where the river leaves.
void rl_river_springs_rebuild(rl_river *r);
// Adds what they give to what flows into the cells that the solver works on (squares.r).
void rl_river_springs_add(rl_river *r);
// Lets them give more where the river is too slow.
void rl_river_springs_follow(rl_river *r, double dt);

// ---- Dye (river_dye.c) -----------------------------------------------------------------

void rl_river_dye_step(rl_river *r, rl_jobs *jobs, double dt);
// Adds dye to the wet cells within `radius` of (x, y), metres; returns what was really added
// (rl_river_ops.add_dye): 0 where there is no wet cell.
double rl_river_dye_add(void *self, double x, double y, double radius, double amount);
double rl_river_dye_amount(void *self);

// ---- Changes and reading (river_query.c) -----------------------------------------------
// These are functions of rl_solver_ops and rl_river_ops.

void rl_river_set_viewer(void *self, const double viewer[3]);
// Closes or opens the cells whose centres lie within `radius` of (x, y), metres, or the one that
// (x, y) lies in. True when one has changed.
bool rl_river_close(void *self, double x, double y, double radius, bool closed);
double rl_river_deposit(void *self, const rl_deposit *deposit);
void rl_river_bed_changed(void *self);
int rl_river_state_arrays(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
void rl_river_state_changed(void *self);
rill_river_state rl_river_read(void *self, rl_jobs *jobs);
extern const rl_solver_ops rl_river_ops_table;
