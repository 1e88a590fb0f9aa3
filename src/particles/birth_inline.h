// SPDX-License-Identifier: MIT
// birth_inline.h - random numbers of particles, and new particles: of breaking waves (Chentanez and
// Müller section 2.4.2) and of falls (2.4.3). A particle depends on its own random numbers and the
// water, not on any other particle.
#pragma once

#include "core/random_cell.h"
#include "particles/flight_inline.h"
#include "solvers/solver.h"

#include "rill/particles.h"

#include <math.h>

// ---- Random numbers --------------------------------------------------------------------

// Each is named by its purpose, by the cell, place or emitter that it belongs to, and by a number
// there: so numbers can be drawn in any order, on the host or on a device.
enum {
    RL_DRAW_EMITTER, // key: slot of the emitter
    RL_DRAW_CREST,   // how much breaks; key: cell
    RL_DRAW_WAVE,    // particles of a crest; key: cell
    RL_DRAW_PORTION, // kinds of a fall's water; key: number of the fall
    RL_DRAW_FALL,    // particles of a fall; key: number of the fall
    RL_DRAW_FOAM,    // key: place in the pool
    RL_DRAW_THROWN   // key: number of the lump
};

// The random numbers of one step.
typedef struct rl_draw_source {
    uint64_t seed, step;
} rl_draw_source;

// The random numbers of one key, in their order.
typedef struct rl_draws {
    rl_draw_source source;
    uint64_t next;
} rl_draws;

RL_CELL rl_draws rl_draws_of(rl_draw_source source, int what, uint32_t key, uint32_t first)
{
    rl_draws d;
    d.source.seed = source.seed + (uint64_t)(unsigned)what * 0xa0761d6478bd642fu;
    d.source.step = source.step;
    d.next = ((uint64_t)key << 32) + first;
    return d;
}

// Returns a number in [0, 1).
RL_CELL float rl_draw(rl_draws *d)
{
    return rl_random_unit(d->source.seed, d->source.step, d->next++);
}

// Returns a number in [-1, 1).
RL_CELL float rl_draw_sign(rl_draws *d)
{
    return 2.0f * rl_draw(d) - 1.0f;
}

// ---- Births ----------------------------------------------------------------------------

#define RL_BIRTH_DRAWS 8u // random numbers reserved for a particle of a wave or a fall

// A new flying particle.
typedef struct rl_birth {
    rill_particle_kind kind;
    float position[3], velocity[3];
    float volume; // m^3
    float age;    // seconds it has flown already
} rl_birth;

// Lets a new particle fly freely for `seconds`, as if it had been born that long ago.
RL_CELL void rl_birth_advance(rl_birth *birth, double seconds, float gravity)
{
    const float t = (float)seconds;
    for (int axis = 0; axis < 3; axis++)
        birth->position[axis] += birth->velocity[axis] * t;
    birth->position[2] -= 0.5f * gravity * t * t;
    birth->velocity[2] -= gravity * t;
    birth->age = t;
}

// Adds the random part to a velocity.
RL_CELL void rl_birth_shake(rl_draws *d, float part, float velocity[3])
{
    const float *v = velocity;
    const float size = part * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] += size * rl_draw_sign(d);
}

// ---- Arguments of births ---------------------------------------------------------------

typedef struct rl_birth_scene {
    rl_flight_ground ground;
    const float *before; // depths before the last substep of the solver,
    float since_before;  // which was so long, seconds
    int nx, ny;
    float cell_size, gravity;
    float depth_limit; // deepest water that the solver moves waves in, metres
    double dt, area;   // of the step; of a cell, m^2
    float breaking_amount, breaking_lift, velocity_noise, spray_share;
    float volume_of[2]; // of spray and splashes, m^3
    int drops;          // of spray that a splash's water makes
    rl_draw_source draws;
} rl_birth_scene;

// ---- Breaking waves --------------------------------------------------------------------

#define RL_BREAKING_MOST  0.5   // part of a column that may break off in a step
#define RL_BREAKING_SMALL 0.125 // part of V_eff below which no particle is made

// A cell with a breaking wave.
typedef struct rl_crest {
    int i, j;
    float slope_x, slope_y, slope; // grad eta (Chentanez and Müller Eq. 19) and its size
    float rise;                    // m/s
    float level, depth;            // metres
    int count[2];                  // of spray and splashes that break off,
    double scale;                  // and the part of its full volume that each has
} rl_crest;

// Returns the level of a neighbour for the slope of a wave: a dry bank that is higher counts as
// level. Cells beyond the border are as their neighbours inside.
RL_CELL float rl_crest_seen(const rl_birth_scene *s, int i, int j, float level)
{
    const int x = i < 0 ? 0 : i < s->nx ? i : s->nx - 1;
    const int y = j < 0 ? 0 : j < s->ny ? j : s->ny - 1;
    const size_t at = (size_t)y * (size_t)s->ground.pitch + (size_t)x;
    const float there = s->ground.base[at] + s->ground.depth[at];
    return s->ground.depth[at] > s->ground.wet_depth || there < level ? there : level;
}

// Rounds to one of the two nearest whole numbers at random, so that the mean is `value`.
RL_CELL int rl_crest_round(rl_draws *d, double value)
{
    const double most = 1e6, bounded = value < most ? value : most;
    const int whole = (int)bounded;
    return whole + ((double)rl_draw(d) < bounded - whole ? 1 : 0);
}

// Computes how much breaks off: `amount` of the rising water per unit of slope, and never more than
// rises.
RL_CELL void rl_crest_count(const rl_birth_scene *s, rl_crest *k)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_CREST, (uint32_t)(k->j * s->nx + k->i), 0);
    const double slope = (double)(s->breaking_amount * k->slope), part = slope < 1.0 ? slope : 1.0;
    const double breaks = part * (double)k->rise * s->dt * s->area;
    const double spray_part = (double)s->spray_share;
    k->count[0] = rl_crest_round(&d, breaks * spray_part / (double)s->volume_of[0]);
    k->count[1] = rl_crest_round(&d, breaks * (1.0 - spray_part) / (double)s->volume_of[1]);
    const double wanted =
        k->count[0] * (double)s->volume_of[0] + k->count[1] * (double)s->volume_of[1];
    const double most = RL_BREAKING_MOST * (double)k->depth * s->area;
    k->scale = wanted > most ? most / wanted : 1.0;
    if (k->scale < RL_BREAKING_SMALL)
        k->count[0] = k->count[1] = 0;
}

RL_CELL rl_crest rl_crest_at(const rl_birth_scene *s, int i, int j)
{
    const size_t at = (size_t)j * (size_t)s->ground.pitch + (size_t)i;
    rl_crest k;
    k.i = i;
    k.j = j;
    k.depth = s->ground.depth[at];
    k.level = s->ground.base[at] + k.depth;
    k.rise = (k.depth - s->before[at]) / s->since_before;
    k.slope_x = rl_breaking_larger(rl_crest_seen(s, i + 1, j, k.level) - k.level,
                                   k.level - rl_crest_seen(s, i - 1, j, k.level)) /
                s->cell_size;
    k.slope_y = rl_breaking_larger(rl_crest_seen(s, i, j + 1, k.level) - k.level,
                                   k.level - rl_crest_seen(s, i, j - 1, k.level)) /
                s->cell_size;
    k.slope = sqrtf(k.slope_x * k.slope_x + k.slope_y * k.slope_y);
    rl_crest_count(s, &k);
    return k;
}

RL_CELL float rl_crest_within(float value, float high)
{
    return value < 0.0f ? 0.0f : value < high ? value : 0.999999f * high;
}

// Places a particle in the rectangle of Chentanez and Müller's Fig. 5b, which stands on the line
// through the cell's centre across the slope, clipped by the cell, then moved by up to half a cell.
// It reaches from the crest down to where the slope is at the cell's edge: the crest itself topples
// down its front. A particle never starts below the surface.
RL_CELL void rl_crest_place(const rl_birth_scene *s, const rl_crest *k, rl_draws *d,
                            rl_birth *birth)
{
    const float dx = s->cell_size, ax = fabsf(k->slope_x), ay = fabsf(k->slope_y);
    const float part = rl_draw_sign(d) * 0.5f * dx / (ax > ay ? ax : ay);
    const float jitter_x = 0.5f * dx * rl_draw_sign(d);
    const float jitter_y = 0.5f * dx * rl_draw_sign(d);
    const float x = dx * ((float)k->i + 0.5f) - part * k->slope_y + jitter_x;
    const float y = dx * ((float)k->j + 0.5f) + part * k->slope_x + jitter_y;
    const float z = k->level - 0.5f * dx * k->slope * rl_draw(d);
    birth->position[0] = rl_crest_within(x, dx * (float)s->nx);
    birth->position[1] = rl_crest_within(y, dx * (float)s->ny);
    const float surface = rl_flight_level(
        &s->ground, rl_flight_find(&s->ground, birth->position[0], birth->position[1]));
    birth->position[2] = z > surface ? z : surface;
}

// Throws a particle forward with the speed of the wave, and upward with a part of the surface's
// speed.
RL_CELL void rl_crest_throw(const rl_birth_scene *s, const rl_crest *k, rl_draws *d,
                            rl_birth *birth)
{
    const float limit = s->depth_limit;
    const float depth = limit > 0.0f && limit < k->depth ? limit : k->depth;
    const float speed = sqrtf(s->gravity * depth) / k->slope;
    birth->velocity[0] = -k->slope_x * speed;
    birth->velocity[1] = -k->slope_y * speed;
    birth->velocity[2] = s->breaking_lift * k->rise;
    rl_birth_shake(d, s->velocity_noise, birth->velocity);
}

// Returns particle n of a crest, spray first.
RL_CELL rl_birth rl_crest_birth(const rl_birth_scene *s, const rl_crest *k, int n)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_WAVE, (uint32_t)(k->j * s->nx + k->i),
                             RL_BIRTH_DRAWS * (uint32_t)n);
    const int kind = n < k->count[0] ? RILL_PARTICLE_SPRAY : RILL_PARTICLE_SPLASH;
    rl_birth birth;
    birth.kind = (rill_particle_kind)kind;
    birth.volume = (float)(k->scale * (double)s->volume_of[kind]);
    rl_crest_place(s, k, &d, &birth);
    rl_crest_throw(s, k, &d, &birth);
    rl_birth_advance(&birth, s->dt * (double)rl_draw(&d), s->gravity);
    return birth;
}

// ---- Falls -----------------------------------------------------------------------------

#define RL_FALL_BEYOND   1e-3f  // cells: a particle is born at least this far beyond the edge
#define RL_FALL_TURN     512    // falls whose water can always be deposited in a step
#define RL_FALL_PORTIONS 100000 // of one fall in a step; the rest waits

// A fall, with its face as one of the axes.
typedef struct rl_fall_edge {
    int along, across; // axis towards the lower cell and axis of the face
    float sign;        // of the way down
    float speed;       // that way; water that has passed the edge does not come back
    float beside;      // velocity along the face
    float face;        // coordinate of the face, metres
    float side;        // where the face begins
    float low, high;   // elevations of the bed and the surface above it
} rl_fall_edge;

RL_CELL rl_fall_edge rl_fall_edge_of(const rl_birth_scene *s, const rl_fall *fall)
{
    const float dx = s->cell_size;
    const int along = fall->lower_i != fall->upper_i ? 0 : 1;
    const int here = along == 0 ? fall->upper_i : fall->upper_j;
    const int there = along == 0 ? fall->lower_i : fall->lower_j;
    const size_t at = (size_t)fall->upper_j * (size_t)s->ground.pitch + (size_t)fall->upper_i;
    rl_fall_edge e;
    e.along = along;
    e.across = 1 - along;
    e.sign = there > here ? 1.0f : -1.0f;
    e.speed = fall->velocity > 0.0f ? fall->velocity : 0.0f;
    e.beside = fall->across;
    e.face = dx * (float)(there > here ? there : here);
    e.side = dx * (float)(along == 0 ? fall->upper_j : fall->upper_i);
    e.low = s->ground.base[at];
    e.high = s->ground.base[at] + s->ground.depth[at];
    return e;
}

// Returns how many particles portion n of a fall makes. Water falls in portions of one splash; some
// of them come as drops of spray.
RL_CELL int rl_fall_drops(const rl_birth_scene *s, int fall, int n)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_PORTION, (uint32_t)fall, (uint32_t)n);
    return rl_draw(&d) < s->spray_share ? s->drops : 1;
}

// Returns the volume of each of them. One drop of a portion is a splash.
RL_CELL float rl_fall_volume(const rl_birth_scene *s, int drops)
{
    return s->volume_of[RILL_PARTICLE_SPLASH] / (float)drops;
}

// Returns the whole portions of a volume, m^3.
RL_CELL double rl_fall_whole(const rl_birth_scene *s, double volume)
{
    const double portion = (double)s->volume_of[RILL_PARTICLE_SPLASH];
    const double portions = volume / portion;
    return (portions < 1e9 ? (double)(int)portions : portions) * portion;
}

// Returns whether a pool that has so many places left after the births of a step is full: it may
// have had none for the next particle, or not enough for the drops of a splash's water.
RL_CELL int rl_birth_is_full(int left, int drops, float spray_share)
{
    return left < (spray_share > 0.0f ? drops : 1);
}

// Returns the fall with which a step begins. When the pool is full, only a limited number of
// deposits is made in a step; where there are more falls than that, each has its turn.
RL_CELL int rl_fall_first(uint64_t step, int count)
{
    const uint64_t turns = ((uint64_t)count + RL_FALL_TURN - 1) / RL_FALL_TURN;
    return (int)(step % turns) * RL_FALL_TURN;
}

// Returns particle n of a fall: anywhere in the box that this step's water fills beyond the face
// (Chentanez and Müller Fig. 6b, with erratum 6 to Chentanez and Müller). The distance from the
// face follows from the time since the edge was passed, so it needs no further jitter.
RL_CELL rl_birth rl_fall_birth(const rl_birth_scene *s, const rl_fall_edge *e, int fall, int n,
                               int drops)
{
    rl_draws d = rl_draws_of(s->draws, RL_DRAW_FALL, (uint32_t)fall, RL_BIRTH_DRAWS * (uint32_t)n);
    const float dx = s->cell_size, since = (float)s->dt * rl_draw(&d);
    const float way = e->speed * since, least = RL_FALL_BEYOND * dx;
    rl_birth birth;
    birth.kind = drops > 1 ? RILL_PARTICLE_SPRAY : RILL_PARTICLE_SPLASH;
    birth.volume = rl_fall_volume(s, drops);
    birth.position[e->along] = e->face + e->sign * (way > least ? way : least);
    birth.position[e->across] = e->side + dx * rl_draw(&d);
    birth.position[2] = e->low + (e->high - e->low) * rl_draw(&d);
    birth.velocity[e->along] = e->sign * e->speed;
    birth.velocity[e->across] = e->beside;
    birth.velocity[2] = 0.0f;
    birth.age = since;
    rl_birth_shake(&d, s->velocity_noise, birth.velocity);
    return birth;
}
