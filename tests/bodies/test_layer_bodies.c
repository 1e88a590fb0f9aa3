// SPDX-License-Identifier: MIT
// Bodies that block the layers water: solids of the ground that follow them.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/world/ground_worlds.h"

#include "bodies/sampling/samples.h"

#define POOL  (FLOOR + 1.5) // level
#define STEP  (1.0 / 60.0)
#define STILL 0.95f // part of the flow lost in a second, where the end alone counts

static rill_world_def pool_def(const rill_solid *solid)
{
    rill_world_def def = ground_def(solid);
    def.use_level = 1;
    def.level = (float)POOL;
    def.bodies.max_bodies = 4;
    def.bodies.max_vertices = 2000;
    def.bodies.max_triangles = 4000;
    return def;
}

static rill_world *pool(float friction, int workers)
{
    rill_world_def def = pool_def(NULL);
    def.pipes.friction = friction;
    def.worker_count = workers;
    return make_world_on(flat_solid(), &def);
}

static rill_body_def body_at(rill_body_shape shape, double x, double y, double z)
{
    rill_body_def def = rill_default_body_def();
    def.motion = RILL_BODY_HOST;
    def.coupling = RILL_COUPLING_BLOCK;
    def.shape = shape;
    set3(def.position, x, y, z);
    return def;
}

static rill_body_def block_at(double x, double y, double z, double wide, double deep, double high)
{
    rill_body_def def = body_at(RILL_BODY_BOX, x, y, z);
    set3(def.size, wide, deep, high);
    return def;
}

static rill_body_id add_body(rill_world *world, const rill_body_def *def)
{
    rill_body_id id = {0};
    const double before = world_volume(world);
    assert_ok(rill_world_add_body(world, def, &id));
    assert_same_volume(world, before);
    return id;
}

static void put(rill_world *world, rill_body_id id, double x, double y, double z)
{
    const double place[3] = {x, y, z}, rotation[4] = {0.0, 0.0, 0.0, 1.0};
    assert_ok(rill_world_set_body_pose(world, id, place, rotation, NULL, NULL));
}

static rill_body_state look(const rill_world *world, rill_body_id id)
{
    rill_body_state state;
    assert_ok(rill_world_get_body(world, id, &state));
    return state;
}

// ---- The solid of a body ---------------------------------------------------------------

static void assert_same_as_mover(const rill_body_def *body, const rill_sdf_primitive *shape)
{
    SCOPED(rill_world) *world = pool(0.0f, 1), *twin = pool(0.0f, 1);
    rill_mover_id other = {0};
    const rill_body_id id = add_body(world, body);
    assert_ok(rill_world_add_mover(twin, shape, &other));
    assert_true(same_ground(world, twin));
    put(world, id, 1.83 + 4.0 * DX, 1.52 - 2.0 * DX, 1.7);
    assert_ok(rill_world_move(twin, other, (const double[3]){1.83 + 4.0 * DX, 1.52 - 2.0 * DX, 1.7},
                              (const double[4]){0.0, 0.0, 0.0, 1.0}));
    run_world(world, 1, STEP);
    run_world(twin, 1, STEP);
    assert_true(same_ground(world, twin));
}

TEST(boxes_balls_and_barrels_are_cut_as_movers_are)
{
    const double turn[4] = {0.0, 0.6, 0.0, 0.8};
    rill_body_def box = block_at(1.83, 1.52, 1.4, 0.8, 0.6, 0.5);
    rill_sdf_primitive box_shape = box_at(1.83, 1.52, 1.4, 0.8, 0.6, 0.5);
    memcpy(box.rotation, turn, sizeof turn);
    memcpy(box_shape.rotation, turn, sizeof turn);
    assert_same_as_mover(&box, &box_shape);
    rill_body_def ball = body_at(RILL_BODY_SPHERE, 1.83, 1.52, 1.4);
    ball.radius = 0.4;
    const rill_sdf_primitive ball_shape = ball_at(1.83, 1.52, 1.4, 0.4);
    assert_same_as_mover(&ball, &ball_shape);
    rill_body_def barrel = body_at(RILL_BODY_CYLINDER, 1.83, 1.52, 1.4);
    barrel.radius = 0.3, barrel.length = 0.9;
    memcpy(barrel.rotation, turn, sizeof turn);
    rill_sdf_primitive barrel_shape = placed(RILL_SDF_CYLINDER, 1.83, 1.52, 1.4);
    barrel_shape.radius = 0.3, barrel_shape.length = 0.9;
    memcpy(barrel_shape.rotation, turn, sizeof turn);
    assert_same_as_mover(&barrel, &barrel_shape);
}

// A cube of triangles, its corner in the origin, cuts what the cube about its centre does; only
// the last digits of distances differ.
TEST(a_mesh_is_cut_about_its_centre_of_mass)
{
    float vertices[24];
    for (int n = 0; n < 8; n++)
        for (int k = 0; k < 3; k++)
            vertices[3 * n + k] = (n >> k & 1) != 0 ? 0.75f : 0.0f;
    const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                    2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    rill_body_def mesh = body_at(RILL_BODY_MESH, 1.83, 1.52, 1.4);
    mesh.vertices = vertices, mesh.vertex_count = 8;
    mesh.triangles = triangles, mesh.triangle_count = 12;
    const rill_body_def box = block_at(1.83, 1.52, 1.4, 0.75, 0.75, 0.75);
    SCOPED(rill_world) *world = pool(0.0f, 1), *twin = pool(0.0f, 1);
    add_body(world, &mesh);
    add_body(twin, &box);
    const rill_columns a = rill_world_columns(world), b = rill_world_columns(twin);
    for (int k = 0; k < a.layers; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const size_t slot = (size_t)k * a.layer_stride + (size_t)j * a.pitch + (size_t)i;
                assert_true(fabs((double)(a.base[slot] - b.base[slot])) < 1e-5);
                assert_true((a.range_max[slot] > 1e29f) == (b.range_max[slot] > 1e29f));
            }
}

// Bodies have triangles of their own; and they leave the ground as it was.
TEST(the_ground_shows_no_bodies_and_forgets_them)
{
    SCOPED(rill_world) *world = pool(0.0f, 1), *fresh = pool(0.0f, 1);
    assert_true(same_mesh(world, fresh));
    const rill_body_def def = block_at(2.0, 1.6, 0.9, 0.8, 0.6, 0.5);
    const rill_body_id id = add_body(world, &def);
    assert_true(!same_ground(world, fresh) && same_mesh(world, fresh));
    const rill_sdf_primitive post = ball_at(2.1, 1.7, 0.7, 0.4);
    assert_ok(rill_world_combine(world, &post, RILL_COMBINE_UNION, 0.0));
    assert_ok(rill_world_combine(fresh, &post, RILL_COMBINE_UNION, 0.0));
    assert_true(same_mesh(world, fresh));
    put(world, id, 1.2, 1.2, 1.0);
    run_world(world, 2, STEP);
    assert_true(same_mesh(world, fresh));
    assert_ok(rill_world_remove_body(world, id));
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
}

// ---- Liquid gives way ------------------------------------------------------------------

// No column of a cell whose centre is in the box has the middle of the box in its range. Solids
// follow to 0.6 of a cell.
static void assert_dry_inside(rill_world *world, const double place[3], const double size[3])
{
    const rill_columns c = rill_world_columns(world);
    int cells = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            if (!(fabs((i + 0.5) * DX - place[0]) < 0.5 * size[0] - 0.61 * DX) ||
                !(fabs((j + 0.5) * DX - place[1]) < 0.5 * size[1] - 0.61 * DX))
                continue;
            cells++;
            for (int k = 0; k < c.layers; k++) {
                const size_t slot = (size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i;
                assert_false((double)c.base[slot] < place[2] &&
                             (double)c.range_max[slot] > place[2]);
            }
        }
    assert_true(cells >= 20);
}

// Down into the pool, across it and out again.
static const rill_path_key way[4] = {
    {0.1, 0.8, 0.9, 2.6}, {0.5, 0.8, 0.9, 1.3}, {1.5, 3.1, 2.2, 1.2}, {1.9, 3.1, 2.2, 2.7}};

static rill_body_id add_traveller(rill_world *world)
{
    rill_body_def def = block_at(0.0, 0.0, 0.0, 0.7, 0.6, 0.5);
    memcpy(def.path, way, sizeof way);
    def.path_count = 4;
    return add_body(world, &def);
}

TEST(a_body_pushed_through_a_basin_stays_dry_and_loses_nothing)
{
    SCOPED(rill_world) *world = pool(0.0f, 1);
    const rill_body_id id = add_traveller(world);
    const double size[3] = {0.7, 0.6, 0.5};
    for (int n = 0; n < 130; n++) {
        run_world(world, 1, STEP);
        const rill_body_state at = look(world, id);
        assert_dry_inside(world, at.position, size);
        assert_books_closed(world);
    }
    assert_true(fabs(look(world, id).position[0] - 3.1) < 1e-12);
}

// A body under way takes as much before it as it gives free behind it. It should not throw up heaps
// nor tear holes as deep as itself, 0.3 and 0.6 m; what it moves at 0.5 m/s has a head of 1.3 cm.
TEST(a_body_that_moves_slowly_leaves_the_level_alone)
{
    for (int n = 0; n < 2; n++) {
        SCOPED(rill_world) *world = pool(STILL, 1);
        const double z = n == 0 ? POOL : 1.2; // half in the water, and all of it
        const rill_body_def def = block_at(1.0, 1.6, z, 0.8, 0.8, 0.6);
        const rill_body_id id = add_body(world, &def);
        run_world(world, 600, STEP);
        const double level = level_in(world, 25, NX);
        double most = 0.0;
        for (int k = 1; k <= 180; k++) {
            put(world, id, 1.0 + 0.5 * STEP * k, 1.6, z);
            run_world(world, 1, STEP);
            const rill_columns c = rill_world_columns(world);
            for (int j = 0; j < NY; j++)
                for (int i = 0; i < NX; i++) {
                    const size_t slot = (size_t)j * c.pitch + (size_t)i;
                    const double off = (double)c.base[slot] + (double)c.depth[slot] - level;
                    if ((double)c.base[slot] < FLOOR + 0.1 || n == 1)
                        most = fmax(most, fabs(off));
                }
        }
        if (!(most < 0.1))
            fail_msg("the level was off by %g m", most);
        assert_books_closed(world);
    }
}

// ---- The same, always ------------------------------------------------------------------

static rill_world *busy_world(int workers)
{
    rill_world *world = pool(0.1f, workers);
    add_traveller(world);
    rill_body_def boat = body_at(RILL_BODY_HULL, 2.6, 0.8, POOL);
    set3(boat.size, 1.0, 0.5, 0.4);
    add_body(world, &boat);
    if (rill_has_rigid_bodies()) {
        rill_body_def crate = block_at(0.9, 2.3, POOL, 0.6, 0.6, 0.6);
        crate.motion = RILL_BODY_RIGID;
        add_body(world, &crate);
    }
    return world;
}

TEST(threads_make_no_difference)
{
    SCOPED(rill_world) *one = busy_world(1), *two = busy_world(2);
    for (int n = 0; n < 60; n++) {
        run_world(one, 1, STEP);
        run_world(two, 1, STEP);
        assert_true(rill_world_hash(one) == rill_world_hash(two));
    }
}

TEST(snapshots_and_clones_have_the_same_future)
{
    SCOPED(rill_world) *world = busy_world(1), *clone = NULL;
    SCOPED(rill_snapshot) *snapshot = NULL;
    run_world(world, 40, STEP);
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_world_save(world, snapshot));
    assert_ok(rill_world_clone(world, &clone));
    run_world(world, 40, STEP);
    const uint64_t hash = rill_world_hash(world);
    run_world(clone, 40, STEP);
    assert_true(rill_world_hash(clone) == hash && same_ground(clone, world));
    assert_true(same_mesh(clone, world));
    while (rill_world_body_count(world) > 0)
        assert_ok(rill_world_remove_body(world, rill_world_body_at(world, 0)));
    run_world(world, 5, STEP);
    assert_ok(rill_world_restore(world, snapshot));
    run_world(world, 40, STEP);
    assert_true(rill_world_hash(world) == hash && same_ground(clone, world));
}

// Meshes too: their triangles are made when they are added.
TEST(a_step_takes_no_memory_and_all_of_it_comes_back)
{
    counter count = {0};
    rill_world_def def = pool_def(NULL);
    def.host = counting_host(&count);
    rill_world *world = make_world_on(flat_solid(), &def);
    add_traveller(world);
    rill_body_def boat = body_at(RILL_BODY_HULL, 2.6, 0.8, POOL);
    boat.path[0] = (rill_path_key){0.0, 2.6, 0.8, POOL};
    boat.path[1] = (rill_path_key){1.0, 1.6, 0.8, POOL};
    boat.path_count = 2;
    const rill_body_id id = add_body(world, &boat);
    const int calls = count.calls;
    run_world(world, 20, STEP);
    assert_int_equal(count.calls, calls);
    assert_ok(rill_world_remove_body(world, id));
    rill_world_destroy(&world);
    assert_int_equal(count.bytes, 0);
}

// ---- Failure ---------------------------------------------------------------------------

// A plate may lie on the ground, but not hang above it: a cell has room for one column only.
TEST(a_body_that_cannot_be_cut_is_named_and_left_behind)
{
    rill_solid *solid = flat_solid();
    rill_world_def def = pool_def(solid);
    def.layers.max_layers = 1;
    SCOPED(rill_world) *world = make_world(&def), *twin = make_world(&def);
    rill_solid_destroy(&solid);
    const rill_body_def hanging = block_at(1.0, 1.0, 2.0, 0.6, 0.6, 0.4);
    const uint64_t empty = rill_world_hash(world);
    assert_int_equal(rill_world_add_body(world, &hanging, NULL), RILL_BAD_DEF);
    assert_sentence_has("body 1");
    assert_true(rill_world_body_count(world) == 0 && rill_world_hash(world) == empty);
    const rill_body_def plate = block_at(2.0, 1.6, 0.6, 0.6, 0.6, 0.4);
    const rill_body_id id = add_body(world, &plate), other = add_body(twin, &plate);
    put(world, id, 2.0, 1.6, 1.6);
    assert_int_equal(rill_world_step(world, STEP), RILL_BAD_DEF);
    assert_sentence_has("body 1 on its way to (2, 1.6, 1.6) m");
    assert_sentence_has("cell (17, 13)");
    assert_true(same_ground(world, twin));
    put(world, id, 2.3, 1.6, 0.5);
    put(twin, other, 2.3, 1.6, 0.5);
    run_world(world, 1, STEP);
    run_world(twin, 1, STEP);
    assert_true(same_ground(world, twin));
}

// ---- Pressure --------------------------------------------------------------------------

TEST(a_held_box_feels_the_weight_of_the_water_it_displaces)
{
    const double depths[2] = {POOL, 1.3}; // of its middle: half in the water, and all of it
    for (int n = 0; n < 2; n++) {
        SCOPED(rill_world) *world = pool(STILL, 1);
        const rill_body_def def = block_at(2.03, 1.57, depths[n], 0.9, 0.7, 0.6);
        const rill_body_id id = add_body(world, &def);
        run_world(world, 900, STEP);
        const double level = level_in(world, 0, 6);
        const double wet = fmin(level - (depths[n] - 0.3), 0.6);
        const double weight = 1000.0 * 9.81 * 0.9 * 0.7 * wet;
        const rill_body_state at = look(world, id);
        if (!(fabs(at.force[2] - weight) < 0.02 * weight))
            fail_msg("%g N instead of %g", at.force[2], weight);
        assert_true(fabs(at.force[0]) < 0.01 * weight && fabs(at.force[1]) < 0.01 * weight);
    }
}

// 500 kg/m^3 in water of 1000: half of it is below the surface.
TEST(a_crate_of_half_the_density_floats_at_half_its_height)
{
    if (!rill_has_rigid_bodies())
        skip();
    SCOPED(rill_world) *world = pool(STILL, 1);
    rill_body_def def = block_at(2.03, 1.57, POOL + 0.1, 0.9, 0.9, 0.6);
    def.motion = RILL_BODY_RIGID;
    const rill_body_id id = add_body(world, &def);
    run_world(world, 1200, STEP);
    double draught = 0.0;
    for (int n = 0; n < 120; n++) { // it bobs a little
        run_world(world, 1, STEP);
        draught += (level_in(world, 0, 6) - (look(world, id).position[2] - 0.3)) / 120.0;
    }
    if (!(fabs(draught - 0.3) < 0.05 * 0.3))
        fail_msg("it has a draught of %g m instead of 0.3", draught);
    assert_true(rill_world_ledger(world).error < 1e-6);
}

// A row of cells by hand: open, five under a roof at 1 m and flooded, open.
#define ROW 7
typedef struct row_of_columns {
    float base[2 * ROW], depth[2 * ROW], low[2 * ROW], high[2 * ROW], velocity[2 * ROW];
    rill_columns columns;
} row_of_columns;

static void make_row(row_of_columns *r, float west, float east)
{
    *r = (row_of_columns){0};
    for (int i = 0; i < ROW; i++) {
        const bool roofed = i > 0 && i < ROW - 1;
        r->low[i] = roofed ? 1.0f : -1e30f;
        r->high[i] = 1e30f;
        r->base[i] = roofed ? 1.5f : 0.0f;
        r->depth[i] = i == 0 ? west : i == ROW - 1 ? east : 0.0f;
        r->low[ROW + i] = roofed ? -1e30f : 1e30f;
        r->high[ROW + i] = roofed ? 1.0f : -1e30f;
        r->depth[ROW + i] = roofed ? 1.0f : 0.0f;
    }
    r->columns = (rill_columns){.nx = ROW,
                                .ny = 1,
                                .layers = 2,
                                .pitch = ROW,
                                .layer_stride = ROW,
                                .cell_size = 0.5f,
                                .wet_depth = 1e-4f,
                                .base = r->base,
                                .depth = r->depth,
                                .velocity_x = r->velocity,
                                .velocity_y = r->velocity,
                                .range_min = r->low,
                                .range_max = r->high};
}

// The level at a point, not on a surface.
static bool find_level(const row_of_columns *r, double x, double z, float *level)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    return rl_body_layer_level_on(&r->columns, (const double[3]){x, 0.25, z}, none, level);
}

static double level_at(const row_of_columns *r, int cell, double z)
{
    float level = -1.0f;
    assert_true(find_level(r, 0.5 * (cell + 0.5), z, &level));
    return (double)level;
}

TEST(the_level_in_a_flooded_passage_falls_from_end_to_end)
{
    row_of_columns r;
    make_row(&r, 2.0f, 1.4f);
    assert_true(fabs(level_at(&r, 0, 0.9) - 2.0) < 1e-6);
    for (int i = 1; i < ROW - 1; i++)
        assert_true(fabs(level_at(&r, i, 0.9) - (2.0 - 0.1 * i)) < 1e-6);
    assert_true(fabs(level_at(&r, 2, 1.6) - 1.5) < 1e-6); // on the roof it is dry
    float level;
    assert_false(find_level(&r, 0.75, -0.6, &level)); // deep in the ground
    r.depth[ROW + 2] = 0.95f;                         // a gap that is about to be filled
    assert_true(fabs(level_at(&r, 2, 0.9) - (1.8 - 0.05)) < 1e-6);
    make_row(&r, 0.9f, 0.8f); // liquid that stands below the roof outside
    assert_true(fabs(level_at(&r, 2, 0.9) - 1.0) < 1e-6);
    make_row(&r, 2.0f, 1.4f);
    r.depth[ROW + 3] = 0.5f; // air in the middle
    assert_true(fabs(level_at(&r, 3, 0.4) - 0.5) < 1e-6);
    assert_true(fabs(level_at(&r, 1, 0.4) - (2.0 - 1.5 / 3.0)) < 1e-6);
}

TEST(the_surface_of_a_body_is_seen_from_outside)
{
    row_of_columns r;
    make_row(&r, 2.0f, 1.4f);
    float level;
    const double west[3] = {-1.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    // The west side of the roof, wherever it is between two centres.
    for (double x = 0.26; x < 0.75; x += 0.07) {
        assert_true(
            rl_body_layer_level_on(&r.columns, (const double[3]){x, 0.25, 1.2}, west, &level));
        assert_true(fabs((double)level - 2.0) < 1e-6);
    }
    assert_true(rl_body_layer_level_on(&r.columns, (const double[3]){1.75, 0.25, 1.5}, up, &level));
    assert_true(fabs((double)level - 1.5) < 1e-6);
    assert_true(
        rl_body_layer_level_on(&r.columns, (const double[3]){1.75, 0.25, 1.0}, down, &level));
    assert_true(fabs((double)level - 1.7) < 1e-6);
}
