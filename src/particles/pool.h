// SPDX-License-Identifier: MIT
// pool.h - the pool that all particles live in, as the files of this room see it.
//
// Flying particles (spray and splashes) lie in places [0, flying), foam in [flying, count); both
// kinds of loops run over their own part. Within a part the order means nothing: who leaves is
// replaced by the last, so that a step moves as many particles as come and go and no more.
#pragma once

#include "particles/flight_rows.h"
#include "particles/particles.h"

#include "core/numbers.h"

#include <stdbool.h>

#define RL_POOL_CHUNK 2048 // particles of one task; a multiple of every vector
#define RL_POOL_BANDS 128  // tasks in which rows are searched for breaking waves
#define RL_POOL_SLOTS 1024 // cells for which landings are gathered; a power of two

// The arrays of floats.
enum {
    RL_POOL_X,
    RL_POOL_Y,
    RL_POOL_Z,
    RL_POOL_VELOCITY_X,
    RL_POOL_VELOCITY_Y,
    RL_POOL_VELOCITY_Z,
    RL_POOL_RADIUS,
    RL_POOL_AGE,
    RL_POOL_LIFE,
    RL_POOL_VOLUME,
    RL_POOL_ARRAYS
};

// The state besides the arrays.
typedef struct rl_pool_kept {
    // Water that is in no particle, m^3: what a float could not hold of what was taken or given,
    // and what a removed emitter still had. It goes with the next landing. Of either sign.
    double rest;
    double pending[RILL_MAX_EMITTERS]; // what an emitter has not yet made a particle of, m^3
    int32_t flying, count;
} rl_pool_kept;

_Static_assert(sizeof(rl_pool_kept) % sizeof(float) == 0, "the state is handed out as floats");

// Landings of one cell, to be given to the water at once.
typedef struct rl_pool_slot {
    int i, j;
    double volume, momentum_x, momentum_y;
    bool used;
} rl_pool_slot;

struct rl_particles {
    rill_allocator allocator;
    rill_particles_def def;
    uint64_t seed;
    const rl_flight_rows *rows;

    float *arrays[RL_POOL_ARRAYS];
    uint8_t *kind;
    uint32_t *list; // of places or cells; tasks have a part each, where their particles are
    int *list_counts;
    rl_pool_slot *slots;
    void *memory;
    size_t bytes;
    size_t places; // max_particles, rounded up to whole chunks

    float volume_of[2];                        // V_eff of spray and splashes, m^3
    float radius_of[RILL_PARTICLE_KIND_COUNT]; // metres
    rill_emitter_def emitters[RILL_MAX_EMITTERS];
    bool emitting[RILL_MAX_EMITTERS];
    rl_pool_kept kept;
};

// A step, as all its parts see it.
typedef struct rl_moment {
    const rl_particles_water *water;
    rill_columns columns;
    rl_motion motion;
    double time, dt;
    double area; // of a cell, m^2
    uint64_t step, draws;
    rl_particles_books *books;
} rl_moment;

// A new flying particle.
typedef struct rl_birth {
    rill_particle_kind kind;
    float position[3], velocity[3];
    float volume; // m^3
    float age;    // seconds it has flown already
} rl_birth;

// The next random number of a step, in [0, 1). Only what runs in a fixed order may ask.
static inline float rl_moment_draw(const rl_particles *p, rl_moment *m)
{
    return rl_random_unit(p->seed, m->step, m->draws++);
}

// In [-1, 1).
static inline float rl_moment_draw_sign(const rl_particles *p, rl_moment *m)
{
    return 2.0f * rl_moment_draw(p, m) - 1.0f;
}

// ---- The pool (pool.c) -----------------------------------------------------------------

static inline int rl_pool_room(const rl_particles *p)
{
    return p->def.max_particles - p->kept.count;
}

// Adds a flying particle; there must be room.
void rl_pool_add(rl_particles *p, const rl_birth *birth);

// Copies everything of place `from` to place `to`.
void rl_pool_copy(rl_particles *p, int from, int to);

// Closes places [first, first + size) between the flying and the foam; there ends the flight.
void rl_pool_close_gap(rl_particles *p, int first, int size);

// Takes places out of the flying ones. `places` is in rising order. Those whose kind is foam become
// foam, the others are gone.
void rl_pool_land(rl_particles *p, const uint32_t *places, int count);

// Takes places out of the foam.
void rl_pool_remove_foam(rl_particles *p, const uint32_t *places, int count);

// Pushes the lists of `tasks` tasks, each where its chunk begins, together; returns their length.
int rl_pool_join_lists(rl_particles *p, int tasks);

rl_flight_arrays rl_pool_flight_arrays(const rl_particles *p);

// ---- Births ----------------------------------------------------------------------------

// Lets a new particle fly freely for `seconds`, as if it had been born that long ago.
void rl_birth_advance(rl_birth *birth, double seconds, float gravity);

// Adds the random part to a velocity.
void rl_birth_shake(const rl_particles *p, rl_moment *m, float part, float velocity[3]);

void rl_particles_emit(rl_particles *p, rl_moment *m);        // emitters.c
void rl_particles_break_waves(rl_particles *p, rl_moment *m); // breaking.c
void rl_particles_fall(rl_particles *p, rl_moment *m);        // falls.c

// ---- Flight and landing ----------------------------------------------------------------

// Foam drifts; what is gone leaves the pool.
void rl_particles_drift(rl_particles *p, rl_moment *m);

// Particles [0, end) fly; p->list then holds those that have landed or left, in rising order.
// Returns their number.
int rl_particles_fly(rl_particles *p, rl_moment *m, int end);

// Gives the water of the listed particles back, makes foam and takes them out of the pool.
void rl_particles_land(rl_particles *p, rl_moment *m, int count);

// Waters with several columns in a cell (layered.c): the same, one particle at a time.
bool rl_layered_is(const rl_moment *m);
int rl_layered_landed(const rl_particles *p, const rl_moment *m, int first, int end,
                      uint32_t *landed);
int rl_layered_drift(rl_particles *p, const rl_moment *m, int first, int end, uint32_t *gone);
// Lands one particle; false when its water found no room and it flies on.
bool rl_layered_land(rl_particles *p, rl_moment *m, int place);
// Turns a particle that has landed in wet water into foam, by chance.
void rl_foam_try(rl_particles *p, rl_moment *m, int place, float level, float velocity_x,
                 float velocity_y);

// The cell of a coordinate, in [0, count).
static inline int rl_cell_at(float metres, float cell_size, int count)
{
    const float cells = metres / cell_size;
    return !(cells > 0.0f) ? 0 : cells < (float)count ? (int)cells : count - 1;
}

// Whether a particle is over the grid.
static inline bool rl_pool_inside(const rl_particles *p, const rl_moment *m, int place)
{
    const float x = p->arrays[RL_POOL_X][place], y = p->arrays[RL_POOL_Y][place];
    const float dx = m->columns.cell_size;
    return x >= 0.0f && x < dx * (float)m->columns.nx && y >= 0.0f && y < dx * (float)m->columns.ny;
}

// Gives `volume` and its momentum to a cell (negative: takes), returns what was given, m^3.
double rl_moment_deposit(const rl_moment *m, int layer, int i, int j, double volume,
                         double momentum_x, double momentum_y);
