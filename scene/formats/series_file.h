// SPDX-License-Identifier: MIT
// series_file.h - numbers over time in a text file, as gauges and spreadsheets write them: a line a
// moment, numbers parted by commas, semicolons or blanks, and names of the columns in the first
// line. Lines that begin with # are skipped.
#pragma once

#include "scene/scene_assert.h"

#include "rill/base.h"
#include "rill/support.h"

#define RL_SERIES_COLUMNS 8
#define RL_SERIES_ROWS    1000000

typedef struct rl_series_file {
    int column[RL_SERIES_COLUMNS]; // of each name, -1: the file has none
    int columns;                   // numbers a row
    double *values;
    size_t rows, capacity; // rows that are there, rows that fit
} rl_series_file;

// Reads columns of at most RL_SERIES_COLUMNS `names` (NULL at the end), the first of which must be
// there and rise. A file without names has as many columns as its first line, in that order.
rill_status rl_series_file_read(const char *path, const char *const *names,
                                const rill_allocator *allocator, rl_series_file *out);
void rl_series_file_free(const rill_allocator *allocator, rl_series_file *series);

// The number of that name in a row; `otherwise` where the file has no such column.
double rl_series_file_at(const rl_series_file *series, size_t row, int name, double otherwise);
