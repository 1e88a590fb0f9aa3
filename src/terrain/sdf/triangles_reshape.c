// SPDX-License-Identifier: MIT
// triangles_reshape.c - meshes whose vertices move: soft tissue, a beating wall. The triangles stay
// what they are, so nothing is welded, turned or counted again; what depends on places (box,
// volume) is measured anew. A mesh is never changed under the hands of another holder: new places
// are new triangles, in the memory of earlier ones that have no holder any more.
#include "terrain/sdf/triangles.h"

#include <string.h>

#define FARTHEST 1e9f // metres, as for new triangles

// ---- Memory ----------------------------------------------------------------------------

// Whether memory of `t` can be used for another shape of `like`.
static bool is_free_twin(const rill_triangles *t, const rill_triangles *like)
{
    return t != NULL && t != like && atomic_load_explicit(&t->holders, memory_order_acquire) == 1 &&
           t->vertex_count == like->vertex_count && t->index_count == like->index_count &&
           t->given_count == like->given_count &&
           memcmp(t->indices, like->indices, t->index_count * sizeof *t->indices) == 0 &&
           memcmp(t->given, like->given, t->given_count * sizeof *t->given) == 0;
}

static rill_triangles *make_twin(const rill_triangles *like)
{
    rill_triangles *t = rl_owned_create(&like->own.allocator, sizeof *t);
    if (t == NULL)
        return NULL;
    atomic_init(&t->holders, 1);
    t->vertex_count = like->vertex_count;
    t->index_count = like->index_count;
    t->given_count = like->given_count;
    t->vertices = rl_owned_take(&t->own, 3 * t->vertex_count, sizeof *t->vertices);
    t->indices = rl_owned_take(&t->own, t->index_count, sizeof *t->indices);
    t->given = rl_owned_take(&t->own, t->given_count, sizeof *t->given);
    if (t->own.failed) {
        rill_triangles_destroy(&t);
        return NULL;
    }
    memcpy(t->indices, like->indices, t->index_count * sizeof *t->indices);
    memcpy(t->given, like->given, t->given_count * sizeof *t->given);
    t->closed = like->closed;
    t->edge_count = like->edge_count;
    t->info = like->info;
    t->info.positions = t->vertices;
    t->info.indices = t->indices;
    return t;
}

// ---- New places ------------------------------------------------------------------------

static rill_status check(const rill_triangles *like, const float *vertices, size_t count)
{
    if (vertices == NULL || count != like->given_count)
        return rill_fail(RILL_BAD_ARGUMENT,
                         "a mesh that was made from %zu vertices gets new places of %zu%s",
                         like->given_count, vertices != NULL ? count : 0,
                         vertices != NULL ? "" : ", they are NULL");
    for (size_t k = 0; k < 3 * count; k++)
        if (!(fabsf(vertices[k]) <= FARTHEST))
            return rill_fail(
                RILL_BAD_ARGUMENT,
                "coordinate %c of vertex %zu is %g m, it must be finite and at most %g m from 0",
                "xyz"[k % 3], k / 3, (double)vertices[k], (double)FARTHEST);
    return RILL_OK;
}

// The first of the vertices that were one says where that is.
static void put_vertices(rill_triangles *t, const float *vertices)
{
    for (size_t v = t->given_count; v-- > 0;)
        if (t->given[v] != RL_NO_TRIANGLE)
            memcpy(t->vertices + 3 * (size_t)t->given[v], vertices + 3 * v,
                   3 * sizeof *t->vertices);
}

static rill_status measure(rill_triangles *t)
{
    rl_triangles_measure(t);
    if (!(t->info.volume > 0.0))
        return rill_fail(RILL_BAD_ARGUMENT,
                         "the mesh encloses %g m^3 as it is bent: it is flat or inside out",
                         t->info.volume);
    if (t->closed) {
        rl_triangle_tree_destroy(&t->own.allocator, &t->tree); // of another shape
        return RILL_OK;
    }
    RILL_TRY(rl_triangle_tree_create(t));
    return rl_triangles_check_open(t);
}

rill_status rl_triangles_reshape(const rill_triangles *like, rill_triangles *spare,
                                 const float *vertices, size_t count, rill_triangles **out)
{
    *out = NULL;
    rill_status status = check(like, vertices, count);
    rill_triangles *t = NULL;
    if (status == RILL_OK && is_free_twin(spare, like)) {
        t = spare;
        spare = NULL;
    } else if (status == RILL_OK) {
        t = make_twin(like);
        if (t == NULL)
            status = rill_fail(RILL_NO_MEMORY, "no memory for another shape of %zu triangles",
                               like->index_count / 3);
    }
    if (status == RILL_OK) {
        put_vertices(t, vertices);
        status = measure(t);
    }
    rill_triangles_destroy(&spare);
    if (status != RILL_OK)
        rill_triangles_destroy(&t);
    *out = t;
    return status;
}

rill_triangles *rl_triangles_twin(const rill_triangles *like)
{
    rill_triangles *t = make_twin(like);
    if (t != NULL)
        memcpy(t->vertices, like->vertices, 3 * t->vertex_count * sizeof *t->vertices);
    return t;
}

// ---- An ellipsoid ----------------------------------------------------------------------

#define MOST_PARTS 2048

// A place on the unit sphere for one on the unit cube, nearly the same area everywhere: each
// coordinate times the root of 1 - a^2/2 - b^2/2 + a^2 b^2/3 of the two others.
static void round_off(const double cube[3], const double size[3], float out[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = cube[(k + 1) % 3] * cube[(k + 1) % 3];
        const double b = cube[(k + 2) % 3] * cube[(k + 2) % 3];
        // In an order that does not depend on k: the edges of faces have the same vertices.
        const double low = rl_lesser(a, b), high = rl_greater(a, b);
        const double inner = 1.0 - 0.5 * (low + high) + low * high / 3.0;
        out[k] = (float)(0.5 * size[k] * cube[k] * sqrt(rl_greater(inner, 0.0)));
    }
}

// Face n of the cube looks along axis n / 2, up or down.
static void fill_face(int face, int parts, const double size[3], float *vertices, uint32_t *indices)
{
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, row = parts + 1;
    const uint32_t first = (uint32_t)face * (uint32_t)(row * row);
    for (int j = 0; j <= parts; j++)
        for (int i = 0; i <= parts; i++) {
            double cube[3];
            cube[axis] = face % 2 == 0 ? 1.0 : -1.0;
            cube[u] = (double)(2 * i - parts) / parts;
            cube[v] = (double)(2 * j - parts) / parts;
            round_off(cube, size, vertices + 3 * ((size_t)first + (size_t)(j * row + i)));
        }
    uint32_t *next = indices + 6 * (size_t)face * (size_t)parts * (size_t)parts;
    for (int j = 0; j < parts; j++)
        for (int i = 0; i < parts; i++, next += 6) {
            const uint32_t a = first + (uint32_t)(j * row + i), b = a + 1;
            const uint32_t c = b + (uint32_t)row, d = a + (uint32_t)row;
            const uint32_t quad[6] = {a, b, c, a, c, d};
            memcpy(next, quad, sizeof quad);
            if (face % 2 == 1) {
                rl_triangle_turn(next);
                rl_triangle_turn(next + 3);
            }
        }
}

rill_status rill_triangles_create_ellipsoid(const double size[3], int parts, const rill_host *host,
                                            rill_triangles **out)
{
    if (size == NULL || out == NULL)
        return rill_fail(RILL_BAD_ARGUMENT, "an ellipsoid needs a size and a place, one is NULL");
    *out = NULL;
    RILL_TRY(rill_host_check(host));
    for (int k = 0; k < 3; k++)
        if (!(size[k] > 0.0 && size[k] <= (double)FARTHEST))
            return rill_fail(
                RILL_BAD_DEF,
                "an ellipsoid is %g m long along %c, it must be above 0 and at most %g", size[k],
                "xyz"[k], (double)FARTHEST);
    if (parts < 1 || parts > MOST_PARTS)
        return rill_fail(RILL_BAD_DEF,
                         "the faces of an ellipsoid have %d parts, it must be 1 to %d", parts,
                         MOST_PARTS);
    const rill_allocator *a = rill_allocator_of(host);
    const size_t vertex_count = 6 * (size_t)(parts + 1) * (size_t)(parts + 1);
    const size_t index_count = 36 * (size_t)parts * (size_t)parts;
    float *vertices = rill_alloc(a, 3 * vertex_count * sizeof *vertices);
    uint32_t *indices = rill_alloc(a, index_count * sizeof *indices);
    rill_status status = RILL_OK;
    if (vertices == NULL || indices == NULL)
        status = rill_fail(RILL_NO_MEMORY, "no memory for an ellipsoid of %zu triangles",
                           index_count / 3);
    for (int face = 0; face < 6 && status == RILL_OK; face++)
        fill_face(face, parts, size, vertices, indices);
    // Made twice, so that vertices that faces share are one in what is given, too.
    rill_triangles *rough = NULL;
    if (status == RILL_OK)
        status = rill_triangles_create(vertices, vertex_count, indices, index_count, host, &rough);
    if (status == RILL_OK)
        status = rill_triangles_create(rough->vertices, rough->vertex_count, rough->indices,
                                       rough->index_count, host, out);
    rill_triangles_destroy(&rough);
    rill_free(a, vertices, 3 * vertex_count * sizeof *vertices);
    rill_free(a, indices, index_count * sizeof *indices);
    return status;
}
