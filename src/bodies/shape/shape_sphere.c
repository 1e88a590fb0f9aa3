// SPDX-License-Identifier: MIT
// shape_sphere.c - RILL_BODY_SPHERE: a ball of def->radius.
#include "bodies/shape/body_shape.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

// An icosahedron whose triangles are cut into four, twice; all vertices on the unit sphere.
enum { BALL_VERTICES = 162, BALL_TRIANGLES = 320 };

typedef struct ball {
    double vertices[BALL_VERTICES][3];
    int triangles[BALL_TRIANGLES][3];
    int vertex_count, triangle_count;
} ball;

// The number of the vertex in a direction, which is added where there is none: the two triangles at
// an edge find the same bits for its middle, as sums do not depend on the order of two numbers.
static int ball_vertex(ball *b, double x, double y, double z)
{
    const double scale = 1.0 / sqrt(x * x + y * y + z * z);
    const double vertex[3] = {x * scale, y * scale, z * scale};
    for (int n = 0; n < b->vertex_count; n++)
        if (memcmp(b->vertices[n], vertex, sizeof vertex) == 0)
            return n;
    RL_ASSERT(b->vertex_count < BALL_VERTICES);
    memcpy(b->vertices[b->vertex_count], vertex, sizeof vertex);
    return b->vertex_count++;
}

static void ball_refine(ball *b)
{
    const int count = b->triangle_count;
    for (int n = 0; n < count; n++) {
        int *t = b->triangles[n];
        const int corners[3] = {t[0], t[1], t[2]};
        int middles[3];
        for (int k = 0; k < 3; k++) {
            const double *p = b->vertices[corners[k]], *q = b->vertices[corners[(k + 1) % 3]];
            middles[k] = ball_vertex(b, p[0] + q[0], p[1] + q[1], p[2] + q[2]);
        }
        for (int k = 0; k < 3; k++) {
            int *part = b->triangles[b->triangle_count++];
            part[0] = corners[k];
            part[1] = middles[k];
            part[2] = middles[(k + 2) % 3];
        }
        memcpy(t, middles, sizeof middles);
    }
}

// Six times the volume of the tetrahedron with the corners a, b, c and 0.
static double determinant(const double a[3], const double b[3], const double c[3])
{
    double across[3];
    rl_cross(b, c, across);
    return rl_dot(a, across);
}

static double ball_volume(const ball *b)
{
    double sum = 0.0;
    for (int n = 0; n < b->triangle_count; n++) {
        const int *t = b->triangles[n];
        sum += determinant(b->vertices[t[0]], b->vertices[t[1]], b->vertices[t[2]]);
    }
    return sum / 6.0;
}

// Newton's method, from above for values from 1 to 2: no math library's last bit can show.
static double cube_root(double value)
{
    double x = value;
    for (int n = 0; n < 20; n++)
        x -= (x * x * x - value) / (3.0 * x * x);
    return x;
}

// The corners of an icosahedron are the cyclic turns of (0, +-1, +-golden ratio). Two of them are
// neighbours when the cosine between them is 1/sqrt(5); it is negative for all others.
static void ball_begin(ball *b)
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    for (int n = 0; n < 12; n++) {
        const double turns[3] = {0.0, n & 1 ? 1.0 : -1.0, n & 2 ? golden : -golden};
        const int turn = n / 4;
        ball_vertex(b, turns[turn], turns[(turn + 1) % 3], turns[(turn + 2) % 3]);
    }
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                const double *p = b->vertices[i], *q = b->vertices[j], *r = b->vertices[k];
                if (rl_dot(p, q) < 0.0 || rl_dot(q, r) < 0.0 || rl_dot(r, p) < 0.0)
                    continue;
                const bool outwards = determinant(p, q, r) > 0.0;
                int *t = b->triangles[b->triangle_count++];
                t[0] = i;
                t[1] = outwards ? j : k;
                t[2] = outwards ? k : j;
            }
}

static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    if (!rl_shape_begin(mesh, BALL_VERTICES, BALL_TRIANGLES))
        return;
    ball b;
    b.vertex_count = b.triangle_count = 0;
    ball_begin(&b);
    ball_refine(&b);
    ball_refine(&b);
    RL_ASSERT(b.vertex_count == BALL_VERTICES && b.triangle_count == BALL_TRIANGLES);
    const double radius = def->radius * cube_root(4.0 / 3.0 * PI / ball_volume(&b));
    for (int n = 0; n < BALL_VERTICES; n++)
        rl_shape_vertex(mesh, n, radius * b.vertices[n][0], radius * b.vertices[n][1],
                        radius * b.vertices[n][2]);
    for (int n = 0; n < BALL_TRIANGLES; n++)
        rl_shape_triangle(mesh, n, b.triangles[n][0], b.triangles[n][1], b.triangles[n][2]);
}

static void touch_points(const rl_body *body, const double normal[3], double cell_size,
                         const rl_point_sink *to)
{
    (void)cell_size;
    double point[3];
    for (int a = 0; a < 3; a++)
        point[a] = body->position[a] - body->def.radius * normal[a];
    to->take(to->context, point);
}

static int ways_out(const rill_body_def *def, const double p[3], rl_way_out out[RL_MAX_WAYS_OUT])
{
    const double across = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double distance = sqrt(across * across + p[2] * p[2]);
    if (!(distance > 0.0 && distance <= def->radius))
        return 0;
    out[0] =
        (rl_way_out){{p[0] / distance, p[1] / distance, p[2] / distance}, def->radius - distance};
    return 1;
}

static bool inside(const rill_body_def *def, double skin, const double p[3], rl_way_out *out)
{
    return rl_shape_inside_round(def->radius + skin, 3, p, out);
}

const rl_shape rl_shape_sphere = {
    .info = {.name = "sphere", .fields = RILL_SHAPE_RADIUS, .is_smooth = 1},
    .make = make,
    .touch_points = touch_points,
    .rolls = true,
    .ways_out = ways_out,
    .inside = inside,
    .geom = RL_GEOM_SPHERE,
    .sdf = RILL_SDF_SPHERE,
};
