// SPDX-License-Identifier: MIT
// world_solid.c - the public functions of solid.h that need no world: definitions checked here, the
// work done in terrain and io.
#include "core/status.h"
#include "scene/formats/mesh_read.h"
#include "terrain/heightfield.h"
#include "terrain/sdf/solid_internal.h"
#include "terrain/sdf/triangles.h"

#include "rill/solid.h"

#include <math.h>

static rill_status check_host(const rill_host *host)
{
    if (host != NULL && (host->allocator.allocate == NULL) != (host->allocator.release == NULL))
        return rl_fail(RILL_BAD_DEF, "the allocator has only one of its two functions");
    return RILL_OK;
}

// ---- Solids ----------------------------------------------------------------------------

rill_solid_def rill_default_solid_def(void)
{
    return (rill_solid_def){.nx = 256, .ny = 256, .cell_size = 1.0, .top = 1.0};
}

rill_status rill_solid_create(const rill_solid_def *def, rill_solid **out)
{
    if (def == NULL || out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "a solid needs a definition and a place, one is NULL");
    *out = NULL;
    rill_status status = check_host(def->host);
    if (status == RILL_OK)
        status = rl_solid_check_def(def);
    return status == RILL_OK ? rl_solid_create(def, out) : status;
}

void rill_solid_destroy(rill_solid **solid)
{
    rl_solid_destroy(solid);
}

rill_sdf_primitive rill_default_sdf_primitive(rill_sdf_kind kind)
{
    return (rill_sdf_primitive){
        .kind = kind,
        .rotation = {0.0, 0.0, 0.0, 1.0},
        .scale = 1.0,
        .size = {1.0, 1.0, 1.0},
        .radius = 0.5,
        .radius_top = 0.25,
        .tube = 0.1,
        .length = 1.0,
        .heights_cell = 1.0,
    };
}

rill_status rill_solid_combine(rill_solid *solid, const rill_sdf_primitive *shape, rill_combine how,
                               double blend)
{
    if (solid == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "rill_solid_combine needs a solid, it is NULL");
    const rill_status status = rl_sdf_primitive_check(shape, how, blend);
    if (status == RILL_OK)
        rl_solid_combine(solid, shape, how, blend);
    return status;
}

double rill_solid_distance(const rill_solid *solid, double x, double y, double z)
{
    const bool known = isfinite(x) && isfinite(y) && isfinite(z);
    return solid != NULL && known ? rl_solid_sample(solid, x, y, z) : 0.0;
}

// ---- Triangles -------------------------------------------------------------------------

rill_status rill_triangles_create(const float *vertices, size_t vertex_count,
                                  const uint32_t *indices, size_t index_count,
                                  const rill_host *host, rill_triangles **out)
{
    if (out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "triangles need a place, it is NULL");
    *out = NULL;
    if ((vertices == NULL && vertex_count > 0) || (indices == NULL && index_count > 0))
        return rl_fail(RILL_BAD_ARGUMENT, "the vertices or the indices of triangles are NULL");
    const rill_status status = check_host(host);
    if (status != RILL_OK)
        return status;
    return rl_triangles_create(rl_allocator_of(host), vertices, vertex_count, indices, index_count,
                               out);
}

rill_status rill_triangles_load(const char *path, double scale, const rill_host *host,
                                rill_triangles **out)
{
    if (out == NULL || path == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "triangles need a path and a place, one is NULL");
    *out = NULL;
    if (!(scale > 0.0 && scale <= 1e9))
        return rl_fail(RILL_BAD_DEF, "%s: the scale is %g, it must be above 0 and at most 1e9",
                       path, scale);
    rill_status status = check_host(host);
    if (status != RILL_OK)
        return status;
    const rill_allocator *a = rl_allocator_of(host);
    rl_mesh_data data = {0};
    status = rl_mesh_read(a, path, &data);
    if (status != RILL_OK)
        return status;
    for (size_t n = 0; n < 3 * data.vertex_count; n++)
        data.vertices[n] = (float)(scale * (double)data.vertices[n]);
    status = rl_triangles_create(a, data.vertices, data.vertex_count, data.indices,
                                 data.index_count, out);
    rl_mesh_data_free(a, &data);
    return status == RILL_OK ? status : rl_fail_prefix(RILL_BAD_FILE, "%s", path);
}

void rill_triangles_destroy(rill_triangles **triangles)
{
    rl_triangles_destroy(triangles);
}

rill_triangles_info rill_triangles_view(const rill_triangles *triangles)
{
    return triangles != NULL ? triangles->info : (rill_triangles_info){0};
}
