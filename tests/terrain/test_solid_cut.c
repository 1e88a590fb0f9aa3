// SPDX-License-Identifier: MIT
// test_solid_cut.c - the columns cut out of a solid: floors and ceilings where they are, no more
// and no fewer than there are.
#include "tests/kit/kit.h"
#include "tests/terrain/plates.h"

#include <float.h>

// ---- Columns ---------------------------------------------------------------------------

static void assert_span(rl_span span, double min, double base, double max)
{
    const double is[3] = {(double)span.min, (double)span.base, (double)span.max};
    const double right[3] = {min, base, max};
    for (int n = 0; n < 3; n++)
        if (!(fabs(is[n] - right[n]) <= 1e-6 * DX + (double)FLT_EPSILON * fabs(right[n])))
            fail_msg("span value %d is %.9g, not %.9g", n, is[n], right[n]);
}

TEST(plates_with_holes_are_cut_into_their_columns)
{
    SCOPED(rill_solid) *solid = make_solid(-0.25, 3.0);
    put_plate(solid, -1.0, 0.1);
    put_plate(solid, 0.8, 1.1);
    put_plate(solid, 2.0, 2.4);
    put_box(solid, (double[]){1.0, 1.0, 0.5}, (double[]){2.0, 2.0, 1.5}, RILL_COMBINE_SUBTRACT);
    rl_span spans[8];
    assert_int_equal(rl_solid_cast(solid, 2, 2, spans, 8), 3);
    assert_span(spans[0], -1e30, 0.1, 0.8);
    assert_span(spans[1], 0.8, 1.1, 2.0);
    assert_span(spans[2], 2.0, 2.4, 1e30);
    assert_int_equal(rl_solid_cast(solid, 12, 12, spans, 8), 2);
    assert_span(spans[0], -1e30, 0.1, 2.0);
    assert_span(spans[1], 2.0, 2.4, 1e30);
    // A limit writes the first ones and counts them all.
    rl_span few[2] = {{0}, {7.0f, 7.0f, 7.0f}};
    assert_int_equal(rl_solid_cast(solid, 2, 2, few, 1), 3);
    assert_span(few[0], -1e30, 0.1, 0.8);
    assert_true(few[1].base == 7.0f);
}

TEST(a_cavity_in_the_rock_is_a_column_of_its_own)
{
    SCOPED(rill_solid) *solid = make_solid(0.0, 3.0);
    put_plate(solid, -1.0, 2.5);
    rill_sdf_primitive ball = rill_default_sdf_primitive(RILL_SDF_SPHERE);
    ball.radius = 0.8;
    set3(ball.position, 12.5 * DX, 10.5 * DX, 1.3);
    rl_solid_combine(solid, &ball, RILL_COMBINE_SUBTRACT, 0.0);
    rl_span spans[4];
    for (int i = 0; i < NX; i++) {
        const double off = (i - 12) * DX, high = 0.64 - off * off;
        const int count = rl_solid_cast(solid, i, 10, spans, 4);
        if (fabs(high) < 0.05)
            continue; // the rim lies between nodes
        assert_int_equal(count, high > 0.0 ? 2 : 1);
        assert_span(spans[count - 1], high > 0.0 ? (double)spans[0].max : -1e30, 2.5, 1e30);
        // Linear between nodes: off by curvature dx^2 / 8, 1 / radius along the normal, and the
        // ray is as steep to the surface as sqrt(high) / radius.
        const double steep = sqrt(fmax(high, 0.0)) / 0.8, error = DX * DX / (8.0 * 0.4 * steep);
        if (high > 0.0) {
            assert_true(fabs((double)spans[0].base - (1.3 - sqrt(high))) < error);
            assert_true(fabs((double)spans[0].max - (1.3 + sqrt(high))) < error);
        }
    }
}

TEST(slopes_are_cut_exactly)
{
    SCOPED(rill_solid) *solid = make_solid(0.0, 3.0);
    rill_sdf_primitive plane = rill_default_sdf_primitive(RILL_SDF_PLANE);
    const double half = -0.2, slope = tan(0.4); // rises to the east
    plane.rotation[1] = sin(half), plane.rotation[3] = cos(half);
    plane.position[2] = 0.7;
    rl_solid_combine(solid, &plane, RILL_COMBINE_UNION, 0.0);
    rl_span span;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            assert_int_equal(rl_solid_cast(solid, i, j, &span, 1), 1);
            assert_span(span, -1e30, 0.7 + slope * (i + 0.5) * DX, 1e30);
        }
}

TEST(the_grid_ends_in_rock_below_and_in_air_above)
{
    SCOPED(rill_solid) *solid = make_solid(-1.0, 1.0);
    rl_span spans[4];
    assert_int_equal(rl_solid_cast(solid, 0, 0, spans, 4), 1);
    assert_span(spans[0], -1e30, -1.0, 1e30); // air down to the bottom: a floor there
    put_plate(solid, 0.3, 9.0);
    assert_int_equal(rl_solid_cast(solid, 0, 0, spans, 4), 2);
    assert_span(spans[0], -1e30, -1.0, 0.3);
    assert_span(spans[1], 0.3, 1.0, 1e30); // solid up to the top: it ends there
    put_plate(solid, -9.0, 9.0);
    assert_int_equal(rl_solid_cast(solid, 0, 0, spans, 4), 1);
    assert_span(spans[0], -1e30, 1.0, 1e30);
}

TEST(shapes_that_share_a_face_leave_neither_gap_nor_skin)
{
    rl_span spans[4];
    for (int n = 0; n < 8; n++) { // on nodes and between them, turned and not
        const double shift = 0.37 * DX * n, low = 0.5 + shift, middle = low + 0.5;
        SCOPED(rill_solid) *solid = make_solid(0.0, 3.0);
        put_plate(solid, low, middle);
        put_plate(solid, middle, middle + 0.5); // stands on it
        assert_int_equal(rl_solid_cast(solid, 3, 3, spans, 4), 2);
        assert_span(spans[0], -1e30, 0.0, low);
        assert_span(spans[1], low, middle + 0.5, 1e30);
        rill_sdf_primitive drill =
            rill_default_sdf_primitive(RILL_SDF_CYLINDER); // as long as both are thick
        drill.length = 1.0;
        drill.position[0] = drill.position[1] = 10.5 * DX, drill.position[2] = middle;
        drill.rotation[2] = sin(0.3), drill.rotation[3] = cos(0.3);
        rl_solid_combine(solid, &drill, RILL_COMBINE_SUBTRACT, 0.0);
        assert_int_equal(rl_solid_cast(solid, 10, 10, spans, 4), 1);
        assert_span(spans[0], -1e30, 0.0, 1e30);
    }
}

TEST(a_plate_of_one_cell_is_never_lost)
{
    rl_span spans[4];
    for (int n = 0; n < 9; n++) {
        SCOPED(rill_solid) *solid = make_solid(0.0, 3.0);
        const double low = 1.0 + n * DX / 8.0;
        put_plate(solid, low, low + DX);
        assert_int_equal(rl_solid_cast(solid, 5, 5, spans, 4), 2);
        // A node in the middle of it knows the nearer face alone: the other one is found at most
        // half a cell nearer. On nodes the plate is exact.
        const double lost = n % 8 == 0 ? 1e-6 * DX : 0.5 * DX + 1e-6 * DX;
        assert_true((double)spans[0].max > low - 1e-6 && (double)spans[0].max < low + lost);
        assert_true((double)spans[1].base < low + DX + 1e-6 &&
                    (double)spans[1].base > low + DX - lost);
    }
}

TEST(rounding_leaves_no_sliver)
{
    SCOPED(rill_solid) *solid = make_solid(0.0, 1.0); // nine nodes
    const float d = (float)DX, t = 1e-4f * (float)DX;
    const float gap[9] = {-d, -d, t, -d, d, d, d, d, d}, skin[9] = {-d, d, d, -t, d, d, d, -t, t};
    rl_span spans[4];
    memcpy(rl_solid_column(solid, 1, 1), gap, sizeof gap);
    assert_int_equal(rl_solid_cast(solid, 1, 1, spans, 4), 1);
    assert_span(spans[0], -1e30, 3.5 * DX, 1e30);
    memcpy(rl_solid_column(solid, 1, 1), skin, sizeof skin);
    assert_int_equal(rl_solid_cast(solid, 1, 1, spans, 4), 2);
    assert_span(spans[0], -1e30, 0.5 * DX, (7.0 - 1e-4 / (1.0 + 1e-4)) * DX);
    assert_span(spans[1], (double)spans[0].max, 7.5 * DX, 1e30);
}

TEST(the_widest_columns_are_kept_in_their_order)
{
    const rl_span all[5] = {{-1e30f, 0.0f, 2.0f},
                            {2.0f, 2.5f, 3.0f},
                            {3.0f, 3.5f, 6.5f},
                            {6.5f, 7.0f, 7.25f},
                            {7.25f, 8.0f, 1e30f}};
    rl_span spans[5];
    memcpy(spans, all, sizeof all);
    rl_spans_keep_widest(spans, 5, 5);
    assert_memory_equal(spans, all, sizeof all);
    rl_spans_keep_widest(spans, 5, 3);
    assert_memory_equal(&spans[0], &all[0], sizeof spans[0]);
    assert_span(spans[1], 2.0, 3.5, 6.5); // stands on rock from the ceiling of the one below
    assert_span(spans[2], 6.5, 8.0, 1e30);
    memcpy(spans, all, sizeof all);
    rl_spans_keep_widest(spans, 5, 1);
    assert_span(spans[0], -1e30, 8.0, 1e30);
}
