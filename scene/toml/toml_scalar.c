// SPDX-License-Identifier: MIT
// toml_scalar.c - numbers, booleans, dates and times. Nothing here knows about files: a word goes
// in, a value or a complaint comes out.
#include "scene/toml/toml_inner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_SCALAR    "a string needs quotes"
#define BAD_NUMBER   "a number is written as in 12, -0.5, 1e3, 1_000 or 0xff"
#define LEADING_ZERO "a number does not start with 0 and another digit"
#define BIG_INTEGER  "the integer does not fit into 64 bits"
#define BIG_FLOAT    "the number is too large for a double"
#define BAD_DATE     "a date or time is written as in 2024-02-29T23:59:59.5+01:00"
#define NO_SUCH_DAY  "there is no such day"
#define NO_SUCH_TIME "there is no such time of day"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool equals(const char *text, size_t bytes, const char *word)
{
    return bytes == strlen(word) && memcmp(text, word, bytes) == 0;
}

// ---- Where a word ends -----------------------------------------------------------------

static size_t word_length(const char *text, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && (is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'z') ||
                         (text[i] >= 'A' && text[i] <= 'Z') ||
                         (text[i] != '\0' && strchr("_+-.:", text[i]) != NULL)))
        i++;
    return i;
}

static bool matches(const char *text, size_t bytes, const char *pattern)
{
    const size_t length = strlen(pattern);
    if (bytes < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (pattern[i] == '0' ? !is_digit(text[i]) : text[i] != pattern[i])
            return false;
    return true;
}

size_t rl_toml_scalar_length(const char *text, size_t bytes)
{
    const size_t length = word_length(text, bytes);
    // Between a date and a time a space may stand in for the T.
    if (length == 10 && matches(text, bytes, "0000-00-00 0"))
        return 11 + word_length(text + 11, bytes - 11);
    return length;
}

// ---- Numbers ---------------------------------------------------------------------------

int rl_toml_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

// Length of a row of digits with single underscores between them.
static size_t digits_length(const char *text, size_t bytes, int base)
{
    size_t i = 0;
    while (i < bytes) {
        const bool joins =
            text[i] == '_' && i > 0 && i + 1 < bytes && rl_toml_digit(text[i + 1]) < base;
        if (rl_toml_digit(text[i]) >= base && !joins)
            break;
        i++;
    }
    return i;
}

static const char *scan_integer(const char *digits, size_t bytes, int base, bool negative,
                                rl_toml_value *out)
{
    if (bytes == 0 || digits_length(digits, bytes, base) != bytes)
        return BAD_NUMBER;
    if (base == 10 && bytes > 1 && digits[0] == '0')
        return LEADING_ZERO;
    const uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (digits[i] == '_')
            continue;
        const uint64_t digit = (uint64_t)rl_toml_digit(digits[i]);
        if (sum > (limit - digit) / (uint64_t)base)
            return BIG_INTEGER;
        sum = sum * (uint64_t)base + digit;
    }
    out->kind = RL_TOML_INTEGER;
    // Two's complement without overflow on the way: -2^63 has no positive twin.
    out->as.integer = negative && sum > 0 ? -(int64_t)(sum - 1) - 1 : (int64_t)sum;
    return NULL;
}

// The digits of a number as one integer, and the power of ten that goes with it. A double is
// decided by its first 767 significant digits and by whether anything follows that is not zero (the
// longest halfway case between two doubles has 767), so more need not be stored.
#define MOST_DIGITS 800

typedef struct decimal {
    char digits[MOST_DIGITS + 32]; // with one more digit and the exponent
    int count;
    bool dropped;     // digits other than zero were left out
    int64_t exponent; // of ten
} decimal;

static void take_digits(decimal *d, const char *text, size_t bytes, bool fraction)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '_')
            continue;
        const bool leading_zero = d->count == 0 && text[i] == '0';
        const bool stored = !leading_zero && d->count < MOST_DIGITS;
        if (stored)
            d->digits[d->count++] = text[i];
        else if (!leading_zero && text[i] != '0')
            d->dropped = true;
        d->exponent += (stored || leading_zero ? 0 : 1) - (fraction ? 1 : 0);
    }
}

// strtod rounds correctly but expects the locale's decimal point, so it is given none: 12.5e3
// becomes 125e2.
static double decimal_to_double(decimal *d)
{
    RL_ASSERT(d->count <= MOST_DIGITS);
    if (d->count == 0)
        return 0.0;
    if (d->dropped) {
        d->digits[d->count++] = '1';
        d->exponent--;
    }
    const int64_t far = 100000; // out of reach of a double for any number of digits
    const int64_t exponent = d->exponent > far ? far : d->exponent < -far ? -far : d->exponent;
    snprintf(d->digits + d->count, sizeof d->digits - (size_t)d->count, "e%" PRId64, exponent);
    return strtod(d->digits, NULL);
}

static int64_t exponent_value(const char *text, size_t bytes)
{
    const int64_t far = (int64_t)1 << 40; // no text has that many digits to make up for it
    const bool negative = text[0] == '-';
    int64_t sum = 0;
    for (size_t i = 0; i < bytes; i++)
        if (is_digit(text[i]) && sum < far)
            sum = 10 * sum + (text[i] - '0');
    return negative ? -sum : sum;
}

// Digits, then a fraction or an exponent or both.
static const char *scan_float(const char *text, size_t bytes, bool negative, rl_toml_value *out)
{
    decimal d = {.count = 0};
    size_t at = digits_length(text, bytes, 10);
    if (at == 0)
        return BAD_NUMBER;
    if (at > 1 && text[0] == '0')
        return LEADING_ZERO;
    take_digits(&d, text, at, false);
    if (at < bytes && text[at] == '.') {
        at++;
        const size_t length = digits_length(text + at, bytes - at, 10);
        if (length == 0)
            return BAD_NUMBER;
        take_digits(&d, text + at, length, true);
        at += length;
    }
    if (at < bytes && (text[at] == 'e' || text[at] == 'E')) {
        const size_t start = ++at;
        if (at < bytes && (text[at] == '+' || text[at] == '-'))
            at++;
        const size_t length = digits_length(text + at, bytes - at, 10);
        if (length == 0)
            return BAD_NUMBER;
        at += length;
        d.exponent += exponent_value(text + start, at - start);
    }
    if (at != bytes)
        return BAD_NUMBER;
    const double size = decimal_to_double(&d);
    if (isinf(size))
        return BIG_FLOAT;
    out->kind = RL_TOML_FLOAT;
    out->as.number = negative ? -size : size;
    return NULL;
}

static const char *scan_number(const char *text, size_t bytes, rl_toml_value *out)
{
    if (bytes > 2 && text[0] == '0') {
        const int base = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : text[1] == 'b' ? 2 : 0;
        if (base != 0)
            return scan_integer(text + 2, bytes - 2, base, false, out);
    }
    const bool has_sign = text[0] == '+' || text[0] == '-', negative = text[0] == '-';
    text += has_sign;
    bytes -= has_sign;
    if (equals(text, bytes, "inf") || equals(text, bytes, "nan")) {
        const double size = text[0] == 'i' ? (double)INFINITY : (double)NAN;
        out->kind = RL_TOML_FLOAT;
        out->as.number = negative ? -size : size;
        return NULL;
    }
    if (bytes == 0 || !is_digit(text[0]))
        return has_sign || (bytes > 0 && text[0] == '.') ? BAD_NUMBER : NO_SCALAR;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '.' || text[i] == 'e' || text[i] == 'E')
            return scan_float(text, bytes, negative, out);
    return scan_integer(text, bytes, 10, negative, out);
}

// ---- Dates and times (RFC 3339) ----------------------------------------------------------

static int two_digits(const char *text)
{
    RL_ASSERT(is_digit(text[0]) && is_digit(text[1]));
    return 10 * (text[0] - '0') + (text[1] - '0');
}

static bool is_day(const char *date)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int year = 100 * two_digits(date) + two_digits(date + 2);
    const int month = two_digits(date + 5), day = two_digits(date + 8);
    if (month < 1 || month > 12)
        return false;
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + (leap && month == 2);
}

// Z or +hh:mm, up to the end.
static const char *scan_offset(const char *text, size_t bytes)
{
    if (bytes == 1 && (text[0] == 'Z' || text[0] == 'z'))
        return NULL;
    if (bytes != 6 || !(text[0] == '+' || text[0] == '-') || !matches(text + 1, bytes - 1, "00:00"))
        return BAD_DATE;
    return two_digits(text + 1) < 24 && two_digits(text + 4) < 60 ? NULL : NO_SUCH_TIME;
}

// hh:mm:ss, a fraction, an offset after a date; all up to the end.
static const char *scan_time(const char *text, size_t bytes, bool has_date, rl_toml_kind *kind)
{
    if (!matches(text, bytes, "00:00:00"))
        return BAD_DATE;
    // The 60th second is a leap second.
    if (two_digits(text) > 23 || two_digits(text + 3) > 59 || two_digits(text + 6) > 60)
        return NO_SUCH_TIME;
    size_t at = 8;
    if (at < bytes && text[at] == '.') {
        const size_t point = at++;
        while (at < bytes && is_digit(text[at]))
            at++;
        if (at == point + 1)
            return BAD_DATE;
    }
    *kind = has_date ? RL_TOML_LOCAL_DATE_TIME : RL_TOML_LOCAL_TIME;
    if (at == bytes)
        return NULL;
    *kind = RL_TOML_OFFSET_DATE_TIME;
    return has_date ? scan_offset(text + at, bytes - at) : BAD_DATE;
}

static const char *scan_date(const char *text, size_t bytes, rl_toml_value *out)
{
    rl_toml_kind kind = RL_TOML_LOCAL_DATE;
    const char *complaint = NULL;
    if (text[2] == ':') {
        complaint = scan_time(text, bytes, false, &kind);
    } else {
        if (!matches(text, bytes, "0000-00-00"))
            return BAD_DATE;
        if (!is_day(text))
            return NO_SUCH_DAY;
        if (bytes > 10 && strchr("Tt ", text[10]) == NULL)
            return BAD_DATE;
        if (bytes > 10)
            complaint = scan_time(text + 11, bytes - 11, true, &kind);
    }
    out->kind = (uint8_t)kind;
    out->as.string = (rl_toml_string){text, bytes};
    return complaint;
}

// ---- All of them -----------------------------------------------------------------------

const char *rl_toml_scan_scalar(const char *text, size_t bytes, rl_toml_value *out)
{
    if (equals(text, bytes, "true") || equals(text, bytes, "false")) {
        out->kind = RL_TOML_BOOL;
        out->as.boolean = text[0] == 't';
        return NULL;
    }
    if (matches(text, bytes, "0000-") || matches(text, bytes, "00:"))
        return scan_date(text, bytes, out);
    return bytes == 0 ? NO_SCALAR : scan_number(text, bytes, out);
}
