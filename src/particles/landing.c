// SPDX-License-Identifier: MIT
// landing.c - water that comes back (002 Eq. 18). Tens of thousands may land in a step, mostly in a
// few cells: landings are sorted by cell and, within a cell, by their places in the pool, and what
// comes to a cell is added up in that order and given to the water at once.
#include "particles/pool.h"

#define WET       0x80000000u // flag in a record: foam may be left
#define FEW       48          // records that are sorted faster by moving them
#define DIGIT     11          // bits that records are sorted by at once
#define DIGIT_END (1u << DIGIT)

rl_landing_scene rl_landing_scene_of(const rl_particles *p, const rl_moment *m)
{
    return (rl_landing_scene){
        .ground = rl_flight_ground_of(m),
        .nx = m->columns.nx,
        .ny = m->columns.ny,
        .cell_size = m->columns.cell_size,
        .dt = (float)m->dt,
        .foam_speed = p->def.foam_speed,
        .foam_life = p->def.foam_life,
        .foam_life_noise = p->def.foam_life_noise,
        .draws = m->draws,
    };
}

// ---- Foam ------------------------------------------------------------------------------

void rl_foam_try(rl_particles *p, const rl_landing_scene *s, int place, float level,
                 float velocity_x, float velocity_y)
{
    float *const *a = p->arrays;
    if (p->kind[place] != RILL_PARTICLE_SPLASH ||
        !rl_landing_foams(s, place, a[RL_POOL_VELOCITY_X][place], a[RL_POOL_VELOCITY_Y][place],
                          a[RL_POOL_VELOCITY_Z][place], &a[RL_POOL_LIFE][place]))
        return;
    a[RL_POOL_Z][place] = level;
    a[RL_POOL_VELOCITY_X][place] = velocity_x;
    a[RL_POOL_VELOCITY_Y][place] = velocity_y;
    a[RL_POOL_VELOCITY_Z][place] = 0.0f;
    a[RL_POOL_RADIUS][place] = p->radius_of[RILL_PARTICLE_FOAM];
    a[RL_POOL_AGE][place] = 0.0f;
    a[RL_POOL_VOLUME][place] = 0.0f;
    p->kind[place] = RILL_PARTICLE_FOAM;
}

// ---- Chunks of landings ----------------------------------------------------------------

typedef struct landing {
    rl_particles *particles;
    const rl_moment *moment;
    rl_landing_scene scene;
    int count; // of the list,
    int total; // and of the records
} landing;

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Finds the cells of a chunk of the list, and sums up what is outside the grid.
static void find_cells(void *context, int chunk)
{
    const landing *l = context;
    rl_particles *p = l->particles;
    float *const *a = p->arrays;
    const int first = chunk * RL_POOL_PART, end = least(first + RL_POOL_PART, l->count);
    const uint32_t nowhere = (uint32_t)(l->scene.nx * l->scene.ny);
    double outside = 0.0;
    for (int n = first; n < end; n++) {
        const int at = (int)p->list[n];
        uint32_t cell = nowhere, wet = 0;
        if (rl_pool_inside(p, l->moment, at)) {
            cell = (uint32_t)rl_landing_cell(&l->scene, a[RL_POOL_X][at], a[RL_POOL_Y][at],
                                             a[RL_POOL_Z][at], a[RL_POOL_VELOCITY_X][at],
                                             a[RL_POOL_VELOCITY_Y][at]);
            wet = rl_landing_is_wet(&l->scene, (int)cell) ? WET : 0;
        } else {
            outside += (double)a[RL_POOL_VOLUME][at];
        }
        p->records[n] = (uint64_t)cell << 32 | wet | (uint32_t)n;
    }
    p->part_sums[chunk] = outside;
}

// Leaves foam of a chunk of the records.
static void leave_foam(void *context, int chunk)
{
    const landing *l = context;
    rl_particles *p = l->particles;
    const rl_flight_ground *g = &l->scene.ground;
    const int first = chunk * RL_POOL_PART, end = least(first + RL_POOL_PART, l->total);
    for (int n = first; n < end; n++) {
        if (!(p->records[n] & WET))
            continue;
        const int place = (int)p->list[(uint32_t)p->records[n] & ~WET];
        const rl_flight_place at =
            rl_flight_find(g, p->arrays[RL_POOL_X][place], p->arrays[RL_POOL_Y][place]);
        rl_foam_try(p, &l->scene, place, rl_flight_level(g, at),
                    rl_flight_between(rl_flight_fetch(g->velocity_x, g->pitch, at), at),
                    rl_flight_between(rl_flight_fetch(g->velocity_y, g->pitch, at), at));
    }
}

static int chunks(int count)
{
    return (count + RL_POOL_PART - 1) / RL_POOL_PART;
}

// ---- Sorting ---------------------------------------------------------------------------

static void sort_few(uint64_t *records, int count)
{
    for (int n = 1; n < count; n++) {
        const uint64_t record = records[n];
        int at = n;
        for (; at > 0 && records[at - 1] >> 32 > record >> 32; at--)
            records[at] = records[at - 1];
        records[at] = record;
    }
}

// One digit of the cells, the order of equals kept.
static void sort_digit(const uint64_t *from, uint64_t *to, int count, int shift)
{
    uint32_t starts[DIGIT_END] = {0}, next = 0;
    for (int n = 0; n < count; n++)
        starts[from[n] >> shift & (DIGIT_END - 1)]++;
    for (uint32_t digit = 0; digit < DIGIT_END; digit++) {
        const uint32_t here = starts[digit];
        starts[digit] = next;
        next += here;
    }
    for (int n = 0; n < count; n++)
        to[starts[from[n] >> shift & (DIGIT_END - 1)]++] = from[n];
}

static void sort_records(rl_particles *p, int count, uint32_t largest)
{
    if (count <= FEW) {
        sort_few(p->records, count);
        return;
    }
    for (int shift = 0; largest >> shift != 0; shift += DIGIT) {
        sort_digit(p->records, p->records_other, count, 32 + shift);
        uint64_t *const sorted = p->records_other;
        p->records_other = p->records;
        p->records = sorted;
    }
}

// ---- Giving ----------------------------------------------------------------------------

// What a record brings is added to what its cell gets.
static void add_record(const rl_particles *p, uint32_t number, int count, rl_pool_extra *sum)
{
    if ((int)number >= count) {
        const rl_pool_extra *e = &p->extras[(int)number - count];
        sum->volume += e->volume;
        sum->momentum_x += e->momentum_x;
        sum->momentum_y += e->momentum_y;
        return;
    }
    const uint32_t at = p->list[number];
    const double volume = (double)p->arrays[RL_POOL_VOLUME][at];
    sum->volume += volume;
    sum->momentum_x += volume * (double)p->arrays[RL_POOL_VELOCITY_X][at];
    sum->momentum_y += volume * (double)p->arrays[RL_POOL_VELOCITY_Y][at];
}

// What the water gets is what it can hold of it in floats; the rest goes with the first cell of the
// next step.
static void give(rl_particles *p, const landing *l)
{
    const int nowhere = l->scene.nx * l->scene.ny;
    rl_part_sum rest = {0};
    for (int n = 0, end; n < l->total; n = end) {
        rl_pool_extra sum = {.cell = (int)(p->records[n] >> 32)};
        if (sum.cell == nowhere)
            break;
        for (end = n; end < l->total && (int)(p->records[end] >> 32) == sum.cell; end++)
            add_record(p, (uint32_t)p->records[end] & ~WET, l->count, &sum);
        if (n == 0)
            sum.volume += p->kept.rest;
        const double given =
            rl_moment_deposit(l->moment, 0, sum.cell % l->scene.nx, sum.cell / l->scene.nx,
                              sum.volume > 0.0 ? sum.volume : 0.0, sum.momentum_x, sum.momentum_y);
        rl_part_sum_add(&rest, sum.volume - given);
    }
    if (rest.count > 0)
        p->kept.rest = rl_part_sum_value(&rest);
}

// ---- Landing ---------------------------------------------------------------------------

static void land_all(rl_particles *p, landing *l)
{
    rl_jobs *jobs = l->moment->water->jobs;
    rl_jobs_run(jobs, chunks(l->count), find_cells, l);
    double outside = 0.0;
    for (int chunk = 0; chunk < chunks(l->count); chunk++)
        outside += p->part_sums[chunk];
    p->kept.gone += outside;
    for (int n = 0; n < p->extra_count; n++)
        p->records[l->count + n] = (uint64_t)p->extras[n].cell << 32 | (uint32_t)(l->count + n);
    sort_records(p, l->total, (uint32_t)(l->scene.nx * l->scene.ny));
    give(p, l);
    rl_jobs_run(jobs, chunks(l->total), leave_foam, l);
}

// One after another, since a column that is full sends the next one away.
static int land_in_layers(rl_particles *p, const landing *l)
{
    int done = 0;
    for (int n = 0; n < l->count; n++) {
        const int place = (int)p->list[n];
        if (!rl_pool_inside(p, l->moment, place))
            p->kept.gone += (double)p->arrays[RL_POOL_VOLUME][place];
        else if (!rl_layered_land(p, l->moment, &l->scene, place))
            continue;
        p->list[done++] = (uint32_t)place;
    }
    return done;
}

void rl_particles_land(rl_particles *p, rl_moment *m, int count)
{
    landing l = {.particles = p,
                 .moment = m,
                 .scene = rl_landing_scene_of(p, m),
                 .count = count,
                 .total = count + p->extra_count};
    if (l.total == 0)
        return;
    if (rl_layered_is(m))
        count = land_in_layers(p, &l);
    else
        land_all(p, &l);
    rl_pool_land(p, p->list, count);
}
