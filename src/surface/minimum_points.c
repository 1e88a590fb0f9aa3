// SPDX-License-Identifier: MIT
// minimum_points.c - the points of the ground that a film must pass above.
//
// The ground and the drawn surface consist of triangles. Over a triangle of the ground the
// difference of the two is least where either of them has a vertex, or where in plan an edge of one
// crosses an edge of the other. So the surface is nowhere below the ground if it passes above
//
//     - the vertices of the ground, as in the paper,
//     - the points in which edges of the ground cross the sides of cell groups, and the diagonals
//       along which these are cut; there the surface has its folds,
//     - the ground below the centres of cells, which is the floor of the column when both come from
//       one distance field, but not when the host has triangles of its own.
//
// The paper has the first alone, and films on steep faces cut into the ground between them.
#include "core/assert.h"
#include "surface/minimum_internal.h"

#include <math.h>
#include <stdbool.h>

// A corner of a triangle: cells from the centre of cell (0, 0), and metres up.
typedef struct point {
    double x, y, z;
} point;

static point point_of(const rl_minimum_pass *p, const rill_ground_vertex *v)
{
    return (point){(double)v->position[0] * p->per_cell - 0.5,
                   (double)v->position[1] * p->per_cell - 0.5, (double)v->position[2]};
}

// Returns the largest whole number that is not above x; x is not larger than a grid. floor() is a
// call where the instruction set has none.
static int whole_below(double x)
{
    const int whole = (int)x;
    return whole > x ? whole - 1 : whole;
}

// ---- Edges -------------------------------------------------------------------------------

// What the points are for at which an edge crosses a family of lines.
enum { CROSSING_LIFTS = RL_MINIMUM_BOTH, CROSSING_EXTENDS = 4 };

// Visits the points of an edge at which `from`, which changes linearly to `to` along it, is a whole
// number.
static void visit_crossings(const rl_minimum_pass *p, point a, point b, double from, double to,
                            unsigned uses)
{
    const double most =
        p->columns->nx + p->columns->ny + 2; // triangles may be as large as they like
    const double low = from < to ? from : to, high = from < to ? to : from;
    // Ends that are on a line are vertices; most edges of marching cubes have one there.
    const int first = whole_below((low > -most ? low : -most) + RL_MINIMUM_TOLERANCE) + 1;
    const double last = (high < most ? high : most) - RL_MINIMUM_TOLERANCE;
    for (int n = first; n < last; n++) {
        const double t = (n - from) / (to - from);
        const point at = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
        if (uses & CROSSING_LIFTS)
            rl_minimum_lift(p, at.x, at.y, at.z, uses & CROSSING_LIFTS);
        if (uses & CROSSING_EXTENDS)
            rl_reach_extend(p, at.x, at.y, at.z);
    }
}

static void visit_edge(const rl_minimum_pass *p, point a, point b, bool upward)
{
    const unsigned uses =
        (p->reach != NULL ? CROSSING_EXTENDS : 0) | (upward ? RL_MINIMUM_BOTH : 0);
    visit_crossings(p, a, b, a.x, b.x, uses);
    visit_crossings(p, a, b, a.y, b.y, uses);
    if (!upward)
        return;
    visit_crossings(p, a, b, a.x - a.y, b.x - b.y, RL_MINIMUM_AC);
    visit_crossings(p, a, b, a.x + a.y, b.x + b.y, RL_MINIMUM_BD);
}

// ---- Centres of cells ----------------------------------------------------------------------

static double least_of(double a, double b, double c)
{
    return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

// Lifts columns to a triangle of the ground that lies over the centres of their cells.
static void lift_centres(const rl_minimum_pass *p, const point corner[3])
{
    const point a = corner[0], b = corner[1], c = corner[2];
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    const int nx = p->columns->nx, ny = p->columns->ny;
    const double west = least_of(a.x, b.x, c.x), east = -least_of(-a.x, -b.x, -c.x);
    const double south = least_of(a.y, b.y, c.y), north = -least_of(-a.y, -b.y, -c.y);
    const int i0 = west > 0.0 ? -whole_below(-west) : 0,
              j0 = south > 0.0 ? -whole_below(-south) : 0;
    for (int y = j0; y <= north && y < ny; y++)
        for (int x = i0; x <= east && x < nx; x++) {
            const double u = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
            const double v = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
            if (u >= 0.0 && v >= 0.0 && u + v <= 1.0)
                rl_minimum_lift(p, x, y, a.z + u * (b.z - a.z) + v * (c.z - a.z), RL_MINIMUM_BOTH);
        }
}

// ---- Triangles -----------------------------------------------------------------------------

// Returns whether a triangle is one that a film can lie on.
static bool faces_upward(const rl_minimum_pass *p, const point corner[3])
{
    const point a = corner[0], b = corner[1], c = corner[2];
    const double u[3] = {b.x - a.x, b.y - a.y, (b.z - a.z) * p->per_cell};
    const double v[3] = {c.x - a.x, c.y - a.y, (c.z - a.z) * p->per_cell};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    return n[2] > RL_MINIMUM_UPWARD * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Returns whether a triangle or a vertex between these places has to do with the cell groups of the
// pass. False for places that are not numbers.
static bool is_close(const rl_minimum_pass *p, double west, double south, double east, double north)
{
    return west <= p->i1 && south <= p->j1 && east >= p->i0 && north >= p->j0;
}

static void lift_triangle(const rl_minimum_pass *p, const point corner[3])
{
    const point a = corner[0], b = corner[1], c = corner[2];
    if (!is_close(p, least_of(a.x, b.x, c.x), least_of(a.y, b.y, c.y), -least_of(-a.x, -b.x, -c.x),
                  -least_of(-a.y, -b.y, -c.y)))
        return;
    const bool upward = faces_upward(p, corner);
    for (int k = 0; k < 3; k++)
        visit_edge(p, corner[k], corner[(k + 1) % 3], upward);
    if (upward)
        lift_centres(p, corner);
}

// The place of the cell groups of the pass, metres, and a cell around it.
typedef struct reach_box {
    float low[2], high[2];
} reach_box;

static reach_box box_of(const rl_minimum_pass *p)
{
    const float cell = (float)p->cell;
    return (reach_box){{(float)(p->i0 - 1) * cell, (float)(p->j0 - 1) * cell},
                       {(float)(p->i1 + 2) * cell, (float)(p->j1 + 2) * cell}};
}

// Returns whether three places are on one side of a box: of most triangles, when a few cells have
// changed, no more is asked.
static bool is_beside(const reach_box *box, const float *a, const float *b, const float *c)
{
    for (int k = 0; k < 2; k++)
        if ((a[k] < box->low[k] && b[k] < box->low[k] && c[k] < box->low[k]) ||
            (a[k] > box->high[k] && b[k] > box->high[k] && c[k] > box->high[k]))
            return true;
    return false;
}

void rl_minimum_lift_all(const rl_minimum_pass *pass, const rill_ground_mesh *ground)
{
    RL_ASSERT(pass->cell > 0.0 && ground->index_count % 3 == 0);
    for (size_t k = 0; k < ground->vertex_count; k++) {
        const rill_ground_vertex *v = &ground->vertices[k];
        const point at = point_of(pass, v);
        if (!is_close(pass, at.x, at.y, at.x, at.y))
            continue;
        if ((double)v->normal[2] >= RL_MINIMUM_UPWARD)
            rl_minimum_lift(pass, at.x, at.y, at.z, RL_MINIMUM_BOTH);
        if (pass->reach != NULL)
            rl_reach_extend(pass, at.x, at.y, at.z);
    }
    const reach_box region = box_of(pass);
    for (size_t t = 0; t < ground->index_count; t += 3) {
        const uint32_t *index = &ground->indices[t];
        if (is_beside(&region, ground->vertices[index[0]].position,
                      ground->vertices[index[1]].position, ground->vertices[index[2]].position))
            continue;
        point corner[3];
        for (size_t k = 0; k < 3; k++)
            corner[k] = point_of(pass, &ground->vertices[ground->indices[t + k]]);
        lift_triangle(pass, corner);
    }
}
