// SPDX-License-Identifier: MIT
#include "solvers/shared/grid_solver.h"

#include "core/numbers.h"

#include <math.h>
#include <string.h>

// ---- Deposits --------------------------------------------------------------------------

// The bits of a float. Floats that are not negative are in the order of their bits, and the
// compiler makes vectors of comparisons of integers, but not of floats, which might be NaN.
static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool rl_run_some_negative(const float *values, int count)
{
    int32_t signs = 0;
    for (int i = 0; i < count; i++)
        signs |= bits_of(values[i]);
    return signs < 0;
}

float rl_run_largest(const float *depths, int count)
{
    int32_t largest = 0;
    for (int i = 0; i < count; i++) {
        const int32_t bits = bits_of(depths[i]);
        largest = bits > largest ? bits : largest;
    }
    return float_of(largest);
}

float rl_run_add(float *restrict depth, float *restrict remainder, const float *restrict amounts,
                 int count)
{
    int32_t deepest = 0;
    for (int i = 0; i < count; i++) {
        const float filled = rl_deposit_add(depth[i], &remainder[i], amounts[i]);
        depth[i] = filled;
        const int32_t bits = bits_of(filled);
        deepest = bits > deepest ? bits : deepest;
    }
    return float_of(deepest);
}

// Eight sums side by side, added up in a fixed order: one sum would wait for itself.
static double sum_of(const double part[8])
{
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

double rl_run_change(float *restrict depth, float *restrict remainder,
                     const float *restrict amounts, int count)
{
    double given[8] = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            given[k] += rl_deposit_change(&depth[i + k], &remainder[i + k], amounts[i + k]);
    for (; i < count; i++)
        given[0] += rl_deposit_change(&depth[i], &remainder[i], amounts[i]);
    return sum_of(given);
}

double rl_run_sum(const float *values, int count)
{
    double part[8] = {0};
    int i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; k++)
            part[k] += (double)values[i + k];
    for (; i < count; i++)
        part[0] += (double)values[i];
    return sum_of(part);
}

double rl_run_deposit(float *restrict depth, float *restrict remainder,
                      const float *restrict amounts, int count, float *deepest)
{
    RL_ASSERT(count >= 0);
    double given;
    float now;
    if (!rl_run_some_negative(amounts, count)) {
        given = rl_run_sum(amounts, count);
        now = rl_run_add(depth, remainder, amounts, count);
    } else {
        given = rl_run_change(depth, remainder, amounts, count);
        now = rl_run_largest(depth, count);
    }
    *deepest = now > *deepest ? now : *deepest;
    return given;
}

// ---- Sums ------------------------------------------------------------------------------

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

// ---- Checks ----------------------------------------------------------------------------

const char *rl_validate_row_of(const rl_validate_row *r)
{
    RL_ASSERT(r->first <= r->end);
    for (int i = r->first; i < r->end; i++) {
        const float depth = r->depth[i], remainder = r->remainder[i];
        if (!(depth >= 0.0f) || !isfinite(depth))
            return RL_INVALID("%s: the depth of cell (%d, %d) of layer %d is %g m", r->solver, i,
                              r->row, r->layer, (double)depth);
        if (depth > r->deepest)
            return RL_INVALID("%s: cell (%d, %d) of layer %d holds %g m, above the maximum %g m",
                              r->solver, i, r->row, r->layer, (double)depth, (double)r->deepest);
        if (!(fabsf(remainder) <= r->largest_remainder))
            return RL_INVALID("%s: the remainder of cell (%d, %d) of layer %d is %g m", r->solver,
                              i, r->row, r->layer, (double)remainder);
    }
    return NULL;
}

const char *rl_validate_values(const char *solver, const char *what, int y, const float *row,
                               int width, float most)
{
    for (int i = 0; i < width; i++)
        if (!(fabsf(row[i]) <= most))
            return RL_INVALID("%s: value %d of row %d of %s is %g, it must be within %g", solver, i,
                              y, what, (double)row[i], (double)most);
    return NULL;
}

const char *rl_validate_columns(const char *solver, int y, const rill_field *bed,
                                const rill_field *depth, const rill_field *remainder, float deepest,
                                double cell_size)
{
    const rl_validate_row row = {
        .solver = solver,
        .row = y,
        .end = bed->nx,
        .depth = rill_field_row(depth, y),
        .remainder = rill_field_row(remainder, y),
        .deepest = deepest,
        .largest_remainder = RL_VALIDATE_ROUNDINGS * (deepest + (float)cell_size),
    };
    const char *wrong = rl_validate_row_of(&row);
    return wrong != NULL
               ? wrong
               : rl_validate_values(solver, "bed", y, rill_field_row(bed, y), bed->nx, RL_FAR / 2);
}

const char *rl_validate_walls(const char *solver, const char *const names[2], const float *x,
                              const float *y, size_t pitch, int nx, int ny,
                              const bool open[RILL_SIDE_COUNT])
{
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        const bool column = rl_side_is_column((rill_side)side);
        const bool low = side == RILL_SIDE_WEST || side == RILL_SIDE_SOUTH;
        const ptrdiff_t along = column ? (ptrdiff_t)pitch : 1,
                        across = column ? 1 : (ptrdiff_t)pitch;
        const float *face = (column ? x : y) + across * (low ? -1 : (column ? nx : ny) - 1);
        for (int n = 0; !open[side] && n < rl_side_length((rill_side)side, nx, ny); n++)
            if (face[along * n] != 0.0f)
                return RL_INVALID("%s: %g flows through closed face %d of side %d of %s", solver,
                                  (double)face[along * n], n, side, names[!column]);
    }
    return NULL;
}
