// SPDX-License-Identifier: MIT
// shape_hull.c - RILL_BODY_HULL: a boat of def->size, its bow towards +x. The rigid-body engine
// collides its convex hull, which fills the dip of the deck; soft bodies touch the box around it.
#include "bodies/shape/body_shape.h"

// Stations from the transom to the stem, with points from the starboard sheer down to the keel and
// up to the port sheer. The last station is the stem: its two sides are one line.
enum {
    STATIONS = 13,
    HALF_POINTS = 4, // of one side, without the keel
    POINTS = 2 * HALF_POINTS + 1,
    HULL_VERTICES = (STATIONS - 1) * POINTS + HALF_POINTS + 1,
    HULL_TRIANGLES = 2 * HULL_VERTICES - 4, // Euler: the surface is a deformed sphere
    WIDEST_STATION = 5
};

// Vertex of a station: `side` from -HALF_POINTS (starboard, y < 0) to HALF_POINTS (port).
static int hull_vertex(int station, int side)
{
    if (station < STATIONS - 1)
        return station * POINTS + side + HALF_POINTS;
    return station * POINTS + (side < 0 ? -side : side);
}

// Lines of a small working boat, in parts of its size: a full stern, sides that flare to the sheer,
// sections that turn from a round bilge into a V towards a raked stem.
static void hull_point(int station, int side, double point[3])
{
    static const double bilge_y[HALF_POINTS + 1] = {0.0, 0.46, 0.78, 0.92, 1.0};
    static const double bilge_z[HALF_POINTS + 1] = {0.0, 0.09, 0.27, 0.61, 1.0};
    const double t = (double)station / (STATIONS - 1);
    const double widest = (double)WIDEST_STATION / (STATIONS - 1);
    const int k = side < 0 ? -side : side;
    const double v = (double)k / HALF_POINTS, bow = t * t;
    const double from_widest = t < widest ? (widest - t) / widest : (t - widest) / (1.0 - widest);
    const double breadth = 1.0 - (t < widest ? 0.2 : 1.0) * from_widest * from_widest;
    const double rise = t < 0.6 ? 0.0 : (t - 0.6) / 0.4;
    const double keel = 0.3 * rise * rise, sheer = 0.78 + 0.22 * bow;
    const double along_y = (1.0 - bow) * bilge_y[k] + bow * v;
    const double along_z = (1.0 - bow) * bilge_z[k] + bow * v;
    point[0] = t - 0.14 * bow * bow * (1.0 - along_z) - 0.5;
    point[1] = (side < 0 ? -0.5 : 0.5) * breadth * along_y;
    point[2] = keel + (sheer - keel) * along_z - 0.5;
}

// The diagonals of port mirror those of starboard, so that the boat has no list.
static void make(const rill_body_def *def, rl_body_mesh *mesh)
{
    if (!rl_shape_begin(mesh, HULL_VERTICES, HULL_TRIANGLES))
        return;
    int t = 0;
    for (int station = 0; station < STATIONS; station++)
        for (int side = -HALF_POINTS; side <= HALF_POINTS; side++) {
            double point[3];
            hull_point(station, side, point);
            rl_shape_vertex(mesh, hull_vertex(station, side), point[0] * def->size[0],
                            point[1] * def->size[1], point[2] * def->size[2]);
        }
    for (int station = 0; station < STATIONS - 1; station++)
        for (int side = -HALF_POINTS; side < HALF_POINTS; side++) {
            const int a = hull_vertex(station, side), b = hull_vertex(station, side + 1);
            const int c = hull_vertex(station + 1, side + 1), d = hull_vertex(station + 1, side);
            t = side < 0 ? rl_shape_quad(mesh, t, a, b, c, d) : rl_shape_quad(mesh, t, b, c, d, a);
        }
    const int port = HALF_POINTS, starboard = -HALF_POINTS;
    RL_ASSERT(t < HULL_TRIANGLES);
    for (int station = 0; station < STATIONS - 2; station++) // deck
        t = rl_shape_quad(mesh, t, hull_vertex(station, port), hull_vertex(station, starboard),
                          hull_vertex(station + 1, starboard), hull_vertex(station + 1, port));
    t = rl_shape_triangle(mesh, t, hull_vertex(STATIONS - 2, port),
                          hull_vertex(STATIONS - 2, starboard), hull_vertex(STATIONS - 1, port));
    for (int k = HALF_POINTS; k > 1; k--) // transom
        t = rl_shape_quad(mesh, t, hull_vertex(0, -k), hull_vertex(0, k), hull_vertex(0, k - 1),
                          hull_vertex(0, 1 - k));
    rl_shape_triangle(mesh, t, hull_vertex(0, -1), hull_vertex(0, 1), hull_vertex(0, 0));
}

const rl_shape rl_shape_hull = {
    .info = {.name = "hull", .fields = RILL_SHAPE_SIZE},
    .make = make,
    .inside = rl_shape_inside_box,
    .boxed = true,
    .geom = RL_GEOM_CONVEX,
    .sdf = RILL_SDF_MESH,
};
