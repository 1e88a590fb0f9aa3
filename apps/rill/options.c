// SPDX-License-Identifier: MIT
// options.c - parses the arguments of a command and prints its help.
#include "apps/rill/options.h"

#include "apps/rill/message.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPTIONS 16
#define HELP_COLUMN  24 // where explanations begin

// ---- Values ----------------------------------------------------------------------------

void options_free_list(option_list *list)
{
    free(list->items);
    *list = (option_list){0};
}

static bool append(option_list *list, const char *text)
{
    const char **items = realloc(list->items, ((size_t)list->count + 1) * sizeof *items);
    if (items == NULL) {
        error_failed("no memory for the arguments");
        return false;
    }
    items[list->count++] = text;
    list->items = items;
    return true;
}

// strtod also takes hexadecimal, infinities and NaN, which are typing mistakes here.
static bool read_number(const option *o, const char *text, double *out)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || text[strspn(text, "+-.0123456789eE")] != '\0' ||
        !isfinite(value)) {
        error_wrong("--%s: \"%s\" is not a number", o->name, text);
        return false;
    }
    if (value < o->least || value > o->most) {
        if (value < o->least)
            error_wrong("--%s: %s is too small, it must be at least %.10g", o->name, text,
                        o->least);
        else
            error_wrong("--%s: %s is too large, it must be at most %.10g", o->name, text, o->most);
        return false;
    }
    *out = value;
    return true;
}

static bool read_count(const option *o, const char *text, int *out)
{
    double value;
    if (text[0] == '\0' || text[strspn(text, "+-0123456789")] != '\0') {
        error_wrong("--%s: \"%s\" is not a whole number", o->name, text);
        return false;
    }
    if (!read_number(o, text, &value))
        return false;
    *out = (int)value;
    return true;
}

// Seven digits are more than any side has, and fit an int.
static bool read_size(const option *o, const char *text, int out[2])
{
    const size_t wide = strspn(text, "0123456789");
    const char *second = text + wide + 1;
    const size_t high = text[wide] == 'x' ? strspn(second, "0123456789") : 0;
    if (wide < 1 || wide > 7 || high < 1 || high > 7 || second[high] != '\0') {
        error_wrong("--%s: \"%s\" is not a size such as 1280x720", o->name, text);
        return false;
    }
    const int sides[2] = {atoi(text), atoi(second)};
    for (int k = 0; k < 2; k++)
        if (sides[k] < o->least || sides[k] > o->most) {
            error_wrong("--%s: %d is not possible, each side must be %.0f to %.0f pixels", o->name,
                        sides[k], o->least, o->most);
            return false;
        }
    memcpy(out, sides, sizeof sides);
    return true;
}

static bool take(const option *o, const char *text)
{
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->into = true;
        return true;
    case OPTION_TEXT:
        *(const char **)o->into = text;
        return true;
    case OPTION_NUMBER:
        return read_number(o, text, o->into);
    case OPTION_COUNT:
        return read_count(o, text, o->into);
    case OPTION_SIZE:
        return read_size(o, text, o->into);
    case OPTION_LIST:
        return append(o->into, text);
    }
    return false;
}

// ---- Help ------------------------------------------------------------------------------

// Explanations have their own line breaks, each line indented.
static void print_option(char letter, const char *name, const char *value, const char *help)
{
    char left[64];
    snprintf(left, sizeof left, "  %c%c%s --%s%s%s", letter ? '-' : ' ', letter ? letter : ' ',
             letter ? "," : " ", name, value ? " " : "", value ? value : "");
    printf("%-*s", HELP_COLUMN, left);
    for (const char *p = help; *p != '\0'; p++) {
        putchar(*p);
        if (*p == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

static void print_help(const option_syntax *s)
{
    printf("Usage: rill %s%s%s%s\n\n%s\n\nOptions:\n", s->command,
           s->operands[0] != '\0' ? " " : "", s->operands,
           s->option_count > 0 ? " [OPTION...]" : "", s->summary);
    for (int k = 0; k < s->option_count; k++)
        print_option(s->options[k].letter, s->options[k].name, s->options[k].value,
                     s->options[k].help);
    print_option('h', "help", NULL, "Show this help.");
    if (s->more != NULL)
        printf("\n%s\n", s->more);
}

// ---- Reading ---------------------------------------------------------------------------

static const option *find_long(const option_syntax *s, const char *name, size_t length)
{
    for (int k = 0; k < s->option_count; k++)
        if (strlen(s->options[k].name) == length && strncmp(s->options[k].name, name, length) == 0)
            return &s->options[k];
    return NULL;
}

static const option *find_short(const option_syntax *s, char letter)
{
    for (int k = 0; k < s->option_count; k++)
        if (s->options[k].letter == letter)
            return &s->options[k];
    return NULL;
}

static void error_unknown(const option_syntax *s, const char *argument, size_t length)
{
    const char *names[MOST_OPTIONS + 1] = {"help"};
    char typed[64] = "";
    int count = 1;
    for (int k = 0; k < s->option_count && count <= MOST_OPTIONS; k++)
        names[count++] = s->options[k].name;
    if (length > 2 && length - 2 < sizeof typed)
        memcpy(typed, argument + 2, length - 2);
    const char *nearest = spelling_suggestion(typed, names, count);
    if (nearest != NULL)
        error_wrong("%s has no option %.*s; did you mean --%s?", s->command, (int)length, argument,
                    nearest);
    else
        error_wrong("%s has no option %.*s; \"rill help %s\" lists those it has", s->command,
                    (int)length, argument, s->command);
}

// Returns the value of an option: what is attached to it or else the next argument.
static bool take_option(const option *o, const char *attached, int argc, char **argv, int *at)
{
    if (o->kind == OPTION_FLAG) {
        if (attached == NULL)
            return take(o, NULL);
        error_wrong("--%s takes no value", o->name);
        return false;
    }
    if (attached != NULL)
        return take(o, attached);
    if (*at + 1 < argc)
        return take(o, argv[++*at]);
    error_wrong("%s needs a value: --%s %s", argv[*at], o->name, o->value);
    return false;
}

static option_result read_option(const option_syntax *s, int argc, char **argv, int *at)
{
    const char *argument = argv[*at], *attached = NULL;
    const option *o;
    size_t length = strlen(argument);
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        print_help(s);
        return OPTIONS_HELPED;
    }
    if (argument[1] == '-') {
        const char *equals = strchr(argument, '=');
        length = equals != NULL ? (size_t)(equals - argument) : length;
        attached = equals != NULL ? equals + 1 : NULL;
        o = find_long(s, argument + 2, length - 2);
    } else {
        o = find_short(s, argument[1]);
        attached = length > 2 ? argument + 2 : NULL;
    }
    if (o == NULL) {
        error_unknown(s, argument, length);
        return OPTIONS_WRONG;
    }
    return take_option(o, attached, argc, argv, at) ? OPTIONS_GO : OPTIONS_WRONG;
}

static option_result check_operands(const option_syntax *s, const option_list *operands)
{
    if (operands->count < s->least) {
        error_wrong("%s needs %s: rill %s %s", s->command, s->operand, s->command, s->operands);
        return OPTIONS_WRONG;
    }
    if (s->most >= 0 && operands->count > s->most) {
        error_wrong("%s does not know what to do with \"%s\"", s->command,
                    operands->items[s->most]);
        return OPTIONS_WRONG;
    }
    return OPTIONS_GO;
}

option_result options_parse(const option_syntax *s, int argc, char **argv, option_list *operands)
{
    bool options_ended = false;
    *operands = (option_list){0};
    for (int at = 1; at < argc; at++) {
        if (!options_ended && strcmp(argv[at], "--") == 0) {
            options_ended = true;
        } else if (!options_ended && argv[at][0] == '-' && argv[at][1] != '\0') {
            const option_result result = read_option(s, argc, argv, &at);
            if (result != OPTIONS_GO)
                return result;
        } else if (!append(operands, argv[at])) {
            return OPTIONS_WRONG;
        }
    }
    return check_operands(s, operands);
}
