// SPDX-License-Identifier: MIT
// falls.c - waterfalls (002 section 2.4.3). The water has taken what goes over a cliff out of its
// columns already and holds it at the face; here it becomes particles, as many as it fills.
#include "particles/pool.h"

#define BEYOND     1e-3f // cells: a particle is born at least this far beyond the edge
#define MOST_DROPS 1000

// A fall, with its face as one of the axes.
typedef struct edge {
    int along, across; // axis towards the lower cell and axis of the face
    float sign;        // of the way down
    float speed;       // that way; what has gone over the edge does not come back
    float face;        // coordinate of the face, metres
    float side;        // where the face begins
    float low, high;   // elevations of the bed and the surface above it
} edge;

static edge edge_of(const rl_moment *m, const rl_fall *fall)
{
    const float dx = m->water->cell_size;
    const int along = fall->lower_i != fall->upper_i ? 0 : 1;
    const int here = along == 0 ? fall->upper_i : fall->upper_j;
    const int there = along == 0 ? fall->lower_i : fall->lower_j;
    const int beside = along == 0 ? fall->upper_j : fall->upper_i;
    const size_t at = (size_t)fall->upper_j * m->columns.pitch + (size_t)fall->upper_i;
    return (edge){
        .along = along,
        .across = 1 - along,
        .sign = there > here ? 1.0f : -1.0f,
        .speed = fall->velocity > 0.0f ? fall->velocity : 0.0f,
        .face = dx * (float)(there > here ? there : here),
        .side = dx * (float)beside,
        .low = m->columns.base[at],
        .high = m->columns.base[at] + m->columns.depth[at],
    };
}

// Anywhere in the box that this step's water fills beyond the face (Fig. 6b; docs/papers.md,
// 002.6): the way from the face is the time since the edge was passed, so nothing more is jittered.
static void emit_one(rl_particles *p, rl_moment *m, const rl_fall *fall, const edge *e,
                     rill_particle_kind kind, float volume)
{
    const float dx = m->water->cell_size;
    rl_birth birth = {.kind = kind, .volume = volume};
    const float since = (float)m->dt * rl_moment_draw(p, m);
    const float way = e->speed * since;
    birth.position[e->along] = e->face + e->sign * (way > BEYOND * dx ? way : BEYOND * dx);
    birth.position[e->across] = e->side + dx * rl_moment_draw(p, m);
    birth.position[2] = e->low + (e->high - e->low) * rl_moment_draw(p, m);
    birth.velocity[e->along] = e->sign * e->speed;
    birth.velocity[e->across] = fall->across;
    birth.age = since;
    rl_birth_shake(p, m, p->def.velocity_noise, birth.velocity);
    rl_pool_add(p, &birth);
}

// The pool is full: whole particles' worth of water goes straight to the lower cell.
static void let_down(const rl_moment *m, rl_fall *fall, const edge *e, double volume)
{
    double momentum[2] = {0.0, 0.0};
    momentum[e->along] = volume * (double)e->sign * (double)e->speed;
    momentum[e->across] = volume * (double)fall->across;
    fall->volume -=
        rl_moment_deposit(m, 0, fall->lower_i, fall->lower_j, volume, momentum[0], momentum[1]);
}

// Water falls in portions of one splash; some of them come as drops of spray.
static void fall_down(rl_particles *p, rl_moment *m, rl_fall *fall, int drops)
{
    const edge e = edge_of(m, fall);
    const float portion = p->volume_of[RILL_PARTICLE_SPLASH], drop = portion / (float)drops;
    while (fall->volume >= (double)portion) {
        const bool spray = rl_moment_draw(p, m) < p->def.spray_share;
        const int count = spray ? drops : 1;
        if (rl_pool_room(p) < count) {
            double portions = fall->volume / (double)portion;
            portions = portions < 1e9 ? (double)(int)portions : portions;
            let_down(m, fall, &e, portions * (double)portion);
            return;
        }
        for (int n = 0; n < count; n++) {
            const float volume = spray ? drop : portion;
            emit_one(p, m, fall, &e, spray ? RILL_PARTICLE_SPRAY : RILL_PARTICLE_SPLASH, volume);
            fall->volume -= (double)volume;
        }
    }
}

void rl_particles_fall(rl_particles *p, rl_moment *m)
{
    const float r = p->def.spray_radius;
    const double wanted = 0.5 + 1.0 / ((double)r * (double)r * (double)r);
    const int drops = wanted < MOST_DROPS ? (int)wanted : MOST_DROPS;
    for (int n = 0; n < m->motion.fall_count; n++) {
        rl_fall *fall = &m->motion.falls[n];
        if (fall->volume >= (double)p->volume_of[RILL_PARTICLE_SPLASH])
            fall_down(p, m, fall, drops > 0 ? drops : 1);
    }
}
