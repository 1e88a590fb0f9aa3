// SPDX-License-Identifier: MIT
// front_tile.c - the water around a body that keeps it out, once for all its surfaces: what a cell
// tells lies side by side, so that four cells are mixed at once.
#include "bodies/front_tile.h"

#include <math.h>
#include <stdint.h>

#define NO_LEVEL (-1e30f) // RL_NO_WATER

// ---- Tiles -----------------------------------------------------------------------------

// The rows of one row of cells, from the first cell of the tile on.
typedef struct cell_rows {
    const float *depth, *floor, *ground, *velocity_x, *velocity_y;
    const float *lower, *head; // where something is blocked
    float wet_depth, reference;
} cell_rows;

// With nothing in the way.
static void look_free(const cell_rows *row, int count, float (*restrict cells)[RL_FRONT_VALUES],
                      float *restrict highest)
{
    const float *restrict depth = row->depth, *restrict floor = row->floor;
    const float *restrict velocity_x = row->velocity_x, *restrict velocity_y = row->velocity_y;
    const float wet_depth = row->wet_depth, reference = row->reference;
    for (int i = 0; i < count; i++) {
        const bool is_wet = depth[i] > wet_depth;
        const float level = (floor[i] - reference) + depth[i];
        cells[i][RL_FRONT_LEVEL] = is_wet ? level : 0.0f;
        cells[i][RL_FRONT_WET] = is_wet ? 1.0f : 0.0f;
        cells[i][RL_FRONT_MOVING] = is_wet ? 1.0f : 0.0f;
        cells[i][RL_FRONT_FLOW_X] = is_wet ? velocity_x[i] : 0.0f;
        cells[i][RL_FRONT_FLOW_Y] = is_wet ? velocity_y[i] : 0.0f;
        cells[i][RL_FRONT_FREE] = 1.0f;
        cells[i][RL_FRONT_HEAD] = 0.0f;
        cells[i][RL_FRONT_HEADED] = 0.0f;
        const float found = is_wet ? level : NO_LEVEL;
        highest[i] = found > highest[i] ? found : highest[i];
    }
}

static void look_blocked(const cell_rows *row, int count, float (*restrict cells)[RL_FRONT_VALUES],
                         float *restrict highest)
{
    const float *restrict depth = row->depth, *restrict floor = row->floor;
    const float *restrict ground = row->ground, *restrict lower = row->lower;
    const float *restrict velocity_x = row->velocity_x, *restrict velocity_y = row->velocity_y;
    const float *restrict head = row->head;
    const float wet_depth = row->wet_depth, reference = row->reference;
    for (int i = 0; i < count; i++) {
        const float open = lower[i] < RL_BLOCK_NO_LOWER ? 0.0f : 1.0f;
        const float free = floor[i] > ground[i] ? 0.0f : open;
        const float moving = depth[i] > wet_depth ? open : 0.0f;
        const float wet = moving * free, headed = head[i] > ground[i] ? 1.0f - free : 0.0f;
        const float level = (floor[i] - reference) + depth[i], filled = head[i] - reference;
        cells[i][RL_FRONT_LEVEL] = wet * level;
        cells[i][RL_FRONT_WET] = wet;
        cells[i][RL_FRONT_MOVING] = moving;
        cells[i][RL_FRONT_FLOW_X] = moving * velocity_x[i];
        cells[i][RL_FRONT_FLOW_Y] = moving * velocity_y[i];
        cells[i][RL_FRONT_FREE] = free;
        cells[i][RL_FRONT_HEAD] = headed > 0.0f ? filled : 0.0f;
        cells[i][RL_FRONT_HEADED] = headed;
        const float found = wet > 0.0f ? level : NO_LEVEL;
        const float filled_in = headed > 0.0f ? filled : NO_LEVEL;
        const float most = found > filled_in ? found : filled_in;
        highest[i] = most > highest[i] ? most : highest[i];
    }
}

// Velocities of the cells of a tile.
typedef struct tile_flow {
    float x[RL_FRONT_CELLS], y[RL_FRONT_CELLS];
} tile_flow;

static void look_row(const rl_water_view *view, rl_front_tile *tile, int j, const tile_flow *flow,
                     float *highest)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const int i0 = tile->box.i0, count = tile->box.i1 - i0;
    const size_t slot = (size_t)j * c->pitch + (size_t)i0;
    const size_t at = (size_t)(j - tile->box.j0) * (size_t)count;
    float(*cells)[RL_FRONT_VALUES] = tile->cells + at;
    cell_rows row = {.depth = c->depth + slot,
                     .floor = c->base + slot,
                     .velocity_x = c->velocity_x + slot,
                     .velocity_y = c->velocity_y + slot,
                     .wet_depth = c->wet_depth,
                     .reference = (float)tile->reference};
    if (view->velocities != NULL) {
        row.velocity_x = flow->x + at;
        row.velocity_y = flow->y + at;
    }
    if (b != NULL)
        row.floor = row.ground = rl_field_row(view->bed, j) + i0;
    if (b == NULL || b->first[j] >= tile->box.i1 || b->end[j] <= i0) {
        look_free(&row, count, cells, highest);
        return;
    }
    row.floor = rl_field_row(&b->floor, j) + i0;
    row.lower = rl_field_row(&b->lower, j) + i0;
    row.head = rl_field_row(view->head, j) + i0;
    look_blocked(&row, count, cells, highest);
}

// Cells that surfaces of a body look at.
static rl_box box_of(const rl_body *body, int nx, int ny, double cell_size)
{
    const int cells[2] = {nx, ny};
    int low[2], high[2];
    for (int k = 0; k < 2; k++) {
        float unused;
        low[k] = rl_sample_axis(body->low[k] / cell_size - 1.51, cells[k], &unused);
        high[k] = rl_sample_axis(body->high[k] / cell_size + 0.51, cells[k], &unused) + 2;
    }
    return (rl_box){low[0], low[1], high[0], high[1]};
}

static bool fits(rl_box box)
{
    return (int64_t)(box.i1 - box.i0) * (box.j1 - box.j0) <= RL_FRONT_CELLS;
}

bool rl_front_fits(const rl_bodies *bodies, const rl_body *body)
{
    return fits(box_of(body, bodies->nx, bodies->ny, bodies->cell_size));
}

void rl_front_look(const rl_water_view *view, const rl_body *body, rl_front_tile *tile)
{
    const rl_box box = box_of(body, view->columns.nx, view->columns.ny, view->cell_size);
    tile->box = (rl_box){0, 0, 0, 0};
    tile->reference = (double)(float)body->position[2];
    tile->highest = INFINITY;
    if (view->columns.layers > 1 || !fits(box))
        return;
    const int width = box.i1 - box.i0;
    tile_flow flow;
    if (view->velocities != NULL)
        view->velocities(view->solver, box, flow.x, flow.y);
    float highest[RL_FRONT_CELLS]; // of each column of cells: they need not wait for each other
    for (int i = 0; i < width; i++)
        highest[i] = NO_LEVEL;
    tile->box = box;
    for (int j = box.j0; j < box.j1; j++)
        look_row(view, tile, j, &flow, highest);
    tile->highest = NO_LEVEL;
    for (int i = 0; i < width; i++)
        tile->highest = highest[i] > tile->highest ? highest[i] : tile->highest;
}
