// SPDX-License-Identifier: MIT
// body_raster.c - the memory that blocking works in, and the cells and triangles of bodies for
// their scan conversion (body_raster_cross.c).
#include "bodies/blocking/body_raster.h"

#include <string.h>

#define WALL_COSINE     0.05 // upward part of the normal below which a triangle is a wall
#define BODIES_PER_TASK 2
#define PLACES_PER_TASK 8

// ---- Memory ----------------------------------------------------------------------------

static size_t lay(const rl_bodies *b, rl_raster *r, char *memory)
{
    const size_t most = (size_t)b->def.max_bodies, rows = (size_t)b->ny;
    const size_t cells = (size_t)b->nx * rows;
    size_t used = 0;
    (void)rl_take(memory, &used, 1, sizeof *r);
    r->chunks = (b->nx + RL_RASTER_CHUNK - 1) / RL_RASTER_CHUNK;
    r->chunk_pitch = (r->chunks + 7) / 8 * 8;
    r->bodies = rl_take(memory, &used, most, sizeof *r->bodies);
    r->unsorted = rl_take(memory, &used, most, sizeof *r->unsorted);
    r->row_start = rl_take(memory, &used, rows + 2, sizeof *r->row_start);
    r->points = rl_take(memory, &used, (size_t)b->def.max_vertices, sizeof *r->points);
    r->triangles = rl_take(memory, &used, (size_t)b->def.max_triangles, sizeof *r->triangles);
    r->seen = rl_take(memory, &used, most, sizeof *r->seen);
    r->vertices = rl_take(memory, &used, 3 * (size_t)b->def.max_vertices, sizeof *r->vertices);
    r->crowded = rl_take(memory, &used, rows, sizeof *r->crowded);
    r->floor_ready = rl_take(memory, &used, rows, sizeof *r->floor_ready);
    r->in_way = rl_take(memory, &used, (size_t)r->chunk_pitch * rows, 1);
    r->boxes = rl_take(memory, &used, 2 * most, sizeof *r->boxes);
    r->felt_at = rl_take(memory, &used, 2 * most, sizeof *r->felt_at);
    r->felt = rl_take(memory, &used, most, sizeof *r->felt);
    r->parent = rl_take(memory, &used, 2 * most, sizeof *r->parent);
    r->order = rl_take(memory, &used, 2 * most, sizeof *r->order);
    r->members = rl_take(memory, &used, 2 * most, sizeof *r->members);
    r->group_start = rl_take(memory, &used, 2 * most + 1, sizeof *r->group_start);
    r->kind = rl_take(memory, &used, cells, 1);
    r->pitch = rill_field_bytes(b->nx, 1, 0) / sizeof *r->other;
    r->other = rl_take(memory, &used, r->pitch * rows, sizeof *r->other);
    r->active = rl_take(memory, &used, (size_t)r->chunk_pitch * rows, 1);
    r->worked = rl_take(memory, &used, (size_t)r->chunk_pitch * rows, 1);
    r->row_worked = rl_take(memory, &used, rows, sizeof *r->row_worked);
    r->bands = rl_take(memory, &used, rows, sizeof *r->bands);
    return used;
}

size_t rl_raster_bytes(const rl_bodies *bodies)
{
    rl_raster unused;
    return lay(bodies, &unused, NULL);
}

rl_raster *rl_raster_of(rl_bodies *bodies)
{
    RL_ASSERT(bodies->can_block && bodies->raster_scratch != NULL);
    rl_raster *r = bodies->raster_scratch;
    if (!r->ready) {
        lay(bodies, r, bodies->raster_scratch);
        r->displaced_rows = RL_ROWS_OF(bodies->isa, rl_displaced_rows);
        r->active_unknown = true;
        r->unseen = true;
        r->ready = true;
    }
    return r;
}

// ---- Bodies and triangles --------------------------------------------------------------

rl_box rl_raster_box(const rl_bodies *b, const rl_body *body)
{
    const double per_cell = 1.0 / b->cell_size;
    double from[2], to[2];
    for (int k = 0; k < 2; k++) {
        from[k] = body->low[k] * per_cell - 0.5 - RL_RASTER_MARGIN;
        to[k] = body->high[k] * per_cell - 0.5 + RL_RASTER_MARGIN;
    }
    return (rl_box){rl_first_from(from[0], 0, b->nx), rl_first_from(from[1], 0, b->ny),
                    rl_first_from(to[0] + 1e-9, 0, b->nx), rl_first_from(to[1] + 1e-9, 0, b->ny)};
}

// The rest of what is known of a triangle that is no wall.
static void set_up_flat(rl_raster_triangle *t, int ny)
{
    t->long_z = rl_per_row(t->z[2] - t->z[0], t->v[2] - t->v[0]);
    t->long_margin = RL_RASTER_MARGIN * fabs(t->long_u);
    for (int k = 0; k < 2; k++) {
        t->half_z[k] = rl_per_row(t->z[k + 1] - t->z[k], t->v[k + 1] - t->v[k]);
        t->half_margin[k] = RL_RASTER_MARGIN * fabs(t->half_u[k]);
    }
    // Plain ones with some margin to spare: which of the rest have a corner near is found out
    // there.
    const double spare = 2.0 * RL_RASTER_MARGIN;
    const int middle = rl_first_from(t->v[1] - spare, 0, ny);
    t->plain_from = t->j0 + ((double)t->j0 < t->v[0] + spare);
    t->plain_to = t->j1 - ((double)t->j1 > t->v[2] + 1.0 - spare);
    t->middle = (double)middle > t->v[1] + spare ? -1 : middle;
}

// Puts two corners in the order of v, without a branch that a processor would have to guess.
static inline void sort_two(const double **low, const double **high)
{
    const double *a = *low, *b = *high;
    const bool turned = a[1] > b[1];
    *low = turned ? b : a;
    *high = turned ? a : b;
}

// A triangle whose corners are sorted by v; the order of the body says which way it faces. False
// where no line meets it.
static bool set_up(const double (*points)[3], const uint32_t *corner, double per_cell, int ny,
                   rl_raster_triangle *t)
{
    const double *p[3] = {points[corner[0]], points[corner[1]], points[corner[2]]};
    double edge[2][3];
    rl_vector_between(p[0], p[1], edge[0]);
    rl_vector_between(p[0], p[2], edge[1]);
    const double sky = edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0];
    if (sky == 0.0) // upright
        return false;
    const double rise0 = edge[0][2] * per_cell, rise1 = edge[1][2] * per_cell;
    const double east = edge[0][1] * rise1 - rise0 * edge[1][1];
    const double north = rise0 * edge[1][0] - edge[0][0] * rise1;
    sort_two(&p[0], &p[1]);
    sort_two(&p[1], &p[2]);
    sort_two(&p[0], &p[1]);
    t->up = sky > 0.0;
    t->steep = sky * sky < WALL_COSINE * WALL_COSINE * (east * east + north * north + sky * sky);
    for (int k = 0; k < 3; k++) {
        t->u[k] = p[k][0];
        t->v[k] = p[k][1];
        t->z[k] = p[k][2];
    }
    t->long_u = rl_per_row(t->u[2] - t->u[0], t->v[2] - t->v[0]);
    for (int k = 0; k < 2; k++)
        t->half_u[k] = rl_per_row(t->u[k + 1] - t->u[k], t->v[k + 1] - t->v[k]);
    const double margin = t->steep ? 0.0 : RL_RASTER_MARGIN;
    t->j0 = rl_first_from(t->v[0] - margin, 0, ny);
    t->j1 = rl_first_from(t->v[2] + margin + 1e-9, 0, ny);
    if (!t->steep)
        set_up_flat(t, ny);
    return t->j0 < t->j1;
}

static void set_up_triangles(const rl_bodies *b, const rl_raster *r, rl_raster_body *body)
{
    const rl_body *item = &b->items[body->place];
    const float *position = b->position + 3 * (size_t)body->first_vertex;
    const uint32_t *corner = b->triangles + 3 * (size_t)body->first_triangle;
    const double per_cell = 1.0 / b->cell_size;
    double(*points)[3] = r->points + body->first_vertex;
    for (int n = 0; n < item->vertex_count; n++, position += 3) {
        points[n][0] = (double)position[0] * per_cell - 0.5;
        points[n][1] = (double)position[1] * per_cell - 0.5;
        points[n][2] = (double)position[2];
    }
    rl_raster_triangle *next = r->triangles + body->first_triangle;
    for (int n = 0; n < item->triangle_count; n++, corner += 3)
        next += set_up((const double(*)[3])points, corner, per_cell, b->ny, next);
    body->triangle_count = (int)(next - (r->triangles + body->first_triangle));
    RL_ASSERT(body->triangle_count <= item->triangle_count);
}

// Whether no other body comes near the chunks that a body comes near.
static bool is_alone(const rl_raster *r, int index)
{
    const rl_box box = r->bodies[index].box;
    const int west = box.i0 / RL_RASTER_CHUNK * RL_RASTER_CHUNK;
    const int east = ((box.i1 - 1) / RL_RASTER_CHUNK + 1) * RL_RASTER_CHUNK;
    const int oldest = box.j0 + 1 > r->tallest ? box.j0 + 1 - r->tallest : 0;
    for (int n = r->row_start[oldest]; n < r->row_start[box.j1]; n++) {
        const rl_box other = r->bodies[n].box;
        if (other.i0 < east && other.i1 > west && other.j1 > box.j0 && n != index)
            return false;
    }
    return true;
}

static void set_up_bodies(void *context, int task)
{
    rl_bodies *b = context;
    rl_raster *r = b->raster_scratch;
    const int first = task * BODIES_PER_TASK, end = first + BODIES_PER_TASK;
    for (int n = first; n < end && n < r->body_count; n++) {
        set_up_triangles(b, r, &r->bodies[n]);
        r->bodies[n].alone = is_alone(r, n);
    }
}

// ---- Changes ---------------------------------------------------------------------------

static void compare_place(const rl_bodies *b, const rl_raster *r, int n)
{
    const rl_body *body = &b->items[n];
    rl_raster_seen *seen = &r->seen[n];
    if (!rl_body_blocks(body)) {
        *seen = (rl_raster_seen){.same = seen->generation == 0};
        return;
    }
    const float *position = b->position + 3 * (size_t)body->first_vertex;
    float *vertices = r->vertices + 3 * (size_t)body->first_vertex;
    const size_t bytes = 3 * (size_t)body->vertex_count * sizeof *vertices;
    const bool same =
        seen->generation == body->generation && seen->body.first_vertex == body->first_vertex &&
        seen->body.first_triangle == body->first_triangle && memcmp(vertices, position, bytes) == 0;
    if (!same)
        memcpy(vertices, position, bytes);
    *seen = (rl_raster_seen){.body = {.box = rl_raster_box(b, body),
                                      .place = n,
                                      .first_vertex = body->first_vertex,
                                      .first_triangle = body->first_triangle},
                             .generation = body->generation,
                             .same = same};
}

// By the thread that has moved them, as a rule.
static void compare_places(void *context, int task)
{
    const rl_bodies *b = context;
    const int first = task * PLACES_PER_TASK, end = first + PLACES_PER_TASK;
    for (int n = first; n < end && n < b->def.max_bodies; n++)
        compare_place(b, b->raster_scratch, n);
}

bool rl_raster_info(rl_bodies *b, rl_jobs *jobs)
{
    rl_raster *r = rl_raster_of(b);
    const int tasks = (b->def.max_bodies + PLACES_PER_TASK - 1) / PLACES_PER_TASK;
    bool same = !r->unseen;
    rl_jobs_run(jobs, tasks, compare_places, b);
    for (int n = 0; n < b->def.max_bodies; n++)
        same &= r->seen[n].same;
    r->unseen = false;
    return same;
}

// Sorts by first row, so that a row need visit only those that begin `tallest` rows before it or
// later.
static void sort_bodies(rl_raster *r, int ny)
{
    // A row's place first has the number of bodies that begin two rows before it, then of all that
    // begin before the row before it; this goes up with each of that row that finds its place.
    memset(r->row_start, 0, ((size_t)ny + 2) * sizeof *r->row_start);
    for (int n = 0; n < r->body_count; n++)
        r->row_start[r->unsorted[n].box.j0 + 2]++;
    int before = 0;
    for (int j = 0; j <= ny; j++)
        r->row_start[j + 1] = before += r->row_start[j + 1];
    for (int n = 0; n < r->body_count; n++)
        r->bodies[r->row_start[r->unsorted[n].box.j0 + 1]++] = r->unsorted[n];
}

void rl_raster_prepare(rl_bodies *b, rl_jobs *jobs)
{
    rl_raster *r = rl_raster_of(b);
    r->body_count = 0;
    r->tallest = 0;
    for (int n = 0; n < b->def.max_bodies; n++) {
        const rl_raster_seen *seen = &r->seen[n];
        const rl_box box = seen->body.box;
        if (seen->generation == 0 || box.i0 >= box.i1 || box.j0 >= box.j1)
            continue;
        RL_ASSERT(box.i0 >= 0 && box.j0 >= 0 && box.i1 <= b->nx && box.j1 <= b->ny);
        r->unsorted[r->body_count++] = seen->body;
        r->tallest = box.j1 - box.j0 > r->tallest ? box.j1 - box.j0 : r->tallest;
    }
    RL_ASSERT(r->body_count <= b->def.max_bodies && r->tallest <= b->ny);
    sort_bodies(r, b->ny);
    const int tasks = (r->body_count + BODIES_PER_TASK - 1) / BODIES_PER_TASK;
    rl_jobs_run(jobs, tasks, set_up_bodies, b);
}
