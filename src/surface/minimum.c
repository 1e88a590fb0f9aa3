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
#include "surface/minimum_internal.h"

#include "core/assert.h"
#include "surface/surface_cell.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DEAREST 1e10 // weight of columns that are higher than the vertex (Dagenais Eq. 7)
#define NEAREST 1e-3 // least height above a floor in Dagenais Eq. 7, cells (erratum 14 to Dagenais)

#define CLOSE 1e-3 // clearance of lifts that hold at any depth, cells
// Columns this many cells away may change as well: a change of nodes turns normals of vertices up
// to one cell away, and the cell groups of those have corners one further.
#define REACH 2

typedef struct column {
    int i, j;
    size_t slot;
    double base, low, high;
    bool there; // the cell has a column at the height of the vertex
} column;

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
        sum += part[k] = from[k] >= RL_MINIMUM_TOLERANCE ? from[k] : 0.0;
    for (int k = 0; k < 4 && sum != 1.0; k++)
        part[k] /= sum;
}

// ---- The columns around a vertex -------------------------------------------------------

// Finds the column above cell (i, j) whose range holds `height`; where two do, within the
// tolerance, the one whose floor is nearer.
static void find_column(const rl_minimum_pass *p, int i, int j, double height, column *found)
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
        *found = (column){i, j, slot, base, low, high, true};
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
static bool is_drawn(const rl_minimum_pass *p, const column corner[4], const double part[4])
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

// Returns what the triangle lacks below a height, metres: R of Dagenais Eq. 6.
static double missing_below(const column corner[4], const double part[4], double height)
{
    double missing = height;
    for (int k = 0; k < 4; k++)
        missing -= part[k] * corner[k].base;
    return missing;
}

// Applies the paper's last rule: a lift that would make a bump taller than the ground needs.
static bool is_too_high(const rl_minimum_pass *p, const column corner[4], const double part[4],
                        const double lift[4])
{
    double highest = -1e30;
    for (int k = 0; k < 4; k++)
        if (part[k] > 0.0 && corner[k].base > highest)
            highest = corner[k].base;
    for (int k = 0; k < 4; k++)
        if (part[k] > 0.0 && (lift[k] > RL_MINIMUM_LIFT * p->cell ||
                              corner[k].base + lift[k] > highest + RL_MINIMUM_LIFT_ABOVE * p->cell))
            return true;
    return false;
}

// Returns whether a column is one of those that the pass makes, and not only one beside them.
static bool is_inside(const rl_minimum_pass *p, const column *c)
{
    return c->i > p->i0 && c->i < p->i1 && c->j > p->j0 && c->j < p->j1;
}

// Notes that the line between two columns runs so deep below the edge of a cliff that no lift would
// look right: a film that runs over it ends there in a lip (reach.c).
static void note_cliff(const rl_minimum_pass *p, const column corner[4], const double part[4])
{
    int high = -1, low = -1;
    for (int k = 0; k < 4; k++) {
        if (part[k] <= 0.0)
            continue;
        if (high >= 0 && low >= 0)
            return; // the line of two columns decides
        if (high < 0 || corner[k].base > corner[high].base) {
            low = high;
            high = k;
        } else {
            low = k;
        }
    }
    if (low < 0 || p->cliff == NULL || !is_inside(p, &corner[high]))
        return;
    const int dx = corner[low].i - corner[high].i, dy = corner[low].j - corner[high].j;
    for (int way = 0; way < 8; way++)
        if (rl_surface_step_x(way) == dx && rl_surface_step_y(way) == dy)
            p->cliff[corner[high].slot] |= (uint8_t)(1u << way);
}

// Raises lift[k] to the lift that the triangle needs at its corners.
static void lift_triangle(const rl_minimum_pass *p, const column corner[4], const double part[4],
                          double height, double lift[4])
{
    double base[4], solved[4];
    const double clearance = RL_MINIMUM_CLEARANCE * p->cell;
    const double equal = missing_below(corner, part, height + CLOSE * p->cell);
    if (equal <= 0.0)
        return;
    for (int k = 0; k < 4; k++) {
        base[k] = corner[k].base;
        solved[k] = equal;
    }
    if (missing_below(corner, part, height + clearance) > p->least) {
        rl_minimum_solve(4, part, base, height, clearance, p->cell, p->least, solved);
        if (is_too_high(p, corner, part, solved)) {
            if (equal > RL_MINIMUM_CLIFF * p->cell)
                note_cliff(p, corner, part);
            if (equal > RL_MINIMUM_LIFT_EQUAL * p->cell)
                return;
            for (int k = 0; k < 4; k++)
                solved[k] = equal;
        }
    }
    for (int k = 0; k < 4; k++)
        if (part[k] > 0.0 && solved[k] > lift[k])
            lift[k] = solved[k];
}

// ---- All vertices ----------------------------------------------------------------------

static void raise_film(const rl_minimum_pass *p, const column *c, double lift)
{
    const double free_height = c->high - c->base;
    const float value = (float)(lift < free_height ? lift : free_height);
    if (value > p->out[c->slot])
        p->out[c->slot] = value;
}

// Raises the columns of the cell group whose corner A is cell (i, j).
static void lift_group(const rl_minimum_pass *p, int i, int j, double x, double y, double height,
                       unsigned cuts)
{
    double part[2][4] = {{0.0}}, lift[4] = {0.0};
    column corner[4];
    const bool inside = x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0; // else both cuts are the same
    cuts = inside ? cuts : RL_MINIMUM_AC;
    for (int cut = 0; cut < 2; cut++)
        if (cuts >> cut & 1)
            find_parts(x, y, cut, part[cut]);
    for (int k = 0; k < 4; k++) {
        corner[k].there = false;
        corner[k].base = 0.0;
        if (part[0][k] > 0.0 || part[1][k] > 0.0)
            find_column(p, i + (k == 1 || k == 2), j + (k >= 2), height, &corner[k]);
    }
    for (int cut = 0; cut < 2; cut++)
        if (cuts >> cut & 1 && is_drawn(p, corner, part[cut]))
            lift_triangle(p, corner, part[cut], height, lift);
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
    if (!(cells >= -RL_MINIMUM_TOLERANCE && cells <= last + RL_MINIMUM_TOLERANCE))
        return false;
    const int below = cells > 0.0 ? (int)cells : 0;
    *lower = below < count - 2 ? below : count - 2;
    const double beyond = cells - *lower;
    *part =
        beyond < RL_MINIMUM_TOLERANCE ? 0.0 : (beyond > 1.0 - RL_MINIMUM_TOLERANCE ? 1.0 : beyond);
    return true;
}

// Returns how much higher than at its centre the surface of a column on the border is drawn
// `beyond` cells outside of that, where the ground rises (rl_surface_rim): half of the step from
// the cell behind it on the border itself.
static double rise_beyond(const rl_minimum_pass *p, const column *c, int behind, double beyond)
{
    const rill_columns *all = p->columns;
    const size_t layer = c->slot / all->layer_stride * all->layer_stride;
    const size_t inner = layer + (size_t)behind;
    if (all->range_min != NULL && all->range_max != NULL &&
        all->range_max[inner] < all->range_min[inner])
        return 0.0;
    const double rise = 0.5 * (c->base - (double)all->base[inner]);
    return rise > 0.0 && rise < p->cell ? 2.0 * beyond * rise : 0.0;
}

// Raises the columns on the border next to a point outside of the outermost centres: along the
// border the surface goes straight from one to the next.
static void lift_rim(const rl_minimum_pass *p, double x, double y, double height)
{
    const rill_columns *all = p->columns;
    const double far_x = all->nx - 1, far_y = all->ny - 1;
    const double in_x = x < 0.0 ? 0.0 : x < far_x ? x : far_x;
    const double in_y = y < 0.0 ? 0.0 : y < far_y ? y : far_y;
    const bool upright = in_x != x, corner = upright && in_y != y;
    const double along = upright ? in_y : in_x, beyond = fabs(upright ? x - in_x : y - in_y);
    const int first = (int)along, last = upright ? all->ny - 1 : all->nx - 1;
    column ends[2] = {{.there = false}, {.there = false}};
    const double part[2] = {1.0 - (along - first), along - first};
    double missing = height + CLOSE * p->cell;
    for (int k = 0; k < 2; k++) {
        if (part[k] < RL_MINIMUM_TOLERANCE || first + k > last)
            continue;
        const int i = upright ? (int)in_x : first + k, j = upright ? first + k : (int)in_y;
        const int bi = upright ? (x < 0.0 ? 1 : all->nx - 2) : i;
        const int bj = upright ? j : (y < 0.0 ? 1 : all->ny - 2);
        find_column(p, i, j, height, &ends[k]);
        if (!ends[k].there)
            return;
        const int behind = (int)((size_t)bj * all->pitch) + bi;
        missing -=
            part[k] * (ends[k].base + (corner ? 0.0 : rise_beyond(p, &ends[k], behind, beyond)));
    }
    if (missing <= 0.0 || missing > RL_MINIMUM_LIFT_EQUAL * p->cell)
        return;
    for (int k = 0; k < 2; k++)
        if (ends[k].there)
            raise_film(p, &ends[k], missing);
}

// Returns whether a point is beyond the outermost centres, but not beyond the border.
static bool is_on_rim(const rill_columns *c, double x, double y)
{
    const double most_x = c->nx - 0.5 + RL_MINIMUM_TOLERANCE,
                 most_y = c->ny - 0.5 + RL_MINIMUM_TOLERANCE;
    const double least = -0.5 - RL_MINIMUM_TOLERANCE;
    return x >= least && y >= least && x <= most_x && y <= most_y &&
           (x < 0.0 || y < 0.0 || x > c->nx - 1 || y > c->ny - 1);
}

void rl_minimum_lift(const rl_minimum_pass *pass, double x, double y, double height, unsigned cuts)
{
    if (is_on_rim(pass->columns, x, y))
        lift_rim(pass, x, y, height);
    int i, j;
    double part_x, part_y;
    if (find_place(x, pass->columns->nx, &i, &part_x) &&
        find_place(y, pass->columns->ny, &j, &part_y) && i >= pass->i0 && i < pass->i1 &&
        j >= pass->j0 && j < pass->j1)
        lift_group(pass, i, j, part_x, part_y, height, cuts);
}

// Sets every column of cells [i0, i1) x [j0, j1) to nothing.
static void start(const rl_minimum_pass *p, int i0, int j0, int i1, int j1)
{
    const rill_columns *c = p->columns;
    for (int layer = 0; layer < c->layers; layer++)
        for (int j = j0; j < j1; j++) {
            const size_t row = (size_t)layer * c->layer_stride + (size_t)j * c->pitch;
            memset(p->out + row + i0, 0, (size_t)(i1 - i0) * sizeof *p->out);
            if (p->reach == NULL)
                continue;
            memset(p->cliff + row + i0, 0, (size_t)(i1 - i0));
            memset(p->reach + 4 * (row + (size_t)i0), 0, (size_t)(i1 - i0) * 4);
            memcpy(p->join + row + i0, c->range_min + row + i0,
                   (size_t)(i1 - i0) * sizeof *p->join);
        }
}

size_t rl_minimum_floats(const rill_columns *columns)
{
    const size_t columns_in_all = columns->layer_stride * (size_t)columns->layers;
    return 3 * columns_in_all + (columns_in_all + 3) / 4;
}

float *rl_minimum_join(const rill_columns *columns, float *least)
{
    if (columns->range_min == NULL || columns->range_max == NULL)
        return NULL;
    return least + columns->layer_stride * (size_t)columns->layers;
}

uint8_t *rl_minimum_reach(const rill_columns *columns, float *least)
{
    if (columns->range_min == NULL || columns->range_max == NULL)
        return NULL;
    return (uint8_t *)(least + 2 * columns->layer_stride * (size_t)columns->layers);
}

static uint8_t *cliffs_of(const rill_columns *columns, float *least)
{
    uint8_t *reach = rl_minimum_reach(columns, least);
    return reach == NULL ? NULL : reach + 4 * columns->layer_stride * (size_t)columns->layers;
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
    const rl_minimum_pass p = {
        .columns = columns,
        .cell = cell,
        .per_cell = 1.0 / cell,
        .tolerance = RL_MINIMUM_TOLERANCE * cell,
        .least = (double)global_minimum,
        .out = least,
        .join = rl_minimum_join(columns, least),
        .reach = rl_minimum_reach(columns, least),
        .cliff = cliffs_of(columns, least),
        .i0 = west - 1,
        .j0 = south - 1,
        .i1 = east,
        .j1 = north,
    };
    start(&p, west, south, east, north);
    if (columns->nx < 2 || columns->ny < 2)
        return;
    rl_minimum_lift_all(&p, ground);
    if (p.join != NULL)
        rl_join_limit(&p);
}

void rl_minimum_compute(const rill_ground_mesh *ground, const rill_columns *columns,
                        float global_minimum, float *least)
{
    rl_minimum_update(ground, columns, global_minimum, least, 0, 0, columns->nx, columns->ny);
}
