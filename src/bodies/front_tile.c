// SPDX-License-Identifier: MIT
// front_tile.c - the water around a body that keeps it out, once for all its surfaces: what a cell
// tells lies side by side, so that four cells are mixed at once.
#include "bodies/front_tile.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define NO_LEVEL (-1e30f) // RL_NO_WATER

// A tile has two rows at least.
_Static_assert(RL_FRONT_CELLS / 2 + RL_MARGIN_X <= RL_NEAR_CELLS, "rows of tiles are too long");
_Static_assert(RL_FRONT_VALUES == RL_NEAR_VALUES, "cells of tiles are laid out elsewhere");

// ---- Tiles -----------------------------------------------------------------------------

// Velocities of the cells of a tile.
typedef struct tile_flow {
    float x[RL_FRONT_CELLS + RL_MARGIN_X], y[RL_FRONT_CELLS + RL_MARGIN_X];
} tile_flow;

// Levels beside the tile may be somebody else's work, so none but its own are read.
static void look_row(const rl_water_view *view, rl_front_tile *tile, int j, const tile_flow *flow,
                     float *highest)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const int i0 = tile->box.i0, count = tile->box.i1 - i0;
    const size_t slot = (size_t)j * c->pitch + (size_t)i0;
    const size_t at = (size_t)(j - tile->box.j0) * (size_t)count;
    const bool own = view->velocities != NULL;
    rl_near_tile_row row = {.count = count,
                            .depth = c->depth + slot,
                            .ground = b != NULL ? rl_field_row(view->bed, j) + i0 : c->base + slot,
                            .velocity_x = own ? flow->x + at : c->velocity_x + slot,
                            .velocity_y = own ? flow->y + at : c->velocity_y + slot,
                            .wet_depth = c->wet_depth,
                            .reference = (float)tile->reference,
                            .cells = tile->cells + at,
                            .highest = highest};
    float head[RL_NEAR_CELLS];
    if (b != NULL && b->first[j] < tile->box.i1 && b->end[j] > i0) {
        memcpy(head, rl_field_row(view->head, j) + i0, (size_t)count * sizeof *head);
        row.floor = rl_field_row(&b->floor, j) + i0;
        row.lower = rl_field_row(&b->lower, j) + i0;
        row.head = head;
    }
    view->rows->tile(&row);
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
    float highest[RL_NEAR_CELLS]; // of each column of cells: they need not wait for each other
    for (int i = 0; i < width + RL_MARGIN_X; i++)
        highest[i] = NO_LEVEL;
    tile->box = box;
    for (int j = box.j0; j < box.j1; j++)
        look_row(view, tile, j, &flow, highest);
    tile->highest = NO_LEVEL;
    for (int i = 0; i < width; i++)
        tile->highest = highest[i] > tile->highest ? highest[i] : tile->highest;
}
