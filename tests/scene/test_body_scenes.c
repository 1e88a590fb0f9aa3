// SPDX-License-Identifier: MIT
// test_body_scenes.c - the built-in scenes with bodies, from their first frame to their last:
// books, numbers, no water inside a body at any step, and nobody leaves who should not.
#include "tests/bodies/water_inside.h"
#include "tests/kit/kit.h"
#include "tests/kit/scene_runs.h"

static void look(rill_world *world, const char *name)
{
    if (rill_world_blocked(world).lower.data != NULL && water_inside(world) != 0.0)
        fail_msg("%s at %g s: %g m of water inside bodies", name, rill_world_time(world),
                 water_inside(world));
    const rill_field_view depth = rill_world_depth(world);
    const double cell = (double)rill_world_cell_size(world);
    for (int n = 0; n < rill_world_body_count(world); n++) {
        rill_body_state body;
        assert_int_equal(rill_world_get_body(world, rill_world_body_at(world, n), &body), RILL_OK);
        const double *p = body.position, reach = 10.0;
        if (!(p[0] > -reach && p[0] < cell * depth.nx + reach && p[1] > -reach &&
              p[1] < cell * depth.ny + reach && fabs(p[2]) < 1000.0))
            fail_msg("%s at %g s: body %d is at (%g, %g, %g) m", name, rill_world_time(world), n,
                     p[0], p[1], p[2]);
    }
}

#define SCENE(name, part, words)      \
    TEST(name##_runs_##words)         \
    {                                 \
        run_scene(#name, part, look); \
    }

TEST_NEEDS(rill_has_rigid_bodies(), "this build has no rigid bodies");

SCENE(boxdrop, 1.0, to_its_end_and_keeps_its_bodies)
SCENE(flood, 1.0, to_its_end_and_keeps_its_bodies)
SCENE(dam, 1.0, to_its_end_and_keeps_its_bodies)
SCENE(bridge, 0.3, for_a_while_and_keeps_its_bodies)
SCENE(boat, 0.3, for_a_while_and_keeps_its_bodies)
SCENE(raft, 0.3, for_a_while_and_keeps_its_bodies)
