// SPDX-License-Identifier: MIT
// mesh_band.c - fills the band of a mesh, in this order:
//
//     places   vertices in their place, 65536ths of a cell
//     facets   what distances to a triangle need of it alone
//     spread   each triangle tells the nodes within a cell of it how far it is, and every vertical
//              line of nodes that it meets where its inside begins or ends
//     rings    nodes that have a triangle tell it to their neighbours that have none, which take
//     the
//              nearest, ring after ring
//     close    signs and metres
//
// Columns read nodes within a cell of the surface, which are exact; the others give slopes and
// openness to pictures. Rows of nodes are the work of one task, which writes no others. It reads
// those of the tasks beside it only while rings grow, and then tasks of odd and of even number take
// turns.
#include "terrain/sdf/mesh_band_internal.h"

#define FARTHEST   8192.0 // cells from node (0, 0, 0): products of differences fit into 63 bits
#define TILE_ITEMS 2048   // vertices or triangles

// ---- What a band covers ----------------------------------------------------------------

bool rl_mesh_band_fits(const rl_solid *solid, const rill_sdf_primitive *primitive)
{
    if (primitive->kind != RILL_SDF_MESH || !primitive->triangles->closed)
        return false;
    double low[3], high[3];
    rl_sdf_primitive_bounds(primitive, low, high);
    for (int k = 0; k < 3; k++) {
        const double first = k == 2 ? solid->bottom : 0.0;
        if (!(fabs(low[k] - first) < FARTHEST * solid->cell_size) ||
            !(fabs(high[k] - first) < FARTHEST * solid->cell_size))
            return false;
    }
    return true;
}

rl_solid_nodes rl_mesh_band_nodes(const rl_solid *solid, const rill_sdf_primitive *primitive)
{
    return rl_solid_nodes_around(solid, primitive, RL_MESH_REACH);
}

static size_t count_of(const rl_solid_nodes *nodes)
{
    size_t count = 1;
    for (int k = 0; k < 3; k++)
        count *= nodes->end[k] > nodes->low[k] ? (size_t)(nodes->end[k] - nodes->low[k]) : 0;
    return count;
}

// ---- Memory ----------------------------------------------------------------------------

// What was there is lost, but only when there is more.
static bool grow(void **memory, size_t *capacity, size_t count, size_t size,
                 const rill_allocator *allocator)
{
    if (count <= *capacity)
        return true;
    void *more = rill_alloc(allocator, count * size);
    if (more == NULL)
        return false;
    rill_free(allocator, *memory, *capacity * size);
    *memory = more;
    *capacity = count;
    return true;
}

// A band that gets more memory has to be filled anew.
static bool take(rl_mesh_band *band, rl_mesh_scratch *s, const rl_solid *solid,
                 const rill_triangles *mesh, size_t nodes, const rill_allocator *a)
{
    const size_t tasks = (size_t)(solid->ny + 2) / RL_BAND_ROWS + 1;
    void *places = s->places, *facets = s->facets, *rows = s->rows;
    void *of_nodes = s->nodes, *queue = s->queue, *queued = s->queued;
    const bool fits =
        grow(&places, &s->place_capacity, mesh->vertex_count, 3 * sizeof *s->places, a) &&
        grow(&facets, &s->facet_capacity, mesh->index_count / 3, sizeof *s->facets, a) &&
        grow(&rows, &s->row_capacity, mesh->index_count / 3, 2 * sizeof *s->rows, a) &&
        grow(&of_nodes, &s->node_capacity, nodes, sizeof *s->nodes, a) &&
        grow(&queue, &s->queue_capacity, nodes, sizeof *s->queue, a) &&
        grow(&queued, &s->task_capacity, tasks, sizeof *s->queued, a);
    s->places = places;
    s->facets = facets;
    s->rows = rows;
    s->nodes = of_nodes;
    s->queue = queue;
    s->queued = queued;
    if (!fits || nodes <= band->capacity)
        return fits;
    void *distance = band->distance;
    if (!grow(&distance, &band->capacity, nodes, sizeof *band->distance, a))
        return false;
    band->distance = distance;
    band->filled = false;
    return true;
}

bool rl_mesh_band_reserve(rl_mesh_band *band, rl_mesh_scratch *scratch, const rl_solid *solid,
                          const rill_sdf_primitive *primitive, double growth,
                          const rill_allocator *allocator)
{
    const rill_triangles *mesh = primitive->triangles;
    double reach2 = 0.0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double own[3];
        rl_from((const double[3]){0.0, 0.0, 0.0}, mesh->vertices + 3 * v, own);
        reach2 = rl_greater(reach2, rl_dot(own, own));
    }
    const double cells = 2.0 * growth * primitive->scale * sqrt(reach2) / solid->cell_size;
    const double most = cells + 2.0 * RL_MESH_REACH + 2.0;
    const double nodes = rl_lesser(most, solid->nx + 2.0) * rl_lesser(most, solid->ny + 2.0) *
                         rl_lesser(most, (double)solid->nz);
    return take(band, scratch, solid, mesh, (size_t)nodes, allocator);
}

size_t rl_mesh_band_memory(const rl_mesh_band *band)
{
    return band->capacity * sizeof *band->distance;
}

size_t rl_mesh_scratch_memory(const rl_mesh_scratch *s)
{
    return s->place_capacity * 3 * sizeof *s->places + s->facet_capacity * sizeof *s->facets +
           s->row_capacity * 2 * sizeof *s->rows + s->node_capacity * sizeof *s->nodes +
           s->queue_capacity * sizeof *s->queue + s->task_capacity * sizeof *s->queued;
}

void rl_mesh_band_free(rl_mesh_band *band, const rill_allocator *allocator)
{
    rill_free(allocator, band->distance, band->capacity * sizeof *band->distance);
    *band = (rl_mesh_band){0};
}

void rl_mesh_scratch_free(rl_mesh_scratch *s, const rill_allocator *allocator)
{
    rill_free(allocator, s->places, s->place_capacity * 3 * sizeof *s->places);
    rill_free(allocator, s->facets, s->facet_capacity * sizeof *s->facets);
    rill_free(allocator, s->rows, s->row_capacity * 2 * sizeof *s->rows);
    rill_free(allocator, s->nodes, s->node_capacity * sizeof *s->nodes);
    rill_free(allocator, s->queue, s->queue_capacity * sizeof *s->queue);
    rill_free(allocator, s->queued, s->task_capacity * sizeof *s->queued);
    *s = (rl_mesh_scratch){0};
}

// ---- Places and facets -----------------------------------------------------------------

// From the primitive's axes to cells from node (0, 0, 0): `turn` is that from the world, so its
// columns are the axes.
static void place_vertices(void *context, int task)
{
    const rl_mesh_filling *f = context;
    const rill_triangles *mesh = f->primitive->triangles;
    const double per_cell = 1.0 / f->solid->cell_size;
    const size_t first = (size_t)task * TILE_ITEMS, left = mesh->vertex_count - first;
    const size_t end = first + (left < TILE_ITEMS ? left : TILE_ITEMS);
    for (size_t v = first; v < end; v++) {
        const float *own = mesh->vertices + 3 * v;
        for (int k = 0; k < 3; k++) {
            double at = 0.0;
            for (int a = 0; a < 3; a++)
                at += f->placed.turn[a][k] * (double)own[a];
            at = f->primitive->position[k] + f->primitive->scale * at;
            const double cells = k == 2 ? (at - f->solid->bottom) * per_cell : at * per_cell - 0.5;
            f->scratch->places[3 * v + (size_t)k] = (int32_t)floor(cells * RL_FACET_CELL + 0.5);
        }
    }
}

static void make_facets(void *context, int task)
{
    const rl_mesh_filling *f = context;
    const rill_triangles *mesh = f->primitive->triangles;
    const rl_solid_nodes *all = &f->band->nodes;
    const size_t first = (size_t)task * TILE_ITEMS, left = mesh->index_count / 3 - first;
    const size_t end = first + (left < TILE_ITEMS ? left : TILE_ITEMS);
    for (size_t t = first; t < end; t++) {
        rl_facet *facet = &f->scratch->facets[t];
        *facet = rl_facet_of(f->scratch->places, mesh->indices + 3 * t);
        rl_band_limit(facet->low[1] - RL_BAND_SPREAD_INT, facet->high[1] + RL_BAND_SPREAD_INT,
                      all->low[1], all->end[1], &f->scratch->rows[2 * t],
                      &f->scratch->rows[2 * t + 1]);
    }
}

// ---- Filling ---------------------------------------------------------------------------

rill_status rl_mesh_band_fill(rl_mesh_band *band, rl_mesh_scratch *scratch, const rl_solid *solid,
                              const rill_sdf_primitive *primitive, rl_jobs *jobs,
                              const rill_allocator *allocator)
{
    RL_ASSERT(rl_mesh_band_fits(solid, primitive));
    const rill_triangles *mesh = primitive->triangles;
    const rl_solid_nodes nodes = rl_mesh_band_nodes(solid, primitive);
    const size_t count = count_of(&nodes);
    if (count > UINT32_MAX || !take(band, scratch, solid, mesh, count, allocator))
        return rill_fail(RILL_NO_MEMORY, "no memory for %zu distances around a mesh", count);
    band->nodes = nodes;
    band->filled = true;
    if (count == 0)
        return RILL_OK;
    rl_mesh_filling f = {.band = band,
                         .scratch = scratch,
                         .solid = solid,
                         .primitive = primitive,
                         .placed = rl_sdf_primitive_place(primitive)};
    for (int k = 0; k < 3; k++)
        f.size[k] = nodes.end[k] - nodes.low[k];
    const int tasks = (f.size[1] + RL_BAND_ROWS - 1) / RL_BAND_ROWS;
    rl_jobs_run(jobs, (int)((mesh->vertex_count + TILE_ITEMS - 1) / TILE_ITEMS), place_vertices,
                &f);
    rl_jobs_run(jobs, (int)((mesh->index_count / 3 + TILE_ITEMS - 1) / TILE_ITEMS), make_facets,
                &f);
    rl_jobs_run(jobs, tasks, rl_mesh_band_spread, &f);
    for (f.ring = 1; f.ring <= RL_BAND_RINGS; f.ring++)
        for (f.odd = 0; f.odd < 2; f.odd++)
            rl_jobs_run(jobs, (tasks + 1 - f.odd) / 2, rl_mesh_band_grow, &f);
    rl_jobs_run(jobs, tasks, rl_mesh_band_close, &f);
    return RILL_OK;
}

// ---- Joining ---------------------------------------------------------------------------

void rl_mesh_band_join(const rl_mesh_band *band, rl_solid *solid, const rl_solid_nodes *within)
{
    RL_ASSERT(band->filled);
    rl_solid_nodes box = band->nodes;
    for (int k = 0; k < 3; k++) {
        box.low[k] = rl_greater_int(box.low[k], within->low[k]);
        box.end[k] = rl_lesser_int(box.end[k], within->end[k]);
        if (box.low[k] >= box.end[k])
            return;
    }
    const size_t high = (size_t)(band->nodes.end[2] - band->nodes.low[2]);
    const size_t wide = (size_t)(band->nodes.end[0] - band->nodes.low[0]);
    const int count = box.end[2] - box.low[2];
    for (int j = box.low[1]; j < box.end[1]; j++)
        for (int i = box.low[0]; i < box.end[0]; i++) {
            const size_t row = (size_t)(j - band->nodes.low[1]) * wide;
            const float *restrict from = band->distance +
                                         (row + (size_t)(i - band->nodes.low[0])) * high +
                                         (box.low[2] - band->nodes.low[2]);
            float *restrict to = rl_solid_column(solid, i, j) + box.low[2];
            for (int k = 0; k < count; k++)
                to[k] = from[k] < to[k] ? from[k] : to[k];
        }
}
