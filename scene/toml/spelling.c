// SPDX-License-Identifier: MIT
#include "scene/toml/spelling.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define LONGEST_WORD 48

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Edit distance by the usual table of prefixes (Damerau's, in the form where no part is edited
// twice), of which three rows are kept.
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
