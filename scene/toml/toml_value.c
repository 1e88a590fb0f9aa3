// SPDX-License-Identifier: MIT
// toml_value.c - the tree a text becomes: its memory, its tables, and the way through it.
#include "scene/toml/toml_inner.h"

#include <string.h>

// ---- Memory: blocks that are only ever freed together -------------------------------------

#define FIRST_BLOCK   ((size_t)4 << 10)
#define LARGEST_BLOCK ((size_t)1 << 20)
#define GRAIN         ((size_t)16) // alignment inside a block

typedef struct rl_toml_block {
    struct rl_toml_block *next;
    size_t bytes, used; // both with this header
} rl_toml_block;

static size_t round_up(size_t bytes)
{
    return (bytes + GRAIN - 1) / GRAIN * GRAIN;
}

static rl_toml_block *add_block(rl_toml_document *document, size_t need)
{
    rl_toml_block *head = document->blocks;
    size_t bytes = head == NULL ? FIRST_BLOCK : 2 * head->bytes;
    bytes = bytes > LARGEST_BLOCK ? LARGEST_BLOCK : bytes;
    const size_t least = round_up(sizeof *head) + need;
    bytes = bytes < least ? least : bytes;

    rl_toml_block *block = rill_alloc(&document->allocator, bytes);
    if (block == NULL)
        return NULL;
    *block = (rl_toml_block){head, bytes, round_up(sizeof *block)};
    document->blocks = block;
    return block;
}

void *rl_toml_take(rl_toml_document *document, size_t bytes)
{
    const size_t need = round_up(bytes);
    rl_toml_block *block = document->blocks;
    if (block == NULL || block->bytes - block->used < need)
        block = add_block(document, need);
    if (block == NULL) {
        document->failed =
            rill_fail(RILL_NO_MEMORY, "there is no memory for %zu more bytes of a scene", need);
        return NULL;
    }
    RL_ASSERT(block->used % GRAIN == 0 && block->bytes - block->used >= need);
    void *memory = (char *)block + block->used;
    block->used += need;
    return memory;
}

const char *rl_toml_copy(rl_toml_document *document, const char *text, size_t bytes)
{
    char *copy = rl_toml_take(document, bytes + 1);
    if (copy != NULL && bytes > 0)
        memcpy(copy, text, bytes);
    return copy;
}

rl_toml_document *rl_toml_create(const rill_allocator *allocator, const char *file_name)
{
    rl_toml_document *document = rill_alloc(allocator, sizeof *document);
    if (document == NULL) {
        rill_fail(RILL_NO_MEMORY, "there is no memory for the scene %s", file_name);
        return NULL;
    }
    if (allocator != NULL)
        document->allocator = *allocator;
    document->file_name = rl_toml_copy(document, file_name, strlen(file_name));
    if (document->file_name == NULL)
        rl_toml_destroy(&document);
    return document;
}

void rl_toml_destroy(rl_toml_document **document)
{
    if (document == NULL || *document == NULL)
        return;
    const rill_allocator allocator = (*document)->allocator;
    rl_toml_block *block = (*document)->blocks;
    while (block != NULL) {
        rl_toml_block *next = block->next;
        rill_free(&allocator, block, block->bytes);
        block = next;
    }
    rill_free(&allocator, *document, sizeof **document);
    *document = NULL;
}

// ---- Tables: a list in order of appearance and a crit-bit tree -----------------------------

// A key is a row of symbols of nine bits. The end is a symbol of its own, smaller than any byte, so
// that no key is the beginning of another and zero bytes need no special care.
static unsigned symbol_at(rl_toml_string key, size_t index)
{
    return index < key.bytes ? (unsigned)(unsigned char)key.text[index] + 1u : 0u;
}

// The only entry that can have this key. The table must not be empty.
static rl_toml_entry *candidate(const rl_toml_keys *keys, rl_toml_string key)
{
    RL_ASSERT(keys->count > 0);
    rl_toml_entry *node = keys->tree;
    for (bool leaf = keys->tree_is_leaf; !leaf;) {
        const int side = (symbol_at(key, node->symbol) & node->bit) != 0;
        leaf = node->leaf[side];
        node = node->child[side];
    }
    return node;
}

rl_toml_entry *rl_toml_find_entry(const rl_toml_value *table, rl_toml_string key)
{
    if (table == NULL || table->kind != RL_TOML_TABLE || table->as.keys->count == 0)
        return NULL;
    rl_toml_entry *entry = candidate(table->as.keys, key);
    return entry->key.bytes == key.bytes && memcmp(entry->key.text, key.text, key.bytes) == 0
               ? entry
               : NULL;
}

// Hangs a new entry into the tree: as a leaf, below its own inner node at the first bit in which it
// differs from what is there.
static void plant(rl_toml_keys *keys, rl_toml_entry *fresh)
{
    if (keys->count == 0) {
        keys->tree = fresh;
        keys->tree_is_leaf = true;
        return;
    }
    const rl_toml_entry *old = candidate(keys, fresh->key);
    uint32_t at = 0;
    unsigned mine, differ;
    do {
        mine = symbol_at(fresh->key, at);
        differ = mine ^ symbol_at(old->key, at);
        at++;
    } while (differ == 0);
    fresh->symbol = at - 1;
    while ((differ & (differ - 1)) != 0)
        differ &= differ - 1; // leaves the highest bit
    fresh->bit = (uint16_t)differ;

    rl_toml_entry **link = &keys->tree;
    bool *leaf = &keys->tree_is_leaf;
    while (!*leaf && ((*link)->symbol < fresh->symbol ||
                      ((*link)->symbol == fresh->symbol && (*link)->bit > fresh->bit))) {
        rl_toml_entry *node = *link;
        const int side = (symbol_at(fresh->key, node->symbol) & node->bit) != 0;
        link = &node->child[side];
        leaf = &node->leaf[side];
    }
    const int side = (mine & fresh->bit) != 0;
    fresh->child[side] = fresh;
    fresh->leaf[side] = true;
    fresh->child[!side] = *link;
    fresh->leaf[!side] = *leaf;
    *link = fresh;
    *leaf = false;
}

rl_toml_entry *rl_toml_add_entry(rl_toml_document *document, rl_toml_value *table,
                                 rl_toml_string key, rl_toml_place place, rl_toml_value *value)
{
    RL_ASSERT(table->kind == RL_TOML_TABLE && rl_toml_find_entry(table, key) == NULL);
    rl_toml_entry *entry = rl_toml_take(document, sizeof *entry);
    const char *copy = rl_toml_copy(document, key.text, key.bytes);
    if (entry == NULL || copy == NULL)
        return NULL;
    entry->key = (rl_toml_string){copy, key.bytes};
    entry->place = place;
    entry->value = value;

    rl_toml_keys *keys = table->as.keys;
    plant(keys, entry);
    if (keys->last == NULL)
        keys->first = entry;
    else
        keys->last->next = entry;
    keys->last = entry;
    keys->count++;
    return entry;
}

bool rl_toml_append(rl_toml_document *document, rl_toml_value *array, rl_toml_value *value)
{
    RL_ASSERT(array->kind == RL_TOML_ARRAY);
    rl_toml_items *items = array->as.items;
    if (items->count == items->capacity) {
        const size_t capacity = items->capacity == 0 ? 4 : 2 * items->capacity;
        rl_toml_value **grown = rl_toml_take(document, capacity * sizeof(rl_toml_value *));
        if (grown == NULL)
            return false;
        if (items->count > 0)
            memcpy(grown, items->values, items->count * sizeof(rl_toml_value *));
        items->values = grown;
        items->capacity = capacity;
    }
    items->values[items->count++] = value;
    return true;
}

// ---- The way through a document --------------------------------------------------------

const char *rl_toml_kind_name(const rl_toml_value *value)
{
    static const char *const names[] = {
        [RL_TOML_TABLE] = "a table",
        [RL_TOML_ARRAY] = "an array",
        [RL_TOML_STRING] = "a string",
        [RL_TOML_INTEGER] = "an integer",
        [RL_TOML_FLOAT] = "a float",
        [RL_TOML_BOOL] = "a boolean",
        [RL_TOML_OFFSET_DATE_TIME] = "a date and time with an offset",
        [RL_TOML_LOCAL_DATE_TIME] = "a date and time",
        [RL_TOML_LOCAL_DATE] = "a date",
        [RL_TOML_LOCAL_TIME] = "a time",
    };
    RL_ASSERT(value->kind < sizeof names / sizeof names[0]);
    return names[value->kind];
}

double rl_toml_number(const rl_toml_value *value)
{
    if (value->kind == RL_TOML_INTEGER)
        return (double)value->as.integer;
    return value->kind == RL_TOML_FLOAT ? value->as.number : 0.0;
}

const char *rl_toml_text(const rl_toml_value *value)
{
    const bool has_text = value->kind == RL_TOML_STRING || value->kind >= RL_TOML_OFFSET_DATE_TIME;
    return has_text ? value->as.string.text : "";
}

size_t rl_toml_size(const rl_toml_value *value)
{
    if (value->kind == RL_TOML_TABLE)
        return value->as.keys->count;
    return value->kind == RL_TOML_ARRAY ? value->as.items->count : 0;
}

const rl_toml_value *rl_toml_at(const rl_toml_value *array, size_t index)
{
    if (array->kind != RL_TOML_ARRAY || index >= array->as.items->count)
        return NULL;
    return array->as.items->values[index];
}

const rl_toml_value *rl_toml_find(const rl_toml_value *table, const char *key)
{
    const rl_toml_entry *entry = rl_toml_find_entry(table, (rl_toml_string){key, strlen(key)});
    return entry == NULL ? NULL : entry->value;
}
