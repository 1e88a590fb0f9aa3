// SPDX-License-Identifier: MIT
// layered_inline.h - particles over a water with several columns in a cell: which column one is in,
// whether it has landed there, and what becomes of water that a column has no room for.
#pragma once

#include "core/cell.h"
#include "solvers/shared/layer_at_cell.h"

// Part of what comes to a covered column: if it leaves more than that, it is full.
#define RL_LAYERED_FULL 1e-5

// Columns as rill_columns has them, and the step. A column's number is (layer * ny + j) * nx + i.
typedef struct rl_layered_columns {
    const float *base, *depth, *velocity_x, *velocity_y;
    const float *range_min, *range_max; // NULL: all are open to the sky
    size_t pitch, stride;               // from row to row, from layer to layer
    int nx, ny, layers;                 // layers 0: the water is a heightfield
    float cell_size, wet_depth, dt;
    float fall; // of what is at rest, within a step, metres
} rl_layered_columns;

// A column with its number (-1: there is none), its place in the arrays and its surface.
typedef struct rl_layered_column {
    int number;
    size_t at;
    float level;
} rl_layered_column;

// A particle's place and velocity.
typedef struct rl_flyer {
    float x, y, z, u, v, w;
} rl_flyer;

// ---- The grid --------------------------------------------------------------------------

// The cell of a coordinate, in [0, count).
RL_CELL int rl_cell_at(float metres, float cell_size, int count)
{
    const float cells = metres / cell_size;
    return !(cells > 0.0f) ? 0 : cells < (float)count ? (int)cells : count - 1;
}

// Whether a particle is over the grid.
RL_CELL int rl_landing_inside(float x, float y, float cell_size, int nx, int ny)
{
    return x >= 0.0f && x < cell_size * (float)nx && y >= 0.0f && y < cell_size * (float)ny;
}

// ---- Columns ---------------------------------------------------------------------------

// The place of a column in the arrays.
RL_CELL size_t rl_layered_at(const rl_layered_columns *c, int number)
{
    const int row = number / c->nx;
    return (size_t)(row / c->ny) * c->stride + (size_t)(row % c->ny) * c->pitch +
           (size_t)(number % c->nx);
}

// The cell j nx + i of a column, which is the number of the open column there.
RL_CELL int rl_layered_cell(const rl_layered_columns *c, int number)
{
    return number % (c->nx * c->ny);
}

RL_CELL int rl_layered_has_open(const rl_layered_columns *c, int cell)
{
    return rl_layer_is_live(c->range_min, c->range_max, rl_layered_at(c, cell));
}

// The column that holds a place, or the next one below it.
RL_CELL rl_layered_column rl_layered_find(const rl_layered_columns *c, float x, float y, float z)
{
    const int i = rl_cell_at(x, c->cell_size, c->nx), j = rl_cell_at(y, c->cell_size, c->ny);
    const size_t cell = (size_t)j * c->pitch + (size_t)i;
    const int layer =
        rl_layer_at(c->base, c->range_min, c->range_max, c->layers, c->stride, cell, z);
    rl_layered_column k = {-1, 0, 0.0f};
    if (layer >= 0) {
        k.number = (layer * c->ny + j) * c->nx + i;
        k.at = (size_t)layer * c->stride + cell;
        k.level = c->base[k.at] + c->depth[k.at];
    }
    return k;
}

// ---- Landing ---------------------------------------------------------------------------

// Finds the column of a particle by the highest that it was in this step: one that has fallen
// through a floor lands on it. Returns whether there is none where it was: it is in a wall, or
// above the ceiling of the column below it.
RL_CELL int rl_layered_in_solid(const rl_layered_columns *c, const rl_flyer *f,
                                rl_layered_column *k)
{
    const float before = f->z - c->dt * f->w - c->fall, z = before > f->z ? before : f->z;
    *k = rl_layered_find(c, f->x, f->y, z);
    return k->number < 0 || (c->range_max != NULL && z > c->range_max[k->at]);
}

RL_CELL int rl_layered_has_landed(const rl_layered_columns *c, const rl_flyer *f)
{
    rl_layered_column k;
    return !rl_landing_inside(f->x, f->y, c->cell_size, c->nx, c->ny) ||
           rl_layered_in_solid(c, f, &k) || !(f->z > k.level);
}

// Back to where it was, at rest, to fall from there.
RL_CELL rl_flyer rl_layered_turned_back(const rl_layered_columns *c, const rl_flyer *f)
{
    const rl_flyer back = {
        f->x - c->dt * f->u, f->y - c->dt * f->v, f->z - c->dt * f->w, 0.0f, 0.0f, 0.0f};
    return back;
}

// The column that gets the water of a particle that has landed over the grid, and whether it is
// wet; or -1: it has flown into a solid, is turned back and flies on. Floors and ceilings alone
// decide. What was in a solid before as well gives its water to the column below it.
RL_CELL int rl_layered_landing(const rl_layered_columns *c, rl_flyer *f, int *wet)
{
    rl_layered_column k, before;
    const int in_solid = rl_layered_in_solid(c, f, &k);
    *wet = 0;
    if (in_solid) {
        const rl_flyer back = rl_layered_turned_back(c, f);
        if (k.number < 0 || !rl_layered_in_solid(c, &back, &before)) {
            *f = back;
            return -1;
        }
    } else {
        *wet = c->depth[k.at] > c->wet_depth;
    }
    return k.number;
}

// ---- Columns that are full -------------------------------------------------------------

// Whether a column that leaves `left` of `wanted` m^3 has no room. Open ones always have; what they
// leave is what a float cannot hold.
RL_CELL int rl_layered_refuses(const rl_layered_columns *c, int number, double wanted, double left)
{
    return c->layers > 1 && number >= c->nx * c->ny && left > RL_LAYERED_FULL * wanted;
}

// The part of a momentum that refused water takes with it.
RL_CELL double rl_layered_refused(float momentum, double wanted, double left)
{
    return left / wanted * (double)momentum;
}

// What a particle keeps of its volume when its column refuses `left` of `wanted`.
RL_CELL float rl_layered_kept(float volume, double wanted, double left)
{
    return (float)(left / wanted * (double)volume);
}

// ---- Foam ------------------------------------------------------------------------------

typedef struct rl_layered_drifter {
    float x, y, z, velocity_x, velocity_y, age;
} rl_layered_drifter;

// Goes on with the velocity that it has and takes on that of the column there. Returns whether it
// still is.
RL_CELL int rl_layered_drifts(const rl_layered_columns *c, rl_layered_drifter *f, float life)
{
    f->x += c->dt * f->velocity_x;
    f->y += c->dt * f->velocity_y;
    f->age += c->dt;
    if (!(f->age < life) || !rl_landing_inside(f->x, f->y, c->cell_size, c->nx, c->ny))
        return 0;
    const rl_layered_column k = rl_layered_find(c, f->x, f->y, f->z);
    if (k.number < 0 || !(c->depth[k.at] > c->wet_depth))
        return 0;
    f->z = k.level;
    f->velocity_x = c->velocity_x[k.at];
    f->velocity_y = c->velocity_y[k.at];
    return 1;
}
