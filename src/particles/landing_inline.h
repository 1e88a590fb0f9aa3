// SPDX-License-Identifier: MIT
// landing_inline.h - where a particle lands, and whether foam is left of it; and the same over a
// solver with several columns in a cell: which column a particle is in, and what happens to water
// that a column has no capacity for.
#pragma once

#include "particles/birth_inline.h"
#include "particles/flight_rows.h"
#include "solvers/shared/column_cell.h"

#include "rill/columns.h"

// A covered column is full if it leaves more than this part of a deposit.
#define RL_LAYERED_FULL 1e-5

// Columns, and the step. A column's number is (layer * ny + j) * nx + i.
typedef struct rl_layered_columns {
    rill_columns water; // of 0 layers where the solver is a heightfield
    float dt;
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

RL_CELL rl_flyer rl_flyer_at(float *const arrays[RL_POOL_ARRAYS], int place)
{
    const rl_flyer f = {arrays[RL_POOL_X][place],          arrays[RL_POOL_Y][place],
                        arrays[RL_POOL_Z][place],          arrays[RL_POOL_VELOCITY_X][place],
                        arrays[RL_POOL_VELOCITY_Y][place], arrays[RL_POOL_VELOCITY_Z][place]};
    return f;
}

RL_CELL void rl_put_flyer(float *const arrays[RL_POOL_ARRAYS], int place, const rl_flyer *f)
{
    arrays[RL_POOL_X][place] = f->x;
    arrays[RL_POOL_Y][place] = f->y;
    arrays[RL_POOL_Z][place] = f->z;
    arrays[RL_POOL_VELOCITY_X][place] = f->u;
    arrays[RL_POOL_VELOCITY_Y][place] = f->v;
    arrays[RL_POOL_VELOCITY_Z][place] = f->w;
}

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
    const int row = number / c->water.nx;
    return (size_t)(row / c->water.ny) * c->water.layer_stride +
           (size_t)(row % c->water.ny) * c->water.pitch + (size_t)(number % c->water.nx);
}

// Returns the cell j nx + i of a column, which is the number of the open column there.
RL_CELL int rl_layered_cell(const rl_layered_columns *c, int number)
{
    return number % (c->water.nx * c->water.ny);
}

RL_CELL int rl_layered_has_open(const rl_layered_columns *c, int cell)
{
    return rl_layer_is_live(c->water.range_min, c->water.range_max, rl_layered_at(c, cell));
}

// Returns the column that holds a place, or the next one below it.
RL_CELL rl_layered_column rl_layered_find(const rl_layered_columns *c, float x, float y, float z)
{
    const int i = rl_cell_at(x, c->water.cell_size, c->water.nx),
              j = rl_cell_at(y, c->water.cell_size, c->water.ny);
    const size_t cell = (size_t)j * c->water.pitch + (size_t)i;
    const int layer = rl_layer_at(c->water.base, c->water.range_min, c->water.range_max,
                                  c->water.layers, c->water.layer_stride, cell, z);
    rl_layered_column k = {-1, 0, 0.0f};
    if (layer >= 0) {
        k.number = (layer * c->water.ny + j) * c->water.nx + i;
        k.at = (size_t)layer * c->water.layer_stride + cell;
        k.level = c->water.base[k.at] + c->water.depth[k.at];
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
    return k->number < 0 || (c->water.range_max != NULL && z > c->water.range_max[k->at]);
}

RL_CELL int rl_layered_has_landed(const rl_layered_columns *c, const rl_flyer *f)
{
    rl_layered_column k;
    return !rl_landing_inside(f->x, f->y, c->water.cell_size, c->water.nx, c->water.ny) ||
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
        *wet = c->water.depth[k.at] > c->water.wet_depth;
    }
    return k.number;
}

// ---- Columns that are full -------------------------------------------------------------

// Returns whether a column that leaves `left` of `wanted` m^3 has no free volume. Open ones always
// have; they leave only what a float cannot hold.
RL_CELL int rl_layered_refuses(const rl_layered_columns *c, int number, double wanted, double left)
{
    return c->water.layers > 1 && number >= c->water.nx * c->water.ny &&
           left > RL_LAYERED_FULL * wanted;
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

// Moves the foam at a place with its velocity and gives it that of the column there. Returns
// whether the foam survives.
RL_CELL int rl_layered_advects(const rl_layered_columns *c, float *const arrays[RL_POOL_ARRAYS],
                               int place)
{
    float *const x = arrays[RL_POOL_X] + place, *const y = arrays[RL_POOL_Y] + place;
    float *const u = arrays[RL_POOL_VELOCITY_X] + place;
    float *const v = arrays[RL_POOL_VELOCITY_Y] + place;
    float *const z = arrays[RL_POOL_Z] + place, *const age = arrays[RL_POOL_AGE] + place;
    *x += c->dt * *u;
    *y += c->dt * *v;
    *age += c->dt;
    if (!(*age < arrays[RL_POOL_LIFE][place]) ||
        !rl_landing_inside(*x, *y, c->water.cell_size, c->water.nx, c->water.ny))
        return 0;
    const rl_layered_column k = rl_layered_find(c, *x, *y, *z);
    if (k.number < 0 || !(c->water.depth[k.at] > c->water.wet_depth))
        return 0;
    *z = k.level;
    *u = c->water.velocity_x[k.at];
    *v = c->water.velocity_y[k.at];
    return 1;
}

// ---- A step ----------------------------------------------------------------------------

// Arguments of the landings of a step.
typedef struct rl_landing_scene {
    rl_flight_ground ground;
    rl_layered_columns layered;
    int nx, ny;
    float cell_size, dt;
    float foam_speed, foam_life, foam_life_noise;
    rl_draw_source draws;
} rl_landing_scene;

RL_CELL float rl_landing_base(const rl_landing_scene *s, int i, int j)
{
    return s->ground.base[(size_t)j * (size_t)s->ground.pitch + (size_t)i];
}

// Returns the cell j nx + i that gets the water of a particle at (x, y, z) with velocity (u, v).
RL_CELL int rl_landing_cell(const rl_landing_scene *s, float x, float y, float z, float u, float v)
{
    const float dx = s->cell_size;
    const int i = rl_cell_at(x, dx, s->nx), j = rl_cell_at(y, dx, s->ny);
    if (rl_landing_base(s, i, j) > z) {
        // It has flown into a cliff, and falls down in the cell that it came from.
        const int before_i = rl_cell_at(x - s->dt * u, dx, s->nx);
        const int before_j = rl_cell_at(y - s->dt * v, dx, s->ny);
        if (rl_landing_base(s, before_i, before_j) < rl_landing_base(s, i, j))
            return before_j * s->nx + before_i;
    }
    return j * s->nx + i;
}

RL_CELL int rl_landing_is_wet(const rl_landing_scene *s, int cell)
{
    const size_t at = (size_t)(cell / s->nx) * (size_t)s->ground.pitch + (size_t)(cell % s->nx);
    return s->ground.depth[at] > s->ground.wet_depth;
}

// Returns whether a particle of `kind` at `place`, which has hit wet water at the speed (u, v, w),
// leaves foam, and writes the time that it will live, seconds. A splash does by chance, foam of an
// emitter always.
RL_CELL int rl_landing_foams(const rl_landing_scene *s, int kind, int place, float u, float v,
                             float w, float *life)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_FOAM, (uint32_t)place, 0);
    const float always = s->foam_speed, chance = rl_draw(&d) * (always * always);
    const int splashes = kind == RILL_PARTICLE_SPLASH && always > 0.0f;
    if (kind != RILL_PARTICLE_FOAM && !(splashes && chance < u * u + v * v + w * w))
        return 0;
    *life = s->foam_life * (1.0f + s->foam_life_noise * rl_draw_sign(&d));
    return 1;
}
