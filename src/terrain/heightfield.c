// SPDX-License-Identifier: MIT
// heightfield.c - ground as a heightfield (rill/terrain.h).
#include "terrain/heightfield.h"

#include <math.h>
#include <string.h>

// On a 32-bit machine: an elevation, the padding of its row, and as much again.
#define BYTES_PER_CELL 16

rill_status rl_grid_check_size(int64_t nx, int64_t ny)
{
    if (nx < 1 || nx > RILL_MAX_SIDE || ny < 1 || ny > RILL_MAX_SIDE)
        return rill_fail(RILL_BAD_DEF, "the size is %lld x %lld cells, each side must be 1 to %d",
                         (long long)nx, (long long)ny, RILL_MAX_SIDE);
    if (nx * ny > RILL_MAX_CELLS)
        return rill_fail(RILL_BAD_DEF, "%lld x %lld are %lld cells, at most %lld are accepted",
                         (long long)nx, (long long)ny, (long long)(nx * ny),
                         (long long)RILL_MAX_CELLS);
    if ((uint64_t)(nx * ny) > SIZE_MAX / BYTES_PER_CELL)
        return rill_fail(RILL_NO_MEMORY, "%lld x %lld cells are more than this machine can address",
                         (long long)nx, (long long)ny);
    return RILL_OK;
}

rill_status rill_heightfield_create_flat(int64_t nx, int64_t ny, double cell_size,
                                         const rill_host *host, rill_heightfield **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    RILL_TRY(rill_host_check(host));
    RILL_TRY(rl_grid_check_size(nx, ny));
    if (!(cell_size > 0.0) || !isfinite(cell_size))
        return rill_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive", cell_size);

    rill_heightfield *heightfield = rl_owned_create(rill_allocator_of(host), sizeof *heightfield);
    if (heightfield == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a heightfield");
    heightfield->cell_size = cell_size;
    rl_owned_field(&heightfield->own, (int)nx, (int)ny, 0, 0, &heightfield->elevation);
    if (heightfield->own.failed) {
        rill_heightfield_destroy(&heightfield);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d elevations", (int)nx, (int)ny);
    }
    *out = heightfield;
    return RILL_OK;
}

static void free_projection(rill_heightfield *heightfield)
{
    rill_free(&heightfield->own.allocator, (void *)(uintptr_t)heightfield->georeference.projection,
              heightfield->projection_bytes);
}

void rill_heightfield_destroy(rill_heightfield **heightfield)
{
    if (heightfield == NULL || *heightfield == NULL)
        return;
    void *object = *heightfield;
    free_projection(*heightfield);
    rl_owned_destroy(NULL, &object);
    *heightfield = NULL;
}

rill_status rill_heightfield_set_georeference(rill_heightfield *heightfield,
                                              const double transform[6], const char *projection)
{
    char *copy = NULL;
    size_t bytes = 0;
    if (projection != NULL && projection[0] != '\0') {
        bytes = strlen(projection) + 1;
        copy = rill_alloc(&heightfield->own.allocator, bytes);
        if (copy == NULL)
            return rill_fail(RILL_NO_MEMORY, "no memory for a projection of %zu bytes", bytes);
        memcpy(copy, projection, bytes);
    }
    free_projection(heightfield);
    heightfield->projection_bytes = bytes;
    heightfield->georeference = (rill_georeference){.projection = copy, .known = 1};
    memcpy(heightfield->georeference.transform, transform, 6 * sizeof *transform);
    return RILL_OK;
}

// Counts cells that hold no data (NaN) and finds the first of them, row 0 first.
static int64_t count_missing(const rill_heightfield *heightfield, int *first_i, int *first_j)
{
    RL_ASSERT(heightfield != NULL && first_i != NULL && first_j != NULL);
    const rill_field *field = &heightfield->elevation;
    int64_t missing = 0;
    for (int j = 0; j < field->ny; j++) {
        const float *row = rill_field_row(field, j);
        for (int i = 0; i < field->nx; i++)
            if (isnan(row[i])) {
                if (missing == 0) {
                    *first_i = i;
                    *first_j = j;
                }
                missing++;
            }
    }
    return missing;
}

rill_status rill_heightfield_treat_no_data(rill_heightfield *heightfield, rill_no_data choice)
{
    if (heightfield == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "heightfield is NULL");
    int i = 0, j = 0;
    const int64_t missing = count_missing(heightfield, &i, &j);
    if (missing == 0)
        return RILL_OK;
    if (choice == RILL_NO_DATA_REFUSE)
        return rill_fail(RILL_BAD_FILE,
                         "%lld of its cells hold no data, the first is (%d, %d) from the "
                         "south-west; they can be filled instead",
                         (long long)missing, i, j);
    return choice == RILL_NO_DATA_WALL
               ? rl_wall_no_data(&heightfield->elevation, &heightfield->filled)
               : rl_fill_no_data(&heightfield->elevation, &heightfield->own.allocator,
                                 &heightfield->filled);
}

rill_status rill_heightfield_smooth(rill_heightfield *heightfield, double length)
{
    if (heightfield == NULL || !(length >= 0.0))
        return rill_fail(RILL_BAD_ARGUMENT, "smoothing over %g m needs a heightfield and a length",
                         length);
    const rill_field *field = &heightfield->elevation;
    if (rl_smooth(field->origin, field->pitch, field->nx, field->ny,
                  length / heightfield->cell_size, &heightfield->own.allocator))
        return RILL_OK;
    return rill_fail(RILL_NO_MEMORY, "no memory to smooth it");
}

rill_status rill_heightfield_create(int nx, int ny, double cell_size, const float *elevations,
                                    const rill_host *host, rill_heightfield **out)
{
    if (out != NULL && elevations == NULL) {
        *out = NULL;
        return rill_fail(RILL_BAD_ARGUMENT, "elevations is NULL");
    }
    rill_status status = rill_heightfield_create_flat(nx, ny, cell_size, host, out);
    for (int j = 0; status == RILL_OK && j < ny; j++) {
        const float *from = elevations + (size_t)j * (size_t)nx;
        float *row = rill_field_row(&(*out)->elevation, j);
        for (int i = 0; i < nx && status == RILL_OK; i++) {
            if (!isfinite(from[i]))
                status = rill_fail(RILL_BAD_ARGUMENT, "the elevation of cell (%d, %d) is %g", i, j,
                                   (double)from[i]);
            row[i] = from[i];
        }
    }
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}

rill_field_view rill_heightfield_view(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? rill_field_view_of(&heightfield->elevation) : (rill_field_view){0};
}

double rill_heightfield_cell_size(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? heightfield->cell_size : 0.0;
}

rill_georeference rill_heightfield_georeference(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? heightfield->georeference : (rill_georeference){0};
}

rill_field *rill_heightfield_field(rill_heightfield *heightfield)
{
    return heightfield != NULL ? &heightfield->elevation : NULL;
}

int64_t rill_heightfield_filled(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? heightfield->filled : 0;
}

// ---- Smoothing -------------------------------------------------------------------------
//
// A filter close to a Gaussian. Three running means along rows and three along columns:
// their weights together are a piecewise cubic that a Gaussian can hardly be told from. The kernel
// has whole cells in its middle and fractions of cells at its ends, so that its width, and with it
// the deviation, can be any number.

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
