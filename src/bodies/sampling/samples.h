// SPDX-License-Identifier: MIT
// samples.h - how bodies and water see each other at points: water at a point of the world, a
// triangle of a body divided into similar ones (Chentanez and Müller section 2.3), the wet part of
// such a piece, and the boxes of cells in which bodies gather what they do to the water.
#pragma once

#include "bodies/bodies_internal.h"
#include "bodies/shape/body_shape.h"

#include "core/numbers.h"

// Whether water runs through a body: nothing keeps it out of a sheet.
static inline bool rl_samples_passes(const rl_body *body)
{
    return body->def.coupling == RILL_COUPLING_PASS ||
           (body->def.coupling == RILL_COUPLING_BLOCK && rl_shape_is_open(body));
}

// ---- Water at points -------------------------------------------------------------------

#define RL_NO_WATER (-1e30) // a level: there is none

// The water of one step as it is queried.
typedef struct rl_water_view {
    rill_columns columns;
    const rl_blocks *blocks; // what bodies block of it; NULL: nothing
    const rill_field *head;  // levels where they do
    double own;              // of a body's own hill on the surface, which it does not feel, metres
    double gravity;
    const rill_field *bed; // the ground without them; with `blocks` alone
    double cell_size;
    // Copies the velocities of a box, of rl_solver_ops; NULL: the columns have them.
    rill_columns (*copy)(void *solver, rl_jobs *jobs, const rl_columns_request *request);
    void *solver;
    const rl_box_rows *rows;
} rl_water_view;

rl_water_view rl_samples_view(const rl_bodies *bodies, const rl_body_water *water);

// The same as a body that lets water through feels it: without the hill or hollow that it has made
// itself. A body that sinks lifts the water around it, which would make it displace more, and so
// on: with all of it felt at once the two throw each other up.
rl_water_view rl_samples_view_of(const rl_water_view *view, const rl_body *body);

// A wet column whose surface is free.
typedef struct rl_wet_column {
    int i, j, layer;
    size_t slot; // in the arrays of the columns
    double depth, level;
} rl_wet_column;

// The column of cell (i, j) that holds the elevation z. False where it is dry, or pressed down by a
// body that hangs in it.
bool rl_samples_column(const rl_water_view *view, int i, int j, double z, rl_wet_column *out);

// The wet ones of the four columns around a point, with weights that add to 1: the ground of dry
// cells is no level.
typedef struct rl_wet_columns {
    int count;
    rl_wet_column at[4];
    double weight[4];
} rl_wet_columns;

bool rl_samples_columns(const rl_water_view *view, const double p[3], rl_wet_columns *out);

// Velocity of the water there. The upright one is that of its surface (erratum 16 to
// Chentanez and Müller).
void rl_samples_flow(const rl_water_view *view, const rl_wet_columns *columns, double flow[3]);

// The level at a point of a surface with that normal, or RL_NO_WATER: where water runs through the
// body, and where it is kept out. The latter reads a cell outside.
typedef double (*rl_level_at)(const rl_water_view *view, const double p[3], const double normal[3]);
double rl_samples_level(const rl_water_view *view, const double p[3], const double normal[3]);
double rl_samples_head(const rl_water_view *view, const double p[3], const double normal[3]);

// Where a surface that keeps water out reads it: so many metres along its normal, whose part
// along the ground is `flat`. A face that is nearly level has no side to read; the step grows
// with its slope and does not jump from none to a cell.
static inline double rl_samples_step(double cell_size, double flat)
{
    return flat > 0.25 ? cell_size / flat : 4.0 * cell_size;
}

// What a surface that keeps water out finds before it: the level there, or RL_NO_WATER, and the
// velocity along the ground, 0 where there is none.
typedef struct rl_pressure_state {
    double level, flow[2];
} rl_pressure_state;

rl_pressure_state rl_samples_pressure(const rl_water_view *view, const double p[3],
                                      const double normal[3]);

// ---- Several layers (layer_head.c) -----------------------------------------------------

// The hydraulic level at a point of the surface of a solid body, metres: the pressure there is
// rho g (level - z), or nothing when the level is lower than z. It is read outside: at the nearest
// point along the normal, of unit length, whose cell has a column there. Cells are liquid or solid
// as their centres are, and the solid of a body may be half a cell off the body itself, so close to
// the surface liquid would be sought inside the solid. With a normal of 0 it is the level at the
// point itself. False where no column of the cell comes near. [any thread]
bool rl_body_layer_level_on(const rill_columns *columns, const double point[3],
                            const double normal[3], float *level);

// ---- Triangles -------------------------------------------------------------------------

#define RL_MAX_PARTS 64 // most that a side of a triangle is divided into

typedef struct rl_triangle {
    int corner[3]; // vertices of the body
    double p[3][3], v[3][3];
    double normal[3], area;
    int parts; // its sides are divided into so many, so it has parts^2 pieces
} rl_triangle;

// Triangle `t` of a body, divided until pieces are no larger than `largest`, m^2. False when it has
// no area.
bool rl_samples_triangle(const rl_bodies *bodies, const rl_body *body, int t, double largest,
                         rl_triangle *out);

// A piece: barycentric coordinates of its corners. Row `row` of [0, parts) has
// 2 (parts - row) - 1 of them.
typedef struct rl_piece {
    int corner[3][2]; // in steps of 1 / parts along the first and the second side
    double at[3][3];
} rl_piece;

rl_piece rl_samples_piece(int parts, int row, int n);

// The part of a piece that is below the water, as integrals over it; d is the depth of a point, l
// its barycentric coordinates.
typedef struct rl_wet_part {
    double area;           // of 1, m^2
    double centre[3];      // of l, m^2
    double head;           // of d, m^3
    double head_centre[3]; // of d l, m^3
} rl_wet_part;

// `depth` at the corners, negative above the water; linear between them.
rl_wet_part rl_samples_wet(const rl_piece *piece, const double depth[3], double area);

// Hands over the wet part of every piece that has one.
typedef void (*rl_visit_part)(void *context, const rl_triangle *triangle, const rl_wet_part *part);
void rl_samples_each(const rl_water_view *view, const rl_triangle *triangle, rl_level_at level_at,
                     rl_visit_part visit, void *context);

// Depths of the corners of a piece; whether one is below the water. A corner without water takes
// the level of the others.
static inline bool rl_samples_depths(const double levels[3], const double heights[3],
                                     double depth[3])
{
    double sum = 0.0;
    int count = 0;
    for (int c = 0; c < 3; c++)
        if (levels[c] > RL_NO_WATER) {
            sum += levels[c];
            count++;
        }
    bool below = false;
    for (int c = 0; c < 3 && count > 0; c++) {
        depth[c] = (levels[c] > RL_NO_WATER ? levels[c] : sum / count) - heights[c];
        below = below || depth[c] > 0.0;
    }
    return below;
}

// A mean of three corners.
static inline void rl_samples_mix(const double corners[3][3], const double weights[3],
                                  double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] =
            weights[0] * corners[0][k] + weights[1] * corners[1][k] + weights[2] * corners[2][k];
}

// ---- Boxes of cells --------------------------------------------------------------------

#define RL_CELL_VALUES 6 // doubles a cell

// A body, or some rows of one too large for the scratch, and a box of cells of its own to write to.
typedef struct rl_cell_job {
    int n;         // place of the body
    rl_box box;    // cells; empty: it touches none
    int left;      // jobs that this body still has, with this one; 1 nearly always
    bool whole;    // the box is all of the body's, not some rows
    double *cells; // RL_CELL_VALUES for each, zero
    int *queue;    // as many ints as the box has cells
    double sum[6]; // sums over the body, as the file that works on it defines them
} rl_cell_job;

// Where a round of such jobs ended, so that the next can go on. Begins all-zero.
typedef struct rl_cell_cursor {
    int place, band;
} rl_cell_cursor;

// Whether a body is in the water at all, and of a size that can be.
bool rl_samples_takes_part(const rl_body *body);

// The jobs of the next round: as many bodies as fit, in the order of places. Returns their
// number; 0: all are done. `path` widens boxes by what a body moves in so many seconds, `margin` by
// so large a part of themselves. Boxes of bodies that water does not run through are empty. With
// `only` not negative that body alone.
int rl_samples_plan(const rl_bodies *bodies, rl_cell_cursor *cursor, double path, double margin,
                    int only, rl_cell_job **jobs);

static inline size_t rl_box_cells(rl_box box)
{
    return (size_t)(box.i1 - box.i0) * (size_t)(box.j1 - box.j0);
}

// The number in [0, count) of the cell that holds x, metres, or of the nearest one.
static inline int rl_cell_of(double x, double cell_size, int count)
{
    const double cells = x / cell_size;
    return cells > 0.0 ? (cells < count ? (int)cells : count - 1) : 0;
}

// Values of a cell, or NULL outside of the box.
static inline double *rl_job_cell(const rl_cell_job *job, int i, int j)
{
    const rl_box *b = &job->box;
    if (i < b->i0 || i >= b->i1 || j < b->j0 || j >= b->j1)
        return NULL;
    const size_t width = (size_t)(b->i1 - b->i0);
    return job->cells + ((size_t)(j - b->j0) * width + (size_t)(i - b->i0)) * RL_CELL_VALUES;
}

// Vectors of vertices in the scratch: two sets of three doubles each.
double *rl_samples_vertices(const rl_bodies *bodies, int first_vertex);

// What is deposited in one cell.
typedef struct rl_cell_deposit {
    int layer; // -1: nothing
    double depth, momentum_x, momentum_y;
} rl_cell_deposit;

// What the water got: m^3, and momentum per unit density, m^4/s.
typedef struct rl_cells_given {
    double volume, momentum_x, momentum_y;
} rl_cells_given;

// Deposits what `deposit_of` says of the cells of a job, row by row. `values` are those of the
// cell.
typedef rl_cell_deposit (*rl_deposit_of)(const void *context, int i, int j, const double *values);
rl_cells_given rl_samples_deposit(const rl_bodies *bodies, const rl_body_water *water,
                                  const rl_cell_job *job, rl_deposit_of deposit_of,
                                  const void *context);
