// SPDX-License-Identifier: MIT
// toml_lex.c - the small parts of a TOML text: places, blanks, keys and strings.
#include "scene/toml/toml_inner.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rl_toml_parser_start(rl_toml_parser *parser, rl_toml_document *document, const char *text,
                          size_t bytes)
{
    *parser = (rl_toml_parser){.document = document,
                               .text = text,
                               .at = text,
                               .end = text + bytes,
                               .mark = text,
                               .mark_line = 1,
                               .mark_column = 1};
}

void rl_toml_parser_end(rl_toml_parser *parser)
{
    rill_free(&parser->document->allocator, parser->scratch, parser->scratch_bytes);
    parser->scratch = NULL;
    parser->scratch_bytes = 0;
}

// ---- Places and errors -----------------------------------------------------------------

rl_toml_place rl_toml_place_at(rl_toml_parser *parser, const char *at)
{
    RL_ASSERT(at >= parser->text && at <= parser->end);
    if (parser->assignment != NULL)
        return (rl_toml_place){.assignment = parser->assignment};
    if (at < parser->mark) {
        parser->mark = parser->text;
        parser->mark_line = 1;
        parser->mark_column = 1;
    }
    for (; parser->mark < at; parser->mark++) {
        const unsigned char c = (unsigned char)*parser->mark;
        if (c == '\n') {
            parser->mark_line++;
            parser->mark_column = 1;
        } else if ((c & 0xc0) != 0x80) { // the first byte of a code point
            parser->mark_column++;
        }
    }
    return (rl_toml_place){.line = parser->mark_line, .column = parser->mark_column};
}

bool rl_toml_fail_here(rl_toml_parser *parser, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const rl_toml_place place = rl_toml_place_at(parser, parser->at);
    rl_toml_fail(parser->document, &place, "%s", sentence);
    return false;
}

static bool is_line_break(int c)
{
    return c == '\n' || c == '\r';
}

bool rl_toml_fail_expected(rl_toml_parser *parser, const char *what)
{
    const int c = rl_toml_peek(parser);
    const size_t length = rl_toml_utf8_length(parser->at, (size_t)(parser->end - parser->at));
    char character[8];
    snprintf(character, sizeof character, "'%.*s'", (int)length, parser->at);
    const char *found = c < 0 && parser->assignment != NULL ? "the end"
                        : c < 0                             ? "the end of the file"
                        : is_line_break(c)                  ? "the end of the line"
                        : c == '\t'                         ? "a tab"
                                                            : character;
    return rl_toml_fail_here(parser, "expected %s, found %s", what, found);
}

// ---- The text as a whole ---------------------------------------------------------------

bool rl_toml_check_text(rl_toml_parser *parser)
{
    const char *const start = parser->at;
    while (parser->at < parser->end) {
        const unsigned char c = (unsigned char)*parser->at;
        const size_t left = (size_t)(parser->end - parser->at);
        const size_t length = rl_toml_utf8_length(parser->at, left);
        if (length == 0)
            return rl_toml_fail_here(parser, "the text is not valid UTF-8 (byte 0x%02x)", c);
        if (c == '\r' && (left < 2 || parser->at[1] != '\n'))
            return rl_toml_fail_here(parser, "a carriage return without a line feed");
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
            return rl_toml_fail_here(parser, "the control character U+%04X is not allowed", c);
        parser->at += length;
    }
    parser->at = start;
    return true;
}

// ---- Blanks ----------------------------------------------------------------------------

bool rl_toml_skip(rl_toml_parser *parser, const char *text)
{
    const size_t bytes = strlen(text);
    const bool found =
        (size_t)(parser->end - parser->at) >= bytes && memcmp(parser->at, text, bytes) == 0;
    parser->at += found ? bytes : 0;
    return found;
}

void rl_toml_skip_space(rl_toml_parser *parser)
{
    while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
        parser->at++;
}

static void skip_comment(rl_toml_parser *parser)
{
    if (rl_toml_peek(parser) != '#')
        return;
    const char *line_end = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    parser->at = line_end == NULL ? parser->end : line_end;
}

void rl_toml_skip_blank(rl_toml_parser *parser)
{
    for (;;) {
        rl_toml_skip_space(parser);
        skip_comment(parser);
        if (!is_line_break(rl_toml_peek(parser)))
            return;
        parser->at++;
    }
}

bool rl_toml_end_line(rl_toml_parser *parser)
{
    rl_toml_skip_space(parser);
    skip_comment(parser);
    const int c = rl_toml_peek(parser);
    return c < 0 || is_line_break(c) || rl_toml_fail_expected(parser, "the end of the line");
}

// ---- Strings ---------------------------------------------------------------------------

static bool append(rl_toml_parser *parser, const char *text, size_t bytes)
{
    const size_t need = parser->scratch_used + bytes;
    if (need > parser->scratch_bytes) {
        const size_t grown = need < 128 ? 256 : 2 * need;
        char *scratch = rill_realloc(&parser->document->allocator, parser->scratch,
                                     parser->scratch_bytes, grown);
        if (scratch == NULL) {
            parser->document->failed =
                rill_fail(RILL_NO_MEMORY, "%s: there is no memory for a string of %zu bytes",
                          parser->document->file_name, need);
            return false;
        }
        parser->scratch = scratch;
        parser->scratch_bytes = grown;
    }
    if (bytes > 0)
        memcpy(parser->scratch + parser->scratch_used, text, bytes);
    parser->scratch_used = need;
    return true;
}

static bool append_code_point(rl_toml_parser *parser, uint32_t code)
{
    char utf8[4];
    size_t bytes = 1;
    if (code < 0x80) {
        utf8[0] = (char)code;
    } else {
        bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (size_t i = bytes - 1; i > 0; i--, code >>= 6)
            utf8[i] = (char)(0x80 | (code & 0x3f));
        utf8[0] = (char)(first[bytes] | code);
    }
    return append(parser, utf8, bytes);
}

// \uXXXX or \UXXXXXXXX, the reading point at the backslash.
static bool read_code_point(rl_toml_parser *parser, int digits)
{
    uint32_t code = 0;
    for (int i = 0; i < digits; i++) {
        const char *at = parser->at + 2 + i;
        const int c = at < parser->end ? *at : 0;
        const int digit = rl_toml_digit(c);
        if (digit >= 16)
            return rl_toml_fail_here(parser, "the escape \\%c needs %d hexadecimal digits",
                                     parser->at[1], digits);
        code = code << 4 | (uint32_t)digit;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return rl_toml_fail_here(parser, "U+%04X is not a Unicode character", (unsigned)code);
    parser->at += 2 + digits;
    return append_code_point(parser, code);
}

// A backslash at the end of a line takes away all blanks up to the next text. False when this is
// not one; then nothing is read.
static bool skip_line_end_escape(rl_toml_parser *parser)
{
    const char *const backslash = parser->at++;
    rl_toml_skip_space(parser);
    if (!is_line_break(rl_toml_peek(parser))) {
        parser->at = backslash;
        return false;
    }
    while (is_line_break(rl_toml_peek(parser))) {
        parser->at++;
        rl_toml_skip_space(parser);
    }
    return true;
}

static bool read_escape(rl_toml_parser *parser, bool spans_lines)
{
    static const char letters[] = "btnfr\"\\";
    static const char meanings[] = "\b\t\n\f\r\"\\";
    if (spans_lines && skip_line_end_escape(parser))
        return true;
    const char letter = parser->at + 1 < parser->end ? parser->at[1] : '\0';
    if (letter == 'u' || letter == 'U')
        return read_code_point(parser, letter == 'u' ? 4 : 8);
    const char *known = letter == '\0' ? NULL : strchr(letters, letter);
    if (known == NULL)
        return rl_toml_fail_here(parser,
                                 "unknown escape in a string; a backslash is written as \\\\");
    parser->at += 2;
    return append(parser, &meanings[known - letters], 1);
}

// Reads quotes. Three or more end a string that spans lines; up to two before those belong to it.
static bool read_quotes(rl_toml_parser *parser, bool spans_lines, bool *ended)
{
    const char *const quotes = parser->at;
    size_t count = 1;
    if (spans_lines)
        while (count < 5 && quotes + count < parser->end && quotes[count] == *quotes)
            count++;
    parser->at += count;
    const size_t closing = spans_lines ? 3 : 1;
    *ended = count >= closing;
    return append(parser, quotes, *ended ? count - closing : count);
}

// Characters that mean themselves.
static bool read_plain(rl_toml_parser *parser, char quote)
{
    const char *const start = parser->at;
    while (parser->at < parser->end && *parser->at != quote && !is_line_break(*parser->at) &&
           !(quote == '"' && *parser->at == '\\'))
        parser->at++;
    return append(parser, start, (size_t)(parser->at - start));
}

static void skip_line_break(rl_toml_parser *parser)
{
    if (rl_toml_peek(parser) == '\r')
        parser->at++;
    if (rl_toml_peek(parser) == '\n')
        parser->at++;
}

bool rl_toml_read_string(rl_toml_parser *parser, bool may_span_lines)
{
    RL_ASSERT(rl_toml_peek(parser) == '"' || rl_toml_peek(parser) == '\'');
    const char *const opening = parser->at;
    const char quote = *opening;
    const bool spans_lines =
        may_span_lines && parser->end - opening >= 3 && opening[1] == quote && opening[2] == quote;
    parser->scratch_used = 0;
    parser->at += spans_lines ? 3 : 1;
    if (spans_lines)
        skip_line_break(parser);

    bool went_well = true;
    for (bool ended = false; !ended && went_well;) {
        const int c = rl_toml_peek(parser);
        if (c < 0 || (!spans_lines && is_line_break(c))) {
            parser->at = opening;
            return rl_toml_fail_here(parser, "the string that starts here is not closed");
        }
        if (c == quote) {
            went_well = read_quotes(parser, spans_lines, &ended);
        } else if (is_line_break(c)) {
            skip_line_break(parser); // every line break reads as a line feed
            went_well = append(parser, "\n", 1);
        } else if (c == '\\' && quote == '"') {
            went_well = read_escape(parser, spans_lines);
        } else {
            went_well = read_plain(parser, quote);
        }
    }
    return went_well;
}

// ---- Keys ------------------------------------------------------------------------------

bool rl_toml_read_key_part(rl_toml_parser *parser, rl_toml_key_part *out)
{
    out->place = rl_toml_place_at(parser, parser->at);
    const int c = rl_toml_peek(parser);
    if (c == '"' || c == '\'') {
        const bool went_well = rl_toml_read_string(parser, false);
        out->name = (rl_toml_string){parser->scratch_used == 0 ? "" : parser->scratch,
                                     parser->scratch_used};
        return went_well;
    }
    const char *const start = parser->at;
    while (rl_toml_is_bare(rl_toml_peek(parser)))
        parser->at++;
    out->name = (rl_toml_string){start, (size_t)(parser->at - start)};
    return parser->at > start || rl_toml_fail_expected(parser, "a key");
}
