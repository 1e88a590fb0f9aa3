// SPDX-License-Identifier: MIT
// fft_rows.c - the passes of fft_rows.h over vectors of transforms.
#include "waves/fft_rows.h"

#include "core/cell.h"
#include "core/cpu.h"

#include <stddef.h>

#define TILE RL_FFT_TILE

typedef struct complex_lanes {
    rl_real re, im;
} complex_lanes;

// Points of sixteen transforms; point p starts `stride` floats after point p - 1.
typedef struct points {
    float *re, *im;
    size_t stride;
} points;

RL_CELL complex_lanes load(points from, size_t point, int lane)
{
    const size_t at = point * from.stride + (size_t)lane;
    const complex_lanes value = {rl_load(from.re + at), rl_load(from.im + at)};
    return value;
}

RL_CELL void store(points to, size_t point, int lane, rl_real re, rl_real im)
{
    const size_t at = point * to.stride + (size_t)lane;
    rl_store(to.re + at, re);
    rl_store(to.im + at, im);
}

RL_CELL void store_turned(points to, size_t point, int lane, rl_real re, rl_real im,
                          const float twiddle[2])
{
    const rl_real c = rl_set(twiddle[0]), s = rl_set(twiddle[1]);
    store(to, point, lane, re * c - im * s, re * s + im * c);
}

// Computes one butterfly of radix 4: reads points at[0..3] and writes to[0..3]; `twiddle` is NULL
// for j = 0, where all factors are 1.
RL_CELL void butterfly4(points from, const size_t at[4], points into, const size_t to[4],
                        const float *twiddle)
{
    for (int lane = 0; lane < TILE; lane += RL_LANES) {
        const complex_lanes a = load(from, at[0], lane), b = load(from, at[1], lane);
        const complex_lanes c = load(from, at[2], lane), d = load(from, at[3], lane);
        const rl_real even_re = a.re + c.re, even_im = a.im + c.im;
        const rl_real odd_re = a.re - c.re, odd_im = a.im - c.im;
        const rl_real sum_re = b.re + d.re, sum_im = b.im + d.im;
        const rl_real turned_re = d.im - b.im, turned_im = b.re - d.re; // i (b - d)
        store(into, to[0], lane, even_re + sum_re, even_im + sum_im);
        const rl_real re1 = odd_re + turned_re, im1 = odd_im + turned_im;
        const rl_real re2 = even_re - sum_re, im2 = even_im - sum_im;
        const rl_real re3 = odd_re - turned_re, im3 = odd_im - turned_im;
        if (twiddle == NULL) {
            store(into, to[1], lane, re1, im1);
            store(into, to[2], lane, re2, im2);
            store(into, to[3], lane, re3, im3);
        } else {
            store_turned(into, to[1], lane, re1, im1, twiddle);
            store_turned(into, to[2], lane, re2, im2, twiddle + 2);
            store_turned(into, to[3], lane, re3, im3, twiddle + 4);
        }
    }
}

// A pass of radix 4 over blocks of `block` points, each staying in its place.
static void pass4(points from, points into, size_t size, size_t block, const float *twiddles)
{
    const size_t quarter = block / 4;
    for (size_t start = 0; start < size; start += block)
        for (size_t j = 0; j < quarter; j++) {
            const size_t p = start + j;
            const size_t at[4] = {p, p + quarter, p + 2 * quarter, p + 3 * quarter};
            if (j == 0)
                butterfly4(from, at, into, at, NULL);
            else
                butterfly4(from, at, into, at, twiddles + 6 * j);
        }
}

// The last pass has no twiddles. `frequency` says where each point goes; without it (NULL) points
// stay.
static void last_pass4(points from, points into, size_t size, const int *frequency)
{
    for (size_t p = 0; p < size; p += 4) {
        const size_t at[4] = {p, p + 1, p + 2, p + 3};
        if (frequency == NULL) {
            butterfly4(from, at, into, at, NULL);
        } else {
            const int *f = frequency + p;
            const size_t to[4] = {(size_t)f[0], (size_t)f[1], (size_t)f[2], (size_t)f[3]};
            butterfly4(from, at, into, to, NULL);
        }
    }
}

static void last_pass2(points from, points into, size_t size, const int *frequency)
{
    for (size_t p = 0; p < size; p += 2) {
        const size_t to0 = frequency != NULL ? (size_t)frequency[p] : p;
        const size_t to1 = frequency != NULL ? (size_t)frequency[p + 1] : p + 1;
        for (int lane = 0; lane < TILE; lane += RL_LANES) {
            const complex_lanes a = load(from, p, lane), b = load(from, p + 1, lane);
            store(into, to0, lane, a.re + b.re, a.im + b.im);
            store(into, to1, lane, a.re - b.re, a.im - b.im);
        }
    }
}

// Runs all passes: the first reads `from`, those between work in `scratch`, the last writes `into`.
static void transform(const rl_fft_plan *plan, points from, points scratch, points into,
                      const int *frequency)
{
    const size_t size = (size_t)plan->size;
    const int before_last = plan->passes4 + plan->pass2 - 1;
    size_t block = size;
    for (int pass = 0; pass < before_last; pass++) {
        pass4(pass == 0 ? from : scratch, scratch, size, block, plan->twiddles[pass]);
        block /= 4;
    }
    if (plan->pass2)
        last_pass2(scratch, into, size, frequency);
    else
        last_pass4(scratch, into, size, frequency);
}

static points scratch_points(const rl_fft_plan *plan, float *scratch)
{
    return (points){scratch, scratch + RL_FFT_SCRATCH_HALF(plan->size), TILE};
}

static void columns(const rl_fft_plan *plan, float *real, float *imaginary, int first,
                    float *scratch)
{
    const points square = {real + first, imaginary + first, (size_t)plan->size};
    transform(plan, square, scratch_points(plan, scratch), square, plan->frequency);
}

// ---- Transposing rows into columns and back --------------------------------------------------

#if RL_LANES == 4
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#elif RL_LANES == 8
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif RL_LANES == 16
#define LOW(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

// Transposes a square of RL_LANES vectors: interleaving the two halves of the set log2(RL_LANES)
// times exchanges the bits of "which vector" with those of "which lane".
RL_CELL void transpose(rl_real v[RL_LANES])
{
#if RL_LANES > 1
    rl_real w[RL_LANES];
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 4
#endif
    for (int step = 1; step < RL_LANES; step *= 2) {
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16
#endif
        for (int i = 0; i < RL_LANES / 2; i++) {
            w[2 * i] = LOW(v[i], v[i + RL_LANES / 2]);
            w[2 * i + 1] = HIGH(v[i], v[i + RL_LANES / 2]);
        }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16
#endif
        for (int i = 0; i < RL_LANES; i++)
            v[i] = w[i];
    }
#else
    (void)v;
#endif
}

static void rows_to_points(const float *rows, float *to, size_t size)
{
    for (size_t x = 0; x < size; x += RL_LANES)
        for (size_t y = 0; y < TILE; y += RL_LANES) {
            rl_real v[RL_LANES];
            for (size_t i = 0; i < RL_LANES; i++)
                v[i] = rl_load(rows + (y + i) * size + x);
            transpose(v);
            for (size_t i = 0; i < RL_LANES; i++)
                rl_store(to + (x + i) * TILE + y, v[i]);
        }
}

static void points_to_rows(const float *from, float *rows, size_t size, const int *place)
{
    for (size_t y = 0; y < TILE; y += RL_LANES)
        for (size_t x = 0; x < size; x += RL_LANES) {
            rl_real v[RL_LANES];
            for (size_t i = 0; i < RL_LANES; i++)
                v[i] = rl_load(from + (size_t)place[x + i] * TILE + y);
            transpose(v);
            for (size_t i = 0; i < RL_LANES; i++)
                rl_store(rows + (y + i) * size + x, v[i]);
        }
}

static void rows(const rl_fft_plan *plan, float *real, float *imaginary, int first, float *scratch)
{
    const size_t size = (size_t)plan->size, start = (size_t)first * size;
    const points tile = scratch_points(plan, scratch);
    rows_to_points(real + start, tile.re, size);
    rows_to_points(imaginary + start, tile.im, size);
    transform(plan, tile, tile, tile, NULL);
    points_to_rows(tile.re, real + start, size, plan->place);
    points_to_rows(tile.im, imaginary + start, size, plan->place);
}

const rl_fft_rows RL_ROWS(rl_fft_rows) = {columns, rows};
