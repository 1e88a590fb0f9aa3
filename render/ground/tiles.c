// SPDX-License-Identifier: MIT
// tiles.c - textures that repeat without a seam. Waves are sums of sines with whole numbers of
// periods, noise and bubbles live on lattices of whole numbers of cells whose far edge is the near
// one again. Everything comes from hashes of the seed, so a tile needs no memory but its own.
#include "render/ground/tiles.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.28318530717958648

// ---- Chance ------------------------------------------------------------------------------

// splitmix64: neighbouring inputs give unrelated outputs.
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Returns the k-th number of a seed, from 0 to below 1.
static double chance(uint64_t seed, uint64_t k)
{
    return (double)(mix(seed ^ mix(k)) >> 11) * 0x1p-53;
}

static int wrap(int i, int period)
{
    const int rest = i % period;
    return rest < 0 ? rest + period : rest;
}

static uint64_t lattice_hash(uint64_t seed, int x, int y, int period)
{
    return mix(seed ^ mix((uint64_t)wrap(x, period) << 32 | (uint64_t)wrap(y, period)));
}

// ---- Waves -------------------------------------------------------------------------------

#define WAVES          96
#define LONGEST        4.0  // periods to an edge
#define SHORTEST       50.0 // periods to an edge
#define SLOPE_FALL     0.6  // a wave's slope goes as its wave number to minus this
#define CREST          0.1  // of the square of the height that is added to it
#define SPREAD         0.52 // radians, standard deviation of the direction
#define TRIES          64
#define MOST_PER_TEXEL 0.4 // periods, so that the finest wave still is one

typedef struct plane_wave {
    int kx, ky; // periods to an edge
    double phase, height;
} plane_wave;

static int is_new(const plane_wave *waves, int count, int kx, int ky)
{
    for (int w = 0; w < count; w++)
        if ((waves[w].kx == kx && waves[w].ky == ky) || (waves[w].kx == -kx && waves[w].ky == -ky))
            return 0;
    return 1;
}

// Wave numbers stand evenly on a logarithmic scale. Whole numbers are few among the long waves, so
// a vector that is taken already is drawn again.
static int draw_waves(int n, uint64_t seed, plane_wave waves[WAVES])
{
    const double finest = SHORTEST < MOST_PER_TEXEL * n ? SHORTEST : MOST_PER_TEXEL * n;
    uint64_t draw = 0;
    int count = 0;
    for (int w = 0; w < WAVES; w++)
        for (int attempt = 0; attempt < TRIES; attempt++) {
            const double part = (w + chance(seed, draw)) / WAVES;
            const double number = LONGEST * pow(SHORTEST / LONGEST, part);
            // Twelve uniform numbers have the spread of a normal one and no far outliers.
            double angle = -6.0;
            for (uint64_t k = 1; k <= 12; k++)
                angle += chance(seed, draw + k);
            const double phase = TWO_PI * chance(seed, draw + 13);
            draw += 14;
            const int kx = (int)lround(number * cos(SPREAD * angle));
            const int ky = (int)lround(number * sin(SPREAD * angle));
            const double length = sqrt((double)(kx * kx + ky * ky));
            if (length < LONGEST || length > finest || !is_new(waves, count, kx, ky))
                continue;
            waves[count++] = (plane_wave){kx, ky, phase, pow(length, -1.0 - SLOPE_FALL)};
            break;
        }
    return count;
}

// Adds a wave: slopes, height, Laplacian. Along a row the phase turns by the same angle from texel
// to texel, which is one complex product.
static void add_wave(const plane_wave *wave, int n, float *rgba)
{
    const double kx = TWO_PI * wave->kx, ky = TWO_PI * wave->ky, a = wave->height;
    const float slope_x = (float)(-a * kx), slope_y = (float)(-a * ky);
    const float height = (float)a, curvature = (float)(-a * (kx * kx + ky * ky));
    const double turn_cos = cos(kx / n), turn_sin = sin(kx / n);
    for (int j = 0; j < n; j++) {
        const double start = (0.5 * kx + ky * (j + 0.5)) / n + wave->phase;
        double c = cos(start), s = sin(start);
        float *texel = rgba + (size_t)j * (size_t)n * 4;
        for (int i = 0; i < n; i++, texel += 4) {
            texel[0] += slope_x * (float)s;
            texel[1] += slope_y * (float)s;
            texel[2] += height * (float)c;
            texel[3] += curvature * (float)c;
            const double turned = c * turn_cos - s * turn_sin;
            s = s * turn_cos + c * turn_sin;
            c = turned;
        }
    }
}

// Water has sharp crests and flat troughs: h becomes h + c h^2 (with h in units of its root mean
// square), which also makes small waves steeper on the crests of long ones. Its gradient has mean 0
// for every periodic h.
static void sharpen_crests(int n, float *rgba)
{
    const size_t count = (size_t)n * (size_t)n;
    double squares = 0.0;
    for (size_t k = 0; k < count; k++)
        squares += (double)rgba[4 * k + 2] * (double)rgba[4 * k + 2];
    const double rms = sqrt(squares / (double)count);
    const float c = rms > 0.0 ? (float)(CREST / rms) : 0.0f;
    for (size_t k = 0; k < count; k++) {
        float *texel = rgba + 4 * k;
        const float factor = 1.0f + 2.0f * c * texel[2];
        const float length_squared = texel[0] * texel[0] + texel[1] * texel[1];
        texel[3] = factor * texel[3] + 2.0f * c * length_squared;
        texel[0] *= factor;
        texel[1] *= factor;
    }
}

// Subtracts what rounding left of a mean, and scales.
static void normalise_slopes(int n, float *rgba)
{
    const size_t count = (size_t)n * (size_t)n;
    double sum[4] = {0}, squares = 0.0;
    for (size_t k = 0; k < count; k++)
        for (size_t part = 0; part < 4; part++)
            sum[part] += (double)rgba[4 * k + part];
    const float mean_x = (float)(sum[0] / (double)count), mean_y = (float)(sum[1] / (double)count);
    const float mean_curvature = (float)(sum[3] / (double)count);
    for (size_t k = 0; k < count; k++) {
        const double x = (double)(rgba[4 * k] - mean_x), y = (double)(rgba[4 * k + 1] - mean_y);
        squares += x * x + y * y;
    }
    const float scale = squares > 0.0 ? (float)sqrt((double)count / squares) : 0.0f;
    for (size_t k = 0; k < count; k++) {
        float *texel = rgba + 4 * k;
        texel[0] = (texel[0] - mean_x) * scale;
        texel[1] = (texel[1] - mean_y) * scale;
        texel[2] = texel[0] * texel[0] + texel[1] * texel[1];
        texel[3] = (texel[3] - mean_curvature) * scale;
    }
}

void tile_waves(int n, uint64_t seed, float *rgba)
{
    plane_wave waves[WAVES];
    const int count = draw_waves(n, seed, waves);
    memset(rgba, 0, (size_t)n * (size_t)n * 4 * sizeof *rgba);
    for (int w = 0; w < count; w++)
        add_wave(&waves[w], n, rgba);
    sharpen_crests(n, rgba);
    normalise_slopes(n, rgba);
}

// ---- Noise -------------------------------------------------------------------------------

#define OCTAVES      6
#define LARGEST_HILL 4 // to an edge

static float corner(uint64_t seed, int x, int y, int period, float dx, float dy)
{
    const uint64_t hash = lattice_hash(seed, x, y, period);
    // A point of the square [-1, 1)^2 is a fair gradient, and needs no sine.
    const float gx = (float)(hash >> 40) * 0x1p-23f - 1.0f;
    const float gy = (float)((hash >> 16) & 0xffffffu) * 0x1p-23f - 1.0f;
    return gx * dx + gy * dy;
}

static float ease(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

// Returns gradient noise with `period` cells to an edge, at (u, v) of the tile.
static float gradient_noise(uint64_t seed, int period, float u, float v)
{
    // Lattices of several octaves must not share their corners, where each is zero.
    const float x = u * (float)period + (float)chance(seed, 1);
    const float y = v * (float)period + (float)chance(seed, 2);
    const float floor_x = floorf(x), floor_y = floorf(y);
    const int i = (int)floor_x, j = (int)floor_y;
    const float dx = x - floor_x, dy = y - floor_y, ax = ease(dx), ay = ease(dy);
    const float low = corner(seed, i, j, period, dx, dy) * (1.0f - ax) +
                      corner(seed, i + 1, j, period, dx - 1.0f, dy) * ax;
    const float high = corner(seed, i, j + 1, period, dx, dy - 1.0f) * (1.0f - ax) +
                       corner(seed, i + 1, j + 1, period, dx - 1.0f, dy - 1.0f) * ax;
    return low * (1.0f - ay) + high * ay;
}

// Returns white noise of texels, a quarter of each neighbour's mixed in.
static float grain(uint64_t seed, int n, int i, int j)
{
    float sum = 0.0f;
    for (int dj = -1; dj <= 1; dj++)
        for (int di = -1; di <= 1; di++) {
            const float weight = (di == 0 ? 1.0f : 0.3f) * (dj == 0 ? 1.0f : 0.3f);
            sum += weight * (float)(lattice_hash(seed, i + di, j + dj, n) >> 40) * 0x1p-24f;
        }
    return sum;
}

// Computes the four noises of a texel, before they are scaled to bytes.
static void noise_texel(uint64_t seed, int n, int i, int j, float out[4])
{
    const float u = ((float)i + 0.5f) / (float)n, v = ((float)j + 0.5f) / (float)n;
    float sum = 0.0f, ridges = 0.0f, amplitude = 1.0f;
    int period = LARGEST_HILL;
    for (uint64_t octave = 0; octave < OCTAVES; octave++, period *= 2, amplitude *= 0.5f) {
        sum += amplitude * gradient_noise(mix(seed + octave), period, u, v);
        const float ridge = fabsf(gradient_noise(mix(seed + 100 + octave), period, u, v));
        // The crease of |noise| is the crest; the square root of what it loses makes it narrow.
        ridges += amplitude * (1.0f - sqrtf(ridge + 0.0025f));
    }
    out[0] = gradient_noise(mix(seed + 200), LARGEST_HILL, u, v);
    out[1] = sum;
    out[2] = ridges;
    out[3] = grain(mix(seed + 300), n, i, j);
}

static uint8_t byte_of(float value)
{
    return (uint8_t)(value < 0.0f ? 0.0f : value > 255.0f ? 255.0f : value + 0.5f);
}

// Computes mean and standard deviation of the four noises, from every third texel each way.
static void measure_noise(int n, uint64_t seed, float mean[4], float deviation[4])
{
    double sum[4] = {0}, squares[4] = {0};
    int count = 0;
    for (int j = 0; j < n; j += 3)
        for (int i = 0; i < n; i += 3, count++) {
            float value[4];
            noise_texel(seed, n, i, j, value);
            for (int part = 0; part < 4; part++) {
                sum[part] += (double)value[part];
                squares[part] += (double)value[part] * (double)value[part];
            }
        }
    for (int part = 0; part < 4; part++) {
        const double middle = sum[part] / count;
        const double variance = squares[part] / count - middle * middle;
        mean[part] = (float)middle;
        deviation[part] = variance > 1e-12 ? (float)sqrt(variance) : 1.0f;
    }
}

void tile_noise(int n, uint64_t seed, uint8_t *rgba)
{
    float mean[4], deviation[4];
    measure_noise(n, seed, mean, deviation);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            float value[4];
            noise_texel(seed, n, i, j, value);
            uint8_t *texel = rgba + ((size_t)j * (size_t)n + (size_t)i) * 4;
            // A factor of 48 leaves all but the outermost percent within a byte.
            for (int part = 0; part < 4; part++)
                texel[part] =
                    byte_of(128.0f + 48.0f * (value[part] - mean[part]) / deviation[part]);
        }
}

// ---- Foam --------------------------------------------------------------------------------

#define BUBBLE_SIZES 3
#define SHADES       4096

// Computes a bubble's centre relative to the place, in cells, and its power: the square of the
// distance less a weight, which makes some bubbles larger than their neighbours.
typedef struct bubble {
    float x, y, power;
} bubble;

static bubble bubble_at(uint64_t seed, int period, int i, int j, float x, float y)
{
    const uint64_t hash = lattice_hash(seed, i, j, period);
    const float cx = (float)i + (float)(hash >> 40) * 0x1p-24f - x;
    const float cy = (float)j + (float)(hash & 0xffffffu) * 0x1p-24f - y;
    const float weight = 0.3f * (float)((hash >> 24) & 0xffffu) * 0x1p-16f;
    return (bubble){cx, cy, cx * cx + cy * cy - weight};
}

// Returns how close (u, v) is to the wall of its bubble, in a lattice with `period` bubbles to an
// edge: 1 on the wall, 0 at half a cell from it. The place belongs to the bubble a of least power,
// and the distance of its wall towards b is (power_b - power_a) / (2 |b - a|).
static float bubble_wall(uint64_t seed, int period, float u, float v)
{
    const float x = u * (float)period, y = v * (float)period;
    const int i0 = (int)floorf(x), j0 = (int)floorf(y);
    bubble near[25];
    int own = 0;
    for (int k = 0; k < 25; k++) {
        near[k] = bubble_at(seed, period, i0 + k % 5 - 2, j0 + k / 5 - 2, x, y);
        own = near[k].power < near[own].power ? k : own;
    }
    float least = 1.0f; // twice the distance
    for (int k = 0; k < 25; k++) {
        if (k == own)
            continue;
        const float dx = near[k].x - near[own].x, dy = near[k].y - near[own].y;
        const float away = (near[k].power - near[own].power) / sqrtf(dx * dx + dy * dy + 1e-9f);
        least = away < least ? away : least;
    }
    return 1.0f - least;
}

// Small bubbles hang on the walls of large ones, whose walls last longest. Walls bend, because the
// place is shifted by noise before the lattice is read.
static float foam_texel(uint64_t seed, float u, float v)
{
    static const int periods[BUBBLE_SIZES] = {7, 15, 33};
    static const float lasting[BUBBLE_SIZES] = {1.0f, 0.62f, 0.36f};
    float value = 0.0f;
    for (uint64_t size = 0; size < BUBBLE_SIZES; size++) {
        const int period = periods[size];
        const float bend = 0.35f / (float)period;
        const float bent_u = u + bend * gradient_noise(mix(seed + 10 + size), 2 * period, u, v);
        const float bent_v = v + bend * gradient_noise(mix(seed + 20 + size), 2 * period, u, v);
        const float wall = bubble_wall(mix(seed + size), period, bent_u, bent_v);
        value += lasting[size] * wall * wall * wall;
    }
    return value;
}

static int shade_of(float value)
{
    const int shade = (int)(value * (SHADES / 2.0f));
    return shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
}

static float foam_at(uint64_t seed, int n, int i, int j)
{
    return foam_texel(seed, ((float)i + 0.5f) / (float)n, ((float)j + 0.5f) / (float)n);
}

// The values are ranks: a threshold of t leaves 1 - t / 256 of the foam. Every second texel each
// way is enough to know how the values are spread.
void tile_foam(int n, uint64_t seed, uint8_t *grey)
{
    int below[SHADES + 1] = {0};
    for (int j = 0; j < n; j += 2)
        for (int i = 0; i < n; i += 2)
            below[shade_of(foam_at(seed, n, i, j)) + 1]++;
    for (int shade = 0; shade < SHADES; shade++)
        below[shade + 1] += below[shade];
    const float scale = 127.5f / (float)below[SHADES];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int shade = shade_of(foam_at(seed, n, i, j));
            grey[(size_t)j * (size_t)n + (size_t)i] =
                byte_of(scale * (float)(below[shade] + below[shade + 1]));
        }
}
