// SPDX-License-Identifier: MIT
// layered_inline.h - particles over a solver with several columns in a cell: which column a
// particle is in, whether it has landed there, and what happens to water that a column has no
// capacity for.
#pragma once

#include "core/cell.h"
#include "solvers/shared/column_cell.h"

// A covered column is full if it leaves more than this part of a deposit.
#define RL_LAYERED_FULL 1e-5

// Columns as rill_columns has them, and the step. A column's number is (layer * ny + j) * nx + i.
typedef struct rl_layered_columns {
    const float *base, *depth, *velocity_x, *velocity_y;
    const float *range_min, *range_max; // NULL where all are open to the sky
    size_t pitch, stride;               // from row to row, from layer to layer
    int nx, ny, layers;                 // layers is 0 where the solver is a heightfield
    float cell_size, wet_depth, dt;
    float fall; // of a particle at rest, within a step, metres
} rl_layered_columns;

// A column with its number (-1 for none), its place in the arrays and its surface.
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

// Returns the cell of a coordinate, in [0, count).
RL_CELL int rl_cell_at(float metres, float cell_size, int count)
{
    const float cells = metres / cell_size;
    return !(cells > 0.0f) ? 0 : cells < (float)count ? (int)cells : count - 1;
}

// Returns whether a particle is over the grid.
RL_CELL int rl_landing_inside(float x, float y, float cell_size, int nx, int ny)
{
    return x >= 0.0f && x < cell_size * (float)nx && y >= 0.0f && y < cell_size * (float)ny;
}

// ---- Columns ---------------------------------------------------------------------------

// Returns the place of a column in the arrays.
RL_CELL size_t rl_layered_at(const rl_layered_columns *c, int number)
{
    const int row = number / c->nx;
    return (size_t)(row / c->ny) * c->stride + (size_t)(row % c->ny) * c->pitch +
           (size_t)(number % c->nx);
}

// Returns the cell j nx + i of a column, which is the number of the open column there.
RL_CELL int rl_layered_cell(const rl_layered_columns *c, int number)
{
    return number % (c->nx * c->ny);
}

RL_CELL int rl_layered_has_open(const rl_layered_columns *c, int cell)
{
    return rl_layer_is_live(c->range_min, c->range_max, rl_layered_at(c, cell));
}

// Returns the column that holds a place, or the next one below it.
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

// Finds the column of a particle by its highest place in this step: one that has fallen through a
// floor lands on it. Returns whether there is none at that place: it is in a wall, or above the
// ceiling of the column below it.
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

// Returns the particle where it was, at rest, to fall from there.
RL_CELL rl_flyer rl_layered_turned_back(const rl_layered_columns *c, const rl_flyer *f)
{
    const rl_flyer back = {
        f->x - c->dt * f->u, f->y - c->dt * f->v, f->z - c->dt * f->w, 0.0f, 0.0f, 0.0f};
    return back;
}

// Returns the column that gets the water of a particle that has landed over the grid, and whether
// it is wet; or -1 when the particle has flown into a solid, is turned back and flies on. Only
// floors and ceilings decide. A particle that was in a solid before as well gives its water to the
// column below it.
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

// Returns whether a column that leaves `left` of `wanted` m^3 has no free volume. Open ones always
// have; they leave only what a float cannot hold.
RL_CELL int rl_layered_refuses(const rl_layered_columns *c, int number, double wanted, double left)
{
    return c->layers > 1 && number >= c->nx * c->ny && left > RL_LAYERED_FULL * wanted;
}

// Returns the part of a momentum that refused water takes with it.
RL_CELL double rl_layered_refused(float momentum, double wanted, double left)
{
    return left / wanted * (double)momentum;
}

// Returns the volume that a particle still has when its column refuses `left` of `wanted`.
RL_CELL float rl_layered_remainder(float volume, double wanted, double left)
{
    return (float)(left / wanted * (double)volume);
}

// ---- Foam ------------------------------------------------------------------------------

typedef struct rl_layered_foam {
    float x, y, z, velocity_x, velocity_y, age;
} rl_layered_foam;

// Moves foam with its velocity and gives it that of the column there. Returns whether the foam
// survives.
RL_CELL int rl_layered_advects(const rl_layered_columns *c, rl_layered_foam *f, float life)
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
