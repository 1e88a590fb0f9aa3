// SPDX-License-Identifier: MIT
#include "scene/toml/parse_number.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

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

static bool is_nan_word(const char *text)
{
    return (text[0] | 32) == 'n' && (text[1] | 32) == 'a' && (text[2] | 32) == 'n' &&
           text[3] == '\0';
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
    if (is_nan_word(text)) {
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
