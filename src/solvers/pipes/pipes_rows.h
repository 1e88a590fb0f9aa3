// SPDX-License-Identifier: MIT
// pipes_rows.h - the row loops of the pipes solver, compiled once per instruction set. Rows are
// processed in whole vectors (core/field.h gives the margins): the ghost cells past `nx` that this
// touches are walls and stay closed, but for cell `nx` itself where the border is open.
#pragma once

#include "solvers/pipe_cell.h"

#include <stddef.h>
#include <stdint.h>

// Rows that are wanted next. They are brought into the cache while a flow is worked out, which
// keeps the processor busy and leaves memory idle.
typedef struct rl_pipes_prefetch {
    const float *bed, *depth, *qx, *qy, *remainder;
} rl_pipes_prefetch;

// What the flow of one row reads and writes. The arrays do not overlap, except that `qx_out` may be
// `qx`.
typedef struct rl_pipes_flow_row {
    int nx;
    int open_west;                        // 1: the face west of cell 0 carries water too, in qx[-1]
    const float *bed, *depth;             // this row
    const float *bed_north, *depth_north; // the row north of it
    const float *bed_south;               // and south of it, for limiters alone
    const float *qx, *qy;                 // old discharge east and north of the cells
    const float *qy_south_old;            // old discharge of the faces south and, one row on,
    const float *qy_north_old;            // north; read by the smoothing tables only
    const float *qy_south;                // new discharge south, not yet limited
    float *qx_out, *qy_out;               // new discharge, not yet limited
    float *limiter;          // outflow limiters; written only if one is below 1. Ghosts stay 1.
    rl_pipes_prefetch ahead; // not for faces north alone
} rl_pipes_flow_row;

// What limiting and filling one row reads and writes.
typedef struct rl_pipes_fill_row {
    int nx;
    const float *limiter, *limiter_north; // outflow limiters of this row and the next
    float *qx;                            // not yet limited in, limited out
    const float *qy_new;                  // not yet limited
    float *qy;                            // limited
    const float *qy_south;                // limited
    float *depth, *remainder;
} rl_pipes_fill_row;

// ---- Rows with hanging bodies (pipes_blocked_cell.h) -----------------------------------------

#define RL_PIPES_LINE 16 // cells that are worked on together: a cache line

// Cells with which vectors begin.
typedef struct rl_pipes_places {
    int *at;
    int count;
} rl_pipes_places;

// What hangs in row y of a set, copied to rows of a sweep's own: of the set, only lines with
// something are read. The others are far away in memory as a rule.
typedef struct rl_pipes_hung {
    int y;
    float *lower, *upper; // RL_BLOCK_NO_LOWER and RL_BLOCK_NO_UPPER where nothing hangs
    uint64_t *cells;      // bits, set where something hangs; one word more than there are cells for
    int *lines;           // that are copied
    int line_count;
} rl_pipes_hung;

// A row of a set, and its lines in which something may hang, rising.
typedef struct rl_pipes_set_row {
    const float *lower, *upper;
    const int *lines;
    int line_count;
} rl_pipes_set_row;

typedef struct rl_pipes_block_row {
    const float *floor, *depth, *lower, *upper;
} rl_pipes_block_row;

// Finds the faces east of a row beside which something hangs, and those north: one vector begins
// with the first such face that is not in the one before. What is kept of the old discharges east
// is set aside.
typedef struct rl_pipes_beside_row {
    const uint64_t *hung, *hung_north; // cells
    int words;
    int smooth;
    const float *qx; // old; NULL: nothing is set aside
    float *kept;
    rl_pipes_places *places;
} rl_pipes_beside_row;

// What cells let in: limiters of what comes below and above their bodies.
typedef struct rl_pipes_inflow_limiter_row {
    float *below, *above;
} rl_pipes_inflow_limiter_row;

// What those faces read and write. Other faces keep the discharge that stands there.
typedef struct rl_pipes_blocked_row {
    rl_pipes_places places;
    int smooth;
    rl_pipes_block_row here, north;
    const float *kept;                             // of the faces east, as above
    const float *qy, *qy_south_old, *qy_north_old; // as in rl_pipes_flow_row
    const float *under_south;                      // discharge south below bodies
    float *qx_out, *qy_out;                        // qx_out NULL: faces north alone
    float *under_x, *under_y;                      // the parts below bodies
    rl_pipes_inflow_limiter_row inflow;            // of the cells, if not for faces north alone
} rl_pipes_blocked_row;

// The same faces, limited to what their cells let in.
typedef struct rl_pipes_inflow_row {
    rl_pipes_places places;
    const float *lower, *lower_north;
    rl_pipes_inflow_limiter_row here, north;
    const float *under_x, *under_y;
    float *qx, *qy; // qx NULL: faces north alone
} rl_pipes_inflow_row;

// A line of cells in which bodies were as in `old` and are as in `now`, and its water.
typedef struct rl_pipes_change_row {
    int count;  // of cells: a line, or less at the end of a row
    float film; // what is not deeper is no surface, metres
    const float *bed;
    rl_pipes_block_row old, now;
    float *depth, *remainder;
    double *displaced; // what the water lost, metres, is added to it
} rl_pipes_change_row;

// Velocities of cells [first, end).
typedef struct rl_pipes_velocity_row {
    int first, end;
    int hangs; // 0: nothing in these rows; `lower` and `upper` are not read
    float wet; // cells that are not deeper are at rest, metres
    rl_pipes_block_row here, south, north;
    const float *qx, *qy, *qy_south;
    float *velocity_x, *velocity_y;
} rl_pipes_velocity_row;

// Velocities of a box of cells, from cell `first` of its rows on.
#define RL_PIPES_BOX 32
typedef struct rl_pipes_velocity_box {
    int first, width, rows; // at most RL_PIPES_BOX of each
    float wet;              // as above
    // From the row south of the box to the one north of it. `lower` is NULL where nothing hangs.
    const rl_pipes_block_row *cells;
    const float *qx, *qy; // of its first row, and
    size_t pitch;         // from there to the next
    // Of its first cell. Whole vectors are written, from east to west and in each column of them
    // from south to north: what comes behind a row is written over.
    float *velocity_x, *velocity_y;
    size_t out_pitch;
} rl_pipes_velocity_box;

typedef struct rl_pipes_rows {
    const char *isa;
    int lanes;
    // New discharge of the east and north faces of a row, and the outflow limiters of its cells.
    // Returns 1 when some limiter is below 1 and `limiter` was written, 0 when every limiter is 1.
    // Indexed by [paper area][what slows it][smoothed].
    int (*flow[2][RL_PIPE_SLOWED_COUNT][2])(const rl_pipes_flow_row *row, rl_pipe_coef k);
    // The north faces alone: where a band needs its neighbour's.
    void (*flow_north[2][RL_PIPE_SLOWED_COUNT][2])(const rl_pipes_flow_row *row, rl_pipe_coef k);
    // The parts of `flow`, for a row whose faces are not all alike: first the faces, then the
    // limiters.
    void (*faces[2][RL_PIPE_SLOWED_COUNT][2])(const rl_pipes_flow_row *row, rl_pipe_coef k);
    int (*find_limiter)(const rl_pipes_flow_row *row, rl_pipe_coef k);
    // Lets the water give way to bodies; returns the largest depth that changed, -1 if none has.
    float (*give_way)(const rl_pipes_change_row *row);
    // Where something hangs; where there are faces beside that; those faces, in the place of what
    // `faces` made of them, and what their cells let in: returns 0 if that is all that comes; and
    // the faces limited to that.
    void (*find_hung)(const rl_pipes_set_row *row, rl_pipes_hung *hung);
    void (*find_beside)(const rl_pipes_beside_row *row, rl_pipe_coef k);
    int (*blocked[2][RL_PIPE_SLOWED_COUNT])(const rl_pipes_blocked_row *row, rl_pipe_coef k);
    void (*limit_inflow)(const rl_pipes_inflow_row *row);
    void (*velocity)(const rl_pipes_velocity_row *row);
    void (*velocities)(const rl_pipes_velocity_box *box);
    // Limits the discharges north of a row: out = q limited by the limiters of both rows.
    void (*limit)(float *qy, const float *limiter, const float *limiter_north, int nx);
    // New depths of a row; returns the largest. `fill` takes the discharges as they are,
    // `limit_and_fill` limits them first.
    float (*fill)(const rl_pipes_fill_row *row, rl_pipe_coef k);
    float (*limit_and_fill)(const rl_pipes_fill_row *row, rl_pipe_coef k);
} rl_pipes_rows;

extern const rl_pipes_rows rl_pipes_rows_c, rl_pipes_rows_avx2, rl_pipes_rows_avx512;
