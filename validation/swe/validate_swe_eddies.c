// SPDX-License-Identifier: MIT
// validate_swe_eddies.c - eddy viscosity (docs/validation.md): flows that decay by the constant
// one.
//
// In water that hardly feels gravity a sine of velocity decays by viscosity alone. Across it,
// u = U cos(k y), the stress is shear and du/dt = nu u_yy; along it, u = U sin(k x), it is twice
// the stretch and du/dt = 2 nu u_xx. Both between walls that let water slip, half a wave apart. The
// velocities are so small that the water hardly moves.
#include "validation/channel.h"
#include "validation/exact_swe.h"

#include <math.h>
#include <stdlib.h>

#define PI          3.14159265358979323846
#define HALF_WAVE   1.0  // metres
#define VISCOSITY   1.0  // m^2/s
#define DEPTH       0.01 // metres: waves take a hundred times as long as the decay
#define GRAVITY     0.01
#define SPEED       1e-3 // m/s
#define STEP        32.0 // steps of dx^2 / (32 nu): as dx^2, so that all errors fall with its order
#define LONG        8    // half waves along a sheared channel, so that its ends are far away
#define STILL_CELLS 4    // across a stretched one

typedef struct decay {
    bool shear;  // else stretch
    bool turned; // the flow is along y
    rill_advection advection;
} decay;

// The mode as a function of the place along its own axis, metres.
static double mode(const decay *d, double x)
{
    const double k = PI / HALF_WAVE;
    return d->shear ? cos(k * x) : sin(k * x);
}

// Does the mode vary along x? A shear varies across its flow.
static bool varies_along_x(const decay *d)
{
    return d->shear == d->turned;
}

static rill_status create(const decay *d, int n, rill_world **out)
{
    const int across = d->shear ? LONG * n : STILL_CELLS;
    const bool along_x = varies_along_x(d);
    const int nx = along_x ? n : across, ny = along_x ? across : n;
    const double cell = HALF_WAVE / n;
    validation_grid depth, velocity;
    if (!validation_grid_create(nx, ny, &depth))
        return RILL_NO_MEMORY;
    if (!validation_grid_create(nx, ny, &velocity)) {
        free(depth.data);
        return RILL_NO_MEMORY;
    }
    for (int k = 0; k < nx * ny; k++) {
        depth.data[k] = (float)DEPTH;
        velocity.data[k] = (float)(SPEED * mode(d, ((along_x ? k % nx : k / nx) + 0.5) * cell));
    }
    rill_world_def def = validation_swe_def(nx, ny, cell, d->advection);
    def.gravity = (float)GRAVITY;
    def.depth = validation_grid_view(&depth);
    *(d->turned ? &def.velocity_y : &def.velocity_x) = validation_grid_view(&velocity);
    def.swe.eddy_viscosity = (float)VISCOSITY;
    const rill_status status = rill_world_create(&def, out);
    free(depth.data);
    free(velocity.data);
    return status;
}

// How much of the mode there is in the middle of the channel.
static double amplitude(const decay *d, rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    const bool along_x = varies_along_x(d);
    const int n = along_x ? c.nx : c.ny, middle = (along_x ? c.ny : c.nx) / 2;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        const size_t at =
            along_x ? (size_t)middle * c.pitch + (size_t)k : (size_t)k * c.pitch + (size_t)middle;
        const float u = (d->turned ? c.velocity_y : c.velocity_x)[at];
        sum += (double)u * mode(d, (k + 0.5) * HALF_WAVE / n);
    }
    return sum / n;
}

static rill_status run_decay(const validation_case *self, int n, validation_result *out)
{
    const decay *d = self->setup;
    const double k = PI / HALF_WAVE, cell = HALF_WAVE / n;
    const double decays = d->shear ? 1.0 : 2.0; // by e, in the time of one for shear
    const double seconds = 1.0 / (VISCOSITY * k * k), step = cell * cell / (STEP * VISCOSITY);
    rill_world *world = NULL;
    rill_status status = create(d, n, &world);
    if (status != RILL_OK)
        return status;
    const double before = amplitude(d, world);
    status = validation_advance(world, seconds, step);
    if (status == RILL_OK) {
        const double error = fabs(amplitude(d, world) / before * exp(decays) - 1.0);
        // A central difference sees k^2 (1 - k^2 dx^2 / 12), so the sine decays too slowly by that
        // part; steps of Euler's rule decay it too fast, by less.
        out->figures[0] = (validation_figure){error, decays * k * k * cell * cell / 12.0};
        status = validation_finish_figure(world, error, out);
    }
    rill_world_destroy(&world);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define DECAY_CASE(row, sheared, turns, way)                                                       \
    {                                                                                              \
        .solver = "swe", .title = "A flow that decays by viscosity, " row,                         \
        .description = "A sine of velocity between walls that let water slip, half a wave apart. " \
                       "Exact: exp(-nu k^2 t) across the flow, exp(-2 nu k^2 t) along it.",        \
        .grid_name = "cells a half wave",                                                          \
        .rows = {{"swe-" row, "error of the amplitude after nu k^2 t = 1"}}, .row_count = 1,       \
        .grids = {10, 20, 40}, .grid_count = 3, .converges = true,                                 \
        .setup = &(const decay){sheared, turns, way}, .run = run_decay,                            \
    }

static const validation_case cases[] = {
    DECAY_CASE("shear", true, false, RILL_ADVECTION_CONSERVATIVE),
    DECAY_CASE("shear-maccormack", true, true, RILL_ADVECTION_MACCORMACK),
    DECAY_CASE("stretch", false, true, RILL_ADVECTION_CONSERVATIVE),
    DECAY_CASE("stretch-maccormack", false, false, RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_swe_eddy_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
