// SPDX-License-Identifier: MIT
// toml.h - scene files in TOML 1.0 (https://toml.io/en/v1.0.0), in two layers. The lower one turns
// text into a tree of values that know where they were written. The upper one reads that tree for a
// loader: each getter checks type and range, leaves the default in place where a key is absent and
// remembers that the key was asked for, so that in the end a misspelt key is an error and not a
// setting that silently does nothing.
//
//     rl_toml_table root = rl_toml_root_table(document), pipes;
//     rl_toml_get_table(root, "pipes", &pipes);
//     rl_toml_get_double(pipes, "friction", 0.0, 1.0, &def.friction);
//     return rl_toml_check_all_used(document);
//
// Errors are one sentence, "FILE:LINE:COLUMN: what is wrong". Columns count code points. A value
// that came from rl_toml_override says "--set KEY=VALUE" in place of the three.
//
// Work and memory grow linearly with the text, whatever the text is. A document may be used by one
// thread at a time.
#pragma once

#include "rill/base.h"
#include "rill/support.h"

#include <float.h>
#include <stdbool.h>

#define RL_TOML_MAX_DEPTH  64                 // tables and arrays inside each other
#define RL_TOML_MAX_BYTES  ((size_t)16 << 20) // length of a text
#define RL_TOML_MAX_VALUES 1000000            // values in one document, tables and arrays included

typedef struct rl_toml_value rl_toml_value;
typedef struct rl_toml_entry rl_toml_entry;

// ---- Layout ----------------------------------------------------------------------------
// All of it belongs to the document, lives as long as the document does, and is only read outside
// of scene/toml.

typedef enum rl_toml_kind {
    RL_TOML_TABLE,
    RL_TOML_ARRAY,
    RL_TOML_STRING,
    RL_TOML_INTEGER,
    RL_TOML_FLOAT,
    RL_TOML_BOOL,
    RL_TOML_OFFSET_DATE_TIME,
    RL_TOML_LOCAL_DATE_TIME,
    RL_TOML_LOCAL_DATE,
    RL_TOML_LOCAL_TIME,
} rl_toml_kind;

// Line and column, counted from 1. For what an override wrote: zeros and its text.
typedef struct rl_toml_place {
    uint32_t line, column;
    const char *assignment; // NULL for what stands in the file
} rl_toml_place;

// A text that ends with a zero byte, which `bytes` does not count; it may hold others.
typedef struct rl_toml_string {
    const char *text;
    size_t bytes;
} rl_toml_string;

// A key of a table. The keys of a table form a crit-bit tree (D. J. Bernstein's name for a Patricia
// trie), in which finding a key costs as much as the key is long, for every set of keys: unlike
// with a hash table, no choice of keys makes it slow. A tree of n leaves has n - 1 inner nodes, so
// each entry but the first carries one.
struct rl_toml_entry {
    rl_toml_string key;
    rl_toml_value *value;
    rl_toml_entry *next; // in order of appearance
    rl_toml_place place;
    bool asked; // by a getter

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

struct rl_toml_value {
    uint8_t kind;   // rl_toml_kind
    uint8_t origin; // rl_toml_origin, how a table or array came to be
    uint8_t depth;  // containers around it
    rl_toml_place place;
    union {
        bool boolean;
        int64_t integer;
        double number;
        rl_toml_string string; // also of dates and times, as they were written
        rl_toml_items *items;
        rl_toml_keys *keys;
    } as;
};

typedef struct rl_toml_document {
    rill_allocator allocator;
    struct rl_toml_block *blocks; // all that the document owns
    const char *file_name;
    rl_toml_value *root;
    size_t value_count;
    rill_status failed; // the first failure of a getter, which sticks
} rl_toml_document;

// ---- Documents -------------------------------------------------------------------------

// Reads `bytes` bytes of UTF-8. `file_name` is for the errors only. The text is not needed
// afterwards. On failure *out is NULL; a mistake in the text is RILL_BAD_SCENE.
rill_status rl_toml_parse(const rill_allocator *allocator, const char *file_name, const char *text,
                          size_t bytes, rl_toml_document **out);

// The same from a file; RILL_BAD_FILE where it cannot be opened or read.
rill_status rl_toml_read_file(const rill_allocator *allocator, const char *path,
                              rl_toml_document **out);

// Sets one key as in "pipes.friction=0.3": a dotted key and a TOML value. Makes the tables on the
// way, replaces what was there. A word without spaces that is no TOML value is taken as a string,
// so that "run.solver=pipes" needs no quotes. On failure the document is as it was.
rill_status rl_toml_override(rl_toml_document *document, const char *assignment);

void rl_toml_destroy(rl_toml_document **document);

// Memory that is freed with the document: zeroed, aligned for any type. NULL when there is none;
// then the document has failed.
void *rl_toml_take(rl_toml_document *document, size_t bytes);

// Fails the document with "FILE:LINE:COLUMN: sentence", or "FILE: sentence" where `place` is NULL,
// unless it has failed already. Returns its status.
rill_status rl_toml_fail(rl_toml_document *document, const rl_toml_place *place, const char *format,
                         ...) RILL_PRINTF(3, 4);

// ---- Values ----------------------------------------------------------------------------
// A function asked for something the value is not (the text of an integer) answers zero, "" or
// NULL.

// The kind with its article, for sentences: "a string", "an integer".
const char *rl_toml_kind_name(const rl_toml_value *value);

// A float, or an integer rounded to the nearest double.
double rl_toml_number(const rl_toml_value *value);

// The text of a string, date or time.
const char *rl_toml_text(const rl_toml_value *value);

// Values in an array or keys in a table.
size_t rl_toml_size(const rl_toml_value *value);

// NULL past the end.
const rl_toml_value *rl_toml_at(const rl_toml_value *array, size_t index);

// NULL when the key is absent or the table NULL. Does not count as asking for the key.
const rl_toml_value *rl_toml_find(const rl_toml_value *table, const char *key);

// Writes "FILE:LINE:COLUMN" or "--set ASSIGNMENT", cut to fit.
void rl_toml_where(const rl_toml_document *document, const rl_toml_value *value, char *buffer,
                   size_t size);

// ---- Reading a scene -------------------------------------------------------------------
// The first failure sticks to the document: every later getter returns its status and touches
// nothing. A loader may therefore call a row of getters and check the status once.

// A table to read from, or the place where an absent one would be: then `value` is NULL and every
// key is absent.
typedef struct rl_toml_table {
    rl_toml_document *document;
    const rl_toml_value *value;
    const char *path; // such as "water.springs[2]", counted from 0; "" for the root
} rl_toml_table;

// An array of tables, [[water.springs]] or a list of inline tables.
typedef struct rl_toml_tables {
    rl_toml_document *document;
    const rl_toml_value *value; // NULL when absent
    const char *path;
    size_t count;
} rl_toml_tables;

// A lower bound that means "must be positive".
#define RL_TOML_POSITIVE DBL_MIN

rl_toml_table rl_toml_root_table(rl_toml_document *document);

// Whether the key is there; counts as asking for it.
bool rl_toml_has(rl_toml_table table, const char *key);

// The value as it is, for what the getters do not cover; NULL when absent.
const rl_toml_value *rl_toml_get_value(rl_toml_table table, const char *key);

// The same of an array; what is none is refused as not being `wanted`, such as "an array of files".
const rl_toml_value *rl_toml_get_array(rl_toml_table table, const char *key, const char *wanted);

// An error when the key is absent: "scene.toml:3:1: [terrain] needs the key 'file'".
rill_status rl_toml_require(rl_toml_table table, const char *key);

// All getters leave the default in place when the key is absent or something is wrong with it. A
// number is finite and within [min, max]; an infinite bound is none. Integers serve as numbers.
rill_status rl_toml_get_double(rl_toml_table table, const char *key, double min, double max,
                               double *inout);
rill_status rl_toml_get_float(rl_toml_table table, const char *key, double min, double max,
                              float *inout);

// INT64_MIN and INT64_MAX are no bounds.
rill_status rl_toml_get_integer(rl_toml_table table, const char *key, int64_t min, int64_t max,
                                int64_t *inout);
rill_status rl_toml_get_int(rl_toml_table table, const char *key, int min, int max, int *inout);
rill_status rl_toml_get_bool(rl_toml_table table, const char *key, bool *inout);

// Without zero bytes inside. Lives as long as the document.
rill_status rl_toml_get_string(rl_toml_table table, const char *key, const char **inout);

// One of `names`, which ends with NULL; gives its index. `inout` points to an int or an enum.
rill_status rl_toml_get_choice(rl_toml_table table, const char *key, const char *const *names,
                               void *inout);

// min_count to max_count numbers; `count` may be NULL where the two are the same.
rill_status rl_toml_get_doubles(rl_toml_table table, const char *key, size_t min_count,
                                size_t max_count, double min, double max, double *values,
                                size_t *count);

// *out is always set; it is an absent table when the key is absent or something is wrong.
rill_status rl_toml_get_table(rl_toml_table table, const char *key, rl_toml_table *out);
rill_status rl_toml_get_tables(rl_toml_table table, const char *key, size_t max_count,
                               rl_toml_tables *out);
rill_status rl_toml_table_at(const rl_toml_tables *tables, size_t index, rl_toml_table *out);

// A loader's own complaint about a key: "scene.toml:3:8: terrain.file must not be empty" for
// rl_toml_refuse(terrain, "file", "must not be empty"). Where the key is absent it points to the
// table, and where that is absent too, to the file.
rill_status rl_toml_refuse(rl_toml_table table, const char *key, const char *format, ...)
    RILL_PRINTF(3, 4);

// The status that sticks, or else an error about the first key that no getter asked for, with the
// nearest of the keys that were.
rill_status rl_toml_check_all_used(rl_toml_document *document);

// The names that a word may be, as a sentence lists them, and the one that it was probably meant to
// be. Starts all zero.
typedef struct rl_name_list {
    char text[512]; // 'pipes', 'layers'
    size_t used;
    const char *nearest; // NULL: none is near
    int edits;
} rl_name_list;

void rl_name_list_add(rl_name_list *list, const char *word, const char *name);

// Number of edits (insert, delete, replace, swap neighbours) between two words, or INT_MAX when
// they are too far apart, or too long, for one to be taken for the other.
int rl_misspelling(const char *word, const char *name);
