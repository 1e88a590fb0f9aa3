// SPDX-License-Identifier: MIT
// minimum.h - how thick a film must be drawn so that no bump of the ground shows through it
// (Dagenais section 4.4). Columns know the ground at the centres of cells only; the triangles of
// the ground have vertices between them, and a thin film that is drawn from centre to centre would
// pass below those. The least thicknesses depend on the ground alone and are made when it changes.
#pragma once

#include "rill/columns.h"
#include "rill/solid.h"

// How far above a vertex of the ground the film passes (epsilon of Dagenais Eq. 6), in cells.
#define RL_MINIMUM_CLEARANCE 0.01

// Vertices count from this upward part of their unit normal on. The paper skips those that face
// downward; the normal of a plumb wall is horizontal up to rounding, and rounding must not decide.
#define RL_MINIMUM_UPWARD 0.1

// Vertices are left out that would lift a film more than this above the highest floor around, in
// cells (Dagenais section 4.4) ...
#define RL_MINIMUM_LIFT_ABOVE 1.0
// ... or more than this above its own floor: else a film would be drawn up to the top of any wall
// that it touches.
#define RL_MINIMUM_LIFT 2.0

// Computes the least thickness of a film per column, metres; value [layer * layer_stride + j *
// pitch + i] as in `columns`. With it the triangles over any four columns pass above every vertex
// of the ground between them, whichever diagonal is drawn, except for vertices that the rules leave
// out. It is never less than `global_minimum`, metres, nor more than the height below the ceiling.
// Values beyond nx and ny are not changed. `ground` may be empty. The bits do not depend on the
// order of its vertices.
void rl_minimum_compute(const rill_ground_mesh *ground, const rill_columns *columns,
                        float global_minimum, float *least);

// Does the same after a change of columns or ground in cells [i0, i1) x [j0, j1): only columns up
// to two cells away from them are made anew. The result is that of rl_minimum_compute.
void rl_minimum_update(const rill_ground_mesh *ground, const rill_columns *columns,
                       float global_minimum, float *least, int i0, int j0, int i1, int j1);

// Solves for one vertex above up to four columns: the thicknesses that minimise sum w_k l_k^2 under
// sum a_k (b_k + l_k) = height + clearance and l_k >= least (Dagenais Eqs. 6 and 7). `part` is a_k
// and adds up to 1. All are `least` when that is enough. `cell_size` is Delta x; all lengths are in
// metres.
void rl_minimum_solve(int count, const double part[], const double base[], double height,
                      double clearance, double cell_size, double least, double lift[]);
