// SPDX-License-Identifier: MIT
// bench.h - the speed tables of `rill bench`.
#pragma once

#include "rill/world.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct bench_options {
    const char *const *names; // rows whose name contains one of these; none: all rows
    int name_count;
    bool json;
    rill_backend backend;
} bench_options;

// Measures and prints, a row at a time. Returns an exit status: 0 done, 1 failed, 2 no such row.
int bench_run(const bench_options *options, FILE *out);
