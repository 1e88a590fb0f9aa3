// SPDX-License-Identifier: MIT
// test_bodies.c - bodies of a world through its public functions: adding, moving, looking, going
// back in time, and what is refused.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

static rill_world *lake(rill_solver solver, int n, float level, int bodies, int threads)
{
    rill_world_def def = lake_def(n, n, 0.5, (double)level);
    def.solver = solver;
    def.worker_count = threads;
    def.bodies.max_bodies = bodies;
    def.bodies.max_vertices = 300 * bodies;
    def.bodies.max_triangles = 500 * bodies;
    return make_world(&def);
}

static rill_body_def crate(double x, double y, double z)
{
    rill_body_def def = rill_default_body_def();
    set3(def.position, x, y, z);
    return def;
}

static rill_body_id add(rill_world *world, rill_body_def def)
{
    rill_body_id id = {0};
    if (rill_world_add_body(world, &def, &id) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return id;
}

// ---- Records ---------------------------------------------------------------------------

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

TEST(bodies_are_found_by_their_ids_and_stale_ones_are_not)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 32, 2.0f, 3, 1);
    const rill_body_def def = crate(4, 5, 3);
    const rill_body_id one = add(world, def), two = add(world, def), three = add(world, def);
    assert_int_equal(rill_world_body_count(world), 3);
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_BAD_DEF);
    assert_sentence_has("3 bodies already");
    assert_ok(rill_world_remove_body(world, two));
    rill_body_state look;
    assert_int_equal(rill_world_get_body(world, two, &look), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_remove_body(world, two), RILL_BAD_ARGUMENT);
    const rill_body_id again = add(world, def);
    assert_int_equal(again.index1, two.index1);
    assert_int_not_equal(again.generation, two.generation);
    assert_ok(rill_world_get_body(world, one, &look));
    assert_float_equal(look.position[1], 5.0, 0.0);
    assert_float_equal(look.mass, 500.0, 1e-9);
    assert_float_equal(look.volume, 1.0, 1e-12);
    assert_int_equal(rill_world_body_at(world, 2).index1, three.index1);
    assert_int_equal(rill_world_body_at(world, 3).index1, 0);
}

// A body between others goes and one of another size comes: everyone keeps his own mesh.
TEST(meshes_stay_with_their_bodies)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 32, 2.0f, 3, 1);
    rill_body_def def = crate(4, 5, 3);
    const rill_body_id one = add(world, def);
    def.shape = RILL_BODY_SPHERE;
    def.radius = 0.75;
    const rill_body_id ball = add(world, def);
    def.shape = RILL_BODY_BOX;
    def.size[2] = 3.0;
    const rill_body_id tall = add(world, def);
    assert_ok(rill_world_remove_body(world, ball));
    def.shape = RILL_BODY_CYLINDER;
    const rill_body_id barrel = add(world, def);
    assert_int_equal(rill_world_body_mesh(world, one).vertex_count, 8);
    assert_float_equal(rill_world_body_mesh(world, tall).size[2], 3.0f, 1e-6f);
    assert_float_equal(rill_world_body_mesh(world, one).size[2], 1.0f, 1e-6f);
    const rill_body_mesh mesh = rill_world_body_mesh(world, barrel);
    for (int n = 0; n < 3 * mesh.triangle_count; n++)
        assert_true(mesh.triangles[n] < (uint32_t)mesh.vertex_count);
    for (int v = 0; v < mesh.vertex_count; v++)
        assert_true(fabsf(mesh.positions[3 * v + 1] - 5.0f) <= 0.77f);
}

TEST(bad_bodies_are_refused_in_words_and_change_nothing)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_SWE, 32, 2.0f, 4, 1);
    const uint64_t before = rill_world_hash(world);
    static const struct {
        int field;
        double value;
        const char *words;
    } wrong[] = {
        {0, -1.0, "body.density is -1"},        {1, NAN, "body.size[0] is"},
        {2, 1e30, "body.position[2] is 1e+30"}, {3, 7.0, "no unit quaternion"},
        {4, 2.0, "body.bounce is 2"},           {5, NAN, "body.velocity[0] is"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        rill_body_def def = crate(4, 4, 4);
        double *const fields[] = {&def.density,     &def.size[0], &def.position[2],
                                  &def.rotation[1], &def.bounce,  &def.velocity[0]};
        *fields[wrong[n].field] = wrong[n].value;
        assert_int_not_equal(rill_world_add_body(world, &def, NULL), RILL_OK);
        assert_sentence_has(wrong[n].words);
    }
    rill_body_def def = crate(4, 4, 4);
    def.coupling = RILL_COUPLING_BLOCK;
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_BAD_DEF);
    assert_sentence_has("cannot be blocked by bodies");
    def.coupling = RILL_COUPLING_PASS;
    def.shape = RILL_BODY_MESH;
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_BAD_DEF);
    const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t open[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 0, 3, 2};
    def.vertices = corners;
    def.triangles = open;
    def.vertex_count = def.triangle_count = 4;
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_BAD_DEF);
    assert_int_equal(rill_world_body_count(world), 0);
    assert_true(rill_world_hash(world) == before);
}

TEST(a_ray_picks_the_first_body_it_meets)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 32, 2.0f, 3, 1);
    rill_body_def def = crate(8, 8, 4);
    const rill_body_id near = add(world, def);
    def.position[0] = 12;
    const rill_body_id far = add(world, def);
    const double from[3] = {2, 8.2, 4.1}, way[3] = {2, 0, 0}, back[3] = {-1, 0, 0};
    double distance = -1.0;
    assert_int_equal(rill_world_pick_body(world, from, way, &distance).index1, near.index1);
    assert_float_equal(distance, 2.75, 1e-6);
    rill_world_remove_body(world, near);
    assert_int_equal(rill_world_pick_body(world, from, way, &distance).index1, far.index1);
    assert_int_equal(rill_world_pick_body(world, from, back, &distance).index1, 0);
}

// ---- Time ------------------------------------------------------------------------------

TEST(bodies_come_and_go_at_their_time)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_SWE, 32, 2.0f, 2, 1);
    rill_body_def def = crate(8, 8, 2.2);
    def.start = 1.0;
    def.end = 3.0;
    const rill_body_id id = add(world, def);
    assert_int_equal(rill_world_body_count(world), 0);
    run_frames(world, 61);
    assert_int_equal(rill_world_body_count(world), 1);
    run_frames(world, 115);
    rill_body_state look;
    assert_ok(rill_world_get_body(world, id, &look));
    assert_true(look.submerged > 0.3);
    run_frames(world, 10);
    assert_int_equal(rill_world_body_count(world), 0);
    assert_int_equal(rill_world_get_body(world, id, &look), RILL_BAD_ARGUMENT);
    // What it had displaced went with it.
    assert_true(fabs(rill_world_ledger(world).corrected) < 1e-3);
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// All kinds of bodies at once.
static rill_world *busy_world(int threads)
{
    rill_world *world = lake(RILL_SOLVER_PIPES, 48, 2.0f, 8, threads);
    rill_body_def def = crate(8, 8, 3);
    def.coupling = RILL_COUPLING_BLOCK;
    def.velocity[0] = 2.0;
    add(world, def);
    def.position[0] = 12;
    def.density = 1500.0;
    add(world, def);
    def.coupling = RILL_COUPLING_PASS;
    def.shape = RILL_BODY_SPHERE;
    def.position[1] = 14;
    def.density = 200.0;
    add(world, def);
    def.motion = RILL_BODY_SOFT;
    def.position[0] = 6;
    add(world, def);
    def.shape = RILL_BODY_SHEET;
    def.density = 0.5;
    def.position[1] = 10;
    def.position[2] = 4;
    add(world, def);
    return world;
}

// A snapshot in which the first body was moved by hand since the water last looked.
static rill_snapshot *move_and_save(rill_world *world, double x, double y, double z)
{
    const double place[3] = {x, y, z}, upright[4] = {0, 0, 0, 1};
    const rill_body_id body = rill_world_body_at(world, 0);
    assert_ok(rill_world_set_body_pose(world, body, place, upright, NULL, NULL));
    return saved_world(world);
}

// What the water has as blocked, far from where the bodies are by then, comes back with it.
TEST(a_restored_world_knows_where_bodies_were_blocking)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 96, 2.0f, 2, 2);
    rill_body_def def = crate(10, 10, 1.5);
    def.coupling = RILL_COUPLING_BLOCK;
    def.motion = RILL_BODY_HOST;
    add(world, def);
    run_frames(world, 10);
    SCOPED(rill_snapshot) *snapshot = move_and_save(world, 30, 12, 1.0);
    run_frames(world, 20);
    const uint64_t future = rill_world_hash(world);
    assert_ok(rill_world_restore(world, snapshot));
    run_frames(world, 20);
    assert_true(rill_world_hash(world) == future);
}

TEST(a_restored_world_has_the_same_future_with_its_bodies)
{
    SCOPED(rill_world) *world = busy_world(2);
    run_frames(world, 60);
    SCOPED(rill_snapshot) *snapshot = move_and_save(world, 15, 15, 1.5);
    SCOPED(rill_world) *clone = NULL;
    assert_ok(rill_world_clone(world, &clone));
    assert_true(rill_world_hash(clone) == rill_world_hash(world));
    run_frames(world, 90);
    const uint64_t future = rill_world_hash(world);
    add(world, crate(10, 10, 4));
    assert_ok(rill_world_remove_body(world, rill_world_body_at(world, 1)));
    run_frames(world, 30);
    assert_ok(rill_world_restore(world, snapshot));
    run_frames(world, 90);
    assert_true(rill_world_hash(world) == future);
    run_frames(clone, 90);
    assert_true(rill_world_hash(clone) == future);
}

// A push lasts one step: also one that was brought back with a snapshot, or cloned.
TEST(a_push_acts_once)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 32, 1.0f, 1, 1), *clone = NULL;
    const rill_body_def def = crate(8, 8, 30); // far above the water
    const rill_body_id id = add(world, def);
    rill_body_state now;
    assert_ok(rill_world_get_body(world, id, &now));
    const double force[3] = {6.0 * now.mass, 0.0, 0.0};
    assert_ok(rill_world_push_body(world, id, force, NULL));
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    assert_ok(rill_world_clone(world, &clone));
    for (int n = 0; n < 3; n++) {
        rill_world *one = n < 2 ? world : clone;
        if (n == 1)
            assert_ok(rill_world_restore(world, snapshot));
        run_frames(one, 5);
        assert_ok(rill_world_get_body(one, id, &now));
        assert_true(fabs(now.velocity[0] - 6.0 / 60.0) < 1e-12);
    }
}

TEST(the_hash_does_not_depend_on_threads)
{
    SCOPED(rill_world) *one = busy_world(1), *three = busy_world(3);
    run_frames(one, 120);
    run_frames(three, 120);
    assert_true(rill_world_hash(one) == rill_world_hash(three));
}

TEST(room_for_bodies_changes_nothing)
{
    SCOPED(rill_world) *plain = lake(RILL_SOLVER_PIPES, 48, 2.0f, 0, 1);
    SCOPED(rill_world) *room = lake(RILL_SOLVER_PIPES, 48, 2.0f, 8, 1);
    for (int n = 0; n < 2; n++)
        assert_ok(rill_world_pour(n == 0 ? plain : room, 9, 8, 3, 12, NULL));
    run_frames(plain, 100);
    run_frames(room, 100);
    assert_true(rill_world_hash(plain) == rill_world_hash(room));
}

TEST(stepping_bodies_takes_no_memory_from_the_host)
{
    counter count = {0};
    rill_world_def def = lake_def(32, 32, 0.5, 2.0);
    def.host = counting_host(&count);
    def.bodies.max_bodies = 4;
    rill_world *world = make_world(&def);
    rill_body_def body = crate(8, 8, 2.5);
    add(world, body);
    body.coupling = RILL_COUPLING_BLOCK;
    body.position[0] = 4;
    add(world, body);
    const int calls = count.calls;
    run_frames(world, 60);
    assert_int_equal(count.calls, calls);
    rill_world_destroy(&world);
    assert_int_equal((int)count.bytes, 0);
}

// ---- Without the engine of the library ------------------------------------------------

TEST_GROUP(NULL, NULL);

TEST(a_body_on_a_path_is_where_the_path_has_it)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_PIPES, 32, 2.0f, 1, 1);
    rill_body_def def = crate(0, 0, 0);
    def.motion = RILL_BODY_HOST;
    def.path[0] = (rill_path_key){0.0, 4.0, 8.0, 2.0};
    def.path[1] = (rill_path_key){2.0, 8.0, 8.0, 1.0};
    def.path_count = 2;
    const rill_body_id id = add(world, def);
    run_frames(world, 60);
    rill_body_state look;
    assert_ok(rill_world_get_body(world, id, &look));
    assert_float_equal(look.position[0], 6.0, 1e-9);
    assert_float_equal(look.velocity[0], 2.0, 1e-6);
    assert_float_equal(look.velocity[2], -0.5, 1e-6);
}

// ---- A host with an engine of its own --------------------------------------------------

typedef struct own_engine {
    rill_body_id id;
    double height, speed;
    int calls;
} own_engine;

// A point mass on a vertical line, pushed by the water and by gravity.
static void step_own_engine(void *user, rill_world *world, double dt)
{
    own_engine *engine = user;
    rill_body_state look;
    if (rill_world_get_body(world, engine->id, &look) != RILL_OK)
        return;
    engine->calls++;
    engine->speed += dt * (look.force[2] / look.mass - 9.81);
    engine->height += dt * engine->speed;
    const double position[3] = {8, 8, engine->height}, upright[4] = {0, 0, 0, 1};
    const double velocity[3] = {0, 0, engine->speed};
    rill_world_set_body_pose(world, engine->id, position, upright, velocity, NULL);
}

TEST(a_hosts_own_engine_can_float_a_body)
{
    own_engine engine = {.height = 2.5};
    rill_world_def def = lake_def(32, 32, 0.5, 2.0);
    def.solver = RILL_SOLVER_SWE;
    def.swe.viscosity = 1.0f; // calms the basin
    def.bodies.max_bodies = 1;
    def.bodies.engine = step_own_engine;
    def.bodies.engine_user = &engine;
    SCOPED(rill_world) *world = make_world(&def);
    rill_body_def body = crate(8, 8, 2.5);
    body.motion = RILL_BODY_HOST;
    engine.id = add(world, body);
    run_frames(world, 60 * 40);
    assert_int_equal(engine.calls, 60 * 40);
    // A cube of 500 kg/m^3 floats with its centre at the level.
    const double level = rill_world_ledger(world).water / (16.0 * 16.0);
    assert_true(fabs(engine.height - level) < 0.02);
}

TEST_NEEDS(!rill_has_rigid_bodies(), "this build has rigid bodies");

TEST(without_an_engine_rigid_bodies_are_refused_in_words)
{
    SCOPED(rill_world) *world = lake(RILL_SOLVER_SWE, 32, 2.0f, 1, 1);
    rill_body_def def = crate(4, 4, 4);
    assert_int_equal(rill_world_add_body(world, &def, NULL), RILL_NO_BACKEND);
    assert_sentence_has("without ODE");
    def.motion = RILL_BODY_HOST;
    assert_ok(rill_world_add_body(world, &def, NULL));
    run_frames(world, 10);
}
