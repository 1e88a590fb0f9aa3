// SPDX-License-Identifier: MIT
// scan.c - reads words and numbers of text files.
#include "scene/formats/scan.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

// ---- Failures --------------------------------------------------------------------------

static bool fail(rl_scan *scan, const char *place, const char *format, va_list arguments)
{
    char sentence[512];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    if (scan->status == RILL_OK)
        scan->status = rill_fail(RILL_BAD_FILE, "%s: %s%s", scan->name, place, sentence);
    return false;
}

bool rl_scan_fail(rl_scan *scan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(scan, "", format, arguments);
    va_end(arguments);
    return false;
}

bool rl_scan_fail_line(rl_scan *scan, const char *format, ...)
{
    char place[40];
    va_list arguments;
    snprintf(place, sizeof place, "%s %lld: ", scan->binary ? "byte" : "line",
             (long long)scan->word_line);
    va_start(arguments, format);
    fail(scan, place, format, arguments);
    va_end(arguments);
    return false;
}

// ---- Words -----------------------------------------------------------------------------

int rl_scan_peek(rl_scan *scan)
{
    RL_ASSERT(scan->at <= scan->size);
    if (scan->at == scan->size && scan->file != NULL) {
        scan->size = fread(scan->buffer, 1, RL_SCAN_BUFFER, scan->file);
        scan->bytes = scan->buffer;
        scan->at = 0;
    }
    return scan->at < scan->size ? scan->bytes[scan->at] : -1;
}

void rl_scan_skip_mark(rl_scan *scan)
{
    if (rl_scan_peek(scan) >= 0 && scan->size >= 3 && memcmp(scan->bytes, "\xef\xbb\xbf", 3) == 0)
        scan->at = 3;
}

static bool is_blank(const rl_scan *scan, int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' ||
           (scan->separated && (c == ',' || c == ';'));
}

bool rl_scan_of_line(rl_scan *scan)
{
    if (scan->status != RILL_OK)
        return false;
    size_t length = 0;
    int c;
    while (is_blank(scan, c = rl_scan_peek(scan)))
        scan->at++;
    scan->word_line = scan->line;
    for (; c >= 0 && c != '\n' && !is_blank(scan, c); c = rl_scan_peek(scan)) {
        if (length == RL_WORD_BYTES - 1)
            return rl_scan_fail_line(scan, "a word is longer than %d characters",
                                     RL_WORD_BYTES - 1);
        // Bytes that are no text must not reach a message.
        scan->word[length++] = (char)(c > ' ' && c < 127 ? c : '?');
        scan->at++;
    }
    scan->word[length] = '\0';
    if (length == 0 && scan->file != NULL && ferror(scan->file))
        return rl_scan_fail(scan, "cannot be read: %s", strerror(errno));
    return true;
}

bool rl_scan_next(rl_scan *scan)
{
    while (rl_scan_of_line(scan)) {
        if (scan->word[0] != '\0' || rl_scan_peek(scan) < 0)
            return true;
        scan->at++; // the end of the line
        scan->line++;
    }
    return false;
}

void rl_scan_skip_line(rl_scan *scan)
{
    RL_ASSERT(scan->file == NULL);
    if (scan->at == scan->size)
        return;
    const unsigned char *end = memchr(scan->bytes + scan->at, '\n', scan->size - scan->at);
    scan->at = end == NULL ? scan->size : (size_t)(end - scan->bytes) + 1;
    scan->line += end != NULL;
}

bool rl_scan_number(rl_scan *scan, const char *what, double *value)
{
    if (scan->status != RILL_OK)
        return false;
    if (scan->word[0] == '\0')
        return rl_scan_fail_line(scan, "ends before %s", what != NULL ? what : "a number");
    return rl_parse_number(scan->word, value) ||
           rl_scan_fail_line(scan, "'%s' is not a number%s%s%s", scan->word,
                             what != NULL ? ", as " : "", what != NULL ? what : "",
                             what != NULL ? " has to be" : "");
}

// Not by <ctype.h>, which changes with the locale.
bool rl_word_is(const char *word, size_t length, const char *name)
{
    for (size_t k = 0; k < length; k++) {
        const char c = word[k];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != name[k] || name[k] == '\0')
            return false;
    }
    return name[length] == '\0';
}

bool rl_file_length(FILE *file, int64_t *length)
{
    const off_t here = ftello(file);
    if (here < 0 || fseeko(file, 0, SEEK_END) != 0)
        return false;
    *length = (int64_t)ftello(file);
    return *length >= 0 && fseeko(file, here, SEEK_SET) == 0;
}

// ---- Numbers ---------------------------------------------------------------------------

// mantissa * 10^exponent, exactly rounded where both fit a double exactly (nearly always), else
// within a few units of the last place; the same on every machine either way.
static double scale_by_ten(double mantissa, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (exponent > 0 && mantissa != 0.0 && !isinf(mantissa)) {
        const int step = exponent < 22 ? exponent : 22;
        mantissa *= powers[step];
        exponent -= step;
    }
    while (exponent < 0 && mantissa != 0.0) {
        const int step = exponent > -22 ? -exponent : 22;
        mantissa /= powers[step];
        exponent += step;
    }
    return mantissa;
}

// Reads digits, of which the first 18 count; the others only move the point.
static const char *parse_digits(const char *text, uint64_t *mantissa, int *dropped, int *digits)
{
    for (; *text >= '0' && *text <= '9'; text++, (*digits)++) {
        if (*mantissa < 100000000000000000u)
            *mantissa = *mantissa * 10 + (uint64_t)(*text - '0');
        else
            (*dropped)++;
    }
    return text;
}

static const char *parse_exponent(const char *text, int *exponent)
{
    const bool negative = *text == '-';
    if (*text == '+' || *text == '-')
        text++;
    if (*text < '0' || *text > '9')
        return NULL;
    int value = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value < 1000 ? value * 10 + (*text - '0') : value;
    *exponent += negative ? -value : value;
    return text;
}

bool rl_parse_number(const char *text, double *value)
{
    uint64_t mantissa = 0;
    int exponent = 0, digits = 0, dropped = 0;
    const bool negative = *text == '-';
    if (*text == '+' || *text == '-')
        text++;
    if (rl_word_is(text, strlen(text), "nan")) {
        *value = NAN;
        return true;
    }
    text = parse_digits(text, &mantissa, &dropped, &digits);
    exponent += dropped;
    if (*text == '.') {
        int fraction = 0;
        dropped = 0;
        text = parse_digits(text + 1, &mantissa, &dropped, &fraction);
        exponent -= fraction - dropped;
        digits += fraction;
    }
    if (digits == 0)
        return false;
    if (*text == 'e' || *text == 'E')
        text = parse_exponent(text + 1, &exponent);
    if (text == NULL || *text != '\0')
        return false;
    const double size = scale_by_ten((double)mantissa, exponent);
    *value = negative ? -size : size;
    return true;
}
