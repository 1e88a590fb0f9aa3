// SPDX-License-Identifier: MIT
// world_ground.c - a solid ground that changes while the liquid runs. Two fields are kept, without
// and with the shapes that move. A change is made in the second one first; if the columns cannot be
// cut from it, it is made anew from the first and nothing has happened: the lesser of distances
// does not depend on the order in which shapes come, so the same bits come back.
#include "world/world_ground.h"

#include "terrain/heightfield.h"
#include "terrain/sdf/distance_field.h"
#include "terrain/sdf/triangles.h"
#include "world/world_internal.h"

#include <string.h>

// ---- Making and unmaking ---------------------------------------------------------------

static void hold_shape(const rill_sdf_primitive *shape)
{
    if (shape->kind == RILL_SDF_MESH)
        rl_triangles_retain(shape->triangles);
    else if (shape->kind == RILL_SDF_FIELD)
        rl_distance_field_retain(shape->field);
}

static void drop_shape(const rill_sdf_primitive *shape)
{
    rill_triangles *triangles = (rill_triangles *)(uintptr_t)shape->triangles;
    rill_distance_field *field = (rill_distance_field *)(uintptr_t)shape->field;
    if (shape->kind == RILL_SDF_MESH)
        rill_triangles_destroy(&triangles);
    else if (shape->kind == RILL_SDF_FIELD)
        rill_distance_field_destroy(&field);
}

static void drop_shapes(const rl_ground_plan *plan)
{
    for (int n = 0; n < plan->mover_count && plan->movers != NULL; n++)
        drop_shape(&plan->movers[n].shape);
    for (int n = 0; n < plan->waiting_count; n++)
        drop_shape(&plan->waiting[n].shape);
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
        hold_shape(&from->movers[n].shape);
    for (int n = 0; n < from->waiting_count; n++)
        hold_shape(&from->waiting[n].shape);
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
    if (!create_plan(a, movers, &g->plan))
        return rill_fail(RILL_NO_MEMORY, "no memory for %d movers and bodies", movers);
    // A clone is made from the world's own definition. Columns can be cut from this one for sure.
    w->def.solid = g->whole;
    return RILL_OK;
}

void rl_world_ground_destroy(rill_world *w)
{
    rl_world_ground *g = &w->ground;
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
           (g->surface != NULL ? rl_solid_surface_memory(g->surface) : 0) +
           rl_host_ground_memory(&g->host);
}

// ---- Changing --------------------------------------------------------------------------

// What a change touches: nodes whose distances it changes, and cells whose columns.
typedef struct region {
    rl_solid_nodes nodes;
    rl_solid_box cells;
} region;

static region region_of(const rl_solid *solid, const rill_sdf_primitive *shape, rill_combine how,
                        double blend)
{
    return (region){
        rl_solid_nodes_of(solid, shape, how, blend),
        rl_solid_cut_by(solid, shape, how, blend),
    };
}

static bool is_empty(const rl_solid_nodes *nodes)
{
    return nodes->low[0] >= nodes->end[0] || nodes->low[1] >= nodes->end[1] ||
           nodes->low[2] >= nodes->end[2];
}

static region join(region a, const region *b)
{
    RL_ASSERT(b != NULL);
    if (is_empty(&a.nodes) || is_empty(&b->nodes))
        return is_empty(&a.nodes) ? *b : a;
    for (int k = 0; k < 3; k++) {
        a.nodes.low[k] = rl_lesser_int(a.nodes.low[k], b->nodes.low[k]);
        a.nodes.end[k] = rl_greater_int(a.nodes.end[k], b->nodes.end[k]);
    }
    // Shapes that reach the grid, but only with the far end of the band, cut no columns.
    if (a.cells.i0 >= a.cells.i1)
        a.cells = b->cells;
    else if (b->cells.i0 < b->cells.i1)
        a.cells = (rl_solid_box){
            rl_lesser_int(a.cells.i0, b->cells.i0), rl_lesser_int(a.cells.j0, b->cells.j0),
            rl_greater_int(a.cells.i1, b->cells.i1), rl_greater_int(a.cells.j1, b->cells.j1)};
    return a;
}

// Rows of nodes that are one piece of work.
#define TILE_ROWS 8

typedef struct composing {
    const rl_world_ground *ground;
    rl_solid *field;
    int mover_count; // the first so many movers are part of it
    const rl_solid_nodes *nodes;
    const rl_ground_change *change; // or NULL
} composing;

static void compose_tile(void *context, int tile)
{
    const composing *c = context;
    const rl_world_ground *g = c->ground;
    rl_solid_nodes nodes = *c->nodes;
    nodes.low[1] += tile * TILE_ROWS;
    nodes.end[1] = rl_lesser_int(nodes.low[1] + TILE_ROWS, nodes.end[1]);
    rl_solid_copy_nodes(g->fixed, c->field, &nodes);
    if (c->change != NULL)
        rl_solid_combine_within(c->field, &c->change->shape, c->change->how, c->change->blend,
                                &nodes);
    for (int n = 0; n < c->mover_count; n++)
        if (g->plan.movers[n].alive)
            rl_solid_combine_within(c->field, &g->plan.movers[n].shape, RILL_COMBINE_UNION, 0.0,
                                    &nodes);
}

static void compose_field(rill_world *w, rl_solid *field, int mover_count,
                          const rl_solid_nodes *nodes, const rl_ground_change *change)
{
    composing c = {&w->ground, field, mover_count, nodes, change};
    const int rows = nodes->end[1] - nodes->low[1];
    if (!is_empty(nodes))
        rl_jobs_run(w->jobs, (rows + TILE_ROWS - 1) / TILE_ROWS, compose_tile, &c);
}

// The fields with everything that moves, made anew at some nodes. `change` may be NULL. Of a body
// that moves only the columns know.
static void compose(rill_world *w, const rl_solid_nodes *nodes, const rl_ground_change *change,
                    bool of_body)
{
    compose_field(w, w->ground.whole, w->ground.plan.mover_count, nodes, change);
    if (w->ground.seen != NULL && !of_body)
        compose_field(w, w->ground.seen, w->def.layers.max_movers, nodes, change);
}

// Cuts the columns anew and books what fitted nowhere.
static rill_status recut(rill_world *w, const region *r, bool of_body)
{
    RL_ASSERT(w->ops->solids != NULL);
    double lost = 0.0;
    const rl_solid_box box = r->cells;
    RILL_TRY(box.i0 < box.i1 && box.j0 < box.j1
                 ? w->ops->solids->recut(w->solver, w->ground.whole, box.i0, box.j0, box.i1, box.j1,
                                         &lost)
                 : RILL_OK);
    rl_sum_add(&w->core.books.corrected, -lost);
    if (!of_body)
        rl_world_ground_touch(&w->ground, rl_solid_cells_of(w->ground.whole, &r->nodes));
    return RILL_OK;
}

static rill_status apply_change(rill_world *w, const rl_ground_change *change)
{
    rl_world_ground *g = &w->ground;
    const region r = region_of(g->whole, &change->shape, change->how, change->blend);
    compose(w, &r.nodes, change, false);
    const rill_status status = recut(w, &r, false);
    if (status == RILL_OK) {
        rl_solid_combine(g->fixed, &change->shape, change->how, change->blend);
        rl_solid_make_steeper(g->whole, &change->shape);
        rl_world_bodies_cast_floors(w);
    } else {
        compose(w, &r.nodes, NULL, false);
    }
    return status;
}

rill_status rl_world_ground_replace(rill_world *w, rl_mover *mover, const rl_mover *next)
{
    RL_ASSERT(w->ground.whole != NULL && mover != NULL && next != NULL);
    const rl_mover before = *mover;
    const rl_solid *solid = w->ground.whole;
    const bool of_body = mover - w->ground.plan.movers >= w->def.layers.max_movers;
    region r = {0};
    if (before.alive)
        r = region_of(solid, &before.shape, RILL_COMBINE_UNION, 0.0);
    if (next->alive) {
        const region there = region_of(solid, &next->shape, RILL_COMBINE_UNION, 0.0);
        r = join(r, &there);
    }
    *mover = *next;
    compose(w, &r.nodes, NULL, of_body);
    const rill_status status = recut(w, &r, of_body);
    if (status != RILL_OK) {
        *mover = before;
        compose(w, &r.nodes, NULL, of_body);
        return status;
    }
    rl_solid_make_steeper(w->ground.whole, &next->shape);
    hold_shape(&mover->shape);
    drop_shape(&before.shape);
    return RILL_OK;
}

rill_status rl_world_ground_advance(rill_world *w, double time)
{
    rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return RILL_OK;
    while (g->plan.waiting_count > 0 && g->plan.waiting[0].time < time) {
        const rl_ground_change change = g->plan.waiting[0];
        const rill_status status = apply_change(w, &change);
        g->plan.waiting_count--;
        memmove(g->plan.waiting, g->plan.waiting + 1,
                (size_t)g->plan.waiting_count * sizeof *g->plan.waiting);
        drop_shape(&change.shape);
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
    return apply_change(world, &change);
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
    hold_shape(shape);
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

static void compose_seen(rill_world *w)
{
    const rl_solid *s = w->ground.seen;
    const rl_solid_nodes all = {{-1, -1, 0}, {s->nx + 1, s->ny + 1, s->nz}};
    compose_field(w, w->ground.seen, w->def.layers.max_movers, &all, NULL);
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
            compose_seen(world);
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

void rl_world_ground_restore(rill_world *w, const rl_ground_copy *copy)
{
    rl_world_ground *g = &w->ground;
    if (g->fixed == NULL)
        return;
    memcpy(g->fixed->distance, copy->fixed, copy->field_bytes);
    restore_whole(g, copy->whole);
    g->whole->steepest = copy->steepest;
    copy_plan(&copy->plan, &g->plan);
    // Ground may have changed inside a body, where the columns do not show it.
    if (g->seen != NULL)
        compose_seen(w);
    if (g->surface != NULL && (g->seen != NULL || rl_world_ground_has_bodies(w)))
        rl_world_ground_touch(g, (rl_solid_box){0, 0, w->def.nx, w->def.ny});
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
