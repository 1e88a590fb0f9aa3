// SPDX-License-Identifier: MIT
// cell_eight.h - cells of eight values that lie side by side, and vectors of each value of as many
// cells as a vector has lanes.
#pragma once

#include "core/cell.h"

#include <stddef.h>

#define RL_EIGHT 8

// ---- Four cells ------------------------------------------------------------------------

// Returns the mean of the two cells from `south` on and the two from `north` on; their weights lie
// `pitch` floats apart.
RL_CELL void rl_eight_mix(const float *south, const float *north, const float *weights,
                          size_t pitch, float *to)
{
#if defined(RL_ISA_AVX2) || defined(RL_ISA_AVX512)
    const __m256 sw = _mm256_broadcast_ss(weights) * _mm256_loadu_ps(south);
    const __m256 se = _mm256_broadcast_ss(weights + pitch) * _mm256_loadu_ps(south + RL_EIGHT);
    const __m256 nw = _mm256_broadcast_ss(weights + 2 * pitch) * _mm256_loadu_ps(north);
    const __m256 ne = _mm256_broadcast_ss(weights + 3 * pitch) * _mm256_loadu_ps(north + RL_EIGHT);
    _mm256_storeu_ps(to, (sw + se) + (nw + ne));
#else
    const float sw = weights[0], se = weights[pitch];
    const float nw = weights[2 * pitch], ne = weights[3 * pitch];
    for (size_t k = 0; k < RL_EIGHT; k++)
        to[k] =
            (sw * south[k] + se * south[RL_EIGHT + k]) + (nw * north[k] + ne * north[RL_EIGHT + k]);
#endif
}

// ---- Rows for columns ------------------------------------------------------------------

// rl_eight_load makes of RL_LANES cells, one after the other, a vector of each of their values, and
// rl_eight_store of such vectors the cells.
#if defined(RL_ISA_AVX2) || defined(RL_ISA_AVX512)

// Both halves, of four floats, of every fourth cell: vectors of these.
typedef struct rl_eight_halves {
    rl_real low, high;
} rl_eight_halves;

#if defined(RL_ISA_AVX512)

#define RL_EIGHT_LOW(a, b)         _mm512_unpacklo_ps(a, b)
#define RL_EIGHT_HIGH(a, b)        _mm512_unpackhi_ps(a, b)
#define RL_EIGHT_PAIRS(a, b, take) _mm512_shuffle_ps(a, b, take)

RL_CELL __m512 rl_eight_two(const float *cell)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(cell)),
                              _mm256_loadu_ps(cell + 4 * RL_EIGHT), 1);
}

RL_CELL rl_eight_halves rl_eight_load_halves(const float *cell)
{
    const __m512 a = rl_eight_two(cell), b = rl_eight_two(cell + 8 * RL_EIGHT);
    return (rl_eight_halves){_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd)};
}

RL_CELL void rl_eight_store_halves(float *cell, rl_eight_halves h)
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d low = _mm512_castps_pd(h.low), high = _mm512_castps_pd(h.high);
    const __m512 a = _mm512_castpd_ps(_mm512_permutex2var_pd(low, first, high));
    const __m512 b = _mm512_castpd_ps(_mm512_permutex2var_pd(low, last, high));
    _mm256_storeu_ps(cell, _mm512_castps512_ps256(a));
    _mm256_storeu_ps(cell + 4 * RL_EIGHT, _mm512_extractf32x8_ps(a, 1));
    _mm256_storeu_ps(cell + 8 * RL_EIGHT, _mm512_castps512_ps256(b));
    _mm256_storeu_ps(cell + 12 * RL_EIGHT, _mm512_extractf32x8_ps(b, 1));
}

#else

#define RL_EIGHT_LOW(a, b)         _mm256_unpacklo_ps(a, b)
#define RL_EIGHT_HIGH(a, b)        _mm256_unpackhi_ps(a, b)
#define RL_EIGHT_PAIRS(a, b, take) _mm256_shuffle_ps(a, b, take)

RL_CELL rl_eight_halves rl_eight_load_halves(const float *cell)
{
    const __m256 a = _mm256_loadu_ps(cell), b = _mm256_loadu_ps(cell + 4 * RL_EIGHT);
    return (rl_eight_halves){_mm256_permute2f128_ps(a, b, 0x20),
                             _mm256_permute2f128_ps(a, b, 0x31)};
}

RL_CELL void rl_eight_store_halves(float *cell, rl_eight_halves h)
{
    _mm256_storeu_ps(cell, _mm256_permute2f128_ps(h.low, h.high, 0x20));
    _mm256_storeu_ps(cell + 4 * RL_EIGHT, _mm256_permute2f128_ps(h.low, h.high, 0x31));
}

#endif

// Transposes the squares of four by four floats that four vectors are made of.
RL_CELL void rl_eight_turn_four(rl_real a, rl_real b, rl_real c, rl_real d, rl_real out[4])
{
    const rl_real ab = RL_EIGHT_LOW(a, b), cd = RL_EIGHT_LOW(c, d);
    const rl_real ab_high = RL_EIGHT_HIGH(a, b), cd_high = RL_EIGHT_HIGH(c, d);
    out[0] = RL_EIGHT_PAIRS(ab, cd, 0x44);
    out[1] = RL_EIGHT_PAIRS(ab, cd, 0xee);
    out[2] = RL_EIGHT_PAIRS(ab_high, cd_high, 0x44);
    out[3] = RL_EIGHT_PAIRS(ab_high, cd_high, 0xee);
}

RL_CELL void rl_eight_load(const float *cells, rl_real values[RL_EIGHT])
{
    rl_eight_halves h[4];
    for (int n = 0; n < 4; n++)
        h[n] = rl_eight_load_halves(cells + n * RL_EIGHT);
    rl_eight_turn_four(h[0].low, h[1].low, h[2].low, h[3].low, values);
    rl_eight_turn_four(h[0].high, h[1].high, h[2].high, h[3].high, values + 4);
}

RL_CELL void rl_eight_store(float *cells, const rl_real values[RL_EIGHT])
{
    rl_real low[4], high[4];
    rl_eight_turn_four(values[0], values[1], values[2], values[3], low);
    rl_eight_turn_four(values[4], values[5], values[6], values[7], high);
    for (int n = 0; n < 4; n++)
        rl_eight_store_halves(cells + n * RL_EIGHT, (rl_eight_halves){low[n], high[n]});
}

#else

RL_CELL void rl_eight_load(const float *cells, rl_real values[RL_EIGHT])
{
    for (int k = 0; k < RL_EIGHT; k++) {
        float row[RL_LANES];
        for (int l = 0; l < RL_LANES; l++)
            row[l] = cells[l * RL_EIGHT + k];
        values[k] = rl_load_any(row);
    }
}

RL_CELL void rl_eight_store(float *cells, const rl_real values[RL_EIGHT])
{
    for (int k = 0; k < RL_EIGHT; k++) {
        float row[RL_LANES];
        rl_store_any(row, values[k]);
        for (int l = 0; l < RL_LANES; l++)
            cells[l * RL_EIGHT + k] = row[l];
    }
}

#endif
