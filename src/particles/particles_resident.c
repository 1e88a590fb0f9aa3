// SPDX-License-Identifier: MIT
// particles_resident.c - the pool on a device. Arrays stay there from step to step; the host learns
// the numbers of a step when the next one begins, at which time they have long been there. Whoever
// looks at the arrays fetches them, whoever changes them brings them home.
#include "particles/pool.h"

static void note(rl_particles *p, int error)
{
    if (p->away.error == 0)
        p->away.error = error;
}

const char *rl_particles_error(const rl_particles *p)
{
    return p->away.error != 0 ? p->away.device->text(p->away.error) : NULL;
}

void rl_resident_destroy(rl_particles *p)
{
    if (p->away.self != NULL)
        p->away.device->destroy(&p->away.self);
}

void rl_resident_settle(rl_particles *p)
{
    if (!p->away.begun)
        return;
    rl_pool_numbers n = {0};
    note(p, p->away.device->settle(p->away.self, &n));
    p->away.begun = false;
    if (p->away.error != 0)
        return;
    p->kept.rest = n.rest;
    p->kept.gone = n.gone;
    p->kept.flying = n.flying;
    p->kept.count = n.count;
}

static rl_pool_places places_of(const rl_particles *p, int count)
{
    rl_pool_places places = {.kind = p->kind, .count = count};
    for (int n = 0; n < RL_POOL_ARRAYS; n++)
        places.arrays[n] = p->arrays[n];
    return places;
}

void rl_resident_synchronise(rl_particles *p, bool changes)
{
    rl_pool_resident *a = &p->away;
    rl_resident_settle(p);
    if (a->leads && !a->seen) {
        const int end = p->kept.count > a->seen_end ? p->kept.count : a->seen_end;
        const rl_pool_places to = places_of(p, end);
        note(p, a->device->download(a->self, &to));
        a->seen = true;
        a->seen_end = p->kept.count;
    }
    a->leads = a->leads && !changes;
}

void rl_particles_state_changes(rl_particles *p)
{
    rl_resident_synchronise(p, true);
}

rl_birth *rl_resident_births(rl_particles *p)
{
    rl_resident_settle(p);
    return p->away.leads ? p->away.device->births(p->away.self) : NULL;
}

void rl_resident_add(rl_particles *p, int count)
{
    const rl_pool_numbers before = {p->kept.rest, p->kept.gone, p->kept.flying, p->kept.count};
    if (count == 0)
        return;
    note(p, p->away.device->add(p->away.self, &before, count, p->radius_of));
    p->kept.flying += count;
    p->kept.count += count;
    p->away.seen = false;
}

// ---- A step ----------------------------------------------------------------------------

// Takes the arrays to the device, if they are not there.
static bool go(rl_particles *p)
{
    rl_pool_resident *a = &p->away;
    if (a->self == NULL)
        a->refused = a->device->create((int)p->places, p->def.max_particles, p->memory, p->bytes,
                                       &a->self) != 0;
    if (a->refused)
        return false;
    if (!a->leads) {
        // All of them: what was there before may have been more.
        const rl_pool_places from = places_of(p, (int)p->places);
        note(p, a->device->upload(a->self, &from));
        a->seen_end = p->kept.count;
        a->leads = true;
    }
    return a->error == 0;
}

// What emitters give: into the device's memory for births as far as there is room.
static int emit(rl_particles *p, const rl_step_context *m)
{
    rl_birth *const births = p->away.device->births(p->away.self);
    const int room = rl_pool_capacity(p);
    int born = 0;
    for (int slot = 0; slot < RILL_MAX_EMITTERS; slot++) {
        rl_emission e;
        if (!rl_emission_due(p, m, slot, &e))
            continue;
        const int left = room - born, count = e.count < (double)left ? (int)e.count : left;
        for (int n = 0; n < count; n++)
            births[born++] = rl_emission_birth(p, m, &e, n);
        if ((double)count < e.count)
            rl_emission_pour(p, m, &e, (e.count - count) * (double)e.each);
    }
    return born;
}

bool rl_resident_step(rl_particles *p, rl_step_context *m)
{
    const rl_particles_flow *w = m->water;
    if (w->device == NULL || w->ops->device == NULL || p->away.error != 0 || p->away.refused)
        return false;
    if (w->ops->motion == NULL && p->kept.count == 0 && !rl_particles_emits(p))
        return true;
    rl_motion *const motion = &m->motion;
    rl_pool_queue queue = {0};
    p->away.device = w->device;
    note(p, w->device->look(w->ops, w->solver, &m->columns, motion, &queue));
    if (p->away.error != 0 || m->columns.base == NULL || !go(p)) {
        *motion = (rl_motion){0};
        return false;
    }
    const bool waves = p->def.breaking_amount > 0.0f && motion->step > 0.0;
    if (p->kept.count == 0 && !waves && motion->fall_count == 0 && !rl_particles_emits(p))
        return true;
    rl_pool_order order = {
        .births = rl_birth_scene_of(p, m),
        .landing = rl_landing_scene_of(p, m),
        .limits = rl_breaking_limits_of(&p->def, motion->step, w->cell_size, m->columns.wet_depth),
        .born = emit(p, m),
        .waves = waves && motion->depth_before != NULL,
        .falls = motion->falls,
        .fall_count = motion->fall_count,
        .ops = w->ops,
        .water = w->solver,
        .queue = queue};
    for (int kind = 0; kind < 2; kind++)
        order.air[kind] = rl_flight_air_of(p, kind, m->dt, (double)w->gravity);
    for (int kind = 0; kind < RILL_PARTICLE_KIND_COUNT; kind++)
        order.radius_of[kind] = p->radius_of[kind];
    order.before = (rl_pool_numbers){p->kept.rest, p->kept.gone, p->kept.flying, p->kept.count};
    order.extras = p->extras;
    order.extra_count = p->extra_count;
    note(p, p->away.device->step(p->away.self, &order));
    p->away.begun = true;
    p->away.seen = false;
    return true;
}
