// SPDX-License-Identifier: MIT
// landing.c - water that comes back (002 Eq. 18). Tens of thousands may land in a step, mostly in a
// few cells, so landings of a cell are added up and given to the water at once; always in the order
// of the particles.
#include "particles/pool.h"

#include "core/sample.h"

// ---- Gathering -------------------------------------------------------------------------

// What the water gets is what it can hold of it in floats; the rest waits for the next.
static void give(rl_particles *p, const rl_moment *m, rl_pool_slot *slot)
{
    const double volume = slot->volume + p->kept.rest;
    const double given = rl_moment_deposit(m, 0, slot->i, slot->j, volume > 0.0 ? volume : 0.0,
                                           slot->momentum_x, slot->momentum_y);
    p->kept.rest = volume - given;
    *slot = (rl_pool_slot){0};
}

static void gather(rl_particles *p, const rl_moment *m, int place, int i, int j)
{
    const uint32_t mixed = ((uint32_t)i + 0x9e3779b9u * (uint32_t)j) * 0x85ebca6bu;
    rl_pool_slot *slot = &p->slots[(mixed >> 16) % RL_POOL_SLOTS];
    if (slot->used && (slot->i != i || slot->j != j))
        give(p, m, slot);
    const double volume = (double)p->arrays[RL_POOL_VOLUME][place];
    slot->i = i;
    slot->j = j;
    slot->used = true;
    slot->volume += volume;
    slot->momentum_x += volume * (double)p->arrays[RL_POOL_VELOCITY_X][place];
    slot->momentum_y += volume * (double)p->arrays[RL_POOL_VELOCITY_Y][place];
}

// ---- Foam ------------------------------------------------------------------------------

void rl_foam_try(rl_particles *p, rl_moment *m, int place, float level, float velocity_x,
                 float velocity_y)
{
    float *const *a = p->arrays;
    const float u = a[RL_POOL_VELOCITY_X][place], v = a[RL_POOL_VELOCITY_Y][place];
    const float w = a[RL_POOL_VELOCITY_Z][place], always = p->def.foam_speed;
    if (p->kind[place] != RILL_PARTICLE_SPLASH || !(always > 0.0f) ||
        !(rl_moment_draw(p, m) * (always * always) < u * u + v * v + w * w))
        return;
    a[RL_POOL_Z][place] = level;
    a[RL_POOL_VELOCITY_X][place] = velocity_x;
    a[RL_POOL_VELOCITY_Y][place] = velocity_y;
    a[RL_POOL_VELOCITY_Z][place] = 0.0f;
    a[RL_POOL_RADIUS][place] = p->radius_of[RILL_PARTICLE_FOAM];
    a[RL_POOL_AGE][place] = 0.0f;
    a[RL_POOL_LIFE][place] =
        p->def.foam_life * (1.0f + p->def.foam_life_noise * rl_moment_draw_sign(p, m));
    a[RL_POOL_VOLUME][place] = 0.0f;
    p->kind[place] = RILL_PARTICLE_FOAM;
}

// ---- Landing ---------------------------------------------------------------------------

static void land(rl_particles *p, rl_moment *m, int place)
{
    const rill_columns *c = &m->columns;
    const float dx = c->cell_size, x = p->arrays[RL_POOL_X][place];
    const float y = p->arrays[RL_POOL_Y][place], z = p->arrays[RL_POOL_Z][place];
    int i = rl_cell_at(x, dx, c->nx), j = rl_cell_at(y, dx, c->ny);
    if (c->base[(size_t)j * c->pitch + (size_t)i] > z) {
        // It has flown into a cliff, and falls down where it came from.
        const float back = (float)m->dt;
        const int before_i = rl_cell_at(x - back * p->arrays[RL_POOL_VELOCITY_X][place], dx, c->nx);
        const int before_j = rl_cell_at(y - back * p->arrays[RL_POOL_VELOCITY_Y][place], dx, c->ny);
        if (c->base[(size_t)before_j * c->pitch + (size_t)before_i] <
            c->base[(size_t)j * c->pitch + (size_t)i]) {
            i = before_i;
            j = before_j;
        }
    }
    gather(p, m, place, i, j);
    if (!(c->depth[(size_t)j * c->pitch + (size_t)i] > c->wet_depth))
        return;
    const rl_sample_place at =
        rl_sample_find(c->nx, c->ny, (double)(x / dx) - 0.5, (double)(y / dx) - 0.5);
    rl_foam_try(p, m, place, rl_sample(c->base, c->pitch, at) + rl_sample(c->depth, c->pitch, at),
                rl_sample(c->velocity_x, c->pitch, at), rl_sample(c->velocity_y, c->pitch, at));
}

void rl_particles_land(rl_particles *p, rl_moment *m, int count)
{
    if (count == 0)
        return;
    const bool layered = rl_layered_is(m);
    int done = 0;
    for (int n = 0; n < count; n++) {
        const int place = (int)p->list[n];
        if (!rl_pool_inside(p, m, place))
            m->books->drained += (double)p->arrays[RL_POOL_VOLUME][place];
        else if (!layered)
            land(p, m, place);
        else if (!rl_layered_land(p, m, place))
            continue;
        p->list[done++] = (uint32_t)place;
    }
    for (int n = 0; n < RL_POOL_SLOTS; n++)
        if (p->slots[n].used)
            give(p, m, &p->slots[n]);
    rl_pool_land(p, p->list, done);
}
