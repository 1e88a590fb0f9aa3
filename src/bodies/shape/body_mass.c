// SPDX-License-Identifier: MIT
// body_mass.c - what a mesh of triangles encloses: its volume, centre and inertia, as the sum of
// signed tetrahedra between the triangles and one point; and whether it encloses anything at all.
#include "bodies/bodies_internal.h"

#include "rill/support.h"

#include <math.h>
#include <stdlib.h>

// ---- Moments ---------------------------------------------------------------------------

static void corner_from(const rl_body_mesh *mesh, uint32_t vertex, const double from[3],
                        double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)mesh->vertices[3 * (size_t)vertex + (size_t)k] - from[k];
}

// Integrals over the inside of 1, x_k and x_k x_l, in that order, relative to a point. For the
// tetrahedron (0, a, b, c) of six-fold volume d and with s = a + b + c they are d/6, d/24 s_k and
// d/120 (a_k a_l + b_k b_l + c_k c_l + s_k s_l).
typedef struct integrals {
    double volume, first[3], second[3][3];
} integrals;

static void add_tetrahedron(integrals *sum, const double a[3], const double b[3], const double c[3])
{
    const double d = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                     a[2] * (b[0] * c[1] - b[1] * c[0]);
    double s[3];
    for (int k = 0; k < 3; k++)
        s[k] = a[k] + b[k] + c[k];
    sum->volume += d / 6.0;
    for (int k = 0; k < 3; k++) {
        sum->first[k] += d / 24.0 * s[k];
        for (int l = 0; l < 3; l++)
            sum->second[k][l] +=
                d / 120.0 * (a[k] * a[l] + b[k] * b[l] + c[k] * c[l] + s[k] * s[l]);
    }
}

// The first vertex is the common point of the tetrahedra: for a body far from the origin of its own
// coordinates sums about the origin would cancel.
rl_body_moments rl_body_measure_mesh(const rl_body_mesh *mesh)
{
    rl_body_moments moments = {0};
    if (mesh->vertex_count < 1)
        return moments;
    static const double zero[3] = {0.0, 0.0, 0.0};
    double from[3];
    corner_from(mesh, 0, zero, from);
    integrals sum = {0};
    for (int n = 0; n < mesh->triangle_count; n++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++)
            corner_from(mesh, mesh->triangles[3 * (size_t)n + (size_t)k], from, corners[k]);
        add_tetrahedron(&sum, corners[0], corners[1], corners[2]);
    }
    moments.volume = sum.volume;
    if (sum.volume == 0.0)
        return moments;
    double about[3], trace = 0.0, second[3][3];
    for (int k = 0; k < 3; k++) {
        about[k] = sum.first[k] / sum.volume;
        moments.centre[k] = from[k] + about[k];
    }
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            second[k][l] = sum.second[k][l] - sum.volume * about[k] * about[l];
        trace += second[k][k];
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            moments.inertia[3 * k + l] = (k == l ? trace : 0.0) - second[k][l];
    return moments;
}

bool rl_body_invert(const double inertia[9], double inverse[9])
{
    const double *i = inertia, least = 1e-9 * (i[0] + i[4] + i[8]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3, c = (l + 1) % 3, d = (l + 2) % 3;
            inverse[3 * l + k] = i[3 * a + c] * i[3 * b + d] - i[3 * a + d] * i[3 * b + c];
        }
    const double whole = i[0] * inverse[0] + i[1] * inverse[3] + i[2] * inverse[6];
    if (!(i[0] > least && inverse[8] > least * least && whole > least * least * least))
        return false;
    for (int k = 0; k < 9; k++)
        inverse[k] /= whole;
    return true;
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

static bool has_edge(const uint64_t *edges, size_t count, uint64_t edge)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (edges[middle] < edge)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && edges[low] == edge;
}

static rill_status check_triangles(const rl_body_mesh *mesh)
{
    if (mesh->vertex_count < 4 || mesh->triangle_count < 4)
        return rill_fail(
            RILL_BAD_DEF,
            "the mesh has %d vertices and %d triangles; a closed one has at least four "
            "of each",
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
            return rill_fail(
                RILL_BAD_DEF,
                "two triangles of the mesh have the edge from vertex %u to vertex %u in "
                "the same direction",
                (unsigned)from, (unsigned)to);
        if (!has_edge(edges, count, edge_between(to, from)))
            return rill_fail(RILL_BAD_DEF,
                             "the mesh is not closed: the edge from vertex %u to vertex %u has a "
                             "triangle on one side alone",
                             (unsigned)from, (unsigned)to);
    }
    return RILL_OK;
}

rill_status rl_body_check_closed(const rl_body_mesh *mesh, const rill_allocator *allocator)
{
    const rill_status status = check_triangles(mesh);
    if (status != RILL_OK)
        return status;
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
