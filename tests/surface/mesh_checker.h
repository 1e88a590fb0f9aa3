// SPDX-License-Identifier: MIT
// mesh_checker.h - what must hold for the surface of any liquid: no crack, no triangle without
// area, no vertex without use, nothing below the ground. Include it where a mesh is to be judged:
//
//     mesh_ground ground = mesh_ground_of_columns(&columns);     or mesh_ground_of_mesh(...)
//     mesh_report report = mesh_check(&mesh, &columns, &ground);
//     if (mesh_report_bad(&report)) fail_msg("%s", report.text);
//     mesh_ground_free(&ground);
#pragma once

#include "rill/columns.h"
#include "rill/solid.h"
#include "rill/surface.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The ground ------------------------------------------------------------------------

// Distance from a point to the ground, metres, negative inside; anything above `reach` may be
// called `reach`.
typedef struct mesh_ground {
    double (*distance)(const struct mesh_ground *self, const double p[3]);
    const rill_columns *columns; // of mesh_ground_of_columns
    rill_ground_mesh mesh;       // of mesh_ground_of_mesh
    int nx, ny;
    double cell_size;
    uint32_t *first, *items; // triangles by the cells that they touch, the lowest first
    float *boxes;            // six numbers a triangle: its lowest and highest x, y, z
    double tallest;          // from the lowest to the highest point of a triangle
} mesh_ground;

// How far away ground is looked for, in cells.
#define MESH_REACH 2

static inline double mesh_outside(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

// Elevations [low, high] that number n of a cell's columns leaves free; false where there is none.
static inline int mesh_free_range(const rill_columns *c, int i, int j, int n, double *low,
                                  double *high)
{
    const size_t at = (size_t)n * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
    *low = (double)c->base[at];
    *high = c->range_max != NULL ? (double)c->range_max[at] : 1e30;
    return c->range_max == NULL || c->range_max[at] >= c->range_min[at];
}

// Distance to what is free (`solid` 0) or solid in the boxes of one cell. Solid is what lies
// between the free ranges, which are found by looking for the next one above.
static inline double mesh_cell_distance(const rill_columns *c, int i, int j, const double p[3],
                                        int solid)
{
    const double size = (double)c->cell_size,
                 aside_x = mesh_outside(p[0], i * size, (i + 1) * size),
                 aside_y = mesh_outside(p[1], j * size, (j + 1) * size);
    double best = 1e30, low, high;
    for (int n = 0; n < c->layers; n++) {
        if (!mesh_free_range(c, i, j, n, &low, &high))
            continue;
        double down = mesh_outside(p[2], low, high);
        if (solid) { // the box below this range, down to the ceiling of the next one
            double below = -1e30, other_low, other_high;
            for (int m = 0; m < c->layers; m++)
                if (mesh_free_range(c, i, j, m, &other_low, &other_high) && other_high <= low &&
                    other_high > below)
                    below = other_high;
            down = mesh_outside(p[2], below, low);
        }
        best = fmin(best, sqrt(aside_x * aside_x + aside_y * aside_y + down * down));
    }
    return best;
}

static inline double mesh_columns_distance(const mesh_ground *g, const double p[3])
{
    const rill_columns *c = g->columns;
    const double size = (double)c->cell_size;
    const int ci = (int)floor(p[0] / size), cj = (int)floor(p[1] / size);
    double to_free = MESH_REACH * size, to_solid = MESH_REACH * size;
    for (int j = cj - MESH_REACH; j <= cj + MESH_REACH; j++)
        for (int i = ci - MESH_REACH; i <= ci + MESH_REACH; i++) {
            if (i < 0 || j < 0 || i >= c->nx || j >= c->ny)
                continue;
            to_free = fmin(to_free, mesh_cell_distance(c, i, j, p, 0));
            to_solid = fmin(to_solid, mesh_cell_distance(c, i, j, p, 1));
        }
    return to_free > 0.0 ? -to_free : to_solid;
}

// The ground as columns tell of it: boxes, solid wherever no column is.
static inline mesh_ground mesh_ground_of_columns(const rill_columns *columns)
{
    return (mesh_ground){.distance = mesh_columns_distance, .columns = columns};
}

static inline double mesh_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double mesh_clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

// Squared distance from p to the segment from a to b.
static inline double mesh_segment(const double p[3], const double a[3], const double b[3])
{
    double along[3], to[3];
    for (int k = 0; k < 3; k++) {
        along[k] = b[k] - a[k];
        to[k] = p[k] - a[k];
    }
    const double length = mesh_dot(along, along);
    const double t = length > 0.0 ? mesh_clip(mesh_dot(along, to) / length) : 0.0;
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (to[k] - t * along[k]) * (to[k] - t * along[k]);
    return sum;
}

static inline void mesh_cross(const double a[3], const double b[3], double out[3])
{
    set3(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

// Squared distance from p to a triangle, and the height of p above its plane. Of a triangle that is
// further away than `bound` it may be too short, but not shorter than that.
static inline double mesh_triangle(const double p[3], double v[3][3], double bound, double *side)
{
    double e0[3], e1[3], to[3], normal[3];
    for (int k = 0; k < 3; k++) {
        e0[k] = v[1][k] - v[0][k];
        e1[k] = v[2][k] - v[0][k];
        to[k] = p[k] - v[0][k];
    }
    mesh_cross(e0, e1, normal);
    const double area = mesh_dot(normal, normal);
    *side = area > 0.0 ? mesh_dot(normal, to) / sqrt(area) : 0.0;
    if (*side * *side > bound)
        return *side * *side;
    double with_e1[3], with_e0[3];
    mesh_cross(to, e1, with_e1);
    mesh_cross(e0, to, with_e0);
    const double s = mesh_dot(with_e1, normal), t = mesh_dot(with_e0, normal);
    if (area > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= area)
        return *side * *side;
    return fmin(mesh_segment(p, v[0], v[1]),
                fmin(mesh_segment(p, v[1], v[2]), mesh_segment(p, v[2], v[0])));
}

static inline void mesh_ground_corners(const mesh_ground *g, uint32_t triangle, double v[3][3])
{
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 3; k++)
            v[n][k] = (double)g->mesh.vertices[g->mesh.indices[3 * (size_t)triangle + (size_t)n]]
                          .position[k];
}

// Squared distance from p to the box around a triangle of the ground: it is no nearer than that.
static inline double mesh_box(const mesh_ground *g, uint32_t triangle, const double p[3])
{
    const float *box = g->boxes + 6 * (size_t)triangle;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double below = (double)box[k] - p[k], above = p[k] - (double)box[3 + k];
        const double away = below > above ? below : above;
        sum += away > 0.0 ? away * away : 0.0;
    }
    return sum;
}

// Squared distance along the ground from p to a cell. What is nearer of a triangle lies in nearer
// cells, too.
static inline double mesh_cell(const mesh_ground *g, const double p[3], int i, int j)
{
    const double x = p[0] / g->cell_size, y = p[1] / g->cell_size;
    const double away_x = fmax(0.0, fmax((double)i - x, x - (double)(i + 1)));
    const double away_y = fmax(0.0, fmax((double)j - y, y - (double)(j + 1)));
    return (away_x * away_x + away_y * away_y) * g->cell_size * g->cell_size;
}

// The nearest triangle so far: its squared distance, and the height of p above its plane.
typedef struct mesh_nearest {
    double best, height;
} mesh_nearest;

static inline void mesh_query_triangle(const mesh_ground *g, const double p[3], uint32_t triangle,
                                       mesh_nearest *found)
{
    // Of several triangles that share the nearest edge or corner the one that p is furthest above
    // or below tells the side.
    const double same = 1e-9 * (found->best + g->cell_size * g->cell_size);
    if (mesh_box(g, triangle, p) > found->best + same)
        return;
    double v[3][3], side;
    mesh_ground_corners(g, triangle, v);
    const double d = mesh_triangle(p, v, found->best + same, &side);
    if (d < found->best - same || (d < found->best + same && fabs(side) > fabs(found->height))) {
        found->best = fmin(found->best, d);
        found->height = side;
    }
}

// Whether a triangle at so many metres above or below may be among the nearest.
static inline int mesh_may_be_near(const mesh_ground *g, const mesh_nearest *found, double away)
{
    return away <= 0.0 ||
           away * away <= found->best + 1e-9 * (found->best + g->cell_size * g->cell_size);
}

// From the height of p upwards and downwards, until everything is too far away.
static inline void mesh_query_cell(const mesh_ground *g, const double p[3], int i, int j,
                                   mesh_nearest *found)
{
    const double margin = 1e-6 * g->cell_size * g->cell_size;
    if (i < 0 || j < 0 || i >= g->nx || j >= g->ny || mesh_cell(g, p, i, j) > found->best + margin)
        return;
    const size_t cell = (size_t)j * (size_t)g->nx + (size_t)i;
    const uint32_t first = g->first[cell], end = g->first[cell + 1];
    uint32_t middle = first, after = end; // the first triangle that begins above p
    while (middle < after) {
        const uint32_t half = middle + (after - middle) / 2;
        if ((double)g->boxes[6 * (size_t)g->items[half] + 2] > p[2])
            after = half;
        else
            middle = half + 1;
    }
    for (uint32_t n = middle; n > first; n--) {
        const double low = (double)g->boxes[6 * (size_t)g->items[n - 1] + 2];
        if (!mesh_may_be_near(g, found, p[2] - low - g->tallest))
            break;
        mesh_query_triangle(g, p, g->items[n - 1], found);
    }
    for (uint32_t n = middle; n < end; n++) {
        if (!mesh_may_be_near(g, found, (double)g->boxes[6 * (size_t)g->items[n] + 2] - p[2]))
            break;
        mesh_query_triangle(g, p, g->items[n], found);
    }
}

// The cell of p first: most others then have nothing nearer.
static inline double mesh_mesh_distance(const mesh_ground *g, const double p[3])
{
    const int ci = (int)floor(p[0] / g->cell_size), cj = (int)floor(p[1] / g->cell_size);
    mesh_nearest found = {1e30, 0.0};
    mesh_query_cell(g, p, ci, cj, &found);
    for (int j = cj - MESH_REACH; j <= cj + MESH_REACH; j++)
        for (int i = ci - MESH_REACH; i <= ci + MESH_REACH; i++)
            if (i != ci || j != cj)
                mesh_query_cell(g, p, i, j, &found);
    return (found.height < 0.0 ? -1.0 : 1.0) * fmin(sqrt(found.best), MESH_REACH * g->cell_size);
}

// Cells [low, high] that a triangle of the ground touches.
static inline void mesh_ground_cells(const mesh_ground *g, uint32_t triangle, int low[2],
                                     int high[2])
{
    double v[3][3];
    mesh_ground_corners(g, triangle, v);
    for (int k = 0; k < 2; k++) {
        const int n = k == 0 ? g->nx : g->ny;
        const double least = fmin(v[0][k], fmin(v[1][k], v[2][k])) / g->cell_size;
        const double most = fmax(v[0][k], fmax(v[1][k], v[2][k])) / g->cell_size;
        low[k] = least < 0.0 ? 0 : least >= n ? n - 1 : (int)least;
        high[k] = most < 0.0 ? 0 : most >= n ? n - 1 : (int)most;
    }
}

static inline void mesh_ground_boxes(mesh_ground *g)
{
    const rill_ground_mesh *m = &g->mesh;
    for (size_t t = 0; t < m->index_count / 3; t++) {
        float *box = g->boxes + 6 * t;
        for (int k = 0; k < 3; k++) {
            const float a = m->vertices[m->indices[3 * t]].position[k];
            const float b = m->vertices[m->indices[3 * t + 1]].position[k];
            const float c = m->vertices[m->indices[3 * t + 2]].position[k];
            box[k] = fminf(a, fminf(b, c));
            box[3 + k] = fmaxf(a, fmaxf(b, c));
        }
        g->tallest = fmax(g->tallest, (double)(box[5] - box[2]));
    }
}

// Puts the triangles of each cell in the order of their lowest points.
static inline void mesh_ground_sort(mesh_ground *g)
{
    for (size_t cell = 0; cell < (size_t)g->nx * (size_t)g->ny; cell++)
        for (uint32_t n = g->first[cell] + 1; n < g->first[cell + 1]; n++) {
            const uint32_t item = g->items[n];
            uint32_t to = n;
            for (; to > g->first[cell] &&
                   g->boxes[6 * (size_t)g->items[to - 1] + 2] > g->boxes[6 * (size_t)item + 2];
                 to--)
                g->items[to] = g->items[to - 1];
            g->items[to] = item;
        }
}

// The ground as triangles; the mesh must live as long as the result.
static inline mesh_ground mesh_ground_of_mesh(rill_ground_mesh mesh, int nx, int ny,
                                              double cell_size)
{
    mesh_ground g = {
        .distance = mesh_mesh_distance, .mesh = mesh, .nx = nx, .ny = ny, .cell_size = cell_size};
    const size_t cells = (size_t)nx * (size_t)ny, triangles = mesh.index_count / 3;
    g.first = calloc(cells + 2, sizeof *g.first);
    g.boxes = malloc((triangles + 1) * 6 * sizeof *g.boxes);
    if (g.first == NULL || g.boxes == NULL)
        abort();
    mesh_ground_boxes(&g);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < triangles; t++) {
            int low[2], high[2];
            mesh_ground_cells(&g, t, low, high);
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++) {
                    const size_t cell = (size_t)j * (size_t)nx + (size_t)i;
                    if (pass == 0)
                        g.first[cell + 2]++;
                    else
                        g.items[g.first[cell + 1]++] = t;
                }
        }
        if (pass == 0) {
            for (size_t k = 2; k < cells + 2; k++)
                g.first[k] += g.first[k - 1];
            g.items = malloc(((size_t)g.first[cells + 1] + 1) * sizeof *g.items);
            if (g.items == NULL)
                abort();
        }
    }
    mesh_ground_sort(&g);
    return g;
}

static inline void mesh_ground_free(mesh_ground *g)
{
    free(g->first);
    free(g->items);
    free(g->boxes);
    g->first = g->items = NULL;
    g->boxes = NULL;
}

// ---- The checks ------------------------------------------------------------------------

typedef struct mesh_report {
    int open_edges;   // with one triangle, neither on the border nor within one cell of the ground
    int bad_edges;    // with more than two triangles, or two that go along it the same way
    int degenerate;   // triangles of less than a millionth of a cell
    int unused;       // vertices that no triangle has
    int odd_numbers;  // vertices with something not finite, a normal not of unit length, an opacity
                      // outside of 0 to 1; indices beyond the vertices
    int below_ground; // vertices of liquid more than 0.05 cells inside the ground
    int64_t all_open; // edges with one triangle, wherever they are
    char text[256];   // the first thing that was wrong
} mesh_report;

static inline int mesh_report_bad(const mesh_report *r)
{
    return r->open_edges + r->bad_edges + r->degenerate + r->unused + r->odd_numbers +
           r->below_ground;
}

static inline void mesh_complain(mesh_report *r, int *tally, const char *what, const rill_vertex *v)
{
    if (!mesh_report_bad(r))
        snprintf(r->text, sizeof r->text, "%s at (%g, %g, %g), depth %g", what,
                 (double)v->position[0], (double)v->position[1], (double)v->position[2],
                 (double)v->depth);
    ++*tally;
}

static inline double mesh_area(const rill_mesh *m, size_t first)
{
    double e0[3], e1[3], normal[3];
    for (int k = 0; k < 3; k++) {
        const double a = (double)m->vertices[m->indices[first]].position[k];
        e0[k] = (double)m->vertices[m->indices[first + 1]].position[k] - a;
        e1[k] = (double)m->vertices[m->indices[first + 2]].position[k] - a;
    }
    mesh_cross(e0, e1, normal);
    return 0.5 * sqrt(mesh_dot(normal, normal));
}

// Whether an edge with one triangle may be where it is.
static inline int mesh_may_be_open(const rill_vertex *p, const rill_vertex *q,
                                   const rill_columns *c, const mesh_ground *ground)
{
    const double size = (double)c->cell_size, ends[2] = {c->nx * size, c->ny * size};
    for (int axis = 0; axis < 2; axis++) {
        const double a = (double)p->position[axis], b = (double)q->position[axis];
        const double near = 1e-4 * size;
        if ((a < near && b < near) || (a > ends[axis] - near && b > ends[axis] - near))
            return 1;
    }
    double length = 0.0;
    for (int k = 0; k < 3; k++)
        length = fmax(length, fabs((double)(q->position[k] - p->position[k])));
    const int parts = length < 8.0 * size ? 2 + (int)(2.0 * length / size) : 18;
    for (int n = 0; n <= parts; n++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (double)p->position[k] +
                    (double)(q->position[k] - p->position[k]) * ((double)n / parts);
        if (ground->distance(ground, at) > 1.0001 * size)
            return 0;
    }
    return 1;
}

static inline uint32_t mesh_next_corner(const rill_mesh *m, size_t k)
{
    return m->indices[k % 3 == 2 ? k - 2 : k + 1];
}

// The ends of the edges that begin at each vertex: those of vertex n are [first[n], first[n + 1]).
static inline uint32_t *mesh_edges_by_vertex(const rill_mesh *m, uint32_t **first)
{
    uint32_t *ends = malloc((m->index_count + 1) * sizeof *ends);
    *first = calloc(m->vertex_count + 2, sizeof **first);
    if (ends == NULL || *first == NULL)
        abort();
    for (size_t k = 0; k < m->index_count; k++)
        (*first)[m->indices[k] + 2]++;
    for (size_t n = 2; n < m->vertex_count + 2; n++)
        (*first)[n] += (*first)[n - 1];
    for (size_t k = 0; k < m->index_count; k++)
        ends[(*first)[m->indices[k] + 1]++] = mesh_next_corner(m, k);
    return ends;
}

static inline void mesh_check_edges(const rill_mesh *m, const rill_columns *c,
                                    const mesh_ground *ground, mesh_report *r)
{
    FREED(uint32_t) * first, *ends = mesh_edges_by_vertex(m, &first);
    for (uint32_t n = 0; n < m->vertex_count; n++)
        for (uint32_t k = first[n]; k < first[n + 1]; k++) {
            const rill_vertex *p = &m->vertices[n], *q = &m->vertices[ends[k]];
            int back = 0;
            for (uint32_t other = first[n]; other < k; other++)
                if (ends[other] == ends[k])
                    mesh_complain(r, &r->bad_edges, "an edge is used twice in one direction", p);
            for (uint32_t other = first[ends[k]]; other < first[ends[k] + 1]; other++)
                back |= ends[other] == n;
            if (back)
                continue;
            r->all_open++;
            if (!mesh_may_be_open(p, q, c, ground))
                mesh_complain(r, &r->open_edges, "an edge is open", p);
        }
}

// Whether a vertex stands above the centre of a cell, within one of its columns: the floor and the
// ceiling of a column are where the ground is, so nothing more has to be asked.
static inline int mesh_is_in_column(const rill_vertex *v, const rill_columns *c)
{
    const double size = (double)c->cell_size;
    const double x = (double)v->position[0] / size - 0.5, y = (double)v->position[1] / size - 0.5;
    const int i = (int)lround(x), j = (int)lround(y);
    if (i < 0 || j < 0 || i >= c->nx || j >= c->ny || fabs(x - i) > 1e-3 || fabs(y - j) > 1e-3)
        return 0;
    double low, high;
    for (int n = 0; n < c->layers; n++)
        if (mesh_free_range(c, i, j, n, &low, &high) &&
            (double)v->position[2] >= low - 0.05 * size &&
            (double)v->position[2] <= high + 0.05 * size)
            return 1;
    return 0;
}

static inline void mesh_check_vertices(const rill_mesh *m, const rill_columns *c,
                                       const mesh_ground *ground, mesh_report *r)
{
    FREED(unsigned char) *used = calloc(m->vertex_count + 1, 1);
    if (used == NULL)
        abort();
    for (size_t k = 0; k < m->index_count; k++)
        used[m->indices[k]] = 1;
    for (size_t n = 0; n < m->vertex_count; n++) {
        const rill_vertex *v = &m->vertices[n];
        float numbers[10];
        memcpy(numbers, v, sizeof numbers);
        int finite = 1;
        for (int k = 0; k < 10; k++)
            finite &= isfinite(numbers[k]) != 0;
        double length = 0.0;
        for (int k = 0; k < 3; k++)
            length += (double)v->normal[k] * (double)v->normal[k];
        if (!finite || !(fabs(length - 1.0) < 1e-4) || v->opacity < 0.0f || v->opacity > 1.0001f)
            mesh_complain(r, &r->odd_numbers, "a vertex has odd numbers", v);
        if (!used[n])
            mesh_complain(r, &r->unused, "a vertex is not used", v);
        const double at[3] = {(double)v->position[0], (double)v->position[1],
                              (double)v->position[2]};
        if (v->depth > 0.0f && !mesh_is_in_column(v, c) &&
            ground->distance(ground, at) < -0.05 * (double)c->cell_size)
            mesh_complain(r, &r->below_ground, "liquid is below the ground", v);
    }
}

static inline mesh_report mesh_check(const rill_mesh *m, const rill_columns *c,
                                     const mesh_ground *ground)
{
    mesh_report r = {0};
    const double least = 1e-6 * (double)c->cell_size * (double)c->cell_size;
    for (size_t k = 0; k < m->index_count; k++)
        if (m->indices[k] >= m->vertex_count) {
            r.odd_numbers++;
            snprintf(r.text, sizeof r.text, "index %zu is %u of %zu vertices", k, m->indices[k],
                     m->vertex_count);
            return r;
        }
    for (size_t k = 0; k < m->index_count; k += 3)
        if (!(mesh_area(m, k) > least))
            mesh_complain(&r, &r.degenerate, "a triangle has no area", &m->vertices[m->indices[k]]);
    mesh_check_edges(m, c, ground, &r);
    mesh_check_vertices(m, c, ground, &r);
    return r;
}

// ---- Meshes of two builds --------------------------------------------------------------

static inline void assert_same_mesh(rill_mesh a, rill_mesh b)
{
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.index_count, b.index_count);
    if (a.index_count == 0)
        return;
    assert_memory_equal(a.vertices, b.vertices, b.vertex_count * sizeof *b.vertices);
    assert_memory_equal(a.indices, b.indices, b.index_count * sizeof *b.indices);
}

// Whether the two vertices share an edge of a triangle.
static inline bool joined(rill_mesh m, const rill_vertex *p, const rill_vertex *q)
{
    for (size_t k = 0; k < m.index_count; k++) {
        const rill_vertex *a = &m.vertices[m.indices[k]];
        const rill_vertex *b = &m.vertices[m.indices[k % 3 == 2 ? k - 2 : k + 1]];
        if ((a == p && b == q) || (a == q && b == p))
            return true;
    }
    return false;
}
