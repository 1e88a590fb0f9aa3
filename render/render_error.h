// SPDX-License-Identifier: MIT
// render_error.h - errors of the renderer, in the way of rill_last_error(): a status, and a message
// of one sentence per thread.
#pragma once

#include "rill/base.h"

#if defined(__GNUC__)
#define RENDER_ERROR_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define RENDER_ERROR_PRINTF(format_index, first_index)
#endif

// Sets the message of the calling thread and returns `status`.
rill_status render_fail(rill_status status, const char *format, ...) RENDER_ERROR_PRINTF(2, 3);

// Sets the message of a failed call of librill and returns `status`.
rill_status render_fail_from_rill(rill_status status);

// Returns the last message of the calling thread; empty before the first.
const char *render_error_text(void);
