// SPDX-License-Identifier: MIT
// body_mass.c - what a mesh of triangles encloses: its volume, centre and inertia, as the sum of
// signed tetrahedra between the triangles and one point.
#include "bodies/bodies_internal.h"

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
    double across[3], s[3];
    rl_cross(b, c, across);
    const double d = rl_dot(a, across);
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
    RL_ASSERT(mesh->vertices != NULL && mesh->triangles != NULL);
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
