// SPDX-License-Identifier: MIT
// validate_swe_channel.c - water that runs through a channel at the longest step that the solver
// chooses by itself (docs/validation.md): small disturbances must not grow, and what runs in must
// run out.
//
// Manning's law holds the slope of each channel in balance, so that its flow would be uniform. It
// begins with noise in its depths, which may only become less.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include "rill/support.h"

#include <math.h>
#include <stdlib.h>

#define NOISE 0.01 // of the depth

typedef struct channel {
    int nx, ny;
    double cell, depth, velocity, manning; // m, m, m/s, s/m^(1/3)
    uint64_t seed;
} channel;

// What one channel did.
typedef struct channel_result {
    double noise;   // speeds at the end off uniform flow, over those of waves as high as the noise
    double balance; // what ran out in the last half over what ran in, less 1
} channel_result;

static double slope_of(const channel *c)
{
    const double friction = c->manning * c->velocity;
    return friction * friction / pow(c->depth, 4.0 / 3.0);
}

static rill_status create_channel(const channel *c, rill_advection advection, rill_world **out)
{
    validation_grid bed = {0}, depth = {0}, u = {0}, v = {0};
    rill_status status = RILL_NO_MEMORY;
    if (validation_grid_create(c->nx, c->ny, &bed) &&
        validation_grid_create(c->nx, c->ny, &depth) && validation_grid_create(c->nx, c->ny, &u) &&
        validation_grid_create(c->nx, c->ny, &v)) {
        const double fall = slope_of(c) * c->cell;
        for (int k = 0; k < c->nx * c->ny; k++) {
            const double noise = 2.0 * (double)rill_random_unit(c->seed, 1, (uint64_t)k) - 1.0;
            bed.data[k] = (float)(fall * (c->nx - 1 - k % c->nx));
            depth.data[k] = (float)(c->depth * (1.0 + NOISE * noise));
            u.data[k] = (float)c->velocity;
        }
        rill_world_def def = validation_swe_def(c->nx, c->ny, c->cell, advection);
        def.bed = validation_grid_view(&bed);
        def.depth = validation_grid_view(&depth);
        def.velocity_x = validation_grid_view(&u);
        def.velocity_y = validation_grid_view(&v);
        def.swe.manning = (float)c->manning;
        def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
        def.border_level[RILL_SIDE_WEST] = (float)(c->depth * c->velocity);
        def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
        def.border_level[RILL_SIDE_EAST] = (float)c->depth;
        status = rill_world_create(&def, out);
    }
    free(bed.data);
    free(depth.data);
    free(u.data);
    free(v.data);
    return status;
}

// The largest difference of a velocity to that of the uniform flow, m/s.
static double largest_noise(rill_world *world, double uniform)
{
    const rill_columns c = rill_world_columns(world);
    double most = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            const double off = (double)c.velocity_x[at] - uniform;
            most = validation_larger(most, hypot(off, (double)c.velocity_y[at]));
        }
    return most;
}

// Takes frames of some twenty steps, so that the world chooses the steps.
static rill_status run_channel(const channel *c, double seconds, rill_advection advection,
                               channel_result *result, rill_world **out)
{
    const double celerity = sqrt(EXACT_GRAVITY * c->depth);
    const double frame = 20.0 * c->cell / (celerity + c->velocity);
    rill_status status = create_channel(c, advection, out);
    if (status == RILL_OK)
        status = validation_advance(*out, 0.5 * seconds, frame);
    if (status != RILL_OK)
        return status;
    const rill_ledger before = rill_world_ledger(*out);
    status = validation_advance(*out, 0.5 * seconds, frame);
    const rill_ledger after = rill_world_ledger(*out);
    result->noise = largest_noise(*out, c->velocity) / (NOISE * celerity);
    result->balance =
        fabs((after.drained - before.drained) / (after.sourced - before.sourced) - 1.0);
    return status;
}

// ---- A flume for an hour ---------------------------------------------------------------

// The shallow flume in which Lloyd and Stansby (1997) studied wakes: 9.75 m long, 54 mm of water.
// Its whole width for four minutes, and a strip of it for an hour.
#define FLUME_CELLS 488

static rill_status run_flume(const validation_case *self, int n, validation_result *out)
{
    const rill_advection *advection = self->setup;
    const channel flume = {.nx = FLUME_CELLS,
                           .ny = n,
                           .cell = 0.02,
                           .depth = 0.054,
                           .velocity = 0.115,
                           .manning = 0.01,
                           .seed = 1};
    channel_result result = {0};
    rill_world *world = NULL;
    const double seconds = n > 10 ? 240.0 : 3600.0;
    rill_status status = run_channel(&flume, seconds, *advection, &result, &world);
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){result.noise, 1.0};
        out->figures[1] = (validation_figure){result.balance, 0.01};
        status = validation_finish_figure(world, result.balance, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- A hundred channels ----------------------------------------------------------------

static double between(const channel *c, int what, double low, double high)
{
    return low * pow(high / low, (double)rill_random_unit(c->seed, 2, (uint64_t)what));
}

// Cells of a centimetre to ten metres, a tenth of a cell to twenty cells deep, from a crawl to four
// fifths of the speed of waves, from glass to stones.
static channel random_channel(int n)
{
    channel c = {.seed = (uint64_t)n + 1};
    c.nx = (int)between(&c, 0, 20.0, 60.0);
    c.ny = (int)between(&c, 1, 4.0, 16.0);
    c.cell = between(&c, 2, 0.01, 10.0);
    c.depth = c.cell * between(&c, 3, 0.1, 20.0);
    c.velocity = between(&c, 4, 0.05, 0.8) * sqrt(EXACT_GRAVITY * c.depth);
    // Manning's n goes with the sixth root of the roughness, a part of the depth here.
    c.manning = between(&c, 5, 0.01, 0.04) * pow(c.depth, 1.0 / 6.0);
    return c;
}

// Waves cross the channel a hundred times and more.
static double seconds_of(const channel *c)
{
    return 120.0 * c->nx * c->cell / sqrt(EXACT_GRAVITY * c->depth);
}

static rill_status run_family(const validation_case *self, int n, validation_result *out)
{
    const rill_advection *advection = self->setup;
    channel_result worst = {0};
    rill_world *world = NULL;
    rill_status status = RILL_OK;
    for (int k = 0; k < n && status == RILL_OK; k++) {
        const channel c = random_channel(k);
        channel_result result = {0};
        rill_world_destroy(&world);
        status = run_channel(&c, seconds_of(&c), *advection, &result, &world);
        worst.noise = validation_larger(worst.noise, result.noise);
        worst.balance = validation_larger(worst.balance, result.balance);
    }
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){worst.noise, 1.0};
        out->figures[1] = (validation_figure){worst.balance, 0.01};
        status = validation_finish_figure(world, worst.balance, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define FLUME_CASE(row, way)                                                                       \
    {                                                                                              \
        .solver = "swe", .title = "A current through a flume, " row,                               \
        .description = "Noise in a shallow current, at the longest step that the solver chooses. " \
                       "Exact: it does not grow, and what runs in runs out.",                      \
        .grid_name = "cells across",                                                               \
        .rows = {{"swe-channel-flume-" row "-noise", "noise at the end over that at the start"},   \
                 {"swe-channel-flume-" row "-balance",                                             \
                  "what runs out over what runs in, less 1"}},                                     \
        .row_count = 2, .grids = {8, 76}, .grid_count = 2, .setup = &(const rill_advection){way},  \
        .run = run_flume,                                                                          \
    }

#define FAMILY_CASE(row, way)                                                                      \
    {                                                                                              \
        .solver = "swe", .title = "A hundred channels, " row,                                      \
        .description =                                                                             \
            "Noise in channels of all sizes, depths and speeds, at the longest step "              \
            "that the solver chooses. Exact: it grows nowhere, and what runs in runs out.",        \
        .grid_name = "channels",                                                                   \
        .rows = {{"swe-channel-hundred-" row "-noise", "noise at the end over that at the start"}, \
                 {"swe-channel-hundred-" row "-balance",                                           \
                  "what runs out over what runs in, less 1"}},                                     \
        .row_count = 2, .grids = {100}, .grid_count = 1, .setup = &(const rill_advection){way},    \
        .run = run_family,                                                                         \
    }

static const validation_case cases[] = {
    FLUME_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
    FAMILY_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
    FAMILY_CASE("conservative", RILL_ADVECTION_CONSERVATIVE),
};

validation_topic validation_swe_channel_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
