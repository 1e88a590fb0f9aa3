// SPDX-License-Identifier: MIT
// layered.c - particles over a water with several columns in a cell: each looks for the column that
// it is in. That is slower than over a heightfield, where eight are looked up at once, and such
// waters break no waves: what flies comes from emitters.
#include "particles/pool.h"

bool rl_layered_is(const rl_moment *m)
{
    return m->water->ops->layer_at != NULL;
}

// A column of the cell that a particle is over.
typedef struct column {
    int i, j, layer;
    size_t at;
    float level;
} column;

// The column of that cell that holds the elevation z; false when the cell has none.
static bool column_at(const rl_particles *p, const rl_moment *m, int place, float z, column *out)
{
    const rill_columns *c = &m->columns;
    out->i = rl_cell_at(p->arrays[RL_POOL_X][place], c->cell_size, c->nx);
    out->j = rl_cell_at(p->arrays[RL_POOL_Y][place], c->cell_size, c->ny);
    out->layer = m->water->ops->layer_at(m->water->solver, out->i, out->j, z);
    if (out->layer < 0)
        return false;
    out->at = (size_t)out->layer * c->layer_stride + (size_t)out->j * c->pitch + (size_t)out->i;
    out->level = c->base[out->at] + c->depth[out->at];
    return true;
}

// The highest that a particle was in this step: one that has fallen through a floor lands on it.
static float highest(const rl_particles *p, const rl_moment *m, int place)
{
    const float dt = (float)m->dt, z = p->arrays[RL_POOL_Z][place];
    const float before =
        z - dt * p->arrays[RL_POOL_VELOCITY_Z][place] - 0.5f * m->water->gravity * dt * dt;
    return before > z ? before : z;
}

// Whether a particle is where there is no column: in a wall, or above the ceiling of the column
// below it.
static bool is_in_solid(const rl_particles *p, const rl_moment *m, int place, column *k)
{
    const float z = highest(p, m, place), *top = m->columns.range_max;
    return !column_at(p, m, place, z, k) || (top != NULL && z > top[k->at]);
}

static bool has_landed(const rl_particles *p, const rl_moment *m, int place)
{
    column k;
    return !rl_pool_inside(p, m, place) || is_in_solid(p, m, place, &k) ||
           !(p->arrays[RL_POOL_Z][place] > k.level);
}

int rl_layered_landed(const rl_particles *p, const rl_moment *m, int first, int end,
                      uint32_t *landed)
{
    int count = 0;
    for (int place = first; place < end; place++)
        if (has_landed(p, m, place))
            landed[count++] = (uint32_t)place;
    return count;
}

int rl_layered_drift(rl_particles *p, const rl_moment *m, int first, int end, uint32_t *gone)
{
    const rill_columns *c = &m->columns;
    const float dt = (float)m->dt;
    int count = 0;
    for (int n = first; n < end; n++) {
        column k;
        p->arrays[RL_POOL_X][n] += dt * p->arrays[RL_POOL_VELOCITY_X][n];
        p->arrays[RL_POOL_Y][n] += dt * p->arrays[RL_POOL_VELOCITY_Y][n];
        p->arrays[RL_POOL_AGE][n] += dt;
        if (!(p->arrays[RL_POOL_AGE][n] < p->arrays[RL_POOL_LIFE][n]) || !rl_pool_inside(p, m, n) ||
            !column_at(p, m, n, p->arrays[RL_POOL_Z][n], &k) || !(c->depth[k.at] > c->wet_depth)) {
            gone[count++] = (uint32_t)n;
            continue;
        }
        p->arrays[RL_POOL_Z][n] = k.level;
        p->arrays[RL_POOL_VELOCITY_X][n] = c->velocity_x[k.at];
        p->arrays[RL_POOL_VELOCITY_Y][n] = c->velocity_y[k.at];
    }
    return count;
}

// Offers `volume` to a column; what it has no room for takes its momentum back with it.
static double offer(const rl_moment *m, const column *k, double volume, double u, double v)
{
    const double given = rl_moment_deposit(m, k->layer, k->i, k->j, volume, volume * u, volume * v);
    const double refused = volume - given;
    if (refused > 1e-5 * volume)
        rl_moment_deposit(m, k->layer, k->i, k->j, 0.0, -refused * u, -refused * v);
    return given;
}

// Back to where it was, at rest, to fall from there.
static void turn_back(rl_particles *p, const rl_moment *m, int place)
{
    for (int axis = 0; axis < 3; axis++) {
        float *velocity = &p->arrays[RL_POOL_VELOCITY_X + axis][place];
        p->arrays[RL_POOL_X + axis][place] -= (float)m->dt * *velocity;
        *velocity = 0.0f;
    }
}

bool rl_layered_land(rl_particles *p, const rl_moment *m, const rl_landing_scene *scene, int place)
{
    column k = {0};
    const double u = (double)p->arrays[RL_POOL_VELOCITY_X][place];
    const double v = (double)p->arrays[RL_POOL_VELOCITY_Y][place];
    const double held = (double)p->arrays[RL_POOL_VOLUME][place];
    if (is_in_solid(p, m, place, &k)) {
        turn_back(p, m, place);
        column before;
        if (k.layer < 0 || !is_in_solid(p, m, place, &before))
            return false;
    }
    const bool wet = m->columns.depth[k.at] > m->columns.wet_depth;
    double left = held + p->kept.rest;
    p->kept.rest = 0.0;
    left -= offer(m, &k, left, u, v);
    const column open = {.i = k.i, .j = k.j}; // a full column: the water comes out on top
    if (k.layer != 0 && left > 1e-5 * held)
        left -= offer(m, &open, left, u, v);
    if (left > 1e-5 * held) { // it waits for room
        turn_back(p, m, place);
        p->arrays[RL_POOL_VOLUME][place] = (float)left;
        p->kept.rest += left - (double)p->arrays[RL_POOL_VOLUME][place];
        return false;
    }
    p->kept.rest += left;
    if (wet)
        rl_foam_try(p, scene, place, k.level, m->columns.velocity_x[k.at],
                    m->columns.velocity_y[k.at]);
    return true;
}
