// SPDX-License-Identifier: MIT
// swe_rows.h - the row loops of the swe solver, compiled once per instruction set. Rows are
// processed in whole vectors (core/field.h gives the margin). To these loops every border is a
// wall: the ghost cells past a row are dry and higher than any water, and what they make of the
// faces at the borders is replaced by swe_border.c.
#pragma once

#include "solvers/swe/swe_cell.h"

// Velocities around row y that carry velocities: u east of the cells of rows y-1, y, y+1, and v
// north of them.
typedef struct rl_swe_around {
    const float *u_south, *u, *u_north;
    const float *v_south, *v, *v_north;
} rl_swe_around;

// Semi-Lagrangian advection of one row, and the ranges of the values that were looked between.
typedef struct rl_swe_carry_row {
    int nx;
    rl_swe_around old;
    float *u, *v;
    float *u_low, *u_high, *v_low, *v_high;
} rl_swe_carry_row;

// What moves through the east and north faces of one row, m (swe_cell.h), and the outflow limiters
// of its cells. Where faces north of the row are no faces between cells `limiter` must be made
// anew.
typedef struct rl_swe_flow_row {
    int nx;
    int open_east; // the last face is no wall: `qx_east` moves through it
    float qx_east;
    const float *u, *v, *depth, *depth_north;
    const float *qy_south; // of the row before
    float *qx, *qy;        // qx[-1] is read, too
    float *limiter;        // written only if one is below 1
} rl_swe_flow_row;

// MacCormack's correction of one row.
typedef struct rl_swe_correct_row {
    int nx;
    rl_swe_around old, advected;
    const float *u_low, *u_high, *v_low, *v_high;
    float *u, *v;
} rl_swe_correct_row;

// Limiting and filling one row.
typedef struct rl_swe_fill_row {
    int nx;
    const float *limiter, *limiter_north; // of this row and the next; 1 beside the cells
    float *qx, *qy;                       // not yet limited in, limited out
    const float *qy_south;                // limited
    const float *depth, *remainder;       // before
    float *depth_out, *remainder_out;     // after
} rl_swe_fill_row;

// The pressures of bores in the cells of one row (rl_swe_bore_pressure), along both axes, from what
// was before the step. Beyond the southern and northern borders water is mirrored, which the row
// loop cannot tell from the velocities where they are open.
typedef struct rl_swe_bore_row {
    int nx;
    int at_south, at_north; // the row lies at that border
    const float *u;
    const float *v_before, *v_south, *v_north, *v_after; // north of rows y - 2 to y + 1
    const float *bed_south, *bed, *bed_north;
    const float *depth_south, *depth, *depth_north;
    float *pressure_x, *pressure_y;
} rl_swe_bore_row;

// The velocities of the columns of one row (rl_swe_centre).
typedef struct rl_swe_centre_row {
    int nx;
    const float *u, *v_south, *v;
    const float *bed_south, *bed, *bed_north, *depth_south, *depth, *depth_north;
    float *x, *y;
} rl_swe_centre_row;

// New velocities of one row, east and north of its cells. `u_advected`, `v_advected` and the old
// depths are used only where advection does not keep momentum; of the advected velocities those at
// fronts change.
typedef struct rl_swe_push_row {
    int nx;
    const float *bed, *bed_north, *depth, *depth_north; // new depths
    const float *depth_old, *depth_old_north;
    rl_swe_around old;
    float *u_advected, *v_advected;
    const float *qx, *qx_north, *qy_south, *qy, *qy_north;
    const float *pressure_x, *pressure_y, *pressure_y_north; // of bores, where there are any
    float *u, *v;
} rl_swe_push_row;

// The absorbing layer in one row, cells [first, end); `first` is a multiple of 16. Beside it
// profiles and phi are zero and nothing changes.
typedef struct rl_swe_absorb_row {
    int first, end;
    const float *bed, *profile_x, *level_x; // per cell
    float profile_y, level_y, gravity;
    const float *u, *v_south, *v; // before the step
    const float *phi;
    float *phi_out, *depth;
} rl_swe_absorb_row;

typedef struct rl_swe_damp_row {
    int first, end;
    const float *bed, *bed_north, *profile_x, *level_x;
    float profile_y, level_y, profile_y_north, level_y_north, gravity;
    float *u, *v;
} rl_swe_damp_row;

typedef struct rl_swe_rows {
    const char *isa;
    int lanes;
    void (*carry)(const rl_swe_carry_row *row, rl_swe_coef k);
    void (*correct)(const rl_swe_correct_row *row, rl_swe_coef k);
    // These return 1 when some cell is limited and the limiters were written, else 0: all are 1.
    int (*flow)(const rl_swe_flow_row *row, rl_swe_coef k);
    int (*limiter)(const rl_swe_flow_row *row, rl_swe_coef k);
    // Limits discharges north of a row by the limiters of both rows.
    void (*limit)(float *qy, const float *limiter, const float *limiter_north, int nx);
    void (*fill)(const rl_swe_fill_row *row, rl_swe_coef k);
    void (*limit_and_fill)(const rl_swe_fill_row *row, rl_swe_coef k);
    void (*centre)(const rl_swe_centre_row *row, rl_swe_coef k);
    // Returns 1 when there is a bore and the pressures were written, else 0.
    int (*bores)(const rl_swe_bore_row *row, rl_swe_coef k);
    // Indexed by [are there bores] [what slows it], without and with advection that keeps momentum.
    rl_swe_largest (*push[2][RL_SWE_SLOWED_COUNT])(const rl_swe_push_row *row, rl_swe_coef k);
    rl_swe_largest (*push_kept[2][RL_SWE_SLOWED_COUNT])(const rl_swe_push_row *row, rl_swe_coef k);
    void (*absorb)(const rl_swe_absorb_row *row, rl_swe_coef k);
    void (*damp)(const rl_swe_damp_row *row, rl_swe_coef k);
} rl_swe_rows;

extern const rl_swe_rows rl_swe_rows_c, rl_swe_rows_avx2, rl_swe_rows_avx512;
