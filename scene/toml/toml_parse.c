// SPDX-License-Identifier: MIT
// toml_parse.c - the grammar of TOML and its rules about who may define what. The parser goes down
// one level of C calls for each array and inline table, at most RL_TOML_MAX_DEPTH. A document comes
// from a text, from a file, or from the key=value pairs of a command line on top of it.
#include "scene/toml/toml_inner.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// ---- Values ----------------------------------------------------------------------------

// A new value. Checks the bounds on depth and number.
static rl_toml_value *add_value(rl_toml_parser *parser, rl_toml_kind kind, rl_toml_origin origin,
                                unsigned depth, rl_toml_place place)
{
    rl_toml_document *document = parser->document;
    if (kind <= RL_TOML_ARRAY && depth > RL_TOML_MAX_DEPTH) {
        rl_toml_fail(document, &place, "tables and arrays are nested more than %d deep",
                     RL_TOML_MAX_DEPTH);
        return NULL;
    }
    if (document->value_count >= RL_TOML_MAX_VALUES) {
        rl_toml_fail(document, &place, "the document has more than %d values", RL_TOML_MAX_VALUES);
        return NULL;
    }
    rl_toml_value *value = rl_toml_take(document, sizeof *value);
    if (value == NULL)
        return NULL;
    value->kind = (uint8_t)kind;
    value->origin = (uint8_t)origin;
    value->depth = (uint8_t)depth;
    value->place = place;
    if (kind == RL_TOML_TABLE)
        value->as.keys = rl_toml_take(document, sizeof *value->as.keys);
    else if (kind == RL_TOML_ARRAY)
        value->as.items = rl_toml_take(document, sizeof *value->as.items);
    document->value_count++;
    return document->failed == RILL_NO_MEMORY ? NULL : value;
}

static bool set_text(rl_toml_parser *parser, rl_toml_value *value, const char *text, size_t bytes)
{
    value->as.string = (rl_toml_string){rl_toml_copy(parser->document, text, bytes), bytes};
    return value->as.string.text != NULL;
}

static bool read_scalar(rl_toml_parser *parser, rl_toml_value *value)
{
    const char *const text = parser->at;
    const size_t bytes = rl_toml_scalar_length(text, (size_t)(parser->end - text));
    if (bytes == 0)
        return rl_toml_fail_expected(parser, "a value");
    const char *complaint = rl_toml_scan_scalar(text, bytes, value);
    if (complaint != NULL) {
        char shown[RL_TOML_SHOWN];
        rl_toml_show(shown, sizeof shown, (rl_toml_string){text, bytes});
        return rl_toml_fail_here(parser, "'%s' is not a value: %s", shown, complaint);
    }
    parser->at += bytes;
    return value->kind < RL_TOML_OFFSET_DATE_TIME || set_text(parser, value, text, bytes);
}

static rl_toml_value *read_value(rl_toml_parser *parser, unsigned depth);

static bool read_array(rl_toml_parser *parser, rl_toml_value *array)
{
    parser->at++;
    rl_toml_skip_blank(parser);
    while (!rl_toml_skip(parser, "]")) {
        rl_toml_value *item = read_value(parser, array->depth + 1u);
        if (item == NULL || !rl_toml_append(parser->document, array, item))
            return false;
        rl_toml_skip_blank(parser);
        if (!rl_toml_skip(parser, ",") && rl_toml_peek(parser) != ']')
            return rl_toml_fail_expected(parser, "',' or ']' in the array");
        rl_toml_skip_blank(parser);
    }
    return true;
}

static bool read_assignment(rl_toml_parser *parser, rl_toml_value *table);

// TOML 1.0 wants inline tables on one line and without a comma at the end.
static bool read_inline_table(rl_toml_parser *parser, rl_toml_value *table)
{
    parser->at++;
    rl_toml_skip_space(parser);
    if (rl_toml_skip(parser, "}"))
        return true;
    for (;;) {
        if (!read_assignment(parser, table))
            return false;
        rl_toml_skip_space(parser);
        if (rl_toml_skip(parser, "}"))
            return true;
        if (!rl_toml_skip(parser, ","))
            return rl_toml_fail_expected(parser, "',' or '}' in the inline table");
        rl_toml_skip_space(parser);
        if (rl_toml_peek(parser) == '}')
            return rl_toml_fail_here(parser, "an inline table must not end with a comma");
    }
}

static rl_toml_value *read_value(rl_toml_parser *parser, unsigned depth)
{
    const int c = rl_toml_peek(parser);
    const rl_toml_kind kind = c == '[' ? RL_TOML_ARRAY : c == '{' ? RL_TOML_TABLE : RL_TOML_STRING;
    const rl_toml_place place = rl_toml_place_at(parser, parser->at);
    rl_toml_value *value = add_value(parser, kind, RL_TOML_CLOSED, depth, place);
    if (value == NULL)
        return NULL;
    bool went_well;
    if (kind == RL_TOML_ARRAY)
        went_well = read_array(parser, value);
    else if (kind == RL_TOML_TABLE)
        went_well = read_inline_table(parser, value);
    else if (c == '"' || c == '\'')
        went_well = rl_toml_read_string(parser, true) &&
                    set_text(parser, value, parser->scratch, parser->scratch_used);
    else
        went_well = read_scalar(parser, value);
    return went_well ? value : NULL;
}

// ---- Keys and headers ------------------------------------------------------------------

// What a part of a key names.
typedef enum key_use {
    TABLE_OF_KEY,    // a of a.b = 1
    TABLE_OF_HEADER, // a of [a.b]; in an array of tables the last one is meant
    HEADER,          // b of [a.b]
    ELEMENT,         // b of [[a.b]]: one more of the array
} key_use;

// What is wrong with using a value that is there in this way, or NULL. Dotted keys can only add to
// tables that dotted keys of the same section made.
static const char *obstacle(const rl_toml_value *value, key_use use)
{
    const bool table = value->kind == RL_TOML_TABLE, array = value->kind == RL_TOML_ARRAY;
    const bool header = value->origin == RL_TOML_HEADER, closed = value->origin == RL_TOML_CLOSED;
    if (use == ELEMENT)
        return !array    ? "is already defined and no array of tables"
               : !header ? "is an array in brackets, which cannot grow"
                         : NULL;
    if (use == HEADER && array && header)
        return "is already an array of tables";
    if (!table && !(array && use == TABLE_OF_HEADER))
        return "is already a key and not a table";
    if (use == HEADER)
        return value->origin == RL_TOML_IMPLIED ? NULL : "is already defined as a table";
    if (closed)
        return use == TABLE_OF_KEY ? "is an inline table, which nothing can be added to"
                                   : "is a value in brackets, which no header can add to";
    return use == TABLE_OF_KEY && header
               ? "is already a table with a header, which dotted keys cannot add to"
               : NULL;
}

static bool fail_taken(rl_toml_parser *parser, const rl_toml_key_part *part,
                       const rl_toml_entry *entry, const char *what)
{
    char shown[RL_TOML_SHOWN], line[32] = "";
    rl_toml_show(shown, sizeof shown, part->name);
    if (entry->place.line > 0)
        snprintf(line, sizeof line, " (line %u)", (unsigned)entry->place.line);
    rl_toml_fail(parser->document, &part->place, "'%s' %s%s", shown, what, line);
    return false;
}

// Goes from a table to the one that `part` names, which is made when absent. `place` is that of the
// whole header.
static bool enter(rl_toml_parser *parser, rl_toml_value **table, const rl_toml_key_part *part,
                  key_use use, rl_toml_place place)
{
    static const rl_toml_origin origins[] = {RL_TOML_DOTTED, RL_TOML_IMPLIED, RL_TOML_HEADER,
                                             RL_TOML_HEADER};
    rl_toml_document *document = parser->document;
    const rl_toml_entry *entry = rl_toml_find_entry(*table, part->name);
    const unsigned depth = (*table)->depth + 1u;
    rl_toml_value *value = entry != NULL ? entry->value : NULL;
    if (value == NULL) {
        value = add_value(parser, use == ELEMENT ? RL_TOML_ARRAY : RL_TOML_TABLE, origins[use],
                          depth, use == ELEMENT ? place : part->place);
        if (value == NULL ||
            rl_toml_add_entry(document, *table, part->name, part->place, value) == NULL)
            return false;
    } else {
        const char *what = obstacle(value, use);
        if (what != NULL)
            return fail_taken(parser, part, entry, what);
    }
    if (use == TABLE_OF_HEADER) {
        if (value->kind == RL_TOML_ARRAY)
            value = value->as.items->values[value->as.items->count - 1];
    } else if (use == ELEMENT) {
        rl_toml_value *array = value;
        value = add_value(parser, RL_TOML_TABLE, RL_TOML_HEADER, depth + 1, place);
        if (value == NULL || !rl_toml_append(document, array, value))
            return false;
    } else {
        value->origin = (uint8_t)origins[use];
        if (use == HEADER)
            value->place = place;
    }
    RL_ASSERT(value->kind == RL_TOML_TABLE);
    *table = value;
    return true;
}

// Reads a dotted key and enters the tables of all parts but the last, which becomes `part`.
static bool read_key(rl_toml_parser *parser, rl_toml_value **table, key_use use,
                     rl_toml_key_part *part)
{
    for (;;) {
        rl_toml_skip_space(parser);
        if (!rl_toml_read_key_part(parser, part))
            return false;
        rl_toml_skip_space(parser);
        if (!rl_toml_skip(parser, "."))
            return true;
        if (!enter(parser, table, part, use, part->place))
            return false;
    }
}

static bool read_header(rl_toml_parser *parser, rl_toml_value **table)
{
    const rl_toml_place place = rl_toml_place_at(parser, parser->at);
    const bool element = rl_toml_skip(parser, "[[");
    rl_toml_key_part part;
    *table = parser->document->root;
    parser->at += element ? 0 : 1;
    if (!read_key(parser, table, TABLE_OF_HEADER, &part))
        return false;
    if (!rl_toml_skip(parser, element ? "]]" : "]"))
        return rl_toml_fail_expected(parser, element ? "']]' after the name of a table"
                                                     : "']' after the name of a table");
    return enter(parser, table, &part, element ? ELEMENT : HEADER, place);
}

// Reads a dotted key and its '=' and adds the key; the value is yet to come. NULL after an error.
static rl_toml_entry *read_new_key(rl_toml_parser *parser, rl_toml_value **table)
{
    rl_toml_key_part part;
    if (!read_key(parser, table, TABLE_OF_KEY, &part))
        return NULL;
    if (rl_toml_peek(parser) != '=') {
        rl_toml_fail_expected(parser, "'=' after the key");
        return NULL;
    }
    const rl_toml_entry *entry = rl_toml_find_entry(*table, part.name);
    if (entry != NULL) {
        fail_taken(parser, &part, entry, "is already defined");
        return NULL;
    }
    parser->at++;
    rl_toml_skip_space(parser);
    return rl_toml_add_entry(parser->document, *table, part.name, part.place, NULL);
}

// key = value, with a dotted key or without.
static bool read_assignment(rl_toml_parser *parser, rl_toml_value *table)
{
    rl_toml_entry *entry = read_new_key(parser, &table);
    if (entry == NULL)
        return false;
    entry->value = read_value(parser, table->depth + 1u);
    return entry->value != NULL;
}

// ---- Texts and files -------------------------------------------------------------------

static bool read_lines(rl_toml_parser *parser)
{
    if (rl_toml_skip(parser, "\xef\xbb\xbf")) // a byte order mark
        rl_toml_parser_start(parser, parser->document, parser->at,
                             (size_t)(parser->end - parser->at));
    if (!rl_toml_check_text(parser))
        return false;
    rl_toml_value *table =
        add_value(parser, RL_TOML_TABLE, RL_TOML_HEADER, 0, rl_toml_place_at(parser, parser->at));
    parser->document->root = table;
    if (table == NULL)
        return false;
    for (;;) {
        rl_toml_skip_blank(parser);
        const int c = rl_toml_peek(parser);
        if (c < 0)
            return true;
        if (!(c == '[' ? read_header(parser, &table) : read_assignment(parser, table)) ||
            !rl_toml_end_line(parser))
            return false;
    }
}

rill_status rl_toml_parse(const rill_allocator *allocator, const char *file_name, const char *text,
                          size_t bytes, rl_toml_document **out)
{
    *out = NULL;
    const char *name = file_name == NULL ? "scene" : file_name;
    if (bytes > RL_TOML_MAX_BYTES)
        return rill_fail(RILL_BAD_SCENE, "%s: the text is longer than %zu bytes", name,
                         RL_TOML_MAX_BYTES);
    rl_toml_document *document = rl_toml_create(allocator, name);
    if (document == NULL)
        return RILL_NO_MEMORY;

    rl_toml_parser parser;
    rl_toml_parser_start(&parser, document, text == NULL ? "" : text, text == NULL ? 0 : bytes);
    const bool went_well = read_lines(&parser);
    rl_toml_parser_end(&parser);
    const rill_status status = document->failed;
    RL_ASSERT(went_well == (status == RILL_OK));
    if (!went_well)
        rl_toml_destroy(&document);
    *out = document;
    return status;
}

// All of a stream, which may be a pipe of unknown length. Stops one byte past the bound, so that
// the parser sees that the text is too long.
static rill_status read_stream(const rill_allocator *allocator, const char *path, FILE *stream,
                               char **text, size_t *capacity, size_t *bytes)
{
    for (size_t got = 1; got > 0 && *bytes <= RL_TOML_MAX_BYTES; *bytes += got) {
        if (*bytes == *capacity) {
            const size_t grown = *capacity == 0 ? (size_t)16 << 10 : 2 * *capacity;
            char *memory = rill_realloc(allocator, *text, *capacity, grown);
            if (memory == NULL)
                return rill_fail(RILL_NO_MEMORY, "%s: there is no memory for %zu bytes", path,
                                 grown);
            *text = memory;
            *capacity = grown;
        }
        got = fread(*text + *bytes, 1, *capacity - *bytes, stream);
    }
    return ferror(stream) ? rill_fail(RILL_BAD_FILE, "%s: cannot read: %s", path, strerror(errno))
                          : RILL_OK;
}

rill_status rl_toml_read_file(const rill_allocator *allocator, const char *path,
                              rl_toml_document **out)
{
    *out = NULL;
    char *text = NULL;
    size_t capacity = 0, bytes = 0;
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return rill_fail(RILL_BAD_FILE, "%s: cannot open: %s", path, strerror(errno));
    rill_status status = read_stream(allocator, path, stream, &text, &capacity, &bytes);
    if (status == RILL_OK)
        status = rl_toml_parse(allocator, path, text, bytes, out);
    rill_free(allocator, text, capacity);
    fclose(stream);
    return status;
}

// ---- Overrides -------------------------------------------------------------------------

// A word that is no TOML value stands for itself; whatever has spaces, quotes or brackets must be
// proper TOML.
static bool is_bare_word(const char *text, size_t bytes)
{
    if (strchr("\"'[{", text[0]) != NULL)
        return false;
    for (size_t i = 0; i < bytes; i++)
        if (strchr(" \t\r\n", text[i]) != NULL)
            return false;
    rl_toml_value ignored;
    return rl_toml_scan_scalar(text, bytes, &ignored) != NULL;
}

static rl_toml_value *read_override_value(rl_toml_parser *parser, unsigned depth)
{
    while (parser->end > parser->at && strchr(" \t\r\n", parser->end[-1]) != NULL)
        parser->end--;
    const char *const text = parser->at;
    const size_t bytes = (size_t)(parser->end - text);
    if (bytes == 0) {
        rl_toml_fail_here(parser, "there is no value after '='");
        return NULL;
    }
    if (is_bare_word(text, bytes)) {
        rl_toml_value *word = add_value(parser, RL_TOML_STRING, RL_TOML_CLOSED, depth,
                                        rl_toml_place_at(parser, text));
        return word != NULL && set_text(parser, word, text, bytes) ? word : NULL;
    }
    rl_toml_value *value = read_value(parser, depth);
    if (value == NULL)
        return NULL;
    rl_toml_skip_space(parser);
    if (parser->at == parser->end)
        return value;
    rl_toml_fail_expected(parser, "the end after the value");
    return NULL;
}

// Hangs what an override made, one key inside the other, into the tree: what is not there yet in
// one piece, so that a failure changes nothing.
static bool attach(rl_toml_document *document, const rl_toml_entry *made)
{
    rl_toml_value *table = document->root;
    rl_toml_entry *there = rl_toml_find_entry(table, made->key);
    while (there != NULL && made->value->kind == RL_TOML_TABLE &&
           made->value->origin == RL_TOML_DOTTED) {
        table = there->value;
        if (table->kind != RL_TOML_TABLE) {
            char shown[RL_TOML_SHOWN];
            rl_toml_show(shown, sizeof shown, made->key);
            rl_toml_fail(document, &made->place, "'%s' is %s, so nothing can be set inside it",
                         shown, rl_toml_kind_name(table));
            return false;
        }
        made = made->value->as.keys->first;
        RL_ASSERT(made->next == NULL);
        there = rl_toml_find_entry(table, made->key);
        document->value_count--; // for the table that was there
    }
    if (there == NULL)
        return rl_toml_add_entry(document, table, made->key, made->place, made->value) != NULL;
    there->value = made->value;
    return true;
}

rill_status rl_toml_override(rl_toml_document *document, const char *assignment)
{
    const size_t bytes = strlen(assignment);
    if (bytes > RL_TOML_MAX_BYTES)
        return rill_fail(RILL_BAD_SCENE, "--set: the assignment is longer than %zu bytes",
                         RL_TOML_MAX_BYTES);
    const size_t values_before = document->value_count;
    const rill_status failed_before = document->failed;
    document->failed = RILL_OK;

    // The key and its value are read into a tree of their own first.
    rl_toml_keys keys = {.count = 0};
    rl_toml_value root = {.kind = RL_TOML_TABLE, .origin = RL_TOML_DOTTED, .as.keys = &keys};
    rl_toml_value *table = &root;
    const char *copy = rl_toml_copy(document, assignment, bytes);
    if (copy != NULL) {
        rl_toml_parser parser;
        rl_toml_parser_start(&parser, document, copy, bytes);
        parser.assignment = copy;
        rl_toml_entry *entry = rl_toml_check_text(&parser) ? read_new_key(&parser, &table) : NULL;
        if (entry != NULL)
            entry->value = read_override_value(&parser, table->depth + 1u);
        if (entry != NULL && entry->value != NULL)
            attach(document, keys.first);
        rl_toml_parser_end(&parser);
    }
    const rill_status status = document->failed;
    if (status != RILL_OK)
        document->value_count = values_before;
    document->failed = failed_before;
    return status;
}
