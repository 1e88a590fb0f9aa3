// SPDX-License-Identifier: MIT
// validate_gates.c - reservoirs that empty through a gate, over a sill and over a brink
// (docs/validation.md).
//
// Water of depth H over a sill gives at most critical flow, q = sqrt(g) (2/3 H)^1.5. A reservoir of
// area A whose water hardly moves and which empties through an opening of width w has then
//
//     H(t) = (H0^-1/2 + k t)^-2,  k = (2/3)^1.5 sqrt(g) w / (2 A).
//
// Water in a channel as wide as its end does move: what runs over a brink at x = 0 is what Ritter's
// dam break has there, q = 8/27 sqrt(g) H0^1.5, until the wave comes back from the other end.
#include "validation/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define SAMPLES 60
#define BEYOND  8.0 // of the ground behind the opening, metres
#define ROWS    4   // of a channel

typedef struct gate {
    double length, width;  // of the reservoir, metres; width 0: a channel of ROWS cells
    double opening;        // width of the gap in its wall, metres; 0: all of it
    double thick;          // of the wall or the sill, metres; at least a cell
    double sill;           // height of the sill above the reservoir's floor, metres
    double below;          // how far the ground behind lies below that floor, metres
    double seconds, bound; // of the run; of what is measured
    bool moves;            // the water moves: what ran out is held against Ritter's
} gate;

typedef struct gate_grid {
    const gate *gate;
    int n, rows; // cells of the reservoir along and across
    int thick;   // cells of the wall or sill
    int nx;      // cells of the world along
    double dx;   // metres
} gate_grid;

static gate_grid grid_of(const gate *g, int n)
{
    gate_grid s = {.gate = g, .n = n, .dx = g->length / n};
    s.rows = g->width > 0.0 ? (int)lround(g->width / s.dx) : ROWS;
    s.thick = (int)fmax(1.0, round(g->thick / s.dx));
    s.nx = n + s.thick + (int)lround(BEYOND / s.dx);
    return s;
}

static bool is_open(const gate_grid *s, int j)
{
    const int cells = (int)lround(s->gate->opening / s->dx), first = (s->rows - cells) / 2;
    return cells == 0 || (j >= first && j < first + cells);
}

static rill_status create(const gate_grid *s, rill_world **world)
{
    const gate *g = s->gate;
    validation_grid bed, depth = {0};
    if (!validation_grid_create(s->nx, s->rows, &bed) ||
        !validation_grid_create(s->nx, s->rows, &depth)) {
        free(bed.data);
        return RILL_NO_MEMORY;
    }
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->nx; i++) {
            float *b = &bed.data[j * s->nx + i];
            if (i < s->n)
                depth.data[j * s->nx + i] = (float)(g->sill + 1.0);
            else if (i < s->n + s->thick)
                *b = (float)(is_open(s, j) ? g->sill : g->sill + 4.0);
            else
                *b = (float)-g->below;
        }
    rill_world_def def = rill_default_world_def();
    def.nx = s->nx;
    def.ny = s->rows;
    def.cell_size = (float)s->dx;
    def.gravity = (float)GRAVITY;
    def.bed = validation_grid_view(&bed);
    def.depth = validation_grid_view(&depth);
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    const rill_status status = rill_world_create(&def, world);
    free(bed.data);
    free(depth.data);
    return status;
}

// Mean level of the reservoir above its sill, metres.
static double level(const gate_grid *s, rill_world *world)
{
    const rill_field_view depth = rill_world_depth(world);
    double sum = 0.0;
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->n; i++)
            sum += (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
    return sum / ((double)s->n * s->rows) - s->gate->sill;
}

// H0 is 1 m.
static double exact_level(const gate_grid *s, double t)
{
    const gate *g = s->gate;
    if (g->moves)
        return 1.0 - 8.0 / 27.0 * sqrt(GRAVITY) * t / g->length;
    const double part = g->opening > 0.0 ? g->opening / g->width : 1.0;
    const double k = 0.5 * pow(2.0 / 3.0, 1.5) * sqrt(GRAVITY) * part / g->length;
    return 1.0 / ((1.0 + k * t) * (1.0 + k * t));
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    const gate *g = self->setup;
    const gate_grid s = grid_of(g, n);
    char label[32];
    snprintf(label, sizeof label, "%d cells", n);
    validation_curve *exact = validation_add_curve(&out->plot, VALIDATION_EXACT, "exact", SAMPLES);
    validation_curve *computed =
        validation_add_curve(&out->plot, VALIDATION_COMPUTED, label, SAMPLES);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    out->plot.x_name = "time, s";
    out->plot.y_name = "level above the sill, m";
    rill_world *world = NULL;
    rill_status status = create(&s, &world);
    validation_norms norms = {0};
    for (int i = 0; i < SAMPLES && status == RILL_OK; i++) {
        status = validation_advance(world, g->seconds / SAMPLES, 0.05);
        exact->x[i] = computed->x[i] = (i + 1) * g->seconds / SAMPLES;
        exact->y[i] = exact_level(&s, exact->x[i]);
        computed->y[i] = status == RILL_OK ? level(&s, world) : NAN;
        validation_norms_add(&norms, computed->y[i] - exact->y[i]);
    }
    if (status == RILL_OK) {
        validation_finish(out, &norms, 1.0, world);
        const double ran = (1.0 - computed->y[SAMPLES - 1]) / (1.0 - exact->y[SAMPLES - 1]);
        out->figures[0] =
            (validation_figure){g->moves ? fabs(ran - 1.0) : out->error_linf, g->bound};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define GATE_CASE(row, heading, text, what, coarse, ...)                                 \
    {                                                                                    \
        .solver = "pipes", .title = heading, .description = text,                        \
        .grid_name = "cells along the reservoir", .rows = {{row, what}}, .row_count = 1, \
        .grids = {coarse, 2 * (coarse), 4 * (coarse)}, .grid_count = 3,                  \
        .setup = &(const gate){__VA_ARGS__}, .run = run,                                 \
    }

static const validation_case cases[] = {
    GATE_CASE("pipes-gate-gap", "A reservoir that empties through a gap",
              "A metre of water in a reservoir of 16 m x 16 m runs out through a gap of a metre in "
              "its wall, one, two and four cells wide, onto lower ground. Exact: critical flow.",
              "largest difference of the level over a minute, in H0", 16, .length = 16.0,
              .width = 16.0, .opening = 1.0, .thick = 0.0, .below = 1.0, .seconds = 60.0,
              .bound = 0.02),
    GATE_CASE("pipes-gate-sill", "A reservoir that empties over a sill",
              "A channel of 32 m runs empty over a sill of 8 m at its end, with a metre of water "
              "above the sill at first. Exact: critical flow.",
              "largest difference of the level over 40 s, in H0", 32, .length = 32.0, .sill = 8.0,
              .thick = 2.0, .seconds = 40.0, .bound = 0.02),
    GATE_CASE(
        "pipes-gate-brink", "A channel that empties over a brink",
        "Still water, a metre deep, begins to run over the brink at the end of its channel "
        "of 16 m. Exact: Ritter's 8/27 sqrt(g) H^1.5. Pipes of critical flow have 1.1 % more.",
        "water that ran over the brink in 5 s, relative", 32, .length = 16.0, .thick = 0.5,
        .below = 2.0, .seconds = 5.0, .bound = 0.05, .moves = true),
};

validation_topic validation_gate_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
