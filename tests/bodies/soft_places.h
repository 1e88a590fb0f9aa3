// SPDX-License-Identifier: MIT
// soft_places.h - for tests: a ground with soft bodies on it, without water, and what to ask them.
#pragma once

#include "tests/kit/counting_host.h"
#include "tests/kit/worlds.h"

#include "bodies/bodies_internal.h"

#include "rill/rill.h"
#include "rill/support.h"

#include <math.h>

#define CELLS   32
#define CELL    0.5
#define GRAVITY 9.81
#define DT      (1.0 / 60.0)
// Short steps are at most a quarter of the engine's, so this is the longest there may be.
#define LONGEST (DT / 4.0)

static const double calm[3] = {0.0, 0.0, 0.0};

// ---- A place for bodies ----------------------------------------------------------------

typedef struct place {
    rl_bodies *bodies;
    rill_field bed;
    rl_body_ground ground;
} place;

static inline place make_place(double gravity)
{
    place p = {.bodies = NULL};
    rill_world_def def = grid_def(CELLS, CELLS, CELL);
    def.gravity = (float)gravity;
    def.bodies.max_bodies = 8;
    def.bodies.max_vertices = 2000;
    def.bodies.max_triangles = 4000;
    assert_ok(rl_bodies_create(&def, false, &p.bodies));
    assert_true(rill_field_create(NULL, CELLS, CELLS, 2, &p.bed));
    return p;
}

static inline void run(place *p, const double *wind, int steps)
{
    p->ground.bed = &p->bed;
    for (int s = 0; s < steps; s++)
        rl_soft_step(p->bodies, &p->ground, wind, DT);
}

static inline void place_destroy(place *p)
{
    rl_bodies_destroy(&p->bodies);
    rill_field_destroy(NULL, &p->bed);
}

static inline rl_body *add(place *p, rill_body_def def)
{
    rill_body_id id;
    assert_ok(rl_bodies_add(p->bodies, &def, &id));
    return &p->bodies->items[rl_bodies_find(p->bodies, id)];
}

static inline rill_body_def body_def(rill_body_motion motion, rill_body_shape shape, double height)
{
    rill_body_def def = rill_default_body_def();
    def.motion = motion;
    def.shape = shape;
    set3(def.position, 8.0, 8.0, height);
    return def;
}

// Cloth of 0.2 kg/m^2, 12 x 8 squares of 0.1 m, flat.
static inline rill_body_def cloth_def(double height)
{
    rill_body_def def = body_def(RILL_BODY_SOFT, RILL_BODY_SHEET, height);
    def.size[0] = 1.2;
    def.size[1] = 0.8;
    def.density = 0.2;
    return def;
}

static inline rill_body_def ball_def(double height)
{
    rill_body_def def = body_def(RILL_BODY_SOFT, RILL_BODY_SPHERE, height);
    def.density = 100.0;
    return def;
}

// Upright, its side of least x held by the world or by another body.
static inline rill_body_def flag_def(void)
{
    rill_body_def def = cloth_def(6.0);
    def.rotation[0] = def.rotation[3] = sqrt(0.5);
    def.pin_count = 9;
    for (int j = 0; j < 9; j++)
        def.pins[j] = 13 * j;
    return def;
}

static inline const float *position_of(const place *p, const rl_body *body, int vertex)
{
    return p->bodies->position + 3 * (size_t)(body->first_vertex + vertex);
}

static inline float *velocity_of(const place *p, const rl_body *body, int vertex)
{
    return p->bodies->velocity + 3 * (size_t)(body->first_vertex + vertex);
}

static inline double apart(const float *a, const float *b)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++)
        square += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(square);
}

static inline double fastest_point(const place *p, const rl_body *body)
{
    static const float none[3] = {0.0f, 0.0f, 0.0f};
    double most = 0.0;
    for (int v = 0; v < body->vertex_count; v++)
        most = fmax(most, apart(velocity_of(p, body, v), none));
    return most;
}

// The longest side of any triangle over what it is at rest, less one.
static inline double stretch(const place *p, const rl_body *body)
{
    const float *rest = p->bodies->rest + 3 * (size_t)body->first_vertex;
    const uint32_t *corners = p->bodies->triangles + 3 * (size_t)body->first_triangle;
    double most = 0.0;
    for (int n = 0; n < 3 * body->triangle_count; n++) {
        const uint32_t a = corners[n], b = corners[n % 3 == 2 ? n - 2 : n + 1];
        const double now = apart(position_of(p, body, (int)a), position_of(p, body, (int)b));
        most = fmax(most, now / apart(rest + 3 * (size_t)a, rest + 3 * (size_t)b) - 1.0);
    }
    return most;
}

static inline double volume(const place *p, const rl_body *body)
{
    const rl_body_mesh mesh = {p->bodies->position + 3 * (size_t)body->first_vertex,
                               p->bodies->triangles + 3 * (size_t)body->first_triangle,
                               body->vertex_count, body->triangle_count};
    return rl_body_measure_mesh(&mesh).volume;
}

static inline double random_within(uint64_t index, double most)
{
    return most * (2.0 * (double)rl_random_unit(7, 1, index) - 1.0);
}
