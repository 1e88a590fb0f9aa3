// SPDX-License-Identifier: MIT
// bodies.c - the records of bodies and the arrays that their vertices and triangles lie in.
#include "bodies/bodies_internal.h"

#include "bodies/shape/body_shape.h"

#include <string.h>

#define GHOST_ROWS 2  // of blocks: as many as a solver reads past its borders
#define PACKED     26 // doubles of a record that are hashed

// ---- Making and unmaking ---------------------------------------------------------------

// Where everything lies in the block of the bodies; returns its bytes. NULL only measures it.
static size_t lay_out(rl_bodies *b, char *block)
{
    const size_t most = (size_t)b->def.max_bodies, vertices = 3 * (size_t)b->def.max_vertices;
    const size_t rows = b->can_block ? (size_t)b->ny : 0, cells = rows * (size_t)b->nx;
    size_t used = 0;
    (void)rl_take(block, &used, 1, sizeof *b);
    b->items = rl_take(block, &used, most, sizeof *b->items);
    b->packed = rl_take(block, &used, most * PACKED, sizeof *b->packed);
    b->rest = rl_take(block, &used, vertices, sizeof *b->rest);
    b->position = rl_take(block, &used, vertices, sizeof *b->position);
    b->velocity = rl_take(block, &used, vertices, sizeof *b->velocity);
    b->force = rl_take(block, &used, vertices, sizeof *b->force);
    b->triangles = rl_take(block, &used, 3 * (size_t)b->def.max_triangles, sizeof *b->triangles);
    b->soft = rl_take(block, &used, rl_soft_lay(&b->def, NULL), 1);
    b->scratch = rl_take(block, &used, rl_samples_bytes(b), 1);
    b->raster_scratch = rl_take(block, &used, b->can_block ? rl_raster_bytes(b) : 0, 1);
    b->blocks.first = rl_take(block, &used, rows, sizeof *b->blocks.first);
    b->blocks.end = rl_take(block, &used, rows, sizeof *b->blocks.end);
    b->blocks.hangs = rl_take(block, &used, rows, sizeof *b->blocks.hangs);
    b->virtual_volume = rl_take(block, &used, cells, sizeof *b->virtual_volume);
    b->virtual_next = rl_take(block, &used, cells, sizeof *b->virtual_next);
    b->virtual_first = rl_take(block, &used, rows, sizeof *b->virtual_first);
    b->virtual_end = rl_take(block, &used, rows, sizeof *b->virtual_end);
    return used;
}

#define FIELDS 6

// The fields of blocking; returns their number, 0 where bodies cannot block.
static int fields_of(rl_bodies *b, rill_field *fields[FIELDS])
{
    rill_field *const all[FIELDS] = {&b->blocks.floor, &b->blocks.lower, &b->blocks.upper,
                                     &b->level,        &b->show_base,    &b->show_depth};
    memcpy(fields, all, sizeof all);
    return b->can_block ? FIELDS : 0;
}

static bool create_fields(rl_bodies *b)
{
    rill_field *fields[FIELDS];
    const int count = fields_of(b, fields);
    for (int n = 0; n < count; n++)
        if (!rill_field_create(&b->allocator, b->nx, b->ny, GHOST_ROWS, fields[n]))
            return false;
    if (b->can_block) {
        rill_field_fill(&b->blocks.lower, RL_BLOCK_NO_LOWER);
        rill_field_fill(&b->blocks.upper, RL_BLOCK_NO_UPPER);
    }
    return true;
}

rill_status rl_bodies_create(const rill_world_def *def, bool can_block, rl_bodies **out)
{
    const rill_allocator *a = &def->host.allocator;
    rl_bodies made = {.allocator = *a,
                      .def = def->bodies,
                      .nx = def->nx,
                      .ny = def->ny,
                      .cell_size = (double)def->cell_size,
                      .gravity = (double)def->gravity,
                      .can_block = can_block};
    *out = NULL;
    RILL_TRY(rl_isa_pick(&made.isa));
    made.rows = RL_ROWS_OF(made.isa, rl_box_rows);
    made.bytes = lay_out(&made, NULL);
    RL_ASSERT(made.nx > 0 && made.ny > 0 && made.cell_size > 0.0);
    char *block = rill_alloc(a, made.bytes);
    rl_bodies *b = (rl_bodies *)(void *)block;
    *out = b;
    if (b != NULL) {
        *b = made;
        (void)lay_out(b, block);
        (void)rl_soft_lay(&b->def, b->soft);
        if (create_fields(b))
            return RILL_OK;
    }
    rl_bodies_destroy(out);
    return rill_fail(RILL_NO_MEMORY, "no memory for %d bodies of %d vertices together",
                     def->bodies.max_bodies, def->bodies.max_vertices);
}

void rl_bodies_destroy(rl_bodies **bodies)
{
    rl_bodies *b = *bodies;
    if (b == NULL)
        return;
    const rill_allocator allocator = b->allocator, *a = &allocator;
    rill_field *fields[FIELDS];
    const int count = fields_of(b, fields);
    for (int n = 0; n < count; n++)
        rill_field_destroy(a, fields[n]);
    rill_free(a, b, b->bytes);
    *bodies = NULL;
}

size_t rl_bodies_memory(const rl_bodies *b)
{
    if (b == NULL)
        return 0;
    rill_field *fields[FIELDS];
    const int count = fields_of((rl_bodies *)b, fields); // which are only read
    size_t bytes = b->bytes;
    for (int n = 0; n < count; n++)
        bytes += fields[n]->bytes;
    return bytes;
}

// ---- Places in the arrays --------------------------------------------------------------

// Moves what lies from `from` on by `by` elements of `size` bytes.
static void slide(void *array, size_t size, int from, int by, int count)
{
    char *bytes = array;
    memmove(bytes + (size_t)(from + by) * size, bytes + (size_t)from * size,
            (size_t)(count - from) * size);
}

// Opens (or, with negative counts, closes) a gap in the arrays at the first vertex and triangle of
// place `n`, so that bodies lie in the order of their places.
static void open_gap(rl_bodies *b, int n, int vertices, int triangles)
{
    RL_ASSERT(n >= 0 && n < b->def.max_bodies);
    RL_ASSERT(b->vertex_count + vertices >= 0 && b->vertex_count + vertices <= b->def.max_vertices);
    RL_ASSERT(b->triangle_count + triangles >= 0 &&
              b->triangle_count + triangles <= b->def.max_triangles);
    int vertex = 0, triangle = 0;
    for (int k = 0; k < n; k++) {
        vertex += b->items[k].taken ? b->items[k].vertex_count : 0;
        triangle += b->items[k].taken ? b->items[k].triangle_count : 0;
    }
    const int after_vertex = vertices < 0 ? vertex - vertices : vertex;
    const int after_triangle = triangles < 0 ? triangle - triangles : triangle;
    float *const arrays[] = {b->rest, b->position, b->velocity, b->force};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        slide(arrays[a], 3 * sizeof(float), after_vertex, vertices, b->vertex_count);
    slide(b->triangles, 3 * sizeof(uint32_t), after_triangle, triangles, b->triangle_count);
    b->vertex_count += vertices;
    b->triangle_count += triangles;
    for (int k = n + 1; k < b->def.max_bodies; k++) {
        b->items[k].first_vertex += b->items[k].taken ? vertices : 0;
        b->items[k].first_triangle += b->items[k].taken ? triangles : 0;
    }
    b->items[n].first_vertex = vertex;
    b->items[n].first_triangle = triangle;
}

// ---- Adding and removing ---------------------------------------------------------------

static double reach_of(const rl_body *body, const float *rest)
{
    double reach = 0.0;
    for (int v = 0; v < body->vertex_count; v++) {
        double own[3];
        rl_vertex_at(rest, (size_t)v, own);
        reach = rl_greater(rl_dot(own, own), reach);
    }
    return sqrt(reach);
}

// A mesh like a needle may have lost the inertia about its axis to rounding. Then that of a ball as
// large as the body stands in.
static void set_inertia(rl_body *body, const double per_density[9])
{
    for (int k = 0; k < 9; k++)
        body->inertia[k] = body->def.density * per_density[k];
    if (rl_body_invert(body->inertia, body->inverse_inertia))
        return;
    const double ball = 0.4 * body->mass * body->reach * body->reach;
    for (int k = 0; k < 9; k++) {
        body->inertia[k] = k % 4 == 0 ? ball : 0.0;
        body->inverse_inertia[k] = k % 4 == 0 ? 1.0 / ball : 0.0;
    }
}

// Mass and inertia; puts the centre of mass of a closed mesh at its origin.
static rill_status weigh(rl_bodies *b, rl_body *body)
{
    const rl_shape *shape = rl_shape_of(&body->def);
    float *rest = b->rest + 3 * (size_t)body->first_vertex;
    const rl_body_mesh mesh = {rest, b->triangles + 3 * (size_t)body->first_triangle,
                               body->vertex_count, body->triangle_count};
    if (shape->surface_mass != NULL) {
        body->volume = 0.0;
        body->mass = shape->surface_mass(&body->def);
        body->reach = reach_of(body, rest);
        return RILL_OK;
    }
    const rl_body_moments moments = rl_body_measure_mesh(&mesh);
    if (!(moments.volume > 0.0))
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh of a body encloses %g m3; it must be counter-clockwise seen from outside",
            moments.volume);
    for (int v = 0; v < body->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            rest[3 * v + k] = (float)((double)rest[3 * v + k] - moments.centre[k]);
    body->volume = moments.volume;
    body->mass = body->def.density * moments.volume;
    body->reach = reach_of(body, rest);
    set_inertia(body, moments.inertia);
    RL_ASSERT(body->mass > 0.0 && body->reach > 0.0);
    return RILL_OK;
}

static rill_status fill_body(rl_bodies *b, int n, const rill_body_def *def)
{
    rl_body *body = &b->items[n];
    rl_body_mesh mesh = {b->rest + 3 * (size_t)body->first_vertex,
                         b->triangles + 3 * (size_t)body->first_triangle, 0, 0};
    rl_shape_of(def)->make(def, &mesh);
    body->def = *def;
    body->def.vertices = NULL;
    body->def.triangles = NULL;
    memcpy(body->position, def->position, sizeof body->position);
    memcpy(body->rotation, def->rotation, sizeof body->rotation);
    memcpy(body->velocity, def->velocity, sizeof body->velocity);
    memcpy(body->spin, def->spin, sizeof body->spin);
    if (rl_shape_of(def)->check_mesh != NULL)
        RILL_TRY(rl_shape_of(def)->check_mesh(&mesh, &b->allocator));
    RILL_TRY(weigh(b, body));
    rl_body_pose(b, n);
    return RILL_OK;
}

// A body comes into the world.
static rill_status wake(rl_bodies *b, int n)
{
    rl_body *body = &b->items[n];
    const rill_status status = body->def.motion == RILL_BODY_SOFT ? rl_soft_add(b, n) : RILL_OK;
    body->alive = status == RILL_OK;
    b->alive += body->alive;
    return status;
}

static void clear_place(rl_bodies *b, int n)
{
    const uint32_t generation = b->items[n].generation;
    memset(&b->items[n], 0, sizeof b->items[n]);
    b->items[n].generation = generation;
}

rill_status rl_bodies_add(rl_bodies *b, const rill_body_def *def, rill_body_id *out)
{
    rl_body_mesh size = {0};
    rl_shape_of(def)->make(def, &size);
    int n = 0;
    while (n < b->def.max_bodies && b->items[n].taken)
        n++;
    if (n == b->def.max_bodies)
        return rill_fail(RILL_BAD_DEF,
                         "the world has its %d bodies already; raise bodies.max_bodies", n);
    if (size.vertex_count > b->def.max_vertices - b->vertex_count ||
        size.triangle_count > b->def.max_triangles - b->triangle_count)
        return rill_fail(RILL_BAD_DEF,
                         "a body of %d vertices and %d triangles does not fit beside %d and %d; "
                         "raise bodies.max_vertices and bodies.max_triangles",
                         size.vertex_count, size.triangle_count, b->vertex_count,
                         b->triangle_count);
    rl_body *body = &b->items[n];
    open_gap(b, n, size.vertex_count, size.triangle_count);
    body->vertex_count = size.vertex_count;
    body->triangle_count = size.triangle_count;
    const size_t floats = 3 * (size_t)size.vertex_count;
    memset(b->force + 3 * (size_t)body->first_vertex, 0, floats * sizeof(float));
    rill_status status = fill_body(b, n, def);
    if (status == RILL_OK && def->start <= 0.0)
        status = wake(b, n);
    if (status != RILL_OK) {
        open_gap(b, n, -size.vertex_count, -size.triangle_count);
        clear_place(b, n);
        return status;
    }
    body->taken = true;
    body->generation = ++b->generation;
    b->waiting += !body->alive;
    if (out != NULL)
        *out = (rill_body_id){(uint32_t)n + 1, body->generation};
    return RILL_OK;
}

void rl_bodies_remove(rl_bodies *b, int n)
{
    rl_body *body = &b->items[n];
    RL_ASSERT(body->taken);
    if (body->alive && body->def.motion == RILL_BODY_SOFT)
        rl_soft_remove(b, n);
    b->alive -= body->alive;
    b->waiting -= !body->alive;
    RL_ASSERT(b->alive >= 0 && b->waiting >= 0);
    open_gap(b, n, -body->vertex_count, -body->triangle_count);
    clear_place(b, n);
}

bool rl_bodies_wake(rl_bodies *b, double time)
{
    bool some = false;
    for (int n = 0; b->waiting > 0 && n < b->def.max_bodies; n++) {
        rl_body *body = &b->items[n];
        if (!body->taken || body->alive || !(body->def.start <= time))
            continue;
        // There is capacity for the constraints of every vertex there can be: this cannot fail.
        (void)wake(b, n);
        b->waiting--;
        some = true;
    }
    return some;
}

int rl_bodies_find(const rl_bodies *b, rill_body_id id)
{
    if (b == NULL || id.index1 == 0 || id.index1 > (uint32_t)b->def.max_bodies)
        return -1;
    const rl_body *body = &b->items[id.index1 - 1];
    return body->taken && body->generation == id.generation ? (int)id.index1 - 1 : -1;
}

// ---- Where they are --------------------------------------------------------------------

void rl_body_measure(rl_bodies *b, int n)
{
    rl_body *body = &b->items[n];
    RL_ASSERT(body->vertex_count > 0);
    const float *position = b->position + 3 * (size_t)body->first_vertex;
    for (int k = 0; k < 3; k++) {
        float low = position[k], high = position[k];
        for (int v = 1; v < body->vertex_count; v++) {
            const float value = position[3 * v + k];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        body->low[k] = (double)low;
        body->high[k] = (double)high;
    }
}

void rl_body_pose(rl_bodies *b, int n)
{
    rl_body *body = &b->items[n];
    body->bent = false;
    RL_ASSERT(fabs(rl_dot(body->rotation, body->rotation) + body->rotation[3] * body->rotation[3] -
                   1.0) < 1e-2);
    const size_t first = 3 * (size_t)body->first_vertex;
    for (size_t v = first; v < first + 3 * (size_t)body->vertex_count; v += 3) {
        const double own[3] = {(double)b->rest[v], (double)b->rest[v + 1], (double)b->rest[v + 2]};
        double arm[3], turning[3];
        rl_body_turn(body->rotation, own, arm);
        rl_cross(body->spin, arm, turning);
        for (size_t k = 0; k < 3; k++) {
            b->position[v + k] = (float)(body->position[k] + arm[k]);
            b->velocity[v + k] = (float)(body->velocity[k] + turning[k]);
        }
    }
    rl_body_measure(b, n);
}

void rl_bodies_shift(rl_bodies *b, int di, int dj)
{
    const double by[2] = {di * b->cell_size, dj * b->cell_size};
    for (int n = 0; n < b->def.max_bodies; n++) {
        rl_body *body = &b->items[n];
        for (int k = 0; body->taken && k < 2; k++) {
            body->position[k] -= by[k];
            body->low[k] -= by[k];
            body->high[k] -= by[k];
            float *position = b->position + 3 * (size_t)body->first_vertex + k;
            for (int v = 0; v < body->vertex_count; v++)
                position[3 * v] -= (float)by[k];
        }
        for (int key = 0; body->taken && key < body->def.path_count; key++) {
            body->def.path[key].x -= by[0];
            body->def.path[key].y -= by[1];
        }
    }
}

void rl_bodies_lay_floors(rl_bodies *b, const rill_field *bed)
{
    for (int j = 0; b->can_block && j < b->ny; j++)
        if (b->blocks.first[j] >= b->blocks.end[j])
            memcpy(rill_field_row(&b->blocks.floor, j), rill_field_row(bed, j),
                   (size_t)b->nx * sizeof(float));
}

bool rl_bodies_has_displaced(const rl_bodies *b)
{
    for (int j = 0; b->can_block && j < b->ny; j++)
        if (b->virtual_first[j] < b->virtual_end[j])
            return true;
    return false;
}

// ---- State -----------------------------------------------------------------------------

// A part of a saved block.
typedef struct saved_part {
    void *data;
    size_t bytes;
} saved_part;

#define SAVED_PARTS 20
#define BLOCKING    9 // of them: there only where bodies can block,
#define BLOCKS      6 // and the last of these are what the solver has as blocked

// Lists the parts in their order; returns their number. What the solver has as blocked is not
// always what the bodies block where they are: a host may have moved them since, and which of two
// bodies in a cell counts depends on the water at the time.
static int saved_parts(const rl_bodies *b, saved_part parts[SAVED_PARTS])
{
    const size_t rows = (size_t)b->ny, cells = rows * (size_t)b->nx;
    const size_t vertices = 3 * (size_t)b->def.max_vertices * sizeof(float);
    rl_bodies *to = (rl_bodies *)b; // of which saving only reads
    const rl_blocks *now = &b->blocks;
    const saved_part all[SAVED_PARTS] = {
        {b->items, (size_t)b->def.max_bodies * sizeof *b->items},
        {b->rest, vertices},
        {b->position, vertices},
        {b->velocity, vertices},
        {b->force, vertices},
        {b->triangles, 3 * (size_t)b->def.max_triangles * sizeof *b->triangles},
        {&to->generation, sizeof b->generation},
        {&to->alive, sizeof b->alive},
        {&to->waiting, sizeof b->waiting},
        {&to->vertex_count, sizeof b->vertex_count},
        {&to->triangle_count, sizeof b->triangle_count},
        {b->virtual_volume, cells * sizeof *b->virtual_volume},
        {b->virtual_first, rows * sizeof *b->virtual_first},
        {b->virtual_end, rows * sizeof *b->virtual_end},
        {now->floor.memory, now->floor.bytes},
        {now->lower.memory, now->lower.bytes},
        {now->upper.memory, now->upper.bytes},
        {now->first, rows * sizeof *now->first},
        {now->end, rows * sizeof *now->end},
        {now->hangs, rows * sizeof *now->hangs},
    };
    memcpy(parts, all, sizeof all);
    return b->can_block ? SAVED_PARTS : SAVED_PARTS - BLOCKING;
}

size_t rl_bodies_saved_bytes(const rl_bodies *b)
{
    saved_part parts[SAVED_PARTS];
    const int count = b != NULL ? saved_parts(b, parts) : 0;
    size_t bytes = 0;
    for (int n = 0; n < count; n++)
        bytes += parts[n].bytes;
    return bytes;
}

void rl_bodies_save(const rl_bodies *b, void *to)
{
    saved_part parts[SAVED_PARTS];
    const int count = saved_parts(b, parts);
    char *at = to;
    for (int n = 0; n < count; at += parts[n].bytes, n++)
        memcpy(at, parts[n].data, parts[n].bytes);
}

// Copies the parts [first, end) out of a saved block.
static void copy_in(const saved_part *parts, int first, int end, const char *from)
{
    for (int n = 0; n < end; from += parts[n].bytes, n++)
        if (n >= first)
            memcpy(parts[n].data, from, parts[n].bytes);
}

void rl_bodies_restore(rl_bodies *b, const void *from)
{
    for (int n = b->def.max_bodies - 1; n >= 0; n--)
        if (b->items[n].alive && b->items[n].def.motion == RILL_BODY_SOFT)
            rl_soft_remove(b, n);
    saved_part parts[SAVED_PARTS];
    const int count = saved_parts(b, parts);
    copy_in(parts, 0, b->can_block ? count - BLOCKS : count, from);
    b->pushed = true;
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].alive && b->items[n].def.motion == RILL_BODY_SOFT)
            (void)rl_soft_add(b, n); // they fitted when they were saved
}

void rl_bodies_restore_blocks(rl_bodies *b, const void *from, const rl_body_water *water)
{
    saved_part parts[SAVED_PARTS];
    if (!b->can_block)
        return;
    const int count = saved_parts(b, parts);
    copy_in(parts, count - BLOCKS, count, from);
    rl_bodies_blocks_changed(b, water->ops->bed(water->solver));
    water->ops->blocking->block(water->solver, water->jobs, b->has_blocks ? &b->blocks : NULL);
}

static void pack(const rl_body *body, double out[PACKED])
{
    double *to = out;
    const double *const parts[] = {body->position, body->velocity,    body->spin,
                                   body->push,     body->push_torque, body->given};
    for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++, to += 3)
        memcpy(to, parts[p], 3 * sizeof *to);
    memcpy(to, body->rotation, sizeof body->rotation);
    to[4] = body->displaced;
    to[5] = (double)body->course_next + 1000.0 * (double)body->generation;
    to[6] = body->own;
    to[7] = body->own_area;
}

int rl_bodies_state(rl_bodies *b, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    memset(b->packed, 0, (size_t)b->def.max_bodies * PACKED * sizeof *b->packed);
    int places = 0; // up to the last one that is taken: capacity alone is no state
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].taken) {
            pack(&b->items[n], b->packed + (size_t)n * PACKED);
            places = n + 1;
        }
    const size_t floats = 3 * (size_t)b->vertex_count, cells = 2 * (size_t)b->nx;
    const size_t records = 2 * (size_t)places * PACKED;
    int count = 0;
    arrays[count++] = (rill_state_array){"records", (float *)b->packed, records, records, 1};
    arrays[count++] = (rill_state_array){"vertices", b->position, floats, floats, 1};
    arrays[count++] = (rill_state_array){"vertex_velocities", b->velocity, floats, floats, 1};
    if (b->can_block)
        arrays[count++] = (rill_state_array){"virtual_volume", (float *)b->virtual_volume, cells,
                                             cells, (size_t)b->ny};
    return count;
}
