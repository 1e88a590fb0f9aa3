// SPDX-License-Identifier: MIT
// swe_eddy_rows.h - the row loops of eddy viscosity (swe_eddy_cell.h), compiled once per
// instruction set. Beyond the cells of a row all that they make is 0, as is what they read of it.
#pragma once

#include "solvers/swe/swe_cell.h"

// How the cells of one row are stretched, and the shear and the depth at the corners north-east of
// them.
typedef struct rl_swe_strain_row {
    int nx;
    const float *u, *u_north, *v_south, *v;
    const float *bed_south, *bed, *bed_north;
    const float *depth_south, *depth, *depth_north;
    float *x, *y, *square; // stretches along both axes, and rl_swe_stretch_square
    float *shear, *corner_depth;
} rl_swe_strain_row;

// The stresses of one row of cells and corners.
typedef struct rl_swe_stress_row {
    int nx;
    const float *depth;
    const float *x, *y, *square, *square_north;
    const float *shear_south, *shear, *corner_depth;
    float *normal_x, *normal_y, *shear_stress;
} rl_swe_stress_row;

// The velocities of one row of faces with these stresses.
typedef struct rl_swe_strained_row {
    int nx;
    const float *u, *v, *depth, *depth_north;
    const float *normal_x, *normal_y, *normal_y_north, *shear_stress_south, *shear_stress;
    float *u_out, *v_out;
} rl_swe_strained_row;

typedef struct rl_swe_eddy_rows {
    const char *isa;
    void (*strain)(const rl_swe_strain_row *row, rl_swe_coef k);
    void (*stress)(const rl_swe_stress_row *row, rl_swe_coef k);
    void (*strained)(const rl_swe_strained_row *row, rl_swe_coef k);
} rl_swe_eddy_rows;

extern const rl_swe_eddy_rows rl_swe_eddy_rows_c, rl_swe_eddy_rows_avx2, rl_swe_eddy_rows_avx512;
