// SPDX-License-Identifier: MIT
// counting_host.h - for tests: a host whose allocator counts what is in use and can run dry.
#pragma once

#include "tests/kit/kit.h"

#include "rill/base.h"

typedef struct counter {
    size_t bytes;
    int calls, fail_at; // the call that returns NULL, 0 for none
} counter;

static inline void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
    counter *count = user;
    if (++count->calls == count->fail_at)
        return NULL;
    count->bytes += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static inline void counted_release(void *user, void *memory, size_t bytes)
{
    ((counter *)user)->bytes -= bytes;
    free(memory);
}

static inline rill_host counting_host(counter *count)
{
    return (rill_host){.allocator = {count, counted_allocate, counted_release}};
}
