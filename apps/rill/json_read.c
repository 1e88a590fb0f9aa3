// SPDX-License-Identifier: MIT
// json_read.c - reads JSON text in one pass.
#include "apps/rill/json_read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 128 // nesting

typedef struct reader {
    json_document *document;
    char *at; // the text ends with a zero byte, at which everything stops
} reader;

static bool read_value(reader *r, const char *key, int depth, size_t *index);

// ---- Tokens ----------------------------------------------------------------------------

static void skip_space(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static bool take_character(reader *r, char c)
{
    skip_space(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool take_word(reader *r, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static bool add_node(reader *r, const char *key, size_t *index)
{
    json_document *d = r->document;
    if (d->count == d->capacity) {
        const size_t capacity = d->capacity == 0 ? 64 : 2 * d->capacity;
        json_node *nodes = realloc(d->nodes, capacity * sizeof *nodes);
        if (nodes == NULL)
            return false;
        d->nodes = nodes;
        d->capacity = capacity;
    }
    *index = d->count++;
    d->nodes[*index] = (json_node){.kind = JSON_NULL, .key = key};
    return true;
}

// ---- Texts and numbers -----------------------------------------------------------------

static bool read_hex(const char *from, uint32_t *out)
{
    *out = 0;
    for (int k = 0; k < 4; k++) {
        const char c = from[k];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

// Writes a character as UTF-8; never longer than the six bytes of its escape.
static char *put_character(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
    } else {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *to++ = (char)(0x80 | (c & 0x3f));
    return to;
}

// Halves of a surrogate pair become question marks: no name that is searched for here has any.
static bool read_escape(reader *r, char **to)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char letter = *r->at;
    if (letter == 'u') {
        uint32_t c;
        if (!read_hex(r->at + 1, &c) || c == 0)
            return false;
        *to = put_character(*to, c >= 0xd800 && c < 0xe000 ? '?' : c);
        r->at += 5;
        return true;
    }
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    if (found == NULL)
        return false;
    *(*to)++ = values[found - letters];
    r->at++;
    return true;
}

static bool read_text(reader *r, const char **text)
{
    if (!take_character(r, '"'))
        return false;
    char *to = r->at;
    *text = to;
    while (*r->at != '"') {
        if ((unsigned char)*r->at < 0x20)
            return false;
        if (*r->at != '\\') {
            *to++ = *r->at++;
            continue;
        }
        r->at++;
        if (!read_escape(r, &to))
            return false;
    }
    r->at++;
    *to = '\0';
    return true;
}

static bool read_number(reader *r, double *number)
{
    const size_t length = strspn(r->at, "+-.0123456789eE");
    char *end;
    *number = strtod(r->at, &end);
    if (length == 0 || end != r->at + length)
        return false;
    r->at = end;
    return true;
}

// ---- Values ----------------------------------------------------------------------------

static bool read_children(reader *r, size_t parent, char closing, int depth)
{
    size_t last = 0, child;
    if (take_character(r, closing))
        return true;
    do {
        const char *key = NULL;
        if (closing == '}' && (!read_text(r, &key) || !take_character(r, ':')))
            return false;
        if (!read_value(r, key, depth + 1, &child))
            return false;
        if (last == 0)
            r->document->nodes[parent].first = child;
        else
            r->document->nodes[last].next = child;
        last = child;
    } while (take_character(r, ','));
    return take_character(r, closing);
}

static bool read_value(reader *r, const char *key, int depth, size_t *index)
{
    if (depth > DEEPEST || !add_node(r, key, index))
        return false;
    skip_space(r);
    const char *text = NULL;
    double number = 0.0;
    json_kind kind = JSON_NULL;
    bool good = true;
    if (*r->at == '{' || *r->at == '[') {
        kind = *r->at == '{' ? JSON_OBJECT : JSON_ARRAY;
        r->at++;
        good = read_children(r, *index, kind == JSON_OBJECT ? '}' : ']', depth);
    } else if (*r->at == '"') {
        kind = JSON_TEXT;
        good = read_text(r, &text);
    } else if (take_word(r, "true")) {
        kind = JSON_TRUE;
    } else if (take_word(r, "false")) {
        kind = JSON_FALSE;
    } else if (!take_word(r, "null")) {
        kind = JSON_NUMBER;
        good = read_number(r, &number);
    }
    json_node *node = &r->document->nodes[*index];
    node->kind = kind;
    node->text = text;
    node->number = number;
    return good;
}

bool json_parse(json_document *document, char *text, size_t bytes)
{
    size_t root;
    reader r = {.document = document, .at = text};
    *document = (json_document){0};
    bool good = read_value(&r, NULL, 0, &root);
    skip_space(&r);
    good = good && r.at == text + bytes;
    if (!good)
        json_free(document);
    return good;
}

void json_free(json_document *document)
{
    free(document->nodes);
    *document = (json_document){0};
}

// ---- Queries ---------------------------------------------------------------------------

const json_node *json_root(const json_document *document)
{
    return document->count > 0 ? &document->nodes[0] : NULL;
}

const json_node *json_first(const json_document *document, const json_node *parent)
{
    return parent != NULL && parent->first != 0 ? &document->nodes[parent->first] : NULL;
}

const json_node *json_next(const json_document *document, const json_node *node)
{
    return node != NULL && node->next != 0 ? &document->nodes[node->next] : NULL;
}

const json_node *json_member(const json_document *document, const json_node *object,
                             const char *key)
{
    const json_node *n =
        object != NULL && object->kind == JSON_OBJECT ? json_first(document, object) : NULL;
    while (n != NULL && strcmp(n->key, key) != 0)
        n = json_next(document, n);
    return n;
}

const json_node *json_item(const json_document *document, const json_node *array, double index)
{
    const json_node *n = array != NULL && array->kind == JSON_ARRAY && index >= 0.0
                             ? json_first(document, array)
                             : NULL;
    for (double k = 0.0; n != NULL && k < index; k += 1.0)
        n = json_next(document, n);
    return n;
}

double json_number_of(const json_node *node, double otherwise)
{
    return node != NULL && node->kind == JSON_NUMBER ? node->number : otherwise;
}

const char *json_text_of(const json_node *node, const char *otherwise)
{
    return node != NULL && node->kind == JSON_TEXT ? node->text : otherwise;
}
