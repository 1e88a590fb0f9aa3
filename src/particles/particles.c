// SPDX-License-Identifier: MIT
// particles.c - a step of the particles. What gives and takes water runs in a fixed order on one
// thread; what is done to all particles alike runs in chunks on many.
#include "particles/pool.h"

#include <math.h>

static bool has_emitters(const rl_particles *p)
{
    for (int n = 0; n < RILL_MAX_EMITTERS; n++)
        if (p->emitting[n])
            return true;
    return false;
}

static double seconds(const rl_particles_water *water)
{
    return water->clock != NULL ? water->clock(water->clock_user) : 0.0;
}

void rl_particles_step(rl_particles *p, const rl_particles_water *water, double time, double dt,
                       uint64_t step, rl_particles_books *books)
{
    rl_moment m = {.water = water, .time = time, .dt = dt, .step = step, .books = books};
    if (!(dt > 0.0))
        return;
    if (water->ops->motion != NULL)
        m.motion = water->ops->motion(water->solver);
    const bool waves = p->def.breaking_amount > 0.0f && m.motion.step > 0.0;
    if (p->kept.count == 0 && !waves && m.motion.fall_count == 0 && !has_emitters(p))
        return;
    m.columns = water->ops->columns(water->solver, water->jobs);
    m.area = (double)water->cell_size * (double)water->cell_size;

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

void rl_birth_advance(rl_birth *birth, double seconds, float gravity)
{
    const float t = (float)seconds;
    for (int axis = 0; axis < 3; axis++)
        birth->position[axis] += birth->velocity[axis] * t;
    birth->position[2] -= 0.5f * gravity * t * t;
    birth->velocity[2] -= gravity * t;
    birth->age = t;
}

void rl_birth_shake(const rl_particles *p, rl_moment *m, float part, float velocity[3])
{
    const float *v = velocity;
    const float size = part * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] += size * rl_moment_draw_sign(p, m);
}

double rl_moment_deposit(const rl_moment *m, int layer, int i, int j, double volume,
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
