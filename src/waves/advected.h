// SPDX-License-Identifier: MIT
// advected.h - fine waves carried by the flow: three sets of texture coordinates on the grid, moved
// with the water, laid anew one after the other, and the weight that fades what is pulled apart
// (002 section 2.5.2).
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "solvers/solver.h"
#include "waves/sea.h"

typedef struct rl_advected rl_advected;

// For a grid of nx x ny cells, at least 2 x 2; `def` has been checked by the world and its size is
// not 0. The texture holds only waves shorter than def->longest (0: two cells).
rill_status rl_advected_create(const rill_waves_def *def, int nx, int ny, float cell_size,
                               float gravity, uint64_t seed, rl_isa isa,
                               const rill_allocator *allocator, rl_advected **out);
void rl_advected_destroy(rl_advected **waves);
size_t rl_advected_memory(const rl_advected *waves);

// Moves the coordinates with the open columns (layer 0) over `dt` seconds up to `time`.
// Semi-Lagrangian; allocates nothing.
void rl_advected_step(rl_advected *waves, rl_jobs *jobs, const rill_columns *columns, double dt,
                      double time);

// The grid has moved by (di, dj) cells: cell (i, j) takes what (i + di, j + dj) had, new ones take
// what the nearest has.
void rl_advected_shift(rl_advected *waves, int di, int dj);

// As they are now; brings the texture to `time`.
rill_waves rl_advected_view(rl_advected *waves, rl_jobs *jobs, double time);

// The arrays that make up the state (for hashing and snapshots); returns their number.
int rl_advected_state(rl_advected *waves, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
