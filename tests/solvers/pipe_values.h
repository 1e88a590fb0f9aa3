// SPDX-License-Identifier: MIT
// pipe_values.h - numbers to try the arithmetic of pipes with, ordinary and nasty ones.
#pragma once

#include "core/numbers.h"
#include "solvers/pipe_cell.h"

#include <stdint.h>

static uint64_t counter;

static inline float unit(void)
{
    return rl_random_unit(7, 11, counter++);
}

// Depths and discharges from nothing through tiny to enormous.
static inline float nasty(void)
{
    static const float sizes[] = {0.0f,  1e-38f, 1e-30f, 1e-20f, 1e-9f,
                                  1e-4f, 1.0f,   1.0f,   30.0f,  1e6f};
    const int n = (int)(unit() * 10.0f);
    return sizes[n] * unit();
}

static inline rl_pipe_coef coefficients(void)
{
    const float spread = 0.01f + unit();
    return (rl_pipe_coef){.keep = 0.97f,
                          .push = 9.81f * 0.01f,
                          .spread = spread,
                          .outflow = spread * RL_PIPE_LIMITER,
                          .area_cap = 2.0f,
                          .area_paper = 1.0f,
                          .cliff = 1.5f,
                          .head_floor = 1e-6f,
                          .viscous = 3e-5f,
                          .viscous_flooded = 12e-5f,
                          .drag = 1e-4f,
                          .keep_here = 0.9f,
                          .keep_side = 0.05f,
                          .fill_rate = 1.0f / spread / RL_PIPE_LIMITER,
                          .critical = 8.0f / 27.0f * 9.81f * spread * spread,
                          .film = 1e-3f,
                          .roof = RL_FAR};
}
