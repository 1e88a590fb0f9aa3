// SPDX-License-Identifier: MIT
// thrown.c - water that bodies throw up (Chentanez and Müller section 2.4.4): lumps become splashes
// or spray, with the velocity that the bodies module computed.
#include "particles/pool.h"

#define MOST_PART 0.25 // of a column that one lump may take

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
    for (int axis = 0; axis < 3; axis++) {
        birth.position[axis] = lump->position[axis];
        birth.velocity[axis] = lump->velocity[axis];
    }
    rl_birth_shake(d, p->def.velocity_noise, birth.velocity);
    // It leaves with the velocity of its column; the body gives it the rest of its own.
    const float u = m->columns.velocity_x[at], v = m->columns.velocity_y[at];
    const double taken =
        -rl_step_context_deposit(m, 0, lump->i, lump->j, -(double)volume,
                                 -(double)volume * (double)u, -(double)volume * (double)v);
    p->totals.rest += taken - (double)volume;
    lump->gained[0] += volume * (birth.velocity[0] - u);
    lump->gained[1] += volume * (birth.velocity[1] - v);
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
