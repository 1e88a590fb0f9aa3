// SPDX-License-Identifier: MIT
// shape_box.c - RILL_BODY_BOX: a box of def->size, centred.
#include "bodies/shape/body_shape.h"

static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    if (!rl_shape_begin(mesh, 8, 12))
        return;
    for (int n = 0; n < 8; n++) // bits of n: upper end along x, y, z
        rl_shape_vertex(mesh, n, (n & 1 ? 0.5 : -0.5) * def->size[0],
                        (n & 2 ? 0.5 : -0.5) * def->size[1], (n & 4 ? 0.5 : -0.5) * def->size[2]);
    int t = rl_shape_quad(mesh, 0, 0, 2, 3, 1);
    t = rl_shape_quad(mesh, t, 4, 5, 7, 6);
    t = rl_shape_quad(mesh, t, 0, 1, 5, 4);
    t = rl_shape_quad(mesh, t, 2, 6, 7, 3);
    t = rl_shape_quad(mesh, t, 0, 4, 6, 2);
    rl_shape_quad(mesh, t, 1, 3, 7, 5);
}

// Points along the four edges of each direction; corners come with the first direction.
static void touch_points(const rl_body *body, const double normal[3], double cell_size,
                         const rl_point_sink *to)
{
    (void)normal;
    const double *size = body->def.size;
    for (int axis = 0; axis < 3; axis++) {
        const int parts = rl_shape_parts(size[axis], cell_size), ends = axis == 0 ? 1 : 0;
        for (int edge = 0; edge < 4; edge++)
            for (int k = 1 - ends; k < parts + ends; k++) {
                const int b = (axis + 1) % 3, c = (axis + 2) % 3;
                double own[3];
                own[axis] = ((double)k / parts - 0.5) * size[axis];
                own[b] = (edge & 1 ? 0.5 : -0.5) * size[b];
                own[c] = (edge & 2 ? 0.5 : -0.5) * size[c];
                rl_shape_take_own(body, own, to);
            }
    }
}

static int ways_out(const rill_body_def *def, const double p[3], rl_way_out out[RL_MAX_WAYS_OUT])
{
    for (int a = 0; a < 3; a++)
        if (fabs(p[a]) > 0.5 * def->size[a])
            return 0;
    for (int face = 0; face < 6; face++) {
        const int a = face / 2;
        const double side = face % 2 ? 1.0 : -1.0;
        out[face] = (rl_way_out){.depth = 0.5 * def->size[a] - side * p[a]};
        out[face].normal[a] = side;
    }
    return 6;
}

const rl_shape rl_shape_box = {
    .info = {.name = "box", .fields = RILL_SHAPE_SIZE},
    .make = make,
    .touch_points = touch_points,
    .ways_out = ways_out,
    .inside = rl_shape_inside_box,
    .geom = RL_GEOM_BOX,
    .sdf = RILL_SDF_BOX,
};
