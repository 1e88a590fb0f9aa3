// SPDX-License-Identifier: MIT
// test_sky.c - the sun stands where it must, and the sky has the colours of a sky.
#include "render/passes/sky_pass.h"
#include "tests/kit/kit.h"

#define PI      3.14159265358979324
#define DEGREES (PI / 180.0)

static sky *computed(double time_of_day, double latitude, double heading, double haze)
{
    sky *s = malloc(sizeof *s);
    assert_non_null(s);
    // What was there before must not matter.
    memset(s, 0xff, sizeof *s);
    sky_compute(time_of_day, latitude, heading, haze, s);
    return s;
}

static double luminance(const float c[3])
{
    return 0.2126 * (double)c[0] + 0.7152 * (double)c[1] + 0.0722 * (double)c[2];
}

// Light on level ground: sun or moon, and sky.
static double ground_light(const sky *s)
{
    return luminance(s->sunlight) * fmax((double)s->sun[2], 0.0) + luminance(s->skylight);
}

// Texel at an azimuth from the sun and an elevation, in degrees.
static const float *look(const sky *s, double azimuth, double elevation)
{
    const int i = (int)(azimuth / 180.0 * SKY_WIDTH),
              j = (int)(sqrt(elevation / 90.0) * SKY_HEIGHT);
    return s->radiance[j < SKY_HEIGHT ? j : SKY_HEIGHT - 1][i < SKY_WIDTH ? i : SKY_WIDTH - 1];
}

static void assert_direction(const sky *s, double x, double y, double z)
{
    assert_true(fabs((double)s->sun[0] - x) < 1e-5);
    assert_true(fabs((double)s->sun[1] - y) < 1e-5);
    assert_true(fabs((double)s->sun[2] - z) < 1e-5);
}

// ---- Where the sun is --------------------------------------------------------------------

TEST(at_noon_the_sun_is_in_the_south_at_90_less_the_latitude)
{
    for (double latitude = 0.0; latitude < 80.0; latitude += 15.0) {
        FREED(sky) *s = computed(12.0, latitude, 0.0, 1.0);
        assert_direction(s, 0.0, -sin(latitude * DEGREES), cos(latitude * DEGREES));
    }
    FREED(sky) *s = computed(12.0, -30.0, 0.0, 1.0); // south of the equator it is in the north
    assert_direction(s, 0.0, 0.5, cos(30.0 * DEGREES));
}

TEST(the_sun_rises_in_the_east_and_sets_in_the_west)
{
    for (double latitude = -60.0; latitude < 61.0; latitude += 30.0) {
        FREED(sky) *s = computed(6.0, latitude, 0.0, 1.0);
        assert_direction(s, 1.0, 0.0, 0.0);
        free(s);
        s = computed(18.0, latitude, 0.0, 1.0);
        assert_direction(s, -1.0, 0.0, 0.0);
    }
}

TEST(heading_is_the_compass_direction_of_y)
{
    const double level = sin(45.0 * DEGREES);
    sky *s = computed(12.0, 45.0, 90.0, 1.0); // +y is east, so south is +x
    assert_direction(s, level, 0.0, level);
    free(s);
    s = computed(12.0, 45.0, 180.0, 1.0);
    assert_direction(s, 0.0, level, level);
    free(s);
    s = computed(6.0, 45.0, 90.0, 1.0);
    assert_direction(s, 0.0, 1.0, 0.0);
    free(s);
    s = computed(6.0, 45.0, 30.0, 1.0); // 60 degrees clockwise of +y
    assert_direction(s, sin(60.0 * DEGREES), cos(60.0 * DEGREES), 0.0);
    free(s);
    FREED(sky) *turned = computed(9.0, 45.0, 77.0, 1.0), *straight = computed(9.0, 45.0, 0.0, 1.0);
    assert_memory_equal(turned->radiance, straight->radiance, sizeof turned->radiance);
}

// ---- Colours -----------------------------------------------------------------------------

TEST(noon_sunlight_is_a_little_warmer_than_white)
{
    FREED(sky) *s = computed(12.0, 45.0, 0.0, 1.0);
    const double expected[3] = {1.0, 0.95, 0.88};
    for (int c = 0; c < 3; c++)
        assert_true(fabs((double)s->sunlight[c] - expected[c]) < 0.02);
    // Clear skies send 8 to 25 percent of what the sun sends to level ground.
    const double part = luminance(s->skylight) / (luminance(s->sunlight) * (double)s->sun[2]);
    assert_true(part > 0.08 && part < 0.25);
}

TEST(the_zenith_at_noon_is_blue_and_darker_than_the_horizon)
{
    FREED(sky) *s = computed(12.0, 45.0, 0.0, 1.0);
    for (double azimuth = 0.0; azimuth < 180.0; azimuth += 10.0) {
        const float *zenith = look(s, azimuth, 89.0), *rim = look(s, azimuth, 1.0);
        assert_true(zenith[2] > 1.3f * zenith[1] && zenith[1] > 1.2f * zenith[0]);
        assert_true(luminance(rim) > 2.0 * luminance(zenith));
        // The horizon is whiter: air thick enough scatters all colours.
        assert_true(rim[2] / rim[0] < 0.7f * zenith[2] / zenith[0]);
        assert_true(rim[2] > rim[1] && rim[1] > rim[0]);
    }
    assert_true(s->skylight[2] > s->skylight[1] && s->skylight[1] > s->skylight[0]);
}

TEST(sunlight_reddens_and_weakens_towards_the_horizon)
{
    double red = 0.0, bright = 2.0;
    for (double time = 12.0; time < 17.9; time += 0.25) {
        FREED(sky) *s = computed(time, 45.0, 0.0, 1.0);
        const double now = (double)(s->sunlight[0] / s->sunlight[2]);
        assert_true(now > red);
        assert_true(luminance(s->sunlight) < bright);
        red = now;
        bright = luminance(s->sunlight);
    }
    assert_true(red > 10.0);
}

TEST(the_sky_at_sunset_is_red_around_the_sun)
{
    FREED(sky) *s = computed(17.9, 45.0, 0.0, 1.0); // the sun stands one degree high
    const float *near = look(s, 1.0, 1.0), *aside = look(s, 90.0, 10.0), *top = look(s, 90.0, 80.0);
    assert_true(near[0] > near[1] && near[1] > near[2]);
    assert_true(near[0] / near[2] > 3.0f * aside[0] / aside[2]);
    assert_true(near[0] / near[2] > 3.0f * top[0] / top[2]);
    assert_true(luminance(near) > 3.0 * luminance(look(s, 179.0, 1.0)));
    assert_true(top[2] > top[0]);
    // Neither green nor purple.
    for (double azimuth = 0.0; azimuth < 180.0; azimuth += 5.0)
        for (double elevation = 0.5; elevation < 90.0; elevation += 3.0) {
            const float *c = look(s, azimuth, elevation);
            assert_true(c[1] < 1.1f * fmaxf(c[0], c[2]));
            assert_true(c[1] > 0.75f * fminf(c[0], c[2]));
        }
}

TEST(haze_whitens_the_sky_and_glows_around_the_sun)
{
    FREED(sky) *clear = computed(12.0, 45.0, 0.0, 0.0), *hazy = computed(12.0, 45.0, 0.0, 4.0);
    assert_true(luminance(look(hazy, 1.0, 45.0)) > 2.0 * luminance(look(clear, 1.0, 45.0)));
    assert_true(luminance(hazy->skylight) > luminance(clear->skylight));
    assert_true(luminance(hazy->sunlight) < luminance(clear->sunlight));
    assert_true(hazy->skylight[2] / hazy->skylight[0] < clear->skylight[2] / clear->skylight[0]);
}

// In clear air alone, the light that the sun loses on its way is scattered, half of it or more
// downwards: sun and sky together bring what came in at the top, less at most the other half and
// what ozone takes. The ground's light comes back down from the air, so a little more may arrive.
TEST(sun_and_sky_together_bring_what_came_in)
{
    FREED(sky) *s = computed(12.0, 0.0, 0.0, 0.0);
    // Optical depth of the air above 0.5 km.
    static const double depth[3] = {0.053, 0.1037, 0.248};
    for (int c = 0; c < 3; c++) {
        const double above = (double)s->sunlight[c] * exp(depth[c]);
        const double lost = above - (double)s->sunlight[c];
        assert_true((double)s->skylight[c] > 0.4 * lost);
        assert_true((double)s->skylight[c] < 0.9 * lost);
    }
}

// ---- Day and night -----------------------------------------------------------------------

TEST(every_hour_at_every_latitude_is_finite_and_not_negative)
{
    static const double latitudes[] = {-35.0, 80.0};
    for (size_t l = 0; l < sizeof latitudes / sizeof latitudes[0]; l++)
        for (int part = 0; part < TEST_PART(29); part++) {
            FREED(sky) *s = computed(part * 0.83, latitudes[l], 10.0, 1.0);
            const float *v = &s->sun[0];
            for (size_t k = 0; k < sizeof *s / sizeof *v; k++)
                assert_true(isfinite(v[k]) && (k < 3 || v[k] >= 0.0f));
            assert_true(fabs((double)(s->sun[0] * s->sun[0] + s->sun[1] * s->sun[1] +
                                      s->sun[2] * s->sun[2]) -
                             1.0) < 1e-5);
            assert_true(luminance(s->skylight) > 0.0 && luminance(s->horizon) > 0.0);
        }
}

TEST(noon_is_bright_and_midnight_is_dim_blue_moonlight)
{
    FREED(sky) *noon = computed(12.0, 45.0, 0.0, 1.0), *midnight = computed(0.0, 45.0, 0.0, 1.0);
    assert_true(ground_light(noon) > 0.6);
    assert_true(ground_light(midnight) > ground_light(noon) / 80.0);
    assert_true(ground_light(midnight) < ground_light(noon) / 20.0);
    assert_true(midnight->sun[2] > 0.5f);
    assert_true(midnight->sunlight[2] > midnight->sunlight[0]);
}

// Radiance in a fixed direction of the world, east, north and up, between texels as a texture is.
static void world_radiance(const sky *s, const double to[3], double out[3])
{
    const double level = hypot((double)s->sun[0], (double)s->sun[1]) * hypot(to[0], to[1]);
    const double dot = (double)s->sun[0] * to[0] + (double)s->sun[1] * to[1];
    const double azimuth = acos(fmin(fmax(level > 1e-9 ? dot / level : 1.0, -1.0), 1.0));
    const double x = fmin(fmax(azimuth / PI * SKY_WIDTH - 0.5, 0.0), SKY_WIDTH - 1.001);
    const double y =
        fmin(fmax(sqrt(asin(to[2]) * 2.0 / PI) * SKY_HEIGHT - 0.5, 0.0), SKY_HEIGHT - 1.001);
    const int i = (int)x, j = (int)y;
    for (int c = 0; c < 3; c++)
        out[c] = ((double)s->radiance[j][i][c] * (i + 1 - x) +
                  (double)s->radiance[j][i + 1][c] * (x - i)) *
                     (j + 1 - y) +
                 ((double)s->radiance[j + 1][i][c] * (i + 1 - x) +
                  (double)s->radiance[j + 1][i + 1][c] * (x - i)) *
                     (y - j);
}

// The light in four directions and on surfaces, which is all that a picture sees of it.
static void observe(const sky *s, double out[15])
{
    static const double places[4][3] = {
        {0.96, 0.0, 0.28}, {-0.96, 0.0, 0.28}, {0.28, -0.96, 0.0}, {0.6, 0.0, 0.8}};
    for (int k = 0; k < 4; k++)
        world_radiance(s, places[k], out + 3 * k);
    // Ground that is level, and slopes towards east and west.
    out[12] = ground_light(s);
    out[13] = luminance(s->sunlight) * fmax((double)s->sun[0], 0.0);
    out[14] = luminance(s->sunlight) * fmax(-(double)s->sun[0], 0.0);
}

TEST(nothing_jumps_from_one_minute_to_the_next)
{
    // At the equator the sun passes the zenith at noon and the nadir at midnight.
    static const double spans[][3] = {{45.0, 5.7, 6.2},  {0.0, 11.95, 12.05}, {0.0, 23.95, 24.05},
                                      {-66.0, 5.3, 5.6}, {10.0, 17.9, 18.1},  {90.0, 7.0, 7.1}};
    for (size_t n = 0; n < sizeof spans / sizeof spans[0]; n++) {
        double before[15] = {0}, now[15];
        const int minutes = (int)(60.0 * (spans[n][2] - spans[n][1]));
        for (int minute = 0; minute <= TEST_PART(minutes); minute++) {
            FREED(sky) *s = computed(spans[n][1] + minute / 60.0, spans[n][0], 0.0, 1.0);
            observe(s, now);
            for (int k = 0; k < 15; k++)
                if (minute > 0)
                    assert_true(fabs(now[k] - before[k]) < 0.03);
            memcpy(before, now, sizeof now);
        }
    }
}

// Also the moon is high enough for short shadows.
TEST(what_shines_is_above_the_horizon)
{
    for (int part = 0; part < TEST_PART(22); part++) {
        const double time = 17.9 + 0.05 * part;
        FREED(sky) *s = computed(time, 45.0, 0.0, 1.0);
        assert_true(luminance(s->sunlight) == 0.0 || s->sun[2] > 0.0f);
        assert_true(time < 18.2 || (s->sun[2] > 0.4f && luminance(s->sunlight) > 0.0));
    }
}

// What is 3 percent of noon would be a lot at dusk. There, 4 seconds change at most a few percent
// of what there is, also while the sun hands over to the moon.
TEST(dusk_is_smooth_by_its_own_measure)
{
    double before[15] = {0}, now[15];
    for (int part = 0; part < TEST_PART(48); part++) {
        FREED(sky) *s = computed(18.0 + part / 240.0, 45.0, 0.0, 1.0);
        observe(s, now);
        for (int k = 0; k < 15; k++)
            if (part > 0)
                assert_true(fabs(now[k] - before[k]) < 0.1 * before[k] + 0.0005);
        memcpy(before, now, sizeof now);
    }
}

// Neighbours lie on a line, nearly. From row to row the arc of dusk bends more.
TEST(the_table_has_no_steps)
{
    static const double times[] = {12.0, 17.5, 18.0, 18.1, 18.3, 0.0};
    for (size_t n = 0; n < sizeof times / sizeof times[0]; n++) {
        FREED(sky) *s = computed(times[n], 45.0, 0.0, 1.0);
        const float bend = times[n] >= 18.0 ? 0.15f : 0.07f;
        for (int j = 0; j < SKY_HEIGHT; j++)
            for (int i = 1; i + 1 < SKY_WIDTH; i++)
                for (int c = 0; c < 3; c++) {
                    const float a = s->radiance[j][i - 1][c], b = s->radiance[j][i][c],
                                d = s->radiance[j][i + 1][c];
                    assert_true(fabsf(a + d - 2.0f * b) < 0.03f * b);
                }
        for (int j = 1; j + 1 < SKY_HEIGHT; j++)
            for (int i = 0; i < SKY_WIDTH; i++)
                for (int c = 0; c < 3; c++) {
                    const float a = s->radiance[j - 1][i][c], b = s->radiance[j][i][c],
                                d = s->radiance[j + 1][i][c];
                    assert_true(fabsf(a + d - 2.0f * b) < bend * b);
                }
    }
}

// ---- Sums --------------------------------------------------------------------------------

TEST(skylight_and_horizon_are_means_of_the_table)
{
    FREED(sky) *s = computed(15.0, 30.0, 0.0, 1.0);
    for (int c = 0; c < 3; c++) {
        double sum = 0.0, weight = 0.0, low = 1e9, high = 0.0;
        for (int j = 0; j < SKY_HEIGHT; j++) {
            const double from = 0.5 * PI * pow((double)j / SKY_HEIGHT, 2.0);
            const double to = 0.5 * PI * pow((j + 1.0) / SKY_HEIGHT, 2.0);
            // The integral of sin e cos e over the row.
            const double share = 0.5 * (sin(to) * sin(to) - sin(from) * sin(from));
            for (int i = 0; i < SKY_WIDTH; i++) {
                sum += share * (double)s->radiance[j][i][c];
                weight += share;
                low = to < 3.0 * DEGREES ? fmin(low, (double)s->radiance[j][i][c]) : low;
                high = to < 3.0 * DEGREES ? fmax(high, (double)s->radiance[j][i][c]) : high;
            }
        }
        assert_true(fabs((double)s->skylight[c] - sum / weight) < 0.01 * sum / weight);
        assert_true((double)s->horizon[c] > low && (double)s->horizon[c] < high);
    }
}

TEST(odd_requests_give_some_sky)
{
    FREED(sky) *plain = computed(12.0, 45.0, 0.0, 1.0),
               *odd = computed(NAN, INFINITY, NAN, -INFINITY);
    assert_memory_equal(plain, odd, sizeof *plain);
    free(odd);
    odd = computed(36.0, 45.0, 360.0, 1.0);
    assert_true(fabsf(odd->sun[1] - plain->sun[1]) < 1e-5f);
    free(odd);
    odd = computed(12.0, 45.0, 0.0, -5.0);
    assert_true(luminance(odd->skylight) > 0.0);
}
