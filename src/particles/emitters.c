// SPDX-License-Identifier: MIT
// emitters.c - faucets, jugs, hoses, rain, and what gives foam (Chentanez and Müller section 2.4).
// An emitter's water is booked as sourced when it is due; what does not yet make a whole particle
// waits in `pending`, which counts as water of the pool, so the ledger is balanced at any time.
//
// Foam holds no water, so its discs are counted by the time alone. They fly until they meet the
// surface, as all that comes out of an emitter does, and are foam that floats from then on
// (landing.c): the host need not know where the surface is, which a device may have.
#include "core/assert.h"
#include "particles/pool.h"

#include <math.h>
#include <string.h>

#define MOST_TRIES 16  // to hit a disc within its square
#define DRAWS      64u // random numbers reserved for a particle
#define OF_DISC    1e-6

// The emission of an emitter in a step.
typedef struct emission {
    int slot;
    double from, to; // times between which it is open
    double count;    // of particles, a whole number
    float each;      // volume of one, m^3
    int cell;        // cell j nx + i that gets the water when the pool is full; -1 when it leaves
                     // the grid
    double mouth[3], velocity[2];
} emission;

void rl_particles_set_emitter(rl_particles *p, int slot, const rill_emitter_def *def)
{
    RL_ASSERT(slot >= 0 && slot < RILL_MAX_EMITTERS);
    p->emitting[slot] = def != NULL;
    if (def != NULL)
        p->emitters[slot] = *def;
    const bool gives_water = def != NULL && def->particle != RILL_PARTICLE_FOAM;
    if (!gives_water && p->totals.pending[slot] != 0.0) {
        rl_resident_settle(p);
        p->totals.rest += p->totals.pending[slot];
        p->totals.pending[slot] = 0.0;
    }
}

static void mouth_at(const rill_emitter_def *def, double time, double place[3])
{
    memcpy(place, def->position, sizeof def->position);
    if (def->path_count == 0)
        return;
    const rill_path_key at = rl_path_at(def->path, def->path_count, time);
    place[0] = at.x;
    place[1] = at.y;
    place[2] = at.z;
}

// Finds two directions across the jet. The axis that is furthest from the jet's own makes the
// first.
static void across_jet(const double along[3], double first[3], double second[3])
{
    const double size = sqrt(rl_dot(along, along));
    double n[3] = {0.0, 0.0, 1.0};
    int least = 0;
    for (int axis = 0; size > 0.0 && axis < 3; axis++)
        n[axis] = along[axis] / size;
    for (int axis = 1; axis < 3; axis++)
        least = fabs(n[axis]) < fabs(n[least]) ? axis : least;
    const double rest = sqrt(1.0 - n[least] * n[least]);
    for (int axis = 0; axis < 3; axis++)
        first[axis] = ((axis == least ? 1.0 : 0.0) - n[least] * n[axis]) / rest;
    rl_cross(n, first, second);
}

static void place_in_mouth(rl_draws *d, const rill_emitter_def *def, double place[3])
{
    if (def->kind == RILL_EMITTER_RAIN) {
        place[0] += 0.5 * def->size[0] * (double)rl_draw_sign(d);
        place[1] += 0.5 * def->size[1] * (double)rl_draw_sign(d);
        return;
    }
    double first[3], second[3], a = 0.0, b = 0.0;
    across_jet(def->velocity, first, second);
    for (int n = 0; n < MOST_TRIES; n++) {
        a = (double)rl_draw_sign(d);
        b = (double)rl_draw_sign(d);
        if (a * a + b * b <= 1.0)
            break;
        a = b = 0.0;
    }
    for (int axis = 0; axis < 3; axis++)
        place[axis] += def->radius * (a * first[axis] + b * second[axis]);
}

static rl_birth birth_of(const rl_particles *p, const rl_step_context *m, const emission *e, int n)
{
    RL_ASSERT(n >= 0 && (double)n < e->count);
    const rill_emitter_def *def = &p->emitters[e->slot];
    rl_draws d = rl_draws_of(m->draws, RL_DRAW_EMITTER, (uint32_t)e->slot, DRAWS * (uint32_t)n);
    rl_birth birth = {.kind = def->particle, .volume = e->each};
    const double born = e->from + (e->to - e->from) * (double)rl_draw(&d);
    double place[3];
    mouth_at(def, born, place);
    place_in_mouth(&d, def, place);
    for (int axis = 0; axis < 3; axis++) {
        birth.position[axis] = (float)place[axis];
        birth.velocity[axis] = (float)def->velocity[axis];
    }
    rl_birth_shake(&d, (float)def->spread, birth.velocity);
    rl_birth_advance(&birth, m->time + m->dt - born, m->flow->gravity);
    return birth;
}

// Returns the cell below the mouth, or -1 where there is none.
static int cell_below(const rl_step_context *m, const double mouth[3])
{
    const rl_particles_flow *w = m->flow;
    const float x = (float)mouth[0], y = (float)mouth[1];
    if (!rl_landing_inside(x, y, w->cell_size, w->nx, w->ny))
        return -1;
    return rl_cell_at(y, w->cell_size, w->ny) * w->nx + rl_cell_at(x, w->cell_size, w->nx);
}

// Returns how many discs are due from a moment 0 until `time`: steps of any length give as many.
// The sum of many steps misses the moment of a disc by a little; that much makes no other number.
static double discs_until(const rill_emitter_def *def, double time)
{
    return floor(def->discs * time + OF_DISC);
}

// Takes the whole particles out of what is pending; returns their number.
static double take_whole(double *pending, double each)
{
    double count = floor(*pending / each);
    count = count * each > *pending ? count - 1.0 : count;
    *pending -= fmax(count, 0.0) * each;
    return count;
}

// Books the emission of emitter `slot`, in whole particles; the rest stays pending. Returns false
// when there is none.
static bool take_due(rl_particles *p, const rl_step_context *m, int slot, emission *e)
{
    const rill_emitter_def *def = &p->emitters[slot];
    const bool foam = def->particle == RILL_PARTICLE_FOAM;
    *e = (emission){.slot = slot,
                    .from = fmax(def->start, m->time),
                    .to = fmin(def->end, m->time + m->dt),
                    .each = foam ? 0.0f : p->volume_of[def->particle]};
    if (!p->emitting[slot] || !(e->to > e->from))
        return false;
    if (foam) {
        e->count = discs_until(def, e->to) - discs_until(def, e->from);
    } else if (def->rate > 0.0) {
        const double due = def->rate * (e->to - e->from);
        m->books->sourced += due;
        p->totals.pending[slot] += due;
        e->count = take_whole(&p->totals.pending[slot], (double)e->each);
    }
    if (!(e->count >= 1.0))
        return false;
    mouth_at(def, e->to, e->mouth);
    e->cell = cell_below(m, e->mouth);
    e->velocity[0] = def->velocity[0];
    e->velocity[1] = def->velocity[1];
    return true;
}

// Gives `volume` of an emission to the solver because the pool is full. The water goes straight to
// the cell below the mouth, there to the column that the mouth is in. Water that finds no column,
// or for which too many deposits wait, stays with the emitter.
static void pour(rl_particles *p, const rl_step_context *m, const emission *e, double volume)
{
    const rl_particles_flow *w = m->flow;
    int column = e->cell;
    bool poured = true;
    if (column >= 0 && rl_layered_is(m)) {
        const int layer =
            w->ops->solids->layer_at(w->solver, column % w->nx, column / w->nx, (float)e->mouth[2]);
        poured = layer >= 0;
        column += layer * w->nx * w->ny;
    }
    if (!poured || !rl_step_context_pour(p, column, volume, e->velocity[0], e->velocity[1]))
        p->totals.pending[e->slot] += volume;
}

void rl_particles_emit(rl_particles *p, const rl_step_context *m, rl_pool_births *to)
{
    for (int slot = 0; slot < RILL_MAX_EMITTERS; slot++) {
        emission e;
        if (!take_due(p, m, slot, &e))
            continue;
        const int capacity = rl_pool_capacity(p) - to->count;
        const int born = e.count < (double)capacity ? (int)e.count : capacity;
        for (int n = 0; n < born; n++) {
            const rl_birth birth = birth_of(p, m, &e, n);
            rl_pool_bear(p, to, &birth);
        }
        if ((double)born < e.count && e.each > 0.0f)
            pour(p, m, &e, (e.count - born) * (double)e.each);
    }
}
