// SPDX-License-Identifier: MIT
// engine_contacts.c - rigid bodies against the ground and against the fence around the world. The
// ground is the bilinear surface through the elevations at cell centres. Two things touch: points
// of the body below the ground (along the edges of a box, the lowest points of a round body,
// vertices of a mesh), pushed out along the normal of the ground; and cell centres inside the body,
// where the ground sticks out, along the normal of the body's face. A body that is
// under the ground altogether is lifted too, so nothing falls through, however fast or thin.
//
// On an uneven bed the height field of ODE makes a contact for nearly every cell below a body: a
// hundred for a crate as wide as ten cells, where four hold it.
#include "bodies/rigid/engine.h"

#include "bodies/shape/body_shape.h"
#include "core/prefetch.h"

#include <string.h>

#define CANDIDATES 64   // of one body before they are thinned
#define LINE       16   // cells of a cache line
#define FAR        1e30 // metres

typedef struct candidates {
    rl_contact list[CANDIDATES];
    int count;
} candidates;

// When the list is full it takes the place of the shallowest.
static void add(candidates *c, const rl_contact *contact)
{
    int place = c->count;
    if (place == CANDIDATES) {
        place = 0;
        for (int n = 1; n < CANDIDATES; n++)
            if (c->list[n].depth < c->list[place].depth)
                place = n;
        if (!(contact->depth > c->list[place].depth))
            return;
    } else {
        c->count++;
    }
    c->list[place] = *contact;
}

static void swap(rl_contact *a, rl_contact *b)
{
    const rl_contact kept = *a;
    *a = *b;
    *b = kept;
}

int rl_contacts_thin(rl_contact *contacts, int count, int most, double reach)
{
    RL_ASSERT(count >= 0 && most > 0 && reach > 0.0);
    if (count == 0)
        return 0;
    int deepest = 0;
    for (int n = 1; n < count; n++)
        if (contacts[n].depth > contacts[deepest].depth)
            deepest = n;
    swap(&contacts[0], &contacts[deepest]);
    const double nearest = 1e-4 * reach * reach; // one hundredth of its size apart
    int kept = 1;
    while (kept < most) {
        double best = nearest;
        int chosen = -1;
        for (int n = kept; n < count; n++) {
            double distance = rl_square_distance(contacts[n].point, contacts[0].point);
            for (int k = 1; k < kept; k++)
                distance = fmin(distance, rl_square_distance(contacts[n].point, contacts[k].point));
            if (distance > best) {
                best = distance;
                chosen = n;
            }
        }
        if (chosen < 0)
            break;
        swap(&contacts[kept++], &contacts[chosen]);
    }
    return kept;
}

static int take_best(candidates *found, double reach, rl_contact out[RL_MOST_CONTACTS])
{
    const int count = rl_contacts_thin(found->list, found->count, RL_MOST_CONTACTS, reach);
    memcpy(out, found->list, (size_t)count * sizeof *out);
    return count;
}

// ---- Points of a body ------------------------------------------------------------------

static void take_points(const rl_bodies *bodies, const rl_body *body, const double normal[3],
                        const rl_point_sink *to)
{
    const rl_shape *shape = rl_shape_of(&body->def);
    if (shape->touch_points != NULL) {
        shape->touch_points(body, normal, bodies->cell_size, to);
        return;
    }
    for (int v = 0; v < body->vertex_count; v++) {
        double own[3];
        rl_vertex_at(bodies->rest, (size_t)(body->first_vertex + v), own);
        rl_shape_take_own(body, own, to);
    }
}

// ---- The ground ------------------------------------------------------------------------

typedef struct relief {
    const rill_field *bed; // elevations at cell centres
    double cell_size;
} relief;

// Cells [*first, *end) whose centres lie between two places, along an axis.
static void cells_along(double low, double high, double cell_size, int count, int *first, int *end)
{
    const double from = ceil(low / cell_size - 0.5), to = floor(high / cell_size - 0.5) + 1.0;
    *first = from > 0.0 ? (int)fmin(from, count) : 0;
    *end = to > 0.0 ? (int)fmin(to, count) : 0;
}

// Cells with their centres in a box: least and greatest x, y.
static rl_box cells_within(const relief *r, const double box[4])
{
    rl_box cells;
    cells_along(box[0], box[1], r->cell_size, r->bed->nx, &cells.i0, &cells.i1);
    cells_along(box[2], box[3], r->cell_size, r->bed->ny, &cells.j0, &cells.j1);
    return cells;
}

// Cells beside a place along one axis, and the weight of the second one; past the ends the ground
// goes on level.
static double weight_of(double place, double cell_size, int count, int *first, int *second)
{
    const double cells = place / cell_size - 0.5;
    *first = cells > 0.0 ? (cells < count - 1 ? (int)cells : count - 1) : 0;
    *second = *first + 1 < count ? *first + 1 : *first;
    return cells > 0.0 ? fmin(cells - *first, 1.0) : 0.0;
}

// Height of the ground and its normal at a place.
static double ground_at(const relief *r, double x, double y, double normal[3])
{
    int i0, i1, j0, j1;
    const double u = weight_of(x, r->cell_size, r->bed->nx, &i0, &i1);
    const double v = weight_of(y, r->cell_size, r->bed->ny, &j0, &j1);
    const float *low = rill_field_row(r->bed, j0), *high = rill_field_row(r->bed, j1);
    const double a = (double)low[i0], b = (double)low[i1], c = (double)high[i0],
                 d = (double)high[i1];
    const double slope_x = ((1.0 - v) * (b - a) + v * (d - c)) / r->cell_size;
    const double slope_y = ((1.0 - u) * (c - a) + u * (d - b)) / r->cell_size;
    const double scale = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    normal[0] = -slope_x * scale;
    normal[1] = -slope_y * scale;
    normal[2] = scale;
    return (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d);
}

// Cells below a body and around it. Outside the grid the nearest count.
static rl_box cells_below(const relief *r, const double box[6])
{
    const int nx = r->bed->nx, ny = r->bed->ny;
    const double more = r->cell_size;
    rl_box cells = cells_within(
        r, (const double[4]){box[0] - more, box[1] + more, box[2] - more, box[3] + more});
    cells.i0 = cells.i0 < nx ? cells.i0 : nx - 1;
    cells.j0 = cells.j0 < ny ? cells.j0 : ny - 1;
    cells.i1 = cells.i1 > cells.i0 ? cells.i1 : cells.i0 + 1;
    cells.j1 = cells.j1 > cells.j0 ? cells.j1 : cells.j0 + 1;
    return cells;
}

static bool is_close_to_ground(const relief *r, const double box[6])
{
    const rl_box cells = cells_below(r, box);
    for (int j = cells.j0; j < cells.j1; j++) {
        const float *row = rill_field_row(r->bed, j);
        for (int i = cells.i0; i < cells.i1; i++)
            if ((double)row[i] >= box[4])
                return true;
    }
    return false;
}

void rl_contacts_prefetch(const rl_bodies *bodies, const double box[6],
                          const rl_body_ground *ground)
{
    const relief here = {ground->bed, bodies->cell_size};
    if (ground->bed == NULL)
        return;
    const rl_box cells = cells_below(&here, box);
    for (int j = cells.j0; j < cells.j1; j++)
        for (int i = cells.i0; i < cells.i1 + LINE - 1; i += LINE)
            RL_PREFETCH(rill_field_row(ground->bed, j) + i);
}

// ---- Ground that sticks into a body ----------------------------------------------------
//
// Cell centres inside a body that no corner of it would find, such as a stone under the middle of a
// plank. The body is pushed off along the normal of the face that is the shortest way out.

// A cell centre inside the body, and the deepest of each quarter around the body's middle.
typedef struct peak {
    int i, j;
    double point[3];
    double out[3]; // from the body's middle, in its own axes
} peak;

typedef struct peak_search {
    relief relief;
    const rl_body *body;
    rl_contact quarter[4];
} peak_search;

// Whether the ground falls away from a cell centre on all sides, as a face with this normal sees
// it. Where it does not the body touches somewhere else first: on even ground nothing sticks out.
static bool sticks_out(const relief *r, int i, int j, const double normal[3])
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
    for (int n = 0; n < count; n++) {
        double normal[3];
        if (!(ways[n].depth >= 0.0 && ways[n].depth < best.depth))
            continue;
        rl_body_turn(search->body->rotation, ways[n].normal, normal);
        for (int a = 0; a < 3; a++)
            normal[a] = -normal[a];
        if (!sticks_out(&search->relief, p->i, p->j, normal))
            continue;
        best.depth = ways[n].depth;
        memcpy(best.normal, normal, sizeof normal);
        memcpy(best.point, p->point, sizeof p->point);
    }
    if (best.depth < FAR)
        keep_deepest(search, &best);
}

static void raise_in_simple(peak_search *search, const double box[6])
{
    const relief *r = &search->relief;
    const double *middle = search->body->position;
    const rl_box cells = cells_within(r, box);
    for (int j = cells.j0; j < cells.j1; j++) {
        const float *row = rill_field_row(r->bed, j);
        for (int i = cells.i0; i < cells.i1; i++) {
            const double height = (double)row[i];
            if (!(height > box[4] && height < box[5]))
                continue;
            peak p = {i, j, {(i + 0.5) * r->cell_size, (j + 0.5) * r->cell_size, height}, {0}};
            double arm[3];
            rl_vector_between(middle, p.point, arm);
            rl_body_turn_back(search->body->rotation, arm, p.out);
            leave_simple(search, &p);
        }
    }
}

// Cell centres above one triangle that faces down.
static void raise_in_triangle(peak_search *search, double corner[3][3])
{
    const relief *r = &search->relief;
    const double *a = corner[0];
    double u[3], v[3], n[3];
    rl_vector_between(a, corner[1], u);
    rl_vector_between(a, corner[2], v);
    rl_cross(v, u, n); // into the body
    const double length = sqrt(rl_dot(n, n));
    if (!(n[2] > 1e-6 * length))
        return;
    double box[4];
    for (int k = 0; k < 2; k++) {
        box[2 * k] = a[k] + fmin(0.0, fmin(u[k], v[k]));
        box[2 * k + 1] = a[k] + fmax(0.0, fmax(u[k], v[k]));
    }
    const rl_box cells = cells_within(r, box);
    rl_contact contact = {.normal = {n[0] / length, n[1] / length, n[2] / length}};
    for (int j = cells.j0; j < cells.j1; j++)
        for (int i = cells.i0; i < cells.i1; i++) {
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
            rl_vertex_at(bodies->rest, (size_t)body->first_vertex + triangle[k], own);
            rl_body_turn(body->rotation, own, corner[k]);
            rl_vector_add(corner[k], 1.0, body->position);
        }
        raise_in_triangle(search, corner);
    }
}

// The deepest of each quarter around the middle of the body, so at most 4; returns their number.
static int find_peaks(const rl_bodies *bodies, int n, const double box[6], const relief *ground,
                      rl_contact out[4])
{
    peak_search search = {.relief = *ground, .body = &bodies->items[n]};
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

// ---- Contacts with the ground ----------------------------------------------------------

typedef struct ground_search {
    relief relief;
    candidates found;
} ground_search;

static void touch_ground(void *context, const double point[3])
{
    ground_search *search = context;
    rl_contact contact;
    const double below = ground_at(&search->relief, point[0], point[1], contact.normal) - point[2];
    if (!(below >= 0.0))
        return;
    contact.depth = below * contact.normal[2];
    memcpy(contact.point, point, sizeof contact.point);
    add(&search->found, &contact);
}

// The ground is touched along its normals below the middle of the body and, for a ball that lies in
// a furrow, around it.
static void touch_with_points(const rl_bodies *bodies, const rl_body *body, ground_search *search)
{
    static const double beside[5][2] = {{0, 0}, {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}};
    const int around = rl_shape_of(&body->def)->rolls ? 5 : 1;
    const rl_point_sink to = {touch_ground, search};
    for (int n = 0; n < around; n++) {
        double normal[3];
        ground_at(&search->relief, body->position[0] + beside[n][0] * body->reach,
                  body->position[1] + beside[n][1] * body->reach, normal);
        take_points(bodies, body, normal, &to);
    }
}

int rl_contacts_ground(const rl_bodies *bodies, int n, const double box[6],
                       const rl_body_ground *ground, rl_contact out[RL_MOST_CONTACTS])
{
    RL_ASSERT(bodies->items[n].alive);
    const rl_body *body = &bodies->items[n];
    ground_search search;
    search.relief = (relief){ground->bed, bodies->cell_size};
    search.found.count = 0;
    if (ground->bed == NULL || !is_close_to_ground(&search.relief, box))
        return 0;
    touch_with_points(bodies, body, &search);
    rl_contact peaks[4];
    const int peak_count = find_peaks(bodies, n, box, &search.relief, peaks);
    for (int k = 0; k < peak_count; k++)
        add(&search.found, &peaks[k]);
    return take_best(&search.found, body->reach, out);
}

// ---- The fence -------------------------------------------------------------------------

typedef struct side_search {
    int axis;
    double side; // metres
    rl_contact contact;
    candidates found;
} side_search;

static void touch_side(void *context, const double point[3])
{
    side_search *search = context;
    rl_contact *contact = &search->contact;
    memcpy(contact->point, point, sizeof contact->point);
    contact->depth = (search->side - point[search->axis]) * contact->normal[search->axis];
    if (contact->depth >= 0.0)
        add(&search->found, contact);
}

static int touch_with_side(const rl_bodies *bodies, const rl_body *body, int axis, double side,
                           rl_contact *out)
{
    side_search search;
    search.axis = axis;
    search.side = side;
    search.contact = (rl_contact){0};
    search.contact.normal[axis] = side > 0.0 ? -1.0 : 1.0;
    search.found.count = 0;
    const rl_point_sink to = {touch_side, &search};
    take_points(bodies, body, search.contact.normal, &to);
    return take_best(&search.found, body->reach, out);
}

int rl_contacts_fence(const rl_bodies *bodies, int n, const double box[6],
                      rl_contact out[RL_FENCE_CONTACTS])
{
    const rl_body *body = &bodies->items[n];
    const double size[2] = {bodies->nx * bodies->cell_size, bodies->ny * bodies->cell_size};
    int count = 0;
    for (int axis = 0; axis < 2; axis++) {
        if (box[2 * axis] <= 0.0)
            count += touch_with_side(bodies, body, axis, 0.0, out + count);
        if (box[2 * axis + 1] >= size[axis])
            count += touch_with_side(bodies, body, axis, size[axis], out + count);
    }
    RL_ASSERT(count <= RL_FENCE_CONTACTS);
    return count;
}
