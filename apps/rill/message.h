// SPDX-License-Identifier: MIT
// message.h - messages of the command: one sentence on standard error that begins with "rill: ",
// and texts from files and the library (titles, names) without their control characters.
#pragma once

#include "rill/base.h"

#include <stdio.h>

#if defined(__GNUC__)
#define MESSAGE_PRINTF(format_index, first_index) \
    __attribute__((format(printf, format_index, first_index)))
#else
#define MESSAGE_PRINTF(format_index, first_index)
#endif

// Reports wrong usage or bad input. Returns STATUS_WRONG, so that a caller can write:
// return error_wrong("--time: \"%s\" is not a number", text);
int error_wrong(const char *format, ...) MESSAGE_PRINTF(1, 2);

// Reports a failure of work that was asked for rightly. Returns STATUS_FAILED.
int error_failed(const char *format, ...) MESSAGE_PRINTF(1, 2);

// Prints a warning; the work goes on.
void warning(const char *format, ...) MESSAGE_PRINTF(1, 2);

// Reports the last error of the library. Returns STATUS_WRONG when the input was bad, STATUS_FAILED
// when the machine could not do it.
int error_status(rill_status status);

// Reports an error whose message comes from elsewhere, as from the renderer.
int error_message(rill_status status, const char *sentence);

// Prints text on one line: what a terminal would obey, a line break included, becomes a question
// mark.
void print_clean(FILE *out, const char *text);

// Returns the word among `count` known ones that is spelt most like `typed`, or NULL when none is.
const char *spelling_suggestion(const char *typed, const char *const *known, int count);
