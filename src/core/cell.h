// SPDX-License-Identifier: MIT
// cell.h - the language in which the arithmetic of one cell or one face is written. The same
// function is compiled for one float (CUDA, tests, plain loops) and for a vector of floats (row
// loops), so a formula is written once: rl_real is "a number, or as many as fit".
//
// Rules for *_cell.h: + - * / on rl_real, the functions below, float constants through rl_set, no
// branches on values, no libm. Each function here is exactly rounded or a selection, so every
// instruction set gives the same bits.
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__CUDACC__)
#define RL_CELL static __host__ __device__ __forceinline__
#elif defined(__GNUC__)
#define RL_CELL static inline __attribute__((always_inline))
#else
#define RL_CELL static inline
#endif

// The same for functions that are too long to be copied into every caller; they work on single
// numbers and may branch.
#if defined(__CUDACC__)
#define RL_SHARED static inline __host__ __device__
#else
#define RL_SHARED static inline
#endif

#if defined(RL_ISA_AVX512) || defined(RL_ISA_AVX2)
#include "core/cell_avx.h"
#elif defined(RL_ISA_C) && defined(__GNUC__)
#include "core/cell_generic.h"
#else
#include "core/cell_scalar.h"
#endif

// Returns part / whole for 0 <= part <= whole < 2^66, rounded as a division is. A device divides by
// a guess of the reciprocal, Newton's rule and two exact remainders; its own division does that
// too, but tests for numbers out of range first, and that branch prevents neighbouring divisions
// from overlapping. Here both numbers are scaled up, so that there is nothing to test: remainders
// are exact for every part that a float can hold, as long as the quotient is above 2^-100.
RL_CELL rl_real rl_part(rl_real part, rl_real whole)
{
#if defined(__CUDA_ARCH__)
    const float a = part * 0x1p60f, b = whole * 0x1p60f;
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    r = __fmaf_rn(__fmaf_rn(-b, r, 1.0f), r, r);
    float q = a * r;
    q = __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
    return __fmaf_rn(__fmaf_rn(-b, q, a), r, q);
#else
    return part / whole;
#endif
}

// Returns the magnitude of `a` with the sign of `sign`.
RL_CELL rl_real rl_with_sign(rl_real a, rl_real sign)
{
    return rl_or_bits(a, rl_sign_bit(sign));
}

// Returns a^(-1/3) of a positive, normal number, to about two units in the last place: a guess from
// the bits, then Newton's rule, which needs no division.
RL_CELL rl_real rl_inverse_cube_root(rl_real a)
{
    const rl_real third = rl_set(1.0f / 3.0f);
    rl_real y = rl_bits_of_number(rl_set(1419967116.0f) - third * rl_number_of_bits(a));
    for (int n = 0; n < 4; n++)
        y = y + third * (y - ((a * y) * (y * y)) * y);
    return y;
}

// Returns the `plus` with which rl_half_bits(a, plus) is within 3.1 % of `at_one` times the root of
// `a`, which must not be negative: the bits of a number grow almost with its logarithm, and the
// guess is exact at even powers of two but for the 3 % taken off, 6.1 % too high between them.
RL_CELL int rl_root_guess(float at_one)
{
    const float lower = 0.97f * at_one;
    int bits;
    memcpy(&bits, &lower, sizeof bits);
    return bits - 0x1fc00000; // half the bits of 1
}

// Load and store vectors at any address; rl_load and rl_store are for aligned rows.
RL_CELL rl_real rl_load_any(const float *p)
{
    rl_real a;
    memcpy(&a, p, sizeof a);
    return a;
}

RL_CELL void rl_store_any(float *p, rl_real a)
{
    memcpy(p, &a, sizeof a);
}
