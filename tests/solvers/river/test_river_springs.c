// SPDX-License-Identifier: MIT
// test_river_springs.c - a river that rises in the terrain flows out of springs along it: its
// speed, its divergence, its books, equal bits, going back in time, and gates that close.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define NX   96
#define NY   128
#define CELL 20.0

// A valley that winds to the south out of a divide, and another one that joins it.
static rill_world_def valley_def(float *bed, int threads)
{
    unsigned random = 5;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double middle = 45.0 + 9.0 * sin(j / 13.0);
            const double up = j + (j > 105 ? 4.0 * (j - 105) : 0.0);
            const double main = 0.3 * up + 2.0 * fabs(i - middle);
            const double east = i - (45.0 + 9.0 * sin(60.0 / 13.0));
            const double side = 0.3 * 60.0 + 1.0 * east + 2.5 * fabs(j - 60.0 - 0.2 * east);
            const double noise = (double)next_random(&random) / 65536.0;
            bed[j * NX + i] = (float)(fmin(main, east > 0.0 ? side : 1e9) + 0.2 * noise);
        }
    rill_world_def def = grid_def(NX, NY, CELL);
    def.solver = RILL_SOLVER_RIVER;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.worker_count = threads;
    def.river.path.width = 70.0;
    def.river.path.depth = 2.0;
    def.river.path.catchment = 60.0 * CELL * CELL;
    def.river.bootstrap = 60.0;
    def.river.wave_particles.texels = 0;
    return def;
}

static rill_world *make_valley(int threads)
{
    static float bed[NX * NY];
    const rill_world_def def = valley_def(bed, threads);
    return make_world(&def);
}

// Sum of the velocities to the south over row j.
static double flow_south(rill_world *world, int j)
{
    const rill_columns columns = rill_world_columns(world);
    double sum = 0.0;
    for (int i = 0; i < NX; i++)
        sum -= (double)columns.velocity_y[(size_t)j * columns.pitch + (size_t)i];
    return sum;
}

TEST(a_river_out_of_springs_flows_at_the_asked_speed)
{
    SCOPED(rill_world) *world = make_valley(2);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    assert_int_equal(path.from, -1);
    assert_true(path.branches >= 2);
    for (int n = 0; n < 40; n++) {
        assert_ok(rill_world_step(world, 0.25));
        const rill_river_state river = rill_world_river(world);
        assert_near(river.mean_speed, 1.3, 0.05 * 1.3);
        assert_true(river.divergence < 1e-4);
        assert_true(river.reversed < river.cells / 50);
    }
    assert_true(rill_world_ledger(world).error < 1e-9);
    // It grows on its way, and all of it leaves.
    assert_true(flow_south(world, 5) > 1.2 * flow_south(world, 70));
    assert_true(flow_south(world, 70) > 0.1);
}

TEST(one_thread_and_three_give_the_same_bits)
{
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        SCOPED(rill_world) *world = make_valley(1 + 2 * k);
        run_world(world, 20, 0.25);
        hashes[k] = rill_world_hash(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

TEST(springs_go_back_in_time_and_are_cloned)
{
    SCOPED(rill_world) *world = make_valley(2), *copy = NULL;
    run_world(world, 5, 0.25);
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    assert_ok(rill_world_clone(world, &copy));
    run_world(world, 10, 0.25);
    run_world(copy, 10, 0.25);
    const uint64_t hash = rill_world_hash(world);
    assert_true(rill_world_hash(copy) == hash);
    assert_ok(rill_world_restore(world, snapshot));
    run_world(world, 10, 0.25);
    assert_true(rill_world_hash(world) == hash);
}

// Where there is no border the water that leaves is a spring that takes: what comes in goes out.
TEST(a_river_leaves_beside_cells_without_data)
{
    static float bed[NX * NY];
    rill_world_def def = valley_def(bed, 2);
    for (int n = 0; n < 20 * NX; n++)
        bed[n] = 500.0f;
    def.river.path.no_data = 500.0;
    SCOPED(rill_world) *world = make_world(&def);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    assert_true((int)((double)path.y[path.count - 1] / CELL) == 20);
    for (int n = 0; n < 40; n++) {
        assert_ok(rill_world_step(world, 0.25));
        const rill_river_state river = rill_world_river(world);
        assert_near(river.mean_speed, 1.3, 0.05 * 1.3);
        assert_true(river.divergence < 1e-4);
    }
    assert_true(flow_south(world, 26) > flow_south(world, 70));
    assert_true(flow_south(world, 70) > 0.1);
}

// Behind a closed gate the springs stand still, or their water would have nowhere to go.
TEST(a_gate_that_closes_stops_what_is_behind_it)
{
    SCOPED(rill_world) *world = make_valley(2);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    const int half = path.count / 2;
    const double x = (double)path.x[half], y = (double)path.y[half];
    assert_ok(rill_world_close_river(world, x, y, 120.0, 1));
    for (int n = 0; n < 20; n++) {
        assert_ok(rill_world_step(world, 0.25));
        const rill_river_state river = rill_world_river(world);
        assert_true(river.divergence < 1e-4 && river.mean_speed < 1.1 * 1.3);
    }
    assert_ok(rill_world_close_river(world, x, y, 120.0, 0));
    run_world(world, 200, 0.25);
    assert_true(rill_world_river(world).divergence < 1e-4);
    assert_true(flow_south(world, 5) > 0.1);
}
