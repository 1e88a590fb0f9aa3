// SPDX-License-Identifier: MIT
// engine_arena.h - a small world of rigid bodies for tests: a ground, bodies, an engine, no water.
#pragma once

#include "bodies/rigid/engine.h"
#include "tests/kit/kit.h"

#include "rill/rill.h"

#define GRAVITY 9.81
#define STEP    (1.0 / 60.0)

typedef struct arena {
    rl_bodies *bodies;
    rl_engine *engine;
    rill_field bed;
    rl_body_ground ground;
} arena;

// 40 x 30 cells of 0.5 m on a bed of elevation slope * x.
static inline arena make_arena(double gravity, double slope)
{
    rill_world_def def = {.nx = 40, .ny = 30, .cell_size = 0.5f, .gravity = (float)gravity};
    def.bodies = rill_default_bodies_def();
    def.bodies.max_bodies = 256;
    def.bodies.max_vertices = 20000;
    def.bodies.max_triangles = 40000;
    arena a = {0};
    assert_ok(rl_bodies_create(&def, false, &a.bodies));
    assert_true(rill_field_create(NULL, def.nx, def.ny, 1, &a.bed));
    for (int j = 0; j < def.ny; j++)
        for (int i = 0; i < def.nx; i++)
            rill_field_row(&a.bed, j)[i] = (float)(slope * 0.5 * (i + 0.5));
    assert_ok(rl_engine_of_build->create(a.bodies, &a.engine));
    return a;
}

// The ground must not keep a pointer into an arena that was copied.
static inline rl_body_ground ground_of(arena *a)
{
    a->ground.bed = &a->bed;
    return a->ground;
}

static inline void arena_destroy(arena *a)
{
    rl_engine_of_build->destroy(&a->engine);
    rill_field_destroy(NULL, &a->bed);
    rl_bodies_destroy(&a->bodies);
}

static inline rill_body_def body_at(double x, double y, double z)
{
    rill_body_def def = rill_default_body_def();
    set3(def.position, x, y, z);
    return def;
}

static inline int put(arena *a, rill_body_def def)
{
    rill_body_id id = {0};
    assert_ok(rl_bodies_add(a->bodies, &def, &id));
    rl_engine_of_build->rebuild(a->engine, a->bodies);
    return rl_bodies_find(a->bodies, id);
}

static inline int put_box(arena *a, double x, double y, double z)
{
    return put(a, body_at(x, y, z));
}

static inline void run(arena *a, int steps)
{
    const rl_body_ground ground = ground_of(a);
    for (int n = 0; n < steps; n++)
        rl_engine_of_build->step(a->engine, a->bodies, NULL, &ground, STEP);
}

static inline double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline void assert_less(double value, double bound)
{
    if (!(value < bound))
        fail_msg("%.12g is not less than %.12g", value, bound);
}

static inline void assert_same_bits(const rl_bodies *a, const rl_bodies *b)
{
    for (int n = 0; n < a->def.max_bodies; n++) {
        const rl_body *p = &a->items[n], *q = &b->items[n];
        assert_int_equal(p->alive, q->alive);
        assert_memory_equal(p->position, q->position, sizeof p->position);
        assert_memory_equal(p->rotation, q->rotation, sizeof p->rotation);
        assert_memory_equal(p->velocity, q->velocity, sizeof p->velocity);
        assert_memory_equal(p->spin, q->spin, sizeof p->spin);
    }
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->position, b->position, (size_t)a->vertex_count * 3 * sizeof(float));
}

// A mesh that is not convex: the letter L, 1 m long and wide, lying, 0.5 m thick.
static inline rill_body_def bracket_at(double x, double y, double z)
{
    static const float vertices[12 * 3] = {
        0, 0, 0,    1, 0, 0,    1, 0.5f, 0,    0.5f, 0.5f, 0,    0.5f, 1, 0,    0, 1, 0,
        0, 0, 0.5f, 1, 0, 0.5f, 1, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 1, 0.5f, 0, 1, 0.5f};
    static const uint32_t triangles[20 * 3] = {0, 2,  1, 0, 3, 2,  0, 4,  3,  0, 5, 4, 6, 7, 8,
                                               6, 8,  9, 6, 9, 10, 6, 10, 11, 0, 1, 7, 0, 7, 6,
                                               1, 2,  8, 1, 8, 7,  2, 3,  9,  2, 9, 8, 3, 4, 10,
                                               3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11};
    rill_body_def def = body_at(x, y, z);
    def.shape = RILL_BODY_MESH;
    def.vertices = vertices;
    def.triangles = triangles;
    def.vertex_count = 12;
    def.triangle_count = 20;
    return def;
}
