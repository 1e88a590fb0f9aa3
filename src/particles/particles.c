// SPDX-License-Identifier: MIT
// particles.c - a step of the particles. What gives and takes water runs in a fixed order on one
// thread; what is done to all particles alike runs in chunks on many.
//
// What has left the grid in a step is booked by the next one, and is the pool's until then: when
// the water is on a device, the host knows it by then without waiting.
#include "particles/pool.h"

bool rl_particles_emits(const rl_particles *p)
{
    for (int n = 0; n < RILL_MAX_EMITTERS; n++)
        if (p->emitting[n])
            return true;
    return false;
}

static double seconds(const rl_particles_flow *water)
{
    return water->clock != NULL ? water->clock(water->clock_user) : 0.0;
}

void rl_particles_step(rl_particles *p, const rl_particles_flow *water, double time, double dt,
                       uint64_t step, rl_particles_books *books)
{
    rl_step_context m = {
        .water = water, .time = time, .dt = dt, .draws = {p->seed, step}, .books = books};
    rl_resident_settle(p);
    books->drained += p->kept.gone;
    p->kept.gone = 0.0;
    if (!(dt > 0.0))
        return;
    m.area = (double)water->cell_size * (double)water->cell_size;
    p->extra_count = 0;
    if (rl_resident_step(p, &m))
        return;
    rl_resident_synchronise(p, true);
    if (water->ops->motion != NULL)
        m.motion = water->ops->motion->get(water->solver);
    const bool waves = p->def.breaking_amount > 0.0f && m.motion.step > 0.0;
    if (p->kept.count == 0 && !waves && m.motion.fall_count == 0 && !rl_particles_emits(p))
        return;
    m.columns = water->ops->columns(water->solver, water->jobs, NULL);

    // Those born in this step have flown their part of it already.
    const int old = p->kept.flying;
    const double start = seconds(water);
    rl_particles_emit(p, &m);
    if (waves)
        rl_particles_break_waves(p, &m);
    rl_particles_fall(p, &m);
    books->births += seconds(water) - start;
    rl_particles_drift(p, &m);
    const int landed = rl_particles_fly(p, &m, old);
    rl_particles_land(p, &m, landed);
}

// ---- What the parts of a step share ----------------------------------------------------

bool rl_step_context_pour(rl_particles *p, int column, double volume, double u, double v)
{
    if (column < 0) {
        p->kept.gone += volume;
        return true;
    }
    if (p->extra_count == RL_POOL_EXTRAS)
        return false;
    p->extras[p->extra_count++] = (rl_pool_extra){column, volume, volume * u, volume * v};
    return true;
}

double rl_step_context_deposit(const rl_step_context *m, int layer, int i, int j, double volume,
                               double momentum_x, double momentum_y)
{
    const float depth = (float)(volume / m->area);
    const float x = (float)momentum_x, y = (float)momentum_y;
    const rl_deposit deposit = {.layer = layer,
                                .row = j,
                                .first = i,
                                .count = 1,
                                .depth = &depth,
                                .momentum_x = &x,
                                .momentum_y = &y};
    return m->water->ops->deposit(m->water->solver, &deposit);
}
