// SPDX-License-Identifier: MIT
// body_shape.h - the table of body shapes. A shape is one row of functions in a file of its own
// (shape_box.c and so on); body_shape.c lists the rows. A new shape is a value of rill_body_shape,
// its file and its line of the list: everything else asks the row.
#pragma once

#include "bodies/bodies_internal.h"

#include "rill/solid.h"

#include <math.h>

// A way out of a shape from a point inside it, in the body's own axes: the outer normal of the
// face, a unit vector, and the distance to it, metres.
typedef struct rl_way_out {
    double normal[3], depth;
} rl_way_out;

#define RL_MAX_WAYS_OUT 6

// Receives points of a body in world coordinates, metres.
typedef struct rl_point_sink {
    void (*take)(void *context, const double point[3]);
    void *context;
} rl_point_sink;

// What the rigid-body engine collides.
typedef enum rl_shape_geom {
    RL_GEOM_MESH,     // the triangles, as a convex polyhedron where they are one
    RL_GEOM_CONVEX,   // the convex hull of the triangles
    RL_GEOM_BOX,      // size
    RL_GEOM_SPHERE,   // radius
    RL_GEOM_CYLINDER, // radius, length along z
} rl_shape_geom;

typedef struct rl_shape {
    rill_body_shape_info info;
    // Sets the numbers of vertices and triangles and, where the mesh has arrays, fills these.
    // Triangles are counter-clockwise seen from outside. The origin need not be the centre of mass.
    void (*make)(const rill_body_def *def, rl_body_mesh *mesh);
    // Checks what rill_body_shape_info.fields does not say, before anything is made; NULL: nothing.
    rill_status (*check)(const rill_body_def *def);
    // Checks the mesh that was made; NULL: it is always closed, or open on purpose.
    rill_status (*check_mesh)(const rl_body_mesh *mesh, const rill_allocator *allocator);
    // Mass of an open surface, kg. NULL: the mass and the inertia are those of the volume that the
    // mesh encloses (body_shape.c).
    double (*surface_mass)(const rill_body_def *def);
    // Hands over the points that can touch a plane with this normal, a unit vector of the world;
    // NULL: the vertices.
    void (*touch_points)(const rl_body *body, const double normal[3], double cell_size,
                         const rl_point_sink *to);
    // Touches with one point alone, so that the slopes of the ground around it matter as well.
    bool rolls;
    // All ways out from the point p of the body's own coordinates; returns their number, 0 outside.
    // NULL: by the triangles.
    int (*ways_out)(const rill_body_def *def, const double p[3], rl_way_out out[RL_MAX_WAYS_OUT]);
    // The shortest way out of the shape grown by `skin` metres; false outside. NULL: soft bodies do
    // not touch it. `boxed`: it is that of the box around the shape.
    bool (*inside)(const rill_body_def *def, double skin, const double p[3], rl_way_out *out);
    bool boxed;
    rl_shape_geom geom;
    rill_sdf_kind sdf; // in the distance field of the terrain; RILL_SDF_MESH: by the triangles
} rl_shape;

extern const rl_shape rl_shape_box, rl_shape_sphere, rl_shape_cylinder, rl_shape_hull,
    rl_shape_mesh, rl_shape_sheet;

// The row of a shape.
const rl_shape *rl_shape_of(const rill_body_def *def);

// Whether a body is an open surface: it encloses no volume, so water runs through it.
static inline bool rl_shape_is_open(const rl_body *body)
{
    return rl_shape_of(&body->def)->info.is_open != 0;
}

// ---- For the files of shapes -----------------------------------------------------------

// Sets the numbers of a mesh; returns whether it has arrays to be filled.
bool rl_shape_begin(rl_body_mesh *mesh, int vertices, int triangles);
void rl_shape_vertex(rl_body_mesh *mesh, int n, double x, double y, double z);
// Write one or two triangles from number n on and return the number of the next.
int rl_shape_triangle(rl_body_mesh *mesh, int n, int a, int b, int c);
int rl_shape_quad(rl_body_mesh *mesh, int n, int a, int b, int c, int d);

// Hands over a point of the body's own coordinates.
void rl_shape_take_own(const rl_body *body, const double own[3], const rl_point_sink *to);
// How many parts an edge of that length has, so that long bodies touch the ground once a cell.
int rl_shape_parts(double length, double cell_size);

// rl_shape.inside of a box of def->size, and of what is round: `axes` 3: a sphere; 2: the side of a
// cylinder along z.
bool rl_shape_inside_box(const rill_body_def *def, double skin, const double p[3], rl_way_out *out);
bool rl_shape_inside_round(double radius, int axes, const double p[3], rl_way_out *out);
