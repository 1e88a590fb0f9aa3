// SPDX-License-Identifier: MIT
// test_triangles.c - meshes as solids: distances against exact ones and against a search through
// all triangles, inside and outside in spite of holes, and what is refused.
#include "core/numbers.h"
#include "terrain/sdf/triangles.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#define PI 3.14159265358979323846

// ---- Meshes ----------------------------------------------------------------------------

typedef struct mesh {
    float vertices[3 * 8000];
    uint32_t indices[3 * 8000];
    size_t vertex_count, index_count;
} mesh;

static mesh scratch; // too large for a stack
static mesh other;

static void add_vertex(mesh *m, double x, double y, double z)
{
    assert_true(m->vertex_count < 8000);
    float *v = m->vertices + 3 * m->vertex_count++;
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
}

static void add_triangle(mesh *m, size_t a, size_t b, size_t c)
{
    assert_true(m->index_count < 3 * 8000);
    m->indices[m->index_count++] = (uint32_t)a;
    m->indices[m->index_count++] = (uint32_t)b;
    m->indices[m->index_count++] = (uint32_t)c;
}

static void add_quad(mesh *m, size_t a, size_t b, size_t c, size_t d)
{
    add_triangle(m, a, b, c);
    add_triangle(m, a, c, d);
}

// From -half to half, in the middle of `centre`.
static void add_cube(mesh *m, double half, const double centre[3])
{
    const size_t o = m->vertex_count;
    for (int k = 0; k < 8; k++)
        add_vertex(m, centre[0] + (k & 1 ? half : -half), centre[1] + (k & 2 ? half : -half),
                   centre[2] + (k & 4 ? half : -half));
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++)
        add_quad(m, o + (size_t)faces[f][0], o + (size_t)faces[f][1], o + (size_t)faces[f][2],
                 o + (size_t)faces[f][3]);
}

// Meridians and parallels; row 0 is the north pole. Rows [first, last) alone are covered.
static void add_sphere(mesh *m, double radius, const double centre[3], int around, int down,
                       int first, int last)
{
    const size_t o = m->vertex_count, n = (size_t)around;
    for (int j = 0; j <= down; j++)
        for (int i = 0; i < around; i++) {
            const double ring = j == 0 || j == down ? 0.0 : radius * sin(PI * j / down);
            add_vertex(m, centre[0] + ring * cos(2.0 * PI * i / around),
                       centre[1] + ring * sin(2.0 * PI * i / around),
                       centre[2] + radius * cos(PI * j / down));
        }
    for (int j = first; j < last; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t a = o + (size_t)j * n + i, b = o + (size_t)j * n + (i + 1) % n;
            add_quad(m, a, a + n, b + n, b);
        }
}

static void add_torus(mesh *m, double radius, double tube, int around, int along)
{
    const size_t o = m->vertex_count, n = (size_t)around;
    for (int j = 0; j < along; j++)
        for (int i = 0; i < around; i++) {
            const double u = 2.0 * PI * j / along, v = 2.0 * PI * i / around;
            add_vertex(m, (radius + tube * cos(v)) * cos(u), (radius + tube * cos(v)) * sin(u),
                       tube * sin(v));
        }
    for (size_t j = 0; j < (size_t)along; j++)
        for (size_t i = 0; i < n; i++) {
            const size_t next = (j + 1) % (size_t)along;
            add_quad(m, o + j * n + i, o + next * n + i, o + next * n + (i + 1) % n,
                     o + j * n + (i + 1) % n);
        }
}

static mesh *empty(mesh *m)
{
    m->vertex_count = m->index_count = 0;
    return m;
}

static void turn_inside_out(mesh *m, size_t from)
{
    for (size_t k = from; k < m->index_count; k += 3) {
        const uint32_t aside = m->indices[k];
        m->indices[k] = m->indices[k + 1];
        m->indices[k + 1] = aside;
    }
}

static rill_status try_mesh(const mesh *m, rill_triangles **out)
{
    return rill_triangles_create(m->vertices, m->vertex_count, m->indices, m->index_count, NULL,
                                 out);
}

static rill_triangles *make(const mesh *m)
{
    rill_triangles *t = NULL;
    if (try_mesh(m, &t) != RILL_OK)
        fail_msg("%s", rill_last_error());
    return t;
}

static void expect_refused(const mesh *m, const char *part)
{
    rill_triangles *t = NULL;
    assert_int_equal(try_mesh(m, &t), RILL_BAD_DEF);
    assert_null(t);
    assert_sentence_has(part);
}

static const double zero[3] = {0.0, 0.0, 0.0};

// ---- A search through all triangles ----------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance_to_segment(const double p[3], const float *a, const float *b)
{
    double along[3], from[3], rest[3];
    for (int k = 0; k < 3; k++) {
        along[k] = (double)b[k] - (double)a[k];
        from[k] = p[k] - (double)a[k];
    }
    double t = dot(from, along) / dot(along, along);
    t = fmin(fmax(t, 0.0), 1.0);
    for (int k = 0; k < 3; k++)
        rest[k] = from[k] - t * along[k];
    return sqrt(dot(rest, rest));
}

// To the plane when the foot is left of all three edges, else to the nearest edge.
static double distance_to_triangle(const double p[3], const float *const v[3])
{
    double edge[3][3], to[3][3], normal[3], best = HUGE_VAL;
    bool above = true;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            edge[c][k] = (double)v[(c + 1) % 3][k] - (double)v[c][k];
            to[c][k] = p[k] - (double)v[c][k];
        }
    for (int k = 0; k < 3; k++)
        normal[k] = edge[0][(k + 1) % 3] * edge[1][(k + 2) % 3] -
                    edge[0][(k + 2) % 3] * edge[1][(k + 1) % 3];
    for (int c = 0; c < 3; c++) {
        double side = 0.0;
        for (int k = 0; k < 3; k++)
            side += normal[k] * (edge[c][(k + 1) % 3] * to[c][(k + 2) % 3] -
                                 edge[c][(k + 2) % 3] * to[c][(k + 1) % 3]);
        above = above && side >= 0.0;
        best = fmin(best, distance_to_segment(p, v[c], v[(c + 1) % 3]));
    }
    return above ? fabs(dot(to[0], normal)) / sqrt(dot(normal, normal)) : best;
}

static double distance_to_all(const mesh *m, const double p[3])
{
    double best = HUGE_VAL;
    for (size_t k = 0; k < m->index_count; k += 3) {
        const float *const v[3] = {m->vertices + 3 * m->indices[k],
                                   m->vertices + 3 * m->indices[k + 1],
                                   m->vertices + 3 * m->indices[k + 2]};
        if (memcmp(v[0], v[1], 12) != 0 && memcmp(v[1], v[2], 12) != 0 &&
            memcmp(v[2], v[0], 12) != 0)
            best = fmin(best, distance_to_triangle(p, v));
    }
    return best;
}

// The k-th of many points in a cube from -size to size.
static void random_point(int k, double size, double p[3])
{
    for (int d = 0; d < 3; d++)
        p[d] = size * (2.0 * (double)rl_random_unit(7, (uint64_t)k, (uint64_t)d) - 1.0);
}

// ---- Distances -------------------------------------------------------------------------

TEST(a_cube_has_the_exact_distance_of_a_box)
{
    add_cube(empty(&scratch), 0.5, zero);
    rill_triangles *t = make(&scratch);
    for (int k = 0; k < 20000; k++) {
        double p[3], outside = 0.0, inside = -HUGE_VAL;
        random_point(k, 1.5, p);
        for (int d = 0; d < 3; d++) {
            const double beyond = fabs(p[d]) - 0.5;
            outside += beyond > 0.0 ? beyond * beyond : 0.0;
            inside = fmax(inside, beyond);
        }
        const double exact = inside < 0.0 ? inside : sqrt(outside);
        assert_true(fabs(rl_triangles_distance(t, p, 10.0) - exact) < 1e-14);
    }
    rill_triangles_destroy(&t);
    assert_null(t);
}

// The triangles lie between the sphere and a smaller one that touches the plane nearest to the
// centre, so no distance can be off by more than the difference of the two radii.
TEST(a_ball_of_triangles_has_the_distance_of_a_ball)
{
    const double centre[3] = {3.0, -2.0, 5.0}, radius = 2.0;
    add_sphere(empty(&scratch), radius, centre, 60, 40, 0, 40);
    SCOPED(rill_triangles) *t = make(&scratch);
    // The largest triangles, at the equator, have edges of these lengths; their circumscribed
    // circle is not larger than the diagonal.
    const double wide = 2.0 * PI * radius / 60, high = PI * radius / 40;
    const double circle2 = 0.25 * (wide * wide + high * high);
    const double off = radius - sqrt(radius * radius - circle2) + 1e-6;
    for (int k = 0; k < 5000; k++) {
        double p[3];
        random_point(k, 3.0, p);
        const double exact = sqrt(dot(p, p)) - radius;
        for (int d = 0; d < 3; d++)
            p[d] += centre[d];
        assert_true(fabs(rl_triangles_distance(t, p, 10.0) - exact) <= off);
    }
    assert_int_equal(t->info.open_edges, 0);
    assert_int_equal(t->info.vertices, 39 * 60 + 2);
    assert_int_equal(t->info.triangles, 2 * 38 * 60 + 2 * 60);
    const double volume = 4.0 / 3.0 * PI * radius * radius * radius;
    assert_true(t->info.volume < volume && t->info.volume > volume * pow(1.0 - off / radius, 3.0));
    assert_true(fabs(t->info.low[2] - 3.0) < 1e-6 && fabs(t->info.high[0] - 5.0) < 1e-6);
}

TEST(distances_to_a_torus_are_those_of_a_search_through_all_triangles)
{
    add_torus(empty(&scratch), 1.0, 0.4, 24, 48);
    SCOPED(rill_triangles) *t = make(&scratch);
    for (int k = 0; k < 3000; k++) {
        double p[3];
        random_point(k, 1.6, p);
        const double ring = sqrt(p[0] * p[0] + p[1] * p[1]) - 1.0;
        const double exact = sqrt(ring * ring + p[2] * p[2]) - 0.4;
        const double found = rl_triangles_distance(t, p, 10.0);
        assert_true(fabs(fabs(found) - distance_to_all(&scratch, p)) < 1e-13);
        if (fabs(exact) > 0.02) // the triangles cut off up to 0.4 (1 - cos(pi/24)) + 1.4 (..48)
            assert_true((found < 0.0) == (exact < 0.0));
    }
}

TEST(beyond_the_band_the_distance_is_cut_off_and_the_sign_stays)
{
    add_cube(empty(&scratch), 0.5, zero);
    SCOPED(rill_triangles) *t = make(&scratch);
    const double far[3] = {0.0, 0.0, 9.0}, near[3] = {0.0, 0.0, 0.6};
    assert_true(rl_triangles_distance(t, far, 0.25) == 0.25);
    assert_true(rl_triangles_distance(t, zero, 0.25) == -0.25);
    assert_true(fabs(rl_triangles_distance(t, near, 0.25) - 0.1) < 1e-14);
}

// ---- Holes -----------------------------------------------------------------------------

// A ball without the triangles around its north pole, down to 15 degrees.
TEST(a_small_hole_changes_signs_only_within_its_own_size)
{
    add_sphere(empty(&scratch), 1.0, zero, 48, 24, 2, 24);
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_int_equal(t->info.open_edges, 48);
    const double pole[3] = {0.0, 0.0, cos(PI / 12.0)}, hole = sin(PI / 12.0);
    int inside_seen = 0;
    for (int k = 0; k < 20000; k++) {
        double p[3];
        random_point(k, 1.3, p);
        const double to[3] = {p[0], p[1], p[2] - pole[2]}, size = sqrt(dot(p, p));
        const double found = rl_triangles_distance(t, p, 10.0);
        if (k % 10 == 0)
            assert_true(fabs(fabs(found) - distance_to_all(&scratch, p)) < 1e-13);
        // Triangles cut off up to 1 - cos(pi/24) of the ball.
        if (sqrt(dot(to, to)) > hole && fabs(size - 1.0) > 0.02) {
            assert_true((found < 0.0) == (size < 1.0));
            inside_seen += size < 1.0;
        }
    }
    assert_true(inside_seen > 2000);
}

// Points on a line through the middle of the hole never come near a triangle on their way in.
TEST(a_line_through_a_hole_finds_the_inside)
{
    add_sphere(empty(&scratch), 1.0, zero, 48, 24, 2, 24);
    SCOPED(rill_triangles) *t = make(&scratch);
    const double starts[2][3] = {{0.01, 0.02, 2.0}, {0.01, 0.02, -2.0}};
    for (int way = 0; way < 2; way++) {
        const double step = way == 0 ? -0.01 : 0.01;
        for (int n = 0; n <= 400; n++) {
            const double z = starts[way][2] + n * step;
            const double p[3] = {starts[way][0], starts[way][1], z};
            const double found = rl_triangles_distance(t, p, 0.08);
            if (z > 1.2 || z < -1.02)
                assert_true(found > 0.0);
            else if (z > -0.98 && z < 0.7)
                assert_true(found < 0.0);
        }
    }
}

TEST(seams_that_are_apart_by_rounding_do_no_harm)
{
    add_sphere(empty(&other), 1.0, zero, 32, 16, 0, 16);
    empty(&scratch);
    for (size_t k = 0; k < other.index_count; k++) {
        const float *v = other.vertices + 3 * other.indices[k];
        const double noise = 1e-5 * (double)rl_random_unit(1, 2, k);
        add_vertex(&scratch, (double)v[0] + noise, (double)v[1] + noise, (double)v[2] - noise);
        scratch.indices[k] = (uint32_t)k;
    }
    scratch.index_count = other.index_count;
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_true(t->info.open_edges > 2000);
    for (int k = 0; k < 2000; k++) {
        double p[3];
        random_point(k, 1.3, p);
        const double size = sqrt(dot(p, p));
        if (fabs(size - 1.0) > 0.03) // 1 - cos(pi/16), and the noise
            assert_true((rl_triangles_distance(t, p, 1.0) < 0.0) == (size < 1.0));
    }
}

// ---- Which way triangles face ----------------------------------------------------------

TEST(a_mesh_inside_out_is_the_same_solid_with_a_negative_volume)
{
    add_cube(empty(&scratch), 0.5, zero);
    turn_inside_out(&scratch, 0);
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_true(fabs(t->info.volume + 1.0) < 1e-12);
    assert_true(fabs(rl_triangles_distance(t, zero, 1.0) + 0.5) < 1e-14);
}

TEST(a_mesh_inside_out_may_have_holes_and_cavities)
{
    add_sphere(empty(&scratch), 1.0, zero, 48, 24, 2, 24);
    turn_inside_out(&scratch, 0);
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_true(t->info.volume < -3.9 && rl_triangles_distance(t, zero, 9.0) < -0.9);
    rill_triangles_destroy(&t);

    add_cube(empty(&scratch), 0.5, zero); // the cavity
    const size_t small = scratch.index_count;
    add_cube(&scratch, 1.0, zero);
    turn_inside_out(&scratch, small);
    t = make(&scratch);
    const double wall[3] = {0.75, 0.0, 0.0};
    assert_true(fabs(t->info.volume + 7.0) < 1e-12);
    assert_true(fabs(rl_triangles_distance(t, zero, 9.0) - 0.5) < 1e-14);
    assert_true(fabs(rl_triangles_distance(t, wall, 9.0) + 0.25) < 1e-14);
}

TEST(single_triangles_that_face_the_wrong_way_are_turned)
{
    add_sphere(empty(&scratch), 1.0, zero, 24, 12, 0, 12);
    for (size_t k = 0; k < scratch.index_count; k += 30) { // every tenth
        const uint32_t aside = scratch.indices[k];
        scratch.indices[k] = scratch.indices[k + 1];
        scratch.indices[k + 1] = aside;
    }
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_true(t->closed && t->info.volume > 3.9);
    for (int k = 0; k < 2000; k++) {
        double p[3];
        random_point(k, 1.3, p);
        const double size = sqrt(dot(p, p));
        if (fabs(size - 1.0) > 0.05)
            assert_true((rl_triangles_distance(t, p, 1.0) < 0.0) == (size < 1.0));
    }
}

TEST(a_part_inside_out_is_turned_and_a_cavity_stays_one)
{
    const double aside[3] = {3.0, 0.0, 0.0};
    add_cube(empty(&scratch), 1.0, zero);
    const size_t big = scratch.index_count;
    add_cube(&scratch, 0.5, zero); // turned inwards: a cavity
    add_cube(&scratch, 0.5, aside);
    turn_inside_out(&scratch, big);
    SCOPED(rill_triangles) *t = make(&scratch);
    const double wall[3] = {0.75, 0.0, 0.0};
    assert_true(fabs(rl_triangles_distance(t, zero, 9.0) - 0.5) < 1e-14);
    assert_true(fabs(rl_triangles_distance(t, wall, 9.0) + 0.25) < 1e-14);
    assert_true(fabs(rl_triangles_distance(t, aside, 9.0) + 0.5) < 1e-14);
}

TEST(parts_that_overlap_are_one_solid)
{
    const double right[3] = {0.7, 0.0, 0.0};
    add_sphere(empty(&scratch), 1.0, zero, 40, 24, 0, 24);
    add_sphere(&scratch, 1.0, right, 40, 24, 0, 24);
    SCOPED(rill_triangles) *t = make(&scratch);
    for (int k = 0; k < 5000; k++) {
        double p[3];
        random_point(k, 2.0, p);
        const double to[3] = {p[0] - 0.7, p[1], p[2]};
        const double exact = fmin(sqrt(dot(p, p)), sqrt(dot(to, to))) - 1.0;
        const double found = rl_triangles_distance(t, p, 9.0);
        if (fabs(exact) > 0.02)
            assert_true((found < 0.0) == (exact < 0.0));
        if (exact > 0.02)
            assert_true(fabs(found - exact) < 0.02);
    }
}

// ---- Making it sound -------------------------------------------------------------------

TEST(equal_vertices_are_welded_and_triangles_without_area_dropped)
{
    add_cube(empty(&other), 0.5, zero);
    empty(&scratch);
    for (size_t k = 0; k < other.index_count; k++) {
        const float *v = other.vertices + 3 * other.indices[k];
        add_vertex(&scratch, (double)v[0], (double)v[1], (double)v[2]);
        scratch.indices[k] = (uint32_t)k;
    }
    scratch.index_count = other.index_count;
    add_vertex(&scratch, 7.0, 7.0, 7.0); // belongs to no triangle with an area
    add_triangle(&scratch, 0, 0, 1);
    add_triangle(&scratch, 36, 36, 36);
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_int_equal(t->info.triangles, 12);
    assert_int_equal(t->info.open_edges, 0);
    assert_true(t->info.high[0] == 0.5);
}

// An edge of the cube is split on one side only and a triangle on one line closes the seam.
TEST(a_triangle_on_one_line_may_close_a_seam)
{
    add_cube(empty(&scratch), 0.5, zero);
    // The first triangle is 0 2 3; its edge 2 3 gets a vertex in the middle.
    add_vertex(&scratch, 0.0, 0.5, -0.5);
    scratch.indices[2] = 8;
    add_triangle(&scratch, 0, 8, 3);
    add_triangle(&scratch, 2, 3, 8);
    SCOPED(rill_triangles) *t = make(&scratch);
    assert_true(t->closed);
    assert_int_equal(t->info.triangles, 13);
    assert_true(fabs(rl_triangles_distance(t, zero, 9.0) + 0.5) < 1e-14);
}

// ---- What is refused -------------------------------------------------------------------

TEST(a_mesh_that_is_more_open_than_closed_is_refused_with_its_counts)
{
    add_sphere(empty(&scratch), 1.0, zero, 48, 24, 12, 24); // a bowl: the lower half
    expect_refused(&scratch, "48 of its 1680 edges are open");
    assert_sentence_has("more open than closed");
    add_sphere(empty(&scratch), 1.0, zero, 48, 24, 6, 18); // a tube
    expect_refused(&scratch, "96 of its ");
    assert_sentence_has("more open than closed");
}

TEST(a_flat_mesh_is_refused)
{
    empty(&scratch);
    add_vertex(&scratch, 0.0, 0.0, 0.0);
    add_vertex(&scratch, 1.0, 0.0, 0.0);
    add_vertex(&scratch, 1.0, 1.0, 0.0);
    add_vertex(&scratch, 0.0, 1.0, 0.0);
    add_quad(&scratch, 0, 1, 2, 3);
    expect_refused(&scratch, "encloses no volume");
    add_quad(&scratch, 3, 2, 1, 0);
    expect_refused(&scratch, "encloses no volume");
}

TEST(an_empty_mesh_is_refused)
{
    expect_refused(empty(&scratch), "is empty");
    add_cube(&scratch, 0.0, zero);
    expect_refused(&scratch, "is empty: none of its triangles has an area");
    add_cube(empty(&scratch), 0.5, zero);
    for (size_t v = 0; v < scratch.vertex_count; v++)
        scratch.vertices[3 * v + 1] = scratch.vertices[3 * v + 2] = 0.0f; // on a line
    expect_refused(&scratch, "is empty: none of its triangles has an area");
}

TEST(broken_arrays_are_refused_with_the_place)
{
    add_cube(empty(&scratch), 0.5, zero);
    scratch.indices[16] = 8;
    expect_refused(&scratch, "triangle 5 names vertex 8, there are 8");
    scratch.indices[16] = 0;
    scratch.index_count--;
    expect_refused(&scratch, "35 indices do not make triangles");
    scratch.index_count++;
    scratch.vertices[3 * 4 + 1] = NAN;
    expect_refused(&scratch, "coordinate y of vertex 4 is");
    scratch.vertices[3 * 4 + 1] = HUGE_VALF;
    expect_refused(&scratch, "coordinate y of vertex 4 is inf");
    scratch.vertices[3 * 4 + 1] = 2e9f;
    expect_refused(&scratch, "coordinate y of vertex 4 is 2e+09");
}

TEST(without_memory_nothing_is_left_behind)
{
    add_cube(empty(&scratch), 0.5, zero);
    rill_triangles *t = NULL;
    for (int fail_at = 1; t == NULL; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        const rill_status status =
            rill_triangles_create(scratch.vertices, scratch.vertex_count, scratch.indices,
                                  scratch.index_count, &host, &t);
        assert_true((status == RILL_OK) == (t != NULL));
        if (status != RILL_OK)
            assert_int_equal(status, RILL_NO_MEMORY);
        else
            assert_true(fail_at > 8);
        // A tree that cannot be shrunk stays large, which is no failure.
        rill_triangles *done = t;
        rill_triangles_destroy(&done);
        assert_int_equal(count.bytes, 0);
        assert_true(fail_at < 100);
    }
}
