// SPDX-License-Identifier: MIT
// The swe water on a GPU against the same water on the CPU: to the last bit, whatever happens to
// it. Skipped in words where no GPU is.
#include "tests/unit/gpu_pair.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Two worlds ------------------------------------------------------------------------

// Hills, of which some stand out of the water, and a block of high water that breaks over them.
static rill_world_def hills(int nx, int ny, float *bed, float *depth)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double x = i % 256, y = j % 256;
            const double hill =
                1.9 * sin(0.11 * x) * cos(0.09 * y) + 0.85 * sin(0.37 * x + 0.29 * y);
            const double ground = 3.0 + hill + 0.07 * sin(2.3 * x) * sin(1.9 * y);
            const double block = i > nx / 3 && i < nx / 2 && j > ny / 4 && j < ny / 2 ? 1.5 : 0.0;
            const double level = 3.1 + 0.2 * sin(0.2 * x) * sin(0.17 * y) + block;
            bed[(size_t)j * (size_t)nx + (size_t)i] = (float)ground;
            depth[(size_t)j * (size_t)nx + (size_t)i] = (float)fmax(level - ground, 0.0);
        }
    rill_world_def def = rill_default_world_def();
    def.solver = RILL_SOLVER_SWE;
    def.nx = nx;
    def.ny = ny;
    def.bed = (rill_field_view){bed, nx, ny, (size_t)nx};
    def.depth = (rill_field_view){depth, nx, ny, (size_t)nx};
    return def;
}

static pair make_pair(int nx, int ny, void (*change)(rill_world_def *def))
{
    const size_t cells = (size_t)nx * (size_t)ny;
    float *ground = malloc(2 * cells * sizeof *ground);
    assert_non_null(ground);
    rill_world_def def = hills(nx, ny, ground, ground + cells);
    if (change != NULL)
        change(&def);
    const pair p = pair_of(&def);
    free(ground);
    return p;
}

// ---- The same bits ---------------------------------------------------------------------

static void conservative(rill_world_def *def)
{
    def->swe.advection = RILL_ADVECTION_CONSERVATIVE;
}

static void maccormack(rill_world_def *def)
{
    def->swe.advection = RILL_ADVECTION_MACCORMACK;
}

static void maccormack_rough(rill_world_def *def)
{
    maccormack(def);
    def->swe.manning = 0.04f;
    def->border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_WEST] = 3.6f;
    def->border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
}

static void a_thousand_steps_give_the_same_bits(void **state)
{
    (void)state;
    need_gpu();
    void (*const advections[])(rill_world_def *) = {conservative, maccormack, maccormack_rough};
    for (size_t n = 0; n < sizeof advections / sizeof advections[0]; n++) {
        pair p = make_pair(37, 53, advections[n]);
        step_pair(&p, 100, 0.1); // one at a time,
        assert_same(&p);
        while (rill_world_last_step(p.gpu).steps < 1000) // and many
            step_pair(&p, 1, 2.7);
        assert_same(&p);
        destroy_pair(&p);
    }
}

static void viscous(rill_world_def *def)
{
    conservative(def);
    def->swe.viscosity = 1e-3f;
    def->swe.acceleration[0] = 0.3f;
    def->swe.acceleration[1] = -0.2f;
}

static void maccormack_viscous(rill_world_def *def)
{
    viscous(def);
    maccormack(def);
    def->border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_NORTH] = 3.8f;
    def->border_level[RILL_SIDE_SOUTH] = 3.2f;
}

static void rough_drained(rill_world_def *def)
{
    conservative(def);
    def->swe.manning = 0.03f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def->border[side] = RILL_BORDER_DRAIN;
}

static void maccormack_drained(rill_world_def *def)
{
    rough_drained(def);
    maccormack(def);
}

static void flooded(rill_world_def *def)
{
    conservative(def);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        def->border[side] = RILL_BORDER_INFLOW;
        def->border_level[side] = 0.1f + 0.2f * (float)side;
    }
}

static void maccormack_flooded(rill_world_def *def)
{
    flooded(def);
    maccormack(def);
    def->border_level[RILL_SIDE_EAST] = 0.0f;
}

static void absorbed(rill_world_def *def)
{
    conservative(def);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        def->border[side] = RILL_BORDER_ABSORB;
        def->border_level[side] = 3.0f + 0.1f * (float)side;
    }
    def->swe.absorb_cells = 7;
}

static void maccormack_absorbed(rill_world_def *def)
{
    absorbed(def);
    maccormack(def);
    def->swe.manning = 0.02f;
    def->swe.absorb_cells = 18;
    def->border[RILL_SIDE_NORTH] = RILL_BORDER_DRAIN;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_WALL;
}

static void overshooting(rill_world_def *def)
{
    maccormack(def);
    def->swe.overshoot = 0.25f;
    def->swe.overshoot_edge = 0.3f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_INFLOW;
    def->border_level[RILL_SIDE_SOUTH] = 0.3f;
}

static void hurried(rill_world_def *def)
{
    conservative(def);
    def->max_substeps = 2;
    def->border[RILL_SIDE_WEST] = RILL_BORDER_DRAIN;
}

static void hurried_maccormack(rill_world_def *def)
{
    hurried(def);
    maccormack_rough(def);
}

// Every rule of the water, in grids of several sizes.
static void every_rule_gives_the_same_bits_in_grids_of_every_size(void **state)
{
    (void)state;
    need_gpu();
    void (*const rules[])(rill_world_def *) = {
        viscous,
        maccormack_viscous,
        rough_drained,
        maccormack_drained,
        flooded,
        absorbed,
        maccormack_flooded,
        maccormack_absorbed,
        overshooting,
        hurried,
        hurried_maccormack,
    };
    const int sides[][3] = {{37, 53, 1000}, {4, 5, 400}, {129, 64, 60}, {48, 129, 60}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            const bool hurries = rules[rule] == hurried || rules[rule] == hurried_maccormack;
            step_pair(&p, sides[size][2] / 2, hurries ? 1.1 : 0.25);
            assert_same(&p);
            step_pair(&p, sides[size][2] / 2, hurries ? 0.2 : 0.1);
            assert_same(&p);
            destroy_pair(&p);
        }
}

static void a_wide_river_gives_the_same_bits(void **state)
{
    (void)state;
    need_gpu();
    pair p = make_pair(900, 135, maccormack_rough);
    step_pair(&p, 60, 0.12);
    assert_same(&p);
    destroy_pair(&p);
}

// ---- Falls -----------------------------------------------------------------------------

// A terrace with cliffs on all its sides, one of them across the middle of the grid, where the
// bands of the host's sweep meet; and ground beside it that absorbs.
static rill_world_def terrace(int nx, int ny, float *bed, float *depth)
{
    rill_world_def def = hills(nx, ny, bed, depth);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const bool high = i > nx / 4 && i < 3 * nx / 4 && j > ny / 5 && j < ny - ny / 4;
            const bool hole = abs(i - nx / 2) < 3 && abs(j - ny / 2) < 4;
            const size_t at = (size_t)j * (size_t)nx + (size_t)i;
            bed[at] = 0.25f * bed[at] + (high && !hole ? 4.0f : 0.0f);
            depth[at] = high ? 0.6f + 0.01f * (float)((i * 7 + j * 3) % 5) : 0.05f;
        }
    def.particles.max_particles = 4000;
    def.particles.breaking_rise = 0.5f;
    def.particles.breaking_curvature = -0.125f;
    return def;
}

static void what_falls_over_cliffs_is_the_same(void **state)
{
    (void)state;
    need_gpu();
    enum { NX = 41, NY = 130 };
    static float bed[NX * NY], depth[NX * NY];
    for (int kind = 0; kind < 3; kind++) {
        rill_world_def def = terrace(NX, NY, bed, depth);
        (kind == 1 ? maccormack : conservative)(&def);
        if (kind == 2) {
            def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_NORTH] = RILL_BORDER_ABSORB;
            def.swe.absorb_cells = 14;
        }
        pair p = pair_of(&def);
        for (int n = 0; n < 4; n++) {
            step_pair(&p, 40, 0.11);
            assert_same(&p);
            assert_true(rill_world_particles(p.cpu).count == rill_world_particles(p.gpu).count);
        }
        assert_true(rill_world_particles(p.gpu).count > 0);
        destroy_pair(&p);
    }
}

// ---- Giving, taking, changing ----------------------------------------------------------

static void pour_both(pair *p, double x, double y, double volume)
{
    double a = 0.0, b = 0.0;
    assert_int_equal(rill_world_pour(p->cpu, x, y, 5.0, volume, &a), RILL_OK);
    assert_int_equal(rill_world_pour(p->gpu, x, y, 5.0, volume, &b), RILL_OK);
    assert_true(a == b);
}

static void rain_on(rill_world *world)
{
    rill_source_def source = rill_default_source_def();
    source.x = 20.0;
    source.y = 30.0;
    source.radius = 4.0;
    source.rate = 10.0;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_OK);
    source.rate = -7.0;
    source.y = 33.0;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_OK);
    const rill_rain_frame rain = {.rate = 1e-4};
    assert_int_equal(rill_world_set_rain(world, &rain, 1), RILL_OK);
}

static void what_is_given_and_taken_is_booked_the_same(void **state)
{
    (void)state;
    need_gpu();
    for (int dry = 0; dry < 2; dry++) {
        pair p = make_pair(50, 60, dry ? maccormack_rough : flooded);
        rain_on(p.cpu);
        rain_on(p.gpu);
        for (int n = 0; n < 20; n++) {
            if (dry && n == 10) {
                assert_int_equal(rill_world_set_evaporation(p.cpu, 1e-3), RILL_OK);
                assert_int_equal(rill_world_set_evaporation(p.gpu, 1e-3), RILL_OK);
            }
            pour_both(&p, 40.0, 30.0, n % 2 ? 30.0 : -30.0);
            pour_both(&p, 42.0, 31.0, 10.0);
            pour_both(&p, 2.0, 2.0, -1e6);
            step_pair(&p, 2, 0.11);
            if (n % 10 == 3)
                assert_same(&p);
        }
        pour_both(&p, 20.0, 20.0, 4.0); // seen before the next step
        assert_same(&p);
        destroy_pair(&p);
    }
}

static void with_spray(rill_world_def *def)
{
    maccormack(def);
    def->particles.max_particles = 3000;
    def->particles.breaking_rise = 0.5f;
    def->particles.breaking_curvature = -0.125f;
    def->bodies.max_bodies = 2;
}

// Jets and bodies give momentum.
static void what_comes_with_momentum_pushes_the_same(void **state)
{
    (void)state;
    need_gpu();
    pair p = make_pair(50, 60, with_spray);
    rill_world *const worlds[] = {p.cpu, p.gpu};
    rill_body_id ids[2];
    for (int k = 0; k < 2; k++) {
        rill_emitter_def jet = rill_default_emitter_def();
        jet.position[0] = 20.0;
        jet.position[1] = 0.4;
        jet.position[2] = 6.0;
        jet.velocity[0] = 3.0;
        jet.velocity[1] = 2.0;
        jet.rate = 2.0;
        assert_int_equal(rill_world_add_emitter(worlds[k], &jet, NULL), RILL_OK);
        rill_body_def box = rill_default_body_def();
        box.motion = RILL_BODY_HOST;
        box.size[0] = 4.0;
        box.size[1] = 3.0;
        box.size[2] = 2.0;
        box.position[0] = 30.0;
        box.position[1] = 25.0;
        box.position[2] = 6.0;
        assert_int_equal(rill_world_add_body(worlds[k], &box, &ids[k]), RILL_OK);
    }
    const double turned[4] = {0.0, 0.0, 0.0, 1.0}, speed[3] = {4.0, 1.0, -1.0}, still[3] = {0.0};
    for (int n = 0; n < 6; n++) {
        const double place[3] = {30.0 + 1.5 * n, 25.0, 4.0 - 0.4 * n};
        for (int k = 0; k < 2; k++)
            assert_int_equal(
                rill_world_set_body_pose(worlds[k], ids[k], place, turned, speed, still), RILL_OK);
        step_pair(&p, 8, 0.04);
        assert_same(&p);
    }
    destroy_pair(&p);
}

static void borders_and_ground_may_change_between_steps(void **state)
{
    (void)state;
    need_gpu();
    pair p = make_pair(50, 60, maccormack_rough);
    const rill_brush brush = {
        .kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 40.0, .radius = 12.0, .amount = 0.5};
    const rill_border kinds[] = {RILL_BORDER_DRAIN, RILL_BORDER_INFLOW, RILL_BORDER_ABSORB,
                                 RILL_BORDER_LEVEL, RILL_BORDER_WALL};
    rill_world *const worlds[] = {p.cpu, p.gpu};
    for (int k = 0; k < 2; k++)
        assert_int_equal(rill_world_set_border_swell(worlds[k], RILL_SIDE_WEST, 0.4, 3.0), RILL_OK);
    for (int n = 0; n < 8; n++) {
        step_pair(&p, 5, 0.13);
        assert_same(&p);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(rill_world_edit_terrain(worlds[k], &brush), RILL_OK);
            assert_int_equal(
                rill_world_set_border(worlds[k], RILL_SIDE_EAST, kinds[n % 5],
                                      kinds[n % 5] == RILL_BORDER_INFLOW ? 0.7f : 3.4f),
                RILL_OK);
            assert_int_equal(
                rill_world_set_border(worlds[k], RILL_SIDE_SOUTH, kinds[(n + 2) % 5],
                                      kinds[(n + 2) % 5] == RILL_BORDER_INFLOW ? 0.3f : 3.2f),
                RILL_OK);
        }
    }
    destroy_pair(&p);
}

static void faces_may_be_closed_and_opened(void **state)
{
    (void)state;
    need_gpu();
    for (int kind = 0; kind < 2; kind++) {
        pair p = make_pair(45, 50, kind == 0 ? rough_drained : maccormack_rough);
        rill_world *const worlds[] = {p.cpu, p.gpu};
        for (int n = 0; n < 4; n++) {
            for (int k = 0; k < 2; k++) {
                assert_int_equal(rill_world_set_wall(worlds[k], 12.0, 3.0, 12.0, 40.0, n != 2),
                                 RILL_OK);
                assert_int_equal(rill_world_set_wall(worlds[k], 5.0, 20.0, 45.0, 20.0, n != 3),
                                 RILL_OK);
            }
            step_pair(&p, 6, 0.12);
            assert_same(&p);
        }
        destroy_pair(&p);
    }
}

static void a_snapshot_brings_everything_back(void **state)
{
    (void)state;
    need_gpu();
    pair p = make_pair(50, 60, maccormack_absorbed);
    rain_on(p.gpu);
    rain_on(p.cpu);
    rill_snapshot *saved = NULL;
    rill_world *clone = NULL;
    step_pair(&p, 11, 0.13);
    pour_both(&p, 40.0, 30.0, 30.0);
    assert_int_equal(rill_snapshot_create(p.gpu, &saved), RILL_OK);
    assert_int_equal(rill_world_save(p.gpu, saved), RILL_OK);
    assert_int_equal(rill_world_clone(p.gpu, &clone), RILL_OK);
    assert_string_equal(rill_world_backend(clone), "cuda");
    step_pair(&p, 10, 0.13);
    const uint64_t later = rill_world_hash(p.cpu);
    assert_int_equal(rill_world_restore(p.gpu, saved), RILL_OK);
    for (int n = 0; n < 10; n++) {
        assert_int_equal(rill_world_step(p.gpu, 0.13), RILL_OK);
        assert_int_equal(rill_world_step(clone, 0.13), RILL_OK);
    }
    assert_true(rill_world_hash(p.gpu) == later);
    assert_true(rill_world_hash(clone) == later);
    // A snapshot belongs to no back end.
    assert_int_equal(rill_world_restore(p.cpu, saved), RILL_OK);
    for (int n = 0; n < 10; n++)
        assert_int_equal(rill_world_step(p.cpu, 0.13), RILL_OK);
    assert_true(rill_world_hash(p.cpu) == later);
    rill_world_destroy(&clone);
    rill_snapshot_destroy(&saved);
    destroy_pair(&p);
}

static void a_window_moves_with_its_water(void **state)
{
    (void)state;
    need_gpu();
    enum { COUNTRY = 96 };
    static float values[COUNTRY * COUNTRY];
    for (int j = 0; j < COUNTRY; j++)
        for (int i = 0; i < COUNTRY; i++)
            values[j * COUNTRY + i] = 1.5f * sinf(0.21f * (float)i) * cosf(0.17f * (float)j) +
                                      (i > 50 && j > 40 ? 2.5f : 0.0f);
    rill_heightfield *country = NULL;
    assert_int_equal(rill_heightfield_create(COUNTRY, COUNTRY, 1.0, values, NULL, &country),
                     RILL_OK);
    rill_world_def def = rill_default_world_def();
    def.nx = 43;
    def.ny = 35;
    def.solver = RILL_SOLVER_SWE;
    def.domain.full_terrain = country;
    def.domain.i = 10;
    def.domain.j = 20;
    def.use_level = 1;
    def.level = 0.5f;
    def.particles.max_particles = 500;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_ABSORB;
    def.border_level[RILL_SIDE_EAST] = 0.5f;
    def.swe.absorb_cells = 5;
    pair p = pair_of(&def);
    for (int n = 0; n < 5; n++) {
        pour_both(&p, 20.0, 17.0, 60.0);
        step_pair(&p, 4, 0.2);
        assert_same(&p);
        const double x = 0.5 * def.nx + 2.0 * n - 1.0, y = 0.5 * def.ny + 3.0 - n;
        assert_int_equal(rill_world_follow(p.cpu, x, y), RILL_OK);
        assert_int_equal(rill_world_follow(p.gpu, x, y), RILL_OK);
        assert_same(&p);
    }
    destroy_pair(&p);
    rill_heightfield_destroy(&country);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_steps_give_the_same_bits),
        cmocka_unit_test(every_rule_gives_the_same_bits_in_grids_of_every_size),
        cmocka_unit_test(a_wide_river_gives_the_same_bits),
        cmocka_unit_test(what_falls_over_cliffs_is_the_same),
        cmocka_unit_test(what_is_given_and_taken_is_booked_the_same),
        cmocka_unit_test(what_comes_with_momentum_pushes_the_same),
        cmocka_unit_test(borders_and_ground_may_change_between_steps),
        cmocka_unit_test(faces_may_be_closed_and_opened),
        cmocka_unit_test(a_snapshot_brings_everything_back),
        cmocka_unit_test(a_window_moves_with_its_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
