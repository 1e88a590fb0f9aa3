// SPDX-License-Identifier: MIT
// toml_inner.h - what the toml_*.c files share: the layout of documents and values, and the state
// of a text being read. Nobody else includes this.
#pragma once

#include "scene/toml/toml.h"

#include "rill/support.h"

// ---- Layout ----------------------------------------------------------------------------

// Line and column, counted from 1. For what an override wrote: zeros and its text.
typedef struct rl_toml_place {
    uint32_t line, column;
    const char *assignment; // NULL for what stands in the file
} rl_toml_place;

// How a table or array came to be. TOML's rules about who may add to it hang on this.
typedef enum rl_toml_origin {
    RL_TOML_IMPLIED, // on the way to a header: a of [a.b]
    RL_TOML_HEADER,  // [a], an element of [[a]] or the array [[a]] itself
    RL_TOML_DOTTED,  // on the way to a key: a of a.b = 1
    RL_TOML_CLOSED,  // { ... } or [ ... ]
} rl_toml_origin;

// A key of a table. The keys of a table form a crit-bit tree (D. J. Bernstein's name for a Patricia
// trie), in which a look-up costs as much as the key is long, for every set of keys: unlike with a
// hash table, no choice of keys makes it slow. A tree of n leaves has n - 1 inner nodes, so each
// entry but the first carries one.
struct rl_toml_entry {
    const char *key; // ends with a zero byte; may hold others
    size_t bytes;
    rl_toml_value *value;
    rl_toml_entry *next; // in order of appearance
    rl_toml_place place;
    bool asked; // by the reading layer

    bool leaf[2];    // of the inner node: whether child[side] is meant as a leaf
    uint16_t bit;    // the bit of the symbol at `symbol` that chooses the side
    uint32_t symbol; // all keys below share the symbols before this one
    rl_toml_entry *child[2];
};

// A key that was asked for and is not there; known all the same.
typedef struct rl_toml_name {
    const char *text;
    struct rl_toml_name *next;
} rl_toml_name;

typedef struct rl_toml_keys {
    rl_toml_entry *first, *last;
    size_t count;
    rl_toml_entry *tree;
    bool tree_is_leaf;
    rl_toml_name *absent;
} rl_toml_keys;

typedef struct rl_toml_items {
    rl_toml_value **values;
    size_t count, capacity;
} rl_toml_items;

typedef struct rl_toml_string {
    const char *text;
    size_t bytes;
} rl_toml_string;

struct rl_toml_value {
    uint8_t kind;   // rl_toml_kind
    uint8_t origin; // rl_toml_origin
    uint8_t depth;  // containers around it
    rl_toml_place place;
    union {
        bool boolean;
        int64_t integer;
        double number;
        rl_toml_string string; // also dates and times
        rl_toml_items *items;
        rl_toml_keys *keys;
    } as;
};

typedef struct rl_toml_block rl_toml_block;

struct rl_toml_document {
    rill_allocator allocator;
    rl_toml_block *blocks; // all that the document owns
    const char *file_name;
    rl_toml_value *root;
    size_t value_count;
    rill_status failed; // of the reading layer, sticks
};

// ---- Memory and tables (toml_value.c) --------------------------------------------------

rill_status rl_toml_create(const rill_allocator *allocator, const char *file_name,
                           rl_toml_document **out);

// Zeroed, aligned for any type, freed with the document. NULL, with the error told, when there is
// no memory.
void *rl_toml_take(rl_toml_document *document, size_t bytes);

// A copy with a zero byte behind it.
const char *rl_toml_copy(rl_toml_document *document, const char *text, size_t bytes);

rl_toml_entry *rl_toml_find_entry(const rl_toml_value *table, const char *key, size_t bytes);

// Adds a key that is not there yet; copies it. On RILL_NO_MEMORY the table is as it was.
rill_status rl_toml_add_entry(rl_toml_document *document, rl_toml_value *table, rl_toml_string key,
                              rl_toml_place place, rl_toml_entry **out);
rill_status rl_toml_append(rl_toml_document *document, rl_toml_value *array, rl_toml_value *value);

// ---- Sentences (toml_show.c) -----------------------------------------------------------

// Bytes of the well-formed UTF-8 character at the start of the text, or 0.
size_t rl_toml_utf8_length(const char *text, size_t bytes);

// Copies text for a sentence: control characters and bad bytes escaped, cut at a character with
// "..." when it does not fit.
void rl_toml_show(char *buffer, size_t size, const char *text, size_t bytes);

// The path of `key` in the table at `path`; keys that need quotes get them.
void rl_toml_show_path(char *buffer, size_t size, const char *path, const char *key, size_t bytes);

void rl_toml_show_place(const rl_toml_document *document, rl_toml_place place, char *buffer,
                        size_t size);

// How a table is named in a sentence: "[pipes]", "water.springs[2]" or "the top level".
void rl_toml_show_table(char *buffer, size_t size, const char *path);

// ---- A text being read (toml_lex.c, toml_scalar.c, toml_parse.c) ------------------------

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

// RILL_BAD_SCENE with the place before the sentence.
rill_status rl_toml_fail_place(const rl_toml_document *document, rl_toml_place place,
                               const char *format, ...) RILL_PRINTF(3, 4);
rill_status rl_toml_fail_here(rl_toml_parser *parser, const char *format, ...) RILL_PRINTF(2, 3);

// UTF-8 throughout, no control characters but tab and line breaks, no lone carriage return. The
// rest of the reader relies on it.
rill_status rl_toml_check_text(rl_toml_parser *parser);

// The next byte, or -1 at the end.
static inline int rl_toml_peek(const rl_toml_parser *parser)
{
    return parser->at < parser->end ? (unsigned char)*parser->at : -1;
}

// What stands at the reading point, for "expected ..., found ...". `buffer` holds RL_TOML_FOUND.
#define RL_TOML_FOUND 24
const char *rl_toml_found(const rl_toml_parser *parser, char *buffer);

void rl_toml_skip_space(rl_toml_parser *parser); // spaces and tabs
void rl_toml_skip_blank(rl_toml_parser *parser); // also comments and line breaks

// Only spaces and a comment may come before the line break or the end.
rill_status rl_toml_end_line(rl_toml_parser *parser);

rill_status rl_toml_read_key_part(rl_toml_parser *parser, rl_toml_key_part *out);
rill_status rl_toml_read_string(rl_toml_parser *parser, bool may_span_lines);

// Length of what could be a number, boolean, date or time at the start of the text.
size_t rl_toml_scalar_length(const char *text, size_t bytes);

// Sets kind and content of `out`, or returns what is wrong. The text of a date or time is pointed
// to, not copied.
const char *rl_toml_scan_scalar(const char *text, size_t bytes, rl_toml_value *out);

// A new value. Checks the bounds on depth and number.
rill_status rl_toml_add_value(rl_toml_parser *parser, rl_toml_kind kind, rl_toml_origin origin,
                              unsigned depth, rl_toml_place place, rl_toml_value **out);
rill_status rl_toml_read_value(rl_toml_parser *parser, unsigned depth, rl_toml_value **out);
