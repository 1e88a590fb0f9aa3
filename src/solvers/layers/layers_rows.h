// SPDX-License-Identifier: MIT
// layers_rows.h - the row loops of the layers solver, compiled once per instruction set. A loop
// runs over the cells [first, end) of one row of one plane, in whole vectors: `first` is a multiple
// of 16, and the slots past `end` that this touches are dead and stay closed, but for the ghost
// beyond the eastern border where that is open.
#pragma once

#include "solvers/pipe_cell.h"

#include <stdint.h>

// What the flow of one row reads and writes.
typedef struct rl_layers_flow_row {
    int first, end;
    int open_west;                   // 1: the face west of cell 0 carries liquid too
    const float *base, *depth, *top; // this row; `top` is read with ceilings only
    const float *base_north, *depth_north, *top_north; // the row north of it
    const float *qx, *qy;             // old discharge east and north of the columns
    const float *qy_south, *qy_north; // old discharge of the rows beside; smoothing only
    const float *cosine_x, *cosine_y; // of the east and north faces; sloped tables only
    float *raw_x, *raw_y;             // new discharge, not limited; NULL raw_x: north faces alone
} rl_layers_flow_row;

// Ends of cross pipes, gathered.
#define RL_LAYERS_CHUNK 64
typedef struct rl_layers_chunk {
    _Alignas(64) float base_i[RL_LAYERS_CHUNK];
    float depth_i[RL_LAYERS_CHUNK], top_i[RL_LAYERS_CHUNK];
    float base_j[RL_LAYERS_CHUNK], depth_j[RL_LAYERS_CHUNK], top_j[RL_LAYERS_CHUNK];
    float q[RL_LAYERS_CHUNK]; // old discharge in, new discharge out
} rl_layers_chunk;

// What the passes after the flow read and write of one row: the outflow limiters, the inflow
// limiters of covered planes, and limiting and filling. `extra` is what cross pipes take, bring, or
// bring in all.
typedef struct rl_layers_fill_row {
    int first, end;
    int open_west;
    int reset; // 1: there may be limiters below 1 from the step before
    const float *raw_x, *raw_y, *raw_y_south;
    float *limiter; // outflow; 1 everywhere unless `reset`; written where it is below 1
    const float *limiter_south, *limiter_north; // read by the limited tables only
    float *inflow;                              // the same of the inflow; covered planes only
    const float *inflow_south, *inflow_north;
    const float *extra;                // crossed tables only
    const float *base, *top, *flooded; // covered planes only
    float *qx, *qy, *depth, *remainder;
} rl_layers_fill_row;

// What the velocities of one row are made from: first the sums over the faces of a column, to which
// cross pipes may add theirs, then the division.
typedef struct rl_layers_columns_row {
    int first, end;
    float wet; // columns deeper than this are wet, metres
    // Of this row and of the two beside it; `top` is read in covered planes only.
    const float *base, *base_south, *base_north;
    const float *depth, *depth_south, *depth_north;
    const float *top, *top_south, *top_north;
    const float *qx, *qy, *qy_south;
    float *velocity_x, *velocity_y; // discharge through both sides, m^2/s; then m/s
    float *liquid_x, *liquid_y;     // that stands in the faces of both sides, metres; then 0
} rl_layers_columns_row;

typedef struct rl_layers_rows {
    const char *isa;
    int lanes;
    // New discharge of the east and north faces of a row. Indexed by [sum of RL_PIPE_ kinds][what
    // slows it][smoothed].
    void (*flow[8][RL_PIPE_SLOWED_COUNT][2])(const rl_layers_flow_row *row, rl_pipe_coef k);
    // New discharge of `count` cross pipes. Indexed by [paper area][what slows it].
    void (*cross[2][RL_PIPE_SLOWED_COUNT])(rl_layers_chunk *chunk, int count, rl_pipe_coef k);
    // Outflow limiters; returns 1 when one is below 1. Indexed by [covered][crossed].
    int (*outflow_limiter[2][2])(const rl_layers_fill_row *row, rl_pipe_coef k);
    // Inflow limiters; returns 1 when one is below 1. Indexed by [limited].
    int (*inflow_limiter[2])(const rl_layers_fill_row *row, rl_pipe_coef k);
    // Limits the discharges and fills the columns; returns the largest depth. Indexed by
    // [covered][crossed][limited].
    float (*fill[2][2][2])(const rl_layers_fill_row *row, rl_pipe_coef k);
    // Velocities at centres, Kellomäki Eq. 4. `sum_faces` is indexed by [covered].
    void (*sum_faces[2])(const rl_layers_columns_row *row);
    void (*divide_sums)(const rl_layers_columns_row *row);
} rl_layers_rows;

extern const rl_layers_rows rl_layers_rows_c, rl_layers_rows_avx2, rl_layers_rows_avx512;
