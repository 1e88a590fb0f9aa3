// SPDX-License-Identifier: MIT
// sine.h - sines from + - * / alone, so that no math library's last bit can show in the ground of a
// scene or in what a pulsing spring gives.
#pragma once

#include <math.h>

// Returns sin(2 pi turns), good to 1e-15: folded into a quarter turn, then the series.
static inline double rl_sine_of_turns(double turns)
{
    double t = turns - floor(turns), sign = 1.0;
    if (t >= 0.5) {
        t -= 0.5;
        sign = -1.0;
    }
    t = t > 0.25 ? 0.5 - t : t;
    const double x = 6.283185307179586 * t, x2 = x * x;
    double sum = 1.0;
    for (int n = 20; n >= 2; n -= 2)
        sum = 1.0 - sum * x2 / (n * (n + 1.0));
    return sign * x * sum;
}
