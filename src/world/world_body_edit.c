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
    return rl_engine_of_build != NULL;
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

static rill_status check_rotation(const double q[4])
{
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(length - 1.0) < 1e-3))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the rotation (%g, %g, %g, %g) of a body is no unit quaternion", q[0],
                         q[1], q[2], q[3]);
    return RILL_OK;
}

static rill_status check_kind(const rill_world *w, const rill_body_def *d)
{
    const bool soft = d->motion == RILL_BODY_SOFT;
    if (rill_body_shape_get(d->shape)->is_open && !soft)
        return rill_fail(RILL_BAD_DEF, "a sheet must be soft, it has no inside");
    if (rill_body_shape_get(d->shape)->is_open && d->coupling == RILL_COUPLING_BLOCK)
        return rill_fail(RILL_BAD_DEF,
                         "a sheet cannot block water, it has no inside; let the water pass");
    if (d->coupling == RILL_COUPLING_BLOCK && w->ops->blocking == NULL && w->ground.whole == NULL)
        return rill_fail(RILL_BAD_DEF,
                         w->ops->solids == NULL
                             ? "this world's solver, %s, cannot be blocked by bodies"
                             : "this world's solver, %s, can be blocked by bodies on a solid alone",
                         w->ops->name);
    if (d->motion == RILL_BODY_RIGID && rl_engine_of_build == NULL)
        return rill_fail(
            RILL_NO_BACKEND,
            "this library was built without ODE and cannot move rigid bodies; a host's engine can");
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
    RILL_TRY(check_numbers(d));
    RILL_TRY(check_kind(w, d));
    RILL_TRY(check_rotation(d->rotation));
    if (rl_shape_of(d)->check != NULL)
        RILL_TRY(rl_shape_of(d)->check(d));
    RILL_TRY(rl_world_check_path("a body", d->path, d->path_count, 1e7));
    if (d->course_count < 0 || d->course_count > RILL_COURSE_MAX_KEYS)
        return rill_fail(RILL_BAD_DEF,
                         "the course of a body has %d keys, it must have from 0 to %d",
                         d->course_count, RILL_COURSE_MAX_KEYS);
    for (int n = 0; n < d->course_count; n++)
        if (!(fabs(d->course[n].x) <= 1e7 && fabs(d->course[n].y) <= 1e7))
            return rill_fail(RILL_BAD_DEF, "key %d of the course of a body is (%g, %g) m", n,
                             d->course[n].x, d->course[n].y);
    return RILL_OK;
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
    rill_body_def moved = rill_default_body_def(); // at rest
    memcpy(moved.position, position, sizeof moved.position);
    if (velocity != NULL)
        memcpy(moved.velocity, velocity, sizeof moved.velocity);
    if (spin != NULL)
        memcpy(moved.spin, spin, sizeof moved.spin);
    if (rl_parameters_check(RILL_DEFINITION_BODY, &moved) != RILL_OK)
        return RILL_BAD_ARGUMENT; // with the message of the check
    RILL_TRY(check_rotation(rotation));
    if (world->bodies->items[n].def.motion == RILL_BODY_SOFT)
        return rill_fail(RILL_BAD_ARGUMENT, "a soft body has no pose that could be set");
    rl_body *body = &world->bodies->items[n];
    memcpy(body->position, position, sizeof body->position);
    memcpy(body->rotation, rotation, sizeof body->rotation);
    memcpy(body->velocity, moved.velocity, sizeof body->velocity);
    memcpy(body->spin, moved.spin, sizeof body->spin);
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
    rl_body *body = &world->bodies->items[n];
    if (body->def.motion != RILL_BODY_HOST)
        return rill_fail(RILL_BAD_ARGUMENT, "only a host's body can have its vertices set");
    if (body->def.path_count > 0)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a body on a path is put where that has it, its vertices cannot be set");
    const size_t first = 3 * (size_t)body->first_vertex, count = 3 * (size_t)body->vertex_count;
    for (size_t k = 0; k < count; k++)
        if (!(fabs((double)positions[k]) <= 1e7) ||
            (velocities != NULL && !(fabs((double)velocities[k]) <= 1e4)))
            return rill_fail(RILL_BAD_ARGUMENT, "vertex %zu of a body is at %g m or too fast",
                             k / 3, (double)positions[k]);
    double middle[3];
    const double volume = rl_body_enclosed(world->bodies, body, positions, middle);
    if (body->def.coupling == RILL_COUPLING_BLOCK && !(volume > 0.0))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a body that blocks water encloses %g m^3 as its vertices are set: it is "
                         "flat or inside out",
                         volume);
    memcpy(body->position, middle, sizeof middle);
    memcpy(world->bodies->position + first, positions, count * sizeof *positions);
    if (velocities != NULL)
        memcpy(world->bodies->velocity + first, velocities, count * sizeof *velocities);
    else
        memset(world->bodies->velocity + first, 0, count * sizeof *positions);
    rl_body_measure(world->bodies, n);
    body->bent = true;
    return RILL_OK;
}

rill_status rill_world_push_body(rill_world *world, rill_body_id id, const double force[3],
                                 const double point[3])
{
    int n = -1;
    RILL_TRY(find(world, id, &n));
    if (force == NULL || !finite3(force, 1e15) || (point != NULL && !finite3(point, 1e7)))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the force or the point of a push is NULL, too large or no number");
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

// ---- Reading and picking ---------------------------------------------------------------

rill_status rill_world_get_body(const rill_world *world, rill_body_id id, rill_body_state *out)
{
    if (world == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a body's state needs a world and a place, one is NULL");
    const int n = rl_bodies_find(world->bodies, id);
    if (n < 0)
        return rill_fail(RILL_BAD_ARGUMENT, "the body does not exist, or no longer");
    const rl_body *body = &world->bodies->items[n];
    *out =
        (rill_body_state){.mass = body->mass, .volume = body->volume, .submerged = body->submerged};
    memcpy(out->position, body->position, sizeof out->position);
    memcpy(out->rotation, body->rotation, sizeof out->rotation);
    memcpy(out->velocity, body->velocity, sizeof out->velocity);
    memcpy(out->spin, body->spin, sizeof out->spin);
    memcpy(out->force, body->force, sizeof out->force);
    memcpy(out->torque, body->torque, sizeof out->torque);
    return RILL_OK;
}

int rill_world_body_count(const rill_world *world)
{
    return world != NULL && world->bodies != NULL ? world->bodies->alive : 0;
}

rill_body_id rill_world_body_at(const rill_world *world, int place)
{
    const rl_bodies *b = world != NULL ? world->bodies : NULL;
    for (int n = 0; b != NULL && place >= 0 && n < b->def.max_bodies; n++)
        if (b->items[n].alive && place-- == 0)
            return (rill_body_id){(uint32_t)n + 1, b->items[n].generation};
    return (rill_body_id){0};
}

rill_body_mesh rill_world_body_mesh(const rill_world *world, rill_body_id id)
{
    const int n = world != NULL ? rl_bodies_find(world->bodies, id) : -1;
    if (n < 0)
        return (rill_body_mesh){0};
    const rl_bodies *b = world->bodies;
    const rl_body *body = &b->items[n];
    const size_t first = 3 * (size_t)body->first_vertex;
    rill_body_mesh mesh = {
        .id = id,
        .vertex_count = body->vertex_count,
        .triangle_count = body->triangle_count,
        .positions = b->position + first,
        .velocities = b->velocity + first,
        .forces = b->force + first,
        .rest = b->rest + first,
        .triangles = b->triangles + 3 * (size_t)body->first_triangle,
        .shape = body->def.shape,
        .motion = body->def.motion,
        .material = body->def.material,
    };
    memcpy(mesh.colour, body->def.colour, sizeof mesh.colour);
    for (int k = 0; k < 3; k++) {
        float low = mesh.rest[k], high = low;
        for (int v = 1; v < mesh.vertex_count; v++) {
            const float value = mesh.rest[3 * v + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        mesh.size[k] = high - low;
    }
    return mesh;
}

rill_blocked rill_world_blocked(const rill_world *world)
{
    const rl_bodies *b = world != NULL ? world->bodies : NULL;
    if (b == NULL || !b->can_block)
        return (rill_blocked){0};
    const rl_blocks *now = &b->blocks;
    return (rill_blocked){rill_field_view_of(&now->floor), rill_field_view_of(&now->lower),
                          rill_field_view_of(&now->upper)};
}

// ---- Picking ---------------------------------------------------------------------------

// Whether a ray may meet the box of a body (slabs).
static bool meets_box(const rl_body *body, const double from[3], const double way[3])
{
    double first = 0.0, last = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (way[k] == 0.0) {
            if (from[k] < body->low[k] || from[k] > body->high[k])
                return false;
            continue;
        }
        const double one = (body->low[k] - from[k]) / way[k];
        const double two = (body->high[k] - from[k]) / way[k];
        first = fmax(first, fmin(one, two));
        last = fmin(last, fmax(one, two));
    }
    return first <= last;
}

// How last along a ray meets a triangle, or infinity (Moeller and Trumbore).
static double meet_triangle(const float *a, const float *b, const float *c, const double from[3],
                            const double way[3])
{
    double ab[3], ac[3], to[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = (double)b[k] - (double)a[k];
        ac[k] = (double)c[k] - (double)a[k];
        to[k] = from[k] - (double)a[k];
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        p[k] = way[l] * ac[m] - way[m] * ac[l];
        q[k] = to[l] * ab[m] - to[m] * ab[l];
    }
    const double det = ab[0] * p[0] + ab[1] * p[1] + ab[2] * p[2];
    if (det == 0.0)
        return INFINITY;
    const double u = (to[0] * p[0] + to[1] * p[1] + to[2] * p[2]) / det;
    const double v = (way[0] * q[0] + way[1] * q[1] + way[2] * q[2]) / det;
    const double t = (ac[0] * q[0] + ac[1] * q[1] + ac[2] * q[2]) / det;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 ? t : (double)INFINITY;
}

rill_body_id rill_world_pick_body(const rill_world *world, const double origin[3],
                                  const double direction[3], double *distance)
{
    rill_body_id found = {0};
    double nearest = INFINITY;
    const rl_bodies *b =
        world != NULL && origin != NULL && direction != NULL ? world->bodies : NULL;
    for (int n = 0; b != NULL && n < b->def.max_bodies; n++) {
        const rl_body *body = &b->items[n];
        if (!body->alive || !meets_box(body, origin, direction))
            continue;
        const float *position = b->position + 3 * (size_t)body->first_vertex;
        const uint32_t *corner = b->triangles + 3 * (size_t)body->first_triangle;
        for (int t = 0; t < body->triangle_count; t++, corner += 3) {
            const double at = meet_triangle(position + 3 * corner[0], position + 3 * corner[1],
                                            position + 3 * corner[2], origin, direction);
            if (at < nearest) {
                nearest = at;
                found = (rill_body_id){(uint32_t)n + 1, body->generation};
            }
        }
    }
    if (distance != NULL && found.index1 != 0)
        *distance = nearest;
    return found;
}
