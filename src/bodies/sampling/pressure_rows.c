// SPDX-License-Identifier: MIT
// pressure_rows.c - the loops over triangles of a body that keeps water out (pressure_sampling.h),
// compiled once per instruction set.
#include "bodies/sampling/pressure_sampling.h"

#include "core/cell.h"
#include "core/cell_eight.h"

#include <string.h>

#define ALONG_NORMAL 1e-3 // sine of the angle between velocity and normal that is none
#define THIRD        (1.0 / 3.0)

// Lanes are worked on in blocks, in loops of a length that compilers know.
#define BLOCK RL_PRESSURE_BLOCK

_Static_assert(RL_PRESSURE_VALUES == RL_EIGHT, "cells have eight values");

// ---- Triangles -------------------------------------------------------------------------

// The fewest parts with which pieces are small enough, and not too long: see rl_samples_triangle.
static inline int parts_of(double area, double longest_squared, double largest)
{
    const double as_long = 0.125 * longest_squared;
    const double ratio = (area > as_long ? area : as_long) / largest, root = sqrt(ratio);
    const int down = (int)(root < RL_MAX_PARTS - 1 ? root : RL_MAX_PARTS - 1);
    return down + (ratio > (double)down * (double)down);
}

static void shape(const rl_pressure_grid *grid, double cell_size, double largest,
                  rl_pressure_group *restrict to)
{
    const double per_cell = 1.0 / cell_size, reference = grid->reference;
    const double west = grid->box.i0 + 0.5, south = grid->box.j0 + 0.5;
    for (int l = 0; l < RL_PRESSURE_LANES; l++) {
        const double x = (double)to->corner[0][0][l], y = (double)to->corner[0][1][l];
        const double z = (double)to->corner[0][2][l];
        const double ax = (double)to->corner[1][0][l] - x, bx = (double)to->corner[2][0][l] - x;
        const double ay = (double)to->corner[1][1][l] - y, by = (double)to->corner[2][1][l] - y;
        const double az = (double)to->corner[1][2][l] - z, bz = (double)to->corner[2][2][l] - z;
        const double nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
        const double length = sqrt(nx * nx + ny * ny + nz * nz), unit = 1.0 / length;
        const double cx = bx - ax, cy = by - ay, cz = bz - az;
        const double a = ax * ax + ay * ay + az * az, b = bx * bx + by * by + bz * bz;
        const double c = cx * cx + cy * cy + cz * cz, ab = a > b ? a : b;
        const int parts = parts_of(0.5 * length, ab > c ? ab : c, largest);
        to->own_parts[l] = length > 0.0 && length < 1e30 ? parts : 0;
        to->area[l] = 0.5 * length;
        to->normal[0][l] = nx * unit;
        to->normal[1][l] = ny * unit;
        to->normal[2][l] = nz * unit;
        const double step = rl_samples_step(cell_size, sqrt(nx * nx + ny * ny) * unit) * unit;
        const double part = 1.0 / (double)parts, cells = per_cell * part;
        to->first[0][l] = (float)((x + step * nx) * per_cell - west);
        to->first[1][l] = (float)((y + step * ny) * per_cell - south);
        to->first[2][l] = (float)(z - reference);
        to->rows[0][l] = (float)(ax * cells);
        to->rows[1][l] = (float)(ay * cells);
        to->rows[2][l] = (float)(az * part);
        to->along[0][l] = (float)(bx * cells);
        to->along[1][l] = (float)(by * cells);
        to->along[2][l] = (float)(bz * part);
    }
}

// ---- Points ----------------------------------------------------------------------------

#define AT_ONCE 4 // points that are found together

// One of the three places of a point.
static inline float place_of(const rl_pressure_group *g, int axis, int l, int row, int n)
{
    return g->first[axis][l] + (float)row * g->rows[axis][l] + (float)n * g->along[axis][l];
}

// The same of as many lanes as fit.
RL_CELL rl_real places_of(const rl_pressure_group *g, int axis, int l, int row, int n)
{
    return rl_load_any(g->first[axis] + l) + rl_set((float)row) * rl_load_any(g->rows[axis] + l) +
           rl_set((float)n) * rl_load_any(g->along[axis] + l);
}

// Where the first of the four cells around a point begins, in floats of the grid, and the weights
// of all: for as many lanes as fit into a vector.
typedef struct four_cells {
    float first[RL_LANES];
    float weight[4][RL_LANES];
} four_cells;

// In [0, most]; 0 for what is no number.
RL_CELL rl_real limited(rl_real value, float most)
{
    return rl_min(rl_max(value, rl_set(0.0f)), rl_set(most));
}

// The last whole number that is not above a place, and leaves a cell after it.
RL_CELL rl_real cell_before(rl_real place, int cells)
{
    return rl_min(rl_number_of_bits(rl_bits_of_number(place)), rl_set((float)(cells - 2)));
}

RL_CELL void find_cells(const rl_pressure_grid *grid, const rl_pressure_group *g, int first,
                        int row, int n, four_cells *to)
{
    const int width = grid->box.i1 - grid->box.i0, rows = grid->box.j1 - grid->box.j0;
    const rl_real one = rl_set(1.0f), values = rl_set(RL_PRESSURE_VALUES);
    const rl_real x = limited(places_of(g, 0, first, row, n), (float)(width - 1));
    const rl_real y = limited(places_of(g, 1, first, row, n), (float)(rows - 1));
    const rl_real i = cell_before(x, width), j = cell_before(y, rows);
    const rl_real fx = x - i, fy = y - j, gx = one - fx, gy = one - fy;
    rl_store_any(to->first, (j * rl_set((float)width) + i) * values);
    rl_store_any(to->weight[0], gx * gy);
    rl_store_any(to->weight[1], fx * gy);
    rl_store_any(to->weight[2], gx * fy);
    rl_store_any(to->weight[3], fx * fy);
}

// Means of four cells, lane by lane.
typedef struct mixed_cells {
    float at[RL_LANES][RL_PRESSURE_VALUES];
} mixed_cells;

RL_CELL void mix_cells(const rl_pressure_grid *grid, const four_cells *cells, int lanes,
                       mixed_cells *to)
{
    const size_t row = (size_t)(grid->box.i1 - grid->box.i0) * RL_PRESSURE_VALUES;
    for (int l = 0; l < lanes; l++) {
        const float *south = grid->cells[0] + (ptrdiff_t)cells->first[l];
        rl_eight_mix(south, south + row, cells->weight[0] + l, RL_LANES, to->at[l]);
    }
}

// What points find, as floats.
typedef struct found_points {
    float depth[RL_LANES], flow_x[RL_LANES], flow_y[RL_LANES];
} found_points;

// A point takes the level of free water; where all cells are blocked, what was found for these.
// Returns 1 if there is none for some of them.
RL_CELL int find_water(const mixed_cells *mixed, rl_real height, found_points *to)
{
    rl_real values[RL_PRESSURE_VALUES];
    rl_eight_load(mixed->at[0], values);
    const rl_real zero = rl_set(0.0f), wet = values[RL_PRESSURE_WET],
                  moving = values[RL_PRESSURE_MOVING];
    const rl_mask is_wet = rl_less(zero, wet), is_free = rl_less(zero, values[RL_PRESSURE_FREE]);
    const rl_real headed = rl_select(is_free, zero, values[RL_PRESSURE_HEADED]);
    const rl_real part = rl_select(is_wet, wet, headed);
    const rl_real sum = rl_select(is_wet, values[RL_PRESSURE_LEVEL], values[RL_PRESSURE_HEAD]);
    const rl_real depth = sum / part - height;
    const rl_real scale = rl_keep(rl_less(zero, moving), rl_set(1.0f) / moving);
    const rl_mask is_seen = rl_less(zero, part);
    rl_store_any(to->depth, rl_select(is_seen, depth, rl_set((float)RL_NO_WATER)));
    rl_store_any(to->flow_x, scale * values[RL_PRESSURE_FLOW_X]);
    rl_store_any(to->flow_y, scale * values[RL_PRESSURE_FLOW_Y]);
    return !rl_all(is_seen);
}

// Points [n, n + count) of a row, for a vector of lanes from `first` on. Each thing is done for all
// of them before the next: none has to wait for another, but each for what was done to it before.
RL_CELL int find_some(const rl_pressure_grid *grid, const rl_pressure_group *g, int first, int row,
                      int n, int count, mixed_cells *mixed, rl_pressure_point *points)
{
    const int left = g->lanes - first, lanes = left < RL_LANES ? left : RL_LANES;
    four_cells cells[AT_ONCE];
    int unseen = 0;
    for (int k = 0; k < count; k++)
        find_cells(grid, g, first, row, n + k, &cells[k]);
    for (int k = 0; k < count; k++)
        mix_cells(grid, &cells[k], lanes, &mixed[k]);
    for (int k = 0; k < count; k++) {
        rl_pressure_point *restrict point = &points[n + k];
        found_points found;
        unseen |= find_water(&mixed[k], places_of(g, 2, first, row, n + k), &found);
        for (int l = 0; l < RL_LANES; l++) {
            point->depth[first + l] = (double)found.depth[l];
            point->flow_x[first + l] = (double)found.flow_x[l];
            point->flow_y[first + l] = (double)found.flow_y[l];
        }
    }
    return unseen;
}

// Lanes past the last have what was there before: of other lanes, or else water.
static void begin_mixed(mixed_cells *mixed, int lanes)
{
    for (int l = lanes; l < RL_LANES; l++) {
        memset(mixed->at[l], 0, sizeof mixed->at[l]);
        mixed->at[l][RL_PRESSURE_WET] = 1.0f;
    }
}

static void find(const rl_pressure_grid *grid, const rl_pressure_group *g, int row,
                 rl_pressure_points *restrict points)
{
    const int count = g->parts - row + 1;
    mixed_cells mixed[AT_ONCE];
    int unseen = 0;
    for (int k = 0; k < AT_ONCE && k < count; k++)
        begin_mixed(&mixed[k], g->lanes);
    for (int n = 0; n < count; n += AT_ONCE)
        for (int l = 0; l < g->lanes; l += RL_LANES)
            unseen |= find_some(grid, g, l, row, n, count - n < AT_ONCE ? count - n : AT_ONCE,
                                mixed, points->at);
    points->unseen = unseen;
}

// ---- Pieces ----------------------------------------------------------------------------

// A piece: rows and numbers of its corners, and what they find.
typedef struct surface_piece {
    int row[3], n[3];
    const rl_pressure_point *at[3];
} surface_piece;

// As rl_samples_piece has them: those with even numbers lie as the triangle does, the others upside
// down between them.
static inline surface_piece piece_of(int row, int number, const rl_pressure_points *here,
                                     const rl_pressure_points *next)
{
    const int n = number / 2, turned = number % 2;
    return (surface_piece){
        {row + turned, row + 1, row},
        {n, n + turned, n + 1},
        {turned ? &next->at[n] : &here->at[n], &next->at[n + turned], &here->at[n + 1]}};
}

// A corner without water takes the level of the others, and the flow is the mean of what they find.
static void complete(const rl_pressure_group *g, surface_piece *piece, rl_pressure_point to[3])
{
    for (int l = 0; l < g->lanes; l++) {
        double level = 0.0, height[3];
        int seen = 0;
        for (int c = 0; c < 3; c++) {
            height[c] = (double)place_of(g, 2, l, piece->row[c], piece->n[c]);
            if (piece->at[c]->depth[l] > RL_NO_WATER) {
                level += height[c] + piece->at[c]->depth[l];
                seen++;
            }
        }
        const double scale = seen > 0 ? 3.0 / seen : 0.0; // those that see none have no flow
        for (int c = 0; c < 3; c++) {
            const double depth = piece->at[c]->depth[l];
            to[c].depth[l] = depth > RL_NO_WATER || seen == 0 ? depth : level / seen - height[c];
            to[c].flow_x[l] = scale * piece->at[c]->flow_x[l];
            to[c].flow_y[l] = scale * piece->at[c]->flow_y[l];
        }
    }
    for (int c = 0; c < 3; c++)
        piece->at[c] = &to[c];
}

// The wet part of a piece: its area, and integrals of the piece's own barycentric coordinates and
// of the depth times them.
typedef struct wet_piece {
    double area, centre[3], head[3];
} wet_piece;

// rl_samples_wet, without branches: a whole piece or none, and what the corner that is alone below
// the water, or above it, adds to that or takes away.
static inline wet_piece cut(double d0, double d1, double d2, double area)
{
    const double s0 = d0 > 0.0 ? 1.0 : -1.0, s1 = d1 > 0.0 ? 1.0 : -1.0;
    const double s2 = d2 > 0.0 ? 1.0 : -1.0, most = s0 + s1 + s2;
    const bool alone0 = s0 * most < 0.0, alone1 = s1 * most < 0.0, is_cut = most * most < 2.0;
    // Its depth, those of the next two, and how far along its sides to these the water line is:
    // nowhere, if no corner is alone.
    const double d = alone0 ? d0 : alone1 ? d1 : d2;
    const double next = alone0 ? d1 : alone1 ? d2 : d0, last = alone0 ? d2 : alone1 ? d0 : d1;
    const double e = is_cut ? d / (d - next) : 0.0, f = is_cut ? d / (d - last) : 0.0;
    const double whole = most > 0.0 ? area : 0.0, part = (most > 0.0 ? -area : area) * e * f;
    const double pe = part * e, pf = part * f, pd = 3.0 * part - pe - pf;
    const double p0 = alone0 ? pd : alone1 ? pf : pe, p1 = alone0 ? pe : alone1 ? pd : pf;
    const double p2 = alone0 ? pf : alone1 ? pe : pd, depths = d0 + d1 + d2, tip = part * d;
    const double t0 = alone0 ? tip : 0.0, t1 = alone0 ? 0.0 : alone1 ? tip : 0.0;
    const double wet = whole + part, twelfth = 0.25 * THIRD;
    return (wet_piece){wet > 1e-12 * area ? wet : 0.0,
                       {(whole + p0) * THIRD, (whole + p1) * THIRD, (whole + p2) * THIRD},
                       {(whole * (depths + d0) + d * p0 + t0) * twelfth,
                        (whole * (depths + d1) + d * p1 + t1) * twelfth,
                        (whole * (depths + d2) + d * p2 + (tip - t0 - t1)) * twelfth}};
}

// Drag and lift of a piece are `along` its velocity and `up` its normal.
typedef struct flow_pull {
    double along, up, power;
} flow_pull;

// As flow_force of forces.c has them; a piece of a soft body for itself is not thrown back.
static inline flow_pull pull_of(const rl_pressure_pull *of, double area, double facing,
                                double squared)
{
    const double lift = of->lift; // vectors cannot fetch under a condition
    const double speed = sqrt(squared), rest = squared - facing * facing;
    const double across = sqrt(rest > 0.0 ? rest : 0.0), meets = facing > 0.0 ? area : 0.0;
    const double effective = facing * of->area_weight + (1.0 - of->area_weight) * speed;
    const double half = 0.5 * of->density * meets * effective;
    const double stiff = half * of->drag, most = of->inert * meets;
    const double scale = stiff > most ? most / stiff : 1.0;
    // Where it moves along its normal the way of the lift is lost in rounding.
    const double aside = across > ALONG_NORMAL * speed ? scale * half * lift / across : 0.0;
    return (flow_pull){aside * facing - scale * stiff, -aside * squared, stiff * squared};
}

// Most bodies are dragged by their area across the flow and not lifted: no roots, and no divisions.
static inline bool is_plain(const rl_pressure_pull *of)
{
    return of->lift == 0.0 && of->area_weight == 1.0 && !(of->inert < INFINITY);
}

// What pull_of comes to then.
static inline flow_pull plain_pull_of(const rl_pressure_pull *of, double area, double facing,
                                      double squared)
{
    const double meets = facing > 0.0 ? area : 0.0, half = 0.5 * of->density * meets * facing;
    const double stiff = half * of->drag;
    return (flow_pull){-stiff, 0.0, stiff * squared};
}

// The wet part of a piece in every lane: its area, and the second and third barycentric coordinate
// of its centre in the triangle.
typedef struct wet_centre {
    _Alignas(RILL_ALIGNMENT) double area[RL_PRESSURE_LANES];
    double b[RL_PRESSURE_LANES], c[RL_PRESSURE_LANES];
} wet_centre;

// Adds the pressure on a piece, which is `part` as long as the triangle, for the lanes of a block.
static inline void press_block(const rl_pressure_group *g, const surface_piece *piece, double part,
                               int first, rl_pressure_felt *restrict felt, wet_centre *restrict to)
{
    const rl_pressure_point *p0 = piece->at[0], *p1 = piece->at[1], *p2 = piece->at[2];
    const double row = part * piece->row[2], along = part * piece->n[0];
    const double turned = part * (piece->n[1] - piece->n[0]);
    for (int l = first; l < first + BLOCK; l++) {
        const wet_piece wet =
            cut(p0->depth[l], p1->depth[l], p2->depth[l], g->area[l] * part * part);
        const double head = wet.head[0] + wet.head[1] + wet.head[2], area = wet.area;
        const double head_b = row * head + turned * wet.head[0] + part * wet.head[1];
        const double head_c = along * head + turned * wet.head[1] + part * wet.head[2];
        const double per_area = area > 0.0 ? 1.0 / area : 0.0;
        to->area[l] = area;
        to->b[l] = row + (turned * wet.centre[0] + part * wet.centre[1]) * per_area;
        to->c[l] = along + (turned * wet.centre[1] + part * wet.centre[2]) * per_area;
        felt->area[l] += area;
        felt->head[0][l] += head - head_b - head_c;
        felt->head[1][l] += head_b;
        felt->head[2][l] += head_c;
    }
}

// Adds drag and lift of the piece: the centre of its wet part moves through the water.
static inline void drag_block(const rl_pressure_group *g, const rl_pressure_pull *pull,
                              const surface_piece *piece, const wet_centre *at, int first,
                              bool plain, rl_pressure_felt *restrict felt)
{
    const rl_pressure_point *p0 = piece->at[0], *p1 = piece->at[1], *p2 = piece->at[2];
    for (int l = first; l < first + BLOCK; l++) {
        const double area = at->area[l], b = at->b[l], c = at->c[l], a = 1.0 - b - c;
        const double nx = g->normal[0][l], ny = g->normal[1][l], nz = g->normal[2][l];
        const double x = a * g->velocity[0][0][l] + b * g->velocity[1][0][l] +
                         c * g->velocity[2][0][l] -
                         (p0->flow_x[l] + p1->flow_x[l] + p2->flow_x[l]) * THIRD;
        const double y = a * g->velocity[0][1][l] + b * g->velocity[1][1][l] +
                         c * g->velocity[2][1][l] -
                         (p0->flow_y[l] + p1->flow_y[l] + p2->flow_y[l]) * THIRD;
        const double z =
            a * g->velocity[0][2][l] + b * g->velocity[1][2][l] + c * g->velocity[2][2][l];
        const double facing = x * nx + y * ny + z * nz, squared = x * x + y * y + z * z;
        const flow_pull by = plain ? plain_pull_of(pull, area, facing, squared)
                                   : pull_of(pull, area, facing, squared);
        const double fx = plain ? by.along * x : by.along * x + by.up * nx;
        const double fy = plain ? by.along * y : by.along * y + by.up * ny;
        const double fz = plain ? by.along * z : by.along * z + by.up * nz;
        felt->power[l] += by.power;
        felt->flow[0][0][l] += a * fx;
        felt->flow[0][1][l] += a * fy;
        felt->flow[0][2][l] += a * fz;
        felt->flow[1][0][l] += b * fx;
        felt->flow[1][1][l] += b * fy;
        felt->flow[1][2][l] += b * fz;
        felt->flow[2][0][l] += c * fx;
        felt->flow[2][1][l] += c * fy;
        felt->flow[2][2][l] += c * fz;
    }
}

// First the one for all blocks, then the other: each block is a long chain of numbers that wait for
// each other, and processors work so far ahead that several can go on at once.
static void feel(const rl_pressure_group *g, const rl_pressure_pull *pull, int row,
                 const rl_pressure_points *here, const rl_pressure_points *next,
                 rl_pressure_felt *felt)
{
    const bool plain = is_plain(pull);
    const double part = 1.0 / g->parts;
    for (int n = 0; n < 2 * (g->parts - row) - 1; n++) {
        surface_piece piece = piece_of(row, n, here, next);
        rl_pressure_point completed[3];
        wet_centre centre;
        if (here->unseen || next->unseen)
            complete(g, &piece, completed);
        for (int l = 0; l < g->lanes; l += BLOCK)
            press_block(g, &piece, part, l, felt, &centre);
        for (int l = 0; l < g->lanes; l += BLOCK) {
            if (plain)
                drag_block(g, pull, &piece, &centre, l, true, felt);
            else
                drag_block(g, pull, &piece, &centre, l, false, felt);
        }
    }
}

const rl_pressure_rows RL_ROWS(rl_pressure_rows) = {
    .isa = RL_ISA_TEXT,
    .shape = shape,
    .find = find,
    .feel = feel,
};
