// SPDX-License-Identifier: MIT
// Waters on a GPU against the same waters on the CPU: to the last bit, whatever happens to them.
// Where no GPU is, what is promised without one.
#include "tests/gpu/gpu_pair.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

// ---- Two worlds ------------------------------------------------------------------------

// Hills, of which some stand out of the water; the level is uneven.
static rill_world_def hills(int nx, int ny, float *bed, float *depth)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const double x = i % 256, y = j % 256;
            const double hill =
                2.4 * sin(0.11 * x) * cos(0.09 * y) + 1.05 * sin(0.37 * x + 0.29 * y);
            const double ground = 3.0 + hill + 0.07 * sin(2.3 * x) * sin(1.9 * y);
            const double level = 3.4 + 0.3 * sin(0.2 * x) * sin(0.17 * y);
            bed[(size_t)j * (size_t)nx + (size_t)i] = (float)ground;
            depth[(size_t)j * (size_t)nx + (size_t)i] = (float)fmax(level - ground, 0.0);
        }
    rill_world_def def = rill_default_world_def();
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
    assert_int_equal(rill_world_step(world, 0.1), RILL_OK);
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

// Every rule of the water, in grids of all the shapes that kernels have.
TEST(every_rule_gives_the_same_bits_in_grids_of_every_size)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {NULL,          viscous,       draggy,
                                               rubbing,       unsmoothed,    papers,
                                               papers_slowed, papers_draggy, papers_draggy_smoothed,
                                               hurried};
    const int sides[][3] = {
        {131, 97, 150}, {4, 5, 150}, {421, 509, 30}, {611, 1203, 12}, {1601, 1511, 4}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            step_pair(&p, sides[size][2], rules[rule] == hurried ? 0.6 : 0.15);
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
    void (*const rules[])(rill_world_def *) = {viscous,    draggy, rubbing,
                                               unsmoothed, papers, hurried};
    const int sides[][2] = {{1601, 1511}, {1531, 1604}};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = size; rule < sizeof rules / sizeof rules[0]; rule += 2) {
            pair p = make_pair(sides[size][0], sides[size][1], rules[rule]);
            rill_world *const worlds[] = {p.cpu, p.gpu};
            for (int k = 0; k < 2; k++)
                for (int n = 0; n < 6; n++)
                    assert_int_equal(rill_world_pour(worlds[k], 20.0 + 17.0 * n, 30.0 + 5.0 * n,
                                                     2.0 + n, 80.0 * (n + 2) * (n + 2), NULL),
                                     RILL_OK);
            step_pair(&p, 3, 0.9);
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
    void (*const rules[])(rill_world_def *) = {viscous,       draggy,  rubbing, papers,
                                               papers_draggy, hurried, NULL,    unsmoothed};
    const int sides[][2] = {{250, 256}, {700, 333}, {37, 300},  {129, 71},  {613, 257},
                            {6, 90},    {351, 300}, {715, 601}, {903, 1011}};
    const double lengths[] = {0.9, 0.02, 1.7, 0.3};
    for (size_t size = 0; size < sizeof sides / sizeof sides[0]; size++)
        for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
            const int nx = sides[size][0], ny = sides[size][1];
            if (nx > 300 && rule % 4 != size % 4)
                continue;
            pair p = make_pair(nx, ny, rules[rule]);
            rill_world *const worlds[] = {p.cpu, p.gpu};
            for (int k = 0; k < 2; k++)
                for (int n = 0; n < 4; n++)
                    assert_int_equal(rill_world_pour(worlds[k], nx * (0.2 + 0.2 * n),
                                                     ny * (0.9 - 0.25 * n), 2.0 + n,
                                                     60.0 * (n + 2) * (n + 2), NULL),
                                     RILL_OK);
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
    source.x = 30.0;
    source.y = 40.0;
    source.radius = 6.0;
    source.rate = 20.0;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_OK);
    source.x = 33.0;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_OK);
    source.rate = -15.0;
    source.y = 43.0;
    assert_int_equal(rill_world_add_source(world, &source, NULL), RILL_OK);
    const rill_rain_frame rain = {.rate = 1e-4};
    assert_int_equal(rill_world_set_rain(world, &rain, 1), RILL_OK);
}

TEST(what_is_given_and_taken_is_booked_the_same)
{
    need_gpu();
    for (int dry = 0; dry < 2; dry++) {
        pair p = make_pair(90, 80, viscous);
        rain_on(p.cpu);
        rain_on(p.gpu);
        for (int n = 0; n < 4; n++) { // nothing is taken yet: all of it waits for the device
            pour_both(&p, 30.0, 25.0, 5.0);
            pour_both(&p, 60.0, 55.0, 9.0 + n);
            step_pair(&p, 1, 0.11);
            assert_same(&p);
        }
        for (int n = 0; n < 40; n++) {
            if (dry && n == 20) {
                assert_int_equal(rill_world_set_evaporation(p.cpu, 1e-3), RILL_OK);
                assert_int_equal(rill_world_set_evaporation(p.gpu, 1e-3), RILL_OK);
            }
            pour_both(&p, 50.0, 40.0, n % 2 ? 30.0 : -30.0);
            pour_both(&p, 52.0, 41.0, 10.0);
            pour_both(&p, 51.0, 42.0, -1e6);
            step_pair(&p, 2, 0.11);
            if (n % 10 == 3)
                assert_same(&p);
        }
        pour_both(&p, 20.0, 20.0, 4.0); // seen before the next step
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
    rill_world *const worlds[] = {p.cpu, p.gpu};
    for (int k = 0; k < 2; k++)
        assert_int_equal(rill_world_set_border_swell(worlds[k], RILL_SIDE_WEST, 0.4, 3.0), RILL_OK);
    for (int n = 0; n < 8; n++) {
        step_pair(&p, 7, 0.13);
        assert_same(&p);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(rill_world_edit_terrain(worlds[k], &brush), RILL_OK);
            assert_int_equal(rill_world_set_border(worlds[k], RILL_SIDE_EAST,
                                                   n % 2 ? RILL_BORDER_DRAIN : RILL_BORDER_LEVEL,
                                                   3.9f),
                             RILL_OK);
            assert_int_equal(rill_world_set_border(worlds[k], RILL_SIDE_SOUTH,
                                                   n % 3 ? RILL_BORDER_WALL : RILL_BORDER_DRAIN,
                                                   0.0f),
                             RILL_OK);
        }
    }
    destroy_pair(&p);
}

TEST(a_snapshot_brings_everything_back)
{
    need_gpu();
    pair p = make_pair(90, 80, draggy);
    rain_on(p.gpu);
    rain_on(p.cpu);
    rill_snapshot *saved = NULL;
    rill_world *clone = NULL;
    step_pair(&p, 21, 0.13);
    pour_both(&p, 50.0, 40.0, 30.0);
    assert_int_equal(rill_snapshot_create(p.gpu, &saved), RILL_OK);
    assert_int_equal(rill_world_save(p.gpu, saved), RILL_OK);
    assert_int_equal(rill_world_clone(p.gpu, &clone), RILL_OK);
    assert_string_equal(rill_world_backend(clone), "cuda");
    step_pair(&p, 20, 0.13);
    const uint64_t later = rill_world_hash(p.cpu);
    assert_int_equal(rill_world_restore(p.gpu, saved), RILL_OK);
    for (int n = 0; n < 20; n++) {
        assert_int_equal(rill_world_step(p.gpu, 0.13), RILL_OK);
        assert_int_equal(rill_world_step(clone, 0.13), RILL_OK);
    }
    assert_true(rill_world_hash(p.gpu) == later);
    assert_true(rill_world_hash(clone) == later);
    // A snapshot belongs to no back end.
    assert_int_equal(rill_world_restore(p.cpu, saved), RILL_OK);
    run_world(p.cpu, 20, 0.13);
    assert_true(rill_world_hash(p.cpu) == later);
    rill_world_destroy(&clone);
    rill_snapshot_destroy(&saved);
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
    rill_world *const worlds[] = {p.cpu, p.gpu};
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
        assert_int_equal(rill_world_add_body(worlds[k], &box, &ids[k]), RILL_OK);
    }
    step_pair(&p, 10, 0.1);
    assert_same(&p);
    for (int k = 0; k < 2; k++)
        assert_int_equal(rill_world_remove_body(worlds[k], ids[k]), RILL_OK);
    step_pair(&p, 10, 0.1);
    assert_same(&p);
    destroy_pair(&p);
}
