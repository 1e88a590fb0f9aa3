// SPDX-License-Identifier: MIT
// map_number.c - plain numbers for people: round steps, digits and units.
#include "scene/map/map_parts.h"
#include "scene/scene_assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The power of ten at or below `value`, which is positive; far outside of what a map can hold it
// stops, so that no value whatever makes it run on.
static double decade_of(double value)
{
    double decade = 1.0;
    if (!(value > 1e-60 && value < 1e60))
        return decade;
    while (decade > value)
        decade /= 10.0;
    while (decade * 10.0 <= value)
        decade *= 10.0;
    return decade;
}

double rl_nice_below(double value)
{
    RL_ASSERT(value > 0.0);
    const double decade = decade_of(value), part = value / decade * (1.0 + 1e-9);
    return decade * (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0);
}

double rl_nice_step(double value)
{
    // Neighbours in the row are at most a factor 2.5 apart.
    return rl_nice_below(2.499999 * value);
}

double rl_nice_above(double value)
{
    static const double steps[] = {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0};
    const double decade = decade_of(value), part = value / decade * (1.0 - 1e-6);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (steps[i] >= part)
            return steps[i] * decade;
    return 10.0 * decade;
}

int rl_decimals_of(double value)
{
    double scaled = fabs(value);
    int decimals = 0;
    while (decimals < 9 && fabs(scaled - floor(scaled + 0.5)) > 1e-5 * scaled) {
        scaled *= 10.0;
        decimals++;
    }
    return decimals;
}

// Writes the digits of a whole number backwards, in groups of three when it is long.
static char *digits_before(char *end, uint64_t number)
{
    const bool grouped = number >= 10000;
    int count = 0;
    do {
        if (grouped && count > 0 && count % 3 == 0)
            *--end = ' ';
        *--end = (char)('0' + (int)(number % 10));
        number /= 10;
        count++;
    } while (number > 0);
    return end;
}

void rl_format_number(char *out, size_t bytes, double value, int decimals)
{
    RL_ASSERT(bytes > 0 && decimals >= 0);
    double unit = 1.0;
    for (int i = 0; i < decimals; i++)
        unit *= 10.0;
    const double scaled = floor(fabs(value) * unit + 0.5);
    if (!(scaled < 1e18)) {
        snprintf(out, bytes, "%.3g", value);
        return;
    }
    const uint64_t all = (uint64_t)scaled, whole = all / (uint64_t)unit;
    uint64_t rest = all % (uint64_t)unit;
    char fraction[24] = {0}, digits[40] = {0};
    for (int i = decimals; i > 0; i--) {
        fraction[i] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    }
    fraction[0] = decimals > 0 ? '.' : '\0';
    const char *start = digits_before(digits + sizeof digits - 1, whole);
    snprintf(out, bytes, "%s%s%s", value < 0.0 && all > 0 ? "\xE2\x88\x92" : "", start, fraction);
}

rl_unit rl_unit_for(double largest)
{
    if (largest >= 0.1)
        return (rl_unit){"m", 1.0};
    return largest >= 0.01 ? (rl_unit){"cm", 100.0} : (rl_unit){"mm", 1000.0};
}
