// SPDX-License-Identifier: MIT
// engine_ode.h - what the files that use ODE have in common. A box, a ball and a barrel are ODE's
// own geoms; a hull and a mesh that is convex are convex geoms (of a hull: its convex hull, which
// fills the dip of the deck); another mesh is a trimesh.
#pragma once

#include "bodies/rigid/engine.h"

#include <ode/ode.h>

// What geoms of meshes refer to. The arrays of rl_bodies move when bodies come and go.
typedef struct rl_ode_geoms {
    double *points;     // 3 a vertex
    double *planes;     // 4 a triangle: normal and distance from the origin
    unsigned *polygons; // 4 a triangle: 3 and its corners
    dTriIndex *corners; // 3 a triangle
} rl_ode_geoms;

// The geom of a body. `mesh` gets the data of a trimesh, to be destroyed after it.
dGeomID rl_ode_make_geom(const rl_bodies *bodies, const rl_body *body, rl_ode_geoms *shapes,
                         dTriMeshDataID *mesh);

void rl_ode_set_mass(const rl_body *body, dBodyID to);

// Contacts of two bodies whose geoms lie as the records say; normals point into the first. Returns
// their number.
int rl_ode_collide(const rl_body *first, dGeomID a, const rl_body *second, dGeomID b,
                   rl_contact out[RL_MOST_CONTACTS]);
