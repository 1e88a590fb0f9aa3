// SPDX-License-Identifier: MIT
// particles_resident.c - the pool on a device. Arrays stay there from step to step; the host learns
// the numbers of a step when the next one begins, at which time they have long been computed.
// Reading the arrays synchronises the host's copies; before the host writes to them they become
// host-resident.
#include "core/assert.h"
#include "particles/pool.h"

static void note(rl_particles *p, int error)
{
    if (p->resident.error == 0)
        p->resident.error = error;
}

const char *rl_particles_error(const rl_particles *p)
{
    return p->resident.error != 0 ? p->resident.device->text(p->resident.error) : NULL;
}

void rl_resident_destroy(rl_particles *p)
{
    if (p->resident.self != NULL)
        p->resident.device->destroy(&p->resident.self);
}

void rl_resident_settle(rl_particles *p)
{
    if (!p->resident.begun)
        return;
    rl_pool_numbers n = {0};
    note(p, p->resident.device->settle(p->resident.self, &n));
    p->resident.begun = false;
    if (p->resident.error != 0)
        return;
    p->totals.rest = n.rest;
    p->totals.gone = n.gone;
    p->totals.flying = n.flying;
    p->totals.count = n.count;
    p->full_steps += (uint64_t)n.full;
}

void rl_resident_synchronise(rl_particles *p, bool changes)
{
    RL_ASSERT(p->totals.flying <= p->totals.count);
    rl_pool_resident *a = &p->resident;
    rl_resident_settle(p);
    if (a->leads && !a->seen) {
        const int end = p->totals.count > a->seen_end ? p->totals.count : a->seen_end;
        const rl_pool_places to = rl_pool_places_of(p, end);
        note(p, a->device->download(a->self, &to));
        a->seen = true;
        a->seen_end = p->totals.count;
    }
    a->leads = a->leads && !changes;
}

void rl_particles_state_changes(rl_particles *p)
{
    rl_resident_synchronise(p, true);
}

static rl_pool_numbers numbers_of(const rl_particles *p)
{
    const rl_pool_totals *t = &p->totals;
    return (rl_pool_numbers){t->rest, t->gone, t->flying, t->count, 0};
}

rl_birth *rl_resident_births(rl_particles *p)
{
    RL_ASSERT(p->totals.count <= p->def.max_particles);
    rl_resident_settle(p);
    return p->resident.leads ? p->resident.device->births(p->resident.self) : NULL;
}

void rl_resident_add(rl_particles *p, int count)
{
    RL_ASSERT(p->resident.leads || count == 0);
    const rl_pool_numbers before = numbers_of(p);
    if (count == 0)
        return;
    note(p, p->resident.device->add(p->resident.self, &before, count, p->radius_of));
    p->totals.flying += count;
    p->totals.count += count;
    p->resident.seen = false;
}

// ---- A step ----------------------------------------------------------------------------

// Makes the arrays device-resident, if they are not.
static bool make_resident(rl_particles *p)
{
    rl_pool_resident *a = &p->resident;
    if (a->self == NULL)
        a->refused = a->device->create((int)p->places, p->def.max_particles, p->memory, p->bytes,
                                       &a->self) != 0;
    if (a->refused)
        return false;
    if (!a->leads) {
        // All places are copied: there may have been more particles on the device before.
        const rl_pool_places from = rl_pool_places_of(p, (int)p->places);
        note(p, a->device->upload(a->self, &from));
        a->seen_end = p->totals.count;
        a->leads = true;
    }
    return a->error == 0;
}

bool rl_resident_step(rl_particles *p, rl_step_context *m)
{
    const rl_particles_flow *w = m->flow;
    if (w->device == NULL || w->ops->device == NULL || p->resident.error != 0 ||
        p->resident.refused)
        return false;
    if (w->ops->motion == NULL && p->totals.count == 0 && !rl_particles_emits(p))
        return true;
    rl_motion *const motion = &m->motion;
    rl_pool_queue queue = {0};
    p->resident.device = w->device;
    note(p, w->device->view(w->ops, w->solver, &m->columns, motion, &queue));
    if (p->resident.error != 0 || m->columns.base == NULL || !make_resident(p)) {
        *motion = (rl_motion){0};
        return false;
    }
    const bool waves = p->def.breaking_amount > 0.0f && motion->step > 0.0;
    if (p->totals.count == 0 && !waves && motion->fall_count == 0 && !rl_particles_emits(p))
        return true;
    rl_pool_births to = {.births = p->resident.device->births(p->resident.self)};
    rl_particles_emit(p, m, &to);
    rl_pool_order order = {
        .births = rl_birth_scene_of(p, m),
        .landing = rl_landing_scene_of(p, m),
        .limits = rl_breaking_limits_of(&p->def, motion->step, w->cell_size, m->columns.wet_depth),
        .born = to.count,
        .waves = waves && motion->depth_before != NULL,
        .falls = motion->falls,
        .fall_count = motion->fall_count,
        .ops = w->ops,
        .solver = w->solver,
        .queue = queue};
    for (int kind = 0; kind < 2; kind++)
        order.air[kind] = rl_flight_air_of(p, kind, m->dt, (double)w->gravity);
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++)
        order.radius_of[kind] = p->radius_of[kind];
    order.before = numbers_of(p);
    order.extras = p->extras;
    order.extra_count = p->extra_count;
    note(p, p->resident.device->step(p->resident.self, &order));
    p->resident.begun = true;
    p->resident.seen = false;
    return true;
}
