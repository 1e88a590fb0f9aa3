// SPDX-License-Identifier: MIT
// numbers.c - numbers that several modules use.
#include "core/numbers.h"

#include "core/power_cell.h"

double rill_power(double base, double exponent)
{
    return rl_power_of(base, exponent);
}
