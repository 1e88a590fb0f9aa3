// SPDX-License-Identifier: MIT
// A recorded hash of a lively world of several layers, as test_golden_pipes.c has it for one: a
// basin beside a tunnel that floods, a table with a spring on it, a mover, drains and a level
// outside.
#include "tests/kit/backends.h"
#include "tests/kit/solids.h"

enum { NX = 52, NY = 37 };

// Boxes, a sphere and square roots: no math library has a say.
static rill_solid *make_solid(void)
{
    rill_solid *solid = make_air(NX, NY, 0.25, 4.0);
    const rill_sdf_primitive floor = box_at(6.5, 4.625, 0.0, 32.0, 32.0, 1.0);
    const rill_sdf_primitive dam = box_at(6.5, 4.625, 1.5, 3.0, 32.0, 3.0);
    const rill_sdf_primitive tunnel = box_at(6.5, 4.0, 0.75, 6.0, 1.5, 0.5);
    const rill_sdf_primitive table = box_at(2.0, 6.0, 2.25, 2.0, 3.0, 0.5);
    const rill_sdf_primitive sphere = ball_at(10.5, 5.0, 1.75, 1.0);
    combine(solid, floor, RILL_COMBINE_UNION);
    combine(solid, dam, RILL_COMBINE_UNION);
    combine(solid, tunnel, RILL_COMBINE_SUBTRACT);
    combine(solid, table, RILL_COMBINE_UNION);
    assert_ok(rill_solid_combine(solid, &sphere, RILL_COMBINE_SMOOTH_UNION, 0.5));
    return solid;
}

static rill_world *make(int row, rill_backend backend, int workers)
{
    const rill_passages passages[] = {RILL_PASSAGES_UNIFIED, RILL_PASSAGES_UNIFIED,
                                      RILL_PASSAGES_AXIS, RILL_PASSAGES_NONE};
    rill_solid *solid = make_solid();
    rill_world_def def = lake_def(NX, NY, 0.25, 0.75);
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.layers.passages = passages[row];
    def.layers.slope_correction = row == 1;
    def.pipes.viscosity = 1e-3f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = 1.75f;
    def.backend = backend;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    rill_solid_destroy(&solid);
    rill_source_def spring = rill_default_source_def();
    spring.x = 2.0;
    spring.y = 6.0;
    spring.radius = 0.5;
    spring.rate = 0.25;
    spring.pulse = 1.0;
    spring.pulse_depth = 0.5;
    assert_ok(rill_world_add_source(world, &spring, NULL));
    const rill_path_key path[] = {{0.0, 3.0, 2.0, 1.0}, {4.0, 2.0, 4.0, 1.25}};
    add_moving_ball(world, path, 2);
    return world;
}

static void check(rill_world *world)
{
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// Passages of all kinds, and slopes corrected with the first.
TEST(the_recorded_hashes_come_out)
{
    const uint64_t hashes[] = {0x6101ee3ed1e96b0fu, 0xedc94d4375d1d4dau, 0x947962e85c10d392u,
                               0xba61a88e1994e9deu};
    assert_recorded(make, check, 256, hashes, 4);
}
