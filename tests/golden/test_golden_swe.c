// SPDX-License-Identifier: MIT
// A recorded hash of a lively swe world, as test_golden_pipes.c has it for the pipes: a terrace
// with a spring whose water falls, a block of water that breaks over a bank, an inflow, an
// absorbing side, a wall between cells, a jet, spray and foam, and fine waves.
#include "tests/kit/backends.h"

enum { NX = 140, NY = 131 };

// Heights on a grain of 1/64 m from whole numbers: no math library has a say.
static float ground(int i, int j)
{
    const int terrace = i > 100 && j > 80 ? 192 : 0, bank = i > 40 && i < 46 ? 40 : 0;
    return (float)(terrace + bank + (i * 7 + j * 13) % 11) / 64.0f;
}

static rill_world *make(int row, rill_backend backend, int workers)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            bed[j * NX + i] = ground(i, j);
            depth[j * NX + i] = i < 30 ? 2.0f : i < 90 ? 0.25f : 0.0f;
        }
    rill_world_def def = grid_def(NX, NY, 0.5);
    def.solver = RILL_SOLVER_SWE;
    def.swe.advection = row / 2 ? RILL_ADVECTION_MACCORMACK : RILL_ADVECTION_CONSERVATIVE;
    def.swe.manning = row % 2 ? 0.03125f : 0.0f;
    set_ground(&def, bed, depth);
    def.border[RILL_SIDE_WEST] = RILL_BORDER_ABSORB;
    def.border_level[RILL_SIDE_WEST] = 2.0f;
    def.border[RILL_SIDE_SOUTH] = RILL_BORDER_INFLOW;
    def.border_level[RILL_SIDE_SOUTH] = 0.125f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.particles.max_particles = 20000;
    def.particles.breaking_rise = 0.5f;
    def.particles.breaking_curvature = -0.125f;
    def.waves.size = 16;
    def.backend = backend;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    add_spring(world, 60.0, 52.0, 3.0, 4.0);
    rill_emitter_def jet = rill_default_emitter_def();
    set3(jet.position, 30.0, 20.0, 4.0);
    jet.velocity[0] = 3.0;
    jet.rate = 0.5;
    assert_ok(rill_world_add_emitter(world, &jet, NULL));
    assert_ok(rill_world_set_wall(world, 25.0, 10.0, 25.0, 30.0, 1));
    return world;
}

static void check(rill_world *world)
{
    assert_true(rill_world_ledger(world).error < 1e-6);
    assert_true(rill_world_particles(world).count > 500);
}

// Both advections, on smooth and on rough ground.
TEST(the_recorded_hashes_come_out)
{
    const uint64_t hashes[] = {0x9197cce4ca6dea4cu, 0xd839651b75ff5240u, 0x2daa5bdb7afa926bu,
                               0x733a5087e7a6cc07u};
    assert_recorded(make, check, 128, hashes, 4);
}
