// SPDX-License-Identifier: MIT
// body_shape.c - the list of body shapes and what their files have in common. Round shapes are
// pushed out so that the polyhedron has the volume of the round body: what floats then has the
// draught that Archimedes says. Only + - * / and square roots are used, so that every machine makes
// the same vertices.
//
// A mesh is made twice: without arrays it is only counted. Nothing is moved to the centre of mass
// here (hulls and meshes do not have it at the origin); rl_bodies_add does that for all shapes.
#include "bodies/shape/body_shape.h"

#include <string.h>

#define MOST_PARTS 8 // of an edge of a box, and of a barrel

static const rl_shape *const shapes[RILL_BODY_SHAPE_COUNT] = {
    [RILL_BODY_BOX] = &rl_shape_box,           [RILL_BODY_SPHERE] = &rl_shape_sphere,
    [RILL_BODY_CYLINDER] = &rl_shape_cylinder, [RILL_BODY_HULL] = &rl_shape_hull,
    [RILL_BODY_MESH] = &rl_shape_mesh,         [RILL_BODY_SHEET] = &rl_shape_sheet,
};

const rl_shape *rl_shape_of(const rill_body_def *def)
{
    RL_ASSERT((unsigned)def->shape < RILL_BODY_SHAPE_COUNT);
    return shapes[def->shape];
}

const rill_body_shape_info *rill_body_shape_get(rill_body_shape shape)
{
    return (unsigned)shape < RILL_BODY_SHAPE_COUNT ? &shapes[shape]->info : NULL;
}

// ---- Meshes ----------------------------------------------------------------------------

bool rl_shape_begin(rl_body_mesh *mesh, int vertices, int triangles)
{
    mesh->vertex_count = vertices;
    mesh->triangle_count = triangles;
    return mesh->vertices != NULL && mesh->triangles != NULL;
}

void rl_shape_vertex(rl_body_mesh *mesh, int n, double x, double y, double z)
{
    RL_ASSERT(n >= 0 && n < mesh->vertex_count);
    const float vertex[3] = {(float)x, (float)y, (float)z};
    memcpy(mesh->vertices + 3 * (size_t)n, vertex, sizeof vertex);
}

int rl_shape_triangle(rl_body_mesh *mesh, int n, int a, int b, int c)
{
    RL_ASSERT(n >= 0 && n < mesh->triangle_count);
    const uint32_t triangle[3] = {(uint32_t)a, (uint32_t)b, (uint32_t)c};
    memcpy(mesh->triangles + 3 * (size_t)n, triangle, sizeof triangle);
    return n + 1;
}

int rl_shape_quad(rl_body_mesh *mesh, int n, int a, int b, int c, int d)
{
    n = rl_shape_triangle(mesh, n, a, b, c);
    return rl_shape_triangle(mesh, n, a, c, d);
}

// ---- Contacts --------------------------------------------------------------------------

void rl_shape_take_own(const rl_body *body, const double own[3], const rl_point_sink *to)
{
    double point[3];
    rl_body_turn(body->rotation, own, point);
    rl_vector_add(point, 1.0, body->position);
    to->take(to->context, point);
}

int rl_shape_parts(double length, double cell_size)
{
    const double parts = ceil(length / cell_size);
    return parts < 1.0 ? 1 : parts < MOST_PARTS ? (int)parts : MOST_PARTS;
}

bool rl_shape_inside_box(const rill_body_def *def, double skin, const double p[3], rl_way_out *out)
{
    int axis = 0;
    double depth[3];
    for (int k = 0; k < 3; k++) {
        depth[k] = 0.5 * def->size[k] + skin - fabs(p[k]);
        if (!(depth[k] > 0.0))
            return false;
        axis = depth[k] < depth[axis] ? k : axis;
    }
    *out = (rl_way_out){.depth = depth[axis]};
    out->normal[axis] = p[axis] < 0.0 ? -1.0 : 1.0;
    return true;
}

bool rl_shape_inside_round(double radius, int axes, const double p[3], rl_way_out *out)
{
    const double square = p[0] * p[0] + p[1] * p[1] + (axes == 3 ? p[2] * p[2] : 0.0);
    if (!(square < radius * radius))
        return false;
    const double distance = sqrt(square);
    *out = (rl_way_out){.depth = radius - distance};
    for (int k = 0; k < axes; k++)
        out->normal[k] = distance > 0.0 ? p[k] / distance : (k == axes - 1 ? 1.0 : 0.0);
    return true;
}

void rill_body_mesh_size(const rill_body_def *def, int *vertices, int *triangles)
{
    rl_body_mesh size = {0};
    if (def != NULL && (unsigned)def->shape < RILL_BODY_SHAPE_COUNT)
        rl_shape_of(def)->make(def, &size);
    *vertices = size.vertex_count;
    *triangles = size.triangle_count;
}

// ---- Mass ------------------------------------------------------------------------------
//
// What a mesh of triangles encloses: its volume, centre and inertia, as the sum of
// signed tetrahedra between the triangles and one point.

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
    RL_ASSERT(mesh->vertices != NULL && mesh->triangles != NULL);
    double from[3];
    rl_vertex_at(mesh->vertices, 0, from);
    integrals sum = {0};
    for (int n = 0; n < mesh->triangle_count; n++) {
        double corners[3][3];
        for (size_t k = 0; k < 3; k++) {
            rl_vertex_at(mesh->vertices, mesh->triangles[3 * (size_t)n + k], corners[k]);
            rl_vector_add(corners[k], -1.0, from);
        }
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

double rl_body_enclosed(const rl_bodies *bodies, const rl_body *body, const float *positions,
                        double middle[3])
{
    const rl_body_mesh mesh = {(float *)(uintptr_t)positions, // which are only read
                               bodies->triangles + 3 * (size_t)body->first_triangle,
                               body->vertex_count, body->triangle_count};
    const rl_body_moments moments = rl_body_measure_mesh(&mesh);
    memcpy(middle, moments.volume > 0.0 ? moments.centre : body->position, 3 * sizeof *middle);
    return moments.volume;
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
