// SPDX-License-Identifier: MIT
// raster.c - ground and meshes from files (rill/files.h): definitions are checked here, a raster
// file is read in the format that its first bytes show, and the readers of each kind do the rest.
#include "scene/formats/raster.h"

#include "scene/formats/formats.h"
#include "scene/formats/mesh_read.h"

#include "scene/builtin.h"

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

// Elevations from a grey picture: black is 0 and white is 1 before the scale.
static rill_status load_png(const char *path, const rill_heightfield_load_def *def,
                            rill_heightfield **out)
{
    const rill_allocator *allocator = rill_allocator_of(def->host);
    rl_png_grey picture;
    *out = NULL;
    RILL_TRY(rl_png_read_grey(path, def->max_cells, allocator, &picture));
    rill_status status = rl_raster_create(path, picture.width, picture.height,
                                          def->cell_size > 0.0 ? def->cell_size : 1.0, def, out);
    for (int row = 0; status == RILL_OK && row < picture.height; row++) {
        const uint16_t *pixels = picture.pixels + (size_t)row * (size_t)picture.width;
        for (int column = 0; status == RILL_OK && column < picture.width; column++)
            status =
                rl_raster_put(path, def, *out, column, row, (double)pixels[column] / picture.white);
    }
    rl_png_free_grey(allocator, &picture);
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}

// Reads a file of any kind. Cells that hold no data are NaN in the heightfield.
static rill_status load_any(const char *path, const rill_heightfield_load_def *def,
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
        return load_png(path, def, out);
    if (rl_raster_is_asc(head, bytes))
        return rl_raster_load_asc(path, def, out);
    return rl_raster_load_gdal(path, def, out);
}

// ---- The public functions --------------------------------------------------------------

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
        return rill_fail(RILL_BAD_DEF,
                         "cell_size is %g m, it must be positive, or 0 for the file's",
                         def->cell_size);
    if (!isfinite(def->offset))
        return rill_fail(RILL_BAD_DEF, "offset is %g m, it must be finite", def->offset);
    if (!isfinite(def->scale) || def->scale == 0.0)
        return rill_fail(RILL_BAD_DEF, "scale is %g, it must be finite and not 0", def->scale);
    if ((unsigned)def->no_data > RILL_NO_DATA_WALL)
        return rill_fail(RILL_BAD_DEF, "no_data is %d, which is no choice", (int)def->no_data);
    if (!(def->smoothing >= 0.0) || !isfinite(def->smoothing))
        return rill_fail(RILL_BAD_DEF, "smoothing is %g m, it must not be negative",
                         def->smoothing);
    if (def->max_cells < 1 || def->max_cells > RILL_MAX_CELLS)
        return rill_fail(RILL_BAD_DEF, "max_cells is %lld, it must be 1 to %d",
                         (long long)def->max_cells, RILL_MAX_CELLS);
    return rill_host_check(def->host);
}

rill_status rill_heightfield_load(const char *path, const rill_heightfield_load_def *def,
                                  rill_heightfield **out)
{
    if (out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "out is NULL");
    *out = NULL;
    if (path == NULL || def == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s is NULL", path == NULL ? "path" : "def");
    RILL_TRY(check_load_def(def));
    RILL_TRY(load_any(path, def, out));
    // Smoothed while it still shows where there is no data: walls stay steep.
    rill_status status = rill_heightfield_smooth(*out, def->smoothing);
    if (status == RILL_OK)
        status = rill_heightfield_treat_no_data(*out, def->no_data);
    if (status == RILL_OK)
        return RILL_OK;
    rill_heightfield_destroy(out);
    return rill_fail_prefix(status, "%s", path);
}

rill_status rill_triangles_load(const char *path, double scale, const rill_host *host,
                                rill_triangles **out)
{
    if (out == NULL || path == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "triangles need a path and a place, one is NULL");
    *out = NULL;
    if (!(scale > 0.0 && scale <= 1e9))
        return rill_fail(RILL_BAD_DEF, "%s: the scale is %g, it must be above 0 and at most 1e9",
                         path, scale);
    RILL_TRY(rill_host_check(host));
    const rill_allocator *a = rill_allocator_of(host);
    rl_mesh_data data = {0};
    RILL_TRY(rl_mesh_read(a, path, &data));
    for (size_t n = 0; n < 3 * data.vertex_count; n++)
        data.vertices[n] = (float)(scale * (double)data.vertices[n]);
    rill_status status = rill_triangles_create(data.vertices, data.vertex_count, data.indices,
                                               data.index_count, host, out);
    rl_mesh_data_free(a, &data);
    return status == RILL_OK ? status : rill_fail_prefix(RILL_BAD_FILE, "%s", path);
}
