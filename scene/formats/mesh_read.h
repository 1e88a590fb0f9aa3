// SPDX-License-Identifier: MIT
// mesh_read.h - reads triangles from files: OBJ, PLY (text and binary, both byte orders), STL (text
// and binary). Faces of more than three corners are cut into triangles.
#pragma once

#include "scene/formats/scan.h"

typedef struct rl_mesh_data {
    float *vertices; // three a vertex, in the file's unit
    size_t vertex_count, vertex_bytes;
    uint32_t *indices; // three a triangle
    size_t index_count, index_bytes;
} rl_mesh_data;

// Most bytes of a file.
#define RL_MESH_MAX_BYTES ((size_t)2 << 30)

// Reads a file. Returns RILL_BAD_FILE with a message that names the file and, for text, the line,
// for binary the byte. All coordinates are finite, all indices in range, and there is a triangle at
// least. On failure `out` is empty.
rill_status rl_mesh_read(const rill_allocator *allocator, const char *path, rl_mesh_data *out);

// Reads the same from memory; `name` stands for the path.
rill_status rl_mesh_parse(const rill_allocator *allocator, const char *name, const void *bytes,
                          size_t size, rl_mesh_data *out);

void rl_mesh_data_free(const rill_allocator *allocator, rl_mesh_data *data);

// ---- For the readers of each kind ------------------------------------------------------
//
// They return false after a failure, which is in scan.status.

typedef struct rl_mesh_reader {
    rl_scan scan; // all bytes of the file
    const rill_allocator *allocator;
    rl_mesh_data *data;

    // Corners of the face that is being read, and memory for cutting it up.
    uint32_t *corners;
    size_t corner_count, corner_bytes;
    double *flat; // two a corner
    size_t flat_bytes;
} rl_mesh_reader;

bool rl_mesh_read_obj(rl_mesh_reader *reader);
bool rl_mesh_read_ply(rl_mesh_reader *reader);
bool rl_mesh_read_stl(rl_mesh_reader *reader);

bool rl_mesh_is_ply(const rl_mesh_reader *reader);
bool rl_mesh_is_stl(const rl_mesh_reader *reader);

// Refuses coordinates that are not finite as floats; `what` names the vertex in the message.
bool rl_mesh_add_vertex(rl_mesh_reader *reader, const double position[3], const char *what);
bool rl_mesh_add_triangle(rl_mesh_reader *reader, uint32_t a, uint32_t b, uint32_t c);
bool rl_mesh_add_corner(rl_mesh_reader *reader, uint32_t vertex);

// Makes triangles of the corners gathered. Faces of fewer than three are none. `sound` is false for
// a face that has too many corners and is not convex.
bool rl_mesh_end_face(rl_mesh_reader *reader, bool *sound);

// The most corners of a face that is not convex.
#define RL_MESH_MAX_CONCAVE 1024
