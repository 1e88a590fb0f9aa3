// SPDX-License-Identifier: MIT
// emitters.c - faucets, jugs, hoses and rain. An emitter's water is booked as sourced when it is
// due; what does not yet make a whole particle waits in `pending`, which counts as water of the
// pool, so the books close at every moment.
#include "particles/pool.h"

#include <math.h>

#define MOST_TRIES 16 // to hit a disc within its square

void rl_particles_set_emitter(rl_particles *p, int slot, const rill_emitter_def *def)
{
    p->emitting[slot] = def != NULL;
    if (def != NULL) {
        p->emitters[slot] = *def;
    } else {
        p->kept.rest += p->kept.pending[slot];
        p->kept.pending[slot] = 0.0;
    }
}

static void mouth_at(const rill_emitter_def *def, double time, double place[3])
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = def->position[axis];
    if (def->path_count == 0)
        return;
    int n = 0;
    while (n < def->path_count && def->path[n].time <= time)
        n++;
    const rill_path_key *from = &def->path[n > 0 ? n - 1 : 0];
    const rill_path_key *to = &def->path[n < def->path_count ? n : def->path_count - 1];
    const double part = to->time > from->time ? (time - from->time) / (to->time - from->time) : 0.0;
    place[0] = from->x + part * (to->x - from->x);
    place[1] = from->y + part * (to->y - from->y);
    place[2] = from->z + part * (to->z - from->z);
}

// Two directions across the jet. The axis that is furthest from the jet's own makes the first.
static void across_jet(const double along[3], double first[3], double second[3])
{
    const double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    double n[3] = {0.0, 0.0, 1.0};
    int least = 0;
    for (int axis = 0; size > 0.0 && axis < 3; axis++)
        n[axis] = along[axis] / size;
    for (int axis = 1; axis < 3; axis++)
        least = fabs(n[axis]) < fabs(n[least]) ? axis : least;
    const double rest = sqrt(1.0 - n[least] * n[least]);
    for (int axis = 0; axis < 3; axis++)
        first[axis] = ((axis == least ? 1.0 : 0.0) - n[least] * n[axis]) / rest;
    second[0] = n[1] * first[2] - n[2] * first[1];
    second[1] = n[2] * first[0] - n[0] * first[2];
    second[2] = n[0] * first[1] - n[1] * first[0];
}

static void place_in_mouth(const rl_particles *p, rl_moment *m, const rill_emitter_def *def,
                           double place[3])
{
    if (def->kind == RILL_EMITTER_RAIN) {
        place[0] += 0.5 * def->size[0] * (double)rl_moment_draw_sign(p, m);
        place[1] += 0.5 * def->size[1] * (double)rl_moment_draw_sign(p, m);
        return;
    }
    double first[3], second[3], a = 0.0, b = 0.0;
    across_jet(def->velocity, first, second);
    for (int n = 0; n < MOST_TRIES; n++) {
        a = (double)rl_moment_draw_sign(p, m);
        b = (double)rl_moment_draw_sign(p, m);
        if (a * a + b * b <= 1.0)
            break;
        a = b = 0.0;
    }
    for (int axis = 0; axis < 3; axis++)
        place[axis] += def->radius * (a * first[axis] + b * second[axis]);
}

// A particle that leaves the mouth at any moment from `from` to `to`.
static void emit_one(rl_particles *p, rl_moment *m, const rill_emitter_def *def, double from,
                     double to)
{
    rl_birth birth = {.kind = def->particle, .volume = p->volume_of[def->particle]};
    const double born = from + (to - from) * (double)rl_moment_draw(p, m);
    double place[3];
    mouth_at(def, born, place);
    place_in_mouth(p, m, def, place);
    for (int axis = 0; axis < 3; axis++) {
        birth.position[axis] = (float)place[axis];
        birth.velocity[axis] = (float)def->velocity[axis];
    }
    rl_birth_shake(p, m, (float)def->spread, birth.velocity);
    rl_birth_advance(&birth, m->time + m->dt - born, m->water->gravity);
    rl_pool_add(p, &birth);
}

// The pool is full: the water goes straight to the cell below the mouth.
static double pour(const rl_moment *m, const rill_emitter_def *def, double moment, double volume)
{
    const rl_particles_water *w = m->water;
    double place[3];
    mouth_at(def, moment, place);
    const float x = (float)place[0], y = (float)place[1];
    if (!(x >= 0.0f && x < (float)w->nx * w->cell_size && y >= 0.0f &&
          y < (float)w->ny * w->cell_size)) {
        m->books->drained += volume;
        return volume;
    }
    const int i = rl_cell_at(x, w->cell_size, w->nx), j = rl_cell_at(y, w->cell_size, w->ny);
    const int layer =
        w->ops->layer_at != NULL ? w->ops->layer_at(w->solver, i, j, (float)place[2]) : 0;
    return layer < 0 ? 0.0
                     : rl_moment_deposit(m, layer, i, j, volume, volume * def->velocity[0],
                                         volume * def->velocity[1]);
}

void rl_particles_emit(rl_particles *p, rl_moment *m)
{
    for (int n = 0; n < RILL_MAX_EMITTERS; n++) {
        const rill_emitter_def *def = &p->emitters[n];
        double *pending = &p->kept.pending[n];
        const double from = fmax(def->start, m->time), to = fmin(def->end, m->time + m->dt);
        if (!p->emitting[n] || !(to > from) || !(def->rate > 0.0))
            continue;
        const double due = def->rate * (to - from), each = (double)p->volume_of[def->particle];
        m->books->sourced += due;
        *pending += due;
        while (*pending >= each && rl_pool_room(p) > 0) {
            emit_one(p, m, def, from, to);
            *pending -= each;
        }
        if (*pending >= each)
            *pending -= pour(m, def, to, *pending);
    }
}
