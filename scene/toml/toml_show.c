// SPDX-License-Identifier: MIT
// toml_show.c - errors, the names and places in them, and spelling suggestions. Keys come from a
// file and may hold anything and be of any length, so all of them pass through here on their way
// into an error. After a scene is read, the first key that no getter asked for is one.
#include "scene/toml/toml_inner.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES   288
#define MOST_LISTED  12 // more known keys than this are not listed
#define ADVICE_BYTES 512
#define LONGEST_WORD 48

// The table of well-formed sequences is 3-7 of the Unicode Standard: no overlong forms, no
// surrogates, at most U+10FFFF.
size_t rl_toml_utf8_length(const char *text, size_t bytes)
{
    const unsigned char *u = (const unsigned char *)text;
    if (bytes == 0)
        return 0;
    if (u[0] < 0x80)
        return 1;
    const size_t length = u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : u[0] < 0xf5 ? 4 : 0;
    if (length == 0 || length > bytes)
        return 0;
    const unsigned low = u[0] == 0xe0 ? 0xa0 : u[0] == 0xf0 ? 0x90 : 0x80;
    const unsigned high = u[0] == 0xed ? 0x9f : u[0] == 0xf4 ? 0x8f : 0xbf;
    if (u[1] < low || u[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void rl_toml_show(char *buffer, size_t size, rl_toml_string string)
{
    static const char more[] = "...";
    RL_ASSERT(size >= sizeof more);
    const char *const text = string.text;
    const size_t bytes = string.bytes;
    size_t used = 0, cut = 0; // `cut` is where the dots go if the rest does not fit
    for (size_t at = 0; at < bytes;) {
        char piece[8];
        size_t length = rl_toml_utf8_length(text + at, bytes - at);
        const size_t step = length == 0 ? 1 : length;
        const unsigned char first = (unsigned char)text[at];
        if (length == 0 || first < 0x20 || first == 0x7f)
            length = (size_t)snprintf(piece, sizeof piece, length == 0 ? "\\x%02x" : "\\u%04x",
                                      (unsigned)first);
        else
            memcpy(piece, text + at, length);
        if (used + length >= size) {
            memcpy(buffer + cut, more, sizeof more);
            return;
        }
        memcpy(buffer + used, piece, length);
        used += length;
        at += step;
        if (used + sizeof more <= size)
            cut = used;
    }
    buffer[used] = '\0';
}

bool rl_toml_is_bare(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

void rl_toml_show_path(char *buffer, size_t size, const char *path, rl_toml_string key)
{
    char shown[RL_TOML_SHOWN], start[192];
    rl_toml_show(shown, sizeof shown, key);
    rl_toml_show(start, sizeof start, (rl_toml_string){path, strlen(path)});
    bool bare = key.bytes > 0;
    for (size_t i = 0; i < key.bytes; i++)
        bare = bare && rl_toml_is_bare(key.text[i]);
    const char *quote = bare ? "" : "\"";
    snprintf(buffer, size, "%s%s%s%s%s", start, path[0] == '\0' ? "" : ".", quote, shown, quote);
}

static void show_place(const rl_toml_document *document, const rl_toml_place *place, char *buffer,
                       size_t size)
{
    char shown[256];
    const char *set = place == NULL ? NULL : place->assignment;
    const char *from = set != NULL ? set : document->file_name;
    rl_toml_show(shown, sizeof shown, (rl_toml_string){from, strlen(from)});
    if (place == NULL || set != NULL)
        snprintf(buffer, size, "%s%s", set != NULL ? "--set " : "", shown);
    else
        snprintf(buffer, size, "%s:%u:%u", shown, (unsigned)place->line, (unsigned)place->column);
}

void rl_toml_where(const rl_toml_document *document, const rl_toml_value *value, char *buffer,
                   size_t size)
{
    show_place(document, &value->place, buffer, size);
}

void rl_toml_show_table(char *buffer, size_t size, const char *path, bool with_preposition)
{
    const size_t length = strlen(path);
    const bool element = length > 0 && path[length - 1] == ']';
    const char *preposition = !with_preposition ? "" : length == 0 ? "at " : "in ";
    snprintf(buffer, size, length == 0 || element ? "%s%s" : "%s[%s]", preposition,
             length == 0 ? "the top level" : path);
}

rill_status rl_toml_fail(rl_toml_document *document, const rl_toml_place *place, const char *format,
                         ...)
{
    if (document->failed != RILL_OK)
        return document->failed;
    char sentence[1024], where[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    show_place(document, place, where, sizeof where);
    document->failed = rill_fail(RILL_BAD_SCENE, "%s: %s", where, sentence);
    return document->failed;
}

// ---- Spelling suggestions --------------------------------------------------------------

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Edit distance by the usual table of prefixes (Damerau's, in the form where no part is edited
// twice), of which three rows are stored.
int rl_misspelling(const char *word, const char *name)
{
    const size_t m = strlen(word), n = strlen(name);
    if (m > LONGEST_WORD || n > LONGEST_WORD)
        return INT_MAX;
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *const oldest = before;
        before = above;
        above = row;
        row = oldest;
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            row[j] =
                least(above[j - 1] + (word[i - 1] != name[j - 1]), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && word[i - 1] == name[j - 2] && word[i - 2] == name[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    // A third of the letters may be wrong, three at most.
    const int longer = (int)(m > n ? m : n);
    const int limit = longer < 6 ? 1 : longer < 9 ? 2 : 3;
    return row[n] <= limit && row[n] < longer ? row[n] : INT_MAX;
}

void rl_name_list_add(rl_name_list *list, const char *word, const char *name)
{
    const int edits = rl_misspelling(word, name);
    if (edits < (list->nearest != NULL ? list->edits : INT_MAX)) {
        list->edits = edits;
        list->nearest = name;
    }
    if (list->used < sizeof list->text)
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s'%s'", list->used > 0 ? ", " : "", name);
}

// ---- Unknown keys ----------------------------------------------------------------------

// The keys that were asked for in one table. As many as fit are listed, in the order of the
// alphabet.
typedef struct known_keys {
    const char *names[MOST_LISTED];
    size_t count;
    rl_name_list list; // for the nearest to the unknown one
} known_keys;

static void consider(known_keys *known, const char *name, const char *unknown)
{
    rl_name_list_add(&known->list, unknown, name);
    if (known->count++ >= MOST_LISTED)
        return;
    size_t at = known->count - 1;
    for (; at > 0 && strcmp(known->names[at - 1], name) > 0; at--)
        known->names[at] = known->names[at - 1];
    known->names[at] = name;
}

static void advise(const rl_toml_keys *keys, const char *unknown, char *advice)
{
    known_keys known = {.count = 0};
    for (const rl_toml_entry *entry = keys->first; entry != NULL; entry = entry->next)
        if (entry->asked)
            consider(&known, entry->key.text, unknown);
    for (const rl_toml_name *name = keys->absent; name != NULL; name = name->next)
        consider(&known, name->text, unknown);

    advice[0] = '\0';
    char shown[RL_TOML_SHOWN];
    const char *nearest = known.list.nearest;
    if (nearest != NULL) {
        rl_toml_show(shown, sizeof shown, (rl_toml_string){nearest, strlen(nearest)});
        snprintf(advice, ADVICE_BYTES, "; did you mean '%s'?", shown);
        return;
    }
    if (known.count > MOST_LISTED)
        return;
    for (size_t i = 0, used = 0; i < known.count && used < ADVICE_BYTES; i++) {
        rl_toml_show(shown, sizeof shown, (rl_toml_string){known.names[i], strlen(known.names[i])});
        used += (size_t)snprintf(advice + used, ADVICE_BYTES - used, "%s'%s'",
                                 i == 0 ? "; the known keys are " : ", ", shown);
    }
}

static rill_status fail_unknown(rl_toml_document *document, const rl_toml_keys *keys,
                                const rl_toml_entry *entry, const char *path)
{
    char table[PATH_BYTES + 16], shown[RL_TOML_SHOWN], advice[ADVICE_BYTES];
    rl_toml_show_table(table, sizeof table, path, true);
    rl_toml_show(shown, sizeof shown, entry->key);
    advise(keys, entry->key.text, advice);
    return rl_toml_fail(document, &entry->place, "unknown %s '%s' %s%s",
                        entry->value->kind == RL_TOML_TABLE ? "table" : "key", shown, table,
                        advice);
}

// Goes as deep as the document, which is at most RL_TOML_MAX_DEPTH.
static rill_status check_value(rl_toml_document *document, const rl_toml_value *value,
                               const char *path)
{
    RL_ASSERT(value->depth <= RL_TOML_MAX_DEPTH);
    rill_status status = RILL_OK;
    char inner[PATH_BYTES];
    if (value->kind == RL_TOML_ARRAY) {
        const rl_toml_items *items = value->as.items;
        for (size_t i = 0; i < items->count && status == RILL_OK; i++) {
            if (items->values[i]->kind > RL_TOML_ARRAY)
                continue;
            snprintf(inner, sizeof inner, "%s[%zu]", path, i);
            status = check_value(document, items->values[i], inner);
        }
    } else if (value->kind == RL_TOML_TABLE) {
        const rl_toml_keys *keys = value->as.keys;
        for (const rl_toml_entry *entry = keys->first; entry != NULL; entry = entry->next) {
            if (!entry->asked)
                return fail_unknown(document, keys, entry, path);
            if (entry->value->kind > RL_TOML_ARRAY)
                continue;
            rl_toml_show_path(inner, sizeof inner, path, entry->key);
            status = check_value(document, entry->value, inner);
            if (status != RILL_OK)
                break;
        }
    }
    return status;
}

rill_status rl_toml_check_all_used(rl_toml_document *document)
{
    if (document->failed != RILL_OK)
        return document->failed;
    return check_value(document, document->root, "");
}
