// SPDX-License-Identifier: MIT
// toml_query.c - the reading layer: getters that check type and range and remember what was asked
// for. Every refusal passes through rl_toml_fail, which writes the place and makes the failure
// stick, so that each getter ends with the status of the document.
#include "scene/toml/toml_inner.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES  288 // the name of a value, such as water.springs[2].rate
#define RANGE_BYTES 96

// ---- Asking ----------------------------------------------------------------------------

rl_toml_table rl_toml_root_table(rl_toml_document *document)
{
    return (rl_toml_table){document, document->root, ""};
}

static rl_toml_string string_of(const char *text)
{
    return (rl_toml_string){text, strlen(text)};
}

// An absent key is remembered too: it is the one that a misspelt key may have meant.
static void remember_absent(rl_toml_table table, const char *key)
{
    rl_toml_keys *keys = table.value->as.keys;
    rl_toml_name **link = &keys->absent;
    for (; *link != NULL; link = &(*link)->next)
        if (strcmp((*link)->text, key) == 0)
            return;
    rl_toml_name *name = rl_toml_take(table.document, sizeof *name);
    const char *copy = rl_toml_copy(table.document, key, strlen(key));
    if (name == NULL || copy == NULL)
        return;
    name->text = copy;
    *link = name;
}

const rl_toml_value *rl_toml_get_value(rl_toml_table table, const char *key)
{
    RL_ASSERT(key[0] != '\0');
    if (table.document->failed != RILL_OK || table.value == NULL)
        return NULL;
    RL_ASSERT(table.value->kind == RL_TOML_TABLE);
    rl_toml_entry *entry = rl_toml_find_entry(table.value, string_of(key));
    if (entry == NULL) {
        remember_absent(table, key);
        return NULL;
    }
    entry->asked = true;
    return entry->value;
}

bool rl_toml_has(rl_toml_table table, const char *key)
{
    return rl_toml_get_value(table, key) != NULL;
}

// ---- Refusing --------------------------------------------------------------------------

static void name_of(char *buffer, rl_toml_table table, const char *key)
{
    rl_toml_show_path(buffer, NAME_BYTES, table.path, string_of(key));
}

rill_status rl_toml_refuse(rl_toml_table table, const char *key, const char *format, ...)
{
    if (table.document->failed != RILL_OK)
        return table.document->failed;
    char sentence[512], name[NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    name_of(name, table, key);
    const rl_toml_value *value = rl_toml_find(table.value, key);
    const rl_toml_value *at = value != NULL ? value : table.value;
    return rl_toml_fail(table.document, at != NULL ? &at->place : NULL, "%s %s", name, sentence);
}

static const rl_toml_value *fail_kind(rl_toml_table table, const char *name,
                                      const rl_toml_value *value, const char *wanted)
{
    rl_toml_fail(table.document, &value->place, "%s must be %s, not %s", name, wanted,
                 rl_toml_kind_name(value));
    return NULL;
}

// The value of a key, or NULL when it is absent or not of the kind, which is named `wanted`.
static const rl_toml_value *ask_kind(rl_toml_table table, const char *key, rl_toml_kind kind,
                                     const char *wanted)
{
    const rl_toml_value *value = rl_toml_get_value(table, key);
    if (value == NULL || value->kind == kind)
        return value;
    char name[NAME_BYTES];
    name_of(name, table, key);
    return fail_kind(table, name, value, wanted);
}

const rl_toml_value *rl_toml_get_array(rl_toml_table table, const char *key, const char *wanted)
{
    return ask_kind(table, key, RL_TOML_ARRAY, wanted);
}

// A key that no getter has asked for and that may be meant for `key`, or NULL.
static const rl_toml_entry *misspelt(rl_toml_table table, const char *key)
{
    const rl_toml_entry *entry = table.value == NULL ? NULL : table.value->as.keys->first;
    while (entry != NULL && (entry->asked || rl_misspelling(entry->key.text, key) == INT_MAX))
        entry = entry->next;
    return entry;
}

rill_status rl_toml_require(rl_toml_table table, const char *key)
{
    rl_toml_document *document = table.document;
    if (rl_toml_get_value(table, key) != NULL || document->failed != RILL_OK)
        return document->failed;
    char name[NAME_BYTES];
    const rl_toml_entry *entry = misspelt(table, key);
    rl_toml_show_table(name, sizeof name, table.path, entry != NULL);
    if (entry != NULL) {
        char shown[RL_TOML_SHOWN];
        rl_toml_show(shown, sizeof shown, entry->key);
        return rl_toml_fail(document, &entry->place, "unknown key '%s' %s; did you mean '%s'?",
                            shown, name, key);
    }
    // Where the root or an absent table lacks a key there is no line to point to.
    const bool has_line = table.value != NULL && table.value != document->root;
    return rl_toml_fail(document, has_line ? &table.value->place : NULL, "%s needs the key '%s'",
                        name, key);
}

// ---- Numbers ---------------------------------------------------------------------------

// The shortest of the usual forms that reads back as the same number.
static void show_number(char *buffer, size_t size, double number)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buffer, size, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            break;
    }
}

// "between 0 and 1", "at least 0", "positive and at most 5" ...
static void show_range(char *buffer, double min, double max)
{
    char low[32], high[32];
    show_number(low, sizeof low, min);
    show_number(high, sizeof high, max);
    // The smallest normal float and double stand for an open bound at zero.
    const bool positive = min > 0.0 && min <= (double)FLT_MIN;
    const bool has_min = min > -(double)INFINITY && !positive, has_max = max < (double)INFINITY;
    if (has_min && has_max)
        snprintf(buffer, RANGE_BYTES, "between %s and %s", low, high);
    else
        snprintf(buffer, RANGE_BYTES, "%s%s%s%s%s",
                 positive  ? "positive"
                 : has_min ? "at least "
                           : "",
                 has_min ? low : "", positive && has_max ? " and " : "", has_max ? "at most " : "",
                 has_max ? high : "");
}

static rill_status check_number(rl_toml_table table, const char *name, const rl_toml_value *value,
                                double min, double max)
{
    if (value->kind != RL_TOML_INTEGER && value->kind != RL_TOML_FLOAT) {
        fail_kind(table, name, value, "a number");
        return RILL_BAD_SCENE;
    }
    const double number = rl_toml_number(value);
    char shown[32], range[RANGE_BYTES] = "a finite number";
    if (number >= min && number <= max && isfinite(number))
        return RILL_OK;
    show_number(shown, sizeof shown, number);
    if (isfinite(number))
        show_range(range, min, max);
    return rl_toml_fail(table.document, &value->place, "%s is %s, it must be %s", name, shown,
                        range);
}

rill_status rl_toml_get_double(rl_toml_table table, const char *key, double min, double max,
                               double *inout)
{
    const rl_toml_value *value = rl_toml_get_value(table, key);
    if (value == NULL)
        return table.document->failed;
    char name[NAME_BYTES];
    name_of(name, table, key);
    const rill_status status = check_number(table, name, value, min, max);
    if (status == RILL_OK)
        *inout = rl_toml_number(value);
    return status;
}

rill_status rl_toml_get_float(rl_toml_table table, const char *key, double min, double max,
                              float *inout)
{
    // Only what does not overflow, or underflow to zero, when it becomes a float.
    max = max > (double)FLT_MAX && max < (double)INFINITY ? (double)FLT_MAX : max;
    min = min > 0.0 && min < (double)FLT_MIN ? (double)FLT_MIN : min;
    double number = (double)*inout;
    rill_status status = rl_toml_get_double(table, key, min, max, &number);
    if (status != RILL_OK || !rl_toml_has(table, key))
        return status;
    if (fabs(number) > (double)FLT_MAX)
        return rl_toml_refuse(table, key, "is too large for single precision");
    *inout = (float)number;
    return RILL_OK;
}

rill_status rl_toml_get_integer(rl_toml_table table, const char *key, int64_t min, int64_t max,
                                int64_t *inout)
{
    const rl_toml_value *value = ask_kind(table, key, RL_TOML_INTEGER, "an integer");
    if (value == NULL)
        return table.document->failed;
    const int64_t number = value->as.integer;
    if (number >= min && number <= max) {
        *inout = number;
        return RILL_OK;
    }
    // The ends of a type's range are no bounds worth telling.
    if (number < min && max >= INT_MAX)
        return rl_toml_refuse(table, key, "is %" PRId64 ", it must be at least %" PRId64, number,
                              min);
    if (number > max && min <= INT_MIN)
        return rl_toml_refuse(table, key, "is %" PRId64 ", it must be at most %" PRId64, number,
                              max);
    return rl_toml_refuse(table, key, "is %" PRId64 ", it must be between %" PRId64 " and %" PRId64,
                          number, min, max);
}

rill_status rl_toml_get_int(rl_toml_table table, const char *key, int min, int max, int *inout)
{
    int64_t number = *inout;
    const rill_status status = rl_toml_get_integer(table, key, min, max, &number);
    *inout = (int)number;
    return status;
}

rill_status rl_toml_get_doubles(rl_toml_table table, const char *key, size_t min_count,
                                size_t max_count, double min, double max, double *values,
                                size_t *count)
{
    RL_ASSERT(min_count <= max_count && (count != NULL || min_count == max_count));
    const rl_toml_value *value = rl_toml_get_array(table, key, "an array of numbers");
    if (value == NULL)
        return table.document->failed;
    const rl_toml_items *items = value->as.items;
    if (min_count == max_count && items->count != min_count)
        return rl_toml_refuse(table, key, "must have %zu numbers, it has %zu", min_count,
                              items->count);
    if (items->count < min_count || items->count > max_count)
        return rl_toml_refuse(table, key, "must have between %zu and %zu numbers, it has %zu",
                              min_count, max_count, items->count);
    char name[NAME_BYTES], item[NAME_BYTES + 24];
    name_of(name, table, key);
    for (size_t i = 0; i < items->count; i++) {
        snprintf(item, sizeof item, "%s[%zu]", name, i);
        if (check_number(table, item, items->values[i], min, max) != RILL_OK)
            return table.document->failed;
    }
    for (size_t i = 0; i < items->count; i++)
        values[i] = rl_toml_number(items->values[i]);
    if (count != NULL)
        *count = items->count;
    return RILL_OK;
}

// ---- Booleans and words ----------------------------------------------------------------

rill_status rl_toml_get_bool(rl_toml_table table, const char *key, bool *inout)
{
    const rl_toml_value *value = ask_kind(table, key, RL_TOML_BOOL, "true or false");
    if (value != NULL)
        *inout = value->as.boolean;
    return table.document->failed;
}

rill_status rl_toml_get_string(rl_toml_table table, const char *key, const char **inout)
{
    const rl_toml_value *value = ask_kind(table, key, RL_TOML_STRING, "a string");
    if (value == NULL)
        return table.document->failed;
    if (strlen(value->as.string.text) != value->as.string.bytes)
        return rl_toml_refuse(table, key, "must not contain a zero character");
    *inout = value->as.string.text;
    return RILL_OK;
}

rill_status rl_toml_get_choice(rl_toml_table table, const char *key, const char *const *names,
                               void *inout)
{
    const char *word = NULL;
    const rill_status status = rl_toml_get_string(table, key, &word);
    if (status != RILL_OK || word == NULL)
        return status;
    rl_name_list list = {.used = 0};
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0) {
            memcpy(inout, &i, sizeof i);
            return RILL_OK;
        }
        rl_name_list_add(&list, word, names[i]);
    }
    char shown[RL_TOML_SHOWN];
    rl_toml_show(shown, sizeof shown, string_of(word));
    if (list.nearest != NULL)
        return rl_toml_refuse(table, key, "is '%s', it must be one of %s; did you mean '%s'?",
                              shown, list.text, list.nearest);
    return rl_toml_refuse(table, key, "is '%s', it must be one of %s", shown, list.text);
}

// ---- Tables ----------------------------------------------------------------------------

// A path that lives as long as the document; "" when there is no memory, which sticks.
static const char *copy_path(rl_toml_document *document, const char *path)
{
    const char *copy = rl_toml_copy(document, path, strlen(path));
    return copy == NULL ? "" : copy;
}

static const char *path_of(rl_toml_table table, const char *key)
{
    char name[NAME_BYTES];
    name_of(name, table, key);
    return copy_path(table.document, name);
}

rill_status rl_toml_get_table(rl_toml_table table, const char *key, rl_toml_table *out)
{
    *out = (rl_toml_table){table.document, NULL, path_of(table, key)};
    const rl_toml_value *value = rl_toml_get_value(table, key);
    if (value != NULL && value->kind == RL_TOML_TABLE)
        out->value = value;
    else if (value != NULL)
        fail_kind(table, out->path, value, "a table");
    return table.document->failed;
}

rill_status rl_toml_get_tables(rl_toml_table table, const char *key, size_t max_count,
                               rl_toml_tables *out)
{
    *out = (rl_toml_tables){table.document, NULL, path_of(table, key), 0};
    const rl_toml_value *value = rl_toml_get_array(table, key, "an array of tables");
    if (value == NULL)
        return table.document->failed;
    const rl_toml_items *items = value->as.items;
    if (items->count > max_count)
        return rl_toml_refuse(table, key, "has %zu tables, it may have at most %zu", items->count,
                              max_count);
    for (size_t i = 0; i < items->count; i++)
        if (items->values[i]->kind != RL_TOML_TABLE)
            return rl_toml_fail(table.document, &items->values[i]->place,
                                "%s[%zu] must be a table, not %s", out->path, i,
                                rl_toml_kind_name(items->values[i]));
    out->value = value;
    out->count = items->count;
    return RILL_OK;
}

rill_status rl_toml_table_at(const rl_toml_tables *tables, size_t index, rl_toml_table *out)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s[%zu]", tables->path, index);
    *out = (rl_toml_table){tables->document, NULL, copy_path(tables->document, name)};
    if (index < tables->count && tables->document->failed == RILL_OK)
        out->value = tables->value->as.items->values[index];
    return tables->document->failed;
}
