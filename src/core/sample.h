// SPDX-License-Identifier: MIT
// sample.h - interpolates between the cells of a grid.
#pragma once

#include "rill/base.h"

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
