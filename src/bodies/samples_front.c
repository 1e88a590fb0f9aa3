// SPDX-License-Identifier: MIT
// samples_front.c - what surfaces that keep water out find before them: the level a cell outside
// and the flow there. A body has hundreds of such samples in a step, so they are short: all that
// belongs to a triangle is found once, what belongs to a body is laid out side by side, and a
// triangle above all water is left alone.
#include "bodies/samples.h"

#include "bodies/layer_head.h"

#include <math.h>
#include <stdint.h>

#define ROUNDING 1e-6 // metres: no mean of levels exceeds the highest by more

// ---- Points ----------------------------------------------------------------------------

// From a point of a surface to where it looks for water.
static void way_outside(const rl_water_view *view, const double normal[3], double way[3])
{
    const double flat = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    // A face that is nearly level has no side to look at. The step grows with its slope and does
    // not jump from none to a cell.
    const double step = flat > 0.25 ? view->cell_size / flat : 4.0 * view->cell_size;
    way[0] = step * normal[0];
    way[1] = step * normal[1];
    way[2] = 0.5 * view->cell_size * normal[2];
}

void rl_samples_outside(const rl_water_view *view, const double p[3], const double normal[3],
                        double out[3])
{
    double way[3];
    way_outside(view, normal, way);
    for (int k = 0; k < 3; k++)
        out[k] = p[k] + way[k];
}

// Four values around a point: of cell (i, j), the one east of it, and the two north of those.
typedef struct four_values {
    float at[4];
} four_values;

static inline four_values four_of(const float *south, const float *north)
{
    return (four_values){{south[0], south[1], north[0], north[1]}};
}

// What of the four cells around a point is looked at. Where a row has nothing blocked its floor is
// its ground.
typedef struct front_cells {
    four_values depth, floor, ground, lower, velocity_x, velocity_y;
} front_cells;

static inline front_cells cells_at(const rl_water_view *view, int i, int j)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const size_t south = (size_t)j * c->pitch + (size_t)i, north = south + c->pitch;
    front_cells cells = {.depth = four_of(c->depth + south, c->depth + north),
                         .velocity_x = four_of(c->velocity_x + south, c->velocity_x + north),
                         .velocity_y = four_of(c->velocity_y + south, c->velocity_y + north)};
    if (b == NULL) {
        cells.floor = cells.ground = four_of(c->base + south, c->base + north);
        cells.lower = (four_values){
            {RL_BLOCK_NO_LOWER, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_LOWER, RL_BLOCK_NO_LOWER}};
        return cells;
    }
    const rl_field *floor_south = b->first[j] < b->end[j] ? &b->floor : view->bed;
    const rl_field *floor_north = b->first[j + 1] < b->end[j + 1] ? &b->floor : view->bed;
    cells.ground = four_of(rl_field_row(view->bed, j) + i, rl_field_row(view->bed, j + 1) + i);
    cells.floor = four_of(rl_field_row(floor_south, j) + i, rl_field_row(floor_north, j + 1) + i);
    cells.lower = four_of(rl_field_row(&b->lower, j) + i, rl_field_row(&b->lower, j + 1) + i);
    return cells;
}

// Where all four cells are blocked: the level that was found for them.
static double blocked_level(const rl_water_view *view, const rl_four_cells *four)
{
    double sum = 0.0, level = 0.0;
    for (int n = 0; n < 4; n++) {
        const int i = four->i + n % 2, j = four->j + n / 2;
        const float head = rl_field_row(view->head, j)[i];
        if (four->weight[n] > 0.0 && head > rl_field_row(view->bed, j)[i]) {
            sum += four->weight[n];
            level += four->weight[n] * (double)head;
        }
    }
    return sum > 0.0 ? level / sum : RL_NO_WATER;
}

// The level of free cells around a point, dry ones being none; where all are blocked, what was
// found for these.
static rl_front front_around(const rl_water_view *view, const rl_four_cells *four)
{
    const front_cells cells = cells_at(view, four->i, four->j), *c = &cells;
    double wet = 0.0, level = 0.0, free = 0.0, moving = 0.0, flow[2] = {0.0, 0.0};
    for (int n = 0; n < 4; n++) {
        const double weight = four->weight[n];
        const bool is_wet = c->depth.at[n] > view->columns.wet_depth;
        const bool hangs = c->lower.at[n] < RL_BLOCK_NO_LOWER;
        const bool is_free = !hangs & !(c->floor.at[n] > c->ground.at[n]);
        const double moves = is_wet & !hangs ? weight : 0.0, counts = is_wet & is_free ? weight : 0;
        free += is_free ? weight : 0.0;
        moving += moves;
        flow[0] += moves * (double)c->velocity_x.at[n];
        flow[1] += moves * (double)c->velocity_y.at[n];
        wet += counts;
        level += counts * ((double)c->floor.at[n] + (double)c->depth.at[n]);
    }
    rl_front front = {RL_NO_WATER, {0.0, 0.0}};
    if (wet > 0.0)
        front.level = level / wet;
    else if (!(free > 0.0))
        front.level = blocked_level(view, four);
    if (moving > 0.0) {
        front.flow[0] = flow[0] / moving;
        front.flow[1] = flow[1] / moving;
    }
    return front;
}

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
        rl_samples_flow_along(view, &columns, front.flow);
    return front;
}

rl_front rl_samples_front(const rl_water_view *view, const double p[3], const double normal[3])
{
    if (view->columns.layers > 1)
        return front_of_layers(view, p, normal);
    double outside[3];
    rl_samples_outside(view, p, normal, outside);
    const rl_four_cells four = rl_samples_around(view, outside);
    return front_around(view, &four);
}

double rl_samples_head(const rl_water_view *view, const double p[3], const double normal[3])
{
    return rl_samples_front(view, p, normal).level;
}

// ---- Tiles -----------------------------------------------------------------------------

// Takes the cells with bodies in them out of a row; returns the highest level found for those.
static float look_blocked(const rl_water_view *view, rl_front_tile *tile, int j, size_t at)
{
    const rl_blocks *b = view->blocks;
    const int i0 = tile->box.i0, count = tile->box.i1 - i0;
    const float *floor = rl_field_row(&b->floor, j) + i0, *lower = rl_field_row(&b->lower, j) + i0;
    const float *ground = rl_field_row(view->bed, j) + i0, *head = rl_field_row(view->head, j) + i0;
    float *restrict wet = tile->wet + at, *restrict moving = tile->moving + at;
    float highest = (float)RL_NO_WATER;
    for (int i = 0; i < count; i++) {
        const float open = lower[i] < RL_BLOCK_NO_LOWER ? 0.0f : 1.0f;
        moving[i] *= open;
        wet[i] = floor[i] > ground[i] ? 0.0f : wet[i] * open;
    }
    for (int i = 0; i < count; i++) {
        const bool free = !(lower[i] < RL_BLOCK_NO_LOWER) & !(floor[i] > ground[i]);
        const float found = free ? (float)RL_NO_WATER : head[i];
        highest = found > highest ? found : highest;
    }
    return highest;
}

// The highest of a row of numbers, four side by side: one alone would wait for itself.
static double highest_of(const double *values, int count)
{
    double most[4] = {RL_NO_WATER, RL_NO_WATER, RL_NO_WATER, RL_NO_WATER};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++)
            most[k] = values[i + k] > most[k] ? values[i + k] : most[k];
    for (; i < count; i++)
        most[0] = values[i] > most[0] ? values[i] : most[0];
    return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

static void look_row(const rl_water_view *view, rl_front_tile *tile, int j)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const int i0 = tile->box.i0, count = tile->box.i1 - i0;
    const size_t slot = (size_t)j * c->pitch + (size_t)i0;
    const size_t at = (size_t)(j - tile->box.j0) * (size_t)count;
    const float *depth = c->depth + slot;
    const float *velocity_x = c->velocity_x + slot, *velocity_y = c->velocity_y + slot;
    const bool blocked = b != NULL && b->first[j] < tile->box.i1 && b->end[j] > i0;
    const float *floor = blocked     ? rl_field_row(&b->floor, j) + i0
                         : b != NULL ? rl_field_row(view->bed, j) + i0
                                     : c->base + slot;
    double *restrict level = tile->level + at;
    float *restrict wet = tile->wet + at, *restrict moving = tile->moving + at;
    float *restrict flow_x = tile->flow_x + at, *restrict flow_y = tile->flow_y + at;
    const float wet_depth = c->wet_depth;
    for (int i = 0; i < count; i++)
        wet[i] = moving[i] = depth[i] > wet_depth ? 1.0f : 0.0f;
    if (blocked)
        tile->highest = fmax(tile->highest, (double)look_blocked(view, tile, j, at));
    for (int i = 0; i < count; i++) {
        flow_x[i] = moving[i] * velocity_x[i];
        flow_y[i] = moving[i] * velocity_y[i];
    }
    for (int i = 0; i < count; i++)
        level[i] = (double)wet[i] * ((double)floor[i] + (double)depth[i]);
    tile->highest = fmax(tile->highest, highest_of(level, count));
}

void rl_samples_look(const rl_water_view *view, const rl_body *body, rl_front_tile *tile)
{
    const int cells[2] = {view->columns.nx, view->columns.ny};
    int low[2], high[2];
    tile->box = (rl_box){0, 0, 0, 0};
    tile->highest = INFINITY;
    if (view->columns.layers > 1)
        return;
    for (int k = 0; k < 2; k++) {
        float unused;
        low[k] = rl_sample_axis(body->low[k] / view->cell_size - 1.51, cells[k], &unused);
        high[k] = rl_sample_axis(body->high[k] / view->cell_size + 0.51, cells[k], &unused) + 2;
    }
    if ((int64_t)(high[0] - low[0]) * (high[1] - low[1]) > RL_FRONT_CELLS)
        return;
    tile->box = (rl_box){low[0], low[1], high[0], high[1]};
    tile->highest = RL_NO_WATER;
    for (int j = low[1]; j < high[1]; j++)
        look_row(view, tile, j);
}

// In the order in which cells are added up everywhere here.
static inline double mix(double sw, double se, double nw, double ne, const double weight[4])
{
    return ((weight[0] * sw + weight[1] * se) + weight[2] * nw) + weight[3] * ne;
}

static inline double mix_four(const float *p, int width, const double weight[4])
{
    return mix((double)p[0], (double)p[1], (double)p[width], (double)p[width + 1], weight);
}

// The front at a point outside; `per_cell` is 1 / cell_size, which need not be found for each.
static inline rl_front front_in(const rl_water_view *view, const rl_front_tile *tile,
                                double per_cell, double x, double y)
{
    const rl_four_cells four =
        rl_samples_between(&view->columns, x * per_cell - 0.5, y * per_cell - 0.5);
    const rl_box *box = &tile->box;
    const int width = box->i1 - box->i0;
    const int cell = (four.j - box->j0) * width + (four.i - box->i0);
    const bool inside =
        four.i >= box->i0 && four.i + 1 < box->i1 && four.j >= box->j0 && four.j + 1 < box->j1;
    const double wet = inside ? mix_four(tile->wet + cell, width, four.weight) : 0.0;
    if (!(wet > 0.0)) // rare, and not all that a tile could tell
        return front_around(view, &four);
    const double moving = mix_four(tile->moving + cell, width, four.weight);
    const double *p = tile->level + cell;
    return (rl_front){mix(p[0], p[1], p[width], p[width + 1], four.weight) / wet,
                      {mix_four(tile->flow_x + cell, width, four.weight) / moving,
                       mix_four(tile->flow_y + cell, width, four.weight) / moving}};
}

// ---- Pieces ----------------------------------------------------------------------------

// A triangle that is walked over.
typedef struct front_walk {
    const rl_water_view *view;
    const rl_front_tile *tile;
    const rl_triangle *triangle;
    rl_visit_front visit;
    void *context;
    double way[3];      // to where it looks for water
    double per_cell;    // cells in a metre
    double scale, area; // 1 / parts, and of a piece
} front_walk;

// A row of the lattice that divides a triangle.
typedef struct front_points {
    rl_front at[RL_MAX_PARTS + 1];
    double height[RL_MAX_PARTS + 1];
} front_points;

static void find_fronts(const front_walk *w, int row, front_points *points)
{
    const rl_triangle *t = w->triangle;
    for (int n = 0; n <= t->parts - row; n++) {
        const double weights[3] = {(t->parts - row - n) * w->scale, row * w->scale, n * w->scale};
        double p[3];
        rl_samples_mix((const double(*)[3])t->p, weights, p);
        points->height[n] = p[2];
        if (w->view->columns.layers > 1)
            points->at[n] = front_of_layers(w->view, p, t->normal);
        else
            points->at[n] =
                front_in(w->view, w->tile, w->per_cell, p[0] + w->way[0], p[1] + w->way[1]);
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

// The pieces between two rows of the lattice.
static void walk_row(const front_walk *w, int row, const front_points *near,
                     const front_points *far)
{
    for (int n = 0; n < 2 * (w->triangle->parts - row) - 1; n++) {
        const int at = n / 2;
        const bool turned = n % 2 != 0;
        // As rl_samples_piece has them.
        const rl_front *corners[3] = {turned ? &far->at[at] : &near->at[at],
                                      turned ? &far->at[at + 1] : &far->at[at], &near->at[at + 1]};
        const double height[3] = {turned ? far->height[at] : near->height[at],
                                  turned ? far->height[at + 1] : far->height[at],
                                  near->height[at + 1]};
        const double level[3] = {corners[0]->level, corners[1]->level, corners[2]->level};
        double depth[3], flow[2];
        if (!rl_samples_depths(level, height, depth))
            continue;
        const rl_piece piece = rl_samples_piece(w->triangle->parts, row, n);
        const rl_wet_part wet = rl_samples_wet(&piece, depth, w->area);
        if (!(wet.area > 1e-12 * w->area))
            continue;
        mean_flow(corners, flow);
        w->visit(w->context, w->triangle, &wet, flow);
    }
}

void rl_samples_walk_front(const rl_water_view *view, const rl_front_tile *tile,
                           const rl_triangle *t, rl_visit_front visit, void *context)
{
    front_points points[2];
    front_walk walk = {.view = view,
                       .tile = tile,
                       .per_cell = 1.0 / view->cell_size,
                       .triangle = t,
                       .visit = visit,
                       .context = context,
                       .scale = 1.0 / t->parts,
                       .area = t->area / ((double)t->parts * t->parts)};
    const double lowest = fmin(t->p[0][2], fmin(t->p[1][2], t->p[2][2]));
    if (lowest > tile->highest + ROUNDING)
        return;
    way_outside(view, t->normal, walk.way);
    find_fronts(&walk, 0, &points[0]);
    for (int row = 0; row < t->parts; row++) {
        find_fronts(&walk, row + 1, &points[(row + 1) % 2]);
        walk_row(&walk, row, &points[row % 2], &points[(row + 1) % 2]);
    }
}
