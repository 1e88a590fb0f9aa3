// SPDX-License-Identifier: MIT
// test_validate.c - what every solver promises between steps (its `validate`) holds in scenes of
// each, and is noticed when it does not.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/solvers/layers/layers_worlds.h"
#include "tests/solvers/river/river_drives.h"
#include "world/world_internal.h"

#include "rill/rill.h"
#include "rill/scene.h"

#define STEPS 24

// ---- Scenes ----------------------------------------------------------------------------

static void assert_valid(rill_world *world, const char *name, int step)
{
    const char *wrong = rl_world_validate(world);
    if (wrong != NULL)
        fail_msg("%s after %d steps: %s", name, step, wrong);
}

static void run_valid(const char *name)
{
    SCOPED(rill_scene) *scene = NULL;
    SCOPED(rill_world) *world = NULL;
    if (rill_scene_open(name, NULL, 0, NULL, &scene) != RILL_OK ||
        rill_scene_create_world(scene, 2, &world) != RILL_OK)
        fail_msg("%s: %s", name, rill_last_error());
    assert_valid(world, name, 0);
    for (int n = 1; n <= STEPS; n++) {
        assert_ok(rill_world_step(world, 1.0 / 30.0));
        if (n % 8 == 0)
            assert_valid(world, name, n);
    }
    SCOPED(rill_snapshot) *snapshot = saved_world(world);
    assert_ok(rill_world_restore(world, snapshot));
    assert_valid(world, name, STEPS);
}

TEST(scenes_of_pipes_are_valid)
{
    static const char *const names[] = {"dambreak", "spring", "dam", "bridge", "viscosity-4e-5"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        run_valid(names[n]);
}

TEST(scenes_of_layers_are_valid)
{
    static const char *const names[] = {"surgery", "three-layers", "culvert", "passages-cross"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        run_valid(names[n]);
}

TEST(scenes_of_swe_are_valid)
{
    static const char *const names[] = {"waterfall", "pml", "beach", "boat", "vortices"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        run_valid(names[n]);
}

TEST(a_scene_of_a_river_is_valid)
{
    run_valid("river-obstacle");
}

// ---- Mistakes --------------------------------------------------------------------------

// A basin with a slope, half full, that has moved a little.
static void *make_basin(rill_solver solver, float *bed, float *depth, const rill_allocator *a)
{
    rill_world_def def = grid_def(24, 24, 1.0);
    def.solver = solver;
    def.wet_depth = 1e-4f;
    def.host.allocator = *a;
    for (int n = 0; n < 24 * 24; n++) {
        bed[n] = 0.05f * (float)(n % 24);
        depth[n] = n % 24 < 12 ? 1.0f : 0.2f;
    }
    set_ground(&def, bed, depth);
    void *self = NULL;
    assert_ok(rl_solver_of(solver)->create(&def, RL_ISA_PLAIN, &self));
    for (int n = 0; n < 5; n++)
        rl_solver_of(solver)->step(self, NULL, 0.02, &(rl_exchange){0});
    assert_null(rl_solver_of(solver)->validate(self));
    return self;
}

// Puts a value into cell 30 of an array of the state, has it noticed, and takes it back.
static void assert_noticed(const rl_solver_ops *ops, void *self, const char *name, float value)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    const int count = ops->state(self, arrays);
    for (int n = 0; n < count; n++) {
        if (strcmp(arrays[n].name, name) != 0)
            continue;
        float *cell = &arrays[n].data[arrays[n].rows > 5 ? 4 * arrays[n].pitch + 6 : 0];
        const float before = *cell;
        *cell = value;
        const char *wrong = ops->validate(self);
        if (wrong == NULL)
            fail_msg("%s: %g in %s is not noticed", ops->name, (double)value, name);
        assert_non_null(strstr(wrong, ops->name));
        *cell = before;
        assert_null(ops->validate(self));
        return;
    }
    fail_msg("%s has no array %s", ops->name, name);
}

TEST(mistakes_in_a_cell_are_noticed)
{
    static float bed[24 * 24], depth[24 * 24];
    const rill_allocator a = {0};
    const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_LAYERS, RILL_SOLVER_SWE};
    for (size_t n = 0; n < sizeof solvers / sizeof solvers[0]; n++) {
        const rl_solver_ops *ops = rl_solver_of(solvers[n]);
        void *self = make_basin(solvers[n], bed, depth, &a);
        assert_noticed(ops, self, "depth", -0.5f);
        assert_noticed(ops, self, "depth", NAN);
        assert_noticed(ops, self, "depth", 50.0f);
        assert_noticed(ops, self, "remainder", 0.5f);
        assert_noticed(ops, self, "bed", INFINITY);
        assert_noticed(ops, self, solvers[n] == RILL_SOLVER_SWE ? "u" : "qx", NAN);
        assert_noticed(ops, self, solvers[n] == RILL_SOLVER_SWE ? "v" : "qy", INFINITY);
        assert_noticed(ops, self, solvers[n] == RILL_SOLVER_SWE ? "largest" : "max_depth", 0.01f);
        ops->destroy(&a, &self);
    }
}

// A column of the layers solver above its ceiling, and water where there is no column.
TEST(mistakes_in_covered_columns_are_noticed)
{
    SCOPED(rill_solid) *solid = caves(0.0);
    rill_world_def def = layers_def(CAVES, CAVES, 0.25, solid);
    FREED_BY(free_layers) rl_layers *s = make_layers(&def);
    assert_null(rl_layers_validate(s));
    int covered = 0, dead = 0;
    for (int i = 0; i < CAVES; i++) {
        const size_t slot = rl_layers_slot(s, 1, i, CAVES / 2);
        const bool live = rl_layers_live(s, slot);
        s->depth.origin[slot] = live ? 1e3f : 1.0f;
        s->max_depth = 1e4f;
        assert_non_null(rl_layers_validate(s));
        s->depth.origin[slot] = 0.0f;
        covered += live;
        dead += !live;
    }
    assert_true(covered > 0 && dead > 0);
    assert_null(rl_layers_validate(s));
}

TEST(mistakes_in_a_river_are_noticed)
{
    river_case c = begin_channel(48, 32, 10.0, 120.0, 200.0, 3.0);
    FREED_BY(free_river) rl_river *r = started_river(&c, NULL);
    run_river(r, NULL, 5.0, 1.0);
    assert_null(rl_river_ops_table.validate(r));
    assert_noticed(&rl_river_ops_table, r, "depth", -0.5f);
    assert_noticed(&rl_river_ops_table, r, "dye", NAN);
}
