// SPDX-License-Identifier: MIT
// test_river.c - a world whose water is a river, as the outside sees it: words for what is wrong,
// books, equal bits, going back in time, changes of its ground, dye and detail.
#include "tests/kit/kit.h"
#include "tests/kit/river_valley.h"
#include "tests/kit/worlds.h"

// Seconds that a crate is watched for; sanitizers are slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DRIFTING 10
#else
#define DRIFTING 60
#endif

static rill_world *make_river_world(int threads, int detail)
{
    static float bed[NY * NX];
    rill_world_def def = river_def(bed);
    def.worker_count = threads;
    def.river.detail_solver = detail & 1;
    def.river.detail_waves = detail >> 1;
    def.river.detail_distance = 120.0f;
    def.river.viewer[0] = 240.0;
    def.river.viewer[1] = 100.0;
    return make_world(&def);
}

static void run(rill_world *world, int steps)
{
    run_world(world, steps, 0.25);
}

TEST(it_flows_at_the_asked_speed_and_keeps_its_books)
{
    for (int detail = 0; detail < 4; detail++) {
        SCOPED(rill_world) *world = make_river_world(2, detail);
        assert_ok(rill_world_pour(world, 240.0, 400.0, 20.0, 500.0, NULL));
        run(world, 40);
        const rill_river_state river = rill_world_river(world);
        assert_true(river.cells > 2000 && river.length > 0.9 * NY * CELL);
        assert_true(fabs(river.mean_speed / 1.3 - 1.0) < 0.05);
        assert_true(river.divergence < 1e-4);
        assert_true(detail & 1 ? river.merged < river.cells : river.merged == river.cells);
        const rill_ledger ledger = rill_world_ledger(world);
        assert_true(ledger.error < 1e-9);
        assert_true(fabs(ledger.sourced - 500.0) < 1e-4 && fabs(ledger.drained - 500.0) < 1e-4);
    }
}

TEST(one_thread_and_two_give_the_same_bits)
{
    for (int detail = 0; detail < 4; detail += 3) {
        uint64_t hashes[2];
        for (int k = 0; k < 2; k++) {
            SCOPED(rill_world) *world = make_river_world(k + 1, detail);
            run(world, 20);
            hashes[k] = rill_world_hash(world);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

TEST(it_goes_back_in_time_and_can_be_cloned)
{
    for (int detail = 0; detail < 4; detail += 3) {
        SCOPED(rill_world) *world = make_river_world(2, detail), *copy = NULL;
        SCOPED(rill_snapshot) *snapshot = NULL;
        assert_ok(rill_snapshot_create(world, &snapshot));
        run(world, 5);
        assert_ok(rill_world_set_viewer(world, 240.0, 700.0, 50.0));
        run(world, 1);
        assert_ok(rill_world_save(world, snapshot));
        if (rill_world_clone(world, &copy) != RILL_OK)
            fail_msg("%s", rill_last_error());
        assert_true(rill_world_hash(copy) == rill_world_hash(world));
        run(world, 10);
        run(copy, 10);
        const uint64_t hash = rill_world_hash(world);
        assert_true(rill_world_hash(copy) == hash);
        assert_ok(rill_world_restore(world, snapshot));
        run(world, 10);
        assert_true(rill_world_hash(world) == hash);
    }
}

// A rock in its way is felt at once: the water goes round it and is faster beside it.
TEST(ground_that_rises_out_of_it_parts_the_flow)
{
    SCOPED(rill_world) *world = make_river_world(2, 0);
    run(world, 10);
    const int64_t cells = rill_world_river(world).cells;
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    const double x = (double)path.x[path.count / 2], y = (double)path.y[path.count / 2];
    const rill_brush rock = {RILL_BRUSH_RAISE, x, y, 25.0, 12.0};
    assert_ok(rill_world_edit_terrain(world, &rock));
    run(world, 200);
    const rill_river_state river = rill_world_river(world);
    assert_true(river.cells < cells && river.divergence < 1e-4);
    assert_true(fabs(river.mean_speed / 1.3 - 1.0) < 0.05);
    const rill_columns columns = rill_world_columns(world);
    const rill_probe inside = rill_columns_probe(&columns, 0, x, y);
    assert_true(!inside.wet && inside.velocity_x == 0.0f && inside.velocity_y == 0.0f);
    assert_true(rill_world_ledger(world).error < 1e-9);
}

// A pier: what is closed stands still exactly, the rest goes round it; opened again it flows.
TEST(what_is_closed_lets_nothing_through)
{
    SCOPED(rill_world) *world = make_river_world(2, 0);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    const double x = (double)path.x[path.count / 2], y = (double)path.y[path.count / 2];
    const int64_t cells = rill_world_river(world).cells;
    for (int closed = 1; closed >= 0; closed--) {
        assert_ok(rill_world_close_river(world, x, y, 18.0, closed));
        run(world, 80);
        const rill_river_state river = rill_world_river(world);
        assert_true(closed ? river.cells < cells : river.cells == cells);
        assert_true(river.divergence < 1e-4 && fabs(river.mean_speed / 1.3 - 1.0) < 0.05);
        const rill_columns c = rill_world_columns(world);
        const size_t at = (size_t)(y / CELL) * c.pitch + (size_t)(x / CELL);
        assert_true((hypot((double)c.velocity_x[at], (double)c.velocity_y[at]) == 0.0) == closed);
        assert_true(rill_world_ledger(world).error < 1e-9);
    }
    assert_int_equal(rill_world_close_river(world, x, y, NAN, 1), RILL_BAD_ARGUMENT);
}

TEST(normals_point_from_land_to_water)
{
    static float x[NY * NX], y[NY * NX];
    SCOPED(rill_world) *world = make_river_world(1, 0);
    const rill_river_path *path = rill_world_river_path(world);
    const rill_field_view level = rill_river_path_get(path).level;
    assert_ok(rill_river_path_normals(path, x, y));
    // Of the westernmost wet cell of a row, the water lies in the east.
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX; i++)
            if (level.data[(size_t)j * level.pitch + (size_t)i] > -1e29f) {
                assert_true(x[j * NX + i] > 0.0f);
                assert_true(fabs(hypot((double)x[j * NX + i], (double)y[j * NX + i]) - 1.0) < 1e-6);
                break;
            }
    assert_int_equal(rill_river_path_normals(NULL, x, y), RILL_BAD_ARGUMENT);
}

TEST(dye_drifts_and_none_is_lost)
{
    SCOPED(rill_world) *world = make_river_world(2, 0);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    const int at = path.count / 8;
    assert_ok(rill_world_add_dye(world, (double)path.x[at], (double)path.y[at], 15.0, 100.0));
    assert_true(fabs(rill_world_dye_amount(world) - 100.0) < 1e-3);
    run(world, 400);
    assert_true(fabs(rill_world_dye_amount(world) / 100.0 - 1.0) < 1e-3);
    const rill_field_view dye = rill_world_dye(world);
    double sum = 0.0, south = 0.0;
    for (int j = 0; j < dye.ny; j++)
        for (int i = 0; i < dye.nx; i++) {
            const double c = (double)dye.data[(size_t)j * dye.pitch + (size_t)i];
            assert_true(c >= 0.0);
            sum += c;
            south += c * (j + 0.5) * CELL;
        }
    // A hundred seconds at about 1.3 m/s, along a bend.
    assert_true((double)path.y[at] - south / sum > 60.0);
    assert_int_equal(rill_world_add_dye(world, 10.0, 10.0, 2.0, 1.0), RILL_BAD_ARGUMENT);
    assert_non_null(strstr(rill_last_error(), "no river"));
}

TEST(what_is_wrong_is_said_in_words)
{
    static float bed[NY * NX];
    static const struct {
        int what;
        const char *words;
    } cases[] = {{0, "river.speed"},   {1, "river.path"}, {2, "river.wave_particles.size"},
                 {3, "walls besides"}, {4, "level"},      {5, "river.detail"}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        rill_world_def def = river_def(bed);
        if (cases[n].what == 0)
            def.river.speed = NAN;
        if (cases[n].what == 1)
            def.river.path.from = 7;
        if (cases[n].what == 2)
            def.river.wave_particles.size = 100;
        if (cases[n].what == 3)
            def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
        if (cases[n].what == 4)
            def.use_level = 1;
        if (cases[n].what == 5)
            def.river.detail_waves = 8;
        rill_world *world = NULL;
        assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
        assert_null(world);
        if (strstr(rill_last_error(), cases[n].words) == NULL)
            fail_msg("'%s' does not say '%s'", rill_last_error(), cases[n].words);
    }
    SCOPED(rill_world) *other = NULL;
    const rill_world_def def = rill_default_world_def();
    other = make_world(&def);
    assert_int_equal(rill_world_set_viewer(other, 0.0, 0.0, 0.0), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_world_add_dye(other, 0.0, 0.0, 1.0, 1.0), RILL_BAD_ARGUMENT);
    assert_true(rill_world_river(other).cells == 0 && rill_world_wave_particles(other).count == 0);
    assert_null(rill_world_river_path(other));
    assert_null(rill_world_detail(other).level);
}

// A crate floats down it, carried by the flow.
TEST(a_crate_drifts_downstream)
{
    if (!rill_has_rigid_bodies())
        return;
    static float bed[NY * NX];
    rill_world_def def = river_def(bed);
    def.bodies.max_bodies = 4;
    SCOPED(rill_world) *world = make_world(&def);
    const rill_river_path_view path = rill_river_path_get(rill_world_river_path(world));
    rill_body_def crate = rill_default_body_def();
    crate.motion = RILL_BODY_RIGID;
    crate.coupling = RILL_COUPLING_PASS;
    crate.density = 500.0f;
    crate.size[0] = crate.size[1] = crate.size[2] = 2.0f;
    set3(crate.position, (double)path.x[path.count / 3], (double)path.y[path.count / 3],
         (double)path.surface[path.count / 3]);
    rill_body_id id;
    if (rill_world_add_body(world, &crate, &id) != RILL_OK)
        fail_msg("%s", rill_last_error());
    run_frames(world, 60 * DRIFTING);
    rill_body_state body;
    assert_ok(rill_world_get_body(world, id, &body));
    // It starts at rest, and soon goes with the water, which is faster in the middle.
    assert_true(body.position[1] < crate.position[1] - (DRIFTING - 5) * 0.8);
    const rill_columns columns = rill_world_columns(world);
    const rill_probe water = rill_columns_probe(&columns, 0, body.position[0], body.position[1]);
    assert_true(water.wet && fabs(body.position[2] - (double)water.level) < 1.0);
    assert_true(rill_world_ledger(world).error < 1e-6);
}
