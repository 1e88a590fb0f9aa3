// SPDX-License-Identifier: MIT
// validation_report.h - writes the results of a validation as one HTML file that needs nothing
// else.
#pragma once

#include "validation/cases.h"

#include <stdio.h>

// One run of a case, done or failed.
typedef struct validation_run_record {
    int n;
    rill_status status;
    char message[200]; // why it failed
    validation_result result;
} validation_run_record;

// A case that ran, and the rows of it that were asked for.
typedef struct validation_record {
    const validation_case *c;
    bool wanted[VALIDATION_MAX_FIGURES];
    validation_run_record runs[VALIDATION_MAX_GRIDS];
} validation_record;

// Returns the order of convergence of error_l1 from the run before, NaN where it means nothing.
double validation_order(const validation_record *record, int grid);

// Returns whether a run is within its bound, and no water is lost.
bool validation_passes(const validation_run_record *run, int row);

// Returns false when the file could not be written.
bool validation_write_report(FILE *file, const validation_record *records, int count);
