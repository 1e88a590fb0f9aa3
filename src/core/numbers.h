// SPDX-License-Identifier: MIT
// numbers.h - number helpers of the host side: double sums in a fixed order, powers with the same
// bits on every machine, random numbers from a counter.
#pragma once

#include "core/random_cell.h"

#include "rill/base.h"

#include <math.h>

// Returns base^exponent for base in [0, 1] and a finite exponent >= 0. Uses + - * / alone, so that
// no math library's last bit can show in the state.
double rl_power(double base, double exponent);

// A sum with the part that rounding drops (Neumaier), so that a ledger of millions of small
// bookings stays exact to the last digits.
typedef struct rl_sum {
    double high, low;
} rl_sum;

static inline void rl_sum_add(rl_sum *sum, double value)
{
    const double total = sum->high + value;
    if (fabs(sum->high) >= fabs(value))
        sum->low += (sum->high - total) + value;
    else
        sum->low += (value - total) + sum->high;
    sum->high = total;
}

static inline double rl_sum_value(const rl_sum *sum)
{
    return sum->high + sum->low;
}
