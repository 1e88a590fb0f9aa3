// SPDX-License-Identifier: MIT
// ground_mesh.h - triangulates one chunk of ground with as few triangles as a bound allows: a
// right-triangulated irregular network. Starting from two triangles, each is halved at the middle
// of its long side as long as that middle, or any middle below it, is farther than the bound from
// where the halves would put it. Both triangles at a long side test the same point, so that the
// network has no cracks. A point that is left out misses the ground by the bound once for every
// halving that was left out above it, at the very most.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GROUND_CHUNK  64 // quads a side; a power of two
#define GROUND_POINTS ((GROUND_CHUNK + 1) * (GROUND_CHUNK + 1))
#define GROUND_HEM    (4 * GROUND_CHUNK) // points of the hem, numbered after the others

// Most indices that one network can have, hem included.
#define GROUND_INDICES (6 * GROUND_CHUNK * GROUND_CHUNK + 24 * GROUND_CHUNK)

// Errors of a chunk by point, metres.
typedef struct ground_errors {
    float at[GROUND_POINTS];
} ground_errors;

// Measures a chunk of which `wide` x `high` quads are in the world; heights are by point, row 0
// first. Points beyond repeat the last one within. Points that are `fixed` are in every network;
// NULL: none are.
void ground_mesh_measure(const float *heights, const bool *fixed, int wide, int high,
                         ground_errors *errors);

// Writes the network for `bound` metres and a hem along its edge; returns the number of indices.
// Point (i, j) is number j * (GROUND_CHUNK + 1) + i; hem point k hangs below edge point k, counted
// counter-clockwise from the lower left corner.
int ground_mesh_build(const ground_errors *errors, int wide, int high, float bound,
                      uint16_t *indices);

// Computes the place of edge point k.
void ground_mesh_edge(int k, int *i, int *j);
