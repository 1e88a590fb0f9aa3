// SPDX-License-Identifier: MIT
// numbers.h - small number helpers of the host side: double sums in a fixed order, powers with the
// same bits on every machine, random numbers from a counter.
#pragma once

#include "rill/base.h"

#include <math.h>

// base^exponent for base in [0, 1] and a finite exponent >= 0. Uses + - * / alone, so that no
// math library's last bit can show in the state.
double rl_power(double base, double exponent);

// A sum that keeps what rounding drops (Neumaier), so that a ledger of millions of small bookings
// stays exact to the last digits.
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

// Random bits from a counter: the same (seed, step, index) gives the same bits, in any order and on
// any thread.
static inline uint64_t rl_random_bits(uint64_t seed, uint64_t step, uint64_t index)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + step;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u + index;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

// Uniform in [0, 1), 24 bits.
static inline float rl_random_unit(uint64_t seed, uint64_t step, uint64_t index)
{
    return (float)(rl_random_bits(seed, step, index) >> 40) * 0x1p-24f;
}
