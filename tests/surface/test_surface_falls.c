// SPDX-License-Identifier: MIT
// test_surface_falls.c - the surface of the swe water ends where its water falls as particles, and
// nowhere else.
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

enum { NX = 24, NY = 12 };

// What stands west of a pool that is half a metre deep: ground `terrace` metres high, and on it
// water of so many metres. Cells are 0.5 m wide.
typedef struct step {
    float terrace, water;
} step;

static rill_world *make_step_world(step west, int max_particles, int waterfalls)
{
    static float bed[NX * NY], depth[NX * NY];
    for (int n = 0; n < NX * NY; n++) {
        bed[n] = n % NX < NX / 2 ? west.terrace : 0.0f;
        depth[n] = n % NX < NX / 2 ? west.water : 0.5f;
    }
    rill_world_def def = grid_def(NX, NY, 0.5);
    def.solver = RILL_SOLVER_SWE;
    def.swe.waterfalls = waterfalls;
    def.particles.max_particles = max_particles;
    set_ground(&def, bed, depth);
    return make_world(&def);
}

// Triangles, and of them those that drop by more than the cliff's 1.5 cells a cell.
static size_t count_triangles(step west, int max_particles, int waterfalls, size_t *steep)
{
    SCOPED(rill_world) *world = make_step_world(west, max_particles, waterfalls);
    SCOPED(rill_surface) *surface = NULL;
    const rill_surface_def def = rill_default_surface_def();
    assert_ok(rill_surface_create(world, &def, &surface));
    assert_ok(rill_surface_build(surface, world));
    const rill_mesh mesh = rill_surface_mesh(surface);
    *steep = 0;
    for (size_t n = 0; n < mesh.index_count; n += 3) {
        const float a = mesh.vertices[mesh.indices[n]].position[2];
        const float b = mesh.vertices[mesh.indices[n + 1]].position[2];
        const float c = mesh.vertices[mesh.indices[n + 2]].position[2];
        *steep += fmaxf(a, fmaxf(b, c)) - fminf(a, fminf(b, c)) > 1.5f * 0.5f;
    }
    const size_t triangles = mesh.index_count / 3;
    return triangles;
}

TEST(the_sheet_is_cut_where_water_falls_as_particles)
{
    const step terrace = {4.0f, 0.5f};
    size_t hanging = 0, cut = 0, unused = 0;
    const size_t whole = count_triangles(terrace, 0, 1, &hanging);
    assert_true(hanging >= 2 * (NY - 1));
    assert_int_equal(count_triangles(terrace, 100, 1, &cut), whole - hanging);
    assert_int_equal(cut, 0);
    assert_int_equal(count_triangles(terrace, 100, 0, &unused), whole); // particles, but no falls
    assert_int_equal(unused, hanging);
}

// Nothing falls there: through a hole in its front one would look under the water.
TEST(the_front_of_a_steep_wave_is_whole)
{
    const step waves[] = {{0.0f, 4.5f}, {0.4f, 4.1f}}; // also over a step that the pool covers
    for (int n = 0; n < 2; n++) {
        size_t hanging = 0, left = 0;
        const size_t whole = count_triangles(waves[n], 0, 1, &hanging);
        assert_true(hanging >= 2 * (NY - 1));
        assert_int_equal(count_triangles(waves[n], 100, 1, &left), whole);
        assert_int_equal(left, hanging);
    }
}
