// SPDX-License-Identifier: MIT
// world_movers.c - solids that can be moved through the liquid: instruments, swabs. Where they are
// is decided here; how the ground follows them is in world_ground.c.
#include "world/world_internal.h"

#include "bodies/shape/body_shape.h"
#include "core/numbers.h"
#include "terrain/sdf/triangles.h"

#include <string.h>

// ---- Over time -------------------------------------------------------------------------

// One that stays where it is costs nothing and changes nothing.
static rill_status move_to(rill_world *w, rl_mover *mover, const double position[3],
                           const double rotation[4])
{
    const rill_sdf_primitive *shape = &mover->shape;
    if (memcmp(position, shape->position, sizeof shape->position) == 0 &&
        memcmp(rotation, shape->rotation, sizeof shape->rotation) == 0)
        return RILL_OK;
    rl_mover next = *mover;
    memcpy(next.shape.position, position, sizeof next.shape.position);
    memcpy(next.shape.rotation, rotation, sizeof next.shape.rotation);
    RILL_TRY(rill_sdf_primitive_check(&next.shape, RILL_COMBINE_UNION, 0.0));
    return rl_world_ground_replace(w, mover, &next);
}

rill_status rl_world_movers_advance(rill_world *w, double time)
{
    for (int n = 0; n < w->def.layers.max_movers; n++) {
        rl_mover *mover = &w->ground.plan.movers[n];
        if (!mover->alive || mover->path_count == 0)
            continue;
        const rill_path_key at = rl_path_at(mover->path, mover->path_count, time);
        const double position[3] = {at.x, at.y, at.z};
        const rill_status status = move_to(w, mover, position, mover->shape.rotation);
        if (status != RILL_OK)
            return rill_fail_prefix(status, "mover %d on its path to (%g, %g, %g) m", n + 1,
                                    position[0], position[1], position[2]);
    }
    return RILL_OK;
}

// ---- Public ----------------------------------------------------------------------------

rill_status rill_world_add_mover(rill_world *world, const rill_sdf_primitive *shape,
                                 rill_mover_id *out)
{
    RILL_TRY(rl_world_ground_check(world, "a mover"));
    RILL_TRY(rill_sdf_primitive_check(shape, RILL_COMBINE_UNION, 0.0));
    RILL_TRY(rl_world_ground_check_owned(shape, "a mover"));
    rl_world_ground *g = &world->ground;
    for (int n = 0; n < world->def.layers.max_movers; n++) {
        if (g->plan.movers[n].alive)
            continue;
        const rl_mover next = {
            .shape = *shape, .generation = g->plan.mover_generation + 1, .alive = true};
        RILL_TRY(rl_world_ground_replace(world, &g->plan.movers[n], &next));
        g->plan.mover_generation++;
        if (out != NULL)
            *out = (rill_mover_id){(uint32_t)n + 1, next.generation};
        return RILL_OK;
    }
    return rill_fail(RILL_BAD_DEF, "the world has its %d movers already; raise layers.max_movers",
                     world->def.layers.max_movers);
}

static rill_status find_mover(rill_world *w, rill_mover_id id, rl_mover **out)
{
    RILL_TRY(rl_world_ground_check(w, "a mover"));
    if (id.index1 != 0 && id.index1 <= (uint32_t)w->def.layers.max_movers) {
        *out = &w->ground.plan.movers[id.index1 - 1];
        if ((*out)->alive && (*out)->generation == id.generation)
            return RILL_OK;
    }
    return rill_fail(RILL_BAD_ARGUMENT, "the mover does not exist, or no longer");
}

rill_status rill_world_move(rill_world *world, rill_mover_id id, const double position[3],
                            const double rotation[4])
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    if (position == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "moving a mover needs a position, it is NULL");
    return move_to(world, mover, position, rotation != NULL ? rotation : mover->shape.rotation);
}

rill_status rill_world_remove_mover(rill_world *world, rill_mover_id id)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    const rl_mover next = {.generation = mover->generation};
    return rl_world_ground_replace(world, mover, &next);
}

rill_status rill_world_set_mover_path(rill_world *world, rill_mover_id id,
                                      const rill_path_key *keys, int count)
{
    rl_mover *mover = NULL;
    RILL_TRY(find_mover(world, id, &mover));
    if (count < 0 || count > RILL_PATH_MAX_KEYS || (count > 0 && keys == NULL))
        return rill_fail(RILL_BAD_ARGUMENT, "a path needs 0 to %d keys, not %d", RILL_PATH_MAX_KEYS,
                         count);
    RILL_TRY(rl_world_check_path("a mover", keys, count, 1e9));
    if (count > 0)
        memcpy(mover->path, keys, (size_t)count * sizeof *keys);
    mover->path_count = count;
    return RILL_OK;
}

// ---- Bodies ----------------------------------------------------------------------------
//
// Bodies that block the liquid of `layers`: each is a solid of the ground
// that follows the body, like a mover (world_ground.c), in a place behind those of the movers that
// has the number of the body. So they are saved, restored and cloned with the ground, and liquid
// gives way to them as it does to movers. Boxes, balls and barrels are what the distance field
// knows exactly; hulls and meshes are triangles, made once from the shape at rest.
//
// Cells are liquid or solid as their centres are. If a solid followed its body exactly, a row of
// cells would turn solid before it, heaping up what was there, and some time later a row would turn
// liquid behind it, a hole as deep as the body. So it moves across the cells in whole cells: what
// leaves before it fills what opens behind it in the same moment (layers_recut.c). Up and down, and
// as it turns, it follows exactly.

// A solid stays where it is as long as its body is no more cells away than this, along x and along
// y. More than half a cell, so that one which trembles does not jump to and fro.
#define LEASH 0.6

static rl_mover *solid_of(rill_world *w, int n)
{
    RL_ASSERT(n >= 0 && n < w->def.bodies.max_bodies && w->ground.plan.movers != NULL);
    return &w->ground.plan.movers[w->def.layers.max_movers + n];
}

// A soft body has no pose that a solid could follow.
static bool blocks(const rl_body *body)
{
    return body->alive && body->def.coupling == RILL_COUPLING_BLOCK &&
           body->def.motion != RILL_BODY_SOFT;
}

// ---- The shape of a body ---------------------------------------------------------------

// Triangles are made for those that have no shape of their own; the caller lets go of them.
static rill_status find_shape(const rill_world *w, int n, rill_sdf_primitive *shape,
                              rill_triangles **triangles)
{
    const rl_bodies *bodies = w->bodies;
    const rl_body *body = &bodies->items[n];
    *shape = (rill_sdf_primitive){.scale = 1.0};
    memcpy(shape->position, body->position, sizeof shape->position);
    memcpy(shape->rotation, body->rotation, sizeof shape->rotation);
    memcpy(shape->size, body->def.size, sizeof shape->size);
    shape->radius = body->def.radius;
    shape->length = body->def.length;
    shape->kind = rl_shape_of(&body->def)->sdf;
    if (shape->kind != RILL_SDF_MESH)
        return RILL_OK;
    const rill_status status = rill_triangles_create(
        bodies->rest + 3 * (size_t)body->first_vertex, (size_t)body->vertex_count,
        bodies->triangles + 3 * (size_t)body->first_triangle, 3 * (size_t)body->triangle_count,
        &w->def.host, triangles);
    shape->triangles = *triangles;
    return status;
}

// ---- Adding, moving, removing ----------------------------------------------------------

rill_status rl_world_body_solid_add(rill_world *w, int n)
{
    if (w->ground.fixed == NULL || !blocks(&w->bodies->items[n]))
        return RILL_OK;
    rl_mover next = {.alive = true};
    rill_triangles *triangles = NULL;
    rill_status status = find_shape(w, n, &next.shape, &triangles);
    if (status == RILL_OK)
        status = rill_sdf_primitive_check(&next.shape, RILL_COMBINE_UNION, 0.0);
    if (status == RILL_OK)
        status = rl_world_ground_replace(w, solid_of(w, n), &next);
    rill_triangles_destroy(&triangles); // the ground keeps its own hold of them
    return status == RILL_OK ? status : rill_fail_prefix(status, "body %d", n + 1);
}

// Where a body filled gaps between other solids its leaving may make more columns than a cell can
// have. Its solid stays then, and goes as soon as it can.
void rl_world_body_solid_remove(rill_world *w, int n)
{
    if (w->ground.fixed == NULL || !solid_of(w, n)->alive)
        return;
    const rl_mover none = {0};
    (void)rl_world_ground_replace(w, solid_of(w, n), &none);
}

static rill_status put(rill_world *w, int n, rl_mover *solid, const rl_body *body)
{
    double to[3];
    memcpy(to, body->position, sizeof to);
    for (int k = 0; k < 2; k++) {
        const double size = w->ground.fixed->cell_size, here = solid->shape.position[k];
        const double cells = (to[k] - here) / size;
        to[k] = fabs(cells) > LEASH ? here + size * floor(cells + 0.5) : here;
    }
    const rill_status status = move_to(w, solid, to, body->rotation);
    return status == RILL_OK ? status
                             : rill_fail_prefix(status, "body %d on its way to (%g, %g, %g) m",
                                                n + 1, to[0], to[1], to[2]);
}

rill_status rl_world_body_solids_advance(rill_world *w)
{
    rill_status result = RILL_OK;
    if (w->ground.fixed == NULL || w->bodies == NULL)
        return RILL_OK;
    for (int n = 0; n < w->def.bodies.max_bodies; n++) {
        const rl_body *body = &w->bodies->items[n];
        rl_mover *solid = solid_of(w, n);
        if (!blocks(body)) {
            rl_world_body_solid_remove(w, n);
            continue;
        }
        const rill_status status =
            solid->alive ? put(w, n, solid, body) : rl_world_body_solid_add(w, n);
        result = status != RILL_OK ? status : result;
    }
    return result;
}
