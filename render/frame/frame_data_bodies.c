// SPDX-License-Identifier: MIT
// frame_data_bodies.c - fills the part of the frame data that belongs to bodies. A vertex of a body
// has as many corners in the picture as there are smooth surfaces that meet in it: a box gets three
// at each of its vertices, a ball one. The corners follow from the triangles at rest and are
// computed once; after that a frame costs one pass over vertices and triangles.
#include "render/frame/frame_data_bodies.h"

#include "render/frame/frame_data.h"
#include "render/frame/frame_data_solid.h"
#include "render/render_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CREASE 0.766f // cosine of the least angle of an edge that is seen as one, 40 degrees

// A body as it was when its corners were divided.
typedef struct known_body {
    rill_body_id id;
    int vertex_count, triangle_count;
    rill_body_shape shape;
    rill_body_material material;
    float colour[3];
    size_t first_rest, first_triangle; // in the copies below
    size_t first_corner, corner_count; // in `own`
    size_t first_index;
} known_body;

struct body_maker {
    uint64_t version;
    known_body *known;
    size_t known_count, known_capacity;
    float *rest; // three a vertex
    uint32_t *triangles;
    size_t rest_count, rest_capacity, triangle_count, triangle_capacity;

    frame_body_own *own;
    uint32_t *source; // of every corner: the vertex of its body
    uint32_t *indices;
    size_t first_index[RILL_MATERIAL_COUNT + 1]; // of the triangles of a material
    size_t corner_count, own_capacity, source_capacity, index_count, index_capacity;

    // Memory for the work on one body, or on all of them.
    float *faces;     // normals of triangles
    uint32_t *starts; // of the corners of triangles around each vertex
    uint32_t *around;
    float *sums; // of normals
    rill_body_mesh *meshes;
    size_t faces_capacity, starts_capacity, around_capacity, sums_capacity, mesh_capacity;
};

rill_status body_maker_create(body_maker **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? RILL_OK : render_fail(RILL_NO_MEMORY, "no memory for pictures of bodies");
}

void body_maker_destroy(body_maker **maker)
{
    if (maker == NULL || *maker == NULL)
        return;
    body_maker *m = *maker;
    free(m->known);
    free(m->rest);
    free(m->triangles);
    free(m->own);
    free(m->source);
    free(m->indices);
    free(m->faces);
    free(m->starts);
    free(m->around);
    free(m->sums);
    free(m->meshes);
    free(m);
    *maker = NULL;
}

void frame_free_bodies(frame_bodies *bodies)
{
    free(bodies->each);
    free(bodies->vertices);
    free(bodies->own);
    free(bodies->indices);
    *bodies = (frame_bodies){0};
}

// Reserves memory for `count` elements in the array that `field` of `of` points to.
#define GROW(of, field, capacity, count) \
    grow((void *)&(of)->field, &(of)->capacity, count, sizeof *(of)->field)

static bool grow(void *pointer, size_t *capacity, size_t count, size_t size)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    const rill_status status = frame_grow(&memory, capacity, count, size);
    memcpy(pointer, &memory, sizeof memory);
    return status == RILL_OK;
}

// ---- Known bodies ----------------------------------------------------------------------

static bool same_bytes(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

static bool is_known(const body_maker *m, const known_body *known, const rill_body_mesh *mesh)
{
    const size_t rest = 3 * (size_t)mesh->vertex_count * sizeof *m->rest;
    const size_t triangles = 3 * (size_t)mesh->triangle_count * sizeof *m->triangles;
    return known->id.index1 == mesh->id.index1 && known->id.generation == mesh->id.generation &&
           known->vertex_count == mesh->vertex_count &&
           known->triangle_count == mesh->triangle_count && known->shape == mesh->shape &&
           known->material == mesh->material &&
           same_bytes(known->colour, mesh->colour, sizeof known->colour) &&
           same_bytes(m->rest + 3 * known->first_rest, mesh->rest, rest) &&
           same_bytes(m->triangles + 3 * known->first_triangle, mesh->triangles, triangles);
}

static bool all_known(const body_maker *m, const rill_body_mesh *meshes, size_t count)
{
    bool same = m->known_count == count;
    for (size_t n = 0; same && n < count; n++)
        same = is_known(m, &m->known[n], &meshes[n]);
    return same;
}

// ---- Corners ---------------------------------------------------------------------------

static void face_normal(const float *a, const float *b, const float *c, float out[3])
{
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void make_unit(float v[3])
{
    const float length = sqrtf(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] = length > 0.0f ? v[k] / length : k == 2 ? 1.0f : 0.0f;
}

// Lists the corners of triangles around each vertex, as numbers 3 * triangle + corner.
static void sort_around(body_maker *m, const rill_body_mesh *mesh)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    memset(m->starts, 0, ((size_t)mesh->vertex_count + 2) * sizeof *m->starts);
    for (size_t n = 0; n < corners; n++)
        m->starts[mesh->triangles[n] + 2]++;
    for (int v = 0; v < mesh->vertex_count; v++)
        m->starts[v + 2] += m->starts[v + 1];
    for (size_t n = 0; n < corners; n++)
        m->around[m->starts[mesh->triangles[n] + 1]++] = (uint32_t)n;
}

static void measure_faces(body_maker *m, const rill_body_mesh *mesh)
{
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++) {
        const uint32_t *triangle = mesh->triangles + 3 * t;
        face_normal(mesh->rest + 3 * (size_t)triangle[0], mesh->rest + 3 * (size_t)triangle[1],
                    mesh->rest + 3 * (size_t)triangle[2], m->faces + 3 * t);
        make_unit(m->faces + 3 * t);
    }
}

// Gives the same corner to all triangles around a vertex that are reached from `first` without
// crossing an edge. Those with a corner already stand before place `first`.
static size_t gather_smooth(body_maker *m, uint32_t *around, size_t first, size_t count, bool bent)
{
    size_t gathered = first + 1;
    for (size_t of = first; of < gathered; of++)
        for (size_t n = gathered; n < count; n++) {
            const float *a = m->faces + 3 * (size_t)(around[of] / 3);
            const float *b = m->faces + 3 * (size_t)(around[n] / 3);
            if (!bent && dot(a, b) < CREASE)
                continue;
            const uint32_t other = around[n];
            around[n] = around[gathered];
            around[gathered++] = other;
        }
    return gathered;
}

static bool is_bent(rill_body_shape shape)
{
    const rill_body_shape_info *info = rill_body_shape_get(shape);
    return info != NULL && info->is_smooth != 0;
}

// Makes corners and indices of one body. The arrays hold as many corners as its triangles have.
static void divide(body_maker *m, const rill_body_mesh *mesh, known_body *known)
{
    measure_faces(m, mesh);
    sort_around(m, mesh);
    for (int v = 0; v < mesh->vertex_count; v++) {
        uint32_t *around = m->around + m->starts[v];
        const size_t count = m->starts[v + 1] - m->starts[v];
        for (size_t first = 0; first < count;) {
            const size_t end = gather_smooth(m, around, first, count, is_bent(mesh->shape));
            for (; first < end; first++)
                m->indices[m->index_count + around[first]] =
                    (uint32_t)(known->first_corner + known->corner_count);
            m->source[known->first_corner + known->corner_count++] = (uint32_t)v;
        }
    }
    m->index_count += 3 * (size_t)mesh->triangle_count;
}

// ---- Attributes of corners -------------------------------------------------------------

static void box_of(const float *places, int count, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = count > 0 ? places[k] : 0.0f;
        high[k] = low[k];
    }
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) {
            const float at = places[3 * n + k];
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
}

static void describe(body_maker *m, const rill_body_mesh *mesh, const known_body *known)
{
    float low[3], high[3];
    box_of(mesh->rest, mesh->vertex_count, low, high);
    frame_body_own own = {.bent = is_bent(mesh->shape) ? 1.0f : 0.0f,
                          .seed = (float)(mesh->id.index1 * 0x9e3779b9u >> 8) / 16777216.0f};
    memcpy(own.colour, mesh->colour, sizeof own.colour);
    for (int k = 0; k < 3; k++)
        own.half[k] = fmaxf(0.5f * (high[k] - low[k]), 1e-6f);
    for (size_t n = 0; n < known->corner_count; n++) {
        const float *rest = mesh->rest + 3 * (size_t)m->source[known->first_corner + n];
        for (int k = 0; k < 3; k++)
            own.place[k] = rest[k] - 0.5f * (low[k] + high[k]);
        m->own[known->first_corner + n] = own;
    }
}

static bool reserve(body_maker *m, const rill_body_mesh *meshes, size_t count)
{
    size_t vertices = 0, triangles = 0, most_vertices = 0, most_triangles = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t v = (size_t)meshes[n].vertex_count, t = (size_t)meshes[n].triangle_count;
        vertices += v;
        triangles += t;
        most_vertices = v > most_vertices ? v : most_vertices;
        most_triangles = t > most_triangles ? t : most_triangles;
    }
    return GROW(m, known, known_capacity, count) && GROW(m, rest, rest_capacity, 3 * vertices) &&
           GROW(m, triangles, triangle_capacity, 3 * triangles) &&
           GROW(m, own, own_capacity, 3 * triangles) &&
           GROW(m, source, source_capacity, 3 * triangles) &&
           GROW(m, indices, index_capacity, 3 * triangles) &&
           GROW(m, faces, faces_capacity, 3 * most_triangles) &&
           GROW(m, starts, starts_capacity, most_vertices + 2) &&
           GROW(m, around, around_capacity, 3 * most_triangles) &&
           GROW(m, sums, sums_capacity, 9 * triangles);
}

static void learn_one(body_maker *m, const rill_body_mesh *mesh, known_body *known)
{
    *known = (known_body){.id = mesh->id,
                          .vertex_count = mesh->vertex_count,
                          .triangle_count = mesh->triangle_count,
                          .shape = mesh->shape,
                          .material = mesh->material,
                          .first_rest = m->rest_count,
                          .first_triangle = m->triangle_count,
                          .first_corner = m->corner_count,
                          .first_index = m->index_count};
    memcpy(known->colour, mesh->colour, sizeof known->colour);
    const size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    if (vertices > 0)
        memcpy(m->rest + 3 * m->rest_count, mesh->rest, 3 * vertices * sizeof *m->rest);
    if (triangles > 0)
        memcpy(m->triangles + 3 * m->triangle_count, mesh->triangles,
               3 * triangles * sizeof *m->triangles);
    m->rest_count += vertices;
    m->triangle_count += triangles;
    divide(m, mesh, known);
    describe(m, mesh, known);
    m->corner_count += known->corner_count;
}

static int material_of(const rill_body_mesh *mesh)
{
    return (unsigned)mesh->material < RILL_MATERIAL_COUNT ? (int)mesh->material
                                                          : RILL_MATERIAL_PLAIN;
}

static rill_status learn(body_maker *m, const rill_body_mesh *meshes, size_t count)
{
    m->known_count = 0;
    m->rest_count = m->triangle_count = m->corner_count = m->index_count = 0;
    m->version++;
    if (!reserve(m, meshes, count))
        return RILL_NO_MEMORY;
    for (int k = 0; k < RILL_MATERIAL_COUNT; k++) {
        m->first_index[k] = m->index_count;
        for (size_t n = 0; n < count; n++)
            if (material_of(&meshes[n]) == k)
                learn_one(m, &meshes[n], &m->known[n]);
    }
    m->first_index[RILL_MATERIAL_COUNT] = m->index_count;
    m->known_count = count;
    return RILL_OK;
}

// ---- Frame data ------------------------------------------------------------------------

static bool copy_own(const body_maker *m, frame_bodies *to)
{
    if (to->version == m->version)
        return true;
    if (!GROW(to, own, own_capacity, m->corner_count) ||
        !GROW(to, indices, index_capacity, m->index_count) ||
        !GROW(to, vertices, vertex_capacity, m->corner_count) ||
        !GROW(to, each, capacity, m->known_count))
        return false;
    if (m->corner_count > 0)
        memcpy(to->own, m->own, m->corner_count * sizeof *to->own);
    if (m->index_count > 0)
        memcpy(to->indices, m->indices, m->index_count * sizeof *to->indices);
    memcpy(to->first_index, m->first_index, sizeof to->first_index);
    to->version = m->version;
    return true;
}

// Computes normals, weighted by the areas of the triangles around each corner.
static void sum_normals(body_maker *m, const rill_body_mesh *mesh, const known_body *known)
{
    const uint32_t *indices = m->indices + known->first_index;
    for (size_t t = 0; t < (size_t)mesh->triangle_count; t++) {
        const uint32_t *triangle = mesh->triangles + 3 * t;
        float normal[3];
        face_normal(mesh->positions + 3 * (size_t)triangle[0],
                    mesh->positions + 3 * (size_t)triangle[1],
                    mesh->positions + 3 * (size_t)triangle[2], normal);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                m->sums[3 * (size_t)indices[3 * t + (size_t)c] + (size_t)k] += normal[k];
    }
}

static void place_corners(const body_maker *m, const rill_body_mesh *mesh, const known_body *known,
                          frame_body_vertex *vertices)
{
    for (size_t n = known->first_corner; n < known->first_corner + known->corner_count; n++) {
        float *normal = m->sums + 3 * n;
        make_unit(normal);
        memcpy(vertices[n].position, mesh->positions + 3 * (size_t)m->source[n],
               sizeof vertices[n].position);
        for (int k = 0; k < 3; k++)
            vertices[n].normal[k] = frame_pack_unit(normal[k]);
        vertices[n].normal[3] = 0;
    }
}

// Without a known centre of mass, the mean of the vertices stands for it.
static void note_body(const rill_body_mesh *mesh, frame_body *body)
{
    *body = (frame_body){.index1 = mesh->id.index1};
    box_of(mesh->positions, mesh->vertex_count, body->low, body->high);
    for (int n = 0; n < mesh->vertex_count; n++)
        for (int k = 0; k < 3; k++)
            body->position[k] += (double)mesh->positions[3 * n + k] / mesh->vertex_count;
}

static bool can_be_shown(const rill_body_mesh *mesh)
{
    return mesh->vertex_count >= 0 && mesh->triangle_count >= 0 &&
           (mesh->vertex_count == 0 || (mesh->positions != NULL && mesh->rest != NULL)) &&
           (mesh->triangle_count == 0 || mesh->triangles != NULL);
}

rill_status frame_set_bodies(body_maker *maker, const rill_body_mesh *meshes, size_t count,
                             frame_data *s)
{
    frame_bodies *to = &s->bodies;
    to->count = to->vertex_count = to->index_count = 0;
    for (size_t n = 0; n < count; n++)
        if (!can_be_shown(&meshes[n]))
            return render_fail(RILL_BAD_ARGUMENT, "body %zu has no triangles to be shown", n);
    if (count == 0)
        return RILL_OK;
    if (!all_known(maker, meshes, count) && learn(maker, meshes, count) != RILL_OK)
        return RILL_NO_MEMORY;
    if (!copy_own(maker, to))
        return RILL_NO_MEMORY;
    memset(maker->sums, 0, 3 * maker->corner_count * sizeof *maker->sums);
    for (size_t n = 0; n < count; n++) {
        sum_normals(maker, &meshes[n], &maker->known[n]);
        place_corners(maker, &meshes[n], &maker->known[n], to->vertices);
        note_body(&meshes[n], &to->each[n]);
    }
    to->count = count;
    to->vertex_count = maker->corner_count;
    to->index_count = maker->index_count;
    return RILL_OK;
}

rill_status frame_fill_bodies(body_maker *maker, const rill_world *world, frame_data *s)
{
    const size_t count = (size_t)rill_world_body_count(world);
    if (!GROW(maker, meshes, mesh_capacity, count))
        return RILL_NO_MEMORY;
    for (size_t n = 0; n < count; n++)
        maker->meshes[n] = rill_world_body_mesh(world, rill_world_body_at(world, (int)n));
    const rill_status status = frame_set_bodies(maker, maker->meshes, count, s);
    for (size_t n = 0; status == RILL_OK && n < count; n++) {
        rill_body_state state;
        if (rill_world_get_body(world, maker->meshes[n].id, &state) == RILL_OK)
            memcpy(s->bodies.each[n].position, state.position, sizeof state.position);
    }
    return status;
}

const frame_body *frame_find_body(const frame_data *s, uint32_t index1)
{
    for (size_t n = 0; n < s->bodies.count; n++)
        if (s->bodies.each[n].index1 == index1)
            return &s->bodies.each[n];
    return NULL;
}
