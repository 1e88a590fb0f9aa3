// SPDX-License-Identifier: MIT
// mazes.h - for tests of flooded passages: a block with basins and passages cut out of it, in whole
// cells of a millimetre, and the layers water in it, taken by the hand.
#pragma once

#include "core/cpu.h"
#include "solvers/layers/layers_cell.h"
#include "solvers/layers/layers_passages_inside.h"
#include "solvers/solver.h"
#include "tests/kit/kit.h"
#include "tests/kit/solver_runs.h"

#include "rill/rill.h"

#define MM 1e-3

typedef struct maze {
    rill_solid *solid;
    rill_world_def def;
    rl_layers *s;
    double time;
    rl_exchange moved;
} maze;

// A block of nx x ny x nz mm.
static inline maze maze_block(int nx, int ny, int nz)
{
    maze m = {.def = rill_default_world_def()};
    rill_solid_def def = rill_default_solid_def();
    def.nx = m.def.nx = nx;
    def.ny = m.def.ny = ny;
    def.cell_size = MM;
    def.bottom = -2 * MM;
    def.top = (nz + 2) * MM;
    m.def.cell_size = (float)MM;
    m.def.solver = RILL_SOLVER_LAYERS;
    m.def.layers.max_layers = 4;
    assert_ok(rill_solid_create(&def, &m.solid));
    rill_sdf_primitive plane = rill_default_sdf_primitive(RILL_SDF_PLANE);
    plane.position[2] = nz * MM;
    assert_ok(rill_solid_combine(m.solid, &plane, RILL_COMBINE_UNION, 0));
    return m;
}

// Cuts a box out of the block, millimetres. One that ends above the block is a basin.
static inline void maze_cut(maze *m, int x0, int y0, int z0, int x1, int y1, int z1)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    const double low[3] = {x0 * MM, y0 * MM, z0 * MM}, high[3] = {x1 * MM, y1 * MM, z1 * MM};
    for (int k = 0; k < 3; k++) {
        box.position[k] = 0.5 * (low[k] + high[k]);
        box.size[k] = high[k] - low[k];
    }
    assert_ok(rill_solid_combine(m->solid, &box, RILL_COMBINE_SUBTRACT, 0));
}

#define MAZE_SKY 1000 // millimetres: above every block

static inline void maze_start(maze *m)
{
    m->def.solid = m->solid;
    m->s = make_solver(&rl_layers_ops, &m->def, best_isa());
    m->time = 0.0;
}

static inline void maze_destroy(maze *m)
{
    void *self = m->s;
    const rill_allocator allocator = {0};
    rl_layers_ops.destroy(&allocator, &self);
    rill_solid_destroy(&m->solid);
}

static inline bool maze_is_live(const maze *m, size_t slot)
{
    return m->s->range_max.origin[slot] > m->s->base.origin[slot];
}

// Fills all columns of cells [x0, x1) x [y0, y1) up to a level, metres.
static inline void maze_fill(maze *m, int x0, int y0, int x1, int y1, double level)
{
    rl_layers *s = m->s;
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = y0; j < y1; j++)
            for (int i = x0; i < x1; i++) {
                const size_t slot = rl_layers_slot(s, plane, i, j);
                if (!maze_is_live(m, slot))
                    continue;
                const float base = s->base.origin[slot], top = s->range_max.origin[slot];
                float depth = fmaxf((float)level - base, 0.0f);
                if (rl_layers_above(base, depth, top))
                    depth = rl_layers_full_depth(base, top);
                s->depth.origin[slot] = depth;
                s->max_depth = fmaxf(s->max_depth, depth);
            }
    rl_layers_ops.state_changed(s);
}

static inline double maze_step(maze *m, double longest)
{
    const double dt = fmin(longest, rl_layers_ops.stable_step(m->s));
    rl_layers_ops.step(m->s, NULL, dt, &m->moved);
    m->time += dt;
    return dt;
}

static inline void maze_run(maze *m, double seconds, double longest)
{
    const double end = m->time + seconds;
    while (m->time < end - 1e-9)
        maze_step(m, fmin(longest, end - m->time));
}

static inline double maze_volume(const maze *m)
{
    return rl_layers_ops.volume(m->s, NULL);
}

// Liquid in cells [x0, x1) x [y0, y1) of the plane under the sky, or of all covered ones, m^3.
static inline double maze_volume_in(const maze *m, bool covered, int x0, int y0, int x1, int y1)
{
    const rl_layers *s = m->s;
    double sum = 0.0;
    for (int plane = covered; plane < (covered ? s->planes : 1); plane++)
        for (int j = y0; j < y1; j++)
            for (int i = x0; i < x1; i++)
                sum += (double)s->depth.origin[rl_layers_slot(s, plane, i, j)];
    return sum * MM * MM;
}

// Mean level of a basin with a flat floor, metres.
static inline double maze_level(const maze *m, int x0, int y0, int x1, int y1)
{
    const size_t slot = rl_layers_slot(m->s, 0, x0, y0);
    const double area = (double)((x1 - x0) * (y1 - y0)) * MM * MM;
    return (double)m->s->base.origin[slot] + maze_volume_in(m, false, x0, y0, x1, y1) / area;
}

static inline int maze_flooded(const maze *m)
{
    const rl_layers *s = m->s;
    int count = 0;
    for (int plane = 1; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++)
            for (int i = 0; i < s->nx; i++)
                count += s->flooded.origin[rl_layers_slot(s, plane, i, j)] > 0.0f;
    return count;
}

// No depth below zero, none above the ceiling, no NaN.
static inline void maze_assert_sound(const maze *m)
{
    const rl_layers *s = m->s;
    for (int plane = 0; plane < s->planes; plane++)
        for (int j = 0; j < s->ny; j++)
            for (int i = 0; i < s->nx; i++) {
                const size_t slot = rl_layers_slot(s, plane, i, j);
                const float depth = s->depth.origin[slot], base = s->base.origin[slot];
                if (!maze_is_live(m, slot))
                    continue;
                if (!(depth >= 0.0f && base + depth <= s->range_max.origin[slot]))
                    fail_msg("column %d of cell (%d, %d) holds %g above %g", plane, i, j,
                             (double)depth, (double)base);
            }
}
