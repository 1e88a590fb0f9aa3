// SPDX-License-Identifier: MIT
#include "tests/kit/worlds.h"

rill_world_def grid_def(int nx, int ny, double cell_size)
{
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)cell_size;
    return def;
}

rill_world_def lake_def(int nx, int ny, double cell_size, double level)
{
    rill_world_def def = grid_def(nx, ny, cell_size);
    def.use_level = 1;
    def.level = (float)level;
    return def;
}

void set_ground(rill_world_def *def, const float *bed, const float *depth)
{
    def->bed = (rill_field_view){bed, def->nx, def->ny, (size_t)def->nx};
    def->depth = (rill_field_view){depth, def->nx, def->ny, (size_t)def->nx};
}

rill_world *make_world(const rill_world_def *def)
{
    rill_world *world = NULL;
    assert_ok(rill_world_create(def, &world));
    return world;
}

void run_world(rill_world *world, int steps, double dt)
{
    for (int n = 0; n < steps; n++)
        assert_ok(rill_world_step(world, dt));
}

void run_frames(rill_world *world, int frames)
{
    run_world(world, frames, 1.0 / 60.0);
}

double world_volume(rill_world *world)
{
    return rill_world_ledger(world).water;
}

double fastest(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    double squared = 0.0;
    for (int k = 0; k < c.layers; k++)
        for (int j = 0; j < c.ny; j++)
            for (int i = 0; i < c.nx; i++) {
                const size_t at = (size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i;
                const double u = (double)c.velocity_x[at], v = (double)c.velocity_y[at];
                squared = fmax(squared, u * u + v * v);
            }
    return sqrt(squared);
}

rill_snapshot *saved_world(rill_world *world)
{
    rill_snapshot *snapshot = NULL;
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_world_save(world, snapshot));
    return snapshot;
}

void add_spring(rill_world *world, double x, double y, double radius, double rate)
{
    rill_source_def spring = rill_default_source_def();
    spring.x = x;
    spring.y = y;
    spring.radius = radius;
    spring.rate = rate;
    assert_ok(rill_world_add_source(world, &spring, NULL));
}

void set_rain(rill_world *world, double rate)
{
    const rill_rain_frame rain = {.rate = rate};
    assert_ok(rill_world_set_rain(world, &rain, 1));
}

size_t moved_cell(int i, int j, int n, int motion)
{
    const int x = motion & 1 ? n - 1 - i : i, y = motion & 2 ? n - 1 - j : j;
    return (size_t)(motion & 4 ? x * n + y : y * n + x);
}

rill_side moved_side(int side, int motion)
{
    if ((side < RILL_SIDE_SOUTH && motion & 1) || (side >= RILL_SIDE_SOUTH && motion & 2))
        side ^= 1;
    return (rill_side)(motion & 4 ? side ^ 2 : side);
}

float made_bed(int i, int j, double dx, double quantum)
{
    const double x = (i + 0.5) * dx, y = (j + 0.5) * dx;
    double z =
        0.8 * exp(-((x - 5) * (x - 5) + (y - 5) * (y - 5)) / 2) + 0.05 * sin(7 * x) * sin(5 * y);
    if (x > 7 && y < 3)
        z += 0.5; // a cliff
    z += 0.1 * (double)(((unsigned)i * 2654435761u + (unsigned)j * 40503u) % 97u) / 97.0;
    return (float)(quantum > 0 ? quantum * floor(z / quantum + 0.5) : z);
}

rill_world_def basin_def(int n, double level, double quantum, float *bed)
{
    rill_world_def def = lake_def(n, n, (double)(10.0f / (float)n), level);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            bed[j * n + i] = made_bed(i, j, 10.0 / n, quantum);
    def.bed = (rill_field_view){bed, n, n, (size_t)n};
    return def;
}
