// SPDX-License-Identifier: MIT
// render_error.h - errors of the renderer in words, in the way of rill_last_error(): a status and
// one plain sentence, kept for the calling thread.
#pragma once

#include "rill/base.h"

#if defined(__GNUC__)
#define TROUBLE_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define TROUBLE_PRINTF(format_index, first_index)
#endif

// Keeps the sentence and returns `status`.
rill_status trouble(rill_status status, const char *format, ...) TROUBLE_PRINTF(2, 3);

// Takes over the sentence of a failed call of librill and returns `status`.
rill_status trouble_from_rill(rill_status status);

// The last sentence on this thread; empty before the first.
const char *trouble_text(void);
