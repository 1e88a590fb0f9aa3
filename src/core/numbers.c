// SPDX-License-Identifier: MIT
#include "core/numbers.h"

#define LN2 0.69314718055994530942

// ln x for x in (0, 1]: x = m 2^e with m in [2/3, 4/3), ln m = 2 atanh((m - 1) / (m + 1)).
static double logarithm(double x)
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
    return e * LN2 + 2.0 * s * sum;
}

// e^x for -700 <= x <= 0: x = r - k ln 2 with |r| < ln 2, and halving is exact.
static double exponential(double x)
{
    const int k = (int)(-x / LN2);
    const double r = x + k * LN2;
    double sum = 1.0;
    for (int n = 20; n >= 1; n--)
        sum = 1.0 + sum * r / n;
    for (int n = 0; n < k; n++)
        sum *= 0.5;
    return sum;
}

double rl_power(double base, double exponent)
{
    if (exponent == 0.0 || base >= 1.0)
        return 1.0;
    if (base < 1e-300)
        return 0.0;
    const double x = exponent * logarithm(base);
    return x < -700.0 ? 0.0 : exponential(x);
}
