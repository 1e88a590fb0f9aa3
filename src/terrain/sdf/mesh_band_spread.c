// SPDX-License-Identifier: MIT
// mesh_band_spread.c - how nodes get to know a mesh: from its triangles, and from each other.
#include "terrain/sdf/mesh_band_internal.h"

#define RINGS_IN 2 // rings inside: slopes read no farther
#define NONE     UINT8_MAX
#define TIE      1e-7 // cells: a surface this near belongs to the solid (solid.c)

// ---- Spreading -------------------------------------------------------------------------

static size_t node_at(const rl_mesh_filling *f, int i, int j, int k)
{
    const int *low = f->band->nodes.low;
    return ((size_t)(j - low[1]) * (size_t)f->size[0] + (size_t)(i - low[0])) * (size_t)f->size[2] +
           (size_t)(k - low[2]);
}

// Rows of nodes that are being filled, and the queue of those that have a triangle.
typedef struct work {
    const rl_mesh_filling *f;
    rl_solid_nodes rows;
    uint32_t *queue;
    int *queued;
} work;

static work work_of(const rl_mesh_filling *f, int task)
{
    work w = {.f = f, .rows = f->band->nodes, .queued = &f->scratch->queued[task]};
    w.rows.low[1] += task * RL_BAND_ROWS;
    w.rows.end[1] = rl_lesser_int(w.rows.low[1] + RL_BAND_ROWS, w.rows.end[1]);
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

// The nodes of a column that are no farther than RL_BAND_SPREAD from the plane of a facet, one too
// many at each end at the most. `level` is how far node 0 of them is.
static inline void near_plane(const rl_facet *facet, double level, int count, int *from, int *end)
{
    *from = 0;
    *end = count;
    if (facet->per_rise == 0.0)
        return;
    const double middle = -level * facet->per_rise, half = RL_BAND_SPREAD * fabs(facet->per_rise);
    const double low = middle - half, high = middle + half;
    *from = low > 0.0 ? (low < (double)count ? (int)low : count) : 0;
    *end = high < (double)count - 1.0 ? (high >= 0.0 ? (int)high + 1 : 0) : count;
}

// How far column i is from a box along one axis, cells.
static inline double beyond(int i, int32_t low, int32_t high)
{
    const int32_t at = i * RL_FACET_CELL;
    return at < low    ? (double)(low - at) / RL_FACET_CELL
           : at > high ? (double)(at - high) / RL_FACET_CELL
                       : 0.0;
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
            if (x * x + y * y > RL_BAND_SPREAD * RL_BAND_SPREAD)
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
                take_triangle(
                    w, column + (size_t)k, triangle,
                    rl_facet_square(f, from, off, pb + k * f->ab[2], pc + k * f->ac[2], f->own), 0);
            }
        }
}

// Notes where vertical lines meet the triangle: the nodes from there on are in or out.
static void tell_turns(const work *w, uint32_t triangle)
{
    const rl_mesh_filling *f = w->f;
    const rl_facet *facet = &f->scratch->facets[triangle];
    const uint32_t *indices = f->primitive->triangles->indices + 3 * (size_t)triangle;
    const rl_solid_nodes *rows = &w->rows;
    int i0, i1, j0, j1;
    rl_band_limit(facet->low[0], facet->high[0], rows->low[0], rows->end[0], &i0, &i1);
    rl_band_limit(facet->low[1], facet->high[1], rows->low[1], rows->end[1], &j0, &j1);
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
        w->f->band->distance[n] = (float)(RL_BAND_SPREAD * RL_BAND_SPREAD);
    for (size_t n = first; n < end; n++)
        w->f->scratch->nodes[n] = (rl_mesh_node){.ring = NONE};
    *w->queued = 0;
}

// From the changes of each column how often the surface goes around its nodes.
static void add_up_turns(const work *w)
{
    const rl_mesh_filling *f = w->f;
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

void rl_mesh_band_spread(void *context, int task)
{
    const rl_mesh_filling *f = context;
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
            rl_band_limit(facet->low[a] - RL_BAND_SPREAD_INT, facet->high[a] + RL_BAND_SPREAD_INT,
                          w.rows.low[a], w.rows.end[a], &box.low[a], &box.end[a]);
        tell_distances(&w, (uint32_t)t, &box);
        tell_turns(&w, (uint32_t)t);
    }
    add_up_turns(&w);
}

// ---- Rings -----------------------------------------------------------------------------

// A node tells its triangle to a neighbour, if that has none of an earlier ring.
static void tell(const work *w, size_t from, size_t at, const double point[3])
{
    const rl_mesh_filling *f = w->f;
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
    const rl_mesh_filling *f = w->f;
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
    const rl_mesh_filling *f = w->f;
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

void rl_mesh_band_grow(void *context, int task)
{
    const rl_mesh_filling *f = context;
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

void rl_mesh_band_close(void *context, int task)
{
    const rl_mesh_filling *f = context;
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
