// SPDX-License-Identifier: MIT
// toml_show.c - names, places and suggestions for sentences. Keys come from a file and may hold
// anything and be of any length, so all of them pass through here on their way into an error.
#include "scene/toml/toml_inner.h"

#include <limits.h>
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

void rl_toml_show(char *buffer, size_t size, const char *text, size_t bytes)
{
    static const char more[] = "...";
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

static bool is_bare(const char *key, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char c = key[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-'))
            return false;
    }
    return bytes > 0;
}

void rl_toml_show_path(char *buffer, size_t size, const char *path, const char *key, size_t bytes)
{
    char shown[64], start[192];
    rl_toml_show(shown, sizeof shown, key, bytes);
    rl_toml_show(start, sizeof start, path, strlen(path));
    const char *quote = is_bare(key, bytes) ? "" : "\"";
    snprintf(buffer, size, "%s%s%s%s%s", start, path[0] == '\0' ? "" : ".", quote, shown, quote);
}

void rl_toml_show_place(const rl_toml_document *document, rl_toml_place place, char *buffer,
                        size_t size)
{
    char shown[256];
    const char *from = place.assignment != NULL ? place.assignment : document->file_name;
    rl_toml_show(shown, sizeof shown, from, strlen(from));
    if (place.assignment != NULL)
        snprintf(buffer, size, "--set %s", shown);
    else
        snprintf(buffer, size, "%s:%u:%u", shown, (unsigned)place.line, (unsigned)place.column);
}

void rl_toml_show_table(char *buffer, size_t size, const char *path)
{
    const size_t length = strlen(path);
    if (length == 0)
        snprintf(buffer, size, "the top level");
    else if (path[length - 1] == ']')
        snprintf(buffer, size, "%s", path);
    else
        snprintf(buffer, size, "[%s]", path);
}
