// SPDX-License-Identifier: MIT
#include "tests/render/models/solid_model.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct node {
    double at[3], distance;
} node;

static void gradient(solid_model_distance distance, const double at[3], double step, float out[3])
{
    double length = 0.0, slope[3];
    for (int k = 0; k < 3; k++) {
        double a[3], b[3];
        memcpy(a, at, sizeof a);
        memcpy(b, at, sizeof b);
        a[k] -= step;
        b[k] += step;
        slope[k] = distance(b) - distance(a);
        length += slope[k] * slope[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = (float)(slope[k] / fmax(sqrt(length), 1e-30));
}

static void add_corner(solid_model *m, solid_model_distance distance, const node *a, const node *b)
{
    if (m->mesh.vertex_count == m->capacity) {
        m->capacity = 2 * m->capacity + 1024;
        m->vertices = realloc(m->vertices, m->capacity * sizeof *m->vertices);
        m->indices = realloc(m->indices, m->capacity * sizeof *m->indices);
        if (m->vertices == NULL || m->indices == NULL)
            abort();
    }
    const size_t n = m->mesh.vertex_count++;
    rill_ground_vertex *v = &m->vertices[n];
    const double part = a->distance / (a->distance - b->distance);
    double at[3], step = 0.0;
    for (int k = 0; k < 3; k++) {
        at[k] = a->at[k] + part * (b->at[k] - a->at[k]);
        step = fmax(step, fabs(b->at[k] - a->at[k]));
        v->position[k] = (float)at[k];
    }
    gradient(distance, at, 1e-3 * step, v->normal);
    v->openness = 0.5f + 0.5f * v->normal[2];
    m->indices[n] = (uint32_t)n;
}

// Turns the triangle that was added last so that it is counter-clockwise seen from `outer`.
static void face_outwards(solid_model *m, const node *inner, const node *outer)
{
    rill_ground_vertex *v = &m->vertices[m->mesh.vertex_count - 3];
    double a[3], b[3], out = 0.0;
    for (int k = 0; k < 3; k++) {
        a[k] = (double)v[1].position[k] - (double)v[0].position[k];
        b[k] = (double)v[2].position[k] - (double)v[0].position[k];
    }
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        out += (a[p] * b[q] - a[q] * b[p]) * (outer->at[k] - inner->at[k]);
    }
    if (out >= 0.0)
        return;
    const rill_ground_vertex kept = v[1];
    v[1] = v[2];
    v[2] = kept;
}

static void add_triangle(solid_model *m, solid_model_distance distance,
                         const node *const edges[3][2])
{
    for (int k = 0; k < 3; k++)
        add_corner(m, distance, edges[k][0], edges[k][1]);
    const bool first = edges[0][0]->distance < 0.0;
    face_outwards(m, edges[0][first ? 0 : 1], edges[0][first ? 1 : 0]);
}

static void march(solid_model *m, solid_model_distance distance, const node *const t[4])
{
    const node *in[4], *out[4];
    int inside = 0, outside = 0;
    for (int k = 0; k < 4; k++)
        if (t[k]->distance < 0.0)
            in[inside++] = t[k];
        else
            out[outside++] = t[k];
    if (inside == 0 || outside == 0)
        return;
    if (inside == 2) {
        add_triangle(m, distance,
                     (const node *const[3][2]){{in[0], out[0]}, {in[0], out[1]}, {in[1], out[1]}});
        add_triangle(m, distance,
                     (const node *const[3][2]){{in[0], out[0]}, {in[1], out[1]}, {in[1], out[0]}});
        return;
    }
    const node *lone = inside == 1 ? in[0] : out[0];
    const node *const *rest = inside == 1 ? out : in;
    add_triangle(m, distance,
                 (const node *const[3][2]){{lone, rest[0]}, {lone, rest[1]}, {lone, rest[2]}});
}

static void march_cube(solid_model *m, solid_model_distance distance, const double low[3],
                       double cell)
{
    // Six tetrahedra around the diagonal from corner 0 to corner 7: bit k is a step along axis k.
    static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    node nodes[8];
    for (int k = 0; k < 8; k++) {
        for (int axis = 0; axis < 3; axis++)
            nodes[k].at[axis] = low[axis] + ((k >> axis & 1) != 0 ? cell : 0.0);
        nodes[k].distance = distance(nodes[k].at);
    }
    for (int k = 0; k < 6; k++)
        march(
            m, distance,
            (const node *const[4]){&nodes[0], &nodes[paths[k][0]], &nodes[paths[k][1]], &nodes[7]});
}

solid_model solid_model_make(solid_model_distance distance, int nx, int ny, double cell,
                             double bottom, double top)
{
    solid_model m = {.mesh = {.version = 1}};
    const int layers = (int)ceil((top - bottom) / cell);
    for (int k = 0; k < layers; k++)
        for (int j = -1; j < ny; j++)
            for (int i = -1; i < nx; i++)
                march_cube(&m, distance,
                           (const double[3]){(i + 0.5) * cell, (j + 0.5) * cell, bottom + k * cell},
                           cell);
    m.mesh.vertices = m.vertices;
    m.mesh.indices = m.indices;
    m.mesh.index_count = m.mesh.vertex_count;
    return m;
}

void solid_model_free(solid_model *model)
{
    free(model->vertices);
    free(model->indices);
    *model = (solid_model){0};
}
