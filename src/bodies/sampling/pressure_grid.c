// SPDX-License-Identifier: MIT
// pressure_grid.c - the water around a body that keeps it out, once for all its surfaces: what a
// cell tells lies side by side, so that four cells are mixed at once.
#include "bodies/sampling/pressure_grid.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert(RL_PRESSURE_VALUES == RL_BOX_VALUES, "cells of tiles are laid out elsewhere");

// ---- Tiles -----------------------------------------------------------------------------

// Velocities of the cells of a tile; in which rows bodies block some, and levels there.
typedef struct tile_water {
    float x[RL_PRESSURE_CELLS + RILL_MARGIN_X], y[RL_PRESSURE_CELLS + RILL_MARGIN_X];
    unsigned char blocked[RL_PRESSURE_CELLS / 2]; // a tile has two columns at least
    float head[RL_PRESSURE_CELLS + RILL_MARGIN_X];
} tile_water;

// Levels beside the tile may be somebody else's work, so none but its own are read: vectors take
// more than that. They come from a copy, which is made before other things are done, because what
// has just been written in other pieces than it is read in is slow to read.
static void copy_heads(const rl_water_view *view, rl_box box, tile_water *to)
{
    const rl_blocks *b = view->blocks;
    const size_t width = (size_t)(box.i1 - box.i0);
    for (int j = box.j0; j < box.j1; j++) {
        const size_t row = (size_t)(j - box.j0);
        to->blocked[row] = b != NULL && b->first[j] < box.i1 && b->end[j] > box.i0;
        if (to->blocked[row])
            memcpy(to->head + row * width, rill_field_row(view->head, j) + box.i0,
                   width * sizeof(float));
    }
}

// A tile as the loops over its rows see it.
static rl_box_grid near_tile(const rl_water_view *view, rl_pressure_grid *tile,
                             const tile_water *water)
{
    const rill_columns *c = &view->columns;
    const rl_blocks *b = view->blocks;
    const rl_box box = tile->box;
    const size_t slot = (size_t)box.j0 * c->pitch + (size_t)box.i0;
    rl_box_grid near = {.width = box.i1 - box.i0,
                        .rows = box.j1 - box.j0,
                        .depth = c->depth + slot,
                        .ground = c->base + slot,
                        .depth_pitch = c->pitch,
                        .ground_pitch = c->pitch,
                        .velocity_x = c->velocity_x + slot,
                        .velocity_y = c->velocity_y + slot,
                        .velocity_pitch = c->pitch,
                        .floor = c->base + slot, // not read unless bodies block
                        .lower = c->base + slot,
                        .blocked = water->blocked,
                        .head = water->head,
                        .wet_depth = c->wet_depth,
                        .reference = (float)tile->reference,
                        .cells = tile->cells};
    if (view->copy != NULL) {
        near.velocity_x = water->x;
        near.velocity_y = water->y;
        near.velocity_pitch = (size_t)near.width;
    }
    if (b != NULL) {
        near.ground = rill_field_row(view->bed, box.j0) + box.i0;
        near.ground_pitch = view->bed->pitch;
        near.floor = rill_field_row(&b->floor, box.j0) + box.i0;
        near.lower = rill_field_row(&b->lower, box.j0) + box.i0;
        near.block_pitch = b->floor.pitch;
    }
    return near;
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
    return (int64_t)(box.i1 - box.i0) * (box.j1 - box.j0) <= RL_PRESSURE_CELLS;
}

bool rl_pressure_fits(const rl_bodies *bodies, const rl_body *body)
{
    return fits(box_of(body, bodies->nx, bodies->ny, bodies->cell_size));
}

void rl_pressure_query(const rl_water_view *view, const rl_body *body, rl_pressure_grid *tile)
{
    const rl_box box = box_of(body, view->columns.nx, view->columns.ny, view->cell_size);
    tile->box = (rl_box){0, 0, 0, 0};
    tile->reference = (double)(float)body->position[2];
    tile->highest = INFINITY;
    if (view->columns.layers > 1 || !fits(box))
        return;
    tile_water water;
    copy_heads(view, box, &water);
    const rl_columns_request request = {
        .boxes = &box, .box_count = 1, .velocity_x = water.x, .velocity_y = water.y};
    if (view->copy != NULL)
        view->copy(view->solver, NULL, &request);
    tile->box = box;
    const rl_box_grid near = near_tile(view, tile, &water);
    tile->highest = view->rows->tile(&near);
}
