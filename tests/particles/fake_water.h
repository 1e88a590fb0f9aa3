// SPDX-License-Identifier: MIT
// fake_water.h - for tests of particles: a water that does not move by itself. It holds a depth
// and a momentum a cell, in doubles, and does exactly what it is told; a test sets what columns and
// motion show.
#pragma once

#include "core/numbers.h"
#include "particles/particles_internal.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"

#include "rill/support.h"

#include "rill/support.h"

#include "rill/support.h"

#include <math.h>

#define FAKE_MAX_FALLS 8

typedef struct fake_water {
    int nx, ny;
    float cell_size, wet_depth;
    rill_field base, depth, before, velocity_x, velocity_y;
    double *held;                    // depths, metres
    double *momentum_x, *momentum_y; // m^4/s
    double given, taken;             // m^3
    double taken_x, taken_y;         // momentum that left with it, m^4/s
    double given_x, given_y;
    int deposits;
    double largest_part; // of what is asked for that a cell gives, 0 to 1
    double motion_step;
    float depth_limit;
    rl_fall falls[FAKE_MAX_FALLS];
    int fall_count;
    bool moves; // shows the motion; else `before` means nothing
} fake_water;

static inline float *fake_cell(const rill_field *field, int i, int j)
{
    return rill_field_row(field, j) + i;
}

static inline fake_water *fake_create(int nx, int ny, float cell_size, float depth)
{
    fake_water *w = calloc(1, sizeof *w);
    assert_non_null(w);
    *w = (fake_water){.nx = nx,
                      .ny = ny,
                      .cell_size = cell_size,
                      .wet_depth = 1e-4f,
                      .largest_part = 1.0,
                      .motion_step = 1.0 / 60.0,
                      .depth_limit = 1e30f};
    rill_field *const fields[] = {&w->base, &w->depth, &w->before, &w->velocity_x, &w->velocity_y};
    for (int n = 0; n < 5; n++)
        assert_true(rill_field_create(NULL, nx, ny, 0, fields[n]));
    const size_t cells = (size_t)nx * (size_t)ny;
    w->held = calloc(cells, sizeof(double));
    w->momentum_x = calloc(cells, sizeof(double));
    w->momentum_y = calloc(cells, sizeof(double));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            w->held[j * nx + i] = (double)depth;
            *fake_cell(&w->depth, i, j) = *fake_cell(&w->before, i, j) = depth;
        }
    return w;
}

static inline void fake_water_destroy(fake_water **at)
{
    fake_water *w = *at;
    rill_field *const fields[] = {&w->base, &w->depth, &w->before, &w->velocity_x, &w->velocity_y};
    for (int n = 0; n < 5; n++)
        rill_field_destroy(NULL, fields[n]);
    free(w->held);
    free(w->momentum_x);
    free(w->momentum_y);
    free(w);
}

// Sets the water of a cell, and what it was before.
static inline void fake_set(fake_water *w, int i, int j, float depth, float before)
{
    w->held[j * w->nx + i] = (double)depth;
    *fake_cell(&w->depth, i, j) = depth;
    *fake_cell(&w->before, i, j) = before;
}

static inline double fake_deposit(void *self, const rl_deposit *d)
{
    fake_water *w = self;
    const double area = (double)w->cell_size * (double)w->cell_size;
    double sum = 0.0;
    assert_true(d->layer == 0 && d->row >= 0 && d->row < w->ny && d->first >= 0 &&
                d->first + d->count <= w->nx);
    for (int n = 0; n < d->count; n++) {
        const int i = d->first + n, at = d->row * w->nx + i;
        const double asked = (double)d->depth[n];
        const double change = asked < 0.0 ? -fmin(w->held[at], -asked * w->largest_part) : asked;
        assert_true(isfinite(change));
        w->held[at] += change;
        *fake_cell(&w->depth, i, d->row) = (float)w->held[at];
        sum += change * area;
        const double part = asked < 0.0 ? change / asked : 1.0; // of the momentum as well
        const double x = d->momentum_x != NULL ? part * (double)d->momentum_x[n] : 0.0;
        const double y = d->momentum_y != NULL ? part * (double)d->momentum_y[n] : 0.0;
        assert_true(isfinite(x) && isfinite(y));
        w->momentum_x[at] += x;
        w->momentum_y[at] += y;
        *(asked < 0.0 ? &w->taken_x : &w->given_x) += asked < 0.0 ? -x : x;
        *(asked < 0.0 ? &w->taken_y : &w->given_y) += asked < 0.0 ? -y : y;
    }
    *(sum < 0.0 ? &w->taken : &w->given) += fabs(sum);
    w->deposits++;
    return sum;
}

static inline rill_columns fake_columns(void *self, rl_jobs *jobs,
                                        const rl_columns_request *request)
{
    fake_water *w = self;
    (void)jobs;
    (void)request;
    return (rill_columns){.nx = w->nx,
                          .ny = w->ny,
                          .layers = 1,
                          .pitch = w->base.pitch,
                          .cell_size = w->cell_size,
                          .wet_depth = w->wet_depth,
                          .base = w->base.origin,
                          .depth = w->depth.origin,
                          .velocity_x = w->velocity_x.origin,
                          .velocity_y = w->velocity_y.origin};
}

static inline rl_motion fake_motion(void *self)
{
    fake_water *w = self;
    return (rl_motion){.depth_before = w->moves ? w->before.origin : NULL,
                       .step = w->moves ? w->motion_step : 0.0,
                       .depth_limit = w->depth_limit,
                       .falls = w->falls,
                       .fall_count = w->fall_count};
}

static const rl_motion_ops fake_motion_ops = {.get = fake_motion};
static const rl_solver_ops fake_ops = {
    .name = "fake", .deposit = fake_deposit, .columns = fake_columns, .motion = &fake_motion_ops};

static inline double fake_volume(const fake_water *w)
{
    rl_sum sum = {0};
    for (int n = 0; n < w->nx * w->ny; n++)
        rl_sum_add(&sum, w->held[n]);
    return rl_sum_value(&sum) * (double)w->cell_size * (double)w->cell_size;
}

static inline rl_particles_flow fake_view(fake_water *w, rl_jobs *jobs)
{
    return (rl_particles_flow){.ops = &fake_ops,
                               .solver = w,
                               .jobs = jobs,
                               .nx = w->nx,
                               .ny = w->ny,
                               .cell_size = w->cell_size,
                               .gravity = 9.81f};
}

// Particles as a world with cells of 1 m would make them, without anything random.
static inline rill_particles_def quiet_def(int most)
{
    rill_particles_def def = rill_default_particles_def();
    def.max_particles = most;
    def.radius = 0.125f;
    def.foam_radius = 0.25f;
    def.velocity_noise = 0.0f;
    def.spray_share = 0.0f;
    return def;
}

static inline rl_particles *make_particles(rill_particles_def def, uint64_t seed)
{
    rl_particles *p = NULL;
    assert_ok(rl_particles_create(&def, seed, best_isa(), NULL, &p));
    return p;
}

// V_eff of a splash, m^3.
static inline double effective_volume(const rill_particles_def *def, double radius)
{
    return (double)def->deposit * 4.18879020478639 * radius * radius * radius;
}
