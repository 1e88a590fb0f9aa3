// SPDX-License-Identifier: MIT
// test_surface_falls.c - the surface of the swe water ends where its water falls as particles, and
// nowhere else.
#include "rill/rill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NX = 24, NY = 12 };

// A terrace 4 m above a pool, both with half a metre of water on cells of 0.5 m.
static rill_world *terrace(int max_particles, int waterfalls)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        bed[n] = n % NX < NX / 2 ? 4.0f : 0.0f;
        depth[n] = 0.5f;
    }
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 0.5f;
    def.solver = RILL_SOLVER_SWE;
    def.swe.waterfalls = waterfalls;
    def.particles.max_particles = max_particles;
    def.bed = (rill_field_view){bed, NX, NY, NX};
    def.depth = (rill_field_view){depth, NX, NY, NX};
    rill_world *world = NULL;
    assert_int_equal(rill_world_create(&def, &world), RILL_OK);
    return world;
}

// Triangles, and of them those that fall by more than the cliff's 1.5 cells a cell.
static size_t count_triangles(int max_particles, int waterfalls, size_t *steep)
{
    rill_world *world = terrace(max_particles, waterfalls);
    rill_surface *surface = NULL;
    const rill_surface_def def = rill_default_surface_def();
    assert_int_equal(rill_surface_create(world, &def, &surface), RILL_OK);
    assert_int_equal(rill_surface_build(surface, world), RILL_OK);
    const rill_mesh mesh = rill_surface_mesh(surface);
    *steep = 0;
    for (size_t n = 0; n < mesh.index_count; n += 3) {
        const float a = mesh.vertices[mesh.indices[n]].position[2];
        const float b = mesh.vertices[mesh.indices[n + 1]].position[2];
        const float c = mesh.vertices[mesh.indices[n + 2]].position[2];
        *steep += fmaxf(a, fmaxf(b, c)) - fminf(a, fminf(b, c)) > 1.5f * 0.5f;
    }
    const size_t triangles = mesh.index_count / 3;
    rill_surface_destroy(&surface);
    rill_world_destroy(&world);
    return triangles;
}

static void the_sheet_is_cut_where_water_falls_as_particles(void **state)
{
    (void)state;
    size_t hanging = 0, cut = 0, unused = 0;
    const size_t whole = count_triangles(0, 1, &hanging);
    assert_true(hanging >= 2 * (NY - 1));
    assert_int_equal(count_triangles(100, 1, &cut), whole - hanging);
    assert_int_equal(cut, 0);
    assert_int_equal(count_triangles(100, 0, &unused), whole); // particles, but no falls
    assert_int_equal(unused, hanging);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sheet_is_cut_where_water_falls_as_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
