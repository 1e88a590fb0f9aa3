// SPDX-License-Identifier: MIT
// mesh.h - writes triangles to files that other programs read: PLY and binary glTF 2.0.
//
// A file is written under a temporary name beside its own ("water.ply.part") and renamed when it is
// complete, so a reader never sees half of one and a failure leaves an older file as it was. Both
// formats are little-endian on every machine. An empty mesh makes a valid file without triangles.
#pragma once

#include "rill/surface.h"
#include "rill/view.h"

#include <stdio.h>

// Writes Stanford PLY, binary. Per vertex x y z nx ny nz velocity_x velocity_y opacity depth, all
// float; per face a list of three uint. z is up, metres.
rill_status rl_mesh_write_ply(const char *path, const rill_mesh *mesh);

// Writes one .glb file with one mesh. Vertices as in a rill_vertex: POSITION, NORMAL, _VELOCITY,
// _OPACITY, _DEPTH; and COLOR_0, white with the opacity as its alpha, which is how viewers fade the
// shore. The material has the colour of `liquid`. glTF has y up: the node turns the mesh, so that
// the attributes stay in Rill's axes.
rill_status rl_mesh_write_glb(const char *path, const rill_mesh *mesh, const rill_liquid *liquid);

// ---- What both writers share -----------------------------------------------------------

// A file that is being written. Errors are noted until the end: callers write on and test once.
typedef struct rl_mesh_file {
    const char *path;
    char *temporary;
    size_t temporary_bytes;
    FILE *file;
    int error; // errno of the first failure, or 0
    size_t filled;
    unsigned char buffer[16384];
} rl_mesh_file;

// Returns RILL_BAD_ARGUMENT, with the reason, for a mesh that no file may hold.
rill_status rl_mesh_check(const char *path, const rill_mesh *mesh);

rill_status rl_mesh_file_open(rl_mesh_file *file, const char *path);
void rl_mesh_file_bytes(rl_mesh_file *file, const void *bytes, size_t count);
void rl_mesh_file_u32(rl_mesh_file *file, uint32_t value);
void rl_mesh_file_f32(rl_mesh_file *file, float value);

// Writes the ten floats of a rill_vertex, in its order.
void rl_mesh_file_vertex(rl_mesh_file *file, const rill_vertex *vertex);

// Closes and renames; after a failure removes what was written and sets a message.
rill_status rl_mesh_file_close(rl_mesh_file *file);
