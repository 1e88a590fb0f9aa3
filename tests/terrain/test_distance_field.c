// SPDX-License-Identifier: MIT
// test_distance_field.c - fields of distances as shapes of a solid: a sampled sphere is the sphere
// within what linear interpolation may be off, in any place; what no field can be is refused.
//
// The bound: along an axis linear interpolation is off by h^2/8 of the largest second derivative.
// Those of a distance to a sphere add up to 2/r over the three axes, r being the distance from its
// centre, so a trilinear value is off by h^2/(4 r) at most, half of it from either direction along
// the surface: h^2/(8 R) each. Within a cell r is smaller than at the point by no more than the
// diagonal.
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"
#include "tests/kit/worlds.h"
#include "tests/terrain/distances.h"

#include "terrain/sdf/distance_field.h"

#include "rill/rill.h"

#define NODES  25
#define H      0.1 // metres from node to node
#define RADIUS 0.8

static float values[NODES * NODES * NODES];

static double random_part(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) * 0x1p-24;
}

static double length3(const double p[3])
{
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

// Distances to a sphere around the origin, at nodes of a box around it that is turned by the axes
// of `def`.
static void sample_sphere(rill_distance_field_def *def)
{
    const double half = 0.5 * (NODES - 1) * H;
    for (int c = 0; c < 3; c++) {
        def->spacing[c] = H;
        def->origin[c] = -half * (def->axes[0][c] + def->axes[1][c] + def->axes[2][c]);
    }
    def->nx = def->ny = def->nz = NODES;
    def->values = values;
    for (int n = 0; n < NODES * NODES * NODES; n++) {
        const int at[3] = {n % NODES, n / NODES % NODES, n / (NODES * NODES)};
        double p[3];
        for (int c = 0; c < 3; c++)
            p[c] = def->origin[c] + H * (at[0] * def->axes[0][c] + at[1] * def->axes[1][c] +
                                         at[2] * def->axes[2][c]);
        values[n] = (float)(length3(p) - RADIUS);
    }
}

// Turned by 40 degrees about (1, 2, 3), and mirrored where asked.
static void turn_axes(double axes[3][3], double hand)
{
    const double u[3] = {1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0)};
    const double c = cos(0.7), s = sin(0.7);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int third = 3 - a - b;
            const double sign = (b - a + 3) % 3 == 1 ? 1.0 : -1.0;
            axes[a][b] = (1.0 - c) * u[a] * u[b] + (a == b ? c : sign * s * u[third]);
        }
    for (int b = 0; b < 3; b++)
        axes[2][b] *= hand;
}

static rill_distance_field *make_field(const rill_distance_field_def *def)
{
    rill_distance_field *field = NULL;
    assert_ok(rill_distance_field_create(def, &field));
    return field;
}

static double bound_at(double r)
{
    return H * H / (4.0 * (r - sqrt(3.0) * H)) + 1e-7; // and the rounding to floats
}

// ---- Distances -------------------------------------------------------------------------

static void check_sphere(const rill_distance_field_def *def)
{
    rill_distance_field *field = make_field(def);
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_FIELD);
    shape.field = field;
    uint32_t seed = 1;
    double worst = 0.0;
    for (int n = 0; n < 20000; n++) {
        double p[3];
        for (int c = 0; c < 3; c++)
            p[c] = 2.0 * random_part(&seed) - 1.0;
        const double r = length3(p);
        if (r < 0.5 || r > 1.15)
            continue;
        const double off = fabs(distance_to(&shape, p) - (r - RADIUS));
        assert_true(off <= bound_at(r));
        worst = fmax(worst, off / bound_at(r));
    }
    assert_true(worst > 0.5); // the bound is not idle
    rill_distance_field_destroy(&field);
}

TEST(a_sampled_sphere_is_off_by_what_interpolation_may_be)
{
    rill_distance_field_def def = rill_default_distance_field_def();
    sample_sphere(&def);
    check_sphere(&def);
    turn_axes(def.axes, 1.0);
    sample_sphere(&def);
    check_sphere(&def);
    turn_axes(def.axes, -1.0);
    sample_sphere(&def);
    check_sphere(&def);
}

TEST(nodes_have_their_values_and_middles_their_mean)
{
    static const float eight[12] = {0, 1, 0.5f, 1.5f, 0.25f, 1.25f, 0.75f, 1.5f, 0, 0, 0, 0};
    rill_distance_field_def def = rill_default_distance_field_def();
    def.nx = def.ny = 2, def.nz = 3, def.values = eight;
    set3(def.spacing, 1.0, 2.0, 4.0);
    set3(def.origin, 10.0, 20.0, 30.0);
    rill_distance_field *field = make_field(&def);
    const rill_distance_field_info info = rill_distance_field_view(field);
    assert_true(info.flattened == 1.0 && info.lowest == 0.0 && info.highest == 1.5);
    for (int n = 0; n < 12; n++) {
        const double d = rill_distance_field_distance(field, 10.0 + n % 2, 20.0 + 2.0 * (n / 2 % 2),
                                                      30.0 + 4.0 * (n / 4));
        assert_true(d == (double)eight[n]);
    }
    double mean = 0.0;
    for (int n = 0; n < 8; n++)
        mean += 0.125 * (double)eight[n];
    assert_true(fabs(rill_distance_field_distance(field, 10.5, 21.0, 32.0) - mean) < 1e-14);
    // 3, 4 and 12 m beyond the corner (1, 1, 0) along the axes.
    assert_true(fabs(rill_distance_field_distance(field, 14.0, 26.0, 18.0) - (13.0 + 1.5)) < 1e-12);
    assert_true(rill_distance_field_distance(NULL, 0, 0, 0) == 0.0);
    rill_distance_field_destroy(&field);
}

TEST(outside_the_box_it_is_the_way_to_the_box_and_what_is_there)
{
    rill_distance_field_def def = rill_default_distance_field_def();
    turn_axes(def.axes, 1.0);
    sample_sphere(&def);
    rill_distance_field *field = make_field(&def);
    const double half = 0.5 * (NODES - 1) * H;
    for (int a = 0; a < 3; a++) {
        double on[3], out[3];
        for (int c = 0; c < 3; c++) {
            on[c] = half * def.axes[a][c] + 0.23 * def.axes[(a + 1) % 3][c];
            out[c] = on[c] + 2.5 * def.axes[a][c];
        }
        const double there = rill_distance_field_distance(field, on[0], on[1], on[2]);
        const double d = rill_distance_field_distance(field, out[0], out[1], out[2]);
        assert_true(fabs(d - (there + 2.5)) < 1e-12);
    }
    rill_distance_field_destroy(&field);
}

// A mask of labels: 1 inside. Its surface is half way between a node inside and one outside.
TEST(a_mask_is_made_as_flat_as_a_distance)
{
    static float mask[5 * 5 * 5];
    for (int n = 0; n < 125; n++)
        mask[n] = n % 5 >= 2 ? 7.0f : 0.0f;
    rill_distance_field_def def = rill_default_distance_field_def();
    def.nx = def.ny = def.nz = 5, def.values = mask, def.level = 3.5, def.scale = -1.0;
    set3(def.spacing, 0.01, 0.02, 0.02);
    rill_distance_field *field = make_field(&def);
    const rill_distance_field_info info = rill_distance_field_view(field);
    assert_true(fabs(info.flattened - 700.0) < 1e-9);
    assert_true(fabs(info.lowest + 0.005) < 1e-9 && fabs(info.highest - 0.005) < 1e-9);
    assert_true(fabs(rill_distance_field_distance(field, 0.015, 0.03, 0.03)) < 1e-12);
    assert_true(fabs(rill_distance_field_distance(field, 0.017, 0.03, 0.03) + 0.002) < 1e-9);
    // It ends half a node outside of the box, and the box around it knows.
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_FIELD);
    shape.field = field;
    double low[3], high[3];
    rl_sdf_primitive_bounds(&shape, low, high);
    assert_true(fabs(high[0] - 0.045) < 1e-9 && fabs(low[1] + 0.005) < 1e-9);
    assert_true(fabs(rill_distance_field_distance(field, 0.045, 0.03, 0.03)) < 1e-9);
    rill_distance_field_destroy(&field);
}

// ---- Columns ---------------------------------------------------------------------------

#define SIDE 24
#define DX   0.1

static rill_solid *solid_of(const rill_sdf_primitive *shape)
{
    const rill_solid_def def = {
        .nx = SIDE, .ny = SIDE, .cell_size = DX, .bottom = -1.2, .top = 1.2};
    rill_solid *solid = NULL;
    assert_ok(rill_solid_create(&def, &solid));
    assert_ok(rill_solid_combine(solid, shape, RILL_COMBINE_UNION, 0.0));
    return solid;
}

// A floor is where the line between the values a < 0 < b of two nodes is 0. Where both are off by
// e at most it moves by e over the slope of the line, which may be less by 2 e / dx.
static void compare_floors(const rill_sdf_primitive *sphere, const rill_sdf_primitive *sampled,
                           double e, int least)
{
    SCOPED(rill_solid) *a = solid_of(sphere), *b = solid_of(sampled);
    rl_span one[64], two[64];
    int compared = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = (i + 0.5) * DX - sphere->position[0];
            const double y = (j + 0.5) * DX - sphere->position[1], flat = x * x + y * y;
            const double rise = sqrt(fmax(RADIUS * RADIUS - flat, 0.0));
            if (fabs(sqrt(flat) - RADIUS) < 0.12) // the rim, where a floor has no slope
                continue;
            const int count = rl_solid_cast(a, i, j, one, 64);
            assert_int_equal(rl_solid_cast(b, i, j, two, 64), count);
            assert_int_equal(count, flat < RADIUS * RADIUS ? 2 : 1);
            const double slope = (rise - DX) / (RADIUS + DX) - 2.0 * e / DX;
            for (int n = 0; n < count && count == 2; n++) {
                const double floors = fabs((double)one[n].base - (double)two[n].base);
                assert_true(floors <= e / slope + 1e-6);
                compared++;
            }
        }
    assert_true(compared >= least);
}

TEST(columns_over_a_sampled_sphere_are_those_of_the_sphere)
{
    rill_sdf_primitive sphere = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    rill_sdf_primitive sampled = rill_default_sdf_primitive(RILL_SDF_FIELD);
    rill_distance_field_def def = rill_default_distance_field_def();
    sphere.radius = RADIUS;
    set3(sphere.position, 1.213, 1.187, 0.031);
    memcpy(sampled.position, sphere.position, sizeof sampled.position);
    // The nodes beside the surface are within a cell of the world's grid and one of the field's.
    const double e = H * H / (4.0 * (RADIUS - DX - sqrt(3.0) * H)) + 1e-7;
    for (int turned = 0; turned < 3; turned++) {
        if (turned == 1)
            turn_axes(def.axes, 1.0);
        const double q[4] = {0.5, -0.1, 0.7, 0.5};
        if (turned == 2)
            memcpy(sampled.rotation, q, sizeof q);
        sample_sphere(&def);
        rill_distance_field *field = make_field(&def);
        sampled.field = field;
        assert_ok(rill_sdf_primitive_check(&sampled, RILL_COMBINE_UNION, 0.0));
        compare_floors(&sphere, &sampled, e, 250);
        rill_distance_field_destroy(&field);
    }
}

// The leap over far nodes and the box of reach leave out only what changes nothing.
TEST(every_node_of_a_solid_has_the_distance_of_the_field)
{
    rill_distance_field_def def = rill_default_distance_field_def();
    turn_axes(def.axes, -1.0);
    sample_sphere(&def);
    for (int n = 0; n < NODES * NODES * NODES; n++)
        values[n] = (float)((n / NODES + n) % 3) - 1.3f; // as rough as can be
    rill_distance_field *field = make_field(&def);
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_FIELD);
    shape.field = field, shape.scale = 0.3;
    set3(shape.position, 0.9, 1.1, -0.2);
    SCOPED(rill_solid) *solid = solid_of(&shape);
    const double band = RL_SOLID_BAND * DX;
    for (int j = -1; j <= SIDE; j++)
        for (int i = -1; i <= SIDE; i++)
            for (int k = 0; k < solid->nz; k++) {
                const double p[3] = {(i + 0.5) * DX, (j + 0.5) * DX, solid->bottom + k * DX};
                const double right = fmin(fmax(distance_to(&shape, p), -band), band);
                assert_true(fabs((double)rl_solid_column(solid, i, j)[k] - right) < 1e-6 * DX);
            }
    rill_distance_field_destroy(&field);
}

// The steepest field there can be: x + y + z, the diagonal of whose box is upright here.
static rill_sdf_primitive steep_shape(rill_distance_field **field)
{
    rill_distance_field_def def = rill_default_distance_field_def();
    sample_sphere(&def);
    for (int n = 0; n < NODES * NODES * NODES; n++)
        values[n] = (float)(H * (n % NODES + n / NODES % NODES + n / (NODES * NODES) - 36));
    *field = make_field(&def);
    assert_true(fabs(rill_distance_field_view(*field).flattened - 1.0) < 1e-5);
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_FIELD);
    shape.field = *field;
    // The shortest turn from (1, 1, 1) to z.
    const double w = 1.0 + 1.0 / sqrt(3.0), across = 1.0 / sqrt(3.0);
    const double length = sqrt(w * w + 2.0 * across * across);
    shape.rotation[0] = across / length, shape.rotation[1] = -across / length;
    shape.rotation[3] = w / length;
    set3(shape.position, 1.2, 1.2, 0.7);
    return shape;
}

TEST(a_field_steeper_than_the_way_is_not_leapt_over)
{
    rill_distance_field *field = NULL;
    const rill_sdf_primitive shape = steep_shape(&field);
    SCOPED(rill_solid) *solid = solid_of(&shape);
    const double band = RL_SOLID_BAND * DX;
    for (int k = 0; k < solid->nz; k++) {
        const double p[3] = {1.15, 1.15, solid->bottom + k * DX};
        const double here = distance_to(&shape, p), right = fmin(fmax(here, -band), band);
        assert_true(fabs(here - sqrt(3.0) * (p[2] - 0.7)) < 1e-5);
        assert_true(fabs((double)rl_solid_column(solid, 11, 11)[k] - right) < 1e-6 * DX);
    }
    rill_distance_field_destroy(&field);
}

// Whatever is joined to it, columns change only where they are said to.
TEST(a_change_beside_a_steep_field_cuts_all_that_it_moves)
{
    rill_distance_field *field = NULL;
    rill_sdf_primitive shape = steep_shape(&field);
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    shape.position[2] = 0.005; // the upper node of a floor is as far above it as can be
    ball.radius = 0.2;
    rl_span before[64], after[64];
    int moved = 0;
    for (int n = 0; n < 10; n++) {
        SCOPED(rill_solid) *whole = solid_of(&shape), *changed = solid_of(&shape);
        set3(ball.position, 1.2 + 0.01 * n, 1.25, 0.1);
        const rl_solid_box box = rl_solid_cut_by(whole, &ball, RILL_COMBINE_UNION, 0.0);
        rl_solid_combine(changed, &ball, RILL_COMBINE_UNION, 0.0);
        for (int j = 8; j < 17; j++)
            for (int i = 8; i < 17; i++) {
                const int a = rl_solid_cast(whole, i, j, before, 64);
                const int b = rl_solid_cast(changed, i, j, after, 64);
                if (a == b && memcmp(before, after, (size_t)a * sizeof *before) == 0)
                    continue;
                moved++;
                assert_true(i >= box.i0 && i < box.i1 && j >= box.j0 && j < box.j1);
            }
    }
    assert_true(moved > 100);
    rill_distance_field_destroy(&field);
}

// ---- In a world ------------------------------------------------------------------------

TEST(a_world_keeps_the_fields_of_movers_and_of_cuts_that_wait)
{
    counter count = {0};
    const rill_host host = counting_host(&count);
    rill_distance_field_def def = rill_default_distance_field_def();
    sample_sphere(&def);
    def.host = &host;
    rill_sdf_primitive plane = rill_default_sdf_primitive(RILL_SDF_PLANE);
    plane.position[2] = -0.55;
    rill_sdf_primitive shape = rill_default_sdf_primitive(RILL_SDF_FIELD);
    rill_distance_field *field = make_field(&def);
    shape.field = field;
    set3(shape.position, 1.2, 1.2, 0.0);
    SCOPED(rill_solid) *solid = solid_of(&plane);
    rill_world_def world_def = rill_default_world_def();
    world_def.nx = world_def.ny = SIDE;
    world_def.cell_size = (float)DX;
    world_def.solver = RILL_SOLVER_LAYERS;
    world_def.solid = solid;
    rill_world *world = make_world(&world_def);
    rill_mover_id id;
    assert_ok(rill_world_add_mover(world, &shape, &id));
    assert_ok(rill_world_schedule_combine(world, 0.05, &shape, RILL_COMBINE_SUBTRACT, 0.0));
    rill_distance_field_destroy(&field);
    assert_true(count.bytes > 0);
    const rill_columns with = rill_world_columns(world);
    const size_t middle = (size_t)12 * with.pitch + 12;
    assert_true(fabs((double)with.base[middle] - RADIUS) < 0.02); // the ball stands in the plane
    const double beside[3] = {1.0, 1.2, 2.5};
    assert_ok(rill_world_move(world, id, beside, NULL));
    assert_ok(rill_world_remove_mover(world, id));
    assert_true(count.bytes > 0); // the cut waits
    assert_ok(rill_world_step(world, 0.1f));
    assert_int_equal(count.bytes, 0);
    const rill_columns c = rill_world_columns(world);
    // The cut reaches below the plane.
    assert_true(fabs((double)c.base[middle] + RADIUS) < 0.02);
    rill_world_destroy(&world);
}

// ---- Mistakes --------------------------------------------------------------------------

static void refused(const rill_distance_field_def *def, const char *part)
{
    rill_distance_field *field = (rill_distance_field *)values; // must become NULL
    assert_int_equal(rill_distance_field_create(def, &field), RILL_BAD_DEF);
    assert_null(field);
    assert_sentence_has(part);
}

TEST(what_no_field_can_be_is_refused_in_words)
{
    rill_distance_field_def good = rill_default_distance_field_def(), d;
    sample_sphere(&good);
    d = good, d.nz = 1, refused(&d, "25 x 25 x 1 nodes cannot be");
    d = good, d.nx = -3, refused(&d, "cannot be");
    d = good, d.nx = d.ny = d.nz = INT32_MAX, refused(&d, "more than 1073741824");
    d = good, d.nx = d.ny = d.nz = 1025, refused(&d, "more than");
    d = good, d.values = NULL, refused(&d, "NULL");
    d = good, d.spacing[1] = 0.0, refused(&d, "along axis 2 is 0 m");
    d = good, d.spacing[2] = -0.1, refused(&d, "along axis 3 is -0.1 m");
    d = good, d.spacing[0] = nan(""), refused(&d, "along axis 1 is nan");
    d = good, d.spacing[0] = HUGE_VAL, refused(&d, "no longer than");
    d = good, d.origin[1] = nan(""), refused(&d, "along y");
    d = good, d.axes[1][1] = 1.01, refused(&d, "of length 1.01");
    d = good, set3(d.axes[1], 0.6, 0.8, 0.0), refused(&d, "right angles");
    d = good, d.axes[2][2] = nan(""), refused(&d, "axis 3");
    d = good, d.level = nan(""), refused(&d, "level");
    d = good, d.scale = 0.0, refused(&d, "scale");
    d = good, d.scale = HUGE_VAL, refused(&d, "scale");
    d = good, d.level = 1e300, d.scale = 1e300, refused(&d, "value (0, 0, 0)");
    d = good, d.level = 1e12, refused(&d, "must be within");
    values[25 * 25 * 2 + 25 * 3 + 4] = NAN, refused(&good, "value (4, 3, 2) of a field is nan");
    values[25 * 25 * 2 + 25 * 3 + 4] = -INFINITY, refused(&good, "is -inf");
    rill_distance_field *field = NULL;
    assert_int_equal(rill_distance_field_create(NULL, &field), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_distance_field_create(&good, NULL), RILL_BAD_ARGUMENT);
    const rill_sdf_primitive none = rill_default_sdf_primitive(RILL_SDF_FIELD);
    assert_int_equal(rill_sdf_primitive_check(&none, RILL_COMBINE_UNION, 0.0), RILL_BAD_DEF);
    assert_sentence_has("a shape of a field has none");
}

TEST(without_memory_there_is_no_field)
{
    rill_distance_field_def def = rill_default_distance_field_def();
    rill_distance_field *field = NULL;
    sample_sphere(&def);
    for (int fail_at = 1; fail_at < 50; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        def.host = &host;
        const rill_status status = rill_distance_field_create(&def, &field);
        const bool made = status == RILL_OK;
        rill_distance_field_destroy(&field);
        assert_int_equal(count.bytes, 0);
        if (made)
            return;
        assert_int_equal(status, RILL_NO_MEMORY);
    }
    fail();
}
