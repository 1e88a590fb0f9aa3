// SPDX-License-Identifier: MIT
// births.c - particles that come from the water: of breaking waves, of falls and of bodies that
// throw it up (Chentanez and Müller sections 2.4.2 to 2.4.4).
//
// Rows are searched for breaking waves in parallel. Then, in the order of the cells, new particles
// are drawn from the water as it is, and their water is taken when all are known: no cell depends
// on what its neighbour has lost.
#include "core/assert.h"
#include "particles/pool.h"

#include <string.h>

#define MOST_DROPS 1000
#define MOST_PART  0.25 // of a column that one lump of a body may take

int rl_particles_drops(const rl_particles *p)
{
    const double r = (double)p->def.spray_radius, drops = 0.5 + 1.0 / (r * r * r);
    return drops < MOST_DROPS ? (int)drops : MOST_DROPS;
}

rl_birth_scene rl_birth_scene_of(const rl_particles *p, const rl_step_context *m)
{
    const rill_columns *c = &m->columns;
    return (rl_birth_scene){
        .ground = rl_flight_ground_of(m),
        .before = m->motion.depth_before,
        .since_before = (float)m->motion.step,
        .nx = c->nx,
        .ny = c->ny,
        .cell_size = c->cell_size,
        .gravity = m->flow->gravity,
        .depth_limit = m->motion.depth_limit,
        .dt = m->dt,
        .area = m->area,
        .breaking_amount = p->def.breaking_amount,
        .breaking_lift = p->def.breaking_lift,
        .velocity_noise = p->def.velocity_noise,
        .spray_share = p->def.spray_share,
        .volume_of = {p->volume_of[0], p->volume_of[1]},
        .drops = rl_particles_drops(p),
        .draws = m->draws,
    };
}

#define SEGMENT 512 // cells searched at once

static rl_breaking_row row_of(const rl_particles *p, const rl_step_context *m, int j)
{
    const rill_columns *c = &m->columns;
    const size_t here = (size_t)j * c->pitch, south = j > 0 ? here - c->pitch : here;
    const size_t north = j + 1 < c->ny ? here + c->pitch : here;
    return (rl_breaking_row){
        .nx = c->nx,
        .base = c->base + here,
        .depth = c->depth + here,
        .before = m->motion.depth_before + here,
        .base_south = c->base + south,
        .depth_south = c->depth + south,
        .base_north = c->base + north,
        .depth_north = c->depth + north,
        .limits = rl_breaking_limits_of(&p->def, m->motion.step, c->cell_size, c->wet_depth),
    };
}

// ---- Finding ---------------------------------------------------------------------------

typedef struct search {
    rl_particles *particles;
    const rl_step_context *context;
} search;

static int first_row(int band, int ny)
{
    return (int)((int64_t)band * ny / RL_POOL_BANDS);
}

// Finds out whether any wave breaks in a band of rows.
static void search_band(void *context, int band)
{
    const search *s = context;
    const int ny = s->context->columns.ny, end = first_row(band + 1, ny);
    int found = 0;
    for (int j = first_row(band, ny); j < end && !found; j++) {
        const rl_breaking_row row = row_of(s->particles, s->context, j);
        found = s->particles->rows->find_breaking(&row, 0, row.nx, NULL);
    }
    s->particles->list_counts[band] = found;
}

// ---- Drawing ---------------------------------------------------------------------------

// Adds the particles that break off at one cell. Returns the end of the list of the cells that new
// particles come from.
static int draw_crest(rl_particles *p, const rl_birth_scene *s, const rl_crest *k, int listed)
{
    const int count = k->count[0] + k->count[1];
    for (int n = 0; n < count && rl_pool_capacity(p) > 0; n++) {
        const rl_birth birth = rl_crest_birth(s, k, n);
        rl_pool_add(p, &birth);
        p->list[listed++] = (uint32_t)k->j * (uint32_t)s->nx + (uint32_t)k->i;
    }
    return listed;
}

static int draw_band(rl_particles *p, const rl_step_context *m, const rl_birth_scene *s, int band,
                     int listed)
{
    const int nx = m->columns.nx, end = first_row(band + 1, m->columns.ny);
    for (int j = first_row(band, m->columns.ny); j < end; j++) {
        const rl_breaking_row row = row_of(p, m, j);
        for (int i = 0; i < nx && rl_pool_capacity(p) > 0; i += SEGMENT) {
            uint32_t found[SEGMENT];
            const int last = i + SEGMENT < nx ? i + SEGMENT : nx;
            const int count = p->rows->find_breaking(&row, i, last, found);
            for (int n = 0; n < count; n++) {
                const rl_crest k = rl_crest_at(s, (int)found[n], j);
                listed = draw_crest(p, s, &k, listed);
            }
        }
    }
    return listed;
}

// ---- Taking the water ------------------------------------------------------------------

// Takes the water of new particles [first, end), all of one cell, and scales each to the part of it
// that there really was (a cell that gives less water gives as much less momentum). Returns that
// part; water of it that no particle holds goes to `rest`.
static double take_water(rl_particles *p, const rl_step_context *m, uint32_t cell, int first,
                         int end, rl_part_sum *rest)
{
    RL_ASSERT(first < end && end <= p->totals.flying);
    const int i = (int)(cell % (uint32_t)m->columns.nx), j = (int)(cell / (uint32_t)m->columns.nx);
    float *volume = p->arrays[RL_POOL_VOLUME];
    double wanted = 0.0, x = 0.0, y = 0.0;
    for (int n = first; n < end; n++) {
        wanted += (double)volume[n];
        x += (double)volume[n] * (double)p->arrays[RL_POOL_VELOCITY_X][n];
        y += (double)volume[n] * (double)p->arrays[RL_POOL_VELOCITY_Y][n];
    }
    const double taken = -rl_step_context_deposit(m, 0, i, j, -wanted, -x, -y);
    const double part = taken > 0.0 ? taken / wanted : 0.0;
    double held = 0.0;
    for (int n = first; n < end; n++) {
        volume[n] = (float)((double)volume[n] * part);
        held += (double)volume[n];
    }
    rl_part_sum_add(rest, taken - held);
    return part;
}

void rl_particles_break_waves(rl_particles *p, rl_step_context *m)
{
    search s = {p, m};
    if (rl_pool_capacity(p) <= 0 || m->motion.depth_before == NULL)
        return;
    rl_jobs_run(m->flow->jobs, RL_POOL_BANDS, search_band, &s);
    const rl_birth_scene scene = rl_birth_scene_of(p, m);
    const int start = p->totals.flying;
    int listed = 0;
    for (int band = 0; band < RL_POOL_BANDS; band++)
        if (p->list_counts[band] != 0)
            listed = draw_band(p, m, &scene, band, listed);
    int written = start;
    rl_part_sum rest = {0};
    for (int n = 0, end; n < listed; n = end) {
        for (end = n + 1; end < listed && p->list[end] == p->list[n];)
            end++;
        if (!(take_water(p, m, p->list[n], start + n, start + end, &rest) > 0.0))
            continue;
        for (int from = start + n; from < start + end; from++, written++)
            if (from != written)
                rl_pool_copy(p, from, written);
    }
    if (written < p->totals.flying)
        rl_pool_close_gap(p, written, p->totals.flying - written);
    p->totals.rest += rl_part_sum_value(&rest);
}

// ---- Falls -----------------------------------------------------------------------------

// The solver has taken the water that goes over a cliff out of its columns already and holds it at
// the face; here it becomes particles, as many as it fills.

// Gives whole particles' worth of water straight to the lower cell, because the pool is full.
static void let_down(rl_particles *p, const rl_birth_scene *s, rl_fall *fall, const rl_fall_edge *e)
{
    const double volume = rl_fall_whole(s, fall->volume);
    double velocity[2];
    velocity[e->along] = (double)e->sign * (double)e->speed;
    velocity[e->across] = (double)e->beside;
    if (rl_step_context_pour(p, fall->lower_j * s->nx + fall->lower_i, volume, velocity[0],
                             velocity[1]))
        fall->volume -= volume;
}

// Turns a fall's water into particles; returns false when the pool is full.
static bool fall_down(rl_particles *p, const rl_birth_scene *s, rl_fall *fall, int number,
                      bool fits)
{
    const rl_fall_edge e = rl_fall_edge_of(s, fall);
    const double portion = (double)s->volume_of[RILL_PARTICLE_SPLASH];
    int born = 0;
    for (int n = 0; n < RL_FALL_PORTIONS && fall->volume >= portion; n++) {
        const int drops = rl_fall_drops(s, number, n);
        if (!fits || rl_pool_capacity(p) < drops) {
            let_down(p, s, fall, &e);
            return false;
        }
        for (int k = 0; k < drops; k++) {
            const rl_birth birth = rl_fall_birth(s, &e, number, born++, drops);
            rl_pool_add(p, &birth);
        }
        fall->volume -= drops * (double)rl_fall_volume(s, drops);
    }
    return fits;
}

void rl_particles_fall(rl_particles *p, rl_step_context *m)
{
    const int count = m->motion.fall_count;
    if (count == 0)
        return;
    const rl_birth_scene s = rl_birth_scene_of(p, m);
    const int first = rl_fall_first(m->draws.step, count);
    bool fits = true;
    for (int n = 0; n < count; n++) {
        const int number = first + n < count ? first + n : first + n - count;
        rl_fall *fall = &m->motion.falls[number];
        if (fall->volume >= (double)s.volume_of[RILL_PARTICLE_SPLASH])
            fits = fall_down(p, &s, fall, number, fits);
    }
}

// ---- Water that bodies throw up --------------------------------------------------------

double rl_particles_lump_volume(const rl_particles *p)
{
    return (double)p->volume_of[RILL_PARTICLE_SPLASH];
}

// Makes one particle of `kind` out of a lump; returns false when the pool is full or the column has
// too little water.
static bool throw_one(rl_particles *p, const rl_step_context *m, rl_draws *d, rl_splash *lump,
                      rill_particle_kind kind, rl_pool_births *to)
{
    const float volume = p->volume_of[kind];
    const size_t at = (size_t)lump->j * m->columns.pitch + (size_t)lump->i;
    if (rl_pool_capacity(p) - to->count < 1 ||
        MOST_PART * (double)m->columns.depth[at] * m->area < (double)volume)
        return false;
    rl_birth birth = {.kind = kind, .volume = volume};
    memcpy(birth.position, lump->position, sizeof birth.position);
    memcpy(birth.velocity, lump->velocity, sizeof birth.velocity);
    rl_birth_shake(d, p->def.velocity_noise, birth.velocity);
    // It leaves with the velocity of its column; the body gives it the rest of its own.
    const float u = m->columns.velocity_x[at], v = m->columns.velocity_y[at];
    const double taken =
        -rl_step_context_deposit(m, 0, lump->i, lump->j, -(double)volume,
                                 -(double)volume * (double)u, -(double)volume * (double)v);
    p->totals.rest += taken - (double)volume;
    lump->gained[0] += volume * (birth.velocity[0] - u);
    lump->gained[1] += volume * (birth.velocity[1] - v);
    lump->gained[2] += volume * (birth.velocity[2] - lump->rise);
    rl_pool_bear(p, to, &birth);
    return true;
}

void rl_particles_throw(rl_particles *p, const rl_particles_flow *flow, uint64_t step,
                        rl_splash *lumps, int count)
{
    rl_step_context m = {.flow = flow, .draws = {p->seed, step}};
    m.area = (double)flow->cell_size * (double)flow->cell_size;
    if (count == 0)
        return;
    rl_pool_births to = {.births = rl_resident_births(p)};
    m.columns = flow->ops->columns(flow->solver, flow->jobs, NULL);
    const double splash = (double)p->volume_of[RILL_PARTICLE_SPLASH];
    for (int n = 0; n < count; n++) {
        rl_draws d = rl_draws_of(m.draws, RL_DRAW_THROWN, (uint32_t)n, 0);
        const bool spray = rl_draw(&d) < p->def.spray_share;
        const rill_particle_kind kind = spray ? RILL_PARTICLE_SPRAY : RILL_PARTICLE_SPLASH;
        const double drops = splash / (double)p->volume_of[kind];
        for (double done = 0.0; done + 0.5 < drops; done += 1.0)
            if (!throw_one(p, &m, &d, &lumps[n], kind, &to))
                break;
    }
    rl_resident_add(p, to.count);
}
