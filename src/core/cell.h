// SPDX-License-Identifier: MIT
// cell.h - the language in which the arithmetic of one cell or one face is written. The same
// function is compiled for one float (CUDA, tests, plain loops) and for a vector of floats (row
// loops), so a formula is written once: rl_real is "a number, or as many as fit".
//
// Rules for *_cell.h: + - * / on rl_real, the functions below, float constants through rl_set, no
// branches on values, no libm. Each function here is exactly rounded or a selection, so every
// instruction set gives the same bits.
#pragma once

#if defined(__CUDACC__)
#define RL_CELL static __host__ __device__ __forceinline__
#elif defined(__GNUC__)
#define RL_CELL static inline __attribute__((always_inline))
#else
#define RL_CELL static inline
#endif

#if defined(RL_ISA_AVX512)
#include "core/cell_avx512.h"
#elif defined(RL_ISA_AVX2)
#include "core/cell_avx2.h"
#elif defined(RL_ISA_C) && defined(__GNUC__)
#include "core/cell_generic.h"
#else
#include "core/cell_scalar.h"
#endif

// The magnitude of `a` with the sign of `sign`.
RL_CELL rl_real rl_with_sign(rl_real a, rl_real sign)
{
    return rl_or_bits(a, rl_sign_bit(sign));
}
