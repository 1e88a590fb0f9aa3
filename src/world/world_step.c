// SPDX-License-Identifier: MIT
// world_step.c - the order of time. One step of the world runs its phases from top to bottom (002
// Algorithm 1, 000 Algorithm 1, 003 section 4):
//
//     1. moving ground, tides, sources, rain      2. the water, in as many substeps as it needs
//     3. bodies                   4. particles            5. waves
//
// The ledger is closed when somebody asks for it, the surface is built likewise.
#include "world/world.h"

#include <math.h>

#define LONGEST_STEP 3600.0 // seconds

// Substeps that bring the water `left` seconds on, if nothing changes on the way. A billionth of
// tolerance keeps a step of exactly n stable steps at n, whatever the division rounds to.
static int substeps_for(double left, double stable)
{
    const double wanted = ceil(left / stable - 1e-9);
    return wanted < 1.0 ? 1 : wanted > 1e6 ? 1000000 : (int)wanted;
}

// Depths change while the water moves, so the bound is asked for before every substep and what is
// left of the step is divided anew.
static void step_water(rill_world *w, double dt)
{
    rl_exchange exchange = {0};
    double left = dt;
    w->last = (rill_step_info){0};
    while (left > 0.0) {
        double longest = w->ops->stable_step(w->solver);
        if (w->def.max_step > 0.0)
            longest = fmin(longest, w->def.max_step);
        int wanted = substeps_for(left, longest);
        const int allowed = w->def.max_substeps - w->last.substeps;
        if (wanted > allowed) {
            wanted = allowed < 1 ? 1 : allowed;
            w->last.capped = 1;
        }
        w->last.substep = wanted == 1 ? left : left / wanted;
        w->ops->step(w->solver, w->jobs, w->last.substep, &exchange);
        w->last.substeps++;
        left = wanted == 1 ? 0.0 : left - w->last.substep;
    }
    w->core.steps += (uint64_t)w->last.substeps;
    w->last.steps = w->core.steps;
    rl_world_book(w, exchange.in);
    rl_world_book(w, -exchange.out);
    rl_sum_add(&w->core.books.corrected, exchange.corrected);
}

static void step_waves(rill_world *w, double dt)
{
    rl_world_step_drift(w, dt);
    if (w->waves == NULL)
        return;
    const rill_columns columns = w->ops->columns(w->solver, w->jobs);
    rl_carried_step(w->waves, w->jobs, &columns, dt, w->core.time + dt);
}

rill_status rill_world_step(rill_world *world, double dt)
{
    if (world == NULL)
        return rl_fail(RILL_BAD_ARGUMENT, "rill_world_step needs a world, it is NULL");
    if (!(dt > 0.0 && dt <= LONGEST_STEP))
        return rl_fail(RILL_BAD_ARGUMENT,
                       "a step of %g s is not possible, it must be above 0 and at most %g s", dt,
                       LONGEST_STEP);
    const double start = rl_world_clock(world);
    rill_status status = rl_world_ground_advance(world, world->core.time + dt);
    if (status == RILL_OK)
        status = rl_world_begin_bodies(world);
    if (status != RILL_OK)
        return status;
    rl_world_window_advance(world, world->core.time + dt);
    rl_world_apply_tides(world, dt);
    rl_world_apply_sources(world, dt);
    const double sourced = rl_world_clock(world);
    step_water(world, dt);
    const double stepped = rl_world_clock(world);
    status = rl_world_step_bodies(world, dt);
    const double swum = rl_world_clock(world);
    rl_world_step_particles(world, dt);
    const double flown = rl_world_clock(world);
    step_waves(world, dt);
    const double carried = rl_world_clock(world);

    world->last.milliseconds[RILL_PHASE_SOURCES] = 1e3 * (sourced - start);
    world->last.milliseconds[RILL_PHASE_SOLVER] = 1e3 * (stepped - sourced);
    world->last.milliseconds[RILL_PHASE_BODIES] = 1e3 * (swum - stepped);
    world->last.milliseconds[RILL_PHASE_PARTICLES] = 1e3 * (flown - swum);
    world->last.milliseconds[RILL_PHASE_WAVES] = 1e3 * (carried - flown);
    world->core.time += dt;
    return status;
}
