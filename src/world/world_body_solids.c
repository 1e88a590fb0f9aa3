// SPDX-License-Identifier: MIT
// world_body_solids.c - bodies that block the liquid of `layers`: each is a solid of the ground
// that follows the body, like a mover (world_ground_compose.c), in a place behind those of the
// movers that has the number of the body. So they are saved, restored and cloned with the ground,
// and liquid gives way to them as it does to movers. Boxes, balls and barrels are what the distance
// field knows exactly; hulls and meshes are triangles, made once from the shape at rest. A body
// that is soft, or whose vertices the host has moved, is a mesh whose vertices move with them.
//
// Cells are liquid or solid as their centres are. If a solid followed its body exactly, a row of
// cells would turn solid before it, heaping up what was there, and some time later a row would turn
// liquid behind it, a hole as deep as the body. So it moves across the cells in whole cells: what
// leaves before it fills what opens behind it in the same moment (layers_recut.c). Up and down, and
// as it turns, it follows exactly.
#include "world/world_internal.h"

#include "bodies/shape/body_shape.h"
#include "terrain/sdf/triangles.h"

#include <string.h>

// A solid stays where it is as long as its body is no more cells away than this, along x and along
// y. More than half a cell, so that one which trembles does not jump to and fro.
#define LEASH 0.6

static rl_mover *solid_of(rill_world *w, int n)
{
    RL_ASSERT(n >= 0 && n < w->def.bodies.max_bodies && w->ground.plan.movers != NULL);
    return &w->ground.plan.movers[w->def.layers.max_movers + n];
}

// A sheet has no inside.
static bool blocks(const rl_body *body)
{
    return body->alive && body->def.coupling == RILL_COUPLING_BLOCK && !rl_shape_is_open(body);
}

// Whether its vertices are not those of its pose.
static bool bends(const rl_body *body)
{
    return body->bent || body->def.motion == RILL_BODY_SOFT;
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
    if (bends(body))
        shape->rotation[3] = 1.0;
    else
        memcpy(shape->rotation, body->rotation, sizeof shape->rotation);
    memcpy(shape->size, body->def.size, sizeof shape->size);
    shape->radius = body->def.radius;
    shape->length = body->def.length;
    shape->kind = bends(body) ? RILL_SDF_MESH : rl_shape_of(&body->def)->sdf;
    if (shape->kind != RILL_SDF_MESH)
        return RILL_OK;
    const rill_status status = rill_triangles_create(
        bodies->rest + 3 * (size_t)body->first_vertex, (size_t)body->vertex_count,
        bodies->triangles + 3 * (size_t)body->first_triangle, 3 * (size_t)body->triangle_count,
        &w->def.host, triangles);
    shape->triangles = *triangles;
    return status;
}

// ---- Bodies that bend ------------------------------------------------------------------

// How much larger than at rest a body may become before a step takes memory.
#define GROWTH 1.5

// Writes the vertices as they lie around the centre of the body now.
static const float *find_places(rill_world *w, const rl_body *body)
{
    const float *from = w->bodies->position + 3 * (size_t)body->first_vertex;
    float *places = w->ground.bands.places;
    RL_ASSERT((size_t)body->vertex_count <= w->ground.bands.place_count);
    for (size_t v = 0; v < (size_t)body->vertex_count; v++)
        for (size_t k = 0; k < 3; k++)
            places[3 * v + k] = (float)((double)from[3 * v + k] - body->position[k]);
    return places;
}

static bool are_same(const rill_triangles *mesh, const float *places)
{
    for (size_t v = 0; v < mesh->given_count; v++)
        if (mesh->given[v] != RL_NO_TRIANGLE && memcmp(mesh->vertices + 3 * (size_t)mesh->given[v],
                                                       places + 3 * v, 3 * sizeof *places) != 0)
            return false;
    return true;
}

// Bends the triangles of the shape at rest, and takes the memory for all that will follow.
static rill_status bend_first(rill_world *w, int n, rl_mover *next, rill_triangles **triangles)
{
    const rl_body *body = &w->bodies->items[n];
    rill_triangles *bent = NULL;
    RILL_TRY(rl_world_ground_reserve_bending(w, solid_of(w, n), &next->shape, GROWTH));
    RILL_TRY(rl_triangles_reshape(*triangles, NULL, find_places(w, body),
                                  (size_t)body->vertex_count, &bent));
    rill_triangles_destroy(triangles);
    next->shape.triangles = *triangles = bent;
    return RILL_OK;
}

static rill_status bend(rill_world *w, rl_mover *solid, const rl_body *body, const double to[3])
{
    rl_mover next = *solid;
    memcpy(next.shape.position, to, sizeof next.shape.position);
    RILL_TRY(rl_world_ground_take_places(w, (size_t)body->vertex_count));
    const float *places = find_places(w, body);
    if (are_same(solid->shape.triangles, places))
        return rl_world_mover_place(w, solid, to, solid->shape.rotation);
    return rl_world_ground_bend(w, solid, &next, places, (size_t)body->vertex_count);
}

// ---- Adding, moving, removing ----------------------------------------------------------

// Where a body filled gaps between other solids its leaving may make more columns than a cell can
// have. Its solid stays then, and goes as soon as it can.
void rl_world_body_solid_remove(rill_world *w, int n)
{
    if (w->ground.fixed == NULL || !solid_of(w, n)->alive)
        return;
    const rl_mover none = {0};
    (void)rl_world_ground_replace(w, solid_of(w, n), &none);
}

rill_status rl_world_body_solid_add(rill_world *w, int n)
{
    if (w->ground.fixed == NULL || !blocks(&w->bodies->items[n]))
        return RILL_OK;
    rl_mover next = {.alive = true, .bent = bends(&w->bodies->items[n])};
    rill_triangles *triangles = NULL;
    rill_status status = find_shape(w, n, &next.shape, &triangles);
    if (status == RILL_OK && next.bent)
        status = bend_first(w, n, &next, &triangles);
    if (status == RILL_OK)
        status = rill_sdf_primitive_check(&next.shape, RILL_COMBINE_UNION, 0.0);
    if (status == RILL_OK)
        status = rl_world_ground_replace(w, solid_of(w, n), &next);
    rill_triangles_destroy(&triangles); // the ground keeps its own hold of them
    return status == RILL_OK ? status : rill_fail_prefix(status, "body %d", n + 1);
}

// The place of the body, across the cells in whole cells from where the solid is.
static rill_status put(rill_world *w, int n, rl_mover *solid, const rl_body *body)
{
    double to[3];
    memcpy(to, body->position, sizeof to);
    for (int k = 0; k < 2; k++) {
        const double size = w->ground.fixed->cell_size, here = solid->shape.position[k];
        const double cells = (to[k] - here) / size;
        to[k] = fabs(cells) > LEASH ? here + size * floor(cells + 0.5) : here;
    }
    const rill_status status =
        solid->bent ? bend(w, solid, body, to) : rl_world_mover_place(w, solid, to, body->rotation);
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
        const rill_status status = solid->alive && solid->bent == bends(body)
                                       ? put(w, n, solid, body)
                                       : rl_world_body_solid_add(w, n);
        result = status != RILL_OK ? status : result;
    }
    return result;
}
