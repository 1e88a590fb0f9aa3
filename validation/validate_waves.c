// SPDX-License-Identifier: MIT
// validate_waves.c - standing waves in a closed basin (docs/validation.md).
//
// A small wave h = H + a cos(kx x) cos(ky y) is let go. With c^2 = g H (wetted pipes) or g dx (the
// papers' pipes) it swings for ever, and the frequency w of its mode is
//
//     of the sea:     w = c |k|
//     of the scheme:  sin(w dt / 2) = (c dt / dx) sqrt(sin^2(kx dx / 2) + sin^2(ky dx / 2))
//
// The second holds exactly, for every wave the grid can carry, when nothing damps it. Where
// something does, a step takes an exact share of the amplitude, see `scheme` below.
#include "validation/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY   9.81
#define CELL      0.5  // metres
#define AMPLITUDE 1e-4 // of the depth: steepening is negligible
#define PERIODS   8
#define FRAMES    32 // steps of the world in a period
#define PI        3.14159265358979323846

typedef struct wave_setup {
    double depth; // metres
    rill_pipes_def pipes;
    rill_solver solver;
    rill_advection advection; // of the `swe` solver
} wave_setup;

// One standing wave: what it is, and the amplitude of its mode after each step of the world.
typedef struct wave {
    int nx, ny;
    double depth, kx, ky; // metres, 1/metre
    double dt;            // of a step of the world, seconds
    int samples;
    double *mode; // amplitude of the mode over the one let go, `samples` values
    rill_world *world;
} wave;

static double shape(const wave *w, int i, int j)
{
    return cos(w->kx * (i + 0.5) * CELL) * cos(w->ky * (j + 0.5) * CELL);
}

// The record of the mode.
static validation_swing record(const wave *w)
{
    return (validation_swing){w->mode, w->samples, w->dt};
}

static double measured_frequency(const wave *w)
{
    const validation_swing swing = record(w);
    return validation_swing_frequency(&swing);
}

// ---- A run -----------------------------------------------------------------------------

static double mode_amplitude(const wave *w)
{
    const rill_field_view depth = rill_world_depth(w->world);
    double sum = 0.0, weight = 0.0;
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++) {
            const double s = shape(w, i, j);
            sum += ((double)depth.data[(size_t)j * depth.pitch + (size_t)i] - w->depth) * s;
            weight += s * s;
        }
    return sum / weight / (AMPLITUDE * w->depth);
}

static rill_status create(wave *w, const wave_setup *setup)
{
    validation_grid start;
    if (!validation_grid_create(w->nx, w->ny, &start))
        return RILL_NO_MEMORY;
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++)
            start.data[(size_t)j * (size_t)w->nx + (size_t)i] =
                (float)(w->depth * (1.0 + AMPLITUDE * shape(w, i, j)));
    rill_world_def def = rill_default_world_def();
    def.nx = w->nx;
    def.ny = w->ny;
    def.cell_size = (float)CELL;
    def.gravity = (float)GRAVITY;
    def.depth = validation_grid_view(&start);
    def.pipes = setup->pipes;
    def.pipes.critical_flow = 1; // the default: no wave here is as fast as that
    def.solver = setup->solver;
    def.swe.advection = setup->advection;
    const rill_status status = rill_world_create(&def, &w->world);
    free(start.data);
    return status;
}

static rill_status swing(wave *w)
{
    w->mode = calloc((size_t)w->samples, sizeof *w->mode);
    if (w->mode == NULL)
        return RILL_NO_MEMORY;
    w->mode[0] = mode_amplitude(w);
    rill_status status = RILL_OK;
    for (int n = 1; n < w->samples && status == RILL_OK; n++) {
        status = rill_world_step(w->world, w->dt);
        w->mode[n] = mode_amplitude(w);
    }
    return status;
}

static void finish(wave *w)
{
    free(w->mode);
    w->mode = NULL;
    rill_world_destroy(&w->world);
}

// The surface at the end against the exact one, over the amplitude at the start.
static void compare_surface(const wave *w, double exact_mode, validation_norms *norms)
{
    const rill_field_view depth = rill_world_depth(w->world);
    for (int j = 0; j < w->ny; j++)
        for (int i = 0; i < w->nx; i++) {
            const double d = (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
            const double a = (d / w->depth - 1.0) / AMPLITUDE;
            validation_norms_add(norms, a - shape(w, i, j) * exact_mode);
        }
}

// How far floats let a mode be known, as a part of its amplitude at the start: depths are rounded
// by half their spacing.
static double rounding(double depth)
{
    return validation_float_spacing(depth) / (AMPLITUDE * depth);
}

// ---- Speed of long waves ---------------------------------------------------------------

// The last two periods, where the grids differ most.
static rill_status draw_swing(const wave *w, int n, validation_plot *plot)
{
    enum { SHOWN = 2 * FRAMES + 1, FINE = 8 };
    char label[32];
    snprintf(label, sizeof label, "%d cells a wave", n);
    validation_curve *exact = validation_add_curve(plot, VALIDATION_EXACT, "exact", FINE * SHOWN);
    validation_curve *computed = validation_add_curve(plot, VALIDATION_COMPUTED, label, SHOWN);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "time / period";
    plot->y_name = "mode / mode at the start";
    for (int s = 0; s < FINE * SHOWN; s++) {
        exact->x[s] = PERIODS - 2.0 + 2.0 * s / (FINE * SHOWN - 1);
        exact->y[s] = cos(2.0 * PI * exact->x[s]);
    }
    for (int s = 0; s < SHOWN; s++) {
        computed->x[s] = PERIODS - 2.0 + (double)s / FRAMES;
        computed->y[s] = w->mode[w->samples - SHOWN + s];
    }
    return RILL_OK;
}

// The default water, by steps of the world that it divides as it likes. A wavelength is n cells,
// the basin one wavelength.
static rill_status run_speed(const validation_case *self, int n, validation_result *out)
{
    const wave_setup *setup = self->setup;
    const double k = 2.0 * PI / (n * CELL), c = sqrt(GRAVITY * setup->depth);
    wave w = {.nx = n, .ny = 4, .depth = setup->depth, .kx = k};
    w.dt = 2.0 * PI / (k * c) / FRAMES;
    w.samples = PERIODS * FRAMES + 1;
    rill_status status = create(&w, setup);
    if (status == RILL_OK)
        status = swing(&w);
    if (status == RILL_OK) {
        validation_norms norms = {0};
        compare_surface(&w, 1.0, &norms); // after whole periods
        validation_finish(out, &norms, 1.0, w.world);
        // One percent, asked of the speed at every depth. The dispersion of the scheme takes at
        // most (k dx)^2 / 24 of it: 0.6 % with 16 cells a wave, a quarter of that with each
        // doubling.
        const double error = fabs(measured_frequency(&w) / (k * c) - 1.0);
        out->figures[0] = (validation_figure){error, 0.01};
        status = draw_swing(&w, n, &out->plot);
    }
    finish(&w);
    return status;
}

// ---- The scheme itself -----------------------------------------------------------------

#define BASIN   64  // cells a side
#define COURANT 0.5 // c dt / dx: a step of the world is one substep, 0.64 is the longest

// One mode under one substep is a rotation that shrinks. With the discharge of the mode scaled so
// that its divergence is itself,
//
//     q' = gamma (zeta sigma q + K h),   h' = h - q',   K = 4 (c dt/dx)^2 (sin^2 + sin^2)
//
// where friction leaves zeta = omega^dt, smoothing sigma = 1 - (1 - theta) C / C0 (1 - cos(k dx))
// with C0 the Courant number of the longest step, C0^2 = 0.9 theta / 2, and viscosity gamma = H^2 /
// (H^2 + 3 dt nu). The determinant gamma zeta sigma is the square of the share of amplitude that is
// kept, the trace gives the angle. From rest, with q = 0 and h = 1,
//
//     h_n = share^n (cos(n angle) + lead sin(n angle)).
typedef struct scheme {
    double share, angle, lead;
} scheme;

static double exact_mode(const scheme *s, int step)
{
    return pow(s->share, step) * (cos(step * s->angle) + s->lead * sin(step * s->angle));
}

static double wave_speed(const wave_setup *setup)
{
    return sqrt(GRAVITY * (setup->pipes.area == RILL_AREA_PAPER ? CELL : setup->depth));
}

static double substep(const wave_setup *setup)
{
    return COURANT * CELL / wave_speed(setup);
}

// Waves along both axes are for undamped water only: smoothing would take a different part of each.
static scheme solve(const wave_setup *setup, double kx, double ky)
{
    const rill_pipes_def *p = &setup->pipes;
    const double dt = substep(setup), depth2 = setup->depth * setup->depth;
    const double sx = sin(0.5 * kx * CELL), sy = sin(0.5 * ky * CELL);
    const double push = 4.0 * COURANT * COURANT * (sx * sx + sy * sy);
    const double theta = (double)p->smoothing, longest = sqrt(0.9 * 0.5 * theta);
    const double sigma = 1.0 - (1.0 - theta) * COURANT / longest * (1.0 - cos((kx + ky) * CELL));
    const double zeta = pow(1.0 - (double)p->friction, dt);
    const double gamma = depth2 / (depth2 + 3.0 * dt * (double)p->viscosity);
    scheme s = {.share = sqrt(gamma * zeta * sigma)};
    s.angle = acos((gamma * zeta * sigma + 1.0 - gamma * push) / (2.0 * s.share));
    s.lead = ((1.0 - gamma * push) / s.share - cos(s.angle)) / sin(s.angle);
    return s;
}

// Lets one wave swing in the large basin, one substep a step.
static rill_status run_mode(const wave_setup *setup, const scheme *s, wave *w)
{
    w->nx = w->ny = BASIN;
    w->depth = setup->depth;
    w->dt = substep(setup);
    w->samples = (int)ceil(PERIODS * 2.0 * PI / s->angle) + 1;
    rill_status status = create(w, setup);
    if (status == RILL_OK)
        status = swing(w);
    // The relation is that of one substep a step; a wave that grew and took more has none.
    if (status == RILL_OK && rill_world_last_step(w->world).steps != (uint64_t)w->samples - 1)
        w->mode[w->samples - 1] = NAN;
    return status;
}

static void keep_worst(validation_figure *figure, double error)
{
    figure->error = validation_larger(figure->error, error);
}

// The relation as two lines, the waves of this run as two points.
static rill_status draw_relation(const wave_setup *setup, int n, const double measured[2],
                                 validation_plot *plot)
{
    enum { FINE = 200 };
    static const char *const names[] = {"exact, along an axis", "exact, along a diagonal"};
    char label[32];
    snprintf(label, sizeof label, "%d cells a wave", n);
    const double c = wave_speed(setup), dt = substep(setup);
    plot->x_name = "wavenumber times cell size";
    plot->y_name = "speed / speed of long waves";
    validation_curve *computed = validation_add_curve(plot, VALIDATION_COMPUTED, label, 2);
    if (computed == NULL)
        return RILL_NO_MEMORY;
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        validation_curve *exact =
            validation_add_curve(plot, VALIDATION_EXACT, names[diagonal], FINE);
        if (exact == NULL)
            return RILL_NO_MEMORY;
        const double part = diagonal ? sqrt(0.5) : 1.0;
        for (int i = 0; i < FINE; i++) {
            const double k = 2.3 * (i + 1) / FINE / CELL;
            const scheme s = solve(setup, k * part, diagonal ? k * part : 0.0);
            exact->x[i] = k * CELL;
            exact->y[i] = s.angle / dt / (c * k);
        }
        const double k = 2.0 * PI / (n * CELL) / part;
        computed->x[diagonal] = k * CELL;
        computed->y[diagonal] = measured[diagonal] / (c * k);
    }
    return RILL_OK;
}

// Waves of n cells along x, along y and along both, without smoothing.
static rill_status run_dispersion(const validation_case *self, int n, validation_result *out)
{
    const wave_setup *setup = self->setup;
    const double k = 2.0 * PI / (n * CELL), c = wave_speed(setup);
    const double waves[][2] = {{0.0, k}, {k, 0.0}, {k, k}};
    validation_figure *relation = &out->figures[0], *speed = &out->figures[1];
    // A mode known to a part r of its amplitude has a phase known to r radians; the frequency is a
    // difference of phases over all periods. One percent of the speed as above.
    relation->bound = rounding(setup->depth) / (2.0 * PI * PERIODS);
    // The relation is that of infinitely small waves. With advection a wave of height a runs on
    // water that is deeper by a / H, and is carried by it at that part of its own speed.
    if (setup->solver == RILL_SOLVER_SWE)
        relation->bound += 1.5 * AMPLITUDE;
    speed->bound = 0.01;
    validation_norms norms = {0};
    double measured[2] = {0};
    rill_status status = RILL_OK;
    for (int m = 0; m < 3 && status == RILL_OK; m++) {
        wave w = {.kx = waves[m][0], .ky = waves[m][1]};
        const scheme s = solve(setup, w.kx, w.ky);
        status = run_mode(setup, &s, &w);
        if (status == RILL_OK) {
            const double frequency = measured_frequency(&w);
            compare_surface(&w, exact_mode(&s, w.samples - 1), &norms);
            validation_finish(out, &norms, 1.0, w.world);
            keep_worst(relation, fabs(frequency * w.dt / s.angle - 1.0));
            keep_worst(speed, fabs(frequency / (c * hypot(w.kx, w.ky)) - 1.0));
            measured[m == 2] = frequency;
        }
        finish(&w);
    }
    return status == RILL_OK ? draw_relation(setup, n, measured, &out->plot) : status;
}

// ---- Damping ---------------------------------------------------------------------------

static rill_status draw_damping(const wave *w, const scheme *s, validation_plot *plot)
{
    validation_curve *exact = validation_add_curve(plot, VALIDATION_EXACT, "exact", w->samples);
    validation_curve *computed =
        validation_add_curve(plot, VALIDATION_COMPUTED, "computed", w->samples);
    if (exact == NULL || computed == NULL)
        return RILL_NO_MEMORY;
    plot->x_name = "time, s";
    plot->y_name = "mode / mode at the start";
    for (int n = 0; n < w->samples; n++) {
        exact->x[n] = computed->x[n] = w->dt * n;
        exact->y[n] = exact_mode(s, n);
        computed->y[n] = w->mode[n];
    }
    return RILL_OK;
}

static rill_status run_damping(const validation_case *self, int n, validation_result *out)
{
    const wave_setup *setup = self->setup;
    wave w = {.kx = 2.0 * PI / (n * CELL)};
    const scheme s = solve(setup, w.kx, w.ky);
    rill_status status = run_mode(setup, &s, &w);
    if (status == RILL_OK) {
        validation_norms norms = {0};
        compare_surface(&w, exact_mode(&s, w.samples - 1), &norms);
        validation_finish(out, &norms, 1.0, w.world);
        // Whole periods, so that both fits weigh the decay alike.
        const int half = (int)lround(PERIODS / 2 * 2.0 * PI / s.angle);
        const double frequency = s.angle / w.dt;
        const validation_swing swing = record(&w);
        const double before = validation_fit_swing(&swing, frequency, 0, half).amplitude;
        const double after = validation_fit_swing(&swing, frequency, half, 2 * half).amplitude;
        const double exact = half * log(s.share);
        // The rounding of the mode is a part of what is left of it at the end.
        const double left = pow(s.share, w.samples - 1);
        const double bound = rounding(setup->depth) / (left * -exact);
        out->figures[0] = (validation_figure){fabs(log(after / before) / exact - 1.0), bound};
        status = draw_damping(&w, &s, &out->plot);
    }
    finish(&w);
    return status;
}

// ---- Cases -----------------------------------------------------------------------------

#define SPEED_CASE(text, metres)                                                               \
    {                                                                                          \
        .solver = "pipes", .title = "Speed of a wave in " text " m of water",                  \
        .description = "A standing wave in a closed basin, cells of 0.5 m, default settings. " \
                       "Exact: c = sqrt(g H). Smoothing makes short waves fade, not slow.",    \
        .grid_name = "cells a wavelength", .rows = {{"pipes-wave-h" text, "speed, relative"}}, \
        .row_count = 1, .grids = {16, 32, 64, 128}, .grid_count = 4, .converges = true,        \
        .setup = &(const wave_setup){.depth = metres, .pipes.smoothing = RILL_SMOOTHING_AUTO}, \
        .run = run_speed,                                                                      \
    }

#define DAMPING_CASE(what, text, ...)                                                           \
    {                                                                                           \
        .solver = "pipes", .title = "Damping by " what,                                         \
        .description = "A standing wave in a metre of water, one substep a step. Exact: " text, \
        .grid_name = "cells a wavelength",                                                      \
        .rows = {{"pipes-wave-damping-" what, "rate of decay, relative"}}, .row_count = 1,      \
        .grids = {32}, .grid_count = 1,                                                         \
        .setup = &(const wave_setup){.depth = 1.0, .pipes = {__VA_ARGS__}}, .run = run_damping, \
    }

#define SWE_SPEED_CASE(text, metres)                                                           \
    {                                                                                          \
        .solver = "swe", .title = "Speed of a wave in " text " m of water, swe",               \
        .description = "A standing wave in a closed basin, cells of 0.5 m, default settings. " \
                       "Exact: c = sqrt(g H).",                                                \
        .grid_name = "cells a wavelength", .rows = {{"swe-wave-h" text, "speed, relative"}},   \
        .row_count = 1, .grids = {16, 32, 64, 128}, .grid_count = 4,                           \
        .setup =                                                                               \
            &(const wave_setup){                                                               \
                metres, {.smoothing = 1.0f}, RILL_SOLVER_SWE, RILL_ADVECTION_CONSERVATIVE},    \
        .run = run_speed,                                                                      \
    }

#define SWE_SCHEME_CASE(row, how, way)                                                             \
    {                                                                                              \
        .solver = "swe", .title = "Dispersion of the `swe` solver, " how,                          \
        .description = "Standing waves along x, along y and along both, one substep a step. "      \
                       "Exact for small waves: sin(w dt/2) = (c dt/dx) sqrt(sin^2(kx dx/2) + "     \
                       "sin^2(ky dx/2)).",                                                         \
        .grid_name = "cells a wavelength", .rows = {{row, "frequency, relative"}}, .row_count = 1, \
        .grids = {4, 8, 16, 32}, .grid_count = 4,                                                  \
        .setup = &(const wave_setup){.depth = 1.0,                                                 \
                                     .pipes.smoothing = 1.0f,                                      \
                                     .solver = RILL_SOLVER_SWE,                                    \
                                     .advection = way},                                            \
        .run = run_dispersion,                                                                     \
    }

static const validation_case cases[] = {
    SPEED_CASE("0.1", 0.1),
    SPEED_CASE("1", 1.0),
    SPEED_CASE("10", 10.0),
    {
        .solver = "pipes",
        .title = "Dispersion of the scheme",
        .description = "Standing waves along x, along y and along both, one substep a step, no "
                       "smoothing. Exact: sin(w dt/2) = (c dt/dx) sqrt(sin^2(kx dx/2) + "
                       "sin^2(ky dx/2)).",
        .grid_name = "cells a wavelength",
        .rows = {{"pipes-wave-dispersion", "frequency, relative"}},
        .row_count = 1,
        .grids = {4, 8, 16, 32},
        .grid_count = 4,
        .setup = &(const wave_setup){.depth = 1.0, .pipes.smoothing = 1.0f},
        .run = run_dispersion,
    },
    {
        .solver = "pipes",
        .title = "The pipes of the papers",
        .description = "The same waves with the constant area dx^2 in 2 m of water, cells of "
                       "0.5 m. Exact: the same relation with c = sqrt(g dx), whatever the depth.",
        .grid_name = "cells a wavelength",
        .rows = {{"pipes-wave-paper", "frequency, relative"},
                 {"pipes-wave-paper-speed", "speed against sqrt(g dx)"}},
        .row_count = 2,
        .grids = {16, 32, 64},
        .grid_count = 3,
        .setup = &(const wave_setup){.depth = 2.0,
                                     .pipes = {.area = RILL_AREA_PAPER, .smoothing = 1.0f}},
        .run = run_dispersion,
    },
    DAMPING_CASE("smoothing",
                 "a step keeps sqrt(1 - (1 - theta) dt / dt0 (1 - cos(k dx))) of the wave.",
                 .smoothing = 0.9f),
    DAMPING_CASE("friction", "a step keeps omega^(dt/2) of the wave.", .smoothing = 1.0f,
                 .friction = 0.05f),
    DAMPING_CASE("viscosity", "a step keeps sqrt(H^2 / (H^2 + 3 dt nu)) of the wave.",
                 .smoothing = 1.0f, .viscosity = 0.02f),
    SWE_SPEED_CASE("0.1", 0.1),
    SWE_SPEED_CASE("1", 1.0),
    SWE_SPEED_CASE("10", 10.0),
    SWE_SCHEME_CASE("swe-wave-dispersion", "conservative advection", RILL_ADVECTION_CONSERVATIVE),
    SWE_SCHEME_CASE("swe-wave-dispersion-maccormack", "MacCormack advection",
                    RILL_ADVECTION_MACCORMACK),
};

validation_topic validation_wave_cases(void)
{
    return (validation_topic){cases, sizeof cases / sizeof cases[0]};
}
