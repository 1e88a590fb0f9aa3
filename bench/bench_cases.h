// SPDX-License-Identifier: MIT
// bench_cases.h - the worlds that `rill bench` measures, and the figures that all rows need.
#pragma once

#include "bench/bench.h"

#include "rill/world.h"

typedef struct bench_case {
    const char *name, *solver;
    int n; // cells a side
    rill_pipe_area area;
    float viscosity;    // m^2/s
    float friction;     // part of the flow lost per second
    double settle;      // seconds of simulated time before the clock starts
    int bytes_per_cell; // what a step reads and writes at the least
    const char *paper;  // where a figure to compare with comes from, or NULL
    double paper_ms;    // that figure, ms per step of the paper
} bench_case;

extern const bench_case bench_cases[];
extern const int bench_case_count;

// Makes the world of a case: an uneven basin with islands, full of waves.
rill_status bench_make_world(const bench_case *c, int threads, rill_world **out);

// Does the same on a back end, with substeps of at most `max_step` seconds; 0: as long as is
// stable.
rill_status bench_make_world_on(const bench_case *c, rill_backend backend, double max_step,
                                int threads, rill_world **out);

// Returns the million cells a second of a loop that reads four arrays of floats and writes three of
// them back, with next to no arithmetic: 28 bytes a cell, what a pipe step must move at the least.
// The arrays are far larger than the caches. Best of several runs on `threads` threads; 0 without
// memory (roofline.c).
double bench_roofline(int threads);

// Measures and prints the rows of solvers on a GPU, beside a copy within its memory, like
// bench_run() (bench_gpu.c).
int bench_gpu_run(const bench_options *options, FILE *out);
