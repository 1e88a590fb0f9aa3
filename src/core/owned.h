// SPDX-License-Identifier: MIT
// owned.h - an object and the memory that belongs to it: blocks are taken one by one while it is
// created, and all of them are released with it.
#pragma once

#include "rill/support.h"

#define RL_OWNED_BLOCKS 30

// Blocks, in chunks of a list.
typedef struct rl_owned_chunk {
    struct rl_owned_chunk *next;
    size_t count;
    struct {
        void *memory;
        size_t bytes;
    } blocks[RL_OWNED_BLOCKS];
} rl_owned_chunk;

// The first member of such an object.
typedef struct rl_owned {
    rill_allocator allocator;
    rl_owned_chunk *chunks;
    size_t size, bytes; // of the object, and of all memory with it
    bool failed;        // there was no memory for some block
} rl_owned;

// Creates an object of `size` bytes, all zero but for its first member, an rl_owned. Returns NULL
// when there is no memory.
void *rl_owned_create(const rill_allocator *allocator, size_t size);
// Releases the object, which may be NULL, and all its blocks. The object knows its allocator; the
// argument makes this a function of tables.
void rl_owned_destroy(const rill_allocator *allocator, void **object);
// Returns the bytes of the object and all its blocks.
size_t rl_owned_memory(const void *object);

// Takes memory for `count` items of `size` bytes, all zero. Returns NULL for none, and where there
// is no memory, which sets `failed`: the caller may take all its blocks first and ask then.
void *rl_owned_take(rl_owned *owned, size_t count, size_t size);
// Takes memory for a field that begins `lines` cache lines further (rill_field_create_shifted).
void rl_owned_field(rl_owned *owned, int nx, int ny, int margin, int lines, rill_field *out);
