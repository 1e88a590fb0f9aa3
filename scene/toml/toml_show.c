// SPDX-License-Identifier: MIT
// toml_show.c - errors, and the names and places in them. Keys come from a file and may hold
// anything and be of any length, so all of them pass through here on their way into an error.
#include "scene/toml/toml_inner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
