// SPDX-License-Identifier: MIT
// world_body_edit.c - the public functions that add, move, push and remove bodies.
#include "world/world_internal.h"

#include "bodies/shape/body_shape.h"

#include <string.h>

rill_body_def rill_default_body_def(void)
{
    rill_body_def def = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    rl_parameters_fill(RILL_DEFINITION_BODY, &def);
    return def;
}

int rill_has_rigid_bodies(void)
{
    return rl_engine_exists();
}

// ---- Checking --------------------------------------------------------------------------

// Lengths that a shape does not have may be anything.
static rill_status check_numbers(const rill_body_def *def)
{
    const rill_body_shape_info *shape = rill_body_shape_get(def->shape);
    const unsigned has = shape != NULL ? shape->fields : 0;
    const rill_body_def usual = rill_default_body_def();
    rill_body_def d = *def;
    for (int n = 0; n < 3; n++)
        if (!(has & RILL_SHAPE_SIZE) && !(has & RILL_SHAPE_SIDES && n < 2))
            d.size[n] = usual.size[n];
    if (!(has & RILL_SHAPE_RADIUS))
        d.radius = usual.radius;
    if (!(has & RILL_SHAPE_LENGTH))
        d.length = usual.length;
    if (!(has & RILL_SHAPE_CELLS))
        memcpy(d.cells, usual.cells, sizeof d.cells);
    return rl_parameters_check(RILL_DEFINITION_BODY, &d);
}

static bool finite3(const double v[3], double most)
{
    return fabs(v[0]) <= most && fabs(v[1]) <= most && fabs(v[2]) <= most;
}

static rill_status check_pose(const double position[3], const double rotation[4],
                              const double velocity[3], const double spin[3])
{
    if (!finite3(position, 1e7))
        return rill_fail(RILL_BAD_ARGUMENT, "a body at (%g, %g, %g) m is not possible", position[0],
                         position[1], position[2]);
    const double length = rotation[0] * rotation[0] + rotation[1] * rotation[1] +
                          rotation[2] * rotation[2] + rotation[3] * rotation[3];
    if (!(fabs(length - 1.0) < 1e-3))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the rotation (%g, %g, %g, %g) of a body is no unit quaternion",
                         rotation[0], rotation[1], rotation[2], rotation[3]);
    if (velocity != NULL && !finite3(velocity, 1e4))
        return rill_fail(RILL_BAD_ARGUMENT, "a body of (%g, %g, %g) m/s is not possible",
                         velocity[0], velocity[1], velocity[2]);
    if (spin != NULL && !finite3(spin, 1e4))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a body that turns by (%g, %g, %g) rad/s is not possible", spin[0],
                         spin[1], spin[2]);
    return RILL_OK;
}

static rill_status check_kind(const rill_world *w, const rill_body_def *d)
{
    const bool soft = d->motion == RILL_BODY_SOFT;
    if (rill_body_shape_get(d->shape)->is_open && !soft)
        return rill_fail(RILL_BAD_DEF, "a sheet must be soft, it has no inside");
    if (soft && d->coupling == RILL_COUPLING_BLOCK)
        return rill_fail(RILL_BAD_DEF, "a soft body cannot block water, let it pass");
    if (d->coupling == RILL_COUPLING_BLOCK && w->ops->blocking == NULL && w->ground.whole == NULL)
        return rill_fail(RILL_BAD_DEF,
                         w->ops->solids == NULL
                             ? "this world's solver, %s, cannot be blocked by bodies"
                             : "this world's solver, %s, can be blocked by bodies on a solid alone",
                         w->ops->name);
    if (d->motion == RILL_BODY_RIGID && !rl_engine_exists())
        return rill_fail(
            RILL_NO_BACKEND,
            "this library was built without ODE and cannot move rigid bodies; a host's "
            "engine can");
    if (d->pin_count < 0 || d->pin_count > RILL_MAX_PINS || (d->pin_count > 0 && !soft))
        return rill_fail(RILL_BAD_DEF,
                         "a body with %d pins is not possible; soft ones have up to %d",
                         d->pin_count, RILL_MAX_PINS);
    if (d->pinned_to.index1 != 0 && rl_bodies_find(w->bodies, d->pinned_to) < 0)
        return rill_fail(RILL_BAD_DEF, "the body that a soft one is pinned to does not exist");
    return RILL_OK;
}

static rill_status check_body(const rill_world *w, const rill_body_def *d)
{
    if (w == NULL || d == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a body needs a world and a definition, one is NULL");
    if (w->bodies == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "this world has no bodies, bodies.max_bodies is 0");
    rill_status status = check_numbers(d);
    if (status == RILL_OK)
        status = check_kind(w, d);
    if (status == RILL_OK)
        status = check_pose(d->position, d->rotation, d->velocity, d->spin);
    if (status == RILL_OK && rl_shape_of(d)->check != NULL)
        status = rl_shape_of(d)->check(d);
    if (status == RILL_OK)
        status = rl_world_check_path("a body", d->path, d->path_count);
    if (status == RILL_OK && (d->course_count < 0 || d->course_count > RILL_PATH_MAX_KEYS))
        status =
            rill_fail(RILL_BAD_DEF, "the course of a body has %d keys, it must have from 0 to %d",
                      d->course_count, RILL_PATH_MAX_KEYS);
    for (int n = 0; status == RILL_OK && n < d->course_count; n++)
        if (!(fabs(d->course[n].x) <= 1e7 && fabs(d->course[n].y) <= 1e7))
            status = rill_fail(RILL_BAD_DEF, "key %d of the course of a body is (%g, %g) m", n,
                               d->course[n].x, d->course[n].y);
    return status;
}

static rill_status find(const rill_world *w, rill_body_id id, int *n)
{
    if (w == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a body needs a world, it is NULL");
    *n = rl_bodies_find(w->bodies, id);
    return *n >= 0 ? RILL_OK
                   : rill_fail(RILL_BAD_ARGUMENT, "the body does not exist, or no longer");
}

// ---- Adding and removing ---------------------------------------------------------------

rill_status rill_world_add_body(rill_world *world, const rill_body_def *def, rill_body_id *out)
{
    RILL_TRY(check_body(world, def));
    rill_body_def placed = *def;
    if (def->path_count > 0) {
        placed.position[0] = def->path[0].x;
        placed.position[1] = def->path[0].y;
        placed.position[2] = def->path[0].z;
    }
    rill_body_id id;
    rill_status status = rl_bodies_add(world->bodies, &placed, &id);
    if (status != RILL_OK)
        return status;
    const int n = (int)id.index1 - 1;
    if (world->ground.whole != NULL && def->coupling == RILL_COUPLING_BLOCK) {
        status = rl_world_body_solid_add(world, n);
        if (status != RILL_OK) {
            rl_bodies_remove(world->bodies, n);
            return status;
        }
    }
    world->engine_stale = world->core.blocks_stale = true;
    if (out != NULL)
        *out = id;
    return RILL_OK;
}

// A soft body that hangs on one that goes is free.
static void unpin(rl_bodies *b, int gone)
{
    for (int n = 0; n < b->def.max_bodies; n++) {
        rl_body *body = &b->items[n];
        if (body->alive && body->def.pinned_to.index1 == (uint32_t)gone + 1) {
            body->def.pinned_to = (rill_body_id){0};
            body->def.pin_count = 0;
        }
    }
}

rill_status rill_world_remove_body(rill_world *world, rill_body_id id)
{
    int n = -1;
    RILL_TRY(find(world, id, &n));
    rl_bodies *b = world->bodies;
    if (b->items[n].displaced != 0.0) {
        const rl_body_water water = rl_world_body_water(world, 0.0);
        rl_sum_add(&world->core.books.corrected, rl_bodies_withdraw(b, n, &water));
    }
    if (world->ground.whole != NULL && b->items[n].def.coupling == RILL_COUPLING_BLOCK)
        rl_world_body_solid_remove(world, n);
    unpin(b, n);
    rl_bodies_remove(b, n);
    world->engine_stale = world->core.blocks_stale = true;
    return RILL_OK;
}

// ---- Moving ----------------------------------------------------------------------------

rill_status rill_world_set_body_pose(rill_world *world, rill_body_id id, const double position[3],
                                     const double rotation[4], const double velocity[3],
                                     const double spin[3])
{
    int n = -1;
    RILL_TRY(find(world, id, &n));
    if (position == NULL || rotation == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "a pose needs a position and a rotation, one is NULL");
    RILL_TRY(check_pose(position, rotation, velocity, spin));
    if (world->bodies->items[n].def.motion == RILL_BODY_SOFT)
        return rill_fail(RILL_BAD_ARGUMENT, "a soft body has no pose that could be set");
    rl_body *body = &world->bodies->items[n];
    const double rest[3] = {0.0, 0.0, 0.0};
    memcpy(body->position, position, sizeof body->position);
    memcpy(body->rotation, rotation, sizeof body->rotation);
    memcpy(body->velocity, velocity != NULL ? velocity : rest, sizeof body->velocity);
    memcpy(body->spin, spin != NULL ? spin : rest, sizeof body->spin);
    rl_body_pose(world->bodies, n);
    return RILL_OK;
}

rill_status rill_world_set_body_vertices(rill_world *world, rill_body_id id, const float *positions,
                                         const float *velocities)
{
    int n = -1;
    RILL_TRY(find(world, id, &n));
    if (positions == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "the positions of vertices are NULL");
    if (world->bodies->items[n].def.motion != RILL_BODY_HOST)
        return rill_fail(RILL_BAD_ARGUMENT, "only a host's body can have its vertices set");
    const rl_body *body = &world->bodies->items[n];
    const size_t first = 3 * (size_t)body->first_vertex, count = 3 * (size_t)body->vertex_count;
    for (size_t k = 0; k < count; k++)
        if (!(fabs((double)positions[k]) <= 1e7) ||
            (velocities != NULL && !(fabs((double)velocities[k]) <= 1e4)))
            return rill_fail(RILL_BAD_ARGUMENT, "vertex %zu of a body is at %g m or too fast",
                             k / 3, (double)positions[k]);
    memcpy(world->bodies->position + first, positions, count * sizeof *positions);
    if (velocities != NULL)
        memcpy(world->bodies->velocity + first, velocities, count * sizeof *velocities);
    else
        memset(world->bodies->velocity + first, 0, count * sizeof *positions);
    rl_body_measure(world->bodies, n);
    return RILL_OK;
}

rill_status rill_world_push_body(rill_world *world, rill_body_id id, const double force[3],
                                 const double point[3])
{
    int n = -1;
    RILL_TRY(find(world, id, &n));
    if (force == NULL || !finite3(force, 1e15) || (point != NULL && !finite3(point, 1e7)))
        return rill_fail(RILL_BAD_ARGUMENT, "the force or the point of a push is NULL, too large "
                                            "or no number");
    if (world->bodies->items[n].def.motion == RILL_BODY_HOST)
        return rill_fail(RILL_BAD_ARGUMENT, "a host's body is moved by the host, not by pushes");
    rl_body *body = &world->bodies->items[n];
    double arm[3] = {0.0, 0.0, 0.0};
    for (int k = 0; point != NULL && k < 3; k++)
        arm[k] = point[k] - body->position[k];
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        body->push[k] += force[k];
        body->push_torque[k] += arm[p] * force[q] - arm[q] * force[p];
    }
    world->bodies->pushed = true;
    return RILL_OK;
}
