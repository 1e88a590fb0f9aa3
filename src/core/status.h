// SPDX-License-Identifier: MIT
// status.h - errors and their messages. The function that can name the file, the field or the value
// writes the message, one sentence; functions above it pass the status on.
#pragma once

#include "rill/base.h"

#if defined(__GNUC__)
#define RL_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define RL_PRINTF(format_index, first_index)
#endif

// Stores the message for rill_last_error() of this thread and returns `status`, so that a caller
// can write: return rl_fail(RILL_BAD_DEF, "cell_size is %g, it must be positive", size);
rill_status rl_fail(rill_status status, const char *format, ...) RL_PRINTF(2, 3);

// Puts "prefix: " before the message stored last; for callers that know the file's name.
rill_status rl_fail_prefix(rill_status status, const char *format, ...) RL_PRINTF(2, 3);
