// SPDX-License-Identifier: MIT
// world_ground.c - a solid ground that changes while the liquid runs: what is kept of it, what
// waits for its time, snapshots. How a change is made is in world_ground_compose.c.
#include "world/world_ground.h"

#include "terrain/heightfield.h"
#include "terrain/sdf/distance_field.h"
#include "terrain/sdf/triangles.h"
#include "world/world_internal.h"

#include <string.h>

// ---- Making and unmaking ---------------------------------------------------------------

void rl_shape_hold(const rill_sdf_primitive *shape)
{
    if (shape->kind == RILL_SDF_MESH)
        rl_triangles_retain(shape->triangles);
    else if (shape->kind == RILL_SDF_FIELD)
        rl_distance_field_retain(shape->field);
}

void rl_shape_drop(const rill_sdf_primitive *shape)
{
    rill_triangles *triangles = (rill_triangles *)(uintptr_t)shape->triangles;
    rill_distance_field *field = (rill_distance_field *)(uintptr_t)shape->field;
    if (shape->kind == RILL_SDF_MESH)
        rill_triangles_destroy(&triangles);
    else if (shape->kind == RILL_SDF_FIELD)
        rill_distance_field_destroy(&field);
}

void rl_mover_hold(const rl_mover *mover)
{
    rl_shape_hold(&mover->shape);
    if (mover->unbent != NULL)
        rl_triangles_retain(mover->unbent);
}

void rl_mover_drop(const rl_mover *mover)
{
    rill_triangles *unbent = (rill_triangles *)(uintptr_t)mover->unbent;
    rl_shape_drop(&mover->shape);
    rill_triangles_destroy(&unbent);
}

static void drop_shapes(const rl_ground_plan *plan)
{
    for (int n = 0; n < plan->mover_count && plan->movers != NULL; n++)
        rl_mover_drop(&plan->movers[n]);
    for (int n = 0; n < plan->waiting_count; n++)
        rl_shape_drop(&plan->waiting[n].shape);
}

static void destroy_plan(const rill_allocator *a, rl_ground_plan *plan)
{
    drop_shapes(plan);
    rill_free(a, plan->movers, (size_t)plan->mover_count * sizeof *plan->movers);
    rill_free(a, plan->waiting, RILL_MAX_SCHEDULED * sizeof *plan->waiting);
    *plan = (rl_ground_plan){0};
}

// False when there is no memory; the plan can be destroyed either way.
static bool create_plan(const rill_allocator *a, int movers, rl_ground_plan *plan)
{
    plan->mover_count = movers;
    plan->movers = rill_alloc(a, (size_t)movers * sizeof *plan->movers);
    plan->waiting = rill_alloc(a, RILL_MAX_SCHEDULED * sizeof *plan->waiting);
    return (plan->movers != NULL || movers == 0) && plan->waiting != NULL;
}

static size_t plan_bytes(const rl_ground_plan *plan)
{
    return (size_t)plan->mover_count * sizeof *plan->movers +
           RILL_MAX_SCHEDULED * sizeof *plan->waiting;
}

// The shapes of the plan that is replaced are dropped last: both may hold the same data.
static void copy_plan(const rl_ground_plan *from, rl_ground_plan *to)
{
    RL_ASSERT(from->mover_count == to->mover_count);
    for (int n = 0; n < from->mover_count; n++)
        rl_mover_hold(&from->movers[n]);
    for (int n = 0; n < from->waiting_count; n++)
        rl_shape_hold(&from->waiting[n].shape);
    drop_shapes(to);
    for (int n = 0; n < from->mover_count; n++)
        to->movers[n] = from->movers[n];
    for (int n = 0; n < from->waiting_count; n++)
        to->waiting[n] = from->waiting[n];
    to->waiting_count = from->waiting_count;
    to->mover_generation = from->mover_generation;
}

rill_status rl_world_ground_create(rill_world *w, const rill_world_def *def)
{
    if (def->solid == NULL)
        return RILL_OK;
    rl_world_ground *g = &w->ground;
    const rill_allocator *a = &w->def.host.allocator;
    RILL_TRY(rl_solid_copy(def->solid, a, &g->fixed));
    RILL_TRY(rl_solid_copy(def->solid, a, &g->whole));
    const int movers = def->layers.max_movers + def->bodies.max_bodies;
    if (!create_plan(a, movers, &g->plan) || !rl_ground_bands_create(a, movers, &g->bands))
        return rill_fail(RILL_NO_MEMORY, "no memory for %d movers and bodies", movers);
    // A clone is made from the world's own definition. Columns can be cut from this one for sure.
    w->def.solid = g->whole;
    return RILL_OK;
}

void rl_world_ground_destroy(rill_world *w)
{
    rl_world_ground *g = &w->ground;
    rl_ground_bands_destroy(&w->def.host.allocator, g->plan.mover_count, &g->bands);
    destroy_plan(&w->def.host.allocator, &g->plan);
    rl_solid_surface_destroy(&g->surface);
    rl_host_ground_destroy(&w->def.host.allocator, &g->host);
    rill_solid_destroy(&g->seen);
    rill_solid_destroy(&g->whole);
    rill_solid_destroy(&g->fixed);
}

size_t rl_world_ground_memory(const rill_world *w)
{
    const rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return 0;
    return (g->seen != NULL ? 3 : 2) * (sizeof *g->fixed + g->fixed->bytes) + plan_bytes(&g->plan) +
           rl_ground_bands_bytes(g->plan.mover_count, &g->bands) +
           (g->surface != NULL ? rl_solid_surface_memory(g->surface) : 0) +
           rl_host_ground_memory(&g->host);
}

// ---- Over time -------------------------------------------------------------------------

rill_status rl_world_ground_advance(rill_world *w, double time)
{
    rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return RILL_OK;
    while (g->plan.waiting_count > 0 && g->plan.waiting[0].time < time) {
        const rl_ground_change change = g->plan.waiting[0];
        const rill_status status = rl_world_ground_change(w, &change);
        g->plan.waiting_count--;
        memmove(g->plan.waiting, g->plan.waiting + 1,
                (size_t)g->plan.waiting_count * sizeof *g->plan.waiting);
        rl_shape_drop(&change.shape);
        if (status != RILL_OK)
            return rill_fail_prefix(status, "the change of the ground planned for %g s",
                                    change.time);
    }
    return rl_world_movers_advance(w, time);
}

// ---- Public ----------------------------------------------------------------------------

rill_status rl_world_ground_check(const rill_world *w, const char *what)
{
    if (w == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s needs a world, it is NULL", what);
    if (w->ground.fixed == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "%s needs a world that was made with a solid", what);
    return RILL_OK;
}

rill_status rl_world_ground_check_owned(const rill_sdf_primitive *shape, const char *what)
{
    if (shape->kind == RILL_SDF_HEIGHTS)
        return rill_fail(RILL_BAD_DEF,
                         "%s cannot be a map of heights, which belongs to the caller and may be "
                         "gone when it is needed",
                         what);
    return RILL_OK;
}

rill_status rill_world_combine(rill_world *world, const rill_sdf_primitive *shape, rill_combine how,
                               double blend)
{
    RILL_TRY(rl_world_ground_check(world, "changing the ground"));
    RILL_TRY(rill_sdf_primitive_check(shape, how, blend));
    const rl_ground_change change = {.shape = *shape, .how = how, .blend = blend};
    return rl_world_ground_change(world, &change);
}

rill_status rill_world_schedule_combine(rill_world *world, double time,
                                        const rill_sdf_primitive *shape, rill_combine how,
                                        double blend)
{
    RILL_TRY(rl_world_ground_check(world, "changing the ground"));
    RILL_TRY(rill_sdf_primitive_check(shape, how, blend));
    RILL_TRY(rl_world_ground_check_owned(shape, "a change that waits"));
    if (!isfinite(time))
        return rill_fail(RILL_BAD_ARGUMENT, "a change of the ground is planned for %g s", time);
    rl_world_ground *g = &world->ground;
    if (g->plan.waiting_count == RILL_MAX_SCHEDULED)
        return rill_fail(RILL_BAD_DEF, "%d changes of the ground are waiting already",
                         RILL_MAX_SCHEDULED);
    int n = g->plan.waiting_count++;
    for (; n > 0 && g->plan.waiting[n - 1].time > time; n--)
        g->plan.waiting[n] = g->plan.waiting[n - 1];
    g->plan.waiting[n] = (rl_ground_change){time, *shape, how, blend};
    rl_shape_hold(shape);
    return RILL_OK;
}

bool rl_world_ground_has_bodies(const rill_world *w)
{
    const rl_world_ground *g = &w->ground;
    for (int n = w->def.layers.max_movers; n < g->plan.mover_count; n++)
        if (g->plan.movers[n].alive)
            return true;
    return false;
}

rill_ground_mesh rl_world_ground_cubes(rill_world *world)
{
    rill_ground_mesh mesh = {0};
    rl_world_ground *g = &world->ground;
    const rill_allocator *a = &world->def.host.allocator;
    rill_status status = RILL_OK;
    if (g->seen == NULL && rl_world_ground_has_bodies(world)) {
        status = rl_solid_copy(g->fixed, a, &g->seen);
        if (status == RILL_OK)
            status = rl_world_ground_compose_seen(world);
        if (status != RILL_OK)
            rill_solid_destroy(&g->seen);
    }
    const rl_solid *seen = g->seen != NULL ? g->seen : g->whole;
    if (status == RILL_OK && g->surface == NULL)
        status = rl_solid_surface_create(a, seen, &g->surface);
    if (status == RILL_OK)
        status = rl_solid_surface_mesh(g->surface, seen, &mesh);
    return status == RILL_OK ? mesh : (rill_ground_mesh){0};
}

// ---- Snapshots -------------------------------------------------------------------------

bool rl_ground_copy_create(const rill_world *w, rl_ground_copy *copy)
{
    const rl_world_ground *g = &w->ground;
    const rill_allocator *a = &w->def.host.allocator;
    *copy = (rl_ground_copy){0};
    if (g->fixed == NULL)
        return true;
    copy->field_bytes = g->fixed->bytes;
    copy->bottom = g->fixed->bottom;
    copy->fixed = rill_alloc(a, copy->field_bytes);
    copy->whole = rill_alloc(a, copy->field_bytes);
    if (create_plan(a, g->plan.mover_count, &copy->plan) && copy->fixed != NULL &&
        copy->whole != NULL)
        return true;
    rl_ground_copy_destroy(a, copy);
    return false;
}

void rl_ground_copy_destroy(const rill_allocator *a, rl_ground_copy *copy)
{
    destroy_plan(a, &copy->plan);
    rill_free(a, copy->fixed, copy->field_bytes);
    rill_free(a, copy->whole, copy->field_bytes);
    *copy = (rl_ground_copy){0};
}

size_t rl_ground_copy_bytes(const rill_world *w)
{
    const rl_world_ground *g = &w->ground;
    return g->fixed == NULL ? 0 : 2 * g->fixed->bytes + plan_bytes(&g->plan);
}

bool rl_ground_copy_fits(const rill_world *w, const rl_ground_copy *copy)
{
    const rl_solid *solid = w->ground.fixed;
    if (solid == NULL || copy->fixed == NULL)
        return solid == NULL && copy->fixed == NULL;
    return copy->field_bytes == solid->bytes && copy->bottom == solid->bottom &&
           copy->plan.mover_count == w->ground.plan.mover_count;
}

void rl_world_ground_save(const rill_world *w, rl_ground_copy *copy)
{
    const rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return;
    memcpy(copy->fixed, g->fixed->distance, copy->field_bytes);
    memcpy(copy->whole, g->whole->distance, copy->field_bytes);
    copy->steepest = g->whole->steepest;
    copy_plan(&g->plan, &copy->plan);
}

// The triangles of rows that are as they were stay.
static void restore_whole(rl_world_ground *g, const float *from)
{
    const rl_solid *solid = g->whole;
    const size_t row = (size_t)(solid->nx + 2) * (size_t)solid->nz;
    for (int j = -1; j <= solid->ny; j++, from += row) {
        float *to = rl_solid_column(solid, -1, j);
        if (memcmp(to, from, row * sizeof *to) == 0)
            continue;
        memcpy(to, from, row * sizeof *to);
        const int cell = j < 0 ? 0 : rl_lesser_int(j, solid->ny - 1);
        rl_world_ground_touch(g, (rl_solid_box){0, cell, solid->nx, cell + 1});
    }
}

rill_status rl_world_ground_restore(rill_world *w, const rl_ground_copy *copy)
{
    rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return RILL_OK;
    memcpy(g->fixed->distance, copy->fixed, copy->field_bytes);
    restore_whole(g, copy->whole);
    g->whole->steepest = copy->steepest;
    copy_plan(&copy->plan, &g->plan);
    for (int n = 0; n < g->plan.mover_count; n++)
        g->bands.items[n].band.filled = false;
    // Ground may have changed inside a body, where the columns do not show it.
    if (g->seen != NULL)
        RILL_TRY(rl_world_ground_compose_seen(w));
    if (g->surface != NULL && (g->seen != NULL || rl_world_ground_has_bodies(w)))
        rl_world_ground_touch(g, (rl_solid_box){0, 0, w->def.nx, w->def.ny});
    return RILL_OK;
}

// ---- A bed -----------------------------------------------------------------------------

rill_status rill_world_edit_terrain(rill_world *world, const rill_brush *brush)
{
    if (world == NULL || brush == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a terrain edit needs a world and a brush, one is NULL");
    const rill_field *bed = world->ops->bed(world->solver);
    if (bed == NULL)
        return rill_fail(
            RILL_BAD_ARGUMENT,
            "this world stands on a solid, which rill_world_combine changes, and not on a bed");
    const rl_brush_bed ground = {.origin = bed->origin,
                                 .pitch = bed->pitch,
                                 .nx = world->def.nx,
                                 .ny = world->def.ny,
                                 .cell_size = (double)world->def.cell_size};
    RILL_TRY(rl_brush_check(brush));
    rl_world_bodies_settle(world);
    rl_brush_cells touched;
    rill_status status = rl_brush_apply(brush, &ground, world->brush_scratch, &touched);
    if (status == RILL_OK) {
        world->ops->bed_changed(world->solver);
        rl_world_bodies_changed(world);
        status = rl_world_river_ground_changed(world);
    }
    return status;
}
