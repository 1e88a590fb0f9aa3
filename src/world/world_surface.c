// SPDX-License-Identifier: MIT
// world_surface.c - the public side of the surface room: a surface of a world's columns.
#include "surface/surface.h"
#include "world/world.h"

struct rill_surface {
    rill_allocator allocator;
    rl_surface *surface;
    int nx, ny, layers;
};

rill_surface_def rill_default_surface_def(void)
{
    return (rill_surface_def){.opaque_depth = 0.5f, .minimum_thickness = 0.05f};
}

rill_status rill_surface_create(const rill_world *world, const rill_surface_def *def,
                                rill_surface **out)
{
    if (world == NULL || def == NULL || out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "a surface needs a world, a definition and a place, one "
                                          "of them is NULL");
    *out = NULL;
    if (!(def->opaque_depth > 0.0f))
        return rl_fail(RILL_BAD_DEF, "opaque_depth is %g, it must be positive",
                       (double)def->opaque_depth);
    if (!(def->minimum_thickness >= 0.0f && def->minimum_thickness <= 1.0f))
        return rl_fail(RILL_BAD_DEF, "minimum_thickness is %g, it must be from 0 to 1",
                       (double)def->minimum_thickness);
    const rill_allocator *a =
        def->host != NULL ? &def->host->allocator : &world->def.host.allocator;
    rill_surface *s = rl_alloc(a, sizeof *s);
    if (s == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a surface");
    s->allocator = *a;
    s->nx = world->def.nx;
    s->ny = world->def.ny;
    s->layers = 1;
    const rill_status status = rl_surface_create(a, s->nx, s->ny, s->layers, def, &s->surface);
    if (status != RILL_OK)
        rill_surface_destroy(&s);
    *out = s;
    return status;
}

void rill_surface_destroy(rill_surface **surface)
{
    if (surface == NULL || *surface == NULL)
        return;
    rill_surface *s = *surface;
    const rill_allocator allocator = s->allocator;
    rl_surface_destroy(&s->surface);
    rl_free(&allocator, s, sizeof *s);
    *surface = NULL;
}

static void run_jobs(void *user, int count, rill_task task, void *context)
{
    rl_jobs_run(user, count, task, context);
}

rill_status rill_surface_build(rill_surface *surface, rill_world *world)
{
    if (surface == NULL || world == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "building a surface needs a surface and a world, one is "
                                          "NULL");
    if (surface->nx != world->def.nx || surface->ny != world->def.ny)
        return rl_fail(RILL_BAD_ARGUMENT,
                       "the surface was made for %d x %d cells, this world has %d x %d",
                       surface->nx, surface->ny, world->def.nx, world->def.ny);
    const rill_columns columns = rill_world_columns(world);
    rl_surface_build(surface->surface, &columns, (rl_surface_runner){run_jobs, world->jobs});
    return RILL_OK;
}

rill_mesh rill_surface_mesh(const rill_surface *surface)
{
    return surface != NULL ? rl_surface_mesh(surface->surface) : (rill_mesh){0};
}
