// SPDX-License-Identifier: MIT
// map_ambience.c - the soft light of the whole sky: hollows see less of it than ridges. Instead of
// casting rays, the ground is compared with its own surroundings, smoothed over a few per cent of
// the map, on a coarse copy; fine forms are the hill shade's business.
#include "scene/map/map_parts.h"
#include "scene/scene_assert.h"

#include <math.h>
#include <string.h>

#define COARSE_SIDE 256
#define PASSES      3     // box filters in a row come close to a Gaussian
#define RADIUS_PART 0.03f // of the longer side

static void coarsen(const rl_map_grid *grid, int step, rill_field *out)
{
    RL_ASSERT(step >= 1);
    // Heights above the first cell have all their digits in the sums below.
    const double datum = (double)rill_field_row(&grid->ground, 0)[0];
    for (int j = 0; j < out->ny; j++)
        for (int i = 0; i < out->nx; i++) {
            double sum = 0.0;
            int count = 0;
            for (int y = j * step; y < (j + 1) * step && y < grid->ny; y++)
                for (int x = i * step; x < (i + 1) * step && x < grid->nx; x++, count++)
                    sum += (double)rill_field_row(&grid->ground, y)[x];
            rill_field_row(out, j)[i] = (float)(sum / count - datum);
        }
}

// Returns a value of the line or, past its ends, of its continuation by point reflection: a slope
// goes on as a slope, so that the frame casts no shade.
static double value_on(const float *line, int n, ptrdiff_t stride, int k)
{
    if (k >= 0 && k < n)
        return (double)line[k * stride];
    const int end = k < 0 ? 0 : n - 1, mirrored = 2 * end - k;
    const int inner = mirrored < 0 ? 0 : mirrored < n ? mirrored : n - 1;
    return 2.0 * (double)line[end * stride] - (double)line[inner * stride];
}

// Computes means over 2 radius + 1 values.
static void blur_line(float *line, int n, ptrdiff_t stride, int radius, float *spare)
{
    double sum = 0.0;
    for (int k = -radius; k <= radius; k++)
        sum += value_on(line, n, stride, k);
    for (int i = 0; i < n; i++) {
        spare[i] = (float)(sum / (2 * radius + 1));
        sum += value_on(line, n, stride, i + radius + 1);
        sum -= value_on(line, n, stride, i - radius);
    }
    for (int i = 0; i < n; i++)
        line[i * stride] = spare[i];
}

static void blur(rill_field *field, int radius, float *spare)
{
    RL_ASSERT(radius >= 0);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int j = 0; j < field->ny; j++)
            blur_line(rill_field_row(field, j), field->nx, 1, radius, spare);
        for (int i = 0; i < field->nx; i++)
            blur_line(field->origin + i, field->ny, (ptrdiff_t)field->pitch, radius, spare);
    }
}

// Computes what stands out of the smoothed ground, in units of its own spread, squeezed into [-1,
// 1].
static void compare(const rill_field *ground, rill_field *smooth)
{
    double sum = 0.0;
    float relief = 0.0f;
    for (int j = 0; j < ground->ny; j++)
        for (int i = 0; i < ground->nx; i++) {
            float *s = &rill_field_row(smooth, j)[i];
            const float z = rill_field_row(ground, j)[i];
            relief = fabsf(z) > relief ? fabsf(z) : relief;
            *s = z - *s;
            sum += (double)*s * (double)*s;
        }
    const float spread = (float)sqrt(sum / ((double)ground->nx * (double)ground->ny));
    // Rounding alone must not show as relief.
    const float unit = 1.2f * spread > 1e-5f * relief ? 1.2f * spread : 1e-5f * relief;
    for (int j = 0; j < ground->ny; j++)
        for (int i = 0; i < ground->nx; i++) {
            float *s = &rill_field_row(smooth, j)[i];
            const float v = unit > 0.0f ? *s / unit : 0.0f;
            *s = v / sqrtf(1.0f + v * v);
        }
}

bool rl_map_ambience_create(const rill_allocator *allocator, rl_map_grid *grid)
{
    const int longer = grid->nx > grid->ny ? grid->nx : grid->ny;
    const int step = (longer - 1) / COARSE_SIDE + 1;
    const int nx = (grid->nx - 1) / step + 1, ny = (grid->ny - 1) / step + 1;
    const size_t spare_bytes = (size_t)(nx > ny ? nx : ny) * sizeof(float);
    bool done = false;
    rill_field ground = {0};
    float *spare = rill_alloc(allocator, spare_bytes);
    if (spare == NULL || !rill_field_create(allocator, nx, ny, 0, &ground) ||
        !rill_field_create(allocator, nx, ny, 0, &grid->ambience))
        goto finish;
    coarsen(grid, step, &ground);
    memcpy(grid->ambience.memory, ground.memory, ground.bytes);
    const int radius = (int)(RADIUS_PART * (float)(nx > ny ? nx : ny)) + 1;
    blur(&grid->ambience, radius, spare);
    compare(&ground, &grid->ambience);
    grid->ambience_step = (float)step;
    done = true;
finish:
    rill_field_destroy(allocator, &ground);
    rill_free(allocator, spare, spare_bytes);
    return done;
}
