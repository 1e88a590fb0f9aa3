// SPDX-License-Identifier: MIT
// swe_worlds.h - waters for tests of the swe water, stepped without a world around them, and looks
// into them.
#pragma once

#include "core/numbers.h"
#include "solvers/swe/swe.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/solver_runs.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define SWE_MAX_CELLS (160 * 160)

// Ground and depths to be filled by a test before it makes the water.
typedef struct swe_case {
    rill_world_def def;
    float bed[SWE_MAX_CELLS], depth[SWE_MAX_CELLS];
} swe_case;

static inline rill_world_def swe_def(int nx, int ny, double dx)
{
    rill_world_def def = grid_def(nx, ny, dx);
    def.solver = RILL_SOLVER_SWE;
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
    set_ground(&c->def, c->bed, c->depth);
}

static inline rl_swe *make_swe(const rill_world_def *def)
{
    return make_solver(&rl_swe_ops, def, best_isa());
}

static inline void free_swe(rl_swe **at)
{
    rl_swe *s = *at;
    const rill_allocator allocator = s->own.allocator;
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

static inline void run_swe(rl_swe *s, rl_jobs *jobs, int steps, double longest,
                           rl_exchange *exchange)
{
    run_solver(&rl_swe_ops, s, jobs, steps, longest, exchange);
}

static inline void run_swe_for(rl_swe *s, double time, rl_exchange *exchange)
{
    run_solver_for(&rl_swe_ops, s, NULL, time, exchange);
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
    return hash_solver(&rl_swe_ops, s);
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
