// SPDX-License-Identifier: MIT
// json_write.c - writes JSON text.
#include "apps/rill/json_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Reads one character of UTF-8 from *text, which moves on; returns U+FFFD for bytes that are none.
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *p = *text;
    const int more = p[0] < 0x80   ? 0
                     : p[0] < 0xc2 ? -1
                     : p[0] < 0xe0 ? 1
                     : p[0] < 0xf0 ? 2
                     : p[0] < 0xf5 ? 3
                                   : -1;
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    *text = p + 1;
    if (more <= 0)
        return more == 0 ? p[0] : 0xfffd;
    uint32_t c = p[0] & (0x3fu >> more);
    for (int k = 1; k <= more; k++) {
        if ((p[k] & 0xc0) != 0x80)
            return 0xfffd;
        c = c << 6 | (p[k] & 0x3fu);
    }
    if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0xfffd;
    *text = p + 1 + more;
    return c;
}

static void put_text(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', out);
    while (*p != '\0') {
        const uint32_t c = next_character(&p);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (char)c);
        else if (c >= 0x20 && c < 0x7f)
            fputc((int)c, out);
        else if (c < 0x10000)
            fprintf(out, "\\u%04" PRIx32, c);
        else
            fprintf(out, "\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((c - 0x10000) >> 10),
                    0xdc00 + ((c - 0x10000) & 0x3ff));
    }
    fputc('"', out);
}

static void put_key(json_writer *w, const char *key)
{
    if (w->comma)
        fputs(", ", w->out);
    if (key != NULL) {
        put_text(w->out, key);
        fputs(": ", w->out);
    }
    w->comma = true;
}

void json_open(json_writer *w, const char *key, char bracket)
{
    put_key(w, key);
    fputc(bracket, w->out);
    w->comma = false;
}

void json_close(json_writer *w, char bracket)
{
    fputc(bracket, w->out);
    w->comma = true;
}

void json_number(json_writer *w, const char *key, double value)
{
    put_key(w, key);
    if (!isfinite(value)) {
        fputs("null", w->out);
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (char *p = text; *p != '\0'; p++)
        if (strchr("0123456789+-e", *p) == NULL)
            *p = '.';
    fputs(text, w->out);
}

void json_integer(json_writer *w, const char *key, int64_t value)
{
    put_key(w, key);
    fprintf(w->out, "%" PRId64, value);
}

void json_bool(json_writer *w, const char *key, bool value)
{
    put_key(w, key);
    fputs(value ? "true" : "false", w->out);
}

void json_text(json_writer *w, const char *key, const char *value)
{
    put_key(w, key);
    if (value != NULL)
        put_text(w->out, value);
    else
        fputs("null", w->out);
}
