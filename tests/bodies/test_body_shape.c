// SPDX-License-Identifier: MIT
// The shapes of bodies: they are closed, face outwards, and hold what the formulas of solid
// geometry say.
#include "bodies/shape/body_shape.h"
#include "tests/kit/kit.h"

#include "rill/rill.h"

#define MAX_VERTICES  512
#define MAX_TRIANGLES 512

static const double PI = 3.14159265358979323846;

typedef struct made {
    float vertices[3 * MAX_VERTICES];
    uint32_t triangles[3 * MAX_TRIANGLES];
    rl_body_mesh mesh;
    rl_body_moments moments;
} made;

static rill_body_def shape_def(rill_body_shape shape)
{
    rill_body_def def = {
        .shape = shape, .size = {3.0, 2.0, 1.25}, .radius = 0.75, .length = 2.5, .cells = {6, 4}};
    return def;
}

static void make(rill_body_def def, made *out)
{
    out->mesh = (rl_body_mesh){0};
    rl_shape_of(&def)->make(&def, &out->mesh);
    assert_in_range(out->mesh.vertex_count, 4, MAX_VERTICES);
    assert_in_range(out->mesh.triangle_count, 4, MAX_TRIANGLES);
    const int vertices = out->mesh.vertex_count, triangles = out->mesh.triangle_count;
    for (int n = 0; n < 3 * MAX_VERTICES; n++)
        out->vertices[n] = 1e30f;
    memset(out->triangles, 0xff, sizeof out->triangles);
    out->mesh = (rl_body_mesh){.vertices = out->vertices, .triangles = out->triangles};
    rl_shape_of(&def)->make(&def, &out->mesh);
    assert_int_equal(out->mesh.vertex_count, vertices);
    assert_int_equal(out->mesh.triangle_count, triangles);
    for (int n = 0; n < 3 * vertices; n++)
        assert_true(fabsf(out->vertices[n]) < 10.0f);
    assert_true(out->vertices[3 * vertices] > 1e29f);
    assert_true(out->triangles[3 * triangles] == UINT32_MAX);
    out->moments = rl_body_measure_mesh(&out->mesh);
}

// The inertia is diagonal, and its diagonal is as expected, to a part of it.
static void assert_inertia(const rl_body_moments *moments, double x, double y, double z,
                           double tolerance)
{
    const double expected[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            assert_near(moments->inertia[3 * k + l], k == l ? expected[k] : 0.0, tolerance * z);
}

// Vertices are floats: what a shape holds is right to a few of their roundings.
#define ROUNDING 1e-6

TEST(a_box_has_the_moments_of_a_box)
{
    made box;
    const rill_body_def def = shape_def(RILL_BODY_BOX);
    make(def, &box);
    assert_int_equal(box.mesh.vertex_count, 8);
    assert_int_equal(box.mesh.triangle_count, 12);
    const double a = def.size[0], b = def.size[1], c = def.size[2], volume = a * b * c;
    assert_near(box.moments.volume, volume, ROUNDING * volume);
    for (int k = 0; k < 3; k++)
        assert_near(box.moments.centre[k], 0.0, ROUNDING);
    assert_inertia(&box.moments, volume * (b * b + c * c) / 12.0, volume * (a * a + c * c) / 12.0,
                   volume * (a * a + b * b) / 12.0, ROUNDING);
}

// At equal volume the second moment of a polyhedron exceeds that of the ball by the square of how
// far its surface lies off it: 162 vertices leave less than 1.5 % of the radius.
TEST(a_sphere_has_the_volume_and_the_inertia_of_a_ball)
{
    made ball;
    const rill_body_def def = shape_def(RILL_BODY_SPHERE);
    make(def, &ball);
    assert_int_equal(ball.mesh.vertex_count, 162);
    const double r = def.radius, volume = 4.0 / 3.0 * PI * r * r * r;
    assert_near(ball.moments.volume, volume, ROUNDING * volume);
    for (int k = 0; k < 3; k++)
        assert_near(ball.moments.centre[k], 0.0, ROUNDING);
    const double inertia = 0.4 * volume * r * r;
    assert_inertia(&ball.moments, inertia, inertia, inertia, 1e-3);
    for (int n = 0; n < ball.mesh.vertex_count; n++) {
        const float *v = ball.vertices + 3 * n;
        const double distance = sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        assert_near(distance, r, 0.015 * r);
    }
}

TEST(a_cylinder_has_the_moments_of_a_cylinder)
{
    made barrel;
    const rill_body_def def = shape_def(RILL_BODY_CYLINDER);
    make(def, &barrel);
    const double r = def.radius, length = def.length, volume = PI * r * r * length;
    assert_near(barrel.moments.volume, volume, ROUNDING * volume);
    for (int k = 0; k < 3; k++)
        assert_near(barrel.moments.centre[k], 0.0, ROUNDING);
    const double across = volume * (3.0 * r * r + length * length) / 12.0;
    assert_inertia(&barrel.moments, across, across, 0.5 * volume * r * r, 1e-3);
}

// A boat of 3 x 2 x 1.25: it fills its box from end to end, more than a wedge and less than a box
// would; port and starboard mirror each other; the bow is forward and the deck is wider than the
// bottom.
TEST(a_hull_fills_its_box_and_has_two_equal_sides)
{
    made boat;
    const rill_body_def def = shape_def(RILL_BODY_HULL);
    make(def, &boat);
    double low[3] = {9.0, 9.0, 9.0}, high[3] = {-9.0, -9.0, -9.0};
    for (int n = 0; n < boat.mesh.vertex_count; n++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], (double)boat.vertices[3 * n + k]);
            high[k] = fmax(high[k], (double)boat.vertices[3 * n + k]);
        }
    for (int k = 0; k < 3; k++) {
        assert_near(low[k], -0.5 * def.size[k], ROUNDING);
        assert_near(high[k], 0.5 * def.size[k], ROUNDING);
    }
    const double box = def.size[0] * def.size[1] * def.size[2];
    assert_true(boat.moments.volume > box / 3.0 && boat.moments.volume < 0.75 * box);
    assert_near(boat.moments.centre[1], 0.0, ROUNDING);
    assert_near(boat.moments.inertia[1], 0.0, ROUNDING);
    assert_near(boat.moments.inertia[5], 0.0, ROUNDING);
    assert_true(boat.moments.centre[0] < -0.02 * def.size[0]); // fuller aft
    int at_bow = 0, at_stern = 0;
    for (int n = 0; n < boat.mesh.vertex_count; n++) {
        at_bow += boat.vertices[3 * n] > 0.49f * (float)def.size[0];
        at_stern += boat.vertices[3 * n] < -0.49f * (float)def.size[0];
    }
    assert_true(at_stern == 9 && at_bow < 3); // a flat transom, a stem
}

TEST(a_sheet_is_flat_with_its_first_vertex_at_a_corner)
{
    made sheet;
    make(shape_def(RILL_BODY_SHEET), &sheet);
    assert_int_equal(sheet.mesh.vertex_count, 7 * 5);
    assert_int_equal(sheet.mesh.triangle_count, 2 * 6 * 4);
    assert_near((double)sheet.vertices[0], -1.5, 0.0);
    assert_near((double)sheet.vertices[1], -1.0, 0.0);
    assert_near((double)sheet.vertices[3 * 34], 1.5, 0.0);
    assert_near((double)sheet.vertices[3 * 34 + 1], 1.0, 0.0);
    double area = 0.0;
    for (int n = 0; n < sheet.mesh.triangle_count; n++) {
        const uint32_t *t = sheet.triangles + 3 * n;
        const float *a = sheet.vertices + 3 * t[0], *b = sheet.vertices + 3 * t[1],
                    *c = sheet.vertices + 3 * t[2];
        const float twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert_true(twice > 0.0f && a[2] == 0.0f);
        area += 0.5 * (double)twice;
    }
    assert_near(area, 6.0, 1e-5);
}

TEST(all_solid_shapes_are_closed_and_face_outwards)
{
    for (int shape = RILL_BODY_BOX; shape <= RILL_BODY_HULL; shape++) {
        made solid;
        make(shape_def((rill_body_shape)shape), &solid);
        assert_ok(rl_body_check_closed(&solid.mesh, NULL));
        assert_true(solid.moments.volume > 0.0);
    }
}

// The same box 100 m away has the same moments about its centre.
TEST(moments_do_not_depend_on_where_a_mesh_lies)
{
    made box, moved;
    rill_body_def def = shape_def(RILL_BODY_BOX);
    make(def, &box);
    moved = box;
    for (int n = 0; n < 8; n++)
        moved.vertices[3 * n + 1] += 100.0f;
    moved.mesh.vertices = moved.vertices;
    const rl_body_moments moments = rl_body_measure_mesh(&moved.mesh);
    assert_near(moments.volume, box.moments.volume, 1e-9);
    assert_near(moments.centre[1], 100.0, 1e-9);
    for (int k = 0; k < 9; k++)
        assert_near(moments.inertia[k], box.moments.inertia[k], 1e-9);
}

TEST(a_mesh_is_copied_as_it_is)
{
    made box, copy;
    rill_body_def def = shape_def(RILL_BODY_BOX);
    make(def, &box);
    def.shape = RILL_BODY_MESH;
    def.vertices = box.vertices;
    def.triangles = box.triangles;
    def.vertex_count = 8;
    def.triangle_count = 12;
    make(def, &copy);
    assert_memory_equal(copy.vertices, box.vertices, 8 * 3 * sizeof(float));
    assert_memory_equal(copy.triangles, box.triangles, 12 * 3 * sizeof(uint32_t));
}

static void assert_refused(const rl_body_mesh *mesh, const char *words)
{
    assert_int_equal(rl_body_check_closed(mesh, NULL), RILL_BAD_DEF);
    if (!strstr(rill_last_error(), words))
        fail_msg("\"%s\" does not say \"%s\"", rill_last_error(), words);
}

TEST(an_open_mesh_is_refused_with_words)
{
    made box, sheet;
    make(shape_def(RILL_BODY_BOX), &box);
    make(shape_def(RILL_BODY_SHEET), &sheet);
    assert_refused(&sheet.mesh, "not closed");
    made broken = box;
    broken.mesh.vertices = broken.vertices;
    broken.mesh.triangles = broken.triangles;
    broken.mesh.triangle_count = 11; // without the last one, (1, 7, 5)
    assert_refused(&broken.mesh, "the edge from vertex 1 to vertex 5");
    broken.mesh.triangle_count = 12;
    const uint32_t turned = broken.triangles[33];
    broken.triangles[33] = broken.triangles[34];
    broken.triangles[34] = turned;
    assert_refused(&broken.mesh, "in the same direction");
    broken.triangles[33] = 8;
    assert_refused(&broken.mesh, "vertex 8, and there are 8");
    broken.triangles[33] = broken.triangles[34];
    assert_refused(&broken.mesh, "same vertex twice");
    broken.mesh.triangle_count = 3;
    assert_refused(&broken.mesh, "at least four");
}

TEST(every_shape_has_a_name_of_its_own_and_fields)
{
    for (int n = 0; n < RILL_BODY_SHAPE_COUNT; n++) {
        const rill_body_shape_info *info = rill_body_shape_get((rill_body_shape)n);
        assert_non_null(info);
        assert_true(info->name[0] != '\0' && info->fields != 0);
        for (int k = 0; k < n; k++)
            assert_string_not_equal(info->name, rill_body_shape_get((rill_body_shape)k)->name);
    }
    assert_null(rill_body_shape_get(RILL_BODY_SHAPE_COUNT));
}
