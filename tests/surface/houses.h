// SPDX-License-Identifier: MIT
// houses.h - columns above each other, made by hand, and their surface: for the tests of the
// surface room.
#pragma once

#include "surface/surface_internal.h"
#include "tests/kit/kit.h"
#include "tests/surface/mesh_checker.h"

#define LAYERS 5
#define SIDE   28
#define PITCH  32 // unlike SIDE, so that a mistaken pitch shows
#define CELLS  (SIDE * PITCH)

#define SKY  1e30f
#define DEEP (-1e30f)

// ---- Houses ----------------------------------------------------------------------------

// Columns above each other, as a water would show them.
typedef struct house {
    float base[LAYERS * CELLS], depth[LAYERS * CELLS], u[LAYERS * CELLS];
    float low[LAYERS * CELLS], high[LAYERS * CELLS];
    rill_columns columns;
    rl_surface *surface; // of the last build
} house;

static const rl_surface_runner serial = {0};
static const rill_surface_def bare = {.opaque_depth = 0.5f};
static const rill_surface_def full = {
    .opaque_depth = 0.5f, .minimum_thickness = 0.05f, .fine_shore = 1, .curtains = 1};

static inline house *house_create(int nx, int ny, float cell_size)
{
    house *h = calloc(1, sizeof *h);
    assert_non_null(h);
    for (int k = 0; k < LAYERS * CELLS; k++) {
        h->low[k] = SKY;
        h->high[k] = DEEP;
        h->u[k] = 0.25f;
    }
    h->columns =
        (rill_columns){nx,      ny,       LAYERS, PITCH, CELLS,  cell_size, 1e-4f * cell_size,
                       h->base, h->depth, h->u,   h->u,  h->low, h->high};
    return h;
}

static inline size_t at(int i, int j, int layer)
{
    return (size_t)(layer * CELLS + j * PITCH + i);
}

// A solid between two elevations.
typedef struct slab {
    float bottom, top;
} slab;

// One storey: liquid of this depth on the ground, then on each slab from below.
static inline void set_cell(house *h, int i, int j, float ground, const slab *slabs, int count,
                            const float *depth)
{
    for (int n = 0; n <= count; n++) {
        const size_t k = at(i, j, n == count ? 0 : n + 1);
        h->low[k] = n == 0 ? DEEP : slabs[n - 1].bottom;
        h->base[k] = n == 0 ? ground : slabs[n - 1].top;
        h->high[k] = n == count ? SKY : slabs[n].bottom;
        h->depth[k] = depth[n];
    }
}

static inline rill_mesh build(house *h, rill_surface_def def)
{
    rl_surface_destroy(&h->surface);
    assert_ok(rl_surface_create(NULL, h->columns.nx, h->columns.ny, LAYERS, &def, &h->surface));
    assert_ok(rl_surface_build(h->surface, &h->columns, serial));
    return rl_surface_mesh(h->surface);
}

static inline void house_destroy(house **at)
{
    house *h = *at;
    rl_surface_destroy(&h->surface);
    free(h);
}

static inline void check(const house *h, const char *what)
{
    const rill_mesh m = rl_surface_mesh(h->surface);
    const mesh_ground ground = mesh_ground_of_columns(&h->columns);
    const mesh_report report = mesh_check(&m, &h->columns, &ground);
    if (mesh_report_bad(&report))
        fail_msg("%s: %s (%d open, %d bad, %d without area, %d unused, %d odd, %d below)", what,
                 report.text, report.open_edges, report.bad_edges, report.degenerate, report.unused,
                 report.odd_numbers, report.below_ground);
}

// The vertex at a place, z within a thousandth, or NULL.
static inline const rill_vertex *vertex_at(rill_mesh m, float x, float y, float z)
{
    for (size_t k = 0; k < m.vertex_count; k++) {
        const float *p = m.vertices[k].position;
        if (fabsf(p[0] - x) < 1e-4f && fabsf(p[1] - y) < 1e-4f && fabsf(p[2] - z) < 1e-3f)
            return &m.vertices[k];
    }
    return NULL;
}

// Under a shelf liquid stands against a wall that goes up through the shelf: the wall's column is
// not linked, since its floor is above the ceiling.
static inline house *pool_against_wall(int ny, float step)
{
    house *h = house_create(4, ny, 1.0f);
    const slab shelf = {2.0f, 2.5f};
    for (int j = 0; j < ny; j++) {
        const float depth[2] = {1.0f + step * (float)j, 0.0f};
        for (int i = 0; i < 3; i++)
            set_cell(h, i, j, 0.0f, &shelf, 1, depth);
        set_cell(h, 3, j, 5.0f, NULL, 0, (const float[]){0.0f});
    }
    return h;
}
