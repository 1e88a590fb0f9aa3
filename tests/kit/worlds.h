// SPDX-License-Identifier: MIT
// worlds.h - making, stepping and summing worlds through the public interface. What the library
// refuses fails the test with the library's own sentence.
#pragma once

#include "tests/kit/kit.h"

#include "rill/rill.h"

// The default world with a grid of nx x ny cells of `cell_size` metres, and one with water up to
// `level`.
rill_world_def grid_def(int nx, int ny, double cell_size);
rill_world_def lake_def(int nx, int ny, double cell_size, double level);
// Heights and depths of all cells of its grid, row by row.
void set_ground(rill_world_def *def, const float *bed, const float *depth);

rill_world *make_world(const rill_world_def *def);
void run_world(rill_world *world, int steps, double dt);
// Steps of a 60th of a second.
void run_frames(rill_world *world, int frames);
// Water in the columns, m^3.
double world_volume(rill_world *world);
// The largest speed of all columns, films included, m/s.
double fastest(rill_world *world);

// A snapshot of the world as it is.
rill_snapshot *saved_world(rill_world *world);

// A spring, or a drain where the rate is negative, m^3/s.
void add_spring(rill_world *world, double x, double y, double radius, double rate);
// Rain on the whole world, m/s.
void set_rain(rill_world *world, double rate);

// Cell (i, j) and side of a square world of n x n cells that is mirrored (bits 1 and 2) and turned
// over its diagonal (bit 4).
size_t moved_cell(int i, int j, int n, int motion);
rill_side moved_side(int side, int motion);

// ---- A basin ---------------------------------------------------------------------------

#define BASIN_MAX_SIDE 160

// The irregular emerged bed of an uneven basin: a hill, ripples, steps and rough cells. `quantum`
// rounds it to multiples of that, metres; 0 leaves it.
float made_bed(int i, int j, double dx, double quantum);
// A square basin of n x n cells, 10 m wide, with that bed and water up to `level`.
rill_world_def basin_def(int n, double level, double quantum, float *bed);
