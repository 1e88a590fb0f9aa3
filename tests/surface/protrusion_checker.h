// SPDX-License-Identifier: MIT
// protrusion_checker.h - finds vertices of the ground's own triangles that stand out of the surface
// of the liquid above them (Dagenais section 4.4, Fig. 10, left). A vertex stands out of a triangle
// when it lies in its plan, above it, and in the same layer: it is within the ranges of all columns
// whose corners carry the surface there.
#pragma once

#include "tests/kit/kit.h"
#include "tests/surface/mesh_checker.h"

// Parts of a triangle, and heights in cells, that count as none: the vertices of the ground lie on
// the very edges of triangles, and positions are floats.
#define PROTRUSION_PART   1e-3
#define PROTRUSION_HEIGHT 1e-4

#define PROTRUSION_STOREY 0.25 // cells
#define PROTRUSION_INSIDE 0.02 // cells
// Vertices that face downward or sideways are no ground that a film lies on (Dagenais section 4.4;
// RL_MINIMUM_UPWARD).
#define PROTRUSION_UPWARD 0.1

typedef struct protrusions {
    int inside;      // out of triangles between wet columns
    int at_rim;      // out of triangles that end on the ground or over the edge of an overhang
    int of_curtains; // out of curtains
    double worst;    // the highest above its triangle, cells
    char text[256];
} protrusions;

// The plan of the vertices of the ground: those of cell n are items[first[n]] to
// items[first[n + 1] - 1].
typedef struct protrusion_plan {
    uint32_t *first, *items;
    int nx, ny;
    double cell;
} protrusion_plan;

static inline int protrusion_cell(double x, double cell, int n)
{
    const double cells = floor(x / cell);
    return cells < 0.0 ? 0 : cells > n - 1 ? n - 1 : (int)cells;
}

static inline protrusion_plan protrusion_plan_of(const rill_ground_mesh *g, const rill_columns *c)
{
    protrusion_plan p = {.nx = c->nx, .ny = c->ny, .cell = (double)c->cell_size};
    const size_t cells = (size_t)c->nx * (size_t)c->ny;
    p.first = calloc(cells + 2, sizeof *p.first);
    p.items = malloc((g->vertex_count + 1) * sizeof *p.items);
    if (p.first == NULL || p.items == NULL)
        abort();
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < g->vertex_count; k++) {
            const float *at = g->vertices[k].position;
            if (!((double)g->vertices[k].normal[2] >= PROTRUSION_UPWARD))
                continue;
            const int i = protrusion_cell((double)at[0], p.cell, p.nx);
            const int j = protrusion_cell((double)at[1], p.cell, p.ny);
            const size_t cell = (size_t)j * (size_t)p.nx + (size_t)i;
            if (pass == 0)
                p.first[cell + 2]++;
            else
                p.items[p.first[cell + 1]++] = (uint32_t)k;
        }
        for (size_t n = 2; pass == 0 && n < cells + 2; n++)
            p.first[n] += p.first[n - 1];
    }
    return p;
}

static inline void protrusion_plan_free(protrusion_plan *p)
{
    free(p->first);
    free(p->items);
    *p = (protrusion_plan){0};
}

// What a corner of a triangle is: a wet column; a dry one, which is below the level of the liquid
// or buried in ground that is above it, as the vertex in a wall is; or an end of the surface
// between two centres, on the ground or at the edge of an overhang, or the foot of a curtain.
enum { CORNER_WET, CORNER_DRY, CORNER_BURIED, CORNER_END };

typedef struct protrusion_corner {
    int kind;
    double position[3];
    double low, high; // range of its column, where it has one
} protrusion_corner;

// Finds the column of a vertex on the centre of a cell, or on the border beside it: the one whose
// range holds it and whose floor is nearest.
static inline protrusion_corner protrusion_corner_of(const rill_vertex *v, const rill_columns *c)
{
    protrusion_corner corner = {.kind = CORNER_END, .low = -1e30, .high = 1e30};
    const double size = (double)c->cell_size, near = 1e-3 * size;
    int cell[2];
    for (int k = 0; k < 3; k++)
        corner.position[k] = (double)v->position[k];
    for (int k = 0; k < 2; k++) {
        const int count = k == 0 ? c->nx : c->ny;
        const double x = corner.position[k] / size - 0.5;
        const int border = fabs(x + 0.5) < 1e-3 || fabs(x - count + 0.5) < 1e-3;
        cell[k] = protrusion_cell(corner.position[k], size, count);
        if (!border && fabs(x - cell[k]) > 1e-3)
            return corner;
    }
    corner.kind = CORNER_BURIED;
    double nearest = 1e30;
    for (int layer = 0; layer < c->layers; layer++) {
        const size_t at =
            (size_t)layer * c->layer_stride + (size_t)cell[1] * c->pitch + (size_t)cell[0];
        const double low = c->range_min != NULL ? (double)c->range_min[at] : -1e30;
        const double high = c->range_max != NULL ? (double)c->range_max[at] : 1e30;
        const double base = (double)c->base[at], away = fabs(corner.position[2] - base);
        const int wet = c->depth[at] > c->wet_depth;
        const double least = wet ? base : low; // a dry corner may be inside the ground
        if (low > high || wet != (v->depth > 0.0f) || corner.position[2] < least - near ||
            corner.position[2] > high + near || away >= nearest)
            continue;
        nearest = away;
        corner.kind = wet                                       ? CORNER_WET
                      : base > corner.position[2] + 1e-5 * size ? CORNER_BURIED
                                                                : CORNER_DRY;
        corner.low = low;
        corner.high = high;
    }
    return corner;
}

// Finds the point of the plane of a triangle that is nearest to a vertex `above` it; returns its
// distance, and 0 for the back of a curtain, which faces the solid.
static inline double protrusion_foot(const protrusion_corner c[3], const rill_ground_vertex *v,
                                     double above, double foot[3])
{
    double u[3], w[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1].position[k] - c[0].position[k];
        w[k] = c[2].position[k] - c[0].position[k];
    }
    mesh_cross(u, w, n);
    const double length = sqrt(mesh_dot(n, n)), away = above * n[2] / length;
    double facing = 0.0;
    for (int k = 0; k < 3; k++) {
        foot[k] = (double)v->position[k] - away * n[k] / length;
        facing += (double)v->normal[k] * n[k];
    }
    return facing > 0.0 ? away : 0.0;
}

// Judges one vertex of the ground against one triangle with these corners and parts.
static inline void protrusion_judge(protrusions *p, const mesh_ground *ground,
                                    const rill_ground_vertex *v, const protrusion_corner corner[3],
                                    const double part[3])
{
    const double cell = ground->cell_size;
    const double z = (double)v->position[2], near = 1e-3 * cell;
    double above = z, highest = -1e30;
    int dry = 0, wet = 0;
    for (int k = 0; k < 3; k++) {
        above -= part[k] * corner[k].position[2];
        highest = fmax(highest, corner[k].position[2]);
        dry += part[k] >= PROTRUSION_PART && corner[k].kind != CORNER_WET;
        wet += corner[k].kind == CORNER_WET;
    }
    for (int k = 0; k < 3; k++) {
        const int carries = part[k] >= PROTRUSION_PART;
        // Beyond the line in which the level of the liquid meets rising ground the ground is dry.
        if (carries && corner[k].kind == CORNER_BURIED)
            return;
        // A curtain is upright, and above its corner is its own upper edge.
        if (wet == 0 && part[k] > 1.0 - PROTRUSION_PART)
            return;
        // An end has no range of its own.
        if ((carries || dry) && (z < corner[k].low - near || z > corner[k].high + near))
            return;
    }
    if (above <= PROTRUSION_HEIGHT * cell || (wet == 0 && z > highest))
        return;
    // An end inside the solid is the vertex in a wall: beyond the face of the wall all is dry.
    for (int k = 0; k < 3; k++)
        if (part[k] >= PROTRUSION_PART && corner[k].kind == CORNER_END &&
            ground->distance(ground, corner[k].position) < -PROTRUSION_INSIDE * cell)
            return;
    // Far from the surface it may be another storey of the ground, with air between.
    // Curtains are nearly upright; what is behind them decides.
    double at[3] = {(double)v->position[0], (double)v->position[1], z - above};
    const double away = wet == 0 ? protrusion_foot(corner, v, above, at) : above;
    if (away == 0.0)
        return;
    if (away > PROTRUSION_STOREY * cell &&
        ground->distance(ground, at) >= -PROTRUSION_INSIDE * cell)
        return;
    if (p->inside + p->at_rim + p->of_curtains == 0 || above / cell > p->worst)
        snprintf(
            p->text, sizeof p->text,
            "ground at (%.7g, %.7g, %.7g) stands %.3g cells out of a triangle with %d dry corners",
            (double)v->position[0], (double)v->position[1], z, above / cell, dry);
    p->worst = fmax(p->worst, above / cell);
    *(dry == 0 ? &p->inside : wet == 0 ? &p->of_curtains : &p->at_rim) += 1;
}

// Computes barycentric parts of (x, y) in the plan of a triangle; false outside or upright.
static inline int protrusion_parts(const protrusion_corner c[3], double x, double y, double part[3])
{
    const double ax = c[1].position[0] - c[0].position[0], ay = c[1].position[1] - c[0].position[1];
    const double bx = c[2].position[0] - c[0].position[0], by = c[2].position[1] - c[0].position[1];
    const double px = x - c[0].position[0], py = y - c[0].position[1];
    const double area = ax * by - ay * bx;
    if (!(fabs(area) > 1e-12 * (ax * ax + ay * ay + bx * bx + by * by)))
        return 0;
    part[1] = (px * by - py * bx) / area;
    part[2] = (ax * py - ay * px) / area;
    part[0] = 1.0 - part[1] - part[2];
    return area > 0.0 && part[0] >= -1e-6 && part[1] >= -1e-6 && part[2] >= -1e-6;
}

// Counts the vertices of `points` that stand out of the surface. They are the vertices of the
// ground, whose triangles are `ground`, or other points of it.
static inline protrusions protrusions_of(const rill_mesh *m, const rill_columns *c,
                                         const mesh_ground *ground, const rill_ground_mesh *g)
{
    protrusions sum = {0};
    protrusion_plan plan = protrusion_plan_of(g, c);
    unsigned char *counted = calloc(g->vertex_count + 1, 1);
    if (counted == NULL)
        abort();
    for (size_t t = 0; t < m->index_count; t += 3) {
        protrusion_corner corner[3];
        double low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
        for (int k = 0; k < 3; k++) {
            corner[k] = protrusion_corner_of(&m->vertices[m->indices[t + (size_t)k]], c);
            for (int axis = 0; axis < 2; axis++) {
                low[axis] = fmin(low[axis], corner[k].position[axis]);
                high[axis] = fmax(high[axis], corner[k].position[axis]);
            }
        }
        const double around = 1e-5 * plan.cell;
        for (int j = protrusion_cell(low[1] - around, plan.cell, plan.ny);
             j <= protrusion_cell(high[1] + around, plan.cell, plan.ny); j++)
            for (int i = protrusion_cell(low[0] - around, plan.cell, plan.nx);
                 i <= protrusion_cell(high[0] + around, plan.cell, plan.nx); i++)
                for (uint32_t n = plan.first[(size_t)j * (size_t)plan.nx + (size_t)i];
                     n < plan.first[(size_t)j * (size_t)plan.nx + (size_t)i + 1]; n++) {
                    const uint32_t item = plan.items[n];
                    const rill_ground_vertex *v = &g->vertices[item];
                    double part[3];
                    const int before = sum.inside + sum.at_rim + sum.of_curtains;
                    if (counted[item] || !protrusion_parts(corner, (double)v->position[0],
                                                           (double)v->position[1], part))
                        continue;
                    protrusion_judge(&sum, ground, v, corner, part);
                    counted[item] =
                        (unsigned char)(sum.inside + sum.at_rim + sum.of_curtains > before);
                }
    }
    free(counted);
    protrusion_plan_free(&plan);
    return sum;
}
