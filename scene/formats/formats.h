// SPDX-License-Identifier: MIT
// formats.h - files that are written, and those that Rill alone reads again: PLY and glTF meshes,
// PNG pictures, cache files.
//
// A file is written whole or not at all: under a temporary name beside its own ("water.ply.part"),
// and renamed when it is complete, so that a reader never sees half of one and a failure leaves an
// older file as it was. Numbers are little-endian on every machine.
#pragma once

#include "scene/scene_assert.h"

#include "rill/base.h"
#include "rill/support.h"
#include "rill/surface.h"
#include "rill/view.h"

#include <stdio.h>

// ---- Whole files (out_file.c) ----------------------------------------------------------

#define RL_PATH_BYTES 4096

// The temporary name of a file; RILL_WRITE_FAILED when it is too long.
rill_status rl_part_name(const char *path, char part[RL_PATH_BYTES]);

// Gives a file that was written without failure its own name, and removes any other.
rill_status rl_part_finish(rill_status status, const char *part, const char *path);

// A file that is being written. Errors are noted until the end: callers write on and test once.
typedef struct rl_out_file {
    const char *path;
    char part[RL_PATH_BYTES];
    FILE *file;
    int error; // errno of the first failure, or 0
} rl_out_file;

rill_status rl_out_open(rl_out_file *file, const char *path);
void rl_out_bytes(rl_out_file *file, const void *bytes, size_t count);
void rl_out_words(rl_out_file *file, const void *words, size_t count); // of 32 bits: uint or float
void rl_out_u32(rl_out_file *file, uint32_t value);

// Closes and renames; after a failure removes what was written and sets a message.
rill_status rl_out_close(rl_out_file *file);

// ---- Meshes: PLY and binary glTF 2.0 (mesh_write.c) ------------------------------------

// An empty mesh makes a valid file without triangles. RILL_BAD_ARGUMENT, with the reason, for a
// mesh that no file may hold.

// Writes Stanford PLY, binary. Per vertex x y z nx ny nz velocity_x velocity_y opacity depth, all
// float; per face a list of three uint. z is up, metres.
rill_status rl_mesh_write_ply(const char *path, const rill_mesh *mesh);

// Writes one .glb file with one mesh. Vertices as in a rill_vertex: POSITION, NORMAL, _VELOCITY,
// _OPACITY, _DEPTH; and COLOR_0, white with the opacity as its alpha, which is how viewers fade the
// shore. The material has the colour of `liquid`. glTF has y up: the node turns the mesh, so that
// the attributes stay in Rill's axes.
rill_status rl_mesh_write_glb(const char *path, const rill_mesh *mesh, const rill_liquid *liquid);

// ---- Pictures (png_file.c) -------------------------------------------------------------

// Rows run from the top of the picture down, as PNG stores them.

// A grey picture of 8 or 16 bits. Fewer bits in the file (1, 2, 4) are widened to 8.
typedef struct rl_png_grey {
    int width, height;
    int white;        // the largest value a pixel can have: 255 or 65535
    uint16_t *pixels; // width * height
    size_t bytes;
} rl_png_grey;

// Reads a grey picture. Refuses pictures with colour or transparency and pictures of more than
// `max_pixels` pixels. Messages begin with the path.
rill_status rl_png_read_grey(const char *path, int64_t max_pixels, const rill_allocator *allocator,
                             rl_png_grey *out);
void rl_png_free_grey(const rill_allocator *allocator, rl_png_grey *picture);

// Writes three bytes a pixel, red first; `row_bytes` from one row to the next. After a failure part
// of the file may be left behind.
rill_status rl_png_write_rgb(const char *path, int width, int height, const uint8_t *pixels,
                             size_t row_bytes);

// ---- Cache files (cache_file.c) --------------------------------------------------------

// Arrays of floats stored under a key, which were expensive to compute and can be computed again. A
// file that is missing, damaged, of another key or of other arrays is as good as none. It has a
// version, the key, the names and sizes of the arrays, and a checksum.

// Returns RILL_OK when all arrays were read; else nothing has been changed and the message names
// the reason. `numbers` are a few doubles stored with them.
rill_status rl_cache_file_read(const char *path, uint64_t key, const rill_state_array *arrays,
                               int count, double *numbers, int number_count,
                               const rill_allocator *allocator);
rill_status rl_cache_file_write(const char *path, uint64_t key, const rill_state_array *arrays,
                                int count, const double *numbers, int number_count);
