// SPDX-License-Identifier: MIT
// soft.c - soft bodies: cloth, and balls filled with air. A body is its vertices, floats in the
// arrays of rl_bodies; their masses are parts of the surface, the links between them are found
// from the mesh at rest when it is added. What a step needs besides is made from these, so that a
// step from a restored state gives the same bits.
//
// A step is divided into substeps:
//
//     pull and blow velocities --> move --> links and volume --> contact --> velocities
//
// Pins follow the body that holds them and pull no body: a flag does not tow its boat.
//
// Cloth under water carries some of it along (added mass): else drag, which is told once a step,
// would throw a cloth of 0.2 kg/m^2 to and fro faster and faster. Balls move as rigid bodies do.
#include "bodies/soft/soft_internal.h"

#include "bodies/shape/body_shape.h"

#include <string.h>

#define SUBSTEPS 8     // of one step of rigid bodies
#define FASTEST  300.0 // m/s: speeds end there, whatever pushes
#define FARTHEST 1e7   // metres
#define SKIN     0.05  // distance of cloth from what it lies on, over the side of its squares

// Water that goes along with a sheet: a layer of this part of its side, on both sides together (a
// flat plate: pi/4, but cloth moves in ripples).
#define TAKES 0.25

// ---- Memory ----------------------------------------------------------------------------

// Where everything lies in the block; returns its bytes. A mesh has three links a triangle.
static size_t lay_out(rl_soft *s, const rill_bodies_def *def, char *block)
{
    const size_t v = (size_t)def->max_vertices, t = (size_t)def->max_triangles;
    size_t used = 0;
    (void)rl_take(block, &used, 1, sizeof *s);
    s->links = rl_take(block, &used, 3 * t, sizeof *s->links);
    s->x = rl_take(block, &used, 3 * v, sizeof *s->x);
    s->old = rl_take(block, &used, 3 * v, sizeof *s->old);
    s->v = rl_take(block, &used, 3 * v, sizeof *s->v);
    s->slope = rl_take(block, &used, 3 * v, sizeof *s->slope);
    s->pull = rl_take(block, &used, 3 * v, sizeof *s->pull);
    s->mass = rl_take(block, &used, v, sizeof *s->mass);
    s->lightness = rl_take(block, &used, v, sizeof *s->lightness);
    s->weight = rl_take(block, &used, v, sizeof *s->weight);
    s->touch = rl_take(block, &used, v, sizeof *s->touch);
    s->gust = rl_take(block, &used, 3 * t, sizeof *s->gust);
    s->neighbours = rl_take(block, &used, (size_t)def->max_bodies, sizeof *s->neighbours);
    return used;
}

size_t rl_soft_lay(const rill_bodies_def *def, rl_soft *soft)
{
    rl_soft measured;
    return lay_out(soft != NULL ? soft : &measured, def, (char *)soft);
}

// ---- Adding and removing ---------------------------------------------------------------

// Where the body that holds them has the pins. Kept with the record: found anew from vertices that
// have moved since, they would creep.
static void place_pins(const rl_bodies *bodies, rl_body *body, const rl_body *holder)
{
    for (int p = 0; p < body->def.pin_count; p++) {
        const size_t vertex = (size_t)(body->first_vertex + body->def.pins[p]);
        double arm[3];
        rl_vertex_at(bodies->position, vertex, arm);
        rl_vector_add(arm, -1.0, holder->position);
        rl_body_turn_back(holder->rotation, arm, body->pin_local[p]);
    }
    body->pins_placed = true;
}

rill_status rl_soft_add(rl_bodies *bodies, int n)
{
    rl_body *body = &bodies->items[n];
    rl_soft *soft = bodies->soft;
    for (int p = 0; p < body->def.pin_count; p++)
        if (body->def.pins[p] < 0 || body->def.pins[p] >= body->vertex_count)
            return rill_fail(RILL_BAD_DEF, "pin %d of a soft body is vertex %d of %d", p,
                             body->def.pins[p], body->vertex_count);
    const int holder = rl_bodies_find(bodies, body->def.pinned_to);
    if (holder >= 0 && !body->pins_placed)
        place_pins(bodies, body, &bodies->items[holder]);
    RL_ASSERT(soft->link_count + 3 * body->triangle_count <= 3 * bodies->def.max_triangles);
    body->first_constraint = soft->link_count;
    body->constraint_count = 3 * body->triangle_count;
    rl_soft_find_links(body, bodies->rest + 3 * (size_t)body->first_vertex,
                       bodies->triangles + 3 * (size_t)body->first_triangle,
                       soft->links + soft->link_count);
    soft->link_count += body->constraint_count;
    return RILL_OK;
}

void rl_soft_remove(rl_bodies *bodies, int n)
{
    rl_body *body = &bodies->items[n];
    rl_soft *soft = bodies->soft;
    const int first = body->first_constraint, end = first + body->constraint_count;
    memmove(soft->links + first, soft->links + end,
            (size_t)(soft->link_count - end) * sizeof *soft->links);
    RL_ASSERT(first >= 0 && end <= soft->link_count);
    soft->link_count -= end - first;
    for (int k = 0; k < bodies->def.max_bodies; k++) {
        rl_body *other = &bodies->items[k];
        if (other->alive && other->def.motion == RILL_BODY_SOFT && other->first_constraint >= end)
            other->first_constraint -= end - first;
    }
    body->first_constraint = 0;
    body->constraint_count = 0;
}

// ---- Beginning of a step ---------------------------------------------------------------

// Every vertex has its part of the surface and of its mass; `mass` holds areas on the way.
static void divide_mass(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    for (int v = 0; v < w->vertices; v++)
        soft->mass[v] = 0.0;
    w->area = 0.0;
    for (int t = 0; t < w->triangles; t++) {
        const uint32_t *corners = w->corners + 3 * (size_t)t;
        double p[3][3], across[3];
        for (int c = 0; c < 3; c++)
            rl_vertex_at(w->rest, corners[c], p[c]);
        rl_triangle_across(p[0], p[1], p[2], across);
        const double area = 0.5 * sqrt(rl_dot(across, across));
        for (int c = 0; c < 3; c++)
            soft->mass[corners[c]] += area / 3.0;
        w->area += area;
    }
    // A vertex of no triangle, or of slivers alone, still has a mass to be divided by.
    const double least = 1e-3 * w->area / w->vertices;
    RL_ASSERT(w->area > 0.0 && w->body->mass > 0.0);
    w->thickness = w->body->mass / w->area;
    for (int v = 0; v < w->vertices; v++) {
        soft->mass[v] = w->thickness * (soft->mass[v] > least ? soft->mass[v] : least);
        soft->lightness[v] = 1.0 / soft->mass[v];
    }
}

static double usable(float value)
{
    return fabs((double)value) < FARTHEST ? (double)value : 0.0;
}

static void load(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    const size_t first = 3 * (size_t)w->body->first_vertex;
    for (size_t n = 0; n < 3 * (size_t)w->vertices; n++) {
        soft->x[n] = usable(w->bodies->position[first + n]);
        soft->v[n] = usable(w->bodies->velocity[first + n]);
    }
}

double rl_soft_water_mass(const rl_bodies *bodies, const rl_body *body, double area)
{
    return rl_shape_is_open(body) ? (double)bodies->def.density * TAKES * sqrt(area) : 0.0;
}

// Accelerations that stay for the whole step, and what constraints see of masses.
static void find_pull(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    const rl_body *body = w->body;
    const double added = rl_soft_water_mass(w->bodies, body, w->area) / w->thickness;
    double turn[3];
    rl_soft_find_turn(w, body->position, body->push_torque, turn);
    for (int v = 0; v < w->vertices; v++) {
        const float *force = w->force + 3 * (size_t)v;
        const double mass = soft->mass[v];
        const double taken = rl_soft_is_wet(force) ? added * mass : 0.0;
        double arm[3], turned[3];
        rl_vector_between(body->position, soft->x + 3 * (size_t)v, arm);
        rl_cross(turn, arm, turned);
        soft->weight[v] = 1.0 / (mass + taken);
        for (int k = 0; k < 3; k++) {
            const double host = body->push[k] / body->mass + turned[k];
            const double fall = k == 2 ? -w->bodies->gravity : 0.0;
            soft->pull[3 * v + k] = soft->weight[v] * (mass * (host + fall) + usable(force[k]));
        }
    }
}

// Water lifts a body more the deeper it is, and says so once a step. Spread over the step, that
// force would come late and make a floating body bob higher and higher; all of it at once, before
// the body moves, it does not (symplectic Euler). So what moves the whole comes at once, what
// deforms it substep by substep. Only for wet bodies without pins: others have no such spring.
static void pull_whole(rl_soft_work *w, double dt)
{
    rl_soft *soft = w->soft;
    bool wet = false;
    for (int v = 0; v < w->vertices; v++)
        wet = wet || rl_soft_is_wet(w->force + 3 * (size_t)v);
    if (!wet || w->body->def.pin_count > 0)
        return;
    const rl_soft_whole whole = rl_soft_find_whole(w, soft->pull);
    for (int v = 0; v < w->vertices; v++) {
        double rigid[3];
        rl_soft_whole_at(&whole, soft->x + 3 * (size_t)v, rigid);
        rl_vector_add(soft->pull + 3 * (size_t)v, -1.0, rigid);
        rl_vector_add(soft->v + 3 * (size_t)v, dt, rigid);
    }
}

// ---- Pins ------------------------------------------------------------------------------

// Where pins are at the start and at the end of a step.
typedef struct pin_way {
    int count;
    double from[RILL_MAX_PINS][3], to[RILL_MAX_PINS][3];
} pin_way;

// The world holds its pins where they are. A body that is gone holds nothing.
static void find_pins(rl_soft_work *w, pin_way *out)
{
    const rl_body *body = w->body;
    const int holder = rl_bodies_find(w->bodies, body->def.pinned_to);
    const bool free = body->def.pinned_to.index1 != 0 && holder < 0;
    out->count = free ? 0 : body->def.pin_count;
    for (int p = 0; p < out->count; p++) {
        const int vertex = body->def.pins[p];
        memcpy(out->from[p], w->soft->x + 3 * (size_t)vertex, sizeof out->from[p]);
        memcpy(out->to[p], out->from[p], sizeof out->to[p]);
        w->soft->weight[vertex] = 0.0;
        if (holder < 0)
            continue;
        const rl_body *other = &w->bodies->items[holder];
        rl_body_turn(other->rotation, body->pin_local[p], out->to[p]);
        rl_vector_add(out->to[p], 1.0, other->position);
    }
}

static void move_pins(rl_soft_work *w, const pin_way *pins, double part)
{
    for (int p = 0; p < pins->count; p++)
        for (int k = 0; k < 3; k++)
            w->soft->x[3 * w->body->def.pins[p] + k] =
                pins->from[p][k] + part * (pins->to[p][k] - pins->from[p][k]);
}

// ---- Substeps --------------------------------------------------------------------------

static void limit_speed(double v[3])
{
    const double square = rl_dot(v, v);
    if (square < FASTEST * FASTEST)
        return;
    const double part = square < 1e300 ? FASTEST / sqrt(square) : 0.0;
    for (int k = 0; k < 3; k++)
        v[k] = part > 0.0 ? part * v[k] : 0.0;
}

static void move(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    memcpy(soft->old, soft->x, 3 * (size_t)w->vertices * sizeof *soft->old);
    for (int v = 0; v < w->vertices; v++) {
        double *speed = soft->v + 3 * (size_t)v;
        limit_speed(speed);
        rl_vector_add(soft->x + 3 * (size_t)v, w->dt, speed);
    }
}

// Velocities from the way that was made, and not into a surface that is touched.
static void find_velocities(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    for (int v = 0; v < w->vertices; v++) {
        double *speed = soft->v + 3 * (size_t)v;
        for (int k = 0; k < 3; k++)
            speed[k] = (soft->x[3 * v + k] - soft->old[3 * v + k]) / w->dt;
        const rl_soft_touch *touch = &soft->touch[v];
        if (!touch->touches)
            continue;
        const double lack = touch->speed - rl_dot(speed, touch->normal);
        for (int k = 0; k < 3 && lack > 0.0; k++)
            speed[k] += lack * touch->normal[k];
    }
}

static void substep(rl_soft_work *w, const double *wind, const pin_way *pins, int n, int count)
{
    rl_soft *soft = w->soft;
    for (size_t v = 0; v < (size_t)w->vertices; v++)
        rl_vector_add(soft->v + 3 * v, w->dt, soft->pull + 3 * v);
    if (wind != NULL)
        rl_soft_blow(w, wind);
    move(w);
    move_pins(w, pins, (n + 1) / (double)count);
    rl_soft_solve(w);
    rl_soft_contact(w, true);
    find_velocities(w);
    rl_soft_damp(w);
}

// ---- End of a step ---------------------------------------------------------------------

// Back to floats; the record has the centre of mass and its velocity.
static void store(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    rl_body *body = w->body;
    const size_t first = 3 * (size_t)body->first_vertex;
    for (int v = 0; v < w->vertices; v++) {
        limit_speed(soft->v + 3 * (size_t)v);
        for (int k = 0; k < 3; k++) {
            const size_t at = 3 * (size_t)v + (size_t)k;
            if (fabs(soft->x[at]) < FARTHEST)
                w->bodies->position[first + at] = (float)soft->x[at];
            w->bodies->velocity[first + at] = (float)soft->v[at];
        }
    }
    const rl_soft_whole whole = rl_soft_find_whole(w, soft->v);
    memcpy(body->position, whole.centre, sizeof body->position);
    memcpy(body->velocity, whole.mean, sizeof body->velocity);
    memset(body->spin, 0, sizeof body->spin);
    memset(body->rotation, 0, sizeof body->rotation);
    body->rotation[3] = 1.0;
}

static rl_soft_work begin(rl_bodies *bodies, int n, const rl_body_ground *ground)
{
    rl_body *body = &bodies->items[n];
    rl_soft_work w = {.bodies = bodies,
                      .soft = bodies->soft,
                      .body = body,
                      .ground = ground,
                      .vertices = body->vertex_count,
                      .triangles = body->triangle_count,
                      .links = body->constraint_count,
                      .rest = bodies->rest + 3 * (size_t)body->first_vertex,
                      .force = bodies->force + 3 * (size_t)body->first_vertex,
                      .corners = bodies->triangles + 3 * (size_t)body->first_triangle,
                      .link = bodies->soft->links + body->first_constraint,
                      .sheet = rl_shape_is_open(body),
                      .fastest = FASTEST};
    divide_mass(&w);
    w.skin = w.sheet ? SKIN * sqrt(2.0 * w.area / w.triangles) : 0.0;
    return w;
}

static void step_body(rl_bodies *bodies, int n, const rl_body_ground *ground, const double *wind,
                      double dt)
{
    rl_soft_work w = begin(bodies, n, ground);
    const double longest = (double)bodies->def.engine_step / SUBSTEPS;
    const int count = dt > longest ? (int)(dt / longest + 0.999) : 1;
    RL_ASSERT(count > 0);
    w.dt = dt / count;
    load(&w);
    find_pull(&w);
    pull_whole(&w, dt);
    pin_way pins;
    find_pins(&w, &pins);
    rl_soft_find_neighbours(&w, dt);
    rl_soft_contact(&w, false);
    if (wind != NULL)
        rl_soft_find_gusts(&w, wind);
    for (int s = 0; s < count; s++)
        substep(&w, wind, &pins, s, count);
    store(&w);
    w.body->air_time += dt;
    rl_body_measure(bodies, n);
}

void rl_soft_step(rl_bodies *bodies, const rl_body_ground *ground, const double wind[3], double dt)
{
    for (int n = 0; dt > 0.0 && n < bodies->def.max_bodies; n++)
        if (bodies->items[n].alive && bodies->items[n].def.motion == RILL_BODY_SOFT)
            step_body(bodies, n, ground, wind, dt);
}
