// SPDX-License-Identifier: MIT
// shape_sheet.c - RILL_BODY_SHEET: cloth of def->size[0] x def->size[1] in the plane of x and y, of
// def->cells squares. It is open: it has no inside, so it is always soft.
#include "bodies/shape/body_shape.h"

// Row by row, the first vertex at the corner of least x and y. The diagonals of the squares take
// turns, so that cloth is as stiff one way as the other.
static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    const int nx = def->cells[0], ny = def->cells[1];
    if (!rl_shape_begin(mesh, (nx + 1) * (ny + 1), 2 * nx * ny))
        return;
    int t = 0;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            rl_shape_vertex(mesh, j * (nx + 1) + i, ((double)i / nx - 0.5) * def->size[0],
                            ((double)j / ny - 0.5) * def->size[1], 0.0);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
            t = (i + j) % 2 == 0 ? rl_shape_quad(mesh, t, a, b, c, d)
                                 : rl_shape_quad(mesh, t, b, c, d, a);
        }
}

static double surface_mass(const rill_body_def *def)
{
    return def->density * def->size[0] * def->size[1];
}

const rl_shape rl_shape_sheet = {
    .info = {.name = "sheet",
             .fields = RILL_SHAPE_SIDES | RILL_SHAPE_CELLS,
             .is_open = 1,
             .is_smooth = 1},
    .make = make,
    .surface_mass = surface_mass,
    .sdf = RILL_SDF_MESH,
};
