// SPDX-License-Identifier: MIT
// particles.c - one step of the particles. The parts that give and take water run in a fixed order
// on one thread; those that treat all particles alike run in chunks on many.
//
// Water that has left the grid in a step is booked by the next one, and belongs to the pool until
// then: while the solver is on a device, the host knows it by then without waiting.
#include "core/assert.h"
#include "particles/pool.h"

bool rl_particles_emits(const rl_particles *p)
{
    for (int n = 0; n < RILL_MAX_EMITTERS; n++)
        if (p->emitting[n])
            return true;
    return false;
}

static double seconds(const rl_particles_flow *flow)
{
    return flow->clock != NULL ? flow->clock(flow->clock_user) : 0.0;
}

static void book_full_steps(rl_particles *p, rl_particles_books *books)
{
    books->full += p->full_steps;
    p->full_steps = 0;
}

void rl_particles_step(rl_particles *p, const rl_particles_flow *flow, double time, double dt,
                       uint64_t step, rl_particles_books *books)
{
    RL_ASSERT(flow->ops != NULL && flow->nx >= 2 && flow->ny >= 2);
    rl_step_context m = {
        .flow = flow, .time = time, .dt = dt, .draws = {p->seed, step}, .books = books};
    rl_resident_settle(p);
    books->drained += p->totals.gone;
    p->totals.gone = 0.0;
    book_full_steps(p, books);
    if (!(dt > 0.0))
        return;
    m.area = (double)flow->cell_size * (double)flow->cell_size;
    p->extra_count = 0;
    if (rl_resident_step(p, &m))
        return;
    rl_resident_synchronise(p, true);
    if (flow->ops->motion != NULL)
        m.motion = flow->ops->motion->get(flow->solver);
    const bool waves = p->def.breaking_amount > 0.0f && m.motion.step > 0.0;
    if (p->totals.count == 0 && !waves && m.motion.fall_count == 0 && !rl_particles_emits(p))
        return;
    m.columns = flow->ops->columns(flow->solver, flow->jobs, NULL);

    // Particles born in this step have flown their part of it already.
    const int old = p->totals.flying;
    const double start = seconds(flow);
    rl_particles_emit(p, &m, &(rl_pool_births){0});
    if (waves)
        rl_particles_break_waves(p, &m);
    rl_particles_fall(p, &m);
    p->full_steps +=
        (uint64_t)rl_birth_is_full(rl_pool_capacity(p), rl_particles_drops(p), p->def.spray_share);
    book_full_steps(p, books);
    books->births += seconds(flow) - start;
    rl_particles_advect_foam(p, &m);
    const int landed = rl_particles_fly(p, &m, old);
    rl_particles_land(p, &m, landed);
}

// ---- Deposits --------------------------------------------------------------------------

bool rl_step_context_pour(rl_particles *p, int column, double volume, double u, double v)
{
    if (column < 0) {
        p->totals.gone += volume;
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
    RL_ASSERT(i >= 0 && i < m->columns.nx && j >= 0 && j < m->columns.ny);
    const float depth = (float)(volume / m->area);
    const float x = (float)momentum_x, y = (float)momentum_y;
    const rl_deposit deposit = {.layer = layer,
                                .row = j,
                                .first = i,
                                .count = 1,
                                .depth = &depth,
                                .momentum_x = &x,
                                .momentum_y = &y};
    return m->flow->ops->deposit(m->flow->solver, &deposit);
}
