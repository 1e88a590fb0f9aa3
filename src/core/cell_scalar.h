// SPDX-License-Identifier: MIT
// cell_scalar.h - rl_real is one float: the oracle that the vector versions are tested against, and
// what CUDA compiles. See core/cell.h.
#pragma once

#include <math.h>

#define RL_LANES 1

typedef float rl_real;
typedef int rl_mask;

RL_CELL rl_real rl_set(float value)
{
    return value;
}

RL_CELL rl_real rl_load(const float *p)
{
    return *p;
}

RL_CELL void rl_store(float *p, rl_real a)
{
    *p = a;
}

// Returns a < b ? a : b, and for a NaN in either: b.
//
// A device has one instruction that does the same but for NaN and for the sign of a zero. A kernel
// in which neither can reach the state defines RL_CELL_PLAIN_EXTREMES and gets that.
#define RL_CELL_EXTREMES_ARE_CHOSEN // from here on it is too late to define that
RL_CELL rl_real rl_min(rl_real a, rl_real b)
{
#if defined(__CUDA_ARCH__) && defined(RL_CELL_PLAIN_EXTREMES)
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}

RL_CELL rl_real rl_max(rl_real a, rl_real b)
{
#if defined(__CUDA_ARCH__) && defined(RL_CELL_PLAIN_EXTREMES)
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

RL_CELL rl_mask rl_less(rl_real a, rl_real b)
{
    return a < b;
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
    return mask;
}

RL_CELL int rl_all(rl_mask mask)
{
    return mask;
}

// Returns a number whose bit l is set where lane l is.
RL_CELL uint32_t rl_lane_bits(rl_mask mask)
{
    return (uint32_t)(mask != 0);
}

RL_CELL rl_real rl_select(rl_mask mask, rl_real yes, rl_real no)
{
    return mask ? yes : no;
}

// Returns `a` where the mask holds, else +0.
RL_CELL rl_real rl_keep(rl_mask mask, rl_real a)
{
    return mask ? a : 0.0f;
}

typedef union rl_bits {
    float value;
    unsigned bits;
} rl_bits;

RL_CELL rl_real rl_sign_bit(rl_real a)
{
    rl_bits u;
    u.value = a;
    u.bits &= 0x80000000u;
    return u.value;
}

RL_CELL rl_real rl_abs(rl_real a)
{
#if defined(__CUDA_ARCH__)
    return fabsf(a); // free as part of most instructions
#endif
    rl_bits u;
    u.value = a;
    u.bits &= 0x7fffffffu;
    return u.value;
}

RL_CELL rl_real rl_or_bits(rl_real a, rl_real b)
{
    rl_bits u, v;
    u.value = a;
    v.value = b;
    u.bits |= v.bits;
    return u.value;
}

// Returns whether all bits are alike, which tells +0 from -0.
RL_CELL rl_mask rl_same_bits(rl_real a, rl_real b)
{
    rl_bits u, v;
    u.value = a;
    v.value = b;
    return u.bits == v.bits;
}

RL_CELL rl_real rl_sqrt(rl_real a)
{
    return sqrtf(a);
}

// Convert the bits of a float as a whole number to a float, and back, cut to a whole number. The
// bits of a positive float grow almost with its logarithm: a first guess of a root.
RL_CELL rl_real rl_number_of_bits(rl_real a)
{
    rl_bits u;
    u.value = a;
    return (float)(int)u.bits;
}

RL_CELL rl_real rl_bits_of_number(rl_real a)
{
    rl_bits u;
    u.bits = (unsigned)(int)a;
    return u.value;
}

// Returns the number whose bits are half of those of `a`, as a whole number, and `plus`.
RL_CELL rl_real rl_half_bits(rl_real a, int plus)
{
    rl_bits u;
    u.value = a;
    u.bits = (u.bits >> 1) + (unsigned)plus;
    return u.value;
}

// Return neighbours within a row: the lanes one cell to the east of `here`, given the vector that
// follows, and one cell to the west, given the vector before.
RL_CELL rl_real rl_east(rl_real here, rl_real next)
{
    (void)here;
    return next;
}

RL_CELL rl_real rl_west(rl_real before, rl_real here)
{
    (void)here;
    return before;
}

// Returns the largest lane.
RL_CELL float rl_largest(rl_real a)
{
    return a;
}
