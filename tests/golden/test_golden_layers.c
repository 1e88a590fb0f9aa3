// SPDX-License-Identifier: MIT
// A recorded hash of a lively world of several layers, as test_golden_hash.c has it for one: a
// basin beside a tunnel that floods, a table with a spring on it, a mover, drains and a level
// outside.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

enum { NX = 52, NY = 37 };

static void add_box(rill_solid *solid, double x, double y, double z, double sx, double sy,
                    double sz, rill_combine how)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    box.position[0] = x;
    box.position[1] = y;
    box.position[2] = z;
    box.size[0] = sx;
    box.size[1] = sy;
    box.size[2] = sz;
    assert_int_equal(rill_solid_combine(solid, &box, how, 0.0), RILL_OK);
}

// Boxes, a sphere and square roots: no math library has a say.
static rill_solid *make_solid(void)
{
    rill_solid_def def = rill_default_solid_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.25;
    def.top = 4.0;
    rill_solid *solid = NULL;
    assert_int_equal(rill_solid_create(&def, &solid), RILL_OK);
    add_box(solid, 6.5, 4.625, 0.0, 32.0, 32.0, 1.0, RILL_COMBINE_UNION);
    add_box(solid, 6.5, 4.625, 1.5, 3.0, 32.0, 3.0, RILL_COMBINE_UNION);  // a dam
    add_box(solid, 6.5, 4.0, 0.75, 6.0, 1.5, 0.5, RILL_COMBINE_SUBTRACT); // with a tunnel
    add_box(solid, 2.0, 6.0, 2.25, 2.0, 3.0, 0.5, RILL_COMBINE_UNION);    // a table
    rill_sdf_primitive sphere = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    sphere.position[0] = 10.5;
    sphere.position[1] = 5.0;
    sphere.position[2] = 1.75;
    sphere.radius = 1.0;
    assert_int_equal(rill_solid_combine(solid, &sphere, RILL_COMBINE_SMOOTH_UNION, 0.5), RILL_OK);
    return solid;
}

static rill_world *make(int workers, rill_passages passages, int slope_correction)
{
    rill_solid *solid = make_solid();
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.25f;
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.layers.passages = passages;
    def.layers.slope_correction = slope_correction;
    def.pipes.viscosity = 1e-3f;
    def.use_level = 1;
    def.level = 0.75f;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    def.border[RILL_SIDE_WEST] = RILL_BORDER_LEVEL;
    def.border_level[RILL_SIDE_WEST] = 1.75f;
    def.worker_count = workers;
    rill_world *world = make_world(&def);
    rill_solid_destroy(&solid);
    rill_source_def spring = rill_default_source_def();
    spring.x = 2.0;
    spring.y = 6.0;
    spring.radius = 0.5;
    spring.rate = 0.25;
    spring.pulse = 1.0;
    spring.pulse_depth = 0.5;
    assert_int_equal(rill_world_add_source(world, &spring, NULL), RILL_OK);
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    ball.position[0] = 3.0;
    ball.position[1] = 2.0;
    ball.position[2] = 1.0;
    rill_mover_id id;
    assert_int_equal(rill_world_add_mover(world, &ball, &id), RILL_OK);
    const rill_path_key path[] = {{0.0, 3.0, 2.0, 1.0}, {4.0, 2.0, 4.0, 1.25}};
    assert_int_equal(rill_world_set_mover_path(world, id, path, 2), RILL_OK);
    return world;
}

TEST(the_recorded_hashes_come_out)
{
    const struct {
        rill_passages passages;
        int slope_correction;
        uint64_t hash;
    } recorded[] = {
        {RILL_PASSAGES_UNIFIED, 0, 0x6101ee3ed1e96b0fu},
        {RILL_PASSAGES_UNIFIED, 1, 0xedc94d4375d1d4dau},
        {RILL_PASSAGES_AXIS, 0, 0x947962e85c10d392u},
        {RILL_PASSAGES_NONE, 0, 0xba61a88e1994e9deu},
    };
    int different = 0;
    for (size_t n = 0; n < sizeof recorded / sizeof recorded[0]; n++)
        for (int workers = 1; workers <= 3; workers += 2) {
            rill_world *world = make(workers, recorded[n].passages, recorded[n].slope_correction);
            run_world(world, 256, 1.0 / 64.0);
            const uint64_t hash = rill_world_hash(world);
            if (hash != recorded[n].hash) {
                print_message("row %zu, %d workers, %s: 0x%016llx\n", n, workers,
                              rill_world_isa(world), (unsigned long long)hash);
                different++;
            }
            assert_true(rill_world_ledger(world).error < 1e-6);
            rill_world_destroy(&world);
        }
    assert_int_equal(different, 0);
}
