// SPDX-License-Identifier: MIT
// test_ocean.c - the open sea around a world: how it comes in over the border, that it reaches the
// horizon and meets the sky softly, and that nothing is seen through the border.
#include "render/output/headless.h"
#include "render/passes/ocean_pass.h"
#include "render/render_error.h"
#include "tests/kit/kit.h"
#include "tests/render/headless_group.h"
#include "tests/render/models/wave_model.h"

#define SIDE   32
#define WIDTH  240
#define HEIGHT 135
#define BYTES  (WIDTH * HEIGHT * 3)

// ---- Worlds ----------------------------------------------------------------------------

static double flat(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return 0.0;
}

static double deep(KIT_UNUSED double x, KIT_UNUSED double y)
{
    return -6.0;
}

// Land in the east, up to the border.
static double shore(double x, KIT_UNUSED double y)
{
    return x < 20.0 ? -4.0 : 2.0;
}

static double under_shore(double x, double y)
{
    return shore(x, y) > 0.0 ? shore(x, y) - 0.5 : 0.0;
}

static rill_view at_sea(void)
{
    rill_view look = rill_default_view();
    rill_liquid_find("paint", &look.liquid); // nothing is seen through it
    look.ground = RILL_GROUND_SAND;
    look.clouds = 0.0;
    look.time_of_day = 12.0; // the sun is in the south, behind eyes that look north
    look.open_sea = rill_default_sea_def();
    look.open_sea.size = 128;
    look.open_sea.wind = 6.0;
    return look;
}

static void draw(wave_model_height bed, wave_model_height level, const rill_view *look,
                 const camera *eye, double time, uint8_t *rgb)
{
    SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, bed, level);
    s->time = time;
    const shot asked = {.camera = *eye, .width = WIDTH, .height = HEIGHT};
    wave_model_draw(s, look, &asked, rgb);
}

// ---- The border ------------------------------------------------------------------------

TEST(a_view_without_an_open_sea_has_none)
{
    rill_view look = at_sea();
    look.open_sea.size = 0;
    ocean *o = NULL;
    assert_ok(ocean_create(&look, SIDE, SIDE, 1.0f, &o));
    assert_null(o);
    assert_true(ocean_fits(NULL, &look));
    const rill_view other = at_sea();
    assert_false(ocean_fits(NULL, &other));
}

TEST(a_sea_that_cannot_be_is_refused)
{
    rill_view look = at_sea();
    look.open_sea.size = 100; // no power of two
    ocean *o = NULL;
    assert_int_not_equal(ocean_create(&look, SIDE, SIDE, 1.0f, &o), RILL_OK);
    assert_null(o);
}

TEST(the_sea_comes_in_over_ten_cells_of_a_drowned_border)
{
    const rill_view look = at_sea();
    float bed[SIDE * SIDE];
    for (int n = 0; n < SIDE * SIDE; n++)
        bed[n] = (float)shore(n % SIDE + 0.5, n / SIDE + 0.5);
    SCOPED(ocean) *o = NULL;
    assert_ok(ocean_create(&look, SIDE, SIDE, 1.0f, &o));
    ocean_set_ground(o, bed);
    assert_true(ocean_share(o, 0, 16) == 1.0f); // equal to the sea at the border itself
    for (int i = 1; i < 16; i++)
        assert_true(ocean_share(o, i, 16) <= ocean_share(o, i - 1, 16));
    assert_true(ocean_share(o, 4, 16) > 0.3f && ocean_share(o, 4, 16) < 0.9f);
    assert_true(ocean_share(o, 10, 16) == 0.0f);
    assert_true(ocean_share(o, 5, 0) == 1.0f && ocean_share(o, 5, SIDE - 1) == 1.0f);
    for (int j = 0; j < SIDE; j++)
        for (int i = 20; i < SIDE; i++)
            assert_true(ocean_share(o, i, j) == 0.0f); // land
}

static int pixels_not_blue(const uint8_t *rgb)
{
    int count = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++)
        count += rgb[3 * n + 2] < rgb[3 * n] + 25;
    return count;
}

TEST(nothing_is_seen_between_the_world_and_the_sea)
{
    static uint8_t rgb[BYTES];
    rill_view look = at_sea();
    for (int k = 0; k < 6; k++) {
        const camera eye = {{4.0 + 5.0 * k, -6.0, 9.0}, {14.0 + k, 6.0, 0.0}, 50.0};
        draw(deep, flat, &look, &eye, 1.7 * k, rgb);
        assert_int_equal(pixels_not_blue(rgb), 0);
    }
    // Without the sea, what is beyond the border is not blue.
    look.open_sea.size = 0;
    const camera eye = {{14.0, -6.0, 9.0}, {14.0, 6.0, 0.0}, 50.0};
    draw(deep, flat, &look, &eye, 0.0, rgb);
    assert_true(pixels_not_blue(rgb) > 100);
}

TEST(land_at_the_border_stays_dry)
{
    static uint8_t rgb[BYTES];
    const rill_view look = at_sea();
    const camera eye = {{26.0, 10.0, 14.0}, {26.0, 16.0, 2.0}, 30.0};
    draw(shore, under_shore, &look, &eye, 3.0, rgb);
    int dry = 0;
    for (int row = 50; row < 85; row++)
        for (int column = 90; column < 150; column++) {
            const uint8_t *pixel = rgb + 3 * (row * WIDTH + column);
            dry += pixel[0] > pixel[2];
        }
    assert_int_equal(dry, 35 * 60);
}

// ---- The horizon -----------------------------------------------------------------------

#define HORIZON (HEIGHT / 2)

static const camera level_eye = {{16.0, -40.0, 12.0}, {16.0, 60.0, 12.0}, 50.0};

TEST(the_sea_reaches_the_horizon_and_leaves_the_sky)
{
    static uint8_t with[BYTES], without[BYTES];
    rill_view look = at_sea();
    draw(deep, flat, &look, &level_eye, 0.0, with);
    look.open_sea.size = 0;
    draw(deep, flat, &look, &level_eye, 0.0, without);
    int sea = 0, sky = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const int row = n / WIDTH;
        const uint8_t *a = with + 3 * n, *b = without + 3 * n;
        if (row > HORIZON + 3)
            sea += a[2] > a[0] + 20;
        else if (row < HORIZON - 1)
            sky += abs(a[0] - b[0]) < 4 && abs(a[2] - b[2]) < 4;
    }
    assert_int_equal(sea, WIDTH * (HEIGHT - HORIZON - 4));
    assert_int_equal(sky, WIDTH * (HORIZON - 1));
}

// Mean brightness of a row.
static double brightness(const uint8_t *rgb, int row)
{
    double sum = 0.0;
    for (int column = 0; column < WIDTH; column++) {
        const uint8_t *pixel = rgb + 3 * (row * WIDTH + column);
        sum += 0.3 * pixel[0] + 0.6 * pixel[1] + 0.1 * pixel[2];
    }
    return sum / WIDTH;
}

TEST(the_sea_meets_the_sky_without_a_line)
{
    static uint8_t rgb[BYTES];
    rill_view look = at_sea();
    rill_liquid_find("sea", &look.liquid);
    // A town's air, and a day on which one sees fifty kilometres, through a telescope.
    for (int k = 0; k < 2; k++) {
        camera eye = level_eye;
        eye.field_of_view = k == 0 ? 50.0 : 8.0;
        look.visibility = k == 0 ? 2000.0 : 50000.0;
        draw(deep, flat, &look, &eye, 0.0, rgb);
        double steepest = 0.0;
        for (int row = HORIZON - 6; row < HORIZON + 20; row++)
            steepest = fmax(steepest, fabs(brightness(rgb, row + 1) - brightness(rgb, row)));
        const double whole = fabs(brightness(rgb, HORIZON - 6) - brightness(rgb, HORIZON + 20));
        print_message("steepest step %.1f of %.1f\n", steepest, whole);
        assert_true(steepest < 0.25 * whole);
    }
}

TEST(waves_of_the_sea_move_with_simulated_time)
{
    static uint8_t first[BYTES], again[BYTES], later[BYTES];
    const rill_view look = at_sea();
    draw(deep, flat, &look, &level_eye, 5.0, first);
    draw(deep, flat, &look, &level_eye, 5.0, again);
    draw(deep, flat, &look, &level_eye, 6.0, later);
    assert_memory_equal(first, again, BYTES);
    int changed = 0;
    for (int n = 0; n < BYTES; n++)
        changed += abs(first[n] - later[n]) > 4;
    assert_true(changed > BYTES / 20);
}

// ---- Variants --------------------------------------------------------------------------

// With and without a sea around it, with and without fine waves on it.
static void draw_variants(uint8_t pictures[4][BYTES])
{
    static wave_model_sea sea;
    wave_model_make_sea(16.0, 0.1, 1.0, &sea);
    for (int k = 0; k < 4; k++) {
        rill_view look = at_sea();
        look.open_sea.size = k % 2 == 0 ? 0 : look.open_sea.size;
        SCOPED(frame_data) *s = wave_model_still(SIDE, 1.0, deep, flat);
        if (k / 2 == 1)
            wave_model_add(s, &sea, 1.0f, 0.0f);
        const shot asked = {.camera = {{16.0, -4.0, 5.0}, {16.0, 12.0, 0.0}, 50.0},
                            .width = WIDTH,
                            .height = HEIGHT};
        wave_model_draw(s, &look, &asked, pictures[k]);
    }
}

TEST(every_variant_is_drawn_alike_by_both_kinds_of_driver)
{
    static uint8_t seen[2][4][BYTES];
    headless_destroy(&context);
    for (int es = 0; es < 2; es++) {
        if (es == 1)
            setenv("RILL_GLES", "1", 1);
        else
            unsetenv("RILL_GLES");
        assert_ok(headless_create(&context));
        draw_variants(seen[es]);
        headless_destroy(&context);
    }
    unsetenv("RILL_GLES");
    assert_ok(headless_create(&context));
    for (int k = 0; k < 4; k++) {
        int far = 0;
        for (int n = 0; n < BYTES; n++)
            far += abs(seen[0][k][n] - seen[1][k][n]) > 8;
        assert_true(far < BYTES / 200); // edges may fall on the other side of a pixel
        for (int other = 0; other < k; other++)
            assert_true(memcmp(seen[0][k], seen[0][other], BYTES) != 0);
    }
}
