// SPDX-License-Identifier: MIT
// cache_file.h - cache files: arrays of floats stored under a key, which were expensive to compute
// and can be computed again. A file that is missing, damaged, of another key or of other arrays is
// as good as none. The file has a version, the key, the names and sizes of the arrays, and a
// checksum, little endian; it is written beside its place and renamed, so that a reader never sees
// half of it.
#pragma once

#include "rill/support.h"

// Returns RILL_OK when all arrays were read; else nothing has been changed and the message names
// the reason. `numbers` are a few doubles stored with them.
rill_status rl_cache_file_read(const char *path, uint64_t key, const rill_state_array *arrays,
                               int count, double *numbers, int number_count,
                               const rill_allocator *allocator);
rill_status rl_cache_file_write(const char *path, uint64_t key, const rill_state_array *arrays,
                                int count, const double *numbers, int number_count);
