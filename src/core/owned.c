// SPDX-License-Identifier: MIT
#include "core/owned.h"

#include "core/assert.h"
#include "core/memory.h"

void *rl_owned_create(const rill_allocator *allocator, size_t size)
{
    RL_ASSERT(size >= sizeof(rl_owned));
    rl_owned *owned = rill_alloc(allocator, size);
    if (owned == NULL)
        return NULL;
    if (allocator != NULL)
        owned->allocator = *allocator;
    owned->size = owned->bytes = size;
    return owned;
}

void rl_owned_destroy(const rill_allocator *allocator, void **object)
{
    (void)allocator;
    rl_owned *owned = *object;
    if (owned == NULL)
        return;
    const rill_allocator own = owned->allocator;
    while (owned->chunks != NULL) {
        rl_owned_chunk *chunk = owned->chunks;
        owned->chunks = chunk->next;
        while (chunk->count-- > 0)
            rill_free(&own, chunk->blocks[chunk->count].memory, chunk->blocks[chunk->count].bytes);
        rill_free(&own, chunk, sizeof *chunk);
    }
    rill_free(&own, owned, owned->size);
    *object = NULL;
}

size_t rl_owned_memory(const void *object)
{
    return ((const rl_owned *)object)->bytes;
}

// Makes sure that there is an entry for the next block.
static bool has_entry(rl_owned *owned)
{
    if (owned->chunks != NULL && owned->chunks->count < RL_OWNED_BLOCKS)
        return true;
    rl_owned_chunk *chunk = rill_alloc(&owned->allocator, sizeof *chunk);
    if (chunk == NULL)
        return false;
    chunk->next = owned->chunks;
    owned->chunks = chunk;
    owned->bytes += sizeof *chunk;
    return true;
}

static void enter(rl_owned *owned, void *memory, size_t bytes)
{
    RL_ASSERT(memory != NULL && owned->chunks->count < RL_OWNED_BLOCKS);
    rl_owned_chunk *chunk = owned->chunks;
    chunk->blocks[chunk->count].memory = memory;
    chunk->blocks[chunk->count++].bytes = bytes;
    owned->bytes += bytes;
}

void *rl_owned_take(rl_owned *owned, size_t count, size_t size)
{
    size_t bytes;
    if (count == 0 || owned->failed)
        return NULL;
    void *memory = rl_multiply_sizes(count, size, &bytes) && has_entry(owned)
                       ? rill_alloc(&owned->allocator, bytes)
                       : NULL;
    owned->failed = memory == NULL;
    if (memory != NULL)
        enter(owned, memory, bytes);
    return memory;
}

void rl_owned_field(rl_owned *owned, int nx, int ny, int margin, int lines, rill_field *out)
{
    *out = (rill_field){0};
    owned->failed = owned->failed || !has_entry(owned) ||
                    !rill_field_create_shifted(&owned->allocator, nx, ny, margin, lines, out);
    if (!owned->failed)
        enter(owned, out->memory, out->bytes);
}
