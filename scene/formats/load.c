// SPDX-License-Identifier: MIT
// load.c - ground and meshes from files (rill/files.h): definitions are checked here, the readers
// of each kind of file do the rest.
#include "scene/formats/mesh_read.h"
#include "scene/formats/raster.h"

#include "rill/files.h"
#include "rill/support.h"

#include <math.h>

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
    if (def->no_data != RILL_NO_DATA_REFUSE && def->no_data != RILL_NO_DATA_FILL &&
        def->no_data != RILL_NO_DATA_WALL)
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
    rill_status status = check_load_def(def);
    if (status == RILL_OK)
        status = rl_raster_load(path, def, out);
    if (status != RILL_OK)
        return status;
    // Smoothed while it still shows where there is no data: walls stay steep.
    status = rill_heightfield_smooth(*out, def->smoothing);
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
    rill_status status = rill_host_check(host);
    if (status != RILL_OK)
        return status;
    const rill_allocator *a = rill_allocator_of(host);
    rl_mesh_data data = {0};
    status = rl_mesh_read(a, path, &data);
    if (status != RILL_OK)
        return status;
    for (size_t n = 0; n < 3 * data.vertex_count; n++)
        data.vertices[n] = (float)(scale * (double)data.vertices[n]);
    status = rill_triangles_create(data.vertices, data.vertex_count, data.indices, data.index_count,
                                   host, out);
    rl_mesh_data_free(a, &data);
    return status == RILL_OK ? status : rill_fail_prefix(RILL_BAD_FILE, "%s", path);
}
