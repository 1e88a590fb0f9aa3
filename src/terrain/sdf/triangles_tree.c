// SPDX-License-Identifier: MIT
// triangles_tree.c - builds the tree of boxes. Triangles are parted in two, and each half again,
// where the surface-area rule expects the fewest tests: a query meets a box with a probability
// proportional to the area of the box, so the sum of (area of box) x (triangles in it) over both
// halves is to be small (MacDonald and Booth, 1990). Corners lie in the order of the leaves, so
// that a leaf is one stretch of memory.
#include "terrain/sdf/triangles.h"

#include <string.h>

#define BINS 16

// Below this depth halves have the same size, which bounds the depth of the whole tree: 2^32
// triangles need 32 levels more.
#define LAST_UNEVEN_DEPTH (RL_TREE_DEPTH - 34)

_Static_assert(sizeof(rl_tree_node) == 32 && sizeof(rl_tree_far) == 32, "half a cache line each");

typedef struct box {
    float low[3], high[3];
} box;

static box empty_box(void)
{
    return (box){{HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}};
}

static void grow_by_point(box *b, const float point[3])
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = point[k] < b->low[k] ? point[k] : b->low[k];
        b->high[k] = point[k] > b->high[k] ? point[k] : b->high[k];
    }
}

static void grow_by_box(box *b, const box *other)
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = other->low[k] < b->low[k] ? other->low[k] : b->low[k];
        b->high[k] = other->high[k] > b->high[k] ? other->high[k] : b->high[k];
    }
}

static void grow_by_triangle(box *b, const float *corners)
{
    grow_by_point(b, corners);
    grow_by_point(b, corners + 3);
    grow_by_point(b, corners + 6);
}

static double half_area(const box *b)
{
    const double x = (double)b->high[0] - (double)b->low[0];
    const double y = (double)b->high[1] - (double)b->low[1];
    const double z = (double)b->high[2] - (double)b->low[2];
    return x < 0.0 ? 0.0 : x * y + y * z + z * x;
}

// Returns three times the middle of a triangle; the factor changes no comparison.
static float middle(const float *corners, int axis)
{
    return corners[axis] + corners[3 + axis] + corners[6 + axis];
}

// ---- What a node knows about its triangles ---------------------------------------------

static void measure(rl_tree_node *node, rl_tree_far *far, const float *corners, size_t count)
{
    box bounds = empty_box();
    double normal[3] = {0.0, 0.0, 0.0}, centre[3] = {0.0, 0.0, 0.0}, area = 0.0, reach = 0.0;
    for (size_t t = 0; t < count; t++) {
        const float *c = corners + 9 * t;
        double n[3];
        rl_triangle_normal(c, c + 3, c + 6, n);
        const double twice = sqrt(rl_dot(n, n));
        area += twice;
        for (int k = 0; k < 3; k++) {
            normal[k] += 0.5 * n[k];
            centre[k] += twice * ((double)c[k] + (double)c[3 + k] + (double)c[6 + k]) / 3.0;
        }
        grow_by_triangle(&bounds, c);
    }
    for (int k = 0; k < 3; k++) {
        node->low[k] = bounds.low[k];
        node->high[k] = bounds.high[k];
        far->normal[k] = (float)normal[k];
        far->centre[k] = (float)(centre[k] / area);
        centre[k] = (double)far->centre[k];
    }
    for (size_t v = 0; v < 3 * count; v++) {
        double to[3];
        rl_from(centre, corners + 3 * v, to);
        reach = fmax(reach, rl_dot(to, to));
    }
    far->reach = (float)sqrt(reach);
}

// ---- Parting ---------------------------------------------------------------------------

typedef struct cut {
    int axis;
    float low, scale; // bin = (middle - low) * scale
    int bin;          // the first of the second half
} cut;

static int bin_of(const cut *c, const float *corners)
{
    const int bin = (int)((middle(corners, c->axis) - c->low) * c->scale);
    return bin < BINS ? bin : BINS - 1;
}

// Finds the best place between two bins, or returns false when all triangles lie in one.
static bool choose_bin(cut *c, const float *corners, size_t count)
{
    RL_ASSERT(count > 1);
    box boxes[BINS];
    size_t counts[BINS] = {0};
    for (int b = 0; b < BINS; b++)
        boxes[b] = empty_box();
    for (size_t t = 0; t < count; t++) {
        const int b = bin_of(c, corners + 9 * t);
        counts[b]++;
        grow_by_triangle(&boxes[b], corners + 9 * t);
    }
    double after[BINS]; // cost of the bins from b on
    box right = empty_box(), left = empty_box();
    size_t right_count = 0, left_count = 0;
    for (int b = BINS - 1; b > 0; b--) {
        grow_by_box(&right, &boxes[b]);
        right_count += counts[b];
        after[b] = half_area(&right) * (double)right_count;
    }
    double best = HUGE_VAL;
    for (int b = 1; b < BINS; b++) {
        grow_by_box(&left, &boxes[b - 1]);
        left_count += counts[b - 1];
        const double cost = half_area(&left) * (double)left_count + after[b];
        if (left_count > 0 && left_count < count && cost < best) {
            best = cost;
            c->bin = b;
        }
    }
    return best < HUGE_VAL;
}

static void swap_triangles(float *a, float *b)
{
    float aside[9];
    memcpy(aside, a, sizeof aside);
    memcpy(a, b, sizeof aside);
    memcpy(b, aside, sizeof aside);
}

// Reorders the triangles and returns how many are in the first half.
static size_t part(float *corners, size_t count, int depth)
{
    RL_ASSERT(count > RL_TREE_LEAF);
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF},
          high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (size_t t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            const float m = middle(corners + 9 * t, k);
            low[k] = m < low[k] ? m : low[k];
            high[k] = m > high[k] ? m : high[k];
        }
    cut c = {.axis = 0};
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[c.axis] - low[c.axis])
            c.axis = k;
    const float width = high[c.axis] - low[c.axis];
    c.low = low[c.axis];
    c.scale = (float)BINS / width;
    if (depth >= LAST_UNEVEN_DEPTH || !(width > 0.0f) || !isfinite(c.scale) ||
        !choose_bin(&c, corners, count))
        return count / 2;
    size_t first = 0, end = count;
    while (first < end) {
        if (bin_of(&c, corners + 9 * first) < c.bin)
            first++;
        else
            swap_triangles(corners + 9 * first, corners + 9 * --end);
    }
    return first;
}

typedef struct range {
    size_t first, count;
    uint32_t parent; // whose second child this is, or RL_NO_TRIANGLE
    int depth;
} range;

// A parent lies before its first child and that before all of the second one.
static void build(rl_triangle_tree *tree)
{
    range stack[RL_TREE_DEPTH + 2];
    int waiting = 0;
    stack[waiting++] = (range){0, tree->triangle_count, RL_NO_TRIANGLE, 0};
    while (waiting > 0) {
        const range r = stack[--waiting];
        const uint32_t index = (uint32_t)tree->node_count++;
        rl_tree_node *node = &tree->nodes[index];
        float *corners = tree->corners + 9 * r.first;
        measure(node, &tree->far[index], corners, r.count);
        if (r.parent != RL_NO_TRIANGLE)
            tree->nodes[r.parent].first = index;
        if (r.count <= RL_TREE_LEAF) {
            node->count = (uint32_t)r.count;
            node->first = (uint32_t)r.first;
            continue;
        }
        const size_t half = part(corners, r.count, r.depth);
        stack[waiting++] = (range){r.first + half, r.count - half, index, r.depth + 1};
        stack[waiting++] = (range){r.first, half, RL_NO_TRIANGLE, r.depth + 1};
    }
}

// ---- Create and destroy ----------------------------------------------------------------

// Most trees need a third of the nodes that the worst one would. Without memory for the move the
// large block serves as well.
static void *shrink(const rill_allocator *allocator, void *memory, size_t bytes, size_t *out_bytes)
{
    void *moved = rill_realloc(allocator, memory, *out_bytes, bytes);
    if (moved == NULL)
        return memory;
    *out_bytes = bytes;
    return moved;
}

rill_status rl_triangle_tree_create(const rill_allocator *allocator, const float *vertices,
                                    const uint32_t *indices, size_t triangle_count,
                                    rl_triangle_tree **out)
{
    rl_triangle_tree *tree = rill_alloc(allocator, sizeof *tree);
    *out = tree;
    if (tree == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for a tree of triangles");
    tree->triangle_count = triangle_count;
    tree->corner_bytes = triangle_count * 9 * sizeof *tree->corners;
    tree->node_bytes = 2 * triangle_count * sizeof *tree->nodes;
    tree->far_bytes = 2 * triangle_count * sizeof *tree->far;
    tree->corners = rill_alloc(allocator, tree->corner_bytes);
    tree->nodes = rill_alloc(allocator, tree->node_bytes);
    tree->far = rill_alloc(allocator, tree->far_bytes);
    if (tree->corners == NULL || tree->nodes == NULL || tree->far == NULL) {
        rl_triangle_tree_destroy(allocator, out);
        return rill_fail(RILL_NO_MEMORY, "no memory for a tree of %zu triangles", triangle_count);
    }
    for (size_t k = 0; k < 3 * triangle_count; k++)
        memcpy(tree->corners + 3 * k, vertices + 3 * (size_t)indices[k], 3 * sizeof *vertices);
    build(tree);
    tree->nodes =
        shrink(allocator, tree->nodes, tree->node_count * sizeof *tree->nodes, &tree->node_bytes);
    tree->far =
        shrink(allocator, tree->far, tree->node_count * sizeof *tree->far, &tree->far_bytes);
    return RILL_OK;
}

void rl_triangle_tree_destroy(const rill_allocator *allocator, rl_triangle_tree **tree)
{
    rl_triangle_tree *t = *tree;
    if (t == NULL)
        return;
    rill_free(allocator, t->corners, t->corner_bytes);
    rill_free(allocator, t->nodes, t->node_bytes);
    rill_free(allocator, t->far, t->far_bytes);
    rill_free(allocator, t, sizeof *t);
    *tree = NULL;
}
