// SPDX-License-Identifier: MIT
// validate_lake.c - lakes at rest (docs/validation.md): over any ground, still water stays still.
//
// What is judged is a height: the largest departure of the surface from its level, or the height of
// the wave that would move the water as fast as it moves, u sqrt(d / g), whichever is larger. (In a
// long wave of amplitude a the water moves at a sqrt(g / d).)
//
// Ground and levels that are multiples of 1/64 m add up without rounding, so the error must be
// nothing at all. For any other ground the bound follows from the rounding of floats; see
// rounding_waves(). It does not depend on the number of steps: the water is measured after n steps
// and after 4 n.
#include "validation/measure.h"

#include <math.h>
#include <stdlib.h>

#define GRAVITY 9.81
#define SIDE    10.0 // of the square world, metres
#define LEVEL   0.4  // metres, of the level that is no multiple of anything
#define STEPS   1000
#define THETA   0.9 // default smoothing of wetted pipes
#define PI      3.14159265358979323846

typedef enum lake_kind { ONE_LAKE, TWO_LAKES, DRY_PIT } lake_kind;

typedef struct lake {
    lake_kind kind;
    bool quantised;   // ground and levels in 64ths of a metre
    double viscosity; // m^2/s
    rill_solver solver;
    rill_swe_def swe; // only advection and roughness are measured
    bool absorbs;     // at the eastern and the northern side, and in their corner
} lake;

// ---- The ground ------------------------------------------------------------------------

// A number from 0 to 1 that belongs to a cell.
static double chance(int i, int j)
{
    uint32_t v = (uint32_t)i * 0x9e3779b1u ^ (uint32_t)j * 0x85ebca77u;
    v = (v ^ v >> 15) * 0x2c1b3c6du;
    v = (v ^ v >> 12) * 0x297a2d39u;
    return (double)(v ^ v >> 15) / 4294967295.0;
}

// An island, ripples, a cliff, boulders.
static double island(double x, double y, int i, int j)
{
    const double r2 = (x - 5.0) * (x - 5.0) + (y - 5.0) * (y - 5.0);
    double b = 0.8 * exp(-0.5 * r2) + 0.05 * sin(7.0 * x) * sin(5.0 * y);
    if (x > 7.5 && y < 4.0)
        b += 0.9;
    if (x < 3.0 && y > 7.0)
        b -= 1.3;
    if (chance(i, j) < 0.1)
        b += 0.7 * chance(j, i + 1000);
    return b;
}

static double ground(const lake *l, double x, double y, int i, int j)
{
    double b = island(x, y, i, j);
    const double r = hypot(x - 5.0, y - 5.0);
    if (l->kind == TWO_LAKES)
        b = fmax(b - 0.5, fabs(x - 5.0) < 0.5 ? 2.0 : -10.0);
    if (l->kind == DRY_PIT) // a crater whose floor lies below the lake's
        b = r < 1.5 ? -3.0 + 0.1 * chance(i, j) : r < 2.2 ? 1.0 : b;
    return l->quantised ? round(64.0 * b) / 64.0 : b;
}

// Level of the water at a place, or NAN where it is to be dry however low the ground is.
static double level(const lake *l, double x, double y)
{
    if (l->kind == TWO_LAKES)
        return x < 5.0 ? 0.5 : 1.25;
    if (l->kind == DRY_PIT && hypot(x - 5.0, y - 5.0) < 1.5)
        return NAN;
    return l->quantised ? 26.0 / 64.0 : LEVEL;
}

// ---- What rounding may do --------------------------------------------------------------

// Height of the waves that rounding keeps up, metres.
//
// A depth d is rounded to its spacing, and so is the level b + d that the water sees: errors of up
// to half a spacing either way, so the head between two cells has a variance of
//
//     e^2 = (spacing(d)^2 + spacing(level)^2) / 6.
//
// A substep turns such a head into a discharge that belongs to a wave of height C e, where the
// Courant number C has C^2 <= 0.9 theta / 2 (the stable step, docs/pipes.md). Each cell gets two of
// these kicks a substep, one from x and one from y; smoothing takes from the amplitude of a mode
//
//     lambda = (1 - theta) / 2 (X^2 + Y^2) / (X + Y) >= (1 - theta) / 4 (X + Y),  X = 1 - cos(kx
//     dx)
//
// (docs/validation.md, weighted by the discharge along each axis), so its energy settles where 2
// C^2 e^2 comes in and 2 lambda of it goes out, half of it as height: a variance of C^2 e^2 / (2
// lambda), to be averaged over the modes of the grid. The largest of some ten thousand normally
// distributed heights is within five standard deviations.
static double rounding_waves(int n, double depth, double top)
{
    const double sd = validation_float_spacing(depth), sl = validation_float_spacing(top);
    const double kick = 0.5 * 0.9 * THETA * (sd * sd + sl * sl) / 6.0;
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = j == 0; i < n; i++)
            sum += 1.0 / (2.0 - cos(PI * i / n) - cos(PI * j / n));
    return 5.0 * sqrt(kick * 2.0 / (1.0 - THETA) * sum / n / n);
}

// The `swe` solver has nothing that takes the noise away again: no smoothing, and an advection that
// fades with the velocity. Every substep adds C^2 e^2 to the variance of the height as above, with
// C^2 <= 1/2, and the rounding of the new depth adds a twelfth of the square of its spacing; after
// so many substeps it has walked that far.
static double rounding_walk(uint64_t substeps, double depth, double top)
{
    const double sd = validation_float_spacing(depth), sl = validation_float_spacing(top);
    const double step = 0.5 * (sd * sd + sl * sl) / 6.0 + sd * sd / 12.0;
    return 5.0 * sqrt((double)substeps * step);
}

// ---- A run -----------------------------------------------------------------------------

typedef struct pond {
    const lake *lake;
    int n;
    validation_grid bed, depth;
    rill_world *world;
    double deepest;
} pond;

static rill_world_def define(const pond *p)
{
    const lake *l = p->lake;
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = p->n;
    def.cell_size = (float)(SIDE / p->n);
    def.gravity = (float)GRAVITY;
    def.bed = validation_grid_view(&p->bed);
    def.depth = validation_grid_view(&p->depth);
    def.solver = l->solver;
    def.pipes.viscosity = def.swe.viscosity = (float)l->viscosity;
    def.swe.advection = l->swe.advection;
    def.swe.manning = l->swe.manning;
    if (l->absorbs) {
        def.border[RILL_SIDE_EAST] = def.border[RILL_SIDE_NORTH] = RILL_BORDER_ABSORB;
        def.border_level[RILL_SIDE_EAST] = def.border_level[RILL_SIDE_NORTH] =
            (float)level(l, 9.0, 9.0);
    }
    return def;
}

static double bound(const pond *p)
{
    if (p->lake->quantised)
        return 0.0;
    return p->lake->solver == RILL_SOLVER_SWE
               ? rounding_walk(rill_world_last_step(p->world).steps, p->deepest, LEVEL)
               : rounding_waves(p->n, p->deepest, LEVEL);
}

static rill_status create(pond *p)
{
    const int n = p->n;
    const double dx = SIDE / n;
    if (!validation_grid_create(n, n, &p->bed) || !validation_grid_create(n, n, &p->depth))
        return RILL_NO_MEMORY;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x = (i + 0.5) * dx, y = (j + 0.5) * dx;
            const size_t c = (size_t)j * (size_t)n + (size_t)i;
            const float top = (float)level(p->lake, x, y);
            p->bed.data[c] = (float)ground(p->lake, x, y, i, j);
            p->depth.data[c] = top > p->bed.data[c] ? top - p->bed.data[c] : 0.0f;
            p->deepest = fmax(p->deepest, (double)p->depth.data[c]);
        }
    const rill_world_def def = define(p);
    return rill_world_create(&def, &p->world);
}

// Height of what moves, over all columns. A column that was dry and is wet counts with its depth.
static void compare(const pond *p, validation_norms *norms)
{
    const rill_columns c = rill_world_columns(p->world);
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->n; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            const double d = (double)c.depth[k];
            const double before = (double)p->depth.data[(size_t)j * (size_t)p->n + (size_t)i];
            const double speed = hypot((double)c.velocity_x[k], (double)c.velocity_y[k]);
            validation_norms_add(norms,
                                 validation_larger(fabs(d - before), speed * sqrt(d / GRAVITY)));
        }
}

// A cut through the middle of the world.
static rill_status draw(const pond *p, validation_plot *plot)
{
    validation_curve *bed = validation_add_curve(plot, VALIDATION_GROUND, "ground", p->n);
    validation_curve *exact = validation_add_curve(plot, VALIDATION_EXACT, "exact", p->n);
    validation_curve *computed = validation_add_curve(plot, VALIDATION_COMPUTED, "computed", p->n);
    if (bed == NULL || exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "distance, m";
    plot->y_name = "elevation, m";
    const rill_field_view depth = rill_world_depth(p->world);
    const int j = p->n / 2;
    for (int i = 0; i < p->n; i++) {
        const size_t c = (size_t)j * (size_t)p->n + (size_t)i;
        const double b = (double)p->bed.data[c], before = (double)p->depth.data[c];
        const double now = (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
        bed->x[i] = exact->x[i] = computed->x[i] = (i + 0.5) * SIDE / p->n;
        bed->y[i] = b;
        exact->y[i] = before > 0.0 ? b + before : NAN;
        computed->y[i] = now > 0.0 ? b + now : NAN;
    }
    return RILL_OK;
}

static rill_status run(const validation_case *self, int n, validation_result *out)
{
    pond p = {.lake = self->setup, .n = n};
    validation_norms early = {0}, late = {0};
    // Longer than a stable substep in the deepest pit, so steps are divided.
    const double step = 0.25 * SIDE / n;
    rill_status status = create(&p);
    if (status == RILL_OK)
        status = validation_advance(p.world, STEPS * step, step);
    if (status == RILL_OK) {
        compare(&p, &early);
        status = validation_advance(p.world, 3 * STEPS * step, step);
    }
    if (status == RILL_OK) {
        compare(&p, &late);
        validation_finish(out, &late, 1.0, p.world);
        out->figures[0] =
            (validation_figure){validation_larger(early.largest, late.largest), bound(&p)};
        status = draw(&p, &out->plot);
    }
    free(p.bed.data);
    free(p.depth.data);
    rill_world_destroy(&p.world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define ONE_CASE(row, water, heading, text, ...)                                             \
    {                                                                                        \
        .solver = water, .title = heading, .description = text, .grid_name = "cells a side", \
        .rows = {{row, "height of what moves, m"}}, .row_count = 1, .grids = {48, 96},       \
        .grid_count = 2, .setup = &(const lake){__VA_ARGS__}, .run = run,                    \
    }

#define LAKE_CASE(row, ...) ONE_CASE(row, "pipes", __VA_ARGS__)

#define SWE_CASE(row, heading, text, way, ...)                                 \
    ONE_CASE("swe-rest-" row, "swe", heading, text, .solver = RILL_SOLVER_SWE, \
             .swe.advection = RILL_ADVECTION_##way, __VA_ARGS__)

#define SWE_CASES(row, heading, text, ...)                                              \
    SWE_CASE(row, heading ", conservative advection", text, CONSERVATIVE, __VA_ARGS__), \
        SWE_CASE(row "-maccormack", heading ", MacCormack advection", text, MACCORMACK, \
                 __VA_ARGS__)

static const validation_case cases[] = {
    LAKE_CASE("pipes-rest-quantised", "A lake at rest, numbers without rounding",
              "An island, ripples, a cliff and boulders in 64ths of a metre. Exact: nothing moves, "
              "not by one bit.",
              .kind = ONE_LAKE, .quantised = true),
    LAKE_CASE("pipes-rest-any", "A lake at rest on any ground",
              "The same ground as it comes. Exact: nothing moves; allowed is what the rounding of "
              "floats sets off, after 1000 steps and after 4000.",
              .kind = ONE_LAKE),
    LAKE_CASE("pipes-rest-two-lakes", "Two lakes at rest",
              "Lakes of different level on the two sides of a dry ridge. Exact: nothing moves.",
              .kind = TWO_LAKES, .quantised = true),
    LAKE_CASE("pipes-rest-dry-pit", "A dry pit in a lake",
              "A crater whose floor lies far below the lake stays dry behind its rim. Exact: "
              "nothing moves.",
              .kind = DRY_PIT, .quantised = true),
    LAKE_CASE(
        "pipes-rest-viscous", "A viscous lake at rest",
        "The same on any ground with the viscosity of water, 1e-6 m2/s. Exact: nothing moves.",
        .kind = ONE_LAKE, .viscosity = 1e-6),
    SWE_CASES("quantised", "A lake at rest, numbers without rounding",
              "An island, ripples, a cliff and boulders in 64ths of a metre. Exact: nothing moves, "
              "not by one bit.",
              .kind = ONE_LAKE, .quantised = true),
    SWE_CASES("two-lakes", "Two lakes at rest",
              "Lakes of different level on the two sides of a dry ridge. Exact: nothing moves.",
              .kind = TWO_LAKES, .quantised = true),
    SWE_CASES("dry-pit", "A dry pit in a lake",
              "A crater whose floor lies far below the lake stays dry behind its rim. Exact: "
              "nothing moves.",
              .kind = DRY_PIT, .quantised = true),
    SWE_CASES("absorbing", "A lake at rest with two absorbing sides",
              "The quantised lake with absorbing layers over its ground. Exact: nothing moves.",
              .kind = ONE_LAKE, .quantised = true, .absorbs = true),
    SWE_CASES("any", "A lake at rest on any ground",
              "The same ground as it comes. Exact: nothing moves; allowed is what the rounding of "
              "floats sets off, after 1000 steps and after 4000.",
              .kind = ONE_LAKE),
    SWE_CASES("rough", "A lake at rest on rough ground",
              "The same on any ground with viscosity, 1e-6 m2/s, and Manning's n = 0.03. Exact: "
              "nothing moves.",
              .kind = ONE_LAKE, .viscosity = 1e-6, .swe.manning = 0.03f),
};

validation_topic validation_lake_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
