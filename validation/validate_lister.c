// SPDX-License-Identifier: MIT
// validate_lister.c - a viscous current from a point source on a slope, held against a laboratory:
// silicone oil on a plane of 2.5 degrees, J. R. Lister, "Viscous flows down an inclined plane from
// point and line sources", J. Fluid Mech. 242 (1992), outlines of the current read off its figure.
// The oil's surface tension and the reading are in the figures too; that is why they are held to
// eight percent and not to a rounding.
#include "validation/measure.h"

#include "rill/sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY   9.81
#define PI        3.14159265358979323846
#define VISCOSITY 1.130e-3 // m^2/s
#define RATE      1.48e-6  // m^3/s
#define SLOPE     2.5      // degrees
#define ABOVE     0.12     // ground above the source, metres
#define LENGTH    1.22     // of the world, metres
#define WIDTH     0.6
#define EDGE      2e-4 // depth at which the current ends, metres: its edge is steep

#define MOMENTS 6

// Time in seconds; furthest point below the source and largest half width, metres.
static const struct {
    double time, head, half_width;
} laboratory[MOMENTS] = {
    {32, 0.0967, 0.0699},  {59, 0.1455, 0.0922},  {122, 0.2446, 0.1276},
    {271, 0.4442, 0.1798}, {486, 0.6920, 0.2261}, {727, 0.9431, 0.2634},
};

static rill_status create(int n, rill_world **world)
{
    const double dx = LENGTH / n, slope = tan(SLOPE * PI / 180.0);
    const int rows = (int)(WIDTH / dx + 0.5);
    validation_grid bed;
    if (!validation_grid_create(n, rows, &bed))
        return RILL_NO_MEMORY;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++)
            bed.data[(size_t)j * (size_t)n + (size_t)i] =
                (float)(slope * (LENGTH - (i + 0.5) * dx));
    rill_world_def def = rill_default_world_def();
    def.nx = n;
    def.ny = rows;
    def.cell_size = (float)dx;
    def.gravity = (float)GRAVITY;
    def.bed = validation_grid_view(&bed);
    def.solver = RILL_SOLVER_LAYERS;
    def.pipes.viscosity = (float)VISCOSITY;
    rill_status status = rill_world_create(&def, world);
    free(bed.data);
    rill_source_def source = rill_default_source_def();
    source.x = ABOVE;
    source.y = 0.5 * rows * dx;
    // The place lies between four cells, which share it.
    source.radius = fmax(0.006, 0.75 * dx);
    source.rate = RATE;
    if (status == RILL_OK)
        status = rill_world_add_source(*world, &source, NULL);
    return status;
}

// Distance along a line of cells at which the depth falls below EDGE for good, in cells from the
// first one.
static double edge_along(const float *depth, size_t stride, int count)
{
    for (int i = count - 2; i >= 0; i--) {
        const double here = (double)depth[(size_t)i * stride];
        const double next = (double)depth[(size_t)(i + 1) * stride];
        if (here >= EDGE)
            return i + (here - EDGE) / (here - next);
    }
    return 0.0;
}

static void outline(int n, rill_world *world, double *head, double *half_width)
{
    const double dx = LENGTH / n;
    const rill_field_view depth = rill_world_depth(world);
    *head = *half_width = 0.0;
    for (int j = 0; j < depth.ny; j++) {
        const float *row = depth.data + (size_t)j * depth.pitch;
        *head = fmax(*head, (edge_along(row, 1, n) + 0.5) * dx - ABOVE);
    }
    const int middle = depth.ny / 2;
    for (int i = 0; i < n; i++) {
        const float *column = depth.data + (size_t)middle * depth.pitch + (size_t)i;
        if ((double)column[0] > EDGE)
            *half_width =
                fmax(*half_width, (edge_along(column, depth.pitch, depth.ny - middle) + 0.5) * dx);
    }
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    (void)self;
    char label[32];
    snprintf(label, sizeof label, "dx = %g mm", 1e3 * LENGTH / n);
    validation_curve *exact =
        validation_add_curve(&out->plot, VALIDATION_EXACT, "laboratory", MOMENTS);
    validation_curve *computed =
        validation_add_curve(&out->plot, VALIDATION_COMPUTED, label, MOMENTS);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    out->plot.x_name = "time, s";
    out->plot.y_name = "head of the current, m";
    rill_world *world = NULL;
    rill_status status = create(n, &world);
    validation_norms norms = {0};
    double head_error = 0.0, width_error = 0.0;
    for (int m = 0; m < MOMENTS && status == RILL_OK; m++) {
        double head, half_width;
        status = validation_advance(world, laboratory[m].time - rill_world_time(world), 0.25);
        outline(n, world, &head, &half_width);
        head_error = validation_larger(head_error, fabs(head / laboratory[m].head - 1.0));
        width_error =
            validation_larger(width_error, fabs(half_width / laboratory[m].half_width - 1.0));
        validation_norms_add(&norms, head - laboratory[m].head);
        exact->x[m] = computed->x[m] = laboratory[m].time;
        exact->y[m] = laboratory[m].head;
        computed->y[m] = head;
    }
    if (status == RILL_OK) {
        validation_finish(out, &norms, laboratory[MOMENTS - 1].head, world);
        out->figures[0] = (validation_figure){head_error, 0.08};
        out->figures[1] = (validation_figure){width_error, 0.08};
    }
    rill_world_destroy(&world);
    return status;
}

static const validation_case cases[] = {
    {
        .solver = "layers",
        .title = "Silicone oil from a point on a slope, in the laboratory",
        .description = "Viscosity 1.13e-3 m2/s, 1.48 ml/s, 2.5 degrees, seen at 32 to 727 s "
                       "(Lister 1992). The largest of six errors counts.",
        .grid_name = "cells along 1.22 m",
        .rows = {{"layers-lister-head", "head, relative"},
                 {"layers-lister-width", "half width, relative"}},
        .row_count = 2,
        .grids = {122, 244},
        .grid_count = 2,
        .run = run,
    },
};

validation_topic validation_lister_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
