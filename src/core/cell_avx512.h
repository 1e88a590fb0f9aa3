// SPDX-License-Identifier: MIT
// cell_avx512.h - rl_real is sixteen floats. See core/cell.h and, for what each function means,
// core/cell_scalar.h. Loads and stores want 64-byte alignment, which rill_field gives.
#pragma once

#include <immintrin.h>

#define RL_LANES 16

typedef __m512 rl_real;
typedef __mmask16 rl_mask;

RL_CELL rl_real rl_set(float value)
{
    return _mm512_set1_ps(value);
}

RL_CELL rl_real rl_load(const float *p)
{
    return _mm512_load_ps(p);
}

RL_CELL void rl_store(float *p, rl_real a)
{
    _mm512_store_ps(p, a);
}

RL_CELL rl_real rl_min(rl_real a, rl_real b)
{
    return _mm512_min_ps(a, b);
}

RL_CELL rl_real rl_max(rl_real a, rl_real b)
{
    return _mm512_max_ps(a, b);
}

RL_CELL rl_mask rl_less(rl_real a, rl_real b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

RL_CELL rl_mask rl_same_bits(rl_real a, rl_real b)
{
    return _mm512_cmpeq_epi32_mask(_mm512_castps_si512(a), _mm512_castps_si512(b));
}

RL_CELL rl_mask rl_both(rl_mask a, rl_mask b)
{
    return (rl_mask)(a & b);
}

RL_CELL int rl_any(rl_mask mask)
{
    return mask != 0;
}

RL_CELL int rl_all(rl_mask mask)
{
    return mask == 0xffff;
}

RL_CELL uint32_t rl_lane_bits(rl_mask mask)
{
    return mask;
}

RL_CELL rl_real rl_select(rl_mask mask, rl_real yes, rl_real no)
{
    return _mm512_mask_blend_ps(mask, no, yes);
}

RL_CELL rl_real rl_keep(rl_mask mask, rl_real a)
{
    return _mm512_maskz_mov_ps(mask, a);
}

RL_CELL rl_real rl_sign_bit(rl_real a)
{
    return _mm512_and_ps(a, _mm512_set1_ps(-0.0f));
}

RL_CELL rl_real rl_abs(rl_real a)
{
    return _mm512_andnot_ps(_mm512_set1_ps(-0.0f), a);
}

RL_CELL rl_real rl_or_bits(rl_real a, rl_real b)
{
    return _mm512_or_ps(a, b);
}

RL_CELL rl_real rl_sqrt(rl_real a)
{
    return _mm512_sqrt_ps(a);
}

RL_CELL rl_real rl_number_of_bits(rl_real a)
{
    return _mm512_cvtepi32_ps(_mm512_castps_si512(a));
}

RL_CELL rl_real rl_bits_of_number(rl_real a)
{
    return _mm512_castsi512_ps(_mm512_cvttps_epi32(a));
}

RL_CELL rl_real rl_east(rl_real here, rl_real next)
{
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(next), _mm512_castps_si512(here), 1));
}

RL_CELL rl_real rl_west(rl_real before, rl_real here)
{
    return _mm512_castsi512_ps(
        _mm512_alignr_epi32(_mm512_castps_si512(here), _mm512_castps_si512(before), 15));
}

RL_CELL float rl_largest(rl_real a)
{
    return _mm512_reduce_max_ps(a);
}
