// SPDX-License-Identifier: MIT
// Ground of a world that is changed for good while the liquid runs: cuts and additions, now or
// planned, their triangles, snapshots and clones.
#include "terrain/sdf/solid_internal.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/world/ground_worlds.h"

// ---- Liquid follows --------------------------------------------------------------------

// Two basins with a wall between them; liquid 0.7 m deep in the western one. A cut down to 0.7 m
// lets it through until both stand at one level: by volume 0.5 * 0.7 m above the floor, less what
// stands in the channel.
TEST(a_cut_opens_a_channel_that_liquid_runs_through)
{
    rill_solid *solid = flat_solid();
    combine(solid, box_at(2.0, 1.6, 1.0, 0.4, 4.0, 2.0), RILL_COMBINE_UNION);
    static float depth[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        depth[n] = n % NX < 18 ? 0.7f : 0.0f;
    rill_world_def def = ground_def(solid);
    def.depth = (rill_field_view){depth, NX, NY, NX};
    def.pipes.friction = 0.7f;
    SCOPED(rill_world) *world = make_world(&def);
    rill_solid_destroy(&solid);
    run_world(world, 20, 0.05);
    assert_true(volume_in(world, 18, NX, 0, 9) == 0.0);
    assert_true(fabs(level_in(world, 0, 18) - (FLOOR + 0.7)) < 0.002);

    const rill_sdf_primitive cut = box_at(2.0, 1.6, 1.7, 0.8, 0.6, 2.0);
    assert_ok(rill_world_combine(world, &cut, RILL_COMBINE_SUBTRACT, 0.0));
    run_world(world, 600, 0.05);
    const double west = level_in(world, 0, 18), east = level_in(world, 22, NX);
    assert_true(fabs(west - east) < 0.005);
    const double channel = 4 * 6 * CELL_AREA * (east - 0.7), basins = 2 * 18 * NY * CELL_AREA;
    assert_true(fabs(east - (FLOOR + (0.35 * basins - channel) / basins)) < 0.005);
    assert_books_closed(world);
}

// Liquid on a roof runs down through a hole in it, until the hole is plugged.
TEST(a_plug_in_a_hole_stops_the_flow)
{
    rill_solid *solid = flat_solid();
    combine(solid, box_at(2.0, 1.6, 1.3, 6.0, 6.0, 0.3), RILL_COMBINE_UNION);
    rill_sdf_primitive hole = placed(RILL_SDF_CYLINDER, 2.0, 1.6, 1.3);
    hole.radius = 0.35;
    hole.length = 0.6;
    combine(solid, hole, RILL_COMBINE_SUBTRACT);
    static float depth[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        depth[n] = n % NX < 10 ? 0.3f : 0.0f;
    rill_world_def def = ground_def(solid);
    def.depth = (rill_field_view){depth, NX, NY, NX};
    SCOPED(rill_world) *world = make_world(&def);
    rill_solid_destroy(&solid);
    run_world(world, 40, 0.05);
    const double early = volume_in(world, 0, NX, 1, 9);
    run_world(world, 40, 0.05);
    const double before = volume_in(world, 0, NX, 1, 9);
    assert_true(early > 0.0 && before > 1.2 * early);

    hole.length = 0.3;
    assert_ok(rill_world_combine(world, &hole, RILL_COMBINE_UNION, 0.0));
    const double plugged = volume_in(world, 0, NX, 1, 9);
    assert_true(plugged >= before && volume_in(world, 0, NX, 0, 1) > 0.1);
    run_world(world, 60, 0.05);
    assert_true(fabs(volume_in(world, 0, NX, 1, 9) - plugged) < 1e-6 * plugged);
    assert_books_closed(world);
}

// What is cut anew is what a world made of such a ground has, wherever the shape is and whatever is
// done with it.
TEST(the_ground_is_that_of_a_solid_changed_in_the_same_way)
{
    static const rill_sdf_kind kinds[] = {RILL_SDF_BOX,      RILL_SDF_SPHERE, RILL_SDF_CAPSULE,
                                          RILL_SDF_CYLINDER, RILL_SDF_CONE,   RILL_SDF_TORUS,
                                          RILL_SDF_CYLINDER, RILL_SDF_PLANE};
    SCOPED(rill_solid) *solid = rough_solid();
    rill_world_def def = ground_def(solid);
    def.layers.max_layers = 8;
    SCOPED(rill_world) *world = make_world(&def);
    assert_true(rill_world_ground_mesh(world).index_count > 0);
    for (int n = 0; n < 32; n++) {
        rill_sdf_primitive shape = placed(kinds[n % 8], 2.0 + 2.1 * sin(1.7 * n),
                                          1.6 + 1.7 * cos(2.3 * n), 0.9 + 0.8 * sin(2.9 * n));
        set3(shape.size, 0.5, 0.3, 0.7);
        shape.radius = 0.25 + 0.02 * (n % 5), shape.radius_top = 0.1, shape.length = 0.6;
        const double angle = 0.4 * n;
        shape.rotation[0] = 0.6 * sin(angle), shape.rotation[1] = 0.8 * sin(angle);
        shape.rotation[3] = cos(angle);
        rill_combine how = (rill_combine)(n % 4);
        if (how == RILL_COMBINE_INTERSECT || shape.kind == RILL_SDF_PLANE)
            how = RILL_COMBINE_SUBTRACT; // else little would be left
        if (n == 29) {
            shape = box_at(1.8, 1.5, 1.0, 2.5, 2.5, 2.0);
            how = RILL_COMBINE_INTERSECT;
        }
        const bool smooth = how == RILL_COMBINE_SMOOTH_UNION;
        const double blend = smooth ? 0.03 * (n % 7) : 0.0;
        // A blend that is not used must not matter.
        assert_ok(rill_world_combine(world, &shape, how, smooth ? blend : -5.0));
        assert_ok(rill_solid_combine(solid, &shape, how, blend));
        SCOPED(rill_world) *fresh = make_world(&def);
        assert_true(same_ground(world, fresh));
        assert_true(same_mesh(world, fresh));
    }
}

// Nodes above the floor are nearly a cell away from it: a shape that comes nearer moves the floor
// of a column that it does not reach, and a fillet does so from farther away.
TEST(columns_beside_a_shape_are_cut_anew_too)
{
    for (int n = 0; n < 20; n++) {
        const bool smooth = n >= 10;
        SCOPED(rill_solid) *solid = solid_up_to(0.501);
        rill_world_def def = ground_def(solid);
        SCOPED(rill_world) *world = make_world(&def);
        const rill_sdf_primitive post = box_at(2.0, 1.6, 0.6, 0.402 + 0.02 * (n % 10), 0.4, 1.2);
        const rill_combine how = smooth ? RILL_COMBINE_SMOOTH_UNION : RILL_COMBINE_UNION;
        assert_ok(rill_world_combine(world, &post, how, smooth ? 0.5 : 0.0));
        assert_ok(rill_solid_combine(solid, &post, how, smooth ? 0.5 : 0.0));
        SCOPED(rill_world) *fresh = make_world(&def);
        assert_true(same_ground(world, fresh));
    }
}

// Faces that fall on nodes: whatever rounding does, the hole goes through.
TEST(a_hole_as_long_as_its_plate_is_thick_leaves_no_skin)
{
    for (int n = 0; n < 15; n++) {
        SCOPED(rill_world) *world = world_on(flat_solid(), 0.0);
        const double z = (9 + n) * DX + 0.15;
        const rill_sdf_primitive plate = box_at(2.0, 1.6, z, 2.0, 2.0, 0.3);
        const rill_sdf_primitive hole = box_at(2.0, 1.6, z, 0.8, 0.8, 0.3);
        assert_ok(rill_world_combine(world, &plate, RILL_COMBINE_UNION, 0.0));
        assert_ok(rill_world_combine(world, &hole, RILL_COMBINE_SUBTRACT, 0.0));
        const rill_ground_mesh mesh = rill_world_ground_mesh(world);
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            const float *p = mesh.vertices[v].position;
            const bool within = fabsf(p[0] - 2.0f) < 0.25f && fabsf(p[1] - 1.6f) < 0.25f;
            assert_true(!within || p[2] < 0.53f);
        }
    }
}

// An instrument is looked at many points at once, in other loops.
TEST(distances_of_many_points_are_those_of_one)
{
    const rl_upright line = {1.17, 0.83, -0.4, 0.07};
    for (int kind = 0; kind < RILL_SDF_HEIGHTS; kind++)
        for (int turned = 0; turned < 2; turned++) {
            rill_sdf_primitive shape = placed((rill_sdf_kind)kind, 1.0, 0.9, 0.3);
            shape.scale = 1.0 - 0.3 * turned;
            shape.rounding = 0.05 * turned;
            shape.radius = 0.3;
            shape.rotation[1] = 0.6 * turned, shape.rotation[3] = turned ? 0.8 : 1.0;
            const rl_placed_primitive there = rl_sdf_primitive_place(&shape);
            double many[RL_MOST_AT_ONCE];
            for (int count = 1; count <= RL_MOST_AT_ONCE; count++) {
                rl_placed_distances(&there, &line, 3, count, 1.0, many);
                for (int k = 0; k < count; k++) {
                    const rl_upright point = {line.x, line.y, line.z0 + (3 + k) * line.dz, 0.0};
                    double one;
                    rl_placed_distances(&there, &point, 0, 1, 1.0, &one);
                    assert_memory_equal(&one, &many[k], sizeof one);
                }
            }
        }
}

// Velocities are made from discharges and depths.
TEST(cells_away_from_the_shape_are_left_alone)
{
    static float before[4][MOST_VALUES], after[4][MOST_VALUES];
    rill_solid *solid = rough_solid();
    SCOPED(rill_world) *world = world_on(solid, 0.8);
    assert_ok(rill_world_pour(world, 1.0, 1.0, 0.5, 0.3, NULL));
    run_world(world, 10, 0.02);
    const rill_columns c = rill_world_columns(world);
    const float *fields[4] = {c.base, c.depth, c.velocity_x, c.velocity_y};
    for (int n = 0; n < 4; n++)
        copy_values(&c, fields[n], before[n]);
    const uint64_t hash = rill_world_hash(world);
    // A post that stands in the liquid, 4 cells wide around cell (20, 15).
    const rill_sdf_primitive post = box_at(2.05, 1.55, 1.0, 0.4, 0.4, 2.0);
    assert_ok(rill_world_combine(world, &post, RILL_COMBINE_UNION, 0.0));
    assert_true(rill_world_hash(world) != hash);
    rill_world_columns(world);
    for (int n = 0; n < 4; n++)
        copy_values(&c, fields[n], after[n]);
    int moving = 0;
    for (int slot = 0; slot < c.layers * NX * NY; slot++) {
        const int i = slot % NX, j = slot / NX % NY,
                  far = abs(i - 20) > abs(j - 15) ? abs(i - 20) : abs(j - 15);
        if (far <= 4) // two of the post, one that takes its liquid, one whose velocity sees that
            continue;
        for (int n = 0; n < 4; n++)
            assert_memory_equal(&before[n][slot], &after[n][slot], sizeof(float));
        moving += far <= 8 && before[2][slot] != 0.0f; // within the band of the field
    }
    assert_true(moving > 50);
}

// ---- Planned changes -------------------------------------------------------------------

TEST(a_planned_change_happens_at_its_time_and_once)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), 0.9), *twin = world_on(rough_solid(), 0.9);
    const rill_sdf_primitive post = box_at(2.0, 1.0, 1.0, 0.4, 0.4, 2.0);
    assert_ok(rill_world_schedule_combine(world, 0.25, &post, RILL_COMBINE_UNION, 0.0));
    for (int n = 0; n < 10; n++) {
        assert_true(same_ground(world, twin));
        if (n == 2) // the first step that ends after 0.25 s
            assert_ok(rill_world_combine(twin, &post, RILL_COMBINE_UNION, 0.0));
        if (n == 6) { // it does not come back
            assert_ok(rill_world_combine(world, &post, RILL_COMBINE_SUBTRACT, 0.0));
            assert_ok(rill_world_combine(twin, &post, RILL_COMBINE_SUBTRACT, 0.0));
        }
        run_world(world, 1, 0.1);
        run_world(twin, 1, 0.1);
        assert_true(rill_world_hash(world) == rill_world_hash(twin));
    }
    // At the very end of a step it is not due yet; in the past it is.
    const rill_sdf_primitive ball = ball_at(1.0, 1.0, 1.0, 0.3);
    assert_ok(rill_world_schedule_combine(world, rill_world_time(world) + 0.125, &ball,
                                          RILL_COMBINE_UNION, 0.0));
    run_world(world, 1, 0.125);
    run_world(twin, 1, 0.125);
    assert_true(same_ground(world, twin));
    run_world(world, 1, 0.125);
    assert_true(!same_ground(world, twin));
    assert_ok(rill_world_schedule_combine(twin, -3.0, &ball, RILL_COMBINE_UNION, 0.0));
    run_world(twin, 1, 0.125);
    assert_true(same_ground(world, twin));
}

TEST(planned_changes_happen_in_the_order_of_their_times)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9), *twin = world_on(flat_solid(), 0.9);
    const rill_sdf_primitive shapes[4] = {box_at(2.0, 1.6, 1.0, 1.0, 1.0, 1.5),
                                          ball_at(2.0, 1.6, 1.6, 0.6), ball_at(2.0, 1.6, 1.5, 0.3),
                                          ball_at(2.3, 1.6, 1.4, 0.2)};
    const rill_combine how[4] = {RILL_COMBINE_UNION, RILL_COMBINE_SUBTRACT, RILL_COMBINE_UNION,
                                 RILL_COMBINE_SUBTRACT};
    const int order[4] = {3, 1, 0, 2}; // of planning; the last two have the same time
    for (int n = 0; n < 4; n++)
        assert_ok(rill_world_schedule_combine(world, 0.01 * (order[n] < 3 ? order[n] : 2.5),
                                              &shapes[order[n]], how[order[n]], 0.0));
    run_world(world, 1, 0.1);
    for (int n = 0; n < 4; n++)
        assert_ok(rill_world_combine(twin, &shapes[n], how[n], 0.0));
    assert_true(same_ground(world, twin));

    const rill_sdf_primitive post = box_at(1.0, 1.0, 1.0, 0.4, 0.4, 2.0);
    const rill_sdf_primitive hole = box_at(1.0, 1.0, 1.0, 0.8, 0.8, 3.0);
    assert_ok(rill_world_schedule_combine(world, 0.15, &post, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_schedule_combine(world, 0.15, &hole, RILL_COMBINE_SUBTRACT, 0.0));
    run_world(world, 1, 0.1);
    assert_ok(rill_world_combine(twin, &post, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_combine(twin, &hole, RILL_COMBINE_SUBTRACT, 0.0));
    assert_true(same_ground(world, twin));

    for (int n = 0; n < RILL_MAX_SCHEDULED; n++)
        assert_ok(rill_world_schedule_combine(world, 99.0, &post, RILL_COMBINE_UNION, 0.0));
    assert_int_equal(rill_world_schedule_combine(world, 99.0, &post, RILL_COMBINE_UNION, 0.0),
                     RILL_BAD_DEF);
    assert_sentence_has("64");
}

// ---- What is refused -------------------------------------------------------------------

TEST(too_many_columns_name_the_cell_and_change_nothing)
{
    SCOPED(rill_solid) *solid = rough_solid();
    rill_world_def def = ground_def(solid);
    def.use_level = 1;
    def.level = 0.9f;
    def.layers.max_layers = 2;
    SCOPED(rill_world) *world = make_world(&def), *twin = make_world(&def);
    assert_ok(rill_world_pour(world, 1.0, 1.0, 0.5, 0.3, NULL));
    assert_ok(rill_world_pour(twin, 1.0, 1.0, 0.5, 0.3, NULL));
    run_world(world, 10, 0.02);
    run_world(twin, 10, 0.02);
    const uint64_t hash = rill_world_hash(world), version = rill_world_ground_mesh(world).version;
    const rill_sdf_primitive plate = box_at(2.9, 1.7, 2.0, 0.5, 0.5, 0.3); // a third roof
    assert_int_equal(rill_world_combine(world, &plate, RILL_COMBINE_UNION, 0.0), RILL_BAD_DEF);
    assert_sentence_has("cell (");
    assert_sentence_has("has 3 columns");
    assert_true(rill_world_hash(world) == hash);
    assert_true(rill_world_ground_mesh(world).version == version && same_mesh(world, twin));
    // Nor is it in the field: another change does not bring it to light.
    const rill_sdf_primitive post = box_at(3.3, 1.7, 1.9, 0.8, 0.8, 0.9);
    assert_ok(rill_world_combine(world, &post, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_combine(twin, &post, RILL_COMBINE_UNION, 0.0));
    assert_true(same_ground(world, twin) && same_mesh(world, twin));

    // A planned one fails its step once and is forgotten.
    const rill_sdf_primitive roof = box_at(1.0, 1.0, 1.6, 0.5, 0.5, 0.3);
    const rill_sdf_primitive higher = box_at(1.0, 1.0, 2.4, 0.5, 0.5, 0.3);
    assert_ok(rill_world_combine(world, &roof, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_combine(twin, &roof, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_schedule_combine(world, 0.0, &higher, RILL_COMBINE_UNION, 0.0));
    const double time = rill_world_time(world);
    assert_int_equal(rill_world_step(world, 0.02), RILL_BAD_DEF);
    assert_sentence_has("planned for 0 s");
    assert_true(rill_world_time(world) == time && same_mesh(world, twin));
    run_world(world, 5, 0.02);
    run_world(twin, 5, 0.02);
    assert_true(rill_world_hash(world) == rill_world_hash(twin));
    assert_books_closed(world);
}

TEST(changes_that_make_no_sense_are_refused_with_a_sentence)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9);
    const uint64_t hash = rill_world_hash(world);
    rill_sdf_primitive ball = ball_at(1.0, 1.0, 1.0, 0.3);
    assert_int_equal(rill_world_combine(world, NULL, RILL_COMBINE_UNION, 0.0), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_combine(world, &ball, RILL_COMBINE_SMOOTH_UNION, (double)NAN),
                     RILL_BAD_DEF);
    assert_int_equal(
        rill_world_schedule_combine(world, (double)NAN, &ball, RILL_COMBINE_UNION, 0.0),
        RILL_BAD_ARGUMENT);
    assert_sentence_has("nan");
    ball.radius = -1.0;
    assert_int_equal(rill_world_schedule_combine(world, 0.0, &ball, RILL_COMBINE_UNION, 0.0),
                     RILL_BAD_DEF);
    // Heights belong to the caller: now they are there, later they may not be.
    const float heights[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    rill_sdf_primitive map = rill_default_sdf_primitive(RILL_SDF_HEIGHTS);
    map.heights = (rill_field_view){heights, 2, 2, 2};
    assert_int_equal(rill_world_schedule_combine(world, 0.0, &map, RILL_COMBINE_UNION, 0.0),
                     RILL_BAD_DEF);
    assert_sentence_has("map of heights");
    assert_int_equal(rill_world_add_mover(world, &map, NULL), RILL_BAD_DEF);
    assert_sentence_has("map of heights");
    run_world(world, 1, 0.1);
    assert_true(level_in(world, 0, NX) < 0.91);
    SCOPED(rill_world) *still = world_on(flat_solid(), 0.9);
    assert_true(rill_world_hash(still) == hash && same_ground(world, still));
    assert_ok(rill_world_combine(world, &map, RILL_COMBINE_UNION, 0.0));
    assert_true(level_in(world, 0, NX) > 1.3);
}

TEST(a_world_without_a_solid_refuses_each_call)
{
    rill_world_def def = grid_def(8, 8, 1.0);
    const rill_sdf_primitive ball = ball_at(4.0, 4.0, 0.0, 2.0);
    const rill_path_key key = {0.0, 1.0, 1.0, 1.0};
    const double place[3] = {0.0, 0.0, 0.0};
    const rill_mover_id id = {1, 1};
    for (int n = 0; n < 3; n++) {
        def.solver = n == 1 ? RILL_SOLVER_LAYERS : RILL_SOLVER_PIPES;
        SCOPED(rill_world) *world = n < 2 ? make_world(&def) : NULL;
        const char *sentence = n < 2 ? "made with a solid" : "NULL";
        for (int call = 0; call < 6; call++) {
            assert_int_equal(
                call == 0   ? rill_world_combine(world, &ball, RILL_COMBINE_UNION, 0.0)
                : call == 1 ? rill_world_schedule_combine(world, 0, &ball, RILL_COMBINE_UNION, 0.0)
                : call == 2 ? rill_world_add_mover(world, &ball, NULL)
                : call == 3 ? rill_world_move(world, id, place, NULL)
                : call == 4 ? rill_world_remove_mover(world, id)
                            : rill_world_set_mover_path(world, id, &key, 1),
                RILL_BAD_ARGUMENT);
            assert_sentence_has(sentence);
        }
        const rill_ground_mesh mesh = rill_world_ground_mesh(world);
        assert_true(mesh.vertices == NULL && mesh.index_count == 0 && mesh.version == 0);
    }
}

// ---- Triangles -------------------------------------------------------------------------

// Two worlds of one size on different grounds, drawn by one surface in turn.
TEST(one_surface_draws_one_world_after_another)
{
    rill_solid *other = flat_solid();
    combine(other, box_at(2.0, 1.6, 1.2, 1.5, 1.5, 0.3), RILL_COMBINE_UNION);
    rill_world *const worlds[] = {world_on(rough_solid(), 0.9), world_on(other, 0.9)};
    const rill_surface_def def = rill_default_surface_def();
    rill_surface *shared = NULL;
    assert_ok(rill_surface_create(worlds[0], &def, &shared));
    for (int n = 0; n < 4; n++) {
        rill_world *world = worlds[n % 2];
        SCOPED(rill_surface) *own = NULL;
        run_world(world, 3, 0.05);
        assert_ok(rill_surface_create(world, &def, &own));
        assert_ok(rill_surface_build(own, world));
        assert_ok(rill_surface_build(shared, world));
        const rill_mesh a = rill_surface_mesh(own), b = rill_surface_mesh(shared);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_int_equal(a.index_count, b.index_count);
        assert_memory_equal(a.vertices, b.vertices, a.vertex_count * sizeof *a.vertices);
        assert_memory_equal(a.indices, b.indices, a.index_count * sizeof *a.indices);
    }
    rill_surface_destroy(&shared);
    for (int n = 0; n < 2; n++) {
        SCOPED(rill_world) *world = worlds[n];
    }
}

TEST(the_version_of_the_mesh_changes_with_the_ground_alone)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), 0.9);
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    const uint64_t first = rill_world_ground_mesh(world).version;
    assert_true(first != 0);
    run_world(world, 5, 0.05);
    assert_ok(rill_world_pour(world, 1.0, 1.0, 0.5, 0.3, NULL));
    const rill_sdf_primitive outside = ball_at(90.0, 1.0, 1.0, 0.3);
    assert_ok(rill_world_combine(world, &outside, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_restore(world, snapshot));
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &outside, &id));
    assert_ok(rill_world_move(world, id, outside.position, NULL));
    assert_true(rill_world_ground_mesh(world).version == first);

    const rill_sdf_primitive ball = ball_at(1.0, 1.0, 1.0, 0.3);
    assert_ok(rill_world_move(world, id, ball.position, NULL));
    const uint64_t second = rill_world_ground_mesh(world).version;
    assert_true(second != first);
    assert_ok(rill_world_move(world, id, ball.position, ball.rotation)); // where it is already
    assert_true(rill_world_ground_mesh(world).version == second);
    assert_ok(rill_world_restore(world, snapshot));
    SCOPED(rill_world) *fresh = world_on(rough_solid(), 0.9);
    assert_true(rill_world_ground_mesh(world).version != second && same_mesh(world, fresh));
}

// ---- Snapshots, clones, memory ---------------------------------------------------------

// A world in which everything happens: a mover of triangles on a path, one moved by hand, and
// changes that wait, one of them of triangles.
static rill_world *busy_world(const rill_host *host, int workers)
{
    rill_world_def def = ground_def(NULL);
    def.host = *host;
    def.use_level = 1;
    def.level = 0.9f;
    def.worker_count = workers;
    rill_world *world = make_world_on(rough_solid(), &def);
    rill_sdf_primitive tent = placed(RILL_SDF_MESH, 0.6, 1.6, 0.6);
    rill_triangles *triangles = pyramid(host);
    tent.triangles = triangles;
    const rill_sdf_primitive ball = ball_at(3.0, 2.6, 0.9, 0.35),
                             hole = ball_at(2.9, 1.7, 1.2, 0.5);
    const rill_path_key keys[3] = {
        {0.1, 0.6, 1.6, 0.6}, {0.5, 3.2, 1.6, 0.5}, {0.9, 2.0, 0.7, 0.4}};
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &ball, NULL));
    assert_ok(rill_world_add_mover(world, &tent, &id));
    assert_ok(rill_world_set_mover_path(world, id, keys, 3));
    assert_ok(rill_world_schedule_combine(world, 0.33, &hole, RILL_COMBINE_SUBTRACT, 0.0));
    tent.position[0] = 3.4;
    assert_ok(rill_world_schedule_combine(world, 0.65, &tent, RILL_COMBINE_SMOOTH_UNION, 0.1));
    rill_triangles_destroy(&triangles); // the world keeps what it needs
    assert_true(triangles == NULL);
    return world;
}

TEST(snapshots_and_clones_have_the_same_future)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_world *world = busy_world(&host, 1), *clone = NULL, *other = busy_world(&host, 1);
    rill_snapshot *snapshot = saved_world(world); // again below: what it held must go
    run_world(world, 4, 0.05);
    assert_ok(rill_world_restore(world, snapshot)); // what waits is replaced by the same
    run_world(world, 4, 0.05);
    assert_ok(rill_world_save(world, snapshot));
    assert_ok(rill_world_clone(world, &clone));
    assert_true(rill_world_hash(clone) == rill_world_hash(world) && same_mesh(clone, world));
    run_world(world, 20, 0.05);
    assert_books_closed(world);
    const uint64_t hash = rill_world_hash(world);
    assert_ok(rill_world_restore(world, snapshot));
    assert_true(rill_world_hash(world) == rill_world_hash(clone) && same_mesh(clone, world));
    run_world(world, 20, 0.05);
    assert_true(rill_world_hash(world) == hash);
    run_world(clone, 20, 0.05);
    assert_true(rill_world_hash(clone) == hash && same_mesh(clone, world));
    // The snapshot outlives its world, and serves one that is in another state.
    rill_world_destroy(&world);
    rill_world_destroy(&clone);
    run_world(other, 17, 0.05);
    assert_ok(rill_world_restore(other, snapshot));
    run_world(other, 20, 0.05);
    assert_true(rill_world_hash(other) == hash);
    rill_world_destroy(&other);
    rill_snapshot_destroy(&snapshot);
    assert_int_equal(count.bytes, 0);
}

// A mover may hide ground that could not be cut without it.
TEST(a_clone_can_be_made_of_a_ground_that_only_its_mover_makes_possible)
{
    rill_solid *solid = flat_solid();
    rill_world_def def = ground_def(solid);
    def.layers.max_layers = 1;
    SCOPED(rill_world) *world = make_world(&def), *clone = NULL;
    rill_solid_destroy(&solid);
    rill_mover_id id;
    const rill_sdf_primitive block = box_at(2.0, 1.6, 0.9, 1.0, 1.0, 1.0);
    const rill_sdf_primitive plate = box_at(2.0, 1.6, 1.35, 0.8, 0.8, 0.3);
    assert_ok(rill_world_add_mover(world, &block, &id));
    assert_ok(rill_world_combine(world, &plate, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_clone(world, &clone));
    assert_true(same_ground(world, clone));
    assert_int_equal(rill_world_remove_mover(clone, id), RILL_BAD_DEF);
    assert_sentence_has("cell (");
    assert_true(same_ground(world, clone));
}

TEST(a_snapshot_of_another_ground_is_refused)
{
    SCOPED(rill_solid) *solid = flat_solid();
    rill_world_def def = ground_def(solid);
    rill_world *world = make_world(&def), *other = NULL;
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    for (int n = 0; n < 3; n++) {
        rill_world_def changed = def;
        changed.layers.max_movers += n == 0;
        changed.layers.max_layers += n == 1;
        if (n == 2)
            changed.solid = NULL;
        other = make_world(&changed);
        assert_int_equal(rill_world_restore(other, snapshot), RILL_BAD_ARGUMENT);
        assert_sentence_has("differs");
        rill_world_destroy(&other);
    }
    rill_world_destroy(&world);
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_world *world = busy_world(&host, 1), *clone = NULL;
    run_world(world, 2, 0.05);
    assert_true(count.bytes >= rill_world_memory(world));
    const size_t before = count.bytes;
    const uint64_t hash = rill_world_hash(world);
    for (int n = 1; clone == NULL; n++) {
        assert_true(n < 100);
        count.calls = 0;
        count.fail_at = n;
        const rill_status status = rill_world_clone(world, &clone);
        count.fail_at = 0;
        if (clone == NULL) {
            assert_int_equal(status, RILL_NO_MEMORY);
            assert_int_equal(count.bytes, before);
        } else {
            assert_true(n > 30); // the whole of a world and of a snapshot
        }
    }
    assert_true(rill_world_hash(world) == hash && rill_world_hash(clone) == hash);
    rill_world_destroy(&clone);
    assert_int_equal(count.bytes, before);
    rill_world_destroy(&world);
    assert_int_equal(count.bytes, 0);
}

TEST(steps_with_movers_and_changes_allocate_nothing)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(rill_world) *world = busy_world(&host, 1);
    const rill_mover_id ball = {1, 1};
    const rill_sdf_primitive cut = ball_at(1.0, 2.0, 0.6, 0.3);
    const int calls = count.calls;
    for (int n = 0; n < 20; n++) {
        const double place[3] = {3.0 - 0.1 * n, 2.6, 0.9};
        assert_ok(rill_world_move(world, ball, place, NULL));
        run_world(world, 1, 0.05);
    }
    assert_ok(rill_world_combine(world, &cut, RILL_COMBINE_SUBTRACT, 0.0));
    assert_ok(rill_world_remove_mover(world, ball));
    assert_int_equal(count.calls, calls);
}

TEST(the_number_of_threads_does_not_show)
{
    const rill_host host = {0};
    SCOPED(rill_world) *one = busy_world(&host, 1), *three = busy_world(&host, 3);
    for (int n = 0; n < 22; n++) {
        run_world(one, 1, 0.05);
        run_world(three, 1, 0.05);
        assert_true(rill_world_hash(one) == rill_world_hash(three));
    }
    assert_true(same_mesh(one, three));
}
