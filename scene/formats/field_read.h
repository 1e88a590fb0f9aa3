// SPDX-License-Identifier: MIT
// field_read.h - reads values on 3D grids from files: NRRD with raw values, and raw values that the
// caller describes. Nothing that a file says is trusted: sizes are checked against the length of
// the file before memory is taken.
#pragma once

#include "scene/formats/formats.h"

#include "rill/files.h"

#include <stdbool.h>

// A file of a field, once its header is known.
typedef struct rl_field_file {
    rill_field_header header; // `skip` counts from `start`, from behind the lines that are skipped
    const char *path;         // of the file that was named, for messages
    char data[RL_PATH_BYTES]; // of the one with the values
    int64_t start;            // where the values, or lines to be skipped, begin in it, bytes
    int64_t skip_lines;
    bool at_end; // the values are the last bytes of the file
} rl_field_file;

// Returns whether the file begins as NRRD does, and leaves it at its beginning.
bool rl_nrrd_is(FILE *file);

// Reads the header of an open NRRD file.
rill_status rl_nrrd_read_header(const char *path, FILE *file, rl_field_file *out);

// Returns the bytes of a value.
int rl_value_bytes(rill_value_type type);

// Finds a type by any of the names that NRRD has for it; RILL_VALUE_TYPE_COUNT for none.
rill_value_type rl_value_type_find(const char *name);
