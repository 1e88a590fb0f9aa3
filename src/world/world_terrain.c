// SPDX-License-Identifier: MIT
// world_terrain.c - the public functions of terrain.h: definitions checked here, the work done in
// terrain and io.
#include "core/status.h"
#include "scene/formats/raster.h"
#include "scene/generate/fill_no_data.h"
#include "scene/generate/generate.h"
#include "scene/generate/generate_valley.h"
#include "terrain/heightfield.h"
#include "terrain/smooth.h"

#include "rill/terrain.h"

#include <math.h>
#include <string.h>

static rill_status check_host(const rill_host *host)
{
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rl_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    return RILL_OK;
}

// ---- From an array ---------------------------------------------------------------------

rill_status rill_heightfield_create(int nx, int ny, double cell_size, const float *elevations,
                                    const rill_host *host, rill_heightfield **out)
{
    if (out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (elevations == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "elevations is NULL");
    rill_status status = check_host(host);
    if (status == RILL_OK)
        status = rl_heightfield_create(nx, ny, cell_size, host, out);
    for (int j = 0; status == RILL_OK && j < ny; j++) {
        const float *from = elevations + (size_t)j * (size_t)nx;
        float *row = rl_field_row(&(*out)->elevation, j);
        for (int i = 0; i < nx && status == RILL_OK; i++) {
            if (!isfinite(from[i]))
                status = rl_fail(RILL_BAD_ARGUMENT, "the elevation of cell (%d, %d) is %g", i, j,
                                 (double)from[i]);
            row[i] = from[i];
        }
    }
    if (status != RILL_OK)
        rl_heightfield_destroy(out);
    return status;
}

// ---- From a file -----------------------------------------------------------------------

rill_heightfield_load_def rill_default_heightfield_load_def(void)
{
    return (rill_heightfield_load_def){
        .scale = 1.0,
        .no_data = RILL_NO_DATA_REFUSE,
        .max_cells = RILL_MAX_CELLS,
    };
}

static rill_status check_load_def(const rill_heightfield_load_def *def)
{
    if (!(def->cell_size >= 0.0) || !isfinite(def->cell_size))
        return rl_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive, or 0 for the file's",
                       def->cell_size);
    if (!isfinite(def->offset))
        return rl_fail(RILL_BAD_DEF, "offset is %g m, it must be finite", def->offset);
    if (!isfinite(def->scale) || def->scale == 0.0)
        return rl_fail(RILL_BAD_DEF, "scale is %g, it must be finite and not 0", def->scale);
    if (def->no_data != RILL_NO_DATA_REFUSE && def->no_data != RILL_NO_DATA_FILL &&
        def->no_data != RILL_NO_DATA_WALL)
        return rl_fail(RILL_BAD_DEF, "no_data is %d, which is no choice", (int)def->no_data);
    if (!(def->smoothing >= 0.0) || !isfinite(def->smoothing))
        return rl_fail(RILL_BAD_DEF, "smoothing is %g m, it must not be negative", def->smoothing);
    if (def->max_cells < 1 || def->max_cells > RILL_MAX_CELLS)
        return rl_fail(RILL_BAD_DEF, "max_cells is %lld, it must be 1 to %d",
                       (long long)def->max_cells, RILL_MAX_CELLS);
    return check_host(def->host);
}

static rill_status treat_no_data(const char *path, rill_no_data choice,
                                 rill_heightfield *heightfield)
{
    int i = 0, j = 0;
    const int64_t missing = rl_heightfield_count_missing(heightfield, &i, &j);
    if (missing == 0)
        return RILL_OK;
    if (choice == RILL_NO_DATA_REFUSE)
        return rl_fail(RILL_BAD_FILE,
                       "%s: %lld of its cells hold no data, the first is (%d, %d) from the "
                       "south-west; they can be filled instead",
                       path, (long long)missing, i, j);
    const rill_status status = choice == RILL_NO_DATA_WALL
                                   ? rl_wall_no_data(&heightfield->elevation, &heightfield->filled)
                                   : rl_fill_no_data(&heightfield->elevation,
                                                     &heightfield->allocator, &heightfield->filled);
    return status == RILL_OK ? RILL_OK : rl_fail_prefix(status, "%s", path);
}

static rill_status smooth(const char *path, double length, rill_heightfield *heightfield)
{
    const rl_field *field = &heightfield->elevation;
    if (rl_smooth(field->origin, field->pitch, field->nx, field->ny,
                  length / heightfield->cell_size, &heightfield->allocator))
        return RILL_OK;
    return rl_fail(RILL_NO_MEMORY, "%s: no memory to smooth it", path);
}

rill_status rill_heightfield_load(const char *path, const rill_heightfield_load_def *def,
                                  rill_heightfield **out)
{
    if (out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (path == NULL || def == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "def");
    rill_status status = check_load_def(def);
    if (status == RILL_OK)
        status = rl_raster_load(path, def, out);
    // Smoothed while it still shows where there is no data: walls stay steep.
    if (status == RILL_OK)
        status = smooth(path, def->smoothing, *out);
    if (status == RILL_OK)
        status = treat_no_data(path, def->no_data, *out);
    if (status != RILL_OK)
        rl_heightfield_destroy(out);
    return status;
}

// ---- From a seed -----------------------------------------------------------------------

rill_heightfield_generate_def rill_default_heightfield_generate_def(void)
{
    return (rill_heightfield_generate_def){
        .nx = 256,
        .ny = 256,
        .cell_size = 4.0,
        .seed = 1,
        .relief = 200.0,
        .feature_size = 600.0,
        .octaves = 8,
        .ridges = 0.7,
        .valleys = 0.6,
        .tilt = 0.02,
    };
}

rill_status rill_heightfield_generate(const rill_heightfield_generate_def *def,
                                      rill_heightfield **out)
{
    if (out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "def is NULL");
    rill_status status = check_host(def->host);
    if (status == RILL_OK)
        status = rl_generate_check(def);
    if (status == RILL_OK)
        status = rl_heightfield_create(def->nx, def->ny, def->cell_size, def->host, out);
    if (status == RILL_OK)
        status = rl_generate(def, &(*out)->allocator, &(*out)->elevation);
    if (status != RILL_OK)
        rl_heightfield_destroy(out);
    return status;
}

rill_valley_def rill_default_valley_def(void)
{
    return (rill_valley_def){
        .nx = 1024,
        .ny = 1024,
        .cell_size = 10.0,
        .seed = 1,
        .width = 220.0,
        .depth = 9.0,
        .fall = 0.0012,
        .amplitude = 640.0,
        .floor_width = 2900.0,
        .relief = 450.0,
        .rocks = 60,
        .bars = 1.0,
        .islands = 2,
        .branch = 60.0,
    };
}

rill_status rill_heightfield_valley(const rill_valley_def *def, rill_heightfield **out)
{
    if (out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (def == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "def is NULL");
    rill_status status = check_host(def->host);
    if (status == RILL_OK)
        status = rl_valley_check(def);
    if (status == RILL_OK)
        status = rl_heightfield_create(def->nx, def->ny, def->cell_size, def->host, out);
    if (status == RILL_OK)
        status = rl_valley(def, &(*out)->allocator, &(*out)->elevation);
    if (status != RILL_OK)
        rl_heightfield_destroy(out);
    return status;
}

// ---- Use -------------------------------------------------------------------------------

void rill_heightfield_destroy(rill_heightfield **heightfield)
{
    rl_heightfield_destroy(heightfield);
}

rill_field_view rill_heightfield_view(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? rl_field_view_of(&heightfield->elevation) : (rill_field_view){0};
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

int64_t rill_heightfield_filled(const rill_heightfield *heightfield)
{
    return heightfield != NULL ? heightfield->filled : 0;
}
