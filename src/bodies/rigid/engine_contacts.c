// SPDX-License-Identifier: MIT
// engine_contacts.c - rigid bodies against the ground and against the fence around the world. The
// ground is the bilinear surface through the elevations at cell centres. Two things touch: points
// of the body below the ground (along the edges of a box, the lowest points of a round body,
// vertices of a mesh), pushed out along the normal of the ground; and cell centres inside the body,
// where the ground sticks out, along the normal of the body's face (engine_peaks.c). A body that is
// under the ground altogether is lifted too, so nothing falls through, however fast or thin.
//
// On an uneven bed the height field of ODE makes a contact for nearly every cell below a body: a
// hundred for a crate as wide as ten cells, where four hold it.
#include "bodies/rigid/engine.h"

#include "bodies/shape/body_shape.h"

#include "core/prefetch.h"

#define CANDIDATES 64 // of one body before they are thinned
#define LINE       16 // cells of a cache line

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

static double square_distance(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
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
            double distance = square_distance(contacts[n].point, contacts[0].point);
            for (int k = 1; k < kept; k++)
                distance = fmin(distance, square_distance(contacts[n].point, contacts[k].point));
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
        rl_body_own_vertex(bodies, body, (uint32_t)v, own);
        rl_shape_take_own(body, own, to);
    }
}

// ---- The ground ------------------------------------------------------------------------

// Cells beside a place along one axis, and the weight of the second one; past the ends the ground
// goes on level.
static double weight_of(double place, double cell_size, int count, int *first, int *second)
{
    const double cells = place / cell_size - 0.5;
    *first = cells > 0.0 ? (cells < count - 1 ? (int)cells : count - 1) : 0;
    *second = *first + 1 < count ? *first + 1 : *first;
    return cells > 0.0 ? fmin(cells - *first, 1.0) : 0.0;
}

static void normal_of(double slope_x, double slope_y, double normal[3])
{
    const double scale = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    normal[0] = -slope_x * scale;
    normal[1] = -slope_y * scale;
    normal[2] = scale;
}

// Height of the ground and its normal at a place.
static double ground_at(const rl_relief *r, double x, double y, double normal[3])
{
    int i0, i1, j0, j1;
    const double u = weight_of(x, r->cell_size, r->bed->nx, &i0, &i1);
    const double v = weight_of(y, r->cell_size, r->bed->ny, &j0, &j1);
    const float *low = rill_field_row(r->bed, j0), *high = rill_field_row(r->bed, j1);
    const double a = (double)low[i0], b = (double)low[i1], c = (double)high[i0],
                 d = (double)high[i1];
    const double slope_x = ((1.0 - v) * (b - a) + v * (d - c)) / r->cell_size;
    const double slope_y = ((1.0 - u) * (c - a) + u * (d - b)) / r->cell_size;
    normal_of(slope_x, slope_y, normal);
    return (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * c + u * d);
}

// Cells below a body and around it. Outside the grid the nearest count.
static rl_box cells_below(const rl_relief *r, const double box[6])
{
    rl_box cells;
    const int nx = r->bed->nx, ny = r->bed->ny;
    rl_relief_cells(box[0] - r->cell_size, box[1] + r->cell_size, r->cell_size, nx, &cells.i0,
                    &cells.i1);
    rl_relief_cells(box[2] - r->cell_size, box[3] + r->cell_size, r->cell_size, ny, &cells.j0,
                    &cells.j1);
    cells.i0 = cells.i0 < nx ? cells.i0 : nx - 1;
    cells.j0 = cells.j0 < ny ? cells.j0 : ny - 1;
    cells.i1 = cells.i1 > cells.i0 ? cells.i1 : cells.i0 + 1;
    cells.j1 = cells.j1 > cells.j0 ? cells.j1 : cells.j0 + 1;
    return cells;
}

static bool is_close_to_ground(const rl_relief *r, const double box[6])
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
    const rl_relief relief = {ground->bed, bodies->cell_size};
    if (ground->bed == NULL)
        return;
    const rl_box cells = cells_below(&relief, box);
    for (int j = cells.j0; j < cells.j1; j++)
        for (int i = cells.i0; i < cells.i1 + LINE - 1; i += LINE)
            RL_PREFETCH(rill_field_row(ground->bed, j) + i);
}

typedef struct ground_search {
    rl_relief relief;
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
    for (int a = 0; a < 3; a++)
        contact.point[a] = point[a];
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
    search.relief = (rl_relief){ground->bed, bodies->cell_size};
    search.found.count = 0;
    if (ground->bed == NULL || !is_close_to_ground(&search.relief, box))
        return 0;
    touch_with_points(bodies, body, &search);
    candidates *found = &search.found;
    rl_contact peaks[4];
    const int peak_count = rl_contacts_peaks(bodies, n, box, &search.relief, peaks);
    for (int k = 0; k < peak_count; k++)
        add(found, &peaks[k]);
    const int count = rl_contacts_thin(found->list, found->count, RL_MOST_CONTACTS, body->reach);
    for (int k = 0; k < count; k++)
        out[k] = found->list[k];
    return count;
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
    for (int a = 0; a < 3; a++)
        contact->point[a] = point[a];
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
    candidates *found = &search.found;
    const int kept = rl_contacts_thin(found->list, found->count, RL_MOST_CONTACTS, body->reach);
    for (int k = 0; k < kept; k++)
        out[k] = found->list[k];
    return kept;
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
