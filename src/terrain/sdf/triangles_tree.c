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
    box b = empty_box();
    for (size_t t = 0; t < count; t++) {
        const float *c = corners + 9 * t;
        grow_by_point(&b, (float[]){middle(c, 0), middle(c, 1), middle(c, 2)});
    }
    cut c = {.axis = 0};
    for (int k = 1; k < 3; k++)
        if (b.high[k] - b.low[k] > b.high[c.axis] - b.low[c.axis])
            c.axis = k;
    const float width = b.high[c.axis] - b.low[c.axis];
    c.low = b.low[c.axis];
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

rill_status rl_triangle_tree_create(rill_triangles *mesh)
{
    const rill_allocator *allocator = &mesh->own.allocator;
    const size_t triangle_count = mesh->index_count / 3;
    rl_triangle_tree_destroy(allocator, &mesh->tree);
    rl_triangle_tree *tree = mesh->tree = rill_alloc(allocator, sizeof *tree);
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
        rl_triangle_tree_destroy(allocator, &mesh->tree);
        return rill_fail(RILL_NO_MEMORY, "no memory for a tree of %zu triangles", triangle_count);
    }
    for (size_t k = 0; k < 3 * triangle_count; k++)
        memcpy(tree->corners + 3 * k, mesh->vertices + 3 * (size_t)mesh->indices[k],
               3 * sizeof *tree->corners);
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

// ---- Queries ---------------------------------------------------------------------------
//
// Queries of the tree: the nearest triangle, and the winding number.
//
// The winding number of a surface about a point is the sum of the solid angles of its triangles
// over 4 pi (Jacobson, Kavan and Sorkine-Hornung, 2013). The solid angle W of a triangle with
// corners a, b, c seen from the origin obeys (van Oosterom and Strackee, 1983)
//
//     tan(W / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)
//
// that is, W / 2 is the argument of the complex number (denominator, numerator). A sum of arguments
// is the argument of a product plus whole turns, so triangles nearby cost a complex product each
// and one arc tangent altogether. Triangles far away are taken together (Barill and others, 2018):
// a node with area vector N around its centre c is seen under W = N . c / |c|^3.

#define PI 3.14159265358979323846

// A node is far when the point is this many times its reach away. The errors of taking such nodes
// as one add up to less than a tenth of a turn, and the decision is at half a turn.
#define FAR 2.0

// ---- Distance --------------------------------------------------------------------------

static double segment_distance2(const double from[3], const double along[3])
{
    // `from` leads from the start of the segment to the point.
    double t = rl_dot(from, along) / rl_dot(along, along);
    t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
    const double rest[3] = {from[0] - t * along[0], from[1] - t * along[1], from[2] - t * along[2]};
    return rl_dot(rest, rest);
}

// The foot of the point on the plane is a + v ab + w ac, by the normal equations. It is in the
// triangle, or beyond one or two of its edges, and then the nearer of these is nearest. All feet
// are points of the triangle, so that rounding can never make a distance too small.
static double triangle_distance2(const float *corners, const double point[3])
{
    const double corner[3] = {(double)corners[0], (double)corners[1], (double)corners[2]};
    const double from[3] = {point[0] - corner[0], point[1] - corner[1], point[2] - corner[2]};
    double ab[3], ac[3];
    rl_from(corner, corners + 3, ab);
    rl_from(corner, corners + 6, ac);
    const double bb = rl_dot(ab, ab), bc = rl_dot(ab, ac), cc = rl_dot(ac, ac);
    const double pb = rl_dot(from, ab), pc = rl_dot(from, ac);
    const double v = cc * pb - bc * pc, w = bb * pc - bc * pb, all = bb * cc - bc * bc;
    if (v >= 0.0 && w >= 0.0 && v + w <= all && all > 0.0) {
        const double part = 1.0 / all, x = v * part, y = w * part;
        const double rest[3] = {from[0] - x * ab[0] - y * ac[0], from[1] - x * ab[1] - y * ac[1],
                                from[2] - x * ab[2] - y * ac[2]};
        return rl_dot(rest, rest);
    }
    double best = HUGE_VAL;
    if (w < 0.0)
        best = segment_distance2(from, ab);
    if (v < 0.0)
        best = rl_lesser(segment_distance2(from, ac), best);
    if (v + w > all || best == HUGE_VAL) {
        const double from_b[3] = {from[0] - ab[0], from[1] - ab[1], from[2] - ab[2]};
        const double opposite[3] = {ac[0] - ab[0], ac[1] - ab[1], ac[2] - ab[2]};
        best = rl_lesser(segment_distance2(from_b, opposite), best);
    }
    return best;
}

static double box_distance2(const rl_tree_node *node, const double point[3])
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double below = (double)node->low[k] - point[k];
        const double above = point[k] - (double)node->high[k];
        double beyond = below > above ? below : above;
        beyond = beyond > 0.0 ? beyond : 0.0;
        sum += beyond * beyond;
    }
    return sum;
}

// The distance to a box is rounded, too: a box is passed over only when it is farther away beyond
// doubt, so that no order of visits can show in the last bit.
static bool may_be_nearer(double to_box, double best)
{
    return to_box <= best * (1.0 + 1e-12);
}

double rl_triangle_tree_nearest(const rl_triangle_tree *tree, const double point[3], double most)
{
    RL_ASSERT(most > 0.0 && tree->triangle_count > 0);
    struct {
        double distance2;
        uint32_t node;
    } stack[RL_TREE_DEPTH + 1];
    int waiting = 0;
    double best = most * most;
    uint32_t at = 0;
    double at_distance2 = box_distance2(&tree->nodes[0], point);
    for (;;) {
        const rl_tree_node *node = &tree->nodes[at];
        if (may_be_nearer(at_distance2, best)) {
            if (node->count == 0) {
                // Down to the nearer child; the other one waits.
                const uint32_t a = at + 1, b = node->first;
                const double to_a = box_distance2(&tree->nodes[a], point);
                const double to_b = box_distance2(&tree->nodes[b], point);
                const bool a_first = to_a <= to_b;
                stack[waiting].distance2 = a_first ? to_b : to_a;
                stack[waiting++].node = a_first ? b : a;
                at = a_first ? a : b;
                at_distance2 = a_first ? to_a : to_b;
                continue;
            }
            for (uint32_t t = node->first; t < node->first + node->count; t++)
                best = rl_lesser(triangle_distance2(tree->corners + 9 * (size_t)t, point), best);
        }
        if (waiting == 0)
            break;
        at = stack[--waiting].node;
        at_distance2 = stack[waiting].distance2;
    }
    return sqrt(best);
}

// ---- Winding number --------------------------------------------------------------------

// A sum of angles: the argument of (re, im), and whole turns.
typedef struct angle {
    double re, im, turns;
} angle;

static void add_angle(angle *sum, double re, double im)
{
    if (re == 0.0 && im == 0.0)
        return; // the point is on the rim of the triangle, which then has no angle
    const double product_re = sum->re * re - sum->im * im;
    const double product_im = sum->re * im + sum->im * re;
    // Two angles of one sign may together pass half a turn; the argument then comes back on the
    // other side. Above: in (0, pi]; below: in (-pi, 0).
    const bool above = im > 0.0 || (im == 0.0 && re < 0.0);
    const bool sum_above = sum->im > 0.0 || (sum->im == 0.0 && sum->re < 0.0);
    const bool product_above = product_im > 0.0 || (product_im == 0.0 && product_re < 0.0);
    if (above && sum_above && !product_above)
        sum->turns += 1.0;
    else if (im < 0.0 && sum->im < 0.0 && !(product_im < 0.0))
        sum->turns -= 1.0;
    const double size = fabs(product_re) + fabs(product_im);
    const double scale = size < 1e-100 || size > 1e100 ? 1.0 / size : 1.0;
    sum->re = product_re * scale;
    sum->im = product_im * scale;
}

static void add_triangle(angle *sum, const float *corners, const double point[3])
{
    double a[3], b[3], c[3], normal[3];
    rl_from(point, corners, a);
    rl_from(point, corners + 3, b);
    rl_from(point, corners + 6, c);
    rl_cross(b, c, normal);
    const double la = sqrt(rl_dot(a, a)), lb = sqrt(rl_dot(b, b)), lc = sqrt(rl_dot(c, c));
    add_angle(sum, la * lb * lc + rl_dot(a, b) * lc + rl_dot(b, c) * la + rl_dot(c, a) * lb,
              rl_dot(a, normal));
}

double rl_triangle_tree_winding(const rl_triangle_tree *tree, const double point[3])
{
    uint32_t stack[RL_TREE_DEPTH + 2];
    int waiting = 0;
    angle near = {1.0, 0.0, 0.0}; // of halves of solid angles
    double far = 0.0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        const uint32_t at = stack[--waiting];
        const rl_tree_node *node = &tree->nodes[at];
        const rl_tree_far *whole = &tree->far[at];
        double to[3];
        rl_from(point, whole->centre, to);
        const double distance2 = rl_dot(to, to), reach = FAR * (double)whole->reach;
        if (distance2 > reach * reach) {
            const double normal[3] = {(double)whole->normal[0], (double)whole->normal[1],
                                      (double)whole->normal[2]};
            far += rl_dot(normal, to) / (distance2 * sqrt(distance2));
        } else if (node->count > 0) {
            for (uint32_t t = node->first; t < node->first + node->count; t++)
                add_triangle(&near, tree->corners + 9 * (size_t)t, point);
        } else {
            stack[waiting++] = node->first;
            stack[waiting++] = at + 1;
        }
    }
    return (0.5 * far + atan2(near.im, near.re)) / (2.0 * PI) + near.turns;
}
