// SPDX-License-Identifier: MIT
// message.c - prints errors, warnings and spelling suggestions.
#include "apps/rill/message.h"

#include "apps/rill/command.h"
#include "apps/rill/progress.h"

#include <stdarg.h>
#include <string.h>

#define SENTENCE_BYTES 2048
#define LONGEST_WORD   48 // of the words that are compared; longer ones are not mistyped ones

void print_clean(FILE *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        fputc((unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p, out);
}

static void print_message(const char *before, const char *format, va_list arguments)
{
    char sentence[SENTENCE_BYTES];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    progress_clear();
    fputs(before, stderr);
    print_clean(stderr, sentence);
    fputc('\n', stderr);
}

int error_wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("rill: ", format, arguments);
    va_end(arguments);
    return STATUS_WRONG;
}

int error_failed(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("rill: ", format, arguments);
    va_end(arguments);
    return STATUS_FAILED;
}

void warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("rill: warning: ", format, arguments);
    va_end(arguments);
}

int error_message(rill_status status, const char *sentence)
{
    switch (status) {
    case RILL_BAD_ARGUMENT:
    case RILL_BAD_DEF:
    case RILL_BAD_SCENE:
    case RILL_BAD_FILE:
        return error_wrong("%s", sentence);
    default:
        return error_failed("%s", sentence);
    }
}

int error_status(rill_status status)
{
    const char *sentence = rill_last_error();
    return error_message(status, sentence[0] != '\0' ? sentence : rill_status_text(status));
}

// ---- Spelling suggestions --------------------------------------------------------------

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// Counts the letters that were left out, put in, changed or swapped with their neighbour.
static int distance(const char *a, const char *b)
{
    const int m = (int)strlen(a), n = (int)strlen(b);
    int rows[3][LONGEST_WORD + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= n; j++)
        last[j] = j;
    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            row[j] =
                smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        int *const oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[n];
}

const char *spelling_suggestion(const char *typed, const char *const *known, int count)
{
    const size_t length = strlen(typed);
    const char *nearest = NULL;
    int least = 0;
    if (length < 2 || length > LONGEST_WORD)
        return NULL;
    for (int k = 0; k < count; k++) {
        if (strlen(known[k]) > LONGEST_WORD)
            continue;
        // The beginning of a word is as near as one wrong letter.
        const int away = strncmp(typed, known[k], length) == 0 ? 1 : distance(typed, known[k]);
        if (nearest == NULL || away < least) {
            nearest = known[k];
            least = away;
        }
    }
    return nearest != NULL && (size_t)least <= 1 + length / 3 ? nearest : NULL;
}
