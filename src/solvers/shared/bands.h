// SPDX-License-Identifier: MIT
// bands.h - how a sweep over a grid is divided among threads: into bands of rows, whose number
// depends on the grid alone, and rows of floats that each band has for itself.
#pragma once

#include "core/assert.h"

#include "rill/support.h"

#include <string.h>

// Thin bands balance well, thick ones repeat less of their neighbours' work (two to five rows a
// band). A band has at least 64 rows, so that what it repeats never reaches past the next band.
static inline int rl_band_count(int ny)
{
    const int rows = ny < 1024 ? 64 : ny < 2048 ? 128 : 256;
    return ny < 2 * rows ? 1 : ny / rows;
}

// The first row of band n of `count`; that of band `count` is ny.
static inline int rl_band_first(int ny, int count, int n)
{
    RL_ASSERT(n >= 0 && n <= count);
    return (int)((int64_t)ny * n / count);
}

// Rows of floats in one block, with margins as those of a field.
typedef struct rl_band_rows {
    float *memory;
    size_t floats; // of a row
    size_t count, bytes;
    size_t taken; // rows that have an owner
} rl_band_rows;

// `pitch` is that of the fields that are swept. An odd number of cache lines a row, so that
// neighbouring rows do not compete in the cache. False when there is no memory.
static inline bool rl_band_rows_create(const rill_allocator *allocator, size_t pitch, size_t count,
                                       rl_band_rows *out)
{
    RL_ASSERT(pitch % 16 == 0);
    const size_t floats = pitch % 32 == 0 ? pitch + 16 : pitch;
    *out =
        (rl_band_rows){.floats = floats, .count = count, .bytes = count * floats * sizeof(float)};
    out->memory = rill_alloc(allocator, out->bytes);
    return out->memory != NULL;
}

// Hands out the next row, from its first cell on.
static inline float *rl_band_rows_take(rl_band_rows *rows)
{
    RL_ASSERT(rows->taken < rows->count);
    return rows->memory + rows->taken++ * rows->floats + RILL_MARGIN_X;
}

// The same with every value set, margins included.
static inline float *rl_band_rows_take_filled(rl_band_rows *rows, float value)
{
    float *row = rl_band_rows_take(rows) - RILL_MARGIN_X;
    for (size_t i = 0; i < rows->floats; i++)
        row[i] = value;
    return row + RILL_MARGIN_X;
}
