// SPDX-License-Identifier: MIT
// ground_worlds.h - for tests: worlds on solids that change, and ways to compare their grounds.
#pragma once

#include "tests/kit/counting_host.h"
#include "tests/kit/solids.h"
#include "tests/kit/worlds.h"

#include "rill/rill.h"

#define NX  40
#define NY  32
#define DX  0.1
#define TOP 3.0

#define CELL_AREA (DX * DX)

// Flat ground.
static inline rill_solid *solid_up_to(double floor_z)
{
    rill_solid *solid = make_air(NX, NY, DX, TOP);
    combine(solid, placed(RILL_SDF_PLANE, 0.0, 0.0, floor_z), RILL_COMBINE_UNION);
    return solid;
}

#define FLOOR 0.52 // between nodes
static inline rill_solid *flat_solid(void)
{
    return solid_up_to(FLOOR);
}

// Roofs, a cave and a bump on it.
static inline rill_solid *rough_solid(void)
{
    rill_solid *solid = flat_solid();
    combine(solid, ball_at(1.2, 1.3, 0.4, 0.55), RILL_COMBINE_UNION);
    combine(solid, box_at(2.9, 1.7, 1.25, 1.3, 1.6, 0.3), RILL_COMBINE_UNION);
    combine(solid, ball_at(2.7, 1.6, 1.3, 0.25), RILL_COMBINE_SUBTRACT);
    combine(solid, box_at(0.7, 2.7, 0.9, 0.8, 0.6, 1.0), RILL_COMBINE_UNION);
    combine(solid, ball_at(0.9, 2.5, 0.8, 0.3), RILL_COMBINE_SUBTRACT);
    return solid;
}

static inline rill_world_def ground_def(const rill_solid *solid)
{
    rill_world_def def = grid_def(NX, NY, DX);
    def.solver = RILL_SOLVER_LAYERS;
    def.solid = solid;
    def.layers.max_layers = 4;
    def.layers.max_movers = 4;
    return def;
}

// The solid is not needed any more once there is a world.
static inline rill_world *make_world_on(rill_solid *solid, rill_world_def *def)
{
    def->solid = solid;
    rill_world *world = make_world(def);
    rill_solid_destroy(&solid);
    return world;
}

static inline rill_world *world_on(rill_solid *solid, double level)
{
    rill_world_def def = ground_def(NULL);
    def.use_level = 1;
    def.level = (float)level;
    return make_world_on(solid, &def);
}

// What flows is added up in floats, six parts in 1e8 of it; most liquid hardly moves.
static inline void assert_books_closed(rill_world *world)
{
    const rill_ledger ledger = rill_world_ledger(world);
    if (!(ledger.error < 2e-8) || ledger.corrected != 0.0)
        fail_msg("ledger error %g, corrected %g m^3", ledger.error, ledger.corrected);
}

// A change of the ground alone moves liquid to the last digit.
static inline void assert_same_volume(rill_world *world, double before)
{
    const rill_ledger ledger = rill_world_ledger(world);
    if (!(fabs(ledger.water - before) <= 1e-12 * before) || ledger.corrected != 0.0)
        fail_msg("%.15g m^3 were there and %.15g are, %g corrected", before, ledger.water,
                 ledger.corrected);
}

// Liquid in cells [i0, i1) of the layers [first, end), m^3. Depths are floats.
static inline double volume_in(rill_world *world, int i0, int i1, int first, int end)
{
    const rill_columns c = rill_world_columns(world);
    double sum = 0.0;
    for (int k = first; k < end && k < c.layers; k++)
        for (int j = 0; j < c.ny; j++)
            for (int i = i0; i < i1; i++)
                sum +=
                    (double)c.depth[(size_t)k * c.layer_stride + (size_t)j * c.pitch + (size_t)i];
    return sum * CELL_AREA;
}

// Mean level of open columns in cells [i0, i1).
static inline double level_in(rill_world *world, int i0, int i1)
{
    const rill_columns c = rill_world_columns(world);
    double sum = 0.0;
    for (int j = 0; j < c.ny; j++)
        for (int i = i0; i < i1; i++) {
            const size_t slot = (size_t)j * c.pitch + (size_t)i;
            sum += (double)c.base[slot] + (double)c.depth[slot];
        }
    return sum / (c.ny * (double)(i1 - i0));
}

// One array of a world's columns, without gaps.
#define MOST_VALUES (9 * NX * NY)
static inline void copy_values(const rill_columns *c, const float *from, float *to)
{
    for (int k = 0; k < c->layers; k++)
        for (int j = 0; j < c->ny; j++)
            memcpy(to + (k * c->ny + j) * c->nx,
                   from + (size_t)k * c->layer_stride + (size_t)j * c->pitch,
                   (size_t)c->nx * sizeof *to);
}

// Whether two worlds have the same columns, wet or dry, to the last bit.
static inline bool same_ground(rill_world *a, rill_world *b)
{
    static float of_a[MOST_VALUES], of_b[MOST_VALUES];
    const rill_columns ca = rill_world_columns(a), cb = rill_world_columns(b);
    const float *fields[3][2] = {
        {ca.base, cb.base}, {ca.range_min, cb.range_min}, {ca.range_max, cb.range_max}};
    assert_int_equal(ca.layers, cb.layers);
    bool same = true;
    for (int n = 0; n < 3; n++) {
        copy_values(&ca, fields[n][0], of_a);
        copy_values(&cb, fields[n][1], of_b);
        same = same && memcmp(of_a, of_b, (size_t)(ca.layers * NX * NY) * sizeof(float)) == 0;
    }
    return same;
}

// The same of their triangles, whose normals and openness see the distances around them.
static inline bool same_mesh(rill_world *a, rill_world *b)
{
    const rill_ground_mesh of_a = rill_world_ground_mesh(a), of_b = rill_world_ground_mesh(b);
    assert_true(of_a.index_count > 0);
    return of_a.vertex_count == of_b.vertex_count && of_a.index_count == of_b.index_count &&
           memcmp(of_a.vertices, of_b.vertices, of_a.vertex_count * sizeof *of_a.vertices) == 0 &&
           memcmp(of_a.indices, of_b.indices, of_a.index_count * sizeof *of_a.indices) == 0;
}

// A pyramid on a square, its foot in the origin.
static inline rill_triangles *pyramid(const rill_host *host)
{
    const float vertices[15] = {-0.3f, -0.3f, 0.0f, 0.3f, -0.3f, 0.0f, 0.3f, 0.3f,
                                0.0f,  -0.3f, 0.3f, 0.0f, 0.0f,  0.0f, 0.8f};
    const uint32_t indices[18] = {0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    rill_triangles *triangles = NULL;
    assert_ok(rill_triangles_create(vertices, 5, indices, 18, host, &triangles));
    return triangles;
}
