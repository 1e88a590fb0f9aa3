// SPDX-License-Identifier: MIT
// bodies.c - the records of bodies and the arrays that their vertices and triangles lie in.
#include "bodies/bodies_internal.h"

#include "rill/support.h"

#include <string.h>

#define GHOST_ROWS 2  // of blocks: as many as a water looks past its sides
#define PACKED     26 // doubles of a record that are hashed

// ---- Making and unmaking ---------------------------------------------------------------

static size_t vertex_bytes(const rl_bodies *b)
{
    return (size_t)b->def.max_vertices * 3 * sizeof(float);
}

static size_t triangle_bytes(const rl_bodies *b)
{
    return (size_t)b->def.max_triangles * 3 * sizeof(uint32_t);
}

static size_t cell_bytes(const rl_bodies *b)
{
    return (size_t)b->nx * (size_t)b->ny * sizeof(double);
}

static bool allocate_blocks(rl_bodies *b, rl_blocks *blocks)
{
    const rill_allocator *a = &b->allocator;
    const size_t rows = (size_t)b->ny;
    blocks->first = rill_alloc(a, rows * sizeof *blocks->first);
    blocks->end = rill_alloc(a, rows * sizeof *blocks->end);
    blocks->hangs = rill_alloc(a, rows * sizeof *blocks->hangs);
    if (blocks->first == NULL || blocks->end == NULL || blocks->hangs == NULL ||
        !rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &blocks->floor) ||
        !rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &blocks->lower) ||
        !rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &blocks->upper))
        return false;
    rill_field_fill(&blocks->lower, RL_BLOCK_NO_LOWER);
    rill_field_fill(&blocks->upper, RL_BLOCK_NO_UPPER);
    return true;
}

static void free_blocks(rl_bodies *b, rl_blocks *blocks)
{
    const rill_allocator *a = &b->allocator;
    const size_t rows = (size_t)b->ny;
    rill_free(a, blocks->first, rows * sizeof *blocks->first);
    rill_free(a, blocks->end, rows * sizeof *blocks->end);
    rill_free(a, blocks->hangs, rows * sizeof *blocks->hangs);
    rill_field_destroy(a, &blocks->floor);
    rill_field_destroy(a, &blocks->lower);
    rill_field_destroy(a, &blocks->upper);
}

static bool allocate_blocking(rl_bodies *b)
{
    const rill_allocator *a = &b->allocator;
    const size_t rows = (size_t)b->ny;
    b->owed = rill_alloc(a, cell_bytes(b));
    b->owed_next = rill_alloc(a, cell_bytes(b));
    b->owed_first = rill_alloc(a, rows * sizeof *b->owed_first);
    b->owed_end = rill_alloc(a, rows * sizeof *b->owed_end);
    return allocate_blocks(b, &b->blocks) && b->owed != NULL && b->owed_next != NULL &&
           b->owed_first != NULL && b->owed_end != NULL &&
           rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &b->level) &&
           rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &b->show_base) &&
           rill_field_create(a, b->nx, b->ny, GHOST_ROWS, &b->show_depth);
}

static bool allocate(rl_bodies *b)
{
    const rill_allocator *a = &b->allocator;
    b->items = rill_alloc(a, (size_t)b->def.max_bodies * sizeof *b->items);
    b->packed = rill_alloc(a, (size_t)b->def.max_bodies * PACKED * sizeof *b->packed);
    float **const vertices[] = {&b->rest, &b->position, &b->velocity, &b->force};
    for (size_t n = 0; n < sizeof vertices / sizeof vertices[0]; n++)
        if ((*vertices[n] = rill_alloc(a, vertex_bytes(b))) == NULL)
            return false;
    b->triangles = rill_alloc(a, triangle_bytes(b));
    b->scratch_bytes = rl_samples_bytes(b);
    b->scratch = rill_alloc(a, b->scratch_bytes);
    b->raster_bytes = b->can_block ? rl_raster_bytes(b) : 0;
    b->raster_scratch = rill_alloc(a, b->raster_bytes);
    return b->items != NULL && b->packed != NULL && b->triangles != NULL &&
           (b->scratch != NULL || b->scratch_bytes == 0) &&
           (b->raster_scratch != NULL || b->raster_bytes == 0) &&
           (!b->can_block || allocate_blocking(b));
}

rill_status rl_bodies_create(const rill_world_def *def, bool can_block, rl_bodies **out)
{
    const rill_allocator *a = &def->host.allocator;
    rl_bodies *b = rill_alloc(a, sizeof *b);
    *out = b;
    if (b == NULL)
        return rill_fail(RILL_NO_MEMORY, "no memory for bodies");
    b->allocator = *a;
    b->def = def->bodies;
    b->nx = def->nx;
    b->ny = def->ny;
    b->cell_size = (double)def->cell_size;
    b->gravity = (double)def->gravity;
    b->can_block = can_block;
    rill_status status = rl_isa_pick(&b->isa);
    b->rows = RL_ROWS_OF(b->isa, rl_box_rows);
    if (status == RILL_OK && !allocate(b))
        status = rill_fail(RILL_NO_MEMORY, "no memory for %d bodies of %d vertices together",
                           b->def.max_bodies, b->def.max_vertices);
    if (status == RILL_OK)
        status = rl_soft_create(&b->def, a, &b->soft);
    if (status != RILL_OK)
        rl_bodies_destroy(out);
    return status;
}

void rl_bodies_destroy(rl_bodies **bodies)
{
    rl_bodies *b = *bodies;
    if (b == NULL)
        return;
    const rill_allocator allocator = b->allocator, *a = &allocator;
    const size_t rows = (size_t)b->ny;
    rl_soft_destroy(a, &b->soft);
    rill_free(a, b->items, (size_t)b->def.max_bodies * sizeof *b->items);
    rill_free(a, b->packed, (size_t)b->def.max_bodies * PACKED * sizeof *b->packed);
    float *const vertices[] = {b->rest, b->position, b->velocity, b->force};
    for (size_t n = 0; n < sizeof vertices / sizeof vertices[0]; n++)
        rill_free(a, vertices[n], vertex_bytes(b));
    rill_free(a, b->triangles, triangle_bytes(b));
    rill_free(a, b->scratch, b->scratch_bytes);
    rill_free(a, b->raster_scratch, b->raster_bytes);
    free_blocks(b, &b->blocks);
    rill_free(a, b->owed, cell_bytes(b));
    rill_free(a, b->owed_next, cell_bytes(b));
    rill_free(a, b->owed_first, rows * sizeof *b->owed_first);
    rill_free(a, b->owed_end, rows * sizeof *b->owed_end);
    rill_field_destroy(a, &b->level);
    rill_field_destroy(a, &b->show_base);
    rill_field_destroy(a, &b->show_depth);
    rill_free(a, b, sizeof *b);
    *bodies = NULL;
}

size_t rl_bodies_memory(const rl_bodies *b)
{
    if (b == NULL)
        return 0;
    const size_t rows = (size_t)b->ny;
    const rl_blocks *block = &b->blocks;
    const size_t set = block->floor.bytes + block->lower.bytes + block->upper.bytes +
                       rows * (2 * sizeof(int) + sizeof(bool));
    const size_t blocking = set + 2 * cell_bytes(b) + 2 * rows * sizeof(int) + b->level.bytes +
                            b->show_base.bytes + b->show_depth.bytes;
    return sizeof *b + (size_t)b->def.max_bodies * (sizeof *b->items + PACKED * sizeof(double)) +
           4 * vertex_bytes(b) + triangle_bytes(b) + b->scratch_bytes + b->raster_bytes +
           (b->can_block ? blocking : 0) + rl_soft_memory(b->soft);
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
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (double)rest[3 * v + k] * (double)rest[3 * v + k];
        reach = square > reach ? square : reach;
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
    float *rest = b->rest + 3 * (size_t)body->first_vertex;
    const rl_body_mesh mesh = {rest, b->triangles + 3 * (size_t)body->first_triangle,
                               body->vertex_count, body->triangle_count};
    if (body->def.shape == RILL_BODY_SHEET) {
        body->volume = 0.0;
        body->mass = body->def.density * body->def.size[0] * body->def.size[1];
        body->reach = reach_of(body, rest);
        return RILL_OK;
    }
    const rl_body_moments moments = rl_body_measure_mesh(&mesh);
    if (!(moments.volume > 0.0))
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh of a body encloses %g m3; it must be counter-clockwise seen from "
            "outside",
            moments.volume);
    for (int v = 0; v < body->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            rest[3 * v + k] = (float)((double)rest[3 * v + k] - moments.centre[k]);
    body->volume = moments.volume;
    body->mass = body->def.density * moments.volume;
    body->reach = reach_of(body, rest);
    set_inertia(body, moments.inertia);
    return RILL_OK;
}

static rill_status fill_body(rl_bodies *b, int n, const rill_body_def *def)
{
    rl_body *body = &b->items[n];
    rl_body_mesh mesh = {b->rest + 3 * (size_t)body->first_vertex,
                         b->triangles + 3 * (size_t)body->first_triangle, 0, 0};
    rl_body_make_mesh(def, &mesh);
    body->def = *def;
    body->def.vertices = NULL;
    body->def.triangles = NULL;
    memcpy(body->position, def->position, sizeof body->position);
    memcpy(body->rotation, def->rotation, sizeof body->rotation);
    memcpy(body->velocity, def->velocity, sizeof body->velocity);
    memcpy(body->spin, def->spin, sizeof body->spin);
    rill_status status = RILL_OK;
    if (def->shape == RILL_BODY_MESH)
        status = rl_body_check_closed(&mesh, &b->allocator);
    if (status == RILL_OK)
        status = weigh(b, body);
    if (status != RILL_OK)
        return status;
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
    rl_body_make_mesh(def, &size);
    int n = 0;
    while (n < b->def.max_bodies && b->items[n].taken)
        n++;
    if (n == b->def.max_bodies)
        return rill_fail(RILL_BAD_DEF,
                         "the world has its %d bodies already; raise bodies.max_bodies", n);
    if (size.vertex_count > b->def.max_vertices - b->vertex_count ||
        size.triangle_count > b->def.max_triangles - b->triangle_count)
        return rill_fail(RILL_BAD_DEF,
                         "a body of %d vertices and %d triangles finds no room beside %d and %d; "
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
    if (body->alive && body->def.motion == RILL_BODY_SOFT)
        rl_soft_remove(b, n);
    b->alive -= body->alive;
    b->waiting -= !body->alive;
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
        // Constraints have room for every vertex there can be, so this cannot fail.
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
    const rl_body *body = &b->items[n];
    const size_t first = 3 * (size_t)body->first_vertex;
    for (size_t v = first; v < first + 3 * (size_t)body->vertex_count; v += 3) {
        const double own[3] = {(double)b->rest[v], (double)b->rest[v + 1], (double)b->rest[v + 2]};
        double arm[3];
        rl_body_turn(body->rotation, own, arm);
        const double *w = body->spin;
        const double turning[3] = {w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2],
                                   w[0] * arm[1] - w[1] * arm[0]};
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

bool rl_bodies_owe(const rl_bodies *b)
{
    for (int j = 0; b->can_block && j < b->ny; j++)
        if (b->owed_first[j] < b->owed_end[j])
            return true;
    return false;
}

// ---- State -----------------------------------------------------------------------------

// The parts of a saved block, in their order.
typedef struct saved_part {
    void *data;
    size_t bytes;
} saved_part;

#define SAVED_PARTS 20

static int saved_parts(const rl_bodies *b, saved_part parts[SAVED_PARTS])
{
    const size_t rows = (size_t)b->ny;
    rl_bodies *to = (rl_bodies *)b; // whoever saves only reads
    int count = 0;
    parts[count++] = (saved_part){b->items, (size_t)b->def.max_bodies * sizeof *b->items};
    parts[count++] = (saved_part){b->rest, vertex_bytes(b)};
    parts[count++] = (saved_part){b->position, vertex_bytes(b)};
    parts[count++] = (saved_part){b->velocity, vertex_bytes(b)};
    parts[count++] = (saved_part){b->force, vertex_bytes(b)};
    parts[count++] = (saved_part){b->triangles, triangle_bytes(b)};
    parts[count++] = (saved_part){&to->generation, sizeof b->generation};
    parts[count++] = (saved_part){&to->alive, sizeof b->alive};
    parts[count++] = (saved_part){&to->waiting, sizeof b->waiting};
    parts[count++] = (saved_part){&to->vertex_count, sizeof b->vertex_count};
    parts[count++] = (saved_part){&to->triangle_count, sizeof b->triangle_count};
    if (b->can_block) {
        parts[count++] = (saved_part){b->owed, cell_bytes(b)};
        parts[count++] = (saved_part){b->owed_first, rows * sizeof *b->owed_first};
        parts[count++] = (saved_part){b->owed_end, rows * sizeof *b->owed_end};
    }
    return count;
}

// What the water has as blocked. It is not always what the bodies block where they are: a host may
// have moved them since, and who counts of two in a cell depends on the water at the time.
static int saved_blocks(const rl_bodies *b, saved_part parts[SAVED_PARTS])
{
    const size_t rows = (size_t)b->ny;
    const rl_blocks *now = &b->blocks;
    int count = 0;
    if (!b->can_block)
        return 0;
    parts[count++] = (saved_part){now->floor.memory, now->floor.bytes};
    parts[count++] = (saved_part){now->lower.memory, now->lower.bytes};
    parts[count++] = (saved_part){now->upper.memory, now->upper.bytes};
    parts[count++] = (saved_part){now->first, rows * sizeof *now->first};
    parts[count++] = (saved_part){now->end, rows * sizeof *now->end};
    parts[count++] = (saved_part){now->hangs, rows * sizeof *now->hangs};
    return count;
}

static size_t bytes_of(const saved_part *parts, int count)
{
    size_t bytes = 0;
    for (int n = 0; n < count; n++)
        bytes += parts[n].bytes;
    return bytes;
}

size_t rl_bodies_saved_bytes(const rl_bodies *b)
{
    saved_part parts[SAVED_PARTS];
    if (b == NULL)
        return 0;
    const size_t bytes = bytes_of(parts, saved_parts(b, parts));
    return bytes + bytes_of(parts, saved_blocks(b, parts));
}

static char *copy_out(const saved_part *parts, int count, char *to)
{
    for (int n = 0; n < count; to += parts[n].bytes, n++)
        memcpy(to, parts[n].data, parts[n].bytes);
    return to;
}

static void copy_in(const saved_part *parts, int count, const char *from)
{
    for (int n = 0; n < count; from += parts[n].bytes, n++)
        memcpy(parts[n].data, from, parts[n].bytes);
}

void rl_bodies_save(const rl_bodies *b, void *to)
{
    saved_part parts[SAVED_PARTS];
    char *rest = copy_out(parts, saved_parts(b, parts), to);
    copy_out(parts, saved_blocks(b, parts), rest);
}

void rl_bodies_restore(rl_bodies *b, const void *from)
{
    for (int n = b->def.max_bodies - 1; n >= 0; n--)
        if (b->items[n].alive && b->items[n].def.motion == RILL_BODY_SOFT)
            rl_soft_remove(b, n);
    saved_part parts[SAVED_PARTS];
    copy_in(parts, saved_parts(b, parts), from);
    b->pushed = true;
    for (int n = 0; n < b->def.max_bodies; n++)
        if (b->items[n].alive && b->items[n].def.motion == RILL_BODY_SOFT)
            (void)rl_soft_add(b, n); // there was room for them when they were saved
}

void rl_bodies_restore_blocks(rl_bodies *b, const void *from, const rl_body_water *water)
{
    saved_part parts[SAVED_PARTS];
    const size_t before = bytes_of(parts, saved_parts(b, parts));
    if (!b->can_block)
        return;
    copy_in(parts, saved_blocks(b, parts), (const char *)from + before);
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
    int places = 0; // up to the last one that is taken: room alone is no state
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
        arrays[count++] = (rill_state_array){"owed", (float *)b->owed, cells, cells, (size_t)b->ny};
    return count;
}
