// SPDX-License-Identifier: MIT
#include "tests/kit/worlds.h"

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
    return (double)rill_world_stats(world).max_speed;
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
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = n;
    def.cell_size = 10.0f / (float)n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            bed[j * n + i] = made_bed(i, j, 10.0 / n, quantum);
    def.bed = (rill_field_view){bed, n, n, (size_t)n};
    def.level = (float)level;
    def.use_level = 1;
    return def;
}
