// SPDX-License-Identifier: MIT
// measure.h - common parts of all cases: fields to start from, a clock to run to, norms and curves.
#pragma once

#include "validation/cases.h"

#include "rill/world.h"

// A grid of floats that the case owns; free `data` with free().
typedef struct validation_grid {
    float *data;
    int nx, ny;
} validation_grid;

// Creates a grid of zeros. Returns false when there is no memory.
bool validation_grid_create(int nx, int ny, validation_grid *out);
rill_field_view validation_grid_view(const validation_grid *grid);

// Value along x, the same in every row.
void validation_grid_fill_columns(validation_grid *grid, double cell_size,
                                  double (*value)(const void *context, double x),
                                  const void *context);

// Takes steps of at most `step` seconds, all alike, until `seconds` more have passed.
rill_status validation_advance(rill_world *world, double seconds, double step);

// Returns the distance of the float at |value| to the next larger one.
double validation_float_spacing(double value);

// Returns the larger of two errors, or NaN if one of them is: what is not a number must not pass
// for small.
double validation_larger(double a, double b);

// ---- Norms -----------------------------------------------------------------------------

typedef struct validation_norms {
    double sum, largest;
    int count;
} validation_norms;

void validation_norms_add(validation_norms *norms, double difference);

// Computes both norms over `scale`, and the error of the world's ledger.
void validation_finish(validation_result *out, const validation_norms *norms, double scale,
                       rill_world *world);

// ---- Swings ----------------------------------------------------------------------------

// `count` values that swing about 0, taken every `dt` seconds.
typedef struct validation_swing {
    const double *values;
    int count;
    double dt;
} validation_swing;

// Returns the angular frequency, 1/s: from the zero crossings, then refined by the change of phase
// from the first half of the record to the second. NaN with fewer than two crossings.
double validation_swing_frequency(const validation_swing *swing);

typedef struct validation_swing_fit {
    double amplitude, phase;
} validation_swing_fit;

// Fits the best P cos(wt) + Q sin(wt) through values [from, to).
validation_swing_fit validation_fit_swing(const validation_swing *swing, double frequency, int from,
                                          int to);

// ---- Curves ----------------------------------------------------------------------------

// Returns a curve of `count` values to be filled; NULL when there is no memory.
validation_curve *validation_add_curve(validation_plot *plot, validation_curve_kind kind,
                                       const char *label, int count);
void validation_free_plot(validation_plot *plot);
