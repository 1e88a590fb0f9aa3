// SPDX-License-Identifier: MIT
// river_basins.h - for tests: the river water without a world, its wet cells given by a function.
#pragma once

#include "core/numbers.h"
#include "solvers/river/river_internal.h"
#include "tests/kit/kit.h"

typedef bool (*basin)(int i, int j, int n);

static inline bool basin_channel(int i, int j, int n) // along y, a quarter of the width
{
    (void)j;
    return 8 * i >= 3 * n && 8 * i < 5 * n;
}

static inline bool basin_lake(int i, KIT_UNUSED int j, int n)
{
    return i > n / 10 && i < n - n / 10;
}

static inline double basin_middle(double j, double n)
{
    return n * (0.5 + 0.09 * sin(25.0 * j / n) + 0.03 * sin(46.0 * j / n + 1.0));
}

// A meandering river with rocks in it.
static inline bool basin_river(int i, int j, int n)
{
    const double slope = 0.5 * (basin_middle(j + 1, n) - basin_middle(j - 1, n));
    const double away = fabs(i + 0.5 - basin_middle(j, n)) / sqrt(1.0 + slope * slope);
    const uint64_t rock = (uint64_t)(i / 3) + 4096 * (uint64_t)(j / 3);
    return away < fmax(0.011 * n, 3.0) && !(rl_random_unit(1, 2, rock) < 0.006f);
}

static inline rl_river *basin_create(int nx, int ny, int n, basin wet)
{
    rl_river *r = rl_owned_create(NULL, sizeof *r);
    assert_non_null(r);
    r->nx = nx;
    r->ny = ny;
    r->cell_size = 1.0f;
    r->wet_depth = 1e-3f;
    r->gain = 1.0;
    r->def.tolerance = 5e-5f;
    r->def.speed = 1.0f;
    r->def.sweeps = 20;
    r->rows = &rl_river_rows_c;
    rill_field *const fields[] = {&r->bed,        &r->surface, &r->depth,    &r->velocity_x,
                                  &r->velocity_y, &r->dye,     &r->dye_next, &r->obstacle};
    for (int f = 0; f < 8; f++)
        rl_owned_field(&r->own, nx, ny, 1, 0, fields[f]);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            rill_field_row(&r->surface, j)[i] = wet(i, j, n) ? 2.0f : RL_RIVER_DRY;
            rill_field_row(&r->bed, j)[i] = wet(i, j, n) ? 0.0f : 3.0f;
        }
    assert_ok(rl_river_levels_create(r));
    assert_ok(rl_river_direct_create(r));
    return r;
}

static inline void free_basin(rl_river **at)
{
    void *self = *at;
    rl_river_ops_table.destroy(NULL, &self);
}

// Sets every open face of level 0; random: uniform in mean +- 1.
static inline void basin_set_flow(rl_river *r, float u, float v, bool random)
{
    rl_river_level *level = &r->levels[0];
    for (int j = 0; j <= r->ny; j++)
        for (int i = 0; i <= r->nx; i++) {
            const uint64_t face = (uint64_t)j * 8192 + (uint64_t)i;
            const float a = random ? 2.0f * rl_random_unit(7, 1, face) - 1.0f : 0.0f;
            const float b = random ? 2.0f * rl_random_unit(7, 2, face) - 1.0f : 0.0f;
            if (j < r->ny && rill_field_row(&level->full_x, j)[i] > 0.0f)
                rill_field_row(&level->u, j)[i] = u + a;
            if (i < r->nx && rill_field_row(&level->full_y, j)[i] > 0.0f)
                rill_field_row(&level->v, j)[i] = v + b;
        }
}

// Detail as seen by a viewer at (x, y), in cells.
static inline void basin_look(rl_river *r, double x, double y, double near)
{
    const double viewer[3] = {x, y, 0.0};
    rl_quadtree_get(r->detail, viewer, near);
    rl_river_levels_regroup(r);
}

static inline bool basin_wet(const rl_river *r, int i, int j)
{
    return i >= 0 && i < r->nx && j >= 0 && j < r->ny &&
           rill_field_row(&r->levels[0].wet, j)[i] > 0.0f;
}
