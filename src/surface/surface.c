// SPDX-License-Identifier: MIT
#include "surface/surface.h"

#include "core/memory.h"
#include "core/status.h"
#include "surface/lattice.h"

#include "rill/terrain.h"

#include <assert.h>
#include <math.h>

// ---- Life ------------------------------------------------------------------------------

static rill_status check(int nx, int ny, int layers, const rill_surface_def *def)
{
    if (nx < 1 || ny < 1 || nx > RILL_MAX_SIDE || ny > RILL_MAX_SIDE ||
        (int64_t)nx * ny > RILL_MAX_CELLS)
        return rl_fail(RILL_BAD_ARGUMENT, "a surface of %d x %d cells is outside 1 to %d a side",
                       nx, ny, RILL_MAX_SIDE);
    if (layers != 1)
        return rl_fail(RILL_BAD_ARGUMENT, "a surface has one layer of columns, not %d", layers);
    if (!(def->opaque_depth > 0.0f) || !isfinite(def->opaque_depth))
        return rl_fail(RILL_BAD_DEF, "opaque_depth is %g, it must be positive",
                       (double)def->opaque_depth);
    if (!(def->minimum_thickness >= 0.0f && def->minimum_thickness <= 1.0f))
        return rl_fail(RILL_BAD_DEF, "minimum_thickness is %g, it must be in 0 to 1",
                       (double)def->minimum_thickness);
    return RILL_OK;
}

// The next `bytes` of the pool, on a cache line; the pool may be NULL to learn the sum.
static void *carve(const rl_surface *s, size_t *used, size_t bytes)
{
    void *piece = s->pool == NULL ? NULL : (unsigned char *)s->pool + *used;
    *used += (bytes + RL_ALIGNMENT - 1) / RL_ALIGNMENT * RL_ALIGNMENT;
    return piece;
}

// Places all arrays in the pool and returns the bytes they take.
static size_t lay_out(rl_surface *s)
{
    const size_t points = s->pitch * (size_t)(s->ny + 2);
    const size_t quads = (size_t)(s->nx + 1) * (size_t)(s->ny + 1);
    size_t used = 0;
    s->vertices = carve(s, &used, points * sizeof *s->vertices);
    s->indices = carve(s, &used, quads * 6 * sizeof *s->indices);
    s->number = carve(s, &used, points * sizeof *s->number);
    s->level = carve(s, &used, points * sizeof *s->level);
    s->height = carve(s, &used, points * sizeof *s->height);
    s->wet = carve(s, &used, points);
    s->near = carve(s, &used, points);
    s->corner = carve(s, &used, points);
    s->quad = carve(s, &used, points + 2 * s->pitch + 1);
    if (s->quad != NULL)
        s->quad += s->pitch + 1;
    s->tiles = carve(s, &used, (size_t)s->tile_count * sizeof *s->tiles);
    return used;
}

rill_status rl_surface_create(const rill_allocator *allocator, int nx, int ny, int layers,
                              const rill_surface_def *def, rl_surface **out)
{
    *out = NULL;
    rill_status status = check(nx, ny, layers, def);
    if (status != RILL_OK)
        return status;

    rl_surface *s = rl_alloc(allocator, sizeof *s);
    if (s == NULL)
        return rl_fail(RILL_NO_MEMORY, "no memory for a surface of %d x %d cells", nx, ny);
    if (allocator != NULL)
        s->allocator = *allocator;
    s->nx = nx;
    s->ny = ny;
    s->opaque_depth = def->opaque_depth;
    s->minimum_thickness = def->minimum_thickness;
    s->pitch = (size_t)nx + 2;
    s->tile_count = (ny + 2 + RL_SURFACE_TILE_ROWS - 1) / RL_SURFACE_TILE_ROWS;

    // A point takes less than 128 bytes in all; if that many can be counted, lay_out cannot wrap.
    size_t bound;
    if (rl_multiply_sizes(s->pitch * (size_t)(ny + 2), 128, &bound)) {
        s->pool_bytes = lay_out(s);
        s->pool = rl_alloc(allocator, s->pool_bytes);
    }
    if (s->pool == NULL) {
        rl_surface_destroy(&s);
        return rl_fail(RILL_NO_MEMORY, "no memory for the mesh of %d x %d cells", nx, ny);
    }
    lay_out(s);
    *out = s;
    return RILL_OK;
}

void rl_surface_destroy(rl_surface **surface)
{
    if (surface == NULL || *surface == NULL)
        return;
    rl_surface *s = *surface;
    const rill_allocator allocator = s->allocator;
    rl_free(&allocator, s->pool, s->pool_bytes);
    rl_free(&allocator, s, sizeof *s);
    *surface = NULL;
}

// ---- Build -----------------------------------------------------------------------------

static void for_tiles(rl_surface *s, rl_surface_runner runner, rill_task task)
{
    if (runner.run != NULL) {
        runner.run(runner.user, s->tile_count, task, s);
        return;
    }
    for (int tile = 0; tile < s->tile_count; tile++)
        task(s, tile);
}

// Where each tile starts, from what the tiles before it add.
static void place_tiles(rl_surface *s)
{
    size_t vertices = 0, triangles = 0;
    for (int t = 0; t < s->tile_count; t++) {
        s->tiles[t].first_vertex = vertices;
        s->tiles[t].first_triangle = triangles;
        vertices += s->tiles[t].vertices;
        triangles += s->tiles[t].triangles;
    }
    s->vertex_count = vertices;
    s->index_count = 3 * triangles;
}

void rl_surface_build(rl_surface *surface, const rill_columns *columns, rl_surface_runner runner)
{
    rl_surface *s = surface;
    assert(columns->nx == s->nx && columns->ny == s->ny && columns->layers == 1);
    s->columns = columns;
    for_tiles(s, runner, rl_surface_level_tile);
    for_tiles(s, runner, rl_surface_shore_tile);
    for_tiles(s, runner, rl_surface_quads_tile);
    for_tiles(s, runner, rl_surface_count_tile);
    place_tiles(s);
    for_tiles(s, runner, rl_surface_vertices_tile);
    for_tiles(s, runner, rl_surface_triangles_tile);
    s->columns = NULL;
}

rill_mesh rl_surface_mesh(const rl_surface *surface)
{
    if (surface->index_count == 0)
        return (rill_mesh){0};
    return (rill_mesh){.vertices = surface->vertices,
                       .indices = surface->indices,
                       .vertex_count = surface->vertex_count,
                       .index_count = surface->index_count};
}

size_t rl_surface_memory(const rl_surface *surface)
{
    return sizeof *surface + surface->pool_bytes;
}
