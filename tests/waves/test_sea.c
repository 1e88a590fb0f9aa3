// SPDX-License-Identifier: MIT
// Squares of sea: their variance, their speed and their fields against what theory says.
#include "tests/kit/counting_host.h"
#include "tests/kit/instruction_sets.h"
#include "tests/kit/kit.h"
#include "waves/fft.h"
#include "waves/sea.h"

#include "rill/support.h"

#include <float.h>

#define TURN  6.283185307179586
#define ALPHA 0.0081 // Phillips' constant

static rill_sea_def a_def(int size, double tile, double wind)
{
    return (rill_sea_def){.size = size,
                          .tile = tile,
                          .wind = wind,
                          .wind_direction = 30,
                          .height = 1,
                          .longest = INFINITY,
                          .depth = INFINITY,
                          .gravity = 9.81,
                          .chop = 1,
                          .seed = 1};
}

// One wave, `waves` of it along the tile, with the wind along +x (or -x).
static rill_sea_def one_wave_def(int waves, double direction)
{
    rill_sea_def def = a_def(64, 10, 8);
    def.wind_direction = direction;
    def.shortest = 10.0 / (waves + 0.01);
    def.longest = 10.0 / (waves - 0.01);
    return def;
}

static rl_sea *make(rill_sea_def def)
{
    rl_sea *sea = NULL;
    assert_ok(rl_sea_create(&def, NULL, &sea));
    return sea;
}

static double mean_square(const float *values, int size)
{
    double sum = 0;
    for (int n = 0; n < size * size; n++)
        sum += (double)values[n] * (double)values[n];
    return sum / ((double)size * size);
}

// ---- Spectrum --------------------------------------------------------------------------------

// The sum of k^2 S(k) dk^2 over the wave vectors of a square, of Phillips' sea.
static double slope_variance(int size, double tile, double wind, double degrees)
{
    const double step = TURN / tile, reach = wind * wind / 9.81, angle = degrees * TURN / 360;
    double sum = 0;
    for (int ny = 1 - size / 2; ny < size / 2; ny++)
        for (int nx = 1 - size / 2; nx < size / 2; nx++) {
            const double x = nx * step, y = ny * step, k = sqrt(x * x + y * y);
            const double along = (x * cos(angle) + y * sin(angle)) / k;
            if (nx != 0 || ny != 0)
                sum += ALPHA / TURN * exp(-1 / (k * k * reach * reach)) / (k * k) * along * along;
        }
    return sum * step * step;
}

// 300 seeds of a sea whose peak is at 3 m, on 20 m: the variance of one is uncertain by about 20 %,
// that of their mean by about 1 %.
TEST(the_variance_of_the_surface_is_the_integral_of_the_spectrum)
{
    for (int time = 0; time < 3; time++) {
        double sum = 0, want = 0, slopes = 0;
        for (uint64_t seed = 1; seed <= 300; seed++) {
            rill_sea_def def = a_def(64, 20, 2);
            def.seed = seed;
            SCOPED(rl_sea) *sea = make(def);
            rl_sea_update(sea, NULL, 17.3 * time);
            const rill_sea_view view = rl_sea_view(sea);
            sum += mean_square(view.height, 64) / 300;
            slopes += (mean_square(view.slope_x, 64) + mean_square(view.slope_y, 64)) / 300;
            want = view.variance;
        }
        assert_true(fabs(sum / want - 1) < 0.05);
        assert_true(fabs(slopes / slope_variance(64, 20, 2, 30) - 1) < 0.05);
    }
}

// With fine steps between the wave vectors the sum is the closed integral over the band: the whole
// is alpha L^2/4.
TEST(the_spectrum_has_the_variance_of_phillips_sea)
{
    for (int band = 0; band < 2; band++) {
        rill_sea_def def = a_def(1024, 60, 2);
        def.shortest = band == 0 ? 0 : 1.0;
        def.longest = band == 0 ? (double)INFINITY : 5.0;
        SCOPED(rl_sea) *sea = make(def);
        const double reach = 4.0 / 9.81, whole = ALPHA * reach * reach / 4;
        const double low = TURN / def.longest * reach;
        const double high = TURN / (band == 0 ? 60.0 / 512 : 1.0) * reach;
        const double part = exp(-1 / (high * high)) - (low > 0 ? exp(-1 / (low * low)) : 0);
        assert_true(fabs(rl_sea_view(sea).variance / (whole * part) - 1) < 0.02);
    }
}

TEST(height_scales_the_waves_and_zero_is_calm)
{
    rill_sea_def def = a_def(64, 20, 4);
    SCOPED(rl_sea) *one = make(def);
    def.height = 2;
    SCOPED(rl_sea) *two = make(def);
    def.height = 0;
    SCOPED(rl_sea) *calm = make(def);
    const rill_sea_view a = rl_sea_view(one), b = rl_sea_view(two), c = rl_sea_view(calm);
    assert_true(fabs(b.variance / a.variance - 4) < 1e-12 && c.variance == 0);
    for (int n = 0; n < 64 * 64; n++) {
        assert_true(b.height[n] == 2.0f * a.height[n]);
        assert_true(c.height[n] == 0 && c.shift_x[n] == 0 && c.slope_y[n] == 0);
    }
}

TEST(a_finer_square_has_the_same_long_waves)
{
    rill_sea_def def = a_def(64, 20, 4);
    def.shortest = 20.0 / 24;
    SCOPED(rl_sea) *coarse = make(def);
    def.size = 128;
    SCOPED(rl_sea) *fine = make(def);
    rl_sea_update(coarse, NULL, 3.5);
    rl_sea_update(fine, NULL, 3.5);
    const rill_sea_view a = rl_sea_view(coarse), b = rl_sea_view(fine);
    const double rms = sqrt(a.variance);
    assert_true(a.variance == b.variance && rms > 0.01);
    for (int j = 0; j < 64; j++)
        for (int i = 0; i < 64; i++)
            assert_true(fabs((double)(a.height[j * 64 + i] - b.height[j * 256 + 2 * i])) <
                        1e-5 * rms);
}

// ---- Motion ----------------------------------------------------------------------------------

// Amplitude and phase of exp(i waves x): the mean of 2 h exp(-i k x).
static void measure(const rl_sea *sea, int waves, double *re, double *im)
{
    const rill_sea_view view = rl_sea_view(sea);
    *re = *im = 0;
    for (int j = 0; j < view.size; j++)
        for (int i = 0; i < view.size; i++) {
            const double h = (double)view.height[j * view.size + i];
            const double angle = TURN * waves * i / view.size;
            *re += 2 * h * cos(angle) / view.size / view.size;
            *im -= 2 * h * sin(angle) / view.size / view.size;
        }
}

// z(t) = z(0) exp(-+ i w t): with the wind along +x the crest runs towards +x.
static void assert_frequency(const rill_sea_def *def, int waves, double frequency)
{
    SCOPED(rl_sea) *sea = make(*def);
    double re, im, re0, im0;
    measure(sea, waves, &re0, &im0);
    const double size = sqrt(re0 * re0 + im0 * im0);
    assert_true(size > 1e-6);
    const double times[] = {0.37, 5.0, -12.25, 1000.5, 86400.0};
    for (size_t n = 0; n < sizeof times / sizeof times[0]; n++) {
        rl_sea_update(sea, NULL, times[n]);
        measure(sea, waves, &re, &im);
        const double c = cos(frequency * times[n]), s = -sin(frequency * times[n]);
        // The frequency itself is kept as a float.
        const double worst = size * (1e-5 + fabs(frequency * times[n]) * (double)FLT_EPSILON);
        assert_true(fabs(re - (re0 * c - im0 * s)) < worst);
        assert_true(fabs(im - (re0 * s + im0 * c)) < worst);
    }
}

TEST(a_wave_runs_with_the_wind_at_the_speed_of_its_length_and_depth)
{
    const double depths[] = {INFINITY, 1.0, 0.1};
    for (size_t n = 0; n < 3; n++)
        for (int waves = 1; waves <= 7; waves += 3) {
            const double k = TURN * waves / 10;
            const double frequency = sqrt(9.81 * k * tanh(k * depths[n]));
            rill_sea_def def = one_wave_def(waves, 0);
            def.depth = depths[n];
            assert_frequency(&def, waves, frequency);
            def.wind_direction = 180;
            assert_frequency(&def, waves, -frequency);
        }
}

TEST(a_loop_takes_the_next_lower_whole_number_of_turns_and_then_repeats)
{
    rill_sea_def def = one_wave_def(3, 0);
    const double natural = sqrt(9.81 * TURN * 3 / 10);
    def.loop = 12.5;
    assert_frequency(&def, 3, floor(natural * def.loop / TURN) * TURN / def.loop);
    def.loop = 0.5; // shorter than the wave's period: it turns once
    assert_frequency(&def, 3, TURN / 0.5);

    def = a_def(64, 20, 4);
    def.loop = 8;
    SCOPED(rl_sea) *sea = make(def);
    const rill_sea_view view = rl_sea_view(sea);
    float first[64 * 64];
    rl_sea_update(sea, NULL, 1.3);
    memcpy(first, view.height, sizeof first);
    rl_sea_update(sea, NULL, 1.3 + 4);
    double other = 0;
    for (int n = 0; n < 64 * 64; n++)
        other = fmax(other, fabs((double)(view.height[n] - first[n])));
    assert_true(other > 0.1 * sqrt(view.variance));
    rl_sea_update(sea, NULL, 1.3 + 8 * 1000);
    for (int n = 0; n < 64 * 64; n++)
        assert_true(fabs((double)(view.height[n] - first[n])) < 1e-4 * sqrt(view.variance));
}

// ---- Fields ----------------------------------------------------------------------------------

// The derivative by Fourier: H(k) = conj(sum over x of h exp(ikx)) / n^2, then i k H(k) (or i k/|k|
// H(k)) back again.
static void derive(const float *height, rl_fft *fft, int size, double tile, int axis, int unit,
                   float *re, float *im)
{
    for (int n = 0; n < size * size; n++) {
        re[n] = height[n];
        im[n] = 0;
    }
    rl_fft_inverse(fft, NULL, re, im);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) {
            const double x = TURN / tile * (i < size / 2 ? i : i - size);
            const double y = TURN / tile * (j < size / 2 ? j : j - size);
            const double length = unit && (i > 0 || j > 0) ? sqrt(x * x + y * y) : 1;
            const double factor = (axis == 0 ? x : y) / length / ((double)size * size);
            const int n = j * size + i;
            const double a = (double)re[n], b = -(double)im[n];
            re[n] = (float)(-factor * b);
            im[n] = (float)(factor * a);
        }
    rl_fft_inverse(fft, NULL, re, im);
}

TEST(slopes_and_shifts_are_what_fourier_says_of_the_heights)
{
    enum { N = 64 };
    rill_sea_def def = a_def(N, 20, 4);
    def.chop = 1.5;
    SCOPED(rl_sea) *sea = make(def);
    rl_sea_update(sea, NULL, 4.2);
    const rill_sea_view view = rl_sea_view(sea);
    SCOPED(rl_fft) *fft = rl_fft_create(NULL, N, RL_ISA_PLAIN);
    const size_t bytes = N * N * sizeof(float);
    float *re = rill_alloc(NULL, bytes), *im = rill_alloc(NULL, bytes);
    assert_true(fft != NULL && re != NULL && im != NULL);
    const float *const fields[] = {view.slope_x, view.slope_y, view.shift_x, view.shift_y};
    for (int f = 0; f < 4; f++) {
        derive(view.height, fft, N, def.tile, f % 2, f >= 2, re, im);
        const double scale = f >= 2 ? def.chop : 1, rms = sqrt(mean_square(fields[f], N));
        assert_true(rms > 1e-3);
        for (int n = 0; n < N * N; n++)
            assert_true(fabs((double)fields[f][n] - scale * (double)re[n]) < 1e-5 * rms);
    }
    rill_free(NULL, re, bytes);
    rill_free(NULL, im, bytes);
}

// A trochoid: points move towards the crest, by as much as the wave is high.
TEST(shifts_draw_the_crests_together)
{
    SCOPED(rl_sea) *sea = make(one_wave_def(2, 0));
    const rill_sea_view view = rl_sea_view(sea);
    int crest = 0;
    for (int i = 0; i < 64; i++)
        crest = view.height[i] > view.height[crest] ? i : crest;
    assert_true(view.shift_x[(crest + 4) % 64] < 0 && view.shift_x[(crest + 60) % 64] > 0);
    const double high = sqrt(2 * mean_square(view.height, 64));
    assert_true(fabs(sqrt(2 * mean_square(view.shift_x, 64)) / high - 1) < 1e-5);
    for (int n = 0; n < 64 * 64; n++)
        assert_true(fabs((double)view.shift_y[n]) < 1e-5 * high);
}

TEST(heights_are_real_but_for_rounding)
{
    for (int size = 16; size <= 256; size *= 2) {
        SCOPED(rl_sea) *sea = make(a_def(size, 20, 4));
        rl_sea_update(sea, NULL, 2.5);
        const float *residue = rl_sea_residue(sea);
        const double rms = sqrt(rl_sea_view(sea).variance);
        for (int n = 0; n < size * size; n++)
            assert_true(fabs((double)residue[n]) < 1e-6 * rms);
    }
}

// ---- The rest --------------------------------------------------------------------------------

TEST(the_bits_depend_neither_on_threads_nor_on_the_instruction_set)
{
    const rill_sea_def def = a_def(128, 20, 4);
    rl_sea *want = NULL, *got = NULL;
    assert_ok(rl_sea_create_with(&def, RL_ISA_PLAIN, NULL, &want));
    rl_sea_update(want, NULL, 1234.5);
    const rill_sea_view a = rl_sea_view(want);
    FOR_EACH_ISA (isa)
        for (int workers = 1; workers <= 3; workers++) {
            SCOPED(rl_jobs) *jobs = make_jobs(workers);
            assert_ok(rl_sea_create_with(&def, isa, NULL, &got));
            rl_sea_update(got, jobs, 1234.5);
            const rill_sea_view b = rl_sea_view(got);
            const float *const pairs[][2] = {{a.height, b.height},
                                             {a.shift_x, b.shift_x},
                                             {a.shift_y, b.shift_y},
                                             {a.slope_x, b.slope_x},
                                             {a.slope_y, b.slope_y}};
            for (size_t n = 0; n < 5; n++)
                assert_memory_equal(pairs[n][0], pairs[n][1], 128 * 128 * sizeof(float));
            rl_sea_destroy(&got);
        }
    rl_sea_destroy(&want);
}

TEST(a_time_that_is_none_changes_nothing)
{
    SCOPED(rl_sea) *sea = make(a_def(32, 20, 4));
    rl_sea_update(sea, NULL, 2.0);
    float before[32 * 32];
    memcpy(before, rl_sea_view(sea).height, sizeof before);
    rl_sea_update(sea, NULL, NAN);
    rl_sea_update(sea, NULL, -INFINITY);
    assert_memory_equal(before, rl_sea_view(sea).height, sizeof before);
}

TEST(a_bad_definition_is_refused_with_its_value)
{
    const struct {
        size_t field;
        double value;
        const char *part;
    } bad[] = {
        {offsetof(rill_sea_def, tile), 0, "tile is 0"},
        {offsetof(rill_sea_def, tile), NAN, "tile is"},
        {offsetof(rill_sea_def, wind), 0, "wind is 0"},
        {offsetof(rill_sea_def, wind), INFINITY, "wind is inf"},
        {offsetof(rill_sea_def, wind_direction), NAN, "wind_direction"},
        {offsetof(rill_sea_def, height), -1, "height is -1"},
        {offsetof(rill_sea_def, shortest), -2, "from -2"},
        {offsetof(rill_sea_def, longest), 0, "to 0 m"},
        {offsetof(rill_sea_def, longest), NAN, "waves from 0"},
        {offsetof(rill_sea_def, depth), 0, "depth is 0"},
        {offsetof(rill_sea_def, gravity), 0, "gravity is 0"},
        {offsetof(rill_sea_def, loop), -3, "loop is -3"},
        {offsetof(rill_sea_def, chop), 2.5, "chop is 2.5"},
        {offsetof(rill_sea_def, wind), 1e5, "too high"},
    };
    rl_sea *sea = NULL;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        rill_sea_def def = a_def(64, 1e9, 4);
        memcpy((char *)&def + bad[n].field, &bad[n].value, sizeof(double));
        assert_int_equal(rl_sea_create(&def, NULL, &sea), RILL_BAD_DEF);
        assert_null(sea);
        assert_sentence_has(bad[n].part);
    }
    const int sizes[] = {0, 8, 48, 2048, -64};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const rill_sea_def def = a_def(sizes[n], 20, 4);
        assert_int_equal(rl_sea_create(&def, NULL, &sea), RILL_BAD_DEF);
        assert_sentence_has("power of two");
    }
}

TEST(it_takes_memory_only_at_creation_and_gives_it_back)
{
    const rill_sea_def def = a_def(64, 20, 4);
    for (int fail_at = 0; fail_at <= 8; fail_at++) {
        counter count = {.fail_at = fail_at};
        const rill_host host = counting_host(&count);
        rl_sea *sea = NULL;
        const rill_status status = rl_sea_create(&def, &host.allocator, &sea);
        assert_int_equal(status, fail_at > 0 ? RILL_NO_MEMORY : RILL_OK);
        if (sea != NULL) {
            const int calls = count.calls;
            assert_int_equal(calls, 8);
            assert_int_equal(count.bytes, rl_sea_memory(sea));
            rl_sea_update(sea, NULL, 1.0);
            assert_int_equal(count.calls, calls);
            rl_sea_destroy(&sea);
        }
        assert_int_equal(count.bytes, 0);
    }
}
