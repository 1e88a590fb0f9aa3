// SPDX-License-Identifier: MIT
// river_drives.h - for tests: small rivers of the river water itself, without a world around.
#pragma once

#include "solvers/river/river_internal.h"
#include "tests/kit/solver_runs.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

typedef struct river_case {
    rill_world_def def;
    float *bed;
} river_case;

#define RIVER_LAND 10.0f // metres over the water, which is at 0

// A plane at 0 over land, to be cut by a channel; it comes in from the west.
static inline river_case begin_river(int nx, int ny, double dx)
{
    river_case c = {.def = grid_def(nx, ny, dx)};
    c.def.solver = RILL_SOLVER_RIVER;
    c.bed = malloc((size_t)nx * (size_t)ny * sizeof *c.bed);
    assert_non_null(c.bed);
    for (int n = 0; n < nx * ny; n++)
        c.bed[n] = RIVER_LAND;
    c.def.river.path.surface = RILL_RIVER_PLANE;
    c.def.river.path.level = 0.0;
    c.def.river.path.from = RILL_SIDE_WEST;
    c.def.river.bootstrap = 0.0;
    c.def.river.wave_particles.texels = 0;
    return c;
}

// Water of `depth` in cells whose centres are in [x0, x1] x [y0, y1], metres.
static inline void dig(river_case *c, double x0, double y0, double x1, double y1, float depth)
{
    const double dx = (double)c->def.cell_size;
    for (int j = 0; j < c->def.ny; j++)
        for (int i = 0; i < c->def.nx; i++) {
            const double x = (i + 0.5) * dx, y = (j + 0.5) * dx;
            if (x >= x0 && x <= x1 && y >= y0 && y <= y1)
                c->bed[j * c->def.nx + i] = -depth;
        }
}

// A straight channel from west to east, `depth` deep between y0 and y1, metres.
static inline river_case begin_channel(int nx, int ny, double dx, double y0, double y1, float depth)
{
    river_case c = begin_river(nx, ny, dx);
    dig(&c, 0.0, y0, nx * dx, y1, depth);
    return c;
}

static inline rl_river *make_river(river_case *c)
{
    c->def.bed = (rill_field_view){c->bed, c->def.nx, c->def.ny, (size_t)c->def.nx};
    rl_river *r = make_solver(&rl_river_ops_table, &c->def, best_isa());
    free(c->bed);
    c->bed = NULL;
    return r;
}

static inline void free_river(rl_river **at)
{
    rl_river *r = *at;
    void *self = r;
    rl_river_ops_table.destroy(&r->own.allocator, &self);
}

static inline rl_river *started_river(river_case *c, rl_jobs *jobs)
{
    rl_river *r = make_river(c);
    assert_ok(rl_river_bootstrap(r, jobs));
    return r;
}

// Lets it flow, in steps that are no longer than the stable one.
static inline void run_river(rl_river *r, rl_jobs *jobs, double seconds, double dt)
{
    for (double time = 0.0; time < seconds - 1e-9;) {
        double step = fmin(dt, rl_river_ops_table.stable_step(r));
        step = fmin(step, seconds - time);
        rl_river_ops_table.step(r, jobs, step, &(rl_exchange){0});
        time += step;
    }
}

static inline bool wet_at(const rl_river *r, int i, int j)
{
    return i >= 0 && i < r->nx && j >= 0 && j < r->ny && rl_river_is_wet(r, i, j);
}

// The meandering valley of several tests, n x n cells; its depth falls from the middle to the
// banks, and swells and shallows along it.
static inline river_case begin_meander(int n, double dx)
{
    river_case c = begin_river(n, n, dx);
    const double length = n * dx, pi = 3.14159265358979;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double x = (i + 0.5) * dx / length, y = (j + 0.5) * dx / length;
            const double middle = 0.5 + 0.15 * sin(4.0 * pi * x);
            const double slope = 0.6 * pi * cos(4.0 * pi * x);
            const double across = (y - middle) / sqrt(1.0 + slope * slope);
            const double width = 0.05 + 0.015 * sin(6.0 * pi * x);
            const double part = 1.0 - (across / width) * (across / width);
            if (part > 0.0)
                c.bed[j * n + i] = (float)(-(1.0 + (4.0 + 2.0 * sin(10.0 * pi * x)) * part));
        }
    return c;
}
