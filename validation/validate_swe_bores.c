// SPDX-License-Identifier: MIT
// validate_swe_bores.c - what a bore, a smooth wave and a film over a step should keep
// (docs/validation.md).
//
// A bore that has run for a while is level behind its front: nothing of the exact solution stands
// above the plateau. A wave that runs one way only (a simple wave) keeps its height until it
// breaks, and every depth of it runs at its own speed, 3 sqrt(g h) - 2 sqrt(g h0). Water that
// falls over a step into a pool cannot be faster than free fall, and the pool stays as it is.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include "rill/generate.h"
#include "rill/sources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float *row_of(validation_grid *grid, int j)
{
    return grid->data + (size_t)j * (size_t)grid->nx;
}

// A channel whose depths, and whose velocities if there are any, are the same in all rows.
static rill_status create_channel(rill_world_def *def, const float *depth, const float *velocity,
                                  rill_world **out)
{
    validation_grid grids[2] = {0};
    const float *const rows[] = {depth, velocity};
    rill_status status = RILL_OK;
    for (int g = 0; g < 2 && status == RILL_OK; g++) {
        if (rows[g] == NULL)
            continue;
        if (!validation_grid_create(def->nx, def->ny, &grids[g]))
            status = RILL_NO_MEMORY;
        for (int j = 0; j < def->ny && status == RILL_OK; j++)
            for (int i = 0; i < def->nx; i++)
                row_of(&grids[g], j)[i] = rows[g][i];
    }
    if (status == RILL_OK) {
        def->depth = validation_grid_view(&grids[0]);
        if (velocity != NULL)
            def->velocity_x = validation_grid_view(&grids[1]);
        status = rill_world_create(def, out);
    }
    free(grids[0].data);
    free(grids[1].data);
    return status;
}

static rill_status finish(rill_world *world, double error, validation_result *out)
{
    out->error_l1 = out->error_linf = error;
    out->mass_error = rill_world_ledger(world).error;
    return RILL_OK;
}

// ---- Weak bores ------------------------------------------------------------------------

#define BORE_BEFORE 0.32 // depth ahead of the bore, metres
#define BORE_METRES 15   // of the channel; the dam stands at a third of it

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

// `n` is the number of cells of a metre.
static rill_status run_bore(const validation_case *self, int n, validation_result *out)
{
    const bore *b = self->setup;
    const double cell = 1.0 / n, deep = dam_of_bore(BORE_BEFORE, b->rise);
    const exact_dam exact = exact_dam_solve(deep, BORE_BEFORE);
    const double seconds = 0.55 * BORE_METRES / exact.bore;
    const int cells = BORE_METRES * n;
    float *depth = calloc((size_t)cells, sizeof *depth);
    if (depth == NULL)
        return RILL_NO_MEMORY;
    for (int i = 0; i < cells; i++)
        depth[i] = (float)(i < cells / 3 ? deep : BORE_BEFORE);
    rill_world_def def = validation_swe_def(cells, CHANNEL_ROWS, cell, b->advection);
    rill_world *world = NULL;
    rill_status status = create_channel(&def, depth, NULL, &world);
    free(depth);
    if (status == RILL_OK)
        status = validation_advance(world, seconds, 0.01 * seconds);
    if (status == RILL_OK) {
        const rill_field_view now = rill_world_depth(world);
        double crest = 0.0;
        for (int i = cells / 3; i < cells; i++)
            crest = validation_larger(crest, (double)now.data[i]);
        const double over = (crest - exact.before) / (exact.middle - exact.before) - 1.0;
        out->figures[0] = (validation_figure){over, 0.03};
        status = finish(world, fabs(over), out);
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
    rill_status status = create_channel(&def, depth, NULL, &world);
    free(depth);
    double first = 0.0, last = 0.0;
    for (int n_period = 0; n_period <= SINE_PERIODS && status == RILL_OK; n_period++)
        status = swing(world, n, period, n_period == 0 ? &first : &last);
    if (status == RILL_OK) {
        out->figures[0] = (validation_figure){1.0 - last / first, 1.0 - s->keeps};
        status = finish(world, fabs(1.0 - last / first), out);
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

// `n` is the number of cells of a metre.
static rill_status run_simple(const validation_case *self, int n, validation_result *out)
{
    const simple *s = self->setup;
    const int cells = (int)(CHANNEL_METRES * n);
    const double seconds = 0.8 * breaking_time(s->height),
                 rest = sqrt(EXACT_GRAVITY * SIMPLE_DEPTH);
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
    rill_world *world = NULL;
    rill_status status = create_channel(&def, depth, velocity, &world);
    free(depth);
    if (status == RILL_OK)
        status = validation_advance(world, seconds, 0.01 * seconds);
    if (status == RILL_OK) {
        const rill_field_view now = rill_world_depth(world);
        validation_norms norms = {0};
        for (int i = 0; i < cells; i++) {
            const double exact = exact_hump(s->height, (i + 0.5) / n - SIMPLE_CREST, seconds);
            validation_norms_add(&norms, (double)now.data[i] - SIMPLE_DEPTH - exact);
        }
        validation_finish(out, &norms, s->height * SIMPLE_DEPTH, world);
        out->figures[0] = (validation_figure){out->error_linf, self->grids[1] == n ? 0.01 : 0.04};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- A film over a step ----------------------------------------------------------------

#define STEP_DROP      6.2  // from the sill to the pool, metres
#define STEP_POOL      9.84 // metres
#define STEP_DISCHARGE 0.2  // m^2/s
#define STEP_CELLS     40   // half of them above

typedef struct falling_film {
    float fastest;  // in the film, m/s
    double carried; // mean of h v in the first cell of the pool, m^2/s
} falling_film;

static void measure_film(rill_world *world, falling_film *film, int looks)
{
    const rill_columns c = rill_world_columns(world);
    const int first = STEP_CELLS / 2;
    for (int i = 0; i < first; i++)
        if (c.depth[i] > c.wet_depth)
            film->fastest = fmaxf(film->fastest, fabsf(c.velocity_x[i]));
    film->carried += (double)c.depth[first] * (double)c.velocity_x[first] / looks;
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
            row_of(&bed, j)[i] = above ? (float)(STEP_POOL + STEP_DROP) : 0.0f;
    }
    rill_world_def def = validation_swe_def(STEP_CELLS, CHANNEL_ROWS, n, *advection);
    def.bed = validation_grid_view(&bed);
    def.swe.manning = 0.04f;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
    def.border_level[RILL_SIDE_WEST] = (float)STEP_DISCHARGE;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_EAST] = (float)STEP_POOL;
    rill_world *world = NULL;
    rill_status status = create_channel(&def, depth, NULL, &world);
    free(bed.data);
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
        status = finish(world, carried, out);
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
        status = finish(world, largest, out);
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

#define FILM_CASE(row, way)                                                                        \
    {                                                                                              \
        .solver = "swe", .title = "A film that falls into a pool, " row,                           \
        .description = "0.2 m2/s run over a step of 6.2 m into a pool. Water is no faster than "   \
                       "free fall, and the pool carries what falls into it.",                      \
        .grid_name = "metres a cell",                                                              \
        .rows = {{"swe-film-into-pool-" row "-speed", "speed of the film over that of free fall"}, \
                 {"swe-film-into-pool-" row "-carried", "h v in the first cell of the pool"}},     \
        .row_count = 2, .grids = {1, 5, 30}, .grid_count = 3,                                      \
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
    HILLS_CASE("conservative", RILL_ADVECTION_CONSERVATIVE),
    HILLS_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
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
    FILM_CASE("conservative", RILL_ADVECTION_CONSERVATIVE),
    FILM_CASE("maccormack", RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_swe_bore_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
