// SPDX-License-Identifier: MIT
// toml_query.c - the reading layer: getters that check type and range and remember what was asked
// for. Every refusal passes through fail_value, which writes the place and makes the failure stick.
#include "scene/toml/spelling.h"
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
    if (name == NULL || copy == NULL) {
        table.document->failed = RILL_NO_MEMORY;
        return;
    }
    name->text = copy;
    *link = name;
}

// The value of a key, or NULL when it is absent or a failure sticks.
static rl_toml_value *ask(rl_toml_table table, const char *key)
{
    if (table.document->failed != RILL_OK || table.value == NULL)
        return NULL;
    rl_toml_entry *entry = rl_toml_find_entry(table.value, key, strlen(key));
    if (entry == NULL) {
        remember_absent(table, key);
        return NULL;
    }
    entry->asked = true;
    return entry->value;
}

rill_status rl_toml_status(const rl_toml_document *document)
{
    return document->failed;
}

bool rl_toml_has(rl_toml_table table, const char *key)
{
    return ask(table, key) != NULL;
}

const rl_toml_value *rl_toml_get_value(rl_toml_table table, const char *key)
{
    return ask(table, key);
}

// ---- Refusing --------------------------------------------------------------------------

static rill_status fail_value(rl_toml_document *document, const rl_toml_value *value,
                              const char *format, ...) RILL_PRINTF(3, 4);

static rill_status fail_value(rl_toml_document *document, const rl_toml_value *value,
                              const char *format, ...)
{
    char sentence[768], where[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    rl_toml_where(document, value, where, sizeof where);
    document->failed = rill_fail(RILL_BAD_SCENE, "%s: %s", where, sentence);
    return document->failed;
}

static const char *kind_of(const rl_toml_value *value)
{
    return rl_toml_kind_name((rl_toml_kind)value->kind);
}

static void name_of(char *buffer, rl_toml_table table, const char *key)
{
    rl_toml_show_path(buffer, NAME_BYTES, table.path, key, strlen(key));
}

static rill_status fail_kind(rl_toml_table table, const char *key, const rl_toml_value *value,
                             const char *wanted)
{
    char name[NAME_BYTES];
    name_of(name, table, key);
    return fail_value(table.document, value, "%s must be %s, not %s", name, wanted, kind_of(value));
}

rill_status rl_toml_refuse(rl_toml_table table, const char *key, const char *format, ...)
{
    rl_toml_document *document = table.document;
    if (document->failed != RILL_OK)
        return document->failed;
    char sentence[512], name[NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    name_of(name, table, key);
    const rl_toml_entry *entry = rl_toml_find_entry(table.value, key, strlen(key));
    const rl_toml_value *at = entry != NULL ? entry->value : table.value;
    if (at != NULL)
        return fail_value(document, at, "%s %s", name, sentence);
    document->failed = rill_fail(RILL_BAD_SCENE, "%s: %s %s", document->file_name, name, sentence);
    return document->failed;
}

// A key that nobody has asked for and that may be meant for `key`, or NULL.
static const rl_toml_entry *misspelt(rl_toml_table table, const char *key)
{
    if (table.value == NULL)
        return NULL;
    const rl_toml_entry *entry = table.value->as.keys->first;
    while (entry != NULL && (entry->asked || rl_misspelling(entry->key, key) == INT_MAX))
        entry = entry->next;
    return entry;
}

rill_status rl_toml_require(rl_toml_table table, const char *key)
{
    rl_toml_document *document = table.document;
    if (ask(table, key) != NULL || document->failed != RILL_OK)
        return document->failed;
    char name[NAME_BYTES];
    rl_toml_show_table(name, sizeof name, table.path);
    const rl_toml_entry *entry = misspelt(table, key);
    if (entry != NULL) {
        char shown[64];
        rl_toml_show(shown, sizeof shown, entry->key, entry->bytes);
        document->failed =
            rl_toml_fail_place(document, entry->place, "unknown key '%s' %s %s; did you mean '%s'?",
                               shown, table.path[0] == '\0' ? "at" : "in", name, key);
        return document->failed;
    }
    // Where the root or an absent table lacks a key there is no line to point to.
    if (table.value == NULL || table.value == document->root)
        document->failed =
            rill_fail(RILL_BAD_SCENE, "%s: %s needs the key '%s'", document->file_name, name, key);
    else
        fail_value(document, table.value, "%s needs the key '%s'", name, key);
    return document->failed;
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

static rill_status check_number(rl_toml_document *document, const char *name,
                                const rl_toml_value *value, double min, double max)
{
    if (value->kind != RL_TOML_INTEGER && value->kind != RL_TOML_FLOAT)
        return fail_value(document, value, "%s must be a number, not %s", name, kind_of(value));
    const double number = rl_toml_number(value);
    char shown[32], range[RANGE_BYTES];
    show_number(shown, sizeof shown, number);
    if (!isfinite(number))
        return fail_value(document, value, "%s is %s, it must be a finite number", name, shown);
    if (number >= min && number <= max)
        return RILL_OK;
    show_range(range, min, max);
    return fail_value(document, value, "%s is %s, it must be %s", name, shown, range);
}

// What does not overflow, or underflow to zero, when it becomes a float.
static void narrow_to_float(double *min, double *max)
{
    *max = *max > (double)FLT_MAX && *max < (double)INFINITY ? (double)FLT_MAX : *max;
    *min = *min > 0.0 && *min < (double)FLT_MIN ? (double)FLT_MIN : *min;
}

rill_status rl_toml_get_double(rl_toml_table table, const char *key, double min, double max,
                               double *inout)
{
    const rl_toml_value *value = ask(table, key);
    if (value == NULL)
        return table.document->failed;
    char name[NAME_BYTES];
    name_of(name, table, key);
    const rill_status status = check_number(table.document, name, value, min, max);
    if (status == RILL_OK)
        *inout = rl_toml_number(value);
    return status;
}

static bool fits_float(double number)
{
    return fabs(number) <= (double)FLT_MAX;
}

rill_status rl_toml_get_float(rl_toml_table table, const char *key, double min, double max,
                              float *inout)
{
    double number = (double)*inout;
    narrow_to_float(&min, &max);
    const rl_toml_value *value = ask(table, key);
    rill_status status = rl_toml_get_double(table, key, min, max, &number);
    if (status == RILL_OK && value != NULL && !fits_float(number))
        status = rl_toml_refuse(table, key, "is too large for single precision");
    if (status == RILL_OK && value != NULL)
        *inout = (float)number;
    return status;
}

rill_status rl_toml_get_integer(rl_toml_table table, const char *key, int64_t min, int64_t max,
                                int64_t *inout)
{
    const rl_toml_value *value = ask(table, key);
    if (value == NULL)
        return table.document->failed;
    if (value->kind != RL_TOML_INTEGER)
        return fail_kind(table, key, value, "an integer");
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

// ---- Arrays of numbers -----------------------------------------------------------------

// The array behind a key when all is well with it, else NULL.
static const rl_toml_items *ask_numbers(rl_toml_table table, const char *key, size_t min_count,
                                        size_t max_count, double min, double max)
{
    const rl_toml_value *value = ask(table, key);
    if (value == NULL)
        return NULL;
    if (value->kind != RL_TOML_ARRAY) {
        fail_kind(table, key, value, "an array of numbers");
        return NULL;
    }
    const rl_toml_items *items = value->as.items;
    if (items->count < min_count || items->count > max_count) {
        if (min_count == max_count)
            rl_toml_refuse(table, key, "must have %zu numbers, it has %zu", min_count,
                           items->count);
        else
            rl_toml_refuse(table, key, "must have between %zu and %zu numbers, it has %zu",
                           min_count, max_count, items->count);
        return NULL;
    }
    char name[NAME_BYTES], item[NAME_BYTES + 24];
    name_of(name, table, key);
    for (size_t i = 0; i < items->count; i++) {
        snprintf(item, sizeof item, "%s[%zu]", name, i);
        if (check_number(table.document, item, items->values[i], min, max) != RILL_OK)
            return NULL;
    }
    return items;
}

rill_status rl_toml_get_doubles(rl_toml_table table, const char *key, size_t min_count,
                                size_t max_count, double min, double max, double *values,
                                size_t *count)
{
    const rl_toml_items *items = ask_numbers(table, key, min_count, max_count, min, max);
    if (items == NULL)
        return table.document->failed;
    for (size_t i = 0; i < items->count; i++)
        values[i] = rl_toml_number(items->values[i]);
    if (count != NULL)
        *count = items->count;
    return RILL_OK;
}

rill_status rl_toml_get_floats(rl_toml_table table, const char *key, size_t min_count,
                               size_t max_count, double min, double max, float *values,
                               size_t *count)
{
    narrow_to_float(&min, &max);
    const rl_toml_items *items = ask_numbers(table, key, min_count, max_count, min, max);
    if (items == NULL)
        return table.document->failed;
    for (size_t i = 0; i < items->count; i++)
        if (!fits_float(rl_toml_number(items->values[i])))
            return rl_toml_refuse(table, key, "has a number too large for single precision");
    for (size_t i = 0; i < items->count; i++)
        values[i] = (float)rl_toml_number(items->values[i]);
    if (count != NULL)
        *count = items->count;
    return RILL_OK;
}

// ---- Booleans and words ----------------------------------------------------------------

rill_status rl_toml_get_bool(rl_toml_table table, const char *key, bool *inout)
{
    const rl_toml_value *value = ask(table, key);
    if (value == NULL)
        return table.document->failed;
    if (value->kind != RL_TOML_BOOL)
        return fail_kind(table, key, value, "true or false");
    *inout = value->as.boolean;
    return RILL_OK;
}

rill_status rl_toml_get_string(rl_toml_table table, const char *key, const char **inout)
{
    const rl_toml_value *value = ask(table, key);
    if (value == NULL)
        return table.document->failed;
    if (value->kind != RL_TOML_STRING)
        return fail_kind(table, key, value, "a string");
    if (strlen(value->as.string.text) != value->as.string.bytes)
        return rl_toml_refuse(table, key, "must not contain a zero character");
    *inout = value->as.string.text;
    return RILL_OK;
}

rill_status rl_toml_get_choice(rl_toml_table table, const char *key, const char *const *names,
                               int *inout)
{
    const char *word = NULL;
    const rill_status status = rl_toml_get_string(table, key, &word);
    if (status != RILL_OK || word == NULL)
        return status;
    char list[384] = "", shown[64];
    const char *nearest = NULL;
    int least = INT_MAX;
    size_t used = 0;
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0) {
            *inout = i;
            return RILL_OK;
        }
        const int edits = rl_misspelling(word, names[i]);
        if (edits < least) {
            least = edits;
            nearest = names[i];
        }
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i > 0 ? ", " : "",
                                     names[i]);
    }
    rl_toml_show(shown, sizeof shown, word, strlen(word));
    if (nearest != NULL)
        return rl_toml_refuse(table, key, "is '%s', it must be one of %s; did you mean '%s'?",
                              shown, list, nearest);
    return rl_toml_refuse(table, key, "is '%s', it must be one of %s", shown, list);
}

// ---- Tables ----------------------------------------------------------------------------

// A path that lives as long as the document, or NULL when there is no memory; then that sticks.
static const char *keep_path(rl_toml_document *document, const char *path)
{
    const char *copy = rl_toml_copy(document, path, strlen(path));
    if (copy == NULL)
        document->failed = RILL_NO_MEMORY;
    return copy;
}

rill_status rl_toml_get_table(rl_toml_table table, const char *key, rl_toml_table *out)
{
    char name[NAME_BYTES];
    name_of(name, table, key);
    rl_toml_value *value = ask(table, key);
    const char *path = keep_path(table.document, name);
    *out = (rl_toml_table){table.document, NULL, path == NULL ? "" : path};
    if (value == NULL || path == NULL)
        return table.document->failed;
    if (value->kind != RL_TOML_TABLE)
        return fail_kind(table, key, value, "a table");
    out->value = value;
    return RILL_OK;
}

rill_status rl_toml_get_tables(rl_toml_table table, const char *key, size_t max_count,
                               rl_toml_tables *out)
{
    char name[NAME_BYTES];
    name_of(name, table, key);
    const rl_toml_value *value = ask(table, key);
    const char *path = keep_path(table.document, name);
    *out = (rl_toml_tables){table.document, NULL, path == NULL ? "" : path, 0};
    if (value == NULL || path == NULL)
        return table.document->failed;
    if (value->kind != RL_TOML_ARRAY)
        return fail_kind(table, key, value, "an array of tables");
    const rl_toml_items *items = value->as.items;
    if (items->count > max_count)
        return rl_toml_refuse(table, key, "has %zu tables, it may have at most %zu", items->count,
                              max_count);
    for (size_t i = 0; i < items->count; i++)
        if (items->values[i]->kind != RL_TOML_TABLE)
            return fail_value(table.document, items->values[i], "%s[%zu] must be a table, not %s",
                              name, i, kind_of(items->values[i]));
    out->value = value;
    out->count = items->count;
    return RILL_OK;
}

rill_status rl_toml_table_at(const rl_toml_tables *tables, size_t index, rl_toml_table *out)
{
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%s[%zu]", tables->path, index);
    const char *path = keep_path(tables->document, name);
    *out = (rl_toml_table){tables->document, NULL, path == NULL ? "" : path};
    if (index < tables->count && path != NULL)
        out->value = tables->value->as.items->values[index];
    return tables->document->failed;
}
