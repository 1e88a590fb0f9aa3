// SPDX-License-Identifier: MIT
// bench_river.h - rows of `rill bench` for the `river` solver: the scene `river` with the level of
// detail of the four rows of Burrell Table 6.1.
#pragma once

#include "rill/base.h"

#include <stdint.h>
#include <stdio.h>

typedef struct bench_river_case {
    const char *name;
    const char *solver, *waves; // overrides: which parts get coarser with distance
    double paper_ms;            // Burrell Table 6.1, a frame, drawing included
} bench_river_case;

extern const bench_river_case bench_river_cases[];
extern const int bench_river_case_count;

typedef struct bench_river {
    const bench_river_case *c;
    int nx, ny, threads;
    long steps;            // of the best repeat
    double ms_water;       // a frame of the flow, best
    double ms_particles;   // a frame of the advection particles and their output, best
    double ms_frame;       // both, best
    int64_t cells, merged; // wet cells, and those that the solver works on
    int particles;
} bench_river;

rill_status bench_river_measure(const bench_river_case *c, int threads, bench_river *out);

// Prints a row for the whole frame, one for the flow and one for the particles.
void bench_river_print(FILE *out, const bench_river *b);
void bench_river_print_json(FILE *out, const bench_river *b);
