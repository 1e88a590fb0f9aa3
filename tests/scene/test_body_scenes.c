// SPDX-License-Identifier: MIT
// test_body_scenes.c - the built-in scenes with bodies, from their first frame to their last:
// ledgers, numbers, no water inside a body at any step, and no body leaves that should not. And
// what a block in the way of a wave is good for (Kellomäki section 5): the scene `flood` with its
// block blocking and, for comparison, passed through.
#include "tests/bodies/water_inside.h"
#include "tests/kit/scene_runs.h"

#include "rill/scene.h"

static void bodies_are_sound(rill_world *world, const char *name, void *context)
{
    (void)context;
    if (rill_world_blocked(world).lower.data != NULL && water_inside(world) != 0.0)
        fail_msg("%s at %g s: %g m of water inside bodies", name, rill_world_time(world),
                 water_inside(world));
    const rill_field_view depth = rill_world_depth(world);
    const double cell = (double)rill_world_cell_size(world);
    for (int n = 0; n < rill_world_body_count(world); n++) {
        rill_body_state body;
        assert_ok(rill_world_get_body(world, rill_world_body_at(world, n), &body));
        const double *p = body.position, reach = 10.0;
        if (!(p[0] > -reach && p[0] < cell * depth.nx + reach && p[1] > -reach &&
              p[1] < cell * depth.ny + reach && fabs(p[2]) < 1000.0))
            fail_msg("%s at %g s: body %d is at (%g, %g, %g) m", name, rill_world_time(world), n,
                     p[0], p[1], p[2]);
    }
}

#define SCENE(name, part, words)                                                 \
    TEST(name##_runs_##words)                                                    \
    {                                                                            \
        run_scene(#name, part, &(scene_checks){.step = bodies_are_sound}, NULL); \
    }

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

SCENE(boxdrop, 1.0, to_its_end_and_keeps_its_bodies)
SCENE(dam, 1.0, to_its_end_and_keeps_its_bodies)
SCENE(bridge, 0.3, for_a_while_and_keeps_its_bodies)
SCENE(boat, 0.3, for_a_while_and_keeps_its_bodies)
SCENE(raft, 0.3, for_a_while_and_keeps_its_bodies)

// ---- A block in the way of a wave ------------------------------------------------------

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

static void watch(rill_world *world, wave *seen)
{
    if (rill_world_time(world) >= SECONDS + 1.0 / 60.0)
        return;
    const rill_columns columns = rill_world_columns(world);
    const double depth = mean_depth(&columns, SECTION_X, CANAL_Y0, CANAL_Y1);
    if (seen->arrival == 0.0 && depth > ARRIVED)
        seen->arrival = rill_world_time(world);
    seen->highest = fmax(seen->highest, depth);
    seen->inside = fmax(seen->inside, mean_speed_inside(&columns));
}

static wave play(const char *coupling)
{
    const char *const overrides[] = {coupling};
    rill_scene *scene = NULL;
    rill_world *world = NULL;
    assert_ok(rill_scene_open("flood", overrides, 1, NULL, &scene));
    assert_ok(rill_scene_create_world(scene, 1, &world));
    rill_scene_destroy(&scene);
    wave seen = {0};
    while (rill_world_time(world) < SECONDS) {
        run_frames(world, 1);
        watch(world, &seen);
    }
    rill_world_destroy(&world);
    return seen;
}

static wave blocked; // what the first of the two tests has seen

static void bodies_are_sound_and_the_wave_is_watched(rill_world *world, const char *name,
                                                     void *context)
{
    bodies_are_sound(world, name, NULL);
    watch(world, context);
}

TEST(flood_runs_to_its_end_and_keeps_its_bodies)
{
    blocked = (wave){0};
    run_scene("flood", 1.0, &(scene_checks){.step = bodies_are_sound_and_the_wave_is_watched},
              &blocked);
}

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");
TEST_NEEDS(TEST_PARTS == 1, "a run of a whole scene, which sanitizers see parts of elsewhere");

TEST(behind_a_block_the_wave_is_later_and_lower)
{
    if (blocked.arrival == 0.0)
        blocked = play("bodies.coupling=block");
    const wave passed = play("bodies.coupling=pass");
    print_message("blocked: at %.2f s, %.3f m, inside %.3f m/s; passed: at %.2f s, %.3f m, inside "
                  "%.3f m/s\n",
                  blocked.arrival, blocked.highest, blocked.inside, passed.arrival, passed.highest,
                  passed.inside);
    assert_true(blocked.inside == 0.0);
    assert_true(passed.inside > 1.0);
    assert_true(blocked.arrival > passed.arrival);
    assert_true(blocked.highest < passed.highest);
}
