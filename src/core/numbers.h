// SPDX-License-Identifier: MIT
// numbers.h - number helpers of the host side: double sums in a fixed order, random numbers
// from a counter, products of vectors.
#pragma once

#include "core/random_cell.h"

#include "rill/support.h"

#include <math.h>

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

static inline double rl_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void rl_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
