// SPDX-License-Identifier: MIT
// measure.c - errors and orders of convergence.
#include "validation/measure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

bool validation_grid_create(int nx, int ny, validation_grid *out)
{
    *out = (validation_grid){.data = calloc((size_t)nx * (size_t)ny, sizeof(float)), nx, ny};
    return out->data != NULL;
}

rill_field_view validation_grid_view(const validation_grid *grid)
{
    return (rill_field_view){grid->data, grid->nx, grid->ny, (size_t)grid->nx};
}

void validation_grid_fill_columns(validation_grid *grid, double cell_size,
                                  double (*value)(const void *context, double x),
                                  const void *context)
{
    for (int i = 0; i < grid->nx; i++) {
        const float v = (float)value(context, (i + 0.5) * cell_size);
        for (int j = 0; j < grid->ny; j++)
            grid->data[(size_t)j * (size_t)grid->nx + (size_t)i] = v;
    }
}

rill_status validation_advance(rill_world *world, double seconds, double step)
{
    const int count = (int)ceil(seconds / step - 1e-9);
    rill_status status = RILL_OK;
    for (int n = 0; n < count && status == RILL_OK; n++)
        status = rill_world_step(world, seconds / count);
    return status;
}

double validation_float_spacing(double value)
{
    const float v = (float)fabs(value);
    return (double)(nextafterf(v, FLT_MAX) - v);
}

double validation_larger(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

// ---- Norms -----------------------------------------------------------------------------

void validation_norms_add(validation_norms *norms, double difference)
{
    const double size = fabs(difference);
    norms->sum += size;
    norms->largest = validation_larger(norms->largest, size);
    norms->count++;
}

void validation_finish(validation_result *out, const validation_norms *norms, double scale,
                       rill_world *world)
{
    out->error_l1 = norms->sum / norms->count / scale;
    out->error_linf = norms->largest / scale;
    out->mass_error = validation_larger(out->mass_error, rill_world_ledger(world).error);
}

// ---- Swings ----------------------------------------------------------------------------

static double frequency_by_crossings(const validation_swing *swing)
{
    double first = NAN, last = NAN;
    int count = 0;
    for (int n = 0; n + 1 < swing->count; n++) {
        const double a = swing->values[n], b = swing->values[n + 1];
        if (!((a > 0.0 && b <= 0.0) || (a < 0.0 && b >= 0.0)))
            continue;
        last = swing->dt * (n + a / (a - b));
        if (count++ == 0)
            first = last;
    }
    return count > 1 ? PI * (count - 1) / (last - first) : NAN;
}

validation_swing_fit validation_fit_swing(const validation_swing *swing, double frequency, int from,
                                          int to)
{
    double cc = 0.0, cs = 0.0, ss = 0.0, ac = 0.0, as = 0.0;
    for (int n = from; n < to; n++) {
        const double c = cos(frequency * swing->dt * n), s = sin(frequency * swing->dt * n);
        cc += c * c;
        cs += c * s;
        ss += s * s;
        ac += swing->values[n] * c;
        as += swing->values[n] * s;
    }
    const double p = ac * ss - as * cs, q = as * cc - ac * cs;
    return (validation_swing_fit){hypot(p, q) / (cc * ss - cs * cs), atan2(q, p)};
}

// Crossings give the frequency without ambiguity, but only to the interpolation.
double validation_swing_frequency(const validation_swing *swing)
{
    const double rough = frequency_by_crossings(swing);
    const int half = swing->count / 2;
    const double change = validation_fit_swing(swing, rough, half, 2 * half).phase -
                          validation_fit_swing(swing, rough, 0, half).phase;
    return rough - remainder(change, 2.0 * PI) / (swing->dt * half);
}

// ---- Curves ----------------------------------------------------------------------------

validation_curve *validation_add_curve(validation_plot *plot, validation_curve_kind kind,
                                       const char *label, int count)
{
    if (plot->count == VALIDATION_MAX_CURVES)
        return NULL;
    validation_curve *curve = &plot->curves[plot->count];
    *curve = (validation_curve){.kind = kind, .count = count};
    snprintf(curve->label, sizeof curve->label, "%s", label);
    // One block holds both.
    curve->x = calloc(2 * (size_t)count, sizeof(double));
    if (curve->x == NULL)
        return NULL;
    curve->y = curve->x + count;
    plot->count++;
    return curve;
}

void validation_free_plot(validation_plot *plot)
{
    for (int n = 0; n < plot->count; n++)
        free(plot->curves[n].x);
    *plot = (validation_plot){0};
}
