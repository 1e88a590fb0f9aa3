// SPDX-License-Identifier: MIT
// test_endless_river.c - a moving domain whose sides are open: the river of the full terrain comes
// in and leaves, with its depth and its velocity, wherever the domain is; and that terrain repeats.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define LONG  80 // cells of the full terrain,
#define WIDE  24
#define NX    32 // and of the domain
#define CELL  0.5
#define SLOPE 0.01
#define ROUGH 0.03

// A channel down a slope whose water is in balance: Manning's velocity in every row, which differs
// from row to row, and dry banks beside it. Nothing differs along x.
typedef struct river {
    rill_heightfield *ground, *water, *velocity_x, *velocity_y;
} river;

static float channel_depth(int j)
{
    const double across = (j + 0.5) / WIDE - 0.5;
    return (float)fmax(1.2 * (1.0 - 8.0 * across * across), 0.0);
}

static float channel_velocity(int j)
{
    return (float)(sqrt(SLOPE) / ROUGH * pow((double)channel_depth(j), 2.0 / 3.0));
}

static river make_river(void)
{
    static float values[3][LONG * WIDE];
    river r = {0};
    for (int j = 0; j < WIDE; j++)
        for (int i = 0; i < LONG; i++) {
            const double across = (j + 0.5) / WIDE - 0.5, level = -SLOPE * CELL * i;
            values[0][j * LONG + i] = (float)(level - 1.2 * (1.0 - 8.0 * across * across));
            values[1][j * LONG + i] = channel_depth(j);
            values[2][j * LONG + i] = channel_velocity(j);
        }
    assert_ok(rill_heightfield_create(LONG, WIDE, CELL, values[0], NULL, &r.ground));
    assert_ok(rill_heightfield_create(LONG, WIDE, CELL, values[1], NULL, &r.water));
    assert_ok(rill_heightfield_create(LONG, WIDE, CELL, values[2], NULL, &r.velocity_x));
    assert_ok(rill_heightfield_create_flat(LONG, WIDE, CELL, NULL, &r.velocity_y));
    return r;
}

static void destroy_river(river *r)
{
    rill_heightfield_destroy(&r->ground);
    rill_heightfield_destroy(&r->water);
    rill_heightfield_destroy(&r->velocity_x);
    rill_heightfield_destroy(&r->velocity_y);
}

static rill_world_def river_def(const river *r, rill_advection advection)
{
    rill_world_def def = grid_def(NX, WIDE, CELL);
    def.solver = RILL_SOLVER_SWE;
    def.swe.advection = advection;
    def.swe.manning = (float)ROUGH;
    def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_EAST] = RILL_BORDER_INCIDENT;
    def.domain.full_terrain = r->ground;
    def.domain.water = r->water;
    def.domain.velocity_x = r->velocity_x;
    def.domain.velocity_y = r->velocity_y;
    def.domain.repeats = 1;
    def.domain.fall = (float)(SLOPE * CELL * LONG);
    return def;
}

static double largest_change(rill_world *world)
{
    const rill_columns c = rill_world_columns(world);
    double most = 0.0;
    for (int j = 0; j < WIDE; j++)
        for (int i = 0; i < NX; i++) {
            const size_t at = (size_t)j * c.pitch + (size_t)i;
            most = fmax(most, fabs((double)c.depth[at] - (double)channel_depth(j)));
            // Friction over a face has the mean of two depths that are the same along x.
            most = fmax(most, fabs((double)c.velocity_x[at] - (double)channel_velocity(j)));
            most = fmax(most, fabs((double)c.velocity_y[at]));
        }
    return most;
}

// Elevations are floats: at 4 m, which the river reaches, they are wrong by 1.2e-7 m, so slopes by
// 5e-7 of 0.01, and velocities by half of that part of 4 m/s: by 1e-4 m/s. Without one of the three
// (velocities that come in, sides that follow, a terrain that repeats) centimetres change.
TEST(a_river_in_balance_stays_so_while_the_domain_moves_along_it)
{
    river r = make_river();
    for (int n = 0; n < 2; n++) {
        const rill_world_def def = river_def(&r, (rill_advection)n);
        SCOPED(rill_world) *world = make_world(&def);
        for (int step = 0; step < 2000; step++) {
            assert_ok(rill_world_step(world, 0.02));
            if (step % 5 == 0)
                assert_ok(rill_world_follow(world, 0.5 * NX * CELL + (step % 3) * CELL,
                                            0.5 * WIDE * CELL));
        }
        int i = 0;
        rill_world_origin(world, &i, NULL);
        assert_true(i > 3 * LONG); // it has gone round
        const rill_ledger ledger = rill_world_ledger(world);
        assert_true(ledger.error < 1e-7);
        assert_true(largest_change(world) < 3e-4);
    }
    destroy_river(&r);
}

// Upstream, where the domain goes to cells below 0.
TEST(a_river_in_balance_stays_so_upstream)
{
    river r = make_river();
    const rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    SCOPED(rill_world) *world = make_world(&def);
    for (int step = 0; step < 600; step++) {
        assert_ok(rill_world_step(world, 0.02));
        if (step % 3 == 0)
            assert_ok(rill_world_follow(world, (0.5 * NX - 1.2) * CELL, 0.5 * WIDE * CELL));
    }
    int i = 0;
    rill_world_origin(world, &i, NULL);
    assert_int_equal(i, -200);
    assert_true(largest_change(world) < 3e-4);
    destroy_river(&r);
}

TEST(ground_that_comes_in_lies_lower_each_time_round)
{
    river r = make_river();
    rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    def.domain.fall = 3.0f;
    def.domain.i = 2 * LONG + 5;
    SCOPED(rill_world) *world = make_world(&def);
    const rill_field_view full = rill_heightfield_view(r.ground);
    for (int turn = 2; turn > -3; turn--) {
        const rill_field_view bed = rill_world_bed(world);
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < NX; i++)
                assert_float_equal(
                    bed.data[(size_t)j * bed.pitch + (size_t)i],
                    full.data[(size_t)j * full.pitch + (size_t)i + 5] - 3.0f * (float)turn, 1e-6f);
        assert_ok(rill_world_follow(world, (0.5 * NX - LONG) * CELL, 0.5 * WIDE * CELL));
    }
    destroy_river(&r);
}

// Banks, of which the water along the side has none, let nothing through, though water stands
// against them.
TEST(nothing_passes_where_the_river_beyond_ends)
{
    river r = make_river();
    rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    rill_field *water = rill_heightfield_field(r.water);
    rill_field_fill(water, 0.0f);
    static float depth[NX * WIDE];
    for (int n = 0; n < NX * WIDE; n++)
        depth[n] = 1.0f;
    def.depth = (rill_field_view){depth, NX, WIDE, NX};
    SCOPED(rill_world) *world = make_world(&def);
    run_frames(world, 30);
    const rill_ledger ledger = rill_world_ledger(world);
    assert_true(ledger.drained == 0.0 && ledger.sourced == 0.0);
    assert_ok(rill_world_set_border(world, RILL_SIDE_EAST, RILL_BORDER_DRAIN, 0.0f));
    run_frames(world, 30);
    assert_true(rill_world_ledger(world).drained > 1.0); // it wanted to
    destroy_river(&r);
}

// A wave that comes in on top of the river by a side that follows it.
TEST(a_swell_comes_in_on_the_river)
{
    river r = make_river();
    const rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    SCOPED(rill_world) *world = make_world(&def);
    assert_ok(rill_world_set_border_swell(world, RILL_SIDE_WEST, 0.2, 2.0));
    double highest = 0.0;
    for (int n = 0; n < 200; n++) {
        assert_ok(rill_world_step(world, 0.02));
        const rill_field_view d = rill_world_depth(world);
        highest =
            fmax(highest, (double)d.data[WIDE / 2 * d.pitch] - (double)channel_depth(WIDE / 2));
    }
    assert_true(highest > 0.05 && highest < 0.15);
    destroy_river(&r);
}

// Sides and velocities follow the place that a state is of.
TEST(an_endless_river_comes_back_from_a_snapshot)
{
    river r = make_river();
    rill_world_def def = river_def(&r, RILL_ADVECTION_MACCORMACK);
    def.domain.copy = 1;
    rill_field *velocity = rill_heightfield_field(r.velocity_x);
    for (int j = 0; j < WIDE; j++) // out of balance, so that every place is another
        for (int i = 0; i < LONG; i++)
            rill_field_row(velocity, j)[i] *= 1.0f + 0.3f * sinf(0.3f * (float)i);
    SCOPED(rill_world) *world = make_world(&def);
    destroy_river(&r);
    SCOPED(rill_world) *copy = NULL;
    assert_ok(rill_world_follow(world, (0.5 * NX + LONG + 7) * CELL, 0.5 * WIDE * CELL));
    run_frames(world, 20);
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    assert_ok(rill_world_clone(world, &copy));
    uint64_t hash[3];
    for (int n = 0; n < 3; n++) {
        rill_world *const w = n == 1 ? copy : world;
        if (n == 2) {
            assert_ok(rill_world_follow(w, 0.0, 0.0));
            assert_ok(rill_world_restore(w, snapshot));
        }
        run_frames(w, 5);
        assert_ok(rill_world_follow(w, (0.5 * NX + 2.0) * CELL, 0.5 * WIDE * CELL));
        run_frames(w, 5);
        hash[n] = rill_world_hash(w);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

TEST(a_path_goes_on_over_a_terrain_that_repeats)
{
    river r = make_river();
    rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    def.domain.path[0] = (rill_path_key){.time = 0.0, .x = 8.0, .y = 6.0};
    def.domain.path[1] = (rill_path_key){.time = 2.0, .x = 28.0, .y = 6.0};
    def.domain.path[2] = (rill_path_key){.time = 4.0, .x = 48.0, .y = 6.0};
    def.domain.path_count = 3;
    SCOPED(rill_world) *world = make_world(&def);
    run_world(world, 1000, 0.02); // 20 s at 10 m/s
    int i = 0;
    rill_world_origin(world, &i, NULL);
    assert_in_range(i, 397, 400);
    destroy_river(&r);
}

TEST(mistakes_about_the_river_are_named)
{
    river r = make_river();
    rill_world_def def = river_def(&r, RILL_ADVECTION_CONSERVATIVE);
    SCOPED(rill_world) *world = NULL;
    SCOPED(rill_heightfield) *small = NULL;
    assert_ok(rill_heightfield_create_flat(LONG, WIDE - 1, CELL, NULL, &small));
    def.domain.velocity_y = small;
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(),
                        "the full terrain has 80 x 24 cells, its velocity_y 80 x 23");
    def.domain.velocity_y = r.velocity_y;
    rill_field_row(rill_heightfield_field(r.velocity_x), 3)[2] = 2000.0f;
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_string_equal(
        rill_last_error(),
        "the velocity_x of the full terrain is 2000 at cell (2, 3), it must be within 1000");
    destroy_river(&r);
}
