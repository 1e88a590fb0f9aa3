// SPDX-License-Identifier: MIT
// bench_layers.h - rows of `rill bench` for the `layers` solver: scenes of Dagenais when they hold
// most liquid, their simulation and their surface, beside the paper's own table.
#pragma once

#include "rill/base.h"

#include <stdio.h>

typedef struct bench_layers_case {
    const char *name, *scene;
    double simulation_ms, surface_ms; // Dagenais Table 1, averages a frame; 0: none
} bench_layers_case;

extern const bench_layers_case bench_layers_cases[];
extern const int bench_layers_case_count;

typedef struct bench_layers {
    const bench_layers_case *c;
    int nx, ny, layers, threads;
    long columns;                     // that exist
    long wet;                         // of them, wet
    long steps;                       // of the best repeat
    double ms_per_step, ms_per_frame; // a frame is a sixtieth of a second with all its steps
    double surface_ms;                // one build
} bench_layers;

rill_status bench_layers_measure(const bench_layers_case *c, int threads, bench_layers *out);

// Prints two rows: the simulation, and the surface.
void bench_layers_print(FILE *out, const bench_layers *b, double roofline);
void bench_layers_print_json(FILE *out, const bench_layers *b, double roofline);
