// SPDX-License-Identifier: MIT
// validate_pml.c - absorbing borders of the `swe` solver (docs/validation.md).
//
// A packet of waves is let go in a strip whose eastern end absorbs. The same is done in a strip so
// long that nothing comes back from its ends in time. The difference of the two, outside of the
// absorbing layer, is what has come back; it is held against the largest height that passed into
// the layer.
//
// Waves at an angle run between the two walls along the strip: cos(ky y) is a pair of plane waves
// whose directions have the angle atan(ky / kx) to the x axis, and walls do them no harm.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL      0.1 // metres
#define LAYER     10  // cells, the default width
#define NEAR      50  // cells from where the packet begins to the layer
#define FAR       200 // and to the ends of the long strip
#define SHOWN     (2 * NEAR)
#define COURANT   0.25 // sqrt(g h) dt / dx
#define AMPLITUDE 1e-3 // of the depth: steepening is negligible, rounding as well
#define ENVELOPE  10.0 // cells, standard deviation of the packet
#define ACROSS    7    // cells: half a wave across the strip at 45 degrees, 9.9 cells along its way

typedef struct packet {
    double depth; // metres
    bool askew;   // 45 degrees instead of straight on
    rill_border border;
    rill_advection advection;
} packet;

// ---- Worlds ----------------------------------------------------------------------------

static double packet_height(const packet *p, double x, double y)
{
    const double k = 2.0 * EXACT_PI / 10.0, ky = EXACT_PI / ACROSS;
    const double shape = exp(-0.5 * x * x / (ENVELOPE * ENVELOPE)) * AMPLITUDE * p->depth;
    return p->askew ? shape * cos(ky * x) * cos(ky * y) : shape * cos(k * x);
}

// x and y of the packet are in cells, x from where it begins, y from the southern wall. `nx` counts
// the western half of the long strip.
static rill_status create(const packet *p, int nx, rill_border border, rill_world **world)
{
    validation_grid depth;
    if (!validation_grid_create(nx, ACROSS, &depth))
        return RILL_NO_MEMORY;
    for (int j = 0; j < ACROSS; j++)
        for (int i = 0; i < nx; i++)
            depth.data[j * nx + i] = (float)(p->depth + packet_height(p, i + 0.5 - FAR, j + 0.5));
    rill_world_def def = validation_swe_def(nx, ACROSS, CELL, p->advection);
    def.depth = validation_grid_view(&depth);
    def.border[RILL_SIDE_EAST] = border;
    def.border_level[RILL_SIDE_EAST] = (float)p->depth;
    const rill_status status = rill_world_create(&def, world);
    free(depth.data);
    return status;
}

// ---- A packet --------------------------------------------------------------------------

// What has come back so far, and what has gone into the layer.
typedef struct echo {
    double back, gone;
    validation_norms norms; // of the difference at the end
} echo;

// Cells of the short strip that are not in the layer, beside those of the long one.
static void listen(const packet *p, rill_world *small, rill_world *large, echo *e)
{
    const rill_field_view a = rill_world_depth(small), b = rill_world_depth(large);
    e->norms = (validation_norms){0};
    for (int j = 0; j < ACROSS; j++) {
        const float *here = a.data + (size_t)j * a.pitch, *there = b.data + (size_t)j * b.pitch;
        for (int i = FAR - NEAR; i < FAR + NEAR; i++) {
            const double d = (double)here[i] - (double)there[i];
            validation_norms_add(&e->norms, d);
            e->back = validation_larger(fabs(d), e->back);
        }
        const double incoming = (double)there[FAR + NEAR] - p->depth;
        e->gone = validation_larger(fabs(incoming), e->gone);
    }
}

static rill_status draw(const packet *p, rill_world *small, rill_world *large,
                        validation_plot *plot)
{
    validation_curve *line = validation_add_curve(plot, VALIDATION_EXACT, "without border", SHOWN);
    validation_curve *points = validation_add_curve(plot, VALIDATION_COMPUTED, "computed", SHOWN);
    if (line == NULL || points == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "distance from where the packet began, cells";
    plot->y_name = "height of the wave / its amplitude at the start";
    const rill_field_view a = rill_world_depth(small), b = rill_world_depth(large);
    for (int i = 0; i < SHOWN; i++) {
        const double scale = AMPLITUDE * p->depth;
        line->x[i] = points->x[i] = i + 0.5 - NEAR;
        points->y[i] = ((double)a.data[FAR - NEAR + i] - p->depth) / scale;
        line->y[i] = ((double)b.data[FAR - NEAR + i] - p->depth) / scale;
    }
    return RILL_OK;
}

static rill_status run_packet(const validation_case *self, int n, validation_result *out)
{
    (void)n;
    const packet *p = self->setup;
    const bool absorbs = p->border == RILL_BORDER_ABSORB;
    const double dt = COURANT * CELL / sqrt(EXACT_GRAVITY * p->depth);
    // To the end and back. Packets at 45 degrees make their way along the strip at 0.7 of their
    // speed. The ends of the long strip answer after 350 cells.
    const int steps = (int)((p->askew ? 240.0 : 170.0) / COURANT);
    rill_world *small = NULL, *large = NULL;
    echo e = {0};
    rill_status status = create(p, FAR + NEAR + (absorbs ? LAYER : 0), p->border, &small);
    if (status == RILL_OK)
        status = create(p, 2 * FAR, RILL_BORDER_WALL, &large);
    for (int k = 0; k < steps && status == RILL_OK; k++) {
        status = rill_world_step(small, dt);
        if (status == RILL_OK)
            status = rill_world_step(large, dt);
        if (status == RILL_OK)
            listen(p, small, large, &e);
        if (status == RILL_OK && k == steps * 3 / 10)
            status = draw(p, small, large, &out->plot);
    }
    if (status == RILL_OK) {
        validation_finish(out, &e.norms, e.gone, small);
        const double back = e.back / e.gone;
        // Asked: less than 0.5 % straight on, 1.5 % at 45 degrees; from a wall at least 95 %.
        out->figures[0] = absorbs ? (validation_figure){back, p->askew ? 0.015 : 0.005}
                                  : (validation_figure){fabs(1.0 - back), 0.05};
    }
    rill_world_destroy(&small);
    rill_world_destroy(&large);
    return status;
}

// ---- Corners ---------------------------------------------------------------------------

#define POOL      100 // cells a side, layers included
#define WIDE_POOL 320 // that of the comparison
#define LISTENED  140 // cells that a wave has run when the echo is judged
#define CALM      2000

typedef struct pool {
    rill_advection advection;
    bool rings; // waves of 10 cells instead of a hump ten cells wide
} pool;

static double pool_height(const pool *p, double r)
{
    const double width = p->rings ? ENVELOPE : 3.0;
    const double hump = AMPLITUDE * exp(-0.5 * r * r / (width * width));
    return p->rings ? hump * cos(2.0 * EXACT_PI * r / 10.0) : hump;
}

// A metre of water with four sides alike.
static rill_status create_pool(const pool *p, int n, rill_border border, rill_world **world)
{
    validation_grid depth;
    if (!validation_grid_create(n, n, &depth))
        return RILL_NO_MEMORY;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            depth.data[j * n + i] =
                (float)(1.0 + pool_height(p, hypot(i + 0.5 - 0.5 * n, j + 0.5 - 0.5 * n)));
    rill_world_def def = validation_swe_def(n, n, CELL, p->advection);
    def.depth = validation_grid_view(&depth);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        def.border[side] = border;
        def.border_level[side] = 1.0f;
    }
    const rill_status status = rill_world_create(&def, world);
    free(depth.data);
    return status;
}

static void listen_pool(rill_world *small, rill_world *large, echo *e)
{
    const rill_field_view a = rill_world_depth(small), b = rill_world_depth(large);
    const int shift = (WIDE_POOL - POOL) / 2;
    e->norms = (validation_norms){0};
    for (int j = LAYER; j < POOL - LAYER; j++)
        for (int i = LAYER; i < POOL - LAYER; i++) {
            const double d = (double)a.data[(size_t)j * a.pitch + (size_t)i] -
                             (double)b.data[(size_t)(j + shift) * b.pitch + (size_t)(i + shift)];
            validation_norms_add(&e->norms, d);
            e->back = validation_larger(fabs(d), e->back);
        }
    // What passes into the layer at the middle of a side, where the waves are highest.
    const size_t middle = (size_t)(WIDE_POOL / 2) * b.pitch + (size_t)(shift + LAYER);
    e->gone = validation_larger(fabs((double)b.data[middle] - 1.0), e->gone);
}

// Rings run at all sides and into all corners.
static rill_status run_rings(const validation_case *self, int n, validation_result *out)
{
    const pool *p = self->setup;
    const double dt = COURANT * CELL / sqrt(EXACT_GRAVITY);
    rill_world *small = NULL, *large = NULL;
    echo e = {0};
    rill_status status = create_pool(p, n, RILL_BORDER_ABSORB, &small);
    if (status == RILL_OK)
        status = create_pool(p, WIDE_POOL, RILL_BORDER_WALL, &large);
    for (int k = 0; k < LISTENED / COURANT && status == RILL_OK; k++) {
        status = rill_world_step(small, dt);
        if (status == RILL_OK)
            status = rill_world_step(large, dt);
        if (status == RILL_OK)
            listen_pool(small, large, &e);
    }
    if (status == RILL_OK) {
        validation_finish(out, &e.norms, e.gone, small);
        // Up to 45 degrees, where corners begin.
        out->figures[0] = (validation_figure){e.back / e.gone, 0.015};
    }
    rill_world_destroy(&small);
    rill_world_destroy(&large);
    return status;
}

// Energy of the waves and their mean height inside the layers, in units that cancel.
static void weigh(rill_world *world, double *energy, double *mean, validation_norms *norms)
{
    const rill_columns c = rill_world_columns(world);
    *energy = *mean = 0.0;
    *norms = (validation_norms){0};
    for (int j = LAYER; j < POOL - LAYER; j++)
        for (int i = LAYER; i < POOL - LAYER; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            const double eta = (double)c.depth[k] - 1.0;
            const double u = (double)c.velocity_x[k], v = (double)c.velocity_y[k];
            *energy += EXACT_GRAVITY * eta * eta + u * u + v * v;
            *mean += eta;
            validation_norms_add(norms, eta);
        }
}

// A hump holds long waves as well, and more water than the pool at rest.
static rill_status run_calm(const validation_case *self, int n, validation_result *out)
{
    const double dt = COURANT * CELL / sqrt(EXACT_GRAVITY);
    double energy0 = 0.0, mean0 = 0.0, energy, mean;
    validation_norms norms;
    rill_world *world = NULL;
    rill_status status = create_pool(self->setup, n, RILL_BORDER_ABSORB, &world);
    if (status == RILL_OK) {
        weigh(world, &energy0, &mean0, &norms);
        status = validation_advance(world, CALM / COURANT * dt, dt);
    }
    if (status == RILL_OK) {
        weigh(world, &energy, &mean, &norms);
        validation_finish(out, &norms, AMPLITUDE, world);
        // A ten thousandth of the energy is a hundredth of the height.
        out->figures[0] = (validation_figure){energy / energy0, 1e-4};
        out->figures[1] = (validation_figure){fabs(mean / mean0), 1e-2};
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define PACKET_CASE(row, heading, text, what, ...)                                                 \
    {                                                                                              \
        .solver = "swe", .title = heading, .description = text, .grid_name = "cells a wavelength", \
        .rows = {{row, what}}, .row_count = 1, .grids = {10}, .grid_count = 1,                     \
        .setup = &(const packet){__VA_ARGS__}, .run = run_packet,                                  \
    }

#define ABSORB_TEXT                                                                              \
    "A packet of waves of 10 cells runs into an absorbing layer of 10 cells. Drawn: half of it " \
    "is in the layer, which is not shown. Exact: as without a border, nothing comes back."

#define ABSORB_CASE(row, metres, askew, way)                              \
    PACKET_CASE("swe-pml-" row, "An absorbing border: " row, ABSORB_TEXT, \
                "height that comes back, relative", metres, askew, RILL_BORDER_ABSORB, way)

#define WALL_CASE(row, askew, way)                                            \
    PACKET_CASE("swe-pml-" row, "A wall: " row,                               \
                "The same packet against a wall, which has to send it back.", \
                "height that is lost, relative", 1.0, askew, RILL_BORDER_WALL, way)

#define RINGS_CASE(row, how, way)                                                                \
    {                                                                                            \
        .solver = "swe", .title = "Rings in a pool with four absorbing sides, " how,             \
        .description = "Waves of 10 cells run from the middle at all sides and corners. Exact: " \
                       "nothing comes back.",                                                    \
        .grid_name = "cells a side", .rows = {{row, "height that comes back, relative"}},        \
        .row_count = 1, .grids = {POOL}, .grid_count = 1, .setup = &(const pool){way, true},     \
        .run = run_rings,                                                                        \
    }

#define CALM_CASE(row, how, way)                                                              \
    {                                                                                         \
        .solver = "swe", .title = "A hump in a pool with four absorbing sides, " how,         \
        .description = "It runs off at all sides. Exact: the pool is at rest at its level.",  \
        .grid_name = "cells a side",                                                          \
        .rows = {{row "-energy", "energy that is left, relative"},                            \
                 {row "-level", "mean level that is left, relative"}},                        \
        .row_count = 2, .grids = {POOL}, .grid_count = 1, .setup = &(const pool){way, false}, \
        .run = run_calm,                                                                      \
    }

static const validation_case cases[] = {
    ABSORB_CASE("straight-h0.5", 0.5, false, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("straight-h1", 1.0, false, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("straight-h20", 20.0, false, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("straight-h1-maccormack", 1.0, false, RILL_ADVECTION_MACCORMACK),
    ABSORB_CASE("askew-h0.5", 0.5, true, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("askew-h1", 1.0, true, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("askew-h20", 20.0, true, RILL_ADVECTION_CONSERVATIVE),
    ABSORB_CASE("askew-h1-maccormack", 1.0, true, RILL_ADVECTION_MACCORMACK),
    WALL_CASE("wall-straight", false, RILL_ADVECTION_CONSERVATIVE),
    WALL_CASE("wall-straight-maccormack", false, RILL_ADVECTION_MACCORMACK),
    WALL_CASE("wall-askew", true, RILL_ADVECTION_CONSERVATIVE),
    WALL_CASE("wall-askew-maccormack", true, RILL_ADVECTION_MACCORMACK),
    RINGS_CASE("swe-pml-corners", "conservative advection", RILL_ADVECTION_CONSERVATIVE),
    RINGS_CASE("swe-pml-corners-maccormack", "MacCormack advection", RILL_ADVECTION_MACCORMACK),
    CALM_CASE("swe-pml-calm", "conservative advection", RILL_ADVECTION_CONSERVATIVE),
    CALM_CASE("swe-pml-calm-maccormack", "MacCormack advection", RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_pml_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
