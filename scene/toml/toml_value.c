// SPDX-License-Identifier: MIT
// toml_value.c - the tree a text becomes: its memory, its tables, and the way through it.
#include "scene/toml/toml_inner.h"

#include <string.h>

// ---- Memory: blocks that are only ever freed together -------------------------------------

#define FIRST_BLOCK   ((size_t)4 << 10)
#define LARGEST_BLOCK ((size_t)1 << 20)
#define GRAIN         ((size_t)16) // alignment inside a block

struct rl_toml_block {
    rl_toml_block *next;
    size_t bytes, used; // both with this header
};

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
        rill_fail(RILL_NO_MEMORY, "there is no memory for %zu more bytes of a scene", need);
        return NULL;
    }
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

rill_status rl_toml_create(const rill_allocator *allocator, const char *file_name,
                           rl_toml_document **out)
{
    *out = NULL;
    rl_toml_document *document = rill_alloc(allocator, sizeof *document);
    if (document == NULL)
        return rill_fail(RILL_NO_MEMORY, "there is no memory for the scene %s", file_name);
    if (allocator != NULL)
        document->allocator = *allocator;
    document->file_name = rl_toml_copy(document, file_name, strlen(file_name));
    if (document->file_name == NULL)
        rl_toml_destroy(&document);
    *out = document;
    return document == NULL ? RILL_NO_MEMORY : RILL_OK;
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
static unsigned symbol_at(const char *key, size_t bytes, size_t index)
{
    return index < bytes ? (unsigned)(unsigned char)key[index] + 1u : 0u;
}

// The only entry that can have this key. The table must not be empty.
static rl_toml_entry *candidate(const rl_toml_keys *keys, const char *key, size_t bytes)
{
    rl_toml_entry *node = keys->tree;
    for (bool leaf = keys->tree_is_leaf; !leaf;) {
        const int side = (symbol_at(key, bytes, node->symbol) & node->bit) != 0;
        leaf = node->leaf[side];
        node = node->child[side];
    }
    return node;
}

rl_toml_entry *rl_toml_find_entry(const rl_toml_value *table, const char *key, size_t bytes)
{
    if (table == NULL || table->kind != RL_TOML_TABLE || table->as.keys->count == 0)
        return NULL;
    rl_toml_entry *entry = candidate(table->as.keys, key, bytes);
    return entry->bytes == bytes && memcmp(entry->key, key, bytes) == 0 ? entry : NULL;
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
    const rl_toml_entry *old = candidate(keys, fresh->key, fresh->bytes);
    uint32_t at = 0;
    unsigned mine, differ;
    do {
        mine = symbol_at(fresh->key, fresh->bytes, at);
        differ = mine ^ symbol_at(old->key, old->bytes, at);
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
        const int side = (symbol_at(fresh->key, fresh->bytes, node->symbol) & node->bit) != 0;
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

rill_status rl_toml_add_entry(rl_toml_document *document, rl_toml_value *table, rl_toml_string key,
                              rl_toml_place place, rl_toml_entry **out)
{
    rl_toml_entry *entry = rl_toml_take(document, sizeof *entry);
    const char *copy = rl_toml_copy(document, key.text, key.bytes);
    if (entry == NULL || copy == NULL)
        return RILL_NO_MEMORY;
    entry->key = copy;
    entry->bytes = key.bytes;
    entry->place = place;

    rl_toml_keys *keys = table->as.keys;
    plant(keys, entry);
    if (keys->last == NULL)
        keys->first = entry;
    else
        keys->last->next = entry;
    keys->last = entry;
    keys->count++;
    *out = entry;
    return RILL_OK;
}

rill_status rl_toml_append(rl_toml_document *document, rl_toml_value *array, rl_toml_value *value)
{
    rl_toml_items *items = array->as.items;
    if (items->count == items->capacity) {
        const size_t capacity = items->capacity == 0 ? 4 : 2 * items->capacity;
        rl_toml_value **grown = rl_toml_take(document, capacity * sizeof(rl_toml_value *));
        if (grown == NULL)
            return RILL_NO_MEMORY;
        if (items->count > 0)
            memcpy(grown, items->values, items->count * sizeof(rl_toml_value *));
        items->values = grown;
        items->capacity = capacity;
    }
    items->values[items->count++] = value;
    return RILL_OK;
}

// ---- The way through a document --------------------------------------------------------

const char *rl_toml_file_name(const rl_toml_document *document)
{
    return document->file_name;
}

const rl_toml_value *rl_toml_root(const rl_toml_document *document)
{
    return document->root;
}

rl_toml_kind rl_toml_kind_of(const rl_toml_value *value)
{
    return (rl_toml_kind)value->kind;
}

const char *rl_toml_kind_name(rl_toml_kind kind)
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
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "no value";
}

bool rl_toml_bool(const rl_toml_value *value)
{
    return value->kind == RL_TOML_BOOL && value->as.boolean;
}

int64_t rl_toml_integer(const rl_toml_value *value)
{
    return value->kind == RL_TOML_INTEGER ? value->as.integer : 0;
}

double rl_toml_number(const rl_toml_value *value)
{
    if (value->kind == RL_TOML_INTEGER)
        return (double)value->as.integer;
    return value->kind == RL_TOML_FLOAT ? value->as.number : 0.0;
}

const char *rl_toml_text(const rl_toml_value *value, size_t *bytes)
{
    const bool has_text = value->kind == RL_TOML_STRING || value->kind >= RL_TOML_OFFSET_DATE_TIME;
    if (bytes != NULL)
        *bytes = has_text ? value->as.string.bytes : 0;
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
    const rl_toml_entry *entry = rl_toml_find_entry(table, key, strlen(key));
    return entry == NULL ? NULL : entry->value;
}

const rl_toml_entry *rl_toml_first(const rl_toml_value *table)
{
    return table->kind == RL_TOML_TABLE ? table->as.keys->first : NULL;
}

const rl_toml_entry *rl_toml_next(const rl_toml_entry *entry)
{
    return entry->next;
}

const char *rl_toml_key(const rl_toml_entry *entry, size_t *bytes)
{
    if (bytes != NULL)
        *bytes = entry->bytes;
    return entry->key;
}

const rl_toml_value *rl_toml_value_of(const rl_toml_entry *entry)
{
    return entry->value;
}

int rl_toml_line(const rl_toml_value *value)
{
    return (int)value->place.line;
}

int rl_toml_column(const rl_toml_value *value)
{
    return (int)value->place.column;
}

void rl_toml_where(const rl_toml_document *document, const rl_toml_value *value, char *buffer,
                   size_t size)
{
    rl_toml_show_place(document, value->place, buffer, size);
}
