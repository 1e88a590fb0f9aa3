// SPDX-License-Identifier: MIT
// run_report.h - the times of a run and the balance of its water: a line of JSON a frame, and the
// table at the end.
#pragma once

#include "rill/world.h"

#include <stdbool.h>
#include <stdio.h>

// The parts of a frame: the phases of the world's step, then what the command adds.
typedef enum run_part {
    RUN_PART_SURFACE = RILL_PHASE_COUNT,
    RUN_PART_OUTPUT,
    RUN_PART_FRAME, // the step and the surface, without writing
    RUN_PART_COUNT
} run_part;

// Times of one part, milliseconds.
typedef struct run_times {
    long frames; // in which it was measured
    double frame_sum, frame_max;
    double steps;    // in those frames, where a time per step says something
    double step_max; // per step; of a frame's mean
} run_times;

typedef struct run_report {
    run_times parts[RUN_PART_COUNT];
    long frames;
} run_report;

// One frame as it was measured.
typedef struct run_frame {
    rill_step_info step;
    double step_ms, surface_ms, output_ms;
} run_frame;

void run_report_add(run_report *report, const run_frame *frame);

// Adds the times of files that were written, those at the start as well; `surface_ms` is negative
// when no surface was built.
void run_report_add_files(run_report *report, double surface_ms, double output_ms);

// Writes one JSON object on one line. Returns false when `out` failed.
bool run_report_line(FILE *out, long number, rill_world *world, const run_frame *frame);

// Prints the table of times, the ledger, the largest depth, speed and Froude number of the water as
// it is, and a line about the run.
void run_report_print(const run_report *report, rill_world *world, int threads, FILE *out);
