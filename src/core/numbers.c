// SPDX-License-Identifier: MIT
// numbers.c - the numbers of rill/support.h: what the engine computes inline, for code outside it.
#include "core/numbers.h"

#include "core/power_cell.h"
#include "core/sine.h"

uint64_t rill_random_bits(uint64_t seed, uint64_t step, uint64_t index)
{
    return rl_random_bits(seed, step, index);
}

float rill_random_unit(uint64_t seed, uint64_t step, uint64_t index)
{
    return rl_random_unit(seed, step, index);
}

double rill_sine_of_turns(double turns)
{
    return rl_sine_of_turns(turns);
}

double rill_power(double base, double exponent)
{
    return rl_power_of(base, exponent);
}
