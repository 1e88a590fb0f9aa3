// SPDX-License-Identifier: MIT
// validate_swe_falls.c - thin water that falls into deep water (docs/validation.md). Water that
// falls over a step into a pool cannot be faster than free fall, and the pool carries on what falls
// into it; streams of steep hills in large cells are such steps, one below the other.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include "rill/generate.h"
#include "rill/sources.h"

#include <math.h>
#include <stdlib.h>

// ---- A film over a step ----------------------------------------------------------------

#define STEP_DROP      6.2   // from the sill to the pool, metres
#define STEP_POOL      9.84  // metres
#define STEP_DISCHARGE 0.2   // m^2/s
#define STEP_CELLS     40    // half of them above
#define STEP_LEVEL     0.005 // how far the pool may be from its level, metres

typedef struct falling_film {
    float fastest;  // in the film, m/s
    double carried; // mean of h v in the first cell of the pool, m^2/s
    double off;     // how far the level of the pool was from what it should be at most, m
} falling_film;

// The pool is still, but for the cell that the film falls into: pressure must take up the film's
// momentum there, so that its level is lower by q u / (g d).
static double level_error(rill_columns c, int i)
{
    const int sill = STEP_CELLS / 2 - 1;
    const double momentum = STEP_DISCHARGE * STEP_DISCHARGE / (double)c.depth[sill];
    const double lower = i == sill + 1 ? momentum / (EXACT_GRAVITY * STEP_POOL) : 0.0;
    return fabs((double)c.depth[i] - (STEP_POOL - lower));
}

static void measure_film(rill_world *world, falling_film *film, int looks)
{
    const rill_columns c = rill_world_columns(world);
    const int first = STEP_CELLS / 2;
    for (int i = 0; i < first; i++)
        if (c.depth[i] > c.wet_depth)
            film->fastest = fmaxf(film->fastest, fabsf(c.velocity_x[i]));
    film->carried += (double)c.depth[first] * (double)c.velocity_x[first] / looks;
    for (int i = first; i < STEP_CELLS; i++)
        film->off = validation_larger(film->off, level_error(c, i));
}

// `n` is the size of a cell in metres.
static rill_status run_film(const validation_case *self, int n, validation_result *out)
{
    const rill_advection *advection = self->setup;
    validation_grid bed;
    if (!validation_grid_create(STEP_CELLS, CHANNEL_ROWS, &bed))
        return RILL_NO_MEMORY;
    float depth[STEP_CELLS];
    for (int i = 0; i < STEP_CELLS; i++) {
        const bool above = i < STEP_CELLS / 2;
        depth[i] = above ? 0.0f : (float)STEP_POOL;
        for (int j = 0; j < CHANNEL_ROWS; j++)
            bed.data[j * STEP_CELLS + i] = above ? (float)(STEP_POOL + STEP_DROP) : 0.0f;
    }
    rill_world_def def = validation_swe_def(STEP_CELLS, CHANNEL_ROWS, n, *advection);
    def.bed = validation_grid_view(&bed);
    def.swe.manning = 0.04f;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
    def.border_level[RILL_SIDE_WEST] = (float)STEP_DISCHARGE;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_INCIDENT;
    def.border_level[RILL_SIDE_EAST] = (float)STEP_POOL;
    rill_world *world = NULL;
    rill_status status = validation_create_channel(&def, depth, NULL, &world);
    free(bed.data);
    const rill_border_frame away = {.value = STEP_POOL, .discharge = -STEP_DISCHARGE};
    if (status == RILL_OK)
        status = rill_world_set_border_series(world, RILL_SIDE_EAST, &away, 1);
    if (status == RILL_OK)
        status = validation_advance(world, 100.0 * n + 200.0, 1.0);
    falling_film film = {0};
    const int looks = 400;
    for (int k = 0; k < looks && status == RILL_OK; k++) {
        status = rill_world_step(world, 1.0);
        if (status == RILL_OK)
            measure_film(world, &film, looks);
    }
    if (status == RILL_OK) {
        const double fall = sqrt(2.0 * EXACT_GRAVITY * STEP_DROP);
        const double carried = fabs(film.carried / STEP_DISCHARGE - 1.0);
        out->figures[0] = (validation_figure){(double)film.fastest / fall, 1.1};
        out->figures[1] = (validation_figure){carried, 0.25};
        out->figures[2] = (validation_figure){film.off, STEP_LEVEL};
        status = validation_finish_figure(world, carried, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Rain on hills ---------------------------------------------------------------------

#define RAIN_SECONDS 1800.0
#define RAIN_RATE    2.8e-5 // m/s: 100 mm/h
#define RAIN_FILM    0.01   // thinner water has no Froude number that means anything, metres

static double largest_froude(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    double largest = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            const double depth = (double)c.depth[at];
            const double speed = hypot((double)c.velocity_x[at], (double)c.velocity_y[at]);
            if (depth > RAIN_FILM)
                largest = validation_larger(largest, speed / sqrt(EXACT_GRAVITY * depth));
        }
    return largest;
}

static rill_status create_hills(int n, rill_advection advection, rill_world **out)
{
    rill_valley_def valley = rill_default_valley_def();
    valley.nx = valley.ny = n;
    valley.cell_size = 30.0;
    rill_heightfield *ground = NULL;
    rill_status status = rill_heightfield_valley(&valley, &ground);
    if (status != RILL_OK)
        return status;
    rill_world_def def = validation_swe_def(n, n, valley.cell_size, advection);
    def.bed = rill_heightfield_view(ground);
    def.swe.manning = 0.04f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def.border[side] = RILL_BORDER_DRAIN;
    status = rill_world_create(&def, out);
    rill_heightfield_destroy(&ground);
    if (status == RILL_OK)
        status = rill_world_set_rain(*out, &(rill_rain_frame){.rate = RAIN_RATE}, 1);
    return status;
}

// Streams of hills are at most a few times faster than their waves (Manning's law on the steepest
// slopes); films that were taken for part of the pools below had Froude numbers of 78.
static rill_status run_hills(const validation_case *self, int n, validation_result *out)
{
    const rill_advection *advection = self->setup;
    rill_world *world = NULL;
    rill_status status = create_hills(n, *advection, &world);
    double largest = 0.0;
    for (double t = 0.0; t < RAIN_SECONDS && status == RILL_OK; t += 10.0) {
        status = rill_world_step(world, 10.0);
        if (status == RILL_OK)
            largest = validation_larger(largest, largest_froude(world));
    }
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){largest, 5.0};
        status = validation_finish_figure(world, largest, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define FILM_CASE(row, way)                                                                        \
    {                                                                                              \
        .solver = "swe", .title = "A film that falls into a pool, " row,                           \
        .description = "0.2 m2/s run over a step of 6.2 m into a pool. Water is no faster than "   \
                       "free fall, and the pool carries what falls into it.",                      \
        .grid_name = "metres a cell",                                                              \
        .rows = {{"swe-film-into-pool-" row "-speed", "speed of the film over that of free fall"}, \
                 {"swe-film-into-pool-" row "-carried", "h v in the first cell of the pool"},      \
                 {"swe-film-into-pool-" row "-level", "metres from the level of the pool"}},       \
        .row_count = 3, .grids = {1, 5, 30}, .grid_count = 3,                                      \
        .setup = &(const rill_advection){way}, .run = run_film,                                    \
    }

#define HILLS_CASE(row, way)                                                                       \
    {                                                                                              \
        .solver = "swe", .title = "Rain on hills, " row,                                           \
        .description = "Half an hour of heavy rain on a valley in cells of 30 m. Its streams are " \
                       "not much faster than their waves.",                                        \
        .grid_name = "cells", .rows = {{"swe-valley-froude-" row, "largest Froude number"}},       \
        .row_count = 1, .grids = {160}, .grid_count = 1, .setup = &(const rill_advection){way},    \
        .run = run_hills,                                                                          \
    }

static const validation_case cases[] = {
    FILM_CASE("conservative", RILL_ADVECTION_CONSERVATIVE),
    FILM_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
    HILLS_CASE("conservative", RILL_ADVECTION_CONSERVATIVE),
    HILLS_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_swe_fall_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
