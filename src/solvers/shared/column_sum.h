// SPDX-License-Identifier: MIT
// column_sum.h - the volume of a water with one column a cell.
#pragma once

#include "core/jobs.h"

#include "rill/support.h"

// Volume of depths and remainders, m^3: summed in double, row by row and then over rows, in an
// order that does not depend on threads. `row_sums` has room for a value a row.
double rl_column_sum(rl_jobs *jobs, const rill_field *depth, const rill_field *remainder,
                     double cell_size, double *row_sums);
