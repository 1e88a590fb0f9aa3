// SPDX-License-Identifier: MIT
// test_gpu_surface.c - surfaces made on a GPU against those of the same waters made on the CPU: the
// same vertices and triangles in the same order, to the last bit. Where no GPU is, what is promised
// without one.
#include "tests/gpu/gpu_drawn.h"
#include "tests/kit/backends.h"

// ---- Two worlds ------------------------------------------------------------------------

// Grounds and waters that have everything a surface can have: islands and lakes, films of all
// depths around the one from which on a column is wet, single columns, steps, full grids.
typedef enum country { LAKES, FILMS, CROSSES, STEPS, SEA, DESERT, COUNTRIES } country;

static unsigned next_number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static float chance(unsigned *seed)
{
    return (float)(next_number(seed) % 65536) / 65536.0f;
}

static void fill(country kind, int nx, int ny, unsigned seed, float *bed, float *depth)
{
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const size_t at = (size_t)j * (size_t)nx + (size_t)i;
            const double wave = sin(0.31 * i + 0.2 * seed) * cos(0.23 * j);
            const float rough = chance(&seed);
            const bool some = next_number(&seed) % 4 != 0;
            float ground = (float)(1.0 + wave) + 0.2f * rough, water = 1.1f - ground;
            if (kind == FILMS) {
                ground = 0.05f * (float)(1.0 + wave);
                water = some ? 3e-3f * rough * rough : 0.0f;
            } else if (kind == CROSSES) {
                ground = some ? 0.0f : 0.1f * rough;
                water = (i + j) % 2 == 0 ? 0.2f * rough : 0.0f;
            } else if (kind == STEPS) {
                ground = (float)(i / 5 % 3) + 0.25f * floorf(4.0f * rough);
                water = some ? 0.3f * rough : 0.0f;
            } else if (kind == SEA) {
                water = 3.0f - ground;
            } else if (kind == DESERT) {
                water = 0.0f;
            }
            bed[at] = ground;
            depth[at] = fmaxf(water, 0.0f);
        }
}

static drawn make_country(rill_solver solver, country kind, int nx, int ny,
                          const rill_surface_def *surface)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    float *ground = malloc(2 * cells * sizeof *ground);
    assert_non_null(ground);
    fill(kind, nx, ny, 7u * (unsigned)nx + (unsigned)ny, ground, ground + cells);
    rill_world_def def = rill_default_world_def();
    def.solver = solver;
    def.nx = nx;
    def.ny = ny;
    def.cell_size = 0.7f;
    def.bed = (rill_field_view){ground, nx, ny, (size_t)nx};
    def.depth = (rill_field_view){ground + cells, nx, ny, (size_t)nx};
    const drawn p = draw(&def, surface);
    free(ground);
    return p;
}

// ---- Without a GPU ---------------------------------------------------------------------

TEST(a_mesh_of_the_host_is_on_no_device_and_says_so)
{
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = 16;
    rill_world *world = make_world(&def);
    rill_surface *surface = NULL;
    const rill_surface_def surface_def = rill_default_surface_def();
    assert_ok(rill_surface_create(world, &surface_def, &surface));
    for (int built = 0; built < 2; built++) {
        rill_device_mesh mesh = {.vertex_count = 3};
        assert_int_equal(rill_surface_device_mesh(surface, &mesh), RILL_NO_BACKEND);
        assert_true(strlen(rill_last_error()) > 20);
        assert_null(strchr(rill_last_error(), '\n'));
        assert_true(mesh.vertices == NULL && mesh.vertex_count == 0);
        assert_ok(rill_surface_build(surface, world));
    }
    rill_device_mesh mesh;
    assert_int_equal(rill_surface_device_mesh(NULL, &mesh), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_surface_device_mesh(surface, NULL), RILL_BAD_ARGUMENT);
    rill_surface_destroy(&surface);
    rill_world_destroy(&world);
}

// ---- The same bits ---------------------------------------------------------------------

static void compare_countries(rill_solver solver)
{
    const int sides[][2] = {{4, 4},   {5, 17},  {31, 16},  {30, 15},
                            {64, 33}, {95, 62}, {129, 47}, {TEST_SIDE(261), TEST_SIDE(300)}};
    for (size_t n = 0; n < sizeof sides / sizeof sides[0]; n++)
        for (int kind = 0; kind < COUNTRIES; kind++)
            for (int coarse = 0; coarse < 2; coarse++) {
                rill_surface_def def = rill_default_surface_def();
                def.fine_shore = !coarse;
                def.minimum_thickness = n % 3 == 2 ? 0.0f : 0.05f;
                drawn p = make_country(solver, (country)kind, sides[n][0], sides[n][1], &def);
                for (int k = 0; k < 3; k++) {
                    const size_t triangles = build_both(&p);
                    assert_on_device(&p, true);
                    assert_int_equal(triangles > 0, kind != DESERT);
                    step_pair(&p.worlds, 2, 0.05);
                }
                destroy_drawn(&p);
            }
}

TEST(every_shore_of_the_pipes_has_the_same_mesh)
{
    need_gpu();
    compare_countries(RILL_SOLVER_PIPES);
}

TEST(every_shore_of_the_swe_has_the_same_mesh)
{
    need_gpu();
    need_gpu_for(RILL_SOLVER_SWE);
    compare_countries(RILL_SOLVER_SWE);
}

TEST(every_shore_of_the_layers_over_a_bed_has_the_same_mesh)
{
    need_gpu();
    compare_countries(RILL_SOLVER_LAYERS);
}

// Terraces above pools, cut where their water flies, and blocks of water, whose fronts are as steep
// and are not cut.
TEST(falls_are_cut_from_the_same_mesh)
{
    need_gpu();
    need_gpu_for(RILL_SOLVER_SWE);
    enum { NX = 75, NY = 52 };
    static float bed[NX * NY], depth[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        bed[n] = n % NX / 9 % 2 == 0 ? 4.0f : 0.02f * (float)(n / NX);
        depth[n] = n / NX > 40 ? 0.5f + 5.0f * (float)(n % NX / 20 % 2) : n % 5 == 0 ? 0.0f : 0.1f;
        bed[n] = n / NX > 40 ? 0.0f : bed[n];
    }
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_SWE;
    def.particles.max_particles = 1000;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.depth = (rill_field_view){depth, NX, NY, NX};
    size_t triangles[2];
    for (int falls = 0; falls < 2; falls++) {
        def.swe.waterfalls = falls;
        const rill_surface_def surface = rill_default_surface_def();
        drawn p = draw(&def, &surface);
        triangles[falls] = build_both(&p);
        for (int n = 0; n < 3; n++) {
            step_pair(&p.worlds, 1, 0.05);
            assert_true(build_both(&p) > 0);
        }
        assert_on_device(&p, true);
        destroy_drawn(&p);
    }
    assert_true(triangles[1] < triangles[0]);
}

// More ends of sheets than there is room for.
TEST(a_mesh_that_does_not_fit_gets_the_same_coarse_shore)
{
    need_gpu();
    enum { N = 300 };
    float *bed = calloc(2 * N * N, sizeof *bed), *depth = bed + N * N;
    assert_non_null(bed);
    for (int k = 0; k < N * N; k++)
        depth[k] = (k % N + k / N) % 2 ? 0.5f : 0.0f;
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = N;
    def.bed = (rill_field_view){bed, N, N, N};
    def.depth = (rill_field_view){depth, N, N, N};
    const rill_surface_def surface = rill_default_surface_def();
    drawn p = draw(&def, &surface);
    assert_true(build_both(&p) > 0);
    assert_int_equal(rill_surface_mesh(p.gpu).vertex_count, (N + 2) * (N + 2) - 2);
    assert_on_device(&p, true);
    destroy_drawn(&p);
    free(bed);
}

// ---- Where the mesh lies ---------------------------------------------------------------

TEST(a_mesh_stays_until_the_next_build_whatever_the_world_does)
{
    need_gpu();
    const rill_surface_def def = rill_default_surface_def();
    drawn p = make_country(RILL_SOLVER_PIPES, LAKES, 100, 80, &def);
    step_pair(&p.worlds, 3, 0.1);
    assert_ok(rill_surface_build(p.cpu, p.worlds.cpu));
    assert_ok(rill_surface_build(p.gpu, p.worlds.gpu));
    step_pair(&p.worlds, 5, 0.1);
    rill_world_def other = rill_default_world_def();
    other.nx = other.ny = 16;
    rill_world *small = make_world(&other);
    assert_int_equal(rill_surface_build(p.gpu, small), RILL_BAD_ARGUMENT);
    rill_world_destroy(&small);
    rill_world_destroy(&p.worlds.gpu);
    assert_on_device(&p, true);
    assert_same_mesh(rill_surface_mesh(p.cpu), rill_surface_mesh(p.gpu));
    assert_ptr_equal(rill_surface_mesh(p.gpu).vertices, rill_surface_mesh(p.gpu).vertices);
    destroy_drawn(&p);
}

// Shores of every kind, with a meniscus that is shorter than a cell, and one of many.
TEST(a_meniscus_is_the_same)
{
    need_gpu();
    const rill_solver solvers[] = {RILL_SOLVER_PIPES, RILL_SOLVER_SWE, RILL_SOLVER_LAYERS};
    for (int kind = 0; kind < COUNTRIES; kind++)
        for (int k = 0; k < 6; k++) {
            rill_surface_def def = rill_default_surface_def();
            def.meniscus_length = k < 3 ? 0.5f : 6.0f;
            def.fine_shore = kind % 2;
            drawn p = make_country(solvers[k % 3], (country)kind, 60, 50, &def);
            for (int n = 0; n < (TEST_PARTS > 1 ? 1 : 3); n++) {
                step_pair(&p.worlds, 2, 0.1);
                assert_int_equal(build_both(&p) > 0, kind != DESERT);
                assert_on_device(&p, true);
            }
            destroy_drawn(&p);
        }
}

// Water that flies is cut out of a mesh without a meniscus alone.
TEST(what_a_gpu_cannot_draw_the_host_does)
{
    need_gpu();
    enum { N = 32 };
    static float bed[N * N], depth[N * N];
    for (int n = 0; n < N * N; n++) {
        bed[n] = n % N < N / 2 ? 4.0f : 0.0f;
        depth[n] = 0.5f;
    }
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = N;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_SWE;
    def.swe.waterfalls = 1;
    def.particles.max_particles = 1000;
    def.bed = (rill_field_view){bed, N, N, N};
    def.depth = (rill_field_view){depth, N, N, N};
    rill_surface_def surface = rill_default_surface_def();
    surface.meniscus_length = 0.5f;
    drawn p = draw(&def, &surface);
    step_pair(&p.worlds, 3, 0.05);
    assert_true(build_both(&p) > 0);
    assert_on_device(&p, false);
    destroy_drawn(&p);
}

static void add_box(rill_world *world, rill_body_id *id)
{
    rill_body_def box = rill_default_body_def();
    box.motion = RILL_BODY_HOST;
    box.coupling = RILL_COUPLING_BLOCK;
    box.size[0] = box.size[1] = 5.0;
    box.size[2] = 2.0;
    box.position[0] = 15.0;
    box.position[1] = 12.0;
    box.position[2] = 1.0;
    assert_ok(rill_world_add_body(world, &box, id));
}

// A body that blocks comes and goes, and the mesh with it.
TEST(builds_may_change_between_the_gpu_and_the_host)
{
    need_gpu();
    enum { N = 48 };
    static float ground[2 * N * N];
    fill(LAKES, N, N, 5, ground, ground + N * N);
    rill_world_def def = rill_default_world_def();
    def.nx = def.ny = N;
    def.bodies.max_bodies = 1;
    def.bed = (rill_field_view){ground, N, N, N};
    def.depth = (rill_field_view){ground + N * N, N, N, N};
    const rill_surface_def surface = rill_default_surface_def();
    drawn p = draw(&def, &surface);
    for (int round = 0; round < 2; round++) {
        rill_body_id ids[2];
        step_pair(&p.worlds, 2, 0.05);
        assert_true(build_both(&p) > 0);
        assert_on_device(&p, true);
        add_box(p.worlds.cpu, &ids[0]);
        add_box(p.worlds.gpu, &ids[1]);
        step_pair(&p.worlds, 2, 0.05);
        assert_true(build_both(&p) > 0);
        assert_on_device(&p, false);
        assert_ok(rill_world_remove_body(p.worlds.cpu, ids[0]));
        assert_ok(rill_world_remove_body(p.worlds.gpu, ids[1]));
    }
    step_pair(&p.worlds, 2, 0.05);
    assert_true(build_both(&p) > 0);
    destroy_drawn(&p);
}
