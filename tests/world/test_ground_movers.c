// SPDX-License-Identifier: MIT
// Solids that are moved through the liquid of a world.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/world/ground_worlds.h"

static void move_to(rill_world *world, rill_mover_id id, double x, double y, double z)
{
    const double before = world_volume(world);
    assert_ok(rill_world_move(world, id, (const double[3]){x, y, z}, NULL));
    assert_same_volume(world, before);
}

static rill_mover_id add_mover(rill_world *world, rill_sdf_primitive shape)
{
    rill_mover_id id = {0};
    const double before = world_volume(world);
    assert_ok(rill_world_add_mover(world, &shape, &id));
    assert_same_volume(world, before);
    return id;
}

// ---- Liquid gives way ------------------------------------------------------------------

// A ball sinks to the middle of a pool 1.5 m deep, goes through it and leaves it. While it is below
// the surface the level is higher by its volume over the area of the pool.
TEST(a_ball_pushed_through_a_pool_lifts_its_level)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)(FLOOR + 1.5);
    def.pipes.friction = 0.9f;
    SCOPED(rill_world) *world = make_world_on(flat_solid(), &def);
    const double radius = 0.45, area = NX * NY * CELL_AREA, level = FLOOR + 1.5;
    const double rise = 4.0 / 3.0 * 3.14159265 * radius * radius * radius / area;
    const rill_mover_id id = add_mover(world, ball_at(1.2, 1.3, 2.55, radius));
    for (int n = 0; n < 30; n++) {
        move_to(world, id, 1.2, 1.3, 2.55 - 0.05 * n);
        run_world(world, 1, 0.03);
        assert_books_closed(world);
    }
    run_world(world, 100, 0.05);
    const double lifted = level_in(world, 25, NX);
    assert_true(fabs(lifted - level - rise) < 0.05 * rise); // sixty columns make the ball
    for (int n = 0; n < 30; n++) {
        move_to(world, id, 1.2 + 0.05 * n, 1.3 + 0.02 * n, 1.1);
        run_world(world, 1, 0.03);
        assert_books_closed(world);
    }
    run_world(world, 100, 0.05);
    assert_true(fabs(level_in(world, 0, 12) - level - rise) < 0.05 * rise);
    for (int n = 0; n < 30; n++) {
        move_to(world, id, 2.65, 1.88, 1.1 + 0.05 * n);
        run_world(world, 1, 0.03);
    }
    move_to(world, id, 2.65, 1.88, 9.0); // no more columns on top of it
    run_world(world, 100, 0.05);
    assert_true(fabs(level_in(world, 0, NX) - level) < 1e-5);
    assert_true(fabs(level_in(world, 0, 12) - level) < 0.01 * rise);
    assert_books_closed(world);
}

// A post that pierces the surface: h A = h0 A + s (h - bottom), where A is the area of the pool and
// s that of the post, both above the floor.
TEST(a_post_leaves_less_area_to_the_pool)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)(FLOOR + 1.0);
    def.pipes.friction = 0.9f;
    SCOPED(rill_world) *world = make_world_on(flat_solid(), &def);
    rill_sdf_primitive post = placed(RILL_SDF_CYLINDER, 2.0, 1.6, 2.9);
    post.radius = 0.8;
    post.length = 1.6;
    const rill_mover_id id = add_mover(world, post);
    for (int n = 1; n <= 20; n++) { // down to 0.4 m above the floor
        move_to(world, id, 2.0, 1.6, 2.9 - 0.059 * n);
        run_world(world, 1, 0.05);
    }
    run_world(world, 150, 0.05);
    const double area = NX * NY * CELL_AREA, section = 3.14159265 * 0.8 * 0.8;
    const double bottom = 2.9 - 0.059 * 20 - 0.8 - FLOOR;
    const double rise = (area - section * bottom) / (area - section) - 1.0;
    assert_true(rise > 0.08);
    assert_true(fabs(level_in(world, 0, 8) - FLOOR - 1.0 - rise) < 0.05 * rise);
    assert_ok(rill_world_remove_mover(world, id));
    run_world(world, 150, 0.05);
    assert_true(fabs(level_in(world, 0, NX) - FLOOR - 1.0) < 1e-5);
    assert_true(fabs(level_in(world, 0, 8) - FLOOR - 1.0) < 0.01 * rise);
    assert_books_closed(world);
}

// There is no room left in the cave nor around it; the sky above has some.
TEST(liquid_of_a_cave_that_is_filled_is_not_lost)
{
    rill_solid *solid = flat_solid();
    combine(solid, placed(RILL_SDF_PLANE, 0.0, 0.0, 2.01), RILL_COMBINE_UNION);
    combine(solid, box_at(2.0, 1.6, 1.0, 0.8, 0.8, 0.6), RILL_COMBINE_SUBTRACT);
    SCOPED(rill_world) *world = world_on(solid, 1.2);
    const double inside = volume_in(world, 0, NX, 1, 9);
    assert_true(fabs(inside - 0.8 * 0.8 * 0.5) < 1e-6);
    const rill_mover_id id = add_mover(world, box_at(2.0, 1.6, 1.0, 1.0, 1.0, 0.8));
    assert_true(volume_in(world, 0, NX, 1, 9) == 0.0);
    assert_true(fabs(volume_in(world, 0, NX, 0, 1) - inside) < 1e-6);
    run_world(world, 10, 0.02);
    assert_books_closed(world);
    assert_ok(rill_world_remove_mover(world, id));
    assert_true(volume_in(world, 0, NX, 1, 9) == 0.0);
    assert_books_closed(world);
}

// ---- Fields ----------------------------------------------------------------------------

TEST(removing_movers_brings_the_ground_back_to_the_last_bit)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), 0.9), *fresh = world_on(rough_solid(), 0.9);
    assert_true(same_mesh(world, fresh));
    rill_sdf_primitive bar = placed(RILL_SDF_CAPSULE, 2.4, 1.5, 1.1);
    bar.radius = 0.2;
    bar.rotation[0] = 0.6, bar.rotation[3] = 0.8;
    const rill_mover_id first = add_mover(world, bar);
    const rill_mover_id second = add_mover(world, ball_at(2.5, 1.9, 1.0, 0.4));
    assert_true(!same_ground(world, fresh));
    for (int n = 0; n < 12; n++) {
        move_to(world, first, 2.4 - 0.13 * n, 1.5 + 0.07 * n, 1.1 - 0.02 * n);
        const double turn[4] = {0.6 * sin(0.3 * n), 0.8 * sin(0.3 * n), 0.0, cos(0.3 * n)};
        const double place[3] = {2.5 - 0.21 * n, 1.9, 1.0};
        assert_ok(rill_world_move(world, second, place, turn));
        run_world(world, 1, 0.02);
    }
    assert_ok(rill_world_remove_mover(world, first));
    // The other one is still there, as if it had been alone.
    add_mover(fresh, ball_at(2.5 - 0.21 * 11, 1.9, 1.0, 0.4));
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
    assert_ok(rill_world_remove_mover(world, second));
    rill_world_destroy(&fresh);
    fresh = world_on(rough_solid(), 0.9);
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
    assert_books_closed(world);
}

// What is cut out of the ground is not cut out of what moves, and does not leave with it.
TEST(changes_of_the_ground_pass_by_what_moves)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), 0.9), *fresh = world_on(rough_solid(), 0.9);
    const rill_sdf_primitive ball = ball_at(1.2, 1.3, 0.9, 0.4);
    const rill_sdf_primitive cut = box_at(1.2, 1.3, 1.0, 0.5, 2.0, 1.0);
    const rill_mover_id id = add_mover(world, ball);
    assert_ok(rill_world_combine(world, &cut, RILL_COMBINE_SUBTRACT, 0.0));
    assert_ok(rill_world_combine(fresh, &cut, RILL_COMBINE_SUBTRACT, 0.0));
    const rill_mover_id other = add_mover(fresh, ball);
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
    assert_ok(rill_world_remove_mover(world, id));
    assert_true(!same_ground(world, fresh));
    assert_ok(rill_world_remove_mover(fresh, other));
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
}

// ---- Paths -----------------------------------------------------------------------------

TEST(a_path_is_followed_and_rested_at_its_ends)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), 0.9), *twin = world_on(rough_solid(), 0.9);
    const rill_sdf_primitive ball = ball_at(0.5, 0.5, 2.0, 0.3);
    const rill_mover_id id = add_mover(world, ball), other = add_mover(twin, ball);
    const rill_path_key keys[3] = {
        {0.25, 1.0, 0.8, 0.9}, {0.5, 2.0, 0.8, 0.7}, {1.0, 2.0, 2.4, 0.8}};
    assert_ok(rill_world_set_mover_path(world, id, keys, 3));
    for (int n = 1; n <= 20; n++) {
        const double t = n / 16.0; // exact, so are the places but for their rounding
        double place[3] = {1.0, 0.8, 0.9};
        if (t > 0.25 && t < 0.5)
            place[0] = 1.0 + 4.0 * (t - 0.25) * 1.0,
            place[2] = 0.9 + (t - 0.25) / 0.25 * (0.7 - 0.9);
        else if (t >= 0.5 && t < 1.0)
            place[0] = 2.0, place[1] = 0.8 + (t - 0.5) / 0.5 * (2.4 - 0.8),
            place[2] = 0.7 + (t - 0.5) / 0.5 * (0.8 - 0.7);
        else if (t >= 1.0)
            set3(place, 2.0, 2.4, 0.8);
        assert_ok(rill_world_move(twin, other, place, NULL));
        run_world(world, 1, 1.0 / 16.0);
        run_world(twin, 1, 1.0 / 16.0);
        assert_true(same_ground(world, twin));
        assert_true(rill_world_hash(world) == rill_world_hash(twin));
    }
    // Without keys it stays where it is, and can be moved by hand.
    assert_ok(rill_world_set_mover_path(world, id, NULL, 0));
    move_to(world, id, 1.0, 1.0, 1.0);
    move_to(twin, other, 1.0, 1.0, 1.0);
    run_world(world, 2, 0.1);
    assert_true(same_ground(world, twin));
    assert_books_closed(world);
}

TEST(bad_paths_are_refused)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9);
    const rill_mover_id id = add_mover(world, ball_at(1.0, 1.0, 1.0, 0.3));
    rill_path_key keys[RILL_PATH_MAX_KEYS + 1] = {{0.0, 1.0, 1.0, 1.0}, {1.0, 2.0, 1.0, 1.0}};
    assert_int_equal(rill_world_set_mover_path(world, id, keys, -1), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_set_mover_path(world, id, keys, RILL_PATH_MAX_KEYS + 1),
                     RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_set_mover_path(world, id, NULL, 1), RILL_BAD_ARGUMENT);
    keys[1].time = 0.0;
    assert_int_equal(rill_world_set_mover_path(world, id, keys, 2), RILL_BAD_DEF);
    assert_sentence_has("key 1");
    keys[1].time = 1.0, keys[1].z = (double)NAN;
    assert_int_equal(rill_world_set_mover_path(world, id, keys, 2), RILL_BAD_DEF);
    assert_int_equal(rill_world_move(world, id, NULL, NULL), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_move(world, id, (const double[3]){(double)NAN, 0.0, 0.0}, NULL),
                     RILL_BAD_DEF);
    assert_int_equal(rill_world_move(world, id, (const double[3]){1.0, 1.0, 1.0},
                                     (const double[4]){0.0, 0.0, 0.0, 0.5}),
                     RILL_BAD_DEF);
    SCOPED(rill_world) *twin = world_on(flat_solid(), 0.9);
    add_mover(twin, ball_at(1.0, 1.0, 1.0, 0.3));
    run_world(world, 3, 0.05);
    run_world(twin, 3, 0.05);
    assert_true(rill_world_hash(world) == rill_world_hash(twin));
}

// ---- Failure and ids -------------------------------------------------------------------

// A plate that lies on the ground may not be lifted: there would be a column below it.
TEST(a_mover_that_makes_too_many_columns_changes_nothing)
{
    rill_solid *solid = flat_solid();
    rill_world_def def = ground_def(solid);
    def.use_level = 1;
    def.level = 0.9f;
    def.layers.max_layers = 1;
    SCOPED(rill_world) *world = make_world(&def), *twin = make_world(&def);
    rill_solid_destroy(&solid);
    const rill_sdf_primitive plate = box_at(2.0, 1.6, 0.6, 0.6, 0.6, 0.4);
    const rill_mover_id id = add_mover(world, plate), other = add_mover(twin, plate);
    run_world(world, 10, 0.02);
    run_world(twin, 10, 0.02);
    const uint64_t hash = rill_world_hash(world), version = rill_world_ground_mesh(world).version;
    const double high[3] = {2.0, 1.6, 1.6};
    assert_int_equal(rill_world_move(world, id, high, NULL), RILL_BAD_DEF);
    assert_sentence_has("cell (17, 13) has 2 columns");
    const rill_sdf_primitive hanging = ball_at(1.0, 1.0, 2.0, 0.3);
    assert_int_equal(rill_world_add_mover(world, &hanging, NULL), RILL_BAD_DEF);
    assert_sentence_has("cell (");
    const rill_path_key key = {0.0, 2.0, 1.6, 1.6};
    assert_ok(rill_world_set_mover_path(world, id, &key, 1));
    const double time = rill_world_time(world);
    assert_int_equal(rill_world_step(world, 0.02), RILL_BAD_DEF);
    assert_sentence_has("mover 1 on its path");
    assert_sentence_has("cell (17, 13)");
    assert_ok(rill_world_set_mover_path(world, id, NULL, 0));
    assert_true(rill_world_hash(world) == hash && rill_world_time(world) == time);
    assert_true(rill_world_ground_mesh(world).version == version && same_mesh(world, twin));
    // The field is as it was as well: later changes do not bring to light what failed.
    move_to(world, id, 2.3, 1.6, 0.5);
    move_to(twin, other, 2.3, 1.6, 0.5);
    const rill_sdf_primitive post = box_at(1.0, 1.0, 1.5, 0.4, 0.4, 2.4);
    assert_ok(rill_world_combine(world, &post, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_combine(twin, &post, RILL_COMBINE_UNION, 0.0));
    run_world(world, 10, 0.02);
    run_world(twin, 10, 0.02);
    assert_true(rill_world_hash(world) == rill_world_hash(twin) && same_mesh(world, twin));
}

TEST(stale_and_null_ids_are_detected)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9);
    const rill_sdf_primitive ball = ball_at(1.0, 1.0, 1.0, 0.3);
    const rill_mover_id first = add_mover(world, ball);
    assert_true(first.index1 != 0);
    assert_ok(rill_world_remove_mover(world, first));
    assert_int_equal(rill_world_remove_mover(world, first), RILL_BAD_ARGUMENT);
    const rill_mover_id second = add_mover(world, ball);
    assert_int_equal(second.index1, first.index1); // the same place
    const rill_mover_id wrong[4] = {first, {0}, {5, 1}, {UINT32_MAX, second.generation}};
    const uint64_t hash = rill_world_hash(world);
    for (int n = 0; n < 4; n++) {
        const double place[3] = {2.0, 1.0, 1.0};
        assert_int_equal(rill_world_move(world, wrong[n], place, NULL), RILL_BAD_ARGUMENT);
        assert_sentence_has("no longer");
        assert_int_equal(rill_world_remove_mover(world, wrong[n]), RILL_BAD_ARGUMENT);
        assert_int_equal(rill_world_set_mover_path(world, wrong[n], NULL, 0), RILL_BAD_ARGUMENT);
    }
    assert_true(rill_world_hash(world) == hash);
    for (int n = 0; n < 3; n++)
        add_mover(world, ball);
    rill_mover_id none = {7, 7};
    assert_int_equal(rill_world_add_mover(world, &ball, &none), RILL_BAD_DEF);
    assert_sentence_has("4 movers already");
    assert_true(none.index1 == 7);
    // A slot that is free again has forgotten its path.
    const rill_path_key key = {0.0, 3.0, 1.0, 1.0};
    assert_ok(rill_world_set_mover_path(world, second, &key, 1));
    assert_ok(rill_world_remove_mover(world, second));
    add_mover(world, ball);
    SCOPED(rill_world) *twin = world_on(flat_solid(), 0.9);
    add_mover(twin, ball);
    run_world(world, 1, 0.02);
    assert_true(same_ground(world, twin));
}

// A mover of triangles whose maker has let go of them.
TEST(triangles_live_as_long_as_a_mover_needs_them)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9), *clone = NULL;
    rill_snapshot *snapshot = NULL;
    rill_triangles *triangles = pyramid(&host);
    const size_t bytes = count.bytes;
    rill_sdf_primitive tent = placed(RILL_SDF_MESH, 1.0, 1.0, 0.6);
    tent.triangles = triangles;
    rill_mover_id id = add_mover(world, tent);
    assert_ok(rill_world_schedule_combine(world, 0.5, &tent, RILL_COMBINE_UNION, 0.0));
    rill_triangles_destroy(&triangles);
    assert_int_equal(count.bytes, bytes);
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_world_save(world, snapshot));
    for (int n = 0; n < 5; n++)
        move_to(world, id, 1.0 + 0.3 * n, 1.0, 0.6);
    assert_ok(rill_world_clone(world, &clone));
    assert_ok(rill_world_remove_mover(world, id));
    run_world(world, 1, 1.0); // the planned change has been made
    rill_snapshot_destroy(&snapshot);
    assert_int_equal(count.bytes, bytes); // the clone has them still
    move_to(clone, id, 3.0, 2.0, 0.6);
    run_world(clone, 1, 1.0);
    assert_ok(rill_world_remove_mover(clone, id));
    assert_int_equal(count.bytes, 0);
}
