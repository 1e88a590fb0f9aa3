// SPDX-License-Identifier: MIT
// particles_internal.h - the pool of spray, splashes and foam of a world (rill/particles.h;
// Chentanez and Müller section 2.4). It reads water through columns and gives and takes it by the
// deposits of the solver.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "solvers/solver.h"

#include "rill/particles.h"

typedef struct rl_particles rl_particles;

// The solver whose water particles leave and land in.
typedef struct rl_particles_flow {
    const rl_solver_ops *ops;
    void *solver;
    rl_jobs *jobs;
    int nx, ny;
    float cell_size, gravity;
    double (*clock)(const void *user); // seconds, for timings only; may be NULL
    const void *clock_user;
    // Takes the steps while the solver is on a device. Without it (NULL) the host takes them all.
    const struct rl_particles_device *device;
} rl_particles_flow;

// Volumes of one step, m^3, all positive. Water that only changes from column to particle and back
// is not booked: the ledger adds up both.
typedef struct rl_particles_books {
    double sourced; // given by emitters
    double drained; // flew over the border of the world
    double births;  // seconds that births took, by the clock of the flow
    uint64_t full;  // steps in which the pool had no place for more: of this one, or on a device of
                    // the one before
} rl_particles_books;

// Creates the pool. The world has checked and completed `def` (no length is 0, max_particles is
// positive).
rill_status rl_particles_create(const rill_particles_def *def, uint64_t seed, rl_isa isa,
                                const rill_allocator *allocator, rl_particles **out);
void rl_particles_destroy(rl_particles **particles);
size_t rl_particles_memory(const rl_particles *particles);

// Makes one step of `dt` seconds from `time` on, after the solver's: births (emitters, breaking
// waves, falls), flight, landing, foam. `step` counts steps since the start: it and the seed make
// the random numbers. Allocates nothing. The bits are the same on any number of threads.
void rl_particles_step(rl_particles *particles, const rl_particles_flow *flow, double time,
                       double dt, uint64_t step, rl_particles_books *books);

// Returns the volume of a splash, m^3.
double rl_particles_lump_volume(const rl_particles *particles);

// Makes splashes, or drops of spray, of lumps, in their order, between steps of the particles. Each
// takes its water from its cell, with the momentum that it has there; cells that are nearly dry
// give none, and a full pool takes none. Writes the momentum that the lumps have gained.
void rl_particles_throw(rl_particles *particles, const rl_particles_flow *flow, uint64_t step,
                        rl_splash *lumps, int count);

// Sets the emitter of a `slot` from 0 to RILL_MAX_EMITTERS - 1, or empties the slot when `def` is
// NULL. The world checks definitions and has the ids.
void rl_particles_set_emitter(rl_particles *particles, int slot, const rill_emitter_def *def);

// Returns the volume in flight, with the water that waits to become a particle (emitters), m^3;
// what waits in the solver's falls is not counted here.
double rl_particles_volume(const rl_particles *particles);

rill_particles rl_particles_view(const rl_particles *particles);

// Follows a grid that has moved by (dx, dy) metres over the full terrain: all particles move by
// minus that. Particles outside the grid are taken out of the pool and counted in `books` as
// drained. The world sets the emitters anew.
void rl_particles_shift(rl_particles *particles, float dx, float dy, float width, float height,
                        rl_particles_books *books);

// Lists the arrays that make up the state (for hashing and snapshots), the number of particles
// among them; returns their number. Arrays have their full size; unused places are 0.
int rl_particles_state(rl_particles *particles, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
// The caller must call this before it writes to them.
void rl_particles_state_changes(rl_particles *particles);

// Returns the message of the first error of a device that particles were on, or NULL.
const char *rl_particles_error(const rl_particles *particles);
