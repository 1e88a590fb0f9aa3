// SPDX-License-Identifier: MIT
// fft_rows.h - sixteen transforms of one dimension side by side, compiled once per instruction set.
// Sixteen columns (or rows, turned) lie beside each other in the lanes of the vectors, so that no
// transform ever reads from its neighbour and each lane does what a single transform would do: the
// bits do not depend on the width of the vectors.
//
// Decimation in frequency: passes of radix 4 over blocks of n = size, size/4 ... points, with w =
// exp(2 pi i / n),
//
//     a b c d  at  j, j + n/4, j + n/2, j + 3n/4   become   a + b + c + d
//                                                   w^j  (a + ib - c - id)
//                                                   w^2j (a -  b + c -  d)
//                                                   w^3j (a - ib - c + id)
//
// and a last one of radix 2 where the size is no power of 4. They work in place and leave the
// results in another order, which is undone where they are written back anyway.
#pragma once

#define RL_FFT_TILE       16 // transforms side by side: one cache line
#define RL_FFT_MAX_PASSES 6

typedef struct rl_fft_plan {
    int size;                                 // at least RL_FFT_TILE
    int passes4;                              // of radix 4
    int pass2;                                // 1: and one of radix 2
    const float *twiddles[RL_FFT_MAX_PASSES]; // of each pass: re, im of w^j, w^2j, w^3j, for each j
    const int *frequency;                     // the frequency at each place after the last pass
    const int *place;                         // the place of each frequency
} rl_fft_plan;

// Floats from the real to the imaginary parts in the scratch of a tile. The additional 2 KiB put
// both into different sets of the cache.
#define RL_FFT_SCRATCH_HALF(size) ((size_t)(size)*RL_FFT_TILE + 512)

// Transforms columns (rows) first ... first + RL_FFT_TILE - 1 of a square in place.
typedef void rl_fft_lines(const rl_fft_plan *plan, float *real, float *imaginary, int first,
                          float *scratch);

typedef struct rl_fft_rows {
    rl_fft_lines *columns, *rows;
} rl_fft_rows;

extern const rl_fft_rows rl_fft_rows_c, rl_fft_rows_avx2, rl_fft_rows_avx512;
