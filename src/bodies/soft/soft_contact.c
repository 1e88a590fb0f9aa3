// SPDX-License-Identifier: MIT
// soft_contact.c - what soft bodies lie on: the ground, the walls around the grid, and bodies that
// are not soft. A vertex inside another is put outside, the shortest way, after all other
// constraints, so that none is left inside, unless between a body and the ground: the ground comes
// last. The other body feels nothing of it. Boxes, spheres and cylinders are what they say, a hull
// is the box around it, meshes are not felt. Contacts themselves swallow the blow: what bounces
// does so by its own elasticity (soft_solve.c has what `bounce` means for it).
#include "bodies/soft/soft_internal.h"

#include "bodies/shape/body_shape.h"
#include "core/numbers.h"

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
    rl_vector_add(slide, -along, s->normal);
    const double way = sqrt(rl_dot(slide, slide));
    const double most = w->body->def.friction * s->depth;
    const double part = way > most ? most / way : 1.0;
    rl_vector_add(x, -part, slide);
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
    double arm[3], own[3];
    rl_vector_between(other->position, w->soft->x + 3 * (size_t)v, arm);
    // Not the box around its vertices: a sphere is larger than its mesh.
    const double reach = other->reach + w->skin;
    if (!(rl_dot(arm, arm) < reach * reach))
        return;
    rl_way_out way;
    surface s;
    rl_body_turn_back(other->rotation, arm, own);
    if (!rl_shape_of(&other->def)->inside(&other->def, w->skin, own, &way))
        return;
    s.depth = way.depth;
    rl_body_turn(other->rotation, way.normal, s.normal);
    rl_cross(other->spin, arm, s.velocity);
    rl_vector_add(s.velocity, 1.0, other->velocity);
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

// ---- Wind ------------------------------------------------------------------------------
//
// The wind on soft bodies. Air presses on each triangle with the square of its speed
// across it, and drags a little along it. A flag in a perfectly even wind would hang in it like a
// board: what makes it wave are eddies, so the air carries a field of gusts that drifts with it
// (frozen turbulence, after Taylor), as strong as the air is fast past the cloth.

#define AIR       1.2  // kg/m^3
#define ALONG     0.03 // drag along a surface over that across it
#define GUST      0.5  // largest gust over the speed of the air
#define EDDY      0.5  // size of an eddy over the reach of the body
#define CALM      0.2  // m/s: slower air drags as if it were that fast, by eddies of its own
#define FARTHEST  1e15 // eddies: farther than that their numbers would not fit
#define GUST_BITS 21   // of the three parts of 64 random bits

// The gust at a corner of the lattice of eddies, each part in [-1, 1).
static void corner_gust(int64_t i, int64_t j, int64_t k, double out[3])
{
    const uint64_t bits = rl_random_bits((uint64_t)i, (uint64_t)j, (uint64_t)k);
    for (int part = 0; part < 3; part++) {
        const uint64_t own = bits >> (GUST_BITS * part) & ((1u << GUST_BITS) - 1u);
        out[part] = (double)own / (double)(1u << (GUST_BITS - 1)) - 1.0;
    }
}

// Smooth between the corners of the lattice; `p` in eddies.
static void gust_at(const double p[3], float out[3])
{
    int64_t cell[3];
    double part[3], sum[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        const double inside = fabs(p[k]) < FARTHEST ? p[k] : 0.0;
        cell[k] = (int64_t)inside - (inside < 0.0 ? 1 : 0);
        const double t = inside - (double)cell[k];
        part[k] = t * t * (3.0 - 2.0 * t);
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0, gust[3];
        for (int k = 0; k < 3; k++)
            weight *= (corner >> k & 1) != 0 ? part[k] : 1.0 - part[k];
        corner_gust(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2),
                    gust);
        rl_vector_add(sum, weight, gust);
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)(GUST * sum[k]);
}

void rl_soft_find_gusts(rl_soft_work *work, const double wind[3])
{
    if (!work->sheet)
        return;
    const double eddy = EDDY * work->body->reach, time = work->body->air_time;
    const double origin[3] = {work->ground->origin[0], work->ground->origin[1], 0.0};
    for (int t = 0; t < work->triangles; t++) {
        const uint32_t *corners = work->corners + 3 * (size_t)t;
        double p[3];
        for (size_t k = 0; k < 3; k++) {
            double middle = 0.0;
            for (int c = 0; c < 3; c++)
                middle += work->soft->x[3 * (size_t)corners[c] + k] / 3.0;
            p[k] = (middle + origin[k] - wind[k] * time) / eddy;
        }
        gust_at(p, work->soft->gust + 3 * (size_t)t);
    }
}

// Impulse of the air on a triangle in a substep, N s. `across` is its normal, as long as its
// area. Both parts are divided by what they would slow its own mass by, so that even a gale cannot
// throw a light cloth faster than it blows.
static void find_impulse(const rl_soft_work *w, const double across[3], const double past[3],
                         double out[3])
{
    const double area = sqrt(rl_dot(across, across));
    const double speed = sqrt(rl_dot(past, past));
    const double through = area > 0.0 ? rl_dot(past, across) / area : 0.0;
    const double unit = 0.5 * AIR * w->dt;
    // Of a closed body only the side that faces the air is pressed on.
    const bool faces = w->sheet || through < 0.0;
    const double press = faces ? unit * (fabs(through) > CALM ? fabs(through) : CALM) : 0.0;
    const double drag = faces ? unit * ALONG * speed : 0.0;
    const double pressed = press / (1.0 + press / w->thickness);
    const double dragged = drag / (1.0 + drag / w->thickness);
    for (int k = 0; k < 3; k++) {
        const double normal = area > 0.0 ? through * across[k] / area : 0.0;
        out[k] = area * (pressed * normal + dragged * (past[k] - normal));
    }
}

static void blow_on(rl_soft_work *w, int t, const double wind[3])
{
    rl_soft *soft = w->soft;
    const uint32_t *corners = w->corners + 3 * (size_t)t;
    const double *p[3];
    double side[2][3], across[3], past[3], impulse[3], square = 0.0;
    for (int c = 0; c < 3; c++)
        p[c] = soft->x + 3 * (size_t)corners[c];
    for (size_t k = 0; k < 3; k++) {
        side[0][k] = 0.5 * (p[1][k] - p[0][k]);
        side[1][k] = p[2][k] - p[0][k];
        past[k] = wind[k];
        for (int c = 0; c < 3; c++)
            past[k] -= soft->v[3 * (size_t)corners[c] + k] / 3.0;
        square += past[k] * past[k];
    }
    const double speed = sqrt(square);
    for (size_t k = 0; w->sheet && k < 3; k++)
        past[k] += speed * (double)soft->gust[3 * (size_t)t + k];
    rl_cross(side[0], side[1], across);
    find_impulse(w, across, past, impulse);
    for (int c = 0; c < 3; c++) {
        if (rl_soft_is_wet(w->force + 3 * (size_t)corners[c]))
            continue;
        for (size_t k = 0; k < 3; k++)
            soft->v[3 * (size_t)corners[c] + k] += impulse[k] / 3.0 * soft->weight[corners[c]];
    }
}

void rl_soft_blow(rl_soft_work *work, const double wind[3])
{
    for (int t = 0; t < work->triangles; t++)
        blow_on(work, t, wind);
}
