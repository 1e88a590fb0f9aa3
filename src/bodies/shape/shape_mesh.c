// SPDX-License-Identifier: MIT
// shape_mesh.c - RILL_BODY_MESH: the triangles of the caller, which must enclose a volume.
#include "bodies/shape/body_shape.h"

#include <stdlib.h>
#include <string.h>

static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    if (!rl_shape_begin(mesh, def->vertex_count, def->triangle_count))
        return;
    memcpy(mesh->vertices, def->vertices, 3 * sizeof(float) * (size_t)def->vertex_count);
    memcpy(mesh->triangles, def->triangles, 3 * sizeof(uint32_t) * (size_t)def->triangle_count);
}

static rill_status check(const rill_body_def *d)
{
    if (d->vertices == NULL || d->triangles == NULL || d->vertex_count < 4 || d->triangle_count < 4)
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh of a body has %d vertices and %d triangles, it needs four of each",
            d->vertex_count, d->triangle_count);
    for (int n = 0; n < 3 * d->vertex_count; n++)
        if (!(fabs((double)d->vertices[n]) <= 1e6))
            return rill_fail(RILL_BAD_DEF, "vertex %d of a body has a coordinate of %g m", n / 3,
                             (double)d->vertices[n]);
    for (int n = 0; n < 3 * d->triangle_count; n++)
        if (d->triangles[n] >= (uint32_t)d->vertex_count)
            return rill_fail(RILL_BAD_DEF, "triangle %d of a body names vertex %u of %d", n / 3,
                             (unsigned)d->triangles[n], d->vertex_count);
    return RILL_OK;
}

// ---- Closed or not ---------------------------------------------------------------------

// A directed edge as one number that sorts by its first vertex.
static uint64_t edge_between(uint32_t from, uint32_t to)
{
    return (uint64_t)from << 32 | to;
}

static int compare_edges(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;
    return (one > two) - (one < two);
}

static rill_status check_triangles(const rl_body_mesh *mesh)
{
    if (mesh->vertex_count < 4 || mesh->triangle_count < 4)
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh has %d vertices and %d triangles; a closed one has at least four of each",
            mesh->vertex_count, mesh->triangle_count);
    for (int n = 0; n < mesh->triangle_count; n++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)n;
        for (int k = 0; k < 3; k++)
            if (t[k] >= (uint32_t)mesh->vertex_count)
                return rill_fail(RILL_BAD_DEF,
                                 "triangle %d of the mesh has vertex %u, and there are %d vertices",
                                 n, (unsigned)t[k], mesh->vertex_count);
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            return rill_fail(RILL_BAD_DEF, "triangle %d of the mesh has the same vertex twice", n);
    }
    return RILL_OK;
}

static rill_status check_edges(const uint64_t *edges, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        const uint32_t from = (uint32_t)(edges[n] >> 32), to = (uint32_t)edges[n];
        if (n + 1 < count && edges[n + 1] == edges[n])
            return rill_fail(RILL_BAD_DEF,
                             "two triangles of the mesh have the edge from vertex %u to vertex %u "
                             "in the same direction",
                             (unsigned)from, (unsigned)to);
        const uint64_t back = edge_between(to, from);
        if (bsearch(&back, edges, count, sizeof back, compare_edges) == NULL)
            return rill_fail(RILL_BAD_DEF,
                             "the mesh is not closed: the edge from vertex %u to vertex %u has a "
                             "triangle on one side alone",
                             (unsigned)from, (unsigned)to);
    }
    return RILL_OK;
}

rill_status rl_body_check_closed(const rl_body_mesh *mesh, const rill_allocator *allocator)
{
    RILL_TRY(check_triangles(mesh));
    const size_t count = 3 * (size_t)mesh->triangle_count, bytes = count * sizeof(uint64_t);
    uint64_t *edges = rill_alloc(allocator, bytes);
    if (!edges)
        return rill_fail(RILL_NO_MEMORY, "no memory to check a mesh of %d triangles",
                         mesh->triangle_count);
    for (int n = 0; n < mesh->triangle_count; n++) {
        const uint32_t *t = mesh->triangles + 3 * (size_t)n;
        for (int k = 0; k < 3; k++)
            edges[3 * (size_t)n + (size_t)k] = edge_between(t[k], t[(k + 1) % 3]);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    const rill_status closed = check_edges(edges, count);
    rill_free(allocator, edges, bytes);
    return closed;
}

const rl_shape rl_shape_mesh = {
    .info = {.name = "mesh", .fields = RILL_SHAPE_TRIANGLES},
    .make = make,
    .check = check,
    .check_mesh = rl_body_check_closed,
    .geom = RL_GEOM_MESH,
    .sdf = RILL_SDF_MESH,
};
