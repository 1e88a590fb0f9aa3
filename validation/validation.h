// SPDX-License-Identifier: MIT
// validation.h - `rill validate`: compares the solvers with exact solutions.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct validation_options {
    const char *const *names; // rows whose name contains one of these; none: all rows
    int name_count;
    bool json;
    const char *report; // path of an HTML report with plots, or NULL
} validation_options;

// Runs and prints, a row at a time. Returns an exit status: 0 all within their bounds, 1 some not
// or failed, 2 no such row.
int validation_run(const validation_options *options, FILE *out);
