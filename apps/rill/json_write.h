// SPDX-License-Identifier: MIT
// json_write.h - writes JSON, a value at a time. Numbers are written with the fewest digits that
// read back as the same double, with a dot in every locale; what is not finite becomes null. Texts
// come out as plain ASCII.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// State of a text that is being written. Start from {.out = file}.
typedef struct json_writer {
    FILE *out;
    bool comma; // the next value needs one
} json_writer;

// `key` is NULL inside an array and for the outermost value. `bracket` is '{' or '[' and, to close,
// '}' or ']'.
void json_open(json_writer *w, const char *key, char bracket);
void json_close(json_writer *w, char bracket);

void json_number(json_writer *w, const char *key, double value);
void json_integer(json_writer *w, const char *key, int64_t value);
void json_bool(json_writer *w, const char *key, bool value);
void json_text(json_writer *w, const char *key, const char *value); // NULL is written as null
