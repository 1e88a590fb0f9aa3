// SPDX-License-Identifier: MIT
// smooth.c - a filter close to a Gaussian. Three running means along rows and three along columns:
// their weights together are a piecewise cubic that a Gaussian can hardly be told from. The kernel
// has whole cells in its middle and fractions of cells at its ends, so that its width, and with it
// the deviation, can be any number.
#include "terrain/heightfield.h"

#include <math.h>
#include <string.h>

#define PASSES 3

typedef struct kernel {
    int reach;   // whole cells on either side
    double part; // weight of the cells at reach + 1, 0 to 1
} kernel;

// The kernel of which PASSES passes have a standard deviation of `sigma` cells. A full kernel that
// reaches r cells has the variance r (r + 1) / 3.
static kernel kernel_of(double sigma)
{
    RL_ASSERT(sigma > 0.0);
    const double variance = sigma * sigma / PASSES;
    const double reach = floor(0.5 * (sqrt(1.0 + 12.0 * variance) - 1.0));
    const double next = (reach + 1.0) * (reach + 1.0), width = 2.0 * reach + 1.0;
    const double part =
        width * (variance - reach * (reach + 1.0) / 3.0) / (2.0 * (next - variance));
    return (kernel){(int)reach, part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part};
}

static void weigh(const float *line, int count, int index, double weight, double *sum,
                  double *known)
{
    if (index < 0 || index >= count || isnan(line[index]))
        return;
    *sum += weight * (double)line[index];
    *known += weight;
}

static void smooth_line(kernel w, const float *line, int count, float *out)
{
    double sum = 0.0, known = 0.0; // of the whole cells
    for (int i = 0; i < w.reach && i < count; i++)
        weigh(line, count, i, 1.0, &sum, &known);
    for (int i = 0; i < count; i++) {
        weigh(line, count, i + w.reach, 1.0, &sum, &known);
        weigh(line, count, i - w.reach - 1, -1.0, &sum, &known);
        double all = sum, weight = known;
        weigh(line, count, i - w.reach - 1, w.part, &all, &weight);
        weigh(line, count, i + w.reach + 1, w.part, &all, &weight);
        out[i] = isnan(line[i]) ? line[i] : (float)(all / weight);
    }
}

static void smooth_rows(kernel w, float *values, size_t pitch, int nx, int ny, float *line)
{
    for (int j = 0; j < ny; j++) {
        float *row = values + (size_t)j * pitch;
        for (int pass = 0; pass < PASSES; pass++) {
            memcpy(line, row, (size_t)nx * sizeof *line);
            smooth_line(w, line, nx, row);
        }
    }
}

#define TOGETHER 16 // columns: a cache line of each row

static void smooth_columns(kernel w, float *values, size_t pitch, int nx, int ny, float *lines)
{
    float *spare = lines + (size_t)TOGETHER * (size_t)ny;
    for (int first = 0; first < nx; first += TOGETHER) {
        const int columns = nx - first < TOGETHER ? nx - first : TOGETHER;
        for (int j = 0; j < ny; j++)
            for (int n = 0; n < columns; n++)
                lines[n * ny + j] = values[(size_t)j * pitch + (size_t)(first + n)];
        for (int n = 0; n < columns; n++)
            for (int pass = 0; pass < PASSES; pass++) {
                memcpy(spare, lines + (size_t)n * (size_t)ny, (size_t)ny * sizeof *spare);
                smooth_line(w, spare, ny, lines + (size_t)n * (size_t)ny);
            }
        for (int j = 0; j < ny; j++)
            for (int n = 0; n < columns; n++)
                values[(size_t)j * pitch + (size_t)(first + n)] = lines[n * ny + j];
    }
}

bool rl_smooth(float *values, size_t pitch, int nx, int ny, double length,
               const rill_allocator *allocator)
{
    RL_ASSERT(nx > 0 && ny > 0 && pitch >= (size_t)nx);
    if (!(length > 0.0))
        return true;
    // A reach past the longest side only takes longer: all of it is one mean by then.
    const double longest = nx > ny ? nx : ny;
    const kernel w = kernel_of(0.5 * (length < 4.0 * longest ? length : 4.0 * longest));
    const size_t side = (size_t)(nx > ny ? nx : ny);
    const size_t bytes = (TOGETHER + 1) * side * sizeof(float);
    float *lines = rill_alloc(allocator, bytes);
    if (lines == NULL)
        return false;
    smooth_rows(w, values, pitch, nx, ny, lines);
    smooth_columns(w, values, pitch, nx, ny, lines);
    rill_free(allocator, lines, bytes);
    return true;
}
