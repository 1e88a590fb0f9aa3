// SPDX-License-Identifier: MIT
// mesh.h - writes triangles to files that other programs read: PLY and binary glTF 2.0.
// Both formats are little-endian on every machine. An empty mesh makes a valid file without
// triangles.
#pragma once

#include "scene/formats/out_file.h"

#include "rill/surface.h"
#include "rill/view.h"

// Writes Stanford PLY, binary. Per vertex x y z nx ny nz velocity_x velocity_y opacity depth, all
// float; per face a list of three uint. z is up, metres.
rill_status rl_mesh_write_ply(const char *path, const rill_mesh *mesh);

// Writes one .glb file with one mesh. Vertices as in a rill_vertex: POSITION, NORMAL, _VELOCITY,
// _OPACITY, _DEPTH; and COLOR_0, white with the opacity as its alpha, which is how viewers fade the
// shore. The material has the colour of `liquid`. glTF has y up: the node turns the mesh, so that
// the attributes stay in Rill's axes.
rill_status rl_mesh_write_glb(const char *path, const rill_mesh *mesh, const rill_liquid *liquid);

// ---- What both writers share -----------------------------------------------------------

// Returns RILL_BAD_ARGUMENT, with the reason, for a mesh that no file may hold.
rill_status rl_mesh_check(const char *path, const rill_mesh *mesh);

// Writes the ten floats of a rill_vertex, in its order.
void rl_mesh_put_vertex(rl_out_file *file, const rill_vertex *vertex);
