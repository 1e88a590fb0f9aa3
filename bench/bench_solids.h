// SPDX-License-Identifier: MIT
// bench_solids.h - rows of `rill bench` for solids that move through the liquid of the `layers`
// solver: a mesh that turns and goes its way, and one that bends.
#pragma once

#include "rill/base.h"

#include <stdio.h>

typedef struct bench_solids_case {
    const char *name;
    int bends; // 1: its vertices are moved; 0: it is moved and turned
} bench_solids_case;

extern const bench_solids_case bench_solids_cases[];
extern const int bench_solids_case_count;

typedef struct bench_solids {
    const bench_solids_case *c;
    int n, levels, triangles, threads;
    double ms; // a move
} bench_solids;

rill_status bench_solids_measure(const bench_solids_case *c, int threads, bench_solids *out);
void bench_solids_print(FILE *out, const bench_solids *b);
void bench_solids_print_json(FILE *out, const bench_solids *b);
