// SPDX-License-Identifier: MIT
// flight.c - moves all particles by one step. The air resists in proportion to their speed against
// it, dv/dt = -c (v - w) - g; that has an exact solution, so the path does not depend on the length
// of the step: a particle flies the same path at 30 and at 240 steps a second.
#include "core/assert.h"
#include "particles/pool.h"

#define ONE_OVER_E   0.36787944117144233
#define SERIES_BELOW 0.1 // c dt above which the differences are exact enough without a series

// Computes (1 - e^-y) / y and (1 - that) / y.
static void factors(double y, double decay, double *reach, double *fall)
{
    if (y >= SERIES_BELOW) {
        *reach = (1.0 - decay) / y;
        *fall = (1.0 - *reach) / y;
        return;
    }
    // 1 - y/2 + y^2/6 - ... and 1/2 - y/6 + y^2/24 - ...
    double sum = 1.0;
    for (int n = 12; n >= 3; n--)
        sum = 1.0 - sum * y / n;
    *fall = 0.5 * sum;
    *reach = 1.0 - y * *fall;
}

rl_flight_air rl_flight_air_of(const rl_particles *p, int kind, double dt, double gravity)
{
    const double drag = kind == RILL_PARTICLE_SPRAY    ? (double)p->def.spray_drag
                        : kind == RILL_PARTICLE_SPLASH ? (double)p->def.splash_drag
                                                       : 0.0;
    const double y = drag * dt;
    const double decay = rill_power(ONE_OVER_E, y);
    const double wind_x = (double)p->def.wind[0], wind_y = (double)p->def.wind[1];
    double reach, fall;
    factors(y, decay, &reach, &fall);
    return (rl_flight_air){
        .decay = (float)decay,
        .reach = (float)(reach * dt),
        .gain_x = (float)(wind_x * (1.0 - decay)),
        .gain_y = (float)(wind_y * (1.0 - decay)),
        .gain_z = (float)(-gravity * reach * dt),
        .push_x = (float)(wind_x * (1.0 - reach) * dt),
        .push_y = (float)(wind_y * (1.0 - reach) * dt),
        .push_z = (float)(-gravity * fall * dt * dt),
    };
}

rl_flight_ground rl_flight_ground_of(const rl_step_context *m)
{
    const rill_columns *c = &m->columns;
    return (rl_flight_ground){
        .base = rl_layered_is(m) ? NULL : c->base,
        .depth = c->depth,
        .velocity_x = c->velocity_x,
        .velocity_y = c->velocity_y,
        .pitch = (int)c->pitch,
        .to_cells = 1.0f / c->cell_size,
        .last_x = (float)(c->nx - 1),
        .last_y = (float)(c->ny - 1),
        .width = (float)c->nx * c->cell_size,
        .height = (float)c->ny * c->cell_size,
        .wet_depth = c->wet_depth,
    };
}

// Over a solver with several columns in a cell each particle finds the column that it is in. That
// is slower than over a heightfield, where eight are found at once, and such solvers break no
// waves: flying particles come from emitters.
bool rl_layered_is(const rl_step_context *m)
{
    return m->flow->ops->solids != NULL;
}

rl_layered_columns rl_layered_columns_of(const rl_step_context *m)
{
    const float dt = (float)m->dt;
    if (!rl_layered_is(m))
        return (rl_layered_columns){0};
    return (rl_layered_columns){
        .water = m->columns, .dt = dt, .fall = 0.5f * m->flow->gravity * dt * dt};
}

// ---- Chunks ----------------------------------------------------------------------------

// What is done to the particles [first, end); lists those that are no longer what they were and
// returns their number.
typedef struct work work;
typedef int (*move_part)(const work *w, int first, int end, uint32_t *list);

struct work {
    rl_particles *particles;
    move_part move;
    rl_pool_places pool;
    rl_flight_ground ground;
    rl_layered_columns layered;
    rl_flight_air air[2];
    float dt;
    int first, end; // particles
};

static int fly(const work *w, int first, int end, uint32_t *landed)
{
    const rl_particles *p = w->particles;
    int count = p->rows->fly(&w->pool, first, end, &w->ground, w->air, w->dt, landed);
    if (w->ground.base != NULL)
        return count;
    count = 0;
    for (int place = first; place < end; place++) {
        const rl_flyer f = rl_flyer_at(p->arrays, place);
        if (rl_layered_has_landed(&w->layered, &f))
            landed[count++] = (uint32_t)place;
    }
    return count;
}

static int advect(const work *w, int first, int end, uint32_t *gone)
{
    const rl_particles *p = w->particles;
    if (w->ground.base != NULL)
        return p->rows->advect(&w->pool, first, end, &w->ground, w->dt, gone);
    int count = 0;
    for (int place = first; place < end; place++)
        if (!rl_layered_advects(&w->layered, p->arrays, place))
            gone[count++] = (uint32_t)place;
    return count;
}

static void move_chunk(void *context, int index)
{
    const work *w = context;
    const int start = (w->first / RL_POOL_CHUNK + index) * RL_POOL_CHUNK;
    w->particles->list_counts[index] =
        w->move(w, rl_greater_int(start, w->first), rl_lesser_int(start + RL_POOL_CHUNK, w->end),
                w->particles->list + (size_t)index * RL_POOL_CHUNK);
}

// Moves the particles [first, end) and lists those that `move` does; returns their number.
static int move_all(rl_particles *p, const rl_step_context *m, int first, int end, move_part move)
{
    if (first == end)
        return 0;
    work w = {.particles = p,
              .move = move,
              .pool = rl_pool_places_of(p, p->totals.count),
              .ground = rl_flight_ground_of(m),
              .layered = rl_layered_columns_of(m),
              .dt = (float)m->dt,
              .first = first,
              .end = end};
    for (int kind = 0; kind < 2; kind++)
        w.air[kind] = rl_flight_air_of(p, kind, m->dt, (double)m->flow->gravity);
    const int chunks = (end - 1) / RL_POOL_CHUNK - first / RL_POOL_CHUNK + 1;
    rl_jobs_run(m->flow->jobs, chunks, move_chunk, &w);
    return rl_pool_join_lists(p, chunks);
}

int rl_particles_fly(rl_particles *p, rl_step_context *m, int end)
{
    RL_ASSERT(end <= p->totals.flying);
    return move_all(p, m, 0, end, fly);
}

void rl_particles_advect_foam(rl_particles *p, rl_step_context *m)
{
    const int gone = move_all(p, m, p->totals.flying, p->totals.count, advect);
    rl_pool_remove_foam(p, p->list, gone);
}
