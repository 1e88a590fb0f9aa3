// SPDX-License-Identifier: MIT
// toml_known.c - spelling suggestions, and the check after a scene is read: the first key that no
// getter asked for, and what it was probably meant to be.
#include "scene/toml/toml_inner.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES   288
#define MOST_LISTED  12 // more known keys than this are not listed
#define ADVICE_BYTES 512
#define LONGEST_WORD 48

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Edit distance by the usual table of prefixes (Damerau's, in the form where no part is edited
// twice), of which three rows are stored.
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

void rl_name_list_add(rl_name_list *list, const char *word, const char *name)
{
    const int edits = rl_misspelling(word, name);
    if (edits < (list->nearest != NULL ? list->edits : INT_MAX)) {
        list->edits = edits;
        list->nearest = name;
    }
    if (list->used < sizeof list->text)
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s'%s'", list->used > 0 ? ", " : "", name);
}

// The keys that were asked for in one table. As many as fit are listed, in the order of the
// alphabet.
typedef struct known_keys {
    const char *names[MOST_LISTED];
    size_t count;
    const char *nearest; // to the unknown one; NULL when none is near
    int edits;
} known_keys;

static void consider(known_keys *known, const char *name, const char *unknown)
{
    const int edits = rl_misspelling(unknown, name);
    if (edits < known->edits) {
        known->edits = edits;
        known->nearest = name;
    }
    if (known->count++ >= MOST_LISTED)
        return;
    size_t at = known->count - 1;
    for (; at > 0 && strcmp(known->names[at - 1], name) > 0; at--)
        known->names[at] = known->names[at - 1];
    known->names[at] = name;
}

static void advise(const rl_toml_keys *keys, const char *unknown, char *advice)
{
    known_keys known = {.edits = INT_MAX};
    for (const rl_toml_entry *entry = keys->first; entry != NULL; entry = entry->next)
        if (entry->asked)
            consider(&known, entry->key.text, unknown);
    for (const rl_toml_name *name = keys->absent; name != NULL; name = name->next)
        consider(&known, name->text, unknown);

    advice[0] = '\0';
    char shown[RL_TOML_SHOWN];
    if (known.nearest != NULL) {
        rl_toml_show(shown, sizeof shown, (rl_toml_string){known.nearest, strlen(known.nearest)});
        snprintf(advice, ADVICE_BYTES, "; did you mean '%s'?", shown);
        return;
    }
    if (known.count > MOST_LISTED)
        return;
    for (size_t i = 0, used = 0; i < known.count && used < ADVICE_BYTES; i++) {
        rl_toml_show(shown, sizeof shown, (rl_toml_string){known.names[i], strlen(known.names[i])});
        used += (size_t)snprintf(advice + used, ADVICE_BYTES - used, "%s'%s'",
                                 i == 0 ? "; the known keys are " : ", ", shown);
    }
}

static rill_status fail_unknown(rl_toml_document *document, const rl_toml_keys *keys,
                                const rl_toml_entry *entry, const char *path)
{
    char table[PATH_BYTES + 16], shown[RL_TOML_SHOWN], advice[ADVICE_BYTES];
    rl_toml_show_table(table, sizeof table, path, true);
    rl_toml_show(shown, sizeof shown, entry->key);
    advise(keys, entry->key.text, advice);
    return rl_toml_fail(document, &entry->place, "unknown %s '%s' %s%s",
                        entry->value->kind == RL_TOML_TABLE ? "table" : "key", shown, table,
                        advice);
}

// Goes as deep as the document, which is at most RL_TOML_MAX_DEPTH.
static rill_status check_value(rl_toml_document *document, const rl_toml_value *value,
                               const char *path)
{
    RL_ASSERT(value->depth <= RL_TOML_MAX_DEPTH);
    rill_status status = RILL_OK;
    char inner[PATH_BYTES];
    if (value->kind == RL_TOML_ARRAY) {
        const rl_toml_items *items = value->as.items;
        for (size_t i = 0; i < items->count && status == RILL_OK; i++) {
            if (items->values[i]->kind > RL_TOML_ARRAY)
                continue;
            snprintf(inner, sizeof inner, "%s[%zu]", path, i);
            status = check_value(document, items->values[i], inner);
        }
    } else if (value->kind == RL_TOML_TABLE) {
        const rl_toml_keys *keys = value->as.keys;
        for (const rl_toml_entry *entry = keys->first; entry != NULL; entry = entry->next) {
            if (!entry->asked)
                return fail_unknown(document, keys, entry, path);
            if (entry->value->kind > RL_TOML_ARRAY)
                continue;
            rl_toml_show_path(inner, sizeof inner, path, entry->key);
            status = check_value(document, entry->value, inner);
            if (status != RILL_OK)
                break;
        }
    }
    return status;
}

rill_status rl_toml_check_all_used(rl_toml_document *document)
{
    if (document->failed != RILL_OK)
        return document->failed;
    return check_value(document, document->root, "");
}
