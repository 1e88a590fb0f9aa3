// SPDX-License-Identifier: MIT
// quadtree.c - the tree is traversed, not stored: a node whose parts all have one level is filled,
// any other is split, and only the levels of the smallest squares are stored.
#include "core/quadtree.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

struct rl_quadtree {
    rill_allocator allocator;
    int squares_x, squares_y;
    int side; // squares along the root, a power of two
    unsigned char *level, *next;
    size_t bytes; // of each
};

typedef struct gaze {
    double x, y, z, near; // in squares
} gaze;

rl_quadtree *rl_quadtree_create(const rill_allocator *allocator, int nx, int ny)
{
    RL_ASSERT(nx > 0 && ny > 0);
    rl_quadtree *tree = rill_alloc(allocator, sizeof *tree);
    if (tree == NULL)
        return NULL;
    if (allocator != NULL)
        tree->allocator = *allocator;
    tree->squares_x = (nx + RL_SQUARE - 1) / RL_SQUARE;
    tree->squares_y = (ny + RL_SQUARE - 1) / RL_SQUARE;
    tree->side = 1;
    while (tree->side < tree->squares_x || tree->side < tree->squares_y)
        tree->side *= 2;
    tree->bytes = (size_t)tree->squares_x * (size_t)tree->squares_y;
    tree->level = rill_alloc(allocator, tree->bytes);
    tree->next = rill_alloc(allocator, tree->bytes);
    if (tree->level == NULL || tree->next == NULL)
        rl_quadtree_destroy(&tree);
    return tree;
}

void rl_quadtree_destroy(rl_quadtree **tree)
{
    rl_quadtree *t = *tree;
    if (t == NULL)
        return;
    const rill_allocator allocator = t->allocator;
    rill_free(&allocator, t->level, t->bytes);
    rill_free(&allocator, t->next, t->bytes);
    rill_free(&allocator, t, sizeof *t);
    *tree = NULL;
}

size_t rl_quadtree_memory(const rl_quadtree *tree)
{
    return tree != NULL ? sizeof *tree + 2 * tree->bytes : 0;
}

// Returns the coarsest level that may be shown at a distance.
static unsigned char allowed(double distance, double near)
{
    unsigned char level = 0;
    for (double reach = near; level < RL_MAX_DETAIL && distance >= reach; reach *= 2.0)
        level++;
    return level;
}

// Computes the distances from x to the nearest and farthest point of [low, low + size].
static double nearest(double x, double low, double size)
{
    return x < low ? low - x : x > low + size ? x - (low + size) : 0.0;
}

static double farthest(double x, double low, double size)
{
    return fmax(fabs(x - low), fabs(x - (low + size)));
}

static void walk(rl_quadtree *t, const gaze *g, int i, int j, int size)
{
    RL_ASSERT(size > 0 && i % size == 0 && j % size == 0);
    if (i >= t->squares_x || j >= t->squares_y)
        return;
    const double near_x = nearest(g->x, i, size), near_y = nearest(g->y, j, size);
    const double far_x = farthest(g->x, i, size), far_y = farthest(g->y, j, size);
    const double height = g->z * g->z;
    const unsigned char low = allowed(sqrt(near_x * near_x + near_y * near_y + height), g->near);
    const unsigned char high = allowed(sqrt(far_x * far_x + far_y * far_y + height), g->near);
    if (low != high && size > 1) {
        const int half = size / 2;
        for (int part = 0; part < 4; part++)
            walk(t, g, i + part % 2 * half, j + part / 2 * half, half);
        return;
    }
    const int i_end = i + size < t->squares_x ? i + size : t->squares_x;
    const int j_end = j + size < t->squares_y ? j + size : t->squares_y;
    for (int row = j; row < j_end; row++)
        memset(t->next + (size_t)row * (size_t)t->squares_x + i, low, (size_t)(i_end - i));
}

static void lower_to(rl_quadtree *t, int i, int j, int di, int dj)
{
    const int a = i + di, b = j + dj;
    if (a < 0 || a >= t->squares_x || b < 0 || b >= t->squares_y)
        return;
    unsigned char *here = t->next + (size_t)j * (size_t)t->squares_x + i;
    const unsigned char beside = t->next[(size_t)b * (size_t)t->squares_x + (size_t)a];
    if (*here > beside + 1)
        *here = (unsigned char)(beside + 1);
}

// As a distance in king's moves is found: one sweep forth and one back lower every square to at
// most one more than each of its neighbours.
static void balance(rl_quadtree *t)
{
    const int squares = t->squares_x * t->squares_y;
    for (int back = -1; back <= 1; back += 2)
        for (int n = 0; n < squares; n++) {
            const int square = back < 0 ? n : squares - 1 - n;
            const int i = square % t->squares_x, j = square / t->squares_x;
            lower_to(t, i, j, back, 0);
            for (int d = -1; d <= 1; d++)
                lower_to(t, i, j, d, back);
        }
}

bool rl_quadtree_get(rl_quadtree *tree, const double viewer[3], double near)
{
    const bool sees = near > 0.0 && isfinite(near) && isfinite(viewer[0]) && isfinite(viewer[1]) &&
                      isfinite(viewer[2]);
    if (sees) {
        const gaze g = {viewer[0] / RL_SQUARE, viewer[1] / RL_SQUARE, viewer[2] / RL_SQUARE,
                        near / RL_SQUARE};
        walk(tree, &g, 0, 0, tree->side);
        balance(tree);
    } else {
        memset(tree->next, 0, tree->bytes);
    }
    RL_ASSERT(tree->next[0] <= RL_MAX_DETAIL);
    const bool changed = memcmp(tree->level, tree->next, tree->bytes) != 0;
    memcpy(tree->level, tree->next, tree->bytes);
    return changed;
}

rl_quadtree_view rl_quadtree_squares(const rl_quadtree *tree)
{
    return (rl_quadtree_view){tree->squares_x, tree->squares_y, tree->level};
}
