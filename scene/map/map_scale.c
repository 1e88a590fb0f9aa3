// SPDX-License-Identifier: MIT
// map_scale.c - the three ramps of colour, and plain numbers for people. Lightness alone tells the
// order in each ramp: ground gets lighter with height, water darker with depth, flow stronger with
// speed. Ground never holds more blue than red, so that blue always means water.
#include "scene/map/map_parts.h"

#include <math.h>
#include <stdio.h>

const rl_colour rl_ink = {34, 36, 40}, rl_grey_ink = {92, 96, 102};

static const rl_rgb ground_stops[] = {
    {160, 174, 140}, {184, 192, 154}, {207, 206, 170}, {222, 211, 181},
    {229, 217, 197}, {237, 229, 216}, {247, 244, 239},
};

static const rl_rgb depth_stops[] = {
    {178, 218, 237}, {140, 197, 226}, {98, 170, 212}, {61, 139, 192},
    {34, 108, 170},  {17, 78, 140},   {8, 48, 103},
};

static const rl_rgb speed_stops[] = {
    {255, 255, 255}, {255, 240, 200}, {255, 205, 110}, {244, 140, 50}, {215, 70, 30},
};

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct {
    const rl_rgb *stops;
    int count;
} ramps[] = {
    [RL_RAMP_GROUND] = {ground_stops, COUNT(ground_stops)},
    [RL_RAMP_DEPTH] = {depth_stops, COUNT(depth_stops)},
    [RL_RAMP_SPEED] = {speed_stops, COUNT(speed_stops)},
};

rl_rgb rl_rgb_mix(rl_rgb a, rl_rgb b, float t)
{
    return (rl_rgb){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

rl_rgb rl_ramp_colour(rl_ramp ramp, float t)
{
    const rl_rgb *stops = ramps[ramp].stops;
    const int count = ramps[ramp].count;
    RL_ASSERT(count >= 2);
    const float x = rl_clamp_unit(t) * (float)(count - 1);
    const int i = (int)x < count - 2 ? (int)x : count - 2;
    return rl_rgb_mix(stops[i], stops[i + 1], x - (float)i);
}

static uint8_t byte_of(float v)
{
    return (uint8_t)(v > 0.0f ? v < 255.0f ? v + 0.5f : 255.0f : 0.0f);
}

rl_colour rl_colour_of(rl_rgb colour)
{
    return (rl_colour){byte_of(colour.r), byte_of(colour.g), byte_of(colour.b)};
}

// Equal ratios of depth should make equal steps, over two decades; the fourth root comes close to a
// logarithm there and is rounded alike on every machine.
float rl_water_opacity(const rl_map_scales *scales, float depth)
{
    RL_ASSERT(depth >= 0.0f);
    if (!(depth > scales->clear_depth))
        return 0.0f;
    if (depth >= scales->opaque_depth)
        return 1.0f;
    const float low = sqrtf(sqrtf(scales->clear_depth / scales->opaque_depth));
    const float t = (sqrtf(sqrtf(depth / scales->opaque_depth)) - low) / (1.0f - low);
    return t * t * (3.0f - 2.0f * t);
}

float rl_depth_position(const rl_map_scales *scales, float depth)
{
    if (!(depth > 0.0f) || !(scales->depth_max > 0.0f))
        return 0.0f;
    return depth < scales->depth_max ? sqrtf(depth / scales->depth_max) : 1.0f;
}

// --- Plain numbers: round steps, digits and units ----------------------------------------------

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
