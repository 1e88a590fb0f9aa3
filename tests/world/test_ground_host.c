// SPDX-License-Identifier: MIT
// test_ground_host.c - the host's own triangles of the ground: they are what is drawn, films lie
// above them, and a change of them or of the solid in one place is made good there alone.
#include "tests/surface/protrusion_checker.h"
#include "tests/world/ground_worlds.h"

// Triangles of the host, much finer than cells.
typedef struct host_mesh {
    rill_ground_vertex *vertices;
    uint32_t *indices;
    rill_ground_mesh mesh;
} host_mesh;

// A sheet over the whole world that is higher than the floor, in waves shorter than a cell.
#define ACROSS (5 * NX)
#define ALONG  (5 * NY)

static double waves(double x, double y)
{
    return FLOOR + 0.3 * DX * (1.0 + sin(45.0 * x) * cos(52.0 * y));
}

static host_mesh wavy_mesh(void)
{
    host_mesh h = {calloc((ACROSS + 1) * (ALONG + 1), sizeof *h.vertices),
                   calloc(ACROSS * ALONG * 6, sizeof *h.indices),
                   {0}};
    assert_true(h.vertices != NULL && h.indices != NULL);
    for (int j = 0; j <= ALONG; j++)
        for (int i = 0; i <= ACROSS; i++) {
            const double x = NX * DX * i / ACROSS, y = NY * DX * j / ALONG;
            h.vertices[j * (ACROSS + 1) + i] =
                (rill_ground_vertex){{(float)x, (float)y, (float)waves(x, y)}, {0}, -1.0f};
        }
    size_t n = 0;
    for (int j = 0; j < ALONG; j++)
        for (int i = 0; i < ACROSS; i++) {
            const uint32_t a = (uint32_t)(j * (ACROSS + 1) + i), c = a + ACROSS + 1;
            const uint32_t quad[6] = {a, a + 1, c + 1, a, c + 1, c};
            memcpy(h.indices + n, quad, sizeof quad);
            n += 6;
        }
    h.mesh = (rill_ground_mesh){h.vertices, h.indices, (ACROSS + 1) * (ALONG + 1), n, 0};
    return h;
}

static void host_mesh_free(host_mesh *h)
{
    free(h->vertices);
    free(h->indices);
}

static rill_mesh drawn(rill_world *world, rill_surface **surface)
{
    const rill_surface_def def = rill_default_surface_def();
    if (*surface == NULL)
        assert_ok(rill_surface_create(world, &def, surface));
    assert_ok(rill_surface_build(*surface, world));
    return rill_surface_mesh(*surface);
}

// Points all over the triangles of the ground, as vertices of their own.
static protrusions standing_out(rill_world *world, rill_mesh drawn_mesh)
{
    const rill_ground_mesh g = rill_world_ground_mesh(world);
    const rill_columns c = rill_world_columns(world);
    const size_t triangles = g.index_count / 3;
    rill_ground_vertex *points = calloc(triangles * 6, sizeof *points);
    assert_non_null(points);
    unsigned seed = 3;
    for (size_t n = 0; n < triangles * 6; n++) {
        const uint32_t *index = &g.indices[3 * (n / 6)];
        float u = (float)next_random(&seed) / 65536.0f, v = (float)next_random(&seed) / 65536.0f;
        if (u + v > 1.0f) {
            u = 1.0f - u;
            v = 1.0f - v;
        }
        points[n] = g.vertices[index[0]];
        for (int k = 0; k < 3; k++)
            points[n].position[k] +=
                u * (g.vertices[index[1]].position[k] - points[n].position[k]) +
                v * (g.vertices[index[2]].position[k] - g.vertices[index[0]].position[k]);
    }
    mesh_ground ground = mesh_ground_of_mesh(g, c.nx, c.ny, (double)c.cell_size);
    const rill_ground_mesh all = {points, NULL, triangles * 6, 0, 0};
    const protrusions p = protrusions_of(&drawn_mesh, &c, &ground, &all);
    mesh_ground_free(&ground);
    free(points);
    return p;
}

TEST(a_film_lies_above_all_of_the_hosts_triangles)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), FLOOR + 0.02 * DX);
    SCOPED(rill_surface) *surface = NULL;
    host_mesh host = wavy_mesh();
    assert_ok(rill_world_set_ground_mesh(world, &host.mesh));
    const rill_ground_mesh mesh = rill_world_ground_mesh(world);
    assert_int_equal(mesh.vertex_count, host.mesh.vertex_count);
    assert_memory_equal(mesh.indices, host.indices, host.mesh.index_count * sizeof(uint32_t));
    for (size_t k = 0; k < mesh.vertex_count; k++) {
        const rill_ground_vertex *v = &mesh.vertices[k];
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            square += (double)v->normal[axis] * (double)v->normal[axis];
            assert_true(v->position[axis] == host.vertices[k].position[axis]);
        }
        assert_true(fabs(square - 1.0) < 1e-5 && v->normal[2] > 0.0f);
        assert_true(v->openness > 0.5f && v->openness <= 1.0f); // a flat solid in the open
    }
    const protrusions p = standing_out(world, drawn(world, &surface));
    if (p.inside > 0)
        fail_msg("%d points stand out; %s", p.inside, p.text);
    // The triangles of the field would let them.
    assert_ok(rill_world_set_ground_mesh(world, NULL));
    const rill_mesh low = drawn(world, &surface);
    assert_ok(rill_world_set_ground_mesh(world, &host.mesh));
    assert_true(standing_out(world, low).inside > 1000);
    host_mesh_free(&host);
}

static void assert_same_drawing(rill_world *world, rill_surface *surface)
{
    SCOPED(rill_surface) *fresh = NULL;
    assert_ok(rill_surface_build(surface, world));
    assert_same_mesh(rill_surface_mesh(surface), drawn(world, &fresh));
}

TEST(a_change_in_one_place_draws_what_all_anew_would)
{
    SCOPED(rill_world) *world = world_on(rough_solid(), FLOOR + 0.05 * DX);
    SCOPED(rill_surface) *surface = NULL;
    (void)drawn(world, &surface);
    // Cuts in the solid, under the triangles of the field.
    for (int n = 0; n < 12; n++) {
        const rill_sdf_primitive ball =
            ball_at(0.5 + 0.28 * n, 0.4 + 0.21 * n, FLOOR + 0.2 * (n % 4), 0.22);
        assert_ok(rill_world_combine(world, &ball,
                                     n % 2 ? RILL_COMBINE_SUBTRACT : RILL_COMBINE_UNION, 0.0));
        if (n % 3 != 0) // several changes before one look
            assert_same_drawing(world, surface);
        run_world(world, 1, 0.02);
    }
    // The same under the host's, which change as well.
    host_mesh host = wavy_mesh();
    assert_ok(rill_world_set_ground_mesh(world, &host.mesh));
    assert_same_drawing(world, surface);
    for (int n = 0; n < 4; n++) {
        const double x = 0.9 + 0.7 * n, y = 0.6 + 0.5 * n;
        const rill_sdf_primitive ball = ball_at(x, y, FLOOR, 0.15);
        assert_ok(rill_world_combine(world, &ball, RILL_COMBINE_SUBTRACT, 0.0));
        if (n % 2)
            assert_same_drawing(world, surface);
        for (size_t k = 0; k < host.mesh.vertex_count; k++) {
            float *p = host.vertices[k].position;
            if (hypot((double)p[0] - x, (double)p[1] - y) < 0.15)
                p[2] -= 0.05f;
        }
        const double low[2] = {x - 0.16, y - 0.16}, high[2] = {x + 0.16, y + 0.16};
        assert_ok(rill_world_update_ground_mesh(world, &host.mesh, low, high));
        assert_same_drawing(world, surface);
    }
    host_mesh_free(&host);
}

// What lies outside of the box that the host names is not looked at again.
TEST(a_change_is_made_good_in_its_place_alone)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), FLOOR + 0.02 * DX);
    SCOPED(rill_surface) *surface = NULL;
    SCOPED(rill_surface) *fresh = NULL;
    host_mesh host = wavy_mesh();
    assert_ok(rill_world_set_ground_mesh(world, &host.mesh));
    (void)drawn(world, &surface);
    for (size_t k = 0; k < host.mesh.vertex_count; k++)
        host.vertices[k].position[2] += 0.02f; // everywhere
    const double low[2] = {1.0, 1.0}, high[2] = {1.5, 1.5};
    assert_ok(rill_world_update_ground_mesh(world, &host.mesh, low, high));
    const rill_mesh a = drawn(world, &surface), b = drawn(world, &fresh);
    assert_int_equal(a.vertex_count, b.vertex_count);
    int same = 0, other = 0;
    for (size_t k = 0; k < a.vertex_count; k++) {
        const float *p = a.vertices[k].position;
        const bool inside = p[0] > 1.0f && p[0] < 1.5f && p[1] > 1.0f && p[1] < 1.5f;
        same += p[2] == b.vertices[k].position[2];
        other += p[2] != b.vertices[k].position[2];
        assert_true(!inside || p[2] == b.vertices[k].position[2]);
    }
    assert_true(same > 20 && other > 500);
    host_mesh_free(&host);
}

TEST(a_mesh_of_the_ground_that_is_none_is_refused_and_changes_nothing)
{
    SCOPED(rill_world) *world = world_on(flat_solid(), 0.9);
    rill_world_def heights = grid_def(NX, NY, DX);
    SCOPED(rill_world) *other = make_world(&heights);
    const uint64_t before = rill_world_ground_mesh(world).version;
    rill_ground_vertex v[3] = {{{0.0f, 0.0f, 0.6f}, {0}, -1.0f},
                               {{1.0f, 0.0f, 0.6f}, {0}, -1.0f},
                               {{0.0f, 1.0f, 0.6f}, {0}, -1.0f}};
    uint32_t indices[3] = {0, 1, 3};
    rill_ground_mesh mesh = {v, indices, 3, 3, 0};
    const double low[2] = {0.0, 0.0}, high[2] = {1.0, 1.0}, less[2] = {-1.0, 1.0};
    assert_int_equal(rill_world_set_ground_mesh(NULL, &mesh), RILL_BAD_ARGUMENT);
    assert_sentence_has("NULL");
    assert_int_equal(rill_world_set_ground_mesh(other, &mesh), RILL_BAD_ARGUMENT);
    assert_sentence_has("made with a solid");
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("triangle 0 names vertex 3, there are 3");
    indices[2] = 2;
    mesh.index_count = 2;
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("2 indices do not make triangles");
    mesh.index_count = 0;
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("empty");
    mesh.index_count = 3;
    v[1].position[2] = NAN;
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("vertex 1 of the mesh of the ground has the position nan along z");
    v[1].position[2] = 0.6f;
    v[2].normal[0] = INFINITY;
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("the normal inf along x");
    v[2].normal[0] = 0.0f;
    v[0].openness = 2.0f;
    assert_int_equal(rill_world_set_ground_mesh(world, &mesh), RILL_BAD_DEF);
    assert_sentence_has("openness 2");
    v[0].openness = 0.5f;
    assert_int_equal(rill_world_update_ground_mesh(world, &mesh, low, high), RILL_BAD_ARGUMENT);
    assert_sentence_has("rill_world_set_ground_mesh");
    assert_true(rill_world_ground_mesh(world).version == before);
    assert_ok(rill_world_set_ground_mesh(world, &mesh));
    const rill_ground_mesh set = rill_world_ground_mesh(world);
    assert_true(set.version != before && set.vertices[0].openness == 0.5f);
    assert_int_equal(rill_world_update_ground_mesh(world, &mesh, low, less), RILL_BAD_ARGUMENT);
    assert_sentence_has("from 0 to -1 m along x");
    assert_int_equal(rill_world_update_ground_mesh(world, NULL, low, high), RILL_BAD_ARGUMENT);
    assert_true(rill_world_ground_mesh(world).version == set.version);
    assert_ok(rill_world_set_ground_mesh(world, NULL));
    SCOPED(rill_world) *fresh = world_on(flat_solid(), 0.9);
    assert_true(same_mesh(world, fresh));
}
