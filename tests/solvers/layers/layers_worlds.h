// SPDX-License-Identifier: MIT
// layers_worlds.h - grounds of slabs for tests of the layers water, and looks into it.
#pragma once

#include "core/numbers.h"
#include "solvers/layers/layers.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/solver_runs.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

// Solid from `low` to `high`, metres.
typedef struct slab {
    double low, high;
} slab;

// The first slab of a column reaches down to anywhere. Slabs are at least a cell thick: nodes lie
// half a cell beside multiples of the cell size.
#define DEEP (-1e3)

static inline rl_solid *air(int nx, int ny, double dx, double top)
{
    rl_solid *solid = NULL;
    const rill_solid_def def = {
        .nx = nx, .ny = ny, .cell_size = dx, .bottom = -0.5 * dx, .top = top};
    assert_ok(rill_solid_create(&def, &solid));
    return solid;
}

// Makes the nodes above a cell such that a ray finds exactly these slabs.
static inline void set_column(rl_solid *solid, int i, int j, const slab *slabs, int count)
{
    const double band = 8.0 * solid->cell_size;
    float *distance = rl_solid_column(solid, i, j);
    for (int k = 0; k < solid->nz; k++) {
        const double z = solid->bottom + k * solid->cell_size;
        double nearest = band;
        for (int n = 0; n < count; n++)
            nearest = fmin(nearest, fmax(slabs[n].low - z, z - slabs[n].high));
        distance[k] = (float)fmax(nearest, -band);
    }
}

static inline rill_world_def layers_def(int nx, int ny, double dx, const rl_solid *solid)
{
    rill_world_def def = grid_def(nx, ny, dx);
    def.solver = RILL_SOLVER_LAYERS;
    def.wet_depth = (float)(1e-4 * dx);
    def.solid = solid;
    def.layers.max_layers = 4;
    return def;
}

static inline rl_layers *make_layers(const rill_world_def *def)
{
    return make_solver(&rl_layers_ops, def, best_isa());
}

static inline void free_layers(rl_layers **at)
{
    rl_layers *s = *at;
    const rill_allocator allocator = s->own.allocator;
    void *self = s;
    rl_layers_ops.destroy(&allocator, &self);
}

static inline double volume(rl_layers *s)
{
    return rl_layers_ops.volume(s, NULL);
}

static inline void run_layers(rl_layers *s, rl_jobs *jobs, int steps, double longest,
                              rl_exchange *exchange)
{
    run_solver(&rl_layers_ops, s, jobs, steps, longest, exchange);
}

static inline uint64_t hash_state(rl_layers *s)
{
    return hash_solver(&rl_layers_ops, s);
}

// No column is below its base or above its ceiling, to the last bit, and no liquid lies where there
// is no column.
static inline void assert_within_ranges(const rl_layers *s)
{
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++)
            for (int i = 0; i < s->nx; i++) {
                const size_t slot = rl_layers_slot(s, plane, i, j);
                const float depth = s->depth.origin[slot], base = s->base.origin[slot];
                if (!rl_layers_live(s, slot)) {
                    assert_true(depth == 0.0f && s->remainder.origin[slot] == 0.0f);
                    continue;
                }
                if (!(depth >= 0.0f) || base + depth > s->range_max.origin[slot])
                    fail_msg("column (%d, %d) of plane %d: base %.9g, depth %.9g, ceiling %.9g", i,
                             j, plane, (double)base, (double)depth,
                             (double)s->range_max.origin[slot]);
            }
}

// A landscape with roofs, holes in them, caves within caves and uneven floors. Metres: dx is 0.25.
#define CAVES 40
static inline rl_solid *caves(double quantum)
{
    rl_solid *solid = air(CAVES, CAVES, 0.25, 4.0);
    for (int j = -1; j <= CAVES; j++)
        for (int i = -1; i <= CAVES; i++) {
            slab slabs[3];
            int count = 0;
            const double x = i - 0.5 * CAVES, y = j - 0.5 * CAVES, r = hypot(x, y);
            const unsigned rough = (unsigned)(i + 7) * 2654435761u + (unsigned)(j + 3) * 40503u;
            double floor_z = 0.3 + 0.2 * sin(0.5 * i) * cos(0.4 * j) + 0.2 * (rough % 97u) / 97.0;
            if (quantum > 0.0)
                floor_z = quantum * floor(floor_z / quantum);
            slabs[count++] = (slab){DEEP, floor_z};
            const bool hole = hypot(x - 6, y + 4) < 2.5;
            if (r < 15 && !hole)
                slabs[count++] = (slab){1.0 + 1.0 / 64.0 * (rough % 5u), 1.375 + 0.25 * (i % 3)};
            if (r < 9 && j % 11 != 3)
                slabs[count++] = (slab){2.5, 2.75 + 0.03125 * (j % 5)};
            set_column(solid, i, j, slabs, count);
        }
    return solid;
}

// Every kind of pipe and of border has its turn.
static inline void choose_variant(rill_world_def *def, int variant)
{
    def->pipes.area = variant % 5 == 4 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
    def->pipes.viscosity = variant % 3 == 1 ? 1e-3f : 0.0f;
    def->pipes.drag = variant % 3 == 2 ? 0.01f : 0.0f;
    def->pipes.friction = 0.1f;
    def->pipes.smoothing = variant % 2 ? 1.0f : 0.8f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        def->border[side] = (rill_border)((variant + side) % 3);
        def->border_level[side] = 0.9f;
    }
}
