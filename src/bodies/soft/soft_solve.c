// SPDX-License-Identifier: MIT
// soft_solve.c - constraints on positions (Mueller et al. 2007, Position Based Dynamics), with the
// compliance of Macklin et al. 2016 (XPBD), so that stiffness does not hang on the length of a
// step: a link that is alone is brought w / (w + compliance / dt^2) of its way.
//
// Few passes in many substeps come closest (Macklin et al. 2019): here two, there and back, with
// the air inside between them. A pass brings each link right in turn, which undoes some of those
// before it; as a linear map of the positions there and back is symmetric and has all eigenvalues
// m in [0, 1]. Then x' = m (2 x - old), which is what a substep does to each of its parts, has
// roots of size sqrt(m): nothing can grow. After one pass alone m may be complex, and it does.
//
// A stiffness s from 0 to 1 is a speed of sound in the material, c = SOUND s / (1 - s): a link of
// length l between vertices of 1/w kg has the compliance (l/c)^2 (w_a + w_b)/2, as in a string of
// such links. So a finer mesh of the same cloth is as stiff, and a heavier one stretches no more
// under its own weight. s = 1 is rigid, s = 0 no resistance at all. Cloth resists bending as
// squares of the side l_0 = SQUARE would: (l/c)^2 (l/l_0)^2 w, a bending stiffness of about density
// c^2 l_0^2 / 2 whatever its squares.
#include "bodies/soft/soft_internal.h"

#include "bodies/shape/body_shape.h"

#include <stdlib.h>

#define SOUND  10.0 // m/s at a stiffness of 1/2
#define SQUARE 0.1  // metres

#define TINY 1e-30 // so that links of no length do not divide by zero

// The air inside moves no vertex by more than this part of the body's reach in one pass: a ball
// that was pressed flat has hardly a slope to go by, and must not burst.
#define LARGEST_PUFF 0.05

// 1 / (c dt)^2; negative: it does not resist.
static double give_of(double stiffness, double dt)
{
    if (!(stiffness > 0.0))
        return -1.0;
    const double per_length = stiffness < 1.0 ? (1.0 - stiffness) / (SOUND * stiffness * dt) : 0.0;
    return per_length * per_length;
}

// Part of its way that a link is brought in one of two passes: together they leave what one whole
// step of XPBD would, compliance / (weight + compliance).
static double part_of_way(double weight, double compliance)
{
    return compliance > 0.0 ? 1.0 - sqrt(compliance / (weight + compliance)) : 1.0;
}

// Brings a link right: 1 - rest/length of the way, as (length^2 - rest^2)/(length^2 + rest^2),
// which is the same where the link is nearly right and has neither a root nor a pole.
static void hold(rl_soft *soft, const rl_soft_link *link, double give)
{
    const size_t a = link->a, b = link->b;
    const double weight_a = soft->weight[a], weight_b = soft->weight[b];
    const double weight = weight_a + weight_b;
    if (give < 0.0 || !(weight > 0.0))
        return;
    double *at = soft->x + 3 * a, *to = soft->x + 3 * b;
    double d[3];
    rl_vector_between(at, to, d);
    const double rest = (double)link->rest * (double)link->rest, square = rl_dot(d, d);
    const double compliance = 0.5 * give * rest * (soft->lightness[a] + soft->lightness[b]);
    const double part = part_of_way(weight, compliance);
    const double move = part * (square - rest) / (weight * (square + rest) + TINY);
    rl_vector_add(at, weight_a * move, d);
    rl_vector_add(to, -weight_b * move, d);
}

// Draws the middle between the far corners and a point of the edge between them together. They are
// one point while the cloth is flat, so this is a spring of no length; `height` is the distance of
// the far corners from the edge.
static void flatten(rl_soft *soft, const rl_soft_link *edge, const rl_soft_link *link,
                    double height, double give)
{
    const size_t vertices[4] = {edge->a, edge->b, link->a, link->b};
    const double along = (double)link->rest, part_of[4] = {1.0 - along, along, -0.5, -0.5};
    double weight = 0.0, apart[3] = {0.0, 0.0, 0.0};
    for (int n = 0; n < 4; n++) {
        weight += part_of[n] * part_of[n] * soft->weight[vertices[n]];
        rl_vector_add(apart, part_of[n], soft->x + 3 * vertices[n]);
    }
    if (give < 0.0 || !(weight > 0.0))
        return;
    const double light = 0.5 * (soft->lightness[edge->a] + soft->lightness[edge->b]);
    const double length = height * height / SQUARE, compliance = give * length * length * light;
    const double move = part_of_way(weight, compliance) / weight;
    for (int n = 0; n < 4; n++) {
        const double own = part_of[n] * soft->weight[vertices[n]] * move;
        rl_vector_add(soft->x + 3 * vertices[n], -own, apart);
    }
}

static void hold_links(rl_soft_work *w, bool backwards)
{
    const double bend = give_of(w->body->def.bend_stiffness, w->dt);
    const double stretch = give_of(w->body->def.stretch_stiffness, w->dt);
    RL_ASSERT(w->dt > 0.0 && w->links == 3 * w->triangles);
    const double triangle = w->area / w->triangles; // m^2: in a sheet all are the same
    for (int n = 0; n < w->links; n++) {
        const rl_soft_link *link = &w->link[backwards ? w->links - 1 - n : n];
        if (link->kind == RL_SOFT_FLAT)
            flatten(w->soft, link - 1, link, 2.0 * triangle / (double)link[-1].rest, bend);
        else
            hold(w->soft, link, link->kind == RL_SOFT_BEND ? bend : stretch);
    }
}

// Six times the volume, and its slope by every vertex: b x c for a vertex whose triangles have the
// other corners b and c.
static double find_slopes(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    for (int n = 0; n < 3 * w->vertices; n++)
        soft->slope[n] = 0.0;
    const double *from = soft->x; // corners are taken from the first vertex: smaller numbers
    double volume = 0.0;
    for (int t = 0; t < w->triangles; t++) {
        const uint32_t *corners = w->corners + 3 * (size_t)t;
        double p[3][3], across[3];
        for (int c = 0; c < 3; c++)
            rl_vector_between(from, soft->x + 3 * (size_t)corners[c], p[c]);
        for (int c = 0; c < 3; c++) {
            rl_cross(p[(c + 1) % 3], p[(c + 2) % 3], across);
            rl_vector_add(soft->slope + 3 * (size_t)corners[c], 1.0, across);
            volume += c == 0 ? rl_dot(p[0], across) : 0.0;
        }
    }
    return volume;
}

// The air keeps the volume at `pressure` times what it was at rest.
static void fill_with_air(rl_soft_work *w)
{
    rl_soft *soft = w->soft;
    const double lack = 6.0 * w->body->volume * w->body->def.pressure - find_slopes(w);
    double sum = 0.0, steepest = 0.0;
    for (int v = 0; v < w->vertices; v++) {
        const double *slope = soft->slope + 3 * (size_t)v;
        const double square = rl_dot(slope, slope), weight = soft->weight[v];
        sum += weight * square;
        steepest = weight * weight * square > steepest ? weight * weight * square : steepest;
    }
    const double largest = LARGEST_PUFF * w->body->reach;
    double move = sum > 0.0 ? lack / sum : 0.0;
    if (!(move * move * steepest < largest * largest))
        move = steepest > 0.0 ? (move > 0.0 ? largest : -largest) / sqrt(steepest) : 0.0;
    for (size_t v = 0; v < (size_t)w->vertices; v++)
        rl_vector_add(soft->x + 3 * v, soft->weight[v] * move, soft->slope + 3 * v);
}

void rl_soft_solve(rl_soft_work *work)
{
    hold_links(work, false);
    if (!work->sheet && work->body->def.pressure > 0.0)
        fill_with_air(work);
    hold_links(work, true);
}

// ---- Finding links ---------------------------------------------------------------------
//
// Which vertices of a soft body hold each other. Every edge of a triangle is a link
// that resists stretching, and with the diagonals of its squares a cloth resists shearing too. The
// far corners of two triangles at one edge make a link that resists bending: by their distance in a
// curved surface; a sheet wants to be flat, of which their distance would tell nothing, as it does
// not change at first when it bends.
//
// Each corner of a triangle faces one edge. Sorted by edge, k corners at the same edge make one
// link along it and k - 1 across: three links a triangle in all, whatever the mesh, in the places
// where the corners were.

static int compare_links(const void *one, const void *two)
{
    const rl_soft_link *p = one, *q = two;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->kind > q->kind) - (p->kind < q->kind);
}

static double distance(const float *rest, uint32_t a, uint32_t b)
{
    double p[3], q[3];
    rl_vertex_at(rest, a, p);
    rl_vertex_at(rest, b, q);
    return sqrt(rl_square_distance(p, q));
}

// The link between the far corners c and d of two triangles of a sheet at the edge ab.
static rl_soft_link across_cloth(const float *rest, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    double along = 0.0, square = 0.0;
    for (size_t k = 0; k < 3; k++) {
        const double from = (double)rest[3 * (size_t)a + k];
        const double edge = (double)rest[3 * (size_t)b + k] - from;
        const double middle =
            0.5 * ((double)rest[3 * (size_t)c + k] + (double)rest[3 * (size_t)d + k]);
        along += edge * (middle - from);
        square += edge * edge;
    }
    return (rl_soft_link){c, d, RL_SOFT_FLAT, (float)(along / square)};
}

void rl_soft_find_links(const rl_body *body, const float *rest, const uint32_t *corners,
                        rl_soft_link *links)
{
    const size_t count = 3 * (size_t)body->triangle_count;
    for (size_t n = 0; n < count; n++) {
        const uint32_t *triangle = corners + n / 3 * 3;
        const uint32_t a = triangle[(n + 1) % 3], b = triangle[(n + 2) % 3];
        links[n] = (rl_soft_link){a < b ? a : b, a < b ? b : a, triangle[n % 3], 0.0f};
    }
    qsort(links, count, sizeof *links, compare_links);
    RL_ASSERT(count > 0);
    const bool sheet = rl_shape_is_open(body);
    for (size_t n = 0; n < count;) {
        const uint32_t a = links[n].a, b = links[n].b;
        uint32_t corner = links[n].kind;
        links[n] = (rl_soft_link){a, b, RL_SOFT_STRETCH, (float)distance(rest, a, b)};
        for (n++; n < count && links[n].a == a && links[n].b == b; n++) {
            const uint32_t other = links[n].kind;
            if (sheet)
                links[n] = across_cloth(rest, a, b, corner, other);
            else
                links[n] = (rl_soft_link){corner, other, RL_SOFT_BEND,
                                          (float)distance(rest, corner, other)};
            corner = other;
        }
    }
}

// ---- Damping ---------------------------------------------------------------------------
//
// The part of a soft body's motion that a rigid one would have, and the loss of the
// rest (Mueller et al. 2007, section 3.5): momentum and angular momentum stay as they are.

#define INNER 1.0 // 1/s: how fast motion within the body dies

// The same for a ball of no bounce that is being squashed, 1/s. Its links, stiff as they are, store
// the blow for a moment and give it back: what it does not keep of a fall must be lost here.
#define SQUASH 500.0

// Vertices on a line do not resist turning about it: below this part the matrix is singular.
#define SINGULAR 1e-9

// Solves I a = angular for the inertia I of the vertices about a point, by Cramer's rule.
void rl_soft_find_turn(const rl_soft_work *work, const double about[3], const double angular[3],
                       double out[3])
{
    const rl_soft *soft = work->soft;
    double row[3][3] = {{0.0}}, cross[3][3], largest = 0.0;
    for (int v = 0; v < work->vertices; v++) {
        double arm[3];
        rl_vector_between(about, soft->x + 3 * (size_t)v, arm);
        const double square = rl_dot(arm, arm), mass = soft->mass[v];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l <= k; l++)
                row[k][l] += mass * ((k == l ? square : 0.0) - arm[k] * arm[l]);
    }
    row[0][1] = row[1][0];
    row[0][2] = row[2][0];
    row[1][2] = row[2][1];
    for (int k = 0; k < 3; k++) {
        rl_cross(row[(k + 1) % 3], row[(k + 2) % 3], cross[k]);
        largest = row[k][k] > largest ? row[k][k] : largest;
    }
    const double volume = rl_dot(row[0], cross[0]);
    const bool singular = !(volume > SINGULAR * largest * largest * largest);
    for (int k = 0; k < 3; k++) // symmetric: the crossed rows are also the columns of the inverse
        out[k] = singular ? 0.0 : rl_dot(cross[k], angular) / volume;
}

rl_soft_whole rl_soft_find_whole(const rl_soft_work *work, const double *field)
{
    const rl_soft *soft = work->soft;
    rl_soft_whole whole = {.centre = {0.0, 0.0, 0.0}};
    double mass = 0.0, angular[3] = {0.0, 0.0, 0.0};
    for (int v = 0; v < work->vertices; v++) {
        mass += soft->mass[v];
        rl_vector_add(whole.centre, soft->mass[v], soft->x + 3 * (size_t)v);
        rl_vector_add(whole.mean, soft->mass[v], field + 3 * (size_t)v);
    }
    RL_ASSERT(mass > 0.0);
    for (int k = 0; k < 3; k++) {
        whole.centre[k] /= mass;
        whole.mean[k] /= mass;
    }
    for (int v = 0; v < work->vertices; v++) {
        double arm[3], beside[3], turning[3];
        rl_vector_between(whole.centre, soft->x + 3 * (size_t)v, arm);
        rl_vector_between(whole.mean, field + 3 * (size_t)v, beside);
        rl_cross(arm, beside, turning);
        rl_vector_add(angular, soft->mass[v], turning);
    }
    rl_soft_find_turn(work, whole.centre, angular, whole.turn);
    return whole;
}

static bool is_touching(const rl_soft_work *w)
{
    for (int v = 0; v < w->vertices; v++)
        if (w->soft->touch[v].touches)
            return true;
    return false;
}

void rl_soft_damp(rl_soft_work *work)
{
    rl_soft *soft = work->soft;
    const bool squashed = !work->sheet && is_touching(work);
    const double rate = INNER + (squashed ? SQUASH * (1.0 - work->body->def.bounce) : 0.0);
    const double part = work->dt * rate / (1.0 + work->dt * rate);
    RL_ASSERT(part >= 0.0 && part < 1.0);
    const rl_soft_whole whole = rl_soft_find_whole(work, soft->v);
    for (int v = 0; v < work->vertices; v++) {
        double rigid[3];
        rl_soft_whole_at(&whole, soft->x + 3 * (size_t)v, rigid);
        for (int k = 0; k < 3; k++)
            soft->v[3 * v + k] += part * (rigid[k] - soft->v[3 * v + k]);
    }
}
