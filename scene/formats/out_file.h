// SPDX-License-Identifier: MIT
// out_file.h - files that are written whole or not at all: under a temporary name beside their own
// ("water.ply.part") and renamed when they are complete, so that a reader never sees half of one
// and a failure leaves an older file as it was. Numbers are little-endian on every machine.
#pragma once

#include "rill/base.h"
#include "rill/support.h"

#include <stdio.h>

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
    size_t filled;
    unsigned char buffer[16384];
} rl_out_file;

rill_status rl_out_open(rl_out_file *file, const char *path);
void rl_out_bytes(rl_out_file *file, const void *bytes, size_t count);
void rl_out_u32(rl_out_file *file, uint32_t value);
void rl_out_f32(rl_out_file *file, float value);

// Closes and renames; after a failure removes what was written and sets a message.
rill_status rl_out_close(rl_out_file *file);
