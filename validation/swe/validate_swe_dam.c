// SPDX-License-Identifier: MIT
// validate_swe_dam.c - dam breaks of the `swe` solver (docs/validation.md): Stoker's into water and
// Ritter's onto dry ground.
//
// A bore is where the two advections part. The conservative one keeps momentum and has to hit
// Stoker's bore. The other carries velocity, so that its bore may keep any mixture of momentum and
// velocity: one would expect it between Stoker's bore and that of water which conserves velocity.
// It is slower still, because a semi-Lagrangian look-up conserves neither: the face before a bore
// stands still and looks up itself. By how much was measured with Chentanez and Müller's scheme
// written down once more, in one dimension and in double precision (docs/validation.md).
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>

typedef struct dam {
    double deep, before;    // metres
    double length, seconds; // of the channel, the dam in its middle, and of the run
    rill_advection advection;
    // How far outside of the range the paper's own scheme is, in height and in speed; see below.
    double method_height, method_bore;
} dam;

// A run: what is exact about it and where it stands.
typedef struct broken_dam {
    const dam *dam;
    exact_dam exact;
    int n;
    double cell_size;
    rill_world *world;
} broken_dam;

// ---- Measuring -------------------------------------------------------------------------

static double place(const broken_dam *b, double i)
{
    return (i + 0.5) * b->cell_size - 0.5 * b->dam->length;
}

// Where the depth falls below `least`, looked for from the dry or shallow end.
static double front(const broken_dam *b, double least)
{
    const rill_field_view depth = rill_world_depth(b->world);
    for (int i = b->n - 2; i >= 0; i--) {
        const double here = (double)depth.data[i], next = (double)depth.data[i + 1];
        if (here >= least)
            return place(b, i + (here - least) / (here - next));
    }
    return NAN;
}

// Mean depth over the middle half of the level reach.
static double reach_depth(const broken_dam *b)
{
    const rill_field_view depth = rill_world_depth(b->world);
    const exact_dam *e = &b->exact;
    const double t = b->dam->seconds;
    const double from = (e->middle_velocity - sqrt(EXACT_GRAVITY * e->middle)) * t;
    const double to = e->bore * t;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < b->n; i++) {
        const double part = (place(b, i) - from) / (to - from);
        if (part > 0.25 && part < 0.75) {
            sum += (double)depth.data[i];
            count++;
        }
    }
    return sum / count;
}

// Volume beyond the dam for a metre of its width, m^2.
static double volume_beyond(const broken_dam *b)
{
    const rill_field_view depth = rill_world_depth(b->world);
    double sum = 0.0;
    for (int i = b->n / 2; i < b->n; i++)
        sum += (double)depth.data[i] * b->cell_size;
    return sum;
}

// How far a value is outside the range of two, over the first of them.
static double outside(double value, double exact, double other)
{
    const double low = fmin(exact, other), high = fmax(exact, other);
    return validation_larger(low - value, validation_larger(value - high, 0.0)) / exact;
}

// ---- A run -----------------------------------------------------------------------------

static rill_status create(broken_dam *b)
{
    validation_grid start;
    if (!validation_grid_create(b->n, CHANNEL_ROWS, &start))
        return RILL_NO_MEMORY;
    for (int j = 0; j < CHANNEL_ROWS; j++)
        for (int i = 0; i < b->n; i++)
            start.data[(size_t)j * (size_t)b->n + (size_t)i] =
                (float)(i < b->n / 2 ? b->dam->deep : b->dam->before);
    rill_world_def def = validation_swe_def(b->n, CHANNEL_ROWS, b->cell_size, b->dam->advection);
    def.depth = validation_grid_view(&start);
    const rill_status status = rill_world_create(&def, &b->world);
    free(start.data);
    return status;
}

static rill_status compare(const broken_dam *b, validation_result *out)
{
    double *exact = calloc((size_t)b->n, sizeof *exact);
    if (exact == NULL)
        return RILL_NO_MEMORY;
    const validation_channel channel = {
        .n = b->n,
        .cell_size = b->cell_size,
        .origin = -0.5 * b->dam->length,
        .exact = exact,
        .scale = b->dam->deep,
        .x_name = "distance from the dam, m",
    };
    for (int i = 0; i < b->n; i++)
        exact[i] = exact_dam_cell(&b->exact, validation_channel_x(&channel, i), b->cell_size,
                                  b->dam->seconds);
    const rill_status status = validation_compare_channel(&channel, b->world, out);
    free(exact);
    return status;
}

// Half of the way, then `halfway` if there is something to measure, then the rest.
static rill_status advance(broken_dam *b, double level, double *halfway)
{
    const double half = 0.5 * b->dam->seconds, step = 0.01 * b->dam->seconds;
    rill_status status = create(b);
    if (status == RILL_OK)
        status = validation_advance(b->world, half, step);
    *halfway = status == RILL_OK ? front(b, level) : NAN;
    return status == RILL_OK ? validation_advance(b->world, half, step) : status;
}

static broken_dam prepare(const validation_case *self, int n)
{
    const dam *d = self->setup;
    return (broken_dam){
        .dam = d, .exact = exact_dam_solve(d->deep, d->before), .n = n, .cell_size = d->length / n};
}

static rill_status run_stoker(const validation_case *self, int n, validation_result *out)
{
    broken_dam b = prepare(self, n);
    const dam *d = b.dam;
    const double half_height = 0.5 * (b.exact.middle + b.exact.before);
    double halfway;
    rill_status status = advance(&b, half_height, &halfway);
    if (status == RILL_OK)
        status = compare(&b, out);
    if (status == RILL_OK) {
        const exact_dam other = d->advection == RILL_ADVECTION_CONSERVATIVE
                                    ? b.exact
                                    : exact_dam_solve_velocity(d->deep, d->before);
        const double speed = (front(&b, half_height) - halfway) / (0.5 * d->seconds);
        // Two percent are asked, on every grid; of MacCormack's, two percent more than what the
        // method itself is known to be wrong by.
        out->figures[0] = (validation_figure){
            outside(reach_depth(&b), b.exact.middle, other.middle), 0.02 + d->method_height};
        out->figures[1] =
            (validation_figure){outside(speed, b.exact.bore, other.bore), 0.02 + d->method_bore};
    }
    rill_world_destroy(&b.world);
    return status;
}

static rill_status run_ritter(const validation_case *self, int n, validation_result *out)
{
    broken_dam b = prepare(self, n);
    const dam *d = b.dam;
    const double thin = 1e-2 * d->deep, c = sqrt(EXACT_GRAVITY * d->deep);
    double halfway;
    rill_status status = advance(&b, thin, &halfway);
    if (status == RILL_OK)
        status = compare(&b, out);
    if (status == RILL_OK) {
        const rill_field_view depth = rill_world_depth(b.world);
        const double at_dam = 0.5 * ((double)depth.data[n / 2 - 1] + (double)depth.data[n / 2]);
        const double gone = volume_beyond(&b) / (8.0 / 27.0 * c * d->deep * d->seconds);
        const double reach = front(&b, thin) / ((2.0 - 3.0 * sqrt(1e-2)) * c * d->seconds);
        // Two percent on the finest grid, and first order. The depth of a fan falls with the square
        // of the distance to its tip, so there a depth of first order is a place of half that.
        // MacCormack's front lags on every grid, by 0.28 when written down once more as above.
        const double coarse = (double)self->grids[self->grid_count - 1] / n;
        out->figures[0] =
            (validation_figure){fabs(at_dam / (4.0 / 9.0 * d->deep) - 1.0), 0.02 * coarse};
        out->figures[1] = (validation_figure){fabs(gone - 1.0), 0.02 * coarse};
        out->figures[2] = (validation_figure){
            fabs(reach - 1.0),
            d->advection == RILL_ADVECTION_CONSERVATIVE ? 0.07 * sqrt(coarse) : 0.35};
    }
    rill_world_destroy(&b.world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define STOKER_CASE(row, how, text, ...)                                              \
    {                                                                                 \
        .solver = "swe", .title = "Dam break into water, " how, .description = text,  \
        .grid_name = "cells",                                                         \
        .rows = {{row "-height", "depth behind the bore, relative"},                  \
                 {row "-bore", "speed of the bore, relative"}},                       \
        .row_count = 2, .grids = {200, 400, 800}, .grid_count = 3, .converges = true, \
        .setup = &(const dam){__VA_ARGS__}, .run = run_stoker,                        \
    }

// `height` and `bore` are how far the scheme of Chentanez and Müller is outside of the range.
#define STOKER_CASES(row, text, height, bore, ...)                                                \
    STOKER_CASE("swe-stoker-" row, "conservative advection",                                      \
                text " Exact: Stoker's fan, level reach and bore.", __VA_ARGS__,                  \
                .advection = RILL_ADVECTION_CONSERVATIVE),                                        \
        STOKER_CASE("swe-stoker-" row "-maccormack", "MacCormack advection",                      \
                    text " Drawn: Stoker's. Judged: how far outside the range between Stoker's "  \
                         "bore and that of water which conserves velocity.",                      \
                    __VA_ARGS__, .advection = RILL_ADVECTION_MACCORMACK, .method_height = height, \
                    .method_bore = bore)

#define RITTER_CASE(row, how, way)                                                              \
    {                                                                                           \
        .solver = "swe", .title = "Dam break on dry ground, " how,                              \
        .description = "A metre of water is let go on dry, level ground. Exact: Ritter's fan; " \
                       "at the dam 4/9 of the depth and 8/27 c h run off at all times.",        \
        .grid_name = "cells",                                                                   \
        .rows = {{row "-depth", "depth at the dam, relative"},                                  \
                 {row "-volume", "volume that has passed the dam, relative"},                   \
                 {row "-front", "reach of a depth of 0.01 h, relative"}},                       \
        .row_count = 3, .grids = {200, 400, 800}, .grid_count = 3, .converges = true,           \
        .setup = &(const dam){.deep = 1.0, .length = 16.0, .seconds = 1.15, .advection = way},  \
        .run = run_ritter,                                                                      \
    }

static const validation_case cases[] = {
    STOKER_CASES("thin", "Five millimetres of water are let go into one.", 0.044, 0.075,
                 .deep = 0.005, .before = 0.001, .length = 10.0, .seconds = 6.0),
    STOKER_CASES("0.1", "A metre of water is let go into 0.1 m.", 0.092, 0.088, .deep = 1.0,
                 .before = 0.1, .length = 16.0, .seconds = 2.2),
    STOKER_CASES("0.5", "A metre of water is let go into 0.5 m.", 0.007, 0.035, .deep = 1.0,
                 .before = 0.5, .length = 16.0, .seconds = 2.2),
    STOKER_CASES("large", "Ten metres of water are let go into two.", 0.044, 0.075, .deep = 10.0,
                 .before = 2.0, .length = 160.0, .seconds = 7.0),
    RITTER_CASE("swe-ritter", "conservative advection", RILL_ADVECTION_CONSERVATIVE),
    RITTER_CASE("swe-ritter-maccormack", "MacCormack advection", RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_swe_dam_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
