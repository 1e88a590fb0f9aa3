// SPDX-License-Identifier: MIT
// A recorded hash of a lively world: the same number must come out of every compiler, optimisation
// level, instruction set, number of threads and machine. When the arithmetic of the pipes water
// changes on purpose, the new number is printed below the failure; say in the commit why it
// changed.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

enum { NX = 133, NY = 140 };

// The bed is made of integers alone, so that no math library has a say.
static rill_world *make(int workers, rill_pipe_area area, float viscosity)
{
    static float bed[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int valley = abs(i - 60) + abs(j - 70), rough = (i * 37 + j * 57) % 19;
            bed[j * NX + i] = (float)(valley * 8 + rough) / 256.0f;
        }
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.25f;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.use_level = 1;
    def.level = 1.5f;
    def.pipes.area = area;
    def.pipes.viscosity = viscosity;
    def.pipes.friction = 0.125f;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_NORTH] = 5.0f;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    rill_source_def spring = rill_default_source_def();
    spring.x = 20.0;
    spring.y = 10.0;
    spring.radius = 1.0;
    spring.rate = 0.5;
    assert_int_equal(rill_world_add_source(world, &spring, NULL), RILL_OK);
    const rill_rain_frame rain = {.rate = 1e-4};
    assert_int_equal(rill_world_set_rain(world, &rain, 1), RILL_OK);
    assert_int_equal(rill_world_pour(world, 15.0, 17.0, 2.0, 4.0, NULL), RILL_OK);
    return world;
}

TEST(the_recorded_hashes_come_out)
{
    const struct {
        rill_pipe_area area;
        float viscosity;
        uint64_t hash;
    } recorded[] = {
        {RILL_AREA_WETTED, 0.0f, 0x1c0a91f9d1b24734u},
        {RILL_AREA_WETTED, 1e-3f, 0x38f7dbf5bd6b8a6bu},
        {RILL_AREA_PAPER, 0.0f, 0xf49d52bcc1439625u},
        {RILL_AREA_PAPER, 1e-3f, 0x98d77a6e24772d08u},
    };
    int different = 0;
    for (size_t n = 0; n < sizeof recorded / sizeof recorded[0]; n++)
        for (int workers = 1; workers <= 3; workers += 2) {
            rill_world *world = make(workers, recorded[n].area, recorded[n].viscosity);
            run_world(world, 200, 1.0 / 64.0);
            const uint64_t hash = rill_world_hash(world);
            if (hash != recorded[n].hash) {
                print_message("row %zu, %d workers, %s: 0x%016llx\n", n, workers,
                              rill_world_isa(world), (unsigned long long)hash);
                different++;
            }
            rill_world_destroy(&world);
        }
    assert_int_equal(different, 0);
}
