// SPDX-License-Identifier: MIT
// mesh_read.h - reads triangles from files: OBJ, PLY (text and binary, both byte orders), STL (text
// and binary). Faces of more than three corners are cut into triangles.
#pragma once

#include "rill/base.h"
#include "rill/support.h"

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
