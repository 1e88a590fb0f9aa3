// SPDX-License-Identifier: MIT
// bench_swe.h - rows of `rill bench` for the `swe` solver: the grid of Chentanez and Müller's boat
// ride and the scenes after that paper, by the columns of its Table 2.
#pragma once

#include "rill/world.h"

#include <stdio.h>

typedef struct bench_swe_case {
    const char *name;
    const char *scene; // NULL: the boat's grid
    int conservative;  // of the boat's grid: the advection
    // Chentanez and Müller Table 2, GTX 480, a frame: its columns HF, Gen, Par and Cou; 0: none
    double height_ms, births_ms, particles_ms, coupling_ms;
    int particles; // of the paper, alive in a frame on average (Table 1); 0: not the same case
} bench_swe_case;

extern const bench_swe_case bench_swe_cases[];
extern const int bench_swe_case_count;

typedef struct bench_swe {
    const bench_swe_case *c;
    int nx, ny, threads;
    long steps;       // of the best repeat
    double ms_water;  // a step of the height field alone, best
    double ms_frame;  // a frame of it with all its steps and the texture coordinates, best
    double ms_births; // of particles, in a frame, best
    double ms_flying; // their flight and landing, best
    double ms_bodies; // coupling and motion of bodies, best
    double ms_all;    // a whole frame, best
    size_t particles; // alive at the end
    int bodies;       // in the world
    double frame;     // seconds
} bench_swe;

// Makes a river over uneven ground with rocks, full of waves: all cells are in motion and some are
// dry. Its ground repeats every 900 x 135 cells of half a metre.
typedef struct bench_river_grid {
    int nx, ny, conservative;
    float manning;
    rill_backend backend;
    double max_step; // seconds; 0: as long as is stable
    int max_substeps, threads;
} bench_river_grid;
rill_status bench_swe_make_river(const bench_river_grid *grid, rill_world **out);

rill_status bench_swe_measure(const bench_swe_case *c, int threads, bench_swe *out);

// Prints one row for the height field and, where there are particles, one for their births and one
// for their flight; where there are bodies, one for them and one for the whole frame.
void bench_swe_print(FILE *out, const bench_swe *b, double roofline);
void bench_swe_print_json(FILE *out, const bench_swe *b, double roofline);
