// SPDX-License-Identifier: MIT
// test_relief.c - normals, openness and shadows against ground whose light is known in closed form.
#include "render/ground/relief.h"
#include "render/half.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"

#define DEGREES 0.017453292519943295
// Half floats below 1 are at most this far apart.
#define HALF_STEP 0x1p-11

// Cells each way; enough for a cell whose view ends before the border.
#define SIDE 200
#define MID  (SIDE / 2)

typedef struct ground {
    relief *r;
    float *bed;
    int nx, ny;
} ground;

static ground make_ground(int nx, int ny, float cell_size)
{
    ground g = {.nx = nx, .ny = ny};
    if (relief_create(nx, ny, cell_size, &g.r) != RILL_OK)
        fail_msg("%s", render_error_text());
    g.bed = calloc((size_t)nx * (size_t)ny, sizeof *g.bed);
    assert_non_null(g.bed);
    return g;
}

static void drop_ground(ground *g)
{
    relief_destroy(&g->r);
    assert_null(g->r);
    relief_destroy(&g->r);
    free(g->bed);
}

static float *at(ground *g, int i, int j)
{
    return &g->bed[(size_t)j * (size_t)g->nx + (size_t)i];
}

static const relief_texel *texel(const ground *g, int i, int j)
{
    return &relief_texels(g->r)[(size_t)j * (size_t)g->nx + (size_t)i];
}

static double openness(const ground *g, int i, int j)
{
    return (double)half_to_float(texel(g, i, j)->openness);
}

static double shadow(const ground *g, int i, int j)
{
    return (double)half_to_float(texel(g, i, j)->shadow);
}

static void bake(ground *g)
{
    relief_bake(g->r, g->bed, (relief_region){0, 0, g->nx, g->ny});
}

// To the sun at a compass angle (0 is +y, 90 is +x) and an elevation, in degrees.
static void cast(ground *g, double azimuth, double elevation)
{
    const double level = cos(elevation * DEGREES);
    const float sun[3] = {(float)(level * sin(azimuth * DEGREES)),
                          (float)(level * cos(azimuth * DEGREES)), (float)sin(elevation * DEGREES)};
    relief_cast(g->r, g->bed, sun);
}

// Hills of several sizes with a spire, a pit and a cliff among them.
static void lay_country(ground *g)
{
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            const double x = i, y = j;
            double z = 9.0 * sin(0.05 * x) * cos(0.07 * y) + 2.0 * sin(0.4 * x + 0.3 * y) +
                       0.3 * cos(1.3 * x) * sin(1.1 * y);
            z += i > g->nx / 2 && j > g->ny / 3 ? 12.0 : 0.0;
            z += abs(i - 40) < 2 && abs(j - 50) < 2 ? 25.0 : 0.0;
            z -= abs(i - 90) < 8 && abs(j - 30) < 6 ? 15.0 : 0.0;
            *at(g, i, j) = (float)z;
        }
}

// ---- Normals and openness ----------------------------------------------------------------

TEST(flat_ground_sees_the_whole_sky_and_casts_nothing)
{
    ground g = make_ground(70, 33, 2.0f);
    for (int k = 0; k < 70 * 33; k++)
        g.bed[k] = 123.25f;
    bake(&g);
    cast(&g, 33.0, 20.0);
    for (int j = 0; j < g.ny; j++)
        for (int i = 0; i < g.nx; i++) {
            assert_true(half_to_float(texel(&g, i, j)->normal[0]) == 0.0f);
            assert_true(half_to_float(texel(&g, i, j)->normal[1]) == 0.0f);
            assert_true(fabs(openness(&g, i, j) - 1.0) <= HALF_STEP);
            assert_true(shadow(&g, i, j) < 0.0);
        }
    drop_ground(&g);
}

TEST(a_plane_has_its_exact_normal_up_to_the_border)
{
    static const double slopes[][2] = {{0.5, 0.0}, {0.0, -0.25}, {0.75, -0.5}, {-2.0, 1.0}};
    for (size_t s = 0; s < sizeof slopes / sizeof slopes[0]; s++) {
        ground g = make_ground(20, 31, 4.0f);
        for (int j = 0; j < g.ny; j++)
            for (int i = 0; i < g.nx; i++)
                *at(&g, i, j) = (float)(4.0 * (slopes[s][0] * i + slopes[s][1] * j));
        bake(&g);
        const double length = sqrt(1.0 + slopes[s][0] * slopes[s][0] + slopes[s][1] * slopes[s][1]);
        for (int j = 0; j < g.ny; j++)
            for (int i = 0; i < g.nx; i++)
                for (int part = 0; part < 2; part++)
                    assert_true(fabs((double)half_to_float(texel(&g, i, j)->normal[part]) +
                                     slopes[s][part] / length) <= 0.5 * HALF_STEP + 1e-6);
        drop_ground(&g);
    }
}

// A plane tilted by S sees (1 + cos S) / 2 of the light of an even sky.
TEST(a_slope_loses_the_sky_behind_it)
{
    for (int azimuth = 0; azimuth < 360; azimuth += 25)
        for (double tilt = 15.0; tilt < 61.0; tilt += 15.0) {
            ground g = make_ground(SIDE, SIDE, 3.0f);
            const double rise = 3.0 * tan(tilt * DEGREES);
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++)
                    *at(&g, i, j) = (float)(rise * ((i - MID) * sin(azimuth * DEGREES) +
                                                    (j - MID) * cos(azimuth * DEGREES)));
            bake(&g);
            const double expected = 0.5 * (1.0 + cos(tilt * DEGREES));
            assert_true(fabs(openness(&g, MID, MID) - expected) < 0.002);
            drop_ground(&g);
        }
}

// At the bottom of an endless valley with straight sides of slope S the horizon in azimuth a is at
// tan e = tan S |cos a|, and the mean of cos^2 e is cos S. Smoothed ground is a little too high
// along the valley, hence the bound.
TEST(the_bottom_of_a_straight_valley_sees_the_cosine_of_its_sides)
{
    for (double side = 20.0; side < 61.0; side += 20.0)
        for (int along = 0; along < 2; along++) {
            ground g = make_ground(SIDE + 1, SIDE + 1, 1.0f);
            for (int j = 0; j <= SIDE; j++)
                for (int i = 0; i <= SIDE; i++)
                    *at(&g, i, j) =
                        (float)(tan(side * DEGREES) * abs(along != 0 ? j - MID : i - MID));
            bake(&g);
            assert_true(fabs(openness(&g, MID, MID) - cos(side * DEGREES)) < 0.03);
            drop_ground(&g);
        }
}

// At the point of a cone that opens upwards all horizons are at its slope.
TEST(the_bottom_of_a_cone_sees_the_squared_cosine_of_its_side)
{
    for (double side = 15.0; side < 61.0; side += 15.0) {
        ground g = make_ground(SIDE + 1, SIDE + 1, 2.0f);
        for (int j = 0; j <= SIDE; j++)
            for (int i = 0; i <= SIDE; i++)
                *at(&g, i, j) = (float)(2.0 * tan(side * DEGREES) * hypot(i - MID, j - MID));
        bake(&g);
        const double cosine = cos(side * DEGREES);
        assert_true(fabs(openness(&g, MID, MID) - cosine * cosine) < 0.03);
        drop_ground(&g);
    }
}

TEST(a_pit_is_darker_than_its_rim_and_darker_the_deeper)
{
    double last = 1.0;
    for (int depth = 2; depth <= 32; depth *= 2) {
        ground g = make_ground(SIDE, SIDE, 1.0f);
        for (int j = MID - 6; j <= MID + 6; j++)
            for (int i = MID - 6; i <= MID + 6; i++)
                *at(&g, i, j) = (float)-depth;
        bake(&g);
        assert_true(openness(&g, MID, MID) < openness(&g, MID - 9, MID));
        assert_true(openness(&g, MID, MID) < last - 0.02);
        last = openness(&g, MID, MID);
        assert_true(openness(&g, MID - 40, MID) > 0.999);
        drop_ground(&g);
    }
}

TEST(openness_is_the_same_in_a_mirror_and_on_its_side)
{
    ground g = make_ground(150, 150, 1.5f), mirrored = make_ground(150, 150, 1.5f),
           turned = make_ground(150, 150, 1.5f);
    lay_country(&g);
    for (int j = 0; j < 150; j++)
        for (int i = 0; i < 150; i++) {
            *at(&mirrored, 149 - i, j) = *at(&g, i, j);
            *at(&turned, j, i) = *at(&g, i, j);
        }
    bake(&g);
    bake(&mirrored);
    bake(&turned);
    for (int j = 0; j < 150; j++)
        for (int i = 0; i < 150; i++) {
            assert_true(fabs(openness(&g, i, j) - openness(&mirrored, 149 - i, j)) < 0.002);
            assert_true(fabs(openness(&g, i, j) - openness(&turned, j, i)) < 0.002);
        }
    drop_ground(&g);
    drop_ground(&mirrored);
    drop_ground(&turned);
}

// At the crest of a ramp the mean slope is half the ramp's, the ground ahead is level, and yet
// nothing of what lies under the tangent plane counts: a plane of slope 1 sees (1 + cos 45) / 2.
TEST(a_crest_is_lit_from_above_its_tangent_plane)
{
    ground g = make_ground(SIDE, SIDE, 1.0f);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < MID; i++)
            *at(&g, i, j) = (float)(2 * (i - MID));
    bake(&g);
    assert_true(fabs(openness(&g, MID, MID) - 0.5 * (1.0 + sqrt(0.5))) < 0.002);
    drop_ground(&g);
}

// Before an endless cliff whose top is at elevation e, (1 + cos e) / 2 of the light arrives. The
// smoothed cliff is lower than the sharp one, hence the bound.
TEST(a_cliff_hides_what_is_below_its_top)
{
    ground g = make_ground(SIDE, SIDE, 1.0f);
    for (int j = 0; j < SIDE; j++)
        for (int i = MID; i < SIDE; i++)
            *at(&g, i, j) = 25.0f;
    bake(&g);
    for (int away = 2; away < 40; away++) {
        const double expected = 0.5 * (1.0 + cos(atan2(25.0, away)));
        const double error = openness(&g, MID - away, MID) - expected;
        assert_true(error > -0.02 && error < 0.08);
    }
    drop_ground(&g);
}

// A thin tall wall must darken less and less with distance, with no rings.
TEST(light_grows_steadily_away_from_a_wall)
{
    for (int thick = 1; thick <= 32; thick *= 4) {
        ground g = make_ground(SIDE, SIDE, 1.0f);
        for (int j = 0; j < SIDE; j++)
            for (int i = MID; i < MID + thick; i++)
                *at(&g, i, j) = 25.0f;
        bake(&g);
        for (int i = MID - 2; i > MID - 60; i--)
            assert_true(openness(&g, i - 1, MID) > openness(&g, i, MID) - 0.006);
        assert_true(openness(&g, MID - 2, MID) < 0.75);
        drop_ground(&g);
    }
}

TEST(an_edit_gives_the_texels_of_baking_all_anew)
{
    static const relief_region edits[] = {
        {200, 150, 212, 160}, {0, 0, 5, 9}, {430, 290, 450, 300}, {-10, 120, 900, 122}};
    ground g = make_ground(450, 300, 2.0f), fresh = make_ground(450, 300, 2.0f);
    lay_country(&g);
    bake(&g);
    const size_t bytes = (size_t)g.nx * (size_t)g.ny * sizeof(relief_texel);
    for (size_t e = 0; e < sizeof edits / sizeof edits[0]; e++) {
        for (int j = edits[e].j0 > 0 ? edits[e].j0 : 0; j < edits[e].j1 && j < g.ny; j++)
            for (int i = edits[e].i0 > 0 ? edits[e].i0 : 0; i < edits[e].i1 && i < g.nx; i++)
                *at(&g, i, j) += 17.0f;
        memcpy(fresh.bed, g.bed, (size_t)g.nx * (size_t)g.ny * sizeof *g.bed);
        bake(&fresh);
        assert_true(memcmp(relief_texels(g.r), relief_texels(fresh.r), bytes) != 0);
        relief_bake(g.r, g.bed, edits[e]);
        assert_memory_equal(relief_texels(g.r), relief_texels(fresh.r), bytes);
    }
    relief_bake(g.r, g.bed, (relief_region){30, 30, 30, 40});
    assert_memory_equal(relief_texels(g.r), relief_texels(fresh.r), bytes);
    drop_ground(&g);
    drop_ground(&fresh);
}

// ---- Shadows -----------------------------------------------------------------------------

// Distance in cells, along the sun's direction, from a wall's last cells to the edge of its shadow.
// The wall stands across +y (or +x) and the sun on the side of larger j (or i).
static double shadow_length(const ground *g, bool across_x, int wall, double off_axis)
{
    for (int n = 1; n < wall; n++) {
        const double s = across_x ? shadow(g, wall - n, MID) : shadow(g, MID, wall - n);
        const double before =
            across_x ? shadow(g, wall - n + 1, MID) : shadow(g, MID, wall - n + 1);
        if (s < 0.0) {
            const double edge = n == 1 ? 1.0 : n - 1 + before / (before - s);
            return edge / cos(off_axis * DEGREES);
        }
    }
    return 1e9;
}

TEST(a_wall_casts_a_shadow_of_its_height_over_the_tangent)
{
    const double height = 12.0;
    for (int across_x = 0; across_x < 2; across_x++) {
        ground g = make_ground(SIDE, SIDE, 2.0f);
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++)
                if ((across_x != 0 ? i : j) >= MID && (across_x != 0 ? i : j) < MID + 3)
                    *at(&g, i, j) = (float)height;
        for (int off = -45; off <= 45; off += 15)
            for (double elevation = 15.0; elevation < 70.0; elevation += 10.0) {
                cast(&g, across_x != 0 ? 90.0 - off : off, elevation);
                const double length = shadow_length(&g, across_x != 0, MID, off);
                const double expected = height / tan(elevation * DEGREES) / 2.0;
                assert_true(fabs(length - expected) < 1.5);
                // Before the wall and on it the sun shines.
                assert_true(across_x != 0 ? shadow(&g, MID + 6, MID) < 0.0
                                          : shadow(&g, MID, MID + 6) < 0.0);
                assert_true(shadow(&g, MID + 1, MID + 1) < 0.0);
            }
        drop_ground(&g);
    }
}

// Over the shaded ground the shadow's top comes down by the tangent with every metre.
TEST(the_value_is_the_height_of_the_shadow_over_the_ground)
{
    ground g = make_ground(SIDE, SIDE, 0.5f);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++)
            *at(&g, i, j) = (float)(0.01 * i) + (i == MID ? 9.0f : 0.0f);
    cast(&g, 270.0, 30.0); // the sun stands at smaller i
    for (int i = MID + 1; i < MID + 25; i++) {
        const double top = 9.0 + 0.01 * MID - tan(30.0 * DEGREES) * 0.5 * (i - MID);
        assert_true(fabs(shadow(&g, i, MID) - (top - 0.01 * i)) < 0.01);
    }
    drop_ground(&g);
}

TEST(a_mesa_shades_only_the_side_away_from_the_sun)
{
    ground g = make_ground(SIDE, SIDE, 1.0f);
    for (int j = MID - 10; j < MID + 10; j++)
        for (int i = MID - 10; i < MID + 10; i++)
            *at(&g, i, j) = 10.0f;
    for (int azimuth = 0; azimuth < 360; azimuth += 10) {
        cast(&g, azimuth, 30.0);
        // Its shadow is 17 cells long; 18 cells from the middle is beyond the corners.
        const int dx = (int)lround(18.0 * sin(azimuth * DEGREES));
        const int dy = (int)lround(18.0 * cos(azimuth * DEGREES));
        assert_true(shadow(&g, MID - dx, MID - dy) > 0.0);
        assert_true(shadow(&g, MID + dx, MID + dy) < 0.0);
        assert_true(shadow(&g, MID + 2 * dy, MID - 2 * dx) < 0.0);
        assert_true(shadow(&g, MID - 2 * dy, MID + 2 * dx) < 0.0);
    }
    drop_ground(&g);
}

TEST(shadows_end_a_thousand_metres_up)
{
    ground g = make_ground(30, 30, 1.0f);
    for (int j = 0; j < 30; j++)
        *at(&g, 20, j) = 5000.0f;
    cast(&g, 90.0, 45.0);
    assert_true(shadow(&g, 10, 15) == 1000.0);
    assert_true(shadow(&g, 20, 15) == -1000.0);
    drop_ground(&g);
}

TEST(all_is_in_shadow_at_night_and_nothing_at_the_zenith)
{
    ground g = make_ground(60, 40, 1.0f);
    lay_country(&g);
    for (int azimuth = 0; azimuth < 360; azimuth += 45) {
        cast(&g, azimuth, -3.0);
        for (int k = 0; k < 60 * 40; k++)
            assert_true(half_to_float(relief_texels(g.r)[k].shadow) == 1000.0f);
        cast(&g, azimuth, 89.99);
        for (int j = 0; j < 40; j++)
            for (int i = 0; i < 60; i++)
                assert_true(shadow(&g, i, j) < 0.0);
    }
    const float zenith[3] = {0.0f, 0.0f, 1.0f};
    relief_cast(g.r, g.bed, zenith);
    for (int k = 0; k < 60 * 40; k++)
        assert_true(half_to_float(relief_texels(g.r)[k].shadow) == -1000.0f);
    drop_ground(&g);
}

TEST(the_border_towards_the_sun_is_lit)
{
    ground g = make_ground(60, 40, 1.0f);
    lay_country(&g);
    cast(&g, 20.0, 10.0);
    for (int i = 0; i < 60; i++)
        assert_true(shadow(&g, i, 39) == -1000.0);
    cast(&g, 250.0, 10.0);
    for (int j = 0; j < 40; j++)
        assert_true(shadow(&g, 0, j) == -1000.0);
    drop_ground(&g);
}

// ---- Odd requests ------------------------------------------------------------------------

TEST(one_row_and_one_cell_are_ground_too)
{
    static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {2, 2}};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        ground g = make_ground(sizes[s][0], sizes[s][1], 1.0f);
        for (int k = 0; k < g.nx * g.ny; k++)
            g.bed[k] = (float)(k % 7);
        bake(&g);
        cast(&g, 70.0, 40.0);
        cast(&g, 10.0, 40.0);
        for (int k = 0; k < g.nx * g.ny; k++) {
            const double open = (double)half_to_float(relief_texels(g.r)[k].openness);
            assert_true(open > 0.0 && open <= 1.0);
        }
        drop_ground(&g);
    }
}

TEST(a_size_that_cannot_be_is_refused_in_words)
{
    relief *r = NULL;
    assert_int_equal(relief_create(0, 5, 1.0f, &r), RILL_BAD_ARGUMENT);
    assert_non_null(strstr(render_error_text(), "0 x 5"));
    assert_int_equal(relief_create(5, -1, 1.0f, &r), RILL_BAD_ARGUMENT);
    assert_int_equal(relief_create(5, 5, 0.0f, &r), RILL_BAD_ARGUMENT);
    assert_int_equal(relief_create(5, 5, NAN, &r), RILL_BAD_ARGUMENT);
    assert_null(r);
}
