// SPDX-License-Identifier: MIT
// reach.c - how far the solid below a column comes out towards the neighbouring cells.
//
// Over the edge of an overhang the surface ends in a lip, and a curtain hangs from it. The edge of
// the solid is somewhere between the centre of the column and that of the cell X beside it:
//
//        A  lip      X         A is drawn to the lip. If the side of the solid comes out further
//     ___|___ '      |         than the lip, the curtain runs through the solid and not down its
//            \ '     |         face. So the lip is put beyond everything on the way from A to X
//     _______/ '     |         between the top and the underside of the solid, and the foot of the
//              'foot |         curtain no nearer to A than that.
//
// Other solids further below are cleared by the lip as well, as far as they reach less far than the
// foot; where they reach further, the curtain ends on them.
//
// Where the liquid in X has risen above the underside of the solid, Dagenais section 4.1 links the
// two levels, and the surface goes from A down to the liquid in a straight line, through whatever
// of the solid is above that line. It clears a point at part f of the way and elevation z if the
// level in X is at least
//
//     b_A - (b_A - z) / f.
//
// Below the largest of these there is still a lip, and the liquid in X ends at the wall. But a film
// on a neighbour that shares the solid must stay linked, so it is never more than the lowest floor
// of those.
//
// Both depend on the ground alone and are made with the least thicknesses. Reaches are four bytes a
// column, by side, in parts of 255 of a cell; 0 stands for less than halfway. Lowest levels to join
// take the place of range_min where links are looked for.
#include "core/assert.h"
#include "surface/edges_inline.h"
#include "surface/minimum_internal.h"

#include <math.h>

// What lies on the way from a column to the cell beside it.
typedef struct obstacle {
    int i, j, side; // of the cell of the column; the other is beside it
    double part;    // of the way
    double z;
} obstacle;

static void extend(const rl_minimum_pass *p, const obstacle *o)
{
    const rill_columns *c = p->columns;
    const int ni = o->i + rl_surface_step_x(o->side), nj = o->j + rl_surface_step_y(o->side);
    const size_t here = (size_t)o->j * c->pitch + (size_t)o->i;
    const size_t beside = (size_t)nj * c->pitch + (size_t)ni;
    const double bytes = ceil(o->part * 255.0);
    const uint8_t reach =
        o->part < 0.5 - (double)RL_EDGE_BESIDE ? 0 : (uint8_t)(bytes < 255.0 ? bytes : 255.0);
    for (int k = 0; k < c->layers; k++) {
        const size_t column = here + (size_t)k * c->layer_stride;
        const double low = (double)c->range_min[column], base = (double)c->base[column];
        const bool own = o->z >= low - p->tolerance;
        if (low > (double)c->range_max[column] || base < o->z - p->tolerance ||
            (!own && o->part > 1.0 - (double)RL_EDGE_FOOT))
            continue;
        const float join = (float)(base - (base - o->z) / o->part);
        if (own && join > p->join[column])
            p->join[column] = join;
        uint8_t *to = &p->reach[4 * column + (size_t)o->side / 2];
        for (int m = 0; m < c->layers && reach > *to; m++) {
            const size_t other = beside + (size_t)m * c->layer_stride;
            const double floor_there = (double)c->base[other];
            if (c->range_min[other] <= c->range_max[other] && o->z >= floor_there &&
                base > floor_there && base <= (double)c->range_max[other])
                *to = reach;
        }
    }
}

// Takes a point on the way from one centre to the next, at `along` cells; `across` is the row, or
// the column, of cells that it lies in.
static void take_way(const rl_minimum_pass *p, double along, double across, double z, bool upright)
{
    const int count = upright ? p->columns->ny : p->columns->nx;
    const int lines = upright ? p->columns->nx : p->columns->ny;
    if (!(along > 0.0 && along < count - 1 && across > -0.5 && across < lines - 0.5))
        return;
    const int first = (int)along, line = (int)(across + 0.5);
    const double part = along - first;
    for (int turn = 0; turn < 2; turn++) {
        const int at = first + turn,
                  side = upright ? (turn ? RL_SOUTH : RL_NORTH) : (turn ? RL_WEST : RL_EAST);
        const obstacle o = {upright ? line : at, upright ? at : line, side,
                            turn ? 1.0 - part : part, z};
        // Columns of other cells are as they were.
        if (o.part >= RL_MINIMUM_TOLERANCE && o.i > p->i0 && o.i < p->i1 && o.j > p->j0 &&
            o.j < p->j1)
            extend(p, &o);
    }
}

// Of a number from -0.5 on.
static bool is_whole(double x)
{
    return fabs(x - (int)(x + 0.5)) < RL_MINIMUM_TOLERANCE;
}

void rl_reach_extend(const rl_minimum_pass *pass, double x, double y, double z)
{
    RL_ASSERT(pass->columns->range_min != NULL);
    if (!(x > -0.5 && y > -0.5 && x < pass->columns->nx && y < pass->columns->ny))
        return;
    if (is_whole(y))
        take_way(pass, x, y, z, false);
    if (is_whole(x))
        take_way(pass, y, x, z, true);
}

// ---- Lowest levels to join -----------------------------------------------------------------

// Returns the highest level that column (i, j) may ask of its neighbours: the lowest floor of those
// on its sides that it is linked to at any level. Of diagonals a link says only how a quad is
// cut.
static float lowest_beside(const rl_minimum_pass *p, int i, int j, size_t column)
{
    const rill_columns *c = p->columns;
    const float low = c->range_min[column], base = c->base[column], high = c->range_max[column];
    const float tolerance = (float)p->tolerance;
    float lowest = base;
    for (int way = 0; way < 8; way += 2) {
        if (p->cliff[column] >> way & 1)
            continue;
        const int ni = i + rl_surface_step_x(way), nj = j + rl_surface_step_y(way);
        if (ni < 0 || nj < 0 || ni >= c->nx || nj >= c->ny)
            continue;
        size_t other = (size_t)nj * c->pitch + (size_t)ni;
        for (int m = 0; m < c->layers; m++, other += c->layer_stride)
            if (c->range_min[other] <= c->range_max[other] && c->base[other] < lowest &&
                rl_surface_linked(base, low, high, c->base[other], c->range_min[other],
                                  c->range_max[other], tolerance))
                lowest = c->base[other];
    }
    return lowest;
}

void rl_join_limit(const rl_minimum_pass *p)
{
    const rill_columns *c = p->columns;
    for (int k = 0; k < c->layers; k++)
        for (int j = p->j0 + 1; j < p->j1; j++)
            for (int i = p->i0 + 1; i < p->i1; i++) {
                const size_t column =
                    (size_t)k * c->layer_stride + (size_t)j * c->pitch + (size_t)i;
                const float low = c->range_min[column];
                if (!(p->join[column] > low))
                    continue;
                const float most = lowest_beside(p, i, j, column);
                p->join[column] = most < low               ? low
                                  : most < p->join[column] ? most
                                                           : p->join[column];
            }
}
