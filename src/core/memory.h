// SPDX-License-Identifier: MIT
// memory.h - what the engine asks about memory besides what rill/support.h gives to everyone.
#pragma once

#include "rill/support.h"

// Returns the bytes of memory in this machine, or 0 where that cannot be known.
uint64_t rl_memory_of_machine(void);

// Makes place for `count` values of `size` bytes in an array that has place for `capacity` of them,
// and for as many again when it must grow. Returns where the array is now, or NULL when there is no
// memory; the old one stays then.
void *rl_grow(const rill_allocator *allocator, void *values, size_t size, size_t *capacity,
              size_t count);

// Computes count * size, or returns false when that overflows.
bool rl_multiply_sizes(size_t count, size_t size, size_t *bytes);
