// SPDX-License-Identifier: MIT
#include "bodies/front_rows.h"

#include <math.h>

#define ROWS_NAME_(isa) rl_front_rows_##isa
#define ROWS_NAME(isa)  ROWS_NAME_(isa)
#define TEXT_(x)        #x
#define TEXT(x)         TEXT_(x)

#define ROUNDING     1e-5 // metres: no mean of levels exceeds the highest by more
#define ALONG_NORMAL 1e-3 // sine of the angle between velocity and normal that is none
#define THIRD        (1.0 / 3.0)

// ---- Triangles -------------------------------------------------------------------------

// The fewest parts with which pieces are small enough, and not too long: see rl_samples_triangle.
static inline int parts_of(double area, double longest_squared, double largest)
{
    const double as_long = 0.125 * longest_squared;
    const double ratio = (area > as_long ? area : as_long) / largest, root = sqrt(ratio);
    const int down = (int)(root < RL_MAX_PARTS - 1 ? root : RL_MAX_PARTS - 1);
    return down + (ratio > (double)down * (double)down);
}

static void shape(const rl_front_tile *tile, double cell_size, double largest,
                  rl_front_triangles *restrict to)
{
    const double per_cell = 1.0 / cell_size, reference = tile->reference;
    const double west = tile->box.i0 + 0.5, south = tile->box.j0 + 0.5;
    const double dry = (double)tile->highest + ROUNDING;
    for (int l = 0; l < RL_FRONT_LANES; l++) {
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
        const double lower = az < bz ? az : bz,
                     lowest = z - reference + (lower < 0.0 ? lower : 0.0);
        to->parts[l] = length > 0.0 && length < 1e30 && lowest < dry ? parts : 0;
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

// One of the three places of a point.
static inline float place_of(const rl_front_group *g, int axis, int l, int row, int n)
{
    return g->first[axis][l] + (float)row * g->rows[axis][l] + (float)n * g->along[axis][l];
}

// The first of the four cells around a point, and their weights.
typedef struct four_cells {
    int cell[RL_FRONT_LANES];
    float weight[4][RL_FRONT_LANES];
} four_cells;

static inline float limited(float value, float most)
{
    const float above = value > 0.0f ? value : 0.0f; // a NaN gives 0
    return above < most ? above : most;
}

static inline void find_cells(const rl_front_tile *tile, const rl_front_group *g, int row, int n,
                              four_cells *restrict to)
{
    const int width = tile->box.i1 - tile->box.i0, rows = tile->box.j1 - tile->box.j0;
    for (int l = 0; l < g->lanes; l++) {
        const float x = limited(place_of(g, 0, l, row, n), (float)(width - 1));
        const float y = limited(place_of(g, 1, l, row, n), (float)(rows - 1));
        const int i = (int)x < width - 2 ? (int)x : width - 2;
        const int j = (int)y < rows - 2 ? (int)y : rows - 2;
        const float fx = x - (float)i, fy = y - (float)j, gx = 1.0f - fx, gy = 1.0f - fy;
        to->cell[l] = j * width + i;
        to->weight[0][l] = gx * gy;
        to->weight[1][l] = fx * gy;
        to->weight[2][l] = gx * fy;
        to->weight[3][l] = fx * fy;
    }
}

// Their mean, as values of a cell.
static inline void mix_cells(const rl_front_tile *tile, const four_cells *cells, int lanes,
                             float (*restrict sums)[RL_FRONT_VALUES])
{
    const size_t row = (size_t)(tile->box.i1 - tile->box.i0) * RL_FRONT_VALUES;
    for (int l = 0; l < lanes; l++) {
        const float *south = tile->cells[cells->cell[l]], *north = south + row;
        const float sw = cells->weight[0][l], se = cells->weight[1][l];
        const float nw = cells->weight[2][l], ne = cells->weight[3][l];
        for (int k = 0; k < RL_FRONT_VALUES; k++)
            sums[l][k] = (sw * south[k] + se * south[RL_FRONT_VALUES + k]) +
                         (nw * north[k] + ne * north[RL_FRONT_VALUES + k]);
    }
}

// A point takes the level of free water; where all cells are blocked, what was found for these.
static void find(const rl_front_tile *tile, const rl_front_group *g, int row,
                 rl_front_points *restrict points)
{
    points->unseen = 0;
    for (int n = 0; n <= g->parts - row; n++) {
        rl_front_point *restrict point = &points->at[n];
        float sums[RL_FRONT_LANES][RL_FRONT_VALUES];
        four_cells cells;
        int unseen = 0;
        find_cells(tile, g, row, n, &cells);
        mix_cells(tile, &cells, g->lanes, sums);
        for (int l = 0; l < g->lanes; l++) {
            const float wet = sums[l][RL_FRONT_WET], level = sums[l][RL_FRONT_LEVEL];
            const float free = sums[l][RL_FRONT_FREE], moving = sums[l][RL_FRONT_MOVING];
            const float headed = sums[l][RL_FRONT_HEADED], head = sums[l][RL_FRONT_HEAD];
            const float part = wet > 0.0f ? wet : free > 0.0f ? 0.0f : headed;
            const float found = (wet > 0.0f ? level : head) / part;
            const float scale = moving > 0.0f ? 1.0f / moving : 0.0f;
            const float depth = found - place_of(g, 2, l, row, n);
            unseen |= part > 0.0f ? 0 : 1;
            point->depth[l] = part > 0.0f ? (double)depth : RL_NO_WATER;
            point->flow_x[l] = (double)(scale * sums[l][RL_FRONT_FLOW_X]);
            point->flow_y[l] = (double)(scale * sums[l][RL_FRONT_FLOW_Y]);
        }
        points->unseen |= unseen;
    }
}

// ---- Pieces ----------------------------------------------------------------------------

// A piece: rows and numbers of its corners, and what they find.
typedef struct front_piece {
    int row[3], n[3];
    const rl_front_point *at[3];
} front_piece;

// As rl_samples_piece has them: those with even numbers lie as the triangle does, the others upside
// down between them.
static inline front_piece piece_of(int row, int number, const rl_front_points *near,
                                   const rl_front_points *far)
{
    const int n = number / 2, turned = number % 2;
    return (front_piece){
        {row + turned, row + 1, row},
        {n, n + turned, n + 1},
        {turned ? &far->at[n] : &near->at[n], &far->at[n + turned], &near->at[n + 1]}};
}

// A corner without water takes the level of the others, and the flow is the mean of what they find.
static void complete(const rl_front_group *g, front_piece *piece, rl_front_point to[3])
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

// As flow_force of forces.c has them; a piece of a soft body for itself is not thrown back. `lift`
// is of->lift, fetched by the caller: vectors cannot fetch under a condition.
static inline flow_pull pull_of(const rl_front_pull *of, double lift, double area, double facing,
                                double squared)
{
    const double speed = sqrt(squared), rest = squared - facing * facing;
    const double across = sqrt(rest > 0.0 ? rest : 0.0), meets = facing > 0.0 ? area : 0.0;
    const double share = facing * of->area_weight + (1.0 - of->area_weight) * speed;
    const double half = 0.5 * of->density * meets * share;
    const double stiff = half * of->drag, most = of->inert * meets;
    const double scale = stiff > most ? most / stiff : 1.0;
    // Where it moves along its normal the way of the lift is lost in rounding.
    const double aside = across > ALONG_NORMAL * speed ? scale * half * lift / across : 0.0;
    return (flow_pull){aside * facing - scale * stiff, -aside * squared, stiff * squared};
}

static void add_piece(const rl_front_group *g, const rl_front_pull *pull, const front_piece *piece,
                      rl_front_felt *restrict felt)
{
    const rl_front_point *p0 = piece->at[0], *p1 = piece->at[1], *p2 = piece->at[2];
    const double part = 1.0 / g->parts, row = part * piece->row[2], along = part * piece->n[0];
    const double turned = part * (piece->n[1] - piece->n[0]), lift = pull->lift;
    for (int l = 0; l < g->lanes; l++) {
        const wet_piece wet =
            cut(p0->depth[l], p1->depth[l], p2->depth[l], g->area[l] * part * part);
        const double head = wet.head[0] + wet.head[1] + wet.head[2], area = wet.area;
        const double head_b = row * head + turned * wet.head[0] + part * wet.head[1];
        const double head_c = along * head + turned * wet.head[1] + part * wet.head[2];
        // The centre of the wet part: there it moves through the water.
        const double per_area = area > 0.0 ? 1.0 / area : 0.0;
        const double b = row + (turned * wet.centre[0] + part * wet.centre[1]) * per_area;
        const double c = along + (turned * wet.centre[1] + part * wet.centre[2]) * per_area;
        const double a = 1.0 - b - c, nx = g->normal[0][l], ny = g->normal[1][l];
        const double nz = g->normal[2][l];
        const double x = a * g->velocity[0][0][l] + b * g->velocity[1][0][l] +
                         c * g->velocity[2][0][l] -
                         (p0->flow_x[l] + p1->flow_x[l] + p2->flow_x[l]) * THIRD;
        const double y = a * g->velocity[0][1][l] + b * g->velocity[1][1][l] +
                         c * g->velocity[2][1][l] -
                         (p0->flow_y[l] + p1->flow_y[l] + p2->flow_y[l]) * THIRD;
        const double z =
            a * g->velocity[0][2][l] + b * g->velocity[1][2][l] + c * g->velocity[2][2][l];
        const flow_pull by =
            pull_of(pull, lift, area, x * nx + y * ny + z * nz, x * x + y * y + z * z);
        const double fx = by.along * x + by.up * nx, fy = by.along * y + by.up * ny;
        const double fz = by.along * z + by.up * nz;
        felt->area[l] += area;
        felt->head[0][l] += head - head_b - head_c;
        felt->head[1][l] += head_b;
        felt->head[2][l] += head_c;
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

static void feel(const rl_front_group *g, const rl_front_pull *pull, int row,
                 const rl_front_points *near, const rl_front_points *far, rl_front_felt *felt)
{
    for (int n = 0; n < 2 * (g->parts - row) - 1; n++) {
        front_piece piece = piece_of(row, n, near, far);
        rl_front_point completed[3];
        if (near->unseen || far->unseen)
            complete(g, &piece, completed);
        add_piece(g, pull, &piece, felt);
    }
}

const rl_front_rows ROWS_NAME(RL_ISA) = {
    .isa = TEXT(RL_ISA),
    .shape = shape,
    .find = find,
    .feel = feel,
};
