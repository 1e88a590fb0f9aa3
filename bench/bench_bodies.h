// SPDX-License-Identifier: MIT
// bench_bodies.h - rows of `rill bench` for bodies that block the `pipes` solver (Kellomäki): a
// step with fifty of them beside the same step without.
#pragma once

#include "rill/base.h"

#include <stdbool.h>

#include <stdio.h>

typedef enum bench_bodies_kind {
    BENCH_BODIES_RESTING, // blocks on the ground, dams
    BENCH_BODIES_HANGING, // moved through the water by a host, every step
    BENCH_BODIES_RIGID,   // afloat, moved by the engine in the box
} bench_bodies_kind;

typedef struct bench_bodies_case {
    const char *name;
    int n, bodies; // cells a side; how many
    bench_bodies_kind kind;
} bench_bodies_case;

extern const bench_bodies_case bench_bodies_cases[];
extern const int bench_bodies_case_count;

typedef struct bench_bodies {
    const bench_bodies_case *c;
    int threads;
    long steps;      // of the best repeat
    double ms_plain; // a step without bodies, best
    double ms_step;  // a step with them, all its phases, best
    double times;    // how many times as long that is: the middle of runs that follow one another
} bench_bodies;

rill_status bench_bodies_measure(const bench_bodies_case *c, int threads, bench_bodies *out);

// Prints the row of the step with bodies. What it is over the plain one stands where other rows
// have the paper's figure.
void bench_bodies_print(FILE *out, const bench_bodies *b, double roofline);
void bench_bodies_print_json(FILE *out, const bench_bodies *b, double roofline);
