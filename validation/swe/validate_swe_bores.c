// SPDX-License-Identifier: MIT
// validate_swe_bores.c - what a bore and a smooth wave should keep (docs/validation.md).
//
// A bore that has run for a while is level behind its front: nothing of the exact solution stands
// above the plateau. A wave that runs one way only (a simple wave) keeps its height until it
// breaks, and every depth of it runs at its own speed, 3 sqrt(g h) - 2 sqrt(g h0).
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// ---- Weak bores ------------------------------------------------------------------------

#define BORE_BEFORE 0.32 // depth ahead of the bore, metres
#define BORE_METRES 30   // of the channel,
#define BORE_DAM    12   // and where the dam stands in it

typedef struct bore {
    double rise; // of the water behind the bore, as a part of the depth before it
    rill_advection advection;
} bore;

// The depth behind a dam whose bore rises by that much.
static double dam_of_bore(double before, double rise)
{
    const double middle = before * (1.0 + rise);
    const double u =
        (middle - before) * sqrt(EXACT_GRAVITY * (middle + before) / (2.0 * middle * before));
    const double c = 0.5 * u + sqrt(EXACT_GRAVITY * middle);
    return c * c / EXACT_GRAVITY;
}

// The profile beside the exact one.
static rill_status compare_bore(const exact_dam *dam, int cells, double seconds, rill_world *world,
                                validation_result *out)
{
    double *exact = calloc((size_t)cells, sizeof *exact);
    if (exact == NULL)
        return RILL_NO_MEMORY;
    const validation_channel channel = {
        .n = cells,
        .cell_size = (double)BORE_METRES / cells,
        .origin = -BORE_DAM,
        .exact = exact,
        .scale = dam->middle - dam->before,
        .x_name = "distance from the dam, m",
    };
    for (int i = 0; i < cells; i++)
        exact[i] =
            exact_dam_cell(dam, validation_channel_x(&channel, i), channel.cell_size, seconds);
    const rill_status status = validation_compare_channel(&channel, world, out);
    free(exact);
    return status;
}

// `n` is the number of cells of a metre.
static rill_status run_bore(const validation_case *self, int n, validation_result *out)
{
    const bore *b = self->setup;
    const double cell = 1.0 / n, deep = dam_of_bore(BORE_BEFORE, b->rise);
    const exact_dam exact = exact_dam_solve(deep, BORE_BEFORE);
    const double seconds = 0.35 * BORE_METRES / exact.bore;
    const int cells = BORE_METRES * n;
    float *depth = calloc((size_t)cells, sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    for (int i = 0; i < cells; i++)
        depth[i] = (float)(i < BORE_DAM * n ? deep : BORE_BEFORE);
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, cell, b->advection);
    rill_world *world = NULL;
    rill_status status = validation_create_channel(&def, depth, NULL, &world);
    free(depth);
    if (status == RILL_OK)
        status = validation_advance(world, seconds, 0.01 * seconds);
    if (status == RILL_OK) {
        const rill_field_view now = rill_world_depth(world);
        double crest = 0.0;
        for (int i = BORE_DAM * n; i < cells; i++)
            crest = validation_larger(crest, (double)now.data[i]);
        const double over = (crest - exact.before) / (exact.middle - exact.before) - 1.0;
        out->figures[0] = (validation_figure){over, 0.03};
        status = compare_bore(&exact, cells, seconds, world, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Sines -----------------------------------------------------------------------------

#define SINE_PERIODS 20
#define SINE_HEIGHT  5e-4 // of a metre of water: steepening must not show

typedef struct sine {
    double keeps; // at least
    rill_advection advection;
} sine;

static double sine_height(rill_world *world, int cells)
{
    const rill_field_view depth = rill_world_depth(world);
    double sum = 0.0;
    for (int i = 0; i < depth.nx; i++)
        sum += ((double)depth.data[i] - 1.0) * cos(2.0 * EXACT_PI * (i + 0.5) / cells);
    return fabs(2.0 * sum / depth.nx);
}

// The largest height of a standing wave in one period.
static rill_status swing(rill_world *world, int cells, double period, double *height)
{
    rill_status status = RILL_OK;
    *height = 0.0;
    for (int n = 0; n < 100 && status == RILL_OK; n++) {
        status = rill_world_step(world, 0.01 * period);
        *height = validation_larger(*height, sine_height(world, cells));
    }
    return status;
}

// `n` is the number of cells of a wave.
static rill_status run_sine(const validation_case *self, int n, validation_result *out)
{
    const sine *s = self->setup;
    const double period = n / sqrt(EXACT_GRAVITY);
    const int cells = 2 * n;
    float *depth = calloc((size_t)cells, sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    for (int i = 0; i < cells; i++)
        depth[i] = (float)(1.0 + SINE_HEIGHT * cos(2.0 * EXACT_PI * (i + 0.5) / n));
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, 1.0, s->advection);
    rill_world *world = NULL;
    rill_status status = validation_create_channel(&def, depth, NULL, &world);
    free(depth);
    double first = 0.0, last = 0.0;
    for (int n_period = 0; n_period <= SINE_PERIODS && status == RILL_OK; n_period++)
        status = swing(world, n, period, n_period == 0 ? &first : &last);
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){1.0 - last / first, 1.0 - s->keeps};
        status = validation_finish_figure(world, fabs(1.0 - last / first), out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- A simple wave ---------------------------------------------------------------------

#define SIMPLE_DEPTH   0.32
#define SIMPLE_LENGTH  1.0 // of the hump, metres
#define SIMPLE_CREST   6.0 // where it starts, metres
#define CHANNEL_METRES 32.0

typedef struct simple {
    double height; // over the depth
    rill_advection advection;
} simple;

static double hump(double height, double x)
{
    const double s = 1.0 / cosh(x / SIMPLE_LENGTH);
    return height * SIMPLE_DEPTH * s * s;
}

// Speed of a place whose water stands so much above the rest.
static double characteristic(double eta)
{
    return 3.0 * sqrt(EXACT_GRAVITY * (SIMPLE_DEPTH + eta)) -
           2.0 * sqrt(EXACT_GRAVITY * SIMPLE_DEPTH);
}

// Until the first characteristics meet.
static double breaking_time(double height)
{
    double steepest = 0.0;
    const double d = 1e-4;
    for (double x = 0.0; x < 4.0; x += d)
        steepest = validation_larger(
            steepest, (characteristic(hump(height, x)) - characteristic(hump(height, x + d))) / d);
    return 1.0 / steepest;
}

// The height at x after t: that of the start whose characteristic is there.
static double exact_hump(double height, double x, double t)
{
    double low = x - characteristic(height * SIMPLE_DEPTH) * t - 1.0;
    double high = x - characteristic(0.0) * t + 1.0;
    for (int n = 0; n < 60; n++) {
        const double from = 0.5 * (low + high);
        if (from + characteristic(hump(height, from)) * t < x)
            low = from;
        else
            high = from;
    }
    return hump(height, 0.5 * (low + high));
}

static rill_status compare_simple(const simple *s, int n, double seconds, rill_world *world,
                                  validation_result *out)
{
    const int cells = (int)(CHANNEL_METRES * n);
    double *exact = calloc((size_t)cells, sizeof *exact);
    if (exact == NULL)
        return RILL_NO_MEMORY;
    const validation_channel channel = {
        .n = cells,
        .cell_size = 1.0 / n,
        .origin = -SIMPLE_CREST,
        .exact = exact,
        .scale = s->height * SIMPLE_DEPTH,
        .x_name = "distance from the crest at the start, m",
    };
    for (int i = 0; i < cells; i++)
        exact[i] = SIMPLE_DEPTH + exact_hump(s->height, validation_channel_x(&channel, i), seconds);
    const rill_status status = validation_compare_channel(&channel, world, out);
    free(exact);
    return status;
}

// A hump of the height of `s` with its velocities, at rest everywhere else; `n` cells a metre.
static rill_status create_hump(const simple *s, int n, rill_world **out)
{
    const int cells = (int)(CHANNEL_METRES * n);
    const double rest = sqrt(EXACT_GRAVITY * SIMPLE_DEPTH);
    float *depth = calloc(2 * (size_t)cells, sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    float *velocity = depth + cells;
    for (int i = 0; i < cells; i++) {
        const double eta = hump(s->height, (i + 0.5) / n - SIMPLE_CREST);
        depth[i] = (float)(SIMPLE_DEPTH + eta);
        velocity[i] = (float)(2.0 * (sqrt(EXACT_GRAVITY * (SIMPLE_DEPTH + eta)) - rest));
    }
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, 1.0 / n, s->advection);
    const rill_status status = validation_create_channel(&def, depth, velocity, out);
    free(depth);
    return status;
}

static double highest(rill_world *world)
{
    const rill_field_view depth = rill_world_depth(world);
    double most = 0.0;
    for (int i = 0; i < depth.nx; i++)
        most = validation_larger(most, (double)depth.data[i] - SIMPLE_DEPTH);
    return most;
}

// The hump over 18 m, past its breaking: it may lose height, and must never gain any. A hundredth
// is left to the half step between depths and velocities at the start.
static rill_status run_pulse(const validation_case *self, int n, validation_result *out)
{
    const simple *s = self->setup;
    rill_world *world = NULL;
    rill_status status = create_hump(s, n, &world);
    const double first = status == RILL_OK ? highest(world) : 1.0;
    const double frame = 18.0 / sqrt(EXACT_GRAVITY * SIMPLE_DEPTH) / 400.0;
    double most = 0.0;
    for (int k = 0; k < 400 && status == RILL_OK; k++) {
        status = rill_world_step(world, frame);
        if (status == RILL_OK)
            most = validation_larger(most, highest(world));
    }
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){most / first - 1.0, 0.01};
        status = validation_finish_figure(world, fabs(most / first - 1.0), out);
    }
    rill_world_destroy(&world);
    return status;
}

// `n` is the number of cells of a metre.
static rill_status run_simple(const validation_case *self, int n, validation_result *out)
{
    const simple *s = self->setup;
    const double seconds = 0.8 * breaking_time(s->height);
    rill_world *world = NULL;
    rill_status status = create_hump(s, n, &world);
    if (status == RILL_OK)
        status = validation_advance(world, seconds, 0.01 * seconds);
    if (status == RILL_OK) {
        status = compare_simple(s, n, seconds, world, out);
        out->figures[0] = (validation_figure){out->error_linf, self->grids[1] == n ? 0.01 : 0.04};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define BORE_CASE(row, part, way)                                                             \
    {                                                                                         \
        .solver = "swe", .title = "A weak bore, " row,                                        \
        .description = "A bore runs into 0.32 m of still water. Exact: nothing stands above " \
                       "the level behind it.",                                                \
        .grid_name = "cells a metre",                                                         \
        .rows = {{"swe-weak-bore-" row, "crest over plateau, less 1"}}, .row_count = 1,       \
        .grids = {20, 80}, .grid_count = 2,                                                   \
        .setup = &(const bore){.rise = part, .advection = way}, .run = run_bore,              \
    }
#define BORE(row, part) BORE_CASE(row, part, RILL_ADVECTION_CONSERVATIVE)

#define SINE_CASE(row, cells, least, way)                                                       \
    {                                                                                           \
        .solver = "swe", .title = "A standing sine, " row,                                      \
        .description = "A sine in a closed basin, twenty periods. Exact: it keeps its height.", \
        .grid_name = "cells a wave", .rows = {{"swe-sine-" row, "height that is lost"}},        \
        .row_count = 1, .grids = {cells}, .grid_count = 1,                                      \
        .setup = &(const sine){.keeps = least, .advection = way}, .run = run_sine,              \
    }

#define SIMPLE_CASE(row, part, way)                                                             \
    {                                                                                           \
        .solver = "swe", .title = "A simple wave, " row,                                        \
        .description = "A hump with the velocities that make all of it run one way, until 0.8 " \
                       "of its breaking time. Exact: by characteristics.",                      \
        .grid_name = "cells a metre",                                                           \
        .rows = {{"swe-simple-wave-" row, "largest error over the height"}}, .row_count = 1,    \
        .grids = {40, 160}, .grid_count = 2, .converges = true,                                 \
        .setup = &(const simple){.height = part, .advection = way}, .run = run_simple,          \
    }

#define PULSE_CASE(row, part, way)                                                          \
    {                                                                                       \
        .solver = "swe", .title = "A smooth pulse, " row,                                   \
        .description = "A hump that runs one way over 18 m. Exact: it never rises.",        \
        .grid_name = "cells a metre", .rows = {{"swe-pulse-" row, "rise above its start"}}, \
        .row_count = 1, .grids = {20, 80}, .grid_count = 2,                                 \
        .setup = &(const simple){.height = part, .advection = way}, .run = run_pulse,       \
    }

static const validation_case cases[] = {
    PULSE_CASE("10mm", 0.01 / SIMPLE_DEPTH, RILL_ADVECTION_CONSERVATIVE),
    PULSE_CASE("10mm-maccormack", 0.01 / SIMPLE_DEPTH, RILL_ADVECTION_MACCORMACK),
    BORE("2%", 0.02),
    BORE("5%", 0.05),
    BORE("10%", 0.1),
    BORE("20%", 0.2),
    BORE("50%", 0.5),
    BORE("100%", 1.0),
    BORE_CASE("20%-maccormack", 0.2, RILL_ADVECTION_MACCORMACK),
    SINE_CASE("20", 20, 0.9, RILL_ADVECTION_CONSERVATIVE),
    SINE_CASE("40", 40, 0.98, RILL_ADVECTION_CONSERVATIVE),
    SINE_CASE("20-maccormack", 20, 0.9, RILL_ADVECTION_MACCORMACK),
    SINE_CASE("40-maccormack", 40, 0.98, RILL_ADVECTION_MACCORMACK),
    SIMPLE_CASE("0.05", 0.05, RILL_ADVECTION_CONSERVATIVE),
    SIMPLE_CASE("0.2", 0.2, RILL_ADVECTION_CONSERVATIVE),
};

validation_topic validation_swe_bore_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
