// SPDX-License-Identifier: MIT
// world_body_query.c - the public functions that read bodies and pick them.
#include "world/world_internal.h"

#include <string.h>

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
