// SPDX-License-Identifier: MIT
// engine_peaks.c - ground that sticks into a body: cell centres inside it that no corner of the
// body would find, such as a stone under the middle of a plank. The body is pushed off along the
// normal of the face that is the shortest way out.
#include "bodies/rigid/engine.h"

#include "bodies/shape/body_shape.h"

#define FAR 1e30 // metres

// A cell centre inside the body, and the deepest of each quarter around the body's middle.
typedef struct peak {
    int i, j;
    double point[3];
    double out[3]; // from the body's middle, in its own axes
} peak;

typedef struct peak_search {
    rl_relief relief;
    const rl_body *body;
    rl_contact quarter[4];
} peak_search;

// Whether the ground falls away from a cell centre on all sides, as a face with this normal sees
// it. Where it does not the body touches somewhere else first: on even ground nothing sticks out.
static bool sticks_out(const rl_relief *r, int i, int j, const double normal[3])
{
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const double height = (double)rill_field_row(r->bed, j)[i], slack = 1e-3 * r->cell_size;
    for (int n = 0; n < 4; n++) {
        const int k = i + steps[n][0], l = j + steps[n][1];
        if (k < 0 || k >= r->bed->nx || l < 0 || l >= r->bed->ny)
            continue;
        const double rise = (double)rill_field_row(r->bed, l)[k] - height;
        const double along = (steps[n][0] * normal[0] + steps[n][1] * normal[1]) * r->cell_size;
        if (along + rise * normal[2] > slack)
            return false;
    }
    return true;
}

// Takes a face, in own axes, as the way out if no other is shorter.
static void try_face(const peak_search *search, const peak *p, const rl_way_out *way,
                     rl_contact *best)
{
    double normal[3];
    if (!(way->depth >= 0.0 && way->depth < best->depth))
        return;
    rl_body_turn(search->body->rotation, way->normal, normal);
    for (int a = 0; a < 3; a++)
        normal[a] = -normal[a];
    if (!sticks_out(&search->relief, p->i, p->j, normal))
        return;
    best->depth = way->depth;
    for (int a = 0; a < 3; a++) {
        best->normal[a] = normal[a];
        best->point[a] = p->point[a];
    }
}

static void keep_deepest(peak_search *search, const rl_contact *contact)
{
    const double *middle = search->body->position;
    rl_contact *best =
        &search->quarter[(contact->point[0] > middle[0]) + 2 * (contact->point[1] > middle[1])];
    if (contact->depth > best->depth)
        *best = *contact;
}

// The shortest way out of a shape that knows its ways out.
static void leave_simple(peak_search *search, const peak *p)
{
    const rill_body_def *def = &search->body->def;
    rl_contact best = {.depth = FAR};
    rl_way_out ways[RL_MAX_WAYS_OUT];
    const int count = rl_shape_of(def)->ways_out(def, p->out, ways);
    RL_ASSERT(count >= 0 && count <= RL_MAX_WAYS_OUT);
    for (int n = 0; n < count; n++)
        try_face(search, p, &ways[n], &best);
    if (best.depth < FAR)
        keep_deepest(search, &best);
}

static void raise_in_simple(peak_search *search, const double box[6])
{
    const rl_relief *r = &search->relief;
    const double *middle = search->body->position;
    int i0, i1, j0, j1;
    rl_relief_cells(box[0], box[1], r->cell_size, r->bed->nx, &i0, &i1);
    rl_relief_cells(box[2], box[3], r->cell_size, r->bed->ny, &j0, &j1);
    for (int j = j0; j < j1; j++) {
        const float *row = rill_field_row(r->bed, j);
        for (int i = i0; i < i1; i++) {
            const double height = (double)row[i];
            if (!(height > box[4] && height < box[5]))
                continue;
            peak p = {i, j, {(i + 0.5) * r->cell_size, (j + 0.5) * r->cell_size, height}, {0}};
            const double arm[3] = {p.point[0] - middle[0], p.point[1] - middle[1],
                                   height - middle[2]};
            rl_body_turn_back(search->body->rotation, arm, p.out);
            leave_simple(search, &p);
        }
    }
}

// Cell centres above one triangle that faces down.
static void raise_in_triangle(peak_search *search, double corner[3][3])
{
    const rl_relief *r = &search->relief;
    const double *a = corner[0];
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = corner[1][k] - a[k];
        v[k] = corner[2][k] - a[k];
    }
    const double n[3] = {u[2] * v[1] - u[1] * v[2], u[0] * v[2] - u[2] * v[0],
                         u[1] * v[0] - u[0] * v[1]}; // into the body
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(n[2] > 1e-6 * length))
        return;
    int i0, i1, j0, j1;
    rl_relief_cells(a[0] + fmin(0.0, fmin(u[0], v[0])), a[0] + fmax(0.0, fmax(u[0], v[0])),
                    r->cell_size, r->bed->nx, &i0, &i1);
    rl_relief_cells(a[1] + fmin(0.0, fmin(u[1], v[1])), a[1] + fmax(0.0, fmax(u[1], v[1])),
                    r->cell_size, r->bed->ny, &j0, &j1);
    rl_contact contact = {.normal = {n[0] / length, n[1] / length, n[2] / length}};
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            const double x = (i + 0.5) * r->cell_size - a[0], y = (j + 0.5) * r->cell_size - a[1];
            const double s = (y * v[0] - x * v[1]) / n[2], t = (x * u[1] - y * u[0]) / n[2];
            const double height = (double)rill_field_row(r->bed, j)[i];
            const double above = height - (a[2] + s * u[2] + t * v[2]);
            if (!(s >= 0.0 && t >= 0.0 && s + t <= 1.0 && above > 0.0) ||
                !sticks_out(r, i, j, contact.normal))
                continue;
            contact.depth = above * contact.normal[2];
            contact.point[0] = x + a[0];
            contact.point[1] = y + a[1];
            contact.point[2] = height;
            keep_deepest(search, &contact);
        }
}

static void raise_in_mesh(const rl_bodies *bodies, peak_search *search)
{
    const rl_body *body = search->body;
    const uint32_t *triangle = bodies->triangles + 3 * (size_t)body->first_triangle;
    for (int n = 0; n < body->triangle_count; n++, triangle += 3) {
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            double own[3];
            rl_body_own_vertex(bodies, body, triangle[k], own);
            rl_body_turn(body->rotation, own, corner[k]);
            for (int a = 0; a < 3; a++)
                corner[k][a] += body->position[a];
        }
        raise_in_triangle(search, corner);
    }
}

int rl_contacts_peaks(const rl_bodies *bodies, int n, const double box[6], const rl_relief *relief,
                      rl_contact out[4])
{
    peak_search search = {.relief = *relief, .body = &bodies->items[n]};
    if (rl_shape_of(&search.body->def)->ways_out != NULL)
        raise_in_simple(&search, box);
    else
        raise_in_mesh(bodies, &search);
    int count = 0;
    for (int k = 0; k < 4; k++)
        if (search.quarter[k].depth > 0.0)
            out[count++] = search.quarter[k];
    return count;
}
