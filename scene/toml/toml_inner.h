// SPDX-License-Identifier: MIT
// toml_inner.h - what the toml_*.c files share: memory, errors, and the state of a text being read.
// The readers of a text return false, or NULL, after an error, which is in document->failed and in
// rill_last_error. No other file includes this.
#pragma once

#include "scene/scene_assert.h"
#include "scene/toml/toml.h"

// How a table or array came to be. TOML's rules about what may be added to it hang on this.
typedef enum rl_toml_origin {
    RL_TOML_IMPLIED, // on the way to a header: a of [a.b]
    RL_TOML_HEADER,  // [a], an element of [[a]] or the array [[a]] itself
    RL_TOML_DOTTED,  // on the way to a key: a of a.b = 1
    RL_TOML_CLOSED,  // { ... } or [ ... ]
} rl_toml_origin;

// ---- Memory and tables (toml_value.c) --------------------------------------------------

rl_toml_document *rl_toml_create(const rill_allocator *allocator, const char *file_name);

// A copy with a zero byte behind it.
const char *rl_toml_copy(rl_toml_document *document, const char *text, size_t bytes);

// NULL also where the table is NULL or none.
rl_toml_entry *rl_toml_find_entry(const rl_toml_value *table, rl_toml_string key);

// Adds a key that is not there yet; copies it. Without memory the table is as it was.
rl_toml_entry *rl_toml_add_entry(rl_toml_document *document, rl_toml_value *table,
                                 rl_toml_string key, rl_toml_place place, rl_toml_value *value);
bool rl_toml_append(rl_toml_document *document, rl_toml_value *array, rl_toml_value *value);

// ---- Sentences (toml_show.c) -----------------------------------------------------------

#define RL_TOML_SHOWN 64 // bytes of a key or word in an error

// Bytes of the well-formed UTF-8 character at the start of the text, or 0.
size_t rl_toml_utf8_length(const char *text, size_t bytes);

// Whether a key may hold this byte without quotes.
bool rl_toml_is_bare(int c);

// Copies text for a sentence: control characters and bad bytes escaped, cut at a character with
// "..." when it does not fit.
void rl_toml_show(char *buffer, size_t size, rl_toml_string text);

// The path of `key` in the table at `path`; keys that need quotes get them.
void rl_toml_show_path(char *buffer, size_t size, const char *path, rl_toml_string key);

// How a table is named in a sentence: "in [pipes]", "in water.springs[2]" or "at the top level";
// `with_preposition` false leaves the first word out.
void rl_toml_show_table(char *buffer, size_t size, const char *path, bool with_preposition);

// ---- A text being read (toml_lex.c, toml_scalar.c) --------------------------------------

typedef struct rl_toml_parser {
    rl_toml_document *document;
    const char *text, *at, *end;
    const char *assignment; // NULL when a file is read

    // Places are counted on from the one asked for last.
    const char *mark;
    uint32_t mark_line, mark_column;

    // The string read last, without quotes and escapes.
    char *scratch;
    size_t scratch_bytes, scratch_used;
} rl_toml_parser;

// One part of a dotted key. `name` lives until the next string is read.
typedef struct rl_toml_key_part {
    rl_toml_string name;
    rl_toml_place place;
} rl_toml_key_part;

void rl_toml_parser_start(rl_toml_parser *parser, rl_toml_document *document, const char *text,
                          size_t bytes);
void rl_toml_parser_end(rl_toml_parser *parser);

// `at` must not lie before the place asked for last, else the text is counted from its start.
rl_toml_place rl_toml_place_at(rl_toml_parser *parser, const char *at);

// Both fail the document at the reading point and return false.
bool rl_toml_fail_here(rl_toml_parser *parser, const char *format, ...) RILL_PRINTF(2, 3);
bool rl_toml_fail_expected(rl_toml_parser *parser, const char *what);

// UTF-8 throughout, no control characters but tab and line breaks, no lone carriage return. The
// rest of the reader relies on it.
bool rl_toml_check_text(rl_toml_parser *parser);

// The next byte, or -1 at the end.
static inline int rl_toml_peek(const rl_toml_parser *parser)
{
    return parser->at < parser->end ? (unsigned char)*parser->at : -1;
}

// Goes over `text` when it comes next.
bool rl_toml_skip(rl_toml_parser *parser, const char *text);

void rl_toml_skip_space(rl_toml_parser *parser); // spaces and tabs
void rl_toml_skip_blank(rl_toml_parser *parser); // also comments and line breaks

// Only spaces and a comment may come before the line break or the end.
bool rl_toml_end_line(rl_toml_parser *parser);

bool rl_toml_read_key_part(rl_toml_parser *parser, rl_toml_key_part *out);
bool rl_toml_read_string(rl_toml_parser *parser, bool may_span_lines);

// The value of a hexadecimal digit; 99 for anything else.
int rl_toml_digit(int c);

// Length of what could be a number, boolean, date or time at the start of the text.
size_t rl_toml_scalar_length(const char *text, size_t bytes);

// Sets kind and content of `out`, or returns what is wrong. The text of a date or time is pointed
// to, not copied.
const char *rl_toml_scan_scalar(const char *text, size_t bytes, rl_toml_value *out);
