// SPDX-License-Identifier: MIT
// cache_file.h - arrays of floats kept in a file under a key: what was expensive to find out and
// can be found out again. A file that is missing, damaged, of another key or of other arrays is as
// good as none. The file has a version, the key, the names and sizes of the arrays, and a checksum,
// little endian; it is written beside its place and renamed, so that a reader never sees half of
// it.
#pragma once

#include "rill/support.h"

// RILL_OK when all arrays were read; else nothing has been changed and the sentence says why.
// `numbers` are a few doubles kept with them.
rill_status rl_cache_file_read(const char *path, uint64_t key, const rill_state_array *arrays,
                               int count, double *numbers, int number_count,
                               const rill_allocator *allocator);
rill_status rl_cache_file_write(const char *path, uint64_t key, const rill_state_array *arrays,
                                int count, const double *numbers, int number_count);
