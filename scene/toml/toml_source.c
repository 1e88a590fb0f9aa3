// SPDX-License-Identifier: MIT
// toml_source.c - where a document comes from besides a text in memory: a file, and the key=value
// pairs of a command line on top of it.
#include "scene/toml/toml_inner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// ---- Files -----------------------------------------------------------------------------

// All of a stream, which may be a pipe whose length nobody knows. Stops one byte past the bound, so
// that the parser sees that the text is too long.
static rill_status read_stream(const rill_allocator *allocator, const char *path, FILE *stream,
                               char **text, size_t *room, size_t *bytes)
{
    for (;;) {
        if (*bytes == *room) {
            const size_t grown = *room == 0 ? (size_t)16 << 10 : 2 * *room;
            char *memory = rill_realloc(allocator, *text, *room, grown);
            if (memory == NULL)
                return rill_fail(RILL_NO_MEMORY, "%s: there is no memory for %zu bytes", path,
                                 grown);
            *text = memory;
            *room = grown;
        }
        const size_t got = fread(*text + *bytes, 1, *room - *bytes, stream);
        *bytes += got;
        if (got == 0 || *bytes > RL_TOML_MAX_BYTES)
            break;
    }
    return ferror(stream) ? rill_fail(RILL_BAD_FILE, "%s: cannot read: %s", path, strerror(errno))
                          : RILL_OK;
}

rill_status rl_toml_read_file(const rill_allocator *allocator, const char *path,
                              rl_toml_document **out)
{
    *out = NULL;
    char *text = NULL;
    size_t room = 0, bytes = 0;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot open: %s", path, strerror(errno));
    rill_status status = read_stream(allocator, path, stream, &text, &room, &bytes);
    if (status == RILL_OK)
        status = rl_toml_parse(allocator, path, text, bytes, out);
    rill_free(allocator, text, room);
    fclose(stream);
    return status;
}

// ---- Overrides -------------------------------------------------------------------------

typedef struct dotted_key {
    rl_toml_key_part parts[RL_TOML_MAX_DEPTH + 1];
    unsigned count;
} dotted_key;

static rill_status read_key(rl_toml_parser *parser, dotted_key *key)
{
    for (;;) {
        if (key->count > RL_TOML_MAX_DEPTH)
            return rl_toml_fail_here(parser, "the key has more than %d parts", RL_TOML_MAX_DEPTH);
        rl_toml_key_part *part = &key->parts[key->count++];
        rl_toml_skip_space(parser);
        const rill_status status = rl_toml_read_key_part(parser, part);
        if (status != RILL_OK)
            return status;
        // Kept, since the next part may be read into the same memory.
        part->name.text = rl_toml_copy(parser->document, part->name.text, part->name.bytes);
        if (part->name.text == NULL)
            return RILL_NO_MEMORY;
        rl_toml_skip_space(parser);
        if (rl_toml_peek(parser) != '.')
            break;
        parser->at++;
    }
    if (rl_toml_peek(parser) != '=') {
        char found[RL_TOML_FOUND];
        return rl_toml_fail_here(parser, "expected '=' after the key, found %s",
                                 rl_toml_found(parser, found));
    }
    parser->at++;
    return RILL_OK;
}

// A word that is no TOML value stands for itself; whatever has spaces, quotes or brackets must be
// proper TOML.
static bool is_bare_word(const rl_toml_parser *parser)
{
    const char *const text = parser->at;
    const size_t bytes = (size_t)(parser->end - text);
    if (bytes == 0 || strchr("\"'[{", text[0]) != NULL)
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (strchr(" \t\r\n", text[i]) != NULL)
            return false;
    rl_toml_value ignored;
    return rl_toml_scan_scalar(text, bytes, &ignored) != NULL;
}

static rill_status read_override_value(rl_toml_parser *parser, unsigned depth, rl_toml_value **out)
{
    rl_toml_skip_space(parser);
    while (parser->end > parser->at && strchr(" \t\r\n", parser->end[-1]) != NULL)
        parser->end--;
    if (parser->at == parser->end)
        return rl_toml_fail_here(parser, "there is no value after '='");
    rill_status status;
    if (is_bare_word(parser)) {
        const size_t bytes = (size_t)(parser->end - parser->at);
        status = rl_toml_add_value(parser, RL_TOML_STRING, RL_TOML_CLOSED, depth,
                                   rl_toml_place_at(parser, parser->at), out);
        if (status != RILL_OK)
            return status;
        const char *copy = rl_toml_copy(parser->document, parser->at, bytes);
        if (copy == NULL)
            return RILL_NO_MEMORY;
        (*out)->as.string = (rl_toml_string){copy, bytes};
        parser->at = parser->end;
    } else {
        status = rl_toml_read_value(parser, depth, out);
    }
    if (status != RILL_OK)
        return status;
    rl_toml_skip_space(parser);
    if (parser->at != parser->end) {
        char found[RL_TOML_FOUND];
        return rl_toml_fail_here(parser, "expected the end after the value, found %s",
                                 rl_toml_found(parser, found));
    }
    return RILL_OK;
}

// Hangs the value into the tree. What is missing on the way is built first and hung in last, so
// that a failure changes nothing.
static rill_status attach(rl_toml_parser *parser, const dotted_key *key, rl_toml_value *value)
{
    rl_toml_document *document = parser->document;
    rl_toml_value *table = document->root;
    rl_toml_entry *entry = NULL;
    unsigned known = 0; // parts that are there
    for (;; known++) {
        const rl_toml_string name = key->parts[known].name;
        entry = rl_toml_find_entry(table, name.text, name.bytes);
        if (entry == NULL || known + 1 == key->count)
            break;
        if (entry->value->kind != RL_TOML_TABLE) {
            char shown[64];
            rl_toml_show(shown, sizeof shown, name.text, name.bytes);
            return rl_toml_fail_here(parser, "'%s' is %s, so nothing can be set inside it", shown,
                                     rl_toml_kind_name((rl_toml_kind)entry->value->kind));
        }
        table = entry->value;
    }
    if (entry != NULL) {
        entry->value = value;
        return RILL_OK;
    }
    for (unsigned i = key->count - 1; i > known; i--) {
        rl_toml_value *parent = NULL;
        rill_status status =
            rl_toml_add_value(parser, RL_TOML_TABLE, RL_TOML_DOTTED, i, value->place, &parent);
        if (status == RILL_OK)
            status = rl_toml_add_entry(document, parent, key->parts[i].name, key->parts[i].place,
                                       &entry);
        if (status != RILL_OK)
            return status;
        entry->value = value;
        value = parent;
    }
    const rl_toml_key_part *part = &key->parts[known];
    const rill_status status = rl_toml_add_entry(document, table, part->name, part->place, &entry);
    if (status == RILL_OK)
        entry->value = value;
    return status;
}

rill_status rl_toml_override(rl_toml_document *document, const char *assignment)
{
    const size_t bytes = strlen(assignment);
    if (bytes > RL_TOML_MAX_BYTES)
        return rill_fail(RILL_BAD_SCENE, "--set: the assignment is longer than %zu bytes",
                         RL_TOML_MAX_BYTES);
    const char *copy = rl_toml_copy(document, assignment, bytes);
    if (copy == NULL)
        return RILL_NO_MEMORY;
    const size_t values_before = document->value_count;
    rl_toml_parser parser;
    rl_toml_parser_start(&parser, document, copy, bytes);
    parser.assignment = copy;
    dotted_key key = {.count = 0};
    rl_toml_value *value = NULL;

    rill_status status = rl_toml_check_text(&parser);
    if (status == RILL_OK)
        status = read_key(&parser, &key);
    if (status == RILL_OK)
        status = read_override_value(&parser, key.count, &value);
    if (status == RILL_OK)
        status = attach(&parser, &key, value);
    if (status != RILL_OK)
        document->value_count = values_before;
    rl_toml_parser_end(&parser);
    return status;
}
