// SPDX-License-Identifier: MIT
// test_swe_scenes.c - the built-in scenes of the swe solver, from their first frame to their last.
#include "tests/kit/scene_runs.h"

// No correction of the solver's own is needed in any of them.
static void nothing_is_corrected(rill_world *world, const char *name, void *context)
{
    (void)name;
    (void)context;
    assert_true(rill_world_ledger(world).corrected == 0.0);
}

#define SCENE(name)                                                                  \
    TEST(name##_runs_to_its_end_and_loses_nothing)                                   \
    {                                                                                \
        run_scene(#name, 1.0, &(scene_checks){.tenth = nothing_is_corrected}, NULL); \
    }

SCENE(pml)
SCENE(waterfall)
SCENE(beach)
SCENE(ocean)
SCENE(valley)
SCENE(vortices)
SCENE(sink)
