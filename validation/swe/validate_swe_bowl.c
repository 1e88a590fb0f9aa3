// SPDX-License-Identifier: MIT
// validate_swe_bowl.c - water that swings in a paraboloid (Thacker 1981, docs/validation.md): the
// shore moves over most of the bowl, and the periods are known.
//
// In the planar solutions the velocity is the same everywhere, so that advection has nothing to do:
// they show what pressure and the wetting of cells do. In the radial one it has.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PERIODS 5
#define SAMPLES 40 // a period

typedef enum bowl_kind { PLANAR, PUSHED, RADIAL } bowl_kind;

typedef struct bowl {
    bowl_kind kind;
    rill_advection advection;
} bowl;

static const exact_bowl paraboloid = {.radius = 1.0, .middle = 0.1};

#define SHIFT 0.5              // of the planar water, metres
#define ANGLE (EXACT_PI / 6.0) // of its way to the x axis, so that it crosses cells askew
#define PUSH  (0.25 * 2.0 * EXACT_GRAVITY * 0.1) // m/s^2: the water swings from 0 to 0.5 m
#define SWELL (0.36 / 1.64) // A of the radial water: it starts 0.894 m wide, 0.8 with Thacker's r0

static exact_flow exact(bowl_kind kind, double x, double y, double t)
{
    switch (kind) {
    case PLANAR:
        return exact_bowl_planar(&paraboloid, SHIFT, ANGLE, x, y, t);
    case PUSHED:
        return exact_bowl_pushed(&paraboloid, PUSH, x, y, t);
    default:
        return exact_bowl_radial(&paraboloid, SWELL, x, y, t);
    }
}

// Of the world, metres: planar water reaches 1.5 m from the middle, the hump 1.12.
static double side(bowl_kind kind)
{
    return kind == RADIAL ? 2.4 : 3.2;
}

static double frequency(bowl_kind kind)
{
    return kind == RADIAL ? exact_bowl_radial_frequency(&paraboloid)
                          : exact_bowl_planar_frequency(&paraboloid);
}

// ---- A run -----------------------------------------------------------------------------

typedef struct swinging_bowl {
    const bowl *bowl;
    int n;
    double cell_size;
    validation_grid bed;
    rill_world *world;
    double moment[PERIODS * SAMPLES + 1]; // of the water, after each step of the world, over its
    double mean;                          // mean
} swinging_bowl;

static double place(const swinging_bowl *s, int i)
{
    return (i + 0.5) * s->cell_size - 0.5 * side(s->bowl->kind);
}

static rill_status create(swinging_bowl *s)
{
    validation_grid depth;
    if (!validation_grid_create(s->n, s->n, &s->bed))
        return RILL_NO_MEMORY;
    if (!validation_grid_create(s->n, s->n, &depth))
        return RILL_NO_MEMORY;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            const size_t c = (size_t)j * (size_t)s->n + (size_t)i;
            const double x = place(s, i), y = place(s, j);
            s->bed.data[c] = (float)exact_bowl_bed(&paraboloid, x, y);
            depth.data[c] = (float)exact(s->bowl->kind, x, y, 0.0).depth;
        }
    rill_world_def def = validation_swe_def(s->n, s->n, s->cell_size, s->bowl->advection);
    def.bed = validation_grid_view(&s->bed);
    def.depth = validation_grid_view(&depth);
    if (s->bowl->kind == PUSHED)
        def.swe.acceleration[0] = (float)PUSH;
    const rill_status status = rill_world_create(&def, &s->world);
    free(depth.data);
    return status;
}

// A mean over the water that swings as a pure cosine: its middle along the way, or r^2.
static double moment(const swinging_bowl *s)
{
    const rill_field_view depth = rill_world_depth(s->world);
    const double angle = s->bowl->kind == PLANAR ? ANGLE : 0.0;
    double sum = 0.0, volume = 0.0;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            const double x = place(s, i), y = place(s, j);
            const double d = (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
            volume += d;
            sum += d * (s->bowl->kind == RADIAL ? x * x + y * y : x * cos(angle) + y * sin(angle));
        }
    return sum / volume;
}

static rill_status swing(swinging_bowl *s)
{
    const double step = 2.0 * EXACT_PI / frequency(s->bowl->kind) / SAMPLES;
    const int count = PERIODS * SAMPLES;
    rill_status status = RILL_OK;
    s->moment[0] = moment(s);
    for (int n = 1; n <= count && status == RILL_OK; n++) {
        status = rill_world_step(s->world, step);
        s->moment[n] = moment(s);
        s->mean += s->moment[n] / count;
    }
    for (int n = 0; n <= count; n++)
        s->moment[n] -= s->mean;
    return status;
}

// The depth after whole periods is that of the start again. Cells that are dry in both do not
// count.
static double compare(const swinging_bowl *s, validation_result *out)
{
    const rill_field_view depth = rill_world_depth(s->world);
    validation_norms norms = {0};
    double displaced = 0.0;
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++) {
            const double x = place(s, i), y = place(s, j);
            const double e = exact(s->bowl->kind, x, y, 0.0).depth;
            const double d = (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
            displaced += fabs(exact(s->bowl->kind, x + s->cell_size, y, 0.0).depth - e);
            if (d > 0.0 || e > 0.0)
                validation_norms_add(&norms, d - e);
        }
    validation_finish(out, &norms, paraboloid.middle, s->world);
    return displaced / norms.count / paraboloid.middle;
}

// What the moment swings about, against the exact one.
static double middle_error(const swinging_bowl *s)
{
    const double w = frequency(s->bowl->kind);
    switch (s->bowl->kind) {
    case PLANAR:
        return fabs(s->mean) / SHIFT;
    case PUSHED:
        return fabs(s->mean / (PUSH / (w * w)) - 1.0);
    default:
        return fabs(s->mean * 3.0 * sqrt(1.0 - SWELL * SWELL) /
                        (paraboloid.radius * paraboloid.radius) -
                    1.0);
    }
}

// A cut along x through the middle.
static rill_status draw(const swinging_bowl *s, validation_plot *plot)
{
    char label[32];
    snprintf(label, sizeof label, "%d cells a side", s->n);
    validation_curve *ground = validation_add_curve(plot, VALIDATION_GROUND, "ground", s->n);
    validation_curve *line = validation_add_curve(plot, VALIDATION_EXACT, "exact", s->n);
    validation_curve *points = validation_add_curve(plot, VALIDATION_COMPUTED, label, s->n);
    if (ground == NULL || line == NULL || points == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "distance from the middle, m";
    plot->y_name = "elevation after five periods, m";
    const rill_field_view depth = rill_world_depth(s->world);
    const int j = s->n / 2;
    for (int i = 0; i < s->n; i++) {
        const double bed = (double)s->bed.data[(size_t)j * (size_t)s->n + (size_t)i];
        const double e = exact(s->bowl->kind, place(s, i), place(s, j), 0.0).depth;
        const double d = (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
        ground->x[i] = line->x[i] = points->x[i] = place(s, i);
        ground->y[i] = bed;
        line->y[i] = e > 0.0 ? bed + e : NAN;
        points->y[i] = d > 1e-3 * paraboloid.middle ? bed + d : NAN;
    }
    return RILL_OK;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    swinging_bowl s = {.bowl = self->setup, .n = n};
    s.cell_size = side(s.bowl->kind) / n;
    const double w = frequency(s.bowl->kind);
    rill_status status = create(&s);
    if (status == RILL_OK)
        status = swing(&s);
    if (status == RILL_OK) {
        const validation_swing record = {s.moment, PERIODS * SAMPLES + 1,
                                         2.0 * EXACT_PI / w / SAMPLES};
        const double displaced = compare(&s, out);
        // One percent is asked of the period on the finest grid, and first order; and of what the
        // water swings about. It goes two radii to and fro in a period, and what a method of first
        // order carries that far may come back displaced by as many cells.
        const double coarse = (double)self->grids[self->grid_count - 1] / n;
        out->figures[0] =
            (validation_figure){fabs(w / validation_swing_frequency(&record) - 1.0), 0.01 * coarse};
        out->figures[1] = (validation_figure){out->error_l1, 2.0 * PERIODS * displaced};
        out->figures[2] = (validation_figure){middle_error(&s), 0.01 * coarse};
        status = draw(&s, &out->plot);
    }
    free(s.bed.data);
    rill_world_destroy(&s.world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define BOWL_CASE(row, heading, text, ...)                                                   \
    {                                                                                        \
        .solver = "swe", .title = heading, .description = text, .grid_name = "cells a side", \
        .rows = {{row "-period", "period, relative"},                                        \
                 {row "-profile", "L1 after five periods"},                                  \
                 {row "-middle", "what it swings about, relative"}},                         \
        .row_count = 3, .grids = {48, 96, 192}, .grid_count = 3, .converges = true,          \
        .setup = &(const bowl){__VA_ARGS__}, .run = run,                                     \
    }

#define BOWL_CASES(row, heading, text, what)                                                      \
    BOWL_CASE("swe-thacker-" row, heading ", conservative advection", text, what,                 \
              RILL_ADVECTION_CONSERVATIVE),                                                       \
        BOWL_CASE("swe-thacker-" row "-maccormack", heading ", MacCormack advection", text, what, \
                  RILL_ADVECTION_MACCORMACK)

static const validation_case cases[] = {
    BOWL_CASES("planar", "Water with a plane surface in a bowl",
               "It swings to and fro at 30 degrees to the grid, half a radius either way, five "
               "times. Exact: Thacker's planar solution.",
               PLANAR),
    BOWL_CASES("pushed", "Water in a bowl that is pushed",
               "Level water in a bowl under a steady acceleration along x swings about the place "
               "where its surface stands across the push. Exact: Thacker's planar solution, "
               "displaced.",
               PUSHED),
    BOWL_CASES("radial", "A round hump in a bowl",
               "It falls and rises five times. Exact: Thacker's radial solution.", RADIAL),
};

validation_topic validation_swe_bowl_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
