// SPDX-License-Identifier: MIT
// toml_parse.c - the grammar of TOML and its rules about who may define what. The parser goes down
// one level of C calls for each array and inline table, at most RL_TOML_MAX_DEPTH.
#include "scene/toml/toml_inner.h"

#include <string.h>

#define SHOWN 64 // bytes of a key or word in an error

// ---- Values ----------------------------------------------------------------------------

rill_status rl_toml_add_value(rl_toml_parser *parser, rl_toml_kind kind, rl_toml_origin origin,
                              unsigned depth, rl_toml_place place, rl_toml_value **out)
{
    rl_toml_document *document = parser->document;
    if (kind <= RL_TOML_ARRAY && depth > RL_TOML_MAX_DEPTH)
        return rl_toml_fail_place(document, place, "tables and arrays are nested more than %d deep",
                                  RL_TOML_MAX_DEPTH);
    if (document->value_count >= RL_TOML_MAX_VALUES)
        return rl_toml_fail_place(document, place, "the document has more than %d values",
                                  RL_TOML_MAX_VALUES);
    rl_toml_value *value = rl_toml_take(document, sizeof *value);
    if (value == NULL)
        return RILL_NO_MEMORY;
    value->kind = (uint8_t)kind;
    value->origin = (uint8_t)origin;
    value->depth = (uint8_t)depth;
    value->place = place;
    if (kind == RL_TOML_TABLE) {
        value->as.keys = rl_toml_take(document, sizeof *value->as.keys);
        if (value->as.keys == NULL)
            return RILL_NO_MEMORY;
    } else if (kind == RL_TOML_ARRAY) {
        value->as.items = rl_toml_take(document, sizeof *value->as.items);
        if (value->as.items == NULL)
            return RILL_NO_MEMORY;
    }
    document->value_count++;
    *out = value;
    return RILL_OK;
}

static rill_status set_text(rl_toml_parser *parser, rl_toml_value *value, rl_toml_string string)
{
    value->as.string.text = rl_toml_copy(parser->document, string.text, string.bytes);
    value->as.string.bytes = string.bytes;
    return value->as.string.text == NULL ? RILL_NO_MEMORY : RILL_OK;
}

static rill_status read_scalar(rl_toml_parser *parser, rl_toml_value *value)
{
    const char *const text = parser->at;
    const size_t bytes = rl_toml_scalar_length(text, (size_t)(parser->end - text));
    if (bytes == 0) {
        char found[RL_TOML_FOUND];
        return rl_toml_fail_here(parser, "expected a value, found %s",
                                 rl_toml_found(parser, found));
    }
    const char *complaint = rl_toml_scan_scalar(text, bytes, value);
    if (complaint != NULL) {
        char shown[SHOWN];
        rl_toml_show(shown, sizeof shown, text, bytes);
        return rl_toml_fail_here(parser, "'%s' is not a value: %s", shown, complaint);
    }
    parser->at += bytes;
    return value->kind >= RL_TOML_OFFSET_DATE_TIME ? set_text(parser, value, value->as.string)
                                                   : RILL_OK;
}

static rill_status read_array(rl_toml_parser *parser, rl_toml_value *array)
{
    rill_status status = RILL_OK;
    parser->at++;
    for (rl_toml_skip_blank(parser); rl_toml_peek(parser) != ']'; rl_toml_skip_blank(parser)) {
        rl_toml_value *item = NULL;
        status = rl_toml_read_value(parser, array->depth + 1u, &item);
        if (status == RILL_OK)
            status = rl_toml_append(parser->document, array, item);
        if (status != RILL_OK)
            return status;
        rl_toml_skip_blank(parser);
        if (rl_toml_peek(parser) == ']')
            break;
        if (rl_toml_peek(parser) != ',') {
            char found[RL_TOML_FOUND];
            return rl_toml_fail_here(parser, "expected ',' or ']' in the array, found %s",
                                     rl_toml_found(parser, found));
        }
        parser->at++;
    }
    parser->at++;
    return RILL_OK;
}

static rill_status read_assignment(rl_toml_parser *parser, rl_toml_value *table);

// TOML 1.0 wants inline tables on one line and without a comma at the end.
static rill_status read_inline_table(rl_toml_parser *parser, rl_toml_value *table)
{
    parser->at++;
    rl_toml_skip_space(parser);
    if (rl_toml_peek(parser) == '}') {
        parser->at++;
        return RILL_OK;
    }
    for (;;) {
        const rill_status status = read_assignment(parser, table);
        if (status != RILL_OK)
            return status;
        rl_toml_skip_space(parser);
        const int c = rl_toml_peek(parser);
        if (c != ',' && c != '}') {
            char found[RL_TOML_FOUND];
            return rl_toml_fail_here(parser, "expected ',' or '}' in the inline table, found %s",
                                     rl_toml_found(parser, found));
        }
        parser->at++;
        if (c == '}')
            return RILL_OK;
        rl_toml_skip_space(parser);
        if (rl_toml_peek(parser) == '}')
            return rl_toml_fail_here(parser, "an inline table must not end with a comma");
    }
}

rill_status rl_toml_read_value(rl_toml_parser *parser, unsigned depth, rl_toml_value **out)
{
    const int c = rl_toml_peek(parser);
    const rl_toml_kind kind = c == '[' ? RL_TOML_ARRAY : c == '{' ? RL_TOML_TABLE : RL_TOML_STRING;
    const rl_toml_place place = rl_toml_place_at(parser, parser->at);
    rl_toml_value *value = NULL;
    rill_status status = rl_toml_add_value(parser, kind, RL_TOML_CLOSED, depth, place, &value);
    if (status != RILL_OK)
        return status;
    *out = value;
    if (kind == RL_TOML_ARRAY)
        return read_array(parser, value);
    if (kind == RL_TOML_TABLE)
        return read_inline_table(parser, value);
    if (c != '"' && c != '\'')
        return read_scalar(parser, value);
    status = rl_toml_read_string(parser, true);
    if (status == RILL_OK)
        status = set_text(parser, value, (rl_toml_string){parser->scratch, parser->scratch_used});
    return status;
}

// ---- Keys and headers ------------------------------------------------------------------

static rill_status fail_taken(rl_toml_parser *parser, const rl_toml_key_part *part,
                              const rl_toml_entry *entry, const char *what)
{
    char shown[SHOWN];
    rl_toml_show(shown, sizeof shown, part->name.text, part->name.bytes);
    if (entry->place.line == 0)
        return rl_toml_fail_place(parser->document, part->place, "'%s' %s", shown, what);
    return rl_toml_fail_place(parser->document, part->place, "'%s' %s (line %u)", shown, what,
                              (unsigned)entry->place.line);
}

static rill_status add_table(rl_toml_parser *parser, rl_toml_value *parent, rl_toml_origin origin,
                             const rl_toml_key_part *part, rl_toml_value **out)
{
    rl_toml_entry *entry = NULL;
    rill_status status =
        rl_toml_add_value(parser, RL_TOML_TABLE, origin, parent->depth + 1u, part->place, out);
    if (status == RILL_OK)
        status = rl_toml_add_entry(parser->document, parent, part->name, part->place, &entry);
    if (status == RILL_OK)
        entry->value = *out;
    return status;
}

// From a table to the one that `part` of a dotted key names, which is made when absent. Only tables
// that dotted keys of the same section made can be added to this way.
static rill_status step_dotted(rl_toml_parser *parser, const rl_toml_key_part *part,
                               rl_toml_value **table)
{
    const rl_toml_entry *entry = rl_toml_find_entry(*table, part->name.text, part->name.bytes);
    if (entry == NULL)
        return add_table(parser, *table, RL_TOML_DOTTED, part, table);
    rl_toml_value *value = entry->value;
    if (value->kind != RL_TOML_TABLE)
        return fail_taken(parser, part, entry, "is already a key and not a table");
    if (value->origin == RL_TOML_CLOSED)
        return fail_taken(parser, part, entry, "is an inline table, which nothing can be added to");
    if (value->origin == RL_TOML_HEADER)
        return fail_taken(parser, part, entry,
                          "is already a table with a header, which dotted keys cannot add to");
    value->origin = RL_TOML_DOTTED;
    *table = value;
    return RILL_OK;
}

// The same for a part of a header before its last. In an array of tables the last one is meant.
static rill_status step_header(rl_toml_parser *parser, const rl_toml_key_part *part,
                               rl_toml_value **table)
{
    const rl_toml_entry *entry = rl_toml_find_entry(*table, part->name.text, part->name.bytes);
    if (entry == NULL)
        return add_table(parser, *table, RL_TOML_IMPLIED, part, table);
    rl_toml_value *value = entry->value;
    if (value->kind > RL_TOML_ARRAY)
        return fail_taken(parser, part, entry, "is already a key and not a table");
    if (value->origin == RL_TOML_CLOSED)
        return fail_taken(parser, part, entry,
                          "is a value in brackets, which no header can add to");
    if (value->kind == RL_TOML_ARRAY)
        value = value->as.items->values[value->as.items->count - 1];
    *table = value;
    return RILL_OK;
}

// [table], the last part of its name.
static rill_status open_table(rl_toml_parser *parser, const rl_toml_key_part *part,
                              rl_toml_place place, rl_toml_value **table)
{
    const rl_toml_entry *entry = rl_toml_find_entry(*table, part->name.text, part->name.bytes);
    if (entry == NULL) {
        const rill_status status = add_table(parser, *table, RL_TOML_HEADER, part, table);
        if (status == RILL_OK)
            (*table)->place = place;
        return status;
    }
    rl_toml_value *value = entry->value;
    if (value->kind == RL_TOML_ARRAY && value->origin == RL_TOML_HEADER)
        return fail_taken(parser, part, entry, "is already an array of tables");
    if (value->kind != RL_TOML_TABLE)
        return fail_taken(parser, part, entry, "is already a key and not a table");
    if (value->origin != RL_TOML_IMPLIED)
        return fail_taken(parser, part, entry, "is already defined as a table");
    value->origin = RL_TOML_HEADER;
    value->place = place;
    *table = value;
    return RILL_OK;
}

// [[table]], the last part of its name: one more element.
static rill_status open_element(rl_toml_parser *parser, const rl_toml_key_part *part,
                                rl_toml_place place, rl_toml_value **table)
{
    rl_toml_document *document = parser->document;
    rl_toml_entry *entry = rl_toml_find_entry(*table, part->name.text, part->name.bytes);
    if (entry != NULL && entry->value->kind != RL_TOML_ARRAY)
        return fail_taken(parser, part, entry, "is already defined and no array of tables");
    if (entry != NULL && entry->value->origin != RL_TOML_HEADER)
        return fail_taken(parser, part, entry, "is an array in brackets, which cannot grow");

    const unsigned depth = (*table)->depth + 1u;
    rl_toml_value *array = entry == NULL ? NULL : entry->value;
    rl_toml_value *element = NULL;
    rill_status status = RILL_OK;
    if (entry == NULL) {
        status = rl_toml_add_value(parser, RL_TOML_ARRAY, RL_TOML_HEADER, depth, place, &array);
        if (status == RILL_OK)
            status = rl_toml_add_entry(document, *table, part->name, part->place, &entry);
        if (status != RILL_OK)
            return status;
        entry->value = array;
    }
    status = rl_toml_add_value(parser, RL_TOML_TABLE, RL_TOML_HEADER, depth + 1, place, &element);
    if (status == RILL_OK)
        status = rl_toml_append(document, array, element);
    *table = element;
    return status;
}

static rill_status read_header(rl_toml_parser *parser, rl_toml_value **table)
{
    const rl_toml_place place = rl_toml_place_at(parser, parser->at);
    const bool element = parser->end - parser->at > 1 && parser->at[1] == '[';
    const char *const closing = element ? "]]" : "]";
    rl_toml_key_part part;
    rill_status status;
    *table = parser->document->root;
    parser->at += element ? 2 : 1;
    for (;;) {
        rl_toml_skip_space(parser);
        status = rl_toml_read_key_part(parser, &part);
        if (status != RILL_OK)
            return status;
        rl_toml_skip_space(parser);
        if (rl_toml_peek(parser) != '.')
            break;
        parser->at++;
        status = step_header(parser, &part, table);
        if (status != RILL_OK)
            return status;
    }
    if ((size_t)(parser->end - parser->at) < strlen(closing) ||
        memcmp(parser->at, closing, strlen(closing)) != 0) {
        char found[RL_TOML_FOUND];
        return rl_toml_fail_here(parser, "expected '%s' after the name of a table, found %s",
                                 closing, rl_toml_found(parser, found));
    }
    parser->at += strlen(closing);
    return element ? open_element(parser, &part, place, table)
                   : open_table(parser, &part, place, table);
}

// key = value, with a dotted key or without.
static rill_status read_assignment(rl_toml_parser *parser, rl_toml_value *table)
{
    rl_toml_key_part part;
    rill_status status;
    for (;;) {
        rl_toml_skip_space(parser);
        status = rl_toml_read_key_part(parser, &part);
        if (status != RILL_OK)
            return status;
        rl_toml_skip_space(parser);
        if (rl_toml_peek(parser) != '.')
            break;
        parser->at++;
        status = step_dotted(parser, &part, &table);
        if (status != RILL_OK)
            return status;
    }
    if (rl_toml_peek(parser) != '=') {
        char found[RL_TOML_FOUND];
        return rl_toml_fail_here(parser, "expected '=' after the key, found %s",
                                 rl_toml_found(parser, found));
    }
    rl_toml_entry *entry = rl_toml_find_entry(table, part.name.text, part.name.bytes);
    if (entry != NULL)
        return fail_taken(parser, &part, entry, "is already defined");
    status = rl_toml_add_entry(parser->document, table, part.name, part.place, &entry);
    if (status != RILL_OK)
        return status;
    parser->at++;
    rl_toml_skip_space(parser);
    return rl_toml_read_value(parser, table->depth + 1u, &entry->value);
}

// ---- Documents -------------------------------------------------------------------------

static rill_status read_lines(rl_toml_parser *parser)
{
    static const char byte_order_mark[] = {'\xef', '\xbb', '\xbf'};
    if ((size_t)(parser->end - parser->at) >= sizeof byte_order_mark &&
        memcmp(parser->at, byte_order_mark, sizeof byte_order_mark) == 0)
        rl_toml_parser_start(parser, parser->document, parser->at + sizeof byte_order_mark,
                             (size_t)(parser->end - parser->at) - sizeof byte_order_mark);

    rill_status status = rl_toml_check_text(parser);
    if (status != RILL_OK)
        return status;
    const rl_toml_place start = rl_toml_place_at(parser, parser->at);
    status =
        rl_toml_add_value(parser, RL_TOML_TABLE, RL_TOML_HEADER, 0, start, &parser->document->root);
    rl_toml_value *table = parser->document->root;
    while (status == RILL_OK) {
        rl_toml_skip_blank(parser);
        if (rl_toml_peek(parser) < 0)
            break;
        status = rl_toml_peek(parser) == '[' ? read_header(parser, &table)
                                             : read_assignment(parser, table);
        if (status == RILL_OK)
            status = rl_toml_end_line(parser);
    }
    return status;
}

rill_status rl_toml_parse(const rill_allocator *allocator, const char *file_name, const char *text,
                          size_t bytes, rl_toml_document **out)
{
    *out = NULL;
    const char *name = file_name == NULL ? "scene" : file_name;
    if (bytes > RL_TOML_MAX_BYTES)
        return rill_fail(RILL_BAD_SCENE, "%s: the text is longer than %zu bytes", name,
                         RL_TOML_MAX_BYTES);
    rl_toml_document *document = NULL;
    rill_status status = rl_toml_create(allocator, name, &document);
    if (status != RILL_OK)
        return status;

    rl_toml_parser parser;
    rl_toml_parser_start(&parser, document, text == NULL ? "" : text, text == NULL ? 0 : bytes);
    status = read_lines(&parser);
    rl_toml_parser_end(&parser);
    if (status != RILL_OK)
        rl_toml_destroy(&document);
    *out = document;
    return status;
}
