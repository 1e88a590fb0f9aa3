// SPDX-License-Identifier: MIT
// test_solid.c - ground as a distance field: shapes and how they combine.
#include "tests/kit/kit.h"
#include "tests/terrain/distances.h"
#include "tests/terrain/plates.h"

#include "terrain/sdf/solid_internal.h"
#include "terrain/sdf/triangles.h"
#include "tests/kit/counting_host.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ROOT_HALF    0.70710678118654752

static float ramp[6 * 5];

// Heights rise by 0.5 per metre in x and fall by 0.25 in y.
static rill_sdf_primitive ramp_shape(void)
{
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 6; i++)
            ramp[j * 6 + i] = (float)(0.5 * 0.5 * i - 0.25 * 0.5 * j);
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_HEIGHTS);
    shape.heights = (rill_field_view){ramp, 6, 5, 6};
    shape.heights_cell = 0.5;
    return shape;
}

static double random_part(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) * 0x1p-24;
}

// Shapes of all kinds but mesh and heights, with edges round and sharp.
static int known_shapes(rill_sdf_primitive shapes[16])
{
    int n = 0;
    for (int kind = RILL_SDF_BOX; kind <= RILL_SDF_PLANE; kind++) {
        shapes[n] = rill_default_sdf_primitive((rill_sdf_kind)kind);
        shapes[n].size[0] = 1.5;
        shapes[n].size[2] = 0.75;
        n++;
        if (kind != RILL_SDF_BOX && kind != RILL_SDF_CYLINDER && kind != RILL_SDF_CONE)
            continue;
        shapes[n] = shapes[n - 1];
        shapes[n++].rounding = 0.15;
    }
    shapes[n] = rill_default_sdf_primitive(RILL_SDF_CONE);
    shapes[n].radius_top = 0.0;
    n++;
    shapes[n] = shapes[n - 1];
    shapes[n++].rounding = 0.1;
    shapes[n] = rill_default_sdf_primitive(RILL_SDF_CONE);
    shapes[n].radius = 0.0;
    shapes[n].radius_top = 0.4;
    shapes[n++].rounding = 0.05;
    return n;
}

// ---- Distances -------------------------------------------------------------------------

typedef struct known {
    rill_sdf_kind kind;
    double point[3], distance;
} known;

// Default sizes: size 1, radius 0.5, radius_top 0.25, tube 0.1, length 1.
static const known knowns[] = {
    {RILL_SDF_BOX, {0, 0, 0}, -0.5},
    {RILL_SDF_BOX, {0.4, 0.1, 0}, -0.1},
    {RILL_SDF_BOX, {0.9, 0.8, 0.2}, 0.5},
    {RILL_SDF_BOX, {0.7, -0.8, 1.1}, 0.7},
    {RILL_SDF_SPHERE, {0.3, 0.0, 0.4}, 0.0},
    {RILL_SDF_SPHERE, {0, 0, 0}, -0.5},
    {RILL_SDF_SPHERE, {2, 3, 6}, 6.5},
    {RILL_SDF_CAPSULE, {0, 0, 1.25}, 0.25},
    {RILL_SDF_CAPSULE, {0.7, 0, -0.3}, 0.2},
    {RILL_SDF_CAPSULE, {0.6, 0, 1.3}, 0.5},
    {RILL_SDF_CAPSULE, {0.1, 0, 0.2}, -0.4},
    {RILL_SDF_CYLINDER, {0, 0.8, 0.9}, 0.5},
    {RILL_SDF_CYLINDER, {0, 0.3, 0.45}, -0.05},
    {RILL_SDF_CYLINDER, {0, 0.4, 0}, -0.1},
    {RILL_SDF_CYLINDER, {0.1, 0.1, -0.7}, 0.2},
    {RILL_SDF_CONE, {0, 0, -0.75}, 0.25},
    {RILL_SDF_CONE, {0.1, 0, 0.75}, 0.25},
    {RILL_SDF_CONE, {0.0, 0.8, -0.9}, 0.5},
    {RILL_SDF_CONE, {0.0, 0.1, 0.45}, -0.05},
    {RILL_SDF_CONE, {0.375, 0, 0}, 0.0},
    {RILL_SDF_TORUS, {0, 0, 0}, 0.4},
    {RILL_SDF_TORUS, {0.5, 0, 0}, -0.1},
    {RILL_SDF_TORUS, {0, 0.8, 0.4}, 0.4},
    {RILL_SDF_PLANE, {7, -8, 0.3}, 0.3},
    {RILL_SDF_PLANE, {7, -8, -3.0}, -3.0},
};

TEST(distances_are_those_of_geometry)
{
    for (int n = 0; n < COUNT(knowns); n++) {
        const rill_sdf_primitive shape = rill_default_sdf_primitive(knowns[n].kind);
        const double d = distance_to(&shape, knowns[n].point);
        if (!(fabs(d - knowns[n].distance) < 1e-14))
            fail_msg("point %d of shape %d: %.17g", n, (int)knowns[n].kind, d);
    }
}

TEST(rounded_edges_lie_on_a_ball)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX);
    box.rounding = 0.2; // corner balls around (0.3, 0.3, 0.3)
    const double out[3] = {0.5, 0.7, 0.7}, face[3] = {0.9, 0.1, 0.0};
    assert_true(fabs(distance_to(&box, out) - (0.6 - 0.2)) < 1e-14);
    assert_true(fabs(distance_to(&box, face) - 0.4) < 1e-14);
    rill_sdf_primitive cylinder = rill_default_sdf_primitive(RILL_SDF_CYLINDER);
    cylinder.rounding = 0.1; // ring around radius 0.4, height 0.4
    const double edge[3] = {0.0, 0.7, 0.8};
    assert_true(fabs(distance_to(&cylinder, edge) - (0.5 - 0.1)) < 1e-14);
    // The steepest ball that fits a pointed cone: nothing but a ball is left.
    rill_sdf_primitive cone = rill_default_sdf_primitive(RILL_SDF_CONE);
    cone.radius = 0.75;
    cone.radius_top = 0.0;
    cone.rounding = 0.375; // 0.75 * 1 / (1.25 + 0.75)
    assert_ok(rill_sdf_primitive_check(&cone, RILL_COMBINE_UNION, 0.0));
    const double points[2][3] = {{1.0, 0.0, -0.125}, {0.0, 0.0, 0.4}};
    assert_true(fabs(distance_to(&cone, points[0]) - 0.625) < 1e-12);
    assert_true(fabs(distance_to(&cone, points[1]) - 0.15) < 1e-12);
}

// A true distance has slope 1 nearly everywhere, and the foot of the way is on the surface.
TEST(the_way_along_the_slope_ends_on_the_surface)
{
    rill_sdf_primitive shapes[16];
    const int count = known_shapes(shapes);
    const double h = 1e-6;
    uint32_t seed = 7;
    for (int n = 0; n < count; n++) {
        assert_ok(rill_sdf_primitive_check(&shapes[n], RILL_COMBINE_UNION, 0.0));
        int on_surface = 0;
        for (int m = 0; m < 400; m++) {
            double p[3], slope[3], square = 0.0;
            for (int a = 0; a < 3; a++)
                p[a] = 3.0 * random_part(&seed) - 1.5;
            const double d = distance_to(&shapes[n], p);
            for (int a = 0; a < 3; a++) {
                double low[3] = {p[0], p[1], p[2]}, high[3] = {p[0], p[1], p[2]};
                low[a] -= h;
                high[a] += h;
                slope[a] =
                    (distance_to(&shapes[n], high) - distance_to(&shapes[n], low)) / (2.0 * h);
                square += slope[a] * slope[a];
            }
            assert_true(square < 1.0 + 1e-4);
            for (int a = 0; a < 3; a++)
                p[a] -= d * slope[a];
            on_surface += fabs(distance_to(&shapes[n], p)) < 1e-4;
        }
        assert_true(on_surface >= 396); // a point may lie as far from two faces
    }
}

TEST(a_transformed_shape_moves_its_distances_along)
{
    rill_sdf_primitive shapes[16];
    const int count = known_shapes(shapes);
    uint32_t seed = 3;
    // Turned by 90 degrees about x: what was up points to -y.
    const double turn[4] = {ROOT_HALF, 0.0, 0.0, ROOT_HALF};
    for (int n = 0; n < count; n++) {
        rill_sdf_primitive moved = shapes[n];
        memcpy(moved.rotation, turn, sizeof turn);
        moved.scale = 2.5;
        set3(moved.position, 3.0, -1.0, 0.25);
        for (int m = 0; m < 50; m++) {
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = 3.0 * random_part(&seed) - 1.5;
            const double q[3] = {3.0 + 2.5 * p[0], -1.0 - 2.5 * p[2], 0.25 + 2.5 * p[1]};
            assert_true(fabs(distance_to(&moved, q) - 2.5 * distance_to(&shapes[n], p)) < 1e-12);
        }
    }
    rill_sdf_primitive box =
        rill_default_sdf_primitive(RILL_SDF_BOX); // a rotation of length 1.0005 is normalised
    const double p[3] = {0.9, 0.8, 0.2};
    box.rotation[3] = 1.0005;
    assert_true(fabs(distance_to(&box, p) - 0.5) < 1e-14);
}

TEST(heights_give_the_distance_to_their_slope)
{
    const rill_sdf_primitive shape = ramp_shape();
    const double cosine = 1.0 / sqrt(1.0 + 0.25 + 0.0625);
    const double inside[3] = {1.1, 0.9, 0.4}, beyond[3] = {-4.0, 99.0, 1.0};
    const double height = 0.5 * (1.1 - 0.25) - 0.25 * (0.9 - 0.25);
    assert_true(fabs(distance_to(&shape, inside) - (0.4 - height) * cosine) < 1e-7);
    // Beyond the map its edge goes on: the height of the corner, -0.5, slope as in the last cell.
    assert_true(fabs(distance_to(&shape, beyond) - 1.5 * cosine) < 1e-7);
    rill_sdf_primitive one = shape; // a single height is a plane
    one.heights = (rill_field_view){&ramp[5], 1, 1, 1};
    assert_true(fabs(distance_to(&one, beyond) - (1.0 - (double)ramp[5])) < 1e-12);
}

static rill_triangles *make_cube(void)
{
    float vertices[24];
    for (int n = 0; n < 8; n++)
        for (int a = 0; a < 3; a++)
            vertices[3 * n + a] = (n >> a & 1) ? 0.5f : -0.5f;
    static const uint32_t indices[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    rill_triangles *cube = NULL;
    assert_ok(rill_triangles_create(vertices, 8, indices, 36, NULL, &cube));
    return cube;
}

TEST(a_cube_of_triangles_is_a_box)
{
    rill_sdf_primitive mesh = rill_default_sdf_primitive(RILL_SDF_MESH),
                       box = rill_default_sdf_primitive(RILL_SDF_BOX);
    SCOPED(rill_triangles) *cube = make_cube();
    mesh.triangles = cube;
    mesh.scale = box.scale = 0.5;
    mesh.position[0] = box.position[0] = 0.125;
    uint32_t seed = 11;
    double low[2][3], high[2][3];
    rl_sdf_primitive_bounds(&mesh, low[0], high[0]);
    rl_sdf_primitive_bounds(&box, low[1], high[1]);
    assert_memory_equal(low[0], low[1], sizeof low[0]);
    assert_memory_equal(high[0], high[1], sizeof high[0]);
    for (int n = 0; n < 200; n++) {
        const double p[3] = {random_part(&seed) - 0.5, random_part(&seed) - 0.5,
                             random_part(&seed) - 0.5};
        assert_true(fabs(distance_to(&mesh, p) - distance_to(&box, p)) < 1e-6);
    }
}

TEST(a_shape_lies_within_its_bounds)
{
    rill_sdf_primitive shapes[16];
    int count = known_shapes(shapes);
    shapes[count++] = ramp_shape();
    uint32_t seed = 5;
    for (int n = 0; n < count; n++)
        for (int turned = 0; turned < 2; turned++) {
            if (turned) {
                const double q[4] = {0.5, -0.1, 0.7, 0.5};
                memcpy(shapes[n].rotation, q, sizeof q);
                shapes[n].position[1] = 0.5;
            }
            double low[3], high[3];
            rl_sdf_primitive_bounds(&shapes[n], low, high);
            for (int m = 0; m < 500; m++) {
                double p[3];
                for (int a = 0; a < 3; a++)
                    p[a] = 4.0 * random_part(&seed) - 2.0;
                if (distance_to(&shapes[n], p) > 0.0)
                    continue;
                for (int a = 0; a < 3; a++)
                    assert_true(p[a] >= low[a] - 1e-12 && p[a] <= high[a] + 1e-12);
            }
        }
    const rill_sdf_primitive plane = rill_default_sdf_primitive(RILL_SDF_PLANE);
    double low[3], high[3];
    rl_sdf_primitive_bounds(&plane, low, high);
    assert_true(isinf(low[0]) && isinf(high[1]) && isinf(low[2]) && high[2] == 0.0);
}

// ---- Mistakes --------------------------------------------------------------------------

static void refused(rill_sdf_primitive shape, const char *part)
{
    assert_int_equal(rill_sdf_primitive_check(&shape, RILL_COMBINE_UNION, 0.0), RILL_BAD_DEF);
    assert_sentence_has(part);
}

TEST(nonsense_is_refused_in_words)
{
    rill_sdf_primitive box = rill_default_sdf_primitive(RILL_SDF_BOX), s = box;
    assert_ok(rill_sdf_primitive_check(&box, RILL_COMBINE_UNION, nan(""))); // blend is not used
    assert_int_equal(rill_sdf_primitive_check(NULL, RILL_COMBINE_UNION, 0.0), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_sdf_primitive_check(&box, RILL_COMBINE_COUNT, 0.0), RILL_BAD_DEF);
    assert_int_equal(rill_sdf_primitive_check(&box, RILL_COMBINE_SMOOTH_UNION, -0.1), RILL_BAD_DEF);
    assert_sentence_has("blend is -0.1 m");
    assert_int_equal(rill_sdf_primitive_check(&box, RILL_COMBINE_SMOOTH_UNION, nan("")),
                     RILL_BAD_DEF);
    s.kind = RILL_SDF_KIND_COUNT, refused(s, "no kind");
    s = box, s.position[1] = nan(""), refused(s, "along y");
    s = box, s.rotation[3] = 1.002, refused(s, "of length 1.002");
    s = box, s.rotation[0] = HUGE_VAL, refused(s, "rotation");
    s = box, s.scale = 0.0, refused(s, "scale");
    s = box, s.size[2] = 0.0, refused(s, "size");
    s = box, s.rounding = 0.51, refused(s, "from 0 to 0.5");
    s = box, s.rounding = -0.1, refused(s, "rounding");
    s = rill_default_sdf_primitive(RILL_SDF_SPHERE), s.radius = -1.0, refused(s, "radius");
    s = rill_default_sdf_primitive(RILL_SDF_CAPSULE), s.length = -1.0, refused(s, "length");
    s = rill_default_sdf_primitive(RILL_SDF_CYLINDER), s.length = 0.0, refused(s, "length");
    s = rill_default_sdf_primitive(RILL_SDF_CONE), s.radius_top = nan(""), refused(s, "radius_top");
    s.radius = s.radius_top = 0.0, refused(s, "both radii");
    s = rill_default_sdf_primitive(RILL_SDF_TORUS), s.tube = 0.6, refused(s, "tube");
    s = rill_default_sdf_primitive(RILL_SDF_MESH), refused(s, "triangles");
    s = rill_default_sdf_primitive(RILL_SDF_HEIGHTS), refused(s, "heights");
    s = ramp_shape(), s.heights.pitch = 5, refused(s, "pitch");
    s = ramp_shape(), s.heights_cell = 0.0, refused(s, "heights_cell");
    ramp[8] = NAN, refused(s = (rill_sdf_primitive){.kind = RILL_SDF_HEIGHTS,
                                                    .rotation = {0, 0, 0, 1},
                                                    .scale = 1.0,
                                                    .heights = {ramp, 6, 5, 6},
                                                    .heights_cell = 1.0},
                           "height (2, 1)");
}

TEST(a_grid_that_cannot_be_is_refused)
{
    const rill_solid_def good = {.nx = 8, .ny = 8, .cell_size = 0.5, .bottom = -1.0, .top = 1.0};
    rill_solid_def def = good;
    assert_ok(rill_solid_check(&def));
    def.nx = 0;
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
    def = good, def.cell_size = nan("");
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
    def = good, def.top = def.bottom;
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
    assert_sentence_has("from -1 m to -1 m");
    def = good, def.top = HUGE_VAL;
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
    def = good, def.nx = def.ny = 32768 - 2; // 2^30 columns
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
    assert_sentence_has("nodes");
    def = good, def.top = 1e9, def.cell_size = 1e-6;
    assert_int_equal(rill_solid_check(&def), RILL_BAD_DEF);
}

// ---- Combining -------------------------------------------------------------------------

static double combined(double field, double shape, rill_combine how, double blend)
{
    const double band = RL_SOLID_BAND * DX;
    double joined = fmin(field, shape);
    if (how == RILL_COMBINE_SUBTRACT)
        joined = fmax(field, -shape);
    if (how == RILL_COMBINE_INTERSECT)
        joined = fmax(field, shape);
    if (how == RILL_COMBINE_SMOOTH_UNION && fabs(field - shape) < blend)
        joined -= pow(blend - fabs(field - shape), 2.0) / (4.0 * blend);
    return fmin(fmax(joined, -band), band);
}

// Combines, and looks at every node of the grid: what the leaps over far nodes and the box of reach
// leave out must be what changes nothing.
static void check_combined(rl_solid *solid, const rill_sdf_primitive *s, rill_combine how,
                           double blend)
{
    SCOPED(rill_solid) *before = NULL;
    assert_ok(rl_solid_copy(solid, NULL, &before));
    const rl_solid_box box = rl_solid_combine(solid, s, how, blend);
    for (int j = -1; j <= NY; j++)
        for (int i = -1; i <= NX; i++)
            for (int k = 0; k < solid->nz; k++) {
                const double p[3] = {(i + 0.5) * DX, (j + 0.5) * DX, solid->bottom + k * DX};
                const float old = rl_solid_column(before, i, j)[k];
                const float new = rl_solid_column(solid, i, j)[k];
                const double right = combined((double)old, distance_to(s, p), how, blend);
                assert_true(fabs((double)new - right) < 1e-6 * DX);
                const int ci = i < 0 ? 0 : i == NX ? NX - 1 : i;
                const int cj = j < 0 ? 0 : j == NY ? NY - 1 : j;
                if (ci < box.i0 || ci >= box.i1 || cj < box.j0 || cj >= box.j1)
                    assert_true(new == old);
            }
}

TEST(every_node_holds_the_combined_distance)
{
    rill_sdf_primitive shapes[16];
    int count = known_shapes(shapes);
    SCOPED(rill_triangles) *cube = make_cube();
    shapes[count] = rill_default_sdf_primitive(RILL_SDF_MESH);
    shapes[count++].triangles = cube;
    shapes[count++] = ramp_shape();
    SCOPED(rill_solid) *solid = make_solid(-1.0, 3.0);
    for (int n = 0; n < count; n++)
        for (int how = 0; how < RILL_COMBINE_COUNT; how++) {
            const double place[3] = {1.3 + 0.1 * how, 0.9, 0.7}, turn[4] = {0.1, 0.5, -0.5, 0.7};
            memcpy(shapes[n].position, place, sizeof place);
            if (how == 2)
                memcpy(shapes[n].rotation, turn, sizeof turn);
            put_plate(solid, -0.3, 0.6);
            check_combined(solid, &shapes[n], (rill_combine)how, 0.3);
        }
}

// Far above and below a mesh, and beside the cliff of a map of heights that lies askew.
TEST(nothing_is_leapt_over_in_a_tall_grid)
{
    SCOPED(rill_triangles) *cube = make_cube();
    rill_sdf_primitive mesh = rill_default_sdf_primitive(RILL_SDF_MESH), map = ramp_shape();
    mesh.triangles = cube;
    mesh.position[0] = mesh.position[1] = 1.2;
    map.rotation[1] = 0.5, map.rotation[3] = sqrt(0.75); // 60 degrees
    for (int n = 0; n < 30; n++)
        ramp[n] = n % 6 < 3 ? 0.0f : 6.0f;
    for (int how = RILL_COMBINE_UNION; how <= RILL_COMBINE_INTERSECT; how++) {
        SCOPED(rill_solid) *solid = make_solid(-8.0, 8.0);
        check_combined(solid, &mesh, (rill_combine)how, 0.0);
        check_combined(solid, &map, (rill_combine)how, 0.0);
    }
}

TEST(a_change_stays_within_the_reach_of_its_shape)
{
    const rill_solid_def def = {.nx = 64, .ny = 48, .cell_size = DX, .top = 4.0};
    SCOPED(rill_solid) *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    set3(ball.position, 4.0, 3.0, 2.0);
    const rl_solid_nodes nodes = rl_solid_nodes_of(solid, &ball, RILL_COMBINE_UNION, 0.0);
    const rl_solid_box reach = rl_solid_cells_of(solid, &nodes);
    const rl_solid_box box = rl_solid_combine(solid, &ball, RILL_COMBINE_UNION, 0.0);
    assert_memory_equal(&reach, &box, sizeof box);
    // Radius 4 cells and a band of 8 around cells 32 and 24.
    assert_true(box.i0 == 20 && box.i1 == 44 && box.j0 == 12 && box.j1 == 36);
    ball.position[0] = 90.0; // far away
    const rl_solid_box none = rl_solid_combine(solid, &ball, RILL_COMBINE_UNION, 0.0);
    assert_true(none.i0 >= none.i1);
    ball.position[0] = 4.0, ball.position[2] = 9.0; // far above
    const rl_solid_box above = rl_solid_combine(solid, &ball, RILL_COMBINE_SUBTRACT, 0.0);
    assert_true(above.i0 >= above.i1);
    // Only the ring of nodes beyond the border changes: the cells beside it are named.
    ball.position[0] = -0.5 - (RL_SOLID_BAND + 0.4) * DX, ball.position[2] = 2.0;
    const rl_solid_box beside = rl_solid_combine(solid, &ball, RILL_COMBINE_UNION, 0.0);
    assert_true(beside.i0 == 0 && beside.i1 == 1);
    const rl_solid_box all = rl_solid_combine(solid, &ball, RILL_COMBINE_INTERSECT, 0.0);
    assert_true(all.i0 == 0 && all.i1 == 64 && all.j0 == 0 && all.j1 == 48);
}

TEST(a_blend_wider_than_the_band_fills_no_air_far_away)
{
    SCOPED(rill_solid) *solid = make_solid(0.0, 4.0);
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    ball.position[0] = ball.position[1] = 1.25, ball.position[2] = 2.0;
    rl_solid_combine(solid, &ball, RILL_COMBINE_SMOOTH_UNION, 100.0);
    for (int k = 0; k < solid->nz; k++) { // alone in the air it keeps its size
        const double x = 9.5 * DX - 1.25, z = k * DX - 2.0, d = sqrt(2 * x * x + z * z) - 0.5;
        if (fabs(d) > 1e-6)
            assert_int_equal(rl_solid_column(solid, 9, 9)[k] < 0.0f, d < 0.0);
    }
}

TEST(nodes_are_copied_with_the_ring_at_the_border_alone)
{
    SCOPED(rill_solid) *from = make_solid(0.0, 1.0), *to = make_solid(0.0, 1.0);
    put_plate(from, 0.0, 0.5);
    const rl_solid_nodes none = {{4, 4, 0}, {4, 9, from->nz}};
    const rl_solid_nodes some = {{-1, 3, 0}, {5, 7, from->nz}};
    const rl_solid_nodes all = {{-1, -1, 0}, {NX + 1, NY + 1, from->nz}};
    rl_solid_copy_nodes(from, to, &none);
    rl_solid_copy_nodes(from, to, &some);
    for (int j = -1; j <= NY; j++)
        for (int i = -1; i <= NX; i++) {
            const bool within = i < 5 && j >= 3 && j < 7;
            assert_true((rl_solid_column(to, i, j)[1] < 0.0f) == within);
        }
    rl_solid_copy_nodes(from, to, &all);
    assert_memory_equal(from->distance, to->distance, from->bytes);
}

TEST(a_point_between_nodes_sees_a_plane_exactly)
{
    SCOPED(rill_solid) *solid = make_solid(-0.5, 1.5);
    rill_sdf_primitive plane = rill_default_sdf_primitive(RILL_SDF_PLANE);
    const double half = 0.15; // radians, about y
    plane.rotation[1] = sin(half), plane.rotation[3] = cos(half);
    plane.position[0] = 1.5, plane.position[2] = 0.5;
    rl_solid_combine(solid, &plane, RILL_COMBINE_UNION, 0.0);
    uint32_t seed = 2;
    for (int n = 0; n < 300; n++) {
        const double p[3] = {1.2 + 0.6 * random_part(&seed), 2.6 * random_part(&seed) - 0.05,
                             0.2 + 0.6 * random_part(&seed)};
        assert_true(fabs(rill_solid_distance(solid, p[0], p[1], p[2]) - distance_to(&plane, p)) <
                    1e-6 * DX);
    }
    assert_true(rill_solid_distance(solid, 1.5, -1e300, 0.5) ==
                rill_solid_distance(solid, 1.5, 0.0, 0.5));
    assert_true(rill_solid_distance(solid, 1.5, 1.0, 1e300) ==
                rill_solid_distance(solid, 1.5, 1.0, 1.5));
}

TEST(memory_is_given_back_and_its_lack_is_said)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_solid_def def = {.nx = 4, .ny = 4, .cell_size = 1.0, .top = 4.0, .host = &host};
    rl_solid *solid = NULL, *copy = NULL;
    for (count.fail_at = 1; count.fail_at <= 2; count.fail_at++, count.calls = 0) {
        assert_int_equal(rill_solid_create(&def, &solid), RILL_NO_MEMORY);
        assert_true(solid == NULL && count.bytes == 0);
    }
    count.fail_at = 0;
    assert_ok(rill_solid_create(&def, &solid));
    assert_int_equal(solid->nz, 5);
    assert_true(rl_solid_column(solid, -1, 4)[4] == 8.0f);
    assert_ok(rl_solid_copy(solid, &host.allocator, &copy));
    assert_memory_equal(solid->distance, copy->distance, solid->bytes);
    rill_solid_destroy(&solid);
    rill_solid_destroy(&copy);
    rill_solid_destroy(&copy);
    rill_solid_destroy(NULL);
    assert_int_equal(count.bytes, 0);
}
