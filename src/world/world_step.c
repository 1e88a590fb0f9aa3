// SPDX-License-Identifier: MIT
// world_step.c - the order of time. One step of the world runs its phases from top to bottom
// (Chentanez and Müller Algorithm 1, Dagenais Algorithm 1, Kellomäki section 4):
//
//     1. ground that moves; bodies that come and go, and what they block; the moving domain;
//        series at the borders; sources, drains and weather
//     2. the solver, in as many substeps as it needs
//     3. bodies
//     4. particles
//     5. waves
//
// The ledger is closed when the caller asks for it, and the surface is built likewise.
#include "world/world_internal.h"

#include "gpu/device_ops.h"

#define LONGEST_STEP 3600.0 // seconds

// A device-resident solver takes the step by itself, others a substep at a time.
static rill_status take_substeps(rill_world *w, rl_substeps *substeps, rl_exchange *exchange)
{
    RL_ASSERT(substeps->left > 0.0 && substeps->max_substeps > 0);
    if (w->ops->device != NULL)
        return w->ops->device->advance(w->solver, w->jobs, substeps, exchange);
    while (substeps->left > 0.0) {
        rl_substeps_choose(substeps, w->ops->stable_step(w->solver));
        w->ops->step(w->solver, w->jobs, substeps->substep, exchange);
        rl_substeps_taken(substeps);
    }
    return RILL_OK;
}

static rill_status step_solver(rill_world *w, double dt)
{
    rl_exchange exchange = {0};
    rl_substeps substeps = {
        .left = dt, .max_step = w->def.max_step, .max_substeps = w->def.max_substeps};
    const rill_status status = take_substeps(w, &substeps, &exchange);
    w->last = (rill_step_info){
        .substeps = substeps.substeps, .substep = substeps.substep, .capped = substeps.capped};
    w->core.steps += (uint64_t)w->last.substeps;
    w->last.steps = w->core.steps;
    w->core.capped_steps += (uint64_t)w->last.capped;
    w->last.capped_steps = w->core.capped_steps;
    rl_world_book(w, exchange.in);
    rl_world_book(w, -exchange.out);
    rl_sum_add(&w->core.books.corrected, exchange.corrected);
    return status;
}

static void step_waves(rill_world *w, double dt)
{
    rl_world_step_wave_particles(w, dt);
    if (w->waves == NULL)
        return;
    const rill_columns columns = rill_world_columns(w);
    rl_advected_step(w->waves, w->jobs, &columns, dt, w->core.time + dt);
}

rill_status rill_world_step(rill_world *world, double dt)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_step needs a world, it is NULL");
    if (!(dt > 0.0 && dt <= LONGEST_STEP))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a step of %g s is not possible, it must be above 0 and at most %g s", dt,
                         LONGEST_STEP);
    const double start = rl_world_clock(world);
    RILL_TRY(rl_world_ground_advance(world, world->core.time + dt));
    rl_world_begin_bodies(world);
    rl_world_moving_domain_advance(world, world->core.time + dt);
    rl_world_apply_border_series(world, dt);
    rl_world_apply_sources(world, dt);
    const double sourced = rl_world_clock(world);
    RILL_TRY(step_solver(world, dt));
    const double stepped = rl_world_clock(world);
    rill_status status = rl_world_step_bodies(world, dt);
    const double swum = rl_world_clock(world);
    const rill_status flight = rl_world_step_particles(world, dt);
    const double flown = rl_world_clock(world);
    step_waves(world, dt);
    const double advected = rl_world_clock(world);

    world->last.milliseconds[RILL_PHASE_SOURCES] = 1e3 * (sourced - start);
    world->last.milliseconds[RILL_PHASE_SOLVER] = 1e3 * (stepped - sourced);
    world->last.milliseconds[RILL_PHASE_BODIES] = 1e3 * (swum - stepped);
    world->last.milliseconds[RILL_PHASE_PARTICLES] = 1e3 * (flown - swum);
    world->last.milliseconds[RILL_PHASE_WAVES] = 1e3 * (advected - flown);
    world->core.time += dt;
    return status != RILL_OK ? status : flight;
}
