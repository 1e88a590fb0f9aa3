// SPDX-License-Identifier: MIT
// shape_cylinder.c - RILL_BODY_CYLINDER: a barrel of def->radius, def->length along z.
#include "bodies/shape/body_shape.h"

static const double PI = 3.14159265358979323846;

// A barrel of SIDES sides, each 15 degrees: their sines are square roots.
enum { SIDES = 24 };

static double sine_of_sides(int sides)
{
    const double r2 = sqrt(2.0), r3 = sqrt(3.0), r6 = sqrt(6.0);
    const double quarter[7] = {0.0,      0.25 * (r6 - r2), 0.5, 0.5 * r2,
                               0.5 * r3, 0.25 * (r6 + r2), 1.0};
    const int n = sides % SIDES, half = n % (SIDES / 2);
    const double sine = quarter[half <= SIDES / 4 ? half : SIDES / 2 - half];
    return n < SIDES / 2 ? sine : -sine;
}

// Vertices 2 n and 2 n + 1 are the lower and the upper end of edge n; the last two are the centres
// of the ends.
static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    if (!rl_shape_begin(mesh, 2 * SIDES + 2, 4 * SIDES))
        return;
    // A regular polygon has the area of the circle when SIDES/2 R^2 sin(15 degrees) = pi r^2.
    const double radius = def->radius * sqrt(PI / (0.5 * SIDES * sine_of_sides(1)));
    const double half = 0.5 * def->length;
    const int bottom = 2 * SIDES, top = bottom + 1;
    int t = 0;
    for (int n = 0; n < SIDES; n++) {
        const double x = radius * sine_of_sides(n + SIDES / 4), y = radius * sine_of_sides(n);
        rl_shape_vertex(mesh, 2 * n, x, y, -half);
        rl_shape_vertex(mesh, 2 * n + 1, x, y, half);
        const int here = 2 * n, next = 2 * ((n + 1) % SIDES);
        t = rl_shape_quad(mesh, t, here, next, next + 1, here + 1);
        t = rl_shape_triangle(mesh, t, bottom, next, here);
        t = rl_shape_triangle(mesh, t, top, here + 1, next + 1);
    }
    rl_shape_vertex(mesh, bottom, 0.0, 0.0, -half);
    rl_shape_vertex(mesh, top, 0.0, 0.0, half);
}

// Rings along the barrel where they are lowest against `normal`, and every quarter turn from there.
static void touch_points(const rl_body *body, const double normal[3], double cell_size,
                         const rl_point_sink *to)
{
    double down[3]; // in own axes
    rl_body_turn_back(body->rotation, normal, down);
    const double across = sqrt(down[0] * down[0] + down[1] * down[1]);
    // One that stands upright has no lowest point.
    const double x = across > 1e-6 ? -down[0] / across : 1.0;
    const double y = across > 1e-6 ? -down[1] / across : 0.0;
    const double r = body->def.radius, ring[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
    const int parts = rl_shape_parts(body->def.length, cell_size);
    for (int k = 0; k <= parts; k++)
        for (int turn = 0; turn < 4; turn++)
            rl_shape_take_own(body,
                              (const double[3]){r * ring[turn][0], r * ring[turn][1],
                                                ((double)k / parts - 0.5) * body->def.length},
                              to);
}

static int ways_out(const rill_body_def *def, const double p[3], rl_way_out out[RL_MAX_WAYS_OUT])
{
    const double across = sqrt(p[0] * p[0] + p[1] * p[1]);
    const double end = 0.5 * def->length - fabs(p[2]), side = def->radius - across;
    if (end < 0.0 || side < 0.0)
        return 0;
    out[0] = (rl_way_out){{0.0, 0.0, p[2] > 0.0 ? 1.0 : -1.0}, end};
    if (!(across > 0.0))
        return 1;
    out[1] = (rl_way_out){{p[0] / across, p[1] / across, 0.0}, side};
    return 2;
}

static bool inside(const rill_body_def *def, double skin, const double p[3], rl_way_out *out)
{
    const double below_lid = 0.5 * def->length + skin - fabs(p[2]);
    if (!(below_lid > 0.0) || !rl_shape_inside_round(def->radius + skin, 2, p, out))
        return false;
    if (below_lid < out->depth)
        *out = (rl_way_out){{0.0, 0.0, p[2] < 0.0 ? -1.0 : 1.0}, below_lid};
    return true;
}

const rl_shape rl_shape_cylinder = {
    .info = {.name = "cylinder", .fields = RILL_SHAPE_RADIUS | RILL_SHAPE_LENGTH},
    .make = make,
    .touch_points = touch_points,
    .ways_out = ways_out,
    .inside = inside,
    .geom = RL_GEOM_CYLINDER,
    .sdf = RILL_SDF_CYLINDER,
};
