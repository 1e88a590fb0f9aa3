// SPDX-License-Identifier: MIT
// test_limits.c - what has no place is counted (rill_limits): particles of a full pool, falls of
// ground that is nothing but cliffs, lumps of a body that throws up too many, waves that the water
// runs away from. Where nothing is left out, all counts are 0.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

static rill_limits limits_of(const rill_world *world)
{
    return rill_world_last_step(world).limits;
}

static void assert_no_limit(const rill_limits *l)
{
    assert_true(l->full_pool_steps == 0 && l->lumps_left_out == 0);
    assert_true(l->slow_wave_steps == 0 && l->falls_left_out == 0);
}

// ---- The pool --------------------------------------------------------------------------

// A jet into a lake: particles live for the time of their fall, some 0.8 s, at 200 a second.
TEST(steps_with_a_full_pool_are_counted)
{
    const int sizes[] = {1000, 50};
    for (int n = 0; n < 2; n++) {
        rill_world_def def = lake_def(24, 24, 0.5, 1.0);
        def.particles.max_particles = sizes[n];
        def.particles.foam_speed = 0.0f;
        def.particles.radius = 0.05f;
        def.particles.spray_share = 0.0f; // one particle at a time
        rill_world *world = make_world(&def);
        rill_emitter_def jet = rill_default_emitter_def();
        set3(jet.position, 6.0, 6.0, 4.0);
        jet.rate = 200.0 * 4.0 * 4.18879 * 0.05 * 0.05 * 0.05;
        assert_ok(rill_world_add_emitter(world, &jet, NULL));
        uint64_t full = 0;
        for (int step = 0; step < 120; step++) {
            run_frames(world, 1);
            // Landings come after births, so a pool that is full now was full at the births.
            full += rill_world_particles(world).count == 50;
        }
        const rill_limits limits = limits_of(world);
        if (n == 0)
            assert_no_limit(&limits);
        else
            assert_true(limits.full_pool_steps >= full && limits.full_pool_steps > 60);
        assert_true(rill_world_ledger(world).error <= 1e-9);
        rill_world_destroy(&world);
    }
}

// Going back to a snapshot goes back to its counts. The jet gives 40 particles a step, of which 20
// have a place.
TEST(a_snapshot_has_the_counts_of_its_moment)
{
    rill_world_def def = lake_def(24, 24, 0.5, 1.0);
    def.particles.max_particles = 20;
    def.particles.radius = 0.05f;
    rill_world *world = make_world(&def);
    rill_emitter_def jet = rill_default_emitter_def();
    set3(jet.position, 6.0, 6.0, 2.0);
    jet.rate = 40.0 * 60.0 * 4.0 * 4.18879 * 0.05 * 0.05 * 0.05;
    assert_ok(rill_world_add_emitter(world, &jet, NULL));
    run_frames(world, 10);
    rill_snapshot *saved = saved_world(world);
    assert_int_equal(limits_of(world).full_pool_steps, 10);
    run_frames(world, 5);
    assert_int_equal(limits_of(world).full_pool_steps, 15);
    assert_ok(rill_world_restore(world, saved));
    run_frames(world, 1);
    assert_int_equal(limits_of(world).full_pool_steps, 11);
    rill_snapshot_destroy(&saved);
    rill_world_destroy(&world);
}

// ---- Falls -----------------------------------------------------------------------------

enum { SIDE = 48 };

// Pillars of 9 m on every other cell of the rows below `rows`: each has a cliff on all its sides.
static int make_pillars(int rows, float *bed)
{
    int faces = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            bed[j * SIDE + i] = j < rows && (i + j) % 2 == 0 ? 9.0f : 0.0f;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            faces += i + 1 < SIDE && bed[j * SIDE + i] != bed[j * SIDE + i + 1];
            faces += j + 1 < SIDE && bed[j * SIDE + i] != bed[(j + 1) * SIDE + i];
        }
    return faces;
}

TEST(cliffs_that_no_fall_is_listed_for_are_counted)
{
    static float bed[SIDE * SIDE], depth[SIDE * SIDE];
    const int listed = SIDE * SIDE / 4 + 256, rows[] = {8, SIDE};
    for (int n = 0; n < 2; n++)
        for (int particles = 0; particles < 2; particles++) {
            const int faces = make_pillars(rows[n], bed);
            rill_world_def def = grid_def(SIDE, SIDE, 1.0);
            def.solver = RILL_SOLVER_SWE;
            def.particles.max_particles = particles ? 100 : 0;
            set_ground(&def, bed, depth);
            rill_world *world = make_world(&def);
            run_frames(world, 2);
            const rill_limits limits = limits_of(world);
            assert_true((faces > listed) == (n == 1));
            // Without particles there are no falls, and so none is left out.
            const int left_out = particles && faces > listed ? faces - listed : 0;
            assert_int_equal(limits.falls_left_out, left_out);
            rill_world_destroy(&world);
        }
}

// ---- Lumps -----------------------------------------------------------------------------

// A slab of 6 x 6 m that is slapped onto the water at 6 m/s: with this amount 0.5 * 4.5 of what it
// sweeps, 0.1 m * 36 m^2, is to fly, some 8 m^3 in lumps of 0.26 l.
TEST(lumps_that_a_body_throws_up_beyond_the_limit_are_counted)
{
    for (int much = 0; much < 2; much++) {
        rill_world_def def = lake_def(40, 40, 0.5, 3.0);
        def.solver = RILL_SOLVER_SWE;
        def.particles.max_particles = 100000;
        def.particles.radius = 0.025f;
        def.bodies.max_bodies = 1;
        def.bodies.splash_amount = much ? 0.5f : 0.001f;
        rill_world *world = make_world(&def);
        rill_body_def slab = rill_default_body_def();
        slab.motion = RILL_BODY_HOST;
        slab.size[0] = slab.size[1] = 6.0;
        slab.size[2] = 0.5;
        slab.path_count = 2;
        slab.path[0] = (rill_path_key){0.0, 10.0, 10.0, 3.6};
        slab.path[1] = (rill_path_key){0.2, 10.0, 10.0, 2.4};
        assert_ok(rill_world_add_body(world, &slab, NULL));
        run_frames(world, 12);
        const rill_limits limits = limits_of(world);
        print_message("%u lumps left out, %u particles\n", (unsigned)limits.lumps_left_out,
                      (unsigned)rill_world_particles(world).count);
        if (much)
            assert_true(limits.lumps_left_out > 4096);
        else
            assert_no_limit(&limits);
        rill_world_destroy(&world);
    }
}

// ---- Waves -----------------------------------------------------------------------------

// In a frame of 1/60 s water of 100 m/s crosses 33 cells of 5 cm, one of 250 m/s 83.
TEST(fine_waves_that_stay_behind_the_water_are_counted)
{
    enum { NX = 400, NY = 8 };
    static float bed[NX * NY], depth[NX * NY], velocity[NX * NY];
    for (int fast = 0; fast < 2; fast++) {
        for (int n = 0; n < NX * NY; n++) {
            depth[n] = 0.2f;
            velocity[n] = fast ? 250.0f : 100.0f;
        }
        rill_world_def def = grid_def(NX, NY, 0.05);
        def.solver = RILL_SOLVER_SWE;
        def.max_substeps = 100000;
        def.waves.size = 16;
        set_ground(&def, bed, depth);
        def.velocity_x = (rill_field_view){velocity, NX, NY, NX};
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            def.border[side] = RILL_BORDER_DRAIN;
        rill_world *world = make_world(&def);
        run_frames(world, 1);
        const rill_limits limits = limits_of(world);
        assert_int_equal(limits.slow_wave_steps, fast);
        rill_world_destroy(&world);
    }
}
