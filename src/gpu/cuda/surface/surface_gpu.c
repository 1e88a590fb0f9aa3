// SPDX-License-Identifier: MIT
// surface_gpu.c - the interface of gpu/surface_gpu.h over CUDA.
#include "core/assert.h"
#include "gpu/cuda/mirror/device.h"
#include "gpu/cuda/surface/surface_device.h"
#include "surface/surface_cell.h"

#include "rill/support.h"

// A heightfield has kernels of its own, which need not store what they find.
struct rl_gpu_surface {
    rl_gpu_surface_def def;
    bool multilayer;
    rl_device_mesh *mesh;     // with its maker, which is one of the two
    rl_device_mesh_size size; // of the last build
};

static rill_status report(int error)
{
    return error == 0 ? RILL_OK
                      : rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(error));
}

static void surface_destroy(rl_gpu_surface **surface)
{
    rl_gpu_surface *s = *surface;
    if (s == NULL)
        return;
    const rill_allocator allocator = s->def.allocator;
    rl_device_mesh_destroy(&s->mesh);
    rill_free(&allocator, s, sizeof *s);
    *surface = NULL;
}

static rill_status surface_create(const rl_gpu_surface_def *def, rl_gpu_surface **out)
{
    RL_ASSERT(def->nx > 0 && def->ny > 0 && def->layers > 0 && def->vertex_capacity > 0);
    rl_gpu_surface *s = rill_alloc(&def->allocator, sizeof *s);
    *out = s;
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a surface beside the GPU");
    s->def = *def;
    s->multilayer = def->layers > 1 || def->surface.meniscus_length > 0.0f;
    const int error = s->multilayer ? rl_device_multilayer_create(def, &s->mesh)
                                    : rl_device_surface_create(def, &s->mesh);
    if (error == 0)
        return RILL_OK;
    surface_destroy(out);
    return rill_fail(RILL_DEVICE, "the GPU cannot hold the mesh of %d x %d cells: %s", def->nx,
                     def->ny, rl_device_text(error));
}

static rl_surface_columns columns_of(const rl_gpu_surface *s, const rill_columns *c, int fine,
                                     float fall_slope)
{
    return (rl_surface_columns){
        .base = c->base,
        .depth = c->depth,
        .velocity_x = c->velocity_x,
        .velocity_y = c->velocity_y,
        .nx = c->nx,
        .ny = c->ny,
        .pitch = (int)c->pitch,
        .cell_size = c->cell_size,
        .wet_depth = c->wet_depth,
        .scale = 1.0f / c->cell_size,
        .least = s->def.surface.minimum_thickness * c->cell_size,
        .growth = rl_surface_growth(fine, c->wet_depth, c->cell_size),
        .most_fall = fall_slope > 0.0f ? fall_slope * c->cell_size : 0.0f,
        .opaque_depth = s->def.surface.opaque_depth,
        .fine = fine,
    };
}

static rill_status surface_set_ground(rl_gpu_surface *s, const rl_gpu_surface_ground *ground)
{
    return s->multilayer ? report(rl_device_multilayer_set_ground(s->mesh, ground)) : RILL_OK;
}

static int build(rl_gpu_surface *s, const rl_device_columns *columns, int fine, float fall_slope,
                 unsigned walls, rl_device_mesh_size *size)
{
    RL_ASSERT(columns->view.nx == s->def.nx && columns->view.ny == s->def.ny);
    if (s->multilayer)
        return rl_device_multilayer_build(s->mesh, columns, fine, walls, size);
    const rl_surface_columns water = columns_of(s, &columns->view, fine, fall_slope);
    return rl_device_surface_build(s->mesh, &water, columns->stream, size);
}

// A mesh that does not fit is built anew with a coarse shore.
static rill_status surface_build(rl_gpu_surface *s, const rl_device_columns *columns,
                                 float fall_slope, unsigned walls)
{
    const int fine = s->def.surface.fine_shore != 0;
    rl_device_mesh_size size = {0};
    s->size = size;
    int error = build(s, columns, fine, fall_slope, walls, &size);
    if (error == 0 && !size.fits && !size.too_long && fine)
        error = build(s, columns, 0, fall_slope, walls, &size);
    if (error != 0)
        return report(error);
    if (size.too_long)
        return rill_fail(RILL_NO_BACKEND,
                         "the surface winds around a point more often than the GPU "
                         "can follow");
    if (!size.fits)
        return rill_fail(
            RILL_NO_MEMORY,
            "the surface needs %zu vertices, more than the %zu that it has capacity for",
            size.vertices, s->def.vertex_capacity);
    s->size = size;
    return RILL_OK;
}

static rill_status surface_view(rl_gpu_surface *s, rill_device_mesh *mesh)
{
    RL_ASSERT(s->mesh != NULL);
    return report(rl_device_mesh_view(s->mesh, &s->size, mesh));
}

static rill_status surface_download(rl_gpu_surface *s, const rl_gpu_surface_host *host)
{
    RL_ASSERT(s->mesh != NULL && host->vertices != NULL && host->indices != NULL);
    return report(rl_device_mesh_download(s->mesh, &s->size, host));
}

static const rl_gpu_surface_ops table = {
    .create = surface_create,
    .destroy = surface_destroy,
    .set_ground = surface_set_ground,
    .build = surface_build,
    .view = surface_view,
    .download = surface_download,
};

const rl_gpu_surface_ops *rl_gpu_surface_table(void)
{
    return &table;
}
