// SPDX-License-Identifier: MIT
// numbers.h - number helpers of the host side: double sums in a fixed order, random numbers from a
// counter, products of vectors; what a series or a path has at a time; values between cells.
#pragma once

#include "core/assert.h"
#include "core/random_cell.h"

#include "rill/base.h"
#include "rill/support.h"

#include <math.h>

// A sum with the part that rounding drops (Neumaier), so that a ledger of millions of small
// bookings stays exact to the last digits.
typedef struct rl_sum {
    double high, low;
} rl_sum;

static inline void rl_sum_add(rl_sum *sum, double value)
{
    const double total = sum->high + value;
    if (fabs(sum->high) >= fabs(value))
        sum->low += (sum->high - total) + value;
    else
        sum->low += (value - total) + sum->high;
    sum->high = total;
}

static inline double rl_sum_value(const rl_sum *sum)
{
    return sum->high + sum->low;
}

// The lesser and the greater of two numbers, and the nearest one within bounds. fmin and fmax also
// handle NaN, and take longer for it.
static inline double rl_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double rl_greater(double a, double b)
{
    return a > b ? a : b;
}

static inline double rl_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static inline int rl_lesser_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int rl_greater_int(int a, int b)
{
    return a > b ? a : b;
}

static inline int rl_clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static inline double rl_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void rl_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// ---- Series and paths ------------------------------------------------------------------

// Finds the keys around a time among `count` >= 1 of them, each of `size` bytes and with its time
// first, in rising order: the numbers of the one before and of the one after, which are the same at
// either end. Returns the weight of the second.
static inline double rl_keys_around(const void *keys, size_t size, int count, double time,
                                    int around[2])
{
    RL_ASSERT(count >= 1);
#define RL_TIME_OF(n) (*(const double *)(const void *)((const char *)keys + (size_t)(n)*size))
    int n = 0;
    while (n < count && RL_TIME_OF(n) <= time)
        n++;
    around[0] = n > 0 ? n - 1 : 0;
    around[1] = n < count ? n : count - 1;
    const double from = RL_TIME_OF(around[0]), to = RL_TIME_OF(around[1]);
#undef RL_TIME_OF
    return to > from ? (time - from) / (to - from) : 0.0;
}

// Computes the place: straight lines between keys, at rest before the first and after the last. An
// elevation of infinity (no elevation) stays that. `count` is at least 1.
static inline rill_path_key rl_path_at(const rill_path_key *keys, int count, double time)
{
    int around[2];
    const double part = rl_keys_around(keys, sizeof *keys, count, time, around);
    const rill_path_key *from = &keys[around[0]], *to = &keys[around[1]];
    return (rill_path_key){
        .time = time,
        .x = from->x + part * (to->x - from->x),
        .y = from->y + part * (to->y - from->y),
        .z = isinf(from->z) ? from->z : from->z + part * (to->z - from->z),
    };
}

// ---- Between cells ---------------------------------------------------------------------

// The place of a point between four cells: the lower one and the weight of the upper, along x and
// y.
typedef struct rl_sample_place {
    int i, j;
    float x, y;
} rl_sample_place;

static inline int rl_sample_axis(double cells, int count, float *weight)
{
    const double last = count - 1;
    const double inside = cells > 0.0 ? (cells < last ? cells : last) : 0.0; // a NaN gives 0
    int lower = (int)inside;
    if (lower > count - 2)
        lower = count - 2;
    *weight = (float)(inside - lower);
    return lower;
}

// Finds the place of (x, y), in cells from the centre of cell (0, 0). Points beyond the outermost
// centres take the nearest point between them. The grid has at least two cells a side.
static inline rl_sample_place rl_sample_find(int nx, int ny, double x, double y)
{
    rl_sample_place place;
    place.i = rl_sample_axis(x, nx, &place.x);
    place.j = rl_sample_axis(y, ny, &place.y);
    return place;
}

// Returns the bilinear interpolation.
static inline float rl_sample(const float *data, size_t pitch, rl_sample_place place)
{
    const float *low = data + (size_t)place.j * pitch + place.i, *high = low + pitch;
    const float south = low[0] + place.x * (low[1] - low[0]);
    const float north = high[0] + place.x * (high[1] - high[0]);
    return south + place.y * (north - south);
}
