// SPDX-License-Identifier: MIT
#include "tests/render/models/picture_distance.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TILE       16
#define STRIDE     (TILE / 2)
#define PARTS      4    // of a pixel, in which a tile may be displaced by up to a pixel
#define BLUR       3    // pixels to each side that the Gaussian is summed over
#define BLUR_WIDTH 1.0  // its standard deviation, pixels
#define WHITE_FROM 10.0 // Delta E

// Three planes of floats one after the other: X, Y, Z first, later L*, a*, b*.
typedef struct planes {
    int width, height;
    float *values; // [3][height][width]
} planes;

static bool make_planes(int width, int height, planes *out)
{
    *out = (planes){width, height, malloc(3 * (size_t)width * (size_t)height * sizeof(float))};
    return out->values != NULL;
}

static float *plane(const planes *p, int k)
{
    return p->values + (size_t)k * (size_t)p->width * (size_t)p->height;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// ---- From bytes to CIELAB --------------------------------------------------------------

static double linear_light(int byte)
{
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

// IEC 61966-2-1; every row is divided by the white it gives (D65), so that white is 1, 1, 1.
static void fill_light(const uint8_t *rgb, const planes *p)
{
    static const double matrix[3][3] = {
        {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}};
    double linear[256];
    for (int n = 0; n < 256; n++)
        linear[n] = linear_light(n);
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    for (int k = 0; k < 3; k++) {
        const double *row = matrix[k], white = row[0] + row[1] + row[2];
        float *to = plane(p, k);
        for (size_t n = 0; n < pixels; n++)
            to[n] = (float)((row[0] * linear[rgb[3 * n]] + row[1] * linear[rgb[3 * n + 1]] +
                             row[2] * linear[rgb[3 * n + 2]]) /
                            white);
    }
}

// Blurs along one line of `count` values that lie `apart` floats from each other. What is beyond
// the ends is as the ends are.
static void blur_line(float *line, int count, int apart, const double *weights, float *copy)
{
    for (int n = 0; n < count; n++)
        copy[n] = line[(size_t)n * (size_t)apart];
    for (int n = 0; n < count; n++) {
        double sum = 0.0;
        for (int k = -BLUR; k <= BLUR; k++)
            sum += weights[k + BLUR] * (double)copy[clamp(n + k, 0, count - 1)];
        line[(size_t)n * (size_t)apart] = (float)sum;
    }
}

static bool blur(const planes *p)
{
    double weights[2 * BLUR + 1], total = 0.0;
    for (int k = -BLUR; k <= BLUR; k++)
        total += weights[k + BLUR] = exp(-0.5 * k * k / (BLUR_WIDTH * BLUR_WIDTH));
    for (int k = 0; k <= 2 * BLUR; k++)
        weights[k] /= total;
    float *copy = malloc((size_t)(p->width > p->height ? p->width : p->height) * sizeof *copy);
    if (copy == NULL)
        return false;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < p->height; j++)
            blur_line(plane(p, k) + (size_t)j * (size_t)p->width, p->width, 1, weights, copy);
        for (int i = 0; i < p->width; i++)
            blur_line(plane(p, k) + i, p->height, p->width, weights, copy);
    }
    free(copy);
    return true;
}

// CIE 15: a cube root with a straight line near black.
static double response(float light)
{
    const double t = (double)light, bend = 6.0 / 29.0;
    return t > bend * bend * bend ? cbrt(t) : t / (3.0 * bend * bend) + 4.0 / 29.0;
}

static void light_to_lab(const planes *p)
{
    float *first = plane(p, 0), *second = plane(p, 1), *third = plane(p, 2);
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    for (size_t n = 0; n < pixels; n++) {
        const double x = response(first[n]), y = response(second[n]), z = response(third[n]);
        first[n] = (float)(116.0 * y - 16.0);
        second[n] = (float)(500.0 * (x - y));
        third[n] = (float)(200.0 * (y - z));
    }
}

static bool see(const uint8_t *rgb, int width, int height, planes *out)
{
    if (!make_planes(width, height, out))
        return false;
    fill_light(rgb, out);
    if (!blur(out))
        return false;
    light_to_lab(out);
    return true;
}

// ---- Comparing -------------------------------------------------------------------------

// A displacement in parts of a pixel; linear between pixels.
typedef struct offset {
    int x, y;
} offset;

static float value_at(const planes *p, const float *values, int i, int j)
{
    const int x = clamp(i, 0, PARTS * (p->width - 1)), y = clamp(j, 0, PARTS * (p->height - 1));
    const int left = x / PARTS, right = (x + PARTS - 1) / PARTS;
    const float *upper = values + (size_t)(y / PARTS) * (size_t)p->width;
    const float *lower = values + (size_t)((y + PARTS - 1) / PARTS) * (size_t)p->width;
    const float u = (float)(x % PARTS) / PARTS, v = (float)(y % PARTS) / PARTS;
    const float above = upper[left] + u * (upper[right] - upper[left]);
    const float below = lower[left] + u * (lower[right] - lower[left]);
    return above + v * (below - above);
}

// Delta E between pixel (i, j) of one and the place beside it in the other.
static double pixel_distance(const planes *a, const planes *b, int i, int j, offset by)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const float here = plane(a, k)[(size_t)j * (size_t)a->width + (size_t)i];
        const float there = value_at(b, plane(b, k), PARTS * i + by.x, PARTS * j + by.y);
        sum += (double)(here - there) * (double)(here - there);
    }
    return sqrt(sum);
}

// Mean Delta E of the tile at (x, y).
static double tile_distance(const planes *a, const planes *b, int x, int y, offset by)
{
    const int right = clamp(x + TILE, 0, a->width), below = clamp(y + TILE, 0, a->height);
    double sum = 0.0;
    for (int j = y; j < below; j++)
        for (int i = x; i < right; i++)
            sum += pixel_distance(a, b, i, j, by);
    return sum / ((double)(right - x) * (below - y));
}

// The least of the tile's distances over displacements: looked for in whole pixels, then around the
// best in halves and quarters.
static double least_distance(const planes *a, const planes *b, int x, int y)
{
    offset best = {0, 0};
    double least = tile_distance(a, b, x, y, best);
    for (int step = PARTS; step > 0; step /= 2) {
        const offset around = best;
        for (int n = 0; n < 9; n++) {
            const offset by = {around.x + (n % 3 - 1) * step, around.y + (n / 3 - 1) * step};
            if (n == 4 || abs(by.x) > PARTS || abs(by.y) > PARTS)
                continue;
            const double distance = tile_distance(a, b, x, y, by);
            if (distance < least) {
                least = distance;
                best = by;
            }
        }
    }
    return least;
}

// Tiles cover all of the picture: the last of a row ends where the picture ends.
static picture_verdict worst_tile(const planes *a, const planes *b)
{
    picture_verdict worst = {.distance = -1.0};
    const int last_x = a->width > TILE ? a->width - TILE : 0;
    const int last_y = a->height > TILE ? a->height - TILE : 0;
    for (int y = 0; y < last_y + STRIDE; y += STRIDE)
        for (int x = 0; x < last_x + STRIDE; x += STRIDE) {
            const int tile_x = x < last_x ? x : last_x, tile_y = y < last_y ? y : last_y;
            const double distance = least_distance(a, b, tile_x, tile_y);
            if (distance > worst.distance)
                worst = (picture_verdict){distance, tile_x, tile_y};
        }
    return worst;
}

static void paint_difference(const planes *a, const planes *b, const picture_verdict *worst,
                             uint8_t *rgb)
{
    for (int j = 0; j < a->height; j++)
        for (int i = 0; i < a->width; i++) {
            const double shown = 255.0 / WHITE_FROM * pixel_distance(a, b, i, j, (offset){0, 0});
            uint8_t *pixel = rgb + 3 * ((size_t)j * (size_t)a->width + (size_t)i);
            pixel[0] = pixel[1] = pixel[2] = (uint8_t)(shown < 255.0 ? shown + 0.5 : 255.0);
            const int x = i - worst->x, y = j - worst->y;
            const bool inside = x >= 0 && x < TILE && y >= 0 && y < TILE;
            if (inside && (x == 0 || x == TILE - 1 || y == 0 || y == TILE - 1)) {
                pixel[0] = 255;
                pixel[1] = pixel[2] = 0;
            }
        }
}

bool picture_compare(const uint8_t *expected, const uint8_t *seen, int width, int height,
                     uint8_t *difference, picture_verdict *out)
{
    planes a = {0}, b = {0};
    const bool enough = see(expected, width, height, &a) && see(seen, width, height, &b);
    if (enough) {
        *out = worst_tile(&a, &b);
        if (difference != NULL)
            paint_difference(&a, &b, out, difference);
    }
    free(a.values);
    free(b.values);
    return enough;
}
