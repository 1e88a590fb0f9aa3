// SPDX-License-Identifier: MIT
// pipes_rows.h - the row loops of the pipes water, compiled once per instruction set. Rows are
// processed in whole vectors (core/field.h gives the room): the ghost cells past `nx` that this
// touches are walls and stay closed, but for cell `nx` itself where the border is open.
#pragma once

#include "solvers/pipe_cell.h"

#include <stdint.h>

// What the flow of one row reads and writes. The arrays do not overlap, except that `qx_out` may be
// `qx`.
typedef struct rl_pipes_flow_row {
    int nx;
    int open_west;                        // 1: the face west of cell 0 carries water too, in qx[-1]
    const float *bed, *depth;             // this row
    const float *bed_north, *depth_north; // the row north of it
    const float *qx, *qy;                 // old discharge east and north of the cells
    const float *qy_south_old;            // old discharge of the faces south and, one row on,
    const float *qy_north_old;            // north; read by the smoothing tables only
    const float *qy_south;                // new discharge south, not yet limited
    float *qx_out, *qy_out;               // new discharge, not yet limited
    float *share; // outflow shares; written only if a cell is short. Ghosts stay 1.
} rl_pipes_flow_row;

// What limiting and filling one row reads and writes.
typedef struct rl_pipes_fill_row {
    int nx;
    const float *share, *share_north; // outflow shares of this row and the next
    float *qx;                        // not yet limited in, limited out
    const float *qy_new;              // not yet limited
    float *qy;                        // limited
    const float *qy_south;            // limited
    float *depth, *remainder;
} rl_pipes_fill_row;

typedef struct rl_pipes_rows {
    const char *isa;
    int lanes;
    // New discharge of the east and north faces of a row, and the outflow shares of its cells.
    // Returns 1 when some cell is short and `share` was written, 0 when every share is 1.
    // Indexed by [paper area][what slows it][smoothed].
    int (*flow[2][RL_PIPE_SLOWED_COUNT][2])(const rl_pipes_flow_row *row, rl_pipe_coef k);
    // The north faces alone: where a band needs its neighbour's.
    void (*flow_north[2][RL_PIPE_SLOWED_COUNT][2])(const rl_pipes_flow_row *row, rl_pipe_coef k);
    // Limits the discharges north of a row: out = q limited by the shares of both rows.
    void (*limit)(float *qy, const float *share, const float *share_north, int nx);
    // New depths of a row; returns the largest. `fill` takes the discharges as they are,
    // `limit_and_fill` limits them first.
    float (*fill)(const rl_pipes_fill_row *row, rl_pipe_coef k);
    float (*limit_and_fill)(const rl_pipes_fill_row *row, rl_pipe_coef k);
} rl_pipes_rows;

extern const rl_pipes_rows rl_pipes_rows_c, rl_pipes_rows_avx2, rl_pipes_rows_avx512;
