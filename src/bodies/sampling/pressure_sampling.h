// SPDX-License-Identifier: MIT
// pressure_sampling.h - what surfaces that keep water out find before them, and feel of it: loops
// over triangles of a body that lie side by side, one in a lane, compiled once per instruction set
// (pressure_rows.c). No sum goes across lanes, so that all sets give the same bits.
#pragma once

#include "bodies/sampling/samples.h"

#define RL_PRESSURE_CELLS 576

typedef struct rl_pressure_grid {
    rl_box box;       // cells; empty: too many, every point is queried in the columns
    double reference; // an elevation near the body: floats are exact enough from there, metres
    float highest;    // level that a point can find, from there: what is above it is dry
    // Row by row; the last ones belong to no cell.
    _Alignas(RILL_ALIGNMENT) float cells[RL_PRESSURE_CELLS + RILL_MARGIN_X][RL_PRESSURE_VALUES];
} rl_pressure_grid;

#define RL_PRESSURE_LANES 16
#define RL_PRESSURE_BLOCK 4 // lanes that are worked on at once

// Triangles of a body. Where they are used together they have the same number of parts.
typedef struct rl_pressure_group {
    _Alignas(RILL_ALIGNMENT) int vertex[3][RL_PRESSURE_LANES]; // of the body, at the corners
    float corner[3][3][RL_PRESSURE_LANES];    // where these are: x, y and z, metres
    double velocity[3][3][RL_PRESSURE_LANES]; // of them, m/s
    // What rl_pressure_rows.shape finds: also the number of parts that the sides of each are to be
    // divided into, 0 where it has no area. Points of the lattice that divides one lie at `first` +
    // row `rows` + n `along`: two places in cells of the grid, where they read water, and the
    // height from its reference.
    int own_parts[RL_PRESSURE_LANES];
    double normal[3][RL_PRESSURE_LANES], area[RL_PRESSURE_LANES];
    float first[3][RL_PRESSURE_LANES], rows[3][RL_PRESSURE_LANES], along[3][RL_PRESSURE_LANES];
    int parts, count;
    int lanes; // whole blocks: those past the last triangle are there twice
} rl_pressure_group;

// What a point of each of them finds: the depth at which it lies, metres, or RL_NO_WATER; and the
// velocity of the water along the ground, m/s.
typedef struct rl_pressure_point {
    double depth[RL_PRESSURE_LANES], flow_x[RL_PRESSURE_LANES], flow_y[RL_PRESSURE_LANES];
} rl_pressure_point;

// A row of the lattice.
typedef struct rl_pressure_points {
    _Alignas(RILL_ALIGNMENT) rl_pressure_point at[RL_MAX_PARTS + 1];
    int unseen; // not 0: some find no water
} rl_pressure_points;

// How a body is dragged and lifted.
typedef struct rl_pressure_pull {
    double density; // of the water, kg/m^3
    double drag, lift, area_weight;
    double inert; // drag takes no more than this times the speed, kg/(m^2 s); may be INFINITY
} rl_pressure_pull;

// What triangles feel.
typedef struct rl_pressure_felt {
    _Alignas(RILL_ALIGNMENT) double area[RL_PRESSURE_LANES]; // below the water, m^2
    double head[3][RL_PRESSURE_LANES];    // integrals of depth times barycentric coordinates, m^3
    double flow[3][3][RL_PRESSURE_LANES]; // drag and lift at the corners, N
    double power[RL_PRESSURE_LANES];      // that drag takes, W
} rl_pressure_felt;

typedef struct rl_pressure_rows {
    const char *isa;
    // All that there is to know of triangles whose corners are given. Pieces are to be no larger
    // than `largest`, m^2.
    void (*shape)(const rl_pressure_grid *grid, double cell_size, double largest,
                  rl_pressure_group *group);
    // What the points of a row of the lattice find.
    void (*find)(const rl_pressure_grid *grid, const rl_pressure_group *group, int row,
                 rl_pressure_points *points);
    // Adds what the pieces between a row and the next feel.
    void (*feel)(const rl_pressure_group *group, const rl_pressure_pull *pull, int row,
                 const rl_pressure_points *here, const rl_pressure_points *next,
                 rl_pressure_felt *felt);
} rl_pressure_rows;

extern const rl_pressure_rows rl_pressure_rows_c, rl_pressure_rows_avx2, rl_pressure_rows_avx512;

// ---- A body (pressure_sampling.c) ------------------------------------------------------

// Whether a body is small enough for a grid.
bool rl_pressure_fits(const rl_bodies *bodies, const rl_body *body);

// The water's velocities are found here if it can tell those of some cells, so that its columns
// need have none around a body that fits.
void rl_pressure_query(const rl_water_view *view, const rl_body *body, rl_pressure_grid *grid);

// Such a body in the water of its grid. Its triangles are divided until pieces are no larger than
// `largest`, m^2.
typedef struct rl_pressure_body {
    const rl_bodies *bodies;
    const rl_body *body;
    const rl_water_view *view;
    const rl_pressure_grid *grid;
    rl_pressure_pull pull;
    double largest;
} rl_pressure_body;

// Hands over what its triangles feel, group by group; those above the water are left out.
typedef void (*rl_visit_pressures)(void *context, const rl_pressure_group *group,
                                   const rl_pressure_felt *felt);
void rl_pressure_sample(const rl_pressure_body *of, rl_visit_pressures visit, void *context);
