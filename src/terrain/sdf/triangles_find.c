// SPDX-License-Identifier: MIT
// triangles_find.c - queries of the tree: the nearest triangle, and the winding number.
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
#include "terrain/sdf/triangles.h"

#define PI 3.14159265358979323846

// A node is far when the point is this many times its reach away. The errors of taking such nodes
// as one add up to less than a tenth of a turn, and the decision is at half a turn.
#define FAR 2.0

// ---- Distance --------------------------------------------------------------------------

// Is not fmin, which has to handle NaN and is a call.
static inline double smaller(double a, double b)
{
    return b < a ? b : a;
}

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
        best = smaller(best, segment_distance2(from, ac));
    if (v + w > all || best == HUGE_VAL) {
        const double from_b[3] = {from[0] - ab[0], from[1] - ab[1], from[2] - ab[2]};
        const double opposite[3] = {ac[0] - ab[0], ac[1] - ab[1], ac[2] - ab[2]};
        best = smaller(best, segment_distance2(from_b, opposite));
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
static bool may_be_nearer(double box, double best)
{
    return box <= best * (1.0 + 1e-12);
}

double rl_triangle_tree_nearest(const rl_triangle_tree *tree, const double point[3], double cut)
{
    RL_ASSERT(cut > 0.0 && tree->triangle_count > 0);
    struct {
        double distance2;
        uint32_t node;
    } stack[RL_TREE_DEPTH + 1];
    int waiting = 0;
    double best = cut * cut;
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
                best = smaller(best, triangle_distance2(tree->corners + 9 * (size_t)t, point));
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
