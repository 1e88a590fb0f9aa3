// SPDX-License-Identifier: MIT
// A recorded hash of a lively swe world, as test_golden_hash.c has it for the pipes: a terrace with
// a spring whose water falls, a block of water that breaks over a bank, an inflow, an absorbing
// side, a wall between cells, a jet, spray and foam, and fine waves.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

enum { NX = 140, NY = 131 };

// Heights on a grain of 1/64 m from whole numbers: no math library has a say.
static float ground(int i, int j)
{
    const int terrace = i > 100 && j > 80 ? 192 : 0, bank = i > 40 && i < 46 ? 40 : 0;
    return (float)(terrace + bank + (i * 7 + j * 13) % 11) / 64.0f;
}

static rill_world *make(int workers, rill_advection advection, float manning)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            bed[j * NX + i] = ground(i, j);
            depth[j * NX + i] = i < 30 ? 2.0f : i < 90 ? 0.25f : 0.0f;
        }
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_SWE;
    def.swe.advection = advection;
    def.swe.manning = manning;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.depth = (rill_field_view){depth, NX, NY, NX};
    def.border[RILL_SIDE_WEST] = RILL_BORDER_ABSORB;
    def.border_level[RILL_SIDE_WEST] = 2.0f;
    def.border[RILL_SIDE_SOUTH] = RILL_BORDER_INFLOW;
    def.border_level[RILL_SIDE_SOUTH] = 0.125f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.particles.max_particles = 20000;
    def.particles.breaking_rise = 0.5f;
    def.particles.breaking_curvature = -0.125f;
    def.waves.size = 16;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    rill_source_def spring = rill_default_source_def();
    spring.x = 60.0;
    spring.y = 52.0;
    spring.radius = 3.0;
    spring.rate = 4.0;
    assert_int_equal(rill_world_add_source(world, &spring, NULL), RILL_OK);
    rill_emitter_def jet = rill_default_emitter_def();
    jet.position[0] = 30.0;
    jet.position[1] = 20.0;
    jet.position[2] = 4.0;
    jet.velocity[0] = 3.0;
    jet.rate = 0.5;
    assert_int_equal(rill_world_add_emitter(world, &jet, NULL), RILL_OK);
    assert_int_equal(rill_world_set_wall(world, 25.0, 10.0, 25.0, 30.0, 1), RILL_OK);
    return world;
}

TEST(the_recorded_hashes_come_out)
{
    const struct {
        rill_advection advection;
        float manning;
        uint64_t hash;
    } recorded[] = {
        {RILL_ADVECTION_CONSERVATIVE, 0.0f, 0x35088e6cce4ac6cdu},
        {RILL_ADVECTION_CONSERVATIVE, 0.03125f, 0x58b28ee8b986df31u},
        {RILL_ADVECTION_MACCORMACK, 0.0f, 0x6cdff5ba271af6eeu},
        {RILL_ADVECTION_MACCORMACK, 0.03125f, 0x93476fadd592b0b0u},
    };
    int different = 0;
    for (size_t n = 0; n < sizeof recorded / sizeof recorded[0]; n++)
        for (int workers = TEST_ONE_THREAD_TOO ? 1 : 3; workers <= 3; workers += 2) {
            rill_world *world = make(workers, recorded[n].advection, recorded[n].manning);
            run_world(world, 128, 1.0 / 64.0);
            const uint64_t hash = rill_world_hash(world);
            if (hash != recorded[n].hash) {
                print_message("row %zu, %d workers, %s: 0x%016llx\n", n, workers,
                              rill_world_isa(world), (unsigned long long)hash);
                different++;
            }
            assert_true(rill_world_ledger(world).error < 1e-6);
            assert_true(rill_world_particles(world).count > 500);
            rill_world_destroy(&world);
        }
    assert_int_equal(different, 0);
}
