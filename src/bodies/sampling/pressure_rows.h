// SPDX-License-Identifier: MIT
// pressure_rows.h - what surfaces that keep water out find before them, and feel of it: loops over
// triangles of a body that lie side by side, one in a lane, compiled once per instruction set. No
// sum goes across lanes, so that all sets give the same bits.
#pragma once

#include "bodies/sampling/pressure_grid.h"

#define RL_FRONT_LANES 16
#define RL_FRONT_BLOCK 4 // lanes that are worked on at once

// Triangles of a body. Where they are used together they have the same number of parts.
typedef struct rl_front_group {
    _Alignas(RL_ALIGNMENT) int vertex[3][RL_FRONT_LANES]; // of the body, at the corners
    float corner[3][3][RL_FRONT_LANES];                   // where these are: x, y and z, metres
    double velocity[3][3][RL_FRONT_LANES];                // of them, m/s
    // What rl_front_rows.shape finds: also the number of parts that the sides of each are to be
    // divided into, 0 where it has no area. Points of the lattice that divides one lie at `first` +
    // row `rows` + n `along`: two places in cells of the tile, where they look for water, and the
    // height from its reference.
    int own_parts[RL_FRONT_LANES];
    double normal[3][RL_FRONT_LANES], area[RL_FRONT_LANES];
    float first[3][RL_FRONT_LANES], rows[3][RL_FRONT_LANES], along[3][RL_FRONT_LANES];
    int parts, count;
    int lanes; // whole blocks: those past the last triangle are there twice
} rl_front_group;

// What a point of each of them finds: the depth at which it lies, metres, or RL_NO_WATER; and the
// velocity of the water along the ground, m/s.
typedef struct rl_front_point {
    double depth[RL_FRONT_LANES], flow_x[RL_FRONT_LANES], flow_y[RL_FRONT_LANES];
} rl_front_point;

// A row of the lattice.
typedef struct rl_front_points {
    _Alignas(RL_ALIGNMENT) rl_front_point at[RL_MAX_PARTS + 1];
    int unseen; // not 0: some find no water
} rl_front_points;

// How a body is dragged and lifted.
typedef struct rl_front_pull {
    double density; // of the water, kg/m^3
    double drag, lift, area_weight;
    double inert; // drag takes no more than this times the speed, kg/(m^2 s); may be INFINITY
} rl_front_pull;

// What triangles feel.
typedef struct rl_front_felt {
    _Alignas(RL_ALIGNMENT) double area[RL_FRONT_LANES]; // below the water, m^2
    double head[3][RL_FRONT_LANES];    // integrals of depth times barycentric coordinates, m^3
    double flow[3][3][RL_FRONT_LANES]; // drag and lift at the corners, N
    double power[RL_FRONT_LANES];      // that drag takes, W
} rl_front_felt;

typedef struct rl_front_rows {
    const char *isa;
    // All that there is to know of triangles whose corners are given. Pieces are to be no larger
    // than `largest`, m^2.
    void (*shape)(const rl_front_tile *tile, double cell_size, double largest,
                  rl_front_group *group);
    // What the points of a row of the lattice find.
    void (*find)(const rl_front_tile *tile, const rl_front_group *group, int row,
                 rl_front_points *points);
    // Adds what the pieces between a row and the next feel.
    void (*feel)(const rl_front_group *group, const rl_front_pull *pull, int row,
                 const rl_front_points *near, const rl_front_points *far, rl_front_felt *felt);
} rl_front_rows;

extern const rl_front_rows rl_front_rows_c, rl_front_rows_avx2, rl_front_rows_avx512;
