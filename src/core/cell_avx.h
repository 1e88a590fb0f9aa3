// SPDX-License-Identifier: MIT
// cell_avx.h - rl_real is eight floats (AVX2) or sixteen (AVX-512). See core/cell.h and, for what
// each function means, core/cell_scalar.h. Loads and stores want an alignment of 32 or 64 bytes,
// which rill_field gives.
#pragma once

#include <immintrin.h>

#if defined(RL_ISA_AVX512)

#define RL_LANES              16
#define RL_AVX(operation)     _mm512_##operation
#define RL_AVX_BITS(reals)    _mm512_castps_si512(reals)
#define RL_AVX_REAL(integers) _mm512_castsi512_ps(integers)

typedef __m512 rl_real;
typedef __mmask16 rl_mask;

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

RL_CELL rl_mask rl_either(rl_mask a, rl_mask b)
{
    return (rl_mask)(a | b);
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

#else

#define RL_LANES              8
#define RL_AVX(operation)     _mm256_##operation
#define RL_AVX_BITS(reals)    _mm256_castps_si256(reals)
#define RL_AVX_REAL(integers) _mm256_castsi256_ps(integers)

typedef __m256 rl_real;
typedef __m256 rl_mask;

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

RL_CELL rl_mask rl_either(rl_mask a, rl_mask b)
{
    return _mm256_or_ps(a, b);
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

#endif

RL_CELL rl_real rl_set(float value)
{
    return RL_AVX(set1_ps)(value);
}

RL_CELL rl_real rl_load(const float *p)
{
    return RL_AVX(load_ps)(p);
}

RL_CELL void rl_store(float *p, rl_real a)
{
    RL_AVX(store_ps)(p, a);
}

RL_CELL rl_real rl_min(rl_real a, rl_real b)
{
    return RL_AVX(min_ps)(a, b);
}

RL_CELL rl_real rl_max(rl_real a, rl_real b)
{
    return RL_AVX(max_ps)(a, b);
}

RL_CELL rl_real rl_sign_bit(rl_real a)
{
    return RL_AVX(and_ps)(a, RL_AVX(set1_ps)(-0.0f));
}

RL_CELL rl_real rl_abs(rl_real a)
{
    return RL_AVX(andnot_ps)(RL_AVX(set1_ps)(-0.0f), a);
}

RL_CELL rl_real rl_or_bits(rl_real a, rl_real b)
{
    return RL_AVX(or_ps)(a, b);
}

RL_CELL rl_real rl_sqrt(rl_real a)
{
    return RL_AVX(sqrt_ps)(a);
}

RL_CELL rl_real rl_number_of_bits(rl_real a)
{
    return RL_AVX(cvtepi32_ps)(RL_AVX_BITS(a));
}

RL_CELL rl_real rl_bits_of_number(rl_real a)
{
    return RL_AVX_REAL(RL_AVX(cvttps_epi32)(a));
}

RL_CELL rl_real rl_half_bits(rl_real a, int plus)
{
    return RL_AVX_REAL(
        RL_AVX(add_epi32)(RL_AVX(srli_epi32)(RL_AVX_BITS(a), 1), RL_AVX(set1_epi32)(plus)));
}
