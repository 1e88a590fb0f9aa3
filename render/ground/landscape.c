// SPDX-License-Identifier: MIT
// landscape.c - computes the vegetation of a terrain of kilometres, a texel a cell.
#include "render/ground/landscape.h"

#include "render/half.h"
#include "render/render_error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define AROUND   6        // cells: half the width of what counts as the land around
#define FARTHEST 30000.0f // metres; less than the largest half

// Metres that dry land is above the water at least.
#define DRY_ABOVE 0.3f

// The nearest water that a cell knows of.
typedef struct water {
    int i, j;     // its cell
    float square; // distance in cells, squared
} water;

static void offer(water *to, const water *from, int i, int j)
{
    const float di = (float)(i - from->i), dj = (float)(j - from->j);
    const float square = di * di + dj * dj;
    if (from->square < 1e29f && square < to->square)
        *to = (water){from->i, from->j, square};
}

// Makes two sweeps in which every cell takes the nearest water that its neighbours know
// (Danielsson): exact but for some cells that are off by less than a cell.
static void find_water(int nx, int ny, water *w)
{
    for (int j = 0; j < ny; j++) {
        water *row = w + (size_t)j * (size_t)nx;
        for (int i = 0; j > 0 && i < nx; i++) {
            offer(&row[i], &row[i - nx], i, j);
            if (i > 0)
                offer(&row[i], &row[i - nx - 1], i, j);
            if (i + 1 < nx)
                offer(&row[i], &row[i - nx + 1], i, j);
        }
        for (int i = 1; i < nx; i++)
            offer(&row[i], &row[i - 1], i, j);
        for (int i = nx - 2; i >= 0; i--)
            offer(&row[i], &row[i + 1], i, j);
    }
    for (int j = ny - 2; j >= 0; j--) {
        water *row = w + (size_t)j * (size_t)nx;
        for (int i = 0; i < nx; i++) {
            offer(&row[i], &row[i + nx], i, j);
            if (i > 0)
                offer(&row[i], &row[i + nx - 1], i, j);
            if (i + 1 < nx)
                offer(&row[i], &row[i + nx + 1], i, j);
        }
        for (int i = 1; i < nx; i++)
            offer(&row[i], &row[i - 1], i, j);
        for (int i = nx - 2; i >= 0; i--)
            offer(&row[i], &row[i + 1], i, j);
    }
}

// Computes means over 2 AROUND + 1 values along a line whose values are `apart`; beyond its ends
// the last value goes on.
static void blur_line(const float *from, float *to, int count, size_t apart)
{
    double sum = 0.0;
    for (int n = -AROUND; n <= AROUND; n++)
        sum += (double)from[(size_t)(n < 0 ? 0 : n < count ? n : count - 1) * apart];
    for (int n = 0; n < count; n++) {
        to[(size_t)n * apart] = (float)(sum / (2 * AROUND + 1));
        const int out = n - AROUND < 0 ? 0 : n - AROUND;
        const int in = n + AROUND + 1 < count ? n + AROUND + 1 : count - 1;
        sum += (double)from[(size_t)in * apart] - (double)from[(size_t)out * apart];
    }
}

static void blur(int nx, int ny, const float *bed, float *between, float *out)
{
    for (int j = 0; j < ny; j++)
        blur_line(bed + (size_t)j * (size_t)nx, between + (size_t)j * (size_t)nx, nx, 1);
    for (int i = 0; i < nx; i++)
        blur_line(between + i, out + i, ny, (size_t)nx);
}

static float slope_at(const float *heights, int nx, int ny, int i, int j, float cell_size)
{
    const int west = i > 0 ? i - 1 : 0, east = i + 1 < nx ? i + 1 : i;
    const int south = j > 0 ? j - 1 : 0, north = j + 1 < ny ? j + 1 : j;
    const float x = heights[(size_t)j * (size_t)nx + (size_t)east] -
                    heights[(size_t)j * (size_t)nx + (size_t)west];
    const float y = heights[(size_t)north * (size_t)nx + (size_t)i] -
                    heights[(size_t)south * (size_t)nx + (size_t)i];
    return sqrtf(x * x + y * y) / (2.0f * cell_size);
}

static void seed_water(int nx, int ny, const uint16_t *depths, size_t stride, float wet, water *w)
{
    for (int n = 0; n < nx * ny; n++) {
        const bool is_wet = half_to_float(depths[(size_t)n * stride]) > wet;
        w[n] = (water){n % nx, n / nx, is_wet ? 0.0f : 1e30f};
    }
}

rill_status landscape_bake(int nx, int ny, float cell_size, const float *bed,
                           const uint16_t *depths, size_t stride, float wet, landscape_texel *out)
{
    const size_t cells = (size_t)nx * (size_t)ny;
    water *nearest = malloc(cells * sizeof *nearest);
    float *between = malloc(cells * sizeof *between), *mean = malloc(cells * sizeof *mean);
    if (nearest == NULL || between == NULL || mean == NULL) {
        free(nearest);
        free(between);
        free(mean);
        return render_fail(RILL_NO_MEMORY, "no memory for the vegetation of %d x %d cells", nx, ny);
    }
    seed_water(nx, ny, depths, stride, wet, nearest);
    find_water(nx, ny, nearest);
    blur(nx, ny, bed, between, mean);
    for (size_t n = 0; n < cells; n++) {
        const int i = (int)(n % (size_t)nx), j = (int)(n / (size_t)nx);
        const water *w = &nearest[n];
        const size_t at = (size_t)w->j * (size_t)nx + (size_t)w->i;
        const bool known = w->square < 1e29f;
        const float level = bed[at] + half_to_float(depths[at * stride]);
        // Land behind a bank may be lower than the river and yet dry.
        const float least = w->square > 0.0f ? DRY_ABOVE : -FARTHEST;
        const float above = known ? fmaxf(bed[n] - level, least) : FARTHEST;
        const float away = known ? sqrtf(w->square) * cell_size : FARTHEST;
        out[n] = (landscape_texel){
            .above = half_from_float(fminf(above, FARTHEST)),
            .away = half_from_float(fminf(away, FARTHEST)),
            .steep = half_from_float(slope_at(mean, nx, ny, i, j, cell_size)),
            .ridge = half_from_float(bed[n] - mean[n]),
        };
    }
    free(nearest);
    free(between);
    free(mean);
    return RILL_OK;
}
