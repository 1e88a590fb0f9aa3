// SPDX-License-Identifier: MIT
// cell_avx2.h - rl_real is eight floats. See core/cell.h and, for what each function means,
// core/cell_scalar.h. Loads and stores want 32-byte alignment, which rill_field gives.
#pragma once

#include <immintrin.h>

#define RL_LANES 8

typedef __m256 rl_real;
typedef __m256 rl_mask;

RL_CELL rl_real rl_set(float value)
{
    return _mm256_set1_ps(value);
}

RL_CELL rl_real rl_load(const float *p)
{
    return _mm256_load_ps(p);
}

RL_CELL void rl_store(float *p, rl_real a)
{
    _mm256_store_ps(p, a);
}

RL_CELL rl_real rl_min(rl_real a, rl_real b)
{
    return _mm256_min_ps(a, b);
}

RL_CELL rl_real rl_max(rl_real a, rl_real b)
{
    return _mm256_max_ps(a, b);
}

RL_CELL rl_mask rl_less(rl_real a, rl_real b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

RL_CELL rl_mask rl_same_bits(rl_real a, rl_real b)
{
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_castps_si256(a), _mm256_castps_si256(b)));
}

RL_CELL rl_mask rl_both(rl_mask a, rl_mask b)
{
    return _mm256_and_ps(a, b);
}

RL_CELL int rl_any(rl_mask mask)
{
    return _mm256_movemask_ps(mask) != 0;
}

RL_CELL int rl_all(rl_mask mask)
{
    return _mm256_movemask_ps(mask) == 0xff;
}

RL_CELL uint32_t rl_lane_bits(rl_mask mask)
{
    return (uint32_t)_mm256_movemask_ps(mask);
}

RL_CELL rl_real rl_select(rl_mask mask, rl_real yes, rl_real no)
{
    return _mm256_blendv_ps(no, yes, mask);
}

RL_CELL rl_real rl_keep(rl_mask mask, rl_real a)
{
    return _mm256_and_ps(mask, a);
}

RL_CELL rl_real rl_sign_bit(rl_real a)
{
    return _mm256_and_ps(a, _mm256_set1_ps(-0.0f));
}

RL_CELL rl_real rl_abs(rl_real a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}

RL_CELL rl_real rl_or_bits(rl_real a, rl_real b)
{
    return _mm256_or_ps(a, b);
}

RL_CELL rl_real rl_sqrt(rl_real a)
{
    return _mm256_sqrt_ps(a);
}

RL_CELL rl_real rl_number_of_bits(rl_real a)
{
    return _mm256_cvtepi32_ps(_mm256_castps_si256(a));
}

RL_CELL rl_real rl_bits_of_number(rl_real a)
{
    return _mm256_castsi256_ps(_mm256_cvttps_epi32(a));
}

RL_CELL rl_real rl_east(rl_real here, rl_real next)
{
    const __m256i low = _mm256_castps_si256(here);
    const __m256i middle = _mm256_castps_si256(_mm256_permute2f128_ps(here, next, 0x21));
    return _mm256_castsi256_ps(_mm256_alignr_epi8(middle, low, 4));
}

RL_CELL rl_real rl_west(rl_real before, rl_real here)
{
    const __m256i high = _mm256_castps_si256(here);
    const __m256i middle = _mm256_castps_si256(_mm256_permute2f128_ps(before, here, 0x21));
    return _mm256_castsi256_ps(_mm256_alignr_epi8(high, middle, 12));
}

RL_CELL float rl_largest(rl_real a)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_shuffle_ps(m, m, 1));
    return _mm_cvtss_f32(m);
}
