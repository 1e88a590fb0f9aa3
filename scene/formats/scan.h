// SPDX-License-Identifier: MIT
// scan.h - words and numbers of text files, the same in every locale and on every machine. The
// first failure sticks: after it all functions return false and read nothing.
#pragma once

#include "scene/scene_assert.h"

#include "rill/base.h"
#include "rill/support.h"

#include <stdbool.h>
#include <stdio.h>

#define RL_WORD_BYTES  64
#define RL_SCAN_BUFFER 65536

typedef struct rl_scan {
    const char *name; // of the file, for messages
    const unsigned char *bytes;
    size_t size, at;
    FILE *file;            // which fills `buffer` again and again; NULL: `bytes` are all there is
    unsigned char *buffer; // RL_SCAN_BUFFER bytes
    int64_t line;          // of what is read next, from 1
    int64_t word_line;     // of `word`, or its byte in binary
    bool binary;
    bool separated;           // commas and semicolons part words, too
    char word[RL_WORD_BYTES]; // the last word read; empty at an end
    rill_status status;
} rl_scan;

// Fail with RILL_BAD_FILE, "NAME: sentence" or "NAME: line N: sentence" with the line of the word;
// in binary "NAME: byte N: sentence".
bool rl_scan_fail(rl_scan *scan, const char *format, ...) RILL_PRINTF(2, 3);
bool rl_scan_fail_line(rl_scan *scan, const char *format, ...) RILL_PRINTF(2, 3);

// The next byte, or -1 at the end of the file.
int rl_scan_peek(rl_scan *scan);

// Goes past the mark that some editors put at the beginning of a file.
void rl_scan_skip_mark(rl_scan *scan);

// Reads the next word of the line, or an empty one at the end of the line or the file.
bool rl_scan_of_line(rl_scan *scan);

// Reads the next word, on this line or a later one; empty at the end of the file.
bool rl_scan_next(rl_scan *scan);

// Goes past the end of the line. Not with a file.
void rl_scan_skip_line(rl_scan *scan);

// Takes `word` as a number; `what` names it in the message (NULL: without a name).
bool rl_scan_number(rl_scan *scan, const char *what, double *value);

// Returns whether the `length` bytes are `name`, which is in small letters, in letters of any size.
bool rl_word_is(const char *word, size_t length, const char *name);

// Takes text of at most 63 bytes as a number. "nan" is one, "inf" is not. False when it is none.
bool rl_parse_number(const char *text, double *value);

// Finds how long a file is, and leaves it where it was; false with errno.
bool rl_file_length(FILE *file, int64_t *length);
