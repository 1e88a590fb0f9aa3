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

    const rill_allocator *allocator = rill_allocator_of(host);
    rill_heightfield *heightfield = rill_alloc(allocator, sizeof *heightfield);
    if (heightfield == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a heightfield");
    if (allocator != NULL)
        heightfield->allocator = *allocator;
    heightfield->cell_size = cell_size;
    if (!rill_field_create(allocator, (int)nx, (int)ny, 0, &heightfield->elevation)) {
        rill_heightfield_destroy(&heightfield);
        return rill_fail(RILL_NO_MEMORY, "no memory for %d x %d elevations", (int)nx, (int)ny);
    }
    *out = heightfield;
    return RILL_OK;
}

void rill_heightfield_destroy(rill_heightfield **heightfield)
{
    if (heightfield == NULL || *heightfield == NULL)
        return;
    rill_heightfield *old = *heightfield;
    const rill_allocator allocator = old->allocator; // outlives the object it is stored in
    rill_field_destroy(&allocator, &old->elevation);
    rill_free(&allocator, old->projection, old->projection_bytes);
    rill_free(&allocator, old, sizeof *old);
    *heightfield = NULL;
}

rill_status rill_heightfield_set_georeference(rill_heightfield *heightfield,
                                              const double transform[6], const char *projection)
{
    char *copy = NULL;
    size_t bytes = 0;
    if (projection != NULL && projection[0] != '\0') {
        bytes = strlen(projection) + 1;
        copy = rill_alloc(&heightfield->allocator, bytes);
        if (copy == NULL)
            return rill_fail(RILL_NO_MEMORY, "no memory for a projection of %zu bytes", bytes);
        memcpy(copy, projection, bytes);
    }
    rill_free(&heightfield->allocator, heightfield->projection, heightfield->projection_bytes);
    heightfield->projection = copy;
    heightfield->projection_bytes = bytes;
    memcpy(heightfield->transform, transform, sizeof heightfield->transform);
    heightfield->georeferenced = 1;
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
               : rl_fill_no_data(&heightfield->elevation, &heightfield->allocator,
                                 &heightfield->filled);
}

rill_status rill_heightfield_smooth(rill_heightfield *heightfield, double length)
{
    if (heightfield == NULL || !(length >= 0.0))
        return rill_fail(RILL_BAD_ARGUMENT, "smoothing over %g m needs a heightfield and a length",
                         length);
    const rill_field *field = &heightfield->elevation;
    if (rl_smooth(field->origin, field->pitch, field->nx, field->ny,
                  length / heightfield->cell_size, &heightfield->allocator))
        return RILL_OK;
    return rill_fail(RILL_NO_MEMORY, "no memory to smooth it");
}

rill_status rill_heightfield_create(int nx, int ny, double cell_size, const float *elevations,
                                    const rill_host *host, rill_heightfield **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (elevations == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "elevations is NULL");
    rill_status status = rill_host_check(host);
    if (status == RILL_OK)
        status = rill_heightfield_create_flat(nx, ny, cell_size, host, out);
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
    rill_georeference georeference = {0};
    if (heightfield == NULL || !heightfield->georeferenced)
        return georeference;
    memcpy(georeference.transform, heightfield->transform, sizeof georeference.transform);
    georeference.projection = heightfield->projection;
    georeference.known = 1;
    return georeference;
}

rill_field *rill_heightfield_field(rill_heightfield *heightfield)
{
    return heightfield != NULL ? &heightfield->elevation : NULL;
}

int64_t rill_heightfield_filled(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? heightfield->filled : 0;
}
