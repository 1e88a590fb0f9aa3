// SPDX-License-Identifier: MIT
// falls.c - waterfalls (Chentanez and Müller section 2.4.3). The solver has taken the water that
// goes over a cliff out of its columns already and holds it at the face; here it becomes particles,
// as many as it fills.
#include "particles/pool.h"

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
