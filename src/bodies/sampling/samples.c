// SPDX-License-Identifier: MIT
// samples.c - the water at points, in doubles: levels, velocities, what stands before a surface,
// and triangles cut at the water line. Bodies that water runs through are sampled with it; so are
// splashes, bodies in several layers and those too large for a grid of their own
// (pressure_sampling.c).
#include "bodies/sampling/samples.h"

#define FASTEST_RISE 0.5 // of a surface, in speeds of long waves

// ---- Water at points -------------------------------------------------------------------

rl_water_view rl_samples_view(const rl_bodies *bodies, const rl_body_water *water)
{
    rl_water_view view = {.columns = water->columns,
                          .cell_size = bodies->cell_size,
                          .gravity = bodies->gravity,
                          .copy = water->ops->copies_velocities ? water->ops->columns : NULL,
                          .solver = water->solver,
                          .rows = bodies->rows};
    if (bodies->can_block && bodies->has_blocks && water->ops->bed != NULL) {
        view.bed = water->ops->bed(water->solver);
        view.blocks = &bodies->blocks;
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

// The four cells around a point, from (i, j) on, and their weights.
typedef struct four_cells {
    int i, j;
    double weight[4];
} four_cells;

static inline four_cells cells_around(const rl_water_view *view, const double p[3])
{
    const double scale = 1.0 / view->cell_size;
    const rl_sample_place at =
        rl_sample_find(view->columns.nx, view->columns.ny, p[0] * scale - 0.5, p[1] * scale - 0.5);
    const double x = (double)at.x, y = (double)at.y;
    return (four_cells){at.i, at.j, {(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y}};
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
    RL_ASSERT(i >= 0 && i < c->nx && j >= 0 && j < c->ny);
    const size_t cell = (size_t)j * c->pitch + (size_t)i;
    const int layer = layer_at(c, cell, z);
    if (layer < 0)
        return false;
    const size_t slot = (size_t)layer * c->layer_stride + cell;
    if (!(c->depth[slot] > c->wet_depth))
        return false;
    double base = (double)c->base[slot];
    if (view->blocks != NULL && i >= view->blocks->first[j] && i < view->blocks->end[j]) {
        if (rill_field_row(&view->blocks->lower, j)[i] < RL_BLOCK_NO_LOWER)
            return false;
        base = (double)rill_field_row(&view->blocks->floor, j)[i];
    }
    const double depth = (double)c->depth[slot];
    *out = (rl_wet_column){i, j, layer, slot, depth, base + depth};
    return true;
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

// Velocity along the ground alone.
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

// ---- Before surfaces that keep water out -----------------------------------------------

// The point at which a surface that keeps water out reads it.
static void point_outside(const rl_water_view *view, const double p[3], const double normal[3],
                          double out[3])
{
    const double flat = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    const double step = rl_samples_step(view->cell_size, flat);
    out[0] = p[0] + step * normal[0];
    out[1] = p[1] + step * normal[1];
    out[2] = p[2] + 0.5 * view->cell_size * normal[2];
}

// Where all four cells are blocked: the level that was found for them.
static double blocked_level(const rl_water_view *view, const four_cells *four)
{
    double sum = 0.0, level = 0.0;
    for (int n = 0; n < 4; n++) {
        const int i = four->i + n % 2, j = four->j + n / 2;
        const float head = rill_field_row(view->head, j)[i];
        if (four->weight[n] > 0.0 && head > rill_field_row(view->bed, j)[i]) {
            sum += four->weight[n];
            level += four->weight[n] * (double)head;
        }
    }
    return sum > 0.0 ? level / sum : RL_NO_WATER;
}

// The level of free cells around a point, dry ones being none; where all are blocked, what was
// found for these. Where a row has nothing blocked its floor is its ground.
static rl_pressure_state pressure_around(const rl_water_view *view, const four_cells *four)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    double wet = 0.0, level = 0.0, free = 0.0, moving = 0.0, flow[2] = {0.0, 0.0};
    for (int n = 0; n < 4; n++) {
        const int i = four->i + n % 2, j = four->j + n / 2;
        const size_t slot = (size_t)j * c->pitch + (size_t)i;
        const double weight = four->weight[n];
        const float ground = b != NULL ? rill_field_row(view->bed, j)[i] : c->base[slot];
        const bool has_floor = b != NULL && b->first[j] < b->end[j];
        const float floor = has_floor ? rill_field_row(&b->floor, j)[i] : ground;
        const bool hangs = b != NULL && rill_field_row(&b->lower, j)[i] < RL_BLOCK_NO_LOWER;
        const bool is_wet = c->depth[slot] > c->wet_depth, is_free = !hangs & !(floor > ground);
        const double moves = is_wet & !hangs ? weight : 0.0, counts = is_wet & is_free ? weight : 0;
        free += is_free ? weight : 0.0;
        moving += moves;
        flow[0] += moves * (double)c->velocity_x[slot];
        flow[1] += moves * (double)c->velocity_y[slot];
        wet += counts;
        level += counts * ((double)floor + (double)c->depth[slot]);
    }
    rl_pressure_state found = {RL_NO_WATER, {0.0, 0.0}};
    if (wet > 0.0)
        found.level = level / wet;
    else if (!(free > 0.0))
        found.level = blocked_level(view, four);
    for (int k = 0; k < 2 && moving > 0.0; k++)
        found.flow[k] = flow[k] / moving;
    return found;
}

rl_pressure_state rl_samples_pressure(const rl_water_view *view, const double p[3],
                                      const double normal[3])
{
    float level;
    double outside[3];
    rl_wet_columns columns;
    rl_pressure_state found = {RL_NO_WATER, {0.0, 0.0}};
    point_outside(view, p, normal, outside);
    if (view->columns.layers <= 1) {
        const four_cells four = cells_around(view, outside);
        return pressure_around(view, &four);
    }
    if (rl_body_layer_level_on(&view->columns, p, normal, &level))
        found.level = (double)level;
    if (rl_samples_columns(view, outside, &columns))
        flow_along(view, &columns, found.flow);
    return found;
}

double rl_samples_head(const rl_water_view *view, const double p[3], const double normal[3])
{
    return rl_samples_pressure(view, p, normal).level;
}

// ---- Triangles -------------------------------------------------------------------------

// Slender triangles are divided until they are short as well: one sample in the middle of a long
// plank says nothing of the waves along it.
static int parts_of(const rl_triangle *t, double largest)
{
    const double a = rl_square_distance(t->p[0], t->p[1]);
    const double b = rl_square_distance(t->p[1], t->p[2]);
    const double c = rl_square_distance(t->p[2], t->p[0]), longest = fmax(a, fmax(b, c));
    int parts = 1;
    while (parts < RL_MAX_PARTS &&
           (t->area > largest * parts * parts || longest > 8.0 * largest * parts * parts))
        parts *= 2;
    return parts;
}

bool rl_samples_triangle(const rl_bodies *bodies, const rl_body *body, int t, double largest,
                         rl_triangle *out)
{
    const uint32_t *corners = bodies->triangles + 3 * (size_t)(body->first_triangle + t);
    for (int n = 0; n < 3; n++) {
        const size_t vertex = (size_t)body->first_vertex + corners[n];
        out->corner[n] = (int)corners[n];
        rl_vertex_at(bodies->position, vertex, out->p[n]);
        rl_vertex_at(bodies->velocity, vertex, out->v[n]);
    }
    double n[3];
    rl_triangle_across(out->p[0], out->p[1], out->p[2], n);
    const double length = sqrt(rl_dot(n, n));
    if (!(length > 0.0 && length < 1e30))
        return false;
    for (int k = 0; k < 3; k++)
        out->normal[k] = n[k] / length;
    RL_ASSERT(largest > 0.0);
    out->area = 0.5 * length;
    out->parts = parts_of(out, largest);
    return true;
}

static inline void put_corner(rl_piece *piece, int parts, int c, int first, int second)
{
    const double scale = 1.0 / parts;
    piece->corner[c][0] = first;
    piece->corner[c][1] = second;
    piece->at[c][0] = (parts - first - second) * scale;
    piece->at[c][1] = first * scale;
    piece->at[c][2] = second * scale;
}

// Pieces with even numbers lie as the triangle does, the others upside down between them.
rl_piece rl_samples_piece(int parts, int row, int n)
{
    const int at = n / 2, turned = n % 2;
    rl_piece piece;
    put_corner(&piece, parts, 0, row + turned, at);
    put_corner(&piece, parts, 1, row + 1, at + turned);
    put_corner(&piece, parts, 2, row, at + 1);
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

void rl_samples_each(const rl_water_view *view, const rl_triangle *t, rl_level_at level_at,
                     rl_visit_part visit, void *context)
{
    double levels[2][RL_MAX_PARTS + 1], heights[2][RL_MAX_PARTS + 1];
    RL_ASSERT(t->parts >= 1 && t->parts <= RL_MAX_PARTS);
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
            if (!rl_samples_depths(level, height, depth))
                continue;
            const rl_wet_part wet = rl_samples_wet(&piece, depth, area);
            if (wet.area > 1e-12 * area)
                visit(context, t, &wet);
        }
    }
}
