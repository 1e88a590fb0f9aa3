// SPDX-License-Identifier: MIT
// map_colour.c - the three ramps. Lightness alone tells the order in each of them: ground gets
// lighter with height, water darker with depth, flow stronger with speed. Ground never holds more
// blue than red, so that blue always means water.
#include "scene/map/map_parts.h"
#include "scene/scene_assert.h"

#include <math.h>

const rl_colour rl_ink = {34, 36, 40}, rl_grey_ink = {92, 96, 102};

static const rl_rgb tint_stops[] = {
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

rl_rgb rl_rgb_mix(rl_rgb a, rl_rgb b, float t)
{
    return (rl_rgb){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static rl_rgb ramp(const rl_rgb *stops, int count, float t)
{
    RL_ASSERT(count >= 2);
    const float x = (t > 0.0f ? t < 1.0f ? t : 1.0f : 0.0f) * (float)(count - 1);
    const int i = (int)x < count - 2 ? (int)x : count - 2;
    return rl_rgb_mix(stops[i], stops[i + 1], x - (float)i);
}

rl_rgb rl_tint_colour(float t)
{
    return ramp(tint_stops, COUNT(tint_stops), t);
}

rl_rgb rl_depth_colour(float t)
{
    return ramp(depth_stops, COUNT(depth_stops), t);
}

rl_rgb rl_speed_colour(float t)
{
    return ramp(speed_stops, COUNT(speed_stops), t);
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
