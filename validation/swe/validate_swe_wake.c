// SPDX-License-Identifier: MIT
// validate_swe_wake.c - the wake of a cylinder on two grids (docs/validation.md).
//
// A cylinder of diameter D stands in a stream U between walls 8 D apart. With a constant eddy
// viscosity the Reynolds number U D / nu is 100 on every grid, and Smagorinsky's viscosity takes
// what the grid cannot hold. So the frequency f of the vortices, as a Strouhal number f D / U, must
// not depend on the grid: it is held against that on a grid twice as fine. Lengths are in
// diameters, times in D / U.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH      16
#define WIDTH       8
#define CYLINDER_X  4.0
#define PROBE_X     7.0 // where the velocity across the stream is read,
#define STREAM_X    1.0 // and where the stream is
#define FROUDE      0.3
#define REYNOLDS    100.0
#define SMAGORINSKY 0.15
#define SETTLE      80.0 // until the street stands
#define RECORD      40.0
#define FRAME       0.1
#define BOUND       0.05

// How far the cylinder stands beside the middle, so that the wake turns to one side first.
static double axis_of(const validation_case *self)
{
    const double *beside = self->setup;
    return 0.5 * WIDTH + *beside;
}

// `n` is the number of cells of a diameter.
static rill_status create(const validation_case *self, int n, rill_world **out)
{
    const int nx = LENGTH * n, ny = WIDTH * n;
    validation_grid bed = {0}, depth = {0}, velocity = {0};
    rill_status status = RILL_NO_MEMORY;
    if (validation_grid_create(nx, ny, &bed) && validation_grid_create(nx, ny, &depth) &&
        validation_grid_create(nx, ny, &velocity)) {
        for (int k = 0; k < nx * ny; k++) {
            const double x = (k % nx + 0.5) / n - CYLINDER_X;
            const double y = (k / nx + 0.5) / n - axis_of(self);
            const bool dry = hypot(x, y) < 0.5;
            bed.data[k] = dry ? 2.0f : 0.0f;
            depth.data[k] = velocity.data[k] = dry ? 0.0f : 1.0f;
        }
        rill_world_def def = validation_swe_def(nx, ny, 1.0 / n, RILL_ADVECTION_MACCORMACK);
        def.gravity = (float)(1.0 / (FROUDE * FROUDE));
        def.bed = validation_grid_view(&bed);
        def.depth = validation_grid_view(&depth);
        def.velocity_x = validation_grid_view(&velocity);
        def.swe.eddy_viscosity = (float)(1.0 / REYNOLDS);
        def.swe.smagorinsky = (float)SMAGORINSKY;
        def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_EAST] = RILL_BORDER_INCIDENT;
        def.border_level[RILL_SIDE_WEST] = def.border_level[RILL_SIDE_EAST] = 1.0f;
        status = rill_world_create(&def, out);
    }
    free(bed.data);
    free(depth.data);
    free(velocity.data);
    const rill_border_frame in = {.value = 1.0, .velocity = 1.0};
    const rill_border_frame away = {.value = 1.0, .velocity = -1.0};
    if (status == RILL_OK)
        status = rill_world_set_border_series(*out, RILL_SIDE_WEST, &in, 1);
    if (status == RILL_OK)
        status = rill_world_set_border_series(*out, RILL_SIDE_EAST, &away, 1);
    return status;
}

// Takes its mean off a record and draws it.
static rill_status draw(const char *label, double *across, int count, validation_plot *plot)
{
    double mean = 0.0;
    for (int k = 0; k < count; k++)
        mean += across[k] / count;
    validation_curve *curve = validation_add_curve(plot, VALIDATION_COMPUTED, label, count);
    if (curve == NULL)
        return RILL_NO_MEMORY;
    for (int k = 0; k < count; k++) {
        across[k] -= mean;
        curve->x[k] = SETTLE + k * FRAME;
        curve->y[k] = across[k];
    }
    return RILL_OK;
}

static rill_status find_strouhal(const validation_case *self, int n, const char *label,
                                 validation_result *out, double *strouhal)
{
    const int count = (int)(RECORD / FRAME);
    double stream = 0.0, *across = calloc((size_t)count, sizeof *across);
    rill_world *world = NULL;
    rill_status status = across == NULL ? RILL_NO_MEMORY : create(self, n, &world);
    if (status == RILL_OK)
        status = validation_advance(world, SETTLE, FRAME);
    for (int k = 0; k < count && status == RILL_OK; k++) {
        status = rill_world_step(world, FRAME);
        const rill_columns c = rill_world_columns(world);
        across[k] = (double)rill_columns_probe(&c, 0, PROBE_X, axis_of(self)).velocity_y;
        stream += (double)rill_columns_probe(&c, 0, STREAM_X, axis_of(self)).velocity_x / count;
    }
    if (status == RILL_OK)
        status = draw(label, across, count, &out->plot);
    if (status == RILL_OK) {
        const validation_swing swing = {across, count, FRAME};
        *strouhal = validation_swing_frequency(&swing) / 6.283185307179586 / stream;
        out->mass_error = validation_larger(out->mass_error, rill_world_ledger(world).error);
    }
    free(across);
    rill_world_destroy(&world);
    return status;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    double coarse = 0.0, fine = 0.0;
    rill_status status = find_strouhal(self, n, "coarse", out, &coarse);
    if (status == RILL_OK)
        status = find_strouhal(self, 2 * n, "fine", out, &fine);
    out->plot.x_name = "time, D / U";
    out->plot.y_name = "velocity across the stream, U";
    out->error_l1 = out->error_linf = fabs(coarse / fine - 1.0);
    out->figures[0] = (validation_figure){out->error_l1, BOUND};
    return status;
}

#define WAKE_CASE(row, beside)                                                           \
    {                                                                                    \
        .solver = "swe", .title = "The wake of a cylinder, " row,                        \
        .description =                                                                   \
            "A cylinder in a stream with eddy viscosity, a constant one for a Reynolds " \
            "number of 100 and Smagorinsky's. Its Strouhal number must be that of a "    \
            "grid twice as fine.",                                                       \
        .grid_name = "cells a diameter",                                                 \
        .rows = {{"swe-" row, "difference of the Strouhal numbers"}}, .row_count = 1,    \
        .grids = {10}, .grid_count = 1, .setup = &(const double){beside}, .run = run,    \
    }

static const validation_case cases[] = {
    WAKE_CASE("wake", 0.1),          // a cell
    WAKE_CASE("wake-between", 0.05), // half a cell
};

validation_topic validation_swe_wake_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
