// SPDX-License-Identifier: MIT
// swe_worlds.h - waters for tests of the swe water, stepped without a world around them, and looks
// into them.
#pragma once

#include "core/numbers.h"
#include "solvers/swe/swe.h"
#include "tests/unit/counting_host.h"

#include "rill/rill.h"

#include <math.h>
#include <stdio.h>

#define SWE_MAX_CELLS (160 * 160)

// Ground and depths to be filled by a test before it makes the water.
typedef struct swe_case {
    rill_world_def def;
    float bed[SWE_MAX_CELLS], depth[SWE_MAX_CELLS];
} swe_case;

static inline rill_world_def swe_def(int nx, int ny, double dx)
{
    rill_world_def def = rill_default_world_def();
    def.solver = RILL_SOLVER_SWE;
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)dx;
    def.wet_depth = (float)(1e-4 * dx);
    return def;
}

// A flat, dry ground.
static inline void begin_case(swe_case *c, int nx, int ny, double dx)
{
    assert_true(nx * ny <= SWE_MAX_CELLS);
    c->def = swe_def(nx, ny, dx);
    memset(c->bed, 0, sizeof c->bed);
    memset(c->depth, 0, sizeof c->depth);
    c->def.bed = (rill_field_view){c->bed, nx, ny, (size_t)nx};
    c->def.depth = (rill_field_view){c->depth, nx, ny, (size_t)nx};
}

static inline rl_swe *make_swe_on(const rill_world_def *def, rl_isa isa)
{
    void *self = NULL;
    if (rl_swe_ops.create(def, isa, &self) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return self;
}

static inline rl_swe *make_swe(const rill_world_def *def)
{
    rl_isa isa;
    assert_int_equal(rl_isa_pick(&isa), RILL_OK);
    return make_swe_on(def, isa);
}

static inline void free_swe(rl_swe *s)
{
    const rill_allocator allocator = s->allocator;
    void *self = s;
    rl_swe_ops.destroy(&allocator, &self);
}

static inline double volume_of(rl_swe *s)
{
    return rl_swe_ops.volume(s, NULL);
}

static inline float *depth_row(const rl_swe *s, int y)
{
    return rill_field_row(&rl_swe_now(s)->depth, y);
}

static inline float *u_row(const rl_swe *s, int y)
{
    return rill_field_row(&rl_swe_now(s)->u, y);
}

static inline float *v_row(const rl_swe *s, int y)
{
    return rill_field_row(&rl_swe_now(s)->v, y);
}

// As many stable steps, none longer than `longest`.
static inline void run_swe(rl_swe *s, rl_jobs *jobs, int steps, double longest,
                           rl_exchange *exchange)
{
    rl_exchange none = {0};
    for (int n = 0; n < steps; n++)
        rl_swe_ops.step(s, jobs, fmin(rl_swe_ops.stable_step(s), longest),
                        exchange != NULL ? exchange : &none);
}

// Stable steps up to `time` seconds.
static inline void run_swe_for(rl_swe *s, double time, rl_exchange *exchange)
{
    rl_exchange none = {0};
    for (double left = time; left > 0.0;) {
        const double dt = fmin(rl_swe_ops.stable_step(s), left);
        rl_swe_ops.step(s, NULL, dt, exchange != NULL ? exchange : &none);
        left = dt < left ? left - dt : 0.0;
    }
}

// Sets all velocities, the faces at the borders too.
static inline void set_velocities(rl_swe *s, float u, float v)
{
    for (int y = -1; y < s->ny; y++)
        for (int i = -1; i < s->nx; i++) {
            if (y >= 0)
                u_row(s, y)[i] = u;
            if (i >= 0)
                v_row(s, y)[i] = v;
        }
    s->largest.u = fabsf(u);
    s->largest.v = fabsf(v);
    rl_swe_ops.state_changed(s);
}

static inline uint64_t hash_swe(rl_swe *s)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = rl_swe_ops.state(s, arrays);
    uint64_t hash = 14695981039346656037u;
    for (int n = 0; n < count; n++)
        for (size_t row = 0; row < arrays[n].rows; row++) {
            const unsigned char *bytes =
                (const unsigned char *)(arrays[n].data + row * arrays[n].pitch);
            for (size_t b = 0; b < arrays[n].width * sizeof(float); b++)
                hash = (hash ^ bytes[b]) * 1099511628211u;
        }
    return hash;
}

static inline double fastest_in(rl_swe *s)
{
    const rill_columns c = rl_swe_ops.columns(s, NULL, NULL);
    double largest = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = 0; i < c.nx; i++) {
            const size_t k = (size_t)j * c.pitch + (size_t)i;
            largest = fmax(largest, hypot((double)c.velocity_x[k], (double)c.velocity_y[k]));
        }
    return largest;
}

static inline void assert_sound(const rl_swe *s)
{
    for (int y = 0; y < s->ny; y++)
        for (int i = 0; i < s->nx; i++) {
            assert_true(depth_row(s, y)[i] >= 0.0f && depth_row(s, y)[i] < 1e6f);
            assert_true(fabsf(u_row(s, y)[i]) < 1e6f && fabsf(v_row(s, y)[i]) < 1e6f);
        }
}
