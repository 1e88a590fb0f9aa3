// SPDX-License-Identifier: MIT
// minimum_internal.h - what the two halves of least thicknesses share: minimum.c lifts columns over
// one point of the ground, minimum_points.c finds the points.
#pragma once

#include "surface/surface_internal.h"

// Part of a cell by which a height may be outside a range and yet count as inside; also the
// barycentric part from which a corner supports a vertex. Marching cubes leave vertices on the very
// edges of cell groups.
#define RL_MINIMUM_TOLERANCE 1e-3

// One computation of least thicknesses.
typedef struct rl_minimum_pass {
    const rill_columns *columns;
    double cell, per_cell, tolerance, least;
    float *out;
    float *join;    // the lowest level that a column links to (reach.c); NULL without ranges
    uint8_t *reach; // four bytes a column; NULL without ranges
    uint8_t *cliff; // the neighbours that a column stands above as on a cliff; NULL without ranges
    int i0, j0, i1, j1; // cell groups to visit, by the cell of corner A
} rl_minimum_pass;

// The triangles that a point of the ground must be below: those of both cuts of a cell group, or of
// one of them, where the point counts only because that cut has a fold there.
enum { RL_MINIMUM_AC = 1, RL_MINIMUM_BD = 2, RL_MINIMUM_BOTH = 3 };

// Raises the columns around a point, `x` and `y` cells from the centre of cell (0, 0) and `height`
// metres up, so that the triangles of `cuts` pass above it. Points beyond the outermost centres or
// the cell groups of the pass and those that are not numbers do nothing.
void rl_minimum_lift(const rl_minimum_pass *pass, double x, double y, double height, unsigned cuts);

// Notes a point of the ground, given alike, that a curtain must hang beyond (reach.c).
void rl_reach_extend(const rl_minimum_pass *pass, double x, double y, double z);

// Completes the lowest levels to join once all points have been noted.
void rl_join_limit(const rl_minimum_pass *pass);

// Lifts the columns over all points of the ground that decide (minimum_points.c).
void rl_minimum_lift_all(const rl_minimum_pass *pass, const rill_ground_mesh *ground);
