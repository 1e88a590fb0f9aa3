// SPDX-License-Identifier: MIT
// Waters on a GPU against the same waters on the CPU: to the last bit, whatever happens to them.
// Where no GPU is, what is promised without one.
#include "tests/gpu/gpu_hills.h"

// ---- Two worlds ------------------------------------------------------------------------

static const hills ground = {.high = 2.4, .ripple = 1.05, .level = 3.4, .swell = 0.3};

static pair make_pair(int nx, int ny, void (*change)(rill_world_def *def))
{
    return pair_on_hills(&ground, RILL_SOLVER_PIPES, nx, ny, change);
}

// ---- Without a GPU ---------------------------------------------------------------------

TEST(who_asks_for_a_gpu_that_is_not_there_gets_one_sentence)
{
    const bool there = rill_backend_check(RILL_BACKEND_CUDA) == RILL_OK;
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = 16;
    def.backend = RILL_BACKEND_CUDA;
    rill_world *world = NULL;
    if (!there) {
        assert_int_equal(rill_world_create(&def, &world), RILL_NO_BACKEND);
        assert_null(world);
        assert_true(strlen(rill_last_error()) > 20);
        assert_null(strchr(rill_last_error(), '\n'));
    }
    def.backend = RILL_BACKEND_AUTO;
    world = make_world(&def);
    assert_string_equal(rill_world_backend(world), there ? "cuda" : "cpu");
    assert_ok(rill_world_step(world, 0.1));
    rill_world_destroy(&world);
}

TEST(a_water_that_no_gpu_knows_runs_on_the_cpu_or_not_at_all)
{
    enum { ACROSS = 24, ALONG = 40 };
    float valley[ALONG * ACROSS];
    for (int n = 0; n < ALONG * ACROSS; n++)
        valley[n] = 0.01f * (float)(n / ACROSS) + 0.5f * fabsf((float)(n % ACROSS) - 12.0f);
    rill_world_def def = rill_default_world_def();
    def.nx = ACROSS;
    def.ny = ALONG;
    def.bed = (rill_field_view){valley, ACROSS, ALONG, ACROSS};
    def.solver = RILL_SOLVER_RIVER;
    def.river.path.from = RILL_SIDE_NORTH;
    def.river.path.depth = 2.0;
    def.river.path.catchment = (double)INFINITY;
    def.backend = RILL_BACKEND_CUDA;
    rill_world *world = NULL;
    assert_int_equal(rill_world_create(&def, &world), RILL_NO_BACKEND);
    def.backend = RILL_BACKEND_AUTO;
    world = make_world(&def);
    assert_string_equal(rill_world_backend(world), "cpu");
    rill_world_destroy(&world);
    def.backend = (rill_backend)17;
    assert_int_equal(rill_world_create(&def, &world), RILL_BAD_DEF);
    assert_int_equal(rill_backend_check((rill_backend)17), RILL_BAD_ARGUMENT);
}

// ---- The same bits ---------------------------------------------------------------------

static void viscous(rill_world_def *def)
{
    def->pipes.viscosity = 1e-3f;
}

TEST(a_thousand_steps_give_the_same_bits)
{
    need_gpu();
    pair p = make_pair(100, 70, viscous);
    step_pair(&p, 500, 0.15); // two substeps each
    assert_true(rill_world_last_step(p.gpu).steps >= 1000);
    assert_same(&p);
    destroy_pair(&p);
}

static void draggy(rill_world_def *def)
{
    def->pipes.drag = 0.01f;
    def->border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def->border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def->border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_DRAIN;
    def->border_level[RILL_SIDE_WEST] = def->border_level[RILL_SIDE_NORTH] = 3.7f;
}

static void rubbing(rill_world_def *def)
{
    viscous(def);
    def->pipes.friction = 0.3f;
    def->pipes.smoothing = 0.7f;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def->border[side] = RILL_BORDER_DRAIN;
}

static void unsmoothed(rill_world_def *def)
{
    viscous(def);
    def->pipes.smoothing = 1.0f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_SOUTH] = 3.5f;
}

static void papers(rill_world_def *def)
{
    def->pipes.area = RILL_AREA_PAPER;
    def->border[RILL_SIDE_EAST] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_EAST] = 3.3f;
}

static void papers_slowed(rill_world_def *def)
{
    papers(def);
    viscous(def);
    def->pipes.smoothing = 0.8f;
}

static void papers_draggy(rill_world_def *def)
{
    papers(def);
    def->pipes.drag = 0.02f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_DRAIN;
}

static void papers_draggy_smoothed(rill_world_def *def)
{
    papers_draggy(def);
    def->pipes.smoothing = 0.8f;
}

static void hurried(rill_world_def *def)
{
    viscous(def);
    def->max_substeps = 2;
    def->border[RILL_SIDE_WEST] = RILL_BORDER_DRAIN;
}

// The head of Kellomäki Eq. 1, with the constant area and with the wetted one.
static void papers_interval(rill_world_def *def)
{
    papers(def);
    def->pipes.friction = 0.3f;
    def->pipes.head = RILL_HEAD_INTERVAL;
}

static void viscous_interval(rill_world_def *def)
{
    viscous(def);
    def->pipes.head = RILL_HEAD_INTERVAL;
}

// Worlds without critical flow run other kernels.
static void viscous_unlimited(rill_world_def *def)
{
    viscous(def);
    def->pipes.critical_flow = 0;
}

static void draggy_unlimited(rill_world_def *def)
{
    draggy(def);
    def->pipes.critical_flow = 0;
}

// Every rule of the water, in grids of all the shapes that kernels have.
TEST(every_rule_gives_the_same_bits_in_grids_of_every_size)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {NULL,
                                               viscous,
                                               draggy,
                                               rubbing,
                                               unsmoothed,
                                               papers,
                                               papers_slowed,
                                               papers_draggy,
                                               papers_draggy_smoothed,
                                               hurried,
                                               viscous_unlimited,
                                               draggy_unlimited,
                                               papers_interval,
                                               viscous_interval};
    const int sides[][3] = {{131, 97, 150},
                            {4, 5, 150},
                            {TEST_SIDE(421), TEST_SIDE(509), 30},
                            {TEST_SIDE(611), TEST_SIDE(1203), 12},
                            {TEST_SIDE(1601), TEST_SIDE(1511), 4}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            step_pair(&p, TEST_FIFTH(sides[size][2]), rules[rule] == hurried ? 0.6 : 0.15);
            assert_same(&p);
            destroy_pair(&p);
        }
}

// Several substeps at once are taken by guessing how deep the water will be (docs/gpu.md). Here it
// is guessed wrong: towers of water fall in different places, each the deepest for a while, and
// with them the number of substeps.
TEST(falling_towers_give_the_same_bits)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {
        viscous, draggy, rubbing, unsmoothed, papers, hurried, viscous_unlimited, draggy_unlimited};
    const int sides[][2] = {{TEST_SIDE(1601), TEST_SIDE(1511)}, {TEST_SIDE(1531), TEST_SIDE(1604)}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = size; rule < sizeof rules / sizeof rules[0]; rule += 2) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            for (int k = 0; k < 2; k++)
                for (int n = 0; n < 6; n++)
                    assert_ok(rill_world_pour(p.both[k], 20.0 + 17.0 * n, 30.0 + 5.0 * n, 2.0 + n,
                                              80.0 * (n + 2) * (n + 2), NULL));
            step_pair(&p, TEST_PARTS > 1 ? 1 : 3, 0.9);
            assert_same(&p);
            destroy_pair(&p);
        }
}

// Grids that fit into a device's processors stay there for all substeps of a call (docs/gpu.md).
// Calls of few and of many substeps, whose number changes while towers of water fall; sizes that
// no tile divides; one call with more substeps than are taken at once.
TEST(water_that_stays_in_the_processors_gives_the_same_bits)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {viscous, draggy,        rubbing,
                                               papers,  papers_draggy, hurried,
                                               NULL,    unsmoothed,    viscous_unlimited};
    const int sides[][2] = {{TEST_SIDE(250), TEST_SIDE(256)}, {TEST_SIDE(700), TEST_SIDE(333)},
                            {TEST_SIDE(37), TEST_SIDE(300)},  {TEST_SIDE(129), TEST_SIDE(71)},
                            {TEST_SIDE(613), TEST_SIDE(257)}, {6, 90},
                            {TEST_SIDE(351), TEST_SIDE(300)}, {TEST_SIDE(715), TEST_SIDE(601)},
                            {TEST_SIDE(903), TEST_SIDE(1011)}};
    const double lengths[] = {0.9, 0.02, 1.7, 0.3};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            const int nx = sides[size][0], ny = sides[size][1];
            if (nx > TEST_SIDE(300) && rule % 4 != size % 4)
                continue;
            pair p = make_pair(nx, ny, rules[rule]);
            for (int k = 0; k < 2; k++)
                for (int n = 0; n < 4; n++)
                    assert_ok(rill_world_pour(p.both[k], nx * (0.2 + 0.2 * n),
                                              ny * (0.9 - 0.25 * n), 2.0 + n,
                                              60.0 * (n + 2) * (n + 2), NULL));
            for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
                step_pair(&p, 1, lengths[n]);
            assert_same(&p);
            if (size == 3) {
                step_pair(&p, 1, 14.0);
                assert_true(rules[rule] != viscous || rill_world_last_step(p.gpu).substeps > 128);
                assert_same(&p);
            }
            destroy_pair(&p);
        }
}

// ---- Giving, taking, changing ----------------------------------------------------------

static void rain_on_both(pair *p)
{
    for (int k = 0; k < 2; k++) {
        add_spring(p->both[k], 30.0, 40.0, 6.0, 20.0);
        add_spring(p->both[k], 33.0, 40.0, 6.0, 20.0);
        add_spring(p->both[k], 33.0, 43.0, 6.0, -15.0);
        set_rain(p->both[k], 1e-4);
    }
}

TEST(what_is_given_and_taken_is_booked_the_same)
{
    need_gpu();
    for (int dry = 0; dry < 2; dry++) {
        pair p = make_pair(90, 80, viscous);
        rain_on_both(&p);
        for (int n = 0; n < 4; n++) { // nothing is taken yet: all of it waits for the device
            pour_both(&p, 30.0, 25.0, 5.0, 5.0);
            pour_both(&p, 60.0, 55.0, 5.0, 9.0 + n);
            step_pair(&p, 1, 0.11);
            assert_same(&p);
        }
        for (int n = 0; n < 40; n++) {
            if (dry && n == 20) {
                for (int k = 0; k < 2; k++)
                    assert_ok(rill_world_set_evaporation(p.both[k], 1e-3));
            }
            pour_both(&p, 50.0, 40.0, 5.0, n % 2 ? 30.0 : -30.0);
            pour_both(&p, 52.0, 41.0, 5.0, 10.0);
            pour_both(&p, 51.0, 42.0, 5.0, -1e6);
            step_pair(&p, 2, 0.11);
            if (n % 10 == 3)
                assert_same(&p);
        }
        pour_both(&p, 20.0, 20.0, 5.0, 4.0); // seen before the next step
        assert_same(&p);
        destroy_pair(&p);
    }
}

TEST(borders_and_ground_may_change_between_steps)
{
    need_gpu();
    pair p = make_pair(90, 80, draggy);
    const rill_brush brush = {
        .kind = RILL_BRUSH_RAISE, .x = 3.0, .y = 70.0, .radius = 12.0, .amount = 1.0};
    for (int k = 0; k < 2; k++)
        assert_ok(rill_world_set_border_swell(p.both[k], RILL_SIDE_WEST, 0.4, 3.0));
    for (int n = 0; n < 8; n++) {
        step_pair(&p, 7, 0.13);
        assert_same(&p);
        for (int k = 0; k < 2; k++) {
            assert_ok(rill_world_edit_terrain(p.both[k], &brush));
            assert_ok(rill_world_set_border(p.both[k], RILL_SIDE_EAST,
                                            n % 2 ? RILL_BORDER_DRAIN : RILL_BORDER_LEVEL, 3.9f));
            assert_ok(rill_world_set_border(p.both[k], RILL_SIDE_SOUTH,
                                            n % 3 ? RILL_BORDER_WALL : RILL_BORDER_DRAIN, 0.0f));
        }
    }
    destroy_pair(&p);
}

TEST(a_snapshot_brings_everything_back)
{
    need_gpu();
    pair p = make_pair(90, 80, draggy);
    rain_on_both(&p);
    step_pair(&p, 21, 0.13);
    pour_both(&p, 50.0, 40.0, 5.0, 30.0);
    assert_snapshot_brings_everything_back(&p, 20, 0.13);
    destroy_pair(&p);
}

static void with_room_for_bodies(rill_world_def *def)
{
    viscous(def);
    def->bodies.max_bodies = 2;
}

TEST(bodies_that_block_make_the_host_take_over)
{
    need_gpu();
    pair p = make_pair(60, 50, with_room_for_bodies);
    rill_body_id ids[2];
    step_pair(&p, 10, 0.1);
    for (int k = 0; k < 2; k++) {
        rill_body_def box = rill_default_body_def();
        box.motion = RILL_BODY_HOST;
        box.coupling = RILL_COUPLING_BLOCK;
        box.size[0] = 9.0;
        box.size[1] = 6.0;
        box.size[2] = 2.0;
        box.position[0] = 30.0;
        box.position[1] = 25.0;
        box.position[2] = 3.0;
        assert_ok(rill_world_add_body(p.both[k], &box, &ids[k]));
    }
    step_pair(&p, 10, 0.1);
    assert_same(&p);
    for (int k = 0; k < 2; k++)
        assert_ok(rill_world_remove_body(p.both[k], ids[k]));
    step_pair(&p, 10, 0.1);
    assert_same(&p);
    destroy_pair(&p);
}
