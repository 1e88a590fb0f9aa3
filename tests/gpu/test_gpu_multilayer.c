// SPDX-License-Identifier: MIT
// test_gpu_multilayer.c - surfaces of several layers made on a GPU against those of the same waters
// made on the CPU: one mesh across the layers, curtains, walls and the meniscus, to the last bit.
// Skipped in words where no GPU is.
#include "tests/gpu/gpu_drawn.h"
#include "tests/kit/scene_runs.h"

#define CELL 0.25

// ---- Grounds ---------------------------------------------------------------------------

static unsigned next_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static double between(unsigned *seed, double low, double high)
{
    return low + (high - low) * (double)(next_number(seed) % 65536) / 65535.0;
}

static void add_box(rill_solid *solid, const double position[3], const double size[3],
                    rill_combine how)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    memcpy(box.position, position, sizeof box.position);
    memcpy(box.size, size, sizeof box.size);
    assert_ok(rill_solid_combine(solid, &box, how, 0.0));
}

// A floor with boxes and balls over it, which stand, hang, overlap and have holes: overhangs in
// several storeys, slits, tunnels, and pits under all of it.
static rill_solid *make_ruin(int nx, int ny, unsigned seed, int things)
{
    rill_solid_def def = rill_default_solid_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = CELL;
    def.top = 4.0;
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    const double width = CELL * nx, height = CELL * ny;
    const double middle[3] = {0.5 * width, 0.5 * height, 0.0};
    const double floor[3] = {2.0 * width, 2.0 * height, 1.0};
    add_box(solid, middle, floor, RILL_COMBINE_UNION);
    for (int n = 0; n < things; n++) {
        const double at[3] = {between(&seed, 0.0, width), between(&seed, 0.0, height),
                              between(&seed, 0.2, 3.0)};
        const double size[3] = {between(&seed, 0.3, 3.0), between(&seed, 0.3, 3.0),
                                between(&seed, 0.3, 1.0)};
        if (n % 5 == 3) {
            rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
            memcpy(ball.position, at, sizeof ball.position);
            ball.radius = 0.5 * size[0];
            assert_ok(rill_solid_combine(solid, &ball, RILL_COMBINE_UNION, 0.0));
        } else {
            add_box(solid, at, size, n % 3 == 2 ? RILL_COMBINE_SUBTRACT : RILL_COMBINE_UNION);
        }
    }
    return solid;
}

static rill_world_def world_in(const rill_solid *solid, int nx, int ny, float level)
{
    rill_world_def def = rill_default_world_def();
    def.nx = nx;
    def.ny = ny;
    def.cell_size = (float)CELL;
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.pipes.viscosity = 1e-3f;
    def.use_level = 1;
    def.level = level;
    def.border[RILL_SIDE_EAST] = RILL_BORDER_DRAIN;
    return def;
}

// Water on storeys that the level does not reach.
static void pour_about(drawn *p, int nx, int ny, unsigned seed)
{
    for (int n = 0; n < 12; n++) {
        const double x = between(&seed, 0.0, CELL * nx), y = between(&seed, 0.0, CELL * ny);
        const double z = between(&seed, 0.5, 4.0), volume = between(&seed, 0.01, 0.4);
        assert_ok(rill_world_pour_at(p->worlds.cpu, x, y, z, 0.6, volume, NULL));
        assert_ok(rill_world_pour_at(p->worlds.gpu, x, y, z, 0.6, volume, NULL));
    }
}

// ---- The same bits ---------------------------------------------------------------------

static void compare_ruin(int nx, int ny, unsigned seed, const rill_surface_def *surface)
{
    rill_solid *solid = make_ruin(nx, ny, seed, nx * ny / 40 + 3);
    const rill_world_def def = world_in(solid, nx, ny, 0.6f + 0.1f * (float)(seed % 17));
    drawn p = draw(&def, surface);
    rill_solid_destroy(&solid);
    assert_true(rill_world_columns(p.worlds.cpu).layers > 2);
    for (int n = 0; n < 4; n++) {
        if (n > 0)
            pour_about(&p, nx, ny, 7u * seed + (unsigned)n);
        assert_true(build_both(&p) > 0);
        assert_on_device(&p, true);
        step_pair(&p.worlds, TEST_FIFTH(3 + 5 * n), 1.0 / 32.0);
    }
    destroy_drawn(&p);
}

TEST(every_ruin_has_the_same_mesh)
{
    need_gpu();
    const int sides[][2] = {{8, 8}, {17, 9}, {31, 40}, {64, 33}, {130, 70}, {257, 129}};
    for (unsigned n = 0; n < TEST_FIFTH(48); n++) {
        rill_surface_def def = rill_default_surface_def();
        def.fine_shore = n % 4 != 3;
        def.curtains = n % 5 != 4;
        def.local_minimum = n % 3 != 2;
        def.minimum_thickness = n % 7 == 6 ? 0.0f : 0.05f;
        def.meniscus_length = n % 2 == 0 ? 0.0f : n % 3 == 0 ? 0.1f : 1.3f;
        def.contact_angle = n % 6 < 3 ? 20.0f : 120.0f;
        compare_ruin(sides[n % 6][0], sides[n % 6][1], n, &def);
    }
}

// Built-in scenes as they are drawn, several times on their way.
TEST(scenes_have_the_same_mesh)
{
    need_gpu();
    const char *const names[] = {"surgery", "passages", "passages-cross", "vessels", "culvert",
                                 "bridge",  "film",     "three-layers",   "coffee"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        rill_scene_info info;
        drawn p = {.worlds = pair_of_scene(names[n], &info)};
        rill_surface_def def = rill_default_surface_def();
        def.meniscus_length = 0.0028f;
        assert_ok(rill_surface_create(p.worlds.cpu, &def, &p.cpu));
        assert_ok(rill_surface_create(p.worlds.gpu, &def, &p.gpu));
        for (int k = 1; k <= (TEST_PARTS > 1 ? 1 : 4); k++) {
            while (rill_world_time(p.worlds.cpu) < 0.2 * k * info.duration / TEST_PARTS)
                step_pair(&p.worlds, 1, info.frame);
            assert_true(build_both(&p) > 0);
            assert_on_device(&p, true);
        }
        destroy_drawn(&p);
    }
}

// ---- What changes ----------------------------------------------------------------------

TEST(a_ground_that_moves_is_seen)
{
    need_gpu();
    enum { NX = 60, NY = 44 };
    rill_solid *solid = make_ruin(NX, NY, 3, 30);
    const rill_world_def def = world_in(solid, NX, NY, 1.2f);
    rill_surface_def surface = rill_default_surface_def();
    surface.meniscus_length = 0.5f;
    drawn p = draw(&def, &surface);
    rill_solid_destroy(&solid);
    const rill_path_key path[] = {{0.0, 3.0, 2.0, 1.0}, {1.0, 9.0, 8.0, 1.25}};
    add_moving_ball(p.worlds.cpu, path, 2);
    add_moving_ball(p.worlds.gpu, path, 2);
    for (int n = 0; n < 10; n++) {
        step_pair(&p.worlds, 4, 1.0 / 32.0);
        assert_true(build_both(&p) > 0);
        assert_on_device(&p, true);
    }
    destroy_drawn(&p);
}

// More ends of sheets than there is room for: storeys that are wet in every other cell.
TEST(a_mesh_that_does_not_fit_gets_the_same_coarse_shore)
{
    need_gpu();
    enum { N = 240 };
    rill_solid *solid = make_ruin(N, N, 1, 0);
    const double shelf[3] = {0.5 * CELL * N, 0.5 * CELL * N, 2.0};
    const double size[3] = {CELL * N - 2.0, CELL * N - 2.0, 0.5};
    add_box(solid, shelf, size, RILL_COMBINE_UNION);
    rill_world_def def = world_in(solid, N, N, 0.0f);
    const rill_surface_def surface = rill_default_surface_def();
    drawn p = draw(&def, &surface);
    rill_solid_destroy(&solid);
    for (int n = 0; n < N * N; n++) {
        if ((n % N + n / N) % 2)
            continue;
        const double x = CELL * (n % N + 0.5), y = CELL * (n / N + 0.5);
        for (int k = 0; k < 2; k++) {
            assert_ok(rill_world_pour_at(p.worlds.cpu, x, y, k ? 3.0 : 1.0, 0.01, 0.02, NULL));
            assert_ok(rill_world_pour_at(p.worlds.gpu, x, y, k ? 3.0 : 1.0, 0.01, 0.02, NULL));
        }
    }
    assert_true(build_both(&p) > 0);
    assert_on_device(&p, true);
    destroy_drawn(&p);
}

// A stair that winds around the middle of four cells, with water on each of its steps.
static drawn make_stair(int turns)
{
    enum { N = 16 };
    rill_solid_def solid_def = rill_default_solid_def();
    solid_def.nx = solid_def.ny = N;
    solid_def.cell_size = CELL;
    solid_def.top = turns + 2.0;
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&solid_def, &solid));
    const double middle = 0.5 * CELL * N, step = 0.3125 * CELL * N, across[2] = {-0.5, 0.5};
    for (int n = 0; n < 4 * turns; n++) {
        const double at[3] = {middle + step * across[n % 4 == 1 || n % 4 == 2],
                              middle + step * across[n % 4 >= 2], 0.5 + 0.25 * n};
        const double size[3] = {step, step, 0.4};
        add_box(solid, at, size, RILL_COMBINE_UNION);
    }
    rill_world_def def = world_in(solid, N, N, 0.0f);
    def.layers.max_layers = turns + 2;
    const rill_surface_def surface = rill_default_surface_def();
    drawn p = draw(&def, &surface);
    rill_solid_destroy(&solid);
    for (int n = 0; n < 4 * turns; n++) {
        const double x = middle + step * across[n % 4 == 1 || n % 4 == 2];
        const double y = middle + step * across[n % 4 >= 2], z = 0.8 + 0.25 * n;
        assert_ok(rill_world_pour_at(p.worlds.cpu, x, y, z, 0.85, 0.2, NULL));
        assert_ok(rill_world_pour_at(p.worlds.gpu, x, y, z, 0.85, 0.2, NULL));
    }
    return p;
}

TEST(a_stair_that_winds_too_often_is_drawn_by_the_host)
{
    need_gpu();
    const int turns[] = {3, 10, 6};
    for (int k = 0; k < 3; k++) {
        drawn p = make_stair(turns[k]);
        assert_true(build_both(&p) > 0);
        assert_on_device(&p, turns[k] < 8);
        destroy_drawn(&p);
    }
}

TEST(a_mesh_outlives_its_world)
{
    need_gpu();
    enum { NX = 70, NY = 50 };
    rill_solid *solid = make_ruin(NX, NY, 9, 40);
    const rill_world_def def = world_in(solid, NX, NY, 1.0f);
    const rill_surface_def surface = rill_default_surface_def();
    drawn p = draw(&def, &surface);
    rill_solid_destroy(&solid);
    step_pair(&p.worlds, 10, 1.0 / 32.0);
    assert_ok(rill_surface_build(p.cpu, p.worlds.cpu));
    assert_ok(rill_surface_build(p.gpu, p.worlds.gpu));
    step_pair(&p.worlds, 3, 1.0 / 32.0);
    rill_world_destroy(&p.worlds.gpu);
    assert_on_device(&p, true);
    assert_same_mesh(rill_surface_mesh(p.cpu), rill_surface_mesh(p.gpu));
    destroy_drawn(&p);
}
