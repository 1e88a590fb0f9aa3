// SPDX-License-Identifier: MIT
// memory.c - allocation through the host's hooks, and large pages.
#define _DEFAULT_SOURCE // for madvise
#include "core/memory.h"

#include "core/assert.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

// Large blocks lie on pages of 2 MiB where the system has them: a sweep touches a dozen rows at
// once, and small pages would cost it a tenth in address translation.
#define LARGE_PAGE ((size_t)2 << 20)

static void *default_allocate(size_t bytes)
{
    const size_t alignment = bytes >= 2 * LARGE_PAGE ? LARGE_PAGE : RILL_ALIGNMENT;
    // aligned_alloc asks for a multiple of the alignment.
    const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *memory = rounded < bytes ? NULL : aligned_alloc(alignment, rounded);
    RL_ASSERT((uintptr_t)memory % RILL_ALIGNMENT == 0);
#if defined(MADV_HUGEPAGE)
    if (memory != NULL && alignment == LARGE_PAGE)
        (void)madvise(memory, rounded, MADV_HUGEPAGE); // advice: a refusal does no harm
#endif
    return memory;
}

void *rill_alloc(const rill_allocator *allocator, size_t bytes)
{
    if (bytes == 0)
        return NULL;
    void *memory = allocator != NULL && allocator->allocate != NULL
                       ? allocator->allocate(allocator->user, bytes, RILL_ALIGNMENT)
                       : default_allocate(bytes);
    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

void rill_free(const rill_allocator *allocator, void *memory, size_t bytes)
{
    if (memory == NULL)
        return;
    if (allocator != NULL && allocator->release != NULL)
        allocator->release(allocator->user, memory, bytes);
    else
        free(memory);
}

void *rill_realloc(const rill_allocator *allocator, void *memory, size_t old_bytes, size_t bytes)
{
    RL_ASSERT(memory != NULL || old_bytes == 0);
    void *fresh = rill_alloc(allocator, bytes);
    if (fresh == NULL)
        return NULL;
    if (memory != NULL)
        memcpy(fresh, memory, old_bytes < bytes ? old_bytes : bytes);
    rill_free(allocator, memory, old_bytes);
    return fresh;
}

uint64_t rl_memory_of_machine(void)
{
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
#else
    return 0;
#endif
}

bool rl_multiply_sizes(size_t count, size_t size, size_t *bytes)
{
    if (size != 0 && count > SIZE_MAX / size)
        return false;
    *bytes = count * size;
    return true;
}
