// SPDX-License-Identifier: MIT
// test_flood.c - what a block in the way of a wave is good for (003 section 5): the scene `flood`
// with its block blocking and, for comparison, passed through.
#include "tests/kit/kit.h"

#include "rill/scene.h"
#include "rill/world.h"

// The block of the scene fills [48, 52] x [20, 28] m of a canal that is 26 m wide.
#define SECTION_X 56.0 // 4 m behind it
#define CANAL_Y0  11.0
#define CANAL_Y1  37.0
#define ARRIVED   0.5 // m of water, in the mean over the canal
#define SECONDS   18.0

typedef struct wave {
    double arrival; // s
    double highest; // mean depth of the section, m
    double inside;  // greatest mean speed within the block's footprint, a cell from its rim, m/s
} wave;

static double mean_depth(const rill_columns *c, double x, double y0, double y1)
{
    const double cell = (double)c->cell_size;
    const int j0 = (int)(y0 / cell), j1 = (int)(y1 / cell);
    double sum = 0.0;
    for (int j = j0; j < j1; j++)
        sum += (double)c->depth[(size_t)j * c->pitch + (size_t)(x / cell)];
    return sum / (j1 - j0);
}

static double mean_speed_inside(const rill_columns *c)
{
    const double cell = (double)c->cell_size;
    double sum = 0.0;
    int count = 0;
    for (int j = (int)(20.0 / cell) + 1; j < (int)(28.0 / cell) - 1; j++)
        for (int i = (int)(48.0 / cell) + 1; i < (int)(52.0 / cell) - 1; i++, count++)
            sum += (double)c->velocity_x[(size_t)j * c->pitch + (size_t)i];
    return sum / count;
}

static wave play(const char *coupling)
{
    const char *const overrides[] = {coupling};
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    if (rill_scene_open("flood", overrides, 1, NULL, &scene) != RILL_OK ||
        rill_scene_create_world(scene, 2, &world) != RILL_OK)
        fail_msg("%s", rill_last_error());
    rill_scene_destroy(&scene);
    wave seen = {0};
    while (rill_world_time(world) < SECONDS) {
        assert_int_equal(rill_world_step(world, 1.0 / 60.0), RILL_OK);
        const rill_columns columns = rill_world_columns(world);
        const double depth = mean_depth(&columns, SECTION_X, CANAL_Y0, CANAL_Y1);
        const double inside = mean_speed_inside(&columns);
        if (seen.arrival == 0.0 && depth > ARRIVED)
            seen.arrival = rill_world_time(world);
        seen.highest = depth > seen.highest ? depth : seen.highest;
        seen.inside = inside > seen.inside ? inside : seen.inside;
    }
    rill_world_destroy(&world);
    return seen;
}

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");
TEST_NEEDS(TEST_PARTS == 1, "two runs of a whole scene, which sanitizers see parts of elsewhere");

TEST(behind_a_block_the_wave_is_later_and_lower)
{
    const wave blocked = play("bodies.coupling=block"), passed = play("bodies.coupling=pass");
    print_message("blocked: at %.2f s, %.3f m, inside %.3f m/s; passed: at %.2f s, %.3f m, inside "
                  "%.3f m/s\n",
                  blocked.arrival, blocked.highest, blocked.inside, passed.arrival, passed.highest,
                  passed.inside);
    assert_true(blocked.inside == 0.0);
    assert_true(passed.inside > 1.0);
    assert_true(blocked.arrival > passed.arrival);
    assert_true(blocked.highest < passed.highest);
}
