// SPDX-License-Identifier: MIT
// test_picture_distance.c - the judge of golden images must itself be judged: it sees what an eye
// sees and overlooks what an eye overlooks.
#include "tests/kit/kit.h"
#include "tests/render/models/picture_distance.h"

#define WIDTH  120
#define HEIGHT 90
#define BYTES  (WIDTH * HEIGHT * 3)

static uint8_t first[BYTES], second[BYTES], difference[BYTES];

static uint8_t *pixel(uint8_t *rgb, int x, int y)
{
    return rgb + 3 * (y * WIDTH + x);
}

static void set(uint8_t *rgb, int x, int y, double red, double green, double blue)
{
    uint8_t *p = pixel(rgb, x, y);
    p[0] = (uint8_t)lround(fmin(fmax(red, 0.0), 255.0));
    p[1] = (uint8_t)lround(fmin(fmax(green, 0.0), 255.0));
    p[2] = (uint8_t)lround(fmin(fmax(blue, 0.0), 255.0));
}

static void fill(uint8_t *rgb, int red, int green, int blue)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            set(rgb, x, y, red, green, blue);
}

// Something like a picture: a bright sky, a hill with a slanting edge and coarse stripes on it, a
// dark lake. `moved` pixels to the right, with edges smoothed as a renderer smooths them.
static double covered(double x, double edge)
{
    return fmin(fmax(edge - x + 0.5, 0.0), 1.0);
}

static void paint_country(uint8_t *rgb, double moved)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double at = x - moved;
            const double hill = covered(at, 20.0 + 0.9 * y), lake = covered(70.0 - y, 0.0);
            const double stripe = 1.0 + 0.12 * sin(0.9 * at + 0.4 * y);
            const double sky[3] = {150.0 + 0.6 * y, 190.0 + 0.3 * y, 235.0};
            const double land[3] = {96.0 * stripe, 110.0 * stripe, 60.0 * stripe};
            const double water[3] = {24.0, 52.0, 66.0};
            double rgb_here[3];
            for (int k = 0; k < 3; k++) {
                const double dry = land[k] + (sky[k] - land[k]) * (1.0 - hill);
                rgb_here[k] = dry + (water[k] - dry) * lake;
            }
            set(rgb, x, y, rgb_here[0], rgb_here[1], rgb_here[2]);
        }
}

static double distance(void)
{
    picture_verdict verdict;
    assert_true(picture_compare(first, second, WIDTH, HEIGHT, NULL, &verdict));
    return verdict.distance;
}

// ---- The measure itself ----------------------------------------------------------------

TEST(equal_pictures_have_no_distance)
{
    paint_country(first, 0.0);
    memcpy(second, first, BYTES);
    assert_true(distance() == 0.0);
}

// L* runs from 0 to 100; sRGB's red is L* 53.24, a* 80.09, b* 67.20 and its grey 119 L* 50.03,
// figures that every table of CIELAB (D65) has.
TEST(flat_colours_are_as_far_apart_as_in_tables)
{
    fill(first, 255, 255, 255);
    fill(second, 0, 0, 0);
    assert_true(fabs(distance() - 100.0) < 0.01);
    fill(second, 119, 119, 119);
    assert_true(fabs(distance() - 49.97) < 0.02);
    fill(second, 255, 0, 0);
    assert_true(fabs(distance() - sqrt(46.76 * 46.76 + 80.09 * 80.09 + 67.20 * 67.20)) < 0.05);
}

TEST(pictures_of_every_size_are_compared_to_their_edges)
{
    static const int sizes[][2] = {{1, 1}, {5, 3}, {16, 16}, {17, 40}, {31, 33}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const int width = sizes[n][0], height = sizes[n][1];
        memset(first, 100, BYTES);
        memset(second, 100, BYTES);
        const int wide = width < 4 ? width : 4, high = height < 4 ? height : 4;
        for (int y = height - high; y < height; y++)
            memset(second + 3 * (y * width + width - wide), 255, (size_t)(3 * wide));
        picture_verdict verdict;
        assert_true(picture_compare(first, second, width, height, difference, &verdict));
        assert_true(verdict.distance > PICTURE_TOLERANCE);
        assert_int_equal(verdict.x, width > 16 ? width - 16 : 0);
        assert_int_equal(verdict.y, height > 16 ? height - 16 : 0);
    }
}

TEST(the_difference_shows_where_it_is)
{
    fill(first, 90, 90, 90);
    fill(second, 90, 90, 90);
    for (int y = 40; y < 48; y++)
        for (int x = 64; x < 72; x++)
            set(second, x, y, 160, 90, 90);
    picture_verdict verdict;
    assert_true(picture_compare(first, second, WIDTH, HEIGHT, difference, &verdict));
    assert_in_range(verdict.x, 72 - 16, 64);
    assert_in_range(verdict.y, 48 - 16, 40);
    assert_int_equal(pixel(difference, 67, 43)[0], 255);
    assert_int_equal(pixel(difference, 10, 10)[0], 0);
    const uint8_t *corner = pixel(difference, verdict.x, verdict.y);
    assert_true(corner[0] == 255 && corner[1] == 0 && corner[2] == 0);
}

// ---- What another driver does ----------------------------------------------------------

TEST(edges_that_moved_by_a_part_of_a_pixel_do_not_count)
{
    paint_country(first, 0.0);
    for (int n = -8; n <= 8; n++) {
        paint_country(second, n / 8.0);
        assert_true(distance() < PICTURE_TOLERANCE);
    }
}

TEST(a_fine_line_that_moved_by_a_pixel_does_not_count)
{
    fill(first, 200, 210, 220);
    fill(second, 200, 210, 220);
    for (int x = 0; x < WIDTH; x++) {
        set(first, x, 30 + x / 4, 30, 30, 30);
        set(second, x, 31 + x / 4, 30, 30, 30);
    }
    assert_true(distance() < PICTURE_TOLERANCE);
}

// The last bit of every byte is where rounding and dithering differ.
TEST(noise_of_one_step_does_not_count)
{
    static const int brightness[] = {3, 40, 128, 250};
    uint32_t random = 1;
    for (int n = 0; n < 4; n++) {
        fill(first, brightness[n], brightness[n], brightness[n]);
        memcpy(second, first, BYTES);
        for (int k = 0; k < BYTES; k++) {
            random = random * 1664525u + 1013904223u;
            second[k] = (uint8_t)(second[k] + (int)(random >> 16) % 3 - 1);
        }
        assert_true(distance() < PICTURE_TOLERANCE);
    }
}

TEST(a_few_stray_pixels_do_not_count)
{
    paint_country(first, 0.0);
    memcpy(second, first, BYTES);
    for (int n = 0; n < 20; n++) {
        const int x = (n * 53 + 11) % WIDTH, y = (n * 37 + 5) % HEIGHT;
        const uint8_t *old = pixel(second, x, y);
        set(second, x, y, old[0] + 40, old[1] + 40, old[2] + 40);
    }
    assert_true(distance() < PICTURE_TOLERANCE);
}

// ---- What a missing term does ----------------------------------------------------------

TEST(a_shadow_that_is_missing_counts)
{
    paint_country(first, 0.0);
    memcpy(second, first, BYTES);
    // In shade there is the light of the sky, a quarter of all: in bytes about half.
    for (int y = 50; y < 60; y++)
        for (int x = 20; x < 32; x++) {
            const uint8_t *lit = pixel(first, x, y);
            set(second, x, y, 0.5 * lit[0], 0.52 * lit[1], 0.55 * lit[2]);
        }
    assert_true(distance() > PICTURE_TOLERANCE);
}

TEST(a_tint_of_three_percent_counts)
{
    static const double tints[][3] = {
        {1.03, 1.0, 1.0}, {1.0, 1.03, 1.0}, {1.0, 1.0, 0.97}, {0.97, 0.97, 0.97}};
    for (int n = 0; n < 4; n++) {
        paint_country(first, 0.0);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const uint8_t *old = pixel(first, x, y);
                set(second, x, y, tints[n][0] * old[0], tints[n][1] * old[1], tints[n][2] * old[2]);
            }
        assert_true(distance() > PICTURE_TOLERANCE);
    }
}

TEST(a_highlight_that_is_gone_counts)
{
    paint_country(first, 0.0);
    memcpy(second, first, BYTES);
    for (int y = 80; y < 84; y++)
        for (int x = 90; x < 94; x++)
            set(second, x, y, 250, 245, 230);
    assert_true(distance() > PICTURE_TOLERANCE);
}

TEST(fine_detail_that_is_gone_counts)
{
    fill(first, 110, 110, 110);
    fill(second, 110, 110, 110);
    uint32_t random = 7;
    for (int y = 30; y < 60; y++)
        for (int x = 30; x < 60; x++) {
            random = random * 1664525u + 1013904223u;
            const double grain = 110.0 + (double)((random >> 16) % 61) - 30.0;
            set(second, x, y, grain, grain, grain);
        }
    assert_true(distance() > PICTURE_TOLERANCE);
}
