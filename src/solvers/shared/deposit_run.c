// SPDX-License-Identifier: MIT
#include "solvers/shared/deposit_run.h"

#include "core/assert.h"
#include "solvers/shared/deposit_cell.h"

#include <stdint.h>
#include <string.h>

// The bits of a float. Floats that are not negative are in the order of their bits, and the
// compiler makes vectors of comparisons of integers, but not of floats, which might be NaN.
static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool rl_run_some_negative(const float *values, int count)
{
    int32_t signs = 0;
    for (int i = 0; i < count; i++)
        signs |= bits_of(values[i]);
    return signs < 0;
}

float rl_run_largest(const float *depths, int count)
{
    int32_t largest = 0;
    for (int i = 0; i < count; i++) {
        const int32_t bits = bits_of(depths[i]);
        largest = bits > largest ? bits : largest;
    }
    return float_of(largest);
}

float rl_run_add(float *restrict depth, float *restrict remainder, const float *restrict amounts,
                 int count)
{
    int32_t deepest = 0;
    for (int i = 0; i < count; i++) {
        const float filled = rl_deposit_add(depth[i], &remainder[i], amounts[i]);
        depth[i] = filled;
        const int32_t bits = bits_of(filled);
        deepest = bits > deepest ? bits : deepest;
    }
    return float_of(deepest);
}

// Eight sums side by side, added up in a fixed order: one sum would wait for itself.
static double sum_of(const double part[8])
{
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

double rl_run_change(float *restrict depth, float *restrict remainder,
                     const float *restrict amounts, int count)
{
    double given[8] = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            given[k] += rl_deposit_change(&depth[i + k], &remainder[i + k], amounts[i + k]);
    for (; i < count; i++)
        given[0] += rl_deposit_change(&depth[i], &remainder[i], amounts[i]);
    return sum_of(given);
}

double rl_run_sum(const float *values, int count)
{
    double part[8] = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            part[k] += (double)values[i + k];
    for (; i < count; i++)
        part[0] += (double)values[i];
    return sum_of(part);
}

double rl_run_deposit(float *restrict depth, float *restrict remainder,
                      const float *restrict amounts, int count, float *deepest)
{
    RL_ASSERT(count >= 0);
    double given;
    float now;
    if (!rl_run_some_negative(amounts, count)) {
        given = rl_run_sum(amounts, count);
        now = rl_run_add(depth, remainder, amounts, count);
    } else {
        given = rl_run_change(depth, remainder, amounts, count);
        now = rl_run_largest(depth, count);
    }
    *deepest = now > *deepest ? now : *deepest;
    return given;
}
