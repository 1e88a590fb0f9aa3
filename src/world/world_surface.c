// SPDX-License-Identifier: MIT
// world_surface.c - the public side of the surface module: a surface of a world's columns. Where
// the water lies on a GPU the surface is made there (gpu/surface_gpu.h).
#include "gpu/surface_gpu.h"
#include "surface/surface_cell.h"
#include "surface/surface_internal.h"
#include "world/world_internal.h"

struct rill_surface {
    rill_allocator allocator;
    rl_surface *surface;
    rill_surface_def def;
    int nx, ny, layers;
    uint64_t ground_version; // of the ground that the least heights are for; 0: none

    // On a GPU, from the first build there on; NULL: the host builds.
    const rl_gpu_surface_ops *ops;
    rl_gpu_surface *device;
    uint64_t device_ground; // version of the ground that it knows
    bool does_not_fit;      // there: the host builds from now on
    bool on_device;         // the last build
    bool fetched;           // it is on the host as well
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
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a surface needs a world, a definition and a place, one of them is NULL");
    *out = NULL;
    const rill_allocator *a =
        def->host != NULL ? &def->host->allocator : &world->def.host.allocator;
    rill_surface *s = rill_alloc(a, sizeof *s);
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a surface");
    s->allocator = *a;
    s->nx = world->def.nx;
    s->ny = world->def.ny;
    s->layers = rl_world_rows(world, 0, 0).layers;
    s->def = *def;
    s->def.host = NULL;
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
    if (s->device != NULL)
        s->ops->destroy(&s->device);
    rl_surface_destroy(&s->surface);
    rill_free(&allocator, s, sizeof *s);
    *surface = NULL;
}

static void run_jobs(void *user, int count, rill_task task, void *context)
{
    rl_jobs_run(user, count, task, context);
}

// Least heights over a solid ground that is new or has changed.
static rill_status read_ground(rill_surface *surface, rill_world *world,
                               const rill_columns *columns)
{
    const rill_ground_mesh ground = rill_world_ground_mesh(world);
    if (ground.version == 0 || ground.version == surface->ground_version)
        return RILL_OK;
    rill_status status = RILL_OK;
    rl_solid_box changed;
    if (!surface->def.local_minimum)
        status = RILL_OK;
    else if (rl_world_ground_changed(world, surface->ground_version, &changed))
        rl_surface_update_ground(surface->surface, &ground, columns, changed.i0, changed.j0,
                                 changed.i1, changed.j1);
    else
        status = rl_surface_set_ground(surface->surface, &ground, columns);
    if (status == RILL_OK)
        surface->ground_version = ground.version;
    rl_surface_ground_is(surface->surface, surface->ground_version);
    return status;
}

// How steep water may be before it is cut; 0: as steep as it likes.
static float fall_slope(const rill_world *world)
{
    const rl_motion_ops *motion = world->ops->motion;
    return motion != NULL && world->particles != NULL ? motion->fall_slope(world->solver) : 0.0f;
}

// The sides of the world that reflect, as neighbours of a cell.
static unsigned walls(const rill_world *world)
{
    static const int way[RILL_SIDE_COUNT] = {[RILL_SIDE_WEST] = RL_WEST,
                                             [RILL_SIDE_EAST] = RL_EAST,
                                             [RILL_SIDE_SOUTH] = RL_SOUTH,
                                             [RILL_SIDE_NORTH] = RL_NORTH};
    unsigned mask = 0;
    for (int side = 0; side < RILL_SIDE_COUNT; side++)
        if (world->core.border[side] == RILL_BORDER_WALL)
            mask |= 1u << way[side];
    return mask;
}

static rill_status check_size(const rill_surface *surface, int nx, int ny, int layers)
{
    if (surface->nx == nx && surface->ny == ny && surface->layers == layers)
        return RILL_OK;
    return rill_fail(
        RILL_BAD_ARGUMENT,
        "the surface was made for %d x %d cells and %d layers, this world has %d x %d and %d",
        surface->nx, surface->ny, surface->layers, nx, ny, layers);
}

// ---- On a GPU --------------------------------------------------------------------------

// What is drawn around bodies that block water is no state of the water, and the host's.
static bool can_use_device(const rill_surface *surface, const rill_world *world)
{
    const bool falls = fall_slope(world) > 0.0f && surface->def.meniscus_length > 0.0f;
    return world->ops->device != NULL && !surface->does_not_fit && !falls &&
           !(world->bodies != NULL && world->bodies->has_blocks);
}

// False where the mesh does not fit into the memory of the GPU.
static bool make_device_surface(rill_surface *surface)
{
    if (surface->device != NULL)
        return true;
    const rl_surface_buffers buffers = rl_surface_buffers_of(surface->surface);
    const rl_gpu_surface_def def = {surface->allocator,
                                    surface->nx,
                                    surface->ny,
                                    surface->layers,
                                    buffers.vertex_capacity,
                                    buffers.triangle_capacity,
                                    surface->def};
    surface->ops = rl_gpu_surface_table();
    surface->does_not_fit =
        surface->ops == NULL || surface->ops->create(&def, &surface->device) != RILL_OK;
    return !surface->does_not_fit;
}

// Hands what follows from the ground alone to the GPU, when it has changed. The host has the ground
// of a world on a GPU as well.
static rill_status show_ground(rill_surface *surface, rill_world *world)
{
    const uint64_t version = rill_world_ground_mesh(world).version;
    if (surface->layers == 1 || version == surface->device_ground)
        return RILL_OK;
    const rill_columns columns = rill_world_drawn_columns(world);
    RILL_TRY(read_ground(surface, world, &columns));
    const rl_surface_ground g = rl_surface_read_ground(surface->surface, &columns,
                                                       (rl_surface_runner){run_jobs, world->jobs});
    const rl_gpu_surface_ground ground = {g.stack_first,  g.stacks,      g.stack_bytes, g.least,
                                          g.least_floats, g.least_pitch, g.least_stride};
    rill_status status = surface->ops->set_ground(surface->device, &ground);
    surface->device_ground = status == RILL_OK ? version : 0;
    return status;
}

static rill_status build_on_device(rill_surface *surface, rill_world *world)
{
    RL_ASSERT(world->ops->device != NULL && surface->device != NULL);
    rl_device_columns columns;
    if (world->ops->device->columns(world->solver, &columns) != 0)
        return rill_fail(RILL_DEVICE, "the GPU failed to show its water");
    RILL_TRY(check_size(surface, columns.view.nx, columns.view.ny, columns.view.layers));
    RILL_TRY(show_ground(surface, world));
    rl_surface_put(surface->surface, 0, 0);
    surface->fetched = false;
    surface->on_device = true;
    return surface->ops->build(surface->device, &columns, fall_slope(world), walls(world));
}

static void fetch(rill_surface *surface)
{
    RL_ASSERT(surface->on_device && surface->device != NULL);
    rill_device_mesh mesh;
    const rl_surface_buffers buffers = rl_surface_buffers_of(surface->surface);
    const rl_gpu_surface_host host = {buffers.vertices, buffers.indices, buffers.meniscus};
    if (surface->ops->view(surface->device, &mesh) == RILL_OK && mesh.index_count > 0 &&
        surface->ops->download(surface->device, &host) == RILL_OK)
        rl_surface_put(surface->surface, mesh.vertex_count, mesh.index_count);
    surface->fetched = true;
}

rill_status rill_surface_device_mesh(rill_surface *surface, rill_device_mesh *out)
{
    if (surface == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a mesh on a device needs a surface and a place, one is NULL");
    *out = (rill_device_mesh){0};
    if (!surface->on_device)
        return rill_fail(RILL_NO_BACKEND, "the last build of this surface was not made on a GPU; "
                                          "rill_surface_mesh has its triangles");
    return surface->ops->view(surface->device, out);
}

// ---- Anywhere --------------------------------------------------------------------------

rill_status rill_surface_build(rill_surface *surface, rill_world *world)
{
    if (surface == NULL || world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "building a surface needs a surface and a world, one is NULL");
    if (can_use_device(surface, world) && make_device_surface(surface)) {
        const rill_status built = build_on_device(surface, world);
        if (built != RILL_NO_BACKEND)
            return built;
    }
    const rill_columns columns = rill_world_drawn_columns(world);
    RILL_TRY(check_size(surface, columns.nx, columns.ny, columns.layers));
    RILL_TRY(read_ground(surface, world, &columns));
    surface->on_device = false;
    rl_surface_cut_falls(surface->surface, fall_slope(world));
    rl_surface_set_walls(surface->surface, walls(world));
    return rl_surface_build(surface->surface, &columns, (rl_surface_runner){run_jobs, world->jobs});
}

rill_mesh rill_surface_mesh(const rill_surface *surface)
{
    if (surface == NULL)
        return (rill_mesh){0};
    if (surface->on_device && !surface->fetched)
        fetch((rill_surface *)surface); // looking brings the host up to date
    return rl_surface_mesh(surface->surface);
}

// ---- The meniscus ----------------------------------------------------------------------

void rill_meniscus_normal(const float normal[3], const rill_meniscus *meniscus,
                          const float to_eye[3], float out[3])
{
    if (normal != NULL && meniscus != NULL && out != NULL)
        rl_meniscus_normal(normal, meniscus, to_eye, out);
}
