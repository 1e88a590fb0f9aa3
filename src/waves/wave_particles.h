// SPDX-License-Identifier: MIT
// wave_particles.h - waves that move with a river: wave particles (Burrell chapter 4). Each
// particle has a patch of an animated wave texture, moves with the water, fades in and out, and is
// followed by a new one where a cell becomes empty. The output is the mean over the particles at
// every texel (Burrell Eq. 4.3 and 4.4, with erratum 7 to Burrell).
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "core/quadtree.h"
#include "solvers/solver.h"
#include "waves/sea.h"

#include "rill/river.h"

typedef struct rl_wave_particles rl_wave_particles;

// Creates wave particles for the wet cells of `columns` (layer 0), which do not change: one in
// every wet cell, of random age. `length` is that of the river, metres, for the default distance.
// The world has checked `def`, and its texels are not 0.
rill_status rl_wave_particles_create(const rill_wave_particles_def *def,
                                     const rill_columns *columns, double length, float gravity,
                                     uint64_t seed, rl_isa isa, const rill_allocator *allocator,
                                     rl_wave_particles **out);
void rl_wave_particles_destroy(rl_wave_particles **particles);
size_t rl_wave_particles_memory(const rl_wave_particles *particles);

// Makes one step: particles age, move forward with the water and die; new ones are born in cells
// (or, with `detail`, merged cells) that have none. Without a `detail` (NULL) all is fine. `step`
// numbers the steps for the random numbers. Allocates nothing.
void rl_wave_particles_step(rl_wave_particles *particles, rl_jobs *jobs,
                            const rill_columns *columns, const rl_quadtree *detail, double dt,
                            uint64_t step);

// Follows a change of the wet cells: particles on dry ground die, and the tiles are made anew.
rill_status rl_wave_particles_ground_changed(rl_wave_particles *particles,
                                             const rill_columns *columns);

// Returns the output at `time`. It is drawn by the first call after a step and cached until the
// next step.
rill_wave_particles rl_wave_particles_view(rl_wave_particles *particles, rl_jobs *jobs,
                                           const rl_quadtree *detail, double time);

int rl_wave_particles_state(rl_wave_particles *particles,
                            rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
// The caller must call this after writing to the arrays of the state.
void rl_wave_particles_state_changed(rl_wave_particles *particles);
