// SPDX-License-Identifier: MIT
// test_stats.c - what a world says about its water: the speed and the Froude number are those of
// water that a user would call wet, they have a place, and threads do not show.
#include "tests/kit/kit.h"
#include "tests/kit/solids.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define NX 48
#define NY 20

// A slope of 1 in 1 that falls to the west, high above the floor, under `film` metres of water; in
// the east a basin with `pool` metres of it, whose last quarter stands `heap` metres higher.
static rill_world *slope_above_pool(rill_solver solver, double film, double pool, double heap,
                                    int workers)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const bool slope = i < NX / 2;
            bed[j * NX + i] = slope ? (float)(5 + i) : 0.0f;
            depth[j * NX + i] = (float)(slope ? film : pool + (i >= 3 * NX / 4 ? heap : 0.0));
        }
    rill_world_def def = grid_def(NX, NY, 1.0);
    def.solver = solver;
    def.worker_count = workers;
    set_ground(&def, bed, depth);
    return make_world(&def);
}

// The statistics from their definition, one column after another.
static rill_stats by_definition(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    rill_stats s = {0};
    for (int pass = 0; pass < 2; pass++) {
        s.speed_depth = fmaxf(fminf(0.01f * c.cell_size, 0.1f * s.max_depth), c.wet_depth);
        for (int k = 0; k < c.layers; k++)
            for (int j = 0; j < c.ny; j++)
                for (int i = 0; i < c.nx; i++) {
                    const size_t at = (size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i;
                    const float d = c.depth[at], u = c.velocity_x[at], v = c.velocity_y[at];
                    const float speed = sqrtf(u * u + v * v);
                    const float froude = speed / sqrtf(rill_world_gravity(world) * d);
                    s.max_depth = fmaxf(s.max_depth, d);
                    s.wet_cells += pass == 0 && d > c.wet_depth;
                    if (pass == 0 || !(d > c.wet_depth) || d < s.speed_depth)
                        continue;
                    const bool full =
                        c.range_max != NULL && c.base[at] + d >= c.range_max[at] - c.wet_depth;
                    s.max_speed = fmaxf(s.max_speed, speed);
                    s.max_froude = full ? s.max_froude : fmaxf(s.max_froude, froude);
                }
    }
    return s;
}

static bool near(float a, float b)
{
    return fabsf(a - b) <= 1e-5f * fabsf(b);
}

// The column at a place.
static size_t column_at(const rill_columns *c, float x, float y, int layer)
{
    const size_t i = (size_t)(x / c->cell_size), j = (size_t)(y / c->cell_size);
    assert_true(i < (size_t)c->nx && j < (size_t)c->ny && layer >= 0 && layer < c->layers);
    return (size_t)layer * c->layer_stride + j * c->pitch + i;
}

static float speed_at(const rill_columns *c, size_t at)
{
    return sqrtf(c->velocity_x[at] * c->velocity_x[at] + c->velocity_y[at] * c->velocity_y[at]);
}

// What is said agrees with the definition, and the columns at the places have the values.
static rill_stats checked(rill_world *world)
{
    const rill_stats s = rill_world_stats(world), wanted = by_definition(world);
    const rill_columns c = rill_world_columns(world);
    assert_true(s.max_depth == wanted.max_depth && s.wet_cells == wanted.wet_cells);
    assert_true(s.speed_depth == wanted.speed_depth);
    assert_true(near(s.max_speed, wanted.max_speed) && near(s.max_froude, wanted.max_froude));
    const size_t fast = column_at(&c, s.max_speed_x, s.max_speed_y, s.max_speed_layer);
    assert_true(near(speed_at(&c, fast), s.max_speed));
    assert_true(c.depth[fast] >= s.speed_depth || s.max_speed == 0.0f);
    const size_t wild = column_at(&c, s.max_froude_x, s.max_froude_y, s.max_froude_layer);
    const float celerity = sqrtf(rill_world_gravity(world) * c.depth[wild]);
    assert_true(s.max_froude == 0.0f || near(speed_at(&c, wild) / celerity, s.max_froude));
    return s;
}

TEST(a_film_on_a_steep_slope_does_not_set_the_speed)
{
    const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE};
    for (int n = 0; n < 2; n++) {
        SCOPED(rill_world) *world = slope_above_pool(solvers[n], 3e-4, 2.0, 0.2, 1);
        run_frames(world, 30);
        const rill_stats s = checked(world);
        // A dam of 0.2 m over 2 m drives the water at less than 0.2 sqrt(g / 2 m) = 0.45 m/s; the
        // film falls freely, at up to 9.81 m/s^2 / 2 * 0.5 s.
        assert_true(s.max_speed > 0.1f && s.max_speed < 0.45f);
        assert_true(s.max_speed_x > NX / 2 && s.max_froude_x > NX / 2);
        assert_true(s.max_froude < 0.2f);
        assert_true(fastest(world) > 1.0);
    }
}

TEST(a_world_of_films_has_a_speed)
{
    SCOPED(rill_world) *world = slope_above_pool(RILL_SOLVER_SWE, 5e-4, 0.0, 0.0, 1);
    run_frames(world, 30);
    const rill_stats s = checked(world);
    assert_true(s.max_depth < 0.01f && s.max_speed > 1.0f && s.max_froude > 10.0f);
    assert_true(s.max_speed_layer == 0);
}

TEST(water_at_rest_and_no_water_have_no_speed_and_no_place)
{
    for (int wet = 0; wet < 2; wet++) {
        const rill_world_def def = lake_def(NX, NY, 1.0, wet);
        SCOPED(rill_world) *world = make_world(&def);
        run_frames(world, 2);
        const rill_stats s = rill_world_stats(world);
        assert_true(s.max_speed == 0.0f && s.max_speed_x == 0.0f && s.max_speed_y == 0.0f);
        assert_true(s.max_froude == 0.0f && s.max_froude_x == 0.0f && s.max_froude_y == 0.0f);
        assert_true(s.wet_cells == (wet ? NX * NY : 0));
    }
}

// Water runs below a slab as deep as the gap is high, and out of it.
TEST(layers_are_named_and_a_flooded_column_has_no_froude_number)
{
    rill_solid_def grid = rill_default_solid_def();
    grid.nx = grid.ny = 16;
    grid.cell_size = 0.25;
    grid.bottom = -0.5;
    grid.top = 3.0;
    SCOPED(rill_solid) *solid = NULL;
    assert_ok(rill_solid_create(&grid, &solid));
    combine(solid, placed(RILL_SDF_PLANE, 0.0, 0.0, 0.0), RILL_COMBINE_UNION);
    combine(solid, box_at(2.0, 2.0, 0.75, 2.0, 8.0, 0.5), RILL_COMBINE_UNION);
    rill_world_def def = grid_def(16, 16, 0.25);
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    SCOPED(rill_world) *world = make_world(&def);
    assert_ok(rill_world_pour_at(world, 0.4, 2.0, 0.1, 3.0, 6.0, NULL));
    bool covered = false;
    for (int n = 0; n < 60; n++) {
        run_frames(world, 1);
        covered |= checked(world).max_speed_layer == 1;
    }
    assert_true(covered);
}

TEST(threads_do_not_show)
{
    rill_stats first = {0};
    for (int n = 0; n < 4; n++) {
        SCOPED(rill_world) *world =
            slope_above_pool(RILL_SOLVER_SWE, 0.02, 1.0, 1.0, (int[]){1, 2, 3, 8}[n]);
        run_frames(world, 20);
        const rill_stats s = checked(world);
        if (n == 0)
            first = s;
        assert_true(s.max_speed == first.max_speed && s.max_speed_x == first.max_speed_x &&
                    s.max_speed_y == first.max_speed_y && s.max_froude == first.max_froude &&
                    s.max_froude_x == first.max_froude_x && s.max_froude_y == first.max_froude_y &&
                    s.wet_cells == first.wet_cells && s.max_depth == first.max_depth);
    }
}
