// SPDX-License-Identifier: MIT
// validate_swe_steady.c - steady flow in channels (docs/validation.md): over a bump without
// friction, where the head of Bernoulli is kept, and down a rough river whose bed was made for a
// depth that was chosen first (MacDonald's method).
//
// A discharge comes in at the west. Slow water takes its depth from the level at the east; where it
// leaves fast, the level there does not matter.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>

typedef struct steady {
    bool river;
    exact_bump_kind kind; // of the bump
    double discharge;     // m^2/s
    double outlet;        // depth at the end, metres
    rill_advection advection;
} steady;

// A run.
typedef struct channel_run {
    const steady *setup;
    int n;
    double length, cell_size;
    exact_bump bump;
    double *exact; // depths
    validation_grid bed;
    rill_world *world;
} channel_run;

#define BUMP_SECONDS  300.0
#define RIVER_SECONDS 3000.0 // eight times as long as the water is on its way

// ---- A run -----------------------------------------------------------------------------

// Mean over a cell, so that a jump may stand within it.
static double bump_cell(const channel_run *r, double x)
{
    enum { SAMPLES = 16 };
    double sum = 0.0;
    for (int n = 0; n < SAMPLES; n++)
        sum += exact_bump_depth(&r->bump, x + r->cell_size * ((n + 0.5) / SAMPLES - 0.5));
    return sum / SAMPLES;
}

static rill_status make_ground(channel_run *r)
{
    const size_t n = (size_t)r->n;
    double *bed = calloc(n, sizeof *bed);
    r->exact = calloc(n, sizeof *r->exact);
    if (bed == NULL || r->exact == NULL || !validation_grid_create(r->n, CHANNEL_ROWS, &r->bed)) {
        free(bed);
        return RILL_NO_MEMORY;
    }
    if (r->setup->river)
        exact_river_bed(bed, r->n);
    for (size_t i = 0; i < n; i++) {
        const double x = ((double)i + 0.5) * r->cell_size;
        if (!r->setup->river)
            bed[i] = exact_bump_bed(x);
        r->exact[i] = r->setup->river ? exact_river_depth(x) : bump_cell(r, x);
        for (size_t j = 0; j < CHANNEL_ROWS; j++)
            r->bed.data[j * n + i] = (float)bed[i];
    }
    free(bed);
    return RILL_OK;
}

// The bump starts from level water; the river from its depth, at rest, because level water would
// flood the lower end many metres deep.
static rill_status create(channel_run *r)
{
    validation_grid depth;
    rill_status status = make_ground(r);
    if (status != RILL_OK)
        return status;
    if (!validation_grid_create(r->n, CHANNEL_ROWS, &depth))
        return RILL_NO_MEMORY;
    const size_t n = (size_t)r->n;
    for (size_t c = 0; c < n * CHANNEL_ROWS; c++)
        depth.data[c] =
            r->setup->river ? (float)r->exact[c % n] : (float)r->setup->outlet - r->bed.data[c];
    rill_world_def def = validation_swe_def(r->n, CHANNEL_ROWS, r->cell_size, r->setup->advection);
    def.bed = validation_grid_view(&r->bed);
    def.depth = validation_grid_view(&depth);
    def.border[RILL_SIDE_WEST] = RILL_BORDER_INFLOW;
    def.border_level[RILL_SIDE_WEST] = (float)r->setup->discharge;
    def.border[RILL_SIDE_EAST] =
        r->setup->kind == EXACT_BUMP_TRANSCRITICAL ? RILL_BORDER_DRAIN : RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_EAST] = (float)r->setup->outlet;
    if (r->setup->river)
        def.swe.manning = (float)EXACT_RIVER_MANNING;
    status = rill_world_create(&def, &r->world);
    free(depth.data);
    return status;
}

// Mean discharge of a row over what comes in.
static double discharge_error(const channel_run *r)
{
    const rill_columns c = rill_world_columns(r->world);
    double sum = 0.0;
    for (int i = 0; i < r->n; i++)
        sum += (double)c.depth[c.pitch + (size_t)i] * (double)c.velocity_x[c.pitch + (size_t)i];
    return fabs(sum / r->n / r->setup->discharge - 1.0);
}

// Where the depth on its way up from the lee of the bump passes the middle of those on the two
// sides of the exact jump.
static double jump_place(const channel_run *r)
{
    const rill_field_view depth = rill_world_depth(r->world);
    const float *row = depth.data + depth.pitch;
    const double half = 0.5 * (exact_bump_depth(&r->bump, r->bump.jump - 1e-9) +
                               exact_bump_depth(&r->bump, r->bump.jump + 1e-9));
    for (int i = (int)(14.0 / r->cell_size); i > 0; i--) {
        const double here = (double)row[i - 1], next = (double)row[i];
        if (here < half)
            return (i - 0.5 + (half - here) / (next - here)) * r->cell_size;
    }
    return NAN;
}

// What a method of first order may be wrong by: a profile displaced by a cell. Where the flow turns
// fast on the crest, the whole depends on the depth there, h' = -sqrt(-b'' h / 3) steep, and that
// is known to what it changes within a cell.
static double depth_bound(const channel_run *r)
{
    const steady *setup = r->setup;
    const double critical = cbrt(setup->discharge * setup->discharge / EXACT_GRAVITY);
    const double crest = r->cell_size * sqrt(0.1 * critical / 3.0);
    const bool turns = !setup->river && setup->kind != EXACT_BUMP_SUBCRITICAL;
    return (validation_displaced(r->exact, r->n) + (turns ? crest : 0.0)) / setup->outlet;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    const steady *setup = self->setup;
    channel_run r = {.setup = setup, .n = n};
    r.length = setup->river ? EXACT_RIVER_LENGTH : EXACT_BUMP_LENGTH;
    r.cell_size = r.length / n;
    if (!setup->river)
        r.bump = exact_bump_solve(setup->kind, setup->discharge, setup->outlet);
    rill_status status = create(&r);
    if (status == RILL_OK)
        status = setup->river ? validation_advance(r.world, RIVER_SECONDS, 2.0)
                              : validation_advance(r.world, BUMP_SECONDS, 0.1);
    if (status == RILL_OK) {
        const validation_channel channel = {.n = n,
                                            .cell_size = r.cell_size,
                                            .bed = r.bed.data,
                                            .exact = r.exact,
                                            .scale = setup->outlet,
                                            .x_name = "distance, m"};
        status = validation_compare_channel(&channel, r.world, out);
        out->figures[0] = (validation_figure){out->error_l1, depth_bound(&r)};
        out->figures[1] = (validation_figure){discharge_error(&r), 0.01};
        // Two cells. A jump that does not keep momentum finds its place elsewhere on the lee side,
        // which ends at 12 m; on level ground nothing holds it.
        const double lee = setup->advection == RILL_ADVECTION_MACCORMACK ? 12.0 - r.bump.jump : 0.0;
        if (setup->kind == EXACT_BUMP_JUMP)
            out->figures[2] =
                (validation_figure){fabs(jump_place(&r) - r.bump.jump), lee + 2.0 * r.cell_size};
    }
    free(r.exact);
    free(r.bed.data);
    rill_world_destroy(&r.world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define STEADY_CASE(row, count, heading, text, ...)                                       \
    {                                                                                     \
        .solver = "swe", .title = heading, .description = text, .grid_name = "cells",     \
        .rows = {{row "-depth", "L1 of the depth"},                                       \
                 {row "-discharge", "discharge, relative"},                               \
                 {row "-place", "place of the jump, m"}},                                 \
        .row_count = count, .grids = {100, 200, 400}, .grid_count = 3, .converges = true, \
        .setup = &(const steady){__VA_ARGS__}, .run = run,                                \
    }

#define STEADY_CASES(row, count, heading, text, ...)                                         \
    STEADY_CASE("swe-" row, count, heading ", conservative advection", text, __VA_ARGS__,    \
                .advection = RILL_ADVECTION_CONSERVATIVE),                                   \
        STEADY_CASE("swe-" row "-maccormack", count, heading ", MacCormack advection", text, \
                    __VA_ARGS__, .advection = RILL_ADVECTION_MACCORMACK)

static const validation_case cases[] = {
    STEADY_CASES("bump-slow", 2, "Slow flow over a bump",
                 "4.42 m2/s at 2 m of water over a bump of 0.2 m. Exact: h + b + q^2 / (2 g h^2) "
                 "is the same everywhere.",
                 .kind = EXACT_BUMP_SUBCRITICAL, .discharge = 4.42, .outlet = 2.0),
    STEADY_CASES("bump-fast", 2, "Flow over a bump that turns fast",
                 "1.53 m2/s, critical on the crest and fast beyond. Exact: the head of the crest.",
                 .kind = EXACT_BUMP_TRANSCRITICAL, .discharge = 1.53, .outlet = 0.66),
    STEADY_CASES("bump-jump", 3, "Flow over a bump with a hydraulic jump",
                 "0.18 m2/s, critical on the crest, then a jump to the level of 0.33 m. Exact: a "
                 "head before the jump, another after it, and the same momentum on its two sides.",
                 .kind = EXACT_BUMP_JUMP, .discharge = 0.18, .outlet = 0.33),
    STEADY_CASES("river", 2, "A river with a rough bed",
                 "2 m2/s down a kilometre with Manning's n = 0.033. Exact: the depth that the bed "
                 "was made for.",
                 .river = true, .discharge = EXACT_RIVER_DISCHARGE, .outlet = 0.7483427),
};

validation_topic validation_swe_steady_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
