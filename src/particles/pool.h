// SPDX-License-Identifier: MIT
// pool.h - the pool that holds all particles, for the files of this module.
//
// Flying particles (spray and splashes) lie in places [0, flying), foam in [flying, count); each
// loop runs over its own part. A particle that leaves is replaced by the last, so that a step moves
// only as many particles as come and go.
//
// No result in a step depends on an earlier one of the same part of the step: random numbers belong
// to cells and places (birth_inline.h), sums are made in an order that follows from the places, and
// the new places follow from counting. So a device gets the same bits by computing all at once.
#pragma once

#include "particles/particles_gpu.h"
#include "particles/particles_internal.h"

#include "core/numbers.h"

#include <stdbool.h>

#define RL_POOL_CHUNK 2048 // particles of one task; a multiple of every vector
#define RL_POOL_BANDS 128  // tasks in which rows are searched for breaking waves

// The state besides the arrays.
typedef struct rl_pool_totals {
    // Water that is in no particle, m^3, of either sign: what a float could not hold of what was
    // taken or given, and what a removed emitter still had. It goes with the next landing.
    double rest;
    double pending[RILL_MAX_EMITTERS]; // water of an emitter that is not yet a whole particle, m^3
    double gone; // water that has left the grid and that the next step books, m^3
    int32_t flying, count;
} rl_pool_totals;

_Static_assert(sizeof(rl_pool_totals) % sizeof(float) == 0, "the state is handed out as floats");

// The pool on a device (particles_resident.c).
typedef struct rl_pool_resident {
    const rl_particles_device *device; // the device that it was created for last
    void *self;                        // NULL before the pool has ever been on a device
    bool refused;                      // the device has too little memory for it: it stays on the
                                       // host
    bool leads;                        // the arrays are device-resident
    bool seen;                         // the host's copies of the arrays are valid
    bool begun;                        // a step may be running: the numbers are not known yet
    int seen_end;                      // places from here on are zero in the host's arrays
    int error;                         // of the device, the first
} rl_pool_resident;

struct rl_particles {
    rill_allocator allocator;
    rill_particles_def def;
    uint64_t seed;
    const rl_flight_rows *rows;

    float *arrays[RL_POOL_ARRAYS];
    uint8_t *kind;
    uint32_t *list; // of places or cells; each task has the part where its particles are
    int *list_counts;
    double *part_sums;
    uint64_t *records, *records_other; // column << 32 | flag and number of a landing; two arrays to
                                       // sort
    double *left; // of the deposits at a landing: what their columns could not hold, m^3
    rl_pool_extra *extras;
    int extra_count;
    void *memory;
    size_t bytes;
    size_t places; // max_particles, rounded up to whole chunks

    float volume_of[2];                        // V_eff of spray and splashes, m^3
    float radius_of[RILL_PARTICLE_KIND_COUNT]; // metres
    rill_emitter_def emitters[RILL_MAX_EMITTERS];
    bool emitting[RILL_MAX_EMITTERS];
    rl_pool_totals totals;
    uint64_t full_steps; // that the books do not have yet
    rl_pool_resident resident;
};

// The arguments of a step that travel together through its parts.
typedef struct rl_step_context {
    const rl_particles_flow *flow;
    rill_columns columns;
    rl_motion motion;
    double time, dt;
    double area; // of a cell, m^2
    rl_draw_source draws;
    rl_particles_books *books;
} rl_step_context;

// A sum in parts, each of RL_POOL_PART terms.
typedef struct rl_part_sum {
    double total, part;
    int count;
} rl_part_sum;

static inline void rl_part_sum_add(rl_part_sum *s, double value)
{
    s->part += value;
    if (++s->count % RL_POOL_PART == 0) {
        s->total += s->part;
        s->part = 0.0;
    }
}

static inline double rl_part_sum_value(const rl_part_sum *s)
{
    return s->total + s->part;
}

// ---- The pool (pool.c) -----------------------------------------------------------------

static inline int rl_pool_capacity(const rl_particles *p)
{
    return p->def.max_particles - p->totals.count;
}

// Adds a flying particle; the pool must not be full.
void rl_pool_add(rl_particles *p, const rl_birth *birth);

// Copies everything of place `from` to place `to`.
void rl_pool_copy(rl_particles *p, int from, int to);

// Closes places [first, first + size) between the flying particles and the foam; the flight ends
// there.
void rl_pool_close_gap(rl_particles *p, int first, int size);

// Takes places out of the flying ones. `places` is in rising order. Those whose kind is foam become
// foam, all others are gone.
void rl_pool_land(rl_particles *p, const uint32_t *places, int count);

// Foam of an emitter that is to leave the flight without becoming foam that floats.
static inline void rl_pool_drop_foam(rl_particles *p, int place)
{
    if (p->kind[place] == RILL_PARTICLE_FOAM)
        p->kind[place] = RILL_PARTICLE_SPRAY;
}

// Takes places out of the foam.
void rl_pool_remove_foam(rl_particles *p, const uint32_t *places, int count);

// Joins the lists of `tasks` tasks, each of which starts where its chunk begins; returns their
// length.
int rl_pool_join_lists(rl_particles *p, int tasks);

rl_pool_places rl_pool_places_of(const rl_particles *p, int count);

// ---- Births ----------------------------------------------------------------------------

// New particles: written to `births`, in a device's memory, or added to the pool where that is
// NULL.
typedef struct rl_pool_births {
    rl_birth *births;
    int count; // in `births`
} rl_pool_births;

void rl_pool_bear(rl_particles *p, rl_pool_births *to, const rl_birth *birth);

rl_birth_scene rl_birth_scene_of(const rl_particles *p, const rl_step_context *m);

// Returns how many particles may be born at once: those of a portion of water.
int rl_particles_drops(const rl_particles *p);

bool rl_particles_emits(const rl_particles *p); // whether there is any emitter (particles.c)
// Lets the emitters give new particles (emitters.c).
void rl_particles_emit(rl_particles *p, const rl_step_context *m, rl_pool_births *to);
void rl_particles_break_waves(rl_particles *p, rl_step_context *m); // births.c
void rl_particles_fall(rl_particles *p, rl_step_context *m);        // births.c

// ---- Flight and landing ----------------------------------------------------------------

// Advects the foam; foam that is gone leaves the pool.
void rl_particles_advect_foam(rl_particles *p, rl_step_context *m);

// Moves flying particles [0, end); p->list then holds those that have landed or left, in rising
// order. Returns their number.
int rl_particles_fly(rl_particles *p, rl_step_context *m, int end);

// Gives the water of the listed particles back, makes foam and takes them out of the pool.
void rl_particles_land(rl_particles *p, rl_step_context *m, int count);

// Solvers with several columns in a cell.
bool rl_layered_is(const rl_step_context *m);
rl_layered_columns rl_layered_columns_of(const rl_step_context *m);

// Computes one step through the air, for a kind of flying particle.
rl_flight_air rl_flight_air_of(const rl_particles *p, int kind, double dt, double gravity);
rl_flight_ground rl_flight_ground_of(const rl_step_context *m);
rl_landing_scene rl_landing_scene_of(const rl_particles *p, const rl_step_context *m);

// Gives water of a full pool to a column together with the landings, or lets it leave the grid
// (column -1). Returns false when too many such deposits wait already.
bool rl_step_context_pour(rl_particles *p, int column, double volume, double u, double v);

// Gives `volume` and its momentum to a cell (negative takes); returns what was given, m^3.
double rl_step_context_deposit(const rl_step_context *m, int layer, int i, int j, double volume,
                               double momentum_x, double momentum_y);

// ---- Devices (particles_resident.c) ----------------------------------------------------

// Takes a step on the device while the solver is there too. Returns false when the host is to take
// it.
bool rl_resident_step(rl_particles *p, rl_step_context *m);

// Updates the numbers of the pool to those after the last step.
void rl_resident_settle(rl_particles *p);

// Makes the host's arrays valid; with `changes` they may be written to.
void rl_resident_synchronise(rl_particles *p, bool changes);

// Returns memory for new particles if the arrays are device-resident, else NULL: then the caller
// must call rl_pool_add().
rl_birth *rl_resident_births(rl_particles *p);
// Adds the first `count` of them.
void rl_resident_add(rl_particles *p, int count);

void rl_resident_destroy(rl_particles *p);
