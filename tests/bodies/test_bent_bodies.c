// SPDX-License-Identifier: MIT
// Bodies that block water and change their shape: soft ones, and those whose vertices the host
// moves.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/world/ground_worlds.h"

#include <math.h>
#include <string.h>

#define STEP 0.02
#define POOL (FLOOR + 1.5)
#define MOST 2000

static rill_world *layers_pool(int workers)
{
    const float still = 0.95f; // part of the flow lost in a second
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)POOL;
    def.pipes.friction = still;
    def.worker_count = workers;
    def.bodies.max_bodies = 2;
    def.bodies.max_vertices = MOST;
    def.bodies.max_triangles = 2 * MOST;
    return make_world_on(flat_solid(), &def);
}

static rill_world *pipes_pool(double level)
{
    rill_world_def def = lake_def(NX, NY, DX, level);
    def.bodies.max_bodies = 2;
    def.bodies.max_vertices = MOST;
    def.bodies.max_triangles = 2 * MOST;
    return make_world(&def);
}

static rill_body_def ball_def(rill_body_motion motion, double x, double y, double z)
{
    rill_body_def def = rill_default_body_def();
    def.motion = motion;
    def.coupling = RILL_COUPLING_BLOCK;
    def.shape = RILL_BODY_SPHERE;
    def.radius = 0.5;
    set3(def.position, x, y, z);
    return def;
}

// The vertices of a body, drawn out along z and drawn in along x and y about its middle.
static const float *drawn_out(const rill_world *world, rill_body_id id, double stretch)
{
    static float places[3 * MOST];
    const rill_body_mesh mesh = rill_world_body_mesh(world, id);
    rill_body_state at;
    assert_ok(rill_world_get_body(world, id, &at));
    for (int v = 0; v < mesh.vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            const double part = k == 2 ? stretch : 1.0 / sqrt(stretch);
            places[3 * v + k] = (float)(at.position[k] + part * (double)mesh.rest[3 * v + k]);
        }
    return places;
}

// What bodies block of the lines through cells, m^3.
static double blocked_volume(const rill_world *world, double bed)
{
    const rill_blocked b = rill_world_blocked(world);
    double sum = 0.0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t n = (size_t)j * b.floor.pitch + (size_t)i;
            sum += (double)b.floor.data[n] - bed;
            if (b.lower.data[n] < 1e29f)
                sum += (double)(b.upper.data[n] - b.lower.data[n]);
        }
    return sum * CELL_AREA;
}

static double volume_of(const rill_world *world, rill_body_id id)
{
    rill_body_state at;
    assert_ok(rill_world_get_body(world, id, &at));
    return at.volume;
}

// ---- pipes -----------------------------------------------------------------------------

TEST(a_host_body_blocks_pipes_with_its_present_shape)
{
    SCOPED(rill_world) *world = pipes_pool(1.5);
    const rill_body_def def = ball_def(RILL_BODY_HOST, 2.0, 1.6, 0.8);
    rill_body_id id = {0};
    assert_ok(rill_world_add_body(world, &def, &id));
    run_world(world, 1, STEP);
    float high = -1.0f;
    for (int n = 0; n < 2; n++) {
        const rill_blocked b = rill_world_blocked(world);
        const float top = b.upper.data[16 * b.upper.pitch + 20];
        assert_true(fabs(blocked_volume(world, 0.0) - volume_of(world, id)) <
                    0.05 * volume_of(world, id));
        assert_true(n == 0 || fabsf(top - (float)(high + 0.125f)) < 0.02f);
        high = top;
        assert_ok(rill_world_set_body_vertices(world, id, drawn_out(world, id, 1.25), NULL));
        run_world(world, 1, STEP);
        assert_true(rill_world_ledger(world).error < 1e-6);
    }
}

TEST(a_soft_ball_blocks_pipes)
{
    SCOPED(rill_world) *world = pipes_pool(1.5);
    rill_body_def def = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 1.6);
    def.density = 300.0;
    rill_body_id id = {0};
    assert_ok(rill_world_add_body(world, &def, &id));
    for (int n = 0; n < 100; n++) {
        run_world(world, 1, STEP);
        assert_true(rill_world_ledger(world).error < 1e-6);
        const double volume = volume_of(world, id);
        assert_true(fabs(blocked_volume(world, 0.0) - volume) < 0.1 * volume);
    }
    rill_body_state at;
    assert_ok(rill_world_get_body(world, id, &at));
    assert_true(at.position[2] > 1.2 && at.position[2] < 2.2); // it floats
}

// ---- layers ----------------------------------------------------------------------------

// A mover of the same triangles, bent in the same way, is the same solid.
TEST(a_host_body_blocks_layers_with_its_present_shape)
{
    SCOPED(rill_world) *world = layers_pool(1), *twin = layers_pool(1), *still = layers_pool(1);
    const rill_body_def def = ball_def(RILL_BODY_HOST, 1.83, 1.52, 1.4);
    rill_body_id id = {0}, other = {0};
    assert_ok(rill_world_add_body(world, &def, &id));
    assert_ok(rill_world_add_body(still, &def, &other));
    const rill_body_mesh mesh = rill_world_body_mesh(world, id);
    SCOPED(rill_triangles) *triangles = NULL;
    assert_ok(rill_triangles_create(mesh.rest, (size_t)mesh.vertex_count, mesh.triangles,
                                    3 * (size_t)mesh.triangle_count, NULL, &triangles));
    rill_sdf_primitive shape = placed(RILL_SDF_MESH, 1.83, 1.52, 1.4);
    shape.triangles = triangles;
    rill_mover_id mover = {0};
    assert_ok(rill_world_add_mover(twin, &shape, &mover));
    double across[2] = {0.0, 0.0}; // where its solid stays, which moves in whole cells
    for (int n = 1; n <= 4; n++) {
        const float *places = drawn_out(world, id, 1.0 + 0.1 * n);
        assert_ok(rill_world_set_body_vertices(world, id, places, NULL));
        float own[3 * MOST];
        rill_body_state at;
        assert_ok(rill_world_get_body(world, id, &at));
        for (int v = 0; v < 3 * mesh.vertex_count; v++)
            own[v] = (float)((double)places[v] - at.position[v % 3]);
        run_world(world, 1, STEP);
        run_world(still, 1, STEP);
        run_world(twin, 1, STEP); // bodies move after the water
        if (n == 1)
            memcpy(across, at.position, sizeof across);
        const double to[3] = {across[0], across[1], at.position[2]};
        assert_ok(rill_world_move(twin, mover, to, NULL));
        assert_ok(rill_world_set_mover_vertices(twin, mover, own, (size_t)mesh.vertex_count));
        assert_true(same_ground(world, twin) && !same_ground(world, still));
        assert_books_closed(world);
    }
    const double rotation[4] = {0.0, 0.0, 0.0, 1.0}; // as it was added
    assert_ok(rill_world_set_body_pose(world, id, def.position, rotation, NULL, NULL));
    run_world(world, 1, STEP);
    assert_true(same_ground(world, still));
}

TEST(a_soft_ball_blocks_layers_and_floats)
{
    SCOPED(rill_world) *world = layers_pool(1);
    rill_body_def def = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 1.9);
    def.density = 400.0;
    def.position[2] = 2.1;
    rill_body_id id = {0};
    const double before = world_volume(world);
    assert_ok(rill_world_add_body(world, &def, &id));
    assert_same_volume(world, before);
    for (int n = 0; n < 300; n++) {
        run_world(world, 1, STEP);
        assert_books_closed(world);
    }
    rill_body_state at;
    assert_ok(rill_world_get_body(world, id, &at));
    // Archimedes: the cap below the water has 0.4 of the volume, and ends 0.07 m below the middle.
    const double level = level_in(world, 0, 6);
    if (!(fabs(at.position[2] - 0.067 - level) < 0.02))
        fail_msg("the ball is at %g m, the level at %g m", at.position[2], level);
    // Above its middle the ground is its top.
    const rill_columns c = rill_world_columns(world);
    const size_t middle = (size_t)(at.position[1] / DX) * c.pitch + (size_t)(at.position[0] / DX);
    assert_true(fabs((double)c.base[middle] - at.position[2] - 0.5) < 0.06);
}

TEST(soft_bodies_that_block_give_one_hash_on_threads)
{
    uint64_t hash = 0;
    for (int workers = 1; workers <= 3; workers++) {
        SCOPED(rill_world) *world = layers_pool(workers);
        const rill_body_def def = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 2.2);
        assert_ok(rill_world_add_body(world, &def, NULL));
        run_world(world, 40, STEP);
        assert_true(workers == 1 || rill_world_hash(world) == hash);
        hash = rill_world_hash(world);
    }
}

TEST(a_step_of_a_soft_body_that_blocks_allocates_nothing)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_world_def world_def = ground_def(NULL);
    world_def.use_level = 1;
    world_def.level = (float)POOL;
    world_def.host = host;
    world_def.bodies.max_bodies = 1;
    world_def.bodies.max_vertices = MOST;
    world_def.bodies.max_triangles = 2 * MOST;
    rill_world *world = make_world_on(flat_solid(), &world_def);
    const rill_body_def def = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 2.2);
    assert_ok(rill_world_add_body(world, &def, NULL));
    run_world(world, 1, STEP);
    const int calls = count.calls;
    run_world(world, 40, STEP);
    assert_int_equal(count.calls, calls);
    rill_world_destroy(&world);
    assert_int_equal(count.bytes, 0);
}

TEST(a_soft_body_that_blocks_goes_on_from_a_snapshot)
{
    SCOPED(rill_world) *world = layers_pool(1), *clone = NULL;
    const rill_body_def def = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 2.2);
    assert_ok(rill_world_add_body(world, &def, NULL));
    run_world(world, 10, STEP);
    rill_snapshot *snapshot = saved_world(world);
    assert_ok(rill_world_clone(world, &clone));
    run_world(world, 20, STEP);
    run_world(clone, 20, STEP);
    const uint64_t hash = rill_world_hash(world);
    assert_true(rill_world_hash(clone) == hash);
    assert_ok(rill_world_restore(world, snapshot));
    run_world(world, 20, STEP);
    assert_true(rill_world_hash(world) == hash && same_ground(world, clone));
    rill_snapshot_destroy(&snapshot);
}

// ---- Refused ---------------------------------------------------------------------------

TEST(what_has_no_inside_does_not_block)
{
    SCOPED(rill_world) *pipes = pipes_pool(1.0), *layers = layers_pool(1);
    rill_body_def sheet = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 1.4);
    sheet.shape = RILL_BODY_SHEET;
    assert_int_equal(rill_world_add_body(pipes, &sheet, NULL), RILL_BAD_DEF);
    assert_sentence_has("a sheet cannot block water");
    assert_int_equal(rill_world_add_body(layers, &sheet, NULL), RILL_BAD_DEF);
    rill_world_def def = lake_def(NX, NY, DX, 1.0);
    def.solver = RILL_SOLVER_SWE;
    def.bodies.max_bodies = 1;
    SCOPED(rill_world) *swe = make_world(&def);
    const rill_body_def ball = ball_def(RILL_BODY_SOFT, 2.0, 1.6, 1.4);
    assert_int_equal(rill_world_add_body(swe, &ball, NULL), RILL_BAD_DEF);
    assert_sentence_has("cannot be blocked");
}

TEST(vertices_that_enclose_nothing_are_refused)
{
    SCOPED(rill_world) *world = layers_pool(1);
    rill_body_def def = ball_def(RILL_BODY_HOST, 2.0, 1.6, 1.4);
    rill_body_id id = {0};
    assert_ok(rill_world_add_body(world, &def, &id));
    run_world(world, 1, STEP);
    const uint64_t hash = rill_world_hash(world);
    float places[3 * MOST];
    const rill_body_mesh mesh = rill_world_body_mesh(world, id);
    for (int k = 0; k < 3 * mesh.vertex_count; k++)
        places[k] = -mesh.positions[k];
    assert_int_equal(rill_world_set_body_vertices(world, id, places, NULL), RILL_BAD_ARGUMENT);
    assert_sentence_has("inside out");
    assert_true(rill_world_hash(world) == hash);
    assert_ok(rill_world_remove_body(world, id));
    def.path[0] = (rill_path_key){0.0, 2.0, 1.6, 1.4};
    def.path_count = 1;
    assert_ok(rill_world_add_body(world, &def, &id));
    assert_int_equal(rill_world_set_body_vertices(world, id, places, NULL), RILL_BAD_ARGUMENT);
    assert_sentence_has("path");
}
