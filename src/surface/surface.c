// SPDX-License-Identifier: MIT
// surface.c - creation and destruction of a surface, and the order of the passes of a build.
#include "core/assert.h"
#include "core/memory.h"
#include "surface/lattice.h"
#include "surface/meniscus_rows.h"

#include "rill/support.h"
#include "rill/terrain.h"

#include <math.h>

// The fewest vertices that are reserved for ends of surfaces and edges.
#define LEAST_RESERVE 65536
// The most vertices that can be counted with one slot: itself, and on each side an edge vertex with
// a curtain.
#define MOST_PER_SLOT 13

// ---- Creation and destruction ----------------------------------------------------------

static rill_status check_size(int nx, int ny, int layers)
{
    if (nx < 1 || ny < 1 || nx > RILL_MAX_SIDE || ny > RILL_MAX_SIDE ||
        (int64_t)nx * ny > RILL_MAX_CELLS)
        return rill_fail(RILL_BAD_ARGUMENT, "a surface of %d x %d cells is outside 1 to %d a side",
                         nx, ny, RILL_MAX_SIDE);
    if (layers < 1 || layers > RL_SURFACE_MAX_LAYERS)
        return rill_fail(RILL_BAD_ARGUMENT, "a surface has 1 to %d layers of columns, not %d",
                         RL_SURFACE_MAX_LAYERS, layers);
    return RILL_OK;
}

static rill_status check_def(const rill_surface_def *def)
{
    if (!(def->opaque_depth > 0.0f) || !isfinite(def->opaque_depth))
        return rill_fail(RILL_BAD_DEF, "opaque_depth is %g, it must be positive",
                         (double)def->opaque_depth);
    if (!(def->minimum_thickness >= 0.0f && def->minimum_thickness <= 1.0f))
        return rill_fail(RILL_BAD_DEF, "minimum_thickness is %g, it must be in 0 to 1",
                         (double)def->minimum_thickness);
    if (!(def->meniscus_length >= 0.0f) || !isfinite(def->meniscus_length))
        return rill_fail(RILL_BAD_DEF, "meniscus_length is %g, it must not be negative",
                         (double)def->meniscus_length);
    if (!(def->contact_angle >= 0.0f && def->contact_angle <= 180.0f))
        return rill_fail(RILL_BAD_DEF, "contact_angle is %g, it must be in 0 to 180 degrees",
                         (double)def->contact_angle);
    return RILL_OK;
}

// Returns the next `bytes` of the pool, on a cache line; without a pool (NULL) it only adds up the
// bytes.
static void *carve(const rl_surface *s, size_t *used, size_t bytes)
{
    void *segment = s->pool == NULL ? NULL : (unsigned char *)s->pool + *used;
    *used += (bytes + RILL_ALIGNMENT - 1) / RILL_ALIGNMENT * RILL_ALIGNMENT;
    return segment;
}

// Returns an array of a byte a slot; the rows above and below and a point before are zero and stay
// so.
static void *carve_bytes(const rl_surface *s, size_t *used)
{
    const size_t margin = s->pitch + RILL_ALIGNMENT;
    uint8_t *segment = carve(s, used, s->plane * (size_t)s->layers + 2 * margin);
    return segment != NULL ? segment + margin : NULL;
}

static void lay_out_lattice(rl_surface *s, size_t *used)
{
    const size_t slots = s->plane * (size_t)s->layers;
    s->number = carve(s, used, slots * sizeof *s->number);
    s->level = carve(s, used, slots * sizeof *s->level);
    s->height = carve(s, used, slots * sizeof *s->height);
    s->link_layer = carve(s, used, slots * 4);
    s->only = carve(s, used, slots * 4);
    s->edge = carve(s, used, slots * 4 * sizeof *s->edge);
    uint8_t **const bytes[] = {&s->wet,     &s->forward,  &s->sure,  &s->lone,
                               &s->link,    &s->wet_link, &s->plain, &s->cut,
                               &s->crossed, &s->corner,   &s->extra, &s->quad};
    for (size_t n = 0; n < sizeof bytes / sizeof bytes[0]; n++)
        *bytes[n] = carve_bytes(s, used);
    s->outward = carve(s, used, s->plane);
    s->special = carve(s, used, s->plane);
    s->highest = carve(s, used, s->plane);
    s->below = carve(s, used, (size_t)s->tile_count * s->pitch);
    s->rows = carve(s, used, (size_t)s->layers * (size_t)(s->ny + 2) * sizeof *s->rows);
    s->idle = carve(s, used, (size_t)s->layers * (size_t)(s->ny + 2));
    s->tiles = carve(s, used, (size_t)s->tile_count * sizeof *s->tiles);
    s->polygons =
        carve(s, used, (size_t)s->tile_count * s->polygon_capacity * 3 * sizeof *s->polygons);
    if (s->layers > 1) {
        const size_t cells = (size_t)s->nx * (size_t)s->ny;
        s->stack_first = carve(s, used, (cells + 1) * sizeof *s->stack_first);
        s->stacks = carve(s, used, cells * (size_t)s->layers * sizeof *s->stacks);
        s->live = carve(s, used, (size_t)s->layers * (size_t)s->ny * sizeof *s->live);
    }
}

static void lay_out_meniscus(rl_surface *s, size_t *used)
{
    const size_t slots = s->plane * (size_t)s->layers;
    const size_t rows = (size_t)s->layers * (size_t)(s->ny + 2);
    const size_t most = (size_t)s->nx * RL_SURFACE_TILE_ROWS * (size_t)s->layers;
    s->meniscus = carve(s, used, s->vertex_capacity * sizeof *s->meniscus);
    for (int copy = 0; copy < 2; copy++) {
        for (int field = 0; field < RL_SHORE_FIELDS; field++)
            s->shore[copy][field] = carve(s, used, slots * sizeof *s->shore[copy][field]);
        s->moved[copy] = carve_bytes(s, used);
        s->moving[copy] = carve(s, used, rows * sizeof *s->moving[copy]);
    }
    s->alone = carve_bytes(s, used);
    s->known = carve(s, used, rows * sizeof *s->known);
    s->crossing = carve(s, used, (size_t)s->tile_count * sizeof *s->crossing);
    for (int tile = 0; tile < s->tile_count; tile++) {
        rl_shore_column *columns = carve(s, used, most * sizeof *columns);
        if (s->pool != NULL)
            s->crossing[tile].columns = columns;
    }
}

// Places all arrays in the pool and returns the bytes they take.
static size_t lay_out(rl_surface *s)
{
    RL_ASSERT(s->vertex_capacity > 0 && s->tile_count > 0);
    size_t used = 0;
    s->vertices = carve(s, &used, s->vertex_capacity * sizeof *s->vertices);
    s->indices = carve(s, &used, s->triangle_capacity * 3 * sizeof *s->indices);
    lay_out_lattice(s, &used);
    if (s->def.meniscus_length > 0.0f)
        lay_out_meniscus(s, &used);
    return used;
}

static void set_size(rl_surface *s, int nx, int ny, int layers)
{
    s->nx = nx;
    s->ny = ny;
    s->layers = layers;
    s->pitch = (size_t)nx + 2;
    s->plane = s->pitch * (size_t)(ny + 2);
    s->tile_count = (ny + 2 + RL_SURFACE_TILE_ROWS - 1) / RL_SURFACE_TILE_ROWS;
    const size_t slots = s->plane * (size_t)layers;
    size_t reserve = s->plane / 2 > LEAST_RESERVE ? s->plane / 2 : LEAST_RESERVE;
    if (reserve > (MOST_PER_SLOT - 1) * slots)
        reserve = (MOST_PER_SLOT - 1) * slots;
    s->vertex_capacity = slots + reserve;
    s->triangle_capacity = 2 * (slots + reserve);
    s->polygon_capacity = s->pitch * RL_SURFACE_TILE_ROWS * (layers > 1 ? 8 : 1) / 4;
}

rill_status rl_surface_create(const rill_allocator *allocator, int nx, int ny, int layers,
                              const rill_surface_def *def, rl_surface **out)
{
    *out = NULL;
    RILL_TRY(check_size(nx, ny, layers));
    RILL_TRY(check_def(def));
    rl_isa isa;
    RILL_TRY(rl_isa_pick(&isa));

    rl_surface *s = rill_alloc(allocator, sizeof *s);
    if (s == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a surface of %d x %d cells", nx, ny);
    if (allocator != NULL)
        s->allocator = *allocator;
    s->def = *def;
    s->def.host = NULL;
    s->meniscus_rows = RL_ROWS_OF(isa, rl_meniscus_rows);
    set_size(s, nx, ny, layers);

    // A slot takes less than 1024 bytes in all; if that many can be counted, lay_out cannot
    // overflow.
    size_t bound;
    if (rl_multiply_sizes(s->plane * (size_t)layers, 1024, &bound)) {
        s->pool_bytes = lay_out(s);
        s->pool = rill_alloc(allocator, s->pool_bytes);
    }
    if (s->pool == NULL) {
        rl_surface_destroy(&s);
        return rill_fail(RILL_NO_MEMORY, "no memory for the mesh of %d x %d cells and %d layers",
                         nx, ny, layers);
    }
    lay_out(s);
    if (s->meniscus != NULL)
        rl_meniscus_begin(s);
    *out = s;
    return RILL_OK;
}

void rl_surface_destroy(rl_surface **surface)
{
    if (surface == NULL || *surface == NULL)
        return;
    rl_surface *s = *surface;
    const rill_allocator allocator = s->allocator;
    rill_free(&allocator, s->least, s->least_bytes);
    rill_free(&allocator, s->pool, s->pool_bytes);
    rill_free(&allocator, s, sizeof *s);
    *surface = NULL;
}

void rl_surface_ground_is(rl_surface *surface, uint64_t version)
{
    surface->ground_version = version;
}

rill_status rl_surface_set_ground(rl_surface *surface, const rill_ground_mesh *ground,
                                  const rill_columns *columns)
{
    rl_surface *s = surface;
    RL_ASSERT(columns->nx == s->nx && columns->ny == s->ny && columns->layers == s->layers);
    const size_t bytes = rl_minimum_floats(columns) * sizeof *s->least;
    if (bytes > s->least_bytes) {
        float *least = rill_realloc(&s->allocator, s->least, s->least_bytes, bytes);
        if (least == NULL)
            return rill_fail(RILL_NO_MEMORY, "no memory for the least heights of %d x %d cells",
                             s->nx, s->ny);
        s->least = least;
        s->least_bytes = bytes;
    }
    s->least_pitch = columns->pitch;
    s->least_stride = columns->layer_stride;
    rl_minimum_compute(ground, columns, s->def.minimum_thickness * columns->cell_size, s->least);
    return RILL_OK;
}

void rl_surface_update_ground(rl_surface *surface, const rill_ground_mesh *ground,
                              const rill_columns *columns, int i0, int j0, int i1, int j1)
{
    const rl_surface *s = surface;
    RL_ASSERT(s->least != NULL && s->least_pitch == columns->pitch &&
              s->least_stride == columns->layer_stride);
    rl_minimum_update(ground, columns, s->def.minimum_thickness * columns->cell_size, s->least, i0,
                      j0, i1, j1);
}

void rl_surface_cut_falls(rl_surface *surface, float slope)
{
    RL_ASSERT(slope >= 0.0f);
    surface->fall_slope = slope;
}

void rl_surface_set_walls(rl_surface *surface, unsigned walls)
{
    RL_ASSERT((walls & ~(unsigned)RL_SIDES) == 0);
    surface->walls = walls;
}

// ---- Build -----------------------------------------------------------------------------

static void for_tiles(int count, rl_surface_runner runner, rill_task task, void *context)
{
    if (runner.run != NULL) {
        runner.run(runner.user, count, task, context);
        return;
    }
    for (int tile = 0; tile < count; tile++)
        task(context, tile);
}

void rl_surface_for_tiles(rl_surface *s, rl_surface_runner runner, rill_task task)
{
    for_tiles(s->tile_count, runner, task, s);
}

typedef struct row_task {
    const rl_surface *s;
    rl_surface_row_pass pass;
    int rim;
} row_task;

static void rows_of_tile(void *context, int tile)
{
    const row_task *t = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(t->s, tile);
    for (int j = first < -t->rim ? 0 : first; j < end && j < t->s->ny + t->rim; j++)
        for (int layer = 0; layer < t->s->layers; layer++)
            t->pass(t->s, j, layer);
}

void rl_surface_for_rows(const rl_surface *s, rl_surface_runner runner, rl_surface_row_pass pass,
                         int rim)
{
    row_task task = {s, pass, rim};
    for_tiles(s->tile_count, runner, rows_of_tile, &task);
}

// Computes where each tile starts, from what the tiles before it add; returns whether the mesh
// fits.
static bool place_tiles(rl_surface *s)
{
    RL_ASSERT(s->tile_count > 0);
    size_t vertices = 0, triangles = 0;
    for (int t = 0; t < s->tile_count; t++) {
        s->tiles[t].first_vertex = vertices;
        s->tiles[t].first_triangle = triangles;
        vertices += s->tiles[t].vertices;
        triangles += s->tiles[t].triangles;
    }
    s->vertex_count = vertices;
    s->index_count = 3 * triangles;
    return vertices <= s->vertex_capacity && triangles <= s->triangle_capacity;
}

// Runs all passes up to the sizes of the mesh; returns whether it fits.
static bool find_mesh(rl_surface *s, rl_surface_runner runner, bool fine)
{
    s->fine = fine;
    rl_surface_for_tiles(s, runner, rl_surface_links_tile);
    if (s->ranged && s->layers > 1)
        rl_surface_for_tiles(s, runner, rl_surface_answers_tile);
    rl_surface_for_rows(s, runner, rl_surface_shore_row, 0);
    rl_surface_for_rows(s, runner, rl_surface_own_edges, 1);
    rl_surface_for_tiles(s, runner, rl_surface_quads_tile);
    rl_surface_for_tiles(s, runner, rl_surface_count_tile);
    return place_tiles(s);
}

// Computes the data that depend on floors and ranges alone, if these may differ from the last
// build.
static void read_ground(rl_surface *s, rl_surface_runner runner)
{
    if (!s->ranged || (s->ground_version != 0 && s->ground_version == s->stacks_version))
        return;
    s->stacks_version = s->ground_version;
    if (s->layers > 1)
        rl_stacks_make(s, runner);
    if (s->ground_version != 0) {
        memset(s->only, 0xff, 4 * s->plane * (size_t)s->layers);
        memset(s->lone, 0, s->plane * (size_t)s->layers);
        rl_surface_for_rows(s, runner, rl_surface_sure_row, 0);
    }
}

static void set_columns(rl_surface *s, const rill_columns *columns)
{
    RL_ASSERT(columns->nx == s->nx && columns->ny == s->ny && columns->layers == s->layers);
    s->columns = *columns;
    s->ranged = columns->range_min != NULL && columns->range_max != NULL;
}

rl_surface_ground rl_surface_read_ground(rl_surface *surface, const rill_columns *columns,
                                         rl_surface_runner runner)
{
    rl_surface *s = surface;
    set_columns(s, columns);
    read_ground(s, runner);
    const size_t cells = (size_t)s->nx * (size_t)s->ny;
    const bool stacked = s->ranged && s->layers > 1;
    return (rl_surface_ground){
        .stack_first = stacked ? s->stack_first : NULL,
        .stacks = stacked ? s->stacks : NULL,
        .stack_bytes = stacked ? s->stack_first[cells] * sizeof *s->stacks : 0,
        .least = s->least,
        .least_floats = s->least != NULL ? s->least_bytes / sizeof *s->least : 0,
        .least_pitch = s->least_pitch,
        .least_stride = s->least_stride,
    };
}

// Leaves out the triangles of falls, in place.
static void cut_falls(rl_surface *s)
{
    RL_ASSERT(s->fall_slope > 0.0f);
    const float most = s->fall_slope * s->columns.cell_size;
    uint32_t *to = s->indices;
    for (const uint32_t *t = s->indices, *end = t + s->index_count; t < end; t += 3) {
        const rill_vertex *a = &s->vertices[t[0]], *b = &s->vertices[t[1]];
        const rill_vertex *c = &s->vertices[t[2]];
        const float height[3] = {a->position[2], b->position[2], c->position[2]};
        const float depth[3] = {a->depth, b->depth, c->depth};
        if (rl_surface_drops(height[0], height[1], height[2], most) &&
            rl_surface_over_cliff(height, depth))
            continue;
        memmove(to, t, 3 * sizeof *to);
        to += 3;
    }
    s->index_count = (size_t)(to - s->indices);
}

rill_status rl_surface_build(rl_surface *surface, const rill_columns *columns,
                             rl_surface_runner runner)
{
    rl_surface *s = surface;
    set_columns(s, columns);
    read_ground(s, runner);
    rl_surface_for_rows(s, runner, rl_surface_wet_row, 0);
    bool fits = find_mesh(s, runner, s->def.fine_shore != 0);
    if (!fits && s->def.fine_shore) {
        rl_surface_for_rows(s, runner, rl_surface_wet_row, 0); // undoes the answers
        fits = find_mesh(s, runner, false);
    }
    if (!fits) {
        const size_t needed = s->vertex_count;
        s->vertex_count = s->index_count = 0;
        return rill_fail(
            RILL_NO_MEMORY,
            "the surface needs %zu vertices, more than the %zu that it has capacity for", needed,
            s->vertex_capacity);
    }
    rl_surface_for_tiles(s, runner, rl_surface_vertices_tile);
    rl_surface_for_tiles(s, runner, rl_surface_triangles_tile);
    if (s->meniscus != NULL)
        rl_surface_find_meniscus(s, runner);
    if (s->fall_slope > 0.0f)
        cut_falls(s);
    return RILL_OK;
}

rl_surface_buffers rl_surface_buffers_of(rl_surface *surface)
{
    return (rl_surface_buffers){surface->vertices, surface->indices, surface->meniscus,
                                surface->vertex_capacity, surface->triangle_capacity};
}

void rl_surface_put(rl_surface *surface, size_t vertex_count, size_t index_count)
{
    RL_ASSERT(vertex_count <= surface->vertex_capacity &&
              index_count <= 3 * surface->triangle_capacity);
    surface->vertex_count = vertex_count;
    surface->index_count = index_count;
}

rill_mesh rl_surface_mesh(const rl_surface *surface)
{
    RL_ASSERT(surface->index_count % 3 == 0);
    if (surface->index_count == 0)
        return (rill_mesh){0};
    return (rill_mesh){.vertices = surface->vertices,
                       .indices = surface->indices,
                       .vertex_count = surface->vertex_count,
                       .index_count = surface->index_count,
                       .meniscus = surface->meniscus};
}

size_t rl_surface_memory(const rl_surface *surface)
{
    return sizeof *surface + surface->pool_bytes + surface->least_bytes;
}
