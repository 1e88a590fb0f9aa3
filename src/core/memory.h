// SPDX-License-Identifier: MIT
// memory.h - memory through the host's allocator. All of it is zeroed and aligned to a cache line,
// so that rows of floats are too.
#pragma once

#include "rill/base.h"

#include <stdbool.h>

#define RL_ALIGNMENT 64

// Returns zeroed memory, or NULL. `allocator` may be NULL or empty: then malloc serves. Zero bytes
// give NULL.
void *rl_alloc(const rill_allocator *allocator, size_t bytes);

// Releases what rl_alloc returned for the same `bytes`. NULL is fine.
void rl_free(const rill_allocator *allocator, void *memory, size_t bytes);

// Grows or shrinks a block; min(old, new) bytes stay, the rest is zeroed. On failure returns NULL
// and the old block stays.
void *rl_realloc(const rill_allocator *allocator, void *memory, size_t old_bytes, size_t bytes);

// Returns the bytes of memory in this machine, or 0 where that cannot be known.
uint64_t rl_memory_of_machine(void);

// Computes count * size, or returns false when that overflows.
bool rl_multiply_sizes(size_t count, size_t size, size_t *bytes);
