// SPDX-License-Identifier: MIT
// test_tiles.c - tiles repeat without a seam and have the statistics that their header promises.
#include "render/ground/tiles.h"
#include "tests/kit/kit.h"

#define TWO_PI 6.283185307179586
#define N      256

static float *waves_of(int n, uint64_t seed)
{
    float *rgba = malloc((size_t)n * (size_t)n * 4 * sizeof *rgba);
    assert_non_null(rgba);
    tile_waves(n, seed, rgba);
    return rgba;
}

static uint8_t *noise_of(int n, uint64_t seed)
{
    uint8_t *rgba = malloc((size_t)n * (size_t)n * 4);
    assert_non_null(rgba);
    tile_noise(n, seed, rgba);
    return rgba;
}

static uint8_t *foam_of(int n, uint64_t seed)
{
    uint8_t *grey = malloc((size_t)n * (size_t)n);
    assert_non_null(grey);
    tile_foam(n, seed, grey);
    return grey;
}

// One channel of any tile, as doubles.
static double *channel_of_bytes(const uint8_t *from, int n, int stride, int channel)
{
    double *to = malloc((size_t)n * (size_t)n * sizeof *to);
    assert_non_null(to);
    for (int k = 0; k < n * n; k++)
        to[k] = from[k * stride + channel];
    return to;
}

static double *channel_of_floats(const float *from, int n, int channel)
{
    double *to = malloc((size_t)n * (size_t)n * sizeof *to);
    assert_non_null(to);
    for (int k = 0; k < n * n; k++)
        to[k] = (double)from[k * 4 + channel];
    return to;
}

static double mean_of(const double *v, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n * n; k++)
        sum += v[k];
    return sum / ((double)n * n);
}

// Mean product of the differences from the mean, of texels `apart` along a row, wrapped around.
static double covariance(const double *v, int n, int apart)
{
    const double mean = mean_of(v, n);
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += (v[j * n + i] - mean) * (v[j * n + (i + apart) % n] - mean);
    return sum / ((double)n * n);
}

// Root mean square of the difference of neighbours: over all pairs inside the tile, and over those
// across its seam. A seam that is torn is as rough as two texels that have nothing in common.
static void check_seam(const double *v, int n)
{
    double inside = 0.0, along_x = 0.0, along_y = 0.0, largest = 0.0, largest_seam = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double dx = fabs(v[j * n + (i + 1) % n] - v[j * n + i]);
            const double dy = fabs(v[(j + 1) % n * n + i] - v[j * n + i]);
            inside += (i < n - 1 ? dx * dx : 0.0) + (j < n - 1 ? dy * dy : 0.0);
            along_x += i == n - 1 ? dx * dx : 0.0;
            along_y += j == n - 1 ? dy * dy : 0.0;
            largest = fmax(largest, fmax(i < n - 1 ? dx : 0.0, j < n - 1 ? dy : 0.0));
            largest_seam = fmax(largest_seam, fmax(i == n - 1 ? dx : 0.0, j == n - 1 ? dy : 0.0));
        }
    inside = sqrt(inside / (2.0 * n * (n - 1)));
    assert_true(largest_seam <= largest);
    assert_true(sqrt(along_x / n) < 1.6 * inside);
    assert_true(sqrt(along_y / n) < 1.6 * inside);
}

// ---- Waves -------------------------------------------------------------------------------

TEST(slopes_have_mean_zero_and_length_one)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        FREED(float) *rgba = waves_of(N, seed);
        double sum[4] = {0}, squares = 0.0;
        for (int k = 0; k < N * N; k++) {
            const float *t = rgba + 4 * k;
            for (int part = 0; part < 4; part++)
                sum[part] += (double)t[part];
            squares += (double)t[0] * (double)t[0] + (double)t[1] * (double)t[1];
            assert_true(fabsf(t[2] - (t[0] * t[0] + t[1] * t[1])) <= 1e-5f * t[2]);
        }
        assert_true(fabs(sum[0]) < 1e-5 * N * N);
        assert_true(fabs(sum[1]) < 1e-5 * N * N);
        assert_true(fabs(sum[3]) < 1e-3 * N * N);
        assert_true(fabs(squares / (N * N) - 1.0) < 1e-4);
    }
}

// Central differences of a wave with k periods are low by (2 pi k / n)^2 / 6: 1.5 percent for 50
// periods over 1024 texels, 6 percent for the harmonic that sharp crests add.
TEST(curvature_is_the_divergence_of_the_slopes)
{
    const int n = 1024;
    FREED(float) *rgba = waves_of(n, 3);
    double error = 0.0, size = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int left = (i + n - 1) % n, right = (i + 1) % n;
            const int below = (j + n - 1) % n, above = (j + 1) % n;
            const double divergence =
                (double)(rgba[4 * (j * n + right)] - rgba[4 * (j * n + left)] +
                         rgba[4 * (above * n + i) + 1] - rgba[4 * (below * n + i) + 1]) *
                0.5 * n;
            const double curvature = (double)rgba[4 * (j * n + i) + 3];
            error += (divergence - curvature) * (divergence - curvature);
            size += curvature * curvature;
        }
    assert_true(error < 0.03 * 0.03 * size);
}

// The slopes are a gradient: their sum around any loop is nothing. Here around single texels.
TEST(slopes_are_those_of_a_surface)
{
    const int n = 1024;
    FREED(float) *rgba = waves_of(n, 4);
    double curl = 0.0, size = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int left = (i + n - 1) % n, right = (i + 1) % n;
            const int below = (j + n - 1) % n, above = (j + 1) % n;
            const double a = (double)(rgba[4 * (j * n + right) + 1] - rgba[4 * (j * n + left) + 1]);
            const double b = (double)(rgba[4 * (above * n + i)] - rgba[4 * (below * n + i)]);
            curl += (a - b) * (a - b);
            size += a * a + b * b;
        }
    assert_true(curl < 0.03 * 0.03 * size);
}

// Directions even over 60 degrees each way would give a ratio of 2.4.
TEST(waves_run_mostly_along_x)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        FREED(float) *rgba = waves_of(N, seed);
        double x = 0.0, y = 0.0;
        for (int k = 0; k < N * N; k++) {
            x += (double)rgba[4 * k] * (double)rgba[4 * k];
            y += (double)rgba[4 * k + 1] * (double)rgba[4 * k + 1];
        }
        assert_true(x > 2.0 * y);
        assert_true(y > 0.05 * x);
    }
}

// Energy of the x slopes with k periods along an edge, by projecting on the rows.
static double energy_at(const double *v, int n, int k)
{
    double energy = 0.0;
    for (int j = 0; j < n; j++) {
        double c = 0.0, s = 0.0;
        for (int i = 0; i < n; i++) {
            c += v[j * n + i] * cos(TWO_PI * k * (i + 0.5) / n);
            s += v[j * n + i] * sin(TWO_PI * k * (i + 0.5) / n);
        }
        energy += c * c + s * s;
    }
    return energy * 2.0 / ((double)n * n * n);
}

TEST(long_waves_have_more_energy_and_none_is_finer_than_a_fiftieth)
{
    FREED(float) *rgba = waves_of(N, 7);
    FREED(double) *x = channel_of_floats(rgba, N, 0);
    double bands[4] = {0}, total = 0.0;
    for (int k = 1; k < N / 2; k++) {
        const double energy = energy_at(x, N, k);
        bands[k < 12 ? 0 : k < 25 ? 1 : k <= 50 ? 2 : 3] += energy;
        total += energy;
    }
    assert_true(bands[0] / 11.0 > bands[1] / 13.0);
    assert_true(bands[1] / 13.0 > bands[2] / 26.0);
    assert_true(bands[2] > 0.02 * total);
    assert_true(bands[3] < 0.002 * total); // what sharp crests add
}

// ---- Noise -------------------------------------------------------------------------------

TEST(every_noise_is_grey_in_the_mean_and_uses_its_range)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        FREED(uint8_t) *rgba = noise_of(N, seed);
        for (int channel = 0; channel < 4; channel++) {
            FREED(double) *v = channel_of_bytes(rgba, N, 4, channel);
            assert_true(fabs(mean_of(v, N) - 128.0) < 6.0);
            const double deviation = sqrt(covariance(v, N, 0));
            assert_true(deviation > 35.0 && deviation < 60.0);
        }
    }
}

// How much of itself a noise has lost one texel on.
static double roughness(const double *v)
{
    return 1.0 - covariance(v, N, 1) / covariance(v, N, 0);
}

// Hills are 64 texels apart: 8 texels on is still the same hill, 32 another. An octave with half
// the height and half the width is as rough as the one before, so six of them, whose variance is
// 4/3, are 4.5 times as rough as one. Grain has forgotten after four texels.
TEST(noises_are_as_rough_as_promised)
{
    FREED(uint8_t) *rgba = noise_of(N, 11);
    FREED(double) *red = channel_of_bytes(rgba, N, 4, 0), *green = channel_of_bytes(rgba, N, 4, 1),
                  *blue = channel_of_bytes(rgba, N, 4, 2), *alpha = channel_of_bytes(rgba, N, 4, 3);
    assert_true(covariance(red, N, 8) > 0.85 * covariance(red, N, 0));
    assert_true(covariance(red, N, 32) < 0.5 * covariance(red, N, 0));
    assert_true(roughness(red) < 0.005);
    assert_true(roughness(green) > 3.0 * roughness(red));
    assert_true(roughness(blue) > 3.0 * roughness(red));
    assert_true(covariance(green, N, 8) > 0.5 * covariance(green, N, 0));
    assert_true(covariance(alpha, N, 1) < 0.6 * covariance(alpha, N, 0));
    assert_true(fabs(covariance(alpha, N, 4)) < 0.03 * covariance(alpha, N, 0));
}

// Ridges are narrow crests: a slice near the top has more of its rim per area than one at the
// bottom.
TEST(ridges_are_high_where_they_are_narrow)
{
    FREED(uint8_t) *rgba = noise_of(N, 12);
    FREED(double) *blue = channel_of_bytes(rgba, N, 4, 2);
    int high = 0, high_rim = 0, low = 0, low_rim = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double v = blue[j * N + i], next = blue[j * N + (i + 1) % N];
            high += v > 200.0;
            high_rim += (v > 200.0) != (next > 200.0);
            low += v < 56.0;
            low_rim += (v < 56.0) != (next < 56.0);
        }
    assert_true(high > 0 && low > 0);
    assert_true((double)high_rim / high > 1.5 * (double)low_rim / low);
}

// ---- Foam --------------------------------------------------------------------------------

TEST(a_threshold_leaves_its_share_of_the_foam)
{
    FREED(uint8_t) *grey = foam_of(N, 5);
    for (int threshold = 16; threshold < 256; threshold += 16) {
        int left = 0;
        for (int k = 0; k < N * N; k++)
            left += grey[k] >= threshold;
        assert_true(fabs((double)left / (N * N) - (1.0 - threshold / 256.0)) < 0.02);
    }
}

// Marks all places joined to `start` that are on the same side of the threshold; returns how many.
static int flood(const uint8_t *grey, int threshold, int start, uint8_t *seen, int *stack)
{
    const int side = grey[start] >= threshold;
    int waiting = 0, count = 0;
    stack[waiting++] = start;
    seen[start] = 1;
    while (waiting > 0) {
        const int k = stack[--waiting], i = k % N, j = k / N;
        const int next[4] = {j * N + (i + 1) % N, j * N + (i + N - 1) % N, (j + 1) % N * N + i,
                             (j + N - 1) % N * N + i};
        count++;
        for (int side_of = 0; side_of < 4; side_of++)
            if (seen[next[side_of]] == 0 && (grey[next[side_of]] >= threshold) == side) {
                seen[next[side_of]] = 1;
                stack[waiting++] = next[side_of];
            }
    }
    return count;
}

// Pieces of at least 12 texels: holes in the foam and patches of it, and the largest patch.
static void count_pieces(const uint8_t *grey, int threshold, int *holes, int *largest_patch)
{
    FREED(uint8_t) *seen = calloc(N * N, 1);
    FREED(int) *stack = malloc(N * N * sizeof *stack);
    assert_non_null(seen);
    assert_non_null(stack);
    *holes = *largest_patch = 0;
    for (int k = 0; k < N * N; k++) {
        if (seen[k] != 0)
            continue;
        const int size = flood(grey, threshold, k, seen, stack);
        if (grey[k] < threshold)
            *holes += size >= 12;
        else if (size > *largest_patch)
            *largest_patch = size;
    }
}

TEST(foam_opens_in_many_holes_and_keeps_hanging_together)
{
    FREED(uint8_t) *grey = foam_of(N, 6);
    int holes, patch;
    count_pieces(grey, 90, &holes, &patch);
    assert_true(holes > 60);
    assert_true(patch > 0.9 * (N * N) * (1.0 - 90.0 / 256.0));
    count_pieces(grey, 150, &holes, &patch);
    assert_true(holes > 30);
    assert_true(patch > 0.7 * (N * N) * (1.0 - 150.0 / 256.0));
}

// A disc of 4 texels fits hardly anywhere into the last fifth of the foam, but often into the
// first.
TEST(walls_are_thin)
{
    FREED(uint8_t) *grey = foam_of(N, 8);
    int in_walls = 0, in_holes = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            int wall = 1, hole = 1;
            for (int dj = -4; dj <= 4; dj++)
                for (int di = -4; di <= 4; di++) {
                    if (di * di + dj * dj > 16)
                        continue;
                    const int v = grey[(j + dj + N) % N * N + (i + di + N) % N];
                    wall &= v >= 205;
                    hole &= v < 205;
                }
            in_walls += wall;
            in_holes += hole;
        }
    assert_true(in_walls < 0.002 * N * N);
    assert_true(in_holes > 0.2 * N * N);
}

// ---- All ---------------------------------------------------------------------------------

TEST(opposite_edges_continue_each_other)
{
    for (uint64_t seed = 20; seed < 23; seed++) {
        FREED(float) *waves = waves_of(N, seed);
        FREED(uint8_t) *noise = noise_of(N, seed), *foam = foam_of(N, seed);
        for (int channel = 0; channel < 4; channel++) {
            FREED(double) *v = channel_of_floats(waves, N, channel);
            check_seam(v, N);
            free(v);
            v = channel_of_bytes(noise, N, 4, channel);
            check_seam(v, N);
        }
        FREED(double) *v = channel_of_bytes(foam, N, 1, 0);
        check_seam(v, N);
    }
}

TEST(a_seed_gives_one_tile_and_another_seed_another)
{
    float *waves[3] = {waves_of(64, 1), waves_of(64, 1), waves_of(64, 2)};
    uint8_t *noise[3] = {noise_of(64, 1), noise_of(64, 1), noise_of(64, 2)};
    uint8_t *foam[3] = {foam_of(64, 1), foam_of(64, 1), foam_of(64, 2)};
    assert_memory_equal(waves[0], waves[1], 64 * 64 * 4 * sizeof(float));
    assert_memory_equal(noise[0], noise[1], 64 * 64 * 4);
    assert_memory_equal(foam[0], foam[1], 64 * 64);
    assert_memory_not_equal(waves[0], waves[2], 64 * 64 * 4 * sizeof(float));
    assert_memory_not_equal(noise[0], noise[2], 64 * 64 * 4);
    assert_memory_not_equal(foam[0], foam[2], 64 * 64);
    for (int k = 0; k < 3; k++) {
        free(waves[k]);
        free(noise[k]);
        free(foam[k]);
    }
}

// A tile too small for its longest wave is calm, but it is a tile.
TEST(tiny_tiles_are_finite)
{
    for (int n = 1; n < 40; n++) {
        float *waves = waves_of(n, 9);
        for (int k = 0; k < 4 * n * n; k++)
            assert_true(isfinite(waves[k]));
        free(waves);
        free(noise_of(n, 9));
        free(foam_of(n, 9));
    }
}
