// SPDX-License-Identifier: MIT
// mesh_read_parts.h - common parts of the readers of mesh files: the bytes with a place in them,
// words and numbers of text, and the mesh that grows.
#pragma once

#include "scene/formats/mesh_read.h"

#include <stdbool.h>

#define RL_MESH_WORD_BYTES 64

typedef struct rl_mesh_reader {
    const rill_allocator *allocator;
    const char *name;
    const unsigned char *bytes;
    size_t size, at;
    int64_t line;                  // of what is read next, in text
    int64_t word_line;             // of `word`
    char word[RL_MESH_WORD_BYTES]; // the last word read; empty at an end
    rl_mesh_data *data;

    // Corners of the face that is being read, and memory for cutting it up.
    uint32_t *corners;
    size_t corner_count, corner_bytes;
    double *flat; // two a corner
    size_t flat_bytes;
} rl_mesh_reader;

// One reader for each kind of file.
rill_status rl_mesh_read_obj(rl_mesh_reader *reader);
rill_status rl_mesh_read_ply(rl_mesh_reader *reader);
rill_status rl_mesh_read_stl(rl_mesh_reader *reader);

bool rl_mesh_is_ply(const rl_mesh_reader *reader);
bool rl_mesh_is_stl(const rl_mesh_reader *reader);

// ---- Text ------------------------------------------------------------------------------

// Reads the next word of the line into `word`, or an empty one at the end of the line or the file.
rill_status rl_mesh_word_of_line(rl_mesh_reader *reader);

// Reads the next word, on this line or a later one; empty at the end of the file.
rill_status rl_mesh_word(rl_mesh_reader *reader);

// Goes past the end of the line.
void rl_mesh_skip_line(rl_mesh_reader *reader);

// Reads `word` as a number; `what` names it in the message.
rill_status rl_mesh_number(const rl_mesh_reader *reader, const char *what, double *value);

// Returns whether `word` is `name`, which is in small letters, in letters of any size.
bool rl_mesh_word_is(const rl_mesh_reader *reader, const char *name);

// ---- The mesh --------------------------------------------------------------------------

// Grows memory to `count` values more than the `used` that there are, doubled where needed.
rill_status rl_mesh_reserve(const rl_mesh_reader *reader, void **memory, size_t *bytes, size_t used,
                            size_t count, size_t value_bytes);

// Adds a vertex. Returns false when a coordinate is no finite float.
bool rl_mesh_is_finite(const double position[3]);

rill_status rl_mesh_add_vertex(rl_mesh_reader *reader, const double position[3]);
rill_status rl_mesh_add_triangle(rl_mesh_reader *reader, uint32_t a, uint32_t b, uint32_t c);
rill_status rl_mesh_add_corner(rl_mesh_reader *reader, uint32_t vertex);

// Makes triangles of the corners gathered (mesh_read_polygon.c). Faces of fewer than three are
// none. Returns false for a face that has too many corners and is not convex.
rill_status rl_mesh_end_face(rl_mesh_reader *reader, bool *sound);

// The most corners of a face that is not convex.
#define RL_MESH_MAX_CONCAVE 1024
