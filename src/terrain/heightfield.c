// SPDX-License-Identifier: MIT
// heightfield.c - creates, samples and destroys heightfields.
#include "terrain/heightfield.h"

#include "core/assert.h"
#include "core/status.h"

#include <math.h>
#include <string.h>

// On a 32-bit machine: an elevation, the padding of its row, and as much again.
#define BYTES_PER_CELL 16

rill_status rl_grid_check_size(int64_t nx, int64_t ny, int64_t max_cells)
{
    if (nx < 1 || nx > RILL_MAX_SIDE || ny < 1 || ny > RILL_MAX_SIDE)
        return rl_fail(RILL_BAD_DEF, "the size is %lld x %lld cells, each side must be 1 to %d",
                       (long long)nx, (long long)ny, RILL_MAX_SIDE);
    if (nx * ny > max_cells)
        return rl_fail(RILL_BAD_DEF, "%lld x %lld are %lld cells, at most %lld are accepted",
                       (long long)nx, (long long)ny, (long long)(nx * ny), (long long)max_cells);
    if ((uint64_t)(nx * ny) > SIZE_MAX / BYTES_PER_CELL)
        return rl_fail(RILL_NO_MEMORY, "%lld x %lld cells are more than this machine can address",
                       (long long)nx, (long long)ny);
    return RILL_OK;
}

rill_status rl_heightfield_create(int nx, int ny, double cell_size, const rill_host *host,
                                  rill_heightfield **out)
{
    *out = NULL;
    const rill_status status = rl_grid_check_size(nx, ny, RILL_MAX_CELLS);
    if (status != RILL_OK)
        return status;
    if (!(cell_size > 0.0) || !isfinite(cell_size))
        return rl_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive", cell_size);

    const rill_allocator *allocator = rl_allocator_of(host);
    rill_heightfield *heightfield = rl_alloc(allocator, sizeof *heightfield);
    if (heightfield == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a heightfield");
    if (allocator != NULL)
        heightfield->allocator = *allocator;
    heightfield->cell_size = cell_size;
    if (!rl_field_create(allocator, nx, ny, 0, &heightfield->elevation)) {
        rl_heightfield_destroy(&heightfield);
        return rl_fail(RILL_NO_MEMORY, "no memory for %d x %d elevations", nx, ny);
    }
    *out = heightfield;
    return RILL_OK;
}

void rl_heightfield_destroy(rill_heightfield **heightfield)
{
    if (heightfield == NULL || *heightfield == NULL)
        return;
    rill_heightfield *old = *heightfield;
    const rill_allocator allocator = old->allocator; // outlives the object it is stored in
    rl_field_destroy(&allocator, &old->elevation);
    rl_free(&allocator, old->projection, old->projection_bytes);
    rl_free(&allocator, old, sizeof *old);
    *heightfield = NULL;
}

rill_status rl_heightfield_set_georeference(rill_heightfield *heightfield,
                                            const double transform[6], const char *projection)
{
    char *copy = NULL;
    size_t bytes = 0;
    if (projection != NULL && projection[0] != '\0') {
        bytes = strlen(projection) + 1;
        copy = rl_alloc(&heightfield->allocator, bytes);
        if (copy == NULL)
            return rl_fail(RILL_NO_MEMORY, "no memory for a projection of %zu bytes", bytes);
        memcpy(copy, projection, bytes);
    }
    rl_free(&heightfield->allocator, heightfield->projection, heightfield->projection_bytes);
    heightfield->projection = copy;
    heightfield->projection_bytes = bytes;
    memcpy(heightfield->transform, transform, sizeof heightfield->transform);
    heightfield->georeferenced = 1;
    return RILL_OK;
}

int64_t rl_heightfield_count_missing(const rill_heightfield *heightfield, int *first_i,
                                     int *first_j)
{
    RL_ASSERT(heightfield != NULL && first_i != NULL && first_j != NULL);
    const rl_field *field = &heightfield->elevation;
    int64_t missing = 0;
    for (int j = 0; j < field->ny; j++) {
        const float *row = rl_field_row(field, j);
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
