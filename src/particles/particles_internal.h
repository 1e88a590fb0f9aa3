// SPDX-License-Identifier: MIT
// particles.h - the pool of spray, splashes and foam of a world (rill/particles.h, 002 section
// 2.4). It sees water through columns and gives and takes it by the deposits of the solver.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "solvers/solver.h"

#include "rill/particles.h"

typedef struct rl_particles rl_particles;

// The water that particles leave and land in.
typedef struct rl_particles_flow {
    const rl_solver_ops *ops;
    void *solver;
    rl_jobs *jobs;
    int nx, ny;
    float cell_size, gravity;
    double (*clock)(const void *user); // seconds, for timings only; NULL: none are taken
    const void *clock_user;
    // Takes the steps where the water is on a device. NULL: the host takes them all.
    const struct rl_particles_device *device;
} rl_particles_flow;

// Volumes of one step, m^3, all positive. Where water only changes from column to particle and back
// nothing is booked: the ledger adds up both.
typedef struct rl_particles_books {
    double sourced; // given by emitters
    double drained; // flew over the border of the world
    double births;  // seconds that births took, by the clock of the water
} rl_particles_books;

// `def` has been checked and completed by the world (no length is 0, max_particles is positive).
rill_status rl_particles_create(const rill_particles_def *def, uint64_t seed, rl_isa isa,
                                const rill_allocator *allocator, rl_particles **out);
void rl_particles_destroy(rl_particles **particles);
size_t rl_particles_memory(const rl_particles *particles);

// One step of `dt` seconds from `time` on, after the water's: births (emitters, breaking waves,
// falls), flight, landing, foam. `step` counts steps since the start: it and the seed make the
// random numbers. Allocates nothing. Same bits on any number of threads.
void rl_particles_step(rl_particles *particles, const rl_particles_flow *water, double time,
                       double dt, uint64_t step, rl_particles_books *books);

// What a splash holds, m^3.
double rl_particles_lump_volume(const rl_particles *particles);

// Makes splashes, or drops of spray, of lumps, in their order, between steps of the particles. Each
// takes its water from its cell, with the momentum that it has there; cells that are nearly dry
// give none, and a full pool takes none. Writes what they have gained.
void rl_particles_throw(rl_particles *particles, const rl_particles_flow *water, uint64_t step,
                        rl_splash *lumps, int count);

// Emitters: `slot` from 0 to RILL_MAX_EMITTERS - 1; def == NULL empties it. The world checks
// definitions and keeps the ids.
void rl_particles_set_emitter(rl_particles *particles, int slot, const rill_emitter_def *def);

// Volume in flight, with what waits to become a particle (emitters), m^3; what waits in the
// solver's falls is not counted here.
double rl_particles_volume(const rl_particles *particles);

rill_particles rl_particles_view(const rl_particles *particles);

// The grid has moved by (dx, dy) metres over its country: all particles move by minus that. What is
// left outside the grid is taken out of the pool and counted in `books` as drained. Emitters are
// set anew by the world.
void rl_particles_shift(rl_particles *particles, float dx, float dy, float width, float height,
                        rl_particles_books *books);

// The arrays that make up the state (for hashing and snapshots), the number of particles among
// them; returns their number. Arrays have their full size; unused places are 0.
int rl_particles_state(rl_particles *particles, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
// To be called before they are written to.
void rl_particles_state_changes(rl_particles *particles);

// The first error of a device that particles were on, in words, or NULL.
const char *rl_particles_error(const rl_particles *particles);
