// SPDX-License-Identifier: MIT
// test_sources.c - springs and drains that beat, move, and reach into covered columns, and the sun:
// what they give is what was asked for, where it was asked for, and it is in the books.
#include "tests/kit/kit.h"
#include "tests/kit/solids.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define SIDE 16

static rill_world *flat_world(void)
{
    rill_world_def def = grid_def(SIDE, SIDE, 1.0);
    return make_world(&def);
}

static void add(rill_world *world, const rill_source_def *def)
{
    assert_ok(rill_world_add_source(world, def, NULL));
}

// ---- Beating ---------------------------------------------------------------------------

static rill_source_def beating(double pulse, double depth)
{
    rill_source_def def = rill_default_source_def();
    def.x = def.y = 8.0;
    def.radius = 2.0;
    def.rate = 0.5;
    def.pulse = pulse;
    def.pulse_depth = depth;
    return def;
}

TEST(whole_beats_give_what_a_steady_source_gives)
{
    static const double depths[] = {0.0, 0.3, 1.0};
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *world = flat_world();
        const rill_source_def def = beating(1.25, depths[n]);
        add(world, &def);
        run_world(world, 8 * 7, 0.8 / 7.0); // eight beats in steps that divide none of them
        // Deposits are floats: an error of 6e-8 of each.
        assert_true(fabs(rill_world_ledger(world).sourced - 0.5 * 6.4) < 1e-6);
    }
}

TEST(a_beat_follows_its_formula_whatever_the_steps)
{
    static const int counts[] = {1, 3, 50};
    for (int n = 0; n < 3; n++) {
        SCOPED(rill_world) *world = flat_world();
        const rill_source_def def = beating(2.0, 0.75);
        add(world, &def);
        const double end = 0.2;
        run_world(world, counts[n], end / counts[n]);
        // rate (1 - depth + depth 8/3 sin^4(pi f t)), summed by the midpoint rule.
        double sum = 0.0;
        const int parts = 20000;
        for (int k = 0; k < parts; k++) {
            const double s = sin(3.141592653589793 * 2.0 * (k + 0.5) * end / parts);
            sum += 0.5 * (0.25 + 0.75 * 8.0 / 3.0 * s * s * s * s) * end / parts;
        }
        assert_true(fabs(rill_world_ledger(world).sourced - sum) < 1e-7);
        assert_true(fabs(sum - 0.5 * end) > 1e-3); // a steady source would not pass
    }
}

TEST(a_drain_can_beat_as_well)
{
    SCOPED(rill_world) *world = flat_world();
    assert_ok(rill_world_pour(world, 8.0, 8.0, 20.0, 100.0, NULL));
    rill_source_def def = beating(4.0, 1.0);
    def.rate = -0.5;
    add(world, &def);
    run_world(world, 10, 0.1);
    assert_true(fabs(rill_world_ledger(world).drained - 0.5) < 1e-6);
}

// ---- Moving ----------------------------------------------------------------------------

static double depth_at(const rill_world *world, int i, int j)
{
    const rill_field_view depth = rill_world_depth(world);
    return (double)depth.data[(size_t)j * depth.pitch + (size_t)i];
}

// A step so short that nothing flows shows where the water came down.
static void expect_at(double time, int i, int j)
{
    SCOPED(rill_world) *world = flat_world();
    rill_source_def def = rill_default_source_def();
    def.rate = 1.0;
    def.start = -1.0;
    def.path[0] = (rill_path_key){1.0, 2.5, 3.5, INFINITY};
    def.path[1] = (rill_path_key){3.0, 10.5, 3.5, INFINITY};
    def.path[2] = (rill_path_key){4.0, 10.5, 13.5, INFINITY};
    def.path_count = 3;
    if (time > 0.0)
        assert_ok(rill_world_step(world, time));
    add(world, &def);
    const double dt = 1e-6;
    assert_ok(rill_world_step(world, dt));
    assert_true(fabs(depth_at(world, i, j) - dt) < 1e-9);
    assert_true(fabs(rill_world_ledger(world).sourced - dt) < 1e-12);
}

TEST(a_source_follows_its_path_in_straight_lines_and_rests_at_its_ends)
{
    expect_at(0.0, 2, 3);
    expect_at(1.5, 4, 3);
    expect_at(2.5, 8, 3);
    expect_at(3.5, 10, 8);
    expect_at(9.0, 10, 13);
}

TEST(a_step_takes_the_place_in_its_middle)
{
    SCOPED(rill_world) *world = flat_world();
    rill_source_def def = rill_default_source_def();
    def.rate = 1e-6;
    def.path[0] = (rill_path_key){0.0, 0.5, 0.5, INFINITY};
    def.path[1] = (rill_path_key){0.01, 10.5, 0.5, INFINITY};
    def.path_count = 2;
    add(world, &def);
    assert_ok(rill_world_step(world, 0.01));
    assert_true(depth_at(world, 5, 0) > 0.9e-8);
}

// ---- Mistakes --------------------------------------------------------------------------

static void refuse(const rill_source_def *def, const char *sentence)
{
    SCOPED(rill_world) *world = flat_world();
    const uint64_t before = rill_world_hash(world);
    assert_int_equal(rill_world_add_source(world, def, NULL), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(), sentence);
    assert_true(rill_world_hash(world) == before);
}

TEST(mistakes_of_a_source_are_named)
{
    rill_source_def def = beating(1001.0, 0.5);
    refuse(&def, "spring.pulse is 1001, it must be above 0, to 1000");
    def = beating(-1.0, 0.5);
    refuse(&def, "spring.pulse is -1, it must be above 0, to 1000");
    def = beating(1.0, 1.5);
    refuse(&def, "spring.pulse_depth is 1.5, it must be from 0 to 1");
    def = beating(1.0, (double)NAN);
    refuse(&def, "spring.pulse_depth is nan, it must be from 0 to 1");
    def = beating(0.0, 0.0);
    def.z = (double)NAN;
    refuse(&def, "a source is at an elevation of nan m, it must be a number or infinity");
    def.z = -(double)INFINITY;
    refuse(&def, "a source is at an elevation of -inf m, it must be a number or infinity");
}

TEST(mistakes_of_a_path_are_named)
{
    rill_source_def def = rill_default_source_def();
    def.rate = 1.0;
    def.path_count = 17;
    refuse(&def, "a source's path has 17 keys, it must have from 0 to 16");
    def.path_count = -1;
    refuse(&def, "a source's path has -1 keys, it must have from 0 to 16");
    def.path_count = 2;
    def.path[0] = (rill_path_key){1.0, 1.0, 1.0, 0.0};
    def.path[1] = (rill_path_key){1.0, 2.0, 1.0, 0.0};
    refuse(&def, "key 1 of a source's path is at 1 s, times must rise");
    def.path[1].time = (double)NAN;
    refuse(&def, "key 1 of a source's path is at nan s, times must rise");
    def.path[1] = (rill_path_key){2.0, 17.0, 1.0, 0.0};
    refuse(&def, "key 1 of a path: a source at (17, 1) m is outside the world of 16 x 16 m");
    def.path[1] = (rill_path_key){2.0, 2.0, 1.0, INFINITY};
    refuse(&def, "key 1 of a source's path is at an elevation of inf m and the first one at 0 m, "
                 "there is no way between them");
    SCOPED(rill_world) *world = flat_world();
    assert_int_equal(rill_world_pour_at(world, 1.0, 1.0, (double)NAN, 1.0, 1.0, NULL),
                     RILL_BAD_DEF);
    assert_int_equal(rill_world_pour_at(NULL, 1.0, 1.0, 0.0, 1.0, 1.0, NULL), RILL_BAD_ARGUMENT);
}

// ---- Covered columns -------------------------------------------------------------------

// A floor at 0 m, a slab from 1 m to 1.5 m over the eastern half, on cells of 0.25 m.
static rill_world *slab_world(void)
{
    rill_solid_def grid = rill_default_solid_def();
    grid.nx = grid.ny = SIDE;
    grid.cell_size = 0.25;
    grid.bottom = -0.5;
    grid.top = 3.0;
    SCOPED(rill_solid) *solid = NULL;
    assert_ok(rill_solid_create(&grid, &solid));
    combine(solid, placed(RILL_SDF_PLANE, 0.0, 0.0, 0.0), RILL_COMBINE_UNION);
    combine(solid, box_at(3.0, 2.0, 1.25, 2.0, 8.0, 0.5), RILL_COMBINE_UNION);
    rill_world_def def = grid_def(SIDE, SIDE, 0.25);
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    return make_world(&def);
}

static double column(rill_world *world, int layer, int i, int j)
{
    const rill_columns c = rill_world_columns(world);
    return (double)c.depth[(size_t)layer * c.layer_stride + (size_t)j * c.pitch + (size_t)i];
}

// Water in a layer, m^3.
static double content(rill_world *world, int layer)
{
    double sum = 0.0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            sum += column(world, layer, i, j) * 0.0625;
    return sum;
}

TEST(z_chooses_the_column_below_the_slab_or_the_one_on_it)
{
    static const struct {
        double z;
        int layer;
    } cases[] = {{0.5, 1}, {0.01, 1}, {1.2, 1}, {1.5, 0}, {2.0, 0}, {INFINITY, 0}, {-9.0, 1}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        SCOPED(rill_world) *world = slab_world();
        double done = 0.0;
        assert_ok(rill_world_pour_at(world, 3.0, 2.0, cases[n].z, 0.5, 0.1, &done));
        assert_true(fabs(done - 0.1) < 1e-7);
        assert_true(fabs(content(world, cases[n].layer) - 0.1) < 1e-6);
        assert_true(content(world, 1 - cases[n].layer) == 0.0);
        assert_true(rill_world_ledger(world).error < 1e-7);
    }
}

TEST(a_disc_across_the_edge_fills_the_open_side_and_the_covered_one)
{
    SCOPED(rill_world) *world = slab_world();
    assert_ok(rill_world_pour_at(world, 2.0, 2.0, 0.5, 0.6, 0.05, NULL));
    assert_true(column(world, 0, 7, 8) > 0.0 && column(world, 1, 8, 8) > 0.0);
    assert_true(fabs(column(world, 0, 7, 8) - column(world, 1, 8, 8)) < 1e-6);
    assert_true(column(world, 0, 8, 8) == 0.0);
}

TEST(what_full_columns_refuse_goes_to_the_others_of_the_disc)
{
    SCOPED(rill_world) *world = slab_world();
    // The covered half of the disc holds 1 m, the open half anything.
    double done = 0.0;
    assert_ok(rill_world_pour_at(world, 2.0, 2.0, 0.5, 0.6, 4.0, &done));
    assert_true(fabs(done - 4.0) < 1e-4);
    assert_true(fabs(column(world, 1, 8, 8) - 1.0) < 1e-4);
    assert_true(column(world, 0, 7, 8) > 1.5);
    assert_true(rill_world_ledger(world).error < 1e-7);
}

TEST(what_nobody_has_room_for_is_not_given_and_not_booked)
{
    SCOPED(rill_world) *world = slab_world();
    double done = 0.0;
    // 8 x 16 cells under the slab, of which the disc holds those with centres within 0.3 m.
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 0.5, 0.3, 9.0, &done));
    const double room = content(world, 1);
    assert_true(fabs(done - room) < 1e-6 && done < 1.0);
    assert_true(fabs(column(world, 1, 12, 8) - 1.0) < 1e-3);
    assert_true(fabs(rill_world_ledger(world).sourced - done) < 1e-12);
    assert_true(rill_world_ledger(world).error < 1e-7);
    assert_true(content(world, 0) == 0.0);
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 0.5, 0.3, 9.0, &done));
    assert_true(done < 1e-6);
}

TEST(a_drain_takes_from_the_column_at_its_elevation)
{
    SCOPED(rill_world) *world = slab_world();
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 0.5, 0.5, 0.2, NULL));
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 2.0, 0.5, 0.1, NULL));
    double done = 0.0;
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 0.3, 0.5, -0.15, &done));
    assert_true(fabs(done + 0.15) < 1e-6);
    assert_true(fabs(content(world, 1) - 0.05) < 1e-6);
    assert_true(fabs(content(world, 0) - 0.1) < 1e-6);
    assert_ok(rill_world_pour_at(world, 3.0, 2.0, 0.3, 0.5, -9.0, &done));
    assert_true(fabs(done + 0.05) < 1e-6);
    assert_true(content(world, 1) < 1e-9);
    assert_true(rill_world_ledger(world).error < 1e-7);
}

TEST(a_spring_below_a_wall_does_not_come_out_on_top_of_it)
{
    SCOPED(rill_world) *world = slab_world();
    rill_sdf_primitive wall = rill_default_sdf_primitive(RILL_SDF_BOX);
    set3(wall.position, 0.5, 2.0, 1.25);
    wall.size[1] = 8.0;
    wall.size[2] = 2.5;
    assert_ok(rill_world_combine(world, &wall, RILL_COMBINE_UNION, 0.0));
    double done = 0.0;
    assert_ok(rill_world_pour_at(world, 1.0, 2.0, 0.5, 0.6, 0.05, &done));
    assert_true(fabs(done - 0.05) < 1e-7);
    assert_true(column(world, 0, 3, 8) == 0.0 && column(world, 0, 4, 8) > 0.0);
    // Where there is nothing but wall, its top has to do.
    assert_ok(rill_world_pour_at(world, 0.3, 2.0, 0.5, 0.2, 0.05, &done));
    assert_true(fabs(done - 0.05) < 1e-7 && column(world, 0, 1, 8) > 0.0);
}

TEST(suction_that_moves_takes_what_lies_below_it_and_keeps_the_books)
{
    SCOPED(rill_world) *world = slab_world();
    assert_ok(rill_world_pour_at(world, 2.0, 2.0, 0.5, 9.0, 2.0, NULL)); // 12.5 cm everywhere below
    const double below = content(world, 1);
    rill_source_def tip = rill_default_source_def();
    tip.rate = -0.5;
    tip.radius = 0.3;
    tip.path[0] = (rill_path_key){0.0, 2.5, 0.5, 0.2};
    tip.path[1] = (rill_path_key){1.0, 3.5, 3.5, 0.2};
    tip.path_count = 2;
    add(world, &tip);
    run_frames(world, 60);
    const rill_ledger ledger = rill_world_ledger(world);
    assert_true(ledger.drained > 0.2 && ledger.drained < 0.5 + 1e-6);
    assert_true(ledger.error < 1e-6);
    assert_true(content(world, 1) < below);
}

// ---- Sun -------------------------------------------------------------------------------

TEST(more_sun_than_water_takes_what_there_is)
{
    const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE, RILL_SOLVER_LAYERS};
    for (int n = 0; n < 3; n++) {
        rill_world_def def = grid_def(SIDE, SIDE, 1.0);
        def.solver = solvers[n];
        def.use_level = 1;
        def.level = 0.25f; // exact in a float
        SCOPED(rill_world) *world = make_world(&def);
        assert_ok(rill_world_set_evaporation(world, 1.0));
        run_world(world, 2, 0.5);
        const rill_ledger ledger = rill_world_ledger(world);
        assert_true(ledger.initial == 0.25 * SIDE * SIDE);
        assert_true(ledger.drained == ledger.initial);
        assert_true(ledger.water == 0.0 && ledger.sourced == 0.0);
    }
}
