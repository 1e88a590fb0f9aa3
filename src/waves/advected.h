// SPDX-License-Identifier: MIT
// advected.h - advected texture coordinates of the fine waves (Chentanez and Müller section 2.5.2):
// three sets of coordinates on the grid move with the water, each is reset in its turn, and a
// weight fades the texture where the flow stretches it.
#pragma once

#include "core/cpu.h"
#include "core/jobs.h"
#include "solvers/solver.h"
#include "waves/sea.h"

typedef struct rl_advected rl_advected;

// Creates the coordinates for a grid of nx x ny cells, at least 2 x 2. The world has checked `def`,
// and its size is not 0. The texture holds only waves shorter than def->longest (0 stands for two
// cells).
rill_status rl_advected_create(const rill_waves_def *def, int nx, int ny, float cell_size,
                               float gravity, uint64_t seed, rl_isa isa,
                               const rill_allocator *allocator, rl_advected **out);
void rl_advected_destroy(rl_advected **waves);
size_t rl_advected_memory(const rl_advected *waves);

// Moves the coordinates with the open columns (layer 0) over `dt` seconds up to `time` by
// semi-Lagrangian advection. Allocates nothing. Returns false when some water is too fast for that,
// and its coordinates stay behind.
bool rl_advected_step(rl_advected *waves, rl_jobs *jobs, const rill_columns *columns, double dt,
                      double time);

// Follows a grid that has moved by (di, dj) cells: cell (i, j) takes the value of (i + di, j + dj),
// and a new cell that of the nearest old one.
void rl_advected_shift(rl_advected *waves, int di, int dj);

// Returns the waves as they are now, with the texture at `time`.
rill_waves rl_advected_view(rl_advected *waves, rl_jobs *jobs, double time);

// Lists the arrays that make up the state (for hashing and snapshots) and returns their number.
int rl_advected_state(rl_advected *waves, rill_state_array arrays[RL_MAX_STATE_ARRAYS]);
