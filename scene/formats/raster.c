// SPDX-License-Identifier: MIT
// raster.c - reads a raster file in the format that its first bytes show.
#include "scene/formats/raster.h"

#include "scene/scene_assert.h"

#include "scene/builtin.h"

#include "rill/files.h"
#include "rill/support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PROBE_BYTES 256

static bool is_png(const char *head, size_t bytes)
{
    static const char signature[8] = "\x89PNG\r\n\x1a\n";
    return bytes >= sizeof signature && memcmp(head, signature, sizeof signature) == 0;
}

// Names that are no files but that GDAL understands: archives and parts of files, such as
// /vsizip/dem.zip/dem.tif or NETCDF:dem.nc:z.
static bool may_be_gdal_name(const char *path)
{
    return strncmp(path, "/vsi", 4) == 0 || strchr(path, ':') != NULL;
}

rill_status rl_raster_load(const char *path, const rill_heightfield_load_def *def,
                           rill_heightfield **out)
{
    *out = NULL;
    char head[PROBE_BYTES];
    FILE *file = rl_builtin_open(path);
    if (file == NULL) {
        if (may_be_gdal_name(path) && !rl_builtin_is_name(path))
            return rl_raster_load_gdal(path, def, out);
        return rill_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    }
    const size_t bytes = fread(head, 1, sizeof head, file);
    const bool readable = ferror(file) == 0; // a folder is not, but may be a raster of GDAL's
    fclose(file);

    if (readable && bytes == 0)
        return rill_fail(RILL_BAD_FILE, "%s: is empty", path);
    if (is_png(head, bytes))
        return rl_raster_load_png(path, def, out);
    if (rl_raster_is_asc(head, bytes))
        return rl_raster_load_asc(path, def, out);
    return rl_raster_load_gdal(path, def, out);
}

rill_status rl_raster_create(const char *path, int64_t nx, int64_t ny, double cell_size,
                             const rill_heightfield_load_def *def, rill_heightfield **out)
{
    rill_status status = RILL_OK;
    if (nx >= 1 && ny >= 1 && nx <= RILL_MAX_SIDE && ny <= RILL_MAX_SIDE &&
        nx * ny > def->max_cells)
        status = rill_fail(RILL_BAD_DEF, "%lld x %lld are %lld cells, at most %lld are accepted",
                           (long long)nx, (long long)ny, (long long)(nx * ny),
                           (long long)def->max_cells);
    if (status == RILL_OK)
        status = rill_heightfield_create_flat(nx, ny, cell_size, def->host, out);
    if (status == RILL_OK)
        return RILL_OK;
    return rill_fail_prefix(status == RILL_BAD_DEF ? RILL_BAD_FILE : status, "%s", path);
}

rill_status rl_raster_put(const char *path, const rill_heightfield_load_def *def,
                          rill_heightfield *heightfield, int column, int row, double value)
{
    RL_ASSERT(heightfield != NULL);
    const rill_field *field = rill_heightfield_field(heightfield);
    const float elevation = (float)(def->offset + def->scale * value);
    if (isinf(elevation) || (isnan(elevation) && !isnan(value)))
        return rill_fail(RILL_BAD_FILE, "%s: the value %g in row %d, column %d is out of range",
                         path, value, row + 1, column + 1);
    rill_field_row(field, field->ny - 1 - row)[column] = elevation;
    return RILL_OK;
}
