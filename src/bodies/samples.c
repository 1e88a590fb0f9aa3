// SPDX-License-Identifier: MIT
#include "bodies/samples.h"

#include "bodies/layer_head.h"
#include "core/sample.h"

#include <math.h>

#define FASTEST_RISE 0.5 // of a surface, in speeds of long waves

// ---- Water at points -------------------------------------------------------------------

rl_water_view rl_samples_view(const rl_bodies *bodies, const rl_body_water *water)
{
    rl_water_view view = {
        .columns = water->columns, .cell_size = bodies->cell_size, .gravity = bodies->gravity};
    if (bodies->can_block && bodies->has_blocks && water->ops->bed != NULL) {
        view.bed = water->ops->bed(water->solver);
        view.blocks = &bodies->blocks[bodies->now];
        view.head = &bodies->level;
    }
    return view;
}

rl_water_view rl_samples_view_of(const rl_water_view *view, const rl_body *body)
{
    rl_water_view own = *view;
    own.own = body->own_area > 0.0 ? body->own / body->own_area : 0.0;
    return own;
}

// The layer whose column holds z in a cell, or -1.
static int layer_at(const rill_columns *c, size_t cell, double z)
{
    if (c->layers <= 1 || c->range_min == NULL || c->range_max == NULL)
        return 0;
    for (int layer = 0; layer < c->layers; layer++) {
        const size_t slot = (size_t)layer * c->layer_stride + cell;
        if (z >= (double)c->range_min[slot] && z <= (double)c->range_max[slot])
            return layer;
    }
    return -1;
}

bool rl_samples_column(const rl_water_view *view, int i, int j, double z, rl_wet_column *out)
{
    const rill_columns *c = &view->columns;
    const size_t cell = (size_t)j * c->pitch + (size_t)i;
    const int layer = layer_at(c, cell, z);
    if (layer < 0)
        return false;
    const size_t slot = (size_t)layer * c->layer_stride + cell;
    if (!(c->depth[slot] > c->wet_depth))
        return false;
    double base = (double)c->base[slot];
    if (view->blocks != NULL && i >= view->blocks->first[j] && i < view->blocks->end[j]) {
        if (rl_field_row(&view->blocks->lower, j)[i] < RL_BLOCK_NO_LOWER)
            return false;
        base = (double)rl_field_row(&view->blocks->floor, j)[i];
    }
    const double depth = (double)c->depth[slot];
    *out = (rl_wet_column){i, j, layer, slot, depth, base + depth};
    return true;
}

// The four cells around a point and their weights.
typedef struct four_cells {
    int i, j;
    double weight[4];
} four_cells;

static four_cells cells_around(const rl_water_view *view, const double p[3])
{
    const double scale = 1.0 / view->cell_size;
    const rl_sample_place at =
        rl_sample_find(view->columns.nx, view->columns.ny, p[0] * scale - 0.5, p[1] * scale - 0.5);
    const double x = (double)at.x, y = (double)at.y;
    return (four_cells){at.i, at.j, {(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y}};
}

bool rl_samples_columns(const rl_water_view *view, const double p[3], rl_wet_columns *out)
{
    const four_cells four = cells_around(view, p);
    double sum = 0.0;
    int count = 0;
    for (int n = 0; n < 4; n++) {
        if (!(four.weight[n] > 0.0) ||
            !rl_samples_column(view, four.i + n % 2, four.j + n / 2, p[2], &out->at[count]))
            continue;
        out->weight[count++] = four.weight[n];
        sum += four.weight[n];
    }
    for (int n = 0; n < count; n++)
        out->weight[n] /= sum;
    out->count = count;
    return count > 0;
}

// The same where every cell has one free column: most samples are of this kind, and short.
static double plain_level(const rl_water_view *view, const double p[3])
{
    const rill_columns *c = &view->columns;
    const four_cells four = cells_around(view, p);
    const size_t first = (size_t)four.j * c->pitch + (size_t)four.i;
    double sum = 0.0, level = 0.0;
    for (int n = 0; n < 4; n++) {
        const size_t slot = first + (n / 2 == 1 ? c->pitch : 0) + (size_t)(n % 2);
        const double weight = c->depth[slot] > c->wet_depth ? four.weight[n] : 0.0;
        sum += weight;
        level += weight * ((double)c->base[slot] + (double)c->depth[slot]);
    }
    return sum > 0.0 ? level / sum : RL_NO_WATER;
}

double rl_samples_level(const rl_water_view *view, const double p[3], const double normal[3])
{
    (void)normal;
    rl_wet_columns columns;
    if (view->columns.layers <= 1 && view->blocks == NULL)
        return plain_level(view, p) - view->own;
    if (!rl_samples_columns(view, p, &columns))
        return RL_NO_WATER;
    double level = -view->own;
    for (int n = 0; n < columns.count; n++)
        level += columns.weight[n] * columns.at[n].level;
    return level;
}

void rl_samples_outside(const rl_water_view *view, const double p[3], const double normal[3],
                        double out[3])
{
    const double flat = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    // A face that is nearly level has no side to look at. The step grows with its slope and does
    // not jump from none to a cell.
    const double step = flat > 0.25 ? view->cell_size / flat : 4.0 * view->cell_size;
    out[0] = p[0] + step * normal[0];
    out[1] = p[1] + step * normal[1];
    out[2] = p[2] + 0.5 * view->cell_size * normal[2];
}

// What of four cells around a point has been looked at.
typedef struct front_sum {
    double wet, level, blocked, blocked_level, moving, flow[2];
    bool some_free;
} front_sum;

static inline void add_front_cell(const rl_water_view *view, int i, int j, double weight,
                                  front_sum *sum)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const size_t slot = (size_t)j * c->pitch + (size_t)i;
    const float depth = c->depth[slot];
    const bool wet = depth > c->wet_depth;
    float base = c->base[slot], ground = base;
    bool hangs = false;
    if (b != NULL && i >= b->first[j] && i < b->end[j]) {
        base = rl_field_row(&b->floor, j)[i];
        ground = rl_field_row(view->bed, j)[i];
        hangs = rl_field_row(&b->lower, j)[i] < RL_BLOCK_NO_LOWER;
    }
    const double moving = wet && !hangs ? weight : 0.0;
    sum->moving += moving;
    sum->flow[0] += moving * (double)c->velocity_x[slot];
    sum->flow[1] += moving * (double)c->velocity_y[slot];
    if (hangs || base > ground) {
        const float head = rl_field_row(view->head, j)[i];
        sum->blocked += head > ground ? weight : 0.0;
        sum->blocked_level += head > ground ? weight * (double)head : 0.0;
        return;
    }
    sum->some_free = true;
    sum->wet += wet ? weight : 0.0;
    sum->level += wet ? weight * ((double)base + (double)depth) : 0.0;
}

// The level of free cells around a point, dry ones being none; where all are blocked, what was
// found for these.
static rl_front front_around(const rl_water_view *view, const double outside[3])
{
    const four_cells four = cells_around(view, outside);
    front_sum sum = {0};
    for (int n = 0; n < 4; n++)
        if (four.weight[n] > 0.0)
            add_front_cell(view, four.i + n % 2, four.j + n / 2, four.weight[n], &sum);
    const double parts = sum.some_free ? sum.wet : sum.blocked;
    const double level = sum.some_free ? sum.level : sum.blocked_level;
    rl_front front = {parts > 0.0 ? level / parts : RL_NO_WATER, {0.0, 0.0}};
    if (sum.moving > 0.0) {
        front.flow[0] = sum.flow[0] / sum.moving;
        front.flow[1] = sum.flow[1] / sum.moving;
    }
    return front;
}

static void flow_along(const rl_water_view *view, const rl_wet_columns *columns, double flow[2]);

// The same of a water with several layers.
static rl_front front_of_layers(const rl_water_view *view, const double p[3],
                                const double normal[3])
{
    float level;
    double outside[3];
    rl_wet_columns columns;
    rl_front front = {RL_NO_WATER, {0.0, 0.0}};
    if (rl_body_layer_level_on(&view->columns, p, normal, &level))
        front.level = (double)level;
    rl_samples_outside(view, p, normal, outside);
    if (rl_samples_columns(view, outside, &columns))
        flow_along(view, &columns, front.flow);
    return front;
}

rl_front rl_samples_front(const rl_water_view *view, const double p[3], const double normal[3])
{
    if (view->columns.layers > 1)
        return front_of_layers(view, p, normal);
    double outside[3];
    rl_samples_outside(view, p, normal, outside);
    return front_around(view, outside);
}

double rl_samples_head(const rl_water_view *view, const double p[3], const double normal[3])
{
    return rl_samples_front(view, p, normal).level;
}

// ---- Velocity --------------------------------------------------------------------------

// Level and discharge of a neighbour in the same layer; those of the cell itself where it is dry.
static void neighbour(const rl_water_view *view, const rl_wet_column *at, int axis, int way,
                      double *level, double *discharge)
{
    const rill_columns *c = &view->columns;
    const int i = at->i + (axis == 0 ? way : 0), j = at->j + (axis == 1 ? way : 0);
    const float *velocity = axis == 0 ? c->velocity_x : c->velocity_y;
    rl_wet_column beside;
    if (i < 0 || i >= c->nx || j < 0 || j >= c->ny ||
        !rl_samples_column(view, i, j, at->level, &beside)) {
        *level = at->level;
        *discharge = 0.0; // nothing goes over a shore
        return;
    }
    *level = beside.level;
    *discharge = beside.depth * (double)velocity[beside.slot];
}

// Upright velocity of the surface of a column, by differences over two cells, so that it changes
// little from one to the next: u grad eta + d eta / dt, the latter by continuity.
static double rise(const rl_water_view *view, const rl_wet_column *at)
{
    const rill_columns *c = &view->columns;
    const double scale = 0.5 / view->cell_size;
    const double along[2] = {(double)c->velocity_x[at->slot], (double)c->velocity_y[at->slot]};
    double w = 0.0;
    for (int axis = 0; axis < 2; axis++) {
        double low, high, from, to;
        neighbour(view, at, axis, -1, &low, &from);
        neighbour(view, at, axis, 1, &high, &to);
        w += scale * (along[axis] * (high - low) - (to - from));
    }
    return w;
}

static void flow_along(const rl_water_view *view, const rl_wet_columns *columns, double flow[2])
{
    const rill_columns *c = &view->columns;
    flow[0] = flow[1] = 0.0;
    for (int n = 0; n < columns->count; n++) {
        const size_t slot = columns->at[n].slot;
        flow[0] += columns->weight[n] * (double)c->velocity_x[slot];
        flow[1] += columns->weight[n] * (double)c->velocity_y[slot];
    }
}

void rl_samples_flow(const rl_water_view *view, const rl_wet_columns *columns, double flow[3])
{
    int nearest = 0;
    flow_along(view, columns, flow);
    for (int n = 1; n < columns->count; n++)
        nearest = columns->weight[n] > columns->weight[nearest] ? n : nearest;
    // Where a column has just been torn open the books of its neighbours make it rise at any speed;
    // no wave does so faster than half of its own, sqrt(g h).
    const rl_wet_column *at = &columns->at[nearest];
    const double most = FASTEST_RISE * sqrt(view->gravity * at->depth);
    flow[2] = fmin(fmax(rise(view, at), -most), most);
}

// ---- Triangles -------------------------------------------------------------------------

static double squared(const double a[3], const double b[3])
{
    const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
    return x * x + y * y + z * z;
}

// Slender triangles are divided until they are short as well: one sample in the middle of a long
// plank says nothing of the waves along it.
static int parts_of(const rl_triangle *t, double largest)
{
    const double a = squared(t->p[0], t->p[1]), b = squared(t->p[1], t->p[2]);
    const double c = squared(t->p[2], t->p[0]), longest = fmax(a, fmax(b, c));
    int parts = 1;
    while (parts < RL_MAX_PARTS &&
           (t->area > largest * parts * parts || longest > 8.0 * largest * parts * parts))
        parts *= 2;
    return parts;
}

int rl_samples_fewest_parts(const rl_triangle *t, double largest)
{
    const double a = squared(t->p[0], t->p[1]), b = squared(t->p[1], t->p[2]);
    const double c = squared(t->p[2], t->p[0]), longest = fmax(a, fmax(b, c));
    const double most = fmax(t->area, 0.125 * longest);
    int parts = 1;
    while (parts < RL_MAX_PARTS && most > largest * parts * parts)
        parts++;
    return parts;
}

bool rl_samples_triangle(const rl_bodies *bodies, const rl_body *body, int t, double largest,
                         rl_triangle *out)
{
    const uint32_t *corners = bodies->triangles + 3 * (size_t)(body->first_triangle + t);
    for (int n = 0; n < 3; n++) {
        const size_t vertex = 3 * ((size_t)body->first_vertex + corners[n]);
        out->corner[n] = (int)corners[n];
        for (int k = 0; k < 3; k++) {
            out->p[n][k] = (double)bodies->position[vertex + (size_t)k];
            out->v[n][k] = (double)bodies->velocity[vertex + (size_t)k];
        }
    }
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = out->p[1][k] - out->p[0][k];
        b[k] = out->p[2][k] - out->p[0][k];
    }
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0.0 && length < 1e30))
        return false;
    for (int k = 0; k < 3; k++)
        out->normal[k] = n[k] / length;
    out->area = 0.5 * length;
    out->parts = parts_of(out, largest);
    return true;
}

rl_piece rl_samples_piece(int parts, int row, int n)
{
    const int at = n / 2;
    rl_piece piece;
    // Pieces with even numbers lie as the triangle does, the others upside down between them.
    const int upright[3][2] = {{row, at}, {row + 1, at}, {row, at + 1}};
    const int turned[3][2] = {{row + 1, at}, {row + 1, at + 1}, {row, at + 1}};
    const double scale = 1.0 / parts;
    for (int c = 0; c < 3; c++) {
        const int *corner = n % 2 == 0 ? upright[c] : turned[c];
        piece.corner[c][0] = corner[0];
        piece.corner[c][1] = corner[1];
        piece.at[c][0] = (parts - corner[0] - corner[1]) * scale;
        piece.at[c][1] = corner[0] * scale;
        piece.at[c][2] = corner[1] * scale;
    }
    return piece;
}

// Adds `sign` times the integrals over a whole triangle.
static void add_whole(rl_wet_part *to, double sign, const double at[3][3], const double depth[3],
                      double area)
{
    const double depths = depth[0] + depth[1] + depth[2];
    to->area += sign * area;
    to->head += sign * area * depths / 3.0;
    for (int k = 0; k < 3; k++) {
        const double sum = at[0][k] + at[1][k] + at[2][k];
        const double both = depth[0] * at[0][k] + depth[1] * at[1][k] + depth[2] * at[2][k];
        to->centre[k] += sign * area * sum / 3.0;
        to->head_centre[k] += sign * area * (depths * sum + both) / 12.0;
    }
}

// The corner `c` of a piece, cut off where the depth is 0.
static void add_corner(rl_wet_part *to, double sign, const rl_piece *piece, const double depth[3],
                       double area, int c)
{
    double at[3][3], depths[3] = {depth[c], 0.0, 0.0}, part = 1.0;
    for (int k = 0; k < 3; k++)
        at[0][k] = piece->at[c][k];
    for (int n = 1; n < 3; n++) {
        const int other = (c + n) % 3;
        const double along = depth[c] / (depth[c] - depth[other]);
        part *= along;
        for (int k = 0; k < 3; k++)
            at[n][k] = at[0][k] + along * (piece->at[other][k] - at[0][k]);
    }
    add_whole(to, sign, (const double(*)[3])at, depths, area * part);
}

rl_wet_part rl_samples_wet(const rl_piece *piece, const double depth[3], double area)
{
    rl_wet_part wet = {0};
    int below = 0, lowest = 0, highest = 0;
    for (int c = 0; c < 3; c++) {
        below += depth[c] > 0.0;
        lowest = depth[c] > depth[lowest] ? c : lowest;
        highest = depth[c] < depth[highest] ? c : highest;
    }
    if (below == 1) {
        add_corner(&wet, 1.0, piece, depth, area, lowest);
    } else if (below > 1) {
        add_whole(&wet, 1.0, piece->at, depth, area);
        if (below == 2)
            add_corner(&wet, -1.0, piece, depth, area, highest);
    }
    return wet;
}

// Levels at the points of a row of the lattice that divides a triangle.
static void find_levels(const rl_water_view *view, const rl_triangle *t, int row,
                        rl_level_at level_at, double *levels, double *heights)
{
    const double scale = 1.0 / t->parts;
    for (int n = 0; n <= t->parts - row; n++) {
        const double weights[3] = {(t->parts - row - n) * scale, row * scale, n * scale};
        double p[3];
        rl_samples_mix((const double(*)[3])t->p, weights, p);
        levels[n] = level_at(view, p, t->normal);
        heights[n] = p[2];
    }
}

// Depths of the corners. A corner without water takes the level of the others.
static bool find_depths(const double levels[3], const double heights[3], double depth[3])
{
    double sum = 0.0;
    int count = 0;
    for (int c = 0; c < 3; c++)
        if (levels[c] > RL_NO_WATER) {
            sum += levels[c];
            count++;
        }
    bool below = false;
    for (int c = 0; c < 3 && count > 0; c++) {
        depth[c] = (levels[c] > RL_NO_WATER ? levels[c] : sum / count) - heights[c];
        below = below || depth[c] > 0.0;
    }
    return below;
}

void rl_samples_walk(const rl_water_view *view, const rl_triangle *t, rl_level_at level_at,
                     rl_visit_part visit, void *context)
{
    double levels[2][RL_MAX_PARTS + 1], heights[2][RL_MAX_PARTS + 1];
    const double area = t->area / ((double)t->parts * t->parts);
    find_levels(view, t, 0, level_at, levels[0], heights[0]);
    for (int row = 0; row < t->parts; row++) {
        find_levels(view, t, row + 1, level_at, levels[(row + 1) % 2], heights[(row + 1) % 2]);
        for (int n = 0; n < 2 * (t->parts - row) - 1; n++) {
            const rl_piece piece = rl_samples_piece(t->parts, row, n);
            double level[3], height[3], depth[3];
            for (int c = 0; c < 3; c++) {
                level[c] = levels[piece.corner[c][0] % 2][piece.corner[c][1]];
                height[c] = heights[piece.corner[c][0] % 2][piece.corner[c][1]];
            }
            if (!find_depths(level, height, depth))
                continue;
            const rl_wet_part wet = rl_samples_wet(&piece, depth, area);
            if (wet.area > 1e-12 * area)
                visit(context, t, &wet);
        }
    }
}

// Of the corners of a piece that see water.
static void mean_flow(const rl_front *const fronts[3], double flow[2])
{
    int count = 0;
    flow[0] = flow[1] = 0.0;
    for (int c = 0; c < 3; c++) {
        if (!(fronts[c]->level > RL_NO_WATER))
            continue;
        flow[0] += fronts[c]->flow[0];
        flow[1] += fronts[c]->flow[1];
        count++;
    }
    flow[0] /= count;
    flow[1] /= count;
}

static void find_fronts(const rl_water_view *view, const rl_triangle *t, int row, rl_front *fronts,
                        double *heights)
{
    const double scale = 1.0 / t->parts;
    for (int n = 0; n <= t->parts - row; n++) {
        const double weights[3] = {(t->parts - row - n) * scale, row * scale, n * scale};
        double p[3];
        rl_samples_mix((const double(*)[3])t->p, weights, p);
        fronts[n] = rl_samples_front(view, p, t->normal);
        heights[n] = p[2];
    }
}

void rl_samples_walk_front(const rl_water_view *view, const rl_triangle *t, rl_visit_front visit,
                           void *context)
{
    rl_front fronts[2][RL_MAX_PARTS + 1];
    double heights[2][RL_MAX_PARTS + 1];
    const double area = t->area / ((double)t->parts * t->parts);
    find_fronts(view, t, 0, fronts[0], heights[0]);
    for (int row = 0; row < t->parts; row++) {
        find_fronts(view, t, row + 1, fronts[(row + 1) % 2], heights[(row + 1) % 2]);
        for (int n = 0; n < 2 * (t->parts - row) - 1; n++) {
            const rl_piece piece = rl_samples_piece(t->parts, row, n);
            const rl_front *corners[3];
            double level[3], height[3], depth[3], flow[2];
            for (int c = 0; c < 3; c++) {
                corners[c] = &fronts[piece.corner[c][0] % 2][piece.corner[c][1]];
                level[c] = corners[c]->level;
                height[c] = heights[piece.corner[c][0] % 2][piece.corner[c][1]];
            }
            if (!find_depths(level, height, depth))
                continue;
            const rl_wet_part wet = rl_samples_wet(&piece, depth, area);
            if (!(wet.area > 1e-12 * area))
                continue;
            mean_flow(corners, flow);
            visit(context, t, &wet, flow);
        }
    }
}
