// SPDX-License-Identifier: MIT
// power_cell.h - powers with the same bits on every machine and every back end: + - * / alone.
#pragma once

#include "core/cell.h"

#define RL_LN2 0.69314718055994530942

// Returns ln x for x in (0, 1]: x = m 2^e with m in [2/3, 4/3), ln m = 2 atanh((m - 1) / (m + 1)).
RL_CELL double rl_logarithm(double x)
{
    int e = 0;
    while (x < 2.0 / 3.0) {
        x *= 2.0;
        e--;
    }
    const double s = (x - 1.0) / (x + 1.0), s2 = s * s; // |s| <= 1/5
    double sum = 0.0;
    for (int n = 25; n >= 1; n -= 2)
        sum = sum * s2 + 1.0 / n;
    return e * RL_LN2 + 2.0 * s * sum;
}

// Returns e^x for -700 <= x <= 0: x = r - k ln 2 with |r| < ln 2, and halving is exact. The series
// ends where r^n / n! is lost in the last digit; its factors are known, so nothing is divided.
RL_CELL double rl_exponential(double x)
{
    const double factors[] = {1.0,
                              1.0,
                              1.0 / 2.0,
                              1.0 / 6.0,
                              1.0 / 24.0,
                              1.0 / 120.0,
                              1.0 / 720.0,
                              1.0 / 5040.0,
                              1.0 / 40320.0,
                              1.0 / 362880.0,
                              1.0 / 3628800.0,
                              1.0 / 39916800.0,
                              1.0 / 479001600.0,
                              1.0 / 6227020800.0,
                              1.0 / 87178291200.0,
                              1.0 / 1307674368000.0,
                              1.0 / 20922789888000.0,
                              1.0 / 355687428096000.0,
                              1.0 / 6402373705728000.0};
    const int k = (int)(x * (-1.0 / RL_LN2));
    const double r = x + k * RL_LN2;
    double sum = 0.0;
    for (int n = 18; n >= 0; n--)
        sum = sum * r + factors[n];
    for (int n = 0; n < k; n++)
        sum *= 0.5;
    return sum;
}

// On a device few threads need it, and the rest should not have to step over its instructions.
#if defined(__CUDACC__)
#define RL_POWER static __host__ __device__ __noinline__
#else
#define RL_POWER RL_CELL
#endif

RL_POWER double rl_power_below_one(double base, double exponent)
{
    if (base < 1e-300)
        return 0.0;
    const double x = exponent * rl_logarithm(base);
    return x < -700.0 ? 0.0 : rl_exponential(x);
}

// Is rill_power (rill/support.h) for one cell.
RL_CELL double rl_power_of(double base, double exponent)
{
    return exponent == 0.0 || base >= 1.0 ? 1.0 : rl_power_below_one(base, exponent);
}
