// SPDX-License-Identifier: MIT
// test_solid_trim.c - a solid ground is cut off at the sides of the world and closed there: the
// result has no open edge but its foot, holds exactly what the solid holds, and rays meet it.
#include "render/frame/frame_data_solid.h"
#include "render/ground/solid_trim.h"
#include "tests/kit/kit.h"
#include "tests/render/models/solid_model.h"

#define SIDE 16
#define CELL 0.25
#define EDGE (SIDE * CELL) // 4 m

// ---- Shapes ----------------------------------------------------------------------------

static double sphere(const double p[3], double x, double y, double z, double radius)
{
    const double d[3] = {p[0] - x, p[1] - y, p[2] - z};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - radius;
}

static double flat(const double p[3])
{
    return p[2] - 1.1;
}

// A tunnel along y, round, through a block: it opens on the southern and the northern side.
static double tunnel(const double p[3])
{
    const double x = p[0] - 2.0, z = p[2] - 1.5;
    return fmax(p[2] - 3.1, 0.8 - sqrt(x * x + z * z));
}

// A ball that hangs over the western side, above the ground and not touching it.
static double hanging(const double p[3])
{
    return fmin(p[2] - 0.6, sphere(p, 0.0, 2.0, 2.2, 0.9));
}

// A wall that stands upright on the floor.
static double wall_at;

static double wall(const double p[3])
{
    const double upright = fmax(fmax(wall_at - p[0], p[2] - 3.075), 0.85 - p[2]);
    return fmin(p[2] - 1.175, upright);
}

// ---- Measures --------------------------------------------------------------------------

static void corner(const solid_mesh *m, size_t n, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)m->vertices[m->indices[n]].position[k];
}

// Volume between the triangles and the plane of the foot, by the divergence theorem: triangles on
// the open bottom would add nothing.
static double volume_above(const solid_mesh *m, double foot)
{
    double sum = 0.0;
    for (size_t n = 0; n < m->index_count; n += 3) {
        double a[3], b[3], c[3];
        corner(m, n, a);
        corner(m, n + 1, b);
        corner(m, n + 2, c);
        const double level = ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2.0;
        sum += level * ((a[2] + b[2] + c[2]) / 3.0 - foot);
    }
    return sum;
}

// Area of the cut faces that look along `axis`, in the direction of `sign`.
static double cut_area(const solid_mesh *m, int axis, double sign)
{
    double sum = 0.0;
    for (size_t n = 0; n < m->index_count; n += 3) {
        const frame_ground *v = &m->vertices[m->indices[n]];
        if (v->openness != -32767 || sign * (double)v->normal[axis] < 1.0)
            continue;
        double a[3], b[3], c[3];
        corner(m, n, a);
        corner(m, n + 1, b);
        corner(m, n + 2, c);
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        const double area =
            ((b[p] - a[p]) * (c[q] - a[q]) - (c[p] - a[p]) * (b[q] - a[q])) / 2.0 * sign;
        assert_true(area > -1e-9); // counter-clockwise from outside
        sum += area;
    }
    return sum;
}

typedef struct cut {
    solid_model model;
    frame_data picture;
    solid_mesh mesh;
} cut;

static const solid_box box = {0.01f, 0.01f, (float)EDGE - 0.01f, (float)EDGE - 0.01f, -0.5f};

static cut cut_out(solid_model_distance distance)
{
    cut c = {.model = solid_model_make(distance, SIDE, SIDE, CELL, -0.4, 4.0)};
    c.picture.nx = c.picture.ny = SIDE;
    c.picture.cell_size = (float)CELL;
    assert_ok(frame_set_solid(&c.picture, &c.model.mesh));
    assert_ok(solid_trim(&c.picture, &box, &c.mesh));
    return c;
}

static void put_away(cut *c)
{
    free(c->picture.ground_vertices);
    free(c->picture.ground_indices);
    free(c->picture.boxes);
    solid_mesh_free(&c->mesh);
    solid_model_free(&c->model);
}

static void assert_near_by_part(double got, double wanted, double part)
{
    assert_near(got, wanted, part * fabs(wanted));
}

// ---- Tests -----------------------------------------------------------------------------

static const double wide = EDGE - 0.02;

TEST(everything_lies_within_the_box)
{
    static const solid_model_distance shapes[] = {flat, tunnel, hanging};
    for (int k = 0; k < 3; k++) {
        cut c = cut_out(shapes[k]);
        for (size_t n = 0; n < c.mesh.index_count; n++) {
            const float *p = c.mesh.vertices[c.mesh.indices[n]].position;
            assert_true(p[0] >= box.west && p[0] <= box.east);
            assert_true(p[1] >= box.south && p[1] <= box.north);
            assert_true(p[2] >= box.foot);
        }
        put_away(&c);
    }
}

TEST(flat_ground_gets_four_rectangles)
{
    cut c = cut_out(flat);
    for (int axis = 0; axis < 2; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            assert_near_by_part(cut_area(&c.mesh, axis, sign), 1.6 * wide, 1e-4);
    assert_near_by_part(volume_above(&c.mesh, -0.5), 1.6 * wide * wide, 1e-4);
    put_away(&c);
}

TEST(a_tunnel_stays_open_at_both_ends)
{
    const double hole = 3.14159265358979 * 0.8 * 0.8, face = 3.6 * wide;
    cut c = cut_out(tunnel);
    // A circle of chords: the polygon's area is smaller by about (cell / radius)^2 / 6.
    assert_near_by_part(cut_area(&c.mesh, 1, -1.0), face - hole, 0.02);
    assert_near_by_part(cut_area(&c.mesh, 1, 1.0), face - hole, 0.02);
    assert_near_by_part(cut_area(&c.mesh, 0, 1.0), face, 1e-4);
    assert_near_by_part(volume_above(&c.mesh, -0.5), (face - hole) * wide, 0.02);
    put_away(&c);
}

// Length of the southern side on which faces have an edge at elevation `z`.
static double covered(const solid_mesh *m, double z)
{
    double sum = 0.0;
    for (size_t n = 0; n < m->index_count; n += 3) {
        double at[3][3];
        for (size_t k = 0; k < 3; k++)
            corner(m, n + k, at[k]);
        if (m->vertices[m->indices[n]].normal[1] != -32767 || at[0][1] > 1.0)
            continue;
        for (int k = 0; k < 3; k++) {
            const double *a = at[k], *b = at[(k + 1) % 3];
            if (fabs(a[2] - z) < 1e-5 && fabs(b[2] - z) < 1e-5)
                sum += fabs(b[0] - a[0]);
        }
    }
    return sum;
}

// Strips beside an upright edge are as thin as rounding; none of them may be missing.
TEST(an_upright_wall_leaves_no_gap)
{
    for (int k = 0; k < 60; k++) {
        wall_at = 1.8 + 0.0047 * k;
        cut c = cut_out(wall);
        const double low = wall_at - 0.01, face = 1.675 * low + 3.575 * (wide - low);
        assert_near_by_part(cut_area(&c.mesh, 1, -1.0), face, 5e-3);
        assert_near_by_part(covered(&c.mesh, -0.5), wide, 1e-5);
        put_away(&c);
    }
}

static double bore_at, bore;

static double bored(const double p[3])
{
    const double x = p[0] - bore_at, z = p[2] - 1.5;
    return fmax(p[2] - 3.1, bore - sqrt(x * x + z * z));
}

// At both sides of a round opening its floor and its ceiling meet in strips as thin.
TEST(the_sides_of_a_round_opening_leave_no_gap)
{
    for (int k = 0; k < 60; k++) {
        bore_at = 1.9 + 0.0047 * k;
        bore = 0.7 + 0.0031 * k;
        cut c = cut_out(bored);
        assert_near_by_part(covered(&c.mesh, -0.5), wide, 1e-5);
        assert_near_by_part(covered(&c.mesh, 3.1), wide, 1e-5);
        put_away(&c);
    }
}

TEST(what_hangs_over_the_side_is_closed_and_does_not_reach_the_foot)
{
    cut c = cut_out(hanging);
    const double disc = 3.14159265358979 * 0.9 * 0.9, ground = 1.1 * wide;
    const double half_ball = 2.0 / 3.0 * 3.14159265358979 * 0.9 * 0.9 * 0.9;
    assert_near_by_part(cut_area(&c.mesh, 0, -1.0), ground + disc, 0.02);
    assert_near_by_part(cut_area(&c.mesh, 0, 1.0), ground, 1e-4);
    assert_near_by_part(volume_above(&c.mesh, -0.5), ground * wide + half_ball, 0.02);
    put_away(&c);
}

TEST(a_ray_meets_the_nearest_triangle)
{
    cut c = cut_out(tunnel);
    const double through[3] = {0.0, 1.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    double hit[3];
    assert_false(frame_data_hit(&c.picture, (const double[3]){2.0, -3.0, 1.5}, through, hit));
    assert_true(frame_data_hit(&c.picture, (const double[3]){2.0, 2.0, 1.5}, up, hit));
    assert_true(fabs(hit[2] - 2.3) < 0.02);
    assert_true(frame_data_hit(&c.picture, (const double[3]){2.0, 2.0, 1.5}, down, hit));
    assert_true(fabs(hit[2] - 0.7) < 0.02);
    assert_true(frame_data_hit(&c.picture, (const double[3]){2.0, 2.0, 9.0}, down, hit));
    assert_true(fabs(hit[2] - 3.1) < 1e-4 && fabs(hit[0] - 2.0) < 1e-9);
    assert_false(frame_data_hit(&c.picture, (const double[3]){2.0, 2.0, 9.0}, up, hit));
    put_away(&c);
}

TEST(liquid_before_the_ground_is_met_first)
{
    cut c = cut_out(flat);
    frame_vertex sheet[3] = {{.position = {0.0f, 0.0f, 1.5f}},
                             {.position = {4.0f, 0.0f, 1.5f}},
                             {.position = {0.0f, 4.0f, 1.5f}}};
    uint32_t indices[3] = {0, 1, 2};
    const double down[3] = {0.0, 0.0, -1.0};
    double hit[3];
    c.picture.vertices = sheet;
    c.picture.indices = indices;
    c.picture.vertex_count = c.picture.index_count = 3;
    assert_true(frame_data_hit(&c.picture, (const double[3]){1.0, 1.0, 9.0}, down, hit));
    assert_true(fabs(hit[2] - 1.5) < 1e-9);
    assert_true(frame_data_hit(&c.picture, (const double[3]){3.0, 3.0, 9.0}, down, hit));
    assert_true(fabs(hit[2] - 1.1) < 1e-4);
    put_away(&c);
}

TEST(panes_stand_where_liquid_is_cut_off_in_every_layer)
{
    // Two layers of 4 x 4 cells: the open one wet in its south-west corner, the covered one along
    // the whole southern side.
    float base[32], depth[32] = {0}, zero[32] = {0};
    for (int n = 0; n < 32; n++)
        base[n] = n < 16 ? 2.0f : 0.0f;
    depth[0] = 0.25f;
    for (int i = 0; i < 4; i++)
        depth[16 + i] = 0.5f;
    const rill_columns columns = {.nx = 4,
                                  .ny = 4,
                                  .layers = 2,
                                  .pitch = 4,
                                  .layer_stride = 16,
                                  .cell_size = 1.0f,
                                  .wet_depth = 1e-3f,
                                  .base = base,
                                  .depth = depth,
                                  .velocity_x = zero,
                                  .velocity_y = zero};
    frame_data s = {.nx = 4, .ny = 4, .solid_version = 1};
    assert_ok(frame_fill_panes(&columns, &s));
    // South: one cell and four; west: one and one; east: one of the covered row.
    assert_int_equal(s.pane_count, 6 * 8);
    int high = 0;
    for (size_t n = 0; n < s.pane_count; n++) {
        const frame_pane *p = &s.panes[n];
        assert_true(p->level == 2.25f || p->level == 0.5f);
        high += p->level == 2.25f;
        assert_true(p->position[2] <= p->level);
        assert_true(fabsf(p->facing[0]) + fabsf(p->facing[1]) == 1.0f);
    }
    assert_int_equal(high, 12);
    s.solid_version = 0;
    assert_ok(frame_fill_panes(&columns, &s));
    assert_int_equal(s.pane_count, 0);
    free(s.panes);
}
