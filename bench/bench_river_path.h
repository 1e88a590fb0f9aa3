// SPDX-License-Identifier: MIT
// bench_river_path.h - rows of `rill bench` for finding a river in a DEM: time and memory a cell,
// from small grids to large ones.
#pragma once

#include "rill/base.h"

#include <stdio.h>

// What a row finds.
typedef enum bench_river_path_kind {
    BENCH_RIVER_PATH_PLANE,    // the river of Burrell
    BENCH_RIVER_PATH_PROFILE,  // from a side, falling
    BENCH_RIVER_PATH_AUTO,     // the largest stem, wherever it rises
    BENCH_RIVER_PATH_DRAINAGE, // no river, but where all water runs
    BENCH_RIVER_PATH_FLATS,    // the same, in a DEM of whole metres: most of it is flat
} bench_river_path_kind;

typedef struct bench_river_path_case {
    const char *name;
    int n; // cells a side
    bench_river_path_kind kind;
} bench_river_path_case;

extern const bench_river_path_case bench_river_path_cases[];
extern const int bench_river_path_case_count;

typedef struct bench_river_path {
    const bench_river_path_case *c;
    double ms;             // best
    double ns_per_cell;    // of the grid
    double bytes_per_cell; // most that was in use at once, the result included, the ground not
    int64_t wet_cells;
} bench_river_path;

rill_status bench_river_path_measure(const bench_river_path_case *c, bench_river_path *out);

void bench_river_path_print(FILE *out, const bench_river_path *b);
void bench_river_path_print_json(FILE *out, const bench_river_path *b);
