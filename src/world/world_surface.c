// SPDX-License-Identifier: MIT
// world_surface.c - the public side of the surface room: a surface of a world's columns.
#include "surface/surface.h"
#include "world/world.h"

struct rill_surface {
    rill_allocator allocator;
    rl_surface *surface;
    int nx, ny, layers;
    int local_minimum;
    uint64_t ground_version; // of the ground that the least heights are for; 0: none
};

rill_surface_def rill_default_surface_def(void)
{
    return (rill_surface_def){.opaque_depth = 0.5f,
                              .minimum_thickness = 0.05f,
                              .local_minimum = 1,
                              .fine_shore = 1,
                              .curtains = 1,
                              .meniscus_length = 0.0f,
                              .contact_angle = 20.0f};
}

rill_status rill_surface_create(const rill_world *world, const rill_surface_def *def,
                                rill_surface **out)
{
    if (world == NULL || def == NULL || out == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "a surface needs a world, a definition and a place, one "
                                          "of them is NULL");
    *out = NULL;
    const rill_allocator *a =
        def->host != NULL ? &def->host->allocator : &world->def.host.allocator;
    rill_surface *s = rl_alloc(a, sizeof *s);
    if (s == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a surface");
    s->allocator = *a;
    s->nx = world->def.nx;
    s->ny = world->def.ny;
    s->layers = world->ops->columns(world->solver, world->jobs).layers;
    s->local_minimum = def->local_minimum;
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

// Least heights over a solid ground that is new or has changed.
static rill_status look_at_ground(rill_surface *surface, rill_world *world,
                                  const rill_columns *columns)
{
    const rill_ground_mesh ground = rill_world_ground_mesh(world);
    if (ground.version == 0 || ground.version == surface->ground_version)
        return RILL_OK;
    rill_status status = RILL_OK;
    if (surface->local_minimum)
        status = rl_surface_set_ground(surface->surface, &ground, columns);
    if (status == RILL_OK)
        surface->ground_version = ground.version;
    rl_surface_ground_is(surface->surface, surface->ground_version);
    return status;
}

rill_status rill_surface_build(rill_surface *surface, rill_world *world)
{
    if (surface == NULL || world == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "building a surface needs a surface and a world, one is "
                                          "NULL");
    const rill_columns columns = rill_world_drawn_columns(world);
    if (surface->nx != columns.nx || surface->ny != columns.ny || surface->layers != columns.layers)
        return rl_fail(RILL_BAD_ARGUMENT,
                       "the surface was made for %d x %d cells and %d layers, this world has %d x "
                       "%d and %d",
                       surface->nx, surface->ny, surface->layers, columns.nx, columns.ny,
                       columns.layers);
    const rill_status status = look_at_ground(surface, world, &columns);
    if (status != RILL_OK)
        return status;
    const bool falls = world->def.solver == RILL_SOLVER_SWE && world->def.swe.waterfalls &&
                       world->particles != NULL;
    rl_surface_cut_falls(surface->surface, falls ? world->def.swe.cliff : 0.0f);
    return rl_surface_build(surface->surface, &columns, (rl_surface_runner){run_jobs, world->jobs});
}

rill_mesh rill_surface_mesh(const rill_surface *surface)
{
    return surface != NULL ? rl_surface_mesh(surface->surface) : (rill_mesh){0};
}
