// SPDX-License-Identifier: MIT
// drift.h - waves that drift on a river: advection particles (004 chapter 4). Each particle carries
// a piece of an animated wave texture, moves with the water, fades in and out, and is followed by a
// new one where a cell gets empty. The output is the mean over the particles at every texel (Eq.
// 4.3 and 4.4 as docs/papers.md, 004.7 reads them).
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "core/quadtree.h"
#include "solvers/solver.h"
#include "waves/sea.h"

#include "rill/river.h"

typedef struct rl_wave_particles rl_wave_particles;

// For the wet cells of `columns` (layer 0), which do not change. `length` of the river, metres, for
// the default distance. `def` has been checked by the world and its texels are not 0. There is a
// particle in every wet cell, of random age.
rill_status rl_wave_particles_create(const rill_wave_particles_def *def,
                                     const rill_columns *columns, double length, float gravity,
                                     uint64_t seed, rl_isa isa, const rill_allocator *allocator,
                                     rl_wave_particles **out);
void rl_wave_particles_destroy(rl_wave_particles **drift);
size_t rl_wave_particles_memory(const rl_wave_particles *drift);

// One step: particles age, move forward with the water and die; new ones are born in cells (or,
// with `detail`, merged cells) that have none. detail NULL: everywhere fine. `step` numbers the
// steps for the random numbers. Allocates nothing.
void rl_wave_particles_step(rl_wave_particles *drift, rl_jobs *jobs, const rill_columns *columns,
                            const rl_quadtree *detail, double dt, uint64_t step);

// The columns' wet set has changed: particles on dry ground die, pages are laid anew.
rill_status rl_wave_particles_ground_changed(rl_wave_particles *drift, const rill_columns *columns);

// The output at `time`, made when asked for (and kept until the next step).
rill_wave_particles rl_wave_particles_view(rl_wave_particles *drift, rl_jobs *jobs,
                                           const rl_quadtree *detail, double time);

int rl_wave_particles_state(rl_wave_particles *drift, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
// The state's arrays were written to from outside.
void rl_wave_particles_state_changed(rl_wave_particles *drift);
