// SPDX-License-Identifier: MIT
// sea_rows.c - the loop of sea_rows.h over vectors of waves.
#include "waves/sea_rows.h"

#include "core/cell.h"
#include "core/cpu.h"

#include "rill/support.h"

#define HALF_TURN 3.14159265f

// Adding and subtracting this rounds a double to the nearest whole number.
#define ROUNDER 0x1.8p52

// The series for x in [-pi/2, pi/2], good to 6e-8 and 6e-9.
static inline float sine(float x)
{
    const float y = x * x;
    float p = -1.0f / 39916800.0f;
    p = p * y + 1.0f / 362880.0f;
    p = p * y - 1.0f / 5040.0f;
    p = p * y + 1.0f / 120.0f;
    p = p * y - 1.0f / 6.0f;
    return x + x * (y * p);
}

static inline float cosine(float x)
{
    const float y = x * x;
    float p = 1.0f / 479001600.0f;
    p = p * y - 1.0f / 3628800.0f;
    p = p * y + 1.0f / 40320.0f;
    p = p * y - 1.0f / 720.0f;
    p = p * y + 1.0f / 24.0f;
    p = p * y - 0.5f;
    return 1.0f + y * p;
}

// Computes sine and cosine of `turns` times `time` turns. Whole turns are removed in double, so
// that the phases stay as exact after many hours as at the start.
static void phases(const float *restrict turns, double time, int size, float *restrict sines,
                   float *restrict cosines)
{
    for (int i = 0; i < size; i++) {
        const double all = (double)turns[i] * time;
        const float part = (float)(all - ((all + ROUNDER) - ROUNDER));
        const float half_sin = sine(HALF_TURN * part), half_cos = cosine(HALF_TURN * part);
        sines[i] = 2.0f * half_sin * half_cos;
        cosines[i] = 1.0f - 2.0f * half_sin * half_sin;
    }
}

static void waves(const rl_sea_row *row)
{
    _Alignas(RILL_ALIGNMENT) float sines[RL_SEA_MAX_SIZE], cosines[RL_SEA_MAX_SIZE];
    phases(row->turns, row->time, row->size, sines, cosines);
    const rl_real ky = rl_set(row->wave_y), zero = rl_set(0.0f);
    for (int i = 0; i < row->size; i += RL_LANES) {
        const rl_real c = rl_load(cosines + i), s = rl_load(sines + i);
        const rl_real re = rl_load(row->sum_re + i) * c + rl_load(row->difference_im + i) * s;
        const rl_real im = rl_load(row->sum_im + i) * c - rl_load(row->difference_re + i) * s;
        const rl_real kx = rl_load(row->wave_x + i), draw = rl_load(row->draw + i);
        const rl_real steep_re = zero - (kx * im + ky * re), steep_im = kx * re - ky * im;
        rl_store(row->height + i, re);
        rl_store(row->residue + i, im);
        rl_store(row->slope_x + i, steep_re);
        rl_store(row->slope_y + i, steep_im);
        rl_store(row->shift_x + i, steep_re * draw);
        rl_store(row->shift_y + i, steep_im * draw);
    }
}

const rl_sea_rows RL_ROWS(rl_sea_rows) = {waves};
