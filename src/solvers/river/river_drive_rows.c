// SPDX-License-Identifier: MIT
#include "solvers/river/river_drive_rows.h"

#include "core/cpu.h"

#include <math.h>

#define TINY 1e-12f // m/s

// Random bits of a cell. 32 bits wide, so that a vector has as many of them as of floats.
static inline uint32_t noise_of(uint32_t row, uint32_t cell)
{
    uint32_t x = (row + cell) * 0x9e3779b1u;
    x = (x ^ (x >> 15)) * 0x2c1b3c6du;
    x = (x ^ (x >> 12)) * 0x297a2d39u;
    return x ^ (x >> 15);
}

// In [-1, 1), from 16 bits.
static inline float signed_unit(uint32_t bits)
{
    return (float)(int32_t)(bits & 0xffffu) * 0x1p-15f - 1.0f;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

// Algorithm 3, see river_impulse.c. That no array overlaps another is said to compilers by
// parameters: they do not believe it of members.
static void change_cells(const rl_river_drive_cells *c, const rl_river_drive d,
                         const float *restrict u, const float *restrict v,
                         const float *restrict v_north, const float *restrict hint_x,
                         const float *restrict hint_y, const float *restrict target,
                         float *restrict change_x, float *restrict change_y)
{
    const uint32_t row = c->noise;
    const int end = c->end;
    for (int i = c->first; i < end; i++) {
        const float x = 0.5f * (u[i] + u[i + 1]), y = 0.5f * (v[i] + v_north[i]);
        const float speed = sqrtf(x * x + y * y);
        const float along = x * hint_x[i] + y * hint_y[i];
        const uint32_t bits = noise_of(row, (uint32_t)i);
        const float wanted = d.gain * target[i] * (1.0f + d.vary * signed_unit(bits >> 16)) /
                             larger(1.0f + d.vary_columns * signed_unit(bits), 0.1f);
        const float part = smaller(larger(speed / larger(target[i], TINY), d.least), 1.0f);
        const float impulse = d.rate * part * larger(smaller(wanted, d.fastest) - along, 0.0f);

        // Towards the limits: what is missing to the slowest, or too much over the fastest speed.
        const float some = larger(speed, TINY);
        const float up = smaller(d.speed_up, d.slowest / some - 1.0f);
        const float down = d.slow_down * (d.fastest / some - 1.0f);
        const float held = speed < d.slowest ? up : speed > d.fastest ? down : 0.0f;
        const float factor = d.scale + held;
        const float turn = along < -(d.cosine * speed) ? d.turn : 0.0f;
        change_x[i] = factor * x + impulse * hint_x[i] + turn * (hint_x[i] * speed - x);
        change_y[i] = factor * y + impulse * hint_y[i] + turn * (hint_y[i] * speed - y);
    }
}

static void cells(const rl_river_drive_cells *c, const rl_river_drive *d)
{
    change_cells(c, *d, c->u, c->v, c->v_north, c->hint_x, c->hint_y, c->target, c->change_x,
                 c->change_y);
}

// Adds the mean of two changes to each open face.
static void add_mean(int first, int end, const float *restrict open, const float *before,
                     const float *here, float *restrict velocity)
{
    for (int i = first; i < end; i++) {
        const float change = 0.5f * (before[i] + here[i]);
        velocity[i] += open[i] > 0.0f ? change : 0.0f;
    }
}

static void faces(const rl_river_drive_faces *f)
{
    add_mean(f->first > 0 ? f->first : 1, f->end, f->open_x, f->change_x - 1, f->change_x, f->u);
    add_mean(f->first, f->end, f->open_y, f->change_y_south, f->change_y, f->v);
}

const rl_river_drive_rows RL_ROWS(rl_river_drive_rows) = {RL_ISA_TEXT, cells, faces};
