// SPDX-License-Identifier: MIT
// test_moving_domain.c - a world as a window on a country: the grid moves, the water stays where it
// is, and what leaves and enters is booked.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define NX      32
#define NY      24
#define COUNTRY 96

// Hills on a grain of 1/64 m, so that a lake among them rests exactly.
static float hill(int i, int j)
{
    return floorf(64.0f * (1.5f * sinf(0.21f * (float)i) * cosf(0.17f * (float)j))) / 64.0f;
}

static rill_heightfield *country_of(void)
{
    static float values[COUNTRY * COUNTRY];
    for (int j = 0; j < COUNTRY; j++)
        for (int i = 0; i < COUNTRY; i++)
            values[j * COUNTRY + i] = hill(i, j);
    rill_heightfield *country = NULL;
    assert_ok(rill_heightfield_create(COUNTRY, COUNTRY, 1.0, values, NULL, &country));
    return country;
}

static rill_world *window_on(const rill_heightfield *country, int i, int j)
{
    rill_world_def def = lake_def(NX, NY, 1.0, 0.5);
    def.solver = RILL_SOLVER_SWE;
    def.domain.full_terrain = country;
    def.domain.i = i;
    def.domain.j = j;
    def.particles.max_particles = 100;
    def.waves.size = 16;
    return make_world(&def);
}

static void assert_ground_is_the_country(const rill_world *world, int i0, int j0)
{
    const rill_field_view bed = rill_world_bed(world), depth = rill_world_depth(world);
    int i = -1, j = -1;
    rill_world_origin(world, &i, &j);
    assert_int_equal(i, i0);
    assert_int_equal(j, j0);
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            const float b = bed.data[(size_t)y * bed.pitch + (size_t)x];
            assert_float_equal(b, hill(x + i0, y + j0), 0.0f);
            assert_float_equal(depth.data[(size_t)y * depth.pitch + (size_t)x],
                               fmaxf(0.5f - b, 0.0f), 0.0f);
        }
}

TEST(a_window_shows_its_part_of_the_country_wherever_it_is)
{
    SCOPED(rill_heightfield) *country = country_of();
    SCOPED(rill_world) *world = window_on(country, 10, 20);
    assert_ground_is_the_country(world, 10, 20);
    assert_ok(rill_world_follow(world, 0.5 * NX + 7.3, 0.5 * NY - 4.6));
    assert_ground_is_the_country(world, 17, 16);
    assert_ok(rill_world_follow(world, 0.5 * NX - 40.0, 0.5 * NY + 400.0));
    assert_ground_is_the_country(world, 0, COUNTRY - NY);
    run_frames(world, 30);
    assert_ground_is_the_country(world, 0, COUNTRY - NY); // the lake rests, moved or not
}

TEST(what_leaves_and_enters_a_window_is_booked)
{
    SCOPED(rill_heightfield) *country = country_of();
    SCOPED(rill_world) *world = window_on(country, 30, 30);
    assert_ok(rill_world_pour(world, 10.0, 10.0, 3.0, 20.0, NULL));
    for (int n = 0; n < 40; n++) {
        assert_ok(rill_world_step(world, 1.0 / 60.0));
        assert_ok(
            rill_world_follow(world, 0.5 * NX + (n % 3 - 0.9) * 2.0, 0.5 * NY + (n % 5 - 1.8)));
        const rill_ledger ledger = rill_world_ledger(world);
        assert_true(ledger.error < 1e-7);
    }
    assert_true(rill_world_ledger(world).drained > 0.0);
}

// A hump of water in the middle, and the same world seen through a window that moves by five cells:
// in the country the water must be the same, to the last bit, as long as nothing reaches a border.
TEST(moving_the_window_does_not_move_the_water)
{
    SCOPED(rill_heightfield) *country = country_of();
    SCOPED(rill_world) *still = window_on(country, 30, 30), *moving = window_on(country, 30, 30);
    assert_ok(rill_world_pour(still, 16.5, 12.5, 2.0, 3.0, NULL));
    assert_ok(rill_world_pour(moving, 16.5, 12.5, 2.0, 3.0, NULL));
    for (int n = 0; n < 10; n++) {
        assert_ok(rill_world_step(still, 1.0 / 60.0));
        assert_ok(rill_world_step(moving, 1.0 / 60.0));
        if (n == 4)
            assert_ok(rill_world_follow(moving, 0.5 * NX + 5.0, 0.5 * NY + 2.0));
    }
    const rill_field_view a = rill_world_depth(still), b = rill_world_depth(moving);
    float highest = 0.0f;
    for (int j = 4; j < NY - 4; j++)
        for (int i = 7; i < NX - 2; i++) {
            const float here = a.data[(size_t)j * a.pitch + (size_t)i];
            assert_float_equal(here, b.data[(size_t)(j - 2) * b.pitch + (size_t)(i - 5)], 0.0f);
            highest = fmaxf(highest, here + hill(30 + i, 30 + j));
        }
    assert_true(highest > 0.55f); // there is a hump
}

TEST(a_window_follows_its_path)
{
    SCOPED(rill_heightfield) *country = country_of();
    rill_world_def def = grid_def(NX, NY, 1.0);
    def.solver = RILL_SOLVER_SWE;
    def.domain.full_terrain = country;
    def.domain.path[0] = (rill_path_key){.time = 0.0, .x = 16.0, .y = 12.0};
    def.domain.path[1] = (rill_path_key){.time = 2.0, .x = 56.0, .y = 32.0};
    def.domain.path_count = 2;
    SCOPED(rill_world) *world = make_world(&def);
    run_frames(world, 60);
    int i = 0, j = 0;
    rill_world_origin(world, &i, &j);
    assert_in_range(i, 19, 21);
    assert_in_range(j, 9, 11);
}

static float depth_at(const rill_world *world, int i, int j)
{
    const rill_field_view depth = rill_world_depth(world);
    return depth.data[(size_t)j * depth.pitch + (size_t)i];
}

// Springs and emitters stay in the country: after the window has moved by (5, 3) cells, what they
// give is found that much further west and south in it. One that was left behind gives nothing.
TEST(sources_stay_where_they_are_in_the_country)
{
    SCOPED(rill_heightfield) *country = country_of();
    SCOPED(rill_world) *world = window_on(country, 30, 30), *quiet = window_on(country, 30, 30);
    add_spring(world, 20.5, 15.5, 0.0, 0.5);
    rill_emitter_def jet = rill_default_emitter_def();
    set3(jet.position, 12.5, 9.5, 6.0);
    jet.rate = 1.0;
    assert_ok(rill_world_add_emitter(world, &jet, NULL));
    assert_ok(rill_world_follow(world, 0.5 * NX + 5.0, 0.5 * NY + 3.0));
    assert_ok(rill_world_follow(quiet, 0.5 * NX + 5.0, 0.5 * NY + 3.0));
    assert_ok(rill_world_step(world, 1.0 / 60.0));
    assert_true(depth_at(world, 15, 12) > depth_at(quiet, 15, 12) + 0.005f);
    run_frames(world, 10);
    const rill_particles flying = rill_world_particles(world);
    assert_true(flying.count > 0);
    for (size_t n = 0; n < flying.count; n++)
        assert_true(fabsf(flying.x[n] - 7.5f) < 0.5f && fabsf(flying.y[n] - 6.5f) < 0.5f);
    assert_ok(rill_world_follow(world, 0.5 * NX + 25.0, 0.5 * NY));
    const double before = rill_world_ledger(world).sourced;
    assert_ok(rill_world_step(world, 1.0 / 60.0));
    assert_true(rill_world_ledger(world).sourced - before < 1.001 / 60.0); // the jet's alone
}

TEST(a_window_comes_back_from_a_snapshot)
{
    SCOPED(rill_heightfield) *country = country_of();
    SCOPED(rill_world) *world = window_on(country, 30, 30), *copy = NULL;
    SCOPED(rill_snapshot) *snapshot = NULL;
    assert_ok(rill_world_pour(world, 16.5, 12.5, 2.0, 3.0, NULL));
    assert_ok(rill_world_follow(world, 0.5 * NX + 5.0, 0.5 * NY + 2.0));
    assert_ok(rill_world_step(world, 0.1));
    assert_ok(rill_snapshot_create(world, &snapshot));
    assert_ok(rill_world_save(world, snapshot));
    assert_ok(rill_world_clone(world, &copy));
    assert_ok(rill_world_follow(world, 0.0, 0.0));
    assert_ok(rill_world_step(world, 0.1));
    const uint64_t hash = rill_world_hash(world);
    assert_ok(rill_world_restore(world, snapshot));
    assert_int_equal(rill_world_hash(world), rill_world_hash(copy));
    assert_ok(rill_world_follow(world, 0.0, 0.0));
    assert_ok(rill_world_step(world, 0.1));
    assert_true(rill_world_hash(world) == hash);
}

TEST(mistakes_about_windows_are_named)
{
    SCOPED(rill_heightfield) *country = country_of();
    rill_world_def def = rill_default_world_def();
    SCOPED(rill_world) *world = NULL;
    def.nx = NX;
    def.ny = NY;
    def.domain.full_terrain = country;
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_string_equal(rill_last_error(), "this world's solver, pipes, has no moving domain");
    def.solver = RILL_SOLVER_SWE;
    def.domain.i = 70;
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_string_equal(
        rill_last_error(),
        "a moving domain of 32 x 24 cells at (70, 0) reaches out of a full terrain of 96 x 96");
    def.domain.i = 0;
    def.domain.path_count = 1;
    def.domain.path[0] = (rill_path_key){.time = 0.0, .x = (double)NAN, .y = 12.0};
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_string_equal(
        rill_last_error(),
        "key 0 of the path of a moving domain is (nan, 12, 0) m at 0 s; times must rise "
        "and places be within 1e7 m");
    def.domain = (rill_moving_domain_def){0};
    world = make_world(&def);
    assert_int_equal(rill_world_follow(world, 0.0, 0.0), RILL_BAD_ARGUMENT);
}
