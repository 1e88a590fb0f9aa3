// SPDX-License-Identifier: MIT
// test_slices.c - a long step is as good as many short ones: sources, weather, series and bodies
// act at least once a second, and the substeps that a step may take are divided among its slices.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define SIDE 32

// A pond of cells of 4 m that everything acts on which a step applies: springs that start, end,
// beat and move, rain that changes, evaporation, a level that rises and swells.
static rill_world *fed_pond(rill_solver solver, int workers)
{
    static float bed[SIDE * SIDE];
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            bed[j * SIDE + i] = 0.02f * (float)((i * 7 + j * 5) % 13);
    rill_world_def def = grid_def(SIDE, SIDE, 4.0);
    def.solver = solver;
    def.worker_count = workers;
    def.bed = (rill_field_view){bed, SIDE, SIDE, SIDE};
    def.use_level = 1;
    def.level = 0.5f;
    def.max_substeps = 1000;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = 0.5f;
    rill_world *world = make_world(&def);
    rill_source_def spring = rill_default_source_def();
    spring.radius = 10.0;
    spring.rate = 2.0;
    spring.start = 3.5;
    spring.end = 40.25;
    spring.pulse = 0.3;
    spring.pulse_depth = 0.5;
    spring.path[0] = (rill_path_key){0.0, 30.0, 30.0, INFINITY};
    spring.path[1] = (rill_path_key){50.0, 90.0, 80.0, INFINITY};
    spring.path_count = 2;
    assert_ok(rill_world_add_source(world, &spring, NULL));
    add_spring(world, 100.0, 20.0, 10.0, -0.5);
    const rill_rain_frame rain[] = {{.time = 0.0, .rate = 0.0}, {.time = 45.0, .rate = 1e-3}};
    assert_ok(rill_world_set_rain(world, rain, 2));
    assert_ok(rill_world_set_evaporation(world, 1e-5));
    const rill_border_frame tide[] = {
        {.time = 0.0, .value = 0.5}, {.time = 30.0, .value = 0.9}, {.time = 60.0, .value = 0.4}};
    assert_ok(rill_world_set_border_series(world, RILL_SIDE_WEST, tide, 3));
    assert_ok(rill_world_set_border_swell(world, RILL_SIDE_WEST, 0.1, 7.0));
    return world;
}

static const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE, RILL_SOLVER_LAYERS};

TEST(a_step_of_a_minute_is_sixty_steps_of_a_second)
{
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *minute = fed_pond(solvers[n], 1);
        SCOPED(rill_world) *seconds = fed_pond(solvers[n], 1);
        run_world(minute, 1, 60.0);
        run_world(seconds, 60, 1.0);
        assert_true(rill_world_hash(minute) == rill_world_hash(seconds));
        const rill_step_info step = rill_world_last_step(minute);
        assert_true(step.substeps >= 60 && step.steps == (uint64_t)step.substeps);
        assert_true(step.capped == 0 && step.capped_steps == 0 && step.substep <= 1.0);
        assert_true(rill_world_ledger(minute).error < 1e-6);
        assert_true(rill_world_ledger(minute).sourced == rill_world_ledger(seconds).sourced);
    }
}

TEST(slices_and_threads_do_not_show_together)
{
    for (int n = 0; n < 3; n++) {
        uint64_t first = 0;
        for (int workers = 1; workers <= 4; workers++) {
            SCOPED(rill_world) *world = fed_pond(solvers[n], workers);
            run_world(world, 2, 17.3);
            const uint64_t hash = rill_world_hash(world);
            first = workers == 1 ? hash : first;
            assert_true(hash == first && rill_world_time(world) == 17.3 + 17.3);
        }
    }
}

// Rain into a basin with a drain in the middle: it is what falls in a second that stands in it, not
// what falls in a minute.
TEST(rain_does_not_come_once_a_frame)
{
    double mean[2];
    for (int k = 0; k < 2; k++) {
        rill_world_def def = grid_def(16, 16, 4.0);
        def.pipes.drag = 0.05f;
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            def.border[side] = RILL_BORDER_DRAIN;
        SCOPED(rill_world) *world = make_world(&def);
        set_rain(world, 1e-3);
        run_world(world, k == 0 ? 300 : 5, k == 0 ? 1.0 : 60.0);
        mean[k] = world_volume(world) / (64.0 * 64.0);
    }
    assert_true(mean[0] > 0.005);
    assert_true(fabs(mean[1] - mean[0]) < 0.005 * mean[0]);
}

// A spring in shallow water, in frames of many substeps or in frames of one: water that came at
// once for the whole frame would stand as a block and send rings out.
static rill_world *fed_sheet(rill_solver solver)
{
    rill_world_def def = lake_def(64, 64, 0.1, 0.5); // some 0.02 s are stable
    def.solver = solver;
    def.max_substeps = 1000;
    rill_world *world = make_world(&def);
    add_spring(world, 3.2, 3.2, 0.5, 0.1);
    return world;
}

static double largest_difference(rill_world *a, rill_world *b)
{
    const rill_columns x = rill_world_columns(a), y = rill_world_columns(b);
    double most = 0.0;
    for (int j = 0; j < x.ny; j++)
        for (int i = 0; i < x.nx; i++) {
            const size_t at = (size_t)j * x.pitch + (size_t)i;
            most = fmax(most, fabs((double)x.depth[at] - (double)y.depth[at]));
        }
    return most;
}

// Of 0.4 s and 0.1 m^3/s the block would be 40 l on 0.8 m^2, 5 cm high.
TEST(a_spring_runs_in_every_substep)
{
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *once = fed_sheet(solvers[n]);
        SCOPED(rill_world) *often = fed_sheet(solvers[n]);
        run_world(once, 2, 0.4);
        const int substeps = rill_world_last_step(once).substeps;
        assert_true(substeps >= 10);
        run_world(often, 2 * substeps, 0.4 / substeps);
        assert_true(rill_world_last_step(often).substeps == 1);
        assert_true(fabs(world_volume(once) - world_volume(often)) < 1e-6 * world_volume(often));
        assert_true(largest_difference(once, often) < 0.01 * 0.05);
    }
}

// What has started is given to its end, though fewer substeps are allowed than are stable.
TEST(springs_give_their_due_in_capped_steps)
{
    SCOPED(rill_world) *world = fed_sheet(RILL_SOLVER_SWE);
    for (int n = 0; n < 20; n++) {
        const double before = world_volume(world);
        run_world(world, 1, n % 2 == 0 ? 0.05 : 0.003);
        assert_true(fabs(world_volume(world) - before - 0.1 * (n % 2 == 0 ? 0.05 : 0.003)) < 2e-6);
    }
    rill_world_def def = lake_def(64, 64, 0.1, 0.5);
    def.max_substeps = 3;
    SCOPED(rill_world) *capped = make_world(&def);
    add_spring(capped, 3.2, 3.2, 0.5, 0.1);
    const double before = world_volume(capped);
    run_world(capped, 1, 0.4);
    assert_true(rill_world_last_step(capped).capped == 1);
    assert_true(fabs(world_volume(capped) - before - 0.04) < 1e-5);
}

// ---- Substeps --------------------------------------------------------------------------

TEST(a_step_of_at_most_a_second_is_one_slice)
{
    const rill_world_def def = lake_def(8, 8, 1000.0, 0.1); // stable for minutes
    SCOPED(rill_world) *world = make_world(&def);
    const struct {
        double dt;
        int substeps;
    } steps[] = {{0.02, 1}, {1.0, 1}, {0.1 * 10 + 1e-12, 1}, {1.001, 2}, {59.5, 60}, {200.0, 200}};
    for (size_t n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        run_world(world, 1, steps[n].dt);
        assert_int_equal(rill_world_last_step(world).substeps, steps[n].substeps);
        assert_int_equal(rill_world_last_step(world).capped, 0);
    }
}

// max_substeps is what a call may take. Fewer of them than seconds make longer slices.
TEST(slices_take_no_more_substeps_than_the_step_may)
{
    rill_world_def def = lake_def(8, 8, 1000.0, 0.1);
    def.max_substeps = 7;
    SCOPED(rill_world) *shallow = make_world(&def);
    run_world(shallow, 3, 60.0);
    assert_int_equal(rill_world_last_step(shallow).substeps, 7);
    assert_int_equal(rill_world_last_step(shallow).capped_steps, 0);
    assert_true(fabs(rill_world_last_step(shallow).substep - 60.0 / 7.0) < 1e-12);

    rill_world_def deep_def = lake_def(16, 16, 1.0, 10.0); // sqrt(2 g 10 m) / 1 m = 14 a second
    const int most[] = {1, 5, 29, 30, 31, 100, 400, 5000};
    for (size_t n = 0; n < sizeof most / sizeof most[0]; n++) {
        deep_def.max_substeps = most[n];
        SCOPED(rill_world) *deep = make_world(&deep_def);
        run_world(deep, 2, 30.0);
        const rill_step_info step = rill_world_last_step(deep);
        const bool too_few = most[n] < 14 * 30;
        assert_int_equal(step.capped, too_few);
        assert_int_equal(step.capped_steps, too_few ? 2 : 0);
        assert_true(too_few ? step.substeps == most[n] : step.substeps < most[n]);
        assert_true(step.steps == 2 * (uint64_t)step.substeps);
    }
}

// ---- Bodies ----------------------------------------------------------------------------

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

static rill_world *crate_world(rill_body_id *id)
{
    rill_world_def def = lake_def(SIDE, SIDE, 1.0, 2.0);
    def.bodies.max_bodies = 2;
    rill_world *world = make_world(&def);
    rill_body_def crate = rill_default_body_def();
    crate.size[0] = crate.size[1] = crate.size[2] = 2.0;
    crate.position[0] = crate.position[1] = 10.0;
    crate.position[2] = 2000.0; // it falls for the whole test
    assert_ok(rill_world_add_body(world, &crate, id));
    return world;
}

// A push lasts for the step, whatever its slices, and no longer.
TEST(a_push_lasts_as_long_as_the_step)
{
    rill_body_id ids[2];
    SCOPED(rill_world) *once = crate_world(&ids[0]);
    SCOPED(rill_world) *often = crate_world(&ids[1]);
    const double force[3] = {200.0, 100.0, 0.0};
    assert_ok(rill_world_push_body(once, ids[0], force, NULL));
    run_world(once, 1, 5.0);
    for (int n = 0; n < 5; n++) {
        assert_ok(rill_world_push_body(often, ids[1], force, NULL));
        run_world(often, 1, 1.0);
    }
    assert_true(rill_world_hash(once) == rill_world_hash(often));
    run_world(once, 1, 3.0);
    run_world(often, 3, 1.0);
    assert_true(rill_world_hash(once) == rill_world_hash(often));
    rill_body_state now;
    assert_ok(rill_world_get_body(once, ids[0], &now));
    assert_true(fabs(now.velocity[0] - 5.0 * force[0] / now.mass) < 1e-9);
}
