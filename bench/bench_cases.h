// SPDX-License-Identifier: MIT
// bench_cases.h - what `rill bench` measures.
#pragma once

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

// The world of a case: an uneven basin with islands, full of waves.
rill_status bench_make_world(const bench_case *c, int threads, rill_world **out);

// The same on a back end, with substeps of at most `max_step` seconds; 0: as long as is stable.
rill_status bench_make_world_on(const bench_case *c, rill_backend backend, double max_step,
                                int threads, rill_world **out);
