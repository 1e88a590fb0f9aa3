// SPDX-License-Identifier: MIT
// raster.c - scan conversion of bodies from above.
//
// A row of centres cuts a triangle in a span; an end of it belongs to the span on its east alone
// and a row to the triangle on its north alone, and both triangles at an edge compute the same end
// of the span, so a closed mesh is entered as often as it is left at every centre. Centres that
// miss a body by less than RL_RASTER_MARGIN see it at its nearest point, so that two bodies that
// touch leave no slit between them. The same helps where rounding has tilted a wall: a centre that
// lies just in the tilt sees the edges above and below it, not a notch in between.
#include "bodies/raster.h"

#include <math.h>
#include <string.h>

#define MAX_CROSSINGS 14
#define WALL_COSINE   0.05 // upward part of the normal below which a triangle is a wall
#define THINNEST      1e-5 // in cells: what is thinner blocks nothing

// Where the vertical line of one cell meets the triangles of one body.
typedef struct crossings {
    float z[MAX_CROSSINGS];
    uint16_t up;    // bits: that triangle faces the sky
    uint16_t exact; // bits: the centre lies in the triangle and not only near it
    uint8_t count;
    bool wall;    // some exact one is of a wall
    bool crowded; // there were more; the lowest and the highest are kept
} crossings;

// ---- Memory ----------------------------------------------------------------------------

// Takes `bytes` of the scratch; with no memory only counts them.
static void *take(char *memory, size_t *used, size_t bytes)
{
    void *place = memory != NULL ? memory + *used : NULL;
    *used += (bytes + RL_ALIGNMENT - 1) / RL_ALIGNMENT * RL_ALIGNMENT;
    return place;
}

static size_t lay(const rl_bodies *b, rl_raster *r, char *memory)
{
    const size_t most = (size_t)b->def.max_bodies, rows = (size_t)b->ny;
    const size_t cells = (size_t)b->nx * rows;
    size_t used = 0;
    take(memory, &used, sizeof *r);
    r->chunks = (b->nx + RL_RASTER_CHUNK - 1) / RL_RASTER_CHUNK;
    r->chunk_pitch = (r->chunks + 7) / 8 * 8;
    r->bodies = take(memory, &used, most * sizeof *r->bodies);
    r->unsorted = take(memory, &used, most * sizeof *r->unsorted);
    r->row_start = take(memory, &used, (rows + 1) * sizeof *r->row_start);
    r->triangles = take(memory, &used, (size_t)b->def.max_triangles * sizeof *r->triangles);
    r->rows = take(memory, &used, rows * sizeof *r->rows);
    r->touched = take(memory, &used, rows * sizeof *r->touched);
    r->known = take(memory, &used, most * sizeof *r->known);
    r->vertices = take(memory, &used, 3 * (size_t)b->def.max_vertices * sizeof *r->vertices);
    r->crowded = take(memory, &used, rows * sizeof *r->crowded);
    for (int n = 0; n < 2; n++) {
        r->floor_ready[n] = take(memory, &used, rows * sizeof(bool));
        r->in_way[n] = take(memory, &used, (size_t)r->chunk_pitch * rows);
    }
    r->boxes = take(memory, &used, 2 * most * sizeof *r->boxes);
    r->felt_at = take(memory, &used, 2 * most * sizeof *r->felt_at);
    r->felt = take(memory, &used, most * sizeof *r->felt);
    r->parent = take(memory, &used, 2 * most * sizeof *r->parent);
    r->order = take(memory, &used, 2 * most * sizeof *r->order);
    r->members = take(memory, &used, 2 * most * sizeof *r->members);
    r->group_start = take(memory, &used, (2 * most + 1) * sizeof *r->group_start);
    r->kind = take(memory, &used, cells);
    r->pitch = rl_field_bytes(b->nx, 1, 0) / sizeof *r->other;
    r->other = take(memory, &used, r->pitch * rows * sizeof *r->other);
    r->owing = take(memory, &used, (size_t)r->chunk_pitch * rows);
    r->worked = take(memory, &used, (size_t)r->chunk_pitch * rows);
    r->row_worked = take(memory, &used, rows * sizeof *r->row_worked);
    return used;
}

size_t rl_raster_bytes(const rl_bodies *bodies)
{
    rl_raster unused;
    return lay(bodies, &unused, NULL);
}

rl_raster *rl_raster_of(rl_bodies *bodies)
{
    rl_raster *r = bodies->raster_scratch;
    if (!r->ready) {
        lay(bodies, r, bodies->raster_scratch);
        r->owing_unknown = true;
        r->known_count = -1;
        r->ready = true;
    }
    return r;
}

// ---- Bodies and triangles --------------------------------------------------------------

// The first whole number >= x in [low, high]; `low` for what is no number.
static int first_from(double x, int low, int high)
{
    if (!(x > (double)low))
        return low;
    if (!(x < (double)high))
        return high;
    const int whole = (int)x;
    return whole + ((double)whole < x);
}

rl_box rl_raster_box(const rl_bodies *b, const rl_body *body)
{
    const double per_cell = 1.0 / b->cell_size;
    double from[2], to[2];
    for (int k = 0; k < 2; k++) {
        from[k] = body->low[k] * per_cell - 0.5 - RL_RASTER_MARGIN;
        to[k] = body->high[k] * per_cell - 0.5 + RL_RASTER_MARGIN;
    }
    return (rl_box){first_from(from[0], 0, b->nx), first_from(from[1], 0, b->ny),
                    first_from(to[0] + 1e-9, 0, b->nx), first_from(to[1] + 1e-9, 0, b->ny)};
}

// A triangle whose corners are sorted by v; the order of the body says which way it faces.
static rl_raster_triangle set_up(const double corners[3][3], double cell_size, int ny)
{
    const double *p[3] = {corners[0], corners[1], corners[2]};
    double edge[2][3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = p[1][k] - p[0][k];
        edge[1][k] = p[2][k] - p[0][k];
    }
    const double rise0 = edge[0][2] / cell_size, rise1 = edge[1][2] / cell_size;
    const double east = edge[0][1] * rise1 - rise0 * edge[1][1];
    const double north = rise0 * edge[1][0] - edge[0][0] * rise1;
    const double sky = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
    if (sky == 0.0) // upright: no line meets it
        return (rl_raster_triangle){.steep = true};
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 2 - a; k++)
            if (p[k][1] > p[k + 1][1]) {
                const double *swap = p[k];
                p[k] = p[k + 1];
                p[k + 1] = swap;
            }
    rl_raster_triangle t = {.up = sky > 0.0};
    t.steep = sky * sky < WALL_COSINE * WALL_COSINE * (east * east + north * north + sky * sky);
    for (int k = 0; k < 3; k++) {
        t.u[k] = p[k][0];
        t.v[k] = p[k][1];
        t.z[k] = p[k][2];
    }
    const double all = t.v[2] - t.v[0];
    t.long_u = all > 0.0 ? (t.u[2] - t.u[0]) / all : 0.0;
    t.long_z = all > 0.0 ? (t.z[2] - t.z[0]) / all : 0.0;
    for (int k = 0; k < 2; k++) {
        const double part = t.v[k + 1] - t.v[k];
        t.short_u[k] = part > 0.0 ? (t.u[k + 1] - t.u[k]) / part : 0.0;
        t.short_z[k] = part > 0.0 ? (t.z[k + 1] - t.z[k]) / part : 0.0;
    }
    const double near = t.steep ? 0.0 : RL_RASTER_MARGIN;
    t.j0 = first_from(t.v[0] - near, 0, ny);
    t.j1 = first_from(t.v[2] + near + 1e-9, 0, ny);
    return t;
}

static void set_up_body(void *context, int index)
{
    rl_bodies *b = context;
    rl_raster *r = b->raster_scratch;
    const rl_raster_body *body = &r->bodies[index];
    const float *position = b->position + 3 * (size_t)body->first_vertex;
    const uint32_t *corner = b->triangles + 3 * (size_t)body->first_triangle;
    const double per_cell = 1.0 / b->cell_size;
    for (int t = 0; t < body->triangle_count; t++) {
        double p[3][3];
        for (int k = 0; k < 3; k++) {
            const float *at = position + 3 * (size_t)corner[3 * t + k];
            p[k][0] = (double)at[0] * per_cell - 0.5;
            p[k][1] = (double)at[1] * per_cell - 0.5;
            p[k][2] = (double)at[2];
        }
        r->triangles[body->first_triangle + t] = set_up((const double(*)[3])p, b->cell_size, b->ny);
    }
}

// Sorts by first row, so that a row need look only at those that begin `tallest` rows before it or
// later.
static void sort_bodies(rl_raster *r, int ny)
{
    memset(r->row_start, 0, ((size_t)ny + 1) * sizeof *r->row_start);
    for (int n = 0; n < r->body_count; n++)
        r->row_start[r->unsorted[n].box.j0 + 1]++;
    for (int j = 0; j < ny; j++)
        r->row_start[j + 1] += r->row_start[j];
    for (int n = r->body_count - 1; n >= 0; n--)
        r->bodies[--r->row_start[r->unsorted[n].box.j0 + 1]] = r->unsorted[n];
    // Every count has gone down to that of the row before it; put them back in their places.
    for (int j = 0; j < ny; j++)
        r->row_start[j] = r->row_start[j + 1];
    r->row_start[ny] = r->body_count;
}

void rl_raster_prepare(rl_bodies *b, rl_jobs *jobs)
{
    rl_raster *r = rl_raster_of(b);
    r->body_count = 0;
    r->tallest = 0;
    for (int n = 0; n < b->def.max_bodies; n++) {
        const rl_body *body = &b->items[n];
        if (!rl_body_blocks(body))
            continue;
        const rl_box box = rl_raster_box(b, body);
        if (box.i0 >= box.i1 || box.j0 >= box.j1)
            continue;
        r->unsorted[r->body_count++] = (rl_raster_body){box, n, body->first_vertex,
                                                        body->first_triangle, body->triangle_count};
        r->tallest = box.j1 - box.j0 > r->tallest ? box.j1 - box.j0 : r->tallest;
    }
    sort_bodies(r, b->ny);
    rl_jobs_run(jobs, r->body_count, set_up_body, b);
}

// ---- Intervals -------------------------------------------------------------------------

void rl_interval_sort(rl_interval_list *list)
{
    for (int n = 1; n < list->count; n++) {
        const rl_interval one = list->items[n];
        int k = n;
        for (; k > 0 && list->items[k - 1].lower > one.lower; k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = one;
    }
}

void rl_interval_merge(rl_interval_list *list)
{
    rl_interval_sort(list);
    int closest = 0;
    for (int k = 1; k + 1 < list->count; k++)
        if (list->items[k + 1].lower - list->items[k].upper <
            list->items[closest + 1].lower - list->items[closest].upper)
            closest = k;
    rl_interval *to = &list->items[closest];
    to->upper = to[1].upper > to->upper ? to[1].upper : to->upper;
    for (int k = closest + 1; k + 1 < list->count; k++)
        list->items[k] = list->items[k + 1];
    list->count--;
}

static inline void cross(crossings *c, float z, const rl_raster_triangle *t, bool exact)
{
    c->wall |= exact && t->steep;
    if (c->count < MAX_CROSSINGS) {
        const unsigned bit = 1u << c->count;
        c->up = (uint16_t)(c->up | (t->up ? bit : 0u));
        c->exact = (uint16_t)(c->exact | (exact ? bit : 0u));
        c->z[c->count++] = z;
        return;
    }
    c->crowded = true;
    float lowest = z, highest = z;
    for (int k = 0; k < MAX_CROSSINGS; k++) {
        lowest = c->z[k] < lowest ? c->z[k] : lowest;
        highest = c->z[k] > highest ? c->z[k] : highest;
    }
    c->z[0] = lowest;
    c->z[1] = highest;
}

// Sorts what counts of the crossings by height, downward faces first; returns how many.
static int sort_crossings(const crossings *c, float *z, bool *up)
{
    const bool all = c->exact == 0 || c->wall;
    int count = 0;
    for (int n = 0; n < c->count; n++) {
        if (!all && (c->exact >> n & 1) == 0)
            continue;
        const bool faces_up = (c->up >> n & 1) != 0;
        int k = count++;
        for (; k > 0 && (z[k - 1] > c->z[n] || (z[k - 1] == c->z[n] && up[k - 1] && !faces_up));
             k--) {
            z[k] = z[k - 1];
            up[k] = up[k - 1];
        }
        z[k] = c->z[n];
        up[k] = faces_up;
    }
    return count;
}

// Turns crossings into intervals: each runs from the first downward face after the last one to the
// last upward face in a row, which also swallows a point seen from two triangles. A mesh that does
// not begin with a downward and end with an upward face here is taken to be full inside.
static void resolve_any(const crossings *c, float thinnest, rl_interval_list *list)
{
    float z[MAX_CROSSINGS] = {c->z[0], c->z[1]};
    bool up[MAX_CROSSINGS] = {false, true};
    const int count = c->crowded ? 2 : sort_crossings(c, z, up);
    rl_interval found[RL_BODY_INTERVALS];
    int kept = 0;
    if (up[0] || !up[count - 1]) {
        found[kept++] = (rl_interval){z[0], z[count - 1]};
    } else {
        for (int k = 0; k < count;) {
            const float lower = z[k];
            while (!up[k])
                k++;
            while (k < count && up[k])
                k++;
            if (kept == RL_BODY_INTERVALS)
                found[kept - 1].upper = z[k - 1];
            else
                found[kept++] = (rl_interval){lower, z[k - 1]};
        }
    }
    for (int k = 0; k < kept; k++)
        if (found[k].upper - found[k].lower > thinnest)
            rl_interval_add(list, found[k]);
}

// The same for nearly all cells: once in and once out.
static inline void resolve(const crossings *c, float thinnest, rl_interval_list *list)
{
    const int top = c->up == 1 ? 0 : 1;
    if (c->count != 2 || c->exact != 3 || c->wall || (c->up != 1 && c->up != 2) ||
        !(c->z[top] - c->z[1 - top] > thinnest)) {
        resolve_any(c, thinnest, list);
        return;
    }
    rl_interval_add(list, (rl_interval){c->z[1 - top], c->z[top]});
}

// ---- Rows ------------------------------------------------------------------------------

// The triangle along a line of constant v, from west to east, and how fast its ends move.
typedef struct span {
    double west, east, z_west, z_east;
    double west_moves, east_moves; // per row
} span;

static inline span span_at(const rl_raster_triangle *t, double v)
{
    const int part = v < t->v[1] ? 0 : 1;
    const double rows = v - t->v[0], part_rows = v - t->v[part];
    const double u = t->u[0] + t->long_u * rows, z = t->z[0] + t->long_z * rows;
    const double other_u = t->u[part] + t->short_u[part] * part_rows;
    const double other_z = t->z[part] + t->short_z[part] * part_rows;
    if (u < other_u)
        return (span){u, other_u, z, other_z, t->long_u, t->short_u[part]};
    return (span){other_u, u, other_z, z, t->short_u[part], t->long_u};
}

static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double most(double a, double b)
{
    return a > b ? a : b;
}

// The triangle at the point of it that is near (i, j); false where there is none within the margin.
static bool near_height(const rl_raster_triangle *t, int i, int j, double *z)
{
    const double v = (double)j, u = (double)i;
    const double low = most(v - RL_RASTER_MARGIN, t->v[0]);
    const double high = least(v + RL_RASTER_MARGIN, t->v[2]);
    const double tries[4] = {least(most(v, low), high), low, high, least(most(t->v[1], low), high)};
    double nearest = RL_RASTER_MARGIN;
    bool found = false;
    for (int k = 0; k < 4; k++) {
        const span s = span_at(t, tries[k]);
        const double miss = most(most(s.west - u, u - s.east), 0.0);
        if (!(miss <= nearest) || (found && miss == nearest))
            continue;
        const double width = s.east - s.west;
        const double part = width > 0.0 ? least(most((u - s.west) / width, 0.0), 1.0) : 0.5;
        *z = s.z_west + (s.z_east - s.z_west) * part;
        nearest = miss;
        found = true;
    }
    return found;
}

// How far a triangle reaches in the rows within the margin of row j; false where it is further off.
static bool reach_near(const rl_raster_triangle *t, int j, double *west, double *east)
{
    const double low = most((double)j - RL_RASTER_MARGIN, t->v[0]);
    const double high = least((double)j + RL_RASTER_MARGIN, t->v[2]);
    if (!(low <= high))
        return false;
    const span a = span_at(t, low), b = span_at(t, high);
    *west = least(a.west, b.west);
    *east = most(a.east, b.east);
    if (t->v[1] > low && t->v[1] < high) {
        *west = least(*west, t->u[1]);
        *east = most(*east, t->u[1]);
    }
    return true;
}

// Cells that are near a triangle and not in it, on the row where it has the cells [from, to).
static void cross_margin(const rl_raster_triangle *t, int j, int from, int to, int i0, int i1,
                         int first, crossings *cells)
{
    double z = 0.0;
    for (int i = i0; i < i1; i++) {
        if (i == from && from < to)
            i = to;
        if (i < i1 && near_height(t, i, j, &z))
            cross(&cells[i - first], (float)z, t, false);
    }
}

static void cross_row(const rl_raster_triangle *t, int j, int first, int end, crossings *cells)
{
    int from = first, to = first;
    const double v = (double)j;
    double west = 0.0, east = 0.0;
    bool near = !t->steep;
    if (v >= t->v[0] && v < t->v[2]) {
        const span s = span_at(t, v);
        from = first_from(s.west, first, end);
        to = first_from(s.east, first, end);
        const double slope = from < to ? (s.z_east - s.z_west) / (s.east - s.west) : 0.0;
        for (int i = from; i < to; i++)
            cross(&cells[i - first], (float)(s.z_west + slope * ((double)i - s.west)), t, true);
        // As a rule no corner is near, and the sides are straight.
        west = s.west - RL_RASTER_MARGIN * fabs(s.west_moves);
        east = s.east + RL_RASTER_MARGIN * fabs(s.east_moves);
    }
    const double to_corner = least(fabs(v - t->v[1]), least(v - t->v[0], t->v[2] - v));
    if (near && to_corner <= RL_RASTER_MARGIN)
        near = reach_near(t, j, &west, &east);
    if (!near)
        return;
    const int i0 = first_from(west - RL_RASTER_MARGIN, first, end);
    const int i1 = first_from(east + RL_RASTER_MARGIN + 1e-9, first, end);
    if (i0 < from || i1 > to)
        cross_margin(t, j, from, to, i0, i1, first, cells);
}

void rl_raster_row(const rl_raster *r, const rl_raster_body *body, double cell_size, int j,
                   int first, int count, rl_interval_list *lists)
{
    crossings cells[RL_RASTER_TILE];
    const int from = body->box.i0 > first ? body->box.i0 : first;
    const int to = body->box.i1 < first + count ? body->box.i1 : first + count;
    for (int i = from; i < to; i++) {
        crossings *c = &cells[i - from];
        c->count = 0;
        c->up = c->exact = 0;
        c->wall = c->crowded = false;
    }
    const rl_raster_triangle *t = r->triangles + body->first_triangle;
    for (int n = 0; n < body->triangle_count; n++)
        if (j >= t[n].j0 && j < t[n].j1)
            cross_row(&t[n], j, from, to, cells);
    const float thinnest = (float)(THINNEST * cell_size);
    for (int i = from; i < to; i++)
        if (cells[i - from].count > 0)
            resolve(&cells[i - from], thinnest, &lists[i - first]);
}
