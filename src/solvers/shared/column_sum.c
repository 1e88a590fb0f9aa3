// SPDX-License-Identifier: MIT
#include "solvers/shared/column_sum.h"

#include "core/numbers.h"

typedef struct summing {
    const rill_field *depth, *remainder;
    double *row_sums;
} summing;

static void sum_row(void *context, int y)
{
    const summing *at = context;
    const float *depth = rill_field_row(at->depth, y),
                *remainder = rill_field_row(at->remainder, y);
    double sum = 0.0;
    for (int i = 0; i < at->depth->nx; i++)
        sum += (double)depth[i] + (double)remainder[i];
    at->row_sums[y] = sum;
}

double rl_row_sums_volume(const double *row_sums, int ny, double cell_size)
{
    rl_sum sum = {0};
    for (int y = 0; y < ny; y++)
        rl_sum_add(&sum, row_sums[y]);
    return rl_sum_value(&sum) * cell_size * cell_size;
}

double rl_column_sum(rl_jobs *jobs, const rill_field *depth, const rill_field *remainder,
                     double cell_size, double *row_sums)
{
    summing at = {depth, remainder, row_sums};
    rl_jobs_run(jobs, depth->ny, sum_row, &at);
    return rl_row_sums_volume(row_sums, depth->ny, cell_size);
}
