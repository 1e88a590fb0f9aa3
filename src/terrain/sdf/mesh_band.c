// SPDX-License-Identifier: MIT
// mesh_band.c - fills the band of a mesh, in this order:
//
//     places   vertices in their place, 65536ths of a cell
//     facets   what distances to a triangle need of it alone
//     spread   each triangle tells the nodes within a cell of it how far it is, and every vertical
//              line of nodes that it meets where its inside begins or ends
//     rings    nodes that have a triangle tell it to their neighbours that have none, which take the
//              nearest, ring after ring
//     close    signs and metres
//
// Columns read nodes within a cell of the surface, which are exact; the others give slopes and
// openness to pictures. Rows of nodes are the work of one task, which writes no others. It reads
// those of the tasks beside it only while rings grow, and then tasks of odd and of even number take
// turns.
#include "terrain/sdf/mesh_band.h"

#include "terrain/sdf/mesh_facet_inline.h"

#include <string.h>

#define FARTHEST   8192.0 // cells from node (0, 0, 0): products of differences fit into 63 bits
#define SPREAD     1.01   // cells to which triangles tell their distance,
#define SPREAD_INT 66192  // which is a little less than this many whole numbers
#define RINGS      4      // RL_MESH_REACH less that
#define RINGS_IN   2      // of them, inside: slopes read no farther
#define TILE_ROWS  8
#define TILE_ITEMS 2048 // vertices or triangles
#define NONE       UINT8_MAX
#define TIE        1e-7 // cells: a surface this near belongs to the solid (solid.c)

// What is known of a node while a band is filled.
typedef struct rl_mesh_node {
    uint32_t nearest; // triangle, where ring is not NONE
    int16_t turns;    // how often the surface goes around it; at first, how that changes here
    uint8_t ring;     // in which it got its triangle: 0 from the triangle itself
} rl_mesh_node;

typedef struct filling {
    rl_mesh_band *band;
    rl_mesh_scratch *scratch;
    const rl_solid *solid;
    const rill_sdf_primitive *primitive;
    rl_placed_primitive placed;
    int size[3]; // nodes of the band
    int ring, odd;
} filling;

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
    const size_t tasks = (size_t)(solid->ny + 2) / TILE_ROWS + 1;
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
    const filling *f = context;
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
            const double cells =
                k == 2 ? (at - f->solid->bottom) * per_cell : at * per_cell - 0.5;
            f->scratch->places[3 * v + (size_t)k] = (int32_t)floor(cells * RL_FACET_CELL + 0.5);
        }
    }
}

// The nodes [from, end) between two whole numbers, no others than [first, last) of the axis.
static void limit(int32_t low, int32_t high, int first, int last, int *from, int *end)
{
    *from = rl_clamp_int((low + (RL_FACET_CELL - 1)) >> RL_FACET_BITS, first, last);
    *end = rl_clamp_int((high >> RL_FACET_BITS) + 1, first, last);
}

static void make_facets(void *context, int task)
{
    const filling *f = context;
    const rill_triangles *mesh = f->primitive->triangles;
    const rl_solid_nodes *all = &f->band->nodes;
    const size_t first = (size_t)task * TILE_ITEMS, left = mesh->index_count / 3 - first;
    const size_t end = first + (left < TILE_ITEMS ? left : TILE_ITEMS);
    for (size_t t = first; t < end; t++) {
        rl_facet *facet = &f->scratch->facets[t];
        *facet = rl_facet_of(f->scratch->places, mesh->indices + 3 * t);
        limit(facet->low[1] - SPREAD_INT, facet->high[1] + SPREAD_INT, all->low[1], all->end[1],
              &f->scratch->rows[2 * t], &f->scratch->rows[2 * t + 1]);
    }
}

// ---- Spreading -------------------------------------------------------------------------

static size_t node_at(const filling *f, int i, int j, int k)
{
    const int *low = f->band->nodes.low;
    return ((size_t)(j - low[1]) * (size_t)f->size[0] + (size_t)(i - low[0])) * (size_t)f->size[2] +
           (size_t)(k - low[2]);
}

// Rows of nodes that are being filled, and the queue of those that have a triangle.
typedef struct work {
    const filling *f;
    rl_solid_nodes rows;
    uint32_t *queue;
    int *queued;
} work;

static work work_of(const filling *f, int task)
{
    work w = {.f = f, .rows = f->band->nodes, .queued = &f->scratch->queued[task]};
    w.rows.low[1] += task * TILE_ROWS;
    w.rows.end[1] = rl_lesser_int(w.rows.low[1] + TILE_ROWS, w.rows.end[1]);
    w.queue = f->scratch->queue + node_at(f, w.rows.low[0], w.rows.low[1], w.rows.low[2]);
    return w;
}

// A node takes a triangle at a squared distance, if that is less than what it has.
static inline void take_triangle(const work *w, size_t at, uint32_t triangle, double square,
                                 int ring)
{
    rl_mesh_node *node = &w->f->scratch->nodes[at];
    float *best = &w->f->band->distance[at];
    if (!((float)square < *best))
        return;
    if (node->ring == NONE)
        w->queue[(*w->queued)++] = (uint32_t)at;
    *best = (float)square;
    node->nearest = triangle;
    node->ring = (uint8_t)ring;
}

// The nodes of a column that are no farther than SPREAD from the plane of a facet, one too many at
// each end at the most. `level` is how far node 0 of them is.
static inline void near_plane(const rl_facet *facet, double level, int count, int *from, int *end)
{
    *from = 0;
    *end = count;
    if (facet->per_rise == 0.0)
        return;
    const double middle = -level * facet->per_rise, half = SPREAD * fabs(facet->per_rise);
    const double low = middle - half, high = middle + half;
    *from = low > 0.0 ? (low < (double)count ? (int)low : count) : 0;
    *end = high < (double)count - 1.0 ? (high >= 0.0 ? (int)high + 1 : 0) : count;
}

// How far column i is from a box along one axis, cells.
static inline double beyond(int i, int32_t low, int32_t high)
{
    const int32_t at = i * RL_FACET_CELL;
    return at < low ? (double)(low - at) / RL_FACET_CELL
                    : at > high ? (double)(at - high) / RL_FACET_CELL : 0.0;
}

// Tells nodes [box.low, box.end) how far a triangle is. Of its sides it tells its own alone, the
// others are told by their owners.
static void tell_distances(const work *w, uint32_t triangle, const rl_solid_nodes *box)
{
    const rl_facet *f = &w->f->scratch->facets[triangle];
    const float *best = w->f->band->distance;
    const int count = box->end[2] - box->low[2];
    for (int j = box->low[1]; j < box->end[1]; j++)
        for (int i = box->low[0]; i < box->end[0]; i++) {
            const double x = beyond(i, f->low[0], f->high[0]);
            const double y = beyond(j, f->low[1], f->high[1]);
            if (x * x + y * y > SPREAD * SPREAD)
                continue;
            const size_t column = node_at(w->f, i, j, box->low[2]);
            double from[3] = {i - f->a[0], j - f->a[1], box->low[2] - f->a[2]};
            const double level = rl_dot(from, f->normal), z = from[2];
            const double pb = rl_dot(from, f->ab), pc = rl_dot(from, f->ac);
            int k, end;
            near_plane(f, level, count, &k, &end);
            for (; k < end; k++) {
                const double off = level + k * f->normal[2]; // no point of it is nearer
                if (off * off >= (double)best[column + (size_t)k])
                    continue;
                from[2] = z + k;
                take_triangle(w, column + (size_t)k, triangle,
                              rl_facet_square(f, from, off, pb + k * f->ab[2], pc + k * f->ac[2],
                                              f->own),
                              0);
            }
        }
}

// Notes where vertical lines meet the triangle: the nodes from there on are in or out.
static void tell_turns(const work *w, uint32_t triangle)
{
    const filling *f = w->f;
    const rl_facet *facet = &f->scratch->facets[triangle];
    const uint32_t *indices = f->primitive->triangles->indices + 3 * (size_t)triangle;
    const rl_solid_nodes *rows = &w->rows;
    int i0, i1, j0, j1;
    limit(facet->low[0], facet->high[0], rows->low[0], rows->end[0], &i0, &i1);
    limit(facet->low[1], facet->high[1], rows->low[1], rows->end[1], &j0, &j1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            const int out = rl_facet_meets(f->scratch->places, indices, (int64_t)i * RL_FACET_CELL,
                                           (int64_t)j * RL_FACET_CELL);
            if (out == 0)
                continue;
            const double height =
                rl_clamp(rl_facet_height(facet, i, j), (double)facet->low[2] / RL_FACET_CELL,
                         (double)facet->high[2] / RL_FACET_CELL);
            const double node = ceil(height);
            const int k = node > (double)rows->low[2] ? (int)node : rows->low[2];
            if (k < rows->end[2]) {
                int16_t *turns = &f->scratch->nodes[node_at(f, i, j, k)].turns;
                *turns = (int16_t)(*turns - out);
            }
        }
}

static size_t count_in(const work *w)
{
    return (size_t)(w->rows.end[1] - w->rows.low[1]) * (size_t)w->f->size[0] *
           (size_t)w->f->size[2];
}

static void clear(const work *w)
{
    const size_t first = node_at(w->f, w->rows.low[0], w->rows.low[1], w->rows.low[2]);
    const size_t end = first + count_in(w);
    for (size_t n = first; n < end; n++)
        w->f->band->distance[n] = (float)(SPREAD * SPREAD);
    for (size_t n = first; n < end; n++)
        w->f->scratch->nodes[n] = (rl_mesh_node){.ring = NONE};
    *w->queued = 0;
}

// From the changes of each column how often the surface goes around its nodes.
static void add_up_turns(const work *w)
{
    const filling *f = w->f;
    for (int j = w->rows.low[1]; j < w->rows.end[1]; j++)
        for (int i = w->rows.low[0]; i < w->rows.end[0]; i++) {
            rl_mesh_node *column = &f->scratch->nodes[node_at(f, i, j, w->rows.low[2])];
            int turns = 0;
            for (int k = 0; k < f->size[2]; k++) {
                turns += column[k].turns;
                column[k].turns = (int16_t)turns;
            }
        }
}

static void spread(void *context, int task)
{
    const filling *f = context;
    const work w = work_of(f, task);
    const size_t count = f->primitive->triangles->index_count / 3;
    const int32_t *rows = f->scratch->rows;
    clear(&w);
    for (size_t t = 0; t < count; t++) {
        if (rows[2 * t] >= w.rows.end[1] || rows[2 * t + 1] <= w.rows.low[1])
            continue;
        const rl_facet *facet = &f->scratch->facets[t];
        rl_solid_nodes box;
        for (int a = 0; a < 3; a++)
            limit(facet->low[a] - SPREAD_INT, facet->high[a] + SPREAD_INT, w.rows.low[a],
                  w.rows.end[a], &box.low[a], &box.end[a]);
        tell_distances(&w, (uint32_t)t, &box);
        tell_turns(&w, (uint32_t)t);
    }
    add_up_turns(&w);
}

// ---- Rings -----------------------------------------------------------------------------

// A node tells its triangle to a neighbour, if that has none of an earlier ring.
static void tell(const work *w, size_t from, size_t at, const double point[3])
{
    const filling *f = w->f;
    const uint32_t triangle = f->scratch->nodes[from].nearest;
    const rl_mesh_node *node = &f->scratch->nodes[at];
    if (node->ring < f->ring || (node->ring == f->ring && node->nearest == triangle) ||
        (f->ring > RINGS_IN && node->turns > 0))
        return;
    if (node->ring == NONE)
        f->band->distance[at] = HUGE_VALF;
    const double *a = f->scratch->facets[triangle].a;
    const double to[3] = {point[0] - a[0], point[1] - a[1], point[2] - a[2]};
    take_triangle(w, at, triangle, rl_facet_distance2(&f->scratch->facets[triangle], to), f->ring);
}

static void tell_neighbours(const work *w, size_t at)
{
    const filling *f = w->f;
    const int *low = f->band->nodes.low;
    const size_t high = (size_t)f->size[2], row = high * (size_t)f->size[0];
    const int k = low[2] + (int)(at % high), i = low[0] + (int)(at / high % (size_t)f->size[0]);
    const int j = low[1] + (int)(at / row);
    if (i > w->rows.low[0])
        tell(w, at, at - high, (const double[3]){i - 1, j, k});
    if (i + 1 < w->rows.end[0])
        tell(w, at, at + high, (const double[3]){i + 1, j, k});
    if (j > w->rows.low[1])
        tell(w, at, at - row, (const double[3]){i, j - 1, k});
    if (j + 1 < w->rows.end[1])
        tell(w, at, at + row, (const double[3]){i, j + 1, k});
    if (k > w->rows.low[2])
        tell(w, at, at - 1, (const double[3]){i, j, k - 1});
    if (k + 1 < w->rows.end[2])
        tell(w, at, at + 1, (const double[3]){i, j, k + 1});
}

// Row j of the next task tells row `own` of this one.
static void tell_from_row(const work *w, int j, int own)
{
    const filling *f = w->f;
    const rl_solid_nodes *all = &f->band->nodes;
    if (j < all->low[1] || j >= all->end[1])
        return;
    const size_t from = node_at(f, all->low[0], j, all->low[2]);
    const size_t to = node_at(f, all->low[0], own, all->low[2]);
    for (int i = 0; i < f->size[0]; i++)
        for (int k = 0; k < f->size[2]; k++) {
            const size_t n = (size_t)i * (size_t)f->size[2] + (size_t)k;
            if (f->scratch->nodes[from + n].ring == f->ring - 1)
                tell(w, from + n, to + n, (const double[3]){all->low[0] + i, own, all->low[2] + k});
        }
}

static void grow_rows(void *context, int task)
{
    const filling *f = context;
    const work w = work_of(f, 2 * task + f->odd);
    const int count = *w.queued;
    int first = count; // of the ring before, which are the last
    while (first > 0 && f->scratch->nodes[w.queue[first - 1]].ring == f->ring - 1)
        first--;
    for (int n = first; n < count; n++)
        tell_neighbours(&w, w.queue[n]);
    tell_from_row(&w, w.rows.low[1] - 1, w.rows.low[1]);
    tell_from_row(&w, w.rows.end[1], w.rows.end[1] - 1);
}

// ---- Closing ---------------------------------------------------------------------------

static void close_rows(void *context, int task)
{
    const filling *f = context;
    const work w = work_of(f, task);
    const size_t first = node_at(f, w.rows.low[0], w.rows.low[1], w.rows.low[2]);
    const size_t end = first + count_in(&w);
    const double cell = f->solid->cell_size;
    const float most = (float)(RL_SOLID_BAND * cell);
    const rl_mesh_node *nodes = f->scratch->nodes;
    float *distance = f->band->distance;
    for (size_t n = first; n < end; n++)
        if (nodes[n].ring == NONE)
            distance[n] = nodes[n].turns > 0 ? -most : most;
    for (int n = 0; n < *w.queued; n++) {
        const size_t at = w.queue[n];
        const double cells = sqrt((double)distance[at]);
        const bool inside = nodes[at].turns > 0 || cells < TIE;
        const double metres = cell * rl_clamp(cells, TIE, RL_SOLID_BAND);
        distance[at] = (float)(inside ? -metres : metres);
    }
}

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
    filling f = {.band = band,
                 .scratch = scratch,
                 .solid = solid,
                 .primitive = primitive,
                 .placed = rl_sdf_primitive_place(primitive)};
    for (int k = 0; k < 3; k++)
        f.size[k] = nodes.end[k] - nodes.low[k];
    const int tasks = (f.size[1] + TILE_ROWS - 1) / TILE_ROWS;
    rl_jobs_run(jobs, (int)((mesh->vertex_count + TILE_ITEMS - 1) / TILE_ITEMS), place_vertices,
                &f);
    rl_jobs_run(jobs, (int)((mesh->index_count / 3 + TILE_ITEMS - 1) / TILE_ITEMS), make_facets,
                &f);
    rl_jobs_run(jobs, tasks, spread, &f);
    for (f.ring = 1; f.ring <= RINGS; f.ring++)
        for (f.odd = 0; f.odd < 2; f.odd++)
            rl_jobs_run(jobs, (tasks + 1 - f.odd) / 2, grow_rows, &f);
    rl_jobs_run(jobs, tasks, close_rows, &f);
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
            const float *restrict from =
                band->distance + (row + (size_t)(i - band->nodes.low[0])) * high +
                (box.low[2] - band->nodes.low[2]);
            float *restrict to = rl_solid_column(solid, i, j) + box.low[2];
            for (int k = 0; k < count; k++)
                to[k] = from[k] < to[k] ? from[k] : to[k];
        }
}
