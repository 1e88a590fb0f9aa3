// SPDX-License-Identifier: MIT
// validate_swe_borders.c - waves and currents through borders of the kind "incident"
// (docs/validation.md): what is given comes in as it is, and what runs out leaves.
//
// A low pulse given at a side is a simple wave inside: it has the height that was given, comes back
// from the wall at the other end and must be gone after it has passed the side again. A uniform
// current down a slope (Manning's law holds the slope in balance) is level with its bed for ever.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>

// ---- A pulse that comes in and leaves --------------------------------------------------

#define PULSE_DEPTH  0.32
#define PULSE_HEIGHT 0.01
#define PULSE_LENGTH 1.0 // of a sech^2, metres
#define PULSE_GAUGE  2.0 // where its height is measured, metres
#define BASIN_METRES 8
#define PULSE_FRAME  0.01 // of the series, seconds

// When the crest comes in: ahead of it lies a part in a million of the height.
static double pulse_start(double celerity)
{
    return 8.0 * PULSE_LENGTH / celerity;
}

static rill_status give_pulse(rill_world *world, double celerity)
{
    const double start = pulse_start(celerity);
    const int count = (int)(2.0 * start / PULSE_FRAME);
    rill_border_frame *frames = calloc((size_t)count, sizeof *frames);
    if (frames == NULL)
        return RILL_NO_MEMORY;
    for (int n = 0; n < count; n++) {
        const double t = n * PULSE_FRAME, s = 1.0 / cosh((t - start) * celerity / PULSE_LENGTH);
        frames[n] = (rill_border_frame){
            .time = t, .value = PULSE_DEPTH, .wave = n + 1 < count ? PULSE_HEIGHT * s * s : 0.0};
    }
    const rill_status status = rill_world_set_border_series(world, RILL_SIDE_WEST, frames, count);
    free(frames);
    return status;
}

// The largest distance of the level from rest in cells [first, end).
static double largest_wave(rill_world *world, int first, int end)
{
    const rill_field_view depth = rill_world_depth(world);
    double largest = 0.0;
    for (int i = first; i < end; i++)
        largest = validation_larger(largest, fabs((double)depth.data[i] - PULSE_DEPTH));
    return largest;
}

// `n` is the number of cells of a metre.
static rill_status run_pulse(const validation_case *self, int n, validation_result *out)
{
    const rill_advection *advection = self->setup;
    const int cells = BASIN_METRES * n, gauge = (int)(PULSE_GAUGE * n);
    const double celerity = sqrt(EXACT_GRAVITY * PULSE_DEPTH);
    // Until the crest has been back at the side and what it left there has run half of the basin.
    const double seconds = pulse_start(celerity) + 2.5 * BASIN_METRES / celerity;
    float *depth = calloc((size_t)cells, sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    for (int i = 0; i < cells; i++)
        depth[i] = (float)PULSE_DEPTH;
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, 1.0 / n, *advection);
    def.border[RILL_SIDE_WEST] = RILL_BORDER_INCIDENT;
    def.border_level[RILL_SIDE_WEST] = (float)PULSE_DEPTH;
    rill_world *world = NULL;
    rill_status status = validation_create_channel(&def, depth, NULL, &world);
    free(depth);
    if (status == RILL_OK)
        status = give_pulse(world, celerity);
    // The crest passes the gauge before what the wall sends back is there.
    const double passed = pulse_start(celerity) + (PULSE_GAUGE + 2.0) / celerity;
    double crest = 0.0;
    for (double t = 0.0; t < seconds && status == RILL_OK; t += PULSE_FRAME) {
        status = rill_world_step(world, PULSE_FRAME);
        if (t < passed)
            crest = validation_larger(crest, largest_wave(world, gauge, gauge + 1));
    }
    if (status == RILL_OK) {
        const double error = fabs(crest / PULSE_HEIGHT - 1.0);
        out->figures[0] = (validation_figure){error, 0.02};
        out->figures[1] = (validation_figure){largest_wave(world, 0, cells) / PULSE_HEIGHT, 0.02};
        status = validation_finish_figure(world, error, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- A current down a slope ------------------------------------------------------------

typedef struct current {
    double depth, velocity, manning; // m, m/s, s/m^(1/3)
    rill_advection advection;
} current;

#define CURRENT_LENGTHS 100 // depths of water along the channel

static rill_status create_current(const current *c, int n, double slope, rill_world **out)
{
    const int cells = CURRENT_LENGTHS * n;
    const double cell = c->depth / n;
    validation_grid bed, depth;
    if (!validation_grid_create(cells, CHANNEL_ROWS, &bed))
        return RILL_NO_MEMORY;
    if (!validation_grid_create(cells, CHANNEL_ROWS, &depth)) {
        free(bed.data);
        return RILL_NO_MEMORY;
    }
    for (int k = 0; k < cells * CHANNEL_ROWS; k++) {
        bed.data[k] = (float)(slope * cell * (cells - 1 - k % cells));
        depth.data[k] = (float)c->depth;
    }
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, cell, c->advection);
    def.bed = validation_grid_view(&bed);
    def.depth = validation_grid_view(&depth);
    def.swe.manning = (float)c->manning;
    def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_EAST] = RILL_BORDER_INCIDENT;
    def.border_level[RILL_SIDE_WEST] = bed.data[0] + (float)c->depth;
    def.border_level[RILL_SIDE_EAST] = (float)c->depth;
    rill_status status = rill_world_create(&def, out);
    free(bed.data);
    free(depth.data);
    const rill_border_frame in = {.value = (double)def.border_level[RILL_SIDE_WEST],
                                  .discharge = c->depth * c->velocity};
    const rill_border_frame away = {.value = c->depth, .velocity = -c->velocity};
    if (status == RILL_OK)
        status = rill_world_set_border_series(*out, RILL_SIDE_WEST, &in, 1);
    if (status == RILL_OK)
        status = rill_world_set_border_series(*out, RILL_SIDE_EAST, &away, 1);
    return status;
}

// The water starts still, so it must also come into motion; `n` is the number of cells of a depth.
static rill_status run_current(const validation_case *self, int n, validation_result *out)
{
    const current *c = self->setup;
    const double slope =
        c->manning * c->manning * c->velocity * c->velocity / pow(c->depth, 4.0 / 3.0);
    const double friction = c->velocity / (EXACT_GRAVITY * slope); // seconds to come into motion
    const double crossing = CURRENT_LENGTHS * c->depth / sqrt(EXACT_GRAVITY * c->depth);
    const double seconds = 10.0 * (friction + crossing);
    rill_world *world = NULL;
    rill_status status = create_current(c, n, slope, &world);
    if (status == RILL_OK)
        status = validation_advance(world, seconds, 0.01 * crossing);
    if (status == RILL_OK) {
        const rill_columns columns = rill_world_columns(world);
        double level = 0.0, speed = 0.0;
        for (int i = 0; i < columns.nx; i++) {
            level = validation_larger(level, fabs((double)columns.depth[i] / c->depth - 1.0));
            speed =
                validation_larger(speed, fabs((double)columns.velocity_x[i] / c->velocity - 1.0));
        }
        out->figures[0] = (validation_figure){level, 0.01};
        out->figures[1] = (validation_figure){speed, 0.01};
        status = validation_finish_figure(world, level, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define PULSE_CASE(row, way)                                                                       \
    {                                                                                              \
        .solver = "swe", .title = "A pulse through a border, " row,                                \
        .description = "A pulse of 10 mm in 0.32 m of water comes in by a side, turns at a "       \
                       "wall and leaves by the same side. Exact: it has its height, and "          \
                       "nothing is left.",                                                         \
        .grid_name = "cells a metre",                                                              \
        .rows = {{"swe-incident-" row, "error of the height inside"},                              \
                 {"swe-incident-left-" row, "what is left over the height"}},                      \
        .row_count = 2, .grids = {20, 40}, .grid_count = 2, .setup = &(const rill_advection){way}, \
        .run = run_pulse,                                                                          \
    }

#define CURRENT_CASE(row, deep, fast, rough, way)                                               \
    {                                                                                           \
        .solver = "swe", .title = "A current through borders, " row,                            \
        .description = "Still water on a slope comes into uniform motion between two sides by " \
                       "which its current comes in and leaves. Exact: Manning's law.",          \
        .grid_name = "cells a depth",                                                           \
        .rows = {{"swe-current-" row, "largest error of the depth"},                            \
                 {"swe-current-speed-" row, "largest error of the speed"}},                     \
        .row_count = 2, .grids = {1, 2}, .grid_count = 2,                                       \
        .setup = &(const current){deep, fast, rough, way}, .run = run_current,                  \
    }

static const validation_case cases[] = {
    PULSE_CASE("10mm", RILL_ADVECTION_CONSERVATIVE),
    PULSE_CASE("10mm-maccormack", RILL_ADVECTION_MACCORMACK),
    CURRENT_CASE("flume", 0.054, 0.115, 0.01, RILL_ADVECTION_CONSERVATIVE),
    CURRENT_CASE("flume-maccormack", 0.054, 0.115, 0.01, RILL_ADVECTION_MACCORMACK),
    CURRENT_CASE("stream", 0.5, 1.2, 0.035, RILL_ADVECTION_CONSERVATIVE),
    CURRENT_CASE("stream-maccormack", 0.5, 1.2, 0.035, RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_swe_border_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
