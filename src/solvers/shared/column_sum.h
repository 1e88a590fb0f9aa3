// SPDX-License-Identifier: MIT
// column_sum.h - volumes, summed in an order that does not depend on threads.
#pragma once

#include "core/jobs.h"

#include "rill/support.h"

// Volume of rows whose metres of water, summed over their cells, are known, m^3.
double rl_row_sums_volume(const double *row_sums, int ny, double cell_size);

// Volume of depths and remainders of a solver with one column a cell, m^3: summed in double, row by
// row and then over rows. `row_sums` has a value a row.
double rl_column_sum(rl_jobs *jobs, const rill_field *depth, const rill_field *remainder,
                     double cell_size, double *row_sums);
