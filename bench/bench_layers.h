// SPDX-License-Identifier: MIT
// bench_layers.h - rows of `rill bench` for the `layers` solver: runs of scenes of Dagenais, their
// simulation and their surface, beside the paper's own table.
#pragma once

#include "rill/base.h"

#include <stdio.h>

// Of the frames of a run.
typedef struct bench_layers_figure {
    double average, most;
} bench_layers_figure;

typedef struct bench_layers_case {
    const char *name, *scene;
    int cells; // a side, with substeps as long as is stable; 0: as the
               // scene says
    bench_layers_figure simulation, surface; // Dagenais Table 1, ms a frame; 0: none
} bench_layers_case;

extern const bench_layers_case bench_layers_cases[];
extern const int bench_layers_case_count;

typedef struct bench_layers {
    const bench_layers_case *c;
    int nx, ny, layers, threads;
    long columns;                   // that exist
    long wet;                       // of them, wet at the end
    long steps;                     // of a run
    double ms_per_step;             // on average
    bench_layers_figure simulation; // ms of a sixtieth of a second with all its steps
    bench_layers_figure surface;    // ms of one build
    bench_layers_figure step_ms;    // of substeps, where the case has `cells`: their average, and
                                    // the longest that is stable all the time
    double meniscus_mm;             // 0: the surface has none
    double contact_angle;           // degrees
} bench_layers;

rill_status bench_layers_measure(const bench_layers_case *c, int threads, bench_layers *out);

// Prints two rows: the simulation, and the surface.
void bench_layers_print(FILE *out, const bench_layers *b, double roofline);
void bench_layers_print_json(FILE *out, const bench_layers *b, double roofline);
