// SPDX-License-Identifier: MIT
// message.h - how the command speaks: one sentence on standard error that begins with "rill: ", and
// texts of others (titles, names, sentences of the library) without their control characters.
#pragma once

#include "rill/base.h"

#include <stdio.h>

#if defined(__GNUC__)
#define SAY_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define SAY_PRINTF(format_index, first_index)
#endif

// Wrong usage or bad input. Returns STATUS_WRONG, so that a caller can write:
// return say_wrong("--time: \"%s\" is not a number", text);
int say_wrong(const char *format, ...) SAY_PRINTF(1, 2);

// Something that was right failed. Returns STATUS_FAILED.
int say_failed(const char *format, ...) SAY_PRINTF(1, 2);

// Something to know; the work goes on.
void say_warning(const char *format, ...) SAY_PRINTF(1, 2);

// The library's sentence about its last failure. Returns STATUS_WRONG when the input was bad,
// STATUS_FAILED when the machine could not do it.
int say_status(rill_status status);

// The same for a failure that somebody else has put into words.
int say_failure(rill_status status, const char *sentence);

// Text on one line: what a terminal would obey, a line break included, becomes a question mark.
void say_text(FILE *out, const char *text);

// The word among `count` that looks most like `typed`, or NULL when none does.
const char *say_nearest(const char *typed, const char *const *words, int count);
