// SPDX-License-Identifier: MIT
// cell_generic.h - rl_real is four floats in the compiler's portable vectors: SSE2 on any x86-64,
// NEON on Arm, SIMD128 in a browser. See core/cell.h and, for what each function means,
// core/cell_scalar.h.
#pragma once

#include <math.h>
#include <string.h>

#define RL_LANES 4

typedef float rl_real __attribute__((vector_size(16)));
typedef int rl_mask __attribute__((vector_size(16)));

RL_CELL rl_real rl_set(float value)
{
    return (rl_real){value, value, value, value};
}

RL_CELL rl_real rl_load(const float *p)
{
    rl_real a;
    memcpy(&a, p, sizeof a);
    return a;
}

RL_CELL void rl_store(float *p, rl_real a)
{
    memcpy(p, &a, sizeof a);
}

RL_CELL rl_mask rl_less(rl_real a, rl_real b)
{
    return a < b;
}

RL_CELL rl_mask rl_same_bits(rl_real a, rl_real b)
{
    return (rl_mask)a == (rl_mask)b;
}

RL_CELL rl_mask rl_both(rl_mask a, rl_mask b)
{
    return a & b;
}

RL_CELL rl_mask rl_either(rl_mask a, rl_mask b)
{
    return a | b;
}

RL_CELL int rl_any(rl_mask mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

RL_CELL int rl_all(rl_mask mask)
{
    return (mask[0] & mask[1] & mask[2] & mask[3]) != 0;
}

RL_CELL uint32_t rl_lane_bits(rl_mask mask)
{
    return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}

RL_CELL rl_real rl_select(rl_mask mask, rl_real yes, rl_real no)
{
    return (rl_real)((mask & (rl_mask)yes) | (~mask & (rl_mask)no));
}

RL_CELL rl_real rl_keep(rl_mask mask, rl_real a)
{
    return (rl_real)(mask & (rl_mask)a);
}

RL_CELL rl_real rl_min(rl_real a, rl_real b)
{
#if defined(__SSE2__)
    return __builtin_ia32_minps(a, b);
#else
    return rl_select(a < b, a, b);
#endif
}

RL_CELL rl_real rl_max(rl_real a, rl_real b)
{
#if defined(__SSE2__)
    return __builtin_ia32_maxps(a, b);
#else
    return rl_select(b < a, a, b);
#endif
}

RL_CELL rl_real rl_sign_bit(rl_real a)
{
    const int sign = (int)0x80000000u;
    return (rl_real)((rl_mask)a & (rl_mask){sign, sign, sign, sign});
}

RL_CELL rl_real rl_abs(rl_real a)
{
    const int rest = 0x7fffffff;
    return (rl_real)((rl_mask)a & (rl_mask){rest, rest, rest, rest});
}

RL_CELL rl_real rl_or_bits(rl_real a, rl_real b)
{
    return (rl_real)((rl_mask)a | (rl_mask)b);
}

RL_CELL rl_real rl_sqrt(rl_real a)
{
#if defined(__SSE2__)
    return __builtin_ia32_sqrtps(a);
#else
    return (rl_real){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

RL_CELL rl_real rl_number_of_bits(rl_real a)
{
    return __builtin_convertvector((rl_mask)a, rl_real);
}

RL_CELL rl_real rl_bits_of_number(rl_real a)
{
    return (rl_real) __builtin_convertvector(a, rl_mask);
}

RL_CELL rl_real rl_half_bits(rl_real a, int plus)
{
    return (rl_real)(((rl_mask)a >> 1) + plus);
}

RL_CELL rl_real rl_east(rl_real here, rl_real next)
{
    return __builtin_shufflevector(here, next, 1, 2, 3, 4);
}

RL_CELL rl_real rl_west(rl_real before, rl_real here)
{
    return __builtin_shufflevector(before, here, 3, 4, 5, 6);
}

RL_CELL float rl_largest(rl_real a)
{
    float largest = a[0];
    for (int lane = 1; lane < RL_LANES; lane++)
        largest = a[lane] > largest ? a[lane] : largest;
    return largest;
}
