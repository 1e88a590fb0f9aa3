// SPDX-License-Identifier: MIT
// A recorded hash of a lively world: the same number must come out of every compiler, optimisation
// level, instruction set, number of threads, back end and machine. When the arithmetic of the pipes
// water changes on purpose, the new number is printed below the failure; say in the commit why it
// changed.
#include "tests/kit/backends.h"

enum { NX = 133, NY = 140 };

// The bed is made of integers alone, so that no math library has a say.
static rill_world *make(int row, rill_backend backend, int workers)
{
    static float bed[NX * NY];
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int valley = abs(i - 60) + abs(j - 70), rough = (i * 37 + j * 57) % 19;
            bed[j * NX + i] = (float)(valley * 8 + rough) / 256.0f;
        }
    rill_world_def def = lake_def(NX, NY, 0.25, 1.5);
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.pipes.area = row / 2 % 2 ? RILL_AREA_PAPER : RILL_AREA_WETTED;
    def.pipes.critical_flow = row < 4;
    def.pipes.head = row < 8 ? RILL_HEAD_LEVEL : RILL_HEAD_INTERVAL;
    def.pipes.viscosity = row % 2 ? 1e-3f : 0.0f;
    def.pipes.friction = 0.125f;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_NORTH] = 5.0f;
    def.backend = backend;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    add_spring(world, 20.0, 10.0, 1.0, 0.5);
    set_rain(world, 1e-4);
    assert_ok(rill_world_pour(world, 15.0, 17.0, 2.0, 4.0, NULL));
    return world;
}

// Wetted and the paper's pipes, without and with viscosity; then without the limit of critical
// flow, which the paper's do not have; then the wetted ones with the head of Kellomäki Eq. 1, and
// the paper's with it.
TEST(the_recorded_hashes_come_out)
{
    const uint64_t hashes[] = {0xaa32d372061c5eeeu, 0xe0d3b111344806cau, 0xf49d52bcc1439625u,
                               0x98d77a6e24772d08u, 0x1c0a91f9d1b24734u, 0x38f7dbf5bd6b8a6bu,
                               0xf49d52bcc1439625u, 0x98d77a6e24772d08u, 0x9ae68ee68aaf8e15u,
                               0x01956f3de7e8a2b9u, 0x1c6f377fa252e435u, 0x7e6344d559f77d16u};
    assert_recorded(make, NULL, 200, hashes, 12);
}
