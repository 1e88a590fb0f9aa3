// SPDX-License-Identifier: MIT
// validate_beach.c - a solitary wave on a plane beach of 1:19.85, H / d = 0.019, which does not
// break (Synolakis 1987, docs/validation.md).
//
// The wave comes in at the eastern side as a discharge that follows a series: a wave that runs one
// way in shallow water carries each depth at its own speed,
//
//     u = 2 (sqrt(g (d + eta)) - sqrt(g d)),   V = 3 sqrt(g (d + eta)) - 2 sqrt(g d),
//
// so that what is to be at x at t = 0 passes the side, at X, at t = (x - X) / V. The side stands so
// far out that what the beach has sent back to it does not reach the beach again in time.
#include "validation/channel.h"
#include "validation/exact_beach.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COT      19.85
#define HEIGHT   0.019
#define LAND     4.0           // length of dry beach, in depths of the sea, which is a metre deep
#define SEA      (COT + 26.15) // from the shore to the side
#define LENGTH   (LAND + SEA)
#define START    (-52.0) // the side sees a ten thousandth of the wave
#define POINTS   120     // of an exact profile
#define FRAMES   600
#define MEASURED 18.0 // profiles are compared from the shore to here

static const double times[] = {25.0, 35.0, 45.0, 55.0, 65.0};

#define TIME_COUNT ((int)(sizeof times / sizeof times[0]))

typedef struct beach_run {
    rill_advection advection;
    int n;
    double cell_size, unit; // metres, seconds of sqrt(d / g)
    exact_beach *exact;
    exact_beach_point points[POINTS];
    validation_grid bed;
    rill_world *world;
    double runup; // highest level of the shore so far
} beach_run;

static double place(const beach_run *r, int i)
{
    return (i + 0.5) * r->cell_size - LAND;
}

// ---- The wave --------------------------------------------------------------------------

static rill_status send_wave(const beach_run *r)
{
    rill_border_frame *frames = calloc(FRAMES, sizeof *frames);
    if (frames == NULL)
        return RILL_NO_MEMORY;
    const double g = EXACT_GRAVITY, first = SEA + 1.1 * START, last = SEA + 90.0;
    for (int n = 0; n < FRAMES; n++) {
        const double x = first + (last - first) * n / (FRAMES - 1);
        const double depth = 1.0 + exact_beach_wave(r->exact, x);
        frames[n].time = (x - SEA) / (3.0 * sqrt(g * depth) - 2.0 * sqrt(g)) - START * r->unit;
        frames[n].value = depth * 2.0 * (sqrt(g * depth) - sqrt(g));
    }
    // Frames begin at the start of the world.
    int skipped = 0;
    while (frames[skipped].time < 0.0)
        skipped++;
    const rill_status status =
        rill_world_set_border_series(r->world, RILL_SIDE_EAST, frames + skipped, FRAMES - skipped);
    free(frames);
    return status;
}

static rill_status create(beach_run *r)
{
    r->exact = exact_beach_create(COT, HEIGHT);
    if (r->exact == NULL || !validation_grid_create(r->n, CHANNEL_ROWS, &r->bed))
        return RILL_NO_MEMORY;
    for (int j = 0; j < CHANNEL_ROWS; j++)
        for (int i = 0; i < r->n; i++)
            r->bed.data[(size_t)j * (size_t)r->n + (size_t)i] =
                (float)-fmin(place(r, i) / COT, 1.0);
    rill_world_def def = validation_swe_def(r->n, CHANNEL_ROWS, r->cell_size, r->advection);
    def.bed = validation_grid_view(&r->bed);
    def.level = 0.0f;
    def.use_level = 1;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_INFLOW;
    const rill_status status = rill_world_create(&def, &r->world);
    return status == RILL_OK ? send_wave(r) : status;
}

// ---- Measuring -------------------------------------------------------------------------

// Level of the outermost water that is deeper than a ten thousandth of the sea.
static double shore_level(const beach_run *r)
{
    const rill_field_view depth = rill_world_depth(r->world);
    for (int i = 0; i < r->n; i++)
        if (depth.data[depth.pitch + (size_t)i] > 1e-4f)
            return (double)r->bed.data[i] + (double)depth.data[depth.pitch + (size_t)i];
    return NAN;
}

static rill_status advance_to(beach_run *r, double t)
{
    rill_status status = RILL_OK;
    const double now = rill_world_time(r->world) / r->unit + START;
    const int steps = (int)ceil((t - now) / 0.25);
    for (int n = 0; n < steps && status == RILL_OK; n++) {
        status = rill_world_step(r->world, (t - now) / steps * r->unit);
        r->runup = validation_larger(shore_level(r), r->runup);
    }
    return status;
}

// Adds the difference to the profile of now to `norms`; returns its root mean square over the
// largest exact level.
static double compare(beach_run *r, validation_norms *norms)
{
    const rill_field_view depth = rill_world_depth(r->world);
    double sum = 0.0, largest = 0.0;
    int count = 0;
    for (int i = 0; i < r->n && place(r, i) < MEASURED; i++) {
        const double bed = (double)r->bed.data[i];
        const double d = (double)depth.data[depth.pitch + (size_t)i];
        const double exact = exact_beach_level(r->points, POINTS, place(r, i));
        // Where the exact beach is dry, water counts with its depth, and dry land not at all.
        if (isnan(exact) && d < 1e-3)
            continue;
        const double difference = isnan(exact) ? d : bed + d - exact;
        validation_norms_add(norms, difference);
        sum += difference * difference;
        largest = fmax(largest, fabs(isnan(exact) ? 0.0 : exact));
        count++;
    }
    return sqrt(sum / count) / largest;
}

// All times in one line and one set of points, with a gap between them.
static rill_status prepare_plot(const beach_run *r, validation_plot *plot)
{
    const int n = (int)(r->n * (LAND + MEASURED) / LENGTH);
    char label[32];
    snprintf(label, sizeof label, "%d cells", r->n);
    validation_curve *ground = validation_add_curve(plot, VALIDATION_GROUND, "beach", n);
    validation_curve *line =
        validation_add_curve(plot, VALIDATION_EXACT, "exact", TIME_COUNT * (POINTS + 1));
    validation_curve *points =
        validation_add_curve(plot, VALIDATION_COMPUTED, label, TIME_COUNT * (n + 1));
    if (ground == NULL || line == NULL || points == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "distance from the shore / d, at t = 25 to 65 sqrt(d/g)";
    plot->y_name = "level / d";
    for (int i = 0; i < n; i++) {
        ground->x[i] = place(r, i);
        // The picture is of the waves: the ground is left out far below them.
        ground->y[i] = fmax((double)r->bed.data[i], -0.05);
    }
    return RILL_OK;
}

static void draw(const beach_run *r, int k, validation_plot *plot)
{
    const int n = plot->curves[0].count;
    double *x = plot->curves[1].x + k * (POINTS + 1), *y = plot->curves[1].y + k * (POINTS + 1);
    for (int p = 0; p < POINTS; p++) {
        x[p] = r->points[p].x;
        y[p] = r->points[p].x < MEASURED ? r->points[p].level : NAN;
    }
    x[POINTS] = x[POINTS - 1];
    y[POINTS] = NAN;
    x = plot->curves[2].x + k * (n + 1);
    y = plot->curves[2].y + k * (n + 1);
    const rill_field_view depth = rill_world_depth(r->world);
    for (int i = 0; i < n; i++) {
        const double d = (double)depth.data[depth.pitch + (size_t)i];
        x[i] = place(r, i);
        y[i] = d > 1e-3 ? (double)r->bed.data[i] + d : NAN;
    }
    x[n] = x[n - 1];
    y[n] = NAN;
}

// ---- A run -----------------------------------------------------------------------------

static rill_status watch(beach_run *r, int finest, validation_result *out)
{
    validation_norms norms = {0};
    double worst = 0.0;
    rill_status status = prepare_plot(r, &out->plot);
    for (int k = 0; k < TIME_COUNT; k++) {
        if (status == RILL_OK)
            status = advance_to(r, times[k]);
        if (status != RILL_OK)
            return status;
        if (!exact_beach_profile(r->exact, times[k], 4.0, r->points, POINTS))
            return RILL_BAD_DEF;
        worst = validation_larger(compare(r, &norms), worst);
        draw(r, k, &out->plot);
    }
    validation_finish(out, &norms, exact_beach_runup(r->exact), r->world);
    // Five percent are what is asked of codes that warn of tsunamis (Synolakis et al., NOAA
    // Technical Memorandum OAR PMEL-135, 2007).
    // The shore ends as a fan does, with a depth that falls with the square of the distance, so
    // that its place is a matter of half an order.
    const double tip = 0.05 * sqrt((double)finest / r->n);
    const double integral = exact_beach_runup(r->exact), law = exact_beach_runup_law(COT, HEIGHT);
    out->figures[0] = (validation_figure){worst, 0.05};
    out->figures[1] = (validation_figure){fabs(r->runup / integral - 1.0), tip};
    out->figures[2] = (validation_figure){fabs(r->runup / law - 1.0), tip};
    return RILL_OK;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    beach_run r = {.advection = *(const rill_advection *)self->setup,
                   .n = n,
                   .cell_size = LENGTH / n,
                   .unit = sqrt(1.0 / EXACT_GRAVITY)};
    rill_status status = create(&r);
    if (status == RILL_OK)
        status = watch(&r, self->grids[self->grid_count - 1], out);
    exact_beach_destroy(r.exact);
    free(r.bed.data);
    rill_world_destroy(&r.world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define BEACH_CASE(row, how, way)                                                              \
    {                                                                                          \
        .solver = "swe", .title = "A solitary wave on a beach, " how,                          \
        .description = "H / d = 0.019 on a slope of 1:19.85, from t = 25 to 65 sqrt(d / g). "  \
                       "Exact: Synolakis' solution of the nonlinear shallow water equations.", \
        .grid_name = "cells along 50 depths of the sea",                                       \
        .rows = {{row "-profiles", "worst profile, rms over its largest level"},               \
                 {row "-runup", "largest run-up, relative"},                                   \
                 {row "-law", "run-up against 2.831 sqrt(cot) (H/d)^1.25"}},                   \
        .row_count = 3, .grids = {1000, 2000, 4000}, .grid_count = 3,                          \
        .setup = &(const rill_advection){way}, .run = run,                                     \
    }

static const validation_case cases[] = {
    BEACH_CASE("swe-beach", "conservative advection", RILL_ADVECTION_CONSERVATIVE),
    BEACH_CASE("swe-beach-maccormack", "MacCormack advection", RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_beach_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
