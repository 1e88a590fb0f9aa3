// SPDX-License-Identifier: MIT
// fuzz_toml.c - libFuzzer target for the TOML reader. The input is a text; what follows a form feed
// (which no valid text contains) is an override. Memory may run out at any request: the first byte
// says at which. Build with clang -fsanitize=fuzzer,address,undefined.
#include "scene/toml/toml.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// An allocator that fails from the n-th request on and counts what is in use.
typedef struct meter {
    size_t requests_left, bytes_in_use;
} meter;

static void *metered_allocate(void *user, size_t bytes, size_t alignment)
{
    meter *m = user;
    if (m->requests_left == 0)
        return NULL;
    m->requests_left--;
    m->bytes_in_use += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void metered_release(void *user, void *memory, size_t bytes)
{
    meter *m = user;
    assert(m->bytes_in_use >= bytes);
    m->bytes_in_use -= bytes;
    free(memory);
}

// Visits everything and checks what every value promises. Returns the number of values.
static size_t walk(const rl_toml_document *document, const rl_toml_value *value, int depth)
{
    char where[256];
    size_t count = 1;
    assert(depth <= RL_TOML_MAX_DEPTH + 1);
    assert(((int)value->place.line > 0) == ((int)value->place.column > 0));
    rl_toml_where(document, value, where, sizeof where);
    assert(where[0] != '\0');
    const char *text = rl_toml_text(value);
    assert(text[text[0] != '\0' ? value->as.string.bytes : 0] == '\0');

    for (size_t i = 0; rl_toml_at(value, i) != NULL; i++)
        count += walk(document, rl_toml_at(value, i), depth + 1);
    size_t keys = 0;
    const bool table = value->kind == RL_TOML_TABLE;
    const rl_toml_entry *entry = table ? value->as.keys->first : NULL;
    for (; entry != NULL; entry = entry->next, keys++) {
        if (strlen(entry->key.text) == entry->key.bytes)
            assert(rl_toml_find(value, entry->key.text) == entry->value);
        count += walk(document, entry->value, depth + 1);
    }
    assert(!table || keys == rl_toml_size(value));
    return count;
}

// Asks for keys of every kind, as a loader does.
static void query(rl_toml_document *document)
{
    static const char *const names[] = {"pipes", "river", NULL};
    double number = 0.5, pair[2] = {0.0, 0.0};
    float single = 0.5f;
    int choice = 0, whole = 1;
    bool flag = false;
    const char *text = "";
    rl_toml_table a, b;
    rl_toml_tables list;
    const rl_toml_table root = rl_toml_root_table(document);
    rl_toml_get_double(root, "x", 0.0, 1.0, &number);
    rl_toml_get_float(root, "y", -1e30, 1e30, &single);
    rl_toml_get_table(root, "a", &a);
    rl_toml_get_tables(a, "b", 1000, &list);
    for (size_t i = 0; i < list.count; i++) {
        rl_toml_table_at(&list, i, &b);
        rl_toml_get_bool(b, "c", &flag);
        rl_toml_get_int(b, "d", 0, 10, &whole);
    }
    rl_toml_get_doubles(a, "c", 2, 2, 0.0, HUGE_VAL, pair, NULL);
    rl_toml_get_choice(a, "d", names, &choice);
    rl_toml_get_string(root, "c", &text);
    rl_toml_require(root, "x");
    const rill_status status = rl_toml_check_all_used(document);
    assert(number >= 0.0 && number <= 1.0 && isfinite(single) && whole >= 0 && whole <= 10);
    assert(choice >= 0 && choice < 2 && pair[0] >= 0.0 && isfinite(pair[0]));
    assert(rl_toml_check_all_used(document) == status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    meter m = {.requests_left = data[0] < 16 ? data[0] : SIZE_MAX};
    const rill_allocator allocator = {&m, metered_allocate, metered_release};
    const char *text = (const char *)data + 1;
    const size_t left = size - 1;
    const char *feed = left == 0 ? NULL : memchr(text, '\f', left);
    const size_t bytes = feed == NULL ? left : (size_t)(feed - text);

    rl_toml_document *document = NULL;
    const rill_status status = rl_toml_parse(&allocator, "fuzz.toml", text, bytes, &document);
    assert((status == RILL_OK) == (document != NULL));
    if (document != NULL) {
        const size_t before = walk(document, document->root, 0);
        if (feed != NULL) {
            char *assignment = strndup(feed + 1, left - bytes - 1);
            if (rl_toml_override(document, assignment) != RILL_OK)
                assert(walk(document, document->root, 0) == before);
            free(assignment);
        }
        walk(document, document->root, 0);
        query(document);
    }
    rl_toml_destroy(&document);
    assert(m.bytes_in_use == 0);
    return 0;
}
