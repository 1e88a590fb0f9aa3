// SPDX-License-Identifier: MIT
// memory.h - what the engine asks about memory besides what rill/support.h gives to everyone.
#pragma once

#include "rill/support.h"

// Returns the bytes of memory in this machine, or 0 where that cannot be known.
uint64_t rl_memory_of_machine(void);

// Computes count * size, or returns false when that overflows.
bool rl_multiply_sizes(size_t count, size_t size, size_t *bytes);
