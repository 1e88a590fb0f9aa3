// SPDX-License-Identifier: MIT
// test_terrain.c - ground: heightfields from arrays, holes filled, the brush.
#include "terrain/heightfield.h"
#include "tests/kit/counting_host.h"
#include "tests/kit/kit.h"

#include "rill/terrain.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// ---- Heightfields from arrays ----------------------------------------------------------

TEST(a_heightfield_keeps_its_elevations)
{
    float elevations[15];
    for (int n = 0; n < 15; n++)
        elevations[n] = (float)n - 3.5f;
    counter count = {0};
    const rill_host host = counting_host(&count);
    SCOPED(rill_heightfield) *heightfield = NULL;
    assert_ok(rill_heightfield_create(5, 3, 2.5, elevations, &host, &heightfield));
    assert_true(count.bytes > 0);

    const rill_field_view view = rill_heightfield_view(heightfield);
    assert_int_equal(view.nx, 5);
    assert_int_equal(view.ny, 3);
    for (int j = 0; j < 3; j++)
        assert_memory_equal(view.data + (size_t)j * view.pitch, elevations + 5 * j,
                            5 * sizeof(float));
    assert_true(rill_heightfield_cell_size(heightfield) == 2.5);
    assert_int_equal(rill_heightfield_georeference(heightfield).known, 0);
    assert_int_equal(rill_heightfield_filled(heightfield), 0);

    rill_heightfield_destroy(&heightfield);
    assert_null(heightfield);
    assert_int_equal(count.bytes, 0);
    rill_heightfield_destroy(NULL);
}

TEST(a_heightfield_refuses_nonsense)
{
    float elevations[4] = {0.0f, 1.0f, NAN, 3.0f};
    rill_heightfield *out = NULL;
    assert_int_equal(rill_heightfield_create(2, 2, 1.0, elevations, NULL, &out), RILL_BAD_ARGUMENT);
    assert_sentence_has("(0, 1)");
    assert_null(out);
    elevations[2] = INFINITY;
    assert_int_equal(rill_heightfield_create(2, 2, 1.0, elevations, NULL, &out), RILL_BAD_ARGUMENT);
    elevations[2] = 2.0f;
    assert_int_equal(rill_heightfield_create(2, 2, 0.0, elevations, NULL, &out), RILL_BAD_DEF);
    assert_int_equal(rill_heightfield_create(2, 2, NAN, elevations, NULL, &out), RILL_BAD_DEF);
    assert_int_equal(rill_heightfield_create(0, 2, 1.0, elevations, NULL, &out), RILL_BAD_DEF);
    assert_int_equal(rill_heightfield_create(2, RILL_MAX_SIDE + 1, 1.0, elevations, NULL, &out),
                     RILL_BAD_DEF);
    assert_int_equal(
        rill_heightfield_create(RILL_MAX_SIDE, RILL_MAX_SIDE, 1.0, elevations, NULL, &out),
        RILL_BAD_DEF);
    assert_sentence_has("4294967296 cells");
    assert_int_equal(rill_heightfield_create(2, 2, 1.0, NULL, NULL, &out), RILL_BAD_ARGUMENT);
    assert_int_equal(rill_heightfield_create(2, 2, 1.0, elevations, NULL, NULL), RILL_BAD_ARGUMENT);
    const rill_host half = {.allocator = {NULL, counted_allocate, NULL}};
    assert_int_equal(rill_heightfield_create(2, 2, 1.0, elevations, &half, &out), RILL_BAD_DEF);
}

// ---- Filling ---------------------------------------------------------------------------

static rill_field make_field(int nx, int ny, float (*height)(int i, int j))
{
    rill_field field;
    assert_true(rill_field_create(NULL, nx, ny, 0, &field));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            rill_field_row(&field, j)[i] = height(i, j);
    return field;
}

static float plane(int i, int j)
{
    return 0.5f * (float)i - 0.25f * (float)j + 10.0f;
}

static float hole_in_plane(int i, int j)
{
    const bool wide = (i - 30) * (i - 30) + (j - 25) * (j - 25) < 300;
    const bool crack = j == 55 && i > 5 && i < 70;
    return wide || crack ? NAN : plane(i, j);
}

TEST(a_hole_in_a_plane_is_filled_with_the_plane)
{
    rill_field field = make_field(80, 60, hole_in_plane);
    int64_t filled = 0, holes = 0;
    assert_ok(rl_fill_no_data(&field, NULL, &filled));
    for (int j = 0; j < 60; j++)
        for (int i = 0; i < 80; i++) {
            holes += isnan(hole_in_plane(i, j));
            const float error = fabsf(rill_field_row(&field, j)[i] - plane(i, j));
            if (!isnan(hole_in_plane(i, j)))
                assert_true(error == 0.0f);
            assert_true(error < 1e-3f); // the plane falls by 17 m across the hole
        }
    assert_int_equal(filled, holes);
    rill_field_destroy(NULL, &field);
}

static float two_corners(int i, int j)
{
    return i == 0 && j == 0 ? -5.0f : i == 99 && j == 49 ? 7.0f : NAN;
}

TEST(filled_cells_stay_between_their_neighbours)
{
    rill_field field = make_field(100, 50, two_corners);
    int64_t filled = 0;
    assert_ok(rl_fill_no_data(&field, NULL, &filled));
    assert_int_equal(filled, 100 * 50 - 2);
    for (int j = 0; j < 50; j++)
        for (int i = 0; i < 100; i++) {
            const float z = rill_field_row(&field, j)[i];
            assert_true(z >= -5.0f && z <= 7.0f);
        }
    assert_true(rill_field_row(&field, 10)[10] < rill_field_row(&field, 40)[90]);
    rill_field_destroy(NULL, &field);
}

static float nothing(KIT_UNUSED int i, KIT_UNUSED int j)
{
    return NAN;
}

TEST(a_grid_without_any_data_is_refused)
{
    rill_field field = make_field(7, 5, nothing);
    int64_t filled = 3;
    assert_int_equal(rl_fill_no_data(&field, NULL, &filled), RILL_BAD_FILE);
    assert_sentence_has("no cell holds data");
    assert_int_equal(filled, 0);
    rill_field_destroy(NULL, &field);
}

TEST(filling_gives_back_all_memory_when_there_is_too_little)
{
    for (int fail_at = 1; fail_at <= 4; fail_at++) {
        rill_field field = make_field(80, 60, hole_in_plane);
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        int64_t filled;
        assert_int_equal(rl_fill_no_data(&field, &host.allocator, &filled), RILL_NO_MEMORY);
        assert_int_equal(count.bytes, 0);
        rill_field_destroy(NULL, &field);
    }
}

// ---- Brush -----------------------------------------------------------------------------

enum { BED_NX = 40, BED_NY = 30 };

typedef struct test_bed {
    float z[BED_NX * BED_NY];
    float scratch[2 * BED_NX];
    rl_brush_bed bed;
} test_bed;

static void make_bed(test_bed *test, float (*height)(int i, int j))
{
    for (int j = 0; j < BED_NY; j++)
        for (int i = 0; i < BED_NX; i++)
            test->z[j * BED_NX + i] = height(i, j);
    test->bed = (rl_brush_bed){test->z, BED_NX, BED_NX, BED_NY, 2.0};
}

static float flat(KIT_UNUSED int i, KIT_UNUSED int j)
{
    return 1.0f;
}

static float rough(int i, int j)
{
    return (float)((i * 7919 + j * 104729 + i * j * 31) % 64) / 16.0f;
}

static double sum_of(const test_bed *test)
{
    double sum = 0.0;
    for (int c = 0; c < BED_NX * BED_NY; c++)
        sum += (double)test->z[c];
    return sum;
}

TEST(a_raised_hill_is_round_and_within_the_reported_cells)
{
    test_bed test;
    make_bed(&test, flat);
    const rill_brush brush = {RILL_BRUSH_RAISE, 40.0, 30.0, 13.5,
                              4.0}; // centred on a corner of cells
    rl_brush_cells touched;
    assert_ok(rl_brush_apply(&brush, &test.bed, test.scratch, &touched));
    assert_int_equal(touched.i0, 13);
    assert_int_equal(touched.i1, 27);
    assert_int_equal(touched.j0, 8);
    assert_int_equal(touched.j1, 22);
    for (int j = 0; j < BED_NY; j++)
        for (int i = 0; i < BED_NX; i++) {
            const float z = test.z[j * BED_NX + i];
            const bool inside =
                i >= touched.i0 && i < touched.i1 && j >= touched.j0 && j < touched.j1;
            assert_true(z >= 1.0f && z <= 5.0f && (inside || z == 1.0f));
            assert_true(z == test.z[(BED_NY - 1 - j) * BED_NX + i]);
            assert_true(z == test.z[j * BED_NX + BED_NX - 1 - i]);
        }
    assert_true(test.z[15 * BED_NX + 20] > 4.8f);

    const rill_brush back = {RILL_BRUSH_LOWER, 40.0, 30.0, 13.5, 4.0};
    assert_ok(rl_brush_apply(&back, &test.bed, test.scratch, &touched));
    for (int c = 0; c < BED_NX * BED_NY; c++)
        assert_true(fabsf(test.z[c] - 1.0f) < 1e-6f);
}

TEST(smoothing_moves_ground_and_loses_none)
{
    static const double places[][2] = {{40.0, 30.0}, {0.0, 0.0}, {79.0, 59.5}, {-3.0, 31.0}};
    for (int n = 0; n < COUNT(places); n++) {
        test_bed test;
        make_bed(&test, rough);
        const double before = sum_of(&test);
        double steps_before = 0.0, steps_after = 0.0;
        for (int c = 0; c < BED_NX * BED_NY - 1; c++)
            steps_before += fabs((double)test.z[c + 1] - (double)test.z[c]);
        const rill_brush brush = {RILL_BRUSH_SMOOTH, places[n][0], places[n][1], 22.0, 1.0};
        rl_brush_cells touched;
        for (int pass = 0; pass < 5; pass++)
            assert_ok(rl_brush_apply(&brush, &test.bed, test.scratch, &touched));
        for (int c = 0; c < BED_NX * BED_NY - 1; c++)
            steps_after += fabs((double)test.z[c + 1] - (double)test.z[c]);
        assert_true(fabs(sum_of(&test) - before) < 1e-5 * before);
        assert_true(steps_after < 0.97 * steps_before);
    }
}

// Mirrored ground under a mirrored brush must come out mirrored, which it would not if a cell saw
// the changed value of a neighbour visited before it.
TEST(smoothing_does_not_depend_on_the_order_of_visits)
{
    test_bed test, mirror;
    make_bed(&test, rough);
    make_bed(&mirror, rough);
    const int last = BED_NX * BED_NY - 1;
    for (int c = 0; c <= last; c++)
        mirror.z[last - c] = test.z[c];
    const rill_brush brush = {RILL_BRUSH_SMOOTH, 30.0, 22.0, 15.0, 0.8};
    const rill_brush turned = {RILL_BRUSH_SMOOTH, 80.0 - 30.0, 60.0 - 22.0, 15.0, 0.8};
    rl_brush_cells touched;
    assert_ok(rl_brush_apply(&brush, &test.bed, test.scratch, &touched));
    assert_ok(rl_brush_apply(&turned, &mirror.bed, mirror.scratch, &touched));
    for (int c = 0; c <= last; c++)
        assert_true(fabsf(mirror.z[last - c] - test.z[c]) < 1e-6f);
}

TEST(a_brush_beside_the_ground_touches_nothing)
{
    static const rill_brush brushes[] = {
        {RILL_BRUSH_RAISE, -50.0, 10.0, 20.0, 1.0},
        {RILL_BRUSH_LOWER, 20.0, 1e300, 20.0, 1.0},
        {RILL_BRUSH_SMOOTH, 2.0, 2.0, 0.5, 1.0}, // falls between the centres of four cells
        {RILL_BRUSH_SMOOTH, 90.0, 10.0, 5.0, 1.0},
    };
    test_bed test, before;
    make_bed(&test, rough);
    make_bed(&before, rough);
    for (int n = 0; n < COUNT(brushes); n++) {
        rl_brush_cells touched = {1, 2, 3, 4};
        assert_ok(rl_brush_apply(&brushes[n], &test.bed, test.scratch, &touched));
        assert_int_equal(touched.i1 - touched.i0, 0);
        assert_memory_equal(test.z, before.z, sizeof test.z);
    }
    const rill_brush vast = {RILL_BRUSH_RAISE, 40.0, 30.0, 1e300, 1.0};
    rl_brush_cells touched;
    assert_ok(rl_brush_apply(&vast, &test.bed, test.scratch, &touched));
    assert_int_equal(touched.i1, BED_NX);
    assert_int_equal(touched.j1, BED_NY);
}

TEST(a_brush_refuses_nonsense)
{
    static const rill_brush brushes[] = {
        {RILL_BRUSH_RAISE, NAN, 0.0, 1.0, 1.0},       {RILL_BRUSH_RAISE, 0.0, INFINITY, 1.0, 1.0},
        {RILL_BRUSH_RAISE, 0.0, 0.0, 0.0, 1.0},       {RILL_BRUSH_RAISE, 0.0, 0.0, NAN, 1.0},
        {RILL_BRUSH_LOWER, 0.0, 0.0, 1.0, -1.0},      {RILL_BRUSH_LOWER, 0.0, 0.0, 1.0, 1e9},
        {RILL_BRUSH_SMOOTH, 0.0, 0.0, 1.0, 1.5},      {RILL_BRUSH_SMOOTH, 0.0, 0.0, 1.0, NAN},
        {(rill_brush_kind)17, 10.0, 10.0, 10.0, 0.5},
    };
    test_bed test, before;
    make_bed(&test, rough);
    make_bed(&before, rough);
    for (int n = 0; n < COUNT(brushes); n++) {
        rl_brush_cells touched;
        assert_int_equal(rl_brush_apply(&brushes[n], &test.bed, test.scratch, &touched),
                         RILL_BAD_ARGUMENT);
        assert_memory_equal(test.z, before.z, sizeof test.z);
    }
}
