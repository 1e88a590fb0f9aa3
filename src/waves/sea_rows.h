// SPDX-License-Identifier: MIT
// sea_rows.h - the spectrum of a square of sea at a time, row by row, compiled once per instruction
// set. Rows are whole vectors, and waves do not depend on each other.
#pragma once

#define RL_SEA_MAX_SIZE 1024

// One row of wave vectors. With a = h0(k) and b = conj(h0(-k)) the height of wave k at time t is
//
//     h = a exp(-i w t) + b exp(+i w t) = (a + b) cos(w t) - i (a - b) sin(w t)
//
// Slopes are i k h, the horizontal shift is i chop k/|k| h. One complex transform computes two real
// fields f and g as f + i g: slope_x + i slope_y = (i k_x - k_y) h, and the shift is chop/|k| times
// it.
#define RL_SEA_FIELDS 6  // in pairs that one transform computes together
#define RL_SEA_ARRAYS 12 // fields, then spectra

typedef struct rl_sea_row {
    int size;
    double time; // in the unit of `turns`
    union {
        struct {
            float *height, *residue, *shift_x, *shift_y, *slope_x, *slope_y;
            float *turns;                         // w / (2 pi) per unit of time
            float *sum_re, *sum_im;               // a + b
            float *difference_re, *difference_im; // a - b
            float *draw;                          // chop / |k|, m
        };
        float *arrays[RL_SEA_ARRAYS];
    };
    const float *wave_x; // k_x of the row's waves, rad/m
    float wave_y;        // k_y
} rl_sea_row;

typedef struct rl_sea_rows {
    void (*waves)(const rl_sea_row *row);
} rl_sea_rows;

extern const rl_sea_rows rl_sea_rows_c, rl_sea_rows_avx2, rl_sea_rows_avx512;
