// SPDX-License-Identifier: MIT
// quadtree.h - detail by distance (Burrell section 5.2): a tree of squares over a grid, used by all
// that may be coarser far from the viewer. The smallest squares have RL_SQUARE cells a side; the
// cells of a square are merged 2^level by as many, level 0 near the viewer.
#pragma once

#include "rill/support.h"

#define RL_SQUARE     16
#define RL_MAX_DETAIL 4 // log2(RL_SQUARE): a square merged into one cell

typedef struct rl_quadtree rl_quadtree;

// Creates a tree with level 0 everywhere. Returns NULL when there is no memory.
rl_quadtree *rl_quadtree_create(const rill_allocator *allocator, int nx, int ny);
void rl_quadtree_destroy(rl_quadtree **tree);
size_t rl_quadtree_memory(const rl_quadtree *tree);

// Computes the levels for `viewer`, in cells of the grid (z over the ground): level 0 within `near`
// cells, one more whenever the distance doubles, up to RL_MAX_DETAIL. Nodes of the tree are split
// while a part of them is nearer than their level allows; neighbouring squares (diagonal ones too)
// differ by at most one level. Returns true when a level has changed. near <= 0: level 0
// everywhere.
bool rl_quadtree_get(rl_quadtree *tree, const double viewer[3], double near);

typedef struct rl_quadtree_view {
    int squares_x, squares_y;
    const unsigned char *level; // squares_x * squares_y
} rl_quadtree_view;
rl_quadtree_view rl_quadtree_squares(const rl_quadtree *tree);
