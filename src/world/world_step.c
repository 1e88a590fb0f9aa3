// SPDX-License-Identifier: MIT
// world_step.c - the order of time. One step of the world runs its phases from top to bottom
// (Chentanez and Müller Algorithm 1, Dagenais Algorithm 1, Kellomäki section 4):
//
//     1. ground that moves; bodies that come and go, and what they block; the moving domain;
//        series at the borders
//     2. the solver, in as many substeps as it needs; sources, drains and weather before each
//     3. bodies
//     4. particles
//     5. waves
//
// A long step is taken in slices, each of which runs all of them.
//
// The ledger is closed when the caller asks for it, and the surface is built likewise.
#include "world/world_internal.h"

#include "core/numbers.h"
#include "gpu/device_ops.h"

#define LONGEST_STEP 3600.0 // seconds

// Longest slice of a step, seconds. What happens at the start of a slice for all of it (a level
// beyond a border, a body that feels the water) acts as if it happened in one moment. The sea and
// basins take minutes, of which a second is a hundredth or less, and a second is longer than the
// frames of scenes that are drawn in motion, which stay one slice.
#define RL_LONGEST_SLICE 1.0

// A step of a second that was summed up from parts is still one slice. No more slices than the
// substeps that the step may take, for each needs one.
static int slice_count(const rill_world *w, double dt)
{
    RL_ASSERT(dt > 0.0 && dt <= LONGEST_STEP);
    const int wanted = (int)ceil(dt / RL_LONGEST_SLICE - 1e-9);
    return rl_lesser_int(rl_greater_int(wanted, 1), w->def.max_substeps);
}

// A device-resident solver takes all of it by itself, others a substep at a time.
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

// Applies what sources and weather give between `*applied` and `until`, seconds after the start of
// the slice.
static void apply_sources(rill_world *w, double *applied, double until)
{
    if (!(until > *applied))
        return;
    const double start = rl_world_clock(w);
    rl_world_apply_sources(w, w->core.time + *applied, until - *applied);
    *applied = until;
    w->last.milliseconds[RILL_PHASE_SOURCES] += 1e3 * (rl_world_clock(w) - start);
}

// One substep after the other, each after what sources and weather give in it: water that came once
// for many substeps would stand as a block, and its waves would be rings in the picture. Water that
// comes may shorten the substep that it comes for, so its length is not known before: sources give
// what they do in the substep that was stable last, and the next one what is then still missing.
static rill_status take_sourced_substeps(rill_world *w, rl_substeps *substeps,
                                         rl_exchange *exchange)
{
    const double dt = substeps->left, max_step = substeps->max_step;
    double applied = 0.0;
    substeps->single = true;
    while (substeps->left > 0.0) {
        rl_substeps next = *substeps;
        rl_substeps_choose(&next, w->core.stable);
        apply_sources(w, &applied, next.wanted > 1 ? dt - next.left + next.substep : dt);
        substeps->max_step = max_step > 0.0 ? fmin(max_step, next.substep) : next.substep;
        RILL_TRY(take_substeps(w, substeps, exchange));
        w->core.stable = substeps->stable;
        substeps->left = substeps->rest;
        substeps->max_step = max_step;
    }
    apply_sources(w, &applied, dt); // of a substep that had to be longer: no more were allowed
    return RILL_OK;
}

// Substeps that the next slice may take when so many slices are left, itself included: its part of
// those that are left. What a slice does not need is left for those after it, and as in a step of
// one slice a lively start does not leave its end without any.
static int substeps_allowed(const rill_world *w, int slices_left)
{
    const int left = w->def.max_substeps - w->last.substeps;
    RL_ASSERT(slices_left > 0 && left >= slices_left);
    return (left + slices_left - 1) / slices_left;
}

static rill_status step_solver(rill_world *w, double dt, int slices_left)
{
    rl_exchange exchange = {0};
    rl_substeps substeps = {
        .left = dt, .max_step = w->def.max_step, .max_substeps = substeps_allowed(w, slices_left)};
    const rill_status status = rl_world_has_sources(w)
                                   ? take_sourced_substeps(w, &substeps, &exchange)
                                   : take_substeps(w, &substeps, &exchange);
    w->core.stable = substeps.stable;
    w->core.steps += (uint64_t)substeps.substeps;
    w->last.steps = w->core.steps;
    w->last.substeps += substeps.substeps;
    w->last.substep = substeps.substep;
    w->last.capped |= substeps.capped;
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
    if (!rl_advected_step(w->waves, w->jobs, &columns, dt, w->core.time + dt))
        w->core.limits.slow_wave_steps++;
}

// All phases for `dt` seconds. What bodies and particles failed in goes to `told`: the water has
// moved all the same, and the step goes on.
static rill_status step_slice(rill_world *w, double dt, int slices_left, rill_status *told)
{
    const double start = rl_world_clock(w);
    RILL_TRY(rl_world_ground_advance(w, w->core.time + dt));
    rl_world_begin_bodies(w);
    rl_world_moving_domain_advance(w, w->core.time + dt);
    rl_world_apply_border_series(w, dt);
    const double set = rl_world_clock(w), sources = w->last.milliseconds[RILL_PHASE_SOURCES];
    RILL_TRY(step_solver(w, dt, slices_left));
    const double stepped = rl_world_clock(w);
    const double sourced = w->last.milliseconds[RILL_PHASE_SOURCES] - sources;
    const rill_status swim = rl_world_step_bodies(w, dt);
    const double swum = rl_world_clock(w);
    const rill_status flight = rl_world_step_particles(w, dt);
    const double flown = rl_world_clock(w);
    step_waves(w, dt);
    const double advected = rl_world_clock(w);

    w->last.milliseconds[RILL_PHASE_SOURCES] += 1e3 * (set - start);
    w->last.milliseconds[RILL_PHASE_SOLVER] += 1e3 * (stepped - set) - sourced;
    w->last.milliseconds[RILL_PHASE_BODIES] += 1e3 * (swum - stepped);
    w->last.milliseconds[RILL_PHASE_PARTICLES] += 1e3 * (flown - swum);
    w->last.milliseconds[RILL_PHASE_WAVES] += 1e3 * (advected - flown);
    if (swim != RILL_OK || flight != RILL_OK)
        *told = swim != RILL_OK ? swim : flight;
    return RILL_OK;
}

// The limits that have bound, up to now.
static rill_limits limits_now(const rill_world *w)
{
    const rl_motion_ops *motion = w->ops->motion;
    rill_limits limits = w->core.limits;
    limits.falls_left_out = motion != NULL ? motion->falls_left_out(w->solver) : 0;
    return limits;
}

rill_status rill_world_step(rill_world *world, double dt)
{
    if (world == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "rill_world_step needs a world, it is NULL");
    if (!(dt > 0.0 && dt <= LONGEST_STEP))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a step of %g s is not possible, it must be above 0 and at most %g s", dt,
                         LONGEST_STEP);
    const int slices = slice_count(world, dt);
    const double start = world->core.time;
    rill_status told = RILL_OK;
    world->last =
        (rill_step_info){.steps = world->core.steps, .capped_steps = world->core.capped_steps};
    for (int n = 1; n <= slices; n++) {
        RILL_TRY(step_slice(world, dt / slices, slices - n + 1, &told));
        world->core.time = n < slices ? start + dt * n / slices : start + dt;
    }
    rl_world_end_bodies(world);
    world->core.capped_steps += (uint64_t)world->last.capped;
    world->last.capped_steps = world->core.capped_steps;
    world->last.limits = limits_now(world);
    return told;
}
