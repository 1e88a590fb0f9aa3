// SPDX-License-Identifier: MIT
// test_swe_scenes.c - the built-in scenes of the swe water, from their first frame to their last.
#include "tests/kit/scene_runs.h"

// No correction of the water's own is needed in any of them.
static void nothing_is_corrected(rill_world *world, const char *name)
{
    (void)name;
    if (rill_world_last_step(world).steps % LOOK_EVERY == 0)
        assert_true(rill_world_ledger(world).corrected == 0.0);
}

#define SCENE(name)                                                    \
    static void name##_runs_to_its_end_and_loses_nothing(void **state) \
    {                                                                  \
        (void)state;                                                   \
        run_scene(#name, 1.0, nothing_is_corrected);                   \
    }

SCENE(pml)
SCENE(waterfall)
SCENE(beach)
SCENE(ocean)
SCENE(valley)
SCENE(vortices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pml_runs_to_its_end_and_loses_nothing),
        cmocka_unit_test(waterfall_runs_to_its_end_and_loses_nothing),
        cmocka_unit_test(beach_runs_to_its_end_and_loses_nothing),
        cmocka_unit_test(ocean_runs_to_its_end_and_loses_nothing),
        cmocka_unit_test(valley_runs_to_its_end_and_loses_nothing),
        cmocka_unit_test(vortices_runs_to_its_end_and_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
