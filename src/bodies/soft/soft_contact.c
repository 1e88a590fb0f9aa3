// SPDX-License-Identifier: MIT
// soft_contact.c - what soft bodies lie on: the ground, the walls around the grid, and bodies that
// are not soft. A vertex inside another is put outside, the shortest way, after all other
// constraints, so that none is left inside, unless between a body and the ground: the ground comes
// last. The other body feels nothing of it. Boxes, spheres and cylinders are what they say, a hull
// is the box around it, meshes are not felt. Contacts themselves swallow the blow: what bounces
// does so by its own elasticity (soft_damp.c has what `bounce` means for it).
#include "bodies/soft/soft_internal.h"

#include "bodies/shape/body_shape.h"
#include "core/sample.h"

#include <string.h>

// A surface that a vertex is behind: its normal, how far behind, how it moves.
typedef struct surface {
    double normal[3], depth, velocity[3];
} surface;

// Moves the vertex out along the normal, and holds it back sideways by Coulomb's law: the way along
// the surface is shortened by at most friction times the way out.
static void put_out(rl_soft_work *w, int v, const surface *s, bool moved)
{
    rl_soft *soft = w->soft;
    double *x = soft->x + 3 * (size_t)v;
    const double *old = soft->old + 3 * (size_t)v;
    double slide[3];
    for (int k = 0; k < 3; k++) {
        x[k] += s->depth * s->normal[k];
        slide[k] = x[k] - old[k] - s->velocity[k] * w->dt;
    }
    if (!moved)
        return;
    const double along = rl_dot(slide, s->normal);
    for (int k = 0; k < 3; k++)
        slide[k] -= along * s->normal[k];
    const double way = sqrt(rl_dot(slide, slide));
    const double most = w->body->def.friction * s->depth;
    const double part = way > most ? most / way : 1.0;
    for (int k = 0; k < 3; k++)
        x[k] -= part * slide[k];
    soft->touch[v].touches = true;
    soft->touch[v].speed = rl_dot(s->normal, s->velocity);
    memcpy(soft->touch[v].normal, s->normal, sizeof s->normal);
}

// ---- Ground and walls ------------------------------------------------------------------

static bool below_ground(const rl_soft_work *w, const double x[3], surface *out)
{
    const rill_field *bed = w->ground->bed;
    const double cell = w->bodies->cell_size;
    const rl_sample_place place =
        rl_sample_find(bed->nx, bed->ny, x[0] / cell - 0.5, x[1] / cell - 0.5);
    const double under = x[2] - w->skin - (double)rl_sample(bed->origin, bed->pitch, place);
    if (!(under < 0.0))
        return false;
    const float *low = rill_field_row(bed, place.j) + place.i, *high = low + bed->pitch;
    const double south = (double)low[1] - (double)low[0], north = (double)high[1] - (double)high[0];
    const double west = (double)high[0] - (double)low[0], east = (double)high[1] - (double)low[1];
    const double along = (south + (double)place.y * (north - south)) / cell;
    const double across = (west + (double)place.x * (east - west)) / cell;
    const double length = sqrt(1.0 + along * along + across * across);
    *out = (surface){.normal = {-along / length, -across / length, 1.0 / length},
                     .depth = -under / length};
    return true;
}

static void meet_ground(rl_soft_work *w, int v, bool moved)
{
    surface s;
    double *x = w->soft->x + 3 * (size_t)v;
    if (below_ground(w, x, &s)) {
        put_out(w, v, &s, moved);
        if (below_ground(w, x, &s)) // the ground is curved: the rest straight up
            x[2] += s.depth / s.normal[2];
    }
    for (int k = 0; w->ground->fence && k < 2; k++) {
        const int cells = k == 0 ? w->bodies->nx : w->bodies->ny;
        const double low = w->skin, high = w->bodies->cell_size * cells - w->skin;
        if (x[k] >= low && x[k] <= high)
            continue;
        s = (surface){.depth = x[k] < low ? low - x[k] : x[k] - high};
        s.normal[k] = x[k] < low ? 1.0 : -1.0;
        put_out(w, v, &s, moved);
    }
}

// ---- Bodies ----------------------------------------------------------------------------

static void meet_body(rl_soft_work *w, int v, const rl_body *other, bool moved)
{
    const double *x = w->soft->x + 3 * (size_t)v;
    const double arm[3] = {x[0] - other->position[0], x[1] - other->position[1],
                           x[2] - other->position[2]};
    // Not the box around its vertices: a sphere is larger than its mesh.
    const double reach = other->reach + w->skin;
    if (!(rl_dot(arm, arm) < reach * reach))
        return;
    double own[3], turning[3];
    rl_way_out way;
    surface s;
    rl_body_turn_back(other->rotation, arm, own);
    if (!rl_shape_of(&other->def)->inside(&other->def, w->skin, own, &way))
        return;
    s.depth = way.depth;
    rl_body_turn(other->rotation, way.normal, s.normal);
    rl_cross(other->spin, arm, turning);
    for (int k = 0; k < 3; k++)
        s.velocity[k] = other->velocity[k] + turning[k];
    put_out(w, v, &s, moved);
}

void rl_soft_find_neighbours(rl_soft_work *work, double dt)
{
    const rl_bodies *bodies = work->bodies;
    const rl_body *own = work->body;
    const double margin = work->skin + work->fastest * dt;
    const int holder = rl_bodies_find(bodies, own->def.pinned_to);
    work->neighbours = 0;
    RL_ASSERT(margin >= 0.0);
    for (int n = 0; n < bodies->def.max_bodies; n++) {
        const rl_body *other = &bodies->items[n];
        const rl_shape *shape = rl_shape_of(&other->def);
        if (!other->alive || other->def.motion == RILL_BODY_SOFT || shape->inside == NULL)
            continue;
        if (n == holder && shape->boxed)
            continue; // a flag flies above its boat, inside the box around it
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart = apart || other->low[k] > own->high[k] + margin ||
                    other->high[k] < own->low[k] - margin;
        if (!apart)
            work->soft->neighbours[work->neighbours++] = n;
    }
}

void rl_soft_contact(rl_soft_work *work, bool moved)
{
    const rl_soft *soft = work->soft;
    for (int v = 0; v < work->vertices; v++) {
        soft->touch[v].touches = false;
        if (!(soft->weight[v] > 0.0))
            continue;
        for (int n = 0; n < work->neighbours; n++)
            meet_body(work, v, &work->bodies->items[soft->neighbours[n]], moved);
        meet_ground(work, v, moved);
    }
}
