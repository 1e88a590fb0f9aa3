// SPDX-License-Identifier: MIT
// json_read.h - a small JSON reader, for the description inside a glTF file. The text is parsed in
// place: strings are unescaped and ended where they stand.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_node {
    json_kind kind;
    const char *key;  // inside an object, else NULL
    const char *text; // of JSON_TEXT
    double number;    // of JSON_NUMBER
    size_t first;     // child, 0: none
    size_t next;      // sibling, 0: none
} json_node;

// All values of a text; the outermost is node 0.
typedef struct json_document {
    json_node *nodes;
    size_t count, capacity;
} json_document;

// Reads text[0..bytes), which must be followed by a zero byte and outlive the document. Returns
// false for what is not JSON, is nested too deeply or does not fit into memory; nothing is left to
// free then.
bool json_parse(json_document *document, char *text, size_t bytes);
void json_free(json_document *document);

// All of these take NULL and return NULL, so that queries can be chained.
const json_node *json_root(const json_document *document);
const json_node *json_member(const json_document *document, const json_node *object,
                             const char *key);
const json_node *json_item(const json_document *document, const json_node *array, double index);
const json_node *json_first(const json_document *document, const json_node *parent);
const json_node *json_next(const json_document *document, const json_node *node);

// Return the number or text of a node, or `otherwise`.
double json_number_of(const json_node *node, double otherwise);
const char *json_text_of(const json_node *node, const char *otherwise);
