// SPDX-License-Identifier: MIT
// validate_karman.c - vortices behind a pier (docs/validation.md).
//
// Behind a bluff body of diameter D in a stream U vortices part from its two sides in turn, with a
// frequency f for which the Strouhal number St = f D / U hardly depends on anything: from 0.18 to
// 0.22 for a free cylinder, up to about 0.3 where walls are near or the water is shallow. The
// velocity across the stream, a few diameters behind the pier of the scene `vortices`, says f. The
// stream U is what passes through the open part of the section beside the pier upstream of it.
#include "validation/measure.h"

#include "rill/scene.h"

#include <math.h>
#include <stdlib.h>

#define DIAMETER 3.0  // metres: of the pier in the scene
#define PROBE_X  28.0 // metres: where the velocity is read, on the pier's axis,
#define PROBE_Y  15.9
#define STREAM_X 10.0 // and where the stream is
#define SETTLE   60.0 // seconds until the street stands
#define RECORD   60.0
#define LOW      0.15
#define HIGH     0.35

static rill_status open_street(rill_world **world, double *frame)
{
    const char *const overrides[] = {"particles.max_particles=0", "emitter=[]"};
    rill_scene *scene = NULL;
    rill_status status = rill_scene_open("vortices", overrides, 2, NULL, &scene);
    if (status == RILL_OK)
        status = rill_scene_create_world(scene, 2, world);
    *frame = rill_scene_describe(scene).frame;
    rill_scene_destroy(&scene);
    return status;
}

// Records the velocity across the stream and, as a mean over the record, the stream.
static rill_status listen(rill_world *world, double frame, int count, double *across,
                          double *stream)
{
    rill_status status = validation_advance(world, SETTLE, frame);
    double sum = 0.0;
    for (int n = 0; n < count && status == RILL_OK; n++) {
        status = rill_world_step(world, frame);
        const rill_columns columns = rill_world_columns(world);
        across[n] = (double)rill_columns_probe(&columns, 0, PROBE_X, PROBE_Y).velocity_y;
        sum += (double)rill_columns_probe(&columns, 0, STREAM_X, PROBE_Y).velocity_x;
    }
    *stream = sum / count;
    return status;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    (void)self;
    (void)n;
    rill_world *world = NULL;
    double frame = 0.0, stream = 0.0, *across = NULL;
    rill_status status = open_street(&world, &frame);
    const int count = status == RILL_OK ? (int)(RECORD / frame) : 0;
    if (status == RILL_OK && (across = malloc((size_t)count * sizeof *across)) == NULL)
        status = RILL_NO_MEMORY;
    if (status == RILL_OK)
        status = listen(world, frame, count, across, &stream);
    if (status == RILL_OK) {
        double mean = 0.0;
        for (int k = 0; k < count; k++)
            mean += across[k] / count;
        validation_curve *curve =
            validation_add_curve(&out->plot, VALIDATION_COMPUTED, "behind the pier", count / 10);
        for (int k = 0; k < count; k++) {
            across[k] -= mean;
            if (curve != NULL && k % 10 == 0 && k / 10 < count / 10) {
                curve->x[k / 10] = SETTLE + k * frame;
                curve->y[k / 10] = across[k];
            }
        }
        const validation_swing swing = {across, count, frame};
        const double turns = validation_swing_frequency(&swing) / 6.283185307179586;
        const double strouhal = turns * DIAMETER / stream;
        out->plot.x_name = "time (s)";
        out->plot.y_name = "velocity across the stream (m/s)";
        out->mass_error = rill_world_ledger(world).error;
        out->error_l1 = out->error_linf = fabs(strouhal - 0.5 * (LOW + HIGH));
        out->figures[0] = (validation_figure){out->error_l1, 0.5 * (HIGH - LOW)};
    }
    free(across);
    rill_world_destroy(&world);
    return status;
}

static const validation_case cases[] = {
    {.solver = "swe",
     .title = "Karman street",
     .description = "The scene vortices. The Strouhal number of its street must lie between 0.15 "
                    "and 0.35; what is given is its distance from 0.25.",
     .grid_name = "cells along the stream",
     .rows = {{"swe-karman", "|St - 0.25|"}},
     .row_count = 1,
     .grids = {384},
     .grid_count = 1,
     .run = run},
};

validation_topic validation_karman_cases(void)
{
    return (validation_topic){cases, (int)(sizeof cases / sizeof cases[0])};
}
