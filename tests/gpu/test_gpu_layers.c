// SPDX-License-Identifier: MIT
// The layers water on a GPU against the same water on the CPU: to the last bit, whatever happens to
// it. Skipped in words where no GPU is.
#include "tests/kit/scene_runs.h"
#include "tests/kit/solids.h"

enum { NX = 52, NY = 37 };

// ---- Two worlds ------------------------------------------------------------------------

static rill_solid *make_floor(int nx, int ny)
{
    rill_solid *solid = make_air(nx, ny, 0.25, 4.0);
    combine(solid, box_at(0.125 * nx, 0.125 * ny, 0.0, 0.5 * nx, 0.5 * ny, 1.0),
            RILL_COMBINE_UNION);
    return solid;
}

// A basin beside a dam with two tunnels that meet, and a table over the basin; everything below
// the table's top stands in water in the west.
static rill_solid *make_solid(void)
{
    rill_solid *solid = make_floor(NX, NY);
    combine(solid, box_at(6.5, 4.625, 1.5, 3.0, 32.0, 3.0), RILL_COMBINE_UNION);
    combine(solid, box_at(6.5, 4.0, 0.75, 6.0, 1.5, 0.5), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(6.5, 5.5, 0.8, 1.0, 5.0, 0.4), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(7.5, 7.5, 0.8, 4.0, 1.0, 0.4), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(2.0, 6.0, 1.5, 2.0, 3.0, 0.5), RILL_COMBINE_UNION);
    const rill_sdf_primitive sphere = ball_at(10.5, 5.0, 1.75, 1.0);
    assert_ok(rill_solid_combine(solid, &sphere, RILL_COMBINE_SMOOTH_UNION, 0.5));
    return solid;
}

static void add_springs(rill_world *world)
{
    rill_source_def spring = rill_default_source_def();
    spring.x = 2.0;
    spring.y = 6.0;
    spring.radius = 0.5;
    spring.rate = 0.25;
    spring.pulse = 1.0;
    spring.pulse_depth = 0.5;
    assert_ok(rill_world_add_source(world, &spring, NULL));
    spring.x = 2.2; // the discs overlap
    assert_ok(rill_world_add_source(world, &spring, NULL));
}

// Shallow water, beside a sea in the west and a drain in the east.
static rill_world_def world_over(const rill_solid *solid, int nx, int ny, float level)
{
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = 0.25f;
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.pipes.viscosity = 1e-3f;
    def.use_level = 1;
    def.level = 0.75f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = level;
    return def;
}

static pair make_pair(void (*change)(rill_world_def *def))
{
    rill_solid *solid = make_solid();
    rill_world_def def = world_over(solid, NX, NY, 1.75f);
    if (change != NULL)
        change(&def);
    const pair p = pair_of(&def);
    rill_solid_destroy(&solid);
    add_springs(p.cpu);
    add_springs(p.gpu);
    return p;
}

// ---- The same bits ---------------------------------------------------------------------

TEST(a_thousand_steps_give_the_same_bits)
{
    need_gpu();
    pair p = make_pair(NULL);
    for (int n = 0; n < 10; n++) {
        step_pair(&p, TEST_FIFTH(100), 1.0 / 32.0);
        assert_same(&p);
    }
    assert_true(rill_world_last_step(p.gpu).steps >= TEST_FIFTH(1000));
    destroy_pair(&p);
}

static void sloped(rill_world_def *def)
{
    def->layers.slope_correction = 1;
    def->pipes.smoothing = 0.8f;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_DRAIN;
}

static void draggy(rill_world_def *def)
{
    def->pipes.drag = 0.01f;
    def->pipes.friction = 0.2f;
    def->border[RILL_SIDE_NORTH] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_NORTH] = 1.2f;
}

static void papers(rill_world_def *def)
{
    def->pipes.area = RILL_AREA_PAPER;
    def->pipes.viscosity = 0.0f;
    def->border[RILL_SIDE_WEST] = RILL_BORDER_WALL;
    def->border[RILL_SIDE_SOUTH] = RILL_BORDER_LEVEL;
    def->border_level[RILL_SIDE_SOUTH] = 1.5f;
}

static void without_passages(rill_world_def *def)
{
    def->layers.passages = RILL_PASSAGES_NONE;
}

static void with_straight_pipes(rill_world_def *def)
{
    def->layers.passages = RILL_PASSAGES_AXIS;
}

static void hurried(rill_world_def *def)
{
    def->max_substeps = 1;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        def->border[side] = RILL_BORDER_DRAIN;
}

static void on_a_bed(rill_world_def *def)
{
    static float bed[NX * NY];
    for (int n = 0; n < NX * NY; n++)
        bed[n] = 0.4f + (float)((unsigned)n * 2654435761u % 1000u) * 0.0005f;
    def->solid = NULL;
    def->bed = (rill_field_view){bed, NX, NY, NX};
}

TEST(every_rule_gives_the_same_bits)
{
    need_gpu();
    void (*const rules[])(rill_world_def *) = {
        sloped, draggy, papers, without_passages, with_straight_pipes, hurried, on_a_bed};
    for (size_t rule = 0; rule < sizeof rules / sizeof rules[0]; rule++) {
        pair p = make_pair(rules[rule]);
        for (int n = 0; n < 3; n++) {
            step_pair(&p, TEST_FIFTH(30), rules[rule] == hurried ? 0.1 : 1.0 / 32.0);
            assert_same(&p);
        }
        destroy_pair(&p);
    }
}

// Takes 200 steps on both, with either kind of pipes through passages.
static void compare_over(rill_solid *solid, int nx, int ny, float level)
{
    const rill_passages kinds[] = {RILL_PASSAGES_UNIFIED, RILL_PASSAGES_AXIS};
    for (int k = 0; k < 2; k++) {
        rill_world_def def = world_over(solid, nx, ny, level);
        def.layers.passages = kinds[k];
        pair p = pair_of(&def);
        for (int n = 0; n < 4; n++) {
            step_pair(&p, nx > 300 ? TEST_PART(50) : TEST_FIFTH(50), 1.0 / 32.0);
            assert_same(&p);
        }
        destroy_pair(&p);
    }
    rill_solid_destroy(&solid);
}

// Stones that hang in the air, each at the corners of others: from below each of them four cross
// pipes lead to open columns, so that 32 neighbours have twice as many as a warp has lanes.
TEST(stones_in_the_air_give_the_same_bits)
{
    need_gpu();
    const int rows[] = {3, 12}; // with the second the passages outgrow shared memory
    for (int k = 0; k < 2; k++) {
        rill_solid *solid = make_floor(64, 20);
        for (int j = 4; j < 4 + rows[k]; j++)
            for (int i = (j & 1); i < 64; i += 2)
                combine(solid, box_at(0.25 * (i + 0.5), 0.25 * (j + 0.5), 1.4, 0.2, 0.2, 0.8),
                        RILL_COMBINE_UNION);
        compare_over(solid, 64, 20, 1.5f);
    }
}

// A roof on walls over most of a wide floor: more words of columns than there are warps.
TEST(a_wide_roof_gives_the_same_bits)
{
    need_gpu();
    rill_solid *solid = make_floor(320, 300);
    combine(solid, box_at(40.0, 37.5, 1.25, 76.0, 72.0, 0.5), RILL_COMBINE_UNION);
    combine(solid, box_at(40.0, 20.0, 0.75, 70.0, 1.0, 0.6), RILL_COMBINE_UNION);
    combine(solid, box_at(60.0, 40.0, 1.25, 3.0, 3.0, 1.0), RILL_COMBINE_SUBTRACT);
    compare_over(solid, 320, 300, 1.7f);
}

// Built-in scenes, from a moment at which passages are flooded and open, for a thousand steps.
TEST(scenes_give_the_same_bits)
{
    need_gpu();
    const struct {
        const char *name;
        int before, frames;
    } scenes[] = {{"surgery", 480, 167},      {"passages", 200, 500},  {"passages-cross", 300, 500},
                  {"vessels", 300, 250},      {"culvert", 1800, 1000}, {"film", 0, 167},
                  {"three-layers", 700, 500}, {"coffee", 150, 334}};
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; n++) {
        rill_snapshot *snapshot = NULL;
        rill_scene_info info;
        pair p = pair_of_scene(scenes[n].name, &info);
        run_world(p.cpu, scenes[n].before, info.frame);
        assert_ok(rill_snapshot_create(p.cpu, &snapshot));
        assert_ok(rill_world_save(p.cpu, snapshot));
        assert_ok(rill_world_restore(p.cpu, snapshot));
        assert_ok(rill_world_restore(p.gpu, snapshot));
        step_pair(&p, TEST_PART(scenes[n].frames), info.frame);
        assert_same(&p);
        rill_snapshot_destroy(&snapshot);
        destroy_pair(&p);
    }
}

// ---- Giving, taking, changing ----------------------------------------------------------

TEST(what_is_given_and_taken_is_booked_the_same)
{
    need_gpu();
    pair p = make_pair(NULL);
    set_rain(p.cpu, 1e-4);
    set_rain(p.gpu, 1e-4);
    for (int n = 0; n < 24; n++) {
        if (n == 12) {
            assert_ok(rill_world_set_evaporation(p.cpu, 1e-3));
            assert_ok(rill_world_set_evaporation(p.gpu, 1e-3));
        }
        pour_both_at(&p, 2.0, 6.0, 1.0, 0.6, n % 2 ? 0.3 : -0.2); // below the table
        pour_both_at(&p, 6.5, 4.0, 0.7, 0.6, 0.1);                // into the tunnel
        pour_both_at(&p, 2.1, 6.1, 3.0, 0.6, 0.2);
        pour_both_at(&p, 10.0, 5.0, 3.0, 0.6, -1e6);
        step_pair(&p, 2, 1.0 / 32.0);
        if (n % 6 == 3)
            assert_same(&p);
    }
    pour_both_at(&p, 2.0, 2.0, 3.0, 0.6, 0.1); // seen before the next step
    assert_same(&p);
    destroy_pair(&p);
}

TEST(ground_moves_and_borders_change)
{
    need_gpu();
    pair p = make_pair(NULL);
    const rill_path_key path[] = {{0.0, 3.0, 2.0, 1.0}, {1.0, 2.0, 4.0, 1.25}};
    add_moving_ball(p.cpu, path, 2);
    add_moving_ball(p.gpu, path, 2);
    for (int n = 0; n < 8; n++) {
        step_pair(&p, 8, 1.0 / 32.0);
        assert_same(&p);
        for (int k = 0; k < 2; k++) {
            assert_ok(rill_world_set_border(p.both[k], RILL_SIDE_EAST,
                                            n % 2 ? RILL_BORDER_DRAIN : RILL_BORDER_LEVEL, 1.1f));
            assert_ok(rill_world_set_border(p.both[k], RILL_SIDE_SOUTH,
                                            n % 3 ? RILL_BORDER_WALL : RILL_BORDER_DRAIN, 0.0f));
        }
    }
    destroy_pair(&p);
}

TEST(a_snapshot_brings_everything_back)
{
    need_gpu();
    pair p = make_pair(NULL);
    step_pair(&p, 41, 1.0 / 32.0);
    pour_both_at(&p, 2.0, 6.0, 3.0, 0.6, 0.3);
    assert_snapshot_brings_everything_back(&p, 20, 1.0 / 32.0);
    destroy_pair(&p);
}
