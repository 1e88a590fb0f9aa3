// SPDX-License-Identifier: MIT
// test_blocked.c - water that bodies block (003 section 4), through whole worlds: nothing leaks,
// nothing is inside, nothing is lost, and what is calm stays calm.
#include "tests/bodies/water_inside.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

static rill_world *basin(int nx, int ny, float cell, float level, float friction, int bodies,
                         int threads)
{
    rill_world_def def = lake_def(nx, ny, (double)cell, (double)level);
    def.pipes.friction = friction;
    def.worker_count = threads;
    def.bodies.max_bodies = bodies;
    return make_world(&def);
}

static rill_body_id add_box(rill_world *world, rill_body_motion motion, double x, double y,
                            double z, double size_x, double size_y, double size_z)
{
    rill_body_def def = rill_default_body_def();
    def.motion = motion;
    def.coupling = RILL_COUPLING_BLOCK;
    set3(def.size, size_x, size_y, size_z);
    set3(def.position, x, y, z);
    rill_body_id id = {0};
    if (rill_world_add_body(world, &def, &id) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return id;
}

// A build with sanitizers is ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PART 20
#else
#define PART 1
#endif

// ---- Walls -----------------------------------------------------------------------------

static float wettest(rill_world *world, int from)
{
    const rill_field_view depth = rill_world_depth(world);
    float most = 0.0f;
    for (int j = 0; j < depth.ny; j++)
        for (int i = from; i < depth.nx; i++)
            most = fmaxf(most, depth.data[(size_t)j * depth.pitch + (size_t)i]);
    return most;
}

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

// Bodies side by side right across a channel, none of them on the lines of the grid, with 2 m of
// water on one side.
TEST(a_wall_of_bodies_holds_two_metres_for_ten_minutes)
{
    rill_world_def def = grid_def(80, 30, 0.5);
    static float depth[80 * 30];
    for (int j = 0; j < 30; j++)
        for (int i = 0; i < 80; i++)
            depth[j * 80 + i] = i < 38 ? 2.0f : 0.0f;
    def.depth = (rill_field_view){depth, 80, 30, 80};
    def.bodies.max_bodies = 8;
    SCOPED(rill_world) *world = make_world(&def);
    for (int n = 0; n < 8; n++)
        add_box(world, RILL_BODY_HOST, 20.03 + 0.04 * n, 0.9375 + 1.875 * n, 1.5, 1.61, 1.875, 3.0);
    run_frames(world, 600 * 60 / PART);
    assert_true(wettest(world, 44) == 0.0f);
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// ---- The invariant ---------------------------------------------------------------------

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0;
}

TEST(random_bodies_at_random_never_hold_water)
{
    enum { COUNT = 12, STEPS = 10000 / PART };
    SCOPED(rill_world) *world = basin(64, 56, 0.5f, 2.0f, 0.0f, COUNT, 2);
    rill_body_id ids[COUNT];
    double place[COUNT][3], speed[COUNT][3], spin[COUNT][4];
    unsigned seed = 3;
    for (int n = 0; n < COUNT; n++) {
        for (int k = 0; k < 3; k++) {
            place[n][k] = (k == 2 ? 4.0 : 28.0) * uniform(&seed);
            speed[n][k] = (k == 2 ? 2.0 : 6.0) * (uniform(&seed) - 0.5);
        }
        ids[n] =
            add_box(world, RILL_BODY_HOST, place[n][0], place[n][1], place[n][2],
                    0.4 + 4 * uniform(&seed), 0.4 + 4 * uniform(&seed), 0.2 + 2 * uniform(&seed));
    }
    double worst = 0.0;
    for (int step = 0; step < STEPS; step++) {
        for (int n = 0; n < COUNT; n++) {
            for (int k = 0; k < 3; k++) {
                const double most = k == 2 ? 4.0 : k == 1 ? 28.0 : 32.0;
                if (uniform(&seed) < 0.01)
                    speed[n][k] = (k == 2 ? 2.0 : 8.0) * (uniform(&seed) - 0.5);
                place[n][k] += speed[n][k] / 60.0;
                if (place[n][k] < 0.0 || place[n][k] > most)
                    speed[n][k] = -speed[n][k];
                place[n][k] = fmin(fmax(place[n][k], 0.0), most);
            }
            if (step % 50 == 0) {
                double length = 0.0;
                for (int k = 0; k < 4; k++) {
                    spin[n][k] = uniform(&seed) - 0.5;
                    length += spin[n][k] * spin[n][k];
                }
                for (int k = 0; k < 4; k++)
                    spin[n][k] /= sqrt(length);
            }
            assert_ok(rill_world_set_body_pose(world, ids[n], place[n], spin[n], speed[n], NULL));
        }
        run_frames(world, 1);
        if (water_inside(world) != 0.0)
            fail_msg("step %d: %g m of water inside bodies", step, water_inside(world));
        if (step % 100 == 0)
            worst = fmax(worst, rill_world_ledger(world).error);
    }
    assert_true(worst < 1e-6);
}

// ---- Looking ---------------------------------------------------------------------------

TEST(what_is_blocked_can_be_seen)
{
    SCOPED(rill_world) *world = basin(32, 32, 0.5f, 2.0f, 0.0f, 2, 1);
    const rill_brush brush = {
        .kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 3.0, .radius = 1.0, .amount = 0.5};
    add_box(world, RILL_BODY_HOST, 8.0, 8.0, 0.5, 2.0, 2.0, 1.0);
    add_box(world, RILL_BODY_HOST, 13.0, 8.0, 1.5, 2.0, 2.0, 1.0);
    run_frames(world, 2);
    assert_ok(rill_world_edit_terrain(world, &brush));
    run_frames(world, 2);
    const rill_blocked b = rill_world_blocked(world);
    const rill_field_view bed = rill_world_bed(world);
    const size_t rests = 16 * b.floor.pitch + 16, hangs = 16 * b.floor.pitch + 26;
    assert_true(b.floor.data[rests] == 1.0f && b.lower.data[rests] == 1e30f);
    assert_true(b.floor.data[hangs] == 0.0f && b.lower.data[hangs] == 1.0f &&
                b.upper.data[hangs] == 2.0f);
    for (int j = 0; j < 12; j++)
        for (int i = 0; i < 32; i++)
            assert_true(b.floor.data[(size_t)j * b.floor.pitch + (size_t)i] ==
                        bed.data[(size_t)j * bed.pitch + (size_t)i]);
}

// A body that has just come, or been moved by hand, and then the ground changes somewhere else:
// water gives way to it all the same.
TEST(water_gives_way_also_when_the_ground_changes_in_between)
{
    const rill_brush brush = {
        .kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 3.0, .radius = 1.0, .amount = 0.1};
    SCOPED(rill_world) *world = basin(32, 32, 0.5f, 2.0f, 0.0f, 1, 1);
    const rill_body_id id = add_box(world, RILL_BODY_HOST, 8.0, 8.0, 1.5, 2.0, 2.0, 1.0);
    assert_ok(rill_world_edit_terrain(world, &brush));
    // The box has 4 m^3 under water, all of them owed.
    assert_true(fabs(rill_world_ledger(world).virtual_volume - 4.0) < 1e-6);
    const double lower[3] = {8.0, 8.0, 1.25}, upright[4] = {0, 0, 0, 1};
    assert_ok(rill_world_set_body_pose(world, id, lower, upright, NULL, NULL));
    assert_ok(rill_world_set_border(world, RILL_SIDE_EAST, RILL_BORDER_WALL, 0.0f));
    assert_true(rill_world_ledger(world).error < 1e-9);
    const rill_field_view depth = rill_world_depth(world);
    assert_true(depth.data[16 * depth.pitch + 16] <= 0.75f);
}

// ---- Calm ------------------------------------------------------------------------------

// Putting them in makes waves, which friction calms; nothing may drive the water from then on.
TEST(a_calm_lake_with_resting_bodies_stays_calm)
{
    SCOPED(rill_world) *world = basin(48, 48, 0.5f, 3.0f, 0.3f, 3, 1);
    add_box(world, RILL_BODY_HOST, 6.1, 7.2, 1.3, 3.1, 2.7, 1.1);   // hangs in the water
    add_box(world, RILL_BODY_HOST, 16.0, 7.2, 0.75, 3.1, 2.7, 1.5); // lies on the ground
    add_box(world, RILL_BODY_HOST, 11.0, 16.2, 3.0, 3.1, 2.7, 1.5); // stands out of it
    run_frames(world, 60 * 180 / PART); // what they displaced has settled
    double speed = 0.0;
    for (int n = 0; n < 60 * 20 / PART; n++) {
        run_frames(world, 1);
        speed = fmax(speed, fastest(world));
    }
    if (PART == 1 && !(speed < 1e-4))
        fail_msg("%g m/s", speed);
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// ---- Motion ----------------------------------------------------------------------------

TEST(what_blocks_also_floats_and_is_swept_along)
{
    rill_world_def def = grid_def(160, 40, 0.5);
    static float depth[160 * 40];
    for (int j = 0; j < 40; j++)
        for (int i = 0; i < 160; i++)
            depth[j * 160 + i] = i < 40 ? 4.0f : 0.05f;
    def.depth = (rill_field_view){depth, 160, 40, 160};
    def.bodies.max_bodies = 2;
    SCOPED(rill_world) *world = make_world(&def);
    rill_body_def box = rill_default_body_def();
    box.coupling = RILL_COUPLING_BLOCK;
    set3(box.size, 3.0, 2.0, 1.2);
    box.density = 300.0;
    set3(box.position, 35.0, 6.0, 0.7);
    rill_body_id light, heavy;
    assert_ok(rill_world_add_body(world, &box, &light));
    box.density = 5000.0;
    box.position[1] = 14.0;
    assert_ok(rill_world_add_body(world, &box, &heavy));
    run_frames(world, 60 * 12 / PART);
    if (PART > 1) {
        rill_world_destroy(&world);
        return;
    }
    rill_body_state look;
    assert_ok(rill_world_get_body(world, light, &look));
    assert_true(look.position[0] > 40.0);
    assert_ok(rill_world_get_body(world, heavy, &look));
    assert_true(fabs(look.position[0] - 35.0) < 1.0);
    assert_true(rill_world_ledger(world).error < 1e-6);
}

TEST(a_hundred_bodies_give_one_hash_on_one_and_two_threads)
{
    rill_world *worlds[2];
    for (int w = 0; w < 2; w++) {
        worlds[w] = basin(96, 96, 0.5f, 2.0f, 0.0f, 100, w + 1);
        rill_body_def box = rill_default_body_def();
        for (int n = 0; n < 100; n++) {
            box.coupling = n % 2 ? RILL_COUPLING_BLOCK : RILL_COUPLING_PASS;
            box.density = 300.0 + 20.0 * (n % 50);
            set3(box.position, 3.0 + 4.6 * (n % 10), 3.0 + 4.6 * (n / 10), 2.4 + 0.03 * n);
            box.spin[n % 3] = 1.0;
            assert_ok(rill_world_add_body(worlds[w], &box, NULL));
        }
        run_frames(worlds[w], 300 / PART);
    }
    assert_true(rill_world_hash(worlds[0]) == rill_world_hash(worlds[1]));
    assert_true(rill_world_ledger(worlds[0]).error < 1e-6);
    rill_world_destroy(&worlds[0]);
    rill_world_destroy(&worlds[1]);
}
