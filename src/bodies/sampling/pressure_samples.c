// SPDX-License-Identifier: MIT
// pressure_samples.c - what surfaces that keep water out find before them: the level a cell outside
// and the flow there. pressure_grid.c finds the same for all surfaces of a body.
#include "bodies/sampling/samples.h"

#include "bodies/sampling/layer_head.h"

#include <math.h>

// ---- Points ----------------------------------------------------------------------------

// From a point of a surface to where it looks for water.
static void way_outside(const rl_water_view *view, const double normal[3], double way[3])
{
    const double flat = sqrt(normal[0] * normal[0] + normal[1] * normal[1]);
    const double step = rl_samples_step(view->cell_size, flat);
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
    const rill_field *floor_south = b->first[j] < b->end[j] ? &b->floor : view->bed;
    const rill_field *floor_north = b->first[j + 1] < b->end[j + 1] ? &b->floor : view->bed;
    cells.ground = four_of(rill_field_row(view->bed, j) + i, rill_field_row(view->bed, j + 1) + i);
    cells.floor =
        four_of(rill_field_row(floor_south, j) + i, rill_field_row(floor_north, j + 1) + i);
    cells.lower = four_of(rill_field_row(&b->lower, j) + i, rill_field_row(&b->lower, j + 1) + i);
    return cells;
}

// Where all four cells are blocked: the level that was found for them.
static double blocked_level(const rl_water_view *view, const rl_four_cells *four)
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
// found for these.
static rl_pressure_state front_around(const rl_water_view *view, const rl_four_cells *four)
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
    rl_pressure_state front = {RL_NO_WATER, {0.0, 0.0}};
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
static rl_pressure_state front_of_layers(const rl_water_view *view, const double p[3],
                                         const double normal[3])
{
    float level;
    double outside[3];
    rl_wet_columns columns;
    rl_pressure_state front = {RL_NO_WATER, {0.0, 0.0}};
    if (rl_body_layer_level_on(&view->columns, p, normal, &level))
        front.level = (double)level;
    rl_samples_outside(view, p, normal, outside);
    if (rl_samples_columns(view, outside, &columns))
        rl_samples_flow_along(view, &columns, front.flow);
    return front;
}

rl_pressure_state rl_samples_pressure(const rl_water_view *view, const double p[3],
                                      const double normal[3])
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
    return rl_samples_pressure(view, p, normal).level;
}
