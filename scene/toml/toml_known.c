// SPDX-License-Identifier: MIT
// toml_known.c - after a scene is read: the first key that nobody asked for, and what it was
// probably meant to be.
#include "scene/toml/spelling.h"
#include "scene/toml/toml_inner.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES   288
#define MOST_LISTED  12 // more known keys than this are not listed
#define ADVICE_BYTES 512

// The keys that were asked for in one table. As many as fit are kept, in the order of the alphabet.
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
            consider(&known, entry->key, unknown);
    for (const rl_toml_name *name = keys->absent; name != NULL; name = name->next)
        consider(&known, name->text, unknown);

    advice[0] = '\0';
    char shown[64];
    if (known.nearest != NULL) {
        rl_toml_show(shown, sizeof shown, known.nearest, strlen(known.nearest));
        snprintf(advice, ADVICE_BYTES, "; did you mean '%s'?", shown);
        return;
    }
    if (known.count > MOST_LISTED)
        return;
    for (size_t i = 0, used = 0; i < known.count && used < ADVICE_BYTES; i++) {
        rl_toml_show(shown, sizeof shown, known.names[i], strlen(known.names[i]));
        used += (size_t)snprintf(advice + used, ADVICE_BYTES - used, "%s'%s'",
                                 i == 0 ? "; the known keys are " : ", ", shown);
    }
}

static rill_status fail_unknown(rl_toml_document *document, const rl_toml_keys *keys,
                                const rl_toml_entry *entry, const char *path)
{
    char table[PATH_BYTES + 8], shown[64], advice[ADVICE_BYTES];
    rl_toml_show_table(table, sizeof table, path);
    rl_toml_show(shown, sizeof shown, entry->key, entry->bytes);
    advise(keys, entry->key, advice);
    document->failed = rl_toml_fail_place(document, entry->place, "unknown %s '%s' %s %s%s",
                                          entry->value->kind == RL_TOML_TABLE ? "table" : "key",
                                          shown, path[0] == '\0' ? "at" : "in", table, advice);
    return document->failed;
}

// Goes as deep as the document, which is at most RL_TOML_MAX_DEPTH.
static rill_status check_value(rl_toml_document *document, const rl_toml_value *value,
                               const char *path)
{
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
            rl_toml_show_path(inner, sizeof inner, path, entry->key, entry->bytes);
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
