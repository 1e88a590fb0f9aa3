// SPDX-License-Identifier: MIT
// Meshes that move and bend in the liquid of a world: soft tissue.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/world/ground_worlds.h"

#include <stdlib.h>

#define POOL  (FLOOR + 1.5)
#define PARTS 12

static rill_world *pool(int workers)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)POOL;
    def.worker_count = workers;
    return make_world_on(rough_solid(), &def);
}

static rill_triangles *organ(const rill_host *host)
{
    rill_triangles *mesh = NULL;
    assert_ok(
        rill_triangles_create_ellipsoid((const double[3]){1.5, 1.1, 0.9}, PARTS, host, &mesh));
    return mesh;
}

static rill_sdf_primitive organ_at(const rill_triangles *mesh, double x, double y, double z)
{
    rill_sdf_primitive shape = placed(RILL_SDF_MESH, x, y, z);
    shape.triangles = mesh;
    return shape;
}

static rill_mover_id add(rill_world *world, rill_sdf_primitive shape)
{
    rill_mover_id id = {0};
    const double before = world_volume(world);
    assert_ok(rill_world_add_mover(world, &shape, &id));
    assert_same_volume(world, before);
    return id;
}

// The organ with a wave of `turns` through it.
typedef struct places {
    float xyz[3 * 6 * (PARTS + 1) * (PARTS + 1)];
    size_t count;
} places;

static places bent(const rill_triangles *mesh, double turns)
{
    const rill_triangles_info info = rill_triangles_view(mesh);
    places p = {.count = (size_t)info.vertices};
    assert_true(3 * p.count <= sizeof p.xyz / sizeof p.xyz[0]);
    for (size_t v = 0; v < p.count; v++) {
        const double s = rill_sine_of_turns(turns - (double)info.positions[3 * v] / 1.7);
        for (size_t k = 0; k < 3; k++) {
            const double own = (double)info.positions[3 * v + k];
            p.xyz[3 * v + k] = (float)(own + s * (0.15 * own + (k == 2 ? 0.08 : 0.0)));
        }
    }
    return p;
}

static void bend(rill_world *world, rill_mover_id id, const places *p)
{
    const double before = world_volume(world);
    assert_ok(rill_world_set_mover_vertices(world, id, p->xyz, p->count));
    assert_same_volume(world, before);
}

static rill_triangles *made_of(const rill_triangles *mesh, const places *p)
{
    const rill_triangles_info info = rill_triangles_view(mesh);
    rill_triangles *made = NULL;
    assert_ok(rill_triangles_create(p->xyz, p->count, info.indices, 3 * (size_t)info.triangles,
                                    NULL, &made));
    return made;
}

// ---- Moving ----------------------------------------------------------------------------

// Columns of two worlds, cell by cell: the same ones, and their ends apart by at most `cells`. One
// that is thinner than that may be in one world alone.
static void assert_near_ground(rill_world *a, rill_world *b, double cells)
{
    const rill_columns ca = rill_world_columns(a), cb = rill_world_columns(b);
    int compared = 0;
    for (int k = 0; k < ca.layers; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const size_t n = (size_t)k * ca.layer_stride + (size_t)j * ca.pitch + (size_t)i;
                const bool live_a = ca.range_max[n] > ca.range_min[n];
                const bool live_b = cb.range_max[n] > cb.range_min[n];
                if (!live_a || !live_b) {
                    const rill_columns *c = live_a ? &ca : &cb;
                    assert_true((!live_a && !live_b) ||
                                (double)(c->range_max[n] - c->base[n]) < cells * DX);
                    continue;
                }
                assert_true(fabs((double)(ca.base[n] - cb.base[n])) <= cells * DX);
                assert_true(ca.range_max[n] == cb.range_max[n] ||
                            fabs((double)(ca.range_max[n] - cb.range_max[n])) <= cells * DX);
                compared += i > 0;
            }
    assert_true(compared > NX * NY);
}

// A ground that the same mesh, moved there, is part of for good is cut through its tree. Vertices
// are rounded to a 131072th of a cell, and heights are off by that over the cosine of the slope.
TEST(a_mesh_that_was_moved_is_cut_as_one_that_was_always_there)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1);
    const rill_mover_id id = add(world, organ_at(mesh, 1.0, 1.0, 1.6));
    for (int n = 0; n < 8; n++) {
        rill_sdf_primitive shape = organ_at(mesh, 1.0 + 0.237 * n, 1.0 + 0.113 * n, 1.6 - 0.05 * n);
        const double half = 0.2 * n, turn[4] = {0.6 * sin(half), 0.0, 0.8 * sin(half), cos(half)};
        memcpy(shape.rotation, turn, sizeof turn);
        const double before = world_volume(world);
        assert_ok(rill_world_move(world, id, shape.position, shape.rotation));
        assert_same_volume(world, before);
        run_world(world, 1, 0.02);
        assert_books_closed(world);
        SCOPED(rill_world) *fresh = pool(1);
        assert_ok(rill_world_combine(fresh, &shape, RILL_COMBINE_UNION, 0.0));
        assert_near_ground(world, fresh, 1e-3);
    }
}

// The middles of cells sample the cross-sections of the organ: the error of the midpoint rule over
// an ellipsoid with half axes of 7.5, 5.5 and 4.5 cells.
TEST(a_mesh_takes_its_volume_from_the_air)
{
    rill_world_def def = ground_def(NULL);
    SCOPED(rill_world) *world = make_world_on(flat_solid(), &def);
    SCOPED(rill_triangles) *mesh = organ(NULL);
    const rill_mover_id id = add(world, organ_at(mesh, 2.0, 1.6, 1.7));
    for (int n = 0; n <= 6; n++) {
        const places p = bent(mesh, n / 6.0);
        bend(world, id, &p);
        SCOPED(rill_triangles) *made = made_of(mesh, &p);
        const rill_columns c = rill_world_columns(world);
        double solid = 0.0;
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const size_t at = (size_t)j * c.pitch + (size_t)i;
                solid += (double)(c.base[at] - (float)FLOOR) * CELL_AREA;
                for (int k = 1; k < c.layers; k++) {
                    const size_t under = (size_t)k * c.layer_stride + at;
                    if (c.range_max[under] > c.range_min[under])
                        solid -= (double)(c.range_max[under] - c.base[under]) * CELL_AREA;
                }
            }
        const double exact = rill_triangles_view(made).volume;
        if (!(fabs(solid - exact) < 0.015 * exact))
            fail_msg("%g m^3 are solid, %g are right", solid, exact);
    }
}

// ---- Bending ---------------------------------------------------------------------------

TEST(a_bent_mesh_is_cut_as_one_made_so)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1);
    const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
    assert_true(rill_world_ground_mesh(world).index_count > 0);
    for (int n = 1; n <= 5; n++) {
        const places p = bent(mesh, 0.17 * n);
        bend(world, id, &p);
        run_world(world, 1, 0.02);
        assert_books_closed(world);
        SCOPED(rill_triangles) *made = made_of(mesh, &p);
        SCOPED(rill_world) *fresh = pool(1);
        add(fresh, organ_at(made, 1.9, 1.5, 1.5));
        assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
    }
}

// Two meshes side by side and a ball: each is as if it were alone.
TEST(meshes_that_leave_leave_nothing_behind)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1), *fresh = pool(1);
    const rill_mover_id one = add(world, organ_at(mesh, 1.4, 1.5, 1.5));
    const rill_mover_id two = add(world, organ_at(mesh, 2.3, 1.7, 1.4));
    const rill_mover_id ball = add(world, ball_at(1.9, 1.2, 1.6, 0.3));
    assert_true(same_mesh(world, world));
    for (int n = 1; n <= 4; n++) {
        const places p = bent(mesh, 0.21 * n);
        bend(world, n % 2 == 0 ? one : two, &p);
        assert_ok(rill_world_move(world, one, (const double[3]){1.4, 1.5 + 0.07 * n, 1.5}, NULL));
        assert_ok(rill_world_move(world, ball, (const double[3]){1.9, 1.2 + 0.1 * n, 1.6}, NULL));
    }
    assert_ok(rill_world_remove_mover(world, one));
    assert_ok(rill_world_remove_mover(world, ball));
    const places p = bent(mesh, 0.63);
    SCOPED(rill_triangles) *made = made_of(mesh, &p);
    add(fresh, organ_at(made, 2.3, 1.7, 1.4));
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
    assert_ok(rill_world_remove_mover(world, two));
    rill_world_destroy(&fresh);
    fresh = pool(1);
    assert_true(same_ground(world, fresh) && same_mesh(world, fresh));
}

TEST(bending_on_threads_gives_one_hash)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    uint64_t hash = 0;
    for (int workers = 1; workers <= 3; workers++) {
        SCOPED(rill_world) *world = pool(workers);
        const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
        for (int n = 1; n <= 10; n++) {
            const places p = bent(mesh, 0.1 * n);
            bend(world, id, &p);
            run_world(world, 1, 0.02);
        }
        assert_true(workers == 1 || rill_world_hash(world) == hash);
        hash = rill_world_hash(world);
    }
}

// Liquid under a floor that comes down is pressed out, and comes back when it rises.
TEST(a_film_follows_tissue_that_swells)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)(FLOOR + 0.4);
    def.pipes.friction = 0.9f;
    SCOPED(rill_world) *world = make_world_on(flat_solid(), &def);
    SCOPED(rill_triangles) *mesh = organ(NULL);
    const double level = FLOOR + 0.4;
    const rill_mover_id id = add(world, organ_at(mesh, 2.0, 1.6, 0.5));
    run_world(world, 200, 0.05);
    const double still = level_in(world, 0, 6);
    for (int n = 1; n <= 20; n++) {
        places p = bent(mesh, 0.0);
        const rill_triangles_info info = rill_triangles_view(mesh);
        for (size_t k = 0; k < 3 * p.count; k++)
            p.xyz[k] = info.positions[k] * (float)(1.0 + 0.02 * n);
        bend(world, id, &p);
        run_world(world, 2, 0.05);
        assert_books_closed(world);
    }
    run_world(world, 200, 0.05);
    assert_true(level_in(world, 0, 6) > still + 0.005 && still > level + 0.005);
    assert_ok(rill_world_remove_mover(world, id));
    run_world(world, 300, 0.05);
    assert_true(fabs(level_in(world, 0, NX) - level) < 1e-5);
    assert_books_closed(world);
}

// ---- Beats -----------------------------------------------------------------------------

static rill_mover_beat rhythm(void)
{
    return (rill_mover_beat){.period = 0.5,
                             .amplitude = {0.0, 0.0, 0.08},
                             .swell = {0.15, 0.15, 0.15},
                             .wavelength = {1.7, 0.0, 0.0}};
}

TEST(a_beat_bends_as_its_formula_says_and_follows_its_path)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1), *twin = pool(1);
    const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
    const rill_mover_id other = add(twin, organ_at(mesh, 1.9, 1.5, 1.5));
    const rill_mover_beat beat = rhythm();
    const rill_path_key keys[2] = {{0.0, 1.9, 1.5, 1.5}, {1.0, 2.4, 1.5, 1.3}};
    assert_ok(rill_world_set_mover_path(world, id, keys, 2));
    assert_ok(rill_world_set_mover_beat(world, id, &beat));
    places p = bent(mesh, 0.0);
    bend(twin, other, &p);
    assert_true(same_ground(world, twin));
    for (int n = 1; n <= 16; n++) {
        p = bent(mesh, n * 0.0625 / 0.5);
        const double part = n * 0.0625, to[3] = {1.9 + 0.5 * part, 1.5, 1.5 - 0.2 * part};
        bend(twin, other, &p);
        assert_ok(rill_world_move(twin, other, to, NULL));
        run_world(world, 1, 0.0625);
        run_world(twin, 1, 0.0625);
        assert_true(same_ground(world, twin));
        assert_books_closed(world);
    }
    const rill_mover_beat none = {0};
    assert_int_equal(rill_world_set_mover_vertices(world, id, p.xyz, p.count), RILL_BAD_ARGUMENT);
    assert_sentence_has("beats");
    assert_ok(rill_world_set_mover_beat(world, id, &none));
    run_world(world, 3, 0.0625);
    run_world(twin, 3, 0.0625);
    assert_true(same_ground(world, twin));
    bend(world, id, &p);
}

TEST(a_beat_goes_on_from_a_snapshot_and_in_a_clone)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1), *clone = NULL;
    rill_snapshot *snapshot = NULL;
    const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
    const rill_mover_id soft = add(world, organ_at(mesh, 2.6, 2.0, 1.6));
    const rill_mover_beat beat = rhythm();
    assert_ok(rill_world_set_mover_beat(world, id, &beat));
    places p = bent(mesh, 0.3);
    bend(world, soft, &p);
    run_world(world, 5, 0.03);
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_world_save(world, snapshot));
    assert_ok(rill_world_clone(world, &clone));
    run_world(world, 7, 0.03);
    const uint64_t hash = rill_world_hash(world);
    p = bent(mesh, 0.8);
    bend(world, soft, &p);
    run_world(world, 7, 0.03);
    run_world(clone, 7, 0.03);
    assert_true(rill_world_hash(clone) == hash && same_mesh(clone, clone));
    assert_ok(rill_world_restore(world, snapshot));
    run_world(world, 7, 0.03);
    assert_true(rill_world_hash(world) == hash);
    assert_true(same_ground(world, clone) && same_mesh(world, clone));
    rill_snapshot_destroy(&snapshot);
}

TEST(a_step_of_a_mesh_that_beats_allocates_nothing_and_leaves_nothing)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)POOL;
    def.host = host;
    rill_world *world = make_world_on(flat_solid(), &def);
    rill_triangles *mesh = organ(&host);
    const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
    rill_triangles_destroy(&mesh);
    const rill_mover_beat beat = rhythm();
    assert_ok(rill_world_set_mover_beat(world, id, &beat));
    run_world(world, 1, 0.03);
    const int calls = count.calls;
    run_world(world, 20, 0.03);
    assert_int_equal(count.calls, calls);
    rill_world_destroy(&world);
    assert_int_equal(count.bytes, 0);
}

// ---- Refused ---------------------------------------------------------------------------

TEST(shapes_that_cannot_be_are_refused_and_change_nothing)
{
    SCOPED(rill_triangles) *mesh = organ(NULL);
    SCOPED(rill_world) *world = pool(1), *twin = pool(1);
    const rill_mover_id id = add(world, organ_at(mesh, 1.9, 1.5, 1.5));
    add(twin, organ_at(mesh, 1.9, 1.5, 1.5));
    const rill_mover_id ball = add(world, ball_at(3.3, 0.6, 1.0, 0.2));
    add(twin, ball_at(3.3, 0.6, 1.0, 0.2));
    places p = bent(mesh, 0.3);
    assert_int_equal(rill_world_set_mover_vertices(world, ball, p.xyz, p.count), RILL_BAD_ARGUMENT);
    assert_sentence_has("mesh");
    assert_int_equal(rill_world_set_mover_vertices(world, id, NULL, p.count), RILL_BAD_ARGUMENT);
    assert_sentence_has("NULL");
    assert_int_equal(rill_world_set_mover_vertices(world, id, p.xyz, 7), RILL_BAD_ARGUMENT);
    assert_sentence_has("new places of 7");
    places wrong = p;
    wrong.xyz[10] = NAN;
    assert_int_equal(rill_world_set_mover_vertices(world, id, wrong.xyz, p.count),
                     RILL_BAD_ARGUMENT);
    assert_sentence_has("coordinate y of vertex 3");
    for (size_t v = 0; v < p.count; v++)
        wrong.xyz[3 * v + 2] = -p.xyz[3 * v + 2], wrong.xyz[10] = p.xyz[10];
    assert_int_equal(rill_world_set_mover_vertices(world, id, wrong.xyz, p.count),
                     RILL_BAD_ARGUMENT);
    assert_sentence_has("inside out");
    rill_mover_beat beat = rhythm();
    assert_int_equal(rill_world_set_mover_beat(world, ball, &beat), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_set_mover_beat(world, id, NULL), RILL_BAD_ARGUMENT);
    beat.period = -1.0;
    assert_int_equal(rill_world_set_mover_beat(world, id, &beat), RILL_BAD_ARGUMENT);
    assert_sentence_has("period");
    beat = rhythm(), beat.swell[1] = 1.0;
    assert_int_equal(rill_world_set_mover_beat(world, id, &beat), RILL_BAD_ARGUMENT);
    assert_sentence_has("swell");
    beat = rhythm(), beat.wavelength[2] = INFINITY;
    assert_int_equal(rill_world_set_mover_beat(world, id, &beat), RILL_BAD_ARGUMENT);
    assert_sentence_has("wavelength");
    beat = rhythm(), beat.amplitude[0] = NAN;
    assert_int_equal(rill_world_set_mover_beat(world, id, &beat), RILL_BAD_ARGUMENT);
    assert_sentence_has("amplitude");
    assert_true(same_ground(world, twin) && rill_world_hash(world) == rill_world_hash(twin));
}

// There may be one column above each other: the organ may lie on the ground, but not arch over it.
TEST(a_mesh_that_cannot_be_cut_stays_as_it_was)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)POOL;
    def.layers.max_layers = 1;
    SCOPED(rill_world) *world = make_world_on(flat_solid(), &def);
    SCOPED(rill_world) *twin = make_world_on(flat_solid(), &def);
    SCOPED(rill_triangles) *mesh = organ(NULL);
    const rill_mover_id id = add(world, organ_at(mesh, 2.0, 1.6, 0.0));
    add(twin, organ_at(mesh, 2.0, 1.6, 0.0));
    places up = bent(mesh, 0.0);
    const rill_triangles_info info = rill_triangles_view(mesh);
    for (size_t k = 0; k < 3 * up.count; k++)
        up.xyz[k] = info.positions[k] + (k % 3 == 2 ? 1.5f : 0.0f);
    assert_int_equal(rill_world_set_mover_vertices(world, id, up.xyz, up.count), RILL_BAD_DEF);
    assert_sentence_has("max_layers is 1");
    assert_true(same_ground(world, twin) && same_mesh(world, twin));
    run_world(world, 3, 0.02);
    run_world(twin, 3, 0.02);
    assert_true(rill_world_hash(world) == rill_world_hash(twin));
}

// A mesh with a hole is told from inside by its winding numbers, as ever.
TEST(an_open_mesh_bends_too)
{
    SCOPED(rill_triangles) *mesh = organ(NULL), *open = NULL;
    const rill_triangles_info info = rill_triangles_view(mesh);
    assert_ok(rill_triangles_create(info.positions, (size_t)info.vertices, info.indices,
                                    3 * (size_t)info.triangles - 3, NULL, &open));
    SCOPED(rill_world) *world = pool(1), *closed = pool(1);
    const rill_mover_id id = add(world, organ_at(open, 1.9, 1.5, 1.5));
    const rill_mover_id other = add(closed, organ_at(mesh, 1.9, 1.5, 1.5));
    const places p = bent(mesh, 0.4);
    bend(world, id, &p);
    bend(closed, other, &p);
    const rill_columns a = rill_world_columns(world), b = rill_world_columns(closed);
    int differ = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t n = (size_t)j * a.pitch + (size_t)i;
            differ += fabs((double)(a.base[n] - b.base[n])) > 1e-4 * DX;
        }
    assert_true(differ <= 4); // beside the hole
}
