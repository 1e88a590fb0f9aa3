// SPDX-License-Identifier: MIT
// lanes.h - vector operations that particles need besides core/cell.h: particles lie anywhere on
// the grid, so their loops load cells by index, and their ranges end in the middle of a vector.
#pragma once

#include "core/cell.h"

#include <stdint.h>
#include <string.h>

#if RL_LANES == 1

typedef int lanes_index;

// Returns i + j * pitch, both rounded towards zero; they must fit an int.
RL_CELL lanes_index lanes_place(rl_real i, rl_real j, int pitch)
{
    return (int)i + (int)j * pitch;
}

// Loads data[at] and data[at + 1] of each lane: neighbours in a row are loaded together.
RL_CELL void lanes_pairs(const float *data, lanes_index at, rl_real *first, rl_real *second)
{
    *first = data[at];
    *second = data[at + 1];
}

// Loads bytes as numbers.
RL_CELL rl_real lanes_bytes(const uint8_t *p)
{
    return (float)*p;
}

#elif defined(RL_ISA_AVX512) || defined(RL_ISA_AVX2)

#if defined(RL_ISA_AVX512)
typedef __m512i lanes_index;
#define LANES(operation) _mm512_##operation
#else
typedef __m256i lanes_index;
#define LANES(operation) _mm256_##operation
#endif

RL_CELL lanes_index lanes_place(rl_real i, rl_real j, int pitch)
{
    const lanes_index rows = LANES(mullo_epi32)(LANES(cvttps_epi32)(j), LANES(set1_epi32)(pitch));
    return LANES(add_epi32)(LANES(cvttps_epi32)(i), rows);
}

#undef LANES

#if defined(RL_ISA_AVX512)

// Without optimisation the compiler's own gathers are macros, whose masks lose their sign here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
RL_CELL void lanes_pairs(const float *data, lanes_index at, rl_real *first, rl_real *second)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    const __m512 low =
        _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(at), data, sizeof *data));
    const __m512 high =
        _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(at, 1), data, sizeof *data));
    *first = _mm512_permutex2var_ps(low, even, high);
    *second = _mm512_permutex2var_ps(low, odd, high);
}
#pragma GCC diagnostic pop

RL_CELL rl_real lanes_bytes(const uint8_t *p)
{
    __m128i bytes;
    memcpy(&bytes, p, sizeof bytes);
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
}

#else

RL_CELL void lanes_pairs(const float *data, lanes_index at, rl_real *first, rl_real *second)
{
    const double *pairs = (const double *)(const void *)data;
    const __m256 low =
        _mm256_castpd_ps(_mm256_i32gather_pd(pairs, _mm256_castsi256_si128(at), sizeof *data));
    const __m256 high =
        _mm256_castpd_ps(_mm256_i32gather_pd(pairs, _mm256_extracti128_si256(at, 1), sizeof *data));
    // Shuffles work within halves, so the halves come out crossed.
    const __m256d even = _mm256_castps_pd(_mm256_shuffle_ps(low, high, 0x88));
    const __m256d odd = _mm256_castps_pd(_mm256_shuffle_ps(low, high, 0xdd));
    *first = _mm256_castpd_ps(_mm256_permute4x64_pd(even, 0xd8));
    *second = _mm256_castpd_ps(_mm256_permute4x64_pd(odd, 0xd8));
}

RL_CELL rl_real lanes_bytes(const uint8_t *p)
{
    return _mm256_cvtepi32_ps(
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}

#endif

#else

typedef int lanes_index __attribute__((vector_size(16)));

RL_CELL lanes_index lanes_place(rl_real i, rl_real j, int pitch)
{
    return __builtin_convertvector(i, lanes_index) +
           __builtin_convertvector(j, lanes_index) * pitch;
}

RL_CELL void lanes_pairs(const float *data, lanes_index at, rl_real *first, rl_real *second)
{
    const float *const a = data + at[0], *const b = data + at[1];
    const float *const c = data + at[2], *const d = data + at[3];
    *first = (rl_real){a[0], b[0], c[0], d[0]};
    *second = (rl_real){a[1], b[1], c[1], d[1]};
}

RL_CELL rl_real lanes_bytes(const uint8_t *p)
{
    return (rl_real){(float)p[0], (float)p[1], (float)p[2], (float)p[3]};
}

#endif

// Returns the lanes of the vector at `at` whose index is in [first, end).
RL_CELL rl_mask lanes_within(int at, int first, int end)
{
    static const float counted[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const rl_real lane = rl_load_any(counted);
    return rl_both(rl_less(rl_set((float)(first - at) - 0.5f), lane),
                   rl_less(lane, rl_set((float)(end - at))));
}
