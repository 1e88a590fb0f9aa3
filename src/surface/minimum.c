// SPDX-License-Identifier: MIT
// minimum.c - least thicknesses of films over bumpy ground (Dagenais section 4.4, Eqs. 6 and 7).
//
// Each vertex of the ground lies between the centres of four cells, a 2x2 cell group:
//
//     D --- C      The surface over it is cut along A C or along B D, whichever fits the present
//     | \ / |      water. The paper interpolates bilinearly, which is neither; here the vertex is
//     | / \ |      held below the triangle of either cut (erratum 15 to Dagenais). The bilinear
//     A --- B      surface lies between the two, so it passes above as well.
//
// For one triangle, barycentric parts a_k, floors b_k and R = h_v + epsilon - sum a_k b_k,
// Lagrange's multiplier gives the least sum w_k l_k^2 with sum a_k l_k = R:
//
//     l_k = lambda a_k / w_k,    lambda = R / sum (a_m^2 / w_m)
//
// A column takes the largest of all vertices and triangles: the parts are not negative, so that the
// lift of one vertex cannot harm another, and a maximum does not depend on the order.
#include "surface/surface_internal.h"

#include "core/assert.h"

#include <stdbool.h>

#define DEAREST 1e10 // weight of columns that are higher than the vertex (Dagenais Eq. 7)
#define NEAREST 1e-3 // least height above a floor in Dagenais Eq. 7, cells (erratum 14 to Dagenais)

// Part of a cell by which a height may be outside a range and yet count as inside; also the
// barycentric part from which a corner supports a vertex. Marching cubes leave vertices on the very
// edges of cell groups.
#define TOLERANCE 1e-3

// Columns this many cells away may change as well: a change of nodes turns normals of vertices up
// to one cell away, and the cell groups of those have corners one further.
#define REACH 2

typedef struct column {
    size_t slot;
    double base, low, high;
    bool there;   // the cell has a column at the height of the vertex
    bool carries; // it is the corner of a triangle above the vertex
} column;

typedef struct pass {
    const rill_columns *columns;
    double cell, per_cell, tolerance, least;
    float *out;
    int i0, j0, i1, j1; // cell groups to visit, by the cell of corner A
} pass;

// ---- One vertex and one triangle -------------------------------------------------------

// Returns 1 / w_k of Dagenais Eq. 7.
static double inverse_weight(double base, double height, double cell_size)
{
    if (base > height)
        return 1.0 / DEAREST;
    const double above = height - base, nearest = NEAREST * cell_size;
    return (above > nearest ? above : nearest) / cell_size;
}

// Computes l_k = max(least, lambda a_k / w_k). Columns that fall below `least` are held there and
// the rest is solved again. That raises them, so all others have less to lift: lambda only falls, a
// column that is held stays held, and each pass holds one more or is the last. Not all can be held:
// with parts that add up to 1 they would give `least`, and more is missing.
void rl_minimum_solve(int count, const double part[], const double base[], double height,
                      double clearance, double cell_size, double least, double lift[])
{
    RL_ASSERT(count >= 1 && count <= 4 && cell_size > 0.0);
    double missing = height + clearance;
    for (int k = 0; k < count; k++) {
        missing -= part[k] * base[k];
        lift[k] = least;
    }
    bool held[4] = {false};
    for (bool again = missing > least; again;) {
        double rest = missing, sum = 0.0;
        for (int k = 0; k < count; k++)
            if (held[k])
                rest -= part[k] * least;
            else
                sum += part[k] * part[k] * inverse_weight(base[k], height, cell_size);
        again = false;
        for (int k = 0; k < count; k++) {
            if (held[k])
                continue;
            const double wanted =
                part[k] * inverse_weight(base[k], height, cell_size) * (rest / sum);
            held[k] = wanted < least;
            lift[k] = held[k] ? least : wanted;
            again = again || held[k];
        }
    }
}

// Computes the barycentric parts of corners A, B, C, D in the triangle that holds (x, y), both from
// 0 to 1, of cut A C (0) or B D (1). They add up to 1; parts of corners that do not support the
// vertex are 0.
static void find_parts(double x, double y, int cut, double part[4])
{
    const double at[4][4] = {{1.0 - x, x - y, y, 0.0},
                             {1.0 - y, 0.0, x, y - x},
                             {1.0 - x - y, x, 0.0, y},
                             {0.0, 1.0 - y, x + y - 1.0, 1.0 - x}};
    const double *from = at[cut == 0 ? y > x : 2 + (x + y > 1.0)];
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += part[k] = from[k] >= TOLERANCE ? from[k] : 0.0;
    for (int k = 0; k < 4 && sum != 1.0; k++)
        part[k] /= sum;
}

// ---- The columns around a vertex -------------------------------------------------------

// Finds the column above cell (i, j) whose range holds `height`; where two do, within the
// tolerance, the one whose floor is nearer.
static void find_column(const pass *p, int i, int j, double height, column *found)
{
    const rill_columns *c = p->columns;
    double nearest = 0.0;
    size_t slot = (size_t)j * c->pitch + (size_t)i;
    for (int layer = 0; layer < c->layers; layer++, slot += c->layer_stride) {
        double low = -1e30, high = 1e30;
        if (c->range_min != NULL && c->range_max != NULL) {
            low = (double)c->range_min[slot];
            high = (double)c->range_max[slot];
        }
        if (!(low <= high && height >= low - p->tolerance && height <= high + p->tolerance))
            continue;
        const double base = (double)c->base[slot];
        const double distance = base > height ? base - height : height - base;
        if (found->there && distance >= nearest)
            continue;
        nearest = distance;
        *found = (column){slot, base, low, high, true, false};
        if (height > low + p->tolerance && height < high - p->tolerance)
            return; // ranges of a cell do not overlap
    }
}

// Returns whether films on two columns are one surface: each floor lies in the range of the other
// (the link test of Dagenais section 4.1, for films whose level is the floor).
static bool linked(const column *p, const column *q, double tolerance)
{
    return p->base >= q->low - tolerance && p->base <= q->high + tolerance &&
           q->base >= p->low - tolerance && q->base <= p->high + tolerance;
}

// Returns whether a triangle is drawn between the corners that support the vertex: all have a
// column, and all of them are linked. Corners with a part of 0 do not matter.
static bool is_drawn(const pass *p, const column corner[4], const double part[4])
{
    for (int k = 0; k < 4; k++) {
        if (part[k] <= 0.0)
            continue;
        if (!corner[k].there)
            return false;
        for (int m = 0; m < k; m++)
            if (part[m] > 0.0 && !linked(&corner[m], &corner[k], p->tolerance))
                return false;
    }
    return true;
}

// Returns what the triangle lacks below the vertex, metres: R of Dagenais Eq. 6.
static double missing_below(const pass *p, const column corner[4], const double part[4],
                            double height)
{
    double missing = height + RL_MINIMUM_CLEARANCE * p->cell;
    for (int k = 0; k < 4; k++)
        missing -= part[k] * corner[k].base;
    return missing;
}

// Raises lift[k] to the lift that the triangle needs at its corners.
static void lift_triangle(const pass *p, column corner[4], const double part[4], double height,
                          double lift[4])
{
    double base[4], solved[4];
    for (int k = 0; k < 4; k++) {
        corner[k].carries = corner[k].carries || part[k] > 0.0;
        base[k] = corner[k].base;
    }
    if (missing_below(p, corner, part, height) <= p->least)
        return;
    rl_minimum_solve(4, part, base, height, RL_MINIMUM_CLEARANCE * p->cell, p->cell, p->least,
                     solved);
    for (int k = 0; k < 4; k++)
        if (part[k] > 0.0 && solved[k] > lift[k])
            lift[k] = solved[k];
}

// ---- All vertices ----------------------------------------------------------------------

// Applies the paper's last rules: a lift that would make a bump taller than the ground needs is
// left out.
static bool is_too_high(const pass *p, const column corner[4], const double lift[4])
{
    double highest = -1e30;
    for (int k = 0; k < 4; k++)
        if (corner[k].carries && corner[k].base > highest)
            highest = corner[k].base;
    for (int k = 0; k < 4; k++)
        if (lift[k] > RL_MINIMUM_LIFT * p->cell ||
            (lift[k] > 0.0 && corner[k].base + lift[k] > highest + RL_MINIMUM_LIFT_ABOVE * p->cell))
            return true;
    return false;
}

static void raise_film(const pass *p, const column *c, double lift)
{
    const double free_height = c->high - c->base;
    const float value = (float)(lift < free_height ? lift : free_height);
    if (value > p->out[c->slot])
        p->out[c->slot] = value;
}

static void lift_group(const pass *p, int i, int j, double x, double y, double height)
{
    double part[2][4] = {{0.0}}, lift[4] = {0.0};
    column corner[4];
    const bool inside = x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0; // else both cuts are the same
    for (int cut = 0; cut <= inside; cut++)
        find_parts(x, y, cut, part[cut]);
    for (int k = 0; k < 4; k++) {
        corner[k].there = corner[k].carries = false;
        corner[k].base = 0.0;
        if (part[0][k] > 0.0 || part[1][k] > 0.0)
            find_column(p, i + (k == 1 || k == 2), j + (k >= 2), height, &corner[k]);
    }
    // The parts add up to 1: for most vertices the global minimum is enough, and nothing is left to
    // do.
    if (missing_below(p, corner, part[0], height) <= p->least &&
        (!inside || missing_below(p, corner, part[1], height) <= p->least))
        return;
    for (int cut = 0; cut <= inside; cut++)
        if (is_drawn(p, corner, part[cut]))
            lift_triangle(p, corner, part[cut], height, lift);
    if (is_too_high(p, corner, lift))
        return;
    for (int k = 0; k < 4; k++)
        if (lift[k] > 0.0)
            raise_film(p, &corner[k], lift[k]);
}

// Finds where `cells` lies between the centres of cells: the lower one and the part of the way to
// the next, which is exact on the edges of cell groups. Returns false beyond the outermost ones,
// where no four columns surround a vertex, and for a NaN.
static bool find_place(double cells, int count, int *lower, double *part)
{
    RL_ASSERT(count >= 2);
    const double last = count - 1;
    if (!(cells >= -TOLERANCE && cells <= last + TOLERANCE))
        return false;
    const int below = cells > 0.0 ? (int)cells : 0;
    *lower = below < count - 2 ? below : count - 2;
    const double beyond = cells - *lower;
    *part = beyond < TOLERANCE ? 0.0 : (beyond > 1.0 - TOLERANCE ? 1.0 : beyond);
    return true;
}

static void lift_vertex(const pass *p, const rill_ground_vertex *v)
{
    int i, j;
    double x, y;
    if (!((double)v->normal[2] >= RL_MINIMUM_UPWARD))
        return;
    if (find_place((double)v->position[0] * p->per_cell - 0.5, p->columns->nx, &i, &x) &&
        find_place((double)v->position[1] * p->per_cell - 0.5, p->columns->ny, &j, &y) &&
        i >= p->i0 && i < p->i1 && j >= p->j0 && j < p->j1)
        lift_group(p, i, j, x, y, (double)v->position[2]);
}

// Sets every column of cells [i0, i1) x [j0, j1) to the global minimum, or to the free height below
// its ceiling.
static void start(const pass *p, int i0, int j0, int i1, int j1)
{
    const rill_columns *c = p->columns;
    for (int layer = 0; layer < c->layers; layer++)
        for (int j = j0; j < j1; j++) {
            const size_t row = (size_t)layer * c->layer_stride + (size_t)j * c->pitch;
            for (size_t slot = row + (size_t)i0; slot < row + (size_t)i1; slot++) {
                p->out[slot] = (float)p->least;
                if (c->range_max == NULL)
                    continue;
                const float free_height = c->range_max[slot] - c->base[slot];
                if (free_height < p->out[slot])
                    p->out[slot] = free_height > 0.0f ? free_height : 0.0f;
            }
        }
}

void rl_minimum_update(const rill_ground_mesh *ground, const rill_columns *columns,
                       float global_minimum, float *least, int i0, int j0, int i1, int j1)
{
    RL_ASSERT(least != NULL && columns->cell_size > 0.0f);
    if (i0 >= i1 || j0 >= j1)
        return;
    const int west = i0 > REACH ? i0 - REACH : 0, south = j0 > REACH ? j0 - REACH : 0;
    const int east = columns->nx - i1 > REACH ? i1 + REACH : columns->nx;
    const int north = columns->ny - j1 > REACH ? j1 + REACH : columns->ny;
    if (west >= east || south >= north)
        return;
    const double cell = (double)columns->cell_size;
    const pass p = {
        .columns = columns,
        .cell = cell,
        .per_cell = 1.0 / cell,
        .tolerance = TOLERANCE * cell,
        .least = (double)global_minimum,
        .out = least,
        .i0 = west - 1,
        .j0 = south - 1,
        .i1 = east,
        .j1 = north,
    };
    start(&p, west, south, east, north);
    if (columns->nx < 2 || columns->ny < 2)
        return;
    for (size_t k = 0; k < ground->vertex_count; k++)
        lift_vertex(&p, &ground->vertices[k]);
}

void rl_minimum_compute(const rill_ground_mesh *ground, const rill_columns *columns,
                        float global_minimum, float *least)
{
    rl_minimum_update(ground, columns, global_minimum, least, 0, 0, columns->nx, columns->ny);
}
