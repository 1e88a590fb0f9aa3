// SPDX-License-Identifier: MIT
// The swe water on a GPU against the same water on the CPU: to the last bit, whatever happens to
// it. Skipped in words where no GPU is.
#include "tests/gpu/gpu_hills.h"

// ---- Two worlds ------------------------------------------------------------------------

// The block breaks over the hills.
static const hills ground = {.high = 1.9, .ripple = 0.85, .level = 3.1, .swell = 0.2, .block = 1.5};

static pair make_pair(int nx, int ny, void (*change)(rill_world_def *def))
{
    return pair_on_hills(&ground, RILL_SOLVER_SWE, nx, ny, change);
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

TEST(a_thousand_steps_give_the_same_bits)
{
    need_gpu();
    void (*const advections[])(rill_world_def *) = {conservative, maccormack, maccormack_rough};
    for (size_t n = 0; n < sizeof advections / sizeof advections[0]; n++) {
        pair p = make_pair(37, 53, advections[n]);
        step_pair(&p, TEST_FIFTH(100), 0.1); // one at a time,
        assert_same(&p);
        while (rill_world_last_step(p.gpu).steps < TEST_FIFTH(1000)) // and many
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

// Waves and currents are given to the pair when it is made (give_waves).
static void incident(rill_world_def *def)
{
    conservative(def);
    for (int side = 0; side < RILL_SIDE_COUNT; side++) {
        def->border[side] = RILL_BORDER_INCIDENT;
        def->border_level[side] = 3.0f + 0.1f * (float)side;
    }
}

static void maccormack_incident(rill_world_def *def)
{
    incident(def);
    maccormack(def);
    def->swe.manning = 0.02f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_WALL;
}

static void give_waves(rill_world *world)
{
    const rill_border_frame frames[] = {
        {.time = 0.0, .value = 3.0, .velocity = 0.4},
        {.time = 5.0, .value = 3.2, .wave = 0.6, .discharge = -0.5},
        {.time = 60.0, .value = 2.5, .wave = -0.3, .velocity = -0.2, .discharge = 0.8},
    };
    assert_true(rill_world_set_border_series(world, RILL_SIDE_WEST, frames, 3) == RILL_OK);
    assert_true(rill_world_set_border_series(world, RILL_SIDE_NORTH, frames, 2) == RILL_OK);
    assert_true(rill_world_set_border_swell(world, RILL_SIDE_EAST, 0.4, 3.0) == RILL_OK);
}

static void overshooting(rill_world_def *def)
{
    maccormack(def);
    def->swe.overshoot = 0.25f;
    def->swe.overshoot_edge = 0.3f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_INFLOW;
    def->border_level[RILL_SIDE_SOUTH] = 0.3f;
}

static void eddying(rill_world_def *def)
{
    conservative(def);
    def->swe.eddy_viscosity = 0.02f;
    def->swe.smagorinsky = 0.3f;
    def->border[RILL_SIDE_WEST] = def->border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_WEST] = def->border_level[RILL_SIDE_NORTH] = 3.5f;
    def->border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
}

static void maccormack_eddying(rill_world_def *def)
{
    eddying(def);
    maccormack(def);
    def->swe.manning = 0.02f;
}

// The constant viscosity alone decides the step, and where few are allowed it is capped.
static void hurried_eddying(rill_world_def *def)
{
    maccormack_eddying(def);
    def->swe.eddy_viscosity = 4.0f;
    def->max_substeps = 3;
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
TEST(every_rule_gives_the_same_bits_in_grids_of_every_size)
{
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
        incident,
        maccormack_incident,
        overshooting,
        eddying,
        maccormack_eddying,
        hurried_eddying,
        hurried,
        hurried_maccormack,
    };
    const int sides[][3] = {{37, 53, 1000}, {4, 5, 400}, {129, 64, 60}, {48, 129, 60}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            const bool hurries = rules[rule] == hurried || rules[rule] == hurried_maccormack;
            if (rules[rule] == incident || rules[rule] == maccormack_incident) {
                give_waves(p.cpu);
                give_waves(p.gpu);
            }
            const int steps = TEST_PART(sides[size][2] / 2);
            step_pair(&p, steps, hurries ? 1.1 : 0.25);
            assert_same(&p);
            step_pair(&p, steps, hurries ? 0.2 : 0.1);
            assert_same(&p);
            destroy_pair(&p);
        }
}

// A river over a terrain that repeats, with a shore within the sides; hills and eddies of its water
// come in by all four sides as the domain goes round it.
TEST(a_domain_with_open_sides_gives_the_same_bits)
{
    need_gpu();
    enum { LONG = 90, WIDE = 70 };
    static float values[4][LONG * WIDE];
    rill_heightfield *fields[4];
    for (int n = 0; n < LONG * WIDE; n++) {
        const double turn = 2.0 * 3.14159265 / LONG * (n % LONG), y = 0.1 * (n / LONG);
        values[0][n] = (float)(sin(turn) * cos(y) - 0.02 * (n % LONG));
        values[1][n] = (float)fmax(0.8 - sin(3.0 * turn + y), 0.0);
        values[2][n] = (float)(1.5 + cos(2.0 * turn));
        values[3][n] = (float)sin(turn + y);
    }
    for (int k = 0; k < 4; k++)
        assert_ok(rill_heightfield_create(LONG, WIDE, 1.0, values[k], NULL, &fields[k]));
    for (int n = 0; n < 2; n++) {
        rill_world_def def = rill_default_world_def();
        def.nx = 37;
        def.ny = 53;
        def.solver = RILL_SOLVER_SWE;
        def.swe.advection = n == 0 ? RILL_ADVECTION_MACCORMACK : RILL_ADVECTION_CONSERVATIVE;
        def.swe.manning = 0.03f;
        def.domain = (rill_moving_domain_def){.full_terrain = fields[0],
                                              .water = fields[1],
                                              .velocity_x = fields[2],
                                              .velocity_y = fields[3],
                                              .i = 60,
                                              .j = 9,
                                              .repeats = 1,
                                              .fall = 1.8f};
        for (int side = 0; side < RILL_SIDE_COUNT; side++)
            def.border[side] = RILL_BORDER_INCIDENT;
        pair p = pair_of(&def);
        assert_ok(rill_world_set_border_swell(p.cpu, RILL_SIDE_WEST, 0.3, 2.0));
        assert_ok(rill_world_set_border_swell(p.gpu, RILL_SIDE_WEST, 0.3, 2.0));
        const double moves[][2] = {{0.0, 0.0}, {7.2, 3.1}, {40.0, -6.0}, {-3.0, 4.0}};
        for (int move = 0; move < 4; move++) {
            assert_ok(rill_world_follow(p.cpu, 18.5 + moves[move][0], 26.5 + moves[move][1]));
            assert_ok(rill_world_follow(p.gpu, 18.5 + moves[move][0], 26.5 + moves[move][1]));
            assert_same(&p);
            step_pair(&p, TEST_PART(20), 0.1);
            assert_same(&p);
        }
        destroy_pair(&p);
    }
    for (int k = 0; k < 4; k++)
        rill_heightfield_destroy(&fields[k]);
}

TEST(a_wide_river_gives_the_same_bits)
{
    need_gpu();
    pair p = make_pair(900, 135, maccormack_rough);
    step_pair(&p, TEST_PART(60), 0.12);
    assert_same(&p);
    destroy_pair(&p);
}

// ---- Falls -----------------------------------------------------------------------------

// A terrace with cliffs on all its sides, one of them across the middle of the grid, where the
// bands of the host's sweep meet; and ground beside it that absorbs.
static rill_world_def terrace(int nx, int ny, float *bed, float *depth)
{
    rill_world_def def = hills_def(&ground, RILL_SOLVER_SWE, nx, ny, bed, depth);
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

TEST(what_falls_over_cliffs_is_the_same)
{
    need_gpu();
    enum { NX = 41, NY = 130 };
    static float bed[NX * NY], depth[NX * NY];
    for (int kind = 0; kind < 4; kind++) {
        rill_world_def def = terrace(NX, NY, bed, depth);
        (kind == 1 ? maccormack : conservative)(&def);
        if (kind == 2) {
            def.border[RILL_SIDE_WEST] = def.border[RILL_SIDE_NORTH] = RILL_BORDER_ABSORB;
            def.swe.absorb_cells = 14;
        }
        def.swe.smagorinsky = kind == 3 ? 0.2f : 0.0f;
        pair p = pair_of(&def);
        for (int n = 0; n < 4; n++) {
            step_pair(&p, TEST_FIFTH(40), 0.11);
            assert_same(&p);
            assert_true(rill_world_particles(p.cpu).count == rill_world_particles(p.gpu).count);
        }
        assert_true(rill_world_particles(p.gpu).count > 0);
        destroy_pair(&p);
    }
}

// ---- Giving, taking, changing ----------------------------------------------------------

static void rain_on_both(pair *p)
{
    for (int k = 0; k < 2; k++) {
        add_spring(p->both[k], 20.0, 30.0, 4.0, 10.0);
        add_spring(p->both[k], 20.0, 33.0, 4.0, -7.0);
        set_rain(p->both[k], 1e-4);
    }
}

TEST(what_is_given_and_taken_is_booked_the_same)
{
    need_gpu();
    for (int dry = 0; dry < 2; dry++) {
        pair p = make_pair(50, 60, dry ? maccormack_rough : flooded);
        rain_on_both(&p);
        for (int n = 0; n < 20; n++) {
            if (dry && n == 10) {
                for (int k = 0; k < 2; k++)
                    assert_ok(rill_world_set_evaporation(p.both[k], 1e-3));
            }
            pour_both(&p, 40.0, 30.0, 5.0, n % 2 ? 30.0 : -30.0);
            pour_both(&p, 42.0, 31.0, 5.0, 10.0);
            pour_both(&p, 2.0, 2.0, 5.0, -1e6);
            step_pair(&p, 2, 0.11);
            if (n % 10 == 3)
                assert_same(&p);
        }
        pour_both(&p, 20.0, 20.0, 5.0, 4.0); // seen before the next step
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
TEST(what_comes_with_momentum_pushes_the_same)
{
    need_gpu();
    pair p = make_pair(50, 60, with_spray);
    rill_body_id ids[2];
    for (int k = 0; k < 2; k++) {
        rill_emitter_def jet = rill_default_emitter_def();
        jet.position[0] = 20.0;
        jet.position[1] = 0.4;
        jet.position[2] = 6.0;
        jet.velocity[0] = 3.0;
        jet.velocity[1] = 2.0;
        jet.rate = 2.0;
        assert_ok(rill_world_add_emitter(p.both[k], &jet, NULL));
        rill_body_def box = rill_default_body_def();
        box.motion = RILL_BODY_HOST;
        box.size[0] = 4.0;
        box.size[1] = 3.0;
        box.size[2] = 2.0;
        box.position[0] = 30.0;
        box.position[1] = 25.0;
        box.position[2] = 6.0;
        assert_ok(rill_world_add_body(p.both[k], &box, &ids[k]));
    }
    const double turned[4] = {0.0, 0.0, 0.0, 1.0}, speed[3] = {4.0, 1.0, -1.0}, still[3] = {0.0};
    for (int n = 0; n < 6; n++) {
        const double place[3] = {30.0 + 1.5 * n, 25.0, 4.0 - 0.4 * n};
        for (int k = 0; k < 2; k++)
            assert_ok(rill_world_set_body_pose(p.both[k], ids[k], place, turned, speed, still));
        step_pair(&p, 8, 0.04);
        assert_same(&p);
    }
    destroy_pair(&p);
}

TEST(borders_and_ground_may_change_between_steps)
{
    need_gpu();
    pair p = make_pair(50, 60, maccormack_rough);
    const rill_brush brush = {
        .kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 40.0, .radius = 12.0, .amount = 0.5};
    const rill_border kinds[] = {RILL_BORDER_DRAIN, RILL_BORDER_INFLOW, RILL_BORDER_ABSORB,
                                 RILL_BORDER_LEVEL, RILL_BORDER_WALL};
    for (int k = 0; k < 2; k++)
        assert_ok(rill_world_set_border_swell(p.both[k], RILL_SIDE_WEST, 0.4, 3.0));
    for (int n = 0; n < 8; n++) {
        step_pair(&p, 5, 0.13);
        assert_same(&p);
        for (int k = 0; k < 2; k++) {
            assert_ok(rill_world_edit_terrain(p.both[k], &brush));
            assert_ok(rill_world_set_border(p.both[k], RILL_SIDE_EAST, kinds[n % 5],
                                            kinds[n % 5] == RILL_BORDER_INFLOW ? 0.7f : 3.4f));
            assert_ok(
                rill_world_set_border(p.both[k], RILL_SIDE_SOUTH, kinds[(n + 2) % 5],
                                      kinds[(n + 2) % 5] == RILL_BORDER_INFLOW ? 0.3f : 3.2f));
        }
    }
    destroy_pair(&p);
}

TEST(faces_may_be_closed_and_opened)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {rough_drained, maccormack_rough, eddying};
    for (int kind = 0; kind < 3; kind++) {
        pair p = make_pair(45, 50, rules[kind]);
        for (int n = 0; n < 4; n++) {
            for (int k = 0; k < 2; k++) {
                assert_ok(rill_world_set_wall(p.both[k], 12.0, 3.0, 12.0, 40.0, n != 2));
                assert_ok(rill_world_set_wall(p.both[k], 5.0, 20.0, 45.0, 20.0, n != 3));
            }
            step_pair(&p, 6, 0.12);
            assert_same(&p);
        }
        destroy_pair(&p);
    }
}

TEST(a_snapshot_brings_everything_back)
{
    need_gpu();
    pair p = make_pair(50, 60, maccormack_absorbed);
    rain_on_both(&p);
    step_pair(&p, 11, 0.13);
    pour_both(&p, 40.0, 30.0, 5.0, 30.0);
    assert_snapshot_brings_everything_back(&p, 10, 0.13);
    destroy_pair(&p);
}

TEST(a_window_moves_with_its_water)
{
    need_gpu();
    enum { COUNTRY = 96 };
    static float values[COUNTRY * COUNTRY];
    for (int j = 0; j < COUNTRY; j++)
        for (int i = 0; i < COUNTRY; i++)
            values[j * COUNTRY + i] = 1.5f * sinf(0.21f * (float)i) * cosf(0.17f * (float)j) +
                                      (i > 50 && j > 40 ? 2.5f : 0.0f);
    rill_heightfield *country = NULL;
    assert_ok(rill_heightfield_create(COUNTRY, COUNTRY, 1.0, values, NULL, &country));
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
        pour_both(&p, 20.0, 17.0, 5.0, 60.0);
        step_pair(&p, 4, 0.2);
        assert_same(&p);
        const double x = 0.5 * def.nx + 2.0 * n - 1.0, y = 0.5 * def.ny + 3.0 - n;
        assert_ok(rill_world_follow(p.cpu, x, y));
        assert_ok(rill_world_follow(p.gpu, x, y));
        assert_same(&p);
    }
    destroy_pair(&p);
    rill_heightfield_destroy(&country);
}
